//! Whether the data agree with themselves and with the limits of the game.

use std::collections::BTreeMap;

use sandtable_core::Index;
use sandtable_victory_in_europe::nation::{Force, Nation, Team};
use sandtable_victory_in_europe::rules::{Areas, Arm, Card, Entry, Kind, Port, SeaKind, Standing};
use sandtable_victory_in_europe::{Place, Rules, UnitId, VictoryInEurope};

use super::units::arm_of;
use sandtable_scenarios::tree::{Node, Whole, check_length};
use sandtable_scenarios::{LoadError, Problem};

pub(super) fn check(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    connected(whole, rules)?;
    ports(whole, rules)?;
    counters(whole, rules)?;
    check_length(whole, rules.setup.first_turn, rules.setup.last_turn, rules.calendar.len())?;
    hands(whole, rules)?;
    country_status(whole, rules)?;
    usa(whole, rules)?;
    for &(unit, place, _, _) in &rules.setup.units {
        ground(whole, rules, unit, place)?;
    }
    stacking(whole, rules)?;
    VictoryInEurope::new(rules.clone()).map_err(|text| LoadError::new(Problem::Inconsistent(text)))?;
    Ok(())
}

/// Every area can be reached from every other, by land or sea.
fn connected(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    let mut reached: Areas = Areas::one(Place(0));
    let mut waters = 0_u32;
    loop {
        let before = (reached, waters);
        for border in &rules.borders {
            if reached.contains(border.a) || reached.contains(border.b) {
                reached.insert(border.a);
                reached.insert(border.b);
            }
        }
        for port in &rules.ports {
            if reached.contains(port.area) || waters & port.seas != 0 {
                reached.insert(port.area);
                waters |= port.seas;
            }
        }
        for link in &rules.sea_links {
            let link = 1 << link.a | 1 << link.b;
            if waters & link != 0 {
                waters |= link;
            }
        }
        if before == (reached, waters) {
            break;
        }
    }
    match (0..).map(Place).zip(&rules.areas).find(|(area, _)| !reached.contains(*area)) {
        None => Ok(()),
        Some((_, area)) => {
            let text = format!("no border or sea joins `{}` to `{}`", area.id, rules.areas[0].id);
            Err(whole.at("areas")?.get(&area.id)?.inconsistent(text))
        }
    }
}

fn ports(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    let rows = whole.at("ports")?;
    for (port, row) in rules.ports.iter().zip(rows.members()?) {
        let is_first = |other: &Port| other.area == port.area && other.coast == 1;
        if port.coast == 2 && !rules.ports.iter().any(is_first) {
            return Err(row.get("coast")?.inconsistent("an area with a second coast has a first (7.22)"));
        }
    }
    Ok(())
}

fn unit_node<'t>(whole: Whole<'t>, rules: &Rules, unit: UnitId) -> Result<Node<'t>, LoadError> {
    whole.at("units")?.get(&rules.units[unit.at()].id)
}

fn counters(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    for (index, unit) in (0..).map(UnitId).zip(&rules.units) {
        let node = || unit_node(whole, rules, index);
        if unit.free_for == Some(unit.nation) {
            return Err(node()?.get("free_for")?.inconsistent("the unit is of that nation already"));
        }
        let minor = !unit.nation.is_major() && rules.capitals[unit.nation.index()].is_none();
        if minor {
            let text = format!("{} has no capital to surrender by (1.41)", unit.nation.name());
            return Err(node()?.get("nation")?.inconsistent(text));
        }
        if let Some((area, _)) = unit.home {
            let area = &rules.areas[area.at()];
            let vichy = unit.free_for == Some(Nation::Vichy);
            let own = if vichy { area.country == Nation::France } else { area.country == unit.nation };
            if !own {
                let text = format!("`{}` is no area of {}", area.id, unit.nation.name());
                return Err(node()?.get("home")?.inconsistent(text));
            }
        }
    }
    for kind in &rules.unit_types {
        if kind.arm != arm_of(kind.kind) {
            let node = whole.at("unit_types")?.get(&kind.id)?;
            return Err(node.get("arm")?.inconsistent(format!("a {} is of another arm", kind.kind.id())));
        }
    }
    Ok(())
}

