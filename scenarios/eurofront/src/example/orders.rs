//! Decisions in words.
//!
//! A phrase may belong to a later phase of the player turn than the one at hand: what lies between is declined.

use sandtable_core::{Direction, Hex, Stepwise, hex::Orientation};
use sandtable_eurofront::ids::{Account, BlockId, EventId, NationId};
use sandtable_eurofront::phase::SeaWay;
use sandtable_eurofront::{Action, EuroFront, Haste, Mode, Phase, State};

use super::words::{Words, account, phase, phase_name};
use super::{Examples, ScriptedContext};
use sandtable_scenarios::example::words::unknown;
use sandtable_scenarios::example::{self, Refusal, fresh};

/// First words of phrases.
const VERBS: [&str; 55] = [
    "activate",
    "move",
    "engage",
    "leave",
    "rail",
    "rearguard",
    "withdraw",
    "mobilise",
    "deactivate",
    "keep",
    "strike",
    "combat",
    "fight",
    "hit",
    "repulse",
    "claim",
    "french",
    "drop",
    "soviet",
    "axis",
    "arrive",
    "build",
    "cadre",
    "garrison",
    "reserve",
    "ground",
    "surprise",
    "end",
    "pass",
    "until",
    "decline",
    "sail",
    "invade",
    "evacuate",
    "paradrop",
    "beachhead",
    "unbeach",
    "march",
    "road",
    "allot",
    "send",
    "declare",
    "event",
    "nation",
    "choose",
    "raise",
    "deploy",
    "offer",
    "accept",
    "refuse",
    "rise",
    "desert",
    "hasten",
    "disband",
    "delay",
];

/// A phrase that has been read.
#[derive(Clone, PartialEq, Debug)]
enum Order {
    Activate(BlockId, Mode, Option<Hex>),
    /// A unit, and where it goes.
    Move(BlockId, Route),
    Rearguard(BlockId),
    Withdraw(BlockId, Route),
    Mobilise(BlockId, Route),
    /// A headquarters stays to support combat.
    Keep(BlockId),
    Strike(BlockId, Hex),
    /// No (more) airstrikes: combat begins.
    Combat,
    /// Whether a battle is fought that need not be.
    Fight(Hex, bool),
    Loss(BlockId),
    /// A beachhead is placed where its unit stands, or withdrawn.
    Beachhead(BlockId, bool),
    Claim,
    Place(Phase, Hex),
    Arrive(BlockId, Hex),
    Build(BlockId),
    Cadre(BlockId, Hex),
    Garrison(Hex),
    Reserve,
    /// Paratroops are confined to the ground; armour in the West defies the mud.
    Ground,
    Surprise,
    /// A reinforcement comes a month earlier; a unit is disbanded; a reinforcement comes later.
    Hasten(BlockId, Haste, Option<Hex>),
    Disband(BlockId),
    Delay(BlockId),
    /// So many points a month to this account.
    Allot(Account, u8),
    /// A block of points from an account to another.
    Send(Account, Account),
    /// War is declared on a nation.
    Declare(NationId),
    Event(EventId),
    /// The nation, and the unit, that an event concerns.
    EventNation(NationId),
    EventUnit(BlockId),
    /// A new belligerent's unit grows, and is placed.
    Raise(BlockId),
    Deploy(BlockId, Hex),
    /// An armistice is offered; it is answered.
    Offer,
    Answer(bool),
    /// An army of resistance rises; a unit changes sides.
    Rise(Hex),
    Desert(BlockId),
    /// No more orders of production.
    End,
    Pass,
    Until(Phase),
}

/// Where a unit goes.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Route {
    Land(Hex),
    Rail(Hex),
    /// Into a battle, from this side if it is said.
    Engage(Hex, Option<Hex>),
    /// Out of a battle, through this hex if it is said.
    Leave(Hex, Option<Hex>),
    /// A headquarters deactivates where it stands.
    Stay,
    /// By sea, the shortest or the safest way.
    Sail(Hex, SeaWay),
    Invade(Hex),
    Evacuate(Hex),
    Drop(Hex),
    /// Along a route of the map's edge.
    March(Hex),
    /// Along the roads of the Mediterranean Front.
    Road(Hex),
}

