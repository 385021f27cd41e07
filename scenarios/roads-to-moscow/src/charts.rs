//! Charts: terrain effects, Combat Results Tables, coordination, numbers of the rules, fuel, options.

use sandtable_roads_to_moscow::rules::{
    CRT_ROWS, CombatResult, Coordination, FuelTable, Numbers, Options, Price, ResultsTable, TerrainChart,
};

use super::setup::Setup;
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Node, Whole, option};

// ---- terrain (8.3, 10.2) ----

/// Dearest price, in points.
const DEAREST: i64 = 20;

/// Terrain Effects Chart.
pub(super) fn terrain(whole: Whole<'_>) -> Result<TerrainChart, LoadError> {
    let chart = whole.at("terrain")?;
    chart.only(&[
        "clear",
        "rough",
        "swamp",
        "woods",
        "hamlet",
        "village",
        "town",
        "primary",
        "secondary",
        "track",
        "railway",
        "stream",
        "slope",
        "river",
        "fort_line",
        "fortified_position",
    ])?;
    for (names, parts) in [
        (&["clear", "swamp", "primary", "secondary"][..], &["dry", "rain"][..]),
        (&["rough", "stream"], &["dry", "rain", "combat"]),
        (&["woods"], &["cost", "combat"]),
        (&["hamlet", "village", "town", "river"], &["combat"]),
        (&["track", "railway"], &["dry"]),
        (&["slope"], &["up", "combat"]),
        (&["fort_line"], &["side"]),
        (&["fortified_position"], &["hex"]),
    ] {
        for name in names {
            chart.get(name)?.only(parts)?;
        }
    }
    let halves = |node: &Node<'_>, key: &str| node.get(key)?.halves(DEAREST);
    let price = |name: &str| -> Result<Price, LoadError> {
        let node = chart.get(name)?;
        let (dry, rain) = (node.get("dry")?, node.get("rain")?);
        dry.only(&["foot", "motorised"])?;
        rain.only(&["foot", "motorised"])?;
        Ok(Price {
            dry_foot: halves(&dry, "foot")?,
            dry_motorised: halves(&dry, "motorised")?,
            rain_foot: halves(&rain, "foot")?,
            rain_motorised: halves(&rain, "motorised")?,
        })
    };
    let drm = |name: &str| -> Result<i8, LoadError> {
        let node = chart.get(name)?.get("combat")?;
        node.only(&["drm"])?;
        modifier(&node.get("drm")?)
    };
    let (woods, track) = (chart.get("woods")?.get("cost")?, chart.get("track")?.get("dry")?);
    let (dry, rain) = (halves(&woods, "dry")?, halves(&woods, "rain")?);
    let line = chart.get("fort_line")?.get("side")?;
    let position = chart.get("fortified_position")?.get("hex")?;
    let movement =
        |key: &str| number(whole, &format!("movement.{key}")).and_then(|node| node.halves(DEAREST));
    Ok(TerrainChart {
        clear: price("clear")?,
        rough: price("rough")?,
        swamp: price("swamp")?,
        woods: Price { dry_foot: dry, dry_motorised: dry, rain_foot: rain, rain_motorised: rain },
        primary: price("primary")?,
        secondary: price("secondary")?,
        track_clear: halves(&track, "clear")?,
        track_other: halves(&track, "other")?,
        railway: halves(&chart.get("railway")?.get("dry")?, "cost")?,
        stream: price("stream")?,
        slope_up: halves(&chart.get("slope")?.get("up")?, "cost")?,
        fort_line: halves(&line, "cost")?,
        fortified_position: halves(&position, "cost")?,
        zoc_entry: movement("zoc")?,
        overrun: movement("overrun")?,
        rough_drm: drm("rough")?,
        woods_drm: drm("woods")?,
        town_drm: drm("town")?,
        village_drm: drm("village")?,
        hamlet_drm: drm("hamlet")?,
        stream_drm: drm("stream")?,
        river_drm: drm("river")?,
        slope_drm: drm("slope")?,
        fort_line_drm: modifier(&line.get("drm")?)?,
        fortified_position_drm: modifier(&position.get("drm")?)?,
    })
}

/// A die modifier.
fn modifier(node: &Node<'_>) -> Result<i8, LoadError> {
    node.integer(-9..=9).map(|number| number as i8)
}

// ---- Combat Results Tables (10.3, 11.1) ----

/// Odds of the columns; the Assault table has all but the last (10.53).
const ODDS: [(u8, u8); 12] =
    [(1, 4), (1, 3), (1, 2), (1, 1), (3, 2), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1)];

