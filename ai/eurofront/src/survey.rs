//! The position as a camp sees it: who stands where, what threatens, what draws, what is supplied.
//!
//! Of hidden enemy blocks it knows how many stand in a hex; each counts as their mean.

use sandtable_core::{Hex, Index};
use sandtable_eurofront::ids::{BlockId, Camp, Front, Hexes, MAX_BLOCKS, is_on_map, place};
use sandtable_eurofront::rules::{Goal, Kind, Weather};
use sandtable_eurofront::{EuroFront, Mark, State};

use super::map_tables::{Field, MapTables, Places, REACH, field, shelter_of, sixths};
use super::plan::{Brief, TRESPASS};
use super::stations::Stations;
use super::weights::Weights;

/// What a camp has in a place.
#[derive(Debug)]
pub(super) struct Host {
    /// Steps.
    pub steps: Field,
    /// Sums over the dice of the sixths that hit, as the active and as the passive side.
    pub offence: Field,
    pub defence: Field,
    /// Blocks.
    pub blocks: Field<u8>,
    /// Places to which somebody has come.
    taken: Hexes,
}

impl Host {
    fn new() -> Host {
        let (steps, offence, defence) = (field(0.0), field(0.0), field(0.0));
        Host { steps, offence, defence, blocks: field(0), taken: Hexes::EMPTY }
    }

    fn clear(&mut self) {
        for hex in std::mem::take(&mut self.taken) {
            let at = hex.at();
            (self.steps[at], self.offence[at], self.defence[at], self.blocks[at]) = (0.0, 0.0, 0.0, 0);
        }
    }

    /// What stands where.
    fn stand(&self) -> impl Iterator<Item = (Hex, Might, u8)> {
        self.taken.into_iter().map(|hex| {
            let at = hex.at();
            let might = Might { steps: self.steps[at], offence: self.offence[at], defence: self.defence[at] };
            (hex, might, self.blocks[at])
        })
    }

    /// A block comes to a place, or (`share` -1) goes.
    pub fn add(&mut self, hex: Hex, might: Might, share: i8) {
        let at = hex.at();
        let sign = f32::from(share);
        self.steps[at] += sign * might.steps;
        self.offence[at] += sign * might.offence;
        self.defence[at] += sign * might.defence;
        self.blocks[at] = self.blocks[at].wrapping_add_signed(share);
        self.taken.insert(hex);
    }
}

/// What a block weighs in battle.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Might {
    pub steps: f32,
    pub offence: f32,
    pub defence: f32,
}

/// The might of a block that is known.
pub(super) fn might(tables: &MapTables, game: &EuroFront, state: &State, block: BlockId) -> Might {
    let kind = game.brief(block).kind;
    if kind.is_headquarters() {
        return Might::default();
    }
    let steps = f32::from(state.steps[block]);
    let [mut offence, mut defence] = tables.fire[kind as usize];
    let at = state.at(block);
    // In the Winter War Finns are as other infantry to both: the Soviets, who must not lose, dared too little against more.
    if !tables.civil_war && !tables.winter_war && is_on_map(at) {
        let now = sixths(game, game.firepower(state, block, false));
        if state.is_battle(at) {
            (offence, defence) = (now, sixths(game, game.firepower(state, block, true)));
        } else {
            // A swamp that it leaves slows nobody elsewhere.
            offence = offence.max(now);
        }
    }
    Might { steps, offence: steps * offence, defence: steps * defence }
}

/// Share of the enemy's steps that may come so many hexes further next turn.
pub(super) const COMING: [f32; REACH] = [0.7, 0.45, 0.1];
/// Part of what an enemy may bring beyond those who face him that he does not bring, where they are many, in campaigns.
const FACED: f32 = 0.9;
/// Share of own steps that may help so many hexes further.
const HELPING: [f32; REACH] = [0.9, 0.6, 0.3];
/// Steps with which it counts that an enemy may come to the place whose loss loses the war.
const WATCHED: f32 = 2.0;
/// Steps for which it counts that an enemy who may come to a place does not come, and in campaigns, where there are many
/// such places.
const COUNTRY: f32 = 0.2;
const COUNTRY_FAR: f32 = 1.5;
/// How far supply reaches where the enemy may cut it, and in campaigns, where he must break a line for it.
const EXPOSED: f32 = 0.6;
const EXPOSED_FAR: f32 = 0.85;
/// How far supply reaches what armies take by marching on, and how many hexes they march.
const AHEAD: f32 = 0.7;
const MARCH: u32 = 3;
/// Steps of a Norwegian garrison, about (20.81).
pub(super) const NORWEGIANS: f32 = 1.2;
/// What the guard of a coast is worth for who can fight at the front.
pub(super) const COAST: f32 = 0.25;
/// Share of the steps so many hexes further that a headquarters leads.
const LEADING: [f32; REACH] = [1.0, 0.9, 0.6];
/// Worth for a headquarters of a step that it leads, and the most that counts, in campaigns, in production points.
const LED: f32 = 0.3;
const MOST_LED: f32 = 80.0;
/// How much more the steps in battles count for it.
const IN_BATTLE: f32 = 2.0;
/// What is left of a pull a hex further on.
pub(super) const FADING: f32 = 0.75;
/// What is left of a pull a hex further on in campaigns, whose places are far apart.
const FADING_FAR: f32 = 0.87;
/// Own steps that are counted on besides those near a place, in campaigns.
const RESERVE_FAR: f32 = 8.0;
/// What a hex where enemies stand draws besides its worth, in campaigns, in production points.
const QUARRY: f32 = 2.0;
/// Hexes from all enemies beyond which a headquarters has nothing to lead.
const FAR_OFF: u32 = 8;
/// The same for what is left of the enemy on the Continent, when England is to be invaded.
const REMNANTS: u32 = 2;
/// Most places in play whose railways are looked at one by one.
const CLOSELY: usize = 200;
/// Price at which a lost headquarters counts.
pub(super) const HEADQUARTERS: f32 = 12.0;
/// Worth for a headquarters of standing where it is rebuilt at the lower price.
const CHEAP: f32 = 2.0;
/// What the way to a seat of command takes off its worth: a move by rail, a hex by land.
const A_JOURNEY: f32 = 6.0;
const A_MARCH: f32 = 5.0;
/// Part of all own steps that may be brought against a place in time.
const RESERVE: f32 = 0.35;
/// Worth of a step that is cut off, in production points.
const CUT_OFF: f32 = 2.0;

/// Of what a survey was taken.
#[derive(Debug)]
struct Seen {
    camp: Camp,
    /// At the enemy's railways as well.
    deep: bool,
    weights: Option<Weights>,
    worth: Field,
    state: Option<State>,
    /// The enemy's zones of control, and what both camps had where.
    zones: Hexes,
    stands: [Vec<(Hex, Might, u8)>; 2],
}

