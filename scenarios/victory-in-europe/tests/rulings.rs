//! Rulings that are data: what they say stands in the files.

use sandtable_core::Index;
use sandtable_scenarios::kit;
use sandtable_scenarios_victory_in_europe::{AnySystem, Examples, SYSTEM, open};
use sandtable_victory_in_europe::nation::Nation;
use sandtable_victory_in_europe::rules::{Areas, Entry, Kind, Rules, Standing};
use sandtable_victory_in_europe::{Place, UnitId};

const LATER: [&str; 4] = ["barbarossa-1941", "stalingrad-1942", "kursk-1943", "bagration-1944"];

fn rules(id: &str) -> Rules {
    open(&format!("victory-in-europe/{id}"), &[]).unwrap_or_else(|error| panic!("{error}")).into_rules()
}

fn names(rules: &Rules, areas: &Areas) -> Vec<String> {
    let mut names: Vec<String> = areas.iter().map(|area| rules.areas[area.at()].id.clone()).collect();
    names.sort();
    names
}

fn area(rules: &Rules, id: &str) -> Place {
    Place::nth(rules.areas.iter().position(|area| area.id == id).unwrap_or_else(|| panic!("no area {id}")))
}

/// the text has two rules 1.5; that of the ports is 1.45 here.
#[test]
fn rules_have_the_numbers_of_the_text() {
    let rules = SYSTEM.coverage().unwrap();
    let title = |number: &str| {
        rules
            .iter()
            .find(|rule| rule.rule == number)
            .map(|rule| rule.title.to_lowercase())
            .unwrap_or_default()
    };
    assert!(title("1.45").contains("ports") && title("1.45").contains("middle east"), "{}", title("1.45"));
    assert!(title("1.5").starts_with("resources"), "{}", title("1.5"));
}

/// R-23, by the counters of each nation.
#[test]
fn armies_of_the_line_hit_with_one_and_those_the_ruling_names_with_two() {
    let rules = rules("campaign-1939");
    let (colonial, home_guard) = (["fra_inf_alg", "fra_inf_tun"], Kind::HomeGuard);
    for unit in &rules.units {
        let sheet = &rules.unit_types[unit.kind as usize];
        let soldiers = matches!(sheet.kind, Kind::Infantry | Kind::Guards) || sheet.kind == home_guard;
        if !soldiers {
            continue;
        }
        let strong = match unit.nation {
            _ if sheet.kind == home_guard || colonial.contains(&unit.id.as_str()) => false,
            Nation::Germany | Nation::Britain | Nation::France | Nation::Usa | Nation::Finland => true,
            Nation::Poland => unit.free_for.is_some(),
            Nation::Ussr => sheet.kind == Kind::Guards,
            _ => false,
        };
        assert_eq!((sheet.class, sheet.fire), (3, if strong { 2 } else { 1 }), "{}", unit.id);
    }
}

///
#[test]
fn leaders_fire_with_one_in_class_c_and_have_two_steps_above_zero() {
    let rules = rules("campaign-1939");
    let kind = |unit: &sandtable_victory_in_europe::rules::Unit| &rules.unit_types[unit.kind as usize];
    let leaders: Vec<_> = rules.units.iter().filter(|unit| kind(unit).kind == Kind::Leader).collect();
    assert_eq!(leaders.len(), 7);
    for leader in leaders {
        assert_eq!((kind(leader).class, kind(leader).fire, leader.steps), (2, 1, 2), "{}", leader.id);
    }
}

///
#[test]
fn steps_cost_what_the_ruling_says() {
    let rules = rules("campaign-1939");
    for sheet in &rules.unit_types {
        let cost = match sheet.kind {
            Kind::HeavyBomber | Kind::Carrier | Kind::Battleship | Kind::Battlecruiser => 3,
            Kind::Infantry | Kind::HomeGuard | Kind::Guards | Kind::Cavalry | Kind::Convoy => 1,
            _ => 2,
        };
        assert_eq!(sheet.cost, cost, "{}", sheet.id);
    }
    assert_eq!((rules.charts.leader_zero_cost, rules.charts.factory_cost), (2, 4));
}

/// Egypt is what North Africa and the Middle East of 8.7 share.
#[test]
fn north_africa_ends_with_the_three_areas_of_egypt() {
    let rules = rules("campaign-1939");
    let (africa, east) = (&rules.regions.north_africa, &rules.regions.middle_east);
    assert_eq!(names(&rules, &africa.and(east)), ["alexandria", "cairo", "suez"]);
    let west = ["algiers", "benghazi", "el_agheila", "morocco", "oran", "tripoli", "tunis"];
    assert_eq!(names(&rules, &africa.difference(east)), west);
    assert_eq!(names(&rules, &east.difference(africa)), ["iran", "iraq", "palestine", "syria"]);
}