/// Plays a phrase.
pub(super) fn play(
    game: &EuroFront,
    state: &mut State,
    phrase: &str,
    context: &mut ScriptedContext,
) -> Result<(), Refusal> {
    let words = Words { game };
    let order = read(words, phrase).map_err(Refusal::Never)?;
    match order {
        Order::Until(phase) => return until(game, state, phase, context),
        Order::Pass => return example::pass::<Examples>(game, state, Action::Pass, context),
        _ => {}
    }
    // What is not legal leaves no trace.
    let mut copy = *state;
    let mut ahead = context.clone();
    carry_out(words, &mut copy, &order, &mut ahead)?;
    *state = copy;
    *context = ahead;
    Ok(())
}

/// Why a phrase is not legal; `None` if it is.
pub(super) fn fault(game: &EuroFront, state: &State, phrase: &str) -> Result<Option<String>, String> {
    let words = Words { game };
    let order = read(words, phrase)?;
    let mut copy = *state;
    // Dice may fall where a decision is taken: any will do.
    let mut context = fresh::<Examples>(&[1; 200]);
    match carry_out(words, &mut copy, &order, &mut context) {
        Ok(()) => Ok(None),
        Err(Refusal::NotYet(reason) | Refusal::Never(reason)) => Ok(Some(reason)),
    }
}

/// Declines everything until a phase is reached.
fn until(
    game: &EuroFront,
    state: &mut State,
    phase: Phase,
    context: &mut ScriptedContext,
) -> Result<(), Refusal> {
    example::play_until::<Examples>(
        game,
        state,
        context,
        Action::Pass,
        |state| state.phase == phase && !game.open_actions(state).is_empty(),
        |state| matches!(state.phase, Phase::SovietPort | Phase::FrenchRailhead | Phase::FrenchLoss),
    )
}

// ---- reading ----

/// A place, and the hex beside it that a keyword names.
fn with_side<'t>(text: &'t str, keyword: &str) -> (&'t str, Option<&'t str>) {
    text.split_once(keyword).map_or((text, None), |(place, side)| (place, Some(side)))
}

