//! The position as a player sees it: who is strong where, what is threatened, where troops are drawn.

use sandtable_core::{Board, Index};
use sandtable_europe_engulfed::ids::{Area, Areas, MAX_AREAS, NATIONS, Sea, Units};
use sandtable_europe_engulfed::rules::{Branch, CountryKind, Standing};
use sandtable_europe_engulfed::state::mark;
use sandtable_europe_engulfed::{EuropeEngulfed, Nation, Phase, State, Team, UnitId};

use sandtable_ai::policy::worth_of_objective;

use super::battle::Army;
use super::map_tables::MapTables;
use super::outlook::{AttackValue, Outlook};
use super::weights::Weights;

/// Share of an attraction that is left an area further on.
const FADING: f32 = 0.75;
/// Areas over which ground further on pulls.
const SIGHT: usize = 5;
/// Areas from which an enemy may come to ground that decides the game.
const NEAR: u32 = 3;
/// Areas beyond which it does not matter how far off an enemy is.
const AWAY: u32 = 6;
/// Areas that armour moves.
const ARMOUR: u32 = 2;
/// Areas over which an enemy may march to a border.
const MARCH: u32 = 4;
/// Areas over which reserves feel the front.
const FIELD: usize = 9;
/// The usual power of an enemy next door, and the most that an easy target draws more than others.
const USUAL: f32 = 15.0;
const EASIEST: f32 = 1.5;
/// What the objective of an operation is worth besides, in steps of infantry.
const OBJECTIVE: f32 = 8.0;
/// Power that is expected at least: next door while armies deploy, and at ground that decides the game.
const EXPECTED: f32 = 15.0;
/// Power of a counter that is still to be deployed, or built in a port before it sails.
const COUNTER: f32 = 3.5;
/// Power for an attack where no enemy is.
const FEW: f32 = 3.0;
/// Power with which an area behind the front stops who breaks through.
const LINE: f32 = 3.0;
/// Power that stays where an area counts and the enemy may walk in.
const LAST: f32 = 2.0;
/// How much more an area that counts is worth at the end if it is the last that is missing, and what others are.
const URGENT: f32 = 6.0;
const IDLE: f32 = 0.05;
/// In the turn before the last, to a team that needs all areas that count at the end: how much more they are worth, and what others
/// are; share of the pull of ground further on that is left.
const PRESSING: f32 = 1.5;
const ASIDE: f32 = 0.3;
const LATE_DRIVE: f32 = 0.3;
/// Least probability of clearing an area for which it is attacked, where it is missing for the victory in the last turn.
const MIN_ODDS_LAST_TURN: f32 = 0.05;
/// Worth of an airfield behind the front, before its distance from there is thought of.
const AIRFIELD: f32 = 0.4;
/// Share of the enemy's power next door that stays where the game is decided.
const HELD: f32 = 0.5;
/// Power of the enemy next door, as a multiple of what is there, with which a place is given up for lost.
const LOST: f32 = 3.0;
/// Worth of an area, in steps of infantry, from which it is not left to a landing.
const COUNTS: f32 = 3.0;
/// Least share of the power that could land on home ground that is wanted there.
const HOME_COAST: f32 = 1.0;
/// Power that holds an area against nobody in particular.
const WATCH: f32 = 1.0;

/// What draws guards into each area that watches the USSR.
const WATCHED: f32 = 20.0;
/// Share of the best beach's prize that draws troops to the ports facing it.
const EMBARKING: f32 = 0.5;
/// Blocks that wait for a landing at most.
const LANDING: u32 = 8;

/// Rounds with which an attack is reckoned.
const ROUNDS: u32 = 2;

/// What a counter is wanted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Infantry holds, and takes.
    Any,
    /// Armour and airborne take; air units help who takes.
    Spearhead,
}

impl Role {
    pub fn of(branch: Branch) -> Role {
        match branch {
            Branch::Armour | Branch::Air => Role::Spearhead,
            _ => Role::Any,
        }
    }

    /// How much there is to be held and to be taken counts.
    fn shares(self) -> [f32; 2] {
        match self {
            Role::Any => [1.0, 1.0],
            Role::Spearhead => [0.4, 2.0],
        }
    }
}

