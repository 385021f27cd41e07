//! Calendar, nations, diplomacy, charts, victory and options.

use sandtable_victory_in_europe::Place;
use sandtable_victory_in_europe::nation::{Force, NATIONS, Nation};
use sandtable_victory_in_europe::rules::{CalendarTurn, Charts, Import, Options, Resistance, Victory};
use sandtable_victory_in_europe::state::MAX_BLITZ_USES;

use super::map::Map;
use super::nation_names;
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Node, Whole, option};

pub(super) struct Tables {
    pub calendar: Vec<CalendarTurn>,
    pub capitals: [Option<Place>; NATIONS],
    pub alternatives: [Option<Place>; NATIONS],
    pub resistance: [Resistance; NATIONS],
    pub imports: Vec<Import>,
    pub charts: Charts,
    pub victory: Victory,
    pub options: Options,
}

pub(super) fn read(whole: Whole<'_>, map: &Map) -> Result<Tables, LoadError> {
    let powers = whole.at("powers")?;
    powers.only(&Nation::ALL.map(Nation::id))?;
    let (mut capitals, mut alternatives) = ([None; NATIONS], [None; NATIONS]);
    for nation in Nation::ALL {
        let entry = powers.get(nation.id())?;
        entry.only(&["capital", "alternative"])?;
        capitals[nation.index()] = map.area_names.read_or_none(&entry.get("capital")?)?;
        alternatives[nation.index()] = map.area_names.read_or_none(&entry.get("alternative")?)?;
        if nation.is_major() && capitals[nation.index()].is_none() {
            return Err(entry.get("capital")?.inconsistent("a major power has a capital (1.41)"));
        }
    }
    let diplomacy = whole.at("diplomacy")?;
    diplomacy.only(&["resistance", "imports"])?;
    Ok(Tables {
        calendar: calendar(&whole.at("calendar")?)?,
        capitals,
        alternatives,
        resistance: resistance(&diplomacy.get("resistance")?)?,
        imports: imports(&diplomacy.get("imports")?, map)?,
        charts: charts(&whole.at("charts")?)?,
        victory: victory(&whole.at("victory")?, map)?,
        options: options(&whole.at("options")?, &whole.at("rulings")?)?,
    })
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
        let seasons = [("winter", 1), ("spring", 2), ("summer", 3), ("autumn", 4)];
        let (season, quarter) = (row.get("season")?, row.get("quarter")?.byte(1..=4)?);
        if season.choose("a season", &seasons)? != quarter {
            return Err(season.inconsistent(format!("it is not the season of quarter {quarter}")));
        }
        turns.push(CalendarTurn {
            year: row.get("year")?.integer(1900..=2100)? as u16,
            quarter,
            draw: row.get("draw")?.byte(0..=4)?,
            winter: row.get("winter")?.flag()?,
            winter_east: row.get("winter_east")?.flag()?,
        });
    }
    Ok(turns)
}

/// The highest number two dice with bonuses can be asked for; 13 and more cannot be rolled without.
const DICE: u8 = 20;

fn resistance(node: &Node<'_>) -> Result<[Resistance; NATIONS], LoadError> {
    let nations = nation_names();
    let mut resistance = [[0; 3]; NATIONS];
    for entry in node.members()? {
        entry.only(&Force::ALL.map(Force::id))?;
        let nation = nations.find(entry.key(), &entry)?;
        for force in Force::ALL {
            resistance[nation as usize][force.index()] = entry.get(force.id())?.byte(0..=DICE)?;
        }
    }
    Ok(resistance)
}

fn imports(node: &Node<'_>, map: &Map) -> Result<Vec<Import>, LoadError> {
    let nations = nation_names();
    let mut imports = Vec::new();
    for entry in node.members()? {
        entry.only(&["area", "value"])?;
        imports.push(Import {
            from: Nation::of(nations.find(entry.key(), &entry)?),
            area: map.area_names.read_or_none(&entry.get("area")?)?,
            value: entry.get("value")?.byte(0..=20)?,
        });
    }
    Ok(imports)
}

const CHARTS: [&str; 34] = [
    "battle_cm",
    "strategic_cm",
    "invasion_cm",
    "invasion_land_cm",
    "red_port_cm",
    "convoy_cost",
    "leader_zero_cost",
    "factory_cost",
    "red_port_surcharge",
    "malta_surcharge",
    "subsidy",
    "sea_stack",
    "coast_stack",
    "base_stack",
    "rounds",
    "strait_rounds",
    "winter_primary",
    "winter_secondary",
    "flak",
    "proximity",
    "refusal",
    "attacked",
    "spain_portugal",
    "romania_bessarabia",
    "urals_open_year",
    "neutral_usa_factories",
    "forest_bonus",
    "blitz_uses",
    "exploitation_rounds",
    "retreat_cost",
    "attrition",
    "ice_cost",
    "exile_cost",
    "evacuation_turns",
];

