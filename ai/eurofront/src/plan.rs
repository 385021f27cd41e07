//! Moves of a Movement Phase, planned together: attacks first, each as a package of units, then posts for all others.
//!
//! What a unit can do is asked of the rules: every plan is made on a copy of the position, in which each unit in turn is
//! asked for its destinations. The plan is then carried out move by move; what has become illegal waits until it is legal
//! again, or is left out.

mod attacks;
mod sites;

use std::cell::Cell;

use sandtable_ai::policy::best_action;
use sandtable_core::{Game, Hex, Index};
use sandtable_eurofront::ids::{
    BlockId, Blocks, Camp, Faction, Front, Hexes, MAX_BLOCKS, Nations, is_on_map,
};
use sandtable_eurofront::rules::Kind;
use sandtable_eurofront::state::{Crossing, MAX_HEADQUARTERS};
use sandtable_eurofront::{Access, Action, EuroFront, Mark, Orders, Phase, State};

use super::landings::{REACHES, price_of_voyage, reaches_england, tries_for_england, worth_of_port};
use super::map_tables::{Field, MapTables, Places, field};
use super::survey::{HEADQUARTERS, Might, Survey, might, overcome, shelter, with_blocks_of};
use super::weights::Weights;
use attacks::{Approach, Candidate, FIGHTS, KeptAttack, KeptFight, Package};
use sites::{Aims, Guest, Sites};

/// What a decision is about.
#[derive(Clone, Copy)]
pub(super) struct Brief<'a> {
    pub game: &'a EuroFront,
    pub tables: &'a MapTables,
    pub weights: &'a Weights,
    pub worth: &'a Places,
    pub state: &'a State,
    pub camp: Camp,
    /// Looks less closely.
    pub light: bool,
}

/// Price of a step of infantry, in which most of an army is paid.
pub(super) const STEP: f32 = 4.0;
/// Part of the enemy's steps around a battle that counts as if they were in it.
const RELIEF: f32 = 0.4;
/// Share of a place's worth that taking it counts: it may be lost again.
const TAKEN: f32 = 0.8;
/// Dice and their sixths from which a unit belongs to the front.
const FIELD_ARMY: f32 = 3.0;
/// Gain from which a supreme or theatre headquarters changes its place, in campaigns, in production points.
pub(super) const SETTLED: f32 = 2.0;
/// The same for a journey by rail, road or sea.
const UPROOTED: f32 = 12.0;
/// What it takes off the worth of a place for a headquarters that no own steps are near.
const LONELY: f32 = 8.0;
/// What another field headquarters close by takes off the worth of a place for one, in campaigns, in production points.
const CROWDED: f32 = 3.0;
/// Hexes from which on it is no longer close by.
const CLOSE: u32 = 3;
/// Worth for a headquarters of a port from which one over the sea is reached that decides the scenario, in production points;
/// steps that are landed there, against which its garrison counts; and the factor if it has none.
const CROSSING: f32 = 24.0;
const LANDED: f32 = 6.0;
const WIDE_OPEN: f32 = 1.5;
/// Part of that which counts for England where only a full headquarters supports a landing, and where none does (15.511).
const DISTANT: [f32; 2] = [0.7, 0.4];
/// Worth for a supreme headquarters of the front in which the whole army stands, in production points.
const ORDERS: f32 = 30.0;
/// What it takes off the worth of a place for a headquarters of the Western Allies that the Soviets hold it: it leads none of
/// their units (5.34).
const ABROAD: f32 = 30.0;
/// Gain of a move for which a headquarters goes before all others, and the most that counts of it.
const URGENT: f32 = 4.0;
const MOST_FOR_A_SEAT: f32 = 10.0;
/// Share of what draws beyond a hex that counts for who takes it, in campaigns.
const ON_THE_WAY: f32 = 0.3;
/// Worth for a headquarters of the Western Allies of standing in a port from which it can send units over the sea against the enemy's
/// coast, in production points.
const SECOND_FRONT: f32 = 10.0;
/// Worth of a Soviet unit in a city on the border of Turkey that nobody else guards, in production points.
const SENTRY: f32 = 14.0;
/// What it costs to stay where too many stand: one of them starves (6.22), in production points.
const OVERSTACKED: f32 = 6.0;
/// Share of a place's worth that counts where only a zone of control reaches it.
const OVERLOOKED: f32 = 0.3;

/// A unit that can move.
#[derive(Clone, Copy, Debug)]
struct Mover {
    block: BlockId,
    at: Hex,
    /// Its destinations: a range of [`Planner::options`].
    options: (u32, u32),
    might: Might,
    /// A field headquarters commands it: only a strategic move takes a Supreme Move.
    commanded: bool,
    engaged: bool,
    headquarters: bool,
    /// A supreme or theatre headquarters.
    settled: bool,
    /// Has its order.
    done: bool,
    /// Worth of its best post, and the option.
    gain: f32,
    best: u32,
    /// After how many orders that was asked, and the Supreme Moves that were left, [`MOST_NEEDED`] at most.
    asked: u32,
    budget: u32,
}

/// The moves of a unit by its orders.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The look at the position by which they are known.
    look: u32,
    orders: Orders,
    /// How it is picked, if it can go anywhere.
    pick: Option<Action>,
    /// A range of [`Planner::options`].
    options: (u32, u32),
}

impl Known {
    const NOTHING: Known = Known {
        look: 0,
        orders: Orders { at: Hex(0), commanded: false, supreme: 0, last: false },
        pick: None,
        options: (0, 0),
    };
}

/// What decides about the moves of units, besides their orders, and changes while headquarters are activated.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Setting {
    battles: Hexes,
    /// Minor allies that host as many as may enter.
    hosts: Nations,
    /// Hexsides over which headquarters have left battles, by number: no more may cross than their limits (6.33).
    crossed: [Crossing; MAX_HEADQUARTERS],
    /// The border hex of Belgium in which one French unit may stand, if one does (20.72).
    salient: Option<Hex>,
    /// Control as the movement begins, and railways, of which only those know something who may go by rail: a headquarters may leave
    /// what it alone held.
    friendly: [Hexes; 2],
    network: Hexes,
}

/// What decides about moves, as far as they are known, and since which look; 0: not at all. The last of them is at hand.
#[derive(Debug)]
struct Settings {
    all: [(u32, Setting); SETTINGS],
    at_hand: usize,
}

impl Setting {
    fn nothing() -> Setting {
        Setting {
            battles: Hexes::EMPTY,
            hosts: Nations::default(),
            crossed: [Crossing::NONE; MAX_HEADQUARTERS],
            salient: None,
            network: Hexes::EMPTY,
            friendly: [Hexes::EMPTY; 2],
        }
    }
}

/// Orders of a unit whose moves are remembered: commanded or not, with a Supreme Move or without.
const KNOWN: usize = 4;
/// The first slot of those with a Supreme Move.
const BY_ORDER: usize = 2;
/// Settings in which moves are remembered: a headquarters is weighed in a few places.
const SETTINGS: usize = 4;
/// Moves from which on those known from plans before are forgotten.
const MOST_OPTIONS: usize = 1 << 16;

/// A move that has been planned.
#[derive(Clone, Copy, Debug)]
struct Order {
    block: BlockId,
    action: Action,
    done: bool,
}

/// When a plan was made.
type Moment = (u8, u8, u8, bool);

fn moment(state: &State) -> Moment {
    (state.month, state.fortnight, state.turn, state.blitz)
}

