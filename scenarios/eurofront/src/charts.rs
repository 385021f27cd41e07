//! Charts: terrain, hexsides, weather, combat, numbers of the rules, options.

use sandtable_eurofront::rules::{
    ArmyRequirement, Combat, Fire, Numbers, Options, SideLimits, Terrain, TerrainEffect, WeatherEffect,
};

use super::blocks::FIRES;
use super::calendar::WEATHERS;
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Node, Whole, option};

/// Most steps and headquarters of an army that a condition asks for.
const MOST_STEPS: i64 = 200;
const MOST_STAFFS: i64 = 9;

/// What terrain does, in the order of its numbers.
pub(super) fn terrain(whole: Whole<'_>) -> Result<[TerrainEffect; Terrain::COUNT], LoadError> {
    let rows = whole.at("terrain")?;
    rows.only(&Terrain::ALL.map(Terrain::id))?;
    let mut effects = [TerrainEffect::default(); Terrain::COUNT];
    for terrain in Terrain::ALL {
        let row = rows.get(terrain.id())?;
        let flag = |key: &str| row.get(key)?.flag();
        let impassable = flag("impassable")?;
        let stacking = row.get("stacking")?.byte(0..=8)?;
        if impassable != (stacking == 0) {
            return Err(row.get("stacking")?.inconsistent("units stand in all terrain but the impassable"));
        }
        effects[terrain as usize] = TerrainEffect {
            impassable,
            stop: flag("stop")?,
            defence: row.get("hits")?.byte(1..=3)?,
            stacking,
            single_fire: flag("single_fire")?,
            sea_invasion: flag("invasion")?,
            paradrop: flag("paradrop")?,
        };
    }
    Ok(effects)
}

/// The table of a chart, with no keys but these.
fn chart<'t>(whole: Whole<'t>, path: &str, keys: &[&str]) -> Result<Node<'t>, LoadError> {
    let node = whole.at(&format!("charts.{path}"))?;
    node.only(keys)?;
    Ok(node)
}

/// Armies that the conditions b, c and d of 1940A ask for: in the East of Romania, in East Prussia, in Western Poland.
pub(super) fn armies(whole: Whole<'_>) -> Result<[ArmyRequirement; 3], LoadError> {
    let places = ["romania", "east_prussia", "west_poland"];
    let node = chart(whole, "armies", &places)?;
    let mut armies = [ArmyRequirement::default(); 3];
    for (army, place) in armies.iter_mut().zip(places) {
        let row = node.get(place)?;
        row.only(&["steps", "headquarters"])?;
        let number = |key: &str, most: i64| Ok::<_, LoadError>(row.get(key)?.integer(0..=most)? as u16);
        *army = ArmyRequirement {
            steps: number("steps", MOST_STEPS)?,
            headquarters: number("headquarters", MOST_STAFFS)?,
        };
    }
    Ok(armies)
}

/// Limits of hexsides (6.33).
pub(super) fn side_limits(whole: Whole<'_>) -> Result<SideLimits, LoadError> {
    let node = chart(whole, "hexside", &["clear", "other", "mud"])?;
    let limit = |key: &str| node.get(key)?.byte(1..=4);
    Ok(SideLimits { clear: limit("clear")?, other: limit("other")?, mud: limit("mud")? })
}

/// What weather does, in the order of its numbers.
pub(super) fn weather(whole: Whole<'_>) -> Result<[WeatherEffect; 3], LoadError> {
    let node = chart(whole, "weather", &WEATHERS.map(|(id, _)| id))?;
    let mut effects = [WeatherEffect::default(); 3];
    for (id, weather) in WEATHERS {
        let row = node.get(id)?;
        row.only(&[
            "stop",
            "hits",
            "single_fire",
            "disrupts",
            "deployment",
            "river_repulse",
            "swamp_as_forest",
        ])?;
        let flag = |key: &str| row.get(key)?.flag();
        effects[weather as usize] = WeatherEffect {
            stop: flag("stop")?,
            defence: row.get("hits")?.byte(1..=3)?,
            single_fire: flag("single_fire")?,
            disrupts: flag("disrupts")?,
            no_deployment: !flag("deployment")?,
            river_repulse: row.get("river_repulse")?.byte(0..=6)?,
            swamp_as_forest: flag("swamp_as_forest")?,
        };
    }
    Ok(effects)
}

