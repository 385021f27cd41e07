//! Why a decision is not legal, in words.
//!
//! Nothing here decides what is legal: the generator does. What follows looks for the restriction that a player would
//! check first, and names its rule.

use sandtable_core::{Direction, Game, Hex, Index};

use crate::action::Action;
use crate::game::EuroFront;
use crate::ids::{BlockId, Blocks, EventId, Faction, Front, NationId, is_on_map, place};
use crate::phase::{Haste, Mode, Phase};
use crate::rules::{Acclimatised, Entry, Fact, Fire, Kind, Rank, Weather};
use crate::state::{Mark, State};

/// Why a fort unit may not be in a place.
const ONE_FORT: &str = "a fort unit is there, or comes there: one a hex (2.28)";
/// Why a supreme headquarters does not go farther.
const SPENT: &str = "it has spent all of its command on an invasion or a drop, so that one strategic move is left (5.9, 5.73)";

/// Why no more are dropped.
const DROPPED: &str = "the headquarters there has dropped its one unit in this phase (14.21)";
/// Why no more are evacuated.
const FETCHED: &str = "one has been fetched out of this battle in this phase (15.55)";

/// The first reason that holds.
fn first(reasons: &[(bool, &str)]) -> Option<String> {
    reasons.iter().find(|(holds, _)| *holds).map(|&(_, reason)| reason.into())
}

