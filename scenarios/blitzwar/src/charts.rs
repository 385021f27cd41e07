//! Calendar, combat charts, cards, costs, limits, victory table and options.

use sandtable_blitzwar::nation::Force;
use sandtable_blitzwar::rules::{
    AttackerLoss, CalendarTurn, Card, Charts, Conversion, Costs, DECK, LendLease, Limits, Options, Shifts,
    TERRAINS, TerrainEffects, VictoryRow, Weather,
};

use super::map::TERRAIN_NAMES;
use super::side;
use sandtable_scenarios::tree::{Node, Whole, option};
use sandtable_scenarios::{LoadError, Problem};

pub(super) struct Tables {
    pub calendar: Vec<CalendarTurn>,
    pub combat: Charts,
    pub decks: [[Card; DECK]; 3],
    pub costs: Costs,
    pub limits: Limits,
    pub options: Options,
    pub victory_surrender: Vec<VictoryRow>,
    pub victory_points: Vec<VictoryRow>,
}

pub(super) fn read(whole: Whole<'_>) -> Result<Tables, LoadError> {
    let victory = whole.at("victory")?;
    victory.only(&["german_surrender", "axis_points"])?;
    Ok(Tables {
        calendar: calendar(&whole.at("calendar")?)?,
        combat: combat(&whole.at("combat")?)?,
        decks: decks(&whole.at("cards")?)?,
        costs: costs(&whole.at("costs")?)?,
        limits: limits(&whole.at("limits")?)?,
        options: options(&whole.at("options")?, &whole.at("rulings")?)?,
        victory_surrender: victory_rows(&victory.get("german_surrender")?)?,
        victory_points: victory_rows(&victory.get("axis_points")?)?,
    })
}

/// Rows of a victory table, which share ten points.
pub(super) fn victory_rows(node: &Node<'_>) -> Result<Vec<VictoryRow>, LoadError> {
    let mut rows: Vec<VictoryRow> = Vec::new();
    for item in node.items()? {
        item.only(&["from", "to", "allied_soviet", "axis"])?;
        let row = VictoryRow {
            from: item.get("from")?.byte(0..=255)?,
            to: item.get("to")?.byte(0..=255)?,
            allied_soviet: item.get("allied_soviet")?.byte(0..=10)?,
            axis: item.get("axis")?.byte(0..=10)?,
        };
        if row.to < row.from {
            return Err(
                item.inconsistent(format!("the row ends at {}, before it starts at {}", row.to, row.from))
            );
        }
        if row.axis + row.allied_soviet != 10 {
            return Err(item.inconsistent("the points of a row must add up to 10"));
        }
        if let Some(last) = rows.last()
            && row.from != last.to.saturating_add(1)
        {
            let text = format!("the row starts at {}; the one before it ends at {}", row.from, last.to);
            return Err(item.inconsistent(text));
        }
        rows.push(row);
    }
    Ok(rows)
}

fn calendar(node: &Node<'_>) -> Result<Vec<CalendarTurn>, LoadError> {
    let rows = node.members()?;
    if rows.is_empty() || rows.len() > 99 {
        return Err(node.inconsistent(format!("there are {} turns; the engine takes 1 to 99", rows.len())));
    }
    let mut turns = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        if row.key() != (index + 1).to_string() {
            return Err(row.inconsistent(format!("turn {} is expected here, in order", index + 1)));
        }
        let weather = row.get("weather")?.choose(
            "a weather",
            &[("fair", Weather::Fair), ("mud", Weather::Mud), ("snow", Weather::Snow)],
        )?;
        let seasons = ["winter", "spring", "summer", "autumn"].map(|season| (season, season));
        turns.push(CalendarTurn {
            year: row.get("year")?.integer(1900..=2100)? as u16,
            season: row.get("season")?.choose("a season", &seasons)?.to_owned(),
            half: row.get("half")?.byte(1..=2)?,
            weather,
            snow_blitz: [
                row.get("snow_blitz_axis")?.flag()?,
                row.get("snow_blitz_allied")?.flag()?,
                row.get("snow_blitz_soviet")?.flag()?,
            ],
            mark1: row.get("mark1")?.flag()?,
            mark2: row.get("mark2")?.flag()?,
            bombing: row.get("bombing")?.byte(0..=20)?,
            late_naval: row.get("naval")?.choose("a naval table", &[("early", false), ("late", true)])?,
        });
    }
    Ok(turns)
}

