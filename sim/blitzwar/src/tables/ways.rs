//! Ways over the map, made ready for play: blocks of zones that a fill crosses in one step, and what a number of steps
//! over the seas leads to with straits open or shut.

use sandtable_core::{Board, Index};

use super::coasts::{Coasts, Straits};
use super::links::Links;
use crate::location::{ByCode, Location, Zone, seas};
use crate::rules::{MAX_SEAS, Rules, Seas, Zones};

/// The most zones of a block. Larger ones are crossed faster, and are held in whole less often.
const BLOCK: u32 = 8;
/// The most zones that control straits: the tables have a row for each combination of them.
const KEYS: usize = 6;
/// Seas in a group of [`Waters::ports`].
const SEAS_AT_ONCE: usize = 6;
const SEA_GROUPS: usize = MAX_SEAS.div_ceil(SEAS_AT_ONCE);

/// A connected group of zones that change hands together when a country does.
#[derive(Clone, Debug, Default)]
struct Block {
    zones: Zones,
    /// What touches them by land.
    adjacent: Zones,
    /// The same, with dotted lines.
    linked: Zones,
    /// Seas on which they have a coast.
    coast: Seas,
    /// Seas on which they have a port that lines of supply run through.
    harbours: Seas,
}

/// The land as floods see it.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    block_of: ByCode<Zone, u8>,
    blocks: Vec<Block>,
    /// Seas on which a zone has a port that lines of supply run through.
    pub harbours: ByCode<Location, Seas>,
}

impl Ground {
    pub(crate) fn derive(rules: &Rules, links: &Links, coasts: &Coasts) -> Ground {
        let mut harbours = coasts.port_seas;
        // No line by sea.
        for zone in [rules.landmarks.suez, rules.landmarks.asian_bases] {
            harbours[zone] = 0;
        }
        let mut ground = Ground { block_of: ByCode::new([0; 256]), blocks: Vec::new(), harbours };
        let mut left: Zones = rules.every_zone().collect();
        while let Some(first) = left.first() {
            let lot = |zone: Zone| {
                let zone = &rules.zones[zone.at()];
                (zone.country, zone.eastern_poland, zone.vichy)
            };
            let open: Zones = left.iter().filter(|&zone| lot(zone) == lot(first)).collect();
            let mut block = Block { zones: Zones::one(first), ..Block::default() };
            while block.zones.len() < BLOCK
                && let Some(zone) =
                    links.land.neighbours_of(&block.zones).and(&open).difference(&block.zones).first()
            {
                block.zones.insert(zone);
            }
            for zone in block.zones {
                block.adjacent = block.adjacent.or(&links.adjacent[zone]);
                block.linked = block.linked.or(&links.linked[zone]);
                block.coast |= coasts.of_zone[zone];
                block.harbours |= ground.harbours[zone];
                ground.block_of[zone] = ground.blocks.len() as u8;
            }
            left = left.difference(&block.zones);
            ground.blocks.push(block);
        }
        ground
    }

    /// A fill over `links` from zones of an area through what is `left` of it; takes out of that what it comes to. Gives the
    /// `shores` of the zones it came to.
    #[inline]
    fn spread(
        &self,
        from: Zones,
        area: &Zones,
        left: &mut Zones,
        links: &ByCode<Location, Zones>,
        shores: &ByCode<Location, Seas>,
        of_block: impl Fn(&Block) -> (&Zones, Seas),
    ) -> Seas {
        let (mut fresh, mut rest, mut seas) = (from, left.difference(&from), 0);
        while !fresh.is_empty() {
            for word in 0..fresh.0.len() {
                while fresh.0[word] != 0 {
                    let zone = Zone::nth(word * 64 + fresh.0[word].trailing_zeros() as usize);
                    let block = &self.blocks[self.block_of[zone] as usize];
                    let (around, coasts) = if contains(area, &block.zones) {
                        fresh = fresh.difference(&block.zones);
                        rest = rest.difference(&block.zones);
                        of_block(block)
                    } else {
                        fresh.remove(zone);
                        (&links[zone], shores[zone])
                    };
                    let next = around.and(&rest);
                    fresh = fresh.or(&next);
                    rest = rest.difference(&next);
                    seas |= coasts;
                }
            }
        }
        *left = rest;
        seas
    }

    /// A fill over land, for lines of supply: gives the seas of the ports it comes to.
    pub(crate) fn over_land(
        &self,
        from: Zones,
        area: &Zones,
        left: &mut Zones,
        adjacent: &ByCode<Location, Zones>,
    ) -> Seas {
        self.spread(from, area, left, adjacent, &self.harbours, |block| (&block.adjacent, block.harbours))
    }

    /// A fill over land and dotted lines, for air: gives the seas of the coasts it comes to.
    pub(crate) fn by_air(
        &self,
        from: Zones,
        area: &Zones,
        left: &mut Zones,
        linked: &ByCode<Location, Zones>,
        coast: &ByCode<Location, Seas>,
    ) -> Seas {
        self.spread(from, area, left, linked, coast, |block| (&block.linked, block.coast))
    }

    /// The zones that can be reached over land from zones through an area, these included whether in the area or not.
    pub(crate) fn fill(&self, start: Zones, area: &Zones, adjacent: &ByCode<Location, Zones>) -> Zones {
        let outside = start.difference(area);
        let mut left = *area;
        let from = start.and(area).or(&outside.neighbours(&adjacent.0).and(area));
        self.over_land(from, area, &mut left, adjacent);
        start.or(&area.difference(&left))
    }
}

