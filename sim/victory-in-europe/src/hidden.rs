//! Fog of war: what a viewer sees, and worlds he cannot tell apart (R-63, R-65, R-95).
//!
//! ```text
//! open     control, factories, standings, cards laid open or shown by an event; where blocks stand and their nation; which
//!          of them are aircraft, ships, convoys, fortresses; which counters are in the pool; blocks seen in battle that
//!          have not moved since
//! reckoned how many steps the hidden blocks of a nation have together, by arm and by the price of a step
//! hidden   which block stands where and how many steps it has; hands, laid cards, production that is being written
//! ```
//!
//! What may be attacked by aircraft and ships depends on the arm of the blocks there, and what an enemy can do must not
//! depend on what he cannot see: so arms are open. Leaders and paratroops stand among the armies wherever stacking lets
//! them; only while their owner moves, when stacking does not hold yet, are they told from the others.

use std::hash::{Hash, Hasher};

use sandtable_core::{Dice, Digest};

use crate::cards::cards_in;
use crate::game::VictoryInEurope;
use crate::nation::{Force, NATIONS, Nation, Team};
use crate::phase::{Pending, Phase};
use crate::production::Written;
use crate::rules::{Arm, Kind, MAX_AREAS, MAX_UNITS, Units};
use crate::state::{JUMPED, NONE, POOL, State, mark, on_map};

/// What can be told of a hidden block from where and how it stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub(crate) enum Silhouette {
    /// Any military unit.
    Army,
    /// Told from other armies while its owner moves.
    Leader,
    /// Likewise.
    Paratroop,
    Air,
    Ship,
    /// Known for what it is; only its steps are hidden.
    Fortress,
    /// Likewise.
    Convoy,
}

impl Silhouette {
    /// Of a unit; `told` if leaders and paratroops are told from other armies.
    pub(crate) fn of(arm: Arm, kind: Kind, told: bool) -> Silhouette {
        match (arm, kind) {
            (_, Kind::Convoy) => Silhouette::Convoy,
            (_, Kind::Fortress) => Silhouette::Fortress,
            (_, Kind::Leader) if told => Silhouette::Leader,
            (_, Kind::Paratroop) if told => Silhouette::Paratroop,
            (Arm::Army, _) => Silhouette::Army,
            (Arm::Air, _) => Silhouette::Air,
            (Arm::Naval, _) => Silhouette::Ship,
        }
    }
}

/// Whose secrets are known, and how much the rest shows.
#[derive(Clone, Copy, Debug)]
struct Fog {
    /// The forces whose secrets the viewer knows, as a mask.
    insight: u8,
    /// Counters of which the viewer knows only what he has seen. Convoys serve all of their team, which counts on what they
    /// bring.
    veiled: Units,
    /// Leaders and paratroops are told from other armies.
    told: bool,
}

/// Hidden blocks of a nation that look alike, in a muster.
#[derive(Clone, Copy, Debug)]
struct Run {
    start: usize,
    end: usize,
    team: Team,
    silhouette: Silhouette,
    /// Leaders and paratroops among armies.
    extras: [u8; 2],
}

impl Run {
    const NONE: Run =
        Run { start: 0, end: 0, team: Team::Axis, silhouette: Silhouette::Army, extras: [0; 2] };
}

/// All blocks that hide something, those that look alike together, in ascending order.
struct Muster {
    units: [u8; MAX_UNITS],
    runs: [Run; RUNS],
    count: usize,
    /// There are leaders or paratroops among armies.
    extras: bool,
}

/// Most runs: a nation has four kinds of blocks at most, and hardly any has all of them.
const RUNS: usize = 4 * NATIONS;

impl Muster {
    fn runs(&self) -> &[Run] {
        &self.runs[..self.count]
    }
}

impl VictoryInEurope {
    /// The forces whose secrets a viewer knows, as a mask.
    pub(crate) fn insight(&self, viewer: Force) -> u8 {
        if self.rules.options.three_players { viewer.bit() } else { viewer.team().forces() }
    }

