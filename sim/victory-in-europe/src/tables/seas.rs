//! Sea zones and the ways between them (7.23, 7.24).

use crate::rules::{MAX_SEAS, Rules, Sea, SeaKind, Seas};

/// Ways out of a sea: the next sea, and the gate between them, if there is one.
pub(super) type Ways = Vec<(u8, Option<u8>)>;

/// The seas as ways.
#[derive(Clone, Debug)]
pub(crate) struct SeaWays {
    /// Links of each sea.
    pub links: Vec<Ways>,
    /// Seas next to each sea through open water.
    pub near: [Seas; MAX_SEAS],
    /// Seas next to each sea behind a gate (7.23), with the gate.
    pub gates: Vec<Vec<(u8, u8)>>,
    /// Seas with a gate to another.
    pub gated: Seas,
    /// Pairs of seas with the gate between them.
    pub gate_links: Vec<(Seas, u8)>,
    /// Sea zones ships may enter.
    pub open: Seas,
    /// Sea zones that ships may enter by the movement points they take to enter (7.24).
    pub by_entry: Vec<(u8, Seas)>,
    /// Freezing seas (3.43).
    pub ice: Seas,
}

impl SeaWays {
    /// # Errors
    /// Says which link leads nowhere.
    pub(super) fn derive(rules: &Rules) -> Result<SeaWays, String> {
        let links = links(rules)?;
        let mut near = [0; MAX_SEAS];
        for (near, links) in near.iter_mut().zip(&links) {
            let open = links.iter().filter(|(_, gate)| gate.is_none());
            *near = open.fold(0, |near, (next, _)| near | 1 << next);
        }
        let behind_gates = |links: &Ways| -> Vec<(u8, u8)> {
            links.iter().filter_map(|&(next, gate)| Some((next, gate?))).collect()
        };
        let gates: Vec<_> = links.iter().map(behind_gates).collect();
        let pairs = rules.sea_links.iter();
        Ok(SeaWays {
            near,
            gated: (0..gates.len())
                .filter(|&zone| !gates[zone].is_empty())
                .fold(0, |set, zone| set | 1 << zone),
            gates,
            links,
            gate_links: pairs.filter_map(|link| Some((1 << link.a | 1 << link.b, link.gate?))).collect(),
            open: seas_where(rules, |sea| sea.kind != SeaKind::SupplyOnly),
            by_entry: by_entry(rules),
            ice: seas_where(rules, |sea| sea.freezes),
        })
    }
}

/// Links of each sea.
fn links(rules: &Rules) -> Result<Vec<Ways>, String> {
    let seas = rules.seas.len();
    let mut links = vec![Vec::new(); seas];
    for link in &rules.sea_links {
        let (a, b) = (link.a as usize, link.b as usize);
        if a >= seas || b >= seas || link.gate.is_some_and(|gate| gate as usize >= rules.gates.len()) {
            return Err(format!("a sea link joins zones {a} and {b} of {seas}"));
        }
        links[a].push((link.b, link.gate));
        links[b].push((link.a, link.gate));
    }
    Ok(links)
}

fn seas_where(rules: &Rules, is: impl Fn(&Sea) -> bool) -> Seas {
    let seas = rules.seas.iter().enumerate().filter(|(_, sea)| is(sea));
    seas.fold(0, |set, (zone, _)| set | 1 << zone)
}

/// Sea zones that ships may enter by what that takes (7.24), in the order in which the data names the prices.
fn by_entry(rules: &Rules) -> Vec<(u8, Seas)> {
    let mut by_entry: Vec<(u8, Seas)> = Vec::new();
    for (zone, sea) in rules.seas.iter().enumerate().filter(|(_, sea)| sea.kind != SeaKind::SupplyOnly) {
        match by_entry.iter_mut().find(|(cost, _)| *cost == sea.entry) {
            Some((_, zones)) => *zones |= 1 << zone,
            None => by_entry.push((sea.entry, 1 << zone)),
        }
    }
    by_entry
}