fn charts(node: &Node<'_>) -> Result<Charts, LoadError> {
    node.only(&CHARTS)?;
    let from = |key: &str, least: u8| {
        let entry = node.get(key)?;
        entry.only(&["value"])?;
        entry.get("value")?.byte(least..=20)
    };
    let value = |key: &str| from(key, 0);
    let up_to = |key: &str, most: u8| {
        let entry = node.get(key)?;
        entry.only(&["value"])?;
        entry.get("value")?.byte(0..=most)
    };
    Ok(Charts {
        battle_cm: value("battle_cm")?,
        strategic_cm: value("strategic_cm")?,
        invasion_cm: value("invasion_cm")?,
        invasion_land_cm: value("invasion_land_cm")?,
        red_port_cm: value("red_port_cm")?,
        convoy_cost: from("convoy_cost", 1)?,
        leader_zero_cost: value("leader_zero_cost")?,
        factory_cost: from("factory_cost", 1)?,
        red_port_surcharge: value("red_port_surcharge")?,
        malta_surcharge: value("malta_surcharge")?,
        subsidy: value("subsidy")?,
        sea_stack: from("sea_stack", 1)?,
        coast_stack: from("coast_stack", 1)?,
        base_stack: from("base_stack", 1)?,
        rounds: from("rounds", 1)?,
        strait_rounds: from("strait_rounds", 1)?,
        winter_primary: value("winter_primary")?,
        winter_secondary: value("winter_secondary")?,
        flak: value("flak")?,
        proximity: value("proximity")?,
        refusal: value("refusal")?,
        attacked: value("attacked")?,
        spain_portugal: value("spain_portugal")?,
        romania_bessarabia: value("romania_bessarabia")?,
        urals_open_year: {
            let entry = node.get("urals_open_year")?;
            entry.only(&["value"])?;
            entry.get("value")?.integer(1900..=2100)? as u16
        },
        neutral_usa_factories: value("neutral_usa_factories")?,
        forest_bonus: value("forest_bonus")?,
        blitz_uses: up_to("blitz_uses", MAX_BLITZ_USES)?,
        exploitation_rounds: from("exploitation_rounds", 1)?,
        retreat_cost: value("retreat_cost")?,
        attrition: value("attrition")?,
        ice_cost: value("ice_cost")?,
        exile_cost: value("exile_cost")?,
        evacuation_turns: from("evacuation_turns", 1)?,
    })
}

fn victory(node: &Node<'_>, map: &Map) -> Result<Victory, LoadError> {
    node.only(&["axis", "allies", "last"])?;
    let (axis, allies, last) = (node.get("axis")?, node.get("allies")?, node.get("last")?);
    axis.only(&["needs", "any_of"])?;
    allies.only(&["all_of"])?;
    last.only(&["area"])?;
    let groups = axis.get("any_of")?.items()?;
    if groups.is_empty() {
        return Err(axis.get("any_of")?.inconsistent("the Axis needs a group of areas to win by (9.1)"));
    }
    Ok(Victory {
        axis_needs: map.area_names.read(&axis.get("needs")?)?,
        axis_any: groups.iter().map(|group| map.area_names.read_list(group)).collect::<Result<_, _>>()?,
        allies_all: map.area_names.read_list(&allies.get("all_of")?)?,
        last: map.area_names.read(&last.get("area")?)?,
    })
}

fn options(node: &Node<'_>, rulings: &Node<'_>) -> Result<Options, LoadError> {
    node.only(&[
        "three_players",
        "free_deployment",
        "late_usa_entry",
        "north_germany_closed",
        "surrounded_port_supplied",
        "blocks_stay_known",
        "attacked_stays_neutral",
        "overflight_is_war",
    ])?;
    let option = |key| option(node, key, rulings);
    Ok(Options {
        three_players: option("three_players")?,
        free_deployment: option("free_deployment")?,
        late_usa_entry: option("late_usa_entry")?,
        north_germany_closed: option("north_germany_closed")?,
        surrounded_port_supplied: option("surrounded_port_supplied")?,
        blocks_stay_known: option("blocks_stay_known")?,
        attacked_stays_neutral: option("attacked_stays_neutral")?,
        overflight_is_war: option("overflight_is_war")?,
    })
}
