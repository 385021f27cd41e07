//! The plan of an Operations Sequence: which hexes are attacked from where, who else goes where. Made before the sequence is
//! chosen, to see what it would bring, and when units begin to move, to be carried out.

use sandtable_ai::policy::best_action;
use sandtable_core::{Board, Direction, Hex, Index};
use sandtable_roads_to_moscow::ids::{Air, Formations, Hexes, MAX_UNITS, Markers, Units, place};
use sandtable_roads_to_moscow::phase::Sequence;
use sandtable_roads_to_moscow::rules::{Water, Weather};
use sandtable_roads_to_moscow::state::is_hex;
use sandtable_roads_to_moscow::tables::HEXES;
use sandtable_roads_to_moscow::{Action, Mark, Player, RoadsToMoscow, State, UnitId};

use super::assault::{Force, Prospect, Scene};
use super::map_tables::{MapTables, POINT};
use super::posts::{Crowd, Stack};
use super::reach::{GROUPS, Group, Path, Reaches, ready};
use super::survey::{NEAR, Prey, SAFE, Survey, View};
use super::weights::Weights;

/// Most orders of a plan, and most attacks.
const ORDERS: usize = 96;
const ATTACKS: usize = 8;
/// Most errands of a plan.
const ERRANDS: usize = 3;
/// What each sequence that an errand takes makes less of its worth, as a share of the points; what it costs: in steps for each
/// sequence in which others miss who goes, and of his own worth, for he goes alone.
const FADES: f32 = 0.05;
const AWAY: f32 = 0.5;
const ALONE: f32 = 1.5;
/// Half points that an errand goes around a hex where who goes would lose all he is worth, for each step of it.
const AROUND_DANGER: f32 = 8.0;
/// What is sure of the worth of an errand.
const SURE: f32 = 0.3;
/// Most hexes of the enemy that are looked at as targets.
const TARGETS: usize = 64;
/// Stacking points of troops that march together: of who attacks, of who holds a line.
const COLUMN: [u8; 2] = [9, 6];
/// Offence that is called against enemies on a road of supply, as a multiple of their defence.
const CALLED: f32 = 4.0;
/// What an overrun must promise beyond an attack: those who fail stand where the enemy wants them.
const OVERRUN: f32 = 0.2;

/// Units that go to a hex.
#[derive(Clone, Copy, Debug)]
struct Order {
    units: Units,
    group: u8,
    to: Hex,
    /// The hex that they overrun from there.
    over: Option<Hex>,
    done: bool,
}

/// An overrun that could be ordered: who, what it promises, from where, on what.
#[derive(Clone, Copy, Debug)]
struct Overrun {
    units: Units,
    value: f32,
    from: Hex,
    target: Hex,
}

const NO_ORDER: Order = Order { units: Units::EMPTY, group: 0, to: place::OUT, over: None, done: true };

/// Guns and headquarters: they keep behind the troops.
fn behind(game: &RoadsToMoscow) -> Units {
    game.sets().artillery.or(&game.sets().headquarters)
}

/// Which sequence a plan is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Key {
    turn: u8,
    player: Player,
    played: Markers,
    sequence: Sequence,
}

impl Key {
    pub fn of(state: &State) -> Key {
        Key { turn: state.turn, player: state.active, played: state.played, sequence: state.sequence }
    }
}

/// What a plan depends on besides what [`Survey::is_of`] compares: places, losses, supply, zones, works, weather.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Subject {
    player: Player,
    sequence: Sequence,
    fuelled: bool,
    actors: Units,
    /// Who may enter the map, winter.
    turn: u8,
    /// Who may act, how far, with what efficiency.
    marks: [Units; 6],
    reserve: Formations,
    /// Who may help an attack from the air, who will not retreat.
    ready: Air,
    no_retreat: Hexes,
}

impl Subject {
    fn of(brief: &Brief<'_>) -> Subject {
        let state = brief.state;
        let there = state.on_map.or(&state.units_at_place(place::AWAITING));
        Subject {
            player: brief.player,
            sequence: brief.sequence,
            fuelled: brief.fuelled,
            actors: brief.actors.and(&there),
            turn: state.turn,
            marks: [
                Mark::Moved,
                Mark::Fired,
                Mark::Disorganised,
                Mark::LowFuel,
                Mark::Fuelled,
                Mark::Attacking,
            ]
            .map(|mark| *state.marked(mark)),
            reserve: state.reserve,
            ready: state.ready,
            no_retreat: state.no_retreat,
        }
    }
}

/// Who plans, and for what.
#[derive(Clone, Copy)]
pub(super) struct Brief<'a> {
    pub game: &'a RoadsToMoscow,
    pub tables: &'a MapTables,
    pub weights: &'a Weights,
    pub state: &'a State,
    pub player: Player,
    pub sequence: Sequence,
    /// Units that take part.
    pub actors: &'a Units,
    /// Whether motorised units have fuel.
    pub fuelled: bool,
    /// Whether the player goes forward rather than hold: [`Weights::goes_forward`].
    pub attacks: bool,
    /// Whether he looks less closely: not where the enemy turns when his way is barred.
    pub light: bool,
}

/// The planner of a player.
#[derive(Clone, Debug)]
pub(super) struct Planner {
    pub survey: Survey,
    reaches: Reaches,
    crowd: Crowd,
    /// Half points that each unit would have in the sequence.
    allowance: [u8; MAX_UNITS],
    /// Where each unit will be.
    will: [Hex; MAX_UNITS],
    /// Those who stay in objectives that the enemy could take behind them.
    garrisons: Units,
    /// Defence of those who stay or attack, by hex; nothing between two plans.
    held: Vec<f32>,
    orders: [Order; ORDERS],
    count: usize,
    targets: [Hex; ATTACKS],
    attacks: usize,
    /// What the orders at hand are for, and what they are expected to bring.
    made: Option<(Subject, f32)>,
    key: Option<Key>,
    current: Option<usize>,
    path: Path,
    /// The force chosen for a declared attack.
    pub chosen: (Hex, Units),
    /// What guns, headquarters and others behind the troops gain by the plan, if it was made for them too.
    pub rear_gain: f32,
}

impl Planner {
    pub fn new() -> Planner {
        Planner {
            survey: Survey::new(),
            reaches: Reaches::new(),
            crowd: Crowd::new(),
            allowance: [0; MAX_UNITS],
            will: [place::OUT; MAX_UNITS],
            garrisons: Units::EMPTY,
            held: vec![0.0; HEXES],
            orders: [NO_ORDER; ORDERS],
            count: 0,
            targets: [place::OUT; ATTACKS],
            attacks: 0,
            made: None,
            key: None,
            current: None,
            path: Path::NONE,
            chosen: (place::OUT, Units::EMPTY),
            rear_gain: 0.0,
        }
    }

    /// Forgets all plans, those that have only been weighed too, and the searches they came from.
    pub fn forget_all(&mut self) {
        self.made = None;
        self.reaches.forget();
        self.forget();
    }

    /// Forgets the plan that is being carried out.
    pub fn forget(&mut self) {
        self.key = None;
        self.current = None;
        self.chosen = (place::OUT, Units::EMPTY);
    }

    pub fn scene<'a>(&'a self, brief: &Brief<'a>) -> Scene<'a> {
        Scene {
            game: brief.game,
            tables: brief.tables,
            survey: &self.survey,
            weights: brief.weights,
            state: brief.state,
            player: brief.player,
            sequence: brief.sequence,
        }
    }

    // ---- carrying it out ----

