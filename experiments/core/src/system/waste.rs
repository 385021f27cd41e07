//! What a side wastes by its own play, in the same columns in every system with units on a map.
//!
//! A recorder tells the [`Tracker`] where units are when their side begins and ends its moves, and what happens in
//! between; the tracker says what of it was idle or undone. Sums go into [`Waste`], one a side and turn, and single
//! cases into the table [`schema`].
//!
//! ```text
//! side begins to move   Tracker::begins   every unit of it: where it stands, whether it is in supply
//!                       the enemies' places that it finds open
//! facts                 Tracker::moved, fights, fights_at, changes_hands
//! side ends its moves   Tracker::ends     every unit of it: idle for how long? a move undone?
//! ```

use super::Facts;
use crate::table::{Column, Kind, Row, Schema};
use sandtable_core::{Index, PerIndex};

/// A kind of waste that is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Case {
    /// Lost to the stacking limit by the side's own placement or movement.
    LostStacking,
    /// Out of supply by the side's own move.
    UnsuppliedOwn,
    /// Out of supply for another reason.
    UnsuppliedCut,
    /// A source of supply left open to an enemy.
    OpenSources,
    /// A capital left open to an enemy.
    OpenCapitals,
    /// A place that victory is counted in left open to an enemy.
    OpenPoints,
    /// An army without a task.
    IdleArmies,
    /// Aircraft without a task.
    IdleAir,
    /// A ship without a task.
    IdleShips,
    /// An army that is back where it came from.
    MovesUndone,
}

const CASES: usize = 10;

impl Case {
    /// All kinds, in the order of the columns.
    pub const ALL: [Case; CASES] = [
        Case::LostStacking,
        Case::UnsuppliedOwn,
        Case::UnsuppliedCut,
        Case::OpenSources,
        Case::OpenCapitals,
        Case::OpenPoints,
        Case::IdleArmies,
        Case::IdleAir,
        Case::IdleShips,
        Case::MovesUndone,
    ];

    /// The name of its column in `turns` and its word in the table of single cases.
    pub fn id(self) -> &'static str {
        match self {
            Case::LostStacking => "lost_stacking",
            Case::UnsuppliedOwn => "unsupplied_own",
            Case::UnsuppliedCut => "unsupplied_cut",
            Case::OpenSources => "open_sources",
            Case::OpenCapitals => "open_capitals",
            Case::OpenPoints => "open_points",
            Case::IdleArmies => "idle_armies",
            Case::IdleAir => "idle_air",
            Case::IdleShips => "idle_ships",
            Case::MovesUndone => "moves_undone",
        }
    }
}

/// What a system calls things in the texts of the columns.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// What losses are counted in.
    pub strength: &'static str,
    /// What pieces are counted in.
    pub units: &'static str,
    /// What places are counted in.
    pub places: &'static str,
    /// What spending is counted in.
    pub funds: &'static str,
    /// What `lost_stacking` counts.
    pub stacking: &'static str,
    /// What `unsupplied_own` and `unsupplied_cut` count, before the reason.
    pub unsupplied: &'static str,
    /// What `unspent` counts.
    pub unspent: &'static str,
    /// What `unspent_lost` counts.
    pub unspent_lost: &'static str,
    /// Beside what a place without an army lies open.
    pub beside: &'static str,
    /// Which capitals count as open ones.
    pub capitals: &'static str,
    /// What sources of supply are.
    pub sources: &'static str,
    /// What the places are that victory is counted in.
    pub points: &'static str,
    /// Which places an army guards.
    pub guarded: &'static str,
    /// After how many turns without a task a unit is idle: half a year.
    pub idle_after: u8,
}