impl Seen {
    fn new() -> Seen {
        Seen {
            camp: Camp::Axis,
            deep: false,
            weights: None,
            worth: field(0.0),
            state: None,
            zones: Hexes::EMPTY,
            stands: Camp::ALL.map(|_| Vec::with_capacity(MAX_BLOCKS)),
        }
    }

    /// Whether a position differs from the one seen in nothing that a survey reads: enemies count by what is known of them, which
    /// is compared apart. Which headquarters are active, who has moved and what has been spent is of no account.
    fn is_like(&self, game: &EuroFront, state: &State) -> bool {
        const READ: [Mark; 3] = [Mark::Unsupplied, Mark::Dispersed, Mark::Acclimatised];
        let Some(seen) = &self.state else { return false };
        let own = game.blocks_of(self.camp);
        // Which beachheads the enemy has ready nobody knows.
        let placed = |block: BlockId| {
            let places = [seen.at(block), state.at(block)];
            let hidden = game.brief(block).camp != self.camp && !places.into_iter().any(is_on_map);
            hidden || places[0] == places[1]
        };
        if !game.seas().beachheads.iter().all(|&(block, _)| placed(block)) {
            return false;
        }
        let alike =
            |block: BlockId| seen.at(block) == state.at(block) && seen.steps[block] == state.steps[block];
        let marks = |state: &State| READ.map(|mark| state.marked(mark).and(own));
        if !own.iter().all(alike) || marks(seen) != marks(state) {
            return false;
        }
        let seen = State {
            marked: state.marked,
            battle: state.battle,
            points: state.points,
            funds: state.funds,
            spent: state.spent,
            ..with_blocks_of(seen, state)
        };
        seen == *state
    }
}

/// A position that was seen, with the blocks of another and what follows from them at once: what is left tells the two apart.
pub(super) fn with_blocks_of(seen: &State, state: &State) -> State {
    State {
        phase: state.phase,
        subject: state.subject,
        cursor: state.cursor,
        places: state.places,
        steps: state.steps,
        crossing: state.crossing,
        marks: state.marks,
        orders: state.orders,
        strikes: state.strikes,
        crowded: state.crowded,
        control_holds: state.control_holds,
        supply_holds: state.supply_holds,
        commanded: state.commanded,
        network: state.network,
        ..*seen
    }
}

/// A field that reached on, and what became of it.
#[derive(Debug)]
struct Reached {
    from: Field,
    fixed: Hexes,
    to: Field,
}

impl Reached {
    fn new() -> Reached {
        Reached { from: field(f32::NAN), fixed: Hexes::EMPTY, to: field(0.0) }
    }

    /// Lets a field reach on, or takes over what became of it the last time. What is passed on is always the same.
    fn reach_on(
        &mut self,
        tables: &MapTables,
        field: &mut Places,
        fixed: &Hexes,
        less: impl Fn(f32) -> f32 + Copy,
    ) {
        if self.fixed != *fixed || self.from[..] != field[..] {
            self.fixed = *fixed;
            self.from.copy_from_slice(field);
            tables.slopes.reach_on(field, fixed, less);
            self.to.copy_from_slice(field);
        } else {
            field.copy_from_slice(&self.to[..]);
        }
    }
}

/// The position as a camp sees it.
#[derive(Debug)]
pub(super) struct Survey {
    /// Of what it was taken.
    seen: Seen,
    pub camp: Camp,
    /// What both camps have where, by camp.
    pub hosts: [Host; 2],
    /// Enemy steps that may come to a place next turn, those in it not counted.
    pub threat: Field,
    /// Ports to which no enemy comes but over the sea.
    pub by_sea: Hexes,
    /// Own steps in and around a place.
    pub near: Field,
    /// Own steps in reach of the enemy in and around a place, in campaigns.
    pub led: Field,
    /// How ground further on draws.
    pub pull: Field,
    pub strongest_pull: f32,
    /// What is left of a pull a hex further on.
    pub fading: f32,
    /// Steps for which it counts that nobody comes to every place that he may come to.
    pub country: f32,
    /// How far supply reaches where the enemy may cut it.
    exposed: f32,
    /// Whether what a headquarters leads is counted by steps at the front: in campaigns.
    led_counts: bool,
    /// Worth of what is ours in and behind a place, in campaigns, in production points.
    pub home: Field,
    /// From which places that comes, and what they are worth.
    home_of: (Hexes, Field),
    /// How pulls and seats reached on the last time.
    pulled: Reached,
    seated: Reached,
    /// Where headquarters have something to lead: near enemies.
    pub hot: Hexes,
    /// Where armies have work by land and wait for no ships.
    pub busy: Hexes,
    /// What a seat of command is worth in a place, or on the way to a better one.
    pub seat: Field,
    /// What the enemy's railways lose, and ours gain, by an own unit in a place.
    pub cut: Field,
    /// Where field headquarters are rebuilt at the lower price.
    pub cheap: Hexes,
    /// Where own units are supplied, and where they will be whatever the enemy does next.
    pub supplied: Hexes,
    pub safe: Hexes,
    /// Where they will be once own units march into what the enemy has left open, in campaigns.
    pub supplied_ahead: Hexes,
    /// Land that is worth fighting for: neither neutral nor closed.
    pub at_war: Hexes,
    /// Steps of all own units, and of all the enemy's.
    pub total: [f32; 2],
    /// Steps of own units by front.
    pub by_front: [f32; Front::ALL.len()],
    /// Where the enemy's forts are known to stand.
    pub forts: Hexes,
    /// Key places that no enemy threatens by land.
    quiet_keys: Hexes,
    /// Cities on the border of Turkey that the Soviets guard, for every open one may bring it into the war.
    pub border: Hexes,
    /// Land that must be left, or it brings a war (20.14), and what of it does not lie beside own land.
    pub to_leave: [Hexes; 2],
    /// Where the scenario wants armies to stand.
    pub stations: Stations,
    /// The railways that join most of the army.
    pub main_railways: Hexes,
    /// Part of what is supplied ahead, in the South of 1940A, to which no enemy may come.
    pub unopposed: Hexes,
    /// Hexes of England in which a unit of the Axis that stands there at the end of its turn decides 1940A.
    pub decisive: Hexes,
}