    /// The next unit to move by the plan, made now if there is none; `None` if all have their places.
    pub fn next(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Option<Action> {
        let key = Key::of(brief.state);
        if self.key != Some(key) {
            self.make(brief, true);
            // Orders that have begun to be carried out are no plan for another time.
            self.made = None;
            self.key = Some(key);
        }
        self.current = None;
        for at in 0..self.count {
            let order = &mut self.orders[at];
            if order.done {
                continue;
            }
            order.done = true;
            let Some(first) = order.units.first() else { continue };
            if legal.contains(&Action::Unit(first)) {
                let (group, to) = (order.group, order.to);
                self.path = self.reaches.groups()[usize::from(group)].path(brief.game, to);
                self.current = Some(at);
                return Some(Action::Unit(first));
            }
        }
        None
    }

    /// The next step of the stack on the move.
    pub fn step(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Option<Action> {
        let state = brief.state;
        let first = state.moving.first()?;
        let from = state.at(first);
        let current = self.current.filter(|_| self.key == Some(Key::of(state)));
        if let Some(at) = current {
            let order = &self.orders[at];
            if !state.under_way {
                for unit in order.units.difference(&state.moving) {
                    if legal.contains(&Action::Join(unit)) {
                        return Some(Action::Join(unit));
                    }
                }
            }
            if let Some(target) = order.over
                && from == order.to
                && legal.contains(&Action::Overrun(target))
            {
                // Whatever comes of it, what others may do is another matter then.
                self.key = None;
                return Some(Action::Overrun(target));
            }
            if from != order.to {
                if let Some(next) = self.path.after(from, !state.under_way)
                    && legal.contains(&Action::Go(next))
                {
                    return Some(Action::Go(next));
                }
                // The way is closed: nearer, if there is another.
                let here = if is_hex(from) { brief.game.distance(from, order.to) } else { u32::MAX };
                let nearer = legal
                    .iter()
                    .filter_map(|&action| match action {
                        Action::Go(hex) if brief.game.distance(hex, order.to) < here => {
                            Some((brief.game.distance(hex, order.to), action))
                        }
                        _ => None,
                    })
                    .min_by_key(|&(distance, _)| distance);
                if let Some((_, action)) = nearer {
                    return Some(action);
                }
            }
        }
        if current.is_none() && state.under_way {
            return self.exploit(brief, legal);
        }
        if legal.contains(&Action::Pass) {
            return Some(Action::Pass);
        }
        legal.iter().copied().find(|action| matches!(action, Action::Go(_)))
    }

    /// A stack that has overrun the enemy overruns the next, or goes a step on to where it is worth more.
    fn exploit(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Option<Action> {
        let Brief { game, tables, weights, state, player, .. } = *brief;
        self.survey.take(game, tables, state, player, weights, View::All);
        let scene = self.scene(brief);
        let units = state.moving;
        let stack = Stack::of(&scene, &units);
        let defence = |hex: Hex| -> f32 {
            let mates = game.combat_units(state, hex, player).difference(&units);
            mates.iter().map(|unit| f32::from(game.defence(state, unit))).sum()
        };
        let from = state.at(units.first()?);
        let here = scene.post(&stack, from, defence(from));
        let worth = |action| match action {
            Action::Pass => 0.05,
            Action::Go(hex) => scene.post(&stack, hex, defence(hex)) - here,
            Action::Overrun(hex) => scene.overrun(hex, &Force::standing(state, &units)).value - weights.gain,
            _ => f32::MIN,
        };
        best_action(legal, worth)
    }

    // ---- making it ----

    /// Makes a plan, unless it is the one made last, and says what it is expected to bring, in steps of infantry. What
    /// guns, headquarters and others do behind the troops counts for nothing in that: only a plan that may be carried out
    /// needs that `rear`, and then [`Planner::rear_gain`] says what they gain.
    pub fn make(&mut self, brief: &Brief<'_>, rear: bool) -> f32 {
        let Brief { game, tables, weights, state, player, .. } = *brief;
        self.forget();
        let subject = Subject::of(brief);
        if let Some((made, value)) = self.made
            && made == subject
            && self.survey.is_of(state, player, weights)
        {
            return value;
        }
        self.count = 0;
        self.attacks = 0;
        self.rear_gain = 0.0;
        self.survey.take(game, tables, state, player, weights, View::All);
        let movers = ready(game, state, brief.actors);
        self.reaches.explore(game, tables, state, player, &movers);
        for unit in game.units_of(player).iter() {
            self.will[unit.at()] = state.at(unit);
        }
        self.take_allowances(brief);
        self.crowd.take(game, state, player);

        // Who has moved may attack where it stands.
        let mut free = movers.or(&brief.actors.and(state.marked(Mark::Moved)).and(&state.on_map));
        // Who stands in an objective asks what comes if he leaves it.
        let objectives = tables.aims.iter().filter(|aim| aim.source.is_none()).map(|aim| aim.hex);
        let objectives: Hexes = objectives.filter(|&hex| state.controller(hex) == player).collect();
        if objectives.intersects(&self.survey.near[NEAR - 1]) {
            let others = state.occupied[player.index()].difference(&objectives);
            self.survey.look_for_raids(game, tables, state, &others, Prey::Objectives);
        } else {
            self.survey.raid.fill(SAFE);
        }
        self.survey.look_for_closed_roads(game, tables, state);
        self.post_garrisons(brief, &movers);
        free = free.difference(&self.garrisons);
        let errands = self.plan_errands(brief, &mut free);
        let mut value = self.plan_overruns(brief, &mut free) + errands;
        free = free.or(&self.garrisons);
        value += self.plan_attacks(brief, &mut free);
        free = free.difference(&self.garrisons);
        self.build_held(brief, &free.and(&movers));
        // Who attacks does not wait for where the enemy turns.
        if !brief.attacks && !brief.light {
            self.survey.retrace(game, tables, state, weights, None);
        }
        value += self.plan_troops(brief, &mut free);
        if rear {
            let troops = game.units_of(player).and(&game.sets().combat).difference(&behind(game));
            let posts = troops.iter().map(|unit| self.will[unit.at()]).filter(|&hex| is_hex(hex)).collect();
            self.survey.look_for_raids(game, tables, state, &posts, Prey::rear(brief.attacks));
            self.plan_rear(brief, &mut free);
        }
        // Others who look at this survey ask for no roads.
        self.survey.forget_closed_roads();
        self.made = rear.then_some((subject, value));
        value
    }

    /// One unit stays in each own objective that the enemy could reach if all left it: the one that attacks least.
    fn post_garrisons(&mut self, brief: &Brief<'_>, movers: &Units) {
        let Brief { game, tables, state, player, .. } = *brief;
        self.garrisons = Units::EMPTY;
        let scene = self.scene(brief);
        let mut garrisons = Units::EMPTY;
        for aim in &tables.aims {
            if scene.garrison(aim.hex) <= 0.0 {
                continue;
            }
            let troops = game.combat_units(state, aim.hex, player).difference(&behind(game));
            if troops.is_empty() || !troops.difference(movers).is_empty() {
                continue;
            }
            let least = troops.iter().min_by_key(|&unit| game.offence(state, unit));
            if let Some(unit) = least {
                garrisons.insert(unit);
            }
        }
        self.garrisons = garrisons;
    }

    /// Who no longer looks for a place, because it attacks, has moved or does not take part, holds the hex where it is or
    /// from which it will attack. `waiting`: those who still look for one.
    fn build_held(&mut self, brief: &Brief<'_>, waiting: &Units) {
        let Brief { game, tables, state, player, .. } = *brief;
        let mut hexes = Hexes::EMPTY;
        for unit in game.units_of(player).and(&game.sets().combat).difference(waiting) {
            let hex = self.will[unit.at()];
            if is_hex(hex) {
                self.held[hex.at()] += f32::from(game.defence(state, unit));
                hexes.insert(hex);
            }
        }
        for hex in hexes {
            let defence = std::mem::take(&mut self.held[hex.at()]);
            if defence > 0.0 {
                self.survey.build(tables, hex, defence);
            }
        }
    }

    /// Finds the half points that each unit would have in the sequence.
    fn take_allowances(&mut self, brief: &Brief<'_>) {
        let Brief { game, state, .. } = *brief;
        let needs = game.rules.fuel.in_force && brief.player == Player::German;
        let motorised = if needs { brief.actors.difference(&game.sets().foot) } else { Units::EMPTY };
        let suffers = state.marked(Mark::LowFuel).or(state.marked(Mark::Unsupplied)).and(&motorised);
        let fed = (brief.fuelled && !suffers.is_empty()).then(|| {
            // Marks of low fuel and no supply do not count against who moves with fuel (6.44c, R5).
            let mut fed = *state;
            suffers.iter().for_each(|unit| fed.mark(unit, Mark::Fuelled));
            fed
        });
        let state = fed.as_ref().unwrap_or(state);
        let halved = brief.sequence == Sequence::Assault;
        for unit in *brief.actors {
            let full = game.allowance(state, unit, halved);
            // Who will be low on fuel, and is not so yet.
            let dries = !brief.fuelled
                && !halved
                && motorised.contains(unit)
                && !game.sets().fuel.contains(unit)
                && !state.has(unit, Mark::Fuelled)
                && !state.has(unit, Mark::LowFuel)
                && !state.has(unit, Mark::Unsupplied);
            self.allowance[unit.at()] = if dries { full / 2 } else { full };
        }
    }

    fn order(&mut self, brief: &Brief<'_>, group: usize, units: Units, to: Hex, over: Option<Hex>) {
        let from = self.reaches.groups()[group].from;
        for unit in units {
            if is_hex(from) {
                self.crowd.go(brief.game, brief.state, unit, from);
            }
            self.crowd.come(brief.game, brief.state, unit, to);
            self.will[unit.at()] = to;
        }
        if self.count < ORDERS {
            self.orders[self.count] = Order { units, group: group as u8, to, over, done: false };
            self.count += 1;
        }
    }

    /// Where units of a group could go instead of staying: hexes within an allowance with room for their stacking points.
    fn elsewhere<'a>(
        &'a self,
        brief: &'a Brief<'_>,
        group: &'a Group,
        points: u8,
        allowance: u8,
    ) -> impl Iterator<Item = Hex> + 'a {
        let Brief { game, state, player, .. } = *brief;
        let limit = game.rules.numbers.stacking;
        group.hexes.iter().copied().filter(move |&hex| {
            hex != group.from
                && group.reaches(hex, allowance)
                && self.crowd.points[hex.at()] + points <= limit
                && !game.is_protected(state, hex, player)
        })
    }

    // ---- errands ----

    /// Light troops that go for objectives of the enemy near which none of his stands, as far as they get in the turns that are
    /// left.
    fn plan_errands(&mut self, brief: &Brief<'_>, free: &mut Units) -> f32 {
        let Brief { game, tables, state, weights, player, .. } = *brief;
        if !brief.attacks {
            return 0.0;
        }
        let light = game.sets().red.and(&game.sets().combat).difference(&behind(game)).and(&state.on_map);
        let left = u16::from(tables.turns + 1 - state.turn.min(tables.turns));
        let mut total = 0.0;
        let mut tried = 0u32;
        for _ in 0..ERRANDS {
            // The errand that promises most, and who is best sent on it.
            let mut best: Option<(f32, usize, usize, UnitId)> = None;
            for (number, aim) in tables.aims.iter().enumerate() {
                if tried >> number & 1 != 0
                    || aim.source.is_some()
                    || state.controller(aim.hex) == player
                    || self.survey.near[2].contains(aim.hex)
                {
                    continue;
                }
                for (at, group) in self.reaches.groups().iter().enumerate() {
                    if !is_hex(group.from) {
                        continue;
                    }
                    let way = tables.ways[group.from.at()][number];
                    for unit in group.units.and(&light).and(free) {
                        if self.allowance[unit.at()] == 0 {
                            continue;
                        }
                        // Once a turn, and nobody marches as planned.
                        let allowance = u16::from(game.allowance(state, unit, false));
                        if way + way / 10 > left * allowance {
                            continue;
                        }
                        let sequences = f32::from((way + way / 10).div_ceil(allowance).max(1));
                        let worth = weights.prize * POINT * aim.points * (1.0 - FADES * sequences)
                            - ALONE * tables.worth(game, state, unit)
                            - AWAY * sequences;
                        if worth > best.map_or(0.0, |(known, ..)| known) {
                            best = Some((worth, number, at, unit));
                        }
                    }
                }
            }
            let Some((worth, number, at, unit)) = best else { break };
            tried |= 1 << number;
            let scene = self.scene(brief);
            let stack = Stack::of(&scene, &Units::one(unit));
            let group = &self.reaches.groups()[at];
            let points = game.unit(unit).stacking;
            let score = |hex: Hex| {
                f32::from(tables.ways[hex.at()][number])
                    + AROUND_DANGER * scene.peril(hex, stack.defence) * stack.worth
            };
            let mut to = (score(group.from), None);
            for hex in self.elsewhere(brief, group, points, self.allowance[unit.at()]) {
                let score = score(hex);
                if score < to.0 {
                    to = (score, Some(hex));
                }
            }
            let Some(to) = to.1 else { continue };
            free.remove(unit);
            total += SURE * worth;
            self.order(brief, at, Units::one(unit), to, None);
        }
        total
    }

    // ---- overruns ----

    /// Stacks that overrun the enemy on their way (8.5): the one that promises most, and again, each hex but once.
    fn plan_overruns(&mut self, brief: &Brief<'_>, free: &mut Units) -> f32 {
        let Brief { state, weights, .. } = *brief;
        if brief.sequence != Sequence::Mobile || state.weather == Weather::Rain {
            return 0.0;
        }
        let mut total = 0.0;
        let mut taken = Hexes::EMPTY;
        let groups = self.reaches.groups().len();
        let mut found = [const { None }; GROUPS];
        for (at, found) in found[..groups].iter_mut().enumerate() {
            *found = self.overrun(brief, at, free, &taken);
        }
        loop {
            let mut best: Option<(usize, Overrun)> = None;
            for (at, found) in found[..groups].iter().enumerate() {
                if let Some(overrun) = found
                    && overrun.value > best.as_ref().map_or(weights.gain + OVERRUN, |(_, best)| best.value)
                {
                    best = Some((at, *overrun));
                }
            }
            let Some((at, Overrun { units, value, from, target })) = best else { break };
            taken.insert(target);
            total += value;
            *free = free.difference(&units);
            self.order(brief, at, units, from, Some(target));
            // The others look again if this is in their way.
            for (other, found) in found[..groups].iter_mut().enumerate() {
                if other == at || found.is_some_and(|other| other.target == target || other.from == from) {
                    *found = self.overrun(brief, other, free, &taken);
                }
            }
        }
        total
    }

    /// Of a group those that could overrun together: red boxes and cavalry in good order, with armour, armoured cars or
    /// cavalry among them, as many as a hex holds (8.52, 8.53).
    fn overrunners(&self, brief: &Brief<'_>, at: usize, free: &Units) -> Option<Units> {
        let Brief { game, state, .. } = *brief;
        let sets = game.sets();
        let group = &self.reaches.groups()[at];
        let unfit = state
            .marked(Mark::Disorganised)
            .or(state.marked(Mark::Unsupplied))
            .or(&sets.headquarters)
            .or(&sets.artillery);
        let able = group.units.and(free).and(&sets.red_or_cavalry).and(&sets.combat).difference(&unfit);
        // Nor without fuel; with it a mark of low fuel does not count (R5).
        let able = if brief.fuelled { able } else { able.and(&sets.foot) };
        if !is_hex(group.from) || !able.intersects(&sets.leads_overrun) {
            return None;
        }
        let mut units = Units::EMPTY;
        let mut points = 0;
        for unit in able.and(&sets.leads_overrun).iter().chain(able.difference(&sets.leads_overrun).iter()) {
            let more = game.unit(unit).stacking;
            if game.offence(state, unit) > 0 && points + more <= game.rules.numbers.stacking {
                units.insert(unit);
                points += more;
            }
        }
        (!units.is_empty()).then_some(units)
    }

    /// The best overrun of a group on a hex that is not `taken` yet.
    fn overrun(&self, brief: &Brief<'_>, at: usize, free: &Units, taken: &Hexes) -> Option<Overrun> {
        let Brief { game, state, player, .. } = *brief;
        let units = self.overrunners(brief, at, free)?;
        let group = &self.reaches.groups()[at];
        let slowest = units.iter().map(|unit| self.allowance[unit.at()]).min()?;
        let points: u8 = units.iter().map(|unit| game.unit(unit).stacking).sum();
        let scene = self.scene(brief);
        let mut moving = None;
        let mut best: Option<Overrun> = None;
        for &from in &group.hexes {
            let own = if from == group.from { points } else { 0 };
            if !self.survey.near[1].contains(from)
                || group.cost(from) > slowest
                || self.crowd.points[from.at()] - own + points > game.rules.numbers.stacking
                || game.is_protected(state, from, player)
            {
                continue;
            }
            // As the rules will ask when the stack stands there.
            let then = moving.get_or_insert_with(|| {
                let mut then = *state;
                (then.moving, then.decider, then.active) = (units, player, player);
                then.sequence = Sequence::Mobile;
                then
            });
            then.movement_left = slowest - group.cost(from);
            for way in Direction::ALL {
                let target = game.neighbour(from, way);
                if !is_hex(target) || taken.contains(target) || game.overrun_price(then, from, way).is_none()
                {
                    continue;
                }
                let mut force = Force::EMPTY;
                units.iter().for_each(|unit| force.add(unit, from));
                let value = scene.overrun(target, &force).value;
                if best.is_none_or(|known| value > known.value) {
                    best = Some(Overrun { units, value, from, target });
                }
            }
        }
        best
    }

    // ---- attacks ----

    fn plan_attacks(&mut self, brief: &Brief<'_>, free: &mut Units) -> f32 {
        let Brief { game, state, player, .. } = *brief;
        let sets = game.sets();
        let fighters = sets.combat.difference(&behind(game));
        let mut guns = brief
            .actors
            .and(&sets.artillery)
            .and(&state.on_map)
            .difference(state.marked(Mark::Fired))
            .difference(state.marked(Mark::Disorganised));
        let mut reached = Hexes::EMPTY;
        for group in self.reaches.groups() {
            if group.units.intersects(&fighters) {
                for &hex in &group.hexes {
                    if state.zoc[player.enemy().index()].contains(hex) || self.survey.near[1].contains(hex) {
                        reached.insert(hex);
                    }
                }
            }
        }
        let targets = game.board().neighbours_of(&reached).and(&state.occupied[player.enemy().index()]);
        let mut found = [const { None }; TARGETS];
        let mut count = 0;
        for (target, found) in targets.iter().zip(&mut found) {
            *found = Some((target, self.attack(brief, target, &free.and(&fighters), &guns)));
            count += 1;
        }
        let found = &mut found[..count];
        let mut total = 0.0;
        while self.attacks < ATTACKS {
            let mut best: Option<(Prospect, Hex, Force)> = None;
            for &(target, attack) in found.iter().flatten() {
                if let Some((prospect, force)) = attack
                    && best.as_ref().is_none_or(|(known, ..)| prospect.value > known.value)
                {
                    best = Some((prospect, target, force));
                }
            }
            let Some((prospect, target, force)) = best else { break };
            total += prospect.value;
            self.targets[self.attacks] = target;
            self.attacks += 1;
            let mut touched = Hexes::EMPTY;
            let spent = *free;
            for &(unit, from) in force.members() {
                if !free.contains(unit) {
                    continue;
                }
                free.remove(unit);
                touched.insert(from);
                if state.at(unit) != from
                    && let Some(group) = self.group_of(unit)
                {
                    self.order(brief, group, Units::one(unit), from, None);
                }
            }
            let spent = spent.difference(free);
            let mut fired = Units::EMPTY;
            // Two batteries at most fire for it.
            for _ in 0..2 {
                let next = guns
                    .iter()
                    .filter(|&unit| self.fires_at(brief, unit, target))
                    .max_by_key(|&unit| game.unit(unit).support);
                if let Some(gun) = next {
                    guns.remove(gun);
                    fired.insert(gun);
                }
            }
            // The others look again if this takes their troops, their room or their guns.
            let able = free.and(&fighters);
            for slot in found.iter_mut() {
                let Some((other, attack)) = *slot else { continue };
                if other == target {
                    *slot = None;
                    continue;
                }
                let Some((_, force)) = attack else { continue };
                let concerned = force
                    .members()
                    .iter()
                    .any(|&(unit, from)| spent.contains(unit) || touched.contains(from))
                    || fired.iter().any(|gun| self.fires_at(brief, gun, other));
                if concerned {
                    *slot = Some((other, self.attack(brief, other, &able, &guns)));
                }
            }
        }
        self.merge_orders();
        total
    }

    /// The best attack on a hex, if it is worth it: who holds ground gives something up when he leaves it; who goes out of
    /// supply may not come back.
    fn attack(
        &self,
        brief: &Brief<'_>,
        target: Hex,
        able: &Units,
        guns: &Units,
    ) -> Option<(Prospect, Force)> {
        let gain = brief.weights.gain;
        let (mut prospect, force) = self.assemble(brief, target, able, guns)?;
        if prospect.value > gain {
            prospect.value -= self.leaves_supply(brief, &force);
            if !brief.attacks {
                prospect.value -= self.leaves_ground(brief, &force);
            }
        }
        (prospect.value > gain).then_some((prospect, force))
    }

    /// What a force risks by attacking from where supply does not reach.
    fn leaves_supply(&self, brief: &Brief<'_>, force: &Force) -> f32 {
        let Brief { game, tables, state, weights, .. } = *brief;
        let out = |&&(unit, from): &&(UnitId, Hex)| {
            state.at(unit) != from && !self.survey.supplies(from, game.sets().foot.contains(unit))
        };
        let worth = |&(unit, _): &(UnitId, Hex)| 0.1 + 0.15 * tables.worth(game, state, unit);
        weights.supply * force.members().iter().filter(out).map(worth).sum::<f32>()
    }

    /// What a force gives up by leaving where it stands.
    fn leaves_ground(&self, brief: &Brief<'_>, force: &Force) -> f32 {
        let scene = self.scene(brief);
        let mut cost = 0.0;
        for &(unit, to) in force.members() {
            let from = brief.state.at(unit);
            if from == to || !is_hex(from) {
                continue;
            }
            let stack = Stack::of(&scene, &Units::one(unit));
            let company = (self.crowd.defence[from.at()] - stack.defence).max(0.0);
            let here = scene.post(&stack, from, company);
            let there = scene.post(&stack, to, self.crowd.defence[to.at()]);
            cost += (here - there + 0.5 * brief.weights.stay).max(0.0);
        }
        cost
    }

    /// Whether a gun could fire at a hex in the sequence, after a march.
    fn fires_at(&self, brief: &Brief<'_>, unit: UnitId, target: Hex) -> bool {
        let Brief { game, state, .. } = *brief;
        let hex = state.at(unit);
        let pinned = state.zoc[brief.player.enemy().index()].contains(hex);
        let allowance = u32::from(self.allowance[unit.at()]);
        let march = if state.has(unit, Mark::Moved) { 0 } else { allowance / 3 };
        let range = u32::from(game.unit(unit).range);
        let distance = game.distance(hex, target);
        distance == 1 || distance <= range + march && (!pinned || march > 0)
    }

    fn group_of(&self, unit: UnitId) -> Option<usize> {
        self.reaches.groups().iter().position(|group| group.units.contains(unit))
    }

    /// Orders of one group to one hex are one march.
    fn merge_orders(&mut self) {
        for at in 0..self.count {
            for other in at + 1..self.count {
                let (a, b) = (self.orders[at], self.orders[other]);
                let marches = a.over.is_none() && b.over.is_none();
                if marches && !a.done && !b.done && a.group == b.group && a.to == b.to {
                    self.orders[at].units = a.units.or(&b.units);
                    self.orders[other].done = true;
                }
            }
        }
    }

    /// The best force against a hex.
    fn assemble(
        &self,
        brief: &Brief<'_>,
        target: Hex,
        able: &Units,
        guns: &Units,
    ) -> Option<(Prospect, Force)> {
        let scene = self.scene(brief);
        let Brief { game, state, player, .. } = *brief;
        // The hexes around, the best first.
        let mut sides = [(0i32, place::OUT, Direction::Ahead); 6];
        let mut count = 0;
        for way in Direction::ALL {
            let from = game.neighbour(target, way);
            if !is_hex(from) || state.occupied[player.enemy().index()].contains(from) {
                continue;
            }
            let across = way.opposite();
            let side = game.side(from, across);
            let line =
                player == Player::German && side.line_ahead && game.is_active_line(state, from, across);
            let mut cost = match side.water {
                Water::River => 6,
                Water::Stream if !side.bridge => 2,
                _ => 0,
            };
            cost += if side.uphill { 2 } else { 0 } + if line { 3 } else { 0 };
            if state.occupied[player.index()].contains(from) {
                cost -= 1;
            }
            sides[count] = (cost, from, across);
            count += 1;
        }
        let sides = &mut sides[..count];
        sides.sort_by_key(|&(cost, hex, _)| (cost, hex));
        let mut help = scene.help(target, guns, |unit| self.fires_at(brief, unit, target));
        help.relief = scene.relief(target);
        let mut best: Option<(Prospect, Force)> = None;
        for spread in [false, true] {
            // One unit goes to the best hex either way.
            if spread && best.as_ref().is_some_and(|(_, force)| force.members().len() < 2) {
                break;
            }
            let force = self.gather(brief, sides, able, spread);
            if force.members().is_empty() {
                return None;
            }
            let prospect = scene.appraise(target, &force, &help);
            if best.as_ref().is_none_or(|(known, _)| prospect.value > known.value) {
                best = Some((prospect, force));
            }
        }
        let (mut prospect, mut force) = best?;
        if prospect.value <= brief.weights.gain {
            return Some((prospect, force));
        }
        // Who adds nothing is free for other tasks.
        let mut at = force.members().len();
        while at > 0 && force.members().len() > 1 {
            at -= 1;
            let less = force.without(at);
            let without = scene.appraise(target, &less, &help);
            if without.value >= prospect.value - 0.02 {
                (prospect, force) = (without, less);
            }
        }
        Some((prospect, force))
    }

    /// Units to the hexes around a target: the best hex first, or `spread` around it.
    fn gather(
        &self,
        brief: &Brief<'_>,
        sides: &[(i32, Hex, Direction)],
        able: &Units,
        spread: bool,
    ) -> Force {
        let Brief { game, state, player, .. } = *brief;
        let limit = game.rules.numbers.stacking;
        let mut force = Force::EMPTY;
        let mut load = [0u8; 6];
        // Who stands there already.
        let joins = |unit: UnitId| {
            able.contains(unit)
                || brief.sequence == Sequence::Assault
                    && !brief.actors.contains(unit)
                    && !state.has(unit, Mark::Attacking)
                    && game.formation(unit).is_some_and(|formation| !state.in_reserve(formation))
        };
        let artillery = &game.sets().artillery;
        let mut placed = Units::EMPTY;
        for &(_, from, across) in sides {
            if !state.occupied[player.index()].contains(from) {
                continue;
            }
            for unit in game.combat_units(state, from, player).difference(artillery) {
                if joins(unit)
                    && self.will[unit.at()] == from
                    && game.offence(state, unit) > 0
                    && !game.is_barred(&Units::one(unit), from, across)
                {
                    force.add(unit, from);
                    placed.insert(unit);
                }
            }
        }
        for group in self.reaches.groups() {
            for unit in group.units.and(able).difference(&placed).difference(&self.garrisons) {
                let allowance = self.allowance[unit.at()];
                let points = game.unit(unit).stacking;
                if game.offence(state, unit) == 0 {
                    continue;
                }
                let mut choice: Option<(i32, usize)> = None;
                for (at, &(cost, from, across)) in sides.iter().enumerate() {
                    if !group.reaches(from, allowance)
                        || self.crowd.points[from.at()] + load[at] + points > limit
                        || game.is_barred(&Units::one(unit), from, across)
                        || game.is_protected(state, from, player)
                    {
                        continue;
                    }
                    let key = cost + if spread { i32::from(load[at]) } else { 0 };
                    if choice.is_none_or(|(known, _)| key < known) {
                        choice = Some((key, at));
                    }
                }
                if let Some((_, at)) = choice {
                    load[at] += points;
                    force.add(unit, sides[at].1);
                }
            }
        }
        force
    }

    // ---- the others ----

    /// Troops that do not attack go where they are worth most.
    fn plan_troops(&mut self, brief: &Brief<'_>, free: &mut Units) -> f32 {
        let Brief { game, state, .. } = *brief;
        let sets = game.sets();
        let troops = sets.combat.difference(&sets.artillery).difference(&sets.headquarters);
        // The foremost first: they make room.
        let mut turn = [(0usize, 0usize); GROUPS];
        let mut count = 0;
        for (at, group) in self.reaches.groups().iter().enumerate() {
            if group.units.intersects(&troops) {
                let far = if is_hex(group.from) { self.survey.enemy_distance(group.from) } else { 99 };
                turn[count] = (far, at);
                count += 1;
            }
        }
        let turn = &mut turn[..count];
        turn.sort_unstable();
        let mut gain = 0.0;
        let blockers = self.survey.blockers;
        let blocked = blockers.iter().fold(0.0, |sum, hex| {
            let units = game.combat_units(state, hex, brief.player.enemy());
            sum + units.iter().map(|unit| f32::from(game.defence(state, unit))).sum::<f32>()
        });
        let mut called = 0.0;
        for &(_, at) in turn.iter() {
            loop {
                let units = self.reaches.groups()[at].units.and(&troops).and(free);
                if units.is_empty() {
                    break;
                }
                let mut column = Units::EMPTY;
                let mut points = 0;
                for unit in units {
                    let more = game.unit(unit).stacking;
                    if column.is_empty() || points + more <= COLUMN[usize::from(brief.attacks)] {
                        column.insert(unit);
                        points += more;
                    }
                }
                *free = free.difference(&column);
                let (to, better) = self.place(brief, at, &column, points);
                if let Some(to) = to {
                    gain += better;
                    self.order(brief, at, column, to, None);
                }
                let hex = to.unwrap_or(self.reaches.groups()[at].from);
                if is_hex(hex) {
                    let defence: f32 = column.iter().map(|unit| f32::from(game.defence(state, unit))).sum();
                    self.survey.build(brief.tables, hex, defence);
                    if to.is_some() && self.survey.closed_road.contains(hex) {
                        self.survey.closed_road = Hexes::EMPTY;
                    }
                    called += self.answers_call(brief, &column, self.reaches.groups()[at].from, hex);
                    if called > CALLED * blocked {
                        self.survey.dismiss();
                    }
                    if !brief.attacks && !brief.light {
                        self.survey.retrace(game, brief.tables, state, brief.weights, Some(hex));
                    }
                }
            }
        }
        gain
    }

    /// Offence of a column that goes, or stays, near enemies on a road of supply.
    fn answers_call(&self, brief: &Brief<'_>, column: &Units, from: Hex, to: Hex) -> f32 {
        let nearer = self.survey.call(to);
        if nearer <= 0.0 || is_hex(from) && nearer < self.survey.call(from) {
            return 0.0;
        }
        column.iter().map(|unit| f32::from(brief.game.offence(brief.state, unit))).sum()
    }

    /// The best place for a column, if it is better than where it stands, and how much better.
    fn place(&self, brief: &Brief<'_>, group: usize, column: &Units, points: u8) -> (Option<Hex>, f32) {
        let scene = self.scene(brief);
        let weights = brief.weights;
        let group = &self.reaches.groups()[group];
        let stack = Stack::of(&scene, column);
        let slowest = column.iter().map(|unit| self.allowance[unit.at()]).min().unwrap_or(0);
        let inside = is_hex(group.from);
        let stays = if inside {
            let company = (self.crowd.defence[group.from.at()] - stack.defence).max(0.0);
            scene.post(&stack, group.from, company) + weights.stay + self.ward(brief, group.from, column)
        } else {
            f32::MIN
        };
        let mut best = (stays, None);
        for hex in self.elsewhere(brief, group, points, slowest) {
            let mut worth = scene.post(&stack, hex, self.crowd.defence[hex.at()])
                - 0.004 * f32::from(group.cost(hex).min(30));
            if self.crowd.troops[hex.at()] <= 0.0 {
                worth += scene.garrison(hex);
            }
            if worth > best.0 {
                best = (worth, Some(hex));
            }
        }
        let gain = if inside { best.0 - stays } else { 0.2 * stack.worth };
        (best.1, gain)
    }

    /// What a column guards where it stands: guns and headquarters that cannot follow it and would be alone.
    fn ward(&self, brief: &Brief<'_>, hex: Hex, column: &Units) -> f32 {
        let Brief { game, state, player, .. } = *brief;
        let own: f32 = column.iter().map(|unit| f32::from(game.defence(state, unit))).sum();
        if self.crowd.troops[hex.at()] > own || self.survey.enemy_distance(hex) > 5 {
            return 0.0;
        }
        let sets = game.sets();
        let rear = sets.artillery.or(&sets.headquarters);
        let left = game.combat_units(state, hex, player).and(&rear).difference(brief.actors);
        0.6 * left.iter().map(|unit| brief.tables.worth(game, state, unit)).sum::<f32>()
    }

    /// Guns into range behind the troops, headquarters near those they lead, leaders to headquarters, fuel behind all.
    fn plan_rear(&mut self, brief: &Brief<'_>, free: &mut Units) {
        let sets = brief.game.sets();
        for part in 0..4 {
            let kind = match part {
                0 => sets.artillery,
                1 => sets.headquarters,
                2 => sets.leaders,
                _ => sets.fuel,
            };
            for at in 0..self.reaches.groups().len() {
                for unit in self.reaches.groups()[at].units.and(&kind).and(free) {
                    free.remove(unit);
                    let (to, gain) = self.rear_place(brief, at, unit, part);
                    if let Some(to) = to {
                        self.rear_gain += gain;
                        self.order(brief, at, Units::one(unit), to, None);
                    }
                }
            }
        }
    }

    /// The best place for who keeps behind the troops, if it is not where it stands, and how much better it is.
    fn rear_place(&self, brief: &Brief<'_>, at: usize, unit: UnitId, part: usize) -> (Option<Hex>, f32) {
        let scene = self.scene(brief);
        let group = &self.reaches.groups()[at];
        let stack = Stack::of(&scene, &Units::one(unit));
        let points = brief.game.unit(unit).stacking;
        let inside = is_hex(group.from);
        let score = |hex: Hex| -> f32 {
            let away = hex != group.from;
            let company = self.crowd.troops[hex.at()];
            let mut score = match part {
                0 => self.gun_place(brief, unit, hex),
                1 => self.staff_place(brief, unit, hex),
                2 => self.leader_place(brief, unit, hex),
                // Fuel on a road feeds all who trace to the road: it need not be near, and should not be.
                _ => {
                    let near = self.survey.enemy_distance(hex);
                    let road = if self.survey.roads.contains(hex) { 2.0 } else { 0.0 };
                    road + 0.005 * self.survey.progress(hex) - 0.15 * 6usize.saturating_sub(near) as f32
                }
            };
            score -=
                brief.weights.care * scene.danger(hex, &stack, company) + scene.out_of_supply(hex, &stack);
            score - if away { 0.05 + 0.004 * f32::from(group.cost(hex).min(30)) } else { 0.0 }
        };
        let stays = if inside { score(group.from) } else { f32::MIN };
        let mut best = (stays, None);
        for hex in self.elsewhere(brief, group, points, self.allowance[unit.at()]) {
            let worth = score(hex);
            if worth > best.0 {
                best = (worth, Some(hex));
            }
        }
        (best.1, if inside { best.0 - stays } else { 0.0 })
    }

    /// Guns: range of what is attacked, and of the enemy.
    fn gun_place(&self, brief: &Brief<'_>, unit: UnitId, hex: Hex) -> f32 {
        let Brief { game, state, weights, .. } = *brief;
        let data = game.unit(unit);
        let (range, support) = (u32::from(data.range), f32::from(data.support));
        let mut score = 0.03 * self.survey.progress(hex) * (weights.pull / 0.12).max(0.3);
        if state.zoc[brief.player.enemy().index()].contains(hex) {
            score -= 1.0;
        } else if !state.has(unit, Mark::Fired) {
            let serves = self.targets[..self.attacks]
                .iter()
                .filter(|&&target| game.distance(hex, target) <= range)
                .count();
            score += 0.35 * support * serves.min(2) as f32;
        }
        let near = self.survey.enemy_distance(hex) as u32;
        // Who supports attacks alone does not wait for the enemy.
        if near <= range && (brief.attacks || !data.support_attack_only) {
            score += 0.15 * support;
            if near + 1 < range {
                score += 0.05 * support;
            }
        }
        score
    }

    /// Headquarters: near the troops of the formation.
    fn staff_place(&self, brief: &Brief<'_>, unit: UnitId, hex: Hex) -> f32 {
        let game = brief.game;
        let range = u32::from(game.rules.numbers.command_range);
        let own = match game.formation(unit) {
            Some(formation) => *game.units_in(formation),
            // The Arko serves the guns of all.
            None => game.sets().artillery.and(game.units_of(brief.player)),
        };
        let mut score = 0.01 * self.survey.progress(hex);
        for other in own {
            let at = self.will[other.at()];
            if other == unit || !is_hex(at) {
                continue;
            }
            let distance = game.distance(hex, at);
            score += if distance <= range { 0.2 } else { -0.02 * (distance - range).min(10) as f32 };
        }
        for &target in &self.targets[..self.attacks] {
            if game.distance(hex, target) <= range {
                score += 0.5;
            }
        }
        score
    }

    /// Leaders: with the headquarters that has most to do.
    fn leader_place(&self, brief: &Brief<'_>, unit: UnitId, hex: Hex) -> f32 {
        let game = brief.game;
        let staffs = game.sets().headquarters.and(game.units_of(brief.player));
        let _ = unit;
        let with = staffs
            .iter()
            .filter(|staff| self.will[staff.at()] == hex && game.formation(*staff).is_some())
            .map(|staff| 1.0 + 0.3 * f32::from(game.unit(staff).command))
            .fold(0.0, f32::max);
        let work = self.targets[..self.attacks]
            .iter()
            .filter(|&&target| game.distance(hex, target) <= u32::from(game.rules.numbers.command_range))
            .count();
        with * (1.5 + work as f32) + 0.01 * self.survey.progress(hex)
    }
}

#[cfg(test)]
mod tests {
    use sandtable_roads_to_moscow::FormationId;
    use sandtable_roads_to_moscow::editor::Editor;
    use sandtable_roads_to_moscow::ids::{AirId, hex, hex_number};