    fn fog(&self, state: &State, viewer: Force) -> Fog {
        let insight = self.insight(viewer);
        let moves = matches!(state.phase, Phase::Deployment | Phase::Movement);
        let told = moves && state.movers & insight == 0 || matches!(state.pending, Pending::GoOn(_));
        let (mut theirs, mut allied) = (Units::EMPTY, Units::EMPTY);
        for (force, units) in Force::ALL.into_iter().zip(&state.roster.forces) {
            if force.bit() & insight == 0 {
                theirs = theirs.or(units);
            }
            if force.team().forces() & insight != 0 {
                allied = allied.or(units);
            }
        }
        let veiled = theirs.minus(&allied.and(&self.tables.of_kind[Kind::Convoy as usize]));
        Fog { insight, veiled, told }
    }

    fn silhouette(&self, unit: u8, told: bool) -> Silhouette {
        self.tables.faces[usize::from(told)][unit as usize].0
    }

    /// What shows of a unit on the map that hides its steps or more; `None` if the viewer knows it.
    fn veiled(&self, state: &State, unit: u8, fog: Fog) -> Option<Silhouette> {
        let hides = fog.veiled.has(unit) && !state.has_mark(unit, mark::KNOWN);
        hides.then(|| self.silhouette(unit, fog.told))
    }

    /// What shows of a unit if the viewer cannot tell which unit it is.
    fn hidden(&self, state: &State, unit: u8, fog: Fog) -> Option<Silhouette> {
        self.veiled(state, unit, fog).filter(|silhouette| *silhouette < Silhouette::Fortress)
    }

    /// The card a force has laid, if it is face down for the viewer.
    fn lies_face_down(&self, state: &State, force: Force, insight: u8) -> bool {
        state.phase == Phase::Cards && force.bit() & insight == 0 && state.cards.laid[force.index()] != NONE
    }

    /// The state with what is hidden from the viewer drawn anew.
    pub(crate) fn redraw_hidden(&self, state: &State, viewer: Force, dice: &mut impl Dice) -> State {
        let fog = self.fog(state, viewer);
        let mut world = state.clone();
        self.redraw_cards(state, &mut world, fog.insight, dice);
        self.redraw_production(&mut world, fog.insight);
        self.redraw_blocks(&mut world, fog, dice);
        world
    }

    // ---- cards ----

    /// Cards that the viewer has not seen are dealt anew: enemy hands and laid cards, from the cards of the year that are
    /// neither in his own hand nor spent. Partners who share a deck get their own colours first, as when they were dealt
    /// (12.0).
    fn redraw_cards(&self, state: &State, world: &mut State, insight: u8, dice: &mut impl Dice) {
        for team in Team::ALL.into_iter().filter(|team| team.forces() & !insight != 0) {
            let forces = || Force::ALL.into_iter().filter(|force| force.team() == team);
            let mut open = state.cards.spent | state.cards.seen;
            // A partner who holds a card of the other's colour was dealt it because the other had no room for more.
            let mut only = None;
            for force in forces() {
                let known = force.bit() & insight != 0;
                let laid = state.cards.laid[force.index()];
                if laid != NONE && !self.lies_face_down(state, force, insight) {
                    open |= 1 << laid;
                }
                for card in state.cards.hand[force.index()].into_iter().filter(|&card| known && card != NONE)
                {
                    open |= 1 << card;
                    let colour = self.rules.cards[card as usize].colour.force();
                    only = only.or((colour != force).then_some(colour));
                }
            }
            let mut unseen = [NONE; 32];
            let mut count = 0;
            let coloured = only.map_or(u128::MAX, |force: Force| self.tables.cards_of[force.index()]);
            let left = self.year_deck(state, team) & coloured & !open;
            for (slot, card) in unseen.iter_mut().zip(cards_in(left)) {
                *slot = card;
                count += 1;
            }
            let secret = |card: u8| card != NONE && state.cards.seen & 1 << card == 0;
            let hidden = || forces().filter(|force| force.bit() & insight == 0);
            let in_hands =
                |force: Force| state.cards.hand[force.index()].iter().filter(|&&card| secret(card)).count();
            let laid = hidden().find(|&force| self.lies_face_down(state, force, insight));
            let wanted = hidden().map(in_hands).sum::<usize>() + usize::from(laid.is_some());
            let drawn = wanted.min(count);
            for at in 0..drawn {
                let other = at + dice.below((count - at) as u32) as usize;
                unseen.swap(at, other);
            }
            let mut from = 0;
            if let Some(force) = laid.filter(|_| drawn > 0) {
                world.cards.laid[force.index()] = unseen[0];
                from = 1;
            }
            let rest = &mut unseen[from..drawn];
            let soviet = self.tables.cards_of[Force::Soviet.index()];
            rest.sort_unstable_by_key(|&card| (soviet >> card & 1, card));
            let mut rest = rest.iter();
            for force in hidden() {
                let hand = &mut world.cards.hand[force.index()];
                for (slot, &card) in hand.iter_mut().filter(|slot| secret(**slot)).zip(&mut rest) {
                    *slot = card;
                }
                hand.sort_unstable();
            }
        }
    }