impl Survey {
    pub fn new() -> Survey {
        Survey {
            seen: Seen::new(),
            camp: Camp::Axis,
            hosts: [Host::new(), Host::new()],
            threat: field(0.0),
            by_sea: Hexes::EMPTY,
            near: field(0.0),
            led: field(0.0),
            pull: field(0.0),
            strongest_pull: 0.0,
            fading: FADING,
            country: COUNTRY,
            exposed: EXPOSED,
            led_counts: false,
            home: field(0.0),
            home_of: (Hexes::EMPTY, field(0.0)),
            pulled: Reached::new(),
            seated: Reached::new(),
            hot: Hexes::EMPTY,
            busy: Hexes::EMPTY,
            seat: field(0.0),
            cut: field(0.0),
            cheap: Hexes::EMPTY,
            supplied: Hexes::EMPTY,
            safe: Hexes::EMPTY,
            supplied_ahead: Hexes::EMPTY,
            at_war: Hexes::EMPTY,
            total: [0.0; 2],
            by_front: [0.0; Front::ALL.len()],
            forts: Hexes::EMPTY,
            quiet_keys: Hexes::EMPTY,
            border: Hexes::EMPTY,
            to_leave: [Hexes::EMPTY; 2],
            stations: Stations::NONE,
            main_railways: Hexes::EMPTY,
            unopposed: Hexes::EMPTY,
            decisive: Hexes::EMPTY,
        }
    }

    pub fn own(&self) -> &Host {
        &self.hosts[self.camp.index()]
    }

    pub fn enemy(&self) -> &Host {
        &self.hosts[self.camp.enemy().index()]
    }

    /// Looks at a position: at what stands where alone, if nothing has changed that a survey reads; `deep`: at the enemy's railways
    /// as well. Says whether it knew the position.
    pub fn look(&mut self, brief: &Brief<'_>, deep: bool) -> bool {
        let deep = deep && brief.tables.places.len() <= CLOSELY;
        let known = self.is_of(brief, deep);
        if !known {
            self.take(brief, deep);
            self.remember(brief, deep);
        }
        #[cfg(test)]
        self.check(brief, deep);
        known
    }

    /// Whether the survey is of a position like this one. Who stands where is counted anew.
    fn is_of(&mut self, brief: &Brief<'_>, deep: bool) -> bool {
        let Brief { game, tables, weights, worth, state, camp, .. } = *brief;
        if (self.seen.camp, self.seen.deep, self.seen.weights) != (camp, deep, Some(*weights))
            || !self.seen.is_like(game, state)
            || self.seen.worth[..] != worth[..]
        {
            return false;
        }
        let before = (self.total, self.by_front, self.forts);
        self.count(game, tables, state);
        let stands = self
            .hosts
            .iter()
            .zip(&self.seen.stands)
            .all(|(host, seen)| host.stand().eq(seen.iter().copied()));
        stands
            && before == (self.total, self.by_front, self.forts)
            && self.seen.zones == game.zones(state, camp.enemy())
            && self.at_war == land_at_war(brief)
            && {
                self.stations = Stations::of(brief);
                self.to_leave = super::diplomacy::land_to_leave(brief);
                self.border = super::diplomacy::border_to_guard(brief);
                true
            }
    }

    /// Remembers of what the survey was taken.
    fn remember(&mut self, brief: &Brief<'_>, deep: bool) {
        let seen = &mut self.seen;
        (seen.camp, seen.deep, seen.weights) = (brief.camp, deep, Some(*brief.weights));
        seen.worth.copy_from_slice(brief.worth);
        seen.state = Some(*brief.state);
        seen.zones = brief.game.zones(brief.state, brief.camp.enemy());
        for (stand, host) in seen.stands.iter_mut().zip(&self.hosts) {
            stand.clear();
            stand.extend(host.stand());
        }
    }

    /// The survey is the one that would be taken now.
    #[cfg(test)]
    fn check(&self, brief: &Brief<'_>, deep: bool) {
        let mut now = Survey::new();
        now.take(brief, deep);
        let of = |survey: &Survey| {
            let fields = [
                &survey.threat,
                &survey.near,
                &survey.led,
                &survey.pull,
                &survey.home,
                &survey.seat,
                &survey.cut,
            ];
            let fields: Vec<Vec<f32>> = fields.iter().map(|field| field.to_vec()).collect();
            let [one, two] = &survey.hosts;
            let sets = [survey.by_sea, survey.hot, survey.busy, survey.cheap, survey.supplied, survey.safe];
            let more = [
                survey.supplied_ahead,
                survey.at_war,
                survey.forts,
                survey.quiet_keys,
                survey.border,
                survey.unopposed,
                survey.decisive,
                survey.main_railways,
            ];
            let hosts: Vec<_> = one.stand().chain(two.stand()).collect();
            let numbers = [survey.strongest_pull, survey.fading, survey.country, survey.exposed];
            let rest = (survey.to_leave, numbers, survey.total, survey.by_front, survey.stations);
            (fields, sets, more, hosts, rest)
        };
        // Of the civil war, and of campaigns, some fields are never looked at.
        let (known, now) = (of(self), of(&now));
        assert!(known.0[0] == now.0[0] && known.0[1] == now.0[1], "threat, near");
        assert!(brief.tables.civil_war || known.0[2] == now.0[2] && known.0[4] == now.0[4], "led, home");
        assert!(known.0[3] == now.0[3] && known.0[5..] == now.0[5..], "pull, seat, cut");
        assert_eq!((known.1, known.2, known.3, known.4), (now.1, now.2, now.3, now.4));
    }

    /// Looks at a position in which battles are fought: at who stands where and what ground is worth, and at nothing else.
    pub fn look_at_battles(&mut self, brief: &Brief<'_>) {
        if !self.is_of(brief, false) {
            self.seen.state = None;
            self.look_at_ground(brief);
            self.forget_supply(brief.tables);
        }
        #[cfg(test)]
        self.check_ground(brief);
    }

    /// Nothing is known of supply and command: that of another position is left to nobody.
    fn forget_supply(&mut self, tables: &MapTables) {
        for set in [
            &mut self.supplied,
            &mut self.safe,
            &mut self.supplied_ahead,
            &mut self.unopposed,
            &mut self.hot,
            &mut self.busy,
            &mut self.cheap,
            &mut self.decisive,
            &mut self.main_railways,
        ] {
            *set = Hexes::EMPTY;
        }
        for field in [&mut self.led, &mut self.seat, &mut self.cut] {
            tables.clear(field, 0.0);
        }
    }

    /// What is seen of ground is what would be seen now.
    #[cfg(test)]
    fn check_ground(&self, brief: &Brief<'_>) {
        let mut now = Survey::new();
        now.look_at_ground(brief);
        let of = |survey: &Survey| {
            let fields =
                [&survey.threat, &survey.near, &survey.pull, &survey.home].map(|field| field.to_vec());
            let hosts: Vec<_> =
                survey.hosts.iter().flat_map(|host| host.stand().collect::<Vec<_>>()).collect();
            (fields, hosts, survey.by_sea, survey.forts)
        };
        let (mut known, now) = (of(self), of(&now));
        if brief.tables.civil_war {
            known.0[3].clone_from(&now.0[3]); // Never looked at.
        }
        assert_eq!(known, now);
    }