/// Strengths and worths by area.
#[derive(Debug)]
pub(super) struct Survey {
    /// Armies by team and area. Of enemy blocks that are not known only the nation counts: they are like its others on average.
    pub armies: [Box<[Army; MAX_AREAS]>; 2],
    seen: Seen,
    /// Counters of each nation on the map.
    blocks: [f32; NATIONS],
    /// Power that the enemy of the mover could bring into an area.
    pub threat: [f32; MAX_AREAS],
    /// Power that the enemy of the mover could land in an area.
    pub at_sea: [f32; MAX_AREAS],
    /// Worth of an area to the mover with what lies behind it, if the enemy has it.
    pub prize: [f32; MAX_AREAS],
    /// Own areas in the rear that decide the game, and that the enemy may come to.
    keys: Areas,
    /// Own areas that count at the end, and that the enemy may still walk into.
    last_posts: Areas,
    /// Who could reinforce the enemy in each area for a Special Action (7.6), and for how many battles he has one.
    reserve: Box<[Army; MAX_AREAS]>,
    reserves: u32,
    /// Of the areas with which an own Major Power falls together, the one it holds longest.
    refuges: Areas,
    /// Own power that is wanted there.
    refuge: f32,
    /// Own areas right behind the front and the coast: who breaks through it has to stop where somebody stands (5.1).
    second: Areas,
    /// Areas where somebody should stand: the front, what is behind it, keys, coasts within reach of a landing, where there is fighting.
    pub posts: Areas,
    /// What is lost with an own area.
    pub stake: [f32; MAX_AREAS],
    /// Power wanted to hold a post.
    need: [f32; MAX_AREAS],
    /// What there is to be taken from a post.
    gain: [f32; MAX_AREAS],
    /// Power with which all of it can be taken.
    room: [f32; MAX_AREAS],
    /// How much there is to be taken for each power that it needs, against the usual.
    ease: [f32; MAX_AREAS],
    /// How much more power an area draws.
    pub pull: [f32; MAX_AREAS],
    /// Share of its worth that an airfield behind the front has, by how far off that is.
    nearness: [f32; MAX_AREAS],
    /// Areas of the enemy, of those that are in the war or soon will be.
    pub hostile: Areas,
    /// Areas of the mover with an enemy area next door.
    pub front: Areas,
    /// Home areas of the mover's Major Powers.
    home: Areas,
    /// Areas that are missing for the victory in the last turn.
    missing: Areas,
    /// See [`in_hand`].
    in_hand: u32,
    /// Areas of the front that decide the game.
    decisive_front: Areas,
    /// [`Army::power`] of the armies, as they were looked at.
    power: [[f32; MAX_AREAS]; 2],
    /// What the prizes and stakes were worked out from last, and the stakes.
    valued: Box<(Option<Land>, [f32; MAX_AREAS])>,
}

/// What ground is worth rests on.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Land {
    hostile: Areas,
    held: Areas,
    worth: [f32; MAX_AREAS],
    /// Of what is to be taken and what is held: factor, share of what lies behind.
    shares: [(f32, f32); 2],
}

/// What is known of the enemy's blocks.
#[derive(Debug)]
struct Seen {
    /// Those that are not known.
    hidden: Units,
    /// By nation: one of those on average.
    average: [Army; NATIONS],
}

impl Seen {
    /// A counter joins an army, as far as it is known.
    fn add(&self, army: &mut Army, (game, state): (&EuropeEngulfed, &State), unit: UnitId) {
        if self.hidden.contains(unit) {
            let average = &self.average[game.nation(unit).index()];
            army.add_like(average, state.has_mark(unit, mark::UNSUPPLIED));
        } else {
            army.add(game, state, unit);
        }
    }
}

impl Survey {
    pub fn new() -> Survey {
        Survey {
            armies: std::array::from_fn(|_| Box::new([Army::default(); MAX_AREAS])),
            seen: Seen { hidden: Units::EMPTY, average: [Army::default(); NATIONS] },
            blocks: [0.0; NATIONS],
            threat: [0.0; MAX_AREAS],
            at_sea: [0.0; MAX_AREAS],
            prize: [0.0; MAX_AREAS],
            keys: Areas::EMPTY,
            last_posts: Areas::EMPTY,
            reserve: Box::new([Army::default(); MAX_AREAS]),
            reserves: 0,
            refuges: Areas::EMPTY,
            refuge: 0.0,
            second: Areas::EMPTY,
            posts: Areas::EMPTY,
            stake: [0.0; MAX_AREAS],
            need: [1.0; MAX_AREAS],
            gain: [0.0; MAX_AREAS],
            room: [1.0; MAX_AREAS],
            ease: [1.0; MAX_AREAS],
            pull: [0.0; MAX_AREAS],
            nearness: [0.0; MAX_AREAS],
            hostile: Areas::EMPTY,
            front: Areas::EMPTY,
            home: Areas::EMPTY,
            missing: Areas::EMPTY,
            in_hand: 0,
            decisive_front: Areas::EMPTY,
            power: [[0.0; MAX_AREAS]; 2],
            valued: Box::new((None, [0.0; MAX_AREAS])),
        }
    }

