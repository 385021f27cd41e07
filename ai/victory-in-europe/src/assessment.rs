//! The position as one side sees it: strength by area, what areas pull troops, what threatens them.
//!
//! Of hidden enemy blocks only what the enemy cannot hide enters: where they stand, their nation, and what blocks of that
//! nation and look are worth on average.

mod aims;
mod supply;
mod threats;

use sandtable_core::Index;
use sandtable_victory_in_europe::board::Relation;
use sandtable_victory_in_europe::nation::NATIONS;
use sandtable_victory_in_europe::rules::{
    Areas, Arm, BorderKind, Entry, Kind, MAX_AREAS, MAX_SEAS, Seas, Standing, Target, Terrain,
};
use sandtable_victory_in_europe::state::mark;
use sandtable_victory_in_europe::{Force, Nation, Place, State, Team, UnitId, VictoryInEurope};

use sandtable_ai::policy::worth_of_objective;

use super::map_tables::MapTables;
use super::odds::{BattleSide, Block};
use super::strategy;
use super::weights::Weights;

/// What can be told of a block from outside: army, aircraft, ship, fortress, convoy.
const LOOKS: usize = 5;
/// Share of the stake that the weakest guard is worth.
const SCREEN: f32 = 0.3;
/// What the last attack on Berlin is worth more than anything else.
pub(super) const LAST_CHANCE: f32 = 1000.0;
/// Share of the Axis that fights in the east.
const EASTERN: f32 = 0.7;
/// Turns before the end of the war from which on hurry grows.
const LATE: f32 = 10.0;
/// What a second front is worth to Western Allies who relieve the Soviets: added to the pull on the way, and to a landing.
const RELIEF_DRIVE: f32 = 0.5;
pub(super) const RELIEF_LANDING: f32 = 8.0;
/// Worth of Paris while France fights, beyond that of an aim: with it France falls.
const FRANCE: f32 = 18.0;
/// Worth of ground away from France to Germany that has still to beat it, as a share, and what is added to the pull on the
/// way there.
const ASIDE: f32 = 0.5;
const CAMPAIGN_DRIVE: f32 = 0.4;
/// Worth of a command point to Germany that brings its armies to the west, or, France beaten, to the east.
const CAMPAIGN_COMMAND: f32 = 2.5;
/// Share of the least probability of victory that Germany asks for while it has France to beat, and when it opens the war in
/// the east: time works for those whom it leaves alone.
const CAMPAIGN_ODDS: f32 = 0.6;
const OPENING_ODDS: f32 = 0.3;
/// Worth of ground away from a homeland in danger, as a share: who conquers the Caucasus does not save Berlin.
const ABROAD: f32 = 0.3;
/// Units over the borders of a beachhead from which on it has room, and what it is worth to land where an aim of the war is near.
const EXITS: f32 = 4.0;
const LANDING_AIM: f32 = 4.0;
/// What it is worth more to land there when the time for a second front has come.
const SECOND_FRONT: f32 = 10.0;
/// What it is worth to Germany to have a country beyond the sea before the enemy is there: as much as the last battles before
/// Paris, for later it is too late.
const NEUTRAL_AIM: f32 = 60.0;
/// How much more a landing elsewhere must be worth for who waits for one to leave his place.
pub(super) const BETTER_LANDING: f32 = 1.5;
/// Power of the first wave of a landing, that of all waves, and what of the worth of waiting for it is for the first.
const FIRST_WAVE: f32 = 1.0;
const ALL_WAVES: f32 = 3.5;
const FIRST_SHARE: f32 = 0.65;
/// What it costs to keep troops where they can go no further.
const SHUT_IN: f32 = 4.0;
/// Worth of leaving a country that will be an enemy's if anybody stays.
pub(super) const EVACUATION: f32 = 8.0;
/// Worth of a step of a factory that bombs destroy.
const STEP_OF_FACTORY: f32 = 4.5;
/// Worth of the step that a unit loses where it is not in supply.
const UNSUPPLIED: f32 = 1.5;
/// Share of it where a line runs by sea past enemy ships, and most that is gained by saving those who have lost theirs.
const EXPOSED: f32 = 0.6;
const RELINK: f32 = 9.0;
/// Armies in an area beyond which it is a box without a stacking limit.
const CROWD: u8 = 4;
/// What it is worth to open the way to a place that decides the war and that only the enemy's ground leads to: in the end it
/// falls.
const SIEGE: f32 = 6.0;
/// Share of a threat that must be matched for an area to be worth reinforcing.
const HOPELESS: f32 = 0.5;
/// Worth of a step where production replaces more than is lost, as a share.
const CHEAP: f32 = 0.3;
/// Share of the least probability of victory that is asked of who can replace whatever he loses.
const BOLDNESS: f32 = 0.7;