    fn take(&mut self, brief: &Brief<'_>, deep: bool) {
        self.look_at_ground(brief);
        let Brief { game, tables, weights, worth, state, camp, .. } = *brief;
        let (own, enemy) = (camp.index(), camp.enemy().index());
        let [ours, theirs] = [own, enemy].map(|camp| state.occupied[camp]);
        let battles = ours.and(&theirs);
        if !tables.civil_war {
            let at_front = ours.filter(|hex| {
                self.threat[hex.at()] > 0.0 && !self.by_sea.contains(hex) || theirs.contains(hex)
            });
            tables.clear(&mut self.led, 0.0);
            let weight = |hex: Hex| if battles.contains(hex) { IN_BATTLE } else { 1.0 };
            spread(tables, &self.hosts[own].steps, &mut self.led, &at_front, &Hexes::EMPTY, |hex| {
                LEADING.map(|share| weight(hex) * share)
            });
            for hex in at_front {
                self.led[hex.at()] += weight(hex) * self.hosts[own].steps[hex.at()];
            }
        }

        let network = game.whole_network(state, camp);
        self.supplied = area(game, state, camp, &network);
        // The enemy may come between wherever he can go and nobody stands.
        let near = game.board().within_across(theirs, 2, &game.map().in_play, &game.map().land);
        let kept = if game.rules.civil_war.is_some() { state.garrisons(camp) } else { Hexes::EMPTY };
        let exposed = near.difference(&ours).difference(&kept);
        let mut pressed = *state;
        pressed.friendly[own] = state.friendly[own].difference(&exposed);
        pressed.disputed = state.disputed.or(&exposed.and(&state.friendly[own]));
        let safe_network = game.whole_network(&pressed, camp);
        self.safe = area(game, &pressed, camp, &safe_network);
        self.supplied_ahead = if tables.civil_war {
            Hexes::EMPTY
        } else {
            let open = self.open_country(game, state);
            let mut advanced = *state;
            advanced.friendly[own] = state.friendly[own].or(&open);
            advanced.friendly[enemy] = state.friendly[enemy].difference(&open);
            advanced.disputed = state.disputed.difference(&open);
            area(game, &advanced, camp, &game.whole_network(&advanced, camp))
        };
        self.unopposed = if tables.goal == Goal::FallOfFrance {
            let ahead = self.supplied_ahead.and(&game.map().of_front[Front::Mediterranean.index()]);
            ahead.filter(|hex| self.threat[hex.at()] <= 0.0)
        } else {
            Hexes::EMPTY
        };
        self.look_at_sources(game, state);
        if tables.civil_war {
            self.hot = game.map().in_play;
        } else {
            let aims = theirs.or(&self.open_aims(brief));
            self.hot = game.board().within_across(aims, FAR_OFF, &game.map().in_play, &game.map().land);
            if !tables.norway.is_empty() {
                self.hot = self.hot.and(&tables.norway);
            }
            for route in &tables.routes {
                if theirs.contains(route.a) || theirs.contains(route.b) {
                    self.hot.insert(route.a);
                    self.hot.insert(route.b);
                }
            }
        }
        // What is left of the enemy on the Continent holds up nobody who may decide the war in England.
        self.busy = if super::landings::tries_for_england(brief) {
            game.board().within_across(theirs, REMNANTS, &game.map().in_play, &game.map().land)
        } else {
            self.hot
        };
        self.decisive = super::landings::decisive_hexes(brief);
        self.look_for_seats(game, tables, weights, state, &network);
        tables.clear(&mut self.cut, 0.0);
        if deep {
            self.look_at_railways(game, tables, worth, weights, state);
        }
    }

    /// Who stands where, what threatens, how ground draws.
    fn look_at_ground(&mut self, brief: &Brief<'_>) {
        let Brief { game, tables, weights, worth, state, camp, .. } = *brief;
        self.camp = camp;
        self.led_counts = !tables.civil_war;
        self.country = if tables.civil_war { COUNTRY } else { COUNTRY_FAR };
        self.exposed = if tables.civil_war { EXPOSED } else { EXPOSED_FAR };
        self.at_war = land_at_war(brief);
        self.stations = Stations::of(brief);
        self.to_leave = super::diplomacy::land_to_leave(brief);
        self.border = super::diplomacy::border_to_guard(brief);
        self.count(game, tables, state);
        let (own, enemy) = (camp.index(), camp.enemy().index());
        let [ours, theirs] = [own, enemy].map(|camp| state.occupied[camp]);
        let battles = ours.and(&theirs);

        tables.clear(&mut self.threat, 0.0);
        let (hosts, threat) = (&self.hosts, &mut self.threat);
        spread(tables, &hosts[enemy].steps, threat, &theirs, &ours, |hex| {
            let faced = if tables.civil_war {
                0.0
            } else {
                let [beside, ..] = tables.rings[hex.at()].each();
                let facing = beside.iter().filter(|&&beside| ours.contains(beside));
                let steps: f32 = facing.map(|beside| hosts[own].steps[beside.at()]).sum();
                FACED * overcome(steps, hosts[enemy].steps[hex.at()])
            };
            let part = if battles.contains(hex) { 0.3 } else { 1.0 };
            std::array::from_fn(|ring| {
                let faced = if ring == 0 { 0.0 } else { faced };
                COMING[ring] * (1.0 - faced) * part
            })
        });
        self.by_sea = super::landings::add_threat(game, state, camp, &mut self.threat);
        // Never without their guard.
        self.quiet_keys = Hexes::EMPTY;
        for hex in tables.keys[own].and(&state.friendly[own]) {
            if self.threat[hex.at()] <= 0.0 || self.by_sea.contains(hex) {
                self.quiet_keys.insert(hex);
            }
            self.threat[hex.at()] += WATCHED;
            self.by_sea.remove(hex);
        }
        spread_over_routes(tables, &self.at_war, &self.hosts[enemy].steps, &mut self.threat);
        tables.clear(&mut self.near, 0.0);
        spread(tables, &self.hosts[own].steps, &mut self.near, &ours, &theirs, |_| HELPING);
        for hex in ours {
            self.near[hex.at()] += self.hosts[own].steps[hex.at()];
        }
        spread_over_routes(tables, &self.at_war, &self.hosts[own].steps, &mut self.near);
        if tables.civil_war {
            self.draw(game, tables, worth, weights, state);
        } else {
            self.draw_far(game, tables, worth, weights, state);
        }
    }

