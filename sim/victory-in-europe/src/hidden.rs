//! Fog of war: what a viewer sees, and determinizations he cannot tell apart (R-63, R-65, R-95).
//!
//! ```text
//! open     control, factories, the status of countries, cards laid open or shown by an event; where blocks stand and their nation; which
//!          of them are aircraft, ships, convoys, fortresses; which counters are in the pool; blocks seen in battle that
//!          have not moved since
//! reckoned how many steps the hidden blocks of a nation have together, by arm and by the price of a step
//! hidden   which block stands where and how many steps it has; hands, laid cards, production that is being written
//! ```
//!
//! What may be attacked by aircraft and ships depends on the arm of the blocks there, and what an enemy can do must not
//! depend on what he cannot see: so arms are open. Leaders and paratroops stand among the armies wherever stacking lets
//! them. Only who has nothing to decide while their owner moves or retreats, when stacking does not hold yet, could tell them
//! from the others.

mod lineup;

use std::hash::{Hash, Hasher};
use std::ops::Range;

use crate::place::{NO_INDEX, PLACES, Place, UnitId};
use sandtable_core::{Dice, Digest, Index};

use crate::cards::cards_in;
use crate::game::VictoryInEurope;
pub(crate) use crate::hidden::lineup::Lineup;
use crate::hidden::lineup::{Face, Ranks};
use crate::nation::{Force, NATIONS, Nation, Team};
use crate::phase::{Pending, Phase};
use crate::rules::{Areas, Arm, Kind, MAX_AREAS, MAX_UNITS, Units};
use crate::state::{JUMPED, State, Written, mark};
use crate::tables::Peers;

/// What can be told of a hidden block from where and how it stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub(crate) enum Silhouette {
    /// Any military unit.
    Army,
    /// Told from other armies by who has nothing to decide while its owner moves.
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
    /// The enemy moves, and his stacking does not hold yet.
    unsettled: bool,
}

/// Hidden blocks of a nation that look alike.
#[derive(Clone, Copy, Debug)]
struct Run {
    start: u8,
    end: u8,
    nation: Nation,
    team: Team,
    silhouette: Silhouette,
    /// Leaders and paratroops among armies.
    extras: [u8; 2],
}

impl Run {
    const NONE: Run = Run {
        start: 0,
        end: 0,
        nation: Nation::Germany,
        team: Team::Axis,
        silhouette: Silhouette::Army,
        extras: [0; 2],
    };

    /// Whether its blocks change places; they do not if it is known which they are.
    fn is_dealt(self) -> bool {
        self.silhouette < Silhouette::Fortress
    }
    fn range(self) -> Range<usize> {
        usize::from(self.start)..usize::from(self.end)
    }
}

/// All blocks that hide something, those that look alike together, in ascending order.
struct HiddenGroups {
    faces: [Face; MAX_UNITS],
    runs: [Run; RUNS],
    count: usize,
}

/// Most runs, of nations and what shows of their blocks: [`Lineup::new`] refuses more.
const RUNS: usize = 4 * NATIONS;

impl HiddenGroups {
    fn runs(&self) -> impl Iterator<Item = Run> {
        self.runs[..self.count].iter().copied()
    }
    /// Armies with leaders or paratroops among them.
    fn mixed(&self) -> impl Iterator<Item = Run> {
        self.runs().filter(|run| run.extras != [0; 2])
    }

    /// The posts of those that are dealt anew, those of each run in an order of chance.
    fn shuffled_posts(&self, state: &State, dice: &mut impl Dice) -> [Post; MAX_UNITS] {
        let mut posts = [Post::default(); MAX_UNITS];
        for run in self.runs().filter(|run| run.is_dealt()) {
            let posts = &mut posts[run.range()];
            for (post, face) in posts.iter_mut().zip(&self.faces[run.range()]) {
                *post = state.post(face.unit);
            }
            // In an order that does not tell who stood where.
            posts.sort_unstable();
            shuffle(posts, dice);
        }
        posts
    }

    /// Leaders and paratroops go where there are too many.
    fn crowd_in<D: Dice>(&self, layout: &mut Layout, spots: &mut Spots<'_, D>) {
        // Where two are too many one of them is a paratrooper, where one is a leader or a paratrooper.
        self.mixed().for_each(|run| layout.squeeze(run, Peers::Paratroops, 2, spots));
        let mut roles = [Peers::Leaders, Peers::Paratroops];
        if spots.dice.below(LEADERS_FIRST) == 0 {
            roles.reverse();
        }
        for role in roles {
            self.mixed().for_each(|run| layout.squeeze(run, role, 1, spots));
        }
    }