fn read(words: Words<'_>, phrase: &str) -> Result<Order, String> {
    let (verb, rest) = phrase.split_once(' ').map_or((phrase, ""), |(verb, rest)| (verb, rest.trim()));
    let block = |text: &str| words.block(text.trim());
    let hex = |text: &str| words.hex(text.trim());
    let two = |keyword: &str| -> Result<(&str, &str), String> {
        rest.split_once(&format!(" {keyword} "))
            .ok_or_else(|| format!("`{verb} ... {keyword} ...` is expected"))
    };
    let leave = |text: &str| -> Result<Route, String> {
        let (to, side) = with_side(text, " through ");
        Ok(Route::Leave(hex(to)?, side.map(hex).transpose()?))
    };
    Ok(match verb {
        "activate" => {
            let (who, into) = with_side(rest, " into ");
            let modes = [
                (" blitz_invasion", Mode::BlitzInvasion),
                (" blitz_para", Mode::BlitzPara),
                (" blitz", Mode::Blitz),
                (" invasion", Mode::Invasion),
                (" para", Mode::Para),
            ];
            let who = who.trim();
            let named = modes.iter().find_map(|&(word, mode)| Some((who.strip_suffix(word)?, mode)));
            let (who, mode) = named.unwrap_or((who, Mode::Normal));
            Order::Activate(block(who)?, mode, into.map(hex).transpose()?)
        }
        "move" => {
            let (who, to) = two("to")?;
            Order::Move(block(who)?, Route::Land(hex(to)?))
        }
        "rail" => {
            let (who, to) = two("to")?;
            Order::Move(block(who)?, Route::Rail(hex(to)?))
        }
        "sail" => {
            let (who, to) = two("to")?;
            let (to, way) = match to.trim().strip_suffix(" safest") {
                Some(to) => (to, SeaWay::Safest),
                None => (to, SeaWay::Shortest),
            };
            Order::Move(block(who)?, Route::Sail(hex(to)?, way))
        }
        "invade" => {
            let (who, at) = two("at")?;
            Order::Move(block(who)?, Route::Invade(hex(at)?))
        }
        "evacuate" => {
            let (who, to) = two("to")?;
            Order::Move(block(who)?, Route::Evacuate(hex(to)?))
        }
        "paradrop" => {
            let (who, to) = two("into")?;
            Order::Move(block(who)?, Route::Drop(hex(to)?))
        }
        "beachhead" => Order::Beachhead(block(rest)?, true),
        "unbeach" => Order::Beachhead(block(rest)?, false),
        "engage" => {
            let (who, to) = two("in")?;
            let (to, side) = with_side(to, " from ");
            Order::Move(block(who)?, Route::Engage(hex(to)?, side.map(hex).transpose()?))
        }
        "leave" => {
            let (who, to) = two("to")?;
            Order::Move(block(who)?, leave(to)?)
        }
        "rearguard" => Order::Rearguard(block(rest)?),
        "withdraw" => {
            let (who, to) = two("to")?;
            let route = match to.trim().strip_suffix(" by march") {
                Some(to) => Route::March(hex(to)?),
                None => leave(to)?,
            };
            Order::Withdraw(block(who)?, route)
        }
        "march" => {
            let (who, to) = two("to")?;
            Order::Move(block(who)?, Route::March(hex(to)?))
        }
        "road" => {
            let (who, to) = two("to")?;
            Order::Move(block(who)?, Route::Road(hex(to)?))
        }
        "allot" => {
            let (points, to) = two("to")?;
            let points = points.parse().map_err(|_| format!("`{points}`: points are expected"))?;
            Order::Allot(account(to.trim())?, points)
        }
        "send" => {
            let (from, to) = two("to")?;
            Order::Send(account(from.trim())?, account(to.trim())?)
        }
        "mobilise" => {
            let (who, to) = two("to")?;
            let route = match to.trim().strip_suffix(" by rail") {
                Some(to) => Route::Rail(hex(to)?),
                None if to.trim().ends_with(" by march") => {
                    Route::March(hex(to.trim().trim_end_matches(" by march"))?)
                }
                None if to.trim().ends_with(" by sea") => {
                    Route::Sail(hex(to.trim().trim_end_matches(" by sea"))?, SeaWay::Shortest)
                }
                None if to.trim().ends_with(" by road") => {
                    Route::Road(hex(to.trim().trim_end_matches(" by road"))?)
                }
                None if to.contains(" through ") => leave(to)?,
                None => Route::Land(hex(to)?),
            };
            Order::Mobilise(block(who)?, route)
        }
        "deactivate" => Order::Mobilise(block(rest)?, Route::Stay),
        "keep" => Order::Keep(block(rest)?),
        "strike" => {
            let (at, who) = two("with")?;
            Order::Strike(block(who)?, hex(at)?)
        }
        "combat" if rest.is_empty() => Order::Combat,
        "fight" => Order::Fight(hex(rest)?, true),
        "decline" => Order::Fight(hex(rest)?, false),
        "hit" | "repulse" => Order::Loss(block(rest)?),
        "claim" if rest.is_empty() => Order::Claim,
        "french" => Order::Place(Phase::FrenchRailhead, hex(rest)?),
        "drop" => Order::Place(Phase::FrenchLoss, hex(rest)?),
        "soviet" => Order::Place(Phase::SovietPort, hex(rest)?),
        "axis" => Order::Place(Phase::AxisPort, hex(rest)?),
        "arrive" => {
            let (who, at) = two("in")?;
            Order::Arrive(block(who)?, hex(at)?)
        }
        "build" => Order::Build(block(rest)?),
        "cadre" => {
            let (who, at) = two("in")?;
            Order::Cadre(block(who)?, hex(at)?)
        }
        "garrison" => Order::Garrison(hex(rest)?),
        "reserve" => Order::Reserve,
        "ground" if rest.is_empty() => Order::Ground,
        "surprise" if rest.is_empty() => Order::Surprise,
        "hasten" => {
            let (who, at) = with_side(rest, " in ");
            let (who, haste) = match who.trim().strip_suffix(" weaker") {
                Some(who) => (who, Haste::Weak),
                None => (who, Haste::Paid),
            };
            Order::Hasten(block(who)?, haste, at.map(hex).transpose()?)
        }
        "disband" => Order::Disband(block(rest)?),
        "delay" => Order::Delay(block(rest)?),
        "declare" => Order::Declare(words.nation(rest)?),
        "event" => Order::Event(words.event(rest)?),
        "nation" => Order::EventNation(words.nation(rest)?),
        "choose" => Order::EventUnit(block(rest)?),
        "raise" => Order::Raise(block(rest)?),
        "deploy" => {
            let (who, at) = two("in")?;
            Order::Deploy(block(who)?, hex(at)?)
        }
        "offer" if rest.is_empty() => Order::Offer,
        "accept" if rest.is_empty() => Order::Answer(true),
        "refuse" if rest.is_empty() => Order::Answer(false),
        "rise" => Order::Rise(hex(rest)?),
        "desert" => Order::Desert(block(rest)?),
        "end" if rest.is_empty() => Order::End,
        "pass" if rest.is_empty() => Order::Pass,
        "until" => Order::Until(phase(rest)?),
        _ => return Err(unknown(verb, "a decision", VERBS)),
    })
}

