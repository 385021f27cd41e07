#![allow(clippy::doc_markdown)] // the name of the game is no path

//! Overrides, messages, export, and files that are wrong, of EuroFront.

use sandtable_core::Index;
use sandtable_eurofront::Rules;
use sandtable_eurofront::ids::hex;
use sandtable_eurofront::rules::{City, Cost, Entry, Fire, Kind, SideKind, Terrain, Weather};
use sandtable_scenarios::kit;
use sandtable_scenarios_eurofront::{Examples, LoadError, Scenario};

const WHOLE: &str = "eurofront/1936";

fn with(edits: &[&str]) -> Result<Scenario<Rules>, LoadError> {
    kit::with::<Examples>(WHOLE, edits)
}

#[test]
fn scenarios_are_those_of_the_folder() {
    kit::check_scenarios::<Examples>(&[
        "1936", "1939", "1939A", "1939B", "1940", "1940A", "1940B", "1940C", "1941", "1942", "1943", "1944",
        "1944A",
    ]);
}

#[test]
fn overrides_reach_the_rules() {
    let rules = with(&[
        "charts.supply.line=3",
        "charts.hexside.clear=3",
        "charts.weather.mud.river_repulse=4",
        "charts.pursuit.slower=SF",
        "charts.repulse.naval.other=[5, 4, 3]",
        "charts.armies.west_poland.steps=70",
        "terrain.hill.stacking=3",
        "unit_types.infantry.dry=3",
        "unit_types.mech.offence=DF",
        "costs.infantry-axis.step=5",
        "blocks.sn_inf_2.strength=4",
        "weather.11.west_even=mud",
        "map.hexes.0921.terrain=hill",
        "map.sides.0821-0921.kinds=river",
        "map.places.burgos.class=town",
        "map.ways.0818-0819.ways=rail",
        "options.weather_balance=true",
        "setup.last_month=1939-03",
        "setup.deployment=historical",
        "setup.units.sn_inf_2.steps=3",
        "setup.units.sn_inf_2.place=zaragoza",
        "setup.air.allies=DF",
        "setup.points.axis=5",
        "setup.civil_war.aid.axis=[2, 3]",
        "setup.civil_war.costs.infantry=[3, 6]",
        "setup.civil_war.blockade_ports.valencia=2",
    ]);
    let rules = rules.unwrap_or_else(|error| panic!("{error}")).into_rules();
    assert_eq!((rules.numbers.supply_line, rules.side_limits.clear), (3, 3));
    assert_eq!(rules.weather[Weather::Mud as usize].river_repulse, 4);
    assert_eq!(rules.combat.pursuit[2], Fire::Single);
    assert_eq!(rules.combat.naval_repulse[1], [5, 4, 3]);
    assert_eq!(rules.scenario.situation.armies.map(|army| army.steps), [24, 32, 70]);
    assert_eq!(rules.terrain[Terrain::Hill as usize].stacking, 3);
    let infantry = rules.kinds[Kind::Infantry as usize];
    assert_eq!((infantry.speed[0], infantry.costs[0]), (3, Some(Cost { step: 5, cadre: 6 })));
    assert_eq!(rules.kinds[Kind::Mech as usize].fire.offence, Fire::Double);
    let block = rules.block("sn_inf_2").unwrap();
    assert_eq!(rules.blocks[block.at()].full, 4);
    assert_eq!(rules.scenario.entries[block.at()], Entry::At(rules.place("zaragoza").unwrap(), 3));
    let november = rules.calendar.iter().find(|month| month.id == "1936-11").unwrap();
    assert_eq!((november.weather[0].even, november.air[1][0]), (Weather::Mud, Fire::Double));
    assert_eq!(rules.calendar.last().unwrap().id, "1939-03");
    let data = rules.map.hexes.iter().find(|data| data.hex == hex(9, 21)).unwrap();
    assert_eq!(data.terrain, Terrain::Hill);
    let side = rules.map.sides.iter().find(|side| (side.a, side.b) == (hex(8, 21), hex(9, 21))).unwrap();
    assert_eq!(side.kind, SideKind::River);
    let burgos = rules.map.places.iter().find(|place| place.id == "burgos").unwrap();
    assert_eq!(burgos.city, City::Town);
    assert!(rules.options.weather_balance);
    assert_eq!(rules.scenario.points[0], 5);
    let war = rules.civil_war.as_ref().unwrap();
    assert_eq!(war.axis_aid, [2, 3]);
    assert_eq!(war.costs[Kind::Infantry as usize], Some(Cost { step: 3, cadre: 6 }));
    let valencia = rules.place("valencia").unwrap();
    assert!(war.blockade_ports.contains(&(valencia, 2)));
    assert_eq!(war.pacification.iter().map(|&(_, count)| count).sum::<u8>(), 16, "Burgos is a town now");
}

