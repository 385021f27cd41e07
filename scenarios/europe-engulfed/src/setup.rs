//! Set-up and victory of a scenario (16 to 18).

use sandtable_core::Index;
use sandtable_europe_engulfed::ids::{Area, Areas, KindId, Nation, Sea, Team};
use sandtable_europe_engulfed::rules::{
    Bimester, Condition, Dated, Placement, Player, PlayerId, PoolChange, ScenarioNation, Setup, Standing,
    StrategicLevels, Victory, VictoryPoint, Zone, ZoneWeather,
};
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Names, Node, Whole};

use super::map::Map;
use super::powers::Counters;
use super::situation;
use super::{nation, nation_names};

/// Teams by name.
pub(crate) const TEAMS: [(&str, Team); 2] = [("first", Team::First), ("second", Team::Second)];

/// How a power stands in the war, by name.
pub(crate) const STANDINGS: [(&str, Standing); 4] = [
    ("neutral", Standing::Neutral),
    ("belligerent", Standing::Belligerent),
    ("conquered", Standing::Conquered),
    ("absent", Standing::Absent),
];

/// The most turns of a campaign (17.0).
pub(super) const TURNS: u8 = 60;

/// A turn of the calendar, as in `1945-4`: a year and a bimester from 1.
pub(super) fn bimester(node: &Node<'_>) -> Result<Bimester, LoadError> {
    let text = node.text()?;
    let parts = text.split_once('-').and_then(|(year, nth)| Some((year.parse().ok()?, nth.parse().ok()?)));
    match parts {
        Some((year @ 1900..=2100, nth @ 1..=6)) => Ok(Bimester { year, nth }),
        _ => {
            Err(node.inconsistent(format!("`{text}` is not a year and a bimester from 1 to 6, as in 1945-4")))
        }
    }
}

pub(super) fn read(whole: Whole<'_>, map: &Map, counters: &Counters) -> Result<Setup, LoadError> {
    let node = whole.at("setup")?;
    let control = whole.at("setup.control")?;
    let (mut in_play, mut owners) = (Areas::EMPTY, vec![Nation::BalticStates; map.areas.len()]);
    for row in control.members()? {
        let area = map.area_names.find(row.key(), &row)?;
        in_play.insert(area);
        owners[area.at()] = nation(&row.get("power")?)?;
    }
    let deploys = node.get("deploys_first")?;
    Ok(Setup {
        first_turn: bimester(&node.get("first_turn")?)?,
        turns: node.get("turns")?.byte(1..=TURNS)?,
        players: players(&node.get("players")?)?,
        deploys_first: if deploys.is_none()? { None } else { Some(deploys.choose("a team", &TEAMS)?) },
        production_first_turn: [
            node.get("production_first_turn_first")?.flag()?,
            node.get("production_first_turn_second")?.flag()?,
        ],
        in_play,
        control: owners,
        nations: node
            .get("nations")?
            .members()?
            .iter()
            .map(|entry| scenario_nation(entry, map))
            .collect::<Result<_, _>>()?,
        placements: placements(&unit_rows(whole, &node)?, &zones(&node, map)?, map, counters)?,
        withheld: withheld(&node.get("withheld")?, counters)?,
        minimum: minimum(&node.get("minimum")?, map)?,
        field_forts: fortifications(&node, "field_forts", map)?,
        heavy_forts: fortifications(&node, "heavy_forts", map)?,
        strategic: strategic(&node)?,
        fleets: fleets(&node, map, counters)?,
        dated: dated(&node, map, counters)?,
        fleets_used: node.get("fleets")?.flag()?,
        strategic_war_used: node.get("strategic_war")?.flag()?,
        weather: weather(&node)?,
        deployments: situation::deployments(&node)?,
        limits: situation::limits(&node, map)?,
        situation: situation::read(&node, map)?,
    })
}

/// Land units that must stand in an area when a team has deployed (16.11).
fn minimum(node: &Node<'_>, map: &Map) -> Result<Vec<(Team, Area, u8)>, LoadError> {
    let mut minimum = Vec::new();
    for entry in node.members()? {
        entry.only(&["team", "areas", "units"])?;
        let team = entry.get("team")?.choose("a team", &TEAMS)?;
        let units = entry.get("units")?.byte(1..=9)?;
        let areas: Vec<Area> = map.area_names.read_list(&entry.get("areas")?)?;
        minimum.extend(areas.into_iter().map(|area| (team, area, units)));
    }
    Ok(minimum)
}