    // ---- production ----

    /// What the enemy has written and not placed is taken as not written: the viewer plans without it (R-65).
    fn redraw_production(&self, world: &mut State, insight: u8) {
        if world.phase != Phase::Production {
            return;
        }
        for unit in 0..self.unit_count() {
            if world.has_mark(unit, mark::BUILT)
                && self.force(world, unit).is_some_and(|force| force.bit() & insight == 0)
            {
                world.set_mark(unit, mark::BUILT, false);
                if world.location(unit) == POOL {
                    world.via[unit as usize] = NONE;
                }
            }
        }
        for force in Force::ALL.into_iter().filter(|force| force.bit() & insight == 0) {
            world.budget.written[force.index()] = Written::default();
            world.cards.taken[force.index()] = 0;
        }
        if world.active & insight == 0 {
            self.hide_budget(world);
        }
    }

    // ---- blocks ----

    /// Hidden blocks of the same nation and silhouette are dealt anew to the places where such blocks stand, and their steps
    /// among them.
    fn redraw_blocks(&self, world: &mut State, fog: Fog, dice: &mut impl Dice) {
        let mut layout = Layout::new(self);
        let muster = self.mustered(world, fog, &mut layout);
        let asked = world.pending.unit().and_then(|unit| self.look(world, unit, fog));
        let waiting = self.look(world, world.invasion.waiting[0], fog);
        let mut posts = [Post::default(); MAX_UNITS];
        let mut open = [NONE; MAX_UNITS];
        for run in muster.runs() {
            let range = run.start..run.end;
            for (post, &unit) in posts[range.clone()].iter_mut().zip(&muster.units[range.clone()]) {
                *post = world.post(unit);
            }
            if run.silhouette < Silhouette::Fortress {
                // In an order that does not tell who stood where.
                posts[range.clone()].sort_unstable();
                shuffle(&mut posts[range], dice);
            }
        }
        if muster.extras && !Self::lay_out(&muster, &posts, &mut layout, dice) {
            // No arrangement was found: leaders and paratroops stay what they are.
            return self.redraw_blocks(world, Fog { told: true, ..fog }, dice);
        }
        for run in muster.runs() {
            let range = run.start..run.end;
            let (units, posts) = (&muster.units[range.clone()], &posts[range.clone()]);
            if run.extras != [0; 2] {
                let mut by_role = [[NONE; MAX_UNITS]; 3];
                let mut counts = [0; 3];
                for &unit in units {
                    let role = self.role(unit) as usize;
                    by_role[role][counts[role]] = unit;
                    counts[role] += 1;
                }
                for (&post, &role) in posts.iter().zip(&layout.roles[range.clone()]) {
                    let count = &mut counts[role as usize];
                    *count -= 1;
                    world.take_post(by_role[role as usize][*count], post);
                }
            } else if run.silhouette < Silhouette::Fortress {
                units.iter().zip(posts).for_each(|(&unit, &post)| world.take_post(unit, post));
            }
            self.redraw_steps(world, units, &mut open, dice);
        }
        let on_map = world.roster.on_map;
        world.settle_exchange(&fog.veiled.and(&on_map));
        if let Some(look) = asked {
            world.pending = world.pending.with_unit(self.find(world, look, fog));
        }
        if let Some(look) = waiting {
            world.invasion.waiting[0] = self.find(world, look, fog);
        }
    }