    /// Looks at the position for a team.
    pub fn look(&mut self, map: &MapTables, outlook: &Outlook<'_>) {
        let &Outlook { game, state, team, .. } = outlook;
        let enemy = team.other();
        self.count(outlook);
        self.in_hand = in_hand(state, team);
        let hostile = state
            .held(enemy)
            .filter(|area| state.controller(area).is_some_and(|nation| outlook.is_foe(nation)));
        self.hostile = hostile;
        self.front = Areas::EMPTY;
        let enemies = hostile.or(&state.manned(enemy).filter(|area| self.army(enemy, area).blocks > 0.0));
        self.value_ground(map, outlook);
        let mut threatened = Areas::EMPTY;
        let mut comes = [0.0; MAX_AREAS];
        for area in game.areas() {
            let [own, foe] = [team, enemy].map(|team| {
                let power = self.armies[team.index()][area.at()].power();
                self.power[team.index()][area.at()] = power;
                power
            });
            // Who is engaged does not come.
            comes[area.at()] = larger(foe - own, 0.0);
        }
        for area in game.areas() {
            let threat: f32 = map.neighbours[area.at()].iter().map(|near| comes[near.at()]).sum();
            self.threat[area.at()] = threat + self.power[enemy.index()][area.at()];
            let facing = game.land().neighbours(area).intersects(&enemies) || enemies.contains(area);
            self.front.set(area, facing && state.held(team).contains(area));
            threatened.set(area, facing);
        }
        self.look_home(outlook);
        let border = Survey::border(outlook, &hostile);
        for area in border.difference(&self.front) {
            self.threat[area.at()] = self.threat[area.at()].max(EXPECTED);
        }
        self.front = self.front.or(&border);
        if state.phase == Phase::Deployment {
            self.expect(map, outlook, &threatened);
        }
        self.look_behind(map, outlook);
        self.decisive_front = self.front.and(&map.decisive);
        self.look_for_refuge(map, outlook);
        self.look_at_last_posts(map, outlook);
        self.look_at_reserves(map, outlook);
        self.look_to_sea(map, outlook);
        self.look_at_rear(map, outlook);
        self.draw(map, outlook);
    }

    /// To home ground the enemy's armour comes from further off too.
    fn look_home(&mut self, outlook: &Outlook<'_>) {
        let &Outlook { game, state, team, weights, .. } = outlook;
        self.home = game.areas().filter(|area| {
            let country = game.country_of(area);
            country.home && country.kind == CountryKind::Major && state.team(country.owner) == Some(team)
        });
        if weights.home <= 0.0 {
            return;
        }
        let enemy = team.other();
        for area in self.front.and(&self.home) {
            let near = game.land().neighbours(area).or(&Areas::one(area));
            let far = game.land().within_open(Areas::one(area), ARMOUR, state.held(enemy)).difference(&near);
            let power = |from: Area| {
                let army = self.army(enemy, from);
                Army { steps: [0.0, army.steps[1]], ..Army::default() }.power()
            };
            self.threat[area.at()] += far.iter().map(power).sum::<f32>();
        }
    }

    /// The border of the USSR that is not at war yet, where the enemy may come through the land beyond it.
    fn border(outlook: &Outlook<'_>, hostile: &Areas) -> Areas {
        let &Outlook { game, state, .. } = outlook;
        if !outlook.is_soviet_peace() {
            return Areas::EMPTY;
        }
        let own = game.areas().filter(|area| state.controller(area) == Some(Nation::SovietUnion));
        let beyond = game.areas().difference(&own);
        let comes = game.land().within_open(*hostile, MARCH, &beyond).or(hostile);
        own.filter(|area| game.land().neighbours(area).intersects(&comes))
    }

    /// Ground that decides the game is guarded before the enemy stands next door: he may break through to it (5.42).
    fn look_behind(&mut self, map: &MapTables, outlook: &Outlook<'_>) {
        let &Outlook { state, team, weights, .. } = outlook;
        self.keys = Areas::EMPTY;
        if weights.stand <= 0.0 {
            return;
        }
        let foes = self.armies_of(state, team.other());
        let comes = |area: Area| map.within(area, NEAR).intersects(&foes);
        self.keys = map.decisive.and(state.held(team)).difference(&self.front).filter(comes);
        for area in self.keys {
            self.threat[area.at()] = self.threat[area.at()].max(EXPECTED);
        }
    }

    /// Areas in which land units of a team stand.
    fn armies_of(&self, state: &State, team: Team) -> Areas {
        state.manned(team).filter(|area| self.army(team, area).land() > 0.0)
    }