    /// An arrangement of chance that keeps the limits, if one of a few tries does. `posts` are in an order of chance.
    fn lay_out_by_chance(
        &self,
        loaded: &Layout,
        posts: &[Post; MAX_UNITS],
        dice: &mut impl Dice,
    ) -> Option<[Peers; MAX_UNITS]> {
        (0..ATTEMPTS).find_map(|attempt| {
            let mut layout = loaded.clone();
            let mut spots = Spots { posts, attempt, dice: &mut *dice };
            self.crowd_in(&mut layout, &mut spots);
            let leaders = self.mixed().all(|run| layout.post_others(run, Peers::Leaders, &mut spots));
            let paratroops = self.mixed().all(|run| layout.post_others(run, Peers::Paratroops, &mut spots));
            (paratroops && leaders && layout.fits()).then_some(layout.roles)
        })
    }

    /// An arrangement that keeps the limits if there is one, else one that exceeds them as chance has it. `posts` are in an
    /// order of chance.
    fn lay_out_by_search(
        &self,
        loaded: &Layout,
        posts: &[Post; MAX_UNITS],
        dice: &mut impl Dice,
    ) -> [Peers; MAX_UNITS] {
        let mut tries = TRIES;
        let mut layout = loaded.clone();
        if let Some(roles) = self.complete(&layout, posts, &mut tries) {
            return roles;
        }
        let mut spots = Spots { posts, attempt: 1, dice };
        self.crowd_in(&mut layout, &mut spots);
        for (run, role) in self.mixed().flat_map(|run| [(run, Peers::Leaders), (run, Peers::Paratroops)]) {
            if !layout.post_others(run, role, &mut spots) {
                layout.post_anywhere(run, role, posts);
            }
        }
        layout.roles
    }

    /// Completes an arrangement by search: first who makes room where there are too many, then the leaders, who need a place of
    /// their own, then the paratroops. There are a dozen of them at most, so the search is short; it gives up after `tries`.
    fn complete(
        &self,
        layout: &Layout,
        posts: &[Post; MAX_UNITS],
        tries: &mut u32,
    ) -> Option<[Peers; MAX_UNITS]> {
        *tries = tries.checked_sub(1)?;
        let mut then = |run: Run, at: usize, role: Peers| {
            let mut next = layout.clone();
            next.assign(run, at, posts[at].place().at(), role);
            self.complete(&next, posts, tries)
        };
        if let Some((team, area)) = layout.first_crowded() {
            let waiting = |&(run, role): &(Run, Peers)| run.team == team && layout.left(run, role) > 0;
            let extras =
                self.mixed().flat_map(|run| [Peers::Leaders, Peers::Paratroops].map(|role| (run, role)));
            return extras.filter(waiting).find_map(|(run, role)| {
                let is_open =
                    |&at: &usize| posts[at].place() == area && layout.takes(run, at, area.at(), role);
                then(run, run.range().find(is_open)?, role)
            });
        }
        let mut waiting = self.mixed().filter(|&run| layout.left(run, Peers::Leaders) > 0);
        if let Some(run) = waiting.next() {
            let mut tried = Areas::EMPTY;
            return run.range().find_map(|at| {
                let area = posts[at].place();
                let open = !tried.contains(area) && layout.takes(run, at, area.at(), Peers::Leaders);
                tried.insert(area);
                if open { then(run, at, Peers::Leaders) } else { None }
            });
        }
        let mut layout = layout.clone();
        self.mixed().for_each(|run| layout.post_anywhere(run, Peers::Paratroops, posts));
        Some(layout.roles)
    }
}

impl VictoryInEurope {
    /// The forces whose secrets a viewer knows, as a mask.
    pub(crate) fn insight(&self, viewer: Force) -> u8 {
        if self.rules.options.three_players { viewer.bit() } else { viewer.team().forces() }
    }

    fn fog(&self, state: &State, viewer: Force) -> Fog {
        let insight = self.insight(viewer);
        let unsettled = state.phase == Phase::Movement && state.movers & insight == 0;
        let decides = state.active & insight != 0;
        let told = !decides && (unsettled || matches!(state.pending, Pending::GoOn(_)));
        let (mut theirs, mut allied) = (Units::EMPTY, Units::EMPTY);
        for (force, units) in Force::ALL.into_iter().zip(&state.roster.forces) {
            if force.bit() & insight == 0 {
                theirs = theirs.or(units);
            }
            if force.team().forces() & insight != 0 {
                allied = allied.or(units);
            }
        }
        let veiled = theirs.difference(&allied.and(&self.tables.units.of_kind[Kind::Convoy as usize]));
        Fog { insight, veiled, told, unsettled }
    }