    /// The hidden blocks by look and price; also notes where blocks that are not take room.
    fn mustered(&self, world: &State, fog: Fog, layout: &mut Layout) -> Muster {
        let roster = &world.roster;
        let veiled = fog.veiled.and(&roster.on_map);
        let faces = &self.tables.faces[usize::from(fog.told)];
        let mut open = self.tables.of_arm[Arm::Army as usize].and(&roster.on_map).minus(&roster.at_sea);
        let mut keyed = [0u32; MAX_UNITS];
        let mut count = 0;
        for &unit in &self.tables.by_look[..self.unit_count() as usize] {
            if !veiled.has(unit) || world.has_mark(unit, mark::KNOWN) {
                continue;
            }
            let (silhouette, price) = faces[unit as usize];
            let look = [self.nation(world, unit) as u8, silhouette as u8, price, unit];
            keyed[count] = u32::from_be_bytes(look);
            count += 1;
            if silhouette < Silhouette::Fortress {
                open.remove(unit);
            }
        }
        for unit in open {
            layout.takes_room(self.team(world, unit), world.location(unit), self.role(unit));
        }
        // In order already, but for units that fight for another nation than their own.
        keyed[..count].sort_unstable();
        let mut muster =
            Muster { units: [NONE; MAX_UNITS], runs: [Run::NONE; RUNS], count: 0, extras: false };
        for at in 0..count {
            let unit = keyed[at] as u8;
            muster.units[at] = unit;
            if at == 0 || keyed[at] >> 16 != keyed[at - 1] >> 16 {
                let (team, silhouette) = (self.team(world, unit), self.silhouette(unit, fog.told));
                muster.runs[muster.count] = Run { start: at, end: at, team, silhouette, extras: [0; 2] };
                muster.count += 1;
            }
            let run = &mut muster.runs[muster.count - 1];
            run.end = at + 1;
            if run.silhouette == Silhouette::Army {
                match self.role(unit) {
                    Role::Army => {}
                    Role::Leader => run.extras[0] += 1,
                    Role::Paratroop => run.extras[1] += 1,
                }
                muster.extras |= run.extras != [0; 2];
            }
        }
        muster
    }

    fn role(&self, unit: u8) -> Role {
        match self.kind(unit) {
            Kind::Leader => Role::Leader,
            Kind::Paratroop => Role::Paratroop,
            _ => Role::Army,
        }
    }

    /// Post, nation and silhouette of a unit that is hidden.
    fn look(&self, world: &State, unit: u8, fog: Fog) -> Option<(Post, Nation, Silhouette)> {
        if unit == NONE || !world.is_on_map(unit) {
            return None;
        }
        let silhouette = self.hidden(world, unit, fog)?;
        Some((world.post(unit), self.nation(world, unit), silhouette))
    }

    /// The first unit that looks so.
    fn find(&self, world: &State, look: (Post, Nation, Silhouette), fog: Fog) -> u8 {
        let mut there = world.stack(look.0.place());
        there.find(|&unit| self.look(world, unit, fog) == Some(look)).unwrap_or(NONE)
    }

