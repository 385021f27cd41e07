//! Rulings that are data or wording: what they say stands in the files.

use std::path::Path;

use sandtable_scenarios_roads_to_moscow::{AnySystem, SYSTEM, open};

fn read(file: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap()
}

/// four numbers are gaps. R-08: two rules have the number that follows from the order of the text.
#[test]
fn rules_have_the_numbers_of_the_text() {
    let rules = SYSTEM.coverage().unwrap();
    let title = |number: &str| {
        let rule = rules.iter().find(|rule| rule.rule == number);
        rule.map(|rule| rule.title.as_str())
    };
    for gap in ["3.11", "6.13", "13.23", "14.35"] {
        assert_eq!(title(gap), None, "{gap}");
    }
    for beside in ["3.12", "6.12", "6.14", "13.22", "13.24", "14.34", "14.36"] {
        assert!(title(beside).is_some(), "{beside}");
    }
    assert!(title("7.11").unwrap().starts_with("Initiative rolls"));
    assert!(title("7.12").unwrap().starts_with("Initiative modifiers"));
    assert!(title("9.41").unwrap().contains("optional") && title("9.42").unwrap().contains("requirements"));
}

///
#[test]
fn counters_tell_sides_apart_without_a_colour() {
    let file = read("units.csv");
    let head = file.lines().find(|line| !line.starts_with('#')).unwrap();
    assert!(head.split(',').any(|column| column == "side"), "{head}");
    assert!(!head.contains("colour"), "{head}");
}

///
#[test]
fn the_town_is_called_mozhaysk() {
    let file = read("places.csv");
    assert!(file.lines().any(|line| line.starts_with("mozhaysk,Mozhaysk,")));
    assert!(!file.contains("Mzhaysk"));
}

/// on the map of Mtsensk no rule asks where Moscow lies; on the other one it does (19.44e).
#[test]
fn nothing_at_mtsensk_depends_on_the_way_to_moscow() {
    for (id, asks) in [("pervyy-voin", false), ("road-to-mtsensk", false), ("mozhaysk", true)] {
        let rules = open(&format!("roads-to-moscow/{id}"), &[]).unwrap().into_rules();
        assert_eq!(rules.scenario.retreat_direction.is_some(), asks, "{id}");
    }
}