    use super::*;
    use crate::fixture::open;

    /// A game and what a brief of the German points to.
    struct Setting {
        game: RoadsToMoscow,
        tables: MapTables,
        weights: Weights,
    }

    impl Setting {
        fn new(scenario: &str) -> Setting {
            let (game, tables) = open(scenario);
            Setting { game, tables, weights: Weights::of(Player::German, true) }
        }

        fn brief<'a>(&'a self, state: &'a State, sequence: Sequence, fuelled: bool) -> Brief<'a> {
            Brief {
                game: &self.game,
                tables: &self.tables,
                weights: &self.weights,
                state,
                player: Player::German,
                sequence,
                actors: state.marked(Mark::Active),
                fuelled,
                attacks: true,
                light: false,
            }
        }

        fn unit(&self, id: &str) -> UnitId {
            self.game.rules.unit(id).unwrap_or_else(|| panic!("no unit {id}"))
        }

        /// Open ground, and nothing but such and dry sides around it.
        fn open_country(&self) -> Hex {
            let game = &self.game;
            let is_open = |at: Hex| {
                game.map().clear.contains(at)
                    && Direction::ALL.into_iter().all(|way| {
                        let side = game.side(at, way);
                        is_hex(game.neighbour(at, way)) && side.water == Water::None && !side.uphill
                    })
            };
            let around = |at: &Hex| Direction::ALL.into_iter().all(|way| is_open(game.neighbour(*at, way)));
            game.board().places().iter().filter(|&at| is_open(at)).find(around).expect("open country")
        }
    }