    /// A Major Power that falls with several areas together stands while it holds one of them (10.4): the one that is furthest from the
    /// enemy, before others a source of supply, for there nobody starves.
    fn look_for_refuge(&mut self, map: &MapTables, outlook: &Outlook<'_>) {
        let &Outlook { game, state, team, weights, .. } = outlook;
        (self.refuges, self.refuge) = (Areas::EMPTY, 0.0);
        if weights.refuge <= 0.0 {
            return;
        }
        let foes = self.armies_of(state, team.other());
        // Who deploys later may come from anywhere in his land.
        let foes = if state.phase == Phase::Deployment { foes.or(&self.hostile) } else { foes };
        for &(nation, areas) in &map.together {
            if state.team(nation) != Some(team) {
                continue;
            }
            let near = |area: Area, steps: u32| map.within(area, steps).intersects(&foes);
            let distance = |area: Area| (0..AWAY).take_while(|steps| !near(area, *steps)).count() as f32;
            let safety = |area: Area| {
                let far = distance(area);
                let source = game.rules.areas[area.at()].source_of.is_some();
                far + if source { 0.5 } else { 0.0 }
            };
            let held = areas.and(state.held(team));
            // Where nobody fights for it yet, if there is a choice.
            let quiet = held.difference(&state.disputed());
            let held = if quiet.is_empty() { held } else { quiet };
            let mut best: Option<(Area, f32)> = None;
            for area in held {
                let safety = safety(area);
                if best.is_none_or(|(_, known)| safety > known) {
                    best = Some((area, safety));
                }
            }
            if let Some((area, _)) = best {
                self.refuges.insert(area);
                // All of the army when the enemy can be there in a turn or two, nothing while he is far off.
                let share = ((AWAY as f32 - distance(area)) / (AWAY - NEAR) as f32).clamp(0.0, 1.0);
                self.refuge = self.refuge.max(share * weights.refuge);
            }
        }
        self.keys = self.keys.or(&self.refuges.difference(&self.front));
    }

    /// Areas that are missing for the victory in the last turn.
    pub fn missing(&self) -> &Areas {
        &self.missing
    }

    /// Whether an area is missing for the victory in the last turn.
    pub fn is_missing(&self, area: Area) -> bool {
        self.missing.contains(area)
    }

    /// The least probability of clearing an area for which it is attacked: any, where it is missing for the victory at the end.
    pub fn least_odds(&self, area: Area, weights: &Weights) -> f32 {
        if self.missing.contains(area) { weights.odds.min(MIN_ODDS_LAST_TURN) } else { weights.odds }
    }

    /// Who moves first in the last turn leaves nothing that counts to whoever walks in after him (16.1).
    fn look_at_last_posts(&mut self, map: &MapTables, outlook: &Outlook<'_>) {
        let &Outlook { state, team, .. } = outlook;
        self.last_posts = Areas::EMPTY;
        if map.needed.is_none() || outlook.turns_left() > 0 || team == Team::Second {
            return;
        }
        let foes = self.armies_of(state, team.other());
        let near = |area: Area| map.within(area, ARMOUR).intersects(&foes);
        self.last_posts = map.aims.and(state.held(team)).filter(near);
        self.keys = self.keys.or(&self.last_posts.difference(&self.front));
    }

    /// Who may join the enemy in a battle for a Special Action: a block from each area next to it that is not fought over (7.6), all of one
    /// power.
    fn look_at_reserves(&mut self, map: &MapTables, outlook: &Outlook<'_>) {
        let &Outlook { game, state, team, weights, .. } = outlook;
        let enemy = team.other();
        self.reserves = 0;
        *self.reserve = [Army::default(); MAX_AREAS];
        let quiet = state.held(enemy).difference(&state.disputed());
        let land = state.on_map_of(enemy).filter(|unit| !game.is_air(unit));
        for nation in Nation::members(state.nations(enemy)).filter(|nation| outlook.is_foe(*nation)) {
            let actions = u32::from(state.power(nation).special_actions);
            if weights.reserve <= 0.0 || actions == 0 {
                continue;
            }
            self.reserves += actions;
            // A power pays for its own units and those attached to it (10.5); who only defends enters no battle (16.12).
            let mut waiting = [Army::default(); MAX_AREAS];
            for unit in game.attached(state, nation).and(&land) {
                let at = state.location(unit);
                if quiet.contains(at) && !game.defends_only(game.nation(unit)) {
                    self.seen.add(&mut waiting[at.at()], (game, state), unit);
                }
            }
            let mut brings = [Army::default(); MAX_AREAS];
            for area in quiet.filter(|area| waiting[area.at()].blocks > 0.0) {
                let average = waiting[area.at()].average();
                for near in &map.neighbours[area.at()] {
                    brings[near.at()].add_part(&average, weights.reserve);
                }
            }
            // In an area it is the power that has most to bring.
            for area in game.areas() {
                if brings[area.at()].power() > self.reserve[area.at()].power() {
                    self.reserve[area.at()] = brings[area.at()];
                }
            }
        }
    }