/// The position as one side sees it.
#[derive(Clone, Debug)]
pub(super) struct Assessment {
    pub team: Team,
    /// Turns that are still to come.
    pub left: f32,
    /// The forces whose orders the side gives.
    pub forces: u8,
    /// The weights of the player, by force.
    pub weights: [Weights; 3],
    /// Average of hidden blocks by nation and look.
    mean: [[Block; LOOKS]; NATIONS],
    /// What each area is worth now.
    pub worth: [f32; MAX_AREAS],
    /// What is lost with an own area: its worth, or that of what lies behind it.
    pub stake: [f32; MAX_AREAS],
    /// Expected hits a round of armies and their number, own and enemy, by area.
    pub own: [f32; MAX_AREAS],
    pub foe: [f32; MAX_AREAS],
    pub own_units: [u8; MAX_AREAS],
    pub foe_units: [u8; MAX_AREAS],
    /// Own areas with a fortress.
    fortified: Areas,
    /// Areas where a unit of the enemy, of whatever kind, or of a stranger stands.
    pub foes: Areas,
    /// How much stronger than what it fights each force is, within bounds.
    pub confidence: [f32; 3],
    /// Whether the Soviets are the weaker in the east: then the Western Allies draw off what they can.
    pub relieves: bool,
    /// Whether the time has come for a second front.
    pub second_front: bool,
    /// Where Germany fights while it has France to beat, Denmark among it: ground elsewhere is worth little to it until then.
    pub western_campaign: Option<Areas>,
    /// Ground of the Soviets, if Germany, France beaten, brings its armies to the east.
    pub eastern_campaign: Option<Areas>,
    /// How dear a lost step is to each force: less where production replaces more than is lost, from [`CHEAP`] to 1.
    pub scarcity: [f32; 3],
    /// The neighbourhood of Berlin, if the Axis has to fight there: ground elsewhere is worth little to it then.
    homeland: Option<Areas>,
    /// Areas whose loss would open a country: none leaves the last guard of one.
    pub keys: Areas,
    /// Those of them with an enemy army near: for their sake even the front gives up armies.
    pub urgent: Areas,
    /// Capitals and areas that decide the war which nobody but walls guards, with an enemy army beside them or at sea before
    /// them: it walks in. So do the Soviets into ports and cities of Germany, if need be through a weak screen.
    pub bare: Areas,
    /// Berlin, in the last turn of who holds it before an enemy: nothing else counts (9.3).
    last_stand: Areas,
    /// What it is worth to take an enemy area between armies without supply and their lines, by force.
    relinks: [[f32; MAX_AREAS]; 3],
    /// Areas that live by sea routes which the enemy's ships can cut, by force.
    exposed_overseas: [Areas; 3],
    /// Seas with ships of the team, and of the enemy.
    pub own_seas: Seas,
    pub foe_seas: Seas,
    /// Units that would lose a step for want of a line if the area changed hands: own ones by own areas, enemies by theirs.
    pub ties: [f32; MAX_AREAS],
    /// Areas in supply, by force.
    pub lines: [Areas; 3],
    /// Areas that they touch.
    fed: [Areas; 3],
    /// The turn, phase, movers and ground for which they hold.
    tied: Option<(u8, u8, u8, [Areas; 3])>,
    /// Power of enemies next to an area.
    pub threat: [f32; MAX_AREAS],
    /// Enemy areas and those it means to attack, by force.
    pub hostile: [Areas; 3],
    /// Areas on the way to where it means to go.
    pub way: [Areas; 3],
    /// What is to be won before all else, by force, for a search.
    pub objective: [Option<Place>; 3],
    /// How much an area draws troops, by force.
    pub pull: [[f32; MAX_AREAS]; 3],
    /// Enemy coasts next to an area that decides the war, or that are such areas.
    pub landing_aims: Areas,
    /// Capitals of neutral countries that Germany means to take and cannot march to.
    neutral_aims: Areas,
    /// What draws the Western Allies to each sea.
    sea_pull: [f32; MAX_SEAS],
    /// What a landing from each sea is worth, by force.
    pub landings: [[f32; MAX_SEAS]; 3],
    /// What it is worth that somebody waits in a port for the ships before it, by force.
    staging: [[f32; MAX_AREAS]; 3],
}

/// What the objective of an operation is worth besides, in steps of infantry.
const OBJECTIVE: f32 = 8.0;

