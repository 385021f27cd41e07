//! Places to stand in: what a plan says of each, whoever comes there. A plan asks it of the same places for every unit and
//! every time that others have been sent somewhere, so it is kept until something it rests on has changed.

use sandtable_core::{Hex, Index, Side};
use sandtable_eurofront::ids::{BlockId, Camp, Faction, Front, Hexes, LINES, MAX_BLOCKS, is_on_map};
use sandtable_eurofront::state::MAX_HEADQUARTERS;
use sandtable_eurofront::{Action, Mark, State};

use super::{
    Brief, CLOSE, CROWDED, FIELD_ARMY, MOST_NEEDED, Mover, OVERLOOKED, Planner, SENTRY, STEP, STRANGER,
    TAKEN, destination, is_stranger_to_arctic, prices_of_climate,
};
use crate::landings::{decisive, worth_of_port};
use crate::map_tables::{Field, field};
use crate::survey::{COAST, Might, overcome, shelter};
use crate::weights::Weights;

/// A place to stand in: all that does not depend on who comes, nor on who of the own side stands there.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Site {
    /// The look by which it is known.
    look: u32,
    /// What it costs that this land must be left.
    trespass: f32,
    /// How far supply reaches it, and what a step costs that it does not reach.
    fed: f32,
    hunger: f32,
    /// How it helps who is attacked in it.
    cover: f32,
    /// What it counts that somebody comes where nobody keeps it.
    taken: f32,
    /// What is lost with it.
    held: f32,
    /// It is a port that is threatened over the sea alone.
    by_sea: bool,
    /// A port that decides the scenario and lies open.
    open_port: f32,
    /// What it is worth to stand where a zone of control alone wins such a port.
    beside_port: f32,
    /// What railways lose and gain by who stands there.
    cut: f32,
    /// It is a city on a border that the Soviets guard.
    sentry: bool,
    /// Worth of what comes under control beside it.
    overlooked: f32,
    /// How ground further on draws who stands there.
    draw: f32,
}

/// Who comes to a place: all that its worth depends on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Guest {
    might: Might,
    /// What it costs it to come to a front, by front.
    climate: [f32; Front::ALL.len()],
    /// It is on the map and out of supply.
    unsupplied: bool,
    soviet: bool,
    /// It would be a stranger to the Arctic Zone.
    stranger: bool,
}

impl Guest {
    pub fn new(brief: &Brief<'_>, block: BlockId, might: Might) -> Guest {
        let state = brief.state;
        Guest {
            might,
            climate: prices_of_climate(brief, block),
            // Off the map the mark means something else.
            unsupplied: is_on_map(state.at(block)) && state.has(block, Mark::Unsupplied),
            soviet: brief.game.brief(block).faction == Faction::Soviets,
            stranger: is_stranger_to_arctic(brief, block),
        }
    }
}

/// What a place was worth to a guest.
#[derive(Clone, Copy, Default, Debug)]
struct Valued {
    look: u32,
    /// Since when the ground was what it was.
    since: u32,
    /// Who stood there of the own side, and what threatened it.
    there: f32,
    threat: f32,
    value: f32,
    blocks: u8,
    /// The guest, by number.
    guest: u8,
}

/// Bits of a number of headquarters.
const CROWD_BITS: usize = 6;

/// Guests that are told apart; what places are worth to others is not kept.
const GUESTS: usize = 64;
/// How many of them a place remembers.
const VALUED: usize = 8;

/// What sites rest on besides the survey and the weights of a decision.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Grounds {
    friendly: [Hexes; 2],
    occupied: [Hexes; 2],
    disputed: Hexes,
    owned: [Hexes; 2],
    coalition_defends: Hexes,
}

impl Grounds {
    const NONE: Grounds = Grounds {
        friendly: [Hexes::EMPTY; 2],
        occupied: [Hexes::EMPTY; 2],
        disputed: Hexes::EMPTY,
        owned: [Hexes::EMPTY; 2],
        coalition_defends: Hexes::EMPTY,
    };

    fn of(state: &State) -> Grounds {
        Grounds {
            friendly: state.friendly,
            occupied: state.occupied,
            disputed: state.disputed,
            owned: Camp::ALL.map(|camp| state.owners.of(camp)),
            coalition_defends: state.coalition_defends,
        }
    }