const COLUMNS: [&str; 8] = ["1-1", "3-2", "2-1", "3-1", "4-1", "5-1", "6-1", "7-1"];
const DIE: [&str; 6] = ["1", "2", "3", "4", "5", "6"];

/// The rows of a chart, by die.
fn by_die<'t, T>(
    node: &Node<'t>,
    mut read: impl FnMut(Node<'t>) -> Result<T, LoadError>,
) -> Result<[T; 6], LoadError>
where
    T: Copy + Default,
{
    node.only(&DIE)?;
    let mut rows = [T::default(); 6];
    for (row, die) in rows.iter_mut().zip(DIE) {
        *row = read(node.get(die)?)?;
    }
    Ok(rows)
}

fn combat(node: &Node<'_>) -> Result<Charts, LoadError> {
    node.only(&[
        "land",
        "conversions",
        "terrain",
        "modifiers",
        "naval_early",
        "naval_late",
        "battle_of_britain",
        "partisans",
    ])?;
    let land_node = node.get("land")?;
    land_node.only(&DIE)?;
    let mut land = [[(AttackerLoss::None, 0); 8]; 6];
    for (row, die) in land.iter_mut().zip(DIE) {
        let cells = land_node.get(die)?;
        cells.only(&COLUMNS)?;
        for (cell, column) in row.iter_mut().zip(COLUMNS) {
            *cell = result(&cells.get(column)?)?;
        }
    }
    let pair = |key: &str, first: &str, second: &str| {
        by_die(&node.get(key)?, |row| {
            row.only(&[first, second])?;
            Ok((row.get(first)?.byte(0..=9)?, row.get(second)?.byte(0..=9)?))
        })
    };
    Ok(Charts {
        land,
        shifts: shifts(&node.get("modifiers")?)?,
        naval_early: pair("naval_early", "attacker", "defender")?,
        naval_late: pair("naval_late", "axis", "enemy")?,
        battle_of_britain: pair("battle_of_britain", "german", "allied")?,
        partisans: by_die(&node.get("partisans")?, |row| row.byte(0..=9))?,
        terrain: terrain(&node.get("terrain")?)?,
        conversions: conversions(&node.get("conversions")?)?,
    })
}

/// What terrain does, in the order of [`Terrain`].
fn terrain(node: &Node<'_>) -> Result<[TerrainEffects; TERRAINS], LoadError> {
    let names = TERRAIN_NAMES.map(|(name, _)| name);
    node.only(&names)?;
    let mut effects =
        [TerrainEffects { defends: false, bars_blitz: false, holds: false, shuts_port: false, open: false };
            TERRAINS];
    for (name, terrain) in TERRAIN_NAMES {
        let row = node.get(name)?;
        row.only(&["defends", "bars_blitz", "holds", "shuts_port", "open"])?;
        effects[terrain as usize] = TerrainEffects {
            defends: row.get("defends")?.flag()?,
            bars_blitz: row.get("bars_blitz")?.flag()?,
            holds: row.get("holds")?.flag()?,
            shuts_port: row.get("shuts_port")?.flag()?,
            open: row.get("open")?.flag()?,
        };
    }
    Ok(effects)
}

