//! The counters: what each is, and sets of those that are alike (2, 4.5).

use sandtable_core::Index;

use crate::nation::Nation;
use crate::place::{Place, UnitId};
use crate::rules::{Arm, Kind, MAX_UNITS, Rules, SeaKind, Unit, UnitType, Units};

/// Most steps of a unit.
const MAX_STEPS: u8 = 7;

/// Units that count against the same stacking limit (4.5, 6.11, 7.11).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Peers {
    /// Military units.
    Armies,
    /// One a place (5.6).
    Leaders,
    /// They find room anywhere (2.6).
    Paratroops,
    /// One a place (6.11).
    Aircraft,
    /// By coast (7.11).
    Ships,
    /// One a zone (7.7).
    Convoys,
}

impl Peers {
    pub(crate) const COUNT: usize = 6;
    const ALL: [Peers; Peers::COUNT] =
        [Peers::Armies, Peers::Leaders, Peers::Paratroops, Peers::Aircraft, Peers::Ships, Peers::Convoys];

    fn of(sheet: &UnitType) -> Peers {
        match (sheet.arm, sheet.kind) {
            (_, Kind::Leader) => Peers::Leaders,
            (_, Kind::Paratroop) => Peers::Paratroops,
            (_, Kind::Convoy) => Peers::Convoys,
            (Arm::Army, _) => Peers::Armies,
            (Arm::Air, _) => Peers::Aircraft,
            (Arm::Naval, _) => Peers::Ships,
        }
    }
}

/// Units by what they are.
#[derive(Clone, Debug)]
pub(crate) struct UnitTables {
    /// All units.
    pub all: Units,
    /// Kind of each unit.
    pub kind_of: [Kind; MAX_UNITS],
    /// Arm of each unit.
    pub arm_of: [Arm; MAX_UNITS],
    /// Nation each unit is printed for.
    pub nation_of: [Nation; MAX_UNITS],
    /// Most steps of each unit.
    pub max_steps: [u8; MAX_UNITS],
    /// Points of a step (2.5).
    pub price: [u8; MAX_UNITS],
    /// The convoy zone of each convoy (7.7), as a place: the one of the same identifier; [`Place::NONE`] for other units.
    pub convoy_zone: [Place; MAX_UNITS],
    /// The first counter that each one is like in nation, type, steps and first area; convoys are like no other.
    pub like: [UnitId; MAX_UNITS],
    /// Which stacking limit each unit counts against.
    pub peers_of: [Peers; MAX_UNITS],
    /// Units that count against the same stacking limit, by [`Peers`].
    pub peers: [Units; Peers::COUNT],
    /// Units by nation.
    pub of_nation: Vec<Units>,
    /// Units by arm.
    pub of_arm: [Units; 3],
    /// Units by kind.
    pub of_kind: Vec<Units>,
    /// Units that can ever move (2.6, 7.7).
    pub mobile: Units,
    /// Troops that can invade from the sea (7.5).
    pub invaders: Units,
    /// Units that come on the map where they are at home, when their nation is attacked or joins (10.2).
    pub with_home: Units,
    /// Counters that may be built, by turn: those of age (2.1).
    pub of_age: Vec<Units>,
    /// Free forces that were not there from the first: they wait for the fall of their nation (11.42).
    pub waiting: Units,
    /// Units that fight for another nation once their own has fallen (11.42).
    pub free: Units,
}