// ---- playing ----

/// Phases of a player turn, and of a production, in their order.
fn rank(phase: Phase) -> (u8, u8) {
    match phase {
        Phase::Recognition => (0, 0),
        Phase::FrenchRailhead | Phase::FrenchLoss => (0, 1),
        Phase::SovietPort => (0, 2),
        Phase::AxisPort => (0, 3),
        Phase::Allotment => (0, 4),
        Phase::Transfer => (0, 5),
        Phase::Arrival => (0, 6),
        Phase::Building => (0, 7),
        Phase::CadrePlace => (0, 8),
        Phase::Diplomacy => (0, 9),
        Phase::EventNation | Phase::EventUnit => (0, 10),
        Phase::Declaration => (1, 0),
        Phase::Raising => (1, 1),
        Phase::Deployment => (1, 2),
        Phase::Activation => (1, 2),
        Phase::Movement => (1, 3),
        Phase::Destination => (1, 4),
        Phase::Withdrawal => (1, 5),
        Phase::Mobilisation => (1, 6),
        Phase::Airstrike => (1, 7),
        Phase::ActiveBattle => (1, 8),
        Phase::Losses => (1, 9),
        Phase::Beachhead => (1, 10),
        Phase::ArmisticeOffer => (1, 11),
        Phase::ArmisticeAnswer => (1, 12),
        Phase::Uprising | Phase::Desertion => (1, 13),
        Phase::Over => (2, 0),
    }
}

struct Play<'a> {
    words: Words<'a>,
    state: &'a mut State,
    context: &'a mut ScriptedContext,
}

