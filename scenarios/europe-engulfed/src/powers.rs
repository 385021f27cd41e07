//! Powers, unit types and force pools (20.2 to 20.4), and the tables of option 21.0.

use sandtable_core::Index;
use sandtable_europe_engulfed::ids::{KindId, MAX_KINDS, MAX_UNITS, Nation};
use sandtable_europe_engulfed::rules::{Branch, BranchData, Kind, NationData, NationKind};
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Names, Node, Whole};

use super::nation;

pub(super) struct Counters {
    pub nations: Vec<NationData>,
    pub branches: [BranchData; 6],
    pub kinds: Vec<Kind>,
    pub combat_table: Vec<[[u8; 10]; 16]>,
    /// Identifiers of the kinds.
    pub kind_names: Names<KindId>,
}

impl Counters {
    /// A table of kinds and how many counters of each: no more than there are.
    pub fn numbers(&self, node: &Node<'_>) -> Result<Vec<(u8, u8)>, LoadError> {
        let number = |entry: &Node<'_>| {
            let kind: KindId = self.kind_names.find(entry.key(), entry)?;
            Ok((kind.0, entry.byte(0..=self.kinds[kind.at()].counters)?))
        };
        node.members()?.iter().map(number).collect()
    }
}

pub(super) fn read(whole: Whole<'_>) -> Result<Counters, LoadError> {
    let pools = whole.at("pools")?;
    let (kinds, kind_names) = kinds(&pools)?;
    Ok(Counters {
        nations: nations(&whole.at("powers")?, &pools)?,
        branches: branches(&whole.at("unit_types")?)?,
        kinds,
        kind_names,
        combat_table: combat_tables(&whole.at("combat_tables")?)?,
    })
}

fn nations(rows: &Node<'_>, pools: &Node<'_>) -> Result<Vec<NationData>, LoadError> {
    rows.only(&Nation::ALL.map(Nation::id))?;
    let kinds = [
        ("major", NationKind::Major),
        ("minor", NationKind::Minor),
        ("axis_minor", NationKind::AxisMinor),
        ("special", NationKind::Special),
    ];
    Nation::ALL
        .into_iter()
        .map(|nation| {
            let row = rows.get(nation.id())?;
            let fleets = match pools.find(&format!("{}_fleet", nation.id()))? {
                Some(row) => row.get("count")?.byte(1..=40)?,
                None => 0,
            };
            Ok(NationData {
                nation,
                kind: row.get("kind")?.choose("a kind of power", &kinds)?,
                base: row.get("base")?.byte(0..=100)?,
                area_value: row.get("area_value")?.byte(0..=20)?,
                strategic_moves: row.get("strategic_moves")?.byte(0..=20)?,
                fleet_supply: row.get("fleet_supply")?.byte(1..=20)?,
                fleets,
                patron: super::nation(&row.get("patron")?)?,
            })
        })
        .collect()
}

fn branches(rows: &Node<'_>) -> Result<[BranchData; 6], LoadError> {
    rows.only(&Branch::ALL.map(Branch::id))?;
    let mut branches = [BranchData::default(); 6];
    for branch in Branch::ALL {
        let row = rows.get(branch.id())?;
        branches[branch as usize] = BranchData {
            moves: row.get("move")?.byte(1..=4)?,
            step_cost: row.get("step")?.byte(1..=20)?,
            first_step_doubles: row.get("first_step_doubles")?.flag()?,
        };
    }
    Ok(branches)
}

/// What stands in the pools besides units. The numbers of Special Actions and fortifications are not asked for yet.
const OTHERS: [&str; 4] = ["special_action", "fleet", "field_fort", "heavy_fort"];

fn kinds(rows: &Node<'_>) -> Result<(Vec<Kind>, Names<KindId>), LoadError> {
    let (mut kinds, mut ids) = (Vec::new(), Vec::new());
    for row in rows.members()? {
        let kind = row.get("kind")?;
        if OTHERS.contains(&kind.text()?) {
            continue;
        }
        ids.push(row.key().to_owned());
        kinds.push(Kind {
            nation: nation(&row.get("power")?)?,
            branch: kind.choose("a unit type", &Branch::ALL.map(|branch| (branch.id(), branch)))?,
            elite: row.get("elite")?.flag()?,
            max: row.get("steps")?.byte(1..=4)?,
            counters: row.get("count")?.byte(1..=40)?,
        });
    }
    let counters: usize = kinds.iter().map(|kind| usize::from(kind.counters)).sum();
    if kinds.len() > MAX_KINDS || counters > MAX_UNITS {
        let text = format!(
            "{} kinds with {counters} counters; the engine takes {MAX_KINDS} kinds and {MAX_UNITS} counters",
            kinds.len()
        );
        return Err(rows.inconsistent(text));
    }
    Ok((kinds, Names::new("a counter", ids)))
}

/// The columns of the combat tables, a dozen dice each.
const DOZENS: [&str; 10] = ["n12", "n24", "n36", "n48", "n60", "n72", "n84", "n96", "n108", "n120"];

fn combat_tables(rows: &Node<'_>) -> Result<Vec<[[u8; 10]; 16]>, LoadError> {
    let mut tables = vec![[[u8::MAX; 10]; 16]; 4];
    for row in rows.members()? {
        let (bonuses, sum) = (row.get("bonuses")?.byte(0..=3)?, row.get("sum")?.byte(3..=18)?);
        let line = &mut tables[usize::from(bonuses)][usize::from(sum - 3)];
        for (hits, column) in line.iter_mut().zip(DOZENS) {
            *hits = row.get(column)?.byte(0..=120)?;
        }
    }
    if tables.iter().flatten().any(|line| line[0] == u8::MAX) {
        return Err(rows.inconsistent("a sum of three dice is missing: 3 to 18 for 0 to 3 bonuses (21.0)"));
    }
    Ok(tables)
}