    #[test]
    fn who_has_moved_and_does_not_attack_is_a_wall() {
        let setting = Setting::new("mozhaysk");
        let wall = |moved: bool| {
            let mut editor = Editor::new(&setting.game);
            editor.clear().place("g_10pz_I_69", 1010).place("s_32_I_17", 3030);
            editor.activate(&["10Pz"], Sequence::Mobile).mark("g_10pz_I_69", Mark::Moved, moved);
            let state = editor.finish();
            let mut planner = Planner::new();
            planner.make(&setting.brief(&state, Sequence::Mobile, true), false);
            let ends = if moved { hex(1010) } else { planner.will[setting.unit("g_10pz_I_69").at()] };
            let walls = (0..HEXES).filter(|&at| planner.survey.wall[at] > 0).map(Hex::nth);
            (walls.collect::<Hexes>(), ends)
        };
        for moved in [true, false] {
            let (walls, ends) = wall(moved);
            assert_eq!(walls, setting.game.board().neighbours_of(&Hexes::one(ends)).or(&Hexes::one(ends)));
        }
    }

    #[test]
    fn attackers_are_a_wall_where_they_attack_from() {
        let setting = Setting::new("mozhaysk");
        let mut editor = Editor::new(&setting.game);
        editor.clear().place("g_10pz_I_69", 1010).place("g_10pz_II_69", 1010).place("s_32_I_17", 3030);
        let state = editor.activate(&["10Pz"], Sequence::Mobile).finish();
        let brief = setting.brief(&state, Sequence::Mobile, true);
        let [gone, waiting] = ["g_10pz_I_69", "g_10pz_II_69"].map(|id| setting.unit(id));
        let mut planner = Planner::new();
        planner.survey.take(
            &setting.game,
            &setting.tables,
            &state,
            Player::German,
            &setting.weights,
            View::All,
        );
        planner.will = std::array::from_fn(|unit| state.at(UnitId::nth(unit)));
        planner.will[gone.at()] = hex(2020);
        planner.build_held(&brief, &Units::one(waiting));
        assert!(planner.survey.wall[hex(2020).at()] > 0);
        assert_eq!(planner.survey.wall[hex(1010).at()], 0);
        assert!(planner.held.iter().all(|&defence| defence == 0.0));
    }