#[test]
fn an_exported_scenario_is_the_same() {
    kit::check_export::<Examples>(WHOLE, &["setup.points.axis=5", "charts.supply.line=3"]);
}

#[test]
fn messages_name_the_value_and_what_was_expected() {
    kit::check_values::<Examples>(
        WHOLE,
        &[
            ("map.hexes.0922.terrain=marsh", "is not terrain"),
            ("map.hexes.0922.country=spayn", "did you mean `spain`?"),
            ("map.hexes.0922.front=none", "land has a country and a front"),
            ("map.hexes.0922.name=Valencia", "has a name of its own"),
            ("map.sides.0922-0823.kinds=rivver", "did you mean `river`?"),
            ("map.ways.0922-0923.ways=canal", "is not a way (rail, road)"),
            ("map.places.madrid.hex=9999", "`9999`"),
            ("map.places.madrid.class=burgh", "is not a class of place"),
            ("map.places.guadalajara.loyalty=nationalist", "loyal to one side"),
            ("map.places.toledo.pp=2", "major cities alone produce (1.41)"),
            ("map.places.valencia.seas=none", "lies at a sea (15.1)"),
            ("map.seas.north_sea.basin=pacific", "is not a basin"),
            ("map.sea_links.north_sea-english_channel.gates=dovver", "is not a strait"),
            ("terrain.clear.stacking=0", "units stand in all terrain but the impassable"),
            ("unit_types.armour.offence=XF", "is not fire (none, SF, DF, TF, QF)"),
            ("blocks.sn_inf_1.nation=spane_nat", "did you mean `spain_nat`?"),
            ("blocks.sn_inf_1.class=MF squatter", "a class is `none`"),
            ("blocks.sn_hq_1.strength=4", "a number from 1 to 3"),
            ("weather.11.west_storms=false", "may have storms (12.5)"),
            ("storms.WF-3.sum=4", "odd sums alone bring storms"),
            ("seasons.S39.air_allies=QQ", "is not fire"),
            ("events.PP.times=99", "a number from 0 to 9"),
            ("events.PP.side=axes", "did you mean `axis`?"),
            ("reactions.italy-hungary.joins=both", "is not a side"),
            ("setup.first_month=1936", "as in 1936-07"),
            ("setup.last_month=1936-01", "ends before its first month"),
            ("setup.deployment=fre", "is not a deployment (semi_historical, historical, free)"),
            ("setup.units.sn_inf_1.steps=9", "a number from 1 to 3"),
            ("setup.units.sn_inf_1.place=lisbon", "not in play"),
            ("setup.units.sn_inf_1.place=madrid", "a block of the other side begins in this hex"),
            ("setup.units.sn_inf_1.month=1936-12", "a block has a place if it begins on the map"),
            ("setup.units.sn_mec_bs.arrival=ports madrit", "did you mean `madrid`?"),
            ("setup.units.sn_mec_bs.arrival=airfield", "arrives in `cities`"),
            ("setup.civil_war.blockade_from=1945-01", "not among the months of the scenario"),
            ("setup.civil_war.aid.french_table=[\"1\"]", "a line for each die"),
            ("setup.civil_war.costs.infantry=[4]", "as in [4, 8]"),
            ("setup.civil_war.blockade_ports.madrid=2", "a port of the countries that count"),
            ("setup.civil_war.militia.axis.galicia=[\"vigo\"]", "a place for each die"),
            (
                "setup.civil_war.militia.axis.galicia=[\"madrid\", \"vigo\", \"lugo\", \"orense\", \"santiago\", \"ferrol\"]",
                "loyal to its side",
            ),
            ("charts.fire.SF=9", "a number from 1 to 7"),
            ("charts.repulse.naval.other=[1]", "three dice"),
            ("charts.armies.romania.steps=900", "a number from 0 to 200"),
        ],
    );
}

#[test]
fn paths_that_do_not_exist_name_the_nearest() {
    kit::check_paths::<Examples>(
        WHOLE,
        &[
            ("charts.suply.line=2", "charts.supply.line"),
            ("map.places.madrit.class=minor", "map.places.madrid.class"),
            ("setup.units.sn_inf_11.steps=1", "setup.units.sn_inf_1.steps"),
        ],
    );
}

#[test]
fn faults_of_files_are_found_with_their_line() {
    kit::check_faults::<Examples>(
        WHOLE,
        &[
            ("nations.csv", "germany,Germany,great", "germany,Germany,grand", "did you mean `great`?"),
            ("map/sides.csv", "0822,0823,river", "0822,0923,river", "do not touch"),
            ("map/ways.csv", "0922,0923,rail", "0922,0924,rail", "do not touch"),
        ],
    );
}

#[test]
fn damaged_files_are_refused_or_mean_something() {
    kit::check_mutations::<Examples>(WHOLE, 25);
}

#[test]
fn senseless_overrides_are_refused_or_mean_something() {
    kit::check_overrides::<Examples>(WHOLE, 80);
}
