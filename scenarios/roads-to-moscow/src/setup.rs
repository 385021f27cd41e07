//! Scenarios: turns, victory, markers, sources, units on the map and still to come (5.2, 17 to 19).

use sandtable_core::Index;
use sandtable_core::hex::Hex;
use sandtable_roads_to_moscow::ids::{FormationId, Marker, Player, UnitId, hex_number};
use sandtable_roads_to_moscow::rules::{
    AirUnit, Entry, Kind, MarkerData, OptionalGroup, RetreatDirection, Scenario,
};

use super::calendar::Turns;
use super::map::{Map, number};
use super::units::{Counters, PLAYERS};
use sandtable_scenarios::tree::{Names, Node, Whole};
use sandtable_scenarios::{LoadError, Problem, nearest};

/// Keys of a set-up.
const KEYS: [&str; 20] = [
    "system",
    "id",
    "map",
    "first_turn",
    "last_turn",
    "columns",
    "attacker",
    "threshold",
    "fuel",
    "fortified",
    "automatic",
    "control",
    "german",
    "soviet",
    "fuel_supply",
    "retreats",
    "entry",
    "groups",
    "units",
    "objectives",
];

/// A set-up that has been read.
pub(super) struct Setup {
    pub scenario: Scenario,
    pub markers: Vec<MarkerData>,
    pub air: Vec<AirUnit>,
    pub entries: Vec<Entry>,
    pub groups: Vec<OptionalGroup>,
    /// Whether fuel is needed, from which turn the table gives more, and how much.
    pub fuel: (bool, u8, u8),
}

/// The identifier of the map of the scenario.
pub(super) fn sheet(whole: Whole<'_>) -> Result<String, LoadError> {
    let node = whole.at("setup.map")?;
    let maps = whole.at("maps")?;
    if maps.find(node.text()?)?.is_some() {
        return Ok(node.text()?.to_owned());
    }
    let known = maps.members()?;
    let near = nearest(node.text()?, known.iter().map(Node::key));
    Err(node.error(Problem::UnknownName { value: node.text()?.into(), what: "a map".into(), near }))
}

/// Reads the set-up.
pub(super) fn read(
    whole: Whole<'_>,
    map: &Map,
    turns: &Turns,
    counters: &Counters,
) -> Result<Setup, LoadError> {
    let node = whole.at("setup")?;
    node.only(&KEYS)?;
    let columns = columns(&node.get("columns")?, map)?;
    let mut markers = Vec::new();
    for (player, side) in sides(&node)? {
        side.only(&["sources", "markers", "later", "air"])?;
        own_markers(&side, player, turns, counters, &mut markers)?;
    }
    let mut groups = groups(&node.get("groups")?, turns, counters, &mut markers)?;
    let fuel = fuel(&node, turns)?;
    let entries = entries(&node, map, turns, counters, &mut groups, fuel.0)?;
    let automatic = node.get("automatic")?;
    automatic.only(&["hexes", "last_turn"])?;
    let sources = |key: &str| map.grid.list(&node.get(key)?.get("sources")?);
    let scenario = Scenario {
        id: node.get("id")?.text()?.to_owned(),
        name: node.get("title")?.text()?.to_owned(),
        attacker: node.get("attacker")?.choose("a side", &PLAYERS)?,
        columns,
        sources: [sources("german")?, sources("soviet")?],
        german_hexes: german_hexes(&node.get("control")?, map)?,
        soviet_positions: map.grid.list(&node.get("fortified")?)?,
        objectives: objectives(&node.get("objectives")?, map)?,
        threshold: node.get("threshold")?.integer(-99..=999)? as i16,
        automatic: map.grid.list(&automatic.get("hexes")?)?,
        automatic_until: turns.optional(&automatic.get("last_turn")?)?,
        retreat_direction: retreats(&node, map, turns)?,
        waived_entries: match node.find("entry")? {
            None => Vec::new(),
            Some(entry) => {
                entry.only(&["open"])?;
                map.grid.list(&entry.get("open")?)?
            }
        },
        first: Player::German,
    };
    Ok(Setup { scenario, markers, air: air(&node, turns, counters)?, entries, groups, fuel })
}

/// The tables of both sides.
fn sides<'t>(setup: &Node<'t>) -> Result<Vec<(Player, Node<'t>)>, LoadError> {
    PLAYERS.iter().map(|&(key, player)| Ok((player, setup.get(key)?))).collect()
}

fn columns(node: &Node<'_>, map: &Map) -> Result<(u8, u8), LoadError> {
    let items = node.items()?;
    let most = map.sheet.hexes.iter().map(|data| data.hex.line() + 1).max().unwrap_or(1);
    let [first, last] = items.as_slice() else {
        return Err(node.inconsistent("first and last column are expected, as in [18, 42]"));
    };
    let first = first.byte(1..=most)?;
    Ok((first, last.byte(first..=most)?))
}