///
#[test]
fn the_urals_lie_behind_kazan_kuibyshev_and_orenburg() {
    let rules = rules("campaign-1939");
    let urals = area(&rules, "urals");
    let ends = rules.borders.iter().filter(|border| border.a == urals || border.b == urals);
    let beside: Areas = ends.map(|border| if border.a == urals { border.b } else { border.a }).collect();
    assert_eq!(names(&rules, &beside), ["kazan", "kuibyshev", "orenburg"]);
}

///
#[test]
fn gibraltar_malta_and_scapa_flow_are_naval_bases() {
    let rules = rules("campaign-1939");
    for id in ["gibraltar", "malta", "scapa_flow"] {
        let at = area(&rules, id);
        assert!(rules.ports.iter().any(|port| port.area == at && port.base), "{id}");
    }
}

///
#[test]
fn vichy_fights_for_the_axis_in_1943_without_its_africa() {
    let rules = rules("kursk-1943");
    assert_eq!(rules.setup.standing[Nation::Vichy.index()], Standing::Axis);
    for (id, holds) in
        [("lyon", true), ("marseille", true), ("algiers", false), ("morocco", false), ("tunis", false)]
    {
        let holder = rules.setup.control[area(&rules, id).at()];
        let allied = rules.setup.standing[holder.index()] == Standing::Western;
        assert_eq!((holder == Nation::Vichy, allied), (holds, !holds), "{id}");
    }
}

/// nobody's victory leaves the other one possible.
#[test]
fn both_sides_need_berlin_to_win() {
    for id in LATER.into_iter().chain(["campaign-1939"]) {
        let rules = rules(id);
        let berlin = area(&rules, "berlin");
        assert!(rules.victory.axis_needs == berlin && rules.victory.allies_all.contains(berlin), "{id}");
    }
}

/// who is out of the game when a later scenario begins, by what the ruling says of nations and counters.
#[test]
fn units_that_cannot_come_back_are_out_of_later_scenarios() {
    for id in LATER {
        let rules = rules(id);
        let setup = &rules.setup;
        let on_map = |unit: UnitId| setup.units.iter().any(|placed| placed.0 == unit);
        let stands = |nation: Nation| match nation {
            Nation::Italy => setup.italy != Entry::Surrendered,
            nation => setup.standing[nation.index()] != Standing::Gone,
        };
        let from_1943 = ["kursk-1943", "bagration-1944"].contains(&id);
        for (unit, counter) in (0..).map(UnitId).zip(&rules.units) {
            let kind = rules.unit_types[counter.kind as usize].kind;
            // Vichy's forces are there for as long as it is, and where it still has the land.
            let country = counter.free_for.unwrap_or(counter.nation);
            let lost_africa = from_1943 && ["fra_inf_alg", "fra_inf_tun"].contains(&counter.id.as_str());
            let surrendered = from_1943 && ["ger_dak", "ita_inf_5a"].contains(&counter.id.as_str());
            let not_rebuilt = counter.id == "ger_para" || kind == Kind::Fortress && !on_map(unit);
            let gone = !stands(country) || lost_africa || surrendered || not_rebuilt;
            assert_eq!(setup.gone.contains(&unit), gone, "{id}: {}", counter.id);
            assert!(!(gone && on_map(unit)), "{id}: {}", counter.id);
        }
    }
}

/// free deployment by the set-up and the option; in 1939 the Allies would exchange first.
#[test]
fn units_are_exchanged_first_where_set_up_and_option_say_so() {
    use sandtable_core::{Game, PlayContext, Rng64};
    use sandtable_victory_in_europe::{Phase, VictoryInEurope, nation::Team};
    let phase = |id: &str, edits: &[&str]| {
        let scenario = kit::with::<Examples>(&format!("victory-in-europe/{id}"), edits).unwrap();
        let game = VictoryInEurope::new(scenario.into_rules()).unwrap();
        let state = game.initial(&mut PlayContext::silent(Rng64::stream(1, 0, 0)));
        (state.phase, state.mover)
    };
    for id in LATER {
        assert_eq!(phase(id, &[]), (Phase::Deployment, Team::Axis), "{id}");
        assert_eq!(phase(id, &["options.free_deployment=false"]).0, Phase::Cards, "{id}");
    }
    assert_eq!(phase("campaign-1939", &[]).0, Phase::Cards);
    let switched = phase("campaign-1939", &["setup.free_deployment=true"]);
    assert_eq!(switched, (Phase::Deployment, Team::Allies));
}