fn carry_out(
    words: Words<'_>,
    state: &mut State,
    order: &Order,
    context: &mut ScriptedContext,
) -> Result<(), Refusal> {
    let mut play = Play { words, state, context };
    match *order {
        Order::Activate(block, mode, into) => {
            if let Err(refusal) = play.come_to(Phase::Activation, Some(block)) {
                let reason = play.words.game.why_passed_over(play.state, block);
                return Err(reason.map_or(refusal, |reason| Refusal::NotYet(format!("not legal: {reason}"))));
            }
            let at = into.unwrap_or_else(|| play.state.at(block));
            play.act(Action::Activate(mode, at))
        }
        Order::Move(block, route) => {
            play.come_to(Phase::Movement, None)?;
            play.act(Action::Unit(block))?;
            play.go(block, route)
        }
        Order::Rearguard(block) => {
            play.come_to(Phase::Movement, None)?;
            play.act(Action::Rearguard(block))
        }
        Order::Withdraw(block, route) => {
            play.come_to(Phase::Withdrawal, Some(block))?;
            play.go(block, route)
        }
        Order::Mobilise(block, route) => {
            play.come_to(Phase::Mobilisation, Some(block))?;
            play.go(block, route)
        }
        Order::Keep(block) => {
            play.come_to(Phase::Mobilisation, Some(block))?;
            play.act(Action::Pass)
        }
        Order::Strike(block, hex) => {
            play.come_to(Phase::Airstrike, Some(block))?;
            play.act(Action::Strike(hex))
        }
        Order::Combat => {
            play.come_to(Phase::Airstrike, None)?;
            while play.state.phase == Phase::Airstrike {
                if play.open().is_empty() {
                    play.end_idle();
                } else {
                    play.act(Action::Pass)?;
                }
            }
            Ok(())
        }
        Order::Fight(hex, fought) => {
            play.come_to(Phase::ActiveBattle, None)?;
            while play.state.phase == Phase::ActiveBattle && play.state.battle.hex != hex {
                play.act(Action::Pass)?;
            }
            if play.state.phase != Phase::ActiveBattle {
                return Err(Refusal::Never("no such battle is to be decided on".into()));
            }
            play.act(if fought { Action::Yes } else { Action::Pass })
        }
        Order::Loss(block) => {
            play.come_to(Phase::Losses, None)?;
            play.act(Action::Unit(block))
        }
        Order::Beachhead(block, placed) => {
            play.come_to(Phase::Beachhead, Some(block))?;
            let places = play.open().into_iter().find(|action| matches!(action, Action::Place(_)));
            play.act(if placed { places.unwrap_or(Action::Place(Hex(0))) } else { Action::Yes })
        }
        Order::Claim => {
            play.come_to(Phase::Recognition, None)?;
            play.act(Action::Yes)
        }
        Order::Place(phase, hex) => {
            play.come_to(phase, None)?;
            let lisbon = words.game.rules.civil_war.as_ref().is_some_and(|war| war.capitals[0] == hex);
            play.act(if phase == Phase::AxisPort && lisbon { Action::Pass } else { Action::Place(hex) })
        }
        Order::Arrive(block, hex) => {
            play.come_to(Phase::Arrival, Some(block))?;
            play.act(Action::Place(hex))
        }
        Order::Build(block) => {
            play.come_to(Phase::Building, None)?;
            play.act(Action::Build(block))
        }
        Order::Cadre(block, hex) => {
            play.come_to(Phase::Building, None)?;
            play.act(Action::Cadre(block))?;
            play.act(Action::Place(hex))
        }
        Order::Garrison(hex) => {
            play.come_to(Phase::Building, None)?;
            play.act(Action::Garrison(hex))
        }
        Order::Reserve => {
            play.come_to(Phase::Building, None)?;
            play.act(Action::Allot(100))
        }
        Order::Ground => {
            play.come_to(Phase::Building, None)?;
            play.act(Action::Yes)
        }
        Order::Surprise => {
            play.come_to(Phase::Declaration, None)?;
            play.act(Action::Yes)
        }
        Order::Hasten(block, haste, hex) => {
            play.come_to(Phase::Building, None)?;
            play.act(Action::Hasten(block, haste))?;
            hex.map_or(Ok(()), |hex| play.act(Action::Place(hex)))
        }
        Order::Disband(block) => {
            play.come_to(Phase::Building, None)?;
            play.act(Action::Disband(block))
        }
        Order::Delay(block) => {
            play.come_to(Phase::Arrival, Some(block))?;
            play.act(Action::Pass)
        }
        Order::Allot(account, points) => {
            play.come_to_account(Phase::Allotment, |game, state| game.allotted_account(state) == account)?;
            play.act(Action::Allot(points))
        }
        Order::Send(from, to) => {
            play.come_to_account(Phase::Transfer, |game, state| game.sending_account(state) == from)?;
            play.act(Action::Transfer(to))
        }
        Order::Declare(nation) => {
            play.come_to(Phase::Declaration, None)?;
            play.act(Action::Nation(nation))
        }
        Order::Event(event) => {
            play.come_to(Phase::Diplomacy, None)?;
            play.act(Action::Event(event))
        }
        Order::EventNation(nation) => {
            play.come_to(Phase::EventNation, None)?;
            play.act(Action::Nation(nation))
        }
        Order::EventUnit(block) => {
            play.come_to(Phase::EventUnit, None)?;
            play.act(Action::Unit(block))
        }
        Order::Raise(block) => {
            play.come_to(Phase::Raising, None)?;
            play.act(Action::Build(block))
        }
        Order::Deploy(block, hex) => {
            play.come_to(Phase::Deployment, Some(block))?;
            play.act(Action::Place(hex))
        }
        Order::Offer => {
            play.come_to(Phase::ArmisticeOffer, None)?;
            play.act(Action::Yes)
        }
        Order::Answer(accepted) => {
            play.come_to(Phase::ArmisticeAnswer, None)?;
            play.act(if accepted { Action::Yes } else { Action::Pass })
        }
        Order::Rise(hex) => {
            play.come_to(Phase::Uprising, None)?;
            play.act(Action::Place(hex))
        }
        Order::Desert(block) => {
            play.come_to(Phase::Desertion, None)?;
            play.act(Action::Unit(block))
        }
        Order::End => {
            play.come_to(Phase::Building, None)?;
            play.act(Action::Pass)
        }
        Order::Pass | Order::Until(_) => Err(Refusal::Never("it says no decision".into())),
    }
}