    /// Deals the steps of blocks of one nation and arm anew: as many in all as before at each price of a step. `open` is a
    /// buffer.
    fn redraw_steps(
        &self,
        world: &mut State,
        units: &[u8],
        open: &mut [u8; MAX_UNITS],
        dice: &mut impl Dice,
    ) {
        for units in units.chunk_by(|&a, &b| self.unit_type(a).cost == self.unit_type(b).cost) {
            let (mut count, mut left) = (0, 0);
            for &unit in units {
                let least = u8::from(self.kind(unit) != Kind::Leader);
                left += world.steps(unit) - least;
                world.set_steps(unit, least);
                if self.max_steps(unit) > least {
                    open[count] = unit;
                    count += 1;
                }
            }
            for _ in 0..left {
                let at = dice.below(count as u32) as usize;
                let unit = open[at];
                let steps = world.steps(unit) + 1;
                world.set_steps(unit, steps);
                if steps == self.max_steps(unit) {
                    count -= 1;
                    open[at] = open[count];
                }
            }
        }
    }

    /// Says which posts of armies are leaders' and paratroops': as many of each nation as there are, one leader a place and
    /// team at most, no more other armies than stacking allows. Returns whether it has found a way.
    fn lay_out(
        muster: &Muster,
        posts: &[Post; MAX_UNITS],
        layout: &mut Layout,
        dice: &mut impl Dice,
    ) -> bool {
        let armies = || muster.runs().iter().filter(|run| run.silhouette == Silhouette::Army);
        for run in armies() {
            for post in &posts[run.start..run.end] {
                layout.room[run.team.index()][post.place() as usize] -= 1;
            }
        }
        let loaded = layout.clone();
        for attempt in 0..ATTEMPTS {
            *layout = loaded.clone();
            let mut spots = Spots { posts, attempt, dice: &mut *dice };
            // Who must make room comes first.
            armies().for_each(|run| layout.drop_jumped(run, posts));
            // Where two are too many one of them is a paratrooper, where one is a leader or a paratrooper.
            armies().for_each(|run| layout.squeeze(run, Role::Paratroop, 2, &mut spots));
            let mut roles = [Role::Leader, Role::Paratroop];
            if spots.dice.below(LEADERS_FIRST) == 0 {
                roles.reverse();
            }
            for role in roles {
                armies().for_each(|run| layout.squeeze(run, role, 1, &mut spots));
            }
            let leaders = armies().all(|run| layout.post_others(run, Role::Leader, &mut spots));
            let paratroops = armies().all(|run| layout.post_others(run, Role::Paratroop, &mut spots));
            if paratroops && leaders && armies().all(|run| layout.fits(run, posts)) {
                return true;
            }
        }
        false
    }

    // ---- what is seen ----