/// What ground is worth that is the objective of an operation, or is not.
fn urgent(worth: f32, is_objective: bool) -> f32 {
    if is_objective { worth_of_objective(worth, OBJECTIVE) } else { worth }
}

impl Assessment {
    pub fn new(weights: &[Weights; 3]) -> Assessment {
        Assessment {
            team: Team::Axis,
            left: 0.0,
            forces: 0,
            weights: *weights,
            mean: [[Block::default(); LOOKS]; NATIONS],
            worth: [0.0; MAX_AREAS],
            stake: [0.0; MAX_AREAS],
            own: [0.0; MAX_AREAS],
            foe: [0.0; MAX_AREAS],
            own_units: [0; MAX_AREAS],
            foe_units: [0; MAX_AREAS],
            fortified: Areas::EMPTY,
            foes: Areas::EMPTY,
            confidence: [1.0; 3],
            relieves: false,
            second_front: false,
            western_campaign: None,
            eastern_campaign: None,
            scarcity: [1.0; 3],
            homeland: None,
            keys: Areas::EMPTY,
            last_stand: Areas::EMPTY,
            urgent: Areas::EMPTY,
            bare: Areas::EMPTY,
            relinks: [[0.0; MAX_AREAS]; 3],
            exposed_overseas: [Areas::EMPTY; 3],
            own_seas: 0,
            foe_seas: 0,
            ties: [0.0; MAX_AREAS],
            lines: [Areas::EMPTY; 3],
            fed: [Areas::EMPTY; 3],
            tied: None,
            threat: [0.0; MAX_AREAS],
            objective: [None; 3],
            hostile: [Areas::EMPTY; 3],
            way: [Areas::EMPTY; 3],
            pull: [[0.0; MAX_AREAS]; 3],
            landing_aims: Areas::EMPTY,
            neutral_aims: Areas::EMPTY,
            sea_pull: [0.0; MAX_SEAS],
            landings: [[0.0; MAX_SEAS]; 3],
            staging: [[0.0; MAX_AREAS]; 3],
        }
    }

    /// Looks at the state again. Of what was seen before only the weights are kept, and supply where it
    /// [need not be worked out](Self::tie) anew.
    pub fn refresh(&mut self, game: &VictoryInEurope, map_tables: &MapTables, state: &State, force: Force) {
        let Assessment { weights, ties, lines, fed, tied, objective, .. } = *self;
        *self = Assessment { ties, lines, fed, tied, objective, ..Assessment::new(&weights) };
        self.team = force.team();
        self.forces = if game.rules.options.three_players { force.bit() } else { force.team().forces() };
        self.left = f32::from(game.rules.setup.last_turn.saturating_sub(state.turn));
        self.average(game, state);
        self.count(game, map_tables, state);
        self.appraise(game, map_tables, state);
        self.compare(game, state);
        self.reckon_scarcity(game, state);
        self.second_front = strategy::is_time_for_second_front(state);
        self.western_campaign = strategy::is_campaign_in_the_west(state).then(|| {
            let paris = game.rules.places.paris;
            let low_countries = game.country(Nation::Belgium).or(game.country(Nation::Netherlands));
            let north = game.country(Nation::Denmark);
            Areas::one(paris).or(&map_tables.neighbours[paris.at()]).or(&low_countries).or(north)
        });
        self.eastern_campaign =
            strategy::is_campaign_in_the_east(state).then_some(state.held[Force::Soviet.index()]);
        self.tie(game, map_tables, state);
        self.find_cut_off(game, map_tables, state);
        self.stake(map_tables, state, game.rules.capitals[Nation::Denmark.index()]);
        self.homeland = self.endangered_homeland(game, map_tables, state);
        self.fear(game, map_tables, state);
        let last = game.rules.victory.last;
        if self.left < 1.0 && state.held_by(self.team).contains(last) && self.threat[last.at()] > 0.0 {
            self.last_stand.insert(last);
            self.bare = self.bare.and(&self.last_stand);
        }
        for force in Force::ALL {
            if force.team() != self.team {
                continue;
            }
            self.aim(game, map_tables, state, force);
        }
    }

    /// Whether the enemy hides how strong this unit is, and but for fortresses and convoys what it is.
    fn is_hidden(&self, game: &VictoryInEurope, state: &State, unit: UnitId) -> bool {
        !state.has_mark(unit, mark::KNOWN)
            && game.force(state, unit).is_some_and(|force| force.bit() & self.forces == 0)
    }

    /// Whether a ship is seen to be a submarine.
    pub fn is_submarine(&self, game: &VictoryInEurope, state: &State, unit: UnitId) -> bool {
        !self.is_hidden(game, state, unit) && game.kind(unit) == Kind::Submarine
    }

