//! What never changes during a game: what zones are worth, how far apart they lie, what a column of the table costs.

use sandtable_blitzwar::location::{Location, Sea, Zone};
use sandtable_blitzwar::rules::{AreaOfOperations, AttackerLoss, MAX_SEAS, MAX_ZONES, Zones};
use sandtable_blitzwar::{BlitzWar, Country, Force, Kind, Nation};
use sandtable_core::{Board as _, Index};

use super::strategy::{self, Quota, Station};

/// Land distance of zones that no land path joins.
pub(crate) const FAR: u8 = 60;

/// Expected result of one combat round in a column of the table.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Odds {
    /// Corps the attacker loses.
    pub attacker: f32,
    /// Corps the defender loses.
    pub defender: f32,
    /// Chance that the defender loses more than the attacker.
    pub beaten: f32,
}

/// Tables that the policies and the evaluator share, derived once from the rules.
#[derive(Debug)]
pub(crate) struct MapTables {
    /// Steps over land between two zones, neutral or not.
    pub distance: Vec<[u8; MAX_ZONES]>,
    /// Worth of holding a zone, in strategic points or what comes near them.
    pub worth: [f32; MAX_ZONES],
    /// Worth of barring the way into a zone: its own and some of what lies behind it.
    pub guard: [f32; MAX_ZONES],
    /// Expected results by column, 1 to 8; index 0 is a copy of column 1.
    pub odds: [Odds; 9],
    /// Zones joined by dotted lines: three corps to a beachhead.
    pub dotted: Vec<Zones>,
    /// Where each side wants its ships, most wanted first.
    pub stations: [Vec<(Sea, Station)>; 3],
    /// How many corps a side wants overseas.
    pub quotas: [Vec<(Zones, Quota)>; 3],
    /// Order of the Polish set-up: zone and how many armies.
    pub polish: Vec<(Zone, u8)>,
    /// Soviet zones and Eastern Poland: the eastern theatre.
    pub east: Zones,
    /// Seas as beaches of which the Axis must guard.
    pub beaches: [Zones; MAX_SEAS],
    /// Kinds that count as naval, by counter: 0 none, 1 fleet, 2 submarine.
    pub naval: Vec<u8>,
    /// Great Britain.
    pub britain: Zones,
    /// Where corps of a nation are meant to go, by [`Nation`]: within the limits on its movement that do not change (9.6).
    pub areas: Vec<Zones>,
    /// America, where American units wait for ships.
    pub america: Zone,
    /// Gibraltar, the base for a landing in French North Africa.
    pub gibraltar: Option<Zone>,
}