    /// Places in which something differs.
    fn differences(&self, other: &Grounds) -> Hexes {
        fn sets(grounds: &Grounds) -> impl Iterator<Item = &Hexes> {
            let by_camp = grounds.friendly.iter().chain(&grounds.occupied).chain(&grounds.owned);
            by_camp.chain([&grounds.disputed, &grounds.coalition_defends])
        }
        let pairs = sets(self).zip(sets(other));
        pairs.fold(Hexes::EMPTY, |all, (one, two)| all.or(&one.difference(two)).or(&two.difference(one)))
    }
}

/// Places that differ between two positions beyond which nothing that is known of places is kept from one to the other.
const FEW: u32 = 24;

/// What places are worth something for: the operation that is played, whether the camp is on the offensive, and which it is.
pub(crate) type Aims = (Option<(Side, u16)>, bool, Camp);

/// The best post of a unit that a plan has found before it sent anybody near.
#[derive(Clone, Copy, Default, Debug)]
struct Kept {
    /// The look at sites, and the list of moves, by which it was found.
    look: u32,
    list: u32,
    /// Its moves, whether it is commanded, and the Supreme Moves that were left, [`MOST_NEEDED`] at most.
    options: (u32, u32),
    commanded: bool,
    budget: u32,
    /// After how many orders it was found.
    asked: u32,
    gain: f32,
    best: u32,
}

/// Sites that are known, and what has become known by them.
#[derive(Debug)]
pub(super) struct Sites {
    all: Field<Site>,
    pub look: u32,
    grounds: Grounds,
    weighed: Option<(Weights, Aims)>,
    /// Orders given so far, in all plans, and before the one at hand.
    pub orders: u32,
    start: u32,
    /// With which order somebody last came to a place or left it in a plan, or threatened it less.
    touched: Field<u32>,
    /// With which of them somebody came to or left where armies are wanted.
    stations_touched: u32,
    /// Where headquarters stood, by number, when the last plan began; since which order they have stood there and the ground is what
    /// it is, by place, and all of them where they stand.
    posts: [Hex; MAX_HEADQUARTERS],
    moved: Field<u32>,
    any_moved: u32,
    /// How many field headquarters stand close by in a plan, by bits of that number, and in which plan.
    crowds: [Hexes; CROWD_BITS],
    crowds_start: u32,
    /// Best posts, by block.
    kept: Vec<Kept>,
    /// Who has come so far since the look, and what places were worth to them.
    guests: Vec<Guest>,
    guests_look: u32,
    /// Which of them a unit is, by block.
    guest_of: Vec<u8>,
    valued: Field<[Valued; VALUED]>,
}

impl Sites {
    pub fn new() -> Sites {
        Sites {
            all: field(Site::default()),
            look: 1,
            grounds: Grounds::NONE,
            weighed: None,
            orders: 1,
            start: 1,
            touched: field(0),
            stations_touched: 0,
            posts: [Hex(0); MAX_HEADQUARTERS],
            moved: field(0),
            any_moved: 0,
            crowds: [Hexes::EMPTY; CROWD_BITS],
            crowds_start: 0,
            kept: vec![Kept::default(); MAX_BLOCKS],
            guests: Vec::with_capacity(GUESTS),
            guests_look: 0,
            guest_of: vec![GUESTS as u8; MAX_BLOCKS],
            valued: field([Valued::default(); VALUED]),
        }
    }

    /// Forgets all: the survey may be another.
    pub fn forget(&mut self) {
        self.look = self.look.wrapping_add(1).max(1);
    }

    /// Since which order headquarters have stood where they do in a place, and the ground is what it is there and beside it.
    pub fn since(&self, hex: Hex) -> u32 {
        self.moved[hex.at()]
    }

    /// A decision is made by these weights and aims.
    pub fn weigh(&mut self, weights: &Weights, aims: Aims) {
        if self.weighed != Some((*weights, aims)) {
            self.forget();
            self.weighed = Some((*weights, aims));
        }
    }

    /// What is known of places of another position than the one at hand is forgotten, if they differ in what sites rest on.
    pub fn settle(&mut self, brief: &Brief<'_>) {
        let grounds = Grounds::of(brief.state);
        if self.grounds == grounds {
            return;
        }
        let differ = self.grounds.differences(&grounds);
        self.grounds = grounds;
        if differ.len() > FEW {
            return self.forget();
        }
        // A site rests on its own ground and on that beside it.
        self.orders += 1;
        let board = brief.game.board();
        let beside = differ.iter().flat_map(|hex| board.neighbours(hex).map(|(_, next)| next));
        for hex in differ.iter().chain(beside) {
            self.all[hex.at()].look = 0;
            self.moved[hex.at()] = self.orders;
        }
        self.any_moved = self.orders;
    }

