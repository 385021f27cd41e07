//! The counter mix, and whether a set-up fits on it (3, 4).

use sandtable_blitzwar::nation::Nation;
use sandtable_blitzwar::rules::{CounterType, Kind, MAX_COUNTERS};

use super::nation_names;
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Names, Whole};

pub(super) struct Counters {
    pub types: Vec<CounterType>,
    pub names: Names,
}

pub(super) fn read(whole: Whole<'_>) -> Result<Counters, LoadError> {
    let node = whole.at("counters")?;
    let nations = nation_names();
    let mut types = Vec::new();
    let mut total = 0;
    for entry in node.members()? {
        entry.only(&[
            "nation",
            "kind",
            "front",
            "back",
            "fortifiable",
            "count",
            "locked",
            "third_corps_from",
        ])?;
        let kind = entry.get("kind")?.choose(
            "a kind of counter",
            &[
                ("infantry", Kind::Infantry),
                ("armour", Kind::Armour),
                ("white", Kind::White),
                ("elite", Kind::Elite),
                ("air", Kind::Air),
                ("fleet", Kind::Fleet),
                ("submarine", Kind::Submarine),
                ("supply", Kind::Supply),
            ],
        )?;
        // Faces of corps show at most three; a supply counter remembers half units in four bits.
        let most = if kind.is_corps() { 3 } else { 7 };
        let counter = CounterType {
            id: entry.key().to_owned(),
            nation: Nation::ALL[nations.read(&entry.get("nation")?)? as usize],
            kind,
            front: entry.get("front")?.byte(1..=most)?,
            back: entry.get("back")?.byte(0..=most)?,
            fortifiable: entry.get("fortifiable")?.flag()?,
            count: entry.get("count")?.byte(1..=99)?,
            locked: entry.get("locked")?.flag()?,
            third_corps_from: entry.get("third_corps_from")?.byte(0..=99)?,
        };
        if counter.back >= counter.front {
            return Err(entry.get("back")?.inconsistent("the back must show fewer units than the front"));
        }
        if matches!(kind, Kind::White | Kind::Elite) && (counter.front < 2 || counter.back == 1) {
            return Err(entry.inconsistent(
                "a white counter holds one infantry and one or two armour corps on each face",
            ));
        }
        if counter.fortifiable && (kind != Kind::Infantry || counter.front != 1) {
            return Err(entry
                .get("fortifiable")?
                .inconsistent("only single infantry corps can be fortified (15.1)"));
        }
        if (counter.nation >= Nation::Axis) != (kind == Kind::Supply) && counter.nation != Nation::Ussr {
            return Err(entry.inconsistent(
                "the supply of Axis and Allies is common: nation `axis` or `allied`, and nothing else is",
            ));
        }
        total += usize::from(counter.count);
        types.push(counter);
    }
    if total > MAX_COUNTERS || types.is_empty() {
        return Err(
            node.inconsistent(format!("the mix has {total} counters; the engine takes 1 to {MAX_COUNTERS}"))
        );
    }
    let names = Names::new("a type of counter", types.iter().map(|counter| counter.id.clone()));
    Ok(Counters { types, names })
}

/// Corps of a nation in a zone that are to be put on counters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corps {
    pub infantry: u8,
    pub armour: u8,
    pub fortified: u8,
    /// Counters they may take.
    pub most: u8,
}

/// A face that can be laid out: type, infantry, armour.
type Face = (usize, u8, u8);