    /// A hash of everything the viewer can see.
    pub(crate) fn observation_hash(&self, state: &State, viewer: Force) -> u64 {
        let fog = self.fog(state, viewer);
        let insight = fog.insight;
        let mut seen = state.clone();
        for force in Force::ALL.into_iter().filter(|force| force.bit() & insight == 0) {
            if self.lies_face_down(state, force, insight) {
                seen.cards.laid[force.index()] = NONE - 1;
            }
            let hand = &mut seen.cards.hand[force.index()];
            for slot in hand.iter_mut().filter(|slot| **slot != NONE && state.cards.seen & 1 << **slot == 0) {
                *slot = NONE - 1;
            }
            hand.sort_unstable();
        }
        self.redraw_production(&mut seen, insight);
        let mut digest = Digest::default();
        self.look(&seen, seen.pending.unit().unwrap_or(NONE), fog).hash(&mut digest);
        self.look(&seen, seen.invasion.waiting[0], fog).hash(&mut digest);
        if let Some(unit) = seen.pending.unit()
            && self.hidden(&seen, unit, fog).is_some()
        {
            seen.pending = seen.pending.with_unit(NONE);
        }
        if self.look(&seen, seen.invasion.waiting[0], fog).is_some() {
            seen.invasion.waiting[0] = NONE - 1;
        }
        // Hidden blocks: how many of each nation and silhouette stand where, which there are somewhere, and how many steps
        // they have together.
        let mut sum = 0u64;
        for unit in 0..self.unit_count() {
            if !on_map(state.location(unit)) {
                continue;
            }
            let Some(silhouette) = self.veiled(state, unit, fog) else { continue };
            let (nation, price) = (self.nation(state, unit), self.unit_type(unit).cost);
            let steps = u64::from(state.steps(unit));
            sum = sum.wrapping_add(Digest::of(&(nation, silhouette, price)).wrapping_mul(steps));
            if silhouette >= Silhouette::Fortress {
                seen.set_steps(unit, 0);
                continue;
            }
            unit.hash(&mut digest);
            sum = sum.wrapping_add(Digest::of(&(nation, silhouette, seen.post(unit))));
            seen.send(unit, POOL);
        }
        sum.hash(&mut digest);
        seen.hash(&mut digest);
        digest.finish()
    }
}

// ---- leaders and paratroops among the armies ----

/// What a block counts as in the stacking of armies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Army,
    Leader,
    Paratroop,
}

/// A leader that is not hidden stands there, or one has been posted there.
const TAKEN: u8 = 1;
/// So often an arrangement is tried.
const ATTEMPTS: u8 = 8;
/// In all but one arrangement of so many, one block too many is a leader rather than a paratrooper.
const LEADERS_FIRST: u32 = 3;

/// What the posts of armies are, and what room each team has left in each area.
#[derive(Clone)]
struct Layout {
    roles: [Role; MAX_UNITS],
    room: [[i8; MAX_AREAS]; 2],
    leader: [[u8; MAX_AREAS]; 2],
}

/// Posts in an order of chance, anew at each attempt.
struct Spots<'a, D> {
    posts: &'a [Post; MAX_UNITS],
    attempt: u8,
    dice: &'a mut D,
}

impl<D: Dice> Spots<'_, D> {
    /// The first post of a run, from one of chance on, where this holds.
    fn find(&mut self, run: &Run, mut holds: impl FnMut(usize, usize) -> bool) -> Option<usize> {
        let len = run.end - run.start;
        // At first the order in which they have been shuffled will do.
        let skip = if self.attempt == 0 { 0 } else { self.dice.below(len as u32) as usize };
        (0..len)
            .map(|at| run.start + (at + skip) % len)
            .find(|&at| holds(at, self.posts[at].place() as usize))
    }
}

impl Layout {
    fn new(game: &VictoryInEurope) -> Layout {
        let mut room = [0; MAX_AREAS];
        for (room, area) in room.iter_mut().zip(&game.rules.areas) {
            *room = area.stack as i8;
        }
        Layout { roles: [Role::Army; MAX_UNITS], room: [room; 2], leader: [[0; MAX_AREAS]; 2] }
    }

    /// A block that is not hidden takes room.
    fn takes_room(&mut self, team: Team, place: u8, role: Role) {
        let (team, place) = (team.index(), place as usize);
        match role {
            Role::Army => self.room[team][place] -= 1,
            Role::Leader => self.leader[team][place] = TAKEN,
            Role::Paratroop => {}
        }
    }

    fn assign(&mut self, run: &Run, at: usize, place: usize, role: Role) {
        let team = run.team.index();
        self.roles[at] = role;
        self.room[team][place] += 1;
        if role == Role::Leader {
            self.leader[team][place] = TAKEN;
        }
    }

    /// How many of a run have still to be posted in a role.
    fn left(&self, run: &Run, role: Role) -> usize {
        let all = match role {
            Role::Army => 0,
            Role::Leader => run.extras[0],
            Role::Paratroop => run.extras[1],
        };
        if all == 0 {
            return 0;
        }
        let posted = self.roles[run.start..run.end].iter().filter(|&&at| at == role).count();
        usize::from(all).saturating_sub(posted)
    }