    /// What headquarters lead to in campaigns though no enemy is near: cities of the enemy that lie open, and for the Axis ports to
    /// which ships may come and where nobody stands.
    fn open_aims(&self, brief: &Brief<'_>) -> Hexes {
        let Brief { tables, state, camp, .. } = *brief;
        if tables.goal != Goal::Campaign {
            return Hexes::EMPTY;
        }
        let cities = tables.prized.and(&state.owners.of(camp.enemy())).and(&self.at_war);
        let coasts = if camp == Camp::Axis {
            self.by_sea.difference(&state.occupied[camp.index()])
        } else {
            Hexes::EMPTY
        };
        cities.or(&coasts)
    }

    /// Land of the enemy in which nobody stands and that none of his zones of control reaches: own units take it by marching
    /// on.
    fn open_country(&self, game: &EuroFront, state: &State) -> Hexes {
        let own = self.camp.index();
        let map = game.map();
        let theirs = state.occupied[self.camp.enemy().index()];
        let passable = self.at_war.and(&map.in_play).difference(&theirs);
        let free = state.occupied[own].difference(&state.battles());
        let near = game.board().within_across(free, MARCH, &passable, &map.land);
        near.difference(&state.friendly[own])
            .difference(&theirs)
            .difference(&game.zones(state, self.camp.enemy()))
    }

    /// Who is attacked in these places threatens less, by what attacks him: in the places that it gives back.
    pub fn ease(&mut self, game: &EuroFront, tables: &MapTables, state: &State, attacked: &Hexes) -> Hexes {
        let (own, foe) = (self.camp.index(), self.camp.enemy().index());
        let ours = state.occupied[own];
        let fresh = attacked.difference(&ours);
        let (hosts, threat) = (&self.hosts, &mut self.threat);
        spread(tables, &hosts[foe].steps, threat, &fresh, &ours, |hex| {
            let bound = overcome(hosts[own].steps[hex.at()], hosts[foe].steps[hex.at()]);
            COMING.map(|share| -0.7 * share * bound)
        });
        let near =
            game.board().within_across(fresh, COMING.len() as u32, &game.map().in_play, &game.map().land);
        for hex in near {
            threat[hex.at()] = threat[hex.at()].max(0.0);
        }
        near
    }

    /// Counts anew where own units stand, after a plan has moved them about.
    pub fn restore(&mut self, game: &EuroFront, tables: &MapTables, state: &State) {
        let own = self.camp.index();
        self.hosts[own].clear();
        for block in state.standing[own] {
            self.hosts[own].add(state.at(block), might(tables, game, state, block), 1);
        }
    }

    /// Counts who stands where.
    pub fn count(&mut self, game: &EuroFront, tables: &MapTables, state: &State) {
        let (own, foe) = (self.camp.index(), self.camp.enemy().index());
        for host in &mut self.hosts {
            host.clear();
        }
        self.total = [0.0; 2];
        self.by_front = [0.0; Front::ALL.len()];
        for block in state.standing[own] {
            let might = might(tables, game, state, block);
            self.total[0] += might.steps;
            self.by_front[game.front(state.at(block)).index()] += might.steps;
            self.hosts[own].add(state.at(block), might, 1);
        }
        let forts = tables.forts.iter().filter(|(hex, nation)| {
            state.occupied[foe].contains(*hex)
                && state.friendly[foe].contains(*hex)
                && game.faction_of(state, *nation).is_some_and(|faction| faction.camp().index() == foe)
        });
        self.forts = forts.map(|(hex, _)| *hex).collect();
        // Sums of whole numbers: the same whoever the hidden blocks are.
        let known = state.marked(Mark::Revealed).or(state.marked(Mark::Deactivated));
        let hidden = state.standing[foe].difference(&known);
        let steps: u32 = hidden
            .difference(&game.sets().headquarters)
            .iter()
            .map(|block| u32::from(state.steps[block]))
            .sum();
        let mean = steps as f32 / hidden.len().max(1) as f32;
        let [offence, defence] = tables.fire[Kind::Infantry as usize];
        let unknown = Might { steps: mean, offence: mean * offence, defence: mean * defence };
        let garrison = Might {
            steps: NORWEGIANS,
            offence: 0.0,
            defence: NORWEGIANS * tables.fire[Kind::Static as usize][1],
        };
        for block in state.standing[foe].and(&known) {
            self.hosts[foe].add(state.at(block), might(tables, game, state, block), 1);
        }
        for block in hidden {
            let hex = state.at(block);
            self.hosts[foe].add(hex, if tables.norway.contains(hex) { garrison } else { unknown }, 1);
        }
        for hex in state.occupied[foe] {
            self.total[1] += self.hosts[foe].steps[hex.at()];
        }
    }

    /// How much the enemy may take a place from who has so many steps in it.
    pub fn risk(&self, tables: &MapTables, game: &EuroFront, state: &State, hex: Hex, steps: f32) -> f32 {
        let threat = self.threat[hex.at()] + self.enemy().steps[hex.at()];
        overcome(threat, self.country + steps * shelter(tables, game, state, hex))
    }

    /// How places draw: what the enemy holds and may be taken, what is ours and in danger.
    fn draw(
        &mut self,
        game: &EuroFront,
        tables: &MapTables,
        worth: &Places,
        weights: &Weights,
        state: &State,
    ) {
        tables.clear(&mut self.pull, 0.0);
        let own = self.camp.index();
        for &(hex, _) in &tables.prizes {
            let at = hex.at();
            let value = worth[at];
            let ours = state.friendly[own].contains(hex);
            let steps = self.own().steps[at];
            self.pull[at] = if ours && !state.is_battle(hex) {
                weights.hold * value * self.risk(tables, game, state, hex, steps)
            } else {
                let resistance =
                    (self.enemy().steps[at] + 0.4 * self.threat[at]) * shelter(tables, game, state, hex);
                value * overcome(self.near[at] + RESERVE * self.total[0], resistance)
            };
        }
        // One aim before all others, so that force comes together.
        let ours = state.friendly[own].difference(&state.battles());
        let aims = tables.prized.difference(&ours);
        let aim = aims.iter().max_by(|a, b| self.pull[a.at()].total_cmp(&self.pull[b.at()]));
        for hex in aims.iter().filter(|&hex| Some(hex) != aim) {
            self.pull[hex.at()] *= weights.spread;
        }
        self.fading = FADING;
        tables.slopes.reach_on(&mut self.pull, &Hexes::EMPTY, |pull| FADING * pull);
        self.strongest_pull = tables.places.iter().map(|hex| self.pull[hex.at()]).fold(0.01, f32::max);
    }

