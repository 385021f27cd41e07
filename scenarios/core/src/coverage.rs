//! The rules coverage table: where each numbered rule lives in the code, and what proves it.

use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

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
    /// Where the rule is from, where not all of them are the rulebook's: what it is marked as, and its basis.
    pub provenance: Option<(String, String)>,
    /// Rulings on it: how it is played where the rulebook leaves that open.
    pub rulings: Vec<Ruling>,
}

/// How a point is played that the rulebook leaves open, as `rulings.toml` has it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Ruling {
    /// Its identifier.
    pub id: String,
    /// The rules concerned.
    pub rules: Vec<String>,
    /// What is open.
    pub question: String,
    /// How it is played.
    pub ruling: String,
    /// Why so.
    pub reason: String,
    /// Examples and tests of which one fails if it is played otherwise.
    pub proofs: Vec<String>,
}

impl Serialize for RuleCoverage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_struct("RuleCoverage", 7)?;
        row.serialize_field("rule", &self.rule)?;
        row.serialize_field("title", &self.title)?;
        row.serialize_field("code", &self.code.join(" "))?;
        row.serialize_field("proofs", &self.proofs())?;
        if let Some((provenance, basis)) = &self.provenance {
            row.serialize_field("provenance", provenance)?;
            row.serialize_field("basis", basis)?;
        } else {
            row.skip_field("provenance")?;
            row.skip_field("basis")?;
        }
        row.serialize_field("rulings", &self.rulings)?;
        row.end()
    }
}

impl RuleCoverage {
    /// The examples and tests that prove it.
    pub fn proofs(&self) -> Vec<&str> {
        self.examples.iter().chain(&self.tests).map(String::as_str).collect()
    }
    /// Whether it is no rule of the rulebook, as far as the table says where rules are from.
    pub fn is_reconstructed(&self) -> bool {
        self.provenance.as_ref().is_some_and(|(provenance, _)| provenance == "reconstructed")
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

/// The same where rules are not all the rulebook's: each with its provenance.
const SHEET_OF_FACTS: Sheet = Sheet { facts: true, ..SHEET };

/// The file of rulings.
pub(crate) const RULINGS: &str = "rulings.toml";

/// Reads the text of a coverage table, with provenance if its header names it; the rules keep its order.
pub(crate) fn parse(text: &str) -> Result<Vec<RuleCoverage>, LoadError> {
    let header = text.lines().find(|line| !line.starts_with('#'));
    let traced = header.is_some_and(|header| header.ends_with(",provenance,basis"));
    let mut tree = Tree::default();
    tree.add_csv(if traced { &SHEET_OF_FACTS } else { &SHEET }, &SourceFile::new(SHEET.file, text))?;
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
                provenance: traced.then(|| (cell("provenance").to_owned(), cell("basis").to_owned())),
                rulings: Vec::new(),
            })
        })
        .collect()
}

/// Reads the text of a file of rulings; they keep its order. What is left out is empty.
pub(crate) fn parse_rulings(text: &str) -> Result<Vec<Ruling>, LoadError> {
    let mut tree = Tree::default();
    tree.add_toml(&SourceFile::new(RULINGS, text))?;
    let rulings = tree.node().at("rulings")?.table()?.iter().map(|(id, ruling)| {
        let value = |key: &str| ruling.get(key).and_then(toml::Value::as_str).unwrap_or_default().to_owned();
        Ruling {
            id: id.clone(),
            rules: value("rule").split("; ").filter(|rule| !rule.is_empty()).map(str::to_owned).collect(),
            question: value("question"),
            ruling: value("ruling"),
            reason: value("reason"),
            proofs: value("proof").split_whitespace().map(str::to_owned).collect(),
        }
    });
    Ok(rulings.collect())
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
        assert_eq!(rules[0].provenance, None);
        let traced = "rule,title,code,examples,tests,provenance,basis\n4,Stacking,,,,reconstructed,lost\n";
        assert!(parse(traced).unwrap()[0].is_reconstructed() && !rules[0].is_reconstructed());
        let provenance = parse(traced).unwrap().remove(0).provenance;
        assert_eq!(provenance, Some(("reconstructed".to_owned(), "lost".to_owned())));
        let error = parse("rule,title,code,examples,tests\n4,a,,,\n4,b,,,\n").unwrap_err();
        assert_eq!(
            (error.line, *error.problem),
            (Some(3), Problem::Inconsistent("`4` stands there twice".into()))
        );
    }

    #[test]
    fn rulings_name_their_rules_and_proofs() {
        let text = "[R-1]\nrule = \"4; 9.3\"\nquestion = \"a?\"\nruling = \"b\"\nreason = \"c\"\nproof = \"X-1 holds\"\n[R-2]\n";
        let rulings = parse_rulings(text).unwrap();
        assert_eq!((rulings[0].id.as_str(), rulings[0].question.as_str()), ("R-1", "a?"));
        assert_eq!(rulings[0].rules, ["4", "9.3"]);
        assert_eq!(rulings[0].proofs, ["X-1", "holds"]);
        assert!(rulings[1].rules.is_empty() && rulings[1].proofs.is_empty());
    }
}