    /// Whether an army's post may be another's.
    fn takes(&self, run: &Run, at: usize, place: usize, role: Role) -> bool {
        let alone = role == Role::Paratroop || self.leader[run.team.index()][place] != TAKEN;
        self.roles[at] == Role::Army && alone
    }

    /// Paratroops that have jumped are seen to be such.
    fn drop_jumped(&mut self, run: &Run, posts: &[Post; MAX_UNITS]) {
        for (at, post) in posts.iter().enumerate().take(run.end).skip(run.start) {
            if post.has_jumped() && self.left(run, Role::Paratroop) > 0 {
                self.assign(run, at, post.place() as usize, Role::Paratroop);
            }
        }
    }

    /// Those of a role go where there are so many blocks too many; a leader who cannot be there counts as one more.
    fn squeeze<D: Dice>(&mut self, run: &Run, role: Role, surplus: i8, spots: &mut Spots<'_, D>) {
        let team = run.team.index();
        for _ in 0..self.left(run, role) {
            let spot = spots.find(run, |at, place| {
                let barred = surplus > 1 && self.leader[team][place] == TAKEN;
                self.takes(run, at, place, role) && self.room[team][place] <= i8::from(barred) - surplus
            });
            let Some(at) = spot else { return };
            self.assign(run, at, spots.posts[at].place() as usize, role);
        }
    }

    /// The others of a role go anywhere.
    fn post_others<D: Dice>(&mut self, run: &Run, role: Role, spots: &mut Spots<'_, D>) -> bool {
        (0..self.left(run, role)).all(|_| {
            let spot = spots.find(run, |at, place| self.takes(run, at, place, role));
            spot.map(|at| self.assign(run, at, spots.posts[at].place() as usize, role)).is_some()
        })
    }

    /// Whether nowhere is too many.
    fn fits(&self, run: &Run, posts: &[Post; MAX_UNITS]) -> bool {
        posts[run.start..run.end].iter().all(|post| self.room[run.team.index()][post.place() as usize] >= 0)
    }
}

fn shuffle(posts: &mut [Post], dice: &mut impl Dice) {
    for at in (1..posts.len()).rev() {
        posts.swap(at, dice.below(at as u32 + 1) as usize);
    }
}

/// Where a block stands, and what can be seen of it there: place, coast and flags of battle, marks, where it entered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct Post(u32);

impl Post {
    /// Place, stance, marks, where it entered.
    fn parts(self) -> [u8; 4] {
        self.0.to_be_bytes()
    }
    fn place(self) -> u8 {
        self.parts()[0]
    }
    fn has_jumped(self) -> bool {
        self.parts()[1] & JUMPED != 0
    }
}

impl State {
    fn post(&self, unit: u8) -> Post {
        let at = unit as usize;
        Post(u32::from_be_bytes([self.loc[at], self.stance(unit), self.mark[at], self.via[at]]))
    }
    /// A unit on the map takes a post with the steps it has. [`State::settle_exchange`] must follow.
    fn take_post(&mut self, unit: u8, post: Post) {
        let [place, stance, marks, via] = post.parts();
        self.loc[unit as usize] = place;
        self.set_stance(unit, stance);
        self.mark[unit as usize] = marks;
        self.via[unit as usize] = via;
    }
    /// Two units on the map change places, each with its steps.
    pub(crate) fn change_places(&mut self, a: u8, b: u8) {
        let (at_a, at_b) = (self.post(a), self.post(b));
        for (unit, post) in [(a, at_b), (b, at_a)] {
            // On which coast, it knows from the post.
            self.put(unit, post.place(), 0);
            self.take_post(unit, post);
            self.set_marks(unit, self.mark[unit as usize]);
        }
    }
}