    fn silhouette(&self, unit: UnitId, told: bool) -> Silhouette {
        self.tables.lineups[usize::from(told)].silhouette(unit)
    }

    /// What shows of a unit on the map that hides its steps or more; `None` if the viewer knows it.
    fn veiled(&self, state: &State, unit: UnitId, fog: Fog) -> Option<Silhouette> {
        let hides = fog.veiled.contains(unit) && !state.has_mark(unit, mark::KNOWN);
        hides.then(|| self.silhouette(unit, fog.told))
    }

    /// What shows of a unit if the viewer cannot tell which unit it is.
    fn hidden(&self, state: &State, unit: UnitId, fog: Fog) -> Option<Silhouette> {
        self.veiled(state, unit, fog).filter(|silhouette| *silhouette < Silhouette::Fortress)
    }

    /// The card a force has laid, if it is face down for the viewer.
    fn lies_face_down(&self, state: &State, force: Force, insight: u8) -> bool {
        state.phase == Phase::Cards
            && force.bit() & insight == 0
            && state.cards.laid[force.index()] != NO_INDEX
    }

    /// The state with what is hidden from the viewer drawn anew.
    pub(crate) fn redraw_hidden(&self, state: &State, viewer: Force, dice: &mut impl Dice) -> State {
        let fog = self.fog(state, viewer);
        let mut determinization = state.clone();
        self.redraw_cards(state, &mut determinization, fog.insight, dice);
        self.redraw_production(&mut determinization, fog.insight);
        self.redraw_blocks(&mut determinization, fog, dice);
        determinization
    }

    // ---- cards ----