/// Whether an area has all of these zones.
#[inline]
fn contains(area: &Zones, zones: &Zones) -> bool {
    zones.0.iter().zip(&area.0).fold(0, |missing, (zone, area)| missing | (zone & !area)) == 0
}

/// Which straits are open, as a row of [`Waters`].
#[derive(Clone, Copy)]
pub(crate) struct Passage(usize);

/// The seas as ways.
#[derive(Clone, Debug)]
pub(crate) struct Waters {
    /// Zones that control straits.
    keys: Vec<Zone>,
    /// Steps of the tables, 0 included.
    steps: usize,
    /// Seas within so many steps, by passage, sea and steps.
    within: Vec<Seas>,
    /// Ports on the seas of a group, by their bits.
    ports: Box<[[Zones; 1 << SEAS_AT_ONCE]; SEA_GROUPS]>,
}

impl Waters {
    /// # Errors
    /// Says so if too many zones control straits.
    pub(crate) fn derive(rules: &Rules, straits: &Straits, sea_ports: &[Zones]) -> Result<Waters, String> {
        let mut keys: Vec<Zone> = straits.keyed.iter().flatten().map(|&(_, key)| key).collect();
        keys.sort_unstable();
        keys.dedup();
        if keys.len() > KEYS {
            return Err(format!("{} zones control straits; the engine takes at most {KEYS}", keys.len()));
        }
        let count = straits.open.len();
        // A path that visits every sea is the longest.
        let steps = count.max(1);
        let mut within = Vec::new();
        // The last row is for submarines, which straits do not bind.
        for row in 0..=1 << keys.len() {
            let next = |sea: usize| -> Seas {
                if row == 1 << keys.len() {
                    return rules.seas[sea].neighbours;
                }
                let open = |key: Zone| {
                    keys.iter().position(|&other| other == key).is_some_and(|nth| row >> nth & 1 != 0)
                };
                let passable = straits.keyed[sea].iter().filter(|&&(_, key)| open(key));
                passable.fold(straits.open[sea], |mask, &(to, _)| mask | to.mask())
            };
            for sea in 0..count {
                let mut reached: Seas = 1 << sea;
                for _ in 0..steps {
                    within.push(reached);
                    reached = seas(reached).fold(reached, |mask, from| mask | next(from.at()));
                }
            }
        }
        let mut ports = Box::new([[Zones::EMPTY; 1 << SEAS_AT_ONCE]; SEA_GROUPS]);
        for (sea, zones) in sea_ports.iter().enumerate() {
            let bit = 1 << (sea % SEAS_AT_ONCE);
            for (members, set) in ports[sea / SEAS_AT_ONCE].iter_mut().enumerate() {
                if members & bit != 0 {
                    *set = set.or(zones);
                }
            }
        }
        Ok(Waters { keys, steps, within, ports })
    }

    /// The straits as they are for a side with this area. Submarines are not bound by them.
    #[inline]
    pub(crate) fn passage(&self, area: &Zones, bound: bool) -> Passage {
        if !bound {
            return Passage(1 << self.keys.len());
        }
        Passage(
            self.keys
                .iter()
                .enumerate()
                .fold(0, |row, (nth, &key)| row | usize::from(area.contains(key)) << nth),
        )
    }

    /// Seas within so many steps of these, themselves included.
    #[inline]
    pub(crate) fn within(&self, passage: Passage, from: Seas, steps: usize) -> Seas {
        let row = passage.0 * (self.within.len() / ((1 << self.keys.len()) + 1));
        let steps = steps.min(self.steps - 1);
        seas(from).fold(0, |mask, sea| mask | self.within[row + sea.at() * self.steps + steps])
    }

    /// All seas that can be reached from these, themselves included.
    #[inline]
    pub(crate) fn joined(&self, passage: Passage, from: Seas) -> Seas {
        self.within(passage, from, self.steps - 1)
    }

    /// Zones with a port on one of these seas.
    #[inline]
    pub(crate) fn ports_of(&self, seas: Seas) -> Zones {
        self.ports.iter().enumerate().fold(Zones::EMPTY, |zones, (group, sets)| {
            let members = seas as usize >> (SEAS_AT_ONCE * group) & ((1 << SEAS_AT_ONCE) - 1);
            zones.or(&sets[members])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::game;
    use sandtable_core::{Dice, Rng64};

    #[test]
    fn blocks_change_no_flood() {
        let game = game();
        let (tables, zones) = (&game.tables, game.rules.zones.len() as u32);
        let mut dice = Rng64::stream(1, 2, 3);
        for round in 0..500 {
            // From areas with a hole or two to such as fall apart.
            let area: Zones = game.rules.every_zone().filter(|_| dice.below(50) >= round / 15).collect();
            let start = Zones::one(Zone::nth(dice.below(zones) as usize));
            let fill = tables.ground.fill(start, &area, &tables.links.adjacent);
            assert_eq!(fill, tables.links.land.fill(start, &area));
        }
    }

    #[test]
    fn steps_over_the_seas_add_up() {
        let game = game();
        let waters = &game.tables.waters;
        for (area, bound) in
            [(Zones::EMPTY, true), (game.tables.zones.everywhere, true), (Zones::EMPTY, false)]
        {
            let passage = waters.passage(&area, bound);
            for sea in game.rules.every_sea() {
                let mut reached = sea.mask();
                for steps in 0..4 {
                    assert_eq!(waters.within(passage, sea.mask(), steps), reached);
                    reached = waters.within(passage, reached, 1);
                }
                let ports = seas(reached)
                    .fold(Zones::EMPTY, |ports, sea| ports.or(&game.tables.coasts.sea_ports[sea.at()]));
                assert_eq!(waters.ports_of(reached), ports);
            }
        }
    }
}