    /// The enemy's army in an area, with who is reckoned to join it in one of so many battles.
    pub fn defender(&self, team: Team, area: Area, battles: u32) -> Army {
        let mut army = self.army(team, area);
        if battles < self.reserves && army.land() > 0.0 {
            army.add_part(&self.reserve[area.at()], 1.0);
        }
        army
    }

    /// What the enemy who deploys later may bring next door: he masses before ground that decides the game.
    fn expect(&mut self, map: &MapTables, outlook: &Outlook<'_>, threatened: &Areas) {
        let &Outlook { game, state, team, weights, .. } = outlook;
        let waiting = state.at(Area::WAITING);
        let waiting = waiting.filter(|unit| game.team_of(state, unit) == Some(team.other())).len() as f32;
        for area in *threatened {
            let massed = if map.decisive.contains(area) { weights.massed * COUNTER * waiting } else { 0.0 };
            self.threat[area.at()] = self.threat[area.at()].max(EXPECTED).max(massed);
        }
    }

    /// What the enemy could land where: as many as his ships carry and the beach takes, who are like those in his ports. He may build
    /// them there or bring them by rail before he sails, so that empty ports reassure nobody.
    fn look_to_sea(&mut self, map: &MapTables, outlook: &Outlook<'_>) {
        let &Outlook { game, state, team, .. } = outlook;
        self.at_sea = [0.0; MAX_AREAS];
        let enemy = team.other();
        for (at, (ports, beaches)) in map.ports.iter().zip(&map.beaches).enumerate() {
            let points = state.fleet_points(enemy, Sea::nth(at));
            if points == 0 {
                continue;
            }
            let open = ports.and(state.held(enemy)).and(&self.hostile);
            if open.is_empty() {
                continue;
            }
            let carried = f32::from(points * game.rules.naval.carried);
            let (mut blocks, mut power) = (0.0, 0.0);
            for port in open {
                let army = self.army(enemy, port);
                blocks += army.blocks;
                power += army.land();
            }
            let each = larger(power / larger(blocks, 1.0), COUNTER);
            for beach in beaches.and(state.held(team)) {
                let landed = carried.min(f32::from(game.rules.areas[beach.at()].beaches[at]));
                self.at_sea[beach.at()] = self.at_sea[beach.at()].max(landed * each);
            }
        }
    }

    /// Who is where, as far as a team can tell.
    fn count(&mut self, outlook: &Outlook<'_>) {
        let &Outlook { game, state, team, .. } = outlook;
        let armies = &mut self.armies[team.other().index()];
        for area in game.areas() {
            armies[area.at()] = Army::default();
        }
        let enemies = state.on_map_of(team.other());
        let hidden = enemies.difference(&game.shown_blocks(state)).filter(|unit| !game.is_air(unit));
        let mut unknown = [Army::default(); NATIONS];
        for unit in hidden {
            unknown[game.nation(unit).index()].add(game, state, unit);
        }
        self.seen = Seen { hidden, average: unknown.map(|army| army.average()) };
        self.blocks = [0.0; NATIONS];
        for unit in state.on_map() {
            self.blocks[game.nation(unit).index()] += 1.0;
        }
        self.count_own(outlook);
        let armies = &mut self.armies[team.other().index()];
        let foes = Nation::ALL.map(|nation| outlook.is_foe(nation));
        for unit in enemies.filter(|unit| foes[game.nation(unit).index()]) {
            self.seen.add(&mut armies[state.location(unit).at()], (game, state), unit);
        }
    }

    /// Counts the own armies anew.
    pub fn count_own(&mut self, outlook: &Outlook<'_>) {
        let &Outlook { game, state, team, .. } = outlook;
        let armies = &mut self.armies[team.index()];
        for area in game.areas() {
            armies[area.at()] = Army::default();
        }
        for unit in state.on_map_of(team) {
            armies[state.location(unit).at()].add(game, state, unit);
        }
    }

    /// The army of a team in an area.
    pub fn army(&self, team: Team, area: Area) -> Army {
        self.armies[team.index()][area.at()]
    }

