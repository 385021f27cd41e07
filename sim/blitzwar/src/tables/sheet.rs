//! The counter sheet (3): what each counter is, and sets of counters that are alike.

use std::cmp::Reverse;

use sandtable_core::Index;

use crate::location::{ByCode, Counter, by_code};
use crate::nation::{NATIONS, Nation};
use crate::rules::{CounterType, Counters, KINDS, Kind, Rules};
use crate::state::NONE;

/// Combinations of up to three infantry and three armour corps.
const FACES: usize = 16;

/// Index of a combination of corps in [`Sheet::faces`]; `None` if no counter could show it.
#[inline]
pub(crate) fn face((infantry, armour): (u8, u8)) -> Option<usize> {
    (infantry < 4 && armour < 4).then_some((infantry << 2 | armour) as usize)
}

/// A counter type that shows the corps asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    /// The type.
    pub index: u8,
    /// First turn on which it may show them (11.6).
    pub from: u8,
    /// It is formed in certain zones only (11.10).
    pub restricted: bool,
}

/// Counter types of a nation that show the same corps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faces {
    /// All but Elite Armies, in the order of the sheet.
    pub plain: Vec<Form>,
    /// The same, those with the smallest front first.
    pub thrifty: Vec<Form>,
    /// Elite Armies.
    pub elite: Vec<Form>,
}

/// Nations in a group of [`Sheet::of_nations`].
pub(crate) const NATIONS_AT_ONCE: usize = 7;
/// Groups of nations.
const NATION_GROUPS: usize = NATIONS.div_ceil(NATIONS_AT_ONCE);

/// The counters and their types.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    /// Number of counters.
    pub count: u8,
    /// Type of each counter.
    pub type_of: ByCode<Counter, u8>,
    /// Nation of each counter.
    pub nation_of: ByCode<Counter, Nation>,
    /// Kind of each counter.
    pub kind_of: ByCode<Counter, Kind>,
    /// First counter of each type.
    pub first_of: Vec<Counter>,
    /// Counters of each type.
    pub of_type: ByCode<u8, Counters>,
    /// First and last word of each of these sets.
    pub words_of: ByCode<u8, (u8, u8)>,
    /// Counters of each nation.
    pub of_nation: [Counters; NATIONS],
    /// Counters of any of a group of nations, by their bits: sides are looked up group by group.
    pub of_nations: [[Counters; 1 << NATIONS_AT_ONCE]; NATION_GROUPS],
    /// Counters of each kind.
    pub of_kind: [Counters; KINDS],
    /// Infantry and armour counters of every kind.
    pub corps: Counters,
    /// Fleets and submarines.
    pub ships: Counters,
    /// Counters with a fortified back (3).
    pub fortifiable: Counters,
    /// Counters for single units that can be placed anywhere, by nation and kind.
    pub single: [[Counters; KINDS]; NATIONS],
    /// Counter types of each nation, in sheet order.
    pub types_of: [Vec<u8>; NATIONS],
    /// Types that show so many infantry and armour corps, by nation and [`face`].
    pub faces: Vec<[Faces; FACES]>,
    /// Half units that a nation's types of supply counters hold, and the types, from small to large and from large to small.
    pub supply_types: [[Vec<(u8, u8)>; 2]; NATIONS],
}

impl Sheet {
    /// Counters are numbered type by type, in the order of the sheet.
    pub(super) fn derive(rules: &Rules) -> Sheet {
        let types = &rules.counter_types;
        let type_of: Vec<u8> =
            (0..).zip(types).flat_map(|(index, sheet)| (0..sheet.count).map(move |_| index)).collect();
        let counters_where = |wanted: &dyn Fn(&CounterType) -> bool| -> Counters {
            let all = type_of.iter().enumerate();
            let wanted = all.filter(|&(_, &index)| wanted(&types[index as usize]));
            wanted.map(|(counter, _)| Counter::nth(counter)).collect()
        };
        let of_type: Vec<Counters> = (0..types.len())
            .map(|index| {
                (0..type_of.len()).filter(|&at| type_of[at] as usize == index).map(Counter::nth).collect()
            })
            .collect();
        let types_of = Nation::ALL.map(|nation| types_of(rules, nation));
        let of_nation = Nation::ALL.map(|nation| counters_where(&|sheet| sheet.nation == nation));
        Sheet {
            count: type_of.len() as u8,
            nation_of: by_code(type_of.iter().map(|&index| types[index as usize].nation), Nation::Ger),
            kind_of: by_code(type_of.iter().map(|&index| types[index as usize].kind), Kind::Infantry),
            first_of: (0..types.len()).map(|index| Counter::nth(counters_before(rules, index))).collect(),
            words_of: by_code(
                of_type.iter().map(|set| (word_of(set.first()), word_of(set.iter().last()))),
                (0, 0),
            ),
            of_type: by_code(of_type, Counters::EMPTY),
            type_of: by_code(type_of.iter().copied(), NONE),
            of_nations: of_nations(&of_nation),
            of_nation,
            of_kind: Kind::ALL.map(|kind| counters_where(&|sheet| sheet.kind == kind)),
            corps: counters_where(&|sheet| sheet.kind.is_corps()),
            ships: counters_where(&|sheet| matches!(sheet.kind, Kind::Fleet | Kind::Submarine)),
            fortifiable: counters_where(&|sheet| sheet.fortifiable && sheet.kind == Kind::Infantry),
            single: Nation::ALL.map(|nation| {
                Kind::ALL
                    .map(|kind| counters_where(&|sheet| sheet.nation == nation && shows_single(sheet, kind)))
            }),
            faces: Nation::ALL.map(|nation| faces(rules, nation)).to_vec(),
            supply_types: types_of.each_ref().map(|types| supply_types(rules, types)),
            types_of,
        }
    }
}