    #[test]
    fn one_unit_stays_in_an_objective_that_the_enemy_can_reach() {
        let setting = Setting::new("mozhaysk");
        let [first, second] = ["g_10pz_I_69", "g_10pz_II_69"];
        let garrison = |enemy: u16| {
            let mut editor = Editor::new(&setting.game);
            editor.clear().control_all(Player::German).place(first, 3219).place(second, 3219);
            editor.place("s_32_I_17", enemy).activate(&["10Pz"], Sequence::Mobile);
            let state = editor.finish();
            let mut planner = Planner::new();
            planner.make(&setting.brief(&state, Sequence::Mobile, true), true);
            for unit in planner.garrisons {
                assert_eq!(planner.will[unit.at()], hex(3219));
            }
            planner.garrisons.len()
        };
        assert_eq!(garrison(3021), 1);
        assert_eq!(garrison(1001), 0);
    }

    /// Ruza, three points, lies far from every other unit.
    #[test]
    fn light_troops_go_for_objectives_that_nobody_holds() {
        let setting = Setting::new("mozhaysk");
        let light = ["g_10pz_aa90", "g_10pz_I_7"];
        let mut planner = Planner::new();
        let mut goes = |guard: u16, turn: u8, controller: Player| {
            let mut editor = Editor::new(&setting.game);
            editor.clear().turn(turn).control_all(Player::German).control(1104, controller);
            for unit in light {
                editor.place(unit, 2910);
            }
            let state = editor.place("s_32_I_17", guard).activate(&["10Pz"], Sequence::Mobile).finish();
            let brief = setting.brief(&state, Sequence::Mobile, true);
            planner.forget_all();
            // The survey and the searches of a plan; the errands alone, with everybody where he stands.
            planner.make(&brief, false);
            planner.count = 0;
            planner.crowd.take(&setting.game, &state, Player::German);
            let mut free = *brief.actors;
            planner.plan_errands(&brief, &mut free);
            brief.actors.difference(&free)
        };
        let late = setting.tables.turns;
        // The one who is worth least, while nobody is there and it can still get there.
        assert_eq!(goes(4020, 1, Player::Soviet), Units::one(setting.unit(light[0])));
        assert_eq!(goes(1104, 1, Player::Soviet), Units::EMPTY);
        assert_eq!(goes(4020, 1, Player::German), Units::EMPTY);
        assert_eq!(goes(4020, late, Player::Soviet), Units::EMPTY);
    }

