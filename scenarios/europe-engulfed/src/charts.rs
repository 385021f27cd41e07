//! Charts, weather, strategic warfare and options (2, 3, 5 to 8, 13, 14, 20).

use sandtable_europe_engulfed::rules::{
    Combat, Costs, HitBonuses, Movement, Naval, Options, Production, Stacking, StrategicWar, Supply, Weather,
    WeatherEffect, WeatherRules, ZoneWeather,
};
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Node, Whole, option};

use super::map::Map;
use super::setup::bimester;

pub(super) struct Charts {
    pub costs: Costs,
    pub bonuses: HitBonuses,
    pub movement: Movement,
    pub combat: Combat,
    pub stacking: Stacking,
    pub supply: Supply,
    pub production: Production,
    pub naval: Naval,
    pub weather: WeatherRules,
    pub strategic: StrategicWar,
}

/// A group of values of `charts.toml`.
struct Group<'t>(Node<'t>);

impl<'t> Group<'t> {
    fn of(charts: &Node<'t>, group: &str, keys: &[&str]) -> Result<Group<'t>, LoadError> {
        let node = charts.get(group)?;
        node.only(keys)?;
        Ok(Group(node))
    }
    fn value(&self, key: &str) -> Result<Node<'t>, LoadError> {
        let entry = self.0.get(key)?;
        entry.only(&["value"])?;
        entry.get("value")
    }
    fn byte(&self, key: &str, least: u8, most: u8) -> Result<u8, LoadError> {
        self.value(key)?.byte(least..=most)
    }
    fn flag(&self, key: &str) -> Result<bool, LoadError> {
        self.value(key)?.flag()
    }
    /// Of Soviets and of others.
    fn pair(&self, key: &str) -> Result<[u8; 2], LoadError> {
        let node = self.value(key)?;
        match &node.items()?[..] {
            [soviet, other] => Ok([soviet.byte(0..=99)?, other.byte(0..=99)?]),
            _ => Err(node.inconsistent("two limits are expected: of Soviets, of others")),
        }
    }
}

pub(super) fn read(whole: Whole<'_>, map: &Map) -> Result<Charts, LoadError> {
    let charts = whole.at("charts")?;
    charts.only(&["costs", "bonuses", "movement", "combat", "stacking", "supply", "production", "naval"])?;
    Ok(Charts {
        costs: costs(&charts)?,
        bonuses: bonuses(&charts)?,
        movement: movement(&charts)?,
        combat: combat(&charts)?,
        stacking: stacking(&charts)?,
        supply: supply(&charts, map)?,
        production: production(&charts)?,
        naval: naval(&charts)?,
        weather: weather(&whole.at("weather")?)?,
        strategic: strategic(&whole.at("strategic_war")?)?,
    })
}

fn costs(charts: &Node<'_>) -> Result<Costs, LoadError> {
    let keys = [
        "elite_factor",
        "field_fort",
        "heavy_fort",
        "fighter",
        "bomber",
        "flak",
        "submarine",
        "fleet",
        "asw",
        "special_action",
        "me262",
        "maintenance",
        "port_disabled",
        "greece",
        "turkey",
        "paulus_pause",
    ];
    let group = Group::of(charts, "costs", &keys)?;
    let cost = |key: &str| group.byte(key, 1, 99);
    Ok(Costs {
        elite_factor: group.byte("elite_factor", 1, 4)?,
        field_fort: cost("field_fort")?,
        heavy_fort: cost("heavy_fort")?,
        fighter: cost("fighter")?,
        bomber: cost("bomber")?,
        flak: cost("flak")?,
        submarine: cost("submarine")?,
        fleet: cost("fleet")?,
        asw: cost("asw")?,
        special_action: cost("special_action")?,
        me262: cost("me262")?,
        maintenance: group.byte("maintenance", 0, 99)?,
        port_disabled: cost("port_disabled")?,
        greece: cost("greece")?,
        turkey: cost("turkey")?,
        paulus_pause: cost("paulus_pause")?,
    })
}