/// Markers at the start, and those that come later: `19T 13PM`.
fn own_markers(
    side: &Node<'_>,
    player: Player,
    turns: &Turns,
    counters: &Counters,
    markers: &mut Vec<MarkerData>,
) -> Result<(), LoadError> {
    let mut add = |id: &str, turn: u8, item: &Node<'_>| -> Result<(), LoadError> {
        let formation = formation(id, player, counters, item)?;
        markers.push(MarkerData { formation, turn });
        limit(markers, formation, counters, item)
    };
    for item in side.get("markers")?.items()? {
        add(item.text()?, 1, &item)?;
    }
    for item in side.get("later")?.items()? {
        let Some((id, turn)) = item.text()?.split_once(' ') else {
            return Err(item.inconsistent("a formation and a turn are expected, as in `19T 13PM`"));
        };
        let turn = turns.number(turn.trim(), &item)?;
        add(id, turn, &item)?;
    }
    Ok(())
}

/// A formation of a side.
fn formation(
    id: &str,
    player: Player,
    counters: &Counters,
    node: &Node<'_>,
) -> Result<FormationId, LoadError> {
    let formation = counters.formation_names.find(id, node)?;
    if counters.formations[formation.at()].player == player {
        return Ok(formation);
    }
    Err(node.inconsistent(format!("`{id}` is no formation of this side")))
}

/// A formation has no more markers than counters (4.24).
fn limit(
    markers: &[MarkerData],
    formation: FormationId,
    counters: &Counters,
    node: &Node<'_>,
) -> Result<(), LoadError> {
    let count = markers.iter().filter(|marker| marker.formation == formation).count();
    let most = counters.markers[formation.at()];
    if count <= usize::from(most) {
        return Ok(());
    }
    let id = &counters.formations[formation.at()].id;
    Err(node.inconsistent(format!("`{id}` has {most} Activation Markers, not {count} (4.24)")))
}

/// Optional groups without their units.
fn groups(
    node: &Node<'_>,
    turns: &Turns,
    counters: &Counters,
    markers: &mut Vec<MarkerData>,
) -> Result<Vec<OptionalGroup>, LoadError> {
    let mut groups = Vec::new();
    for row in node.members()? {
        row.only(&["side", "turn", "points", "markers"])?;
        let player = row.get("side")?.choose("a side", &PLAYERS)?;
        let turn = row.get("turn")?;
        let mut own = Vec::new();
        for item in row.get("markers")?.items()? {
            let formation = formation(item.text()?, player, counters, &item)?;
            own.push(Marker::nth(markers.len()));
            markers.push(MarkerData { formation, turn: 0 });
            limit(markers, formation, counters, &item)?;
        }
        groups.push(OptionalGroup {
            id: row.key().to_owned(),
            player,
            turn: turns.number(turn.text()?, &turn)?,
            cost: row.get("points")?.byte(0..=50)?,
            units: Vec::new(),
            markers: own,
        });
    }
    Ok(groups)
}

/// Whether fuel is needed, and what comes beyond the table.
fn fuel(setup: &Node<'_>, turns: &Turns) -> Result<(bool, u8, u8), LoadError> {
    let in_force = setup.get("fuel")?.flag()?;
    let Some(supply) = setup.find("fuel_supply")? else {
        if in_force {
            return Err(setup.get("fuel")?.inconsistent("the set-up lacks [fuel_supply]: where fuel enters"));
        }
        return Ok((false, 0, 0));
    };
    supply.only(&["hexes", "extra_from", "extra"])?;
    let from = turns.optional(&supply.get("extra_from")?)?;
    Ok((in_force, from, supply.get("extra")?.byte(0..=8)?))
}