fn conversions(node: &Node<'_>) -> Result<Vec<Conversion>, LoadError> {
    let row = |row: Node<'_>| {
        row.only(&["losses", "attackers", "defenders", "instead"])?;
        let (losses, instead) = (row.get("losses")?.byte(0..=9)?, row.get("instead")?.byte(0..=9)?);
        if instead > losses {
            return Err(row.inconsistent("a conversion only takes losses away"));
        }
        Ok(Conversion {
            losses,
            attackers: row.get("attackers")?.byte(0..=9)?,
            defenders: row.get("defenders")?.byte(0..=9)?,
            instead,
        })
    };
    node.members()?.into_iter().map(row).collect()
}

/// A cell of the combat table, as in `C/2`.
fn result(node: &Node<'_>) -> Result<(AttackerLoss, u8), LoadError> {
    let text = node.text()?;
    let read = || {
        let (attacker, defender) = text.split_once('/')?;
        let attacker = match attacker {
            "0" => AttackerLoss::None,
            "1" => AttackerLoss::One,
            "C" => AttackerLoss::Armour,
            _ => return None,
        };
        defender.parse().ok().filter(|&losses| losses <= 9).map(|losses| (attacker, losses))
    };
    read().ok_or_else(|| {
        node.error(Problem::WrongType {
            found: format!("`{text}`"),
            expected:
                "a result as in `0/1`, `1/2` or `C/3`: attacker's loss (0, 1 or C) and defender's losses"
                    .into(),
        })
    })
}

fn shifts(node: &Node<'_>) -> Result<Shifts, LoadError> {
    node.only(&[
        "german_attack",
        "british_vs_italians",
        "british_vs_italians_early",
        "armour",
        "air_superiority",
        "out_of_supply",
        "german_defence",
        "all_fortified",
        "defender_air_superiority",
        "terrain",
        "fortress",
        "fortified_line",
    ])?;
    let shift = |key: &str| {
        let modifier = node.get(key)?;
        modifier.only(&["value"])?;
        modifier.get("value")?.integer(-9..=9).map(|value| value as i8)
    };
    Ok(Shifts {
        german_attack: shift("german_attack")?,
        british_vs_italians: shift("british_vs_italians")?,
        british_vs_italians_early: shift("british_vs_italians_early")?,
        armour: shift("armour")?,
        attacker_air: shift("air_superiority")?,
        out_of_supply: shift("out_of_supply")?,
        german_defence: shift("german_defence")?,
        all_fortified: shift("all_fortified")?,
        defender_air: shift("defender_air_superiority")?,
        terrain: shift("terrain")?,
        fortress: shift("fortress")?,
        fortified_line: shift("fortified_line")?,
    })
}

fn decks(node: &Node<'_>) -> Result<[[Card; DECK]; 3], LoadError> {
    let mut decks: [[Vec<Card>; 2]; 3] = Default::default();
    for row in node.members()? {
        let side = side(&row.get("side")?)?;
        let total = row.get("kind")?.choose("a kind of card", &[("limited", 0), ("total", 1)])?;
        let units = |key: &str, most: u8| row.get(key)?.byte(0..=most);
        let card = Card {
            id: row.key().to_owned(),
            name: row.get("name")?.text()?.to_owned(),
            infantry: units("infantry", 30)?,
            armour: units("armour", 30)?,
            air: units("air", 30)?,
            fleet: units("fleet", 30)?,
            submarine: units("submarine", 30)?,
            supply: units("supply", 100)?,
            development: units("development", 9)?,
        };
        if card.development > 0 && side != Force::Soviet {
            return Err(row.get("development")?.inconsistent("only Soviet cards bring development (10.1)"));
        }
        if card.submarine > 0 && side != Force::Axis {
            return Err(row.get("submarine")?.inconsistent("only Axis cards bring submarines"));
        }
        decks[side.index()][total].push(card);
    }
    let mut result: [[Card; DECK]; 3] = Default::default();
    for side in Force::ALL {
        let [limited, total] = std::mem::take(&mut decks[side.index()]);
        for (kind, cards) in [("limited", &limited), ("total", &total)] {
            if cards.len() != DECK / 2 {
                let text = format!(
                    "the {} side has {} {kind} cards; it needs {} (10.1)",
                    side.id(),
                    cards.len(),
                    DECK / 2
                );
                return Err(node.inconsistent(text));
            }
        }
        for (place, card) in result[side.index()].iter_mut().zip(limited.into_iter().chain(total)) {
            *place = card;
        }
    }
    Ok(result)
}