    /// How places draw in campaigns: no aim comes before all others, lines are held before what lies behind them, and land draws
    /// that own units can reach.
    fn draw_far(
        &mut self,
        game: &EuroFront,
        tables: &MapTables,
        worth: &Places,
        weights: &Weights,
        state: &State,
    ) {
        let map = game.map();
        let (own, foe) = (self.camp.index(), self.camp.enemy().index());
        let ours = state.friendly[own].difference(&state.battles()).and(&self.at_war);
        let prizes = tables.prized.and(&ours);
        let is_of = |hex: Hex| self.home_of.1[hex.at()].to_bits() == worth[hex.at()].to_bits();
        if self.home_of.0 != prizes || !prizes.iter().all(is_of) {
            tables.clear(&mut self.home, 0.0);
            for hex in prizes {
                self.home[hex.at()] = worth[hex.at()];
                self.home_of.1[hex.at()] = worth[hex.at()];
            }
            self.home_of.0 = prizes;
            tables.slopes.reach_on(&mut self.home, &Hexes::EMPTY, |home| FADING_FAR * home);
        }
        tables.clear(&mut self.pull, 0.0);
        let mut reached = game.board().fill_across(state.occupied[own], &map.in_play, &map.land);
        for route in &tables.routes {
            if reached.contains(route.a) || reached.contains(route.b) {
                reached.insert(route.a);
                reached.insert(route.b);
            }
        }
        for hex in self.at_war.and(&reached) {
            let at = hex.at();
            let quarry = if state.occupied[foe].contains(hex) { QUARRY } else { 0.0 };
            self.pull[at] = if ours.contains(hex) {
                // That a key place is never without its guard calls no army back from the front.
                if self.threat[at] <= 0.0 || self.quiet_keys.contains(hex) {
                    continue;
                }
                let value = worth[at] + weights.line * self.home[at];
                let share = if self.by_sea.contains(hex) { COAST } else { 1.0 };
                share * weights.hold * value * self.risk(tables, game, state, hex, self.own().steps[at])
            } else {
                let resistance = self.enemy().steps[at] + 0.4 * self.threat[at];
                let resistance =
                    if resistance > 0.0 { resistance * shelter(tables, game, state, hex) } else { 0.0 };
                (worth[at] + quarry) * overcome(self.near[at] + RESERVE_FAR, resistance)
            };
        }
        self.fading = FADING_FAR;
        self.pulled.reach_on(tables, &mut self.pull, &Hexes::EMPTY, |pull| FADING_FAR * pull);
        self.strongest_pull = tables.places.iter().map(|hex| self.pull[hex.at()]).fold(0.01, f32::max);
    }

    /// Hits for a step of the enemy in a hex, supported or not: a fort needs more wherever it stands (2.28).
    pub fn hits(&self, game: &EuroFront, state: &State, hex: Hex, supported: bool) -> f32 {
        let hits = hits_for_step(game, state, hex, supported);
        if !self.forts.contains(hex) {
            return hits;
        }
        let own = f32::from(game.rules.kinds[Kind::Fort as usize].defence);
        hits.max(if self.enemy().blocks[hex.at()] > 1 { own - 0.5 } else { own })
    }

    /// What it costs to stand in land that must be left.
    pub fn trespass(&self, hex: Hex) -> f32 {
        let price = self.to_leave.map(|land| if land.contains(hex) { TRESPASS } else { 0.0 });
        price.iter().sum()
    }

    /// How far supply reaches a hex: 1 whatever the enemy does, 0 not at all. It follows who marches into open country, in the
    /// South as if it were there.
    pub fn fed(&self, hex: Hex) -> f32 {
        if self.safe.contains(hex) {
            1.0
        } else if self.supplied.contains(hex) || self.unopposed.contains(hex) {
            self.exposed
        } else if self.supplied_ahead.contains(hex) {
            AHEAD
        } else {
            0.0
        }
    }

    /// What a field headquarters is worth in a hex for what it leads there; danger counts apart.
    pub fn command(&self, weights: &Weights, hex: Hex) -> f32 {
        let cheap = if self.cheap.contains(hex) { CHEAP } else { 0.0 };
        let unsupplied = 6.0 * weights.supply * (1.0 - self.fed(hex));
        let led =
            if self.led_counts { LED * self.led[hex.at()].min(MOST_LED) } else { 0.2 * self.near[hex.at()] };
        cheap + led + weights.lead * self.pull[hex.at()] / self.strongest_pull - unsupplied
    }

    /// How much a headquarters is in danger in a hex, for so many steps beside it.
    pub fn danger(&self, tables: &MapTables, game: &EuroFront, state: &State, hex: Hex, steps: f32) -> f32 {
        let threat = self.threat[hex.at()];
        if threat <= 0.0 {
            return 0.0;
        }
        overcome(threat, steps * shelter(tables, game, state, hex) + 0.3)
    }

    /// Where a headquarters would best be, and how far that is from everywhere: by land, or by rail.
    fn look_for_seats(
        &mut self,
        game: &EuroFront,
        tables: &MapTables,
        weights: &Weights,
        state: &State,
        network: &Hexes,
    ) {
        let theirs = state.occupied[self.camp.enemy().index()];
        for &hex in &tables.places {
            let at = hex.at();
            let danger = self.danger(tables, game, state, hex, self.own().steps[at]);
            let value = self.command(weights, hex) - weights.care * HEADQUARTERS * danger;
            self.seat[at] = if theirs.contains(hex) { -99.0 } else { value };
        }
        // Each part of the railways for itself.
        let mut rest = network.and(&game.map().in_play).difference(&theirs);
        let mut most = 0.0;
        self.main_railways = Hexes::EMPTY;
        while let Some(first) = rest.first() {
            let part = game.board().fill_across(Hexes::one(first), &rest, &game.map().rails);
            rest = rest.difference(&part);
            rest.remove(first);
            let steps: f32 = part.iter().map(|hex| self.own().steps[hex.at()]).sum();
            if steps > most {
                (most, self.main_railways) = (steps, part);
            }
            let best = part.iter().map(|hex| self.seat[hex.at()]).fold(-99.0, f32::max);
            for hex in part {
                let seat = &mut self.seat[hex.at()];
                *seat = seat.max(best - A_JOURNEY);
            }
        }
        self.seated.reach_on(tables, &mut self.seat, &theirs, |seat| seat - A_MARCH);
    }