/// Where each unit of the map begins or enters.
fn entries(
    setup: &Node<'_>,
    map: &Map,
    turns: &Turns,
    counters: &Counters,
    groups: &mut [OptionalGroup],
    needs_fuel: bool,
) -> Result<Vec<Entry>, LoadError> {
    let fuel_hexes = match setup.find("fuel_supply")? {
        Some(supply) if needs_fuel => map.grid.list(&supply.get("hexes")?)?,
        _ => Vec::new(),
    };
    let mut entries: Vec<Entry> = counters
        .units
        .iter()
        .map(|unit| match unit.kind {
            Kind::Fuel if needs_fuel => Entry::Fuel { hexes: fuel_hexes.clone() },
            _ => Entry::Never,
        })
        .collect();
    let group_names: Names<u8> = Names::new("an optional group", groups.iter().map(|group| group.id.clone()));
    for row in setup.get("units")?.members()? {
        row.only(&["place", "turn", "group"])?;
        let unit: UnitId = counters.unit_names.find(row.key(), &row)?;
        let place = row.get("place")?;
        let mut hexes = Vec::new();
        for word in place.text()?.split_whitespace() {
            hexes.push(map.grid.find(word, &place)?);
        }
        let (turn, group) = (row.get("turn")?, row.get("group")?);
        let starts = turn.text()? == "start";
        entries[unit.at()] = match (hexes.as_slice(), starts, group.text()?) {
            ([], ..) => return Err(place.inconsistent("the unit needs a hex where it stands or enters")),
            (&[hex], true, "none") => Entry::At(hex),
            (_, true, "none") => return Err(place.inconsistent("a unit stands in one hex at the start")),
            (_, true, _) => {
                return Err(turn.inconsistent("an optional group comes on its turn, not at the start"));
            }
            (_, false, "none") => Entry::From { turn: turns.number(turn.text()?, &turn)?, hexes },
            (_, false, _) => {
                let at = group_names.read(&group)?;
                let own = &mut groups[usize::from(at)];
                if turns.number(turn.text()?, &turn)? != own.turn {
                    return Err(turn.inconsistent(format!("`{}` comes on another turn", own.id)));
                }
                if counters.units[unit.at()].player != own.player {
                    return Err(group.inconsistent(format!("`{}` is of the other side", own.id)));
                }
                own.units.push(unit);
                Entry::Optional { group: at, hexes }
            }
        };
    }
    Ok(entries)
}

/// Hexes within all bounds of German control.
fn german_hexes(node: &Node<'_>, map: &Map) -> Result<Vec<Hex>, LoadError> {
    node.only(&["from_column", "to_column", "from_row", "diagonal"])?;
    let bound = |key: &str| node.get(key)?.integer(0..=200);
    let (from, to, row, diagonal) =
        (bound("from_column")?, bound("to_column")?, bound("from_row")?, bound("diagonal")?);
    let rows = map.sheet.hexes.iter().map(|data| i64::from(data.hex.place()) + 1).max().unwrap_or(0);
    let within = |hex: Hex| {
        let (c, r) = (i64::from(hex_number(hex)) / 100, i64::from(hex_number(hex)) % 100);
        (from..=to).contains(&c) && r >= row && c + rows - r <= diagonal
    };
    Ok(map.sheet.hexes.iter().map(|data| data.hex).filter(|&hex| within(hex)).collect())
}

fn objectives(node: &Node<'_>, map: &Map) -> Result<Vec<(Hex, u8)>, LoadError> {
    let mut objectives = Vec::new();
    for row in node.members()? {
        objectives.push((map.grid.find(row.key(), &row)?, row.get("points")?.byte(0..=50)?));
    }
    Ok(objectives)
}

fn retreats(setup: &Node<'_>, map: &Map, turns: &Turns) -> Result<Option<RetreatDirection>, LoadError> {
    let Some(node) = setup.find("retreats")? else { return Ok(None) };
    node.only(&["last_turn", "from_column", "towards"])?;
    Ok(Some(RetreatDirection {
        player: Player::Soviet,
        until: turns.optional(&node.get("last_turn")?)?,
        from_column: node.get("from_column")?.byte(1..=99)?,
        towards: map.grid.read(&node.get("towards")?)?,
    }))
}

/// Air units of the scenario, in the order of the table; those that come later with their turn: `s_il2_m 15PM` (5.24).
fn air(setup: &Node<'_>, turns: &Turns, counters: &Counters) -> Result<Vec<AirUnit>, LoadError> {
    let names: Names<u8> =
        Names::new("an air unit of this map", counters.air.iter().map(|air| air.id.clone()));
    let mut comes = vec![None; counters.air.len()];
    for (player, side) in sides(setup)? {
        for item in side.get("air")?.items()? {
            let (id, turn) = match item.text()?.split_once(' ') {
                Some((id, turn)) => (id, turns.number(turn.trim(), &item)?),
                None => (item.text()?, 1),
            };
            let at = usize::from(names.find(id, &item)?);
            if counters.air[at].player != player {
                return Err(item.inconsistent("the air unit is of the other side"));
            }
            if comes[at].replace(turn).is_some() {
                return Err(item.inconsistent("the air unit stands there twice"));
            }
        }
    }
    let come = counters.air.iter().zip(comes);
    Ok(come.filter_map(|(air, turn)| Some(AirUnit { turn: turn?, ..air.clone() })).collect())
}

/// A hex that must be in play.
pub(super) fn in_play(hex: Hex, columns: (u8, u8), node: &Node<'_>) -> Result<(), LoadError> {
    if (columns.0..=columns.1).contains(&(hex.line() + 1)) {
        return Ok(());
    }
    let text = format!(
        "{} lies beyond the line of the scenario, columns {} to {}",
        number(hex),
        columns.0,
        columns.1
    );
    Err(node.inconsistent(text))
}
