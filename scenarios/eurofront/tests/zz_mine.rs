//! Runs the example files named in MINE as they lie on disk.
use sandtable_scenarios_eurofront::{AnySystem, SYSTEM};
#[test]
fn mine() {
    let names = std::env::var("MINE").unwrap_or_default();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/");
    for name in names.split(',').filter(|name| !name.is_empty()) {
        let text = std::fs::read_to_string(format!("{folder}{name}.toml")).expect("file");
        let reports = SYSTEM.run_examples(name, &text).unwrap_or_else(|error| panic!("{error}"));
        println!("{name}: {} examples", reports.len());
        for report in reports {
            for fault in &report.failures {
                println!("{}: {fault}", report.id);
            }
        }
    }
}