impl EuroFront {
    /// Why an action is not legal; `None` if it is.
    pub fn why_illegal(&self, state: &State, action: Action) -> Option<String> {
        let mut legal = Vec::new();
        self.legal_actions(state, &mut legal);
        if legal.contains(&action) {
            return None;
        }
        if state.phase == Phase::Over {
            return Some("the game is over".into());
        }
        let about_a_block = matches!(
            state.phase,
            Phase::Arrival | Phase::CadrePlace | Phase::Activation | Phase::Destination | Phase::Mobilisation
        );
        if about_a_block && state.subject.is_none() {
            return Some("nothing is being decided".into());
        }
        let known = |block: BlockId| block.at() < self.rules.blocks.len();
        let reason = match (state.phase, action) {
            (
                _,
                Action::Unit(block) | Action::Rearguard(block) | Action::Build(block) | Action::Cadre(block),
            ) if !known(block) => Some("there is no such block".into()),
            (Phase::FrenchRailhead, Action::Place(_)) => {
                Some("French aid comes to controlled ports and the French border (1936 rule 3)".into())
            }
            (Phase::FrenchLoss, Action::Place(_)) => Some("no railhead of French aid is there".into()),
            (Phase::SovietPort | Phase::AxisPort, Action::Place(hex)) => first(&[
                (!self.map().ports.contains(hex), "it is no port (1936 rule 3)"),
                (true, "the side does not control it (1936 rule 3)"),
            ]),
            (Phase::Arrival | Phase::CadrePlace, Action::Place(hex)) => self.why_no_arrival(state, hex),
            (Phase::Building, Action::Build(block)) => self.why_no_step_built(state, block),
            (Phase::Building, Action::Cadre(block)) => first(&[
                (self.camp(block) != state.camp(), "it is not the side's"),
                (state.at(block) != place::ELIMINATED, "it is not in the pool of eliminated units (11.72)"),
                (
                    !self.may_be_rebuilt(state, block),
                    "its nation is defeated: it is not rebuilt (16.91, 20.492)",
                ),
                (state.has(block, Mark::Ordered), "it is ordered already"),
                (self.is_held_back(state, block), "France builds one step a month in the Phoney War (20.43)"),
                (true, "there is no city for it, or it is too dear (1936 rule 7)"),
            ]),
            (Phase::Building, Action::Hasten(block, haste)) => first(&[
                (self.brief(block).faction != state.active, "it is not the side's"),
                (state.at(block) != place::AWAITING, "it is no reinforcement that is to come (11.82)"),
                (haste == Haste::Weak && !self.can_come_weaker(block), "it has no step to lose (11.82)"),
                (true, "it is not due next month, too dear, or there is no place for it (11.82)"),
            ]),
            (Phase::Building, Action::Disband(block)) => first(&[
                (self.brief(block).faction != state.active, "it is not the side's"),
                (self.is_tito_at_home(state, block), "Tito is in battle, or is disbanded already (16.732)"),
                (
                    self.is_civil_war()
                        || self.rules.nations[self.brief(block).nation.at()].rank == Rank::Minor,
                    "units of minor powers are not disbanded (11.84)",
                ),
                (true, "in its hex there is room (11.84)"),
            ]),
            (Phase::Building, Action::Garrison(hex)) => first(&[
                (
                    !state.friendly[state.camp().index()].contains(hex),
                    "the side does not control it (1936 rule 2)",
                ),
                (state.is_battle(hex), "a battle is fought there (1936 rule 2)"),
                (state.garrisons(state.camp()).contains(hex), "there is one already"),
                (state.points[state.camp().index()] <= 0, "no production points are left"),
                (true, "it is not supplied, or its turn in the list is over (1936 rule 2)"),
            ]),
            (Phase::Building, Action::Yes) => Some("it has no paratroops that still drop (14.7)".into()),
            (Phase::Declaration, Action::Yes) => first(&[
                (
                    state.diplomacy.holds(Fact::BulgePlayed),
                    "the Axis has surprised the Allies in mud already (1944 rule 8)",
                ),
                (true, "it is for the Axis, in mud, in a game that begins in June 1944 (1944 rule 8)"),
            ]),
            (Phase::Declaration, Action::Nation(nation)) => self.why_no_war(state, nation),
            (Phase::Diplomacy, Action::Event(event)) => self.why_no_event(state, event),
            (Phase::EventNation, Action::Nation(_)) => Some("the event does not concern it (16.6)".into()),
            (Phase::EventUnit, Action::Unit(_)) => Some("the event does not concern it (16.6)".into()),
            (Phase::Raising, Action::Build(block)) => first(&[
                (
                    self.block(block).nation != state.diplomacy.nation,
                    "it is not of the nation that arms (16.32)",
                ),
                (state.steps[block] >= self.brief(block).full, "it is at full strength (2.6)"),
                (true, "its peace production does not pay for it, or its turn in the list is over (16.32)"),
            ]),
            (Phase::Deployment, Action::Place(_)) => self.why_not_deployed(state),
            (Phase::Uprising, Action::Place(_)) => {
                Some("an army of resistance rises at home, away from Germans (16.731, 16.732)".into())
            }
            (Phase::Desertion, Action::Unit(_)) => {
                Some("it is not of the nation, near Germans, or without an equivalent (16.84)".into())
            }
            (Phase::Activation, Action::Activate(mode, hex)) => self.why_not_activated(state, mode, hex),
            (Phase::Movement, Action::Unit(block) | Action::Rearguard(block)) => {
                self.why_not_moved(state, block)
            }
            (Phase::Destination | Phase::Mobilisation | Phase::Withdrawal, action) => {
                self.why_no_move(state, action)
            }
            (Phase::Beachhead, Action::Place(hex)) => first(&[
                (
                    state.active == Faction::Soviets && self.is_mediterranean_coast(hex),
                    "the Soviet beachhead is not placed in the Mediterranean basin (15.67)",
                ),
                (true, "its unit has not landed there, or a beachhead is there already (15.62)"),
            ]),
            (Phase::Airstrike, Action::Strike(hex)) => first(&[
                (!state.is_battle(hex), "no battle is there (7.13)"),
                (state.strikes.contains(&hex), "another headquarters strikes it (7.13)"),
                (
                    !state.subject.is_none() && self.air_fire(state, state.subject, hex) == Fire::None,
                    "its side has no air firepower there any more (13.23)",
                ),
                (true, "it is out of range (13.11)"),
            ]),
            (Phase::Losses, Action::Unit(_)) => {
                Some("the strongest unit takes the hit, the weakest is repulsed (7.33, 7.61)".into())
            }
            _ => None,
        };
        Some(reason.unwrap_or_else(|| "that is not what is being decided".into()))
    }