/// Every turn has a card for each team, and every draw finds as many in the deck of its year (3.1).
fn hands(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    let setup = &rules.setup;
    let (allied, soviet) = setup.hands_of_three;
    if rules.options.three_players && allied + soviet != setup.hand {
        let text = format!(
            "the Allied and the Soviet player draw {allied} and {soviet} cards, the Axis {}: they lay as many (12.0)",
            setup.hand
        );
        return Err(whole.at("setup.hand_allied")?.inconsistent(text));
    }
    let (mut left, mut drawn_at) = (0, setup.first_turn);
    for turn in setup.first_turn..=setup.last_turn {
        let entry = &rules.calendar[turn as usize - 1];
        let draw = if turn == setup.first_turn { setup.hand } else { entry.draw };
        if draw > 0 {
            (left, drawn_at) = (draw, turn);
        }
        let node = || {
            if drawn_at == setup.first_turn {
                return whole.at("setup.hand");
            }
            whole.at("calendar")?.get(&drawn_at.to_string())?.get("draw")
        };
        if left == 0 {
            return Err(node()?.inconsistent(format!("no card is left for turn {turn} (3.1)")));
        }
        left -= 1;
        for team in Team::ALL {
            let of = |card: &&Card| card.year == entry.year && card.colour.force().team() == team;
            let cards = rules.cards.iter().filter(of).count();
            if cards < draw as usize {
                let text =
                    format!("the {team:?} deck of {} has {cards} cards, of {draw} to draw", entry.year);
                return Err(node()?.inconsistent(text));
            }
        }
    }
    Ok(())
}

/// The force an area's controller or a unit's nation is with.
fn force_of(rules: &Rules, nation: Nation) -> Option<Force> {
    rules.setup.standing[nation.index()].force()
}

fn country_status(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    let setup = &rules.setup;
    let entry = whole.at("setup.entry")?;
    let powers = [
        ("italy", Nation::Italy, setup.italy, Standing::Axis),
        ("ussr", Nation::Ussr, setup.ussr, Standing::Soviet),
        ("usa", Nation::Usa, setup.usa, Standing::Western),
    ];
    for (key, nation, how_far, with) in powers {
        let standing = setup.standing[nation.index()];
        let fits = match how_far {
            Entry::Surrendered => standing == Standing::Gone,
            _ => standing == with,
        };
        if !fits {
            let text = "it contradicts `setup.country_status`: a power that has surrendered is gone, any other is with its force";
            return Err(entry.get(key)?.inconsistent(text));
        }
    }
    for (area, &nation) in rules.areas.iter().zip(&setup.control) {
        if setup.standing[nation.index()] == Standing::Gone {
            let text = format!("{} is gone and controls nothing", nation.name());
            return Err(whole.at("setup.control")?.get(&area.id)?.get("nation")?.inconsistent(text));
        }
    }
    for nation in Nation::ALL {
        let patron = setup.patron[nation.index()];
        if patron != nation && force_of(rules, patron) != force_of(rules, nation) {
            let text = format!("{} and {} are not on the same side", nation.name(), patron.name());
            return Err(whole.at("setup.patrons")?.get(nation.id())?.inconsistent(text));
        }
        let fights = force_of(rules, nation).is_some();
        if fights && !patron.is_major() {
            let text = format!("{} fights and needs a major as its patron (11.5)", nation.name());
            return Err(whole.at("setup.patrons")?.inconsistent(text));
        }
    }
    Ok(())
}

fn usa(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    let setup = &rules.setup;
    let node = whole.at("setup.usa")?;
    if setup.mobilisation_turn > 0 && setup.mobilisation_turn <= setup.first_turn {
        return Err(node
            .get("mobilisation_turn")?
            .inconsistent("the turn lies before the second of the scenario"));
    }
    if setup.mobilisation_turn == 0 && (!setup.mobilisation.is_empty() || setup.mobilisation_factory > 0) {
        return Err(node.get("mobilisation_turn")?.inconsistent("something mobilises, but on no turn"));
    }
    if setup.mobilisation_factory > rules.areas[rules.places.usa.at()].city {
        return Err(node
            .get("mobilisation_factory")?
            .inconsistent("the city takes fewer factory steps (1.42)"));
    }
    for &(unit, _) in &setup.mobilisation {
        if setup.gone.contains(&unit) || setup.units.iter().any(|placed| placed.0 == unit) {
            let entry = node.get("mobilisation")?.get(&rules.units[unit.at()].id)?;
            return Err(entry.inconsistent("the unit stands in the set-up twice"));
        }
    }
    if setup.usa == Entry::Neutral && setup.usa_entry_turn == 0 {
        return Err(node.get("entry_turn")?.inconsistent("a neutral USA needs a turn to enter the war"));
    }
    Ok(())
}