    /// Cards that the viewer has not seen are dealt anew: enemy hands and laid cards, from the cards of the year that are
    /// neither in his own hand nor spent. Partners who share a deck get their own colours first, as when they were dealt
    /// (12.0).
    fn redraw_cards(&self, state: &State, determinization: &mut State, insight: u8, dice: &mut impl Dice) {
        for team in Team::ALL.into_iter().filter(|team| team.forces() & !insight != 0) {
            let forces = || Force::ALL.into_iter().filter(|force| force.team() == team);
            let mut open = state.cards.spent | state.cards.seen;
            // A partner who holds a card of the other's colour was dealt it because the other had no room for more.
            let mut only = None;
            for force in forces() {
                let known = force.bit() & insight != 0;
                let laid = state.cards.laid[force.index()];
                if laid != NO_INDEX && !self.lies_face_down(state, force, insight) {
                    open |= 1 << laid;
                }
                for card in
                    state.cards.hand[force.index()].into_iter().filter(|&card| known && card != NO_INDEX)
                {
                    open |= 1 << card;
                    let colour = self.rules.cards[card as usize].colour.force();
                    only = only.or((colour != force).then_some(colour));
                }
            }
            let mut unseen = [NO_INDEX; 32];
            let mut count = 0;
            let coloured = only.map_or(u128::MAX, |force: Force| self.tables.cards.of_force[force.index()]);
            let left = self.year_deck(state, team) & coloured & !open;
            for (slot, card) in unseen.iter_mut().zip(cards_in(left)) {
                *slot = card;
                count += 1;
            }
            let secret = |card: u8| card != NO_INDEX && state.cards.seen & 1 << card == 0;
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
                determinization.cards.laid[force.index()] = unseen[0];
                from = 1;
            }
            let rest = &mut unseen[from..drawn];
            let soviet = self.tables.cards.of_force[Force::Soviet.index()];
            rest.sort_unstable_by_key(|&card| (soviet >> card & 1, card));
            let mut rest = rest.iter();
            for force in hidden() {
                let hand = &mut determinization.cards.hand[force.index()];
                for (slot, &card) in hand.iter_mut().filter(|slot| secret(**slot)).zip(&mut rest) {
                    *slot = card;
                }
                hand.sort_unstable();
            }
        }
    }

    // ---- production ----

    /// What the enemy has written and not placed is taken as not written: the viewer plans without it (R-65).
    fn redraw_production(&self, determinization: &mut State, insight: u8) {
        if determinization.phase != Phase::Production {
            return;
        }
        for unit in self.unit_ids() {
            if determinization.has_mark(unit, mark::BUILT)
                && self.force(determinization, unit).is_some_and(|force| force.bit() & insight == 0)
            {
                determinization.set_mark(unit, mark::BUILT, false);
                if determinization.location(unit) == Place::POOL {
                    determinization.via[unit.at()] = Place::NONE;
                }
            }
        }
        for force in Force::ALL.into_iter().filter(|force| force.bit() & insight == 0) {
            determinization.budget.written[force.index()] = Written::default();
            determinization.cards.taken[force.index()] = 0;
        }
        if determinization.active & insight == 0 {
            self.hide_budget(determinization);
        }
    }

    // ---- blocks ----

    /// Hidden blocks of the same nation and silhouette are dealt anew to the places where such blocks stand, and their steps
    /// among them.
    fn redraw_blocks(&self, determinization: &mut State, fog: Fog, dice: &mut impl Dice) {
        let (veiled, groups, posts) = self.dealt_anew(determinization, fog, dice);
        let asked = determinization.pending.unit().and_then(|unit| self.look(determinization, unit, fog));
        let waiting = self.look(determinization, determinization.invasion.waiting.unit, fog);
        let mut roles = [Peers::Armies; MAX_UNITS];
        if groups.mixed().next().is_some() {
            roles = self.lay_out(determinization, &veiled, &groups, &posts, dice);
        }
        let mut by_role = [[UnitId::NONE; MAX_UNITS]; 3];
        let mut open = [UnitId::NONE; MAX_UNITS];
        for run in groups.runs() {
            let (faces, posts) = (&groups.faces[run.range()], &posts[run.range()]);
            if run.extras != [0; 2] {
                let mut counts = [0; 3];
                for face in faces {
                    let role = self.role(face.unit) as usize;
                    by_role[role][counts[role]] = face.unit;
                    counts[role] += 1;
                }
                for (&post, &role) in posts.iter().zip(&roles[run.range()]) {
                    let count = &mut counts[role as usize];
                    *count -= 1;
                    determinization.take_post(by_role[role as usize][*count], post);
                }
            } else if run.is_dealt() {
                faces.iter().zip(posts).for_each(|(face, &post)| determinization.take_post(face.unit, post));
            }
            self.redraw_steps(determinization, faces, &mut open, dice);
        }
        determinization.settle_exchange(&veiled);
        if fog.unsettled {
            let movers =
                determinization.commanded_by(determinization.mover).and(&determinization.roster.on_map);
            let squeezed = movers.iter().map(|unit| (unit, determinization.location(unit)));
            let squeezed = squeezed
                .filter(|&(unit, at)| !self.has_room(determinization, unit, at, determinization.coast(unit)));
            determinization.invasion.squeezed = squeezed.map(|(_, at)| at).collect();
        }
        if let Some(look) = asked {
            determinization.pending =
                determinization.pending.with_unit(self.find(determinization, look, fog));
        }
        if let Some(look) = waiting {
            determinization.invasion.waiting.unit = self.find(determinization, look, fog);
        }
    }

    /// The blocks that hide something, those of them that look alike, and their posts in an order of chance.
    fn dealt_anew(
        &self,
        state: &State,
        fog: Fog,
        dice: &mut impl Dice,
    ) -> (Units, HiddenGroups, [Post; MAX_UNITS]) {
        let veiled = self.veiled_blocks(state, fog);
        let groups = self.hidden_groups(state, &veiled, fog.told);
        let posts = groups.shuffled_posts(state, dice);
        (veiled, groups, posts)
    }

    /// These veiled blocks by look and price.
    fn hidden_groups(&self, determinization: &State, veiled: &Units, told: bool) -> HiddenGroups {
        let lineup = &self.tables.lineups[usize::from(told)];
        let is_abroad = |unit| self.nation(determinization, unit) != self.printed_nation(unit);
        let abroad = self.tables.units.free.and(veiled).filter(is_abroad);
        let mut ranks = Ranks::EMPTY;
        veiled.difference(&abroad).iter().for_each(|unit| ranks.insert(lineup.home[unit.at()]));
        abroad.iter().for_each(|unit| ranks.insert(lineup.abroad[unit.at()]));
        let mut faces = [Face::NONE; MAX_UNITS];
        let mut units = 0;
        for rank in ranks {
            faces[units] = lineup.faces[rank as usize];
            units += 1;
        }
        let mut runs = [Run::NONE; RUNS];
        let (mut start, mut count) = (0, 0);
        for alike in faces[..units].chunk_by(|a, b| a.looks_like(*b)) {
            let Face { nation, silhouette, unit, .. } = alike[0];
            let extras = if silhouette == Silhouette::Army { self.extras(alike) } else { [0; 2] };
            let end = start + alike.len() as u8;
            runs[count] =
                Run { start, end, nation, team: self.team(determinization, unit), silhouette, extras };
            (start, count) = (end, count + 1);
        }
        HiddenGroups { faces, runs, count }
    }

    /// Leaders and paratroops among armies.
    fn extras(&self, armies: &[Face]) -> [u8; 2] {
        let mut extras = [0; 2];
        for role in armies.iter().map(|face| self.role(face.unit)).filter(|&role| role != Peers::Armies) {
            extras[extra(role)] += 1;
        }
        extras
    }

    /// What a block counts as in the stacking of armies.
    fn role(&self, unit: UnitId) -> Peers {
        self.tables.units.peers_of[unit.at()]
    }

    /// Post, nation and silhouette of a unit that is hidden.
    fn look(&self, determinization: &State, unit: UnitId, fog: Fog) -> Option<(Post, Nation, Silhouette)> {
        if unit == UnitId::NONE || !determinization.is_on_map(unit) {
            return None;
        }
        let silhouette = self.hidden(determinization, unit, fog)?;
        Some((determinization.post(unit), self.nation(determinization, unit), silhouette))
    }

    /// The first unit that looks so; rather no leader or paratrooper, who cannot do all that an army can.
    fn find(&self, determinization: &State, look: (Post, Nation, Silhouette), fog: Fog) -> UnitId {
        let there = || {
            determinization
                .stack(look.0.place())
                .filter(|&unit| self.look(determinization, unit, fog) == Some(look))
        };
        let first = there().find(|&unit| !matches!(self.role(unit), Peers::Leaders | Peers::Paratroops));
        first.or_else(|| there().next()).unwrap_or(UnitId::NONE)
    }

    /// Deals the steps of blocks of one nation and arm anew: as many in all as before at each price of a step. `open` is a
    /// buffer.
    fn redraw_steps(
        &self,
        determinization: &mut State,
        faces: &[Face],
        open: &mut [UnitId; MAX_UNITS],
        dice: &mut impl Dice,
    ) {
        for faces in faces.chunk_by(|a, b| a.price == b.price) {
            let (mut count, mut left) = (0, 0);
            for &Face { unit, .. } in faces {
                let least = u8::from(self.kind(unit) != Kind::Leader);
                left += u32::from(determinization.steps(unit) - least);
                determinization.set_steps(unit, least);
                if self.max_steps(unit) > least {
                    open[count] = unit;
                    count += 1;
                }
            }
            for _ in 0..left {
                let at = dice.below(count as u32) as usize;
                let unit = open[at];
                if determinization.add_step(unit) == self.max_steps(unit) {
                    count -= 1;
                    open[at] = open[count];
                }
            }
        }
    }

    /// Says which posts of armies are leaders' and paratroops': as many of each nation as there are, one leader a place and
    /// team at most, no more other armies than stacking allows. Nothing is kept of where they are: what arrangements of chance
    /// do not find a search does, and where none is possible, as while their owner moves, limits are exceeded.
    fn lay_out(
        &self,
        determinization: &State,
        veiled: &Units,
        groups: &HiddenGroups,
        posts: &[Post; MAX_UNITS],
        dice: &mut impl Dice,
    ) -> [Peers; MAX_UNITS] {
        let loaded = self.loaded(determinization, veiled, groups, posts);
        let by_chance = groups.lay_out_by_chance(&loaded, posts, dice);
        by_chance.unwrap_or_else(|| groups.lay_out_by_search(&loaded, posts, dice))
    }

    /// Every post of armies taken, before leaders and paratroops are told apart.
    fn loaded(
        &self,
        state: &State,
        veiled: &Units,
        groups: &HiddenGroups,
        posts: &[Post; MAX_UNITS],
    ) -> Layout {
        let mut loaded = self.room_beside(state, veiled);
        let armies = groups.runs().filter(|run| run.silhouette == Silhouette::Army);
        armies.for_each(|run| loaded.load(run, posts));
        // Who must make room comes first.
        groups.mixed().for_each(|run| loaded.drop_jumped(run, posts));
        loaded
    }

    /// Whether a redraw with these dice finds places for hidden leaders and paratroops by chance, without a search; nothing if
    /// none are hidden from the viewer. For counts of how often the search runs in play.
    #[doc(hidden)]
    pub fn deals_by_chance(&self, state: &State, viewer: Force, dice: &mut impl Dice) -> Option<bool> {
        let (veiled, groups, posts) = self.dealt_anew(state, self.fog(state, viewer), dice);
        groups.mixed().next()?;
        let loaded = self.loaded(state, &veiled, &groups, &posts);
        Some(groups.lay_out_by_chance(&loaded, &posts, dice).is_some())
    }

    /// Blocks on the map that hide something.
    fn veiled_blocks(&self, state: &State, fog: Fog) -> Units {
        let on_map = fog.veiled.and(&state.roster.on_map);
        on_map.filter(|unit| !state.has_mark(unit, mark::KNOWN))
    }

    /// The room that armies leave which are not hidden; of a team without hidden blocks nobody asks.
    fn room_beside(&self, determinization: &State, veiled: &Units) -> Layout {
        let mut layout = Layout::new(&self.tables.limit);
        let [armies, leaders, ..] = &self.tables.units.peers;
        // The steps of a fortress are hidden; it takes room all the same.
        let hidden = veiled.difference(&self.tables.units.of_kind[Kind::Fortress as usize]);
        let open =
            determinization.roster.on_map.difference(&determinization.roster.at_sea).difference(&hidden);
        for team in Team::ALL {
            let theirs = self.units_of_team(determinization, team);
            if theirs.intersects(&hidden) {
                let open = open.and(&theirs);
                let room = &mut layout.room[team.index()];
                open.and(armies).iter().for_each(|unit| room[determinization.location(unit).at()] -= 1);
                let led = &mut layout.led[team.index()];
                open.and(leaders).iter().for_each(|unit| led.insert(determinization.location(unit)));
            }
        }
        layout
    }

    // ---- what is seen ----

    /// A hash of everything the viewer can see.
    pub(crate) fn observation_hash(&self, state: &State, viewer: Force) -> u64 {
        let fog = self.fog(state, viewer);
        let insight = fog.insight;
        let mut seen = state.clone();
        for force in Force::ALL.into_iter().filter(|force| force.bit() & insight == 0) {
            if self.lies_face_down(state, force, insight) {
                seen.cards.laid[force.index()] = NO_INDEX - 1;
            }
            let hand = &mut seen.cards.hand[force.index()];
            for slot in
                hand.iter_mut().filter(|slot| **slot != NO_INDEX && state.cards.seen & 1 << **slot == 0)
            {
                *slot = NO_INDEX - 1;
            }
            hand.sort_unstable();
        }
        self.redraw_production(&mut seen, insight);
        let mut digest = Digest::default();
        self.look(&seen, seen.pending.unit().unwrap_or(UnitId::NONE), fog).hash(&mut digest);
        self.look(&seen, seen.invasion.waiting.unit, fog).hash(&mut digest);
        if let Some(unit) = seen.pending.unit()
            && self.hidden(&seen, unit, fog).is_some()
        {
            seen.pending = seen.pending.with_unit(UnitId::NONE);
        }
        if self.look(&seen, seen.invasion.waiting.unit, fog).is_some() {
            seen.invasion.waiting.unit = UnitId(254);
        }
        if fog.unsettled {
            // Which places are over their limit would tell who is a leader there.
            seen.invasion.squeezed = Areas::EMPTY;
        }
        // Hidden blocks: how many of each nation and silhouette stand where, which there are somewhere, and how many steps
        // they have together.
        let mut sum = 0u64;
        for unit in self.unit_ids() {
            if !state.location(unit).is_on_map() {
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
            seen.send(unit, Place::POOL);
        }
        sum.hash(&mut digest);
        seen.hash(&mut digest);
        digest.finish()
    }
}