    #[test]
    fn who_is_cut_off_goes_for_the_enemy_on_the_road() {
        let setting = Setting::new("road-to-mtsensk");
        let mut editor = Editor::new(&setting.game);
        let troops = ["g_4pz_I_33", "g_4pz_II_33", "g_4pz_I_12", "g_4pz_II_12"];
        editor.clear().control_all(Player::Soviet).control(434, Player::German).control(133, Player::German);
        editor.place("s_5ab_I_201", 730).place("s_4t_I", 3005);
        for unit in troops {
            editor.place(unit, 1326).mark(unit, Mark::Emergency, true);
        }
        let state = editor.activate(&["4Pz"], Sequence::Mobile).finish();
        let mut planner = Planner::new();
        planner.make(&setting.brief(&state, Sequence::Mobile, false), true);
        let away = |at: Hex| setting.game.distance(at, hex(730));
        let ends = troops.map(|unit| away(planner.will[setting.unit(unit).at()]));
        assert!(ends.iter().filter(|&&end| end + 1 < away(hex(1326))).count() >= 2, "{ends:?}");
    }

    #[test]
    fn fuel_and_guns_do_not_drive_past_the_troops() {
        let setting = Setting::new("road-to-mtsensk");
        let mut editor = Editor::new(&setting.game);
        editor.clear().control_all(Player::German).place("g_3pz_I_6", 2417).place("s_4t_I", 2714);
        editor.place("g_fuel_1", 2119).place("g_3pz_I_75", 2119).activate(&["3Pz"], Sequence::Mobile);
        let state = editor.active("g_fuel_1").mark("g_3pz_I_6", Mark::Moved, true).finish();
        let mut planner = Planner::new();
        planner.make(&setting.brief(&state, Sequence::Mobile, true), true);
        let enemy = hex(2714);
        let near = |id: &str| setting.game.distance(planner.will[setting.unit(id).at()], enemy);
        assert!(near("g_fuel_1") > near("g_3pz_I_6"), "fuel at {}", near("g_fuel_1"));
        assert!(planner.survey.roads.contains(planner.will[setting.unit("g_fuel_1").at()]));
        assert!(near("g_3pz_I_75") >= near("g_3pz_I_6"), "a gun at {}", near("g_3pz_I_75"));
    }