    /// Ground is worth what it is and a share of what lies behind it: to who takes it, and to who holds it.
    fn value_ground(&mut self, map: &MapTables, outlook: &Outlook<'_>) {
        let &Outlook { game, state, team, weights, objective } = outlook;
        let mut worth = [0.0f32; MAX_AREAS];
        worth[..map.worth.len()].copy_from_slice(&map.worth);
        for &(nation, capital) in &map.capitals {
            if game.standing(state, nation) == Standing::Belligerent {
                worth[capital.at()] += weights.surrender * self.blocks[nation.index()];
            }
        }
        self.missing = Areas::EMPTY;
        let (mut drive, mut cover) = (weights.drive, weights.cover);
        if let Some(needed) = map.needed.filter(|_| outlook.turns_left() == 0) {
            // At the end nothing else counts, and the less is missing the more.
            (drive, cover) = (0.0, 0.0);
            let short = needed[team.index()].saturating_sub(state.held(team).and(&map.aims).len());
            let urgent = 1.0 + URGENT / short.max(1) as f32;
            if short > 0 {
                self.missing = map.aims.difference(state.held(team));
            }
            for area in game.areas() {
                worth[area.at()] *= if map.aims.contains(area) { urgent } else { IDLE };
            }
        }
        // Where areas decide the first team needs all of them.
        if map.needed.is_some() && outlook.turns_left() == 1 && team == Team::First {
            // It moves first and has this turn and the last to come: it loses no time on the way.
            drive *= LATE_DRIVE;
            for area in game.areas() {
                worth[area.at()] *= if map.aims.contains(area) { PRESSING } else { ASIDE };
            }
        }
        if let Some(objective) = objective {
            worth[objective.at()] = worth_of_objective(worth[objective.at()], OBJECTIVE);
        }
        let held = *state.held(team);
        let shares = [(weights.prize, drive), (weights.keep, cover)];
        let land = Land { hostile: self.hostile, held, worth, shares };
        if self.valued.0.as_ref() != Some(&land) {
            for area in game.areas() {
                self.prize[area.at()] = weights.prize * worth[area.at()];
                self.valued.1[area.at()] = weights.keep * worth[area.at()];
            }
            for (of, (factor, share), value) in
                [(&land.hostile, shares[0], &mut self.prize), (&land.held, shares[1], &mut self.valued.1)]
            {
                add_behind(map, of, &worth, factor * share, value);
            }
            self.valued.0 = Some(land);
        }
        self.stake = self.valued.1;
    }

    /// Where power is wanted: at the front for what is behind it, and from the rear towards it.
    fn draw(&mut self, map: &MapTables, outlook: &Outlook<'_>) {
        let &Outlook { game, state, team, weights, .. } = outlook;
        let held = *state.held(team);
        for area in game.areas() {
            self.pull[area.at()] = 0.0;
        }
        let coast = held.filter(|area| self.at_sea[area.at()] > 0.0);
        self.posts = self.front.or(&self.keys).or(&coast).or(&state.disputed());
        self.second = Areas::EMPTY;
        if weights.depth > 0.0 {
            let outer = self.front.or(&coast);
            let behind = |area: &Area| game.land().neighbours(*area).intersects(&outer);
            self.second = held.difference(&self.posts).filter(|area| behind(&area));
        }
        // Home ground that is fought over is to be won from next door: nobody goes by rail into a battle.
        let contested = state.disputed().and(&held).and(&self.home);
        for area in self.posts {
            let threat = weights.fear * self.threat[area.at()] + self.coast_guard(area, weights);
            self.need[area.at()] = WATCH + threat;
            if self.refuges.contains(area) {
                self.need[area.at()] = self.need[area.at()].max(self.refuge);
            }
            if self.last_posts.contains(area) {
                self.need[area.at()] = self.need[area.at()].max(LINE);
            }
            let near = game.land().neighbours(area);
            let best = |targets: Areas| targets.iter().map(|next| self.prize[next.at()]).fold(0.0, larger);
            let hostile = best(near.and(&self.hostile).difference(&self.front));
            self.gain[area.at()] = hostile.max(weights.contest * best(near.and(&contested)));
            self.room[area.at()] = weights.mass * (self.threat[area.at()] + FEW);
            self.ease[area.at()] = (USUAL / (self.threat[area.at()] + FEW)).min(EASIEST);
            self.pull[area.at()] = self.drawn(area, self.power[team.index()][area.at()], Role::Any);
        }
        for area in self.second {
            // What counts at the end is worth all of it: who lands or breaks through walks into it.
            if !map.aims.contains(area) {
                self.stake[area.at()] *= weights.depth;
            }
            (self.need[area.at()], self.gain[area.at()]) = (LINE, 0.0);
            (self.room[area.at()], self.ease[area.at()]) = (1.0, 1.0);
            self.pull[area.at()] = self.drawn(area, self.power[team.index()][area.at()], Role::Any);
        }
        self.posts = self.posts.or(&self.second);
        if outlook.watchers_to_spare().is_some_and(|spare| spare < 0) {
            // The USSR keeps the pact while it is watched (9.25).
            for area in game.rules.politics.poland_garrison_areas.and(&held) {
                let there = game.land_units_at(state, team, area).len() as f32;
                self.pull[area.at()] = self.pull[area.at()].max(WATCHED - 2.0 * there);
            }
        }
        if team == Team::Second {
            self.draw_to_ports(map, game, state);
        }
        self.spread(map, &held);
    }