/// Both tables, the Assault one first.
pub(super) fn results(whole: Whole<'_>) -> Result<[ResultsTable; 2], LoadError> {
    let table = |name: &str, columns: &[(u8, u8)]| -> Result<ResultsTable, LoadError> {
        let rows = whole.at(&format!("combat.{name}"))?;
        let mut table =
            ResultsTable { odds: columns.to_vec(), rows: Vec::new(), below: CombatResult::default() };
        for roll in 0..CRT_ROWS {
            let row = rows.get(&roll.to_string())?;
            let cell = |&(a, d): &(u8, u8)| result(&row.get(&format!("{a}-{d}"))?);
            table.rows.push(columns.iter().map(cell).collect::<Result<_, _>>()?);
        }
        if rows.members()?.len() != CRT_ROWS {
            return Err(
                rows.inconsistent("a table has rows from 0, for all below 1, to 11, for all above 10")
            );
        }
        table.below = result(&number(whole, &format!("combat.below_{name}"))?)?;
        Ok(table)
    };
    Ok([table("assault", &ODDS[..11])?, table("mobile", &ODDS)?])
}

/// A cell: `A1/D3R*`, `D1Rd`, `DE`, `-`.
fn result(node: &Node<'_>) -> Result<CombatResult, LoadError> {
    let text = node.text()?;
    CombatResult::parse(text).map_err(|fault| {
        let what = "`-`, or what A and D suffer: steps, R, d, E, and * for red, as in `A1/D3Rd*`";
        node.inconsistent(format!("{fault}; expected {what}"))
    })
}

// ---- coordination (10.4) ----

/// Combat Coordination Table.
pub(super) fn coordination(whole: Whole<'_>) -> Result<Coordination, LoadError> {
    let table = whole.at("coordination")?;
    table.only(&["cas", "artillery", "ground"])?;
    let group = |name: &str, keys: &[&str]| -> Result<Vec<i8>, LoadError> {
        let group = table.get(name)?;
        group.only(keys)?;
        let drm = |key: &&str| {
            let entry = group.get(key)?;
            entry.only(&["drm"])?;
            modifier(&entry.get("drm")?)
        };
        keys.iter().map(drm).collect()
    };
    let cas = group("cas", &["overcast", "rain", "mobile", "soviet"])?;
    let guns = group("artillery", &["mobile_attacker", "mobile_defender", "rain", "mixed"])?;
    let ground = group("ground", &["mobile", "hex", "formation", "disorganised", "rain"])?;
    Ok(Coordination {
        cas_overcast: cas[0],
        cas_rain: cas[1],
        cas_mobile: cas[2],
        cas_soviet: cas[3],
        artillery_mobile_attacker: guns[0],
        artillery_mobile_defender: guns[1],
        artillery_rain: guns[2],
        artillery_mixed: guns[3],
        ground_mobile: ground[0],
        ground_each_hex: ground[1],
        ground_each_formation: ground[2],
        ground_disorganised: ground[3],
        ground_rain: ground[4],
        each_point: modifier(&number(whole, "command.point")?)?,
    })
}

// ---- numbers of the rules ----

/// What stands in charts.toml, by group.
const CHARTS: [(&str, &[&str]); 11] = [
    ("efficiency", &["minimum", "disorganised", "unsupplied", "low_fuel"]),
    ("stacking", &["points"]),
    ("movement", &["zoc", "overrun", "disorganised", "unsupplied_foot", "winter"]),
    ("activation", &["second_player_extra", "combine", "reserve_turns", "out_of_range"]),
    ("initiative", &["passes", "advances"]),
    ("command", &["range", "point"]),
    ("supply", &["line", "line_rain_or_swamp"]),
    ("reaction", &["range"]),
    ("no_retreat", &["steps", "drm"]),
    (
        "combat",
        &[
            "drm_limit",
            "below_assault",
            "below_mobile",
            "combined_arms",
            "engineers",
            "uncoordinated",
            "air_units",
            "air_units_overrun",
            "artillery",
            "artillery_none",
        ],
    ),
    ("retreat", &["rockets_more"]),
];

/// Rejects charts that mean nothing.
fn known(whole: Whole<'_>) -> Result<(), LoadError> {
    let charts = whole.at("charts")?;
    charts.only(&CHARTS.map(|(group, _)| group))?;
    CHARTS.iter().try_for_each(|(group, keys)| charts.get(group)?.only(keys))
}

/// The value of a chart.
fn number<'t>(whole: Whole<'t>, path: &str) -> Result<Node<'t>, LoadError> {
    let chart = whole.at(&format!("charts.{path}"))?;
    chart.only(&["value"])?;
    chart.get("value")
}

