//! The worked examples hold, and would say so if they did not.

use sandtable_scenarios::{embedded_examples, run_example_text};

#[test]
fn every_worked_example_holds() {
    let mut failures = Vec::new();
    for (file, text) in embedded_examples("blitzwar") {
        match run_example_text(file, text) {
            Ok(reports) => failures.extend(reports.iter().filter(|report| !report.passed).map(|report| {
                format!("{file}, {} ({}):\n    {}", report.id, report.title, report.failures.join("\n    "))
            })),
            Err(error) => failures.push(error.to_string()),
        }
    }
    assert!(failures.is_empty(), "{} examples fail\n{}", failures.len(), failures.join("\n"));
}