fn bonuses(charts: &Node<'_>) -> Result<HitBonuses, LoadError> {
    let keys = [
        "elite",
        "mud",
        "armour_at_infantry",
        "air_support",
        "rough",
        "river",
        "maginot",
        "fortress",
        "fortification",
        "landing",
        "mixed_minors",
        "surprise",
        "dug_in",
    ];
    let group = Group::of(charts, "bonuses", &keys)?;
    let bonus = |key: &str| group.byte(key, 0, 5);
    Ok(HitBonuses {
        elite: bonus("elite")?,
        mud: bonus("mud")?,
        armour_at_infantry: bonus("armour_at_infantry")?,
        air_support: bonus("air_support")?,
        rough: bonus("rough")?,
        river: bonus("river")?,
        maginot: bonus("maginot")?,
        fortress: bonus("fortress")?,
        fortification: bonus("fortification")?,
        landing: bonus("landing")?,
        mixed_minors: bonus("mixed_minors")?,
        surprise: bonus("surprise")?,
        dug_in: bonus("dug_in")?,
    })
}

fn movement(charts: &Node<'_>) -> Result<Movement, LoadError> {
    let keys = [
        "stop_in_empty_enemy_area",
        "no_armour_into_held_swamp",
        "breakthrough_steps",
        "unsupplied_moves",
        "drop_range",
    ];
    let group = Group::of(charts, "movement", &keys)?;
    Ok(Movement {
        stop_in_empty_enemy_area: group.flag("stop_in_empty_enemy_area")?,
        no_armour_into_held_swamp: group.flag("no_armour_into_held_swamp")?,
        breakthrough_steps: group.byte("breakthrough_steps", 1, 4)?,
        unsupplied_moves: group.byte("unsupplied_moves", 0, 2)?,
        drop_range: group.byte("drop_range", 1, 4)?,
    })
}

fn combat(charts: &Node<'_>) -> Result<Combat, LoadError> {
    let keys = [
        "hit_on",
        "normal_dice",
        "assault_dice",
        "one_misses",
        "air_hit_on",
        "unsupplied_half",
        "counterattacks",
    ];
    let group = Group::of(charts, "combat", &keys)?;
    Ok(Combat {
        hit_on: group.byte("hit_on", 2, 7)?,
        dice_per_step: [group.byte("normal_dice", 1, 4)?, group.byte("assault_dice", 1, 4)?],
        one_misses: group.flag("one_misses")?,
        air_hit_on: group.byte("air_hit_on", 2, 7)?,
        unsupplied_half: group.flag("unsupplied_half")?,
        counterattacks: group.byte("counterattacks", 0, 3)?,
    })
}

fn stacking(charts: &Node<'_>) -> Result<Stacking, LoadError> {
    let group = Group::of(charts, "stacking", &["fortress_land", "fortress_air", "rough", "swamp", "air"])?;
    let none = [0; 2];
    Ok(Stacking {
        fortress_land: group.byte("fortress_land", 0, 99)?,
        fortress_air: group.byte("fortress_air", 0, 99)?,
        land: [none, group.pair("rough")?, group.pair("swamp")?, none, none],
        air: group.byte("air", 0, 99)?,
    })
}

fn supply(charts: &Node<'_>, map: &Map) -> Result<Supply, LoadError> {
    let group = Group::of(
        charts,
        "supply",
        &["beachhead_units", "port_limit", "islands", "cape_area", "cape_units"],
    )?;
    let node = group.value("islands")?;
    let islands = match &node.items()?[..] {
        [first, second] => [map.area_names.read_or_none(first)?, map.area_names.read_or_none(second)?],
        _ => return Err(node.inconsistent("two islands are expected, or none: of the Axis, of the Allies")),
    };
    Ok(Supply {
        beachhead_units: group.byte("beachhead_units", 1, 9)?,
        port_limit: group.byte("port_limit", 0, 99)?,
        islands,
        cape: (map.area_names.read_or_none(&group.value("cape_area")?)?, group.byte("cape_units", 0, 99)?),
    })
}

fn production(charts: &Node<'_>) -> Result<Production, LoadError> {
    let keys = [
        "new_units_per_area",
        "replacements_abroad",
        "conquered_value",
        "garrison",
        "fighters",
        "bombers",
        "submarines",
        "me262",
        "italian_aid",
        "free_minor_steps",
    ];
    let group = Group::of(charts, "production", &keys)?;
    let value = |key: &str| group.byte(key, 0, 99);
    Ok(Production {
        new_units_per_area: value("new_units_per_area")?,
        replacements_abroad: group.byte("replacements_abroad", 0, 1)?,
        conquered_value: value("conquered_value")?,
        garrison: value("garrison")?,
        fighters: value("fighters")?,
        bombers: value("bombers")?,
        submarines: value("submarines")?,
        me262: value("me262")?,
        italian_aid: value("italian_aid")?,
        free_minor_steps: value("free_minor_steps")?,
    })
}