/// Plans and remembers.
#[derive(Debug)]
pub(super) struct Planner {
    pub survey: Survey,
    sites: Sites,
    movers: Vec<Mover>,
    options: Vec<Action>,
    /// How often that list has been begun anew.
    lists: u32,
    /// Moves of units that are known from plans before, by block, and of which look at the position they are.
    known: Vec<[[Known; KNOWN]; SETTINGS]>,
    looks: u32,
    /// What else decides about moves in those plans, without Supreme Moves and with them.
    settings: [Settings; 2],
    /// Of which position moves are known, but for headquarters.
    listed: Option<State>,
    /// Where no more blocks may stand. Moves are known as if there were room everywhere.
    full: Hexes,
    /// Rearguards, which are planned after all others.
    rearguards: Vec<(BlockId, (u32, u32))>,
    /// Moves that attack, by hex and unit, and the units that may attack the hex at hand.
    approaches: Vec<Approach>,
    candidates: Vec<Candidate>,
    packages: Vec<Package>,
    /// The best attacks of plans before, by hex.
    attacks_kept: Field<KeptAttack>,
    /// What fights were worth, by all that this follows from.
    fights: Vec<Cell<KeptFight>>,
    orders: Vec<Order>,
    crossings: Vec<(Crossing, u8)>,
    /// What threatened where before attacks were planned.
    before: Field,
    legal: Vec<Action>,
    /// Headquarters whose aircraft are planned for, by number.
    struck: [bool; MAX_HEADQUARTERS],
    /// Hexes in which battles will be supported.
    supported: Hexes,
    /// Supreme Moves that are left.
    budget: u32,
    /// Worth of the plan, and of its attacks.
    pub total: f32,
    pub attacks: f32,
    moment: Option<Moment>,
    /// When the survey was taken in which headquarters are activated.
    looked: Option<Moment>,
    /// When the survey was taken in which the battles of a phase are fought.
    fought: Option<Moment>,
    /// When the survey was taken in which units are placed, or headquarters mobilise, and for whom.
    settled: Option<(Moment, Faction, Phase)>,
    /// The survey is of the position at hand.
    fresh: bool,
    /// Worth of the moves that the headquarters activated so far make possible, and of the attacks among them, in production
    /// points, and which those are, with who was thought of as activated besides. Where and how they are active follows: whoever is
    /// activated otherwise than as it was weighed makes an end of it.
    pub so_far: Option<(Blocks, (f32, f32))>,
}

/// What it costs to stay where that brings a war, and as much again far from where it does not, in production points.
pub(super) const TRESPASS: f32 = 100.0;
/// What the Arctic costs a stranger: a step at once, and maintenance every month, in production points (21.441, 21.461).
const STRANGER: f32 = 14.0;
/// What it is worth that Finland's army is cut off from its supply, in production points: a step or two of each of its units.
const STRANGLED: f32 = 40.0;
/// What a unit is worth besides that another front would take all strength from, in production points.
const GONE: f32 = 60.0;
/// Steps that hold out there for long.
const LASTING: f32 = 1.5;
/// Supreme Moves of a march along a long route (18.331), and the most that a move takes.
const DOUBLE_MARCH: u32 = 2;
const MOST_NEEDED: u32 = DOUBLE_MARCH;

/// Whether a move takes a Supreme Move whoever commands the unit (5.71).
fn is_strategic(action: Action) -> bool {
    matches!(action, Action::Rail(_) | Action::Road(_) | Action::Sail(..))
}

/// Supreme Moves that a move of a unit takes; a double march takes two, whoever commands it (18.331).
fn orders_of(brief: &Brief<'_>, mover: &Mover, action: Action) -> u32 {
    let long = |to: Hex| {
        let routes = &mut brief.tables.routes.iter();
        routes.any(|route| route.beyond(mover.at) == Some(to) && route.is_long())
    };
    match action {
        Action::March(to) if brief.tables.winter_war && long(to) => DOUBLE_MARCH,
        _ => u32::from(!mover.commanded || is_strategic(action)),
    }
}

/// The number of the route along which a unit marches from a place into one that the enemy holds.
fn route_of_attack(brief: &Brief<'_>, from: Hex, to: Hex) -> Option<u8> {
    let attacks = brief.tables.winter_war && brief.state.occupied[brief.camp.enemy().index()].contains(to);
    let routes = &mut brief.game.map().routes.iter();
    routes.position(|route| attacks && route.beyond(from) == Some(to)).map(|number| number as u8)
}

/// Whether a unit that is not of the North would be a stranger in the Arctic Zone, in the Winter War (21.441, 21.461).
fn is_stranger_to_arctic(brief: &Brief<'_>, block: BlockId) -> bool {
    let (game, arctic) = (brief.game, &brief.game.map().arctic);
    brief.tables.winter_war
        && brief.camp == Camp::Coalition
        && is_on_map(brief.state.at(block))
        && !arctic.contains(brief.state.at(block))
        && !game.belongs_to(block, Front::North)
}

/// Whether the Axis looks over the sea for what decides the scenario: Norway, or England when France is beaten.
pub(super) fn crosses(brief: &Brief<'_>) -> bool {
    brief.camp == Camp::Axis
        && !brief.tables.over_sea.is_empty()
        && !super::stations::fights_in_france(brief.game, brief.state)
}

/// Whether a place is a port on the same sea as one over the sea that the Axis tries for.
pub(super) fn is_crossing(brief: &Brief<'_>, hex: Hex) -> bool {
    let seas = brief.game.seas();
    let joined = |port: Hex| seas.coast(port).intersects(&seas.coast(hex));
    crosses(brief) && seas.harbours.contains(hex) && brief.tables.over_sea.iter().any(joined)
}

/// What it costs a unit on the map to come to another front: the steps that it is not used to it (21.351, 21.441).
pub(super) fn price_of_climate(brief: &Brief<'_>, hex: Hex, block: BlockId) -> f32 {
    price_of_front(brief, brief.game.front(hex), block)
}

/// The same for all fronts.
fn prices_of_climate(brief: &Brief<'_>, block: BlockId) -> [f32; Front::ALL.len()] {
    Front::ALL.map(|front| price_of_front(brief, front, block))
}

fn price_of_front(brief: &Brief<'_>, front: Front, block: BlockId) -> f32 {
    let (game, state) = (brief.game, brief.state);
    let at = state.at(block);
    if brief.tables.civil_war || !is_on_map(at) || game.front(at) == front {
        return 0.0;
    }
    let lost = game.acclimatisation(state, block, front);
    if lost == 0 {
        return 0.0;
    }
    let headquarters = game.brief(block).kind.is_headquarters();
    // What has no strength left is gone, or of no use.
    let gone = if state.steps[block] <= lost { GONE } else { 0.0 };
    f32::from(lost) * if headquarters { HEADQUARTERS } else { STEP } + gone
}

/// What it costs a headquarters of the Western Allies to be in Soviet land.
fn price_of_exile(brief: &Brief<'_>, hex: Hex, block: BlockId) -> f32 {
    let western = brief.game.brief(block).faction == Faction::Allies;
    if western && brief.state.owners.is_soviet(hex) { ABROAD } else { 0.0 }
}

/// Where an action brings a unit.
pub(super) fn destination(action: Action) -> Option<Hex> {
    match action {
        Action::Go(hex)
        | Action::Rail(hex)
        | Action::Road(hex)
        | Action::March(hex)
        | Action::Sail(_, hex)
        | Action::Evacuate(hex)
        | Action::Invade(hex)
        | Action::Drop(hex)
        | Action::Engage(hex, _)
        | Action::Disengage(_, hex) => Some(hex),
        _ => None,
    }
}