// ---- leaders and paratroops among the armies ----

/// So often an arrangement is tried.
const ATTEMPTS: u8 = 8;
/// So many steps a search for an arrangement takes.
const TRIES: u32 = 2000;
/// In all but one arrangement of so many, one block too many is a leader rather than a paratrooper.
const LEADERS_FIRST: u32 = 3;

/// Where leaders and paratroops are counted, which there are beside the other armies.
fn extra(role: Peers) -> usize {
    usize::from(role == Peers::Paratroops)
}

/// What the posts of armies are, and what room each team has left in each area.
#[derive(Clone)]
struct Layout {
    roles: [Peers; MAX_UNITS],
    room: [[i8; MAX_AREAS]; 2],
    /// Areas where there were too many while all were armies.
    crowded: [Areas; 2],
    /// Areas where a leader stands that is not hidden, or one has been posted.
    led: [Areas; 2],
    /// Leaders and paratroops of each nation that have still to be posted.
    left: [[u8; 2]; NATIONS],
}

/// Posts in an order of chance, anew at each attempt.
struct Spots<'a, D> {
    posts: &'a [Post; MAX_UNITS],
    attempt: u8,
    dice: &'a mut D,
}

impl<D: Dice> Spots<'_, D> {
    /// The first post of a run, from one of chance on, where this holds.
    fn find(&mut self, run: Run, mut holds: impl FnMut(usize, usize) -> bool) -> Option<usize> {
        let Range { start, end } = run.range();
        // At first the order in which they have been shuffled will do.
        let skip = if self.attempt == 0 { 0 } else { self.dice.below((end - start) as u32) as usize };
        let from = start + skip;
        (from..end).chain(start..from).find(|&at| holds(at, self.posts[at].place().at()))
    }
}