    /// A plan is made in a position. What is known of another is of no use if they differ in what sites rest on; headquarters
    /// may stand elsewhere.
    pub fn begin_plan(&mut self, brief: &Brief<'_>) {
        self.settle(brief);
        self.orders += 1;
        self.start = self.orders;
        for (post, &block) in self.posts.iter_mut().zip(&brief.game.sets().headquarters_list) {
            let at = brief.state.at(block);
            if *post == at || brief.game.brief(block).camp != brief.camp {
                continue;
            }
            for hex in [*post, at].into_iter().filter(|&hex| is_on_map(hex)) {
                self.moved[hex.at()] = self.start;
            }
            self.any_moved = self.start;
            *post = at;
        }
    }
}

impl Planner {
    /// What is said of a place, known or not.
    pub(super) fn site(&mut self, brief: &Brief<'_>, hex: Hex) -> Site {
        let look = self.sites.look;
        if self.sites.all[hex.at()].look != look {
            self.sites.all[hex.at()] = Site { look, ..self.look_at_site(brief, hex) };
        }
        let site = self.sites.all[hex.at()];
        #[cfg(test)]
        assert_eq!(site, Site { look, ..self.look_at_site(brief, hex) });
        site
    }

    /// What is to be said of a place.
    pub(super) fn look_at_site(&self, brief: &Brief<'_>, hex: Hex) -> Site {
        let (game, state, w, survey) = (brief.game, brief.state, brief.weights, &self.survey);
        let (own, at) = (brief.camp.index(), hex.at());
        let worth = brief.worth[at];
        let fed = survey.fed(hex);
        let kept = state.friendly[own].contains(hex) && self.is_kept(brief, hex);
        let behind = if brief.tables.civil_war { 0.0 } else { w.line * survey.home[at] };
        let loyal = game.civil_war_tables().loyal[own].contains(hex);
        let supplied = survey.supplied.contains(hex);
        // Who is supplied there wins an open port by his zone of control (8.2).
        let beside = survey.decisive.contains(hex) && !brief.tables.over_sea.contains(hex);
        let overlooks = supplied || survey.supplied_ahead.contains(hex);
        Site {
            look: 0,
            trespass: survey.trespass(hex),
            fed,
            hunger: if loyal { 0.0 } else { w.supply * STEP * 0.8 },
            cover: shelter(brief.tables, game, state, hex),
            taken: if kept { 0.0 } else { TAKEN * worth.max(0.0) * (0.2 + 0.8 * fed) },
            held: if worth > 0.0 { w.hold * (worth + behind) } else { 0.0 },
            by_sea: survey.by_sea.contains(hex) && !brief.tables.civil_war,
            open_port: worth_of_port(brief, hex),
            beside_port: if beside { decisive(brief) } else { 0.0 },
            cut: if supplied { survey.cut[at] } else { 0.0 },
            sentry: survey.border.contains(hex),
            overlooked: if overlooks { self.overlooked(brief, hex) } else { 0.0 },
            draw: w.pull * (0.3 + 0.7 * fed) * survey.pull[at],
        }
    }

    /// What it is worth to a unit to stand in a place without an enemy; it is not counted among those there.
    pub(super) fn worth_of_site(&self, brief: &Brief<'_>, site: &Site, hex: Hex, guest: &Guest) -> f32 {
        let (at, might) = (hex.at(), guest.might);
        let (host, country) = (self.survey.own(), self.survey.country);
        let there = host.steps[at];
        let with = there + might.steps;
        let alone = host.blocks[at] == 0;
        // How likely the enemy takes it from so many steps: see `Survey::risk`.
        let threat = self.survey.threat[at] + self.survey.enemy().steps[at];
        let risk = |steps: f32| overcome(threat, country + steps * site.cover);
        let mut value = if alone { site.taken } else { 0.0 };
        // Who can fight at the front does not watch a coast.
        let share = if site.by_sea && might.offence > FIELD_ARMY { COAST } else { 1.0 };
        value += share * site.held * (risk(there) - risk(with));
        value += site.open_port;
        if !guest.unsupplied {
            value += site.beside_port;
        }
        if alone {
            value += site.cut;
            if site.sentry && guest.soviet {
                value += SENTRY;
            }
            value += site.overlooked;
        }
        value -=
            brief.weights.fear * STEP * might.steps * overcome(self.survey.threat[at], with * site.cover);
        value -= site.hunger * might.steps.min(2.0) * (1.0 - site.fed);
        if guest.stranger && brief.game.map().arctic.contains(hex) {
            value -= STRANGER;
        }
        value -= guest.climate[brief.game.front(hex).index()];
        let drawn = site.draw * (0.3 + 0.5 * might.steps);
        value + drawn + self.survey.stations.worth(brief.game, host, hex, might) - site.trespass
    }

