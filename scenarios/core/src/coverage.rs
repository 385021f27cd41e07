//! The rules coverage table: where each numbered rule lives in the code, and what proves it.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::error::LoadError;
use crate::source::SourceFile;
use crate::tree::{Cell, Sheet, Tree};

/// A numbered rule. Serialised, its places in the code are one text, its examples and tests one list of proofs.
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

impl Serialize for RuleCoverage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_struct("RuleCoverage", 4)?;
        row.serialize_field("rule", &self.rule)?;
        row.serialize_field("title", &self.title)?;
        row.serialize_field("code", &self.code.join(" "))?;
        row.serialize_field("proofs", &self.proofs())?;
        row.end()
    }
}

impl RuleCoverage {
    /// The examples and tests that prove it.
    pub fn proofs(&self) -> Vec<&str> {
        self.examples.iter().chain(&self.tests).map(String::as_str).collect()
    }
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
    facts: false,
};

/// Reads the text of a coverage table; the rules keep its order.
pub(crate) fn parse(text: &str) -> Result<Vec<RuleCoverage>, LoadError> {
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
    use crate::error::Problem;

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