impl Layout {
    /// With room for so many in each place.
    fn new(limit: &[u8; PLACES]) -> Layout {
        let room = std::array::from_fn(|area| limit[area] as i8);
        Layout {
            roles: [Peers::Armies; MAX_UNITS],
            room: [room; 2],
            crowded: [Areas::EMPTY; 2],
            led: [Areas::EMPTY; 2],
            left: [[0; 2]; NATIONS],
        }
    }

    /// Every post of a run takes room, and its leaders and paratroops wait.
    fn load(&mut self, run: Run, posts: &[Post; MAX_UNITS]) {
        let team = run.team.index();
        for post in &posts[run.range()] {
            let room = &mut self.room[team][post.place().at()];
            *room -= 1;
            if *room < 0 {
                self.crowded[team].insert(post.place());
            }
        }
        self.left[run.nation.index()] = run.extras;
    }

    fn assign(&mut self, run: Run, at: usize, place: usize, role: Peers) {
        let team = run.team.index();
        self.roles[at] = role;
        self.room[team][place] += 1;
        self.left[run.nation.index()][extra(role)] -= 1;
        if role == Peers::Leaders {
            self.led[team].insert(Place::nth(place));
        }
    }

    /// How many of a run have still to be posted in a role.
    fn left(&self, run: Run, role: Peers) -> u8 {
        self.left[run.nation.index()][extra(role)]
    }