    /// What the enemy's railways lose, and our own gain, where an own unit stands or might come to stand.
    fn look_at_railways(
        &mut self,
        game: &EuroFront,
        tables: &MapTables,
        worth: &Places,
        weights: &Weights,
        state: &State,
    ) {
        let (own, foe) = (self.camp.index(), self.camp.enemy().index());
        let map = game.map();
        let [ours, theirs] = [own, foe].map(|camp| state.occupied[camp]);
        let before = Camp::ALL.map(|camp| self.held(game, tables, worth, state, camp));
        let mut after = *state;
        let zones = [&ours, &theirs]
            .map(|places| game.board().across(&places.difference(&state.battles()), &map.zoc));
        let near = game.board().within_across(ours, 3, &map.in_play, &map.land);
        for hex in near.difference(&theirs) {
            let here = Hexes::one(hex);
            let around = game.board().across(&here, &map.zoc).difference(&theirs);
            let there = ours.contains(hex) && !state.is_battle(hex);
            let closed = if there {
                // Without its unit: what no other of ours reaches is the enemy's again where he reaches it.
                let rest =
                    game.board().across(&ours.difference(&here).difference(&state.battles()), &map.zoc);
                here.or(&around).difference(&rest).difference(&ours.difference(&here)).and(&zones[1])
            } else {
                here.or(&around.difference(&ours))
            };
            if !closed.intersects(&map.rail_hexes) {
                continue;
            }
            if there {
                after.friendly[foe] = state.friendly[foe].or(&closed);
                after.friendly[own] = state.friendly[own].difference(&closed);
                after.disputed = state.disputed.difference(&closed);
            } else {
                let theirs_too = closed.and(&zones[1]).difference(&here);
                let all_ours = closed.difference(&theirs_too);
                after.friendly[foe] = state.friendly[foe].difference(&closed);
                after.friendly[own] = state.friendly[own].or(&all_ours);
                after.disputed =
                    state.disputed.difference(&all_ours).or(&theirs_too.difference(&state.friendly[own]));
            }
            let [own_after, foe_after] =
                [self.camp, self.camp.enemy()].map(|camp| self.held(game, tables, worth, &after, camp));
            let sign = if there { -1.0 } else { 1.0 };
            let cut = sign * (before[foe] - foe_after);
            let join = sign * (own_after - before[own]);
            self.cut[hex.at()] = weights.cut * cut.max(0.0) + weights.join * join.max(0.0);
        }
    }

    /// Worth of the places and steps that a camp's railways supply.
    fn held(&self, game: &EuroFront, tables: &MapTables, worth: &Places, state: &State, camp: Camp) -> f32 {
        let network = game.whole_network(state, camp);
        if network.is_empty() {
            return 0.0;
        }
        let supplied = game.supplied_by(state, camp, &network);
        let places = network.and(&state.friendly[camp.index()]).and(&tables.prized);
        let of_places: f32 = places.iter().map(|hex| worth[hex.at()]).sum();
        let fed = state.occupied[camp.index()].and(&supplied);
        let steps: f32 = fed.iter().map(|hex| self.hosts[camp.index()].steps[hex.at()]).sum();
        of_places + CUT_OFF * steps
    }

    /// Where field headquarters are rebuilt at the lower price (1936 rule 7): supplied from the capital and, unless it lies
    /// beyond the border, from abroad as well.
    fn look_at_sources(&mut self, game: &EuroFront, state: &State) {
        self.cheap = Hexes::EMPTY;
        let Some(war) = &game.rules.civil_war else { return };
        let own = self.camp.index();
        let mut without = *state;
        without.civil_war.axis = place::OUT;
        without.civil_war.soviet = place::OUT;
        without.civil_war.french = [place::OUT; 2];
        let from_capital = game.whole_network(&without, self.camp);
        if from_capital.is_empty() {
            return;
        }
        self.cheap = game.supplied_by(&without, self.camp, &from_capital);
        if !game.civil_war_tables().rear[own].contains(war.capitals[own]) {
            let abroad = [state.civil_war.french[0], state.civil_war.french[1], state.civil_war.soviet];
            if !abroad.iter().any(|&hex| is_on_map(hex)) {
                self.cheap = Hexes::EMPTY;
            }
        }
    }
}

/// What railways supply: in campaigns with the roads that join them (10.33).
fn area(game: &EuroFront, state: &State, camp: Camp, network: &Hexes) -> Hexes {
    if game.is_civil_war() {
        game.supplied_by(state, camp, network)
    } else {
        game.area_along(state, camp, network)
    }
}

/// Adds to a field the shares of what is in some places that get to those around: none past those of the enemy.
fn spread(
    tables: &MapTables,
    what: &Places,
    into: &mut Places,
    from: &Hexes,
    barred: &Hexes,
    shares: impl Fn(Hex) -> [f32; REACH],
) {
    for hex in from {
        let steps = what[hex.at()];
        if steps <= 0.0 {
            continue;
        }
        let shares = shares(hex);
        let rings = &tables.rings[hex.at()];
        if rings.inner().iter().any(|&inner| barred.contains(inner)) {
            for (hex, ring) in rings.past(barred) {
                into[hex.at()] += shares[ring] * steps;
            }
        } else {
            for (ring, share) in rings.each().into_iter().zip(shares) {
                for hex in ring {
                    into[hex.at()] += share * steps;
                }
            }
        }
    }
}

/// Adds to a field what is at the other ends of the routes of areas (18.3), of what is at war: not all of it comes so far.
fn spread_over_routes(tables: &MapTables, at_war: &Hexes, what: &Places, into: &mut Places) {
    const COMES: f32 = 0.3;
    for route in &tables.routes {
        for (from, to) in [(route.a, route.b), (route.b, route.a)] {
            if at_war.contains(from) {
                into[to.at()] += COMES * what[from.at()];
            }
        }
    }
}

/// Land that is worth fighting for: neither neutral nor closed.
fn land_at_war(brief: &Brief<'_>) -> Hexes {
    let Brief { game, state, camp, .. } = *brief;
    if game.is_civil_war() {
        return game.map().in_play;
    }
    let open = state.owners.all().difference(&game.closed_to(state, state.decider));
    open.or(&super::diplomacy::wanted_land(game, state, camp))
}

/// How likely so many steps get the better of so many others in the long run.
pub(super) fn overcome(attack: f32, defence: f32) -> f32 {
    let (attack, defence) = (attack * attack, defence * defence);
    if attack <= 0.0 { 0.0 } else { attack / (attack + defence) }
}

/// Hits for a step of the passive side in a hex, supported or not (7.34, 7.4).
pub(super) fn hits_for_step(game: &EuroFront, state: &State, hex: Hex, supported: bool) -> f32 {
    /// Nobody is hit in a fortress by those who fight without support (7.4).
    const NEVER: f32 = 60.0;
    let combat = &game.rules.combat;
    if is_fortified(game, state, hex) {
        return if supported { f32::from(combat.fortress) } else { NEVER };
    }
    let city = if game.map().major_cities.contains(hex) { combat.city } else { 1 };
    let by_hex =
        game.terrain_effect(hex).defence.max(city).max(game.weather_effect(state, hex).defence).max(1);
    let unsupported = if supported { 0 } else { combat.unsupported };
    f32::from((by_hex + unsupported).min(combat.most))
}

