//! The rules coverage table: where each numbered rule lives in the code, and what proves it.

use crate::error::{LoadError, Problem, nearest};
use crate::source::SourceFile;
use crate::tree::{Cell, Sheet, Tree};

/// A numbered rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleCoverage {
    /// Number in the rulebook.
    pub rule: String,
    /// Title.
    pub title: String,
    /// Module paths of the rules crate.
    pub code: Vec<String>,
    /// Identifiers of worked examples.
    pub examples: Vec<String>,
    /// Names of tests.
    pub tests: Vec<String>,
}

impl RuleCoverage {
    /// Whether some code names the rule.
    pub fn is_implemented(&self) -> bool {
        !self.code.is_empty()
    }
    /// Whether an example or a test proves it.
    pub fn is_proven(&self) -> bool {
        !self.examples.is_empty() || !self.tests.is_empty()
    }
}

const SHEET: Sheet = Sheet {
    file: "rules.csv",
    key: &["rule"],
    columns: &[
        ("rule", Cell::Text),
        ("title", Cell::Text),
        ("code", Cell::Text),
        ("examples", Cell::Text),
        ("tests", Cell::Text),
    ],
};

/// The coverage table of a system, in the order of the rulebook.
///
/// # Errors
/// If there is no such system, or its table is malformed.
pub fn rules_coverage(system: &str) -> Result<Vec<RuleCoverage>, LoadError> {
    let text = crate::source::embedded(system, SHEET.file).ok_or_else(|| {
        let near = nearest(system, crate::SYSTEMS.iter().map(|system| system.id));
        LoadError::new(Problem::UnknownName { value: system.into(), what: "a system".into(), near })
    })?;
    parse(text)
}

fn parse(text: &str) -> Result<Vec<RuleCoverage>, LoadError> {
    let mut tree = Tree::default();
    tree.add_csv(&SHEET, &SourceFile::new(SHEET.file, text))?;
    tree.node()
        .at("rules")?
        .table()?
        .iter()
        .map(|(rule, row)| {
            let cell = |key: &str| row.get(key).and_then(toml::Value::as_str).unwrap_or_default();
            let list = |key: &str| cell(key).split_whitespace().map(str::to_owned).collect();
            Ok(RuleCoverage {
                rule: rule.clone(),
                title: cell("title").to_owned(),
                code: list("code"),
                examples: list("examples"),
                tests: list("tests"),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_numbered_rule_stands_once() {
        let rules = rules_coverage("blitzwar").unwrap();
        assert_eq!(rules.len(), 80);
        assert_eq!(rules.iter().find(|rule| rule.rule == "16.3.2").unwrap().title, "Left shifts");
        assert!(rules_coverage("blitzwr").unwrap_err().to_string().contains("did you mean `blitzwar`?"));
    }

    #[test]
    fn cells_are_lists_and_rows_unique() {
        let rules = parse("rule,title,code,examples,tests\n4,Stacking,stacking counters,a.toml,\n").unwrap();
        assert_eq!(rules[0].code, ["stacking", "counters"]);
        assert!(rules[0].is_implemented() && rules[0].is_proven());
        let error = parse("rule,title,code,examples,tests\n4,a,,,\n4,b,,,\n").unwrap_err();
        assert_eq!(
            (error.line, *error.problem),
            (Some(3), Problem::Inconsistent("`4` stands there twice".into()))
        );
    }
}