    /// Whether an army's post may be another's.
    fn takes(&self, run: Run, at: usize, place: usize, role: Peers) -> bool {
        let alone = role == Peers::Paratroops || !self.led[run.team.index()].contains(Place::nth(place));
        self.roles[at] == Peers::Armies && alone
    }

    /// Paratroops that have jumped are seen to be such.
    fn drop_jumped(&mut self, run: Run, posts: &[Post; MAX_UNITS]) {
        for at in run.range() {
            if self.left(run, Peers::Paratroops) == 0 {
                return;
            }
            if posts[at].has_jumped() {
                self.assign(run, at, posts[at].place().at(), Peers::Paratroops);
            }
        }
    }

    /// Those of a role go where there are so many blocks too many; a leader who cannot be there counts as one more.
    fn squeeze<D: Dice>(&mut self, run: Run, role: Peers, surplus: i8, spots: &mut Spots<'_, D>) {
        let team = run.team.index();
        while self.left(run, role) > 0 {
            let spot = spots.find(run, |at, place| {
                let lacking = -self.room[team][place];
                let barred = || surplus > 1 && self.led[team].contains(Place::nth(place));
                lacking > 0 && lacking + i8::from(barred()) >= surplus && self.takes(run, at, place, role)
            });
            let Some(at) = spot else { return };
            self.assign(run, at, spots.posts[at].place().at(), role);
        }
    }

    /// The others of a role go anywhere.
    fn post_others<D: Dice>(&mut self, run: Run, role: Peers, spots: &mut Spots<'_, D>) -> bool {
        (0..self.left(run, role)).all(|_| {
            let spot = spots.find(run, |at, place| self.takes(run, at, place, role));
            spot.map(|at| self.assign(run, at, spots.posts[at].place().at(), role)).is_some()
        })
    }

    /// The others of a role go to the first posts of armies, limits or not.
    fn post_anywhere(&mut self, run: Run, role: Peers, posts: &[Post; MAX_UNITS]) {
        for at in run.range() {
            if self.left(run, role) > 0 && self.roles[at] == Peers::Armies {
                self.assign(run, at, posts[at].place().at(), role);
            }
        }
    }

    /// A team and an area where it has too many.
    fn first_crowded(&self) -> Option<(Team, Place)> {
        Team::ALL.into_iter().find_map(|team| {
            let room = &self.room[team.index()];
            let mut crowded = self.crowded[team.index()].iter();
            crowded.find(|&area| room[area.at()] < 0).map(|area| (team, area))
        })
    }