fn costs(node: &Node<'_>) -> Result<Costs, LoadError> {
    node.only(&[
        "tactical",
        "tactical_single_corps",
        "naval",
        "strategic",
        "strategic_single_corps",
        "transport_corps",
        "transport_supply",
        "transport_air",
        "transport_far_factor",
        "fortify",
    ])?;
    let cost = |key: &str| node.get(key)?.halves(20);
    Ok(Costs {
        tactical: cost("tactical")?,
        tactical_single: cost("tactical_single_corps")?,
        naval: cost("naval")?,
        strategic: cost("strategic")?,
        strategic_single: cost("strategic_single_corps")?,
        transport_corps: cost("transport_corps")?,
        transport_supply: cost("transport_supply")?,
        transport_air: cost("transport_air")?,
        transport_far: node.get("transport_far_factor")?.byte(1..=5)?,
        fortify: cost("fortify")?,
    })
}

const LEND_LEASE: [&str; 2] = ["supply_per_fleet", "fleets_per_air"];

fn limits(node: &Node<'_>) -> Result<Limits, LoadError> {
    node.only(&[
        "stacking",
        "movement",
        "air",
        "transport",
        "convoys",
        "lend_lease",
        "fortification",
        "substitution",
    ])?;
    let number = |table: &str, keys: &[&str], key: &str, least: u8| {
        let table = node.get(table)?;
        table.only(keys)?;
        table.get(key)?.byte(least..=9)
    };
    let stacking = |key| number("stacking", &["counters", "beachhead", "beachhead_dotted"], key, 1);
    let keys = ["infantry", "armour", "infantry_then_attack", "armour_then_attack", "naval"];
    // A counter remembers the zones it has moved in three bits.
    let movement = |key| Ok(number("movement", &keys, key, 0)?.min(7));
    Ok(Limits {
        stack: stacking("counters")?,
        beachhead: stacking("beachhead")?,
        beachhead_dotted: stacking("beachhead_dotted")?,
        infantry_move: movement("infantry")?,
        armour_move: movement("armour")?,
        infantry_attack_move: movement("infantry_then_attack")?,
        armour_attack_move: movement("armour_then_attack")?,
        naval_move: movement("naval")?,
        air_range: number("air", &["range", "bombing_per_turn"], "range", 0)?,
        transport_near: number("transport", &["near_seas"], "near_seas", 0)?,
        fortify_per_turn: number("fortification", &["corps_per_turn"], "corps_per_turn", 0)?,
        fleets_per_american_corps: number(
            "convoys",
            &["fleets_per_american_corps"],
            "fleets_per_american_corps",
            0,
        )?,
        lend_lease: LendLease {
            supply_per_fleet: number("lend_lease", &LEND_LEASE, "supply_per_fleet", 0)?,
            fleets_per_air: number("lend_lease", &LEND_LEASE, "fleets_per_air", 1)?,
        },
    })
}

fn options(node: &Node<'_>, rulings: &Node<'_>) -> Result<Options, LoadError> {
    node.only(&["partners_share_cards", "passage_points", "final_check", "naval_count_after"])?;
    let option = |key| option(node, key, rulings);
    Ok(Options {
        partners_share_cards: option("partners_share_cards")?,
        passage_points: option("passage_points")?,
        final_check: option("final_check")?,
        naval_count_after: option("naval_count_after")?,
    })
}