/// The columns of a side and turn, in the order of [`Waste::cells`].
pub fn columns(terms: &Terms) -> Vec<Column> {
    let Terms { strength, units, places, funds, beside, guarded, idle_after, .. } = *terms;
    let unsupplied = terms.unsupplied;
    let open = |what: &str| {
        format!(
            "{what} of the side without an army in them and next to {beside}, when that enemy begins its moves in this turn"
        )
    };
    let idle = |what: &str| {
        format!("{what}, for {idle_after} turns running or longer, at the end of the side's moves")
    };
    let texts = Case::ALL.map(|case| match case {
        Case::LostStacking => (strength, terms.stacking.to_owned()),
        Case::UnsuppliedOwn => (
            strength,
            format!(
                "{unsupplied}, of units in supply at the start of the side's moves that then went elsewhere, and since then \
                 without supply"
            ),
        ),
        Case::UnsuppliedCut => (strength, format!("{unsupplied}, of all other units: cut off by the enemy")),
        Case::OpenSources => (places, open(terms.sources)),
        Case::OpenCapitals => (places, open(terms.capitals)),
        Case::OpenPoints => (places, open(terms.points)),
        Case::IdleArmies => (
            units,
            idle(&format!(
                "armies that neither moved nor fought, nor stood next to the army or ground of a side that \
                 is their enemy or may become it, nor were the only one to \
                 guard {guarded}"
            )),
        ),
        Case::IdleAir => (units, idle("aircraft that neither moved nor fought")),
        Case::IdleShips => (units, idle("ships in port that neither moved nor fought")),
        Case::MovesUndone => (
            units,
            "armies that went from one place to another in the turn before and are back at the end of the side's moves, \
             without having fought or either place having changed hands"
                .to_owned(),
        ),
    });
    let mut columns: Vec<Column> = Case::ALL
        .into_iter()
        .zip(texts)
        .map(|(case, (unit, doc))| Column::new(case.id(), Kind::Int, unit, doc))
        .collect();
    columns.push(Column::new("unspent", Kind::Real, funds, terms.unspent));
    columns.push(Column::new("unspent_lost", Kind::Real, funds, terms.unspent_lost));
    columns
}

/// The table of single cases. `side` is the name of its column of sides; each of the others holds one of these words.
pub fn schema(side: &str, sides: Kind, units: Kind, places: Kind) -> Schema {
    let cases = Case::ALL.iter().map(|case| case.id().to_owned()).collect();
    Schema {
        name: "waste",
        doc: "one row a case of waste: the columns of these names in `turns` one by one, idle units when they become idle",
        columns: vec![
            Column::new("turn", Kind::Int, "turns", "game turn"),
            Column::new(side, sides, "", "whose waste it is"),
            Column::new("waste", Kind::Word(cases), "", "what is wasted: a column of `turns`"),
            Column::new("place", places, "", "where; missing on a beachhead and off the map").optional(),
            Column::new("unit", units, "", "which unit; missing for places and where it is one of many")
                .optional(),
            Column::new("amount", Kind::Int, "", "how much, in the unit of the column of `turns`"),
        ],
    }
}

/// A row of the table of single cases.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Game turn.
    pub turn: u8,
    /// Index of the side among the words of its column.
    pub side: usize,
    /// Kind.
    pub case: Case,
    /// Index of the place among the words of its column.
    pub place: Option<usize>,
    /// Index of the unit among the words of its column.
    pub unit: Option<usize>,
    /// How much.
    pub amount: i32,
}

impl Entry {
    /// Writes the row into the table of this index.
    pub fn write(self, table: usize, facts: &mut Facts) {
        let mut row = facts.row(table);
        row.int(i32::from(self.turn)).word(self.side).word(self.case as usize);
        for word in [self.place, self.unit] {
            match word {
                Some(word) => row.word(word),
                None => row.none(),
            };
        }
        row.int(self.amount);
    }
}

/// What one side wasted in a turn.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Waste {
    /// By [`Case`].
    pub counts: [i32; CASES],
    /// What is left of what could be spent.
    pub unspent: f64,
    /// What of it, or of what was due, is lost for good.
    pub unspent_lost: f64,
}

impl Waste {
    /// Counts a case.
    pub fn count(&mut self, case: Case, amount: i32) {
        self.counts[case as usize] += amount;
    }

    /// Adds what a partner wasted.
    pub fn add(&mut self, other: &Waste) {
        self.counts.iter_mut().zip(other.counts).for_each(|(sum, count)| *sum += count);
        self.unspent += other.unspent;
        self.unspent_lost += other.unspent_lost;
    }

    /// Fills the cells of [`columns`].
    pub fn cells(&self, row: &mut Row<'_>) {
        for count in self.counts {
            row.int(count);
        }
        row.real(self.unspent).real(self.unspent_lost);
    }
}

/// What is known of a unit. Turns count from 1; 0 is never.
#[derive(Clone, Copy, Debug)]
struct Track<P> {
    /// Where it is, as far as facts tell.
    place: P,
    /// Where it stood when its side last began to move, and in which turn.
    begun: (P, u8),
    /// It had supply then.
    supplied: bool,
    /// It went out of supply by a move of its own and has had none since.
    left_supply: bool,
    /// Where it stood when its side last ended its moves, and in which turn.
    ended: (P, u8),
    /// The same one turn earlier.
    before: (P, u8),
    /// Last turn with a task.
    active: u8,
    /// Last turn with a fight.
    fought: u8,
}