fn naval(charts: &Node<'_>) -> Result<Naval, LoadError> {
    let group = Group::of(charts, "naval", &["carried", "intercept_on", "hit_on", "escorts_first"])?;
    Ok(Naval {
        carried: group.byte("carried", 1, 9)?,
        intercept_on: group.byte("intercept_on", 1, 7)?,
        hit_on: group.byte("hit_on", 1, 7)?,
        escorts_first: group.flag("escorts_first")?,
    })
}

fn kind(node: &Node<'_>) -> Result<Weather, LoadError> {
    node.choose("a kind of weather", &Weather::ALL.map(|weather| (weather.id(), weather)))
}

/// Weather of the eastern, western and southern zone.
pub(super) fn zones(node: &Node<'_>, items: &[Node<'_>]) -> Result<ZoneWeather, LoadError> {
    match items {
        [east, west, south] => Ok([kind(east)?, kind(west)?, kind(south)?]),
        _ => Err(node.inconsistent("three kinds of weather are expected: east, west, south")),
    }
}

/// Bimesters of a year, and sums of two dice.
const BIMESTERS: usize = 6;
const SUMS: usize = 11;

fn weather(node: &Node<'_>) -> Result<WeatherRules, LoadError> {
    node.only(&["fixed", "rolled", "effects", "soviets_exempt", "finns_exempt"])?;
    let (fixed, rolled) = (node.get("fixed")?, node.get("rolled")?);
    let mut rules = WeatherRules::default();
    for nth in 0..BIMESTERS {
        let key = (nth + 1).to_string();
        match (fixed.find(&key)?, rolled.find(&key)?) {
            (Some(entry), None) => {
                let value = entry.get("value")?;
                rules.fixed[nth] = Some(zones(&value, &value.items()?)?);
            }
            (None, Some(entry)) => rules.rolled[nth] = sums(&entry.get("value")?)?,
            _ => {
                return Err(
                    node.inconsistent(format!("the weather of bimester {key} is either fixed or rolled"))
                );
            }
        }
    }
    let effects = node.get("effects")?;
    effects.only(&Weather::ALL.map(Weather::id))?;
    for weather in Weather::ALL {
        rules.effects[weather as usize] = effect(&effects.get(weather.id())?)?;
    }
    let flag = |key: &str| node.get(key)?.get("value")?.flag();
    (rules.soviets_exempt, rules.finns_exempt) = (flag("soviets_exempt")?, flag("finns_exempt")?);
    Ok(rules)
}

/// The weather of each sum of two dice, from entries that hold until the next.
fn sums(node: &Node<'_>) -> Result<[ZoneWeather; SUMS], LoadError> {
    let mut table = [ZoneWeather::default(); SUMS];
    let mut from = 0;
    for (nth, entry) in node.items()?.iter().enumerate() {
        let items = entry.items()?;
        let Some((sum, kinds)) = items.split_first() else {
            return Err(entry.inconsistent("a sum of two dice and three kinds of weather are expected"));
        };
        let start = usize::from(sum.byte(2..=12)?) - 2;
        if (nth == 0 && start != 0) || (nth > 0 && start <= from) {
            return Err(sum.inconsistent("sums begin with 2 and rise"));
        }
        from = start;
        table[start..].fill(zones(entry, kinds)?);
    }
    Ok(table)
}

fn effect(entry: &Node<'_>) -> Result<WeatherEffect, LoadError> {
    entry.only(&[
        "air_support",
        "land_moves",
        "breakthrough",
        "amphibious",
        "airborne",
        "infantry_bonus",
        "half_dice",
        "swamp_is_rough",
    ])?;
    let flag = |key: &str| entry.get(key)?.flag();
    Ok(WeatherEffect {
        air_support: entry.get("air_support")?.byte(0..=9)?,
        land_moves: entry.get("land_moves")?.byte(1..=4)?,
        breakthrough: flag("breakthrough")?,
        amphibious: flag("amphibious")?,
        airborne: flag("airborne")?,
        infantry_bonus: flag("infantry_bonus")?,
        half_dice: flag("half_dice")?,
        swamp_is_rough: flag("swamp_is_rough")?,
    })
}