    fn average(&mut self, game: &VictoryInEurope, state: &State) {
        let mut count = [[0.0f32; LOOKS]; NATIONS];
        for unit in game.unit_ids() {
            if state.is_on_map(unit) && self.is_hidden(game, state, unit) {
                let (nation, look) = (game.nation(state, unit).index(), look(game, unit));
                let block = sheet(game, state, unit, Target::Army);
                let sum = &mut self.mean[nation][look];
                sum.steps += block.steps;
                sum.fire += block.fire;
                sum.class += block.class;
                count[nation][look] += 1.0;
            }
        }
        for (blocks, counts) in self.mean.iter_mut().zip(count) {
            for (block, count) in blocks.iter_mut().zip(counts) {
                let count = count.max(1.0);
                *block = Block {
                    steps: block.steps / count,
                    fire: block.fire / count,
                    class: block.class / count,
                };
            }
        }
    }

    /// What a unit is worth in a battle on land, as far as this side can tell.
    pub fn block(&self, game: &VictoryInEurope, state: &State, unit: UnitId) -> Block {
        if self.is_hidden(game, state, unit) {
            self.mean[game.nation(state, unit).index()][look(game, unit)]
        } else {
            sheet(game, state, unit, Target::Army)
        }
    }

    fn count(&mut self, game: &VictoryInEurope, map_tables: &MapTables, state: &State) {
        for zone in 0..map_tables.shores.len() as u8 {
            for unit in state.stack(Place::sea(zone)).filter(|&unit| game.arm(unit) == Arm::Naval) {
                let own = game.force(state, unit).is_some_and(|force| force.team() == self.team);
                *(if own { &mut self.own_seas } else { &mut self.foe_seas }) |= 1 << zone;
            }
        }
        for area in map_tables.all {
            let at = area.at();
            for unit in state.stack(area) {
                let own = game.force(state, unit).is_some_and(|force| force.team() == self.team);
                if !own {
                    self.foes.insert(area);
                }
                if game.arm(unit) != Arm::Army {
                    continue;
                }
                let power = self.block(game, state, unit).power();
                let is_extra = is_extra(game, unit) && !self.is_hidden(game, state, unit);
                let counts = u8::from(!is_extra);
                if own {
                    if game.kind(unit) == Kind::Fortress {
                        self.fortified.insert(area);
                    }
                    self.own[at] += power;
                    self.own_units[at] += counts;
                } else {
                    self.foe[at] += power;
                    self.foe_units[at] += counts;
                }
            }
        }
    }

    fn appraise(&mut self, game: &VictoryInEurope, map_tables: &MapTables, state: &State) {
        self.worth = map_tables.worth;
        for area in map_tables.all {
            let worth = &mut self.worth[area.at()];
            *worth += 1.5 * f32::from(state.factory(area));
            let nation = map_tables.capital_of[area.at()];
            if nation != 255 {
                // With its capital a minor falls whole.
                *worth += 8.0 + game.country(Nation::of(nation)).len() as f32;
            }
        }
        let places = &game.rules.places;
        if state.politics.standing(Nation::France) == Standing::Western {
            self.worth[places.paris.at()] += FRANCE;
        }
        if state.politics.italy == Entry::AtWar {
            self.worth[places.rome.at()] += 10.0;
            for area in game.rules.regions.libya {
                self.worth[area.at()] += 3.0;
            }
        }
    }

    /// Compares the armies of the forces that fight each other on the mainland.
    fn compare(&mut self, game: &VictoryInEurope, state: &State) {
        let mut power = [0.0f32; 3];
        for unit in game.unit_ids() {
            if game.arm(unit) == Arm::Army
                && state.is_on_map(unit)
                && let Some(force) = game.force(state, unit)
            {
                power[force.index()] += self.block(game, state, unit).power();
            }
        }
        let [axis, _, soviets] = power;
        let bound = |ratio: f32| ratio.clamp(0.6, 1.8);
        if state.politics.ussr == Entry::AtWar {
            // A part of the Axis watches the west.
            self.confidence[0] = bound(EASTERN * axis / soviets.max(1.0));
            self.confidence[2] = bound(soviets / (EASTERN * axis).max(1.0));
            self.relieves = self.confidence[2] < 1.0;
        }
    }