impl<P: Index> Track<P> {
    /// Of a unit of which nothing is known: turn 0 is never, so that its places do not count.
    fn unknown() -> Self {
        let place = P::nth(0);
        Track {
            place,
            begun: (place, 0),
            supplied: false,
            left_supply: false,
            ended: (place, 0),
            before: (place, 0),
            active: 0,
            fought: 0,
        }
    }
}

/// What the end of a side's moves says of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finding {
    /// For how many turns it has had no task, this one among them.
    pub idle_turns: u8,
    /// It is back where it was two turns ago, and nothing has come of it.
    pub undone: bool,
}

/// Most units, and most places.
const ROOM: usize = 256;

/// Follows units `U` over places `P`.
#[derive(Clone, Debug)]
pub struct Tracker<U, P> {
    units: PerIndex<U, Track<P>, ROOM>,
    /// Turn in which a place last changed hands.
    changed: PerIndex<P, u8, ROOM>,
    /// Turns of the moves that have begun and ended and have not been looked at yet, by side; 0 = none.
    begun: [u8; 3],
    ended: [u8; 3],
    due: bool,
}

impl<U: Index, P: Index> Default for Tracker<U, P> {
    fn default() -> Self {
        Tracker {
            units: PerIndex::new([Track::unknown(); ROOM]),
            changed: PerIndex::new([0; ROOM]),
            begun: [0; 3],
            ended: [0; 3],
            due: false,
        }
    }
}

impl<U: Index, P: Index> Tracker<U, P> {
    /// A side begins to move: the position is to be looked at.
    pub fn side_begins(&mut self, side: usize, turn: u8) {
        self.begun[side] = turn;
        self.due = true;
    }

    /// A side has ended its moves: the position is to be looked at.
    pub fn side_ends(&mut self, side: usize, turn: u8) {
        self.ended[side] = turn;
        self.due = true;
    }

    /// Whether the position is to be looked at.
    #[inline]
    pub fn is_due(&self) -> bool {
        self.due
    }

    /// Turns by side of the moves that have ended, and of those that have begun, since this was last asked; 0 = none.
    pub fn take_due(&mut self) -> ([u8; 3], [u8; 3]) {
        self.due = false;
        (std::mem::take(&mut self.ended), std::mem::take(&mut self.begun))
    }

    /// A unit goes to a place.
    #[inline]
    pub fn moved(&mut self, unit: U, place: P, turn: u8) {
        let track = &mut self.units[unit];
        track.place = place;
        track.active = turn;
    }

    /// A unit fights.
    #[inline]
    pub fn fights(&mut self, unit: U, turn: u8) {
        let track = &mut self.units[unit];
        track.fought = turn;
        track.active = turn;
    }

    /// A unit goes on as another, which was not on the map: what it was and did is the other's.
    pub fn goes_on(&mut self, unit: U, other: U) {
        self.units[other] = self.units[unit];
    }

    /// A unit joins another in its place: what it did lately, the whole did.
    pub fn joins(&mut self, unit: U, other: U) {
        let Track { active, fought, .. } = self.units[unit];
        let track = &mut self.units[other];
        track.active = track.active.max(active);
        track.fought = track.fought.max(fought);
    }

    /// Every unit at a place fights.
    pub fn fights_at(&mut self, place: P, turn: u8) {
        for track in self.units.0.iter_mut().filter(|track| track.place == place) {
            track.fought = turn;
            track.active = turn;
        }
    }

    /// A place changes hands.
    pub fn changes_hands(&mut self, place: P, turn: u8) {
        self.changed[place] = turn;
    }

    /// Where a unit is, as far as facts tell.
    pub fn place(&self, unit: U) -> P {
        self.units[unit].place
    }

    /// A unit at the beginning of its side's moves.
    pub fn begins(&mut self, unit: U, place: P, supplied: bool, turn: u8) {
        let track = &mut self.units[unit];
        track.place = place;
        track.begun = (place, turn);
        track.supplied = supplied;
        // A unit that was not there a turn ago begins anew.
        track.left_supply &= !supplied && track.ended.1 + 1 == turn;
    }

    /// Whether a unit that is out of supply is so by its own move: it had supply when its side last began to move and
    /// was elsewhere when it ended, or left supply so earlier and has had none since.
    pub fn has_left_supply(&mut self, unit: U) -> bool {
        let track = &mut self.units[unit];
        let went = track.begun.1 == track.ended.1 && track.begun.0 != track.ended.0;
        track.left_supply |= track.supplied && went;
        track.left_supply
    }