    /// What other field headquarters close by take off the worth of a hex for one, in the plan at hand.
    pub(super) fn crowd_in_plan(&mut self, brief: &Brief<'_>, hex: Hex, block: BlockId) -> f32 {
        if brief.tables.civil_war {
            return 0.0;
        }
        let (board, state) = (brief.game.board(), brief.state);
        if self.sites.crowds_start != self.sites.start {
            self.sites.crowds_start = self.sites.start;
            self.sites.crowds = [Hexes::EMPTY; CROWD_BITS];
            let staffs = state.standing[brief.camp.index()].and(&brief.game.sets().field_headquarters);
            for at in staffs.iter().map(|staff| state.at(staff)) {
                let (line, place) = (usize::from(at.line()), at.place());
                let near = CLOSE as usize - 1;
                for line in line.saturating_sub(near)..(line + near + 1).min(LINES) {
                    let first = place.saturating_sub(CLOSE as u8);
                    let places = (first..(place + CLOSE as u8 + 1).min(64)).filter(|&place| {
                        board.distance(at, Hex((line << 6) as u16 | u16::from(place))) < CLOSE
                    });
                    let mut more = places.fold(0, |all, place| all | 1u64 << place);
                    for bits in &mut self.sites.crowds {
                        let word = &mut bits.0[line];
                        (*word, more) = (*word ^ more, *word & more);
                    }
                }
            }
        }
        let bits = self.sites.crowds.iter().enumerate();
        let all: u32 = bits.map(|(bit, set)| u32::from(set.contains(hex)) << bit).sum();
        let itself = board.distance(state.at(block), hex) < CLOSE;
        CROWDED * (all - u32::from(itself)) as f32
    }

    /// The number of a unit as a guest, or [`GUESTS`] if so many are known.
    pub(super) fn guest(&mut self, brief: &Brief<'_>, block: BlockId, might: Might) -> usize {
        let sites = &mut self.sites;
        if sites.guests_look != sites.look {
            sites.guests_look = sites.look;
            sites.guests.clear();
            sites.guest_of.fill(GUESTS as u8);
        }
        let known = usize::from(sites.guest_of[block.at()]);
        if sites.guests.get(known).is_some_and(|guest| guest.might == might) {
            #[cfg(test)]
            assert_eq!(sites.guests[known], Guest::new(brief, block, might));
            return known;
        }
        let guest = Guest::new(brief, block, might);
        let number = sites.guests.iter().position(|known| *known == guest).unwrap_or_else(|| {
            if sites.guests.len() < GUESTS {
                sites.guests.push(guest);
                sites.guests.len() - 1
            } else {
                GUESTS
            }
        });
        sites.guest_of[block.at()] = number as u8;
        number
    }

    /// What it is worth to a unit to stand in a place, as far as it is known; `number` is that of [`Planner::guest`].
    pub(super) fn worth_to(
        &mut self,
        brief: &Brief<'_>,
        hex: Hex,
        block: BlockId,
        might: Might,
        number: usize,
    ) -> f32 {
        let at = hex.at();
        // Who stands where armies are wanted counts everywhere.
        if number >= GUESTS || self.survey.stations.step != 0.0 {
            let site = self.site(brief, hex);
            let known = self.sites.guests.get(number).copied();
            let guest = known.unwrap_or_else(|| Guest::new(brief, block, might));
            return self.worth_of_site(brief, &site, hex, &guest);
        }
        let host = self.survey.own();
        let (look, since) = (self.sites.look, self.sites.moved[at]);
        let (there, blocks, threat) = (host.steps[at], host.blocks[at], self.survey.threat[at]);
        let known = &self.sites.valued[at][number % VALUED];
        if (known.look, known.since, usize::from(known.guest), known.blocks) == (look, since, number, blocks)
            && known.there.to_bits() == there.to_bits()
            && known.threat.to_bits() == threat.to_bits()
        {
            let value = known.value;
            #[cfg(test)]
            {
                let site = self.look_at_site(brief, hex);
                let guest = self.sites.guests[number];
                assert_eq!(value.to_bits(), self.worth_of_site(brief, &site, hex, &guest).to_bits());
            }
            return value;
        }
        let site = self.site(brief, hex);
        let value = self.worth_of_site(brief, &site, hex, &self.sites.guests[number]);
        let guest = number as u8;
        self.sites.valued[at][number % VALUED] = Valued { look, since, there, threat, value, blocks, guest };
        value
    }