    /// How many steps each force of the team lacks, against what its factories replace in a turn (11.1, 11.4).
    fn reckon_scarcity(&mut self, game: &VictoryInEurope, state: &State) {
        let (mut missing, mut points) = ([0.0f32; 3], [0.0f32; 3]);
        for unit in game.unit_ids() {
            if game.arm(unit) == Arm::Army
                && state.is_on_map(unit)
                && let Some(force) = game.force(state, unit)
                && force.team() == self.team
            {
                let lacks = game.max_steps(unit).saturating_sub(state.steps(unit));
                missing[force.index()] += f32::from(lacks * game.unit_type(unit).cost);
            }
        }
        for force in Force::ALL.into_iter().filter(|force| force.team() == self.team) {
            let at = force.index();
            points[at] = state.held[at].iter().map(|area| f32::from(state.factory(area))).sum();
            self.scarcity[at] = (missing[at] / points[at].max(1.0)).clamp(CHEAP, 1.0);
        }
    }

    /// Share of the least probability of victory that a force asks for at a goal: who can replace what he loses attacks at worse
    /// odds, and so does Germany where it cannot wait.
    pub fn caution(&self, force: Force, goal: Place) -> f32 {
        let among =
            |areas: Option<Areas>| force == Force::Axis && areas.is_some_and(|areas| areas.contains(goal));
        let campaign = if among(self.western_campaign) {
            CAMPAIGN_ODDS
        } else if among(self.eastern_campaign) {
            OPENING_ODDS
        } else {
            1.0
        };
        campaign * (BOLDNESS + (1.0 - BOLDNESS) * (self.scarcity[force.index()] - CHEAP) / (1.0 - CHEAP))
    }

    /// Whether an area is held in the last turn before all else (9.3).
    pub fn is_last_stand(&self, area: Place) -> bool {
        self.last_stand.contains(area)
    }

    /// Whether who does not hold Berlin attacks it because nothing that he could lose counts any more (9.3).
    pub fn is_last_chance(&self, game: &VictoryInEurope, goal: Place) -> bool {
        self.left < 1.0 && goal == game.rules.victory.last
    }

    /// Whether production replaces whatever a force loses.
    pub fn replaces_all(&self, force: Force) -> bool {
        self.scarcity[force.index()] <= CHEAP
    }

    /// Nothing that was worked out before matters any more.
    pub fn forget(&mut self) {
        *self = Assessment::new(&self.weights);
    }

    /// What it is worth that an area is guarded with this much power.
    pub fn cover(&self, area: Place, power: f32) -> f32 {
        let threat = self.threat[area.at()];
        if threat <= 0.0 {
            return 0.0;
        }
        // Who matches half the threat holds as often as not; any screen costs the enemy a battle.
        let share = (power / (threat + 0.05)).min(1.3);
        let square = share * share;
        let decides = if self.last_stand.contains(area) { LAST_CHANCE } else { 0.0 };
        (self.stake[area.at()] + 2.0 + decides) * (square / (square + 0.3) + SCREEN * (8.0 * share).min(1.0))
    }

    /// What it is worth to have a unit of this power in a friendly area on top of what is there.
    pub fn post(&self, force: Force, area: Place, there: f32, power: f32) -> f32 {
        // Who is the weaker stays together.
        let timid = self.confidence[force.index()].min(1.0).powi(4);
        let drawn = timid * self.weights[force.index()].pull * self.pull[force.index()][area.at()] * power;
        let unsupplied = if !self.is_supplied(force, area) {
            UNSUPPLIED
        } else if self.exposed_overseas[force.index()].contains(area) {
            EXPOSED * UNSUPPLIED
        } else {
            0.0
        };
        self.cover(area, there + power) - self.cover(area, there)
            + drawn
            + self.embarkation(force, area, there, power)
            - unsupplied
    }

    /// What it is worth that power joins what waits in a port to be shipped.
    pub fn embarkation(&self, force: Force, area: Place, there: f32, power: f32) -> f32 {
        let staging = self.staging[force.index()][area.at()];
        if staging <= 0.0 {
            return 0.0;
        }
        let ready = |power: f32| {
            FIRST_SHARE * (power / FIRST_WAVE).min(1.0) + (1.0 - FIRST_SHARE) * (power / ALL_WAVES).min(1.0)
        };
        staging * (ready(there + power) - ready(there))
    }

    /// Whether who waits for the second front, in a port or at sea, stays there rather than to wait elsewhere for a landing that is
    /// worth little more: the turn comes in which the enemy leaves a coast weak.
    pub fn keeps_waiting(&self, force: Force, [here, there]: [f32; 2]) -> bool {
        force == Force::Western && self.second_front && here > 0.0 && there < BETTER_LANDING * here
    }

    /// What it is worth that somebody waits in a port to be shipped.
    pub fn staging(&self, force: Force, area: Place) -> f32 {
        self.staging[force.index()][area.at()]
    }