/// Counters of the types before this one.
fn counters_before(rules: &Rules, index: usize) -> usize {
    rules.counter_types[..index].iter().map(|sheet| sheet.count as usize).sum()
}

/// Types of a nation's counters.
fn types_of(rules: &Rules, nation: Nation) -> Vec<u8> {
    let types = (0..).zip(&rules.counter_types).filter(|(_, sheet)| sheet.nation == nation);
    types.map(|(index, _)| index).collect()
}

/// Counters of each combination of nations of a group.
fn of_nations(of_nation: &[Counters; NATIONS]) -> [[Counters; 1 << NATIONS_AT_ONCE]; NATION_GROUPS] {
    let mut of_nations = [[Counters::EMPTY; 1 << NATIONS_AT_ONCE]; NATION_GROUPS];
    for (nation, counters) in of_nation.iter().enumerate() {
        let bit = 1 << (nation % NATIONS_AT_ONCE);
        for (members, set) in of_nations[nation / NATIONS_AT_ONCE].iter_mut().enumerate() {
            if members & bit != 0 {
                *set = set.or(counters);
            }
        }
    }
    of_nations
}

/// Whether counters of a type show a single unit of a kind, and may be formed anywhere (3, 11.10). Supply units are cut
/// into half units, so each of their counters does.
fn shows_single(sheet: &CounterType, kind: Kind) -> bool {
    let shows = |corps| sheet.kind != Kind::Elite && sheet.shows(corps) && !sheet.is_restricted();
    match kind {
        Kind::Infantry => shows((1, 0)),
        Kind::Armour => shows((0, 1)),
        Kind::White | Kind::Elite => false,
        _ => sheet.kind == kind && (kind == Kind::Supply || sheet.front == 1 || sheet.back == 1),
    }
}

/// Types of a nation's counters by the corps they show (3), and when and where they may (11.6, 11.10).
fn faces(rules: &Rules, nation: Nation) -> [Faces; FACES] {
    let mut faces: [Faces; FACES] = Default::default();
    let types = (0..).zip(&rules.counter_types).filter(|(_, sheet)| sheet.nation == nation);
    for (index, sheet) in types {
        for corps in (0..4).flat_map(|infantry| (0..4).map(move |armour| (infantry, armour))) {
            if let Some(face) = face(corps)
                && sheet.shows(corps)
            {
                let faces = &mut faces[face];
                let list = if sheet.kind == Kind::Elite { &mut faces.elite } else { &mut faces.plain };
                let third = corps.0 + corps.1 > 2;
                list.push(Form {
                    index,
                    from: if third { sheet.third_corps_from } else { 0 },
                    restricted: sheet.is_restricted(),
                });
            }
        }
    }
    for faces in &mut faces {
        faces.thrifty.clone_from(&faces.plain);
        faces.thrifty.sort_by_key(|form| rules.counter_types[form.index as usize].front);
    }
    faces
}

/// Supply counters among these types: the half units they hold, and the type, rising and falling.
fn supply_types(rules: &Rules, types: &[u8]) -> [Vec<(u8, u8)>; 2] {
    let sheets = types.iter().map(|&index| (&rules.counter_types[index as usize], index));
    let supply = sheets.filter(|(sheet, _)| sheet.kind == Kind::Supply);
    let mut rising: Vec<(u8, u8)> = supply.map(|(sheet, index)| (2 * sheet.front, index)).collect();
    // Among equal ones the first comes first, either way.
    let mut falling = rising.clone();
    rising.sort_by_key(|&(room, _)| room);
    falling.sort_by_key(|&(room, _)| Reverse(room));
    [rising, falling]
}

/// The word of a set that holds a counter; of none the first.
fn word_of(counter: Option<Counter>) -> u8 {
    counter.map_or(0, |counter| counter.0 / 64)
}
