//! Probe.
use sandtable_scenarios::System;
#[test]
fn from_disk() {
    let system: &System<_> = &sandtable_scenarios_eurofront::SYSTEM;
    for name in std::env::var("FILES").unwrap_or("nations,diplomacy,politics,victory".into()).split(',') {
        let file = format!("{name}.toml");
        let text = std::fs::read_to_string(format!("examples/{file}")).expect("file");
        match (system.run_examples)(&file, &text) {
            Ok(reports) => {
                let failed = reports.iter().filter(|report| !report.passed).count();
                println!("## {file}: {} examples, {failed} fail", reports.len());
                for report in reports {
                    for failure in &report.failures {
                        println!("{} ({}): {failure}", report.id, report.title);
                    }
                }
            }
            Err(error) => println!("{file}: {error}"),
        }
    }
}