/// Hexes in which a headquarters would support a battle, also one that has not begun yet (5.3, 5.8, 7.4).
fn support(brief: &Brief<'_>, headquarters: BlockId) -> Hexes {
    let (game, state) = (brief.game, brief.state);
    let open = game.supports_in(state, headquarters);
    if open.is_empty() { open } else { command_radius(brief, headquarters).and(&open) }
}

/// Hexes within the command radius of a headquarters if all that it traces to were battles.
fn command_radius(brief: &Brief<'_>, headquarters: BlockId) -> Hexes {
    let (game, state) = (brief.game, brief.state);
    let here = Hexes::one(state.at(headquarters));
    let Some(inner) = (game.command_value(state, headquarters).max(0) as u32).checked_sub(1) else {
        return here;
    };
    let (through, land) = (game.traceable(state, brief.camp), &game.map().land);
    let inner = game.board().within_across(here, inner, &through, land);
    inner.or(&game.board().across(&inner, land))
}

impl Planner {
    pub fn new() -> Planner {
        Planner {
            survey: Survey::new(),
            sites: Sites::new(),
            movers: Vec::with_capacity(512),
            options: Vec::with_capacity(2 * MOST_OPTIONS),
            lists: 0,
            known: vec![[[Known::NOTHING; KNOWN]; SETTINGS]; MAX_BLOCKS],
            looks: 1,
            settings: std::array::from_fn(|_| Settings {
                all: std::array::from_fn(|_| (0, Setting::nothing())),
                at_hand: 0,
            }),
            listed: None,
            full: Hexes::EMPTY,
            rearguards: Vec::with_capacity(512),
            approaches: Vec::with_capacity(2048),
            candidates: Vec::with_capacity(512),
            packages: Vec::with_capacity(512),
            attacks_kept: field(KeptAttack::NONE),
            fights: vec![Cell::new(KeptFight::NONE); FIGHTS],
            orders: Vec::with_capacity(512),
            crossings: Vec::with_capacity(512),
            before: field(0.0),
            legal: Vec::with_capacity(8192),
            struck: [false; MAX_HEADQUARTERS],
            supported: Hexes::EMPTY,
            budget: 0,
            total: 0.0,
            attacks: 0.0,
            moment: None,
            looked: None,
            fought: None,
            settled: None,
            fresh: false,
            so_far: None,
        }
    }

    pub fn forget(&mut self) {
        self.moment = None;
        self.looked = None;
        self.fought = None;
        self.settled = None;
        self.fresh = false;
        self.so_far = None;
        self.orders.clear();
    }

    /// Forgets the moves of units that are known from plans before.
    fn forget_moves(&mut self) {
        for (look, _) in self.settings.iter_mut().flat_map(|settings| &mut settings.all) {
            *look = 0;
        }
        self.options.clear();
        self.lists = self.lists.wrapping_add(1);
    }

    /// From now on moves are those in a setting, which may be known.
    fn turn_to_setting(&mut self, setting: Setting) {
        if self.options.len() > MOST_OPTIONS {
            self.forget_moves();
        }
        let by_land = Setting { network: Hexes::EMPTY, ..setting };
        for (settings, setting) in self.settings.iter_mut().zip([by_land, setting]) {
            let known = settings.all.iter().position(|(look, known)| *look != 0 && *known == setting);
            settings.at_hand = known.unwrap_or_else(|| {
                // The next one, in turn.
                let next = (settings.at_hand + 1) % SETTINGS;
                self.looks = self.looks.wrapping_add(1).max(1);
                settings.all[next] = (self.looks, setting);
                next
            });
        }
    }

    /// The setting at hand for moves in a slot of [`Planner::known`], and since which look it has been known.
    fn setting_of(&self, slot: usize) -> (usize, u32) {
        let settings = &self.settings[usize::from(slot >= BY_ORDER)];
        (settings.at_hand, settings.all[settings.at_hand].0)
    }

    /// A decision is made by these weights and aims: what is known of places to stand in by others is forgotten.
    pub fn weigh(&mut self, weights: &Weights, aims: Aims) {
        self.sites.weigh(weights, aims);
    }

    /// Forgets a plan that was made to be compared.
    pub fn put_away(&mut self) {
        self.moment = None;
        self.orders.clear();
    }

    /// Whether nobody can move in the Movement Phase that has been planned, where all go by land.
    pub fn moves_nobody(&self, brief: &Brief<'_>) -> bool {
        let nobody = brief.game.go_by_land(brief.state) && self.movers.is_empty();
        #[cfg(test)]
        {
            let mut legal = Vec::new();
            brief.game.legal_actions(brief.state, &mut legal);
            assert_eq!(nobody, legal == [Action::Pass]);
        }
        nobody
    }

    /// Whether the moves of this Movement Phase have been planned.
    pub fn has_plan(&self, state: &State) -> bool {
        self.moment == Some(moment(state))
    }

    /// Looks at the position.
    pub fn look(&mut self, brief: &Brief<'_>, deep: bool) {
        self.begin_look();
        let known = self.survey.look(brief, deep && !brief.light);
        if !known {
            self.sites.forget();
        }
        // Who has moved has used hexsides and orders.
        let moved = brief.state.marked(Mark::Moved).intersects(brief.game.blocks_of(brief.camp));
        if moved || !self.are_moves_of(brief) {
            self.forget_moves();
            self.listed = Some(*brief.state);
        }
    }

    /// Whether the moves that are known are of a position like this one: nothing differs that they follow from but headquarters of the
    /// camp and what they bring about, which is in a [`Setting`] and in [`Orders`].
    fn are_moves_of(&self, brief: &Brief<'_>) -> bool {
        let (game, state) = (brief.game, brief.state);
        let Some(seen) = &self.listed else { return false };
        let staffs = game.blocks_of(brief.camp).and(&game.sets().headquarters);
        let alike = |block: BlockId| {
            seen.at(block) == state.at(block)
                && seen.steps[block] == state.steps[block]
                && seen.crossing[block] == state.crossing[block]
                || staffs.contains(block)
        };
        let mut marks = seen.marks.iter().zip(&state.marks);
        if !marks.all(|(one, two)| one.difference(&staffs) == two.difference(&staffs))
            || !(0..MAX_BLOCKS).all(|nth| alike(BlockId::nth(nth)))
        {
            return false;
        }
        let seen = State {
            decider: state.decider,
            standing: state.standing,
            occupied: state.occupied,
            friendly: state.friendly,
            disputed: state.disputed,
            ..with_blocks_of(seen, state)
        };
        seen == *state
    }

    /// What was looked at before no longer counts.
    fn begin_look(&mut self) {
        self.looked = None;
        self.fought = None;
        self.settled = None;
        self.fresh = false;
    }

    /// Looks at a position in which units are placed one by one, or headquarters mobilise: what land is worth was seen
    /// before.
    pub fn look_to_settle(&mut self, brief: &Brief<'_>) {
        let now = Some((moment(brief.state), brief.state.decider, brief.state.phase));
        if self.settled == now && self.survey.camp == brief.camp {
            self.survey.count(brief.game, brief.tables, brief.state);
        } else {
            self.look(brief, false);
            self.settled = now;
        }
    }

    /// Looks at a position in which the moves of a phase are planned.
    pub fn look_ahead(&mut self, brief: &Brief<'_>) {
        if !self.fresh {
            self.look(brief, true);
            self.fresh = true;
        }
    }