impl MapTables {
    /// Derives the tables.
    pub fn new(game: &BlitzWar) -> MapTables {
        let rules = &game.rules;
        let zones = rules.zones.len();
        let mut distance = vec![[FAR; MAX_ZONES]; zones];
        for (from, row) in distance.iter_mut().enumerate() {
            let mut seen = Zones::one(Zone::nth(from));
            let mut ring = seen;
            let mut steps = 0;
            while !ring.is_empty() && steps < FAR {
                for zone in ring {
                    row[zone.at()] = steps;
                }
                ring = game.land().neighbours_of(&ring).difference(&seen);
                seen = seen.or(&ring);
                steps += 1;
            }
        }
        let mut worth = [0.0; MAX_ZONES];
        for (index, zone) in rules.zones.iter().enumerate() {
            let w = &strategy::WORTH;
            worth[index] = w.zone
                + f32::from(u8::from(zone.general_point)) * w.general_point
                + f32::from(u8::from(zone.side_point.is_some())) * w.side_point
                + f32::from(u8::from(zone.supply_zone.is_some())) * w.supply_zone
                + f32::from(u8::from(zone.capital)) * w.capital
                + f32::from(u8::from(zone.port)) * w.port;
        }
        let mut guard = [0.0; MAX_ZONES];
        for zone in 0..zones {
            let mut behind = [0.0f32; 3];
            for (other, &steps) in distance[zone][..zones].iter().enumerate() {
                if let Some(best) = behind.get_mut(steps as usize) {
                    *best = best.max(worth[other]);
                }
            }
            guard[zone] = 1.0 + behind[0] + 0.5 * behind[1] + 0.3 * behind[2];
        }
        let mut odds = [Odds::default(); 9];
        for (column, entry) in odds.iter_mut().enumerate() {
            for row in &rules.charts.land {
                let (attacker, defender) = row[column.max(1) - 1];
                let lost = f32::from(u8::from(attacker != AttackerLoss::None));
                entry.attacker += lost / 6.0;
                entry.defender += f32::from(defender) / 6.0;
                entry.beaten += if f32::from(defender) > lost { 1.0 / 6.0 } else { 0.0 };
            }
        }
        let stations = Force::ALL.map(|force| {
            strategy::stations(force)
                .iter()
                .filter_map(|station| Some((game.sea(station.sea)?, *station)))
                .collect()
        });
        let quotas = Force::ALL
            .map(|force| strategy::quotas(force).iter().map(|quota| (quota.area(game), *quota)).collect());
        let mut east = *game.home(Country::Ussr);
        for (index, zone) in rules.zones.iter().enumerate() {
            if zone.eastern_poland {
                east.insert(Zone::nth(index));
            }
        }
        let mut dotted = vec![Zones::EMPTY; zones];
        for link in rules.links.iter().filter(|link| link.dotted) {
            dotted[link.a.at()].insert(link.b);
            dotted[link.b.at()].insert(link.a);
        }
        let mut beaches = [Zones::EMPTY; MAX_SEAS];
        for (sea, set) in beaches.iter_mut().enumerate().take(rules.seas.len()) {
            *set = *game.beaches(Sea::nth(sea));
        }
        MapTables {
            distance,
            worth,
            guard,
            odds,
            dotted,
            stations,
            quotas,
            polish: strategy::POLISH_SETUP.iter().filter_map(|&(id, n)| Some((game.zone(id)?, n))).collect(),
            east,
            beaches,
            naval: game
                .sheet()
                .map(|counter| match game.kind(counter) {
                    Kind::Fleet => 1,
                    Kind::Submarine => 2,
                    _ => 0,
                })
                .collect(),
            britain: rules.regions.great_britain,
            areas: Nation::ALL.iter().map(|&nation| area_of(game, nation)).collect(),
            america: rules.landmarks.america,
            gibraltar: game.zone("gibraltar"),
        }
    }

    /// Steps over land.
    #[inline]
    pub fn steps(&self, from: Location, to: Location) -> u8 {
        self.distance[from.at()][to.at()]
    }

    /// Expected results in the column of a ladder index.
    #[inline]
    pub fn at(&self, index: i8) -> Odds {
        self.odds[index.clamp(1, 8) as usize]
    }
}

/// Where corps of a nation are meant to go (9.6): of the Italian region and of Spain two corps may leave, which does not pay.
fn area_of(game: &BlitzWar, nation: Nation) -> Zones {
    let everywhere = game.rules.every_zone().collect();
    let Some(country) = nation.country() else { return everywhere };
    let home = *game.home(country);
    let regions = &game.rules.regions;
    match game.rules.countries[country.index()].area_of_operations {
        AreaOfOperations::Free => everywhere,
        AreaOfOperations::Home | AreaOfOperations::Spanish => home,
        AreaOfOperations::Neighbours => {
            let border = game.land().neighbours_of(&home);
            let bordering = Country::ALL.into_iter().filter(|&other| game.home(other).intersects(&border));
            bordering.fold(home, |area, other| area.or(game.home(other)))
        }
        AreaOfOperations::Italian => [Country::Gre, Country::Yug, Country::Tur]
            .into_iter()
            .fold(home.or(&regions.africa).or(&regions.british_asia), |area, other| {
                area.or(game.home(other))
            }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corps_are_meant_for_where_they_may_go() {
        let scenario = sandtable_scenarios_blitzwar::open("blitzwar/campaign-1939", &[]).unwrap();
        let game = BlitzWar::new(scenario.into_rules()).unwrap();
        let tables = MapTables::new(&game);
        let goes =
            |nation: Nation, zone: &str| tables.areas[nation.index()].contains(game.zone(zone).unwrap());
        let cases = [
            (Nation::Ita, "turin", true),
            (Nation::Ita, "tripoli", true),
            (Nation::Ita, "athens", true),
            (Nation::Ita, "marseille", false),
            (Nation::Ita, "munich", false),
            (Nation::Bul, "sofia", true),
            (Nation::Bul, "salonika", true),
            (Nation::Bul, "minsk", false),
            (Nation::Fin, "helsinki", true),
            (Nation::Fin, "leningrad", false),
            (Nation::Ger, "moscow", true),
            (Nation::Hun, "kiev", true),
        ];
        for (nation, zone, meant) in cases {
            assert_eq!(goes(nation, zone), meant, "{nation:?} in {zone}");
        }
    }
}