    /// 12.0: rockets support attacks alone.
    #[test]
    fn rockets_of_who_holds_do_not_wait_for_the_enemy() {
        let setting = Setting::new("mozhaysk");
        let mut editor = Editor::new(&setting.game);
        editor.clear().place("s_32_I_17", 3219).place("g_nbw_m", 1010).place("g_10pz_I_90", 1010);
        let state = editor.activate(&["10Pz"], Sequence::Mobile).finish();
        let brief = setting.brief(&state, Sequence::Mobile, true);
        let mut planner = Planner::new();
        planner.make(&brief, false);
        let near = hex(3216);
        let drawn = |id: &str| {
            let place = |attacks| planner.gun_place(&Brief { attacks, ..brief }, setting.unit(id), near);
            (place(true), place(false))
        };
        let (attacks, holds) = drawn("g_nbw_m");
        assert!(attacks > holds + 0.5, "{attacks} {holds}");
        let (attacks, holds) = drawn("g_10pz_I_90");
        assert!((attacks - holds).abs() < 1e-6, "{attacks} {holds}");
    }

    #[test]
    fn the_overrun_that_promises_most_comes_first() {
        let setting = Setting::new("mozhaysk");
        let target = setting.open_country();
        let beside = |way| hex_number(setting.game.neighbour(target, way));
        // The weaker stack is the first group.
        let (weak, strong) = (["g_10pz_I_7", "g_10pz_I_69"], ["g_10pz_II_7", "g_10pz_II_69", "g_10pz_I_86"]);
        let units = |ids: &[&str]| ids.iter().map(|id| setting.unit(id)).collect::<Units>();
        let mut editor = Editor::new(&setting.game);
        // In the last turn nobody is sent far away.
        editor.clear().turn(setting.tables.turns).place("s_32_I_17", hex_number(target));
        for unit in weak {
            editor.place(unit, beside(Direction::Ahead));
        }
        for unit in strong {
            editor.place(unit, beside(Direction::Back));
        }
        let state = editor.activate(&["10Pz"], Sequence::Mobile).finish();
        let brief = setting.brief(&state, Sequence::Mobile, true);
        let mut planner = Planner::new();
        planner.make(&brief, false);
        let overs = planner.orders[..planner.count].iter().filter(|order| order.over == Some(target));
        let ordered: Vec<Units> = overs.map(|order| order.units).collect();
        assert_eq!(ordered, [units(&strong)]);
        // Without them the other would do it.
        let first = units(&weak);
        planner.make(&Brief { actors: &first, ..brief }, false);
        assert_eq!((planner.orders[0].units, planner.orders[0].over), (first, Some(target)));
    }