    /// Whether an area that decides the war, or a country, would be left open by its last guard.
    pub fn holds_alone(&self, map_tables: &MapTables, area: Place) -> bool {
        self.would_be_open(map_tables, area, 1)
    }

    /// Whether an area that decides the war, or a country, would be left open by so many units: walls alone do not hold it. In
    /// the last turn nothing else matters where Berlin is held before an enemy.
    pub fn would_be_open(&self, map_tables: &MapTables, area: Place, gone: u8) -> bool {
        let at = area.at();
        (self.last_stand.is_empty() || self.last_stand.contains(area))
            && (map_tables.vital.contains(area) || self.keys.contains(area))
            && self.own_units[at] <= gone + u8::from(self.fortified.contains(area))
            && self.threat[at] > 0.0
    }

    /// Whether an area falls to what stands before it even when it is reinforced by so much: nobody is sent to such places.
    pub fn is_hopeless(&self, area: Place, reinforcement: f32) -> bool {
        let at = area.at();
        self.own[at] + reinforcement < HOPELESS * self.threat[at]
    }

    /// Whether an army finds no room in an area (4.5).
    pub fn is_full(&self, game: &VictoryInEurope, unit: UnitId, area: Place) -> bool {
        !is_extra(game, unit) && self.own_units[area.at()] >= game.rules.areas[area.at()].stack
    }

    /// What an own area is worth with what hangs on it.
    pub fn held(&self, area: Place) -> f32 {
        self.worth[area.at()] + self.ties[area.at()]
    }

    /// Whether a unit would be in supply in an area, if it took it.
    pub fn is_supplied(&self, force: Force, area: Place) -> bool {
        let lines = &self.lines[force.index()];
        lines.contains(area)
            || self.hostile[force.index()].contains(area) && self.fed[force.index()].contains(area)
    }

    /// Whether a German army would leave the campaign in the west for Italy, where no enemy is: Italy guards itself.
    pub fn strays(
        &self,
        game: &VictoryInEurope,
        state: &State,
        unit: UnitId,
        (here, to): (Place, Place),
    ) -> bool {
        let italy = game.home(Nation::Italy);
        self.western_campaign.is_some()
            && game.nation(state, unit) == Nation::Germany
            && italy.contains(to)
            && !italy.contains(here)
            && !italy.intersects(&self.foes)
    }

    /// How near an area is to what the force wants to attack, as the crow flies.
    pub fn nearness(&self, game: &VictoryInEurope, force: Force, area: Place) -> f32 {
        let place = |area: Place| {
            let sheet = &game.rules.areas[area.at()];
            (sheet.lat, sheet.lon)
        };
        let (lat, lon) = place(area);
        let near = |to: Place| {
            let (north, east) = place(to);
            let (north, east) = (north - lat, (east - lon) * 0.65);
            self.worth[to.at()] / (1.0 + (north * north + east * east) / 12.0)
        };
        self.hostile[force.index()].iter().map(near).fold(0.0, f32::max)
    }

    /// What taking an area is worth.
    pub fn prize(&self, force: Force, area: Place) -> f32 {
        let weights = &self.weights[force.index()];
        let far = self.homeland.is_some_and(|homeland| !homeland.contains(area));
        let aside = force == Force::Axis && self.western_campaign.is_some_and(|west| !west.contains(area));
        weights.prize
            * if far { ABROAD } else { 1.0 }
            * if aside { ASIDE } else { 1.0 }
            * (urgent(self.worth[area.at()], self.objective[force.index()] == Some(area))
                + weights.sever * self.ties[area.at()]
                + 2.0
                + self.relinks[force.index()][area.at()].min(RELINK)
                + self.drive(force) * self.pull[force.index()][area.at()])
    }

    /// What a command point is worth that a Strategic Movement takes, in steps of infantry.
    pub fn command_price(&self, force: Force) -> f32 {
        if force == Force::Axis && self.western_campaign.or(self.eastern_campaign).is_some() {
            CAMPAIGN_COMMAND
        } else {
            self.weights[force.index()].command
        }
    }

    /// Whether an area is ground beyond the sea, beside the enemy, out of which the Western Allies can break: no island.
    pub fn is_beachhead(
        &self,
        game: &VictoryInEurope,
        map_tables: &MapTables,
        force: Force,
        area: Place,
    ) -> bool {
        force == Force::Western
            && self.second_front
            && game.rules.areas[area.at()].invadable
            && self.room(game, force, area) > 0.0
            && map_tables.neighbours[area.at()].and(&self.hostile[force.index()]).intersects(&self.foes)
    }