    /// Whether nowhere is too many any more; who is no army among the rest only makes room.
    fn fits(&self) -> bool {
        let mut teams = self.crowded.iter().zip(&self.room);
        teams.all(|(crowded, room)| crowded.iter().all(|area| room[area.at()] >= 0))
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
    fn place(self) -> Place {
        Place(self.parts()[0])
    }
    fn has_jumped(self) -> bool {
        self.parts()[1] & JUMPED != 0
    }
}

impl State {
    fn post(&self, unit: UnitId) -> Post {
        let at = unit.at();
        Post(u32::from_be_bytes([self.places.of(unit).0, self.stance(unit), self.mark[at], self.via[at].0]))
    }
    /// A unit on the map takes a post with the steps it has. [`State::settle_exchange`] must follow.
    fn take_post(&mut self, unit: UnitId, post: Post) {
        let [place, stance, marks, via] = post.parts();
        self.places.put_unlisted(unit, Place(place));
        self.set_stance(unit, stance);
        self.mark[unit.at()] = marks;
        self.via[unit.at()] = Place(via);
    }
    /// Two units on the map change places, each with its steps.
    pub(crate) fn change_places(&mut self, a: UnitId, b: UnitId) {
        let (at_a, at_b) = (self.post(a), self.post(b));
        for (unit, post) in [(a, at_b), (b, at_a)] {
            // On which coast, it knows from the post.
            self.put(unit, post.place(), 0);
            self.take_post(unit, post);
            self.set_marks(unit, self.mark[unit.at()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sandtable_core::Rng64;

    fn post(place: Place) -> Post {
        Post(u32::from_be_bytes([place.0, 0, 0, 0]))
    }

    /// Armies of two nations of a team at places, and how many leaders and paratroops are among those of each.
    fn groups(places: [&[Place]; 2], extras: [[u8; 2]; 2]) -> (HiddenGroups, [Post; MAX_UNITS]) {
        let mut groups = HiddenGroups { faces: [Face::NONE; MAX_UNITS], runs: [Run::NONE; RUNS], count: 2 };
        let mut posts = [Post::default(); MAX_UNITS];
        let mut start = 0;
        for (at, nation) in [Nation::Britain, Nation::Usa].into_iter().enumerate() {
            let end = start + places[at].len() as u8;
            let team = Team::Allies;
            groups.runs[at] =
                Run { start, end, nation, team, silhouette: Silhouette::Army, extras: extras[at] };
            posts[start as usize..end as usize]
                .iter_mut()
                .zip(places[at])
                .for_each(|(slot, &place)| *slot = post(place));
            start = end;
        }
        (groups, posts)
    }

    /// Armies and leaders of the search's arrangement by place, where every place takes two armies.
    fn searched(places: [&[Place]; 2], extras: [[u8; 2]; 2], seed: u64) -> Vec<(Place, Peers)> {
        let (groups, posts) = groups(places, extras);
        let mut layout = Layout::new(&[2; PLACES]);
        groups.runs().for_each(|run| layout.load(run, &posts));
        let roles = groups.lay_out_by_search(&layout, &posts, &mut Rng64::stream(3, seed, 0));
        let count = places[0].len() + places[1].len();
        let counts = |role| roles[..count].iter().filter(|&&found| found == role).count() as u8;
        let [leaders, paratroops] = [0, 1].map(|extra| extras[0][extra] + extras[1][extra]);
        assert_eq!([counts(Peers::Leaders), counts(Peers::Paratroops)], [leaders, paratroops]);
        posts[..count].iter().zip(roles).map(|(post, role)| (post.place(), role)).collect()
    }

    fn keeps_limits(found: &[(Place, Peers)]) -> bool {
        found.iter().all(|&(place, _)| {
            let of = |role| found.iter().filter(|&&(at, as_role)| at == place && as_role == role).count();
            of(Peers::Armies) <= 2 && of(Peers::Leaders) <= 1
        })
    }

    #[test]
    fn the_search_finds_the_only_arrangement() {
        // Place 5 has one British and two American blocks, place 6 three British ones: the British leader is needed at 6, so
        // that the American one must be at 5.
        for seed in 0..40 {
            let found = searched(
                [
                    &[Place(5), Place(6), Place(6), Place(6), Place(9)],
                    &[Place(5), Place(5), Place(7), Place(8)],
                ],
                [[1, 0], [1, 0]],
                seed,
            );
            assert!(keeps_limits(&found), "{found:?}");
            // Four blocks at 6 need both Americans, and the British leader is at 5 then.
            let found = searched(
                [&[Place(5), Place(5), Place(5), Place(8)], &[Place(6), Place(6), Place(6), Place(6)]],
                [[1, 0], [1, 1]],
                seed,
            );
            assert!(keeps_limits(&found), "{found:?}");
        }
    }

    #[test]
    fn where_nothing_keeps_the_limits_all_have_a_post_still() {
        for seed in 0..20 {
            let found = searched(
                [&[Place(5), Place(5), Place(5), Place(5), Place(5)], &[Place(5), Place(5)]],
                [[2, 0], [1, 1]],
                seed,
            );
            assert!(!keeps_limits(&found), "{found:?}");
        }
    }
}