    /// The rear feels what draws troops to posts, the less the further off they are.
    fn spread(&mut self, map: &MapTables, held: &Areas) {
        // Nobody is drawn through what is not held.
        let mut pull = [0.0; MAX_AREAS];
        for area in *held {
            pull[area.at()] = self.pull[area.at()];
        }
        let rear = held.difference(&self.front);
        for _ in 0..FIELD {
            let mut grown = false;
            for area in rear {
                let near = map.neighbours[area.at()].iter().map(|next| pull[next.at()]);
                let drawn = FADING * near.fold(0.0, larger);
                if drawn > pull[area.at()] {
                    (pull[area.at()], grown) = (drawn, true);
                }
            }
            if !grown {
                break;
            }
        }
        for area in rear {
            self.pull[area.at()] = pull[area.at()];
        }
    }

    /// Ports from which a hostile beach can be invaded draw who is to go on board, until as many wait in them as the ships carry.
    fn draw_to_ports(&mut self, map: &MapTables, game: &EuropeEngulfed, state: &State) {
        for (at, (ports, beaches)) in map.ports.iter().zip(&map.beaches).enumerate() {
            let points = state.ready_points(Team::Second, Sea::nth(at));
            if points == 0 {
                continue;
            }
            let ports = ports.and(state.held(Team::Second));
            let waiting =
                ports.iter().map(|port| (port, game.land_units_at(state, Team::Second, port).len()));
            let carried = u32::from(points) * u32::from(game.rules.naval.carried);
            if waiting.clone().map(|(_, blocks)| blocks).sum::<u32>() >= carried.min(LANDING) {
                continue;
            }
            let beaches = self.hostile.and(beaches);
            let best = beaches.iter().map(|area| self.prize[area.at()]).fold(0.0, larger);
            for (port, blocks) in waiting {
                let drawn = EMBARKING * best - 0.5 * blocks as f32;
                self.pull[port.at()] = self.pull[port.at()].max(drawn);
            }
        }
    }

    /// How near the front is to where air units wait: over land, and over the links of the air.
    fn look_at_rear(&mut self, map: &MapTables, outlook: &Outlook<'_>) {
        let &Outlook { game, state, team, weights, .. } = outlook;
        self.nearness = [weights.forward.powi(FIELD as i32); MAX_AREAS];
        let (mut reached, mut ring, mut share) = (self.front, self.front.or(&self.hostile), 1.0);
        for _ in 0..FIELD {
            share *= weights.forward;
            let mut next = Areas::EMPTY;
            for area in ring {
                next = next.or(game.land().neighbours(area)).or(&map.links[area.at()]);
            }
            ring = next.and(state.held(team)).difference(&reached);
            for area in ring {
                self.nearness[area.at()] = share;
            }
            reached = reached.or(&ring);
        }
    }

    /// What draws more power into an area of the front where there is so much: what is missing to hold it, and the less of what is
    /// to be taken from it, the more are there to take it.
    pub fn drawn(&self, area: Area, own: f32, role: Role) -> f32 {
        let at = area.at();
        let [to_hold, to_take] = role.shares();
        to_hold * self.stake[at] * (1.0 - own / self.need[at]).max(0.0)
            + to_take * self.gain[at] * self.ease[at] * (1.0 - own / self.room[at])
    }

    /// How good a base an own area is for one more air unit beside so many: where the enemy comes, but does not come in, for then they are
    /// lost; behind the front they wait.
    pub fn airfield(&self, area: Area, own: f32, there: f32) -> f32 {
        let threat = self.threat[area.at()];
        if !self.front.contains(area) {
            return AIRFIELD * self.nearness[area.at()] / (1.0 + there);
        }
        let holds = own / (own + threat + 1.0);
        threat * holds.powi(4) / (1.0 + there)
    }

    /// Whether so much power is too little to hold an area against what threatens it.
    pub fn is_lost(&self, area: Area, own: f32) -> bool {
        self.threat[area.at()] > LOST * (own + 1.0)
    }

    /// Power of the enemy around an area of his: who takes it meets it.
    fn around(&self, outlook: &Outlook<'_>, area: Area) -> f32 {
        let last = outlook.turns_left() == 0 && outlook.team == Team::Second;
        let there = self.army(outlook.team.other(), area).power();
        if last { 0.0 } else { (self.threat[area.at()] - there).max(0.0) }
    }

    /// What an attack on an area is for: in the Combat Phase, where the first round is free, or for so many Special Actions of who pays
    /// for every one. Where it wins the game all of them go into more rounds; no more can be fought in the last turn anywhere.
    pub fn attack_value(&self, outlook: &Outlook<'_>, area: Area, paid: Option<u8>) -> AttackValue {
        let most = paid.map_or(1 + self.in_hand, u32::from);
        let rounds = if self.missing.contains(area) {
            most
        } else if outlook.turns_left() == 0 {
            most.min(ROUNDS)
        } else {
            ROUNDS
        };
        AttackValue { prize: self.prize[area.at()], around: self.around(outlook, area), rounds }
    }