/// Fire, pursuit, hits, repulses (6.52, 7).
pub(super) fn combat(whole: Whole<'_>) -> Result<Combat, LoadError> {
    whole.at("charts")?.only(&[
        "fire",
        "hexside",
        "pursuit",
        "hits",
        "defensive_fire",
        "repulse",
        "weather",
        "supply",
        "rail",
        "stacking",
        "supreme",
        "production",
        "home_infantry",
        "fortified_ports",
        "armies",
    ])?;
    let node = chart(whole, "fire", &["SF", "DF", "TF", "QF"])?;
    let mut hits_from = [7; 5];
    for (id, fire) in &FIRES[1..] {
        hits_from[*fire as usize] = node.get(id)?.byte(1..=7)?;
    }
    let fire =
        |node: &Node<'_>, key: &str| -> Result<Fire, LoadError> { node.get(key)?.choose("fire", &FIRES) };
    let pursuit = chart(whole, "pursuit", &["faster", "equal", "slower"])?;
    let hits = chart(whole, "hits", &["unsupported", "most", "fortress", "minor_fortress", "city"])?;
    let defence = chart(whole, "defensive_fire", &["fortress", "minor_fortress", "city"])?;
    chart(whole, "repulse", &["air", "naval"])?;
    let air = chart(whole, "repulse.air", &["normal", "fortress"])?;
    let naval = chart(whole, "repulse.naval", &["amphibious", "other"])?;
    let by_supremacy = |key: &str| -> Result<[u8; 3], LoadError> {
        let node = naval.get(key)?;
        let dice = node.items()?.iter().map(|item| item.byte(0..=6)).collect::<Result<Vec<u8>, _>>()?;
        <[u8; 3]>::try_from(dice).map_err(|_| {
            node.inconsistent("three dice: supremacy of the defender, of nobody, of the attacker")
        })
    };
    let number = |key: &str| hits.get(key)?.byte(0..=3);
    Ok(Combat {
        hits_from,
        pursuit: [fire(&pursuit, "faster")?, fire(&pursuit, "equal")?, fire(&pursuit, "slower")?],
        unsupported: number("unsupported")?,
        most: hits.get("most")?.byte(1..=3)?,
        fortress: number("fortress")?,
        minor_fortress: number("minor_fortress")?,
        fortress_fire: fire(&defence, "fortress")?,
        minor_fortress_fire: fire(&defence, "minor_fortress")?,
        city: number("city")?,
        city_fire: fire(&defence, "city")?,
        air_repulse: [air.get("normal")?.byte(0..=6)?, air.get("fortress")?.byte(0..=6)?],
        naval_repulse: [by_supremacy("amphibious")?, by_supremacy("other")?],
    })
}

/// Numbers of the rules.
pub(super) fn numbers(whole: Whole<'_>) -> Result<Numbers, LoadError> {
    let supply = chart(whole, "supply", &["line", "desert_line"])?;
    let stacking = chart(whole, "stacking", &["malta_and_gibraltar"])?;
    let rail = chart(whole, "rail", &["move"])?;
    let supreme = chart(whole, "supreme", &["moves", "theatre_moves", "air_range"])?;
    let production = chart(whole, "production", &["steps", "major_city", "other_place"])?;
    Ok(Numbers {
        supply_line: supply.get("line")?.byte(0..=20)?,
        desert_supply_line: supply.get("desert_line")?.byte(0..=20)?,
        narrow_stacking: stacking.get("malta_and_gibraltar")?.byte(1..=8)?,
        rail_move: rail.get("move")?.byte(1..=60)?,
        supreme_moves: supreme.get("moves")?.byte(0..=9)?,
        theatre_moves: supreme.get("theatre_moves")?.byte(0..=9)?,
        supreme_air_range: supreme.get("air_range")?.byte(0..=9)?,
        steps_a_production: production.get("steps")?.byte(1..=4)?,
        arrivals: [production.get("major_city")?.byte(1..=8)?, production.get("other_place")?.byte(1..=8)?],
    })
}

/// Optional rules and rulings that may be switched.
pub(super) fn options(whole: Whole<'_>) -> Result<Options, LoadError> {
    let (options, rulings) = (whole.at("options")?, whole.at("rulings")?);
    options.only(&["weather_balance", "mud_blocks_invasion", "paras_grounded_by_loss"])?;
    Ok(Options {
        weather_balance: option(&options, "weather_balance", &rulings)?,
        mud_blocks_invasion: option(&options, "mud_blocks_invasion", &rulings)?,
        paras_grounded_by_loss: option(&options, "paras_grounded_by_loss", &rulings)?,
    })
}