/// Numbers of the rules.
pub(super) fn numbers(whole: Whole<'_>) -> Result<Numbers, LoadError> {
    known(whole)?;
    let byte = |path: &str, most: u8| number(whole, path)?.byte(0..=most);
    let drm = |path: &str| modifier(&number(whole, path)?);
    // What the data call a modifier below 0 the engine calls a loss.
    let loss = |path: &str| number(whole, path)?.integer(-9..=0).map(|number| -number as u8);
    let movement_loss = |path: &str| -> Result<u8, LoadError> {
        let node = number(whole, path)?;
        let points = -node.number(-9..=0)? * 2.0;
        if points.fract() != 0.0 {
            return Err(node.inconsistent("Movement Points come in halves (3.57)"));
        }
        Ok(points as u8)
    };
    Ok(Numbers {
        stacking: byte("stacking.points", 60)?,
        least_efficiency: byte("efficiency.minimum", 10)?,
        disorganised_efficiency: loss("efficiency.disorganised")?,
        unsupplied_efficiency: loss("efficiency.unsupplied")?,
        low_fuel_efficiency: loss("efficiency.low_fuel")?,
        disorganised_movement: movement_loss("movement.disorganised")?,
        unsupplied_foot_movement: movement_loss("movement.unsupplied_foot")?,
        winter_movement: movement_loss("movement.winter")?,
        command_range: byte("command.range", 40)?,
        army_attempts: byte("activation.out_of_range", 20)?,
        second_player_extra: byte("activation.second_player_extra", 20)?,
        combine: byte("activation.combine", 20)?,
        reserve_turns: byte("activation.reserve_turns", 20)?,
        supply_line: byte("supply.line", 40)?,
        supply_line_short: byte("supply.line_rain_or_swamp", 40)?,
        drm_limit: byte("combat.drm_limit", 20)? as i8,
        combined_arms_drm: drm("combat.combined_arms")?,
        engineer_drm: drm("combat.engineers")?,
        ground_failed_drm: drm("combat.uncoordinated")?,
        no_retreat_drm: drm("no_retreat.drm")?,
        air_units: byte("combat.air_units", 8)?,
        overrun_air_units: byte("combat.air_units_overrun", 8)?,
        artillery_units: byte("combat.artillery", 20)?,
        artillery_none_at: byte("combat.artillery_none", 20)?,
        no_retreat_steps: byte("no_retreat.steps", 20)?,
        rocket_hexes: byte("retreat.rockets_more", 20)?,
        reaction_range: byte("reaction.range", 40)?,
        pass_initiative: byte("initiative.passes", 5)?,
        advance_initiative: byte("initiative.advances", 5)?,
    })
}

// ---- fuel (6.4) ----

/// The Fuel Supply Table, as far as the set-up has it.
pub(super) fn fuel(whole: Whole<'_>, setup: &Setup) -> Result<FuelTable, LoadError> {
    let node = whole.at("fuel")?;
    node.only(&["table", "rain", "counters"])?;
    let (table, counters) = (node.get("table")?, node.get("counters")?);
    table.only(&["rolls", "units"])?;
    counters.only(&["most"])?;
    let most = counters.get("most")?.byte(0..=8)?;
    let (rolls, units) = (table.get("rolls")?.items()?, table.get("units")?.items()?);
    if rolls.len() != units.len() {
        let text = format!("{} rolls, but {} numbers of units", rolls.len(), units.len());
        return Err(table.get("units")?.inconsistent(text));
    }
    let mut results: Vec<(i8, u8)> = Vec::new();
    for (roll, units) in rolls.iter().zip(&units) {
        let most_roll = roll.integer(-9..=20)? as i8;
        if results.last().is_some_and(|&(before, _)| before >= most_roll) {
            return Err(roll.inconsistent("rolls stand in ascending order"));
        }
        results.push((most_roll, units.byte(0..=most)?));
    }
    if results.last().is_none_or(|&(last, _)| last < 10) {
        return Err(table.get("rolls")?.inconsistent("the last roll must be 10 at least"));
    }
    let rain = node.get("rain")?;
    rain.only(&["drm"])?;
    let (in_force, extra_from, extra) = setup.fuel;
    Ok(FuelTable { in_force, rain_drm: modifier(&rain.get("drm")?)?, results, extra_from, extra })
}

// ---- options ----

/// Optional rules and rulings that may be switched.
pub(super) fn options(whole: Whole<'_>) -> Result<Options, LoadError> {
    let (options, rulings) = (whole.at("options")?, whole.at("rulings")?);
    options.only(&["second_player_fills_cup", "historical_weather", "secret_air"])?;
    for ruling in rulings.members()? {
        ruling.only(&["rule", "question", "proof"])?;
        for key in ["rule", "question", "ruling", "reason", "proof"] {
            ruling.get(key)?.text()?;
        }
    }
    Ok(Options {
        free_cup: !option(&options, "second_player_fills_cup", &rulings)?,
        historical_weather: option(&options, "historical_weather", &rulings)?,
        simultaneous_cas: option(&options, "secret_air", &rulings)?,
    })
}