/// Whether the passive side is, or would be, the original defender of a fortress (7.5).
pub(super) fn is_fortified(game: &EuroFront, state: &State, hex: Hex) -> bool {
    game.map().fortresses[0].contains(hex)
        && !(state.is_battle(hex) && state.original_defender(hex) == state.camp())
}

/// How a hex helps who is attacked in it, against open ground.
pub(super) fn shelter(tables: &MapTables, game: &EuroFront, state: &State, hex: Hex) -> f32 {
    if is_fortified(game, state, hex) {
        return shelter_of(game, hex, f32::from(game.rules.combat.fortress));
    }
    tables.cover[game.weather(state, hex) as usize][hex.at()]
}

/// Whether who is active in a hex fires with single fire alone (1.33, 12.3).
pub(super) fn is_bogged(game: &EuroFront, state: &State, hex: Hex) -> bool {
    let weather = game.weather_effect(state, hex);
    weather.single_fire || game.terrain_effect(hex).single_fire && !weather.swamp_as_forest
}

/// Whether weather hinders attack: mud.
pub(super) fn is_mud(game: &EuroFront, state: &State, hex: Hex) -> bool {
    game.weather(state, hex) == Weather::Mud
}

#[cfg(test)]
mod tests {
    use sandtable_core::Index;
    use sandtable_eurofront::editor::Editor;
    use sandtable_eurofront::ids::{Camp, Faction};
    use sandtable_eurofront::rules::{Status, Terrain};

    use super::{MapTables, might};
    use crate::testing::{game, seen, seen_by};

    /// Mountain troops fire double in the mountains (2.24): the planner took all of a type to be alike.
    #[test]
    fn units_weigh_what_they_fire_with_where_they_stand() {
        let game = game("1941");
        let block = |id: &str| game.rules.block(id).unwrap();
        let mountains =
            game.map().in_play.iter().find(|&hex| game.terrain(hex) == Terrain::Mountain).unwrap();
        let plain = game.rules.place("warsaw").unwrap();
        let offence = |unit: &str, hex| {
            let state = Editor::new(&game).clear().place(block(unit), hex, 4).finish();
            might(&MapTables::new(&game), &game, &state, block(unit)).offence
        };
        let gain = |unit: &str| offence(unit, mountains) / offence(unit, plain);
        assert!((gain("de_mtn_49") - 2.0).abs() < 1e-6 && (gain("de_inf_1") - 1.0).abs() < 1e-6);
    }

    /// Berlin far behind the front must not be without its guard; that draws no army away from the front.
    #[test]
    fn the_guard_of_berlin_calls_no_army_home() {
        let game = game("1941");
        let hex = |id: &str| game.rules.place(id).unwrap();
        let block = |id: &str| game.rules.block(id).unwrap();
        let mut editor = Editor::new(&game);
        editor.clear().place(block("de_inf_1"), hex("warsaw"), 4);
        let state = editor.place(block("su_inf_10"), hex("minsk"), 4).finish();
        let [warsaw, lodz, berlin] = seen(&game, &state, |brief, player| {
            player.planner.look(brief, false);
            ["warsaw", "lodz", "berlin"].map(|id| player.planner.survey.pull[hex(id).at()])
        });
        assert!(warsaw > lodz && lodz > berlin, "{warsaw} {lodz} {berlin}");
    }

    /// Headquarters of the Axis stayed where their last battle had been while cities lay open far ahead and ports behind them.
    #[test]
    fn headquarters_have_something_to_lead_where_cities_and_ports_lie_open() {
        let led = |camp: Camp, scenario: &str, id: &str, guarded: bool| {
            let game = game(scenario);
            let hex = |id: &str| game.rules.place(id).unwrap();
            let block = |id: &str| game.rules.block(id).unwrap();
            let mut editor = Editor::new(&game);
            let ussr = game.rules.nation("ussr").unwrap();
            editor.clear().relate(ussr, Status::Belligerent(Faction::Soviets));
            editor.place(block("de_inf_1"), hex("warsaw"), 4).place(block("su_inf_10"), hex("yerevan"), 4);
            editor.place(block("uk_inf_3"), hex("plymouth"), 4).place(block("uk_inf_10"), hex("plymouth"), 4);
            if guarded {
                editor.place(block("de_inf_2"), hex("brest"), 4);
            }
            let state = editor.finish();
            seen_by(camp, &game, &state, |brief, player| {
                player.planner.look(brief, false);
                player.planner.survey.open_aims(brief).contains(hex(id))
                    && player.planner.survey.hot.contains(hex(id))
            })
        };
        assert_eq!(["moscow", "warsaw"].map(|id| led(Camp::Axis, "1941", id, false)), [true, false]);
        assert_eq!([false, true].map(|guarded| led(Camp::Axis, "1941", "brest", guarded)), [true, false]);
        assert!(
            !led(Camp::Coalition, "1941", "plymouth", false),
            "the Allies lead to no open port of theirs"
        );
        assert!(!led(Camp::Axis, "1944", "moscow", false), "no campaign");
    }

    /// The army of Libya stood at the end of the railways that there are none of.
    #[test]
    fn roads_bring_supply_in_the_south() {
        let game = game("1940B");
        let state = sandtable_eurofront::editor::Editor::new(&game).finish();
        let ahead = sandtable_eurofront::ids::hex(32, 36);
        let supplied = seen(&game, &state, |brief, player| {
            player.planner.look(brief, false);
            player.planner.survey.supplied.contains(ahead)
        });
        assert!(supplied);
    }

    #[test]
    fn supply_follows_into_open_country() {
        let game = game("1941");
        let hex = |id: &str| game.rules.place(id).unwrap();
        let block = |id: &str| game.rules.block(id).unwrap();
        let (minsk, brest) = (hex("minsk"), hex("brest_litovsk"));
        // On the railway to Minsk, a march away, with nobody near or watched from Minsk.
        let beyond = game.board().across(&sandtable_eurofront::ids::Hexes::one(minsk), &game.map().rails);
        let open = beyond.iter().min_by_key(|&hex| game.board().distance(hex, brest)).unwrap();
        let fed = |guarded: bool| {
            let mut editor = Editor::new(&game);
            editor.clear().place(block("de_arm_24"), brest, 4);
            if guarded {
                editor.place(block("su_inf_10"), minsk, 4);
            }
            let state = editor.finish();
            seen(&game, &state, |brief, player| {
                player.planner.look(brief, false);
                let survey = &player.planner.survey;
                (survey.supplied.contains(open), survey.fed(open))
            })
        };
        assert_eq!(fed(true), (false, 0.0));
        assert_eq!(fed(false), (false, super::AHEAD));
    }
}