fn players(node: &Node<'_>) -> Result<Vec<Player>, LoadError> {
    let ids = PlayerId::ALL.map(PlayerId::id);
    node.only(&ids)?;
    let mut players = Vec::new();
    for entry in node.members()? {
        let id = PlayerId::ALL[ids.iter().position(|id| *id == entry.key()).expect("one of them")];
        players.push(Player {
            id,
            team: entry.get("team")?.choose("a team", &TEAMS)?,
            nations: nations_of(&entry.get("nations")?)?,
        });
    }
    if players.len() < 2 || players[0].team != Team::First {
        return Err(node.inconsistent("there are two or three players, those of the first team first"));
    }
    Ok(players)
}

/// By option two players lead the Allies: Great Britain and the USA, the USSR and all others (A36).
pub(super) fn divide_allies(players: &mut Vec<Player>) {
    let Some(at) = players.iter().position(|player| player.id == PlayerId::Allied) else { return };
    let allied = players.remove(at);
    let western = [Nation::GreatBritain, Nation::UnitedStates, Nation::FreeFrance];
    let western = allied.nations & western.into_iter().fold(0, |mask, nation| mask | nation.bit());
    for (id, nations) in [(PlayerId::Western, western), (PlayerId::Soviet, allied.nations & !western)] {
        players.push(Player { id, nations, ..allied });
    }
}

pub(super) fn nations_of(node: &Node<'_>) -> Result<u32, LoadError> {
    let mut set = 0;
    for item in node.items()? {
        set |= nation(&item)?.bit();
    }
    Ok(set)
}

fn scenario_nation(entry: &Node<'_>, map: &Map) -> Result<ScenarioNation, LoadError> {
    entry.only(&[
        "base",
        "area_value",
        "special_actions",
        "special_action_pool",
        "builds_special_actions",
        "surcharge",
        "new_units",
        "sources",
        "defends_only",
        "confined",
        "standing",
    ])?;
    let zones = [
        ("none", None),
        ("east", Some(Zone::Eastern)),
        ("west", Some(Zone::Western)),
        ("south", Some(Zone::Southern)),
    ];
    let pool = entry.get("special_action_pool")?.byte(0..=9)?;
    let actions = entry.get("special_actions")?;
    if actions.byte(0..=9)? > pool {
        return Err(actions.inconsistent(format!("there are more than the pool of {pool} holds (7.1)")));
    }
    Ok(ScenarioNation {
        nation: Nation::of(nation_names().find(entry.key(), entry)?),
        base: Some(entry.get("base")?.byte(0..=100)?),
        area_value: Some(entry.get("area_value")?.byte(0..=20)?),
        special_actions: actions.byte(0..=9)?,
        special_action_pool: pool,
        builds_special_actions: entry.get("builds_special_actions")?.flag()?,
        surcharge: entry.get("surcharge")?.byte(0..=9)?,
        new_units: map.area_names.read_list(&entry.get("new_units")?)?,
        sources: map.area_names.read_list(&entry.get("sources")?)?,
        defends_only: entry.get("defends_only")?.flag()?,
        confined: entry.get("confined")?.choose("a climate zone or none", &zones)?,
        standing: entry.get("standing")?.choose("a standing", &STANDINGS)?,
    })
}

/// Zones of deployment: lists of areas and countries by name, which rows of `units.csv` may name instead of an area.
fn zones(node: &Node<'_>, map: &Map) -> Result<Vec<(String, Areas)>, LoadError> {
    let Some(node) = node.find("zones")? else { return Ok(Vec::new()) };
    let mut zones = Vec::new();
    for entry in node.members()? {
        if map.area_names.index_of(entry.key()).is_some() {
            return Err(entry.inconsistent("a zone has the name of an area"));
        }
        zones.push((entry.key().to_owned(), map.lands(&entry)?));
    }
    Ok(zones)
}

fn fortifications(node: &Node<'_>, key: &str, map: &Map) -> Result<Areas, LoadError> {
    match node.find(key)? {
        Some(entry) => {
            entry.only(&["areas"])?;
            map.area_names.read_list(&entry.get("areas")?)
        }
        None => Ok(Areas::EMPTY),
    }
}