    fn why_no_war(&self, state: &State, nation: NationId) -> Option<String> {
        let named = self.nations();
        let allies = state.active == Faction::Allies;
        let known = nation.at() < self.rules.nations.len();
        let ally =
            known && state.active == Faction::Axis && self.faction_of(state, nation) == Some(Faction::Axis);
        let full = ally && self.is_full_ally(state, nation);
        first(&[
            (!known, "there is no such nation"),
            (
                ally && !full,
                "an ally is attacked where as many units stand as its limit of occupation lets in (16.41)",
            ),
            (!full && !self.is_neutral(state, nation), "it is not neutral (16.4)"),
            (
                nation == named.finland && state.diplomacy.holds(Fact::WinterWar),
                "no war is declared on Finland in the Winter War (21.48)",
            ),
            (
                allies && state.diplomacy.holds(Fact::PhoneyWar) && nation != named.norway,
                "the Allies declare no war in the Phoney War (20.43)",
            ),
            (
                allies && self.months_since_war(state) < 3,
                "the Allies declare no war before winter 1939 (20.33)",
            ),
            (
                state.active == Faction::Soviets && self.is_neutral(state, named.ussr),
                "the Soviets are neutral (20.51)",
            ),
            (true, "no unit could enter it in this turn (16.4)"),
        ])
    }

    fn why_no_event(&self, state: &State, event: EventId) -> Option<String> {
        let Some(data) = self.rules.events.get(event.at()) else {
            return Some("there is no such event".into());
        };
        let happened = state.diplomacy.happened[event];
        first(&[
            (data.side.camp() != state.camp(), "it is the other side's event (16.6)"),
            (happened > 0 && happened >= data.times, "it has happened (16.6)"),
            (self.chance_of(state, event).is_none(), "its precondition does not hold (16.6)"),
            (true, "it could not happen, or is barred (16.6)"),
        ])
    }

    fn why_no_arrival(&self, state: &State, hex: Hex) -> Option<String> {
        let own = state.camp().index();
        let civil_cadre = self.is_civil_war() && state.phase == Phase::CadrePlace;
        first(&[
            (!self.map().in_play.contains(hex), "no unit may enter it"),
            (!state.friendly[own].contains(hex), "the side does not control it (11.81)"),
            (state.is_battle(hex), "a battle is fought there (11.81)"),
            (civil_cadre && !self.map().cities.contains(hex), "cadres are placed in cities (1936 rule 7)"),
            (
                civil_cadre && !self.civil_war_tables().loyal[own].contains(hex),
                "the city is not loyal (1936 rule 7)",
            ),
            (civil_cadre && !state.network.contains(hex), "no friendly railway leads there (1936 rule 7)"),
            (self.is_second_fort(state, state.subject, hex), ONE_FORT),
            (
                self.is_extreme(hex) && state.has(state.subject, Mark::FALLEN_ABROAD),
                "it has not fallen on its extreme front, so that it is not rebuilt there (21.373, 21.462)",
            ),
            (
                self.front(hex) == Front::Mediterranean
                    && self.brief(state.subject).class == Acclimatised::Expeditionary(Front::Mediterranean),
                "only residents and veterans arrive in the Mediterranean Front (21.374)",
            ),
            (true, "as many as may have arrived there, or it is no place for this block (11.81)"),
        ])
    }

    fn why_not_deployed(&self, state: &State) -> Option<String> {
        let morocco = matches!(
            self.rules.scenario.entries.get(state.subject.at()),
            Some(Entry::Free { in_morocco: true, .. })
        );
        first(&[
            (
                self.is_civil_war() && morocco,
                "it is set up in Spanish Morocco, in a place of its own (1936, free set-up)",
            ),
            (
                self.is_civil_war(),
                "it is set up in a loyal place: four in a major city, two in a minor one, one elsewhere (1936, free set-up)",
            ),
            (
                self.is_curzon_line_at_hand(state),
                "it goes by friendly railways to a Soviet hex at the Curzon Line with room for it (CL, 20.14)",
            ),
            (true, "it deploys at home, minor powers one unit a hex (16.31)"),
        ])
    }