    /// Places beside a hex that come under control by standing there.
    fn overlooked(&self, brief: &Brief<'_>, hex: Hex) -> f32 {
        if !brief.tables.beside_prized.contains(hex) {
            return 0.0;
        }
        let (game, state) = (brief.game, brief.state);
        let own = brief.camp.index();
        let beside = game.board().across(&Hexes::one(hex), &game.map().zoc).and(&brief.tables.prized);
        let vacant = beside.difference(&state.occupied[0]).difference(&state.occupied[1]);
        let open = vacant.difference(&state.friendly[own]).difference(&state.disputed);
        open.iter().map(|hex| OVERLOOKED * brief.worth[hex.at()]).sum()
    }

    /// Notes that somebody comes to a place or leaves it.
    pub(super) fn touch(&mut self, hex: Hex) {
        self.sites.touched[hex.at()] = self.sites.orders;
        if self.survey.stations.contains(hex) {
            self.sites.stations_touched = self.sites.orders;
        }
    }

    /// Whether all is so where a unit stands and might go. Of a rearguard, which might go anywhere beside it, nobody knows.
    fn is_all(&self, mover: &Mover, is: impl Fn(Hex) -> bool) -> bool {
        let options = &self.options[mover.options.0 as usize..mover.options.1 as usize];
        is(mover.at)
            && options.iter().all(|&action| match action {
                Action::Engage(..) => true,
                Action::Rearguard(_) => false,
                _ => destination(action).is_none_or(&is),
            })
    }

    /// Whether the best post of a unit is what it was when it was last asked for in this plan: nobody has come or gone since
    /// where it might go or stands, and it may be ordered what it might then.
    pub(super) fn is_up_to_date(&self, mover: &Mover) -> bool {
        // Who stands where armies are wanted counts everywhere.
        mover.budget == self.budget.min(MOST_NEEDED)
            && self.sites.stations_touched <= mover.asked
            && self.is_all(mover, |hex| self.sites.touched[hex.at()] <= mover.asked)
    }

    /// Whether nobody has been sent in this plan near a unit that is in no battle; what a battle is worth depends on who is
    /// supported as well.
    fn is_as_at_first(&self, mover: &Mover) -> bool {
        !mover.engaged
            && self.sites.stations_touched < self.sites.start
            && self.is_all(mover, |hex| self.sites.touched[hex.at()] < self.sites.start)
    }

    /// Takes over the best post of a unit from a plan before, if all is as it was then; says whether it has one.
    pub(super) fn recall(&mut self, nth: usize) -> bool {
        let (mover, sites) = (&self.movers[nth], &self.sites);
        let kept = sites.kept[mover.block.at()];
        let budget = self.budget.min(MOST_NEEDED);
        let holds = kept.look == sites.look
            && kept.list == self.lists
            && kept.options == mover.options
            && (kept.commanded, kept.budget) == (mover.commanded, budget)
            // Headquarters keep apart.
            && (!mover.headquarters || sites.any_moved <= kept.asked)
            && !mover.done
            && self.is_as_at_first(mover)
            && self.is_all(mover, |hex| sites.moved[hex.at()] <= kept.asked);
        if holds {
            let asked = sites.orders;
            let mover = &mut self.movers[nth];
            (mover.gain, mover.best, mover.asked, mover.budget) = (kept.gain, kept.best, asked, budget);
        }
        holds
    }

    /// Remembers the best post of a unit that has just been found.
    pub(super) fn remember(&mut self, nth: usize) {
        let mover = &self.movers[nth];
        if !mover.done && self.is_as_at_first(mover) {
            self.sites.kept[mover.block.at()] = Kept {
                look: self.sites.look,
                list: self.lists,
                options: mover.options,
                commanded: mover.commanded,
                budget: mover.budget,
                asked: mover.asked,
                gain: mover.gain,
                best: mover.best,
            };
        }
    }
}