/// Fleet Points by power and sea zone.
fn fleets(node: &Node<'_>, map: &Map, counters: &Counters) -> Result<Vec<(Nation, Sea, u8)>, LoadError> {
    let Some(node) = node.find("fleet_points")? else { return Ok(Vec::new()) };
    let mut fleets = Vec::new();
    for entry in node.members()? {
        let nation = Nation::of(nation_names().find(entry.key(), &entry)?);
        let most = counters.nations[nation.index()].fleets;
        let mut all = 0;
        for points in entry.members()? {
            let sea: Sea = map.sea_names.find(points.key(), &points)?;
            let count = points.byte(1..=20)?;
            if map.seas[sea.at()].open_to & nation.bit() == 0 {
                return Err(points.inconsistent(format!("{} may not sail there (seas.csv)", nation.id())));
            }
            all += count;
            if all > most {
                return Err(
                    points.inconsistent(format!("{} has {most} Fleet Points (pools.csv)", nation.id()))
                );
            }
            fleets.push((nation, sea, count));
        }
    }
    Ok(fleets)
}

/// Levels of the strategic war: of the Axis, of the Allies.
fn strategic(node: &Node<'_>) -> Result<StrategicLevels, LoadError> {
    let Some(node) = node.find("strategic_levels")? else { return Ok(StrategicLevels::default()) };
    node.only(&["fighters", "bombers", "flak", "submarines", "asw"])?;
    let pair = |key: &str| {
        let entry = node.get(key)?;
        match &entry.items()?[..] {
            [axis, allied] => Ok([axis.byte(0..=99)?, allied.byte(0..=99)?]),
            _ => Err(entry.inconsistent("two levels are expected: of the Axis, of the Allies")),
        }
    };
    Ok(StrategicLevels {
        fighters: pair("fighters")?,
        bombers: pair("bombers")?,
        flak: pair("flak")?,
        submarines: node.get("submarines")?.byte(0..=99)?,
        asw: node.get("asw")?.byte(0..=20)?,
    })
}

/// Weather of turns that is not rolled (16.23).
fn weather(node: &Node<'_>) -> Result<Vec<(u8, ZoneWeather)>, LoadError> {
    let Some(node) = node.find("weather")? else { return Ok(Vec::new()) };
    let mut weather = Vec::new();
    for entry in node.items()? {
        entry.only(&["turn", "zones"])?;
        let kinds = entry.get("zones")?;
        weather.push((entry.get("turn")?.byte(1..=TURNS)?, super::charts::zones(&kinds, &kinds.items()?)?));
    }
    Ok(weather)
}

/// Rows of counters at the start: of `units.csv`, or by option those of the play book's ready set-up (17.8(7), 18.7(12)).
fn unit_rows<'a>(whole: Whole<'a>, node: &Node<'a>) -> Result<Vec<Node<'a>>, LoadError> {
    let option = whole.at("options.ready_setup.value")?;
    if !option.flag()? {
        return whole.at("setup.units")?.members();
    }
    match node.find("ready")? {
        Some(rows) => rows.items(),
        None => {
            Err(option
                .inconsistent("the play book has ready set-ups of the campaigns of 1939 and 1941 alone"))
        }
    }
}