    /// How many enemies can be got at from an area, against what it takes to break out of a beachhead: from 0 to 1. Nobody
    /// breaks out of an island or through a single pass.
    pub fn room(&self, game: &VictoryInEurope, force: Force, area: Place) -> f32 {
        let exits: u8 = game
            .adjacent(area)
            .and(&self.hostile[force.index()])
            .iter()
            .filter_map(|near| game.border(area, near))
            .map(|(_, border)| if border.kind == BorderKind::Strait { 0 } else { border.limit })
            .sum();
        (f32::from(exits) / EXITS).min(1.0).powi(2)
    }

    /// What a landing is worth that takes an area: ground beyond it counts as far as there is a way out.
    pub fn beachhead(&self, game: &VictoryInEurope, state: &State, force: Force, area: Place) -> f32 {
        let weights = &self.weights[force.index()];
        let aims_beyond = self.neutral_aims.contains(area);
        if force == Force::Axis && (aims_beyond || !state.held_by(Team::Allies).contains(area)) {
            // The campaign in the west does not make a neutral beyond the sea worth less: it takes but a small force, in time.
            let beyond = weights.drive * self.pull[force.index()][area.at()];
            let aim = if aims_beyond { NEUTRAL_AIM } else { 0.0 };
            return aim
                + weights.prize * (self.worth[area.at()] + 2.0 + self.room(game, force, area) * beyond);
        }
        let beyond = weights.prize * self.drive(force) * self.pull[force.index()][area.at()];
        let aim = if self.landing_aims.contains(area) {
            LANDING_AIM + if self.second_front { SECOND_FRONT } else { 0.0 }
        } else {
            0.0
        };
        let shut = 1.0 - self.room(game, force, area);
        self.prize(force, area) + aim - shut * (beyond + if aim > 0.0 { 0.0 } else { SHUT_IN })
    }

    /// What ground on the way to more is worth: in the end only what decides the game counts.
    pub fn drive(&self, force: Force) -> f32 {
        let weights = &self.weights[force.index()];
        let late = (1.0 - self.left / LATE).max(0.0);
        let relief = if force == Force::Western && self.relieves { RELIEF_DRIVE } else { 0.0 };
        let campaign =
            if force == Force::Axis && self.western_campaign.is_some() { CAMPAIGN_DRIVE } else { 0.0 };
        weights.drive + weights.hurry * late + relief + campaign
    }

    /// What a raid on a factory is worth: what it costs to build again, against flak and interceptors.
    pub fn raid(&self, game: &VictoryInEurope, state: &State, unit: UnitId, area: Place) -> f32 {
        let (steps, factory) = (f32::from(state.steps(unit)), f32::from(state.factory(area)));
        let winter = game.winter_at(state, area);
        let cold = game.rules.charts.winter_primary;
        let aim = |fire: u8| f32::from(if winter { fire.min(cold) } else { fire }) / 6.0;
        let hits = (2.0 * steps * aim(fire(game, unit, Target::Factory))).min(factory);
        let interceptors = state
            .stack(area)
            .filter(|&other| game.arm(other) == Arm::Air && game.team(state, other) != self.team)
            .count() as f32;
        let losses = 2.0 * factory / 6.0 + 1.6 * interceptors;
        // What is built again in time would have been built without.
        let lasts = (self.left / 6.0).min(1.0);
        STEP_OF_FACTORY * lasts * hits - 1.5 * losses.min(steps) - 0.5
    }

    /// The defenders of an area against a team.
    pub fn defenders(&self, game: &VictoryInEurope, state: &State, area: Place, team: Team) -> BattleSide {
        self.battle_side(game, state, (area, true), game.units_at(state, area, team))
    }

    /// What units are worth in a battle for an area, wherever they stand now: the ground helps those who defend it.
    pub fn battle_side(
        &self,
        game: &VictoryInEurope,
        state: &State,
        (area, defends): (Place, bool),
        units: impl Iterator<Item = UnitId>,
    ) -> BattleSide {
        let mut host = BattleSide::default();
        let terrain = Some(game.rules.areas[area.at()].terrain).filter(|_| defends);
        let winter = game.winter_at(state, area);
        let (cold, forest) = (game.rules.charts.winter_primary, game.rules.charts.forest_bonus);
        for unit in units {
            let mut block = self.block(game, state, unit);
            if winter {
                block.fire = block.fire.min(f32::from(cold));
            }
            match game.arm(unit) {
                Arm::Army => {
                    let fortress = game.kind(unit) == Kind::Fortress;
                    let infantry =
                        game.kind(unit).is_infantry() || !fortress && self.is_hidden(game, state, unit);
                    if terrain == Some(Terrain::Forest) && infantry {
                        block.fire += f32::from(forest);
                    }
                    let double = fortress || terrain == Some(Terrain::Mountain) && infantry;
                    host.add_army(block, if double { 2.0 } else { 1.0 });
                }
                _ => host.add_support(block),
            }
        }
        host
    }