    fn why_no_step_built(&self, state: &State, block: BlockId) -> Option<String> {
        let on_map = is_on_map(state.at(block));
        let beachhead = self.brief(block).kind == Kind::Beachhead;
        first(&[
            (self.camp(block) != state.camp(), "it is not the side's"),
            (beachhead && on_map, "the beachhead is placed (11.74)"),
            (beachhead && state.at(block) == place::READY, "the beachhead is ready (11.74)"),
            (!on_map && !beachhead && state.at(block) != place::AT_HOME, "it is not on the map (11.71)"),
            (
                self.brief(block).kind == Kind::TheatreHq,
                "theatre headquarters regain steps for nothing (1936 rule 7)",
            ),
            (state.has(block, Mark::Ordered), "one step a production (11.71)"),
            (state.steps[block] >= self.brief(block).full, "it is at full strength (2.6)"),
            (self.is_held_back(state, block), "France builds one step a month in the Phoney War (20.43)"),
            (on_map && state.is_battle(state.at(block)), "it is in battle (11.71)"),
            (on_map && !state.commanded.contains(state.at(block)), "it is not supplied (11.71)"),
            (
                on_map && !self.cut_off_with_nation(state, &Blocks::one(block)).is_empty(),
                "no lines of its nation reach it (10.21, 16.311)",
            ),
            (true, "it is too dear, or its turn in the list is over"),
        ])
    }

    /// Why a headquarters is passed over in the Command Phase, if a rule of its own says so.
    pub fn why_passed_over(&self, state: &State, headquarters: BlockId) -> Option<String> {
        first(&[(
            self.is_french_abroad(state, headquarters),
            "French headquarters that have outlived France are activated in France, Belgium, French North Africa and next to them (20.494)",
        )])
    }

    fn why_not_activated(&self, state: &State, mode: Mode, hex: Hex) -> Option<String> {
        let block = state.subject;
        let at = state.at(block);
        let near = self.board().direction(at, hex).is_some();
        if mode.is_invasion() || mode.is_para() {
            return self.why_no_expedition(state, mode, hex);
        }
        first(&[
            (
                mode == Mode::Blitz && self.brief(block).kind != Kind::Hq,
                "supreme and theatre headquarters do not Blitz (5.6)",
            ),
            (
                mode == Mode::Blitz && state.steps[block] == 0,
                "a headquarters of value 0 does not Blitz (5.6)",
            ),
            (
                mode.is_blitz() && self.is_off_front(state, block),
                "off its front it does not Blitz (5.33, 20.54)",
            ),
            (hex != at && !near, "it deploys one hex at most (5.21)"),
            (self.weather_effect(state, at).no_deployment, "not in mud (12.31)"),
            (state.is_battle(hex), "not into a battle (5.21)"),
            (
                true,
                "not into enemy or disputed hexes, land closed to it, nor over impassable hexsides (5.21)",
            ),
        ])
    }