/// Lays corps out on counters: for each entry the number of counters used, or `None` if there is no way.
///
/// `free` holds how many counters of each type there are. Elite Armies are left to the player (11.7). The search tries
/// few and full counters first and gives up after a bounded number of steps, so a set-up that only a contrived packing
/// could hold counts as one that does not fit.
pub(super) fn pack(
    types: &[CounterType],
    free: &mut [u8],
    nation: Nation,
    turn: u8,
    corps: &[Corps],
) -> Option<Vec<u8>> {
    let mut faces: Vec<Face> = Vec::new();
    for (at, counter) in types.iter().enumerate() {
        if counter.nation != nation {
            continue;
        }
        for units in [counter.front, counter.back] {
            if units == 0 || units > 2 && turn < counter.third_corps_from {
                continue;
            }
            match counter.kind {
                Kind::Infantry => faces.push((at, units, 0)),
                Kind::Armour => faces.push((at, 0, units)),
                Kind::White => faces.push((at, 1, units - 1)),
                _ => {}
            }
        }
    }
    // Full fronts first; among equal faces the smaller counter, which wastes less.
    faces.sort_by_key(|&(at, infantry, armour)| (std::cmp::Reverse(infantry + armour), types[at].front));
    let mut order: Vec<usize> = (0..corps.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse((corps[at].fortified, corps[at].infantry + corps[at].armour)));
    let mut search = Search { types, faces, corps, order, used: vec![0; corps.len()], steps: 200_000 };
    let rest = search.corps_at(0).unwrap_or((0, 0, 0, 0));
    search.place(0, rest, 0, free).then_some(search.used)
}

struct Search<'a> {
    types: &'a [CounterType],
    faces: Vec<Face>,
    corps: &'a [Corps],
    order: Vec<usize>,
    used: Vec<u8>,
    steps: u32,
}

impl Search<'_> {
    /// What the entry at a place of the order needs: infantry, armour, fortified, counters.
    fn corps_at(&self, depth: usize) -> Option<(u8, u8, u8, u8)> {
        let corps = &self.corps[*self.order.get(depth)?];
        Some((corps.infantry - corps.fortified, corps.armour, corps.fortified, corps.most))
    }

    /// Places what is left of an entry, then the entries after it. Faces are taken in order, from `from` on.
    fn place(&mut self, depth: usize, rest: (u8, u8, u8, u8), from: usize, free: &mut [u8]) -> bool {
        if self.steps == 0 {
            return false;
        }
        self.steps -= 1;
        let (infantry, armour, fortified, counters) = rest;
        if infantry + armour + fortified == 0 {
            if let Some(&entry) = self.order.get(depth) {
                self.used[entry] = self.corps[entry].most - counters;
            }
            return match self.corps_at(depth + 1) {
                Some(next) => self.place(depth + 1, next, 0, free),
                None => true,
            };
        }
        if counters == 0 {
            return false;
        }
        for at in from..self.faces.len() {
            let (kind, i, a) = self.faces[at];
            if free[kind] == 0 {
                continue;
            }
            let next = if fortified > 0 {
                if !self.types[kind].fortifiable {
                    continue;
                }
                (infantry, armour, fortified - 1, counters - 1)
            } else {
                if i > infantry || a > armour {
                    continue;
                }
                (infantry - i, armour - a, 0, counters - 1)
            };
            free[kind] -= 1;
            let start = if next.2 == 0 && fortified > 0 { 0 } else { at };
            if self.place(depth, next, start, free) {
                return true;
            }
            free[kind] += 1;
        }
        false
    }
}

/// Puts single units (air, ships) on counters, one place after the other; false if they do not fit.
pub(super) fn pack_units(
    types: &[CounterType],
    free: &mut [u8],
    nation: Nation,
    kind: Kind,
    places: &[u8],
) -> bool {
    for &units in places {
        let mut rest = units;
        while rest > 0 {
            let fits = |counter: &CounterType| counter.nation == nation && counter.kind == kind;
            // The smallest counter that takes them all, else the largest.
            let best = (0..types.len()).filter(|&at| free[at] > 0 && fits(&types[at])).min_by_key(|&at| {
                if types[at].front >= rest { types[at].front } else { u8::MAX - types[at].front }
            });
            let Some(best) = best else { return false };
            free[best] -= 1;
            rest -= rest.min(types[best].front);
        }
    }
    true
}