fn bytes(node: &Node<'_>) -> Result<Vec<u8>, LoadError> {
    node.items()?.iter().map(|item| item.byte(0..=100)).collect()
}

fn strategic(node: &Node<'_>) -> Result<StrategicWar, LoadError> {
    node.only(&[
        "submarines",
        "attack",
        "losses",
        "bombing",
        "fighters",
        "initiative",
        "improvement",
        "jets",
        "conversion",
    ])?;
    let conversion = node.get("conversion")?;
    conversion.only(&["from_year"])?;
    let mut war = StrategicWar {
        conversion_year: conversion.get("from_year")?.integer(1939..=1945)? as u16,
        ..StrategicWar::default()
    };
    submarines(node, &mut war)?;
    bombing(node, &mut war)?;
    fighters(node, &mut war)?;
    Ok(war)
}

/// ASW, the attack of submarines, their losses (20.5), who fires first (13.36).
fn submarines(node: &Node<'_>, war: &mut StrategicWar) -> Result<(), LoadError> {
    let (submarines, attack) = (node.get("submarines")?, node.get("attack")?);
    submarines.only(&["most", "asw_divisor", "asw_levels"])?;
    attack.only(&["columns", "rows", "werp_per_move"])?;
    let most = submarines.get("most")?.byte(1..=99)?;
    let columns = bytes(&attack.get("columns")?)?;
    let rows = attack.get("rows")?.items()?.iter().map(bytes).collect::<Result<Vec<_>, _>>()?;
    let rows: [Vec<u8>; 6] = match rows.try_into() {
        Ok(rows) => rows,
        Err(_) => return Err(attack.get("rows")?.inconsistent("six rows are expected, one a die")),
    };
    if columns.is_empty()
        || !columns.is_sorted()
        || columns.last() != Some(&most)
        || rows.iter().any(|row| row.len() != columns.len())
    {
        return Err(
            attack.inconsistent("columns rise to the most submarines, and each row has one value a column")
        );
    }
    let percent = bytes(&node.get("losses")?.get("percent")?)?;
    let Ok(percent): Result<[u8; 5], _> = percent.try_into() else {
        return Err(node.get("losses")?.inconsistent("five percentages are expected (20.5)"));
    };
    war.submarines = most;
    war.asw_divisor = submarines.get("asw_divisor")?.byte(1..=9)?;
    war.asw_levels = submarines.get("asw_levels")?.byte(1..=20)?;
    (war.attack_columns, war.attack) = (columns, rows);
    war.werp_per_move = attack.get("werp_per_move")?.byte(1..=20)?;
    war.losses = percent.map(|percent| {
        (1..=most).map(|points| (u16::from(points) * u16::from(percent)).div_ceil(100) as u8).collect()
    });
    let initiative = node.get("initiative")?;
    war.initiative = [initiative.get("asw")?.byte(0..=20)?, initiative.get("die")?.byte(1..=7)?];
    war.submarine_bonus = initiative
        .get("bonus")?
        .items()?
        .iter()
        .map(|entry| match &entry.items()?[..] {
            [from, to] => Ok((bimester(from)?, bimester(to)?)),
            _ => Err(entry.inconsistent("the first and the last turn are expected")),
        })
        .collect::<Result<_, LoadError>>()?;
    Ok(())
}

/// Flak, bombs, and how bombers improve (2.2, 2.24, 14.51).
fn bombing(node: &Node<'_>, war: &mut StrategicWar) -> Result<(), LoadError> {
    let bombing = node.get("bombing")?;
    bombing.only(&[
        "flak_on",
        "flak_levels",
        "bomb_on",
        "improved_bomb_on",
        "werp_per_hit",
        "hits_per_move",
        "improved_bombers",
        "improved_escorts",
        "bombers_per_support",
    ])?;
    let value = |key: &str| bombing.get(key)?.byte(1..=20);
    (war.flak_on, war.flak_levels) = (value("flak_on")?, value("flak_levels")?);
    war.bomb_on = [value("bomb_on")?, value("improved_bomb_on")?];
    (war.werp_per_hit, war.hits_per_move) = (value("werp_per_hit")?, value("hits_per_move")?);
    war.improved =
        [bimester(&bombing.get("improved_bombers")?)?, bimester(&bombing.get("improved_escorts")?)?];
    war.bombers_per_support = value("bombers_per_support")?;
    let improvement = node.get("improvement")?;
    war.improvement = [improvement.get("start")?.byte(1..=99)?, improvement.get("most")?.byte(1..=99)?];
    Ok(())
}

