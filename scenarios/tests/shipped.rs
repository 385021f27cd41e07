//! The shipped scenarios load, and say what they should.
use sandtable_scenarios::*;
#[test]
fn load_all() {
    for s in list() { for s in s.scenarios { match open(&s.name, &[]) { Ok(x) => println!("{}{:?} {:x}", x.describe(), x.provenance_counts(), x.content_hash()), Err(e) => println!("{}: {e}", s.name) } } }
}