    /// Share of a threat to an area that is met whatever else there is to do.
    pub fn guarded(map: &MapTables, area: Area, weights: &Weights) -> f32 {
        let share = weights.hold * (map.worth[area.at()] / 5.0).clamp(0.3, 1.0);
        if map.decisive.contains(area) { share.max(weights.stand) } else { share }
    }

    /// Whether so much of its power may leave an area for anything but an attack: home ground at the front or the coast, and what decides
    /// the game, keep enough against who can reach it.
    pub fn lets_go(&self, outlook: &Outlook<'_>, from: Area, (own, leaves): (f32, f32)) -> bool {
        let home = if self.front.and(&self.home).contains(from) { outlook.weights.home } else { 0.0 };
        let share = if self.decisive_front.contains(from) { home.max(HELD) } else { home };
        let left = own - leaves;
        (share <= 0.0 || left >= share * self.threat[from.at()])
            && (!self.home.contains(from) || left >= self.coast_guard(from, outlook.weights))
    }

    /// Power that is wanted on a coast against who could land there: on home ground all that meets him on equal terms.
    fn coast_guard(&self, area: Area, weights: &Weights) -> f32 {
        let share = if self.home.contains(area) { weights.coast.max(HOME_COAST) } else { weights.coast };
        share * self.at_sea[area.at()]
    }

    /// Power of the guard of an area that is set free when so much of what threatens it is attacked.
    pub fn released(&self, map: &MapTables, area: Area, weights: &Weights, attacked: f32) -> f32 {
        if !self.front.contains(area) || self.is_kept(area) {
            return 0.0;
        }
        let threat = self.threat[area.at()];
        let left = (threat - attacked).max(0.0);
        let freed =
            WATCH.min(threat) - WATCH.min(left) + Survey::guarded(map, area, weights) * (threat - left);
        if self.is_coast_watched(map, area) {
            freed.min(self.guard(map, area, weights) - LAST)
        } else {
            freed
        }
    }

    /// Whether ground is held to the end.
    pub fn is_kept(&self, area: Area) -> bool {
        self.last_posts.or(&self.refuges).contains(area)
    }

    /// Whether the enemy can land in an own area that counts: somebody stays there.
    pub fn is_coast_watched(&self, map: &MapTables, area: Area) -> bool {
        self.at_sea[area.at()] > 0.0 && map.worth[area.at()] >= COUNTS
    }

    /// Power that must stay in an area whatever else there is to do.
    pub fn guard(&self, map: &MapTables, area: Area, weights: &Weights) -> f32 {
        if self.second.contains(area) {
            return WATCH;
        }
        let mut guard = if self.posts.contains(area) { self.coast_guard(area, weights) } else { 0.0 };
        if self.front.or(&self.keys).contains(area) {
            let threat = self.threat[area.at()];
            guard += WATCH.min(threat) + Survey::guarded(map, area, weights) * threat;
        }
        if self.last_posts.contains(area) || self.is_coast_watched(map, area) {
            guard = guard.max(LAST);
        }
        if self.refuges.contains(area) {
            guard = guard.max(self.refuge);
        }
        guard
    }
}

/// The larger of two, neither of which is undefined.
#[inline]
fn larger(one: f32, other: f32) -> f32 {
    if other > one { other } else { one }
}

/// Adds to the value of each area of a land a share of the best that lies behind it in that land.
fn add_behind(
    map: &MapTables,
    land: &Areas,
    worth: &[f32; MAX_AREAS],
    share: f32,
    value: &mut [f32; MAX_AREAS],
) {
    let mut behind = [0.0f32; MAX_AREAS];
    let mut best = [0.0f32; MAX_AREAS];
    for area in *land {
        best[area.at()] = worth[area.at()];
    }
    for _ in 0..SIGHT {
        for area in *land {
            let near = map.neighbours[area.at()].iter().map(|next| best[next.at()]);
            behind[area.at()] = FADING * near.fold(0.0, larger);
        }
        for area in *land {
            best[area.at()] = larger(worth[area.at()], behind[area.at()]);
        }
    }
    for area in *land {
        value[area.at()] += share * behind[area.at()];
    }
}

/// Special Actions of the power of a team that has most: a bound on the rounds that can be paid for in one battle, for one power pays for
/// its own units alone (10.5), whoever stands there.
fn in_hand(state: &State, team: Team) -> u32 {
    let actions = |nation| u32::from(state.power(nation).special_actions);
    Nation::members(state.nations(team)).map(actions).max().unwrap_or(0)
}