impl UnitTables {
    /// # Errors
    /// Says which unit has no type, too many steps, or no zone for its convoy.
    pub(super) fn derive(rules: &Rules) -> Result<UnitTables, String> {
        let units = &rules.units;
        for unit in units {
            check(rules, unit)?;
        }
        let units_where = |is: &dyn Fn(&Unit, &UnitType) -> bool| -> Units {
            let all = (0..).zip(units).filter(|(_, unit)| is(unit, sheet(rules, unit)));
            all.map(|(at, _)| UnitId::nth(at)).collect()
        };
        Ok(UnitTables {
            all: units_where(&|_, _| true),
            kind_of: by_unit(rules, Kind::Infantry, |unit| sheet(rules, unit).kind),
            arm_of: by_unit(rules, Arm::Army, |unit| sheet(rules, unit).arm),
            nation_of: by_unit(rules, Nation::Germany, |unit| unit.nation),
            max_steps: by_unit(rules, 0, |unit| unit.steps),
            price: by_unit(rules, 0, |unit| sheet(rules, unit).cost),
            convoy_zone: by_unit(rules, Place::NONE, |unit| convoy_zone(rules, unit).unwrap_or(Place::NONE)),
            like: like(rules),
            peers_of: by_unit(rules, Peers::Armies, |unit| Peers::of(sheet(rules, unit))),
            peers: Peers::ALL.map(|peers| units_where(&|_, sheet| Peers::of(sheet) == peers)),
            of_nation: Nation::ALL.map(|nation| units_where(&|unit, _| unit.nation == nation)).to_vec(),
            of_arm: [Arm::Army, Arm::Air, Arm::Naval].map(|arm| units_where(&|_, sheet| sheet.arm == arm)),
            of_kind: Kind::ALL.map(|kind| units_where(&|_, sheet| sheet.kind == kind)).to_vec(),
            mobile: units_where(&|_, sheet| {
                !matches!(sheet.kind, Kind::Fortress | Kind::Convoy) && sheet.moves > 0
            }),
            invaders: units_where(&|_, sheet| sheet.kind.is_infantry() && sheet.kind != Kind::Paratroop),
            with_home: units_where(&|unit, _| unit.home.is_some()),
            of_age: (rules.calendar.iter())
                .map(|turn| units_where(&|unit, _| unit.year <= turn.year))
                .collect(),
            waiting: units_where(&|unit, _| unit.free_for.is_some() && unit.year > rules.calendar[0].year),
            free: units_where(&|unit, _| unit.free_for.is_some()),
        })
    }
}

/// The type of a unit.
fn sheet<'a>(rules: &'a Rules, unit: &Unit) -> &'a UnitType {
    &rules.unit_types[unit.kind as usize]
}

fn check(rules: &Rules, unit: &Unit) -> Result<(), String> {
    let Some(sheet) = rules.unit_types.get(unit.kind as usize) else {
        return Err(format!("unit {} has no type", unit.id));
    };
    if unit.steps > MAX_STEPS {
        return Err(format!(
            "unit {} has {} steps; the engine takes at most {MAX_STEPS}",
            unit.id, unit.steps
        ));
    }
    if sheet.kind == Kind::Convoy && convoy_zone(rules, unit).is_none() {
        return Err(format!("convoy {} has no zone of the same identifier", unit.id));
    }
    Ok(())
}

/// A value for each unit; `rest` for the numbers that no unit has.
fn by_unit<T: Copy>(rules: &Rules, rest: T, value: impl Fn(&Unit) -> T) -> [T; MAX_UNITS] {
    let mut values = [rest; MAX_UNITS];
    for (entry, unit) in values.iter_mut().zip(&rules.units) {
        *entry = value(unit);
    }
    values
}

/// The zone of a convoy, which has its identifier (7.7).
fn convoy_zone(rules: &Rules, unit: &Unit) -> Option<Place> {
    let is_convoy = sheet(rules, unit).kind == Kind::Convoy;
    let zone = rules.seas.iter().position(|sea| sea.id == unit.id && sea.kind == SeaKind::Convoy);
    zone.filter(|_| is_convoy).map(|zone| Place::sea(zone as u8))
}

/// The first unit that each one is like.
fn like(rules: &Rules) -> [UnitId; MAX_UNITS] {
    let traits = |unit: &Unit| (unit.nation, unit.kind, unit.steps, unit.first_step, unit.free_for);
    let mut like = [UnitId::NONE; MAX_UNITS];
    for (index, (entry, unit)) in like.iter_mut().zip(&rules.units).enumerate() {
        let alike = rules.units.iter().position(|other| traits(other) == traits(unit));
        let alone = sheet(rules, unit).kind == Kind::Convoy;
        *entry = UnitId::nth(alike.filter(|_| !alone).unwrap_or(index));
    }
    like
}