/// Whose unit it is at the start: a fallen nation's fights for another, if for any (11.42, 13).
fn nation_of(rules: &Rules, unit: UnitId) -> Nation {
    let unit = &rules.units[unit.at()];
    let gone = rules.setup.standing[unit.nation.index()] == Standing::Gone;
    unit.free_for.filter(|_| gone).unwrap_or(unit.nation)
}

fn place_id(rules: &Rules, place: Place) -> &str {
    match place.sea_zone() {
        Some(zone) => &rules.seas[zone as usize].id,
        None => &rules.areas[place.at()].id,
    }
}

/// Units stand where their side may stand.
fn ground(whole: Whole<'_>, rules: &Rules, unit: UnitId, place: Place) -> Result<(), LoadError> {
    let node = || whole.at("setup.units")?.get(&rules.units[unit.at()].id)?.get("place");
    let nation = nation_of(rules, unit);
    if rules.setup.standing[nation.index()] == Standing::Gone {
        let text = format!("{} is gone, and the unit is free for nobody", nation.name());
        return Err(node()?.inconsistent(text));
    }
    let arm = rules.unit_types[rules.units[unit.at()].kind as usize].arm;
    if let Some(zone) = place.sea_zone() {
        let kind = rules.seas[zone as usize].kind;
        if arm == Arm::Army || kind == SeaKind::SupplyOnly {
            return Err(node()?.inconsistent(format!("the unit cannot be in `{}`", place_id(rules, place))));
        }
        return Ok(());
    }
    let controller = rules.setup.control[place.at()];
    let friendly = match force_of(rules, nation) {
        Some(force) => force_of(rules, controller) == Some(force),
        None => controller == nation,
    };
    if friendly {
        return Ok(());
    }
    let id = place_id(rules, place);
    let text =
        format!("units of {} cannot stand in `{id}`, which {} controls", nation.name(), controller.name());
    Err(node()?.inconsistent(text))
}

/// Units of a side at a place, as far as limits count them.
#[derive(Default)]
struct Stack {
    armies: u8,
    leaders: u8,
    air: u8,
    convoys: u8,
    ships: [u8; 3],
}

fn stacking(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    // A neutral is a side of its own.
    let side =
        |nation: Nation| force_of(rules, nation).map_or(2 + nation as usize, |force| force.team().index());
    let mut stacks: BTreeMap<(Place, usize), Stack> = BTreeMap::new();
    for &(unit, place, coast, _) in &rules.setup.units {
        let kind = &rules.unit_types[rules.units[unit.at()].kind as usize];
        let stack = stacks.entry((place, side(nation_of(rules, unit)))).or_default();
        let charts = &rules.charts;
        let (what, count, limit) = match (kind.arm, kind.kind) {
            (_, Kind::Paratroop) => continue,
            (_, Kind::Leader) => {
                stack.leaders += 1;
                ("leaders", stack.leaders, 1)
            }
            (Arm::Army, _) => {
                stack.armies += 1;
                ("military units", stack.armies, rules.areas[place.at()].stack)
            }
            (Arm::Air, _) => {
                stack.air += 1;
                ("aircraft", stack.air, 1)
            }
            (_, Kind::Convoy) => {
                stack.convoys += 1;
                ("convoys", stack.convoys, 1)
            }
            (Arm::Naval, _) => {
                stack.ships[coast as usize] += 1;
                let (here, all) = (stack.ships[coast as usize], stack.ships.iter().sum());
                let base = |coast: Option<u8>| {
                    rules.ports.iter().any(|port| {
                        port.base && port.area == place && coast.is_none_or(|coast| port.coast == coast)
                    })
                };
                let moorings = |base: bool| if base { charts.base_stack } else { charts.coast_stack };
                let (on_coast, in_area) = (moorings(base(Some(coast))), moorings(base(None)));
                match place.sea_zone().map(|zone| rules.seas[zone as usize].kind) {
                    // A Convoy Zone keeps a place for its convoy (7.7).
                    Some(SeaKind::Convoy) => ("ships", all, charts.sea_stack - 1),
                    Some(_) => ("ships", all, charts.sea_stack),
                    None if here > on_coast => ("ships", here, on_coast),
                    None => ("ships", all, in_area),
                }
            }
        };
        let boundless = place.is_area() && rules.areas[place.at()].stack == 99;
        if count > limit && !boundless {
            let node = whole.at("setup.units")?.get(&rules.units[unit.at()].id)?.get("place")?;
            let id = place_id(rules, place);
            return Err(node.inconsistent(format!(
                "{count} {what} of a side stand in `{id}`, which takes {limit} (4.5)"
            )));
        }
    }
    Ok(())
}