    /// A unit at the end of its side's moves; `busy` = its place gives it a task.
    pub fn ends(&mut self, unit: U, place: P, busy: bool, turn: u8) -> Finding {
        let track = &mut self.units[unit];
        let followed = track.ended.1 != 0 && track.ended.1 + 1 == turn;
        let lately = |at: u8| at != 0 && at + 1 >= turn;
        let undone = followed
            && track.before.1 != 0
            && track.before == (place, turn - 2)
            && track.ended.0 != place
            && !lately(track.fought)
            && !lately(self.changed[place])
            && !lately(self.changed[track.ended.0]);
        if !followed || track.ended.0 != place || busy {
            track.active = turn;
        }
        track.place = place;
        track.before = track.ended;
        track.ended = (place, turn);
        Finding { idle_turns: turn.saturating_sub(track.active), undone }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Rows;

    const TERMS: Terms = Terms {
        strength: "corps",
        units: "counters",
        places: "zones",
        funds: "points",
        stacking: "corps over the limit",
        unsupplied: "corps out of supply",
        unspent: "points left",
        unspent_lost: "points lost",
        beside: "an enemy's army",
        capitals: "capitals in the hands",
        sources: "depots",
        points: "cities",
        guarded: "a city",
        idle_after: 3,
    };

    #[test]
    fn cells_stand_under_the_columns_of_their_names() {
        let mut partner = Waste { counts: std::array::from_fn(|nth| nth as i32), ..Waste::default() };
        (partner.unspent, partner.unspent_lost) = (1.5, 0.25);
        let mut waste = Waste { unspent: 1.0, unspent_lost: 0.5, ..Waste::default() };
        for case in Case::ALL {
            waste.count(case, 10);
        }
        waste.add(&partner);
        let schema = Schema { name: "turns", doc: "", columns: columns(&TERMS) };
        let mut rows = Rows::new(&schema);
        waste.cells(&mut rows.row());
        let told: Vec<_> =
            schema.columns.iter().enumerate().map(|(at, column)| (&*column.name, rows.text(0, at))).collect();
        let counts = Case::ALL.into_iter().map(|case| (case.id(), (10 + case as i32).to_string()));
        let sums = [("unspent", "2.5".to_owned()), ("unspent_lost", "0.75".to_owned())];
        assert_eq!(told, counts.chain(sums).collect::<Vec<_>>());
    }

    const UNIT: u8 = 7;
    const ALONE: bool = false;

    /// Ends a unit's moves at these places, one turn after the other from turn 4 on.
    fn ends(tracker: &mut Tracker<u8, u8>, places: &[u8]) -> Vec<Finding> {
        (4..).zip(places).map(|(turn, &place)| tracker.ends(UNIT, place, ALONE, turn)).collect()
    }

    fn undone(tracker: &mut Tracker<u8, u8>, places: &[u8]) -> Vec<bool> {
        ends(tracker, places).iter().map(|finding| finding.undone).collect()
    }

    #[test]
    fn there_and_back_is_a_move_undone() {
        assert_eq!(undone(&mut Tracker::default(), &[1, 2, 1, 1]), [false, false, true, false]);
        assert_eq!(undone(&mut Tracker::default(), &[1, 2, 1, 2]), [false, false, true, true]);
        assert_eq!(undone(&mut Tracker::default(), &[1, 2, 2, 1]), [false; 4], "it stayed a turn");
        assert_eq!(undone(&mut Tracker::default(), &[1, 2, 3, 1]), [false; 4], "a way round");
    }

    #[test]
    fn a_fight_or_a_conquest_is_worth_the_way() {
        for turn in [5, 6] {
            let mut tracker = Tracker::default();
            tracker.fights(UNIT, turn);
            assert_eq!(undone(&mut tracker, &[1, 2, 1]), [false; 3], "a fight in turn {turn}");
            for place in [1, 2] {
                let mut tracker = Tracker::default();
                tracker.changes_hands(place, turn);
                assert_eq!(undone(&mut tracker, &[1, 2, 1]), [false; 3], "{place} taken in turn {turn}");
            }
        }
        let mut tracker = Tracker::default();
        tracker.fights(UNIT, 4);
        tracker.changes_hands(1, 4);
        tracker.changes_hands(3, 6);
        assert!(undone(&mut tracker, &[1, 2, 1])[2], "long ago, or elsewhere");
    }

    #[test]
    fn a_unit_that_goes_on_as_another_or_takes_one_in_has_done_what_both_did() {
        const OTHER: u8 = 8;
        let mut tracker = Tracker::default();
        assert_eq!(undone(&mut tracker, &[1, 2]), [false; 2]);
        tracker.goes_on(UNIT, OTHER);
        assert!(tracker.ends(OTHER, 1, ALONE, 6).undone);
        for (turn, undone) in [(4, true), (5, false), (6, false)] {
            let mut tracker = Tracker::default();
            ends(&mut tracker, &[1, 2]);
            tracker.fights(OTHER, turn);
            tracker.joins(OTHER, UNIT);
            assert_eq!(tracker.ends(UNIT, 1, ALONE, 6).undone, undone, "the other fought in turn {turn}");
        }
        // What the one has done is not forgotten for the other.
        let mut tracker = Tracker::default();
        ends(&mut tracker, &[1, 2]);
        tracker.fights(UNIT, 6);
        tracker.joins(OTHER, UNIT);
        assert!(!tracker.ends(UNIT, 1, ALONE, 6).undone);
    }

    #[test]
    fn a_unit_off_the_map_for_a_turn_has_undone_nothing() {
        let mut tracker = Tracker::default();
        tracker.ends(UNIT, 1, ALONE, 4);
        tracker.ends(UNIT, 2, ALONE, 5);
        assert!(!tracker.ends(UNIT, 1, ALONE, 7).undone);
    }

    #[test]
    fn idle_turns_are_counted_from_the_last_task() {
        let idle =
            |findings: &[Finding]| findings.iter().map(|finding| finding.idle_turns).collect::<Vec<_>>();
        assert_eq!(idle(&ends(&mut Tracker::default(), &[1, 1, 1, 2, 2])), [0, 1, 2, 0, 1]);
        // A place with a task, a fight, a flight there and back, or an absence begin the count anew.
        let mut tracker = Tracker::default();
        ends(&mut tracker, &[1, 1, 1]);
        assert_eq!(tracker.ends(UNIT, 1, true, 7).idle_turns, 0);
        assert_eq!(tracker.ends(UNIT, 1, ALONE, 8).idle_turns, 1);
        tracker.fights_at(1, 9);
        assert_eq!(tracker.ends(UNIT, 1, ALONE, 9).idle_turns, 0);
        tracker.moved(UNIT, 3, 10);
        assert_eq!(tracker.place(UNIT), 3);
        tracker.moved(UNIT, 1, 10);
        assert_eq!(tracker.ends(UNIT, 1, ALONE, 10).idle_turns, 0);
        assert_eq!(tracker.ends(UNIT, 1, ALONE, 12).idle_turns, 0);
        tracker.fights_at(2, 13);
        assert_eq!(tracker.ends(UNIT, 1, ALONE, 13).idle_turns, 1, "a fight elsewhere");
    }

    #[test]
    fn supply_is_lost_by_an_own_move_or_cut() {
        let mut tracker = Tracker::default();
        tracker.begins(UNIT, 1, true, 4);
        tracker.ends(UNIT, 1, ALONE, 4);
        assert!(!tracker.has_left_supply(UNIT), "it stood still");
        tracker.begins(UNIT, 1, true, 5);
        tracker.ends(UNIT, 2, ALONE, 5);
        assert!(tracker.has_left_supply(UNIT), "it went there");
        tracker.begins(UNIT, 2, false, 6);
        tracker.ends(UNIT, 2, ALONE, 6);
        assert!(tracker.has_left_supply(UNIT), "and has had no supply since");
        tracker.begins(UNIT, 2, true, 7);
        tracker.ends(UNIT, 2, ALONE, 7);
        assert!(!tracker.has_left_supply(UNIT), "it had supply again");
        tracker.begins(UNIT, 2, false, 8);
        tracker.ends(UNIT, 3, ALONE, 8);
        assert!(!tracker.has_left_supply(UNIT), "it moved when it was cut off already");
        tracker.begins(UNIT, 3, true, 9);
        tracker.ends(UNIT, 2, ALONE, 9);
        assert!(tracker.has_left_supply(UNIT));
        tracker.begins(UNIT, 2, false, 11);
        tracker.ends(UNIT, 2, ALONE, 11);
        assert!(!tracker.has_left_supply(UNIT), "it was off the map for a turn: another one");
        tracker.begins(UNIT, 1, true, 12);
        tracker.ends(UNIT, 1, ALONE, 12);
        tracker.ends(UNIT, 2, ALONE, 13);
        assert!(!tracker.has_left_supply(UNIT), "it came after its side had begun");
    }

    #[test]
    fn the_position_is_looked_at_once() {
        let mut tracker = Tracker::<u8, u8>::default();
        assert!(!tracker.is_due());
        tracker.side_ends(0, 4);
        tracker.side_begins(1, 5);
        assert!(tracker.is_due());
        assert_eq!(tracker.take_due(), ([4, 0, 0], [0, 5, 0]));
        assert!(!tracker.is_due());
        assert_eq!(tracker.take_due(), ([0; 3], [0; 3]));
    }
}