    /// Looks at a position in which battles are fought: what land is worth was seen before.
    pub fn look_at_battles(&mut self, brief: &Brief<'_>) {
        if self.fought == Some(moment(brief.state)) && self.survey.camp == brief.camp {
            self.survey.count(brief.game, brief.tables, brief.state);
        } else {
            self.begin_look();
            self.sites.forget();
            self.forget_moves();
            self.survey.look_at_battles(brief);
            self.fought = Some(moment(brief.state));
        }
    }

    /// Looks at the position in which the next headquarters may be activated: meanwhile nothing but headquarters moves.
    pub fn look_on(&mut self, brief: &Brief<'_>) {
        let now = moment(brief.state);
        if self.looked == Some(now) && self.survey.camp == brief.camp {
            self.survey.restore(brief.game, brief.tables, brief.state);
        } else {
            self.look(brief, true);
            self.so_far = None;
            self.looked = Some(now);
        }
    }

    /// What a hex is worth in itself, and in campaigns as a step on the way.
    fn ground(&self, brief: &Brief<'_>, hex: Hex) -> f32 {
        let way = if brief.tables.civil_war { 0.0 } else { ON_THE_WAY * self.survey.pull[hex.at()] };
        brief.worth[hex.at()] + way + self.relief(brief, hex) + worth_of_port(brief, hex)
    }

    /// What it is worth to Finland to free the line of its supply (21.481), where the Soviets have engaged it.
    fn relief(&self, brief: &Brief<'_>, hex: Hex) -> f32 {
        let line = [brief.tables.narrows, brief.tables.junction];
        let own = brief.camp.index();
        let fought_for = match brief.camp {
            Camp::Axis => line.contains(&Some(hex)) && brief.state.is_battle(hex),
            Camp::Coalition => brief.tables.junction == Some(hex) && !brief.state.friendly[own].contains(hex),
        };
        if fought_for { STRANGLED } else { 0.0 }
    }

    /// What it is worth to the Soviets that so many of their steps stand in the line of Finland's supply: all of its army
    /// starves while they are there (18.35, 21.481).
    fn strangles(&self, brief: &Brief<'_>, hex: Hex, steps: f32) -> f32 {
        let cuts = brief.tables.narrows == Some(hex) && brief.camp == Camp::Coalition;
        if cuts { STRANGLED * overcome(steps, LASTING) } else { 0.0 }
    }

    // ---- carrying out ----

