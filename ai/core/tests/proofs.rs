//! Files of proofs: they are held to the weights that ship.

use sandtable_ai::kit::check_proofs;
use sandtable_ai::policy::Weight;

const FILE: &str = r#"
[[proof]]
weight = "axis.haste"
old = 0
new = 0.3
scenario = "toys/war"
sprt = "0,20,0.05,0.05"
games = 1840
result = "H1"
seed = 4000
commit = "0123456789ab"
analysis = "games 0 to 19 of seed 4711: waits while it could win, 2.3 pp a game"
"#;

#[test]
fn a_proof_is_of_what_ships() {
    let weight = |name, default| Weight {
        side: "axis",
        name,
        summary: "",
        default,
        range: (0.0, 1.0),
        whole: false,
        apart: false,
    };
    let weights = [weight("fear", 0.5), weight("haste", 0.3)];
    assert_eq!(check_proofs(FILE, &weights), Ok(()));
    for (from, to, why) in [
        ("axis.haste", "axis.hast", "there is no weight axis.hast"),
        ("new = 0.3", "new = 0.4", "axis.haste = 0.3 ships and not 0.4"),
        ("old = 0", "old = 0.3", "axis.haste: 0.3 is the old value too"),
        ("H1", "H0", "axis.haste: \"H0\" proves nothing"),
        ("seed = 4000\n", "", "seed is missing"),
        ("1840", "\"many\"", "games = \"many\": expected a number"),
        ("toys/war", "", "axis.haste: scenario says nothing"),
        ("[[proof]]", "[[proofs]]", "there is no [[proof]]"),
    ] {
        let error = check_proofs(&FILE.replace(from, to), &weights).unwrap_err();
        assert!(error.starts_with(why), "{error}");
    }
}