    fn why_not_moved(&self, state: &State, block: BlockId) -> Option<String> {
        let at = state.at(block);
        if !is_on_map(at) {
            return Some("it is not on the map".into());
        }
        let ordered = self.who_orders(state, block, 1).is_some();
        first(&[
            (self.camp(block) != state.camp(), "it is not the side's"),
            (state.has(block, Mark::Moved), "it has moved in this phase (6.1)"),
            (self.sets().maginot.contains(block), "the forts of the Maginot Line do not move (20.41)"),
            (
                self.sets().forts.contains(block) && state.is_battle(at),
                "a fort unit does not leave a battle (2.28)",
            ),
            (
                state.has(block, Mark::Dispersed),
                "it is dispersed: it has landed or was dropped in this turn (15.56, 14.3)",
            ),
            (state.has(block, Mark::Active), "activated headquarters mobilise after the others' moves (5.5)"),
            (state.has(block, Mark::Deactivated), "it has deactivated in this turn (5.5)"),
            (
                !ordered
                    && !self.has_waited(state, block)
                    && self.dedicated(state).intersects(&state.places.at(at)),
                "it has come here in this turn: who is sent or dropped has been here since the Command Phase (15.51, 14.21)",
            ),
            (state.has(block, Mark::Strategic) && !ordered, "it has moved strategically (6.62)"),
            (
                self.sets().supreme_only.contains(block) && !ordered,
                "it moves by order of a supreme or theatre headquarters alone (2.27)",
            ),
            (!ordered && self.has_dropped_from(state, block), DROPPED),
            (!ordered && self.is_battle_left_by_sea(state, self.camp(block), at), FETCHED),
            (!state.commanded.contains(at) && !ordered, "no headquarters commands it (5.31)"),
            (state.is_battle(at), "it is pinned: no controlled hex without a battle to leave for (6.32)"),
            (true, "it has nowhere to go"),
        ])
    }

    fn why_no_move(&self, state: &State, action: Action) -> Option<String> {
        let block = state.subject;
        let at = state.at(block);
        if let Action::Sail(_, hex) | Action::Invade(hex) | Action::Evacuate(hex) | Action::Drop(hex) = action
        {
            return self.why_not_overseas(state, action, hex);
        }
        let (hex, by) = match action {
            Action::Go(hex) | Action::Rail(hex) => (hex, None),
            Action::Engage(hex, way) => (hex, Some(way)),
            Action::Disengage(way, hex) => (hex, Some(way)),
            Action::March(hex) | Action::Road(hex) => (hex, None),
            _ => return None,
        };
        let enemy = self.camp(block).enemy();
        if !is_on_map(hex) || !self.map().in_play.contains(hex) {
            return Some("no unit may enter it".into());
        }
        if self.is_second_fort(state, block, hex) {
            return Some(ONE_FORT.into());
        }
        if !self.open_for(state, block).contains(hex) {
            return Some("it is neutral, or this unit may not enter it (16.1, 2.8)".into());
        }
        let held = state.occupied[enemy.index()].contains(hex);
        match action {
            Action::Engage(..) => first(&[
                (!held, "no enemy unit stands there (6.31)"),
                (self.brief(block).kind.is_headquarters(), "headquarters engage nobody (5.1)"),
                (state.is_battle(at), "who leaves a battle does not engage again (6.32)"),
                (!self.has_room(state, hex, self.camp(block)), "stacking (6.2)"),
                (
                    by.is_some_and(|way| self.is_full(state, hex, way.opposite())),
                    "as many as may have crossed this hexside (6.33)",
                ),
                (true, "it is too far, or the hexside cannot be crossed (6.1)"),
            ]),
            Action::Disengage(..) => first(&[
                (!state.is_battle(at), "it is in no battle"),
                (held, "the enemy stands there (6.32)"),
                (
                    by.is_some_and(|way| self.is_full(state, at, way)),
                    "as many as may have crossed this hexside (6.33)",
                ),
                (true, "not first into a controlled hex without a battle, too far, or stacking (6.32)"),
            ]),
            Action::Rail(_) => first(&[
                (!state.network.contains(at), "it does not stand on a friendly railway (9.2)"),
                (!state.network.contains(hex), "no friendly railway leads there (9.2)"),
                (state.is_battle(hex), "not into a battle (9.2)"),
                (state.is_battle(at), "the last one stays, and a hexside has its limit (9.22, 6.33)"),
                (self.is_spent(state, block), SPENT),
                (
                    self.is_rail_suppressed(state, block, hex),
                    "under Allied air supremacy a rail move of the Axis goes five hexes (13.32, 9.21)",
                ),
                (true, "too far, no supreme or theatre headquarters orders it, or stacking (9.21)"),
            ]),
            Action::March(_) => first(&[
                (
                    !self.map().routes.iter().any(|route| route.beyond(at) == Some(hex)),
                    "no route of the map's edge leads there (18.33)",
                ),
                (
                    held && state.is_battle(at),
                    "who leaves a battle enters none, but between areas it defends (18.36)",
                ),
                (!self.has_room(state, hex, self.camp(block)), "stacking (6.2)"),
                (
                    true,
                    "a long route needs two Supreme Moves, a route takes two units, headquarters start no battle (18.3)",
                ),
            ]),
            Action::Road(_) => {
                Some("a road move goes twice its speed along friendly roads, once a turn (21.352)".into())
            }
            _ => first(&[
                (held, "the enemy stands there: that is to engage (6.31)"),
                (state.is_battle(at), "it leaves a battle (6.32)"),
                (!self.has_room(state, hex, self.camp(block)), "stacking (6.2)"),
                (true, "it is too far, or terrain or weather stops it (6.1)"),
            ]),
        }
    }