    /// The next move of the Movement Phase.
    pub fn next(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Action {
        let state = brief.state;
        if !self.has_plan(state) {
            self.look_ahead(brief);
            self.fresh = false;
            self.plan(brief);
            self.moment = Some(moment(state));
        }
        let mut scratch = *state;
        for nth in 0..self.orders.len() {
            let order = self.orders[nth];
            if order.done {
                continue;
            }
            let pick = if matches!(order.action, Action::Rearguard(_)) {
                order.action
            } else {
                Action::Unit(order.block)
            };
            if !legal.contains(&pick) {
                continue;
            }
            let open = pick == order.action || {
                scratch.phase = Phase::Destination;
                scratch.subject = order.block;
                self.legal.clear();
                // What goes on foot is asked of that alone.
                if matches!(order.action, Action::Go(_) | Action::Engage(..) | Action::Disengage(..)) {
                    brief.game.list_marches(&scratch, order.block, &mut self.legal);
                    #[cfg(test)]
                    {
                        let mut all = Vec::new();
                        brief.game.legal_actions(&scratch, &mut all);
                        assert_eq!(all.contains(&order.action), self.legal.contains(&order.action));
                    }
                } else {
                    brief.game.legal_actions(&scratch, &mut self.legal);
                }
                self.legal.contains(&order.action)
            };
            if open {
                self.orders[nth].done = true;
                return pick;
            }
        }
        Action::Pass
    }

    /// Where the unit at hand goes: as planned, or else to the best post.
    pub fn go(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Action {
        let block = brief.state.subject;
        let planned = self.orders.iter().find(|order| order.block == block).map(|order| order.action);
        match planned {
            Some(action) if legal.contains(&action) => action,
            _ => self.best_post(brief, block, legal),
        }
    }

    /// The best of some moves of a unit, attacks left out where there are others.
    pub fn best_post(&mut self, brief: &Brief<'_>, block: BlockId, legal: &[Action]) -> Action {
        self.look(brief, false);
        let at = brief.state.at(block);
        let weight = might(brief.tables, brief.game, brief.state, block);
        self.survey.hosts[brief.camp.index()].add(at, weight, -1);
        let worth = |action: Action| match action {
            Action::Engage(..) => -1000.0,
            action => destination(action).map_or(-2000.0, |hex| {
                let fight = if self.is_enemy(brief, hex) { -1000.0 } else { 0.0 };
                fight + self.post(brief, hex, block, weight)
            }),
        };
        best_action(legal, worth).unwrap_or(legal[0])
    }

    // ---- planning ----

    /// Plans all moves in a position of a Movement Phase. The survey must be of this position; afterwards it shows where units
    /// will stand.
    pub fn plan(&mut self, brief: &Brief<'_>) {
        let state = brief.state;
        self.orders.clear();
        self.crossings.clear();
        for side in state.crossing.0.into_iter().filter(|&side| side != Crossing::NONE) {
            self.count_crossing(side);
        }
        self.struck = [false; MAX_HEADQUARTERS];
        self.total = 0.0;
        self.attacks = 0.0;
        self.sites.begin_plan(brief);
        self.gather(brief);
        let supreme = state.marked(Mark::Active).difference(&brief.game.sets().field_headquarters);
        self.budget = supreme.iter().map(|block| u32::from(brief.game.orders_left(state, block))).sum();
        let leaders = state.marked(Mark::Active);
        self.supported = leaders.iter().fold(Hexes::EMPTY, |all, block| all.or(&support(brief, block)));
        self.plan_seats(brief);
        let attacked = self.plan_attacks(brief);
        let eased = !brief.tables.civil_war && !attacked.is_empty();
        if eased {
            self.before.copy_from_slice(&self.survey.threat[..]);
            self.sites.orders += 1;
            for hex in self.survey.ease(brief.game, brief.tables, brief.state, &attacked) {
                self.touch(hex);
            }
        }
        self.plan_posts(brief);
        if eased {
            self.survey.threat.copy_from_slice(&self.before[..]);
        }
        self.count_battles(brief);
    }

    /// Units that can move, and where to. While headquarters are activated one after another, nothing else moves: what a unit
    /// can do by the same orders is known from the plan before.
    fn gather(&mut self, brief: &Brief<'_>) {
        let state = brief.state;
        self.movers.clear();
        self.full = brief.game.full_hexes(state, brief.camp);
        let Some(units) = brief.game.ordered_units(state) else {
            self.forget_moves();
            return self.gather_legal(brief);
        };
        // A headquarters that deploys may make room or take it, and leave a battle that ends.
        let mut crossed = [Crossing::NONE; MAX_HEADQUARTERS];
        for (side, &block) in crossed.iter_mut().zip(&brief.game.sets().headquarters_list) {
            *side = state.crossing[block];
        }
        let setting = Setting {
            crossed,
            battles: state.battles(),
            hosts: brief.game.hosts_of_many(state, state.active),
            salient: brief.game.manned_salient(state, brief.camp),
            network: state.network,
            friendly: state.friendly,
        };
        self.turn_to_setting(setting);
        let access = brief.game.access_of(state, state.active);
        self.rearguards.clear();
        let orderable = brief.game.any_orders(state);
        for block in units.filter(|block| !self.embarks(brief, state, block)) {
            let orders = brief.game.orders_for(state, block, orderable);
            let known = self.moves_of(brief, state, block, orders, &access);
            match known.pick {
                Some(Action::Rearguard(_)) => self.rearguards.push((block, known.options)),
                Some(_) if self.goes_anywhere(known.options) => {
                    self.add_mover(brief, state, block, known.options);
                }
                _ => {}
            }
        }
        for nth in 0..self.rearguards.len() {
            let (block, options) = self.rearguards[nth];
            self.add_mover(brief, state, block, options);
        }
        #[cfg(test)]
        self.check_movers(brief);
    }

    /// What is known of units from plans before is what the rules say now.
    #[cfg(test)]
    fn check_movers(&mut self, brief: &Brief<'_>) {
        let options = |planner: &Planner, mover: &Mover| {
            let all = &planner.options[mover.options.0 as usize..mover.options.1 as usize];
            let room = |action: &Action| destination(*action).is_none_or(|hex| !planner.full.contains(hex));
            all.iter().copied().filter(room).collect::<Vec<Action>>()
        };
        let of = |planner: &Planner| -> Vec<(BlockId, Vec<Action>)> {
            let all = planner.movers.iter().map(|mover| (mover.block, options(planner, mover)));
            all.filter(|(_, options)| !options.is_empty()).collect()
        };
        let known = of(self);
        let movers = std::mem::take(&mut self.movers);
        let listed = self.options.len();
        self.gather_legal(brief);
        let rules = of(self);
        let differs = known.iter().zip(&rules).find(|(known, rules)| known != rules);
        assert!(differs.is_none() && known.len() == rules.len(), "{differs:?}");
        self.movers = movers;
        self.options.truncate(listed);
    }

    /// Whether there is room where one of some moves leads.
    fn goes_anywhere(&self, options: (u32, u32)) -> bool {
        let mut options = self.options[options.0 as usize..options.1 as usize].iter();
        options.any(|&action| destination(action).is_none_or(|hex| !self.full.contains(hex)))
    }

    /// The moves of a unit.
    fn moves_of(
        &mut self,
        brief: &Brief<'_>,
        state: &State,
        block: BlockId,
        orders: Orders,
        access: &Access,
    ) -> Known {
        let slot = usize::from(orders.commanded) + if orders.supreme > 0 { BY_ORDER } else { 0 };
        let (setting, look) = self.setting_of(slot);
        let known = self.known[block.at()][setting][slot];
        // Whether the last of a battle can leave it depends on where there is room.
        if known.look == look && known.orders == orders && !orders.last {
            return known;
        }
        if !orders.last
            && let Some(known) = self.moves_of_alike(brief, state, block, orders, slot)
        {
            self.known[block.at()][setting][slot] = known;
            return known;
        }
        // Who is no rearguard can be picked if it can go anywhere.
        let pick = if orders.last {
            brief.game.pick(state, block, orders, access, &self.full)
        } else {
            Some(Action::Unit(block))
        };
        let anywhere = Hexes::EMPTY;
        let options =
            pick.map_or((0, 0), |pick| self.list_moves(brief, state, pick, block, access, &anywhere));
        let pick = pick.filter(|_| options.0 < options.1);
        let known = Known { look, orders, pick, options };
        self.known[block.at()][setting][slot] = known;
        known
    }

    /// The moves of a unit by those of one beside it that differs from it in nothing but identity.
    fn moves_of_alike(
        &self,
        brief: &Brief<'_>,
        state: &State,
        block: BlockId,
        orders: Orders,
        slot: usize,
    ) -> Option<Known> {
        let game = brief.game;
        let strategic = state.has(block, Mark::Strategic);
        let (setting, look) = self.setting_of(slot);
        let alike = |other: &BlockId| {
            let known = &self.known[other.at()][setting][slot];
            known.look == look
                && known.orders == orders
                && game.brief(*other).alike == game.brief(block).alike
                && state.has(*other, Mark::Strategic) == strategic
        };
        let mut beside = state.stack(orders.at, brief.camp).iter().filter(|&other| other != block);
        let known = self.known[beside.find(alike)?.at()][setting][slot];
        Some(Known { pick: known.pick.map(|_| Action::Unit(block)), ..known })
    }

    /// Lists the moves of a unit that is picked.
    fn list_moves(
        &mut self,
        brief: &Brief<'_>,
        state: &State,
        pick: Action,
        block: BlockId,
        access: &Access,
        full: &Hexes,
    ) -> (u32, u32) {
        let first = self.options.len() as u32;
        if pick == Action::Rearguard(block) {
            self.options.push(pick);
        } else {
            brief.game.list_moves(state, block, access, full, &mut self.options);
        }
        (first, self.options.len() as u32)
    }

    /// The same from the legal actions, while units are sent over the sea or through the air.
    fn gather_legal(&mut self, brief: &Brief<'_>) {
        let state = brief.state;
        self.legal.clear();
        brief.game.legal_actions(state, &mut self.legal);
        let access = brief.game.access_of(state, state.active);
        for nth in 0..self.legal.len() {
            let pick = self.legal[nth];
            let (Action::Unit(block) | Action::Rearguard(block)) = pick else { continue };
            // An activated headquarters does not move: it would name a hex for its second wave (15.541).
            if state.has(block, Mark::Active) || self.embarks(brief, state, block) {
                continue;
            }
            let full = self.full;
            let options = self.list_moves(brief, state, pick, block, &access, &full);
            self.add_mover(brief, state, block, options);
        }
    }

    /// Adds a unit that can move.
    fn add_mover(&mut self, brief: &Brief<'_>, state: &State, block: BlockId, options: (u32, u32)) {
        let game = brief.game;
        let at = state.at(block);
        let kind = game.brief(block).kind;
        self.movers.push(Mover {
            block,
            at,
            options,
            might: might(brief.tables, game, state, block),
            commanded: state.commanded.contains(at)
                && !game.sets().supreme_only.contains(block)
                && !state.has(block, Mark::Strategic),
            engaged: state.is_battle(at),
            headquarters: kind.is_headquarters(),
            settled: kind.is_headquarters() && kind != Kind::Hq,
            done: false,
            gain: 0.0,
            best: 0,
            asked: 0,
            budget: 0,
        });
    }

    /// Whether a unit waits for the second wave that a headquarters beside it leads against Norway (15.541, 21.493).
    fn embarks(&self, brief: &Brief<'_>, state: &State, block: BlockId) -> bool {
        if !state.sea.weser || state.blitz {
            return false;
        }
        let leads = |staff: BlockId| {
            state.has(staff, Mark::Active)
                && state.sea.invaders >> brief.game.brief(staff).headquarters & 1 != 0
        };
        let beside = state.stack(state.at(block), brief.camp).and(&brief.game.sets().field_headquarters);
        !brief.game.brief(block).kind.is_headquarters()
            && brief.game.belongs_to(block, Front::North)
            && beside.iter().any(leads)
    }

    /// A unit has its order.
    fn commit(&mut self, brief: &Brief<'_>, nth: usize, action: Action) {
        let mover = &mut self.movers[nth];
        mover.done = true;
        let (block, at, might) = (mover.block, mover.at, mover.might);
        let orders = orders_of(brief, mover, action);
        let host = &mut self.survey.hosts[brief.camp.index()];
        host.add(at, might, -1);
        self.sites.orders += 1;
        self.touch(at);
        if let Some(to) = destination(action) {
            self.survey.hosts[brief.camp.index()].add(to, might, 1);
            self.touch(to);
        }
        if let Action::Engage(to, way) = action
            && let Some(from) = brief.game.board().neighbour(to, way.opposite())
        {
            self.count_crossing(Crossing::new(from, way, to));
        }
        if let Action::March(to) = action
            && let Some(number) = route_of_attack(brief, at, to)
        {
            self.count_crossing(Crossing::route(number));
        }
        self.budget = self.budget.saturating_sub(orders);
        self.orders.push(Order { block, action, done: false });
    }

    /// A unit more crosses a hexside or goes along a route.
    fn count_crossing(&mut self, side: Crossing) {
        match self.crossings.iter_mut().find(|(known, _)| *known == side) {
            Some((_, used)) => *used += 1,
            None => self.crossings.push((side, 1)),
        }
    }

    /// Headquarters that are far from where they are needed go first.
    fn plan_seats(&mut self, brief: &Brief<'_>) {
        for nth in 0..self.movers.len() {
            if !self.movers[nth].headquarters || self.movers[nth].engaged {
                continue;
            }
            self.ask(brief, nth);
            let mover = self.movers[nth];
            if mover.gain > URGENT {
                self.total += mover.gain.min(MOST_FOR_A_SEAT);
                self.commit(brief, nth, self.options[mover.best as usize]);
            }
        }
    }

    // ---- posts ----

    /// What it is worth to a unit to be where ground draws.
    fn drawn(&self, brief: &Brief<'_>, hex: Hex, might: Might) -> f32 {
        let fed = 0.3 + 0.7 * self.survey.fed(hex);
        brief.weights.pull * fed * self.survey.pull[hex.at()] * (0.3 + 0.5 * might.steps)
    }

    /// The same in a battle: no more than beside it.
    fn drawn_to_battle(&self, brief: &Brief<'_>, hex: Hex, might: Might) -> f32 {
        brief.weights.pull * self.survey.fading * self.survey.pull[hex.at()] * (0.3 + 0.5 * might.steps)
    }

    /// Whether a place stays ours when nobody is left there.
    pub fn is_kept(&self, brief: &Brief<'_>, hex: Hex) -> bool {
        let own = brief.camp.index();
        // Garrisons of 1936; elsewhere what one owns (8.34).
        brief.state.owners.owns(brief.camp, hex) || brief.game.civil_war_tables().loyal[own].contains(hex)
    }

    fn plan_posts(&mut self, brief: &Brief<'_>) {
        for nth in 0..self.movers.len() {
            self.ask(brief, nth);
        }
        for _ in 0..3 * self.movers.len() {
            let open = self.movers.iter().enumerate().filter(|(_, mover)| !mover.done);
            let Some((nth, _)) = open.max_by(|(_, a), (_, b)| a.gain.total_cmp(&b.gain)) else { return };
            if self.movers[nth].gain <= 0.05 {
                return;
            }
            let before = self.movers[nth].gain;
            if !self.is_up_to_date(&self.movers[nth]) {
                self.reconsider(brief, nth);
            }
            #[cfg(test)]
            self.check_gain(brief, nth);
            let mover = self.movers[nth];
            // Others have been sent where it would go, or have left: it takes its turn again.
            if mover.gain + 0.01 < before {
                continue;
            }
            self.total += mover.gain;
            let action = self.options[mover.best as usize];
            self.commit(brief, nth, action);
        }
    }

    /// Finds the best post of a unit, if it is not known from a plan before.
    fn ask(&mut self, brief: &Brief<'_>, nth: usize) {
        if !self.recall(nth) {
            self.reconsider(brief, nth);
            self.remember(nth);
        }
        #[cfg(test)]
        self.check_gain(brief, nth);
    }

    /// The best post of a unit now.
    fn reconsider(&mut self, brief: &Brief<'_>, nth: usize) {
        let mover = self.movers[nth];
        if mover.done {
            return;
        }
        let guest = if mover.headquarters { 0 } else { self.guest(brief, mover.block, mover.might) };
        let own = brief.camp.index();
        // Norway is wanted whatever it costs.
        let of_norway = !brief.tables.norway.is_empty();
        let (asked, budget) = (self.sites.orders, self.budget.min(MOST_NEEDED));
        self.survey.hosts[own].add(mover.at, mover.might, -1);
        let stay = if mover.engaged {
            self.worth_of_staying(brief, &mover)
        } else {
            let crowded = if of_norway || self.has_room(brief, mover.at) { 0.0 } else { OVERSTACKED };
            self.post_of(brief, &mover, mover.at, guest) - crowded
        };
        let (mut gain, mut best) = (f32::NEG_INFINITY, mover.options.0);
        for option in mover.options.0..mover.options.1 {
            let action = self.options[option as usize];
            let needs = orders_of(brief, &mover, action);
            let order = needs > 0;
            if needs > self.budget {
                continue;
            }
            let value = match action {
                Action::Engage(..) => continue,
                Action::Rearguard(_) => self.worth_of_retreat(brief, &mover),
                _ => match destination(action) {
                    Some(hex) if self.is_open(brief, hex) => {
                        let passage = match action {
                            Action::Sail(..) if mover.headquarters || !of_norway => {
                                price_of_voyage(brief, mover.block, hex)
                            }
                            _ => 0.0,
                        };
                        self.post_of(brief, &mover, hex, guest) - passage
                    }
                    _ => continue,
                },
            };
            let settled = mover.settled && !brief.tables.civil_war;
            let price = match (settled, is_strategic(action)) {
                (true, true) => UPROOTED,
                (true, false) => SETTLED,
                _ => brief.weights.order,
            };
            let value = value - stay - if order { price } else { 0.0 };
            if value > gain {
                (gain, best) = (value, option);
            }
        }
        self.survey.hosts[own].add(mover.at, mover.might, 1);
        let mover = &mut self.movers[nth];
        (mover.gain, mover.best) = (gain, best);
        (mover.asked, mover.budget) = (asked, budget);
    }

    /// What it is worth to a unit to stand in a hex without an enemy, by what is known of the hex.
    fn post_of(&mut self, brief: &Brief<'_>, mover: &Mover, hex: Hex, guest: usize) -> f32 {
        if mover.headquarters {
            return self.command_post_in_plan(brief, hex, mover.block);
        }
        self.worth_to(brief, hex, mover.block, mover.might, guest)
    }

    /// The best post of a unit that is known is the one that would be found now.
    #[cfg(test)]
    fn check_gain(&mut self, brief: &Brief<'_>, nth: usize) {
        let known = self.movers[nth];
        self.reconsider(brief, nth);
        let now = self.movers[nth];
        assert_eq!((known.gain, known.best), (now.gain, now.best), "{:?}", known.block);
    }

    fn is_enemy(&self, brief: &Brief<'_>, hex: Hex) -> bool {
        brief.state.occupied[brief.camp.enemy().index()].contains(hex)
    }

    /// Whether a unit may go to a hex without an enemy, as things stand and as planned.
    fn is_open(&self, brief: &Brief<'_>, hex: Hex) -> bool {
        !self.full.contains(hex) && self.has_room(brief, hex) && !self.is_enemy(brief, hex)
    }

    fn has_room(&self, brief: &Brief<'_>, hex: Hex) -> bool {
        self.survey.hosts[brief.camp.index()].blocks[hex.at()] < brief.game.terrain_effect(hex).stacking
    }

    /// What a unit adds to its battle by staying in it; it is not counted among those there.
    fn worth_of_staying(&self, brief: &Brief<'_>, mover: &Mover) -> f32 {
        let at = mover.at.at();
        let own = &self.survey.hosts[brief.camp.index()];
        let enemy = &self.survey.hosts[brief.camp.enemy().index()];
        let w = brief.weights;
        let defends = brief.state.original_defender(mover.at) == brief.camp;
        let relief = enemy.steps[at] + RELIEF * self.survey.threat[at];
        let cover = shelter(brief.tables, brief.game, brief.state, mover.at);
        let share = if defends { w.hold } else { w.siege };
        let value = |steps: f32| {
            // The defender has the ground until he is driven out.
            let long =
                if defends { 1.0 - overcome(relief, steps * cover) } else { overcome(steps, relief * cover) };
            if steps <= 0.0 {
                return 0.0;
            }
            share * self.ground(brief, mover.at) * long
                - w.fear * STEP * steps * overcome(relief, steps * if defends { cover } else { 1.0 })
        };
        let unsupplied =
            if self.survey.supplied.contains(mover.at) || self.is_kept(brief, mover.at) { 0.0 } else { 1.0 };
        let starving = unsupplied * w.supply * STEP * 0.5 * mover.might.steps;
        let safe = if mover.headquarters { w.care * 10.0 * overcome(relief, own.steps[at]) } else { 0.0 };
        let drawn = if mover.headquarters { 0.0 } else { self.drawn_to_battle(brief, mover.at, mover.might) };
        // What it adds to the round that will be fought.
        let round = if brief.tables.civil_war || mover.might.steps <= 0.0 {
            0.0
        } else {
            let supported = self.supported.contains(mover.at);
            let rest = Might { steps: own.steps[at], offence: own.offence[at], defence: own.defence[at] };
            let all = Might {
                steps: rest.steps + mover.might.steps,
                offence: rest.offence + mover.might.offence,
                defence: rest.defence + mover.might.defence,
            };
            let of = |force: Might| {
                let fight = self.fight(brief, mover.at, force, supported, 0.0);
                if force.steps > 0.0 { self.round_worth(brief, mover.at, &fight).max(0.0) } else { 0.0 }
            };
            of(all) - of(rest)
        };
        let stranglehold = self.strangles(brief, mover.at, own.steps[at] + mover.might.steps)
            - self.strangles(brief, mover.at, own.steps[at]);
        round + value(own.steps[at] + mover.might.steps) - value(own.steps[at]) - starving - safe
            + drawn
            + stranglehold
    }

    /// What the retreat of the last unit is worth: the best refuge beside it, less what pursuit takes.
    fn worth_of_retreat(&self, brief: &Brief<'_>, mover: &Mover) -> f32 {
        let (game, state) = (brief.game, brief.state);
        let safe = state.friendly[brief.camp.index()].difference(&state.battles());
        let around = game.board().neighbours(mover.at);
        let open =
            around.filter(|&(way, next)| game.map().land.contains(mover.at, way) && safe.contains(next));
        let best =
            open.map(|(_, next)| self.post(brief, next, mover.block, mover.might)).fold(-50.0, f32::max);
        let pursuit = self.survey.hosts[brief.camp.enemy().index()].steps[mover.at.at()] / 6.0;
        best - STEP * pursuit.min(mover.might.steps + 1.0)
    }

    /// What it is worth to stand in a hex without an enemy; the unit is not counted among those there.
    pub fn post(&self, brief: &Brief<'_>, hex: Hex, block: BlockId, might: Might) -> f32 {
        if brief.game.brief(block).kind.is_headquarters() {
            return self.command_post(brief, hex, block) - self.survey.trespass(hex);
        }
        self.worth_of_site(brief, &self.look_at_site(brief, hex), hex, &Guest::new(brief, block, might))
    }

    /// From now on what is known of places is that of the position at hand.
    pub fn settle_sites(&mut self, brief: &Brief<'_>) {
        self.sites.settle(brief);
    }

    /// The same by what is known of the hex in the position for which sites have been settled.
    pub fn known_post(&mut self, brief: &Brief<'_>, hex: Hex, block: BlockId, might: Might) -> f32 {
        if brief.game.brief(block).kind.is_headquarters() {
            return self.post(brief, hex, block, might);
        }
        let guest = self.guest(brief, block, might);
        self.worth_to(brief, hex, block, might, guest)
    }

    /// The same for a headquarters that might move in the plan at hand.
    fn command_post_in_plan(&mut self, brief: &Brief<'_>, hex: Hex, block: BlockId) -> f32 {
        let of_field = brief.game.brief(block).kind == Kind::Hq;
        let crowd = if of_field { self.crowd_in_plan(brief, hex, block) } else { 0.0 };
        #[cfg(test)]
        assert!(!of_field || crowd.to_bits() == self.crowd(brief, hex, block).to_bits());
        self.worth_of_command_post(brief, hex, block, crowd) - self.survey.trespass(hex)
    }

    /// What other field headquarters close by take off the worth of a hex for one, in campaigns.
    fn crowd(&self, brief: &Brief<'_>, hex: Hex, block: BlockId) -> f32 {
        if brief.tables.civil_war {
            return 0.0;
        }
        let (game, state) = (brief.game, brief.state);
        let others = state.standing[brief.camp.index()].and(&game.sets().field_headquarters);
        let close = |other: &BlockId| {
            *other != block
                && is_on_map(state.at(*other))
                && game.board().distance(state.at(*other), hex) < CLOSE
        };
        CROWDED * others.iter().filter(close).count() as f32
    }

    /// What it adds to the worth of a place for a headquarters of the Axis that it is a port from which one is reached that
    /// decides the scenario.
    fn worth_of_crossing(&self, brief: &Brief<'_>, hex: Hex, block: BlockId) -> f32 {
        let (game, state) = (brief.game, brief.state);
        if super::landings::lands_in_the_west(brief) && game.brief(block).faction == Faction::Allies {
            return if super::landings::faces_enemy_ports(brief, hex) { SECOND_FRONT } else { 0.0 };
        }
        if !is_crossing(brief, hex) {
            return 0.0;
        }
        // Two lead in turn from where they support a landing in England; who comes third goes elsewhere.
        let all = state.stack(hex, brief.camp).and(&game.sets().field_headquarters);
        let others = all.difference(&Blocks::one(block));
        let others = others.filter(|other| !tries_for_england(brief) || other.at() < block.at()).len();
        if others > u32::from(reaches_england(brief, hex, REACHES)) {
            return 0.0;
        }
        let distant = if !tries_for_england(brief) || reaches_england(brief, hex, REACHES) {
            1.0
        } else if reaches_england(brief, hex, REACHES + 1) {
            DISTANT[0]
        } else {
            DISTANT[1]
        };
        // The less stands in the port over there, the better: an open one is there for the taking.
        let (seas, enemy) = (game.seas(), &self.survey.hosts[brief.camp.enemy().index()]);
        let joined = brief.tables.over_sea.filter(|port| seas.coast(port).intersects(&seas.coast(hex)));
        let open = |port: Hex| {
            if state.occupied[brief.camp.enemy().index()].contains(port) {
                distant * overcome(LANDED, enemy.steps[port.at()] * shelter(brief.tables, game, state, port))
            } else {
                WIDE_OPEN
            }
        };
        CROSSING * joined.iter().map(open).fold(0.0, f32::max)
    }

    /// What it is worth for a headquarters to stand in a hex.
    pub fn command_post(&self, brief: &Brief<'_>, hex: Hex, block: BlockId) -> f32 {
        let of_field = brief.game.brief(block).kind == Kind::Hq;
        let crowd = if of_field { self.crowd(brief, hex, block) } else { 0.0 };
        self.worth_of_command_post(brief, hex, block, crowd)
    }

    /// The same where others take so much off it.
    fn worth_of_command_post(&self, brief: &Brief<'_>, hex: Hex, block: BlockId, crowd: f32) -> f32 {
        let kind = brief.game.brief(block).kind;
        let w = brief.weights;
        let at = hex.at();
        let own = &self.survey.hosts[brief.camp.index()];
        let danger = w.care
            * HEADQUARTERS
            * self.survey.danger(brief.tables, brief.game, brief.state, hex, own.steps[at])
            + price_of_climate(brief, hex, block);
        let exile = price_of_exile(brief, hex, block);
        if kind != Kind::Hq {
            let unsupplied = 6.0 * w.supply * (1.0 - self.survey.fed(hex));
            // Nobody else may be there to keep a place.
            let orders_front = kind == Kind::SupremeHq && !brief.tables.civil_war;
            let guarded = orders_front || own.blocks[at] > 0 || self.is_kept(brief, hex);
            let guard = if guarded { 0.0 } else { 0.3 * brief.worth[at] };
            // On an island it is lost to the war.
            let joined = orders_front && self.survey.main_railways.contains(hex);
            let lonely = if self.survey.near[at] < 0.1 && !joined { LONELY } else { 0.0 };
            let near =
                if brief.tables.civil_war { self.survey.near[at] } else { self.survey.near[at].min(20.0) };
            // It orders for half the price where it stands (5.721), so it stands where most of the army does.
            let here = if orders_front {
                let share =
                    self.survey.by_front[brief.game.front(hex).index()] / self.survey.total[0].max(1.0);
                ORDERS * share
            } else {
                0.0
            };
            let siege = super::norway::worth_of_staff(brief, hex, block);
            return siege + here + 0.05 * near + guard - danger - unsupplied - lonely - exile;
        }
        // It stays, or is on its way.
        let danger = danger + crowd;
        let station = self.survey.stations.worth_of_staff(brief, hex, block)
            + self.worth_of_crossing(brief, hex, block);
        station + (self.survey.command(w, hex) - danger).max(self.survey.seat[at] - 0.5 - 0.5 * danger)
            - exile
    }
}

#[cfg(test)]
mod tests {
    use sandtable_ai::{AgentSpec, Streams, play_game};
    use sandtable_eurofront::editor::Editor;
    use sandtable_eurofront::ids::{Camp, Faction, Hexes};
    use sandtable_eurofront::rules::Status;

    use super::{ABROAD, LONELY, SENTRY};
    use crate::EuroKnowledge;
    use crate::survey::might;
    use crate::testing::{game, seen, seen_by};

    /// Three units starved at Dover beside London, which two steps held, while orders took armies about in France.
    #[test]
    fn a_port_of_england_is_attacked_by_land_for_what_it_decides() {
        let game = game("1940A");
        let [london, birmingham] = ["london", "birmingham"].map(|id| game.rules.place(id).unwrap());
        let france = game.rules.nation("france").unwrap();
        let ahead = |of_france: Status| {
            let mut editor = Editor::new(&game);
            let state = editor.clear().relate(france, of_france).finish();
            seen(&game, &state, |brief, player| {
                player.planner.look(brief, false);
                player.planner.ground(brief, london) - player.planner.ground(brief, birmingham)
            })
        };
        let [now, before] = [Status::Defeated, Status::Belligerent(Faction::Allies)].map(ahead);
        assert!(now > before + 100.0, "{now} {before}");
    }

    #[test]
    fn headquarters_of_the_west_lead_nobody_in_russia() {
        let game = game("1944");
        let moscow = game.rules.place("moscow").unwrap();
        let worth = |id: &str, owner: Faction| {
            let mut editor = Editor::new(&game);
            let state = editor.owns(&Hexes::one(moscow), Some(owner)).finish();
            let staff = game.rules.block(id).unwrap();
            seen_by(Camp::Coalition, &game, &state, |brief, player| {
                player.planner.look(brief, false);
                player.planner.command_post(brief, moscow, staff)
            })
        };
        let lost = |id: &str| worth(id, Faction::Allies) - worth(id, Faction::Soviets);
        assert!((lost("us_hq_6ag") - lost("su_hq_moscow") - ABROAD).abs() < 0.1);
    }

    /// Behind an army that had gone East they fled to Italy, where others stood.
    #[test]
    fn supreme_headquarters_are_not_alone_where_railways_join_them_to_the_army() {
        let game = game("1941");
        let [okh, army] = ["de_shq_okh", "de_inf_1"].map(|id| game.rules.block(id).unwrap());
        let [munich, ruhr] = ["munich", "ruhr"].map(|id| game.rules.place(id).unwrap());
        let state = Editor::new(&game).clear().place(army, munich, 4).place(okh, ruhr, 1).finish();
        let [beside, behind] = seen(&game, &state, |brief, player| {
            player.planner.look(brief, false);
            [munich, ruhr].map(|hex| player.planner.command_post(brief, hex, okh))
        });
        assert!(behind > beside - 0.5 * LONELY, "{beside} {behind}");
    }

    /// Every city that no Soviet unit guards brings Turkey to the Axis on one more of six (TX).
    #[test]
    fn the_soviets_guard_the_border_of_neutral_turkey() {
        let game = game("1944");
        let batumi = game.rules.place("batumi").unwrap();
        let [guard, other] = ["su_mtn_2", "su_mtn_1"].map(|id| game.rules.block(id).unwrap());
        let turkey = game.rules.nation("turkey").unwrap();
        let worth = |status: Status, guarded: bool| {
            let mut editor = Editor::new(&game);
            editor.relate(turkey, status);
            if guarded {
                editor.place(other, batumi, 2);
            }
            let state = editor.finish();
            seen_by(Camp::Coalition, &game, &state, |brief, player| {
                player.planner.look(brief, false);
                let might = might(brief.tables, &game, &state, guard);
                player.planner.survey.hosts[brief.camp.index()].add(batumi, might, -1);
                player.planner.post(brief, batumi, guard, might)
            })
        };
        let [neutral, doubled, hostile] = [
            worth(Status::Neutral, false),
            worth(Status::Neutral, true),
            worth(Status::Belligerent(Faction::Soviets), false),
        ];
        assert!(neutral > doubled + 0.9 * SENTRY, "{neutral} {doubled}");
        assert!(neutral > hostile + 0.9 * SENTRY, "{neutral} {hostile}");
    }

    /// Whatever is kept is found anew and compared whenever it is used in these games: moves and those who can move, surveys and
    /// the ground of battles, sites, best posts, best attacks, bills. In the search one player plays both camps, in positions of
    /// the same moment that differ.
    #[test]
    fn surveys_sites_moves_posts_attacks_and_bills_that_are_kept_are_what_they_would_be_now() {
        const SEARCH: &str = "ismcts:iterations=4,depth=8,per=turn";
        let scripted = ["1936", "1939A", "1939B", "1940A", "1940B", "1941", "1942", "1944"];
        let games = scripted.map(|scenario| (scenario, "scripted")).into_iter();
        for (scenario, player) in games.chain([("1939A", SEARCH)]) {
            let game = game(scenario);
            let knowledge = EuroKnowledge::new(&game);
            let agent: AgentSpec = player.parse().unwrap();
            let players: Vec<_> = game.factions().map(|_| agent.build(&knowledge).unwrap()).collect();
            let mut streams = Streams::new(11, 0, game.factions().count());
            play_game(&game, players, &mut streams, (), &mut ());
        }
    }
}