    #[test]
    fn fuel_takes_away_what_its_lack_costs() {
        let setting = Setting::new("road-to-mtsensk");
        let id = "g_3pz_I_6";
        let allowance = |mark: Option<Mark>, sequence, fuelled| {
            let mut editor = Editor::new(&setting.game);
            editor.clear().place(id, 1010).activate(&["3Pz"], sequence);
            if let Some(mark) = mark {
                editor.mark(id, mark, true);
            }
            let state = editor.finish();
            let mut planner = Planner::new();
            planner.take_allowances(&setting.brief(&state, sequence, fuelled));
            planner.allowance[setting.unit(id).at()]
        };
        let full = allowance(None, Sequence::Mobile, true);
        let half = full / 2;
        assert!(full > 0);
        for mark in [None, Some(Mark::LowFuel), Some(Mark::Unsupplied)] {
            assert_eq!(allowance(mark, Sequence::Mobile, true), full, "{mark:?} with fuel");
            assert_eq!(allowance(mark, Sequence::Mobile, false), half, "{mark:?} without");
            assert_eq!(allowance(mark, Sequence::Assault, true), half, "{mark:?} in an Assault Sequence");
        }
    }

    #[test]
    fn a_mark_of_low_fuel_keeps_nobody_with_fuel_from_an_overrun() {
        let setting = Setting::new("road-to-mtsensk");
        let mut editor = Editor::new(&setting.game);
        editor.clear().place("g_3pz_I_6", 1010).activate(&["3Pz"], Sequence::Mobile);
        let state = editor.mark("g_3pz_I_6", Mark::LowFuel, true).finish();
        let mut planner = Planner::new();
        let mut leads = |fuelled| {
            let brief = setting.brief(&state, Sequence::Mobile, fuelled);
            planner.make(&brief, false);
            planner.overrunners(&brief, 0, brief.actors)
        };
        assert_eq!(leads(true), Some(Units::one(setting.unit("g_3pz_I_6"))));
        assert_eq!(leads(false), None);
    }

    #[test]
    fn a_plan_is_for_one_subject() {
        type Change = fn(&mut State);

        let setting = Setting::new("mozhaysk");
        let state = Editor::new(&setting.game).activate(&["10Pz"], Sequence::Mobile).finish();
        let subject = |state: &State| Subject::of(&setting.brief(state, Sequence::Mobile, true));
        let usual = subject(&state);
        assert_eq!(subject(&state), usual);
        let changes: [(&str, Change); 7] = [
            ("turn", |state| state.turn += 1),
            ("low fuel", |state| state.mark(UnitId::nth(0), Mark::LowFuel)),
            ("fuel", |state| state.mark(UnitId::nth(0), Mark::Fuelled)),
            ("attackers", |state| state.mark(UnitId::nth(0), Mark::Attacking)),
            ("reserve", |state| state.reserve.insert(FormationId::nth(0))),
            ("air", |state| state.ready.insert(AirId::nth(0))),
            ("no retreat", |state| state.no_retreat.insert(hex(1010))),
        ];
        for (name, change) in changes {
            let mut other = state;
            change(&mut other);
            assert_ne!(other, state, "{name}");
            assert_ne!(subject(&other), usual, "{name}");
        }
    }

    #[test]
    fn nothing_is_kept_for_another_game() {
        let setting = Setting::new("mozhaysk");
        let state = Editor::new(&setting.game).activate(&["10Pz"], Sequence::Mobile).finish();
        let mut planner = Planner::new();
        planner.make(&setting.brief(&state, Sequence::Mobile, true), true);
        assert!(planner.made.is_some() && !planner.reaches.groups().is_empty());
        planner.forget_all();
        assert!(planner.made.is_none() && planner.reaches.is_empty());
    }
}