/// Counters on the map: the steps of each in one cell, counted by strength.
fn placements(
    rows: &[Node<'_>],
    zones: &[(String, Areas)],
    map: &Map,
    counters: &Counters,
) -> Result<Vec<Placement>, LoadError> {
    let mut placements: Vec<Placement> = Vec::new();
    for row in rows {
        let place = row.get("area")?;
        let known = zones.iter().find(|(name, _)| place.text().is_ok_and(|text| text == name));
        let zone = match known {
            Some((_, zone)) => *zone,
            None => [map.area_names.read(&place)?].into_iter().collect::<Areas>(),
        };
        let kind: KindId = counters.kind_names.read(&row.get("counter")?)?;
        let most = counters.kinds[kind.at()].max;
        let cell = row.get("steps")?;
        for word in cell.words()? {
            let Some(steps) = word.parse().ok().filter(|steps| (1..=most).contains(steps)) else {
                return Err(cell.inconsistent(format!("`{word}` is not a strength of 1 to {most} steps")));
            };
            match placements.last_mut() {
                Some(last) if (last.kind, last.steps, last.zone) == (kind.0, steps, zone) => last.count += 1,
                _ => placements.push(Placement { kind: kind.0, count: 1, steps, zone }),
            }
        }
    }
    Ok(placements)
}

/// Counters out of the game: `all` of a kind, or a number.
fn withheld(node: &Node<'_>, counters: &Counters) -> Result<Vec<(u8, u8)>, LoadError> {
    let mut withheld = Vec::new();
    for entry in node.members()? {
        let kind = counters.kind_names.find(entry.key(), &entry)?;
        let there = counters.kinds[kind.at()].counters;
        let count =
            if entry.text().is_ok_and(|text| text == "all") { there } else { entry.byte(1..=there)? };
        withheld.push((kind.0, count));
    }
    Ok(withheld)
}

/// Counters that come by date, into the pool or onto the map, and pools of Special Actions that change (A94, A109).
fn dated(node: &Node<'_>, map: &Map, counters: &Counters) -> Result<Vec<Dated>, LoadError> {
    let mut dated = reinforcements(&node.get("reinforcements")?, map, counters)?;
    let lists = [node.find("additions")?, node.find("special_action_pools")?];
    let [additions, pools] = &lists;
    for entry in additions.as_ref().map_or(Ok(Vec::new()), Node::items)? {
        entry.only(&["turn", "counter", "count"])?;
        let kind: KindId = counters.kind_names.read(&entry.get("counter")?)?;
        let count = entry.get("count")?.byte(1..=counters.kinds[kind.at()].counters)?;
        let turn = entry.get("turn")?.byte(1..=TURNS)?;
        dated.push(Dated { turn, change: PoolChange::Add { kind: kind.0, count } });
    }
    for entry in pools.as_ref().map_or(Ok(Vec::new()), Node::items)? {
        entry.only(&["turn", "power", "more", "fewer"])?;
        let nation = nation(&entry.get("power")?)?;
        let by = entry.get("more")?.byte(0..=9)? as i8 - entry.get("fewer")?.byte(0..=9)? as i8;
        let turn = entry.get("turn")?.byte(1..=TURNS)?;
        dated.push(Dated { turn, change: PoolChange::SpecialActions { nation, by } });
    }
    if let Some(list) = node.find("fighter_arrivals")? {
        for entry in list.items()? {
            entry.only(&["turn", "team", "points"])?;
            let team = entry.get("team")?.choose("a team", &TEAMS)?;
            let points = entry.get("points")?.byte(1..=20)?;
            dated.push(Dated {
                turn: entry.get("turn")?.byte(1..=TURNS)?,
                change: PoolChange::Fighters { team, points },
            });
        }
    }
    if let Some(list) = node.find("fleet_arrivals")? {
        for entry in list.items()? {
            entry.only(&["turn", "power", "sea", "points"])?;
            let sea = map.sea_names.read(&entry.get("sea")?)?;
            let points = entry.get("points")?.byte(1..=20)?;
            dated.push(Dated {
                turn: entry.get("turn")?.byte(1..=TURNS)?,
                change: PoolChange::Fleets { nation: nation(&entry.get("power")?)?, sea, points },
            });
        }
    }
    Ok(dated)
}

fn reinforcements(node: &Node<'_>, map: &Map, counters: &Counters) -> Result<Vec<Dated>, LoadError> {
    let mut dated = Vec::new();
    for entry in node.items()? {
        entry.only(&["turn", "counter", "count", "areas", "early"])?;
        let kind: KindId = counters.kind_names.read(&entry.get("counter")?)?;
        dated.push(Dated {
            turn: entry.get("turn")?.byte(1..=TURNS)?,
            change: PoolChange::Reinforce {
                kind: kind.0,
                count: entry.get("count")?.byte(1..=counters.kinds[kind.at()].counters)?,
                zone: map.area_names.read_list(&entry.get("areas")?)?,
                early: entry.get("early")?.flag()?,
            },
        });
    }
    Ok(dated)
}

pub(super) fn victory(whole: Whole<'_>, map: &Map) -> Result<Victory, LoadError> {
    let node = whole.at("setup.victory")?;
    let names: &Names<Area> = &map.area_names;
    let kinds = [("areas", 0), ("points", 1), ("conquest", 2)];
    match node.get("kind")?.choose("a kind of victory", &kinds)? {
        1 => return victory_points(&node, map),
        2 => {
            node.only(&["kind"])?;
            return Ok(Victory::Conquest);
        }
        _ => {}
    }
    node.only(&["kind", "areas", "needed"])?;
    let areas: Areas = some(&node.get("areas")?, |node| names.read_list(node))?;
    Ok(Victory::Areas { areas, needed: node.get("needed")?.byte(1..=areas.len() as u8)? })
}

/// Victory points, and the tournament points of their difference (16.22).
fn victory_points(node: &Node<'_>, map: &Map) -> Result<Victory, LoadError> {
    node.only(&["kind", "points", "awards", "conquest"])?;
    let mut points = Vec::new();
    for entry in node.get("points")?.items()? {
        let (of, condition) = entry.get("when")?.choose("a condition", &CONDITIONS)?;
        let (mut areas, mut number) = (Areas::EMPTY, 0);
        match of {
            Of::Areas => {
                entry.only(&["team", "points", "when", "areas"])?;
                areas = some(&entry.get("areas")?, |node| map.lands(node))?;
            }
            Of::Number => {
                entry.only(&["team", "points", "when", "number"])?;
                number = entry.get("number")?.byte(0..=255)?;
            }
            Of::Nothing => entry.only(&["team", "points", "when"])?,
        }
        points.push(VictoryPoint {
            team: entry.get("team")?.choose("a team", &TEAMS)?,
            points: entry.get("points")?.byte(1..=9)?,
            areas,
            condition: condition(number),
        });
    }
    let rows = node.get("awards")?;
    let mut awards = [[0; 2]; 9];
    let items = rows.items()?;
    if items.len() != awards.len() {
        return Err(rows.inconsistent("nine rows are expected: what the second team has more, from -4 to 4"));
    }
    for (award, row) in awards.iter_mut().zip(items) {
        match &row.items()?[..] {
            [first, second] => *award = [hundredths(first)?, hundredths(second)?],
            _ => return Err(row.inconsistent("two numbers are expected: of the first and the second team")),
        }
    }
    Ok(Victory::Points { points, awards, conquest: node.get("conquest")?.flag()? })
}

/// What a condition speaks of, beside its team.
#[derive(Clone, Copy)]
enum Of {
    Areas,
    Number,
    Nothing,
}

/// What a condition speaks of, and the condition of its number.
type Reading = (Of, fn(u8) -> Condition);

/// What a victory point is given for.
const CONDITIONS: [(&str, Reading); 12] = [
    ("controlled", (Of::Areas, |_| Condition::Controlled)),
    ("controlled_together", (Of::Areas, |_| Condition::ControlledTogether)),
    ("held", (Of::Areas, |_| Condition::Held)),
    ("held_over_land", (Of::Areas, |_| Condition::HeldOverLand)),
    ("beachheads_repelled", (Of::Areas, |_| Condition::BeachheadsRepelled)),
    ("never_two", (Of::Areas, |_| Condition::NeverTwo)),
    ("expelled", (Of::Areas, |_| Condition::Expelled)),
    ("bomb_hits_at_most", (Of::Number, Condition::BombHitsAtMost)),
    ("bomb_hits_at_least", (Of::Number, Condition::BombHitsAtLeast)),
    ("italian_collapse", (Of::Nothing, |_| Condition::ItalianCollapse)),
    ("italy_stands", (Of::Nothing, |_| Condition::ItalyStands)),
    ("italy_surrendered", (Of::Nothing, |_| Condition::ItalySurrendered)),
];

/// Areas of which there must be at least one.
fn some<'t>(
    node: &Node<'t>,
    read: impl Fn(&Node<'t>) -> Result<Areas, LoadError>,
) -> Result<Areas, LoadError> {
    let areas = read(node)?;
    if areas.is_empty() {
        return Err(node.inconsistent("found no areas, expected one or more"));
    }
    Ok(areas)
}

/// Tournament points of 0 to 10, in hundredths.
fn hundredths(node: &Node<'_>) -> Result<u16, LoadError> {
    Ok((node.number(0..=10)? * 100.0).round() as u16)
}