impl Play<'_> {
    fn open(&self) -> Vec<Action> {
        self.words.game.open_actions(self.state)
    }

    fn end_idle(&mut self) {
        self.words.game.end_idle_phase(self.state, self.context);
    }

    /// Takes an action if it is legal.
    fn act(&mut self, action: Action) -> Result<(), Refusal> {
        if !self.open().contains(&action) {
            let reason = self.words.game.why_illegal(self.state, action);
            let reason = reason.unwrap_or_else(|| "that is not what is being decided".into());
            return Err(Refusal::NotYet(format!("not legal: {reason}")));
        }
        self.words.game.apply_alone(self.state, action, self.context);
        Ok(())
    }

    /// Declines what comes before a phase of the same player turn or production, and before the block it is to be about.
    fn come_to(&mut self, phase: Phase, subject: Option<BlockId>) -> Result<(), Refusal> {
        let (part, wanted) = rank(phase);
        let active = self.state.active;
        loop {
            let (now_part, now) = rank(self.state.phase);
            let there = self.state.phase == phase;
            let waits = there && subject.is_some_and(|block| self.state.subject != block);
            if there && !waits {
                return Ok(());
            }
            let open = self.open();
            let before = now_part == part && self.state.active == active && (now < wanted || waits);
            if before && open.is_empty() {
                self.end_idle();
            } else if before && open.contains(&Action::Pass) {
                self.words.game.apply_alone(self.state, Action::Pass, self.context);
            } else {
                let now = phase_name(self.state.phase);
                let what = match subject {
                    Some(block) => format!("{} of {}", phase_name(phase), self.words.block_id(block)),
                    None => phase_name(phase).into(),
                };
                return Err(Refusal::NotYet(format!("not legal: {what} is not at hand, but {now}")));
            }
        }
    }

    /// Declines what comes before a decision about an account.
    fn come_to_account(
        &mut self,
        phase: Phase,
        wanted: impl Fn(&EuroFront, &State) -> bool,
    ) -> Result<(), Refusal> {
        while self.state.phase <= phase {
            if self.state.phase == phase && wanted(self.words.game, self.state) {
                return Ok(());
            }
            if self.open().contains(&Action::Pass) {
                self.words.game.apply_alone(self.state, Action::Pass, self.context);
            } else {
                self.end_idle();
            }
        }
        Err(Refusal::NotYet(format!("not legal: {} of that account is not at hand", phase_name(phase))))
    }

    /// A unit that has been chosen goes its way.
    fn go(&mut self, block: BlockId, route: Route) -> Result<(), Refusal> {
        let board = self.words.game.board();
        let at = self.state.at(block);
        let open = self.open();
        let action = match route {
            Route::Land(to) => Action::Go(to),
            Route::Rail(to) => Action::Rail(to),
            Route::Stay => Action::Go(at),
            Route::Sail(to, way) => Action::Sail(way, to),
            Route::Invade(to) => Action::Invade(to),
            Route::Evacuate(to) => Action::Evacuate(to),
            Route::Drop(to) => Action::Drop(to),
            Route::March(to) => Action::March(to),
            Route::Road(to) => Action::Road(to),
            Route::Engage(to, from) => {
                let ways = open.iter().filter_map(|action| match *action {
                    Action::Engage(hex, way) if hex == to => Some(way),
                    _ => None,
                });
                let beside = |way: Direction| board.neighbour(to, way.opposite());
                let ways: Vec<Direction> =
                    ways.filter(|&way| from.is_none() || beside(way) == from).collect();
                let fallback = from.and_then(|from| board.direction(from, to)).or(board.direction(at, to));
                Action::Engage(to, one_way(&ways, fallback, "from which side it engages")?)
            }
            Route::Leave(to, through) => {
                let ways = open.iter().filter_map(|action| match *action {
                    Action::Disengage(way, hex) if hex == to => Some(way),
                    _ => None,
                });
                let ways: Vec<Direction> = ways
                    .filter(|&way| match through {
                        Some(through) => board.neighbour(at, way) == Some(through),
                        None => true,
                    })
                    .collect();
                let direct = ways.iter().copied().find(|&way| board.neighbour(at, way) == Some(to));
                let ways = direct.map_or(ways, |way| vec![way]);
                let fallback = through.and_then(|hex| board.direction(at, hex)).or(board.direction(at, to));
                Action::Disengage(one_way(&ways, fallback, "through which hex it leaves")?, to)
            }
        };
        self.act(action)
    }
}

/// The one way there is; if none is open, one to ask the rules about.
fn one_way(ways: &[Direction], fallback: Option<Direction>, what: &str) -> Result<Direction, Refusal> {
    match ways {
        [one] => Ok(*one),
        [] => fallback.ok_or_else(|| Refusal::NotYet("not legal: it cannot get there".into())),
        several => {
            let names: Vec<&str> = several.iter().map(|&way| Orientation::PointyTops.compass(way)).collect();
            Err(Refusal::Never(format!("say {what}: it may go {}", names.join(" or "))))
        }
    }
}