    /// Why a headquarters does not lead an invasion or a drop.
    fn why_no_expedition(&self, state: &State, mode: Mode, hex: Hex) -> Option<String> {
        let block = state.subject;
        let at = state.at(block);
        let blitz = mode.is_blitz() && !self.may_blitz(state, block);
        first(&[
            (hex != at, "it does not deploy (15.51, 14.21)"),
            (self.brief(block).kind == Kind::TheatreHq, "theatre headquarters lead none (5.9)"),
            (blitz, "it does not Blitz (5.6)"),
            (mode.is_para(), "no paratroops that can be dropped are with it (14.21)"),
            (self.seas().port(at).is_none(), "it is in no port (15.51)"),
            (self.closing_battles(state).contains(at), "a battle is fought in the port (15.51)"),
            (true, "nobody who may invade is with it, and there is nobody to fetch (15.51, 15.55)"),
        ])
    }

    /// Why a unit does not go over the sea or through the air to a place.
    fn why_not_overseas(&self, state: &State, action: Action, hex: Hex) -> Option<String> {
        let block = state.subject;
        let at = state.at(block);
        if !is_on_map(hex) || !self.map().in_play.contains(hex) {
            return Some("no unit may enter it".into());
        }
        let camp = self.camp(block);
        let held = state.occupied[camp.enemy().index()].contains(hex);
        let defended = self.map().areas.contains(hex) && state.friendly[camp.index()].contains(hex);
        let closed = !self.open_for(state, block).contains(hex);
        let coast = self.seas().coast(hex);
        let open = self.navigable(state, self.brief(block).faction);
        match action {
            Action::Sail(..) => first(&[
                (self.seas().coast(at).is_empty(), "it stands in no port (15.3)"),
                (
                    self.seas().port(hex).is_none() && self.beachhead_at(state, hex).is_none(),
                    "it is no port (15.3)",
                ),
                (!state.friendly[camp.index()].contains(hex), "its side does not control the port (15.3)"),
                (self.closing_battles(state).contains(hex), "not into a battle (15.3)"),
                (self.is_engaged_district(state, at), "no ship leaves the battle of a district (18.35)"),
                (
                    state.has(block, Mark::Strategic) && state.crossing[block].embarked().is_none(),
                    "it has moved by rail (6.62)",
                ),
                (
                    self.port_left(state, at) == 0,
                    "the port it leaves has been used as often as may be (15.32)",
                ),
                (self.port_left(state, hex) == 0, "the port has been used as often as may be (15.32)"),
                (!self.has_room(state, hex, camp), "stacking (6.2)"),
                (self.is_second_fort(state, block, hex), ONE_FORT),
                (closed, "it is neutral, or closed to the unit (16.1, 2.8)"),
                (self.is_spent(state, block), SPENT),
                (
                    [at, hex].into_iter().any(|port| self.is_icebound(state, port)),
                    "the sea is frozen (21.42)",
                ),
                (
                    [at, hex].into_iter().any(|port| !self.seas().port_seas(port).intersects(&open)),
                    "its navy does not sail the sea of one of the ports (15.11, 15.83)",
                ),
                (
                    true,
                    "too far, no supreme or theatre headquarters orders it, or seas, straits and ice on the way closed to its ships (15.31, 15.11, 15.12)",
                ),
            ]),
            Action::Invade(_) => first(&[
                (
                    state.has(block, Mark::Active),
                    "it is beyond the range of an invasion, or no place for one (15.541)",
                ),
                (state.sea.invaders == 0, "no headquarters is activated for an invasion (15.51)"),
                (
                    !self.has_waited(state, block),
                    "it has come to the port in this turn: who invades has been there since the Command Phase (15.51)",
                ),
                (closed, "it is neutral, or closed to the unit (16.1, 2.8)"),
                (coast.is_empty(), "it is no coast (15.5)"),
                (!self.seas().beaches.contains(hex), "mountain, swamp, shoal, or no port (15.52, 15.9)"),
                (coast.difference(&state.sea.storms).is_empty(), "a storm (12.5)"),
                (
                    self.is_weatherbound(state, self.brief(block).faction, hex),
                    "the weather forbids it (12.3, 21.471)",
                ),
                (
                    held && state.is_battle(at) && !defended,
                    "who leaves a battle enters none but in areas it defends (18.36)",
                ),
                (
                    held && !self.may_land_against(state, block, hex),
                    "one a phase, and not all assault (15.521, 15.53)",
                ),
                (!self.has_room(state, hex, camp), "stacking (6.2)"),
                (true, "too far, or no headquarters in its port can send it (15.52)"),
            ]),
            Action::Evacuate(_) => first(&[
                (state.has(block, Mark::Strategic), "it has moved strategically (6.62)"),
                (self.is_battle_left_by_sea(state, camp, at), FETCHED),
                (true, "no headquarters of an invasion in that port can fetch it (15.55)"),
            ]),
            _ => first(&[
                (state.sea.droppers == 0, "no headquarters is activated for a drop (14.21)"),
                (
                    !self.has_waited(state, block),
                    "it has come here in this turn: who is dropped has been here since the Command Phase (14.21)",
                ),
                (self.has_dropped_from(state, block), DROPPED),
                (closed, "it is neutral, or closed to the unit (16.1, 2.8)"),
                (!self.terrain_effect(hex).paradrop, "not into mountains (14.22)"),
                (!self.has_room(state, hex, camp), "stacking (6.2)"),
                (true, "out of range, or on an extreme front without an invasion (14.22, 21.392)"),
            ]),
        }
    }

    /// Whether a block is a fort unit, and a place another's (2.28).
    fn is_second_fort(&self, state: &State, block: BlockId, hex: Hex) -> bool {
        self.sets().forts.contains(block) && self.taken_by_forts(state, block).contains(hex)
    }

    /// Whether all seas of a port are frozen (21.42).
    fn is_icebound(&self, state: &State, port: Hex) -> bool {
        let seas = self.seas().port_seas(port);
        let snow = state.weather[1] == Weather::Snow;
        snow && !seas.is_empty() && seas.difference(&self.seas().freezing).is_empty()
    }

    /// Whether a place lies on an extreme front.
    fn is_extreme(&self, hex: Hex) -> bool {
        matches!(self.front(hex), Front::Mediterranean | Front::North)
    }

    /// Whether a supreme headquarters has spent all of its command on an invasion or a drop (5.9).
    fn is_spent(&self, state: &State, block: BlockId) -> bool {
        self.brief(block).kind == Kind::SupremeHq && self.is_dedicated(state, block)
    }

    /// Whether as many as may have used a hexside (6.33).
    fn is_full(&self, state: &State, hex: Hex, way: Direction) -> bool {
        self.board().neighbour(hex, way).is_some() && self.capacity(state, hex, way) == 0
    }
}