    /// What a neutral may put into its areas once it is attacked.
    pub fn neutral_defenders(&self, game: &VictoryInEurope, state: &State, area: Place) -> BattleSide {
        let mut host = BattleSide::default();
        let owner = state.controller(area);
        let terrain = game.rules.areas[area.at()].terrain;
        let hits = if terrain == Terrain::Mountain { 2.0 } else { 1.0 };
        let cover = if terrain == Terrain::Forest { game.rules.charts.forest_bonus } else { 0 };
        for unit in game.unit_ids() {
            if game.printed_nation(unit) != owner || game.arm(unit) != Arm::Army || owner.is_major() {
                continue;
            }
            if let Some((_, steps)) = game.rules.units[unit.at()].home
                && !state.is_on_map(unit)
            {
                let fire = f32::from(game.unit_type(unit).fire + cover);
                host.add_army(Block { steps: f32::from(steps), fire, class: 3.0 }, hits);
            }
        }
        host
    }
}

/// Carries values from area to area within some, from those that may pass them on, losing a share with each step.
fn spread(map_tables: &MapTables, within: &Areas, from: &Areas, values: &mut [f32; MAX_AREAS], keeps: f32) {
    let mut changed = *from;
    while !changed.is_empty() {
        let mut next = Areas::EMPTY;
        for area in changed {
            let value = values[area.at()] * keeps;
            for to in map_tables.neighbours[area.at()].and(within) {
                if value > values[to.at()] {
                    values[to.at()] = value;
                    next.insert(to);
                }
            }
        }
        changed = next.and(from);
    }
}

fn look(game: &VictoryInEurope, unit: UnitId) -> usize {
    match (game.arm(unit), game.kind(unit)) {
        (_, Kind::Fortress) => 3,
        (_, Kind::Convoy) => 4,
        (Arm::Army, _) => 0,
        (Arm::Air, _) => 1,
        (Arm::Naval, _) => 2,
    }
}

/// Firepower of a unit against a kind of target, outside of winter.
pub(super) fn fire(game: &VictoryInEurope, unit: UnitId, target: Target) -> u8 {
    let sheet = game.unit_type(unit);
    let primary = sheet.primary & target.bit() != 0;
    if !primary && sheet.secondary & target.bit() == 0 {
        return 0;
    }
    let special = [game.rules.units[unit.at()].special, sheet.special];
    let special = special.map(|special| special[target as usize]).into_iter().find(|&fire| fire > 0);
    special.unwrap_or(sheet.fire).saturating_sub(u8::from(!primary))
}

fn sheet(game: &VictoryInEurope, state: &State, unit: UnitId, target: Target) -> Block {
    Block {
        steps: f32::from(state.steps(unit)),
        fire: f32::from(fire(game, unit, target)),
        class: f32::from(game.unit_type(unit).class),
    }
}

/// Whether an area is one that the Pact lets a force take without war (13).
pub(super) fn is_reserved(game: &VictoryInEurope, state: &State, force: Force, area: Place) -> bool {
    let regions = &game.rules.regions;
    let owner = state.controller(area);
    let standing = state.politics.standing(owner);
    force == Force::Soviet
        && (standing == Standing::Neutral && (owner == Nation::Sphere || regions.bessarabia.contains(area))
            || owner == Nation::Poland && regions.eastern_poland.contains(area) && state.is_vacant(area))
}

/// Whether an area is a box behind the front in which any number of units stands (13: Canada, USA, Urals).
pub(super) fn is_box(game: &VictoryInEurope, area: Place) -> bool {
    game.rules.areas[area.at()].stack > CROWD
}

/// Whether a unit stands in a neutral country, as in Vichy France, which it must leave in time (13).
pub(super) fn is_guest(game: &VictoryInEurope, state: &State, unit: UnitId, area: Place) -> bool {
    game.relation(state, game.nation(state, unit), area) == Relation::Neutral
}

/// Whether a unit stands beside the armies of the stacking limit (4.5).
pub(super) fn is_extra(game: &VictoryInEurope, unit: UnitId) -> bool {
    matches!(game.kind(unit), Kind::Leader | Kind::Paratroop)
}

/// The area a unit stands in, if it does.
pub(super) fn area_of(state: &State, unit: UnitId) -> Option<Place> {
    Some(state.location(unit)).filter(|&place| place.is_area())
}