/// Fighters, escorts, Me-262 (2.2, 13.35).
fn fighters(node: &Node<'_>, war: &mut StrategicWar) -> Result<(), LoadError> {
    let (fighters, jets) = (node.get("fighters")?, node.get("jets")?);
    fighters.only(&["dice", "bombers_per_escort"])?;
    jets.only(&["from", "hit_on", "escorts_hit_on", "hits_each"])?;
    let dice = fighters.get("dice")?;
    war.fighter_dice = match bytes(&dice)?[..] {
        [hit, exchange, half] if 7 >= hit && hit >= exchange && exchange >= half && half > 1 => {
            [hit, exchange, half]
        }
        _ => {
            return Err(dice.inconsistent(
                "three numbers from 7 to 2 are expected that do not rise: hit, exchange, half-hit",
            ));
        }
    };
    war.bombers_per_escort = fighters.get("bombers_per_escort")?.byte(1..=9)?;
    war.jets = (
        bimester(&jets.get("from")?)?,
        [
            jets.get("hit_on")?.byte(2..=7)?,
            jets.get("escorts_hit_on")?.byte(2..=7)?,
            jets.get("hits_each")?.byte(1..=9)?,
        ],
    );
    Ok(())
}

pub(super) fn options(whole: Whole<'_>) -> Result<Options, LoadError> {
    let (node, rulings) = (whole.at("options")?, whole.at("rulings")?);
    node.only(&[
        "us_production",
        "stacking",
        "desert_weather",
        "partial_builds",
        "sixth_special_action",
        "ports",
        "paratroopers",
        "final_offensives",
        "me262",
        "submarine_initiative",
        "scandinavian_prudence",
        "partisans",
        "greece",
        "turkey",
        "limited_building",
        "overlord",
        "air_purchases",
        "german_reductions",
        "soviet_increases",
        "american_increases",
        "german_freedom",
        "no_winter_war",
        "random_weather",
        "ready_setup",
        "soviet_wars",
        "western_wars",
        "italian_wars",
        "french_terms",
        "paulus_pause",
        "winter_combat",
        "surprise",
        "pursuit",
        "hit_distribution",
        "naval_air",
        "carpet_bombing",
        "tournament_points",
        "three_players",
        "conversion",
        "fort_reduction",
        "improved_by_use",
        "combat_tables",
    ])?;
    let on = |key: &str| option(&node, key, &rulings);
    Ok(Options {
        us_production: on("us_production")?,
        stacking: on("stacking")?,
        desert_weather: on("desert_weather")?,
        partial_builds: on("partial_builds")?,
        sixth_special_action: on("sixth_special_action")?,
        ports: on("ports")?,
        paratroopers: on("paratroopers")?,
        final_offensives: on("final_offensives")?,
        me262: on("me262")?,
        submarine_initiative: on("submarine_initiative")?,
        scandinavian_prudence: on("scandinavian_prudence")?,
        partisans: on("partisans")?,
        greece: on("greece")?,
        turkey: on("turkey")?,
        limited_building: on("limited_building")?,
        overlord: on("overlord")?,
        air_purchases: on("air_purchases")?,
        german_reductions: on("german_reductions")?,
        soviet_increases: on("soviet_increases")?,
        american_increases: on("american_increases")?,
        german_freedom: on("german_freedom")?,
        no_winter_war: on("no_winter_war")?,
        random_weather: on("random_weather")?,
        soviet_wars: on("soviet_wars")?,
        western_wars: on("western_wars")?,
        italian_wars: on("italian_wars")?,
        french_terms: on("french_terms")?,
        paulus_pause: on("paulus_pause")?,
        winter_combat: on("winter_combat")?,
        surprise: on("surprise")?,
        pursuit: on("pursuit")?,
        hit_distribution: on("hit_distribution")?,
        naval_air: on("naval_air")?,
        carpet_bombing: on("carpet_bombing")?,
        tournament_points: on("tournament_points")?,
        three_players: on("three_players")?,
        conversion: on("conversion")?,
        fort_reduction: on("fort_reduction")?,
        improved_by_use: on("improved_by_use")?,
        combat_tables: on("combat_tables")?,
    })
}
