//! What the map and the scenario say once and for all: which places are worth having, and what hexes do to a fight.

use sandtable_core::{Hex, Index};
use sandtable_eurofront::EuroFront;
use sandtable_eurofront::ids::{Camp, Front, Hexes, NationId};
use sandtable_eurofront::rules::{City, Fire, Goal, Kind, Weather};
use sandtable_eurofront::tables::{PLACES, RouteTable};

use sandtable_ai::policy::worth_of_objective;

use super::slopes::Slopes;
use super::weights::Weights;

/// What places count besides where the conditions of 1940A name them: Gibraltar, Malta or Suez, the ports of North Africa,
/// the Persian Gulf (e, f, g); and Greece, if it fights, for no ally of Britain's may be left in the West (a).
const PRIZES_OF_1940: [(&[&str], f32); 4] = [
    (&["gibraltar", "malta", "suez"], 2.0),
    (&["tripoli", "benghazi", "alexandria"], 0.5),
    (&["abadan", "basra"], 1.0),
    (&["athens"], 2.0),
];

/// What Oslo counts besides in 1939B.
const OSLO: f32 = 3.0;
/// What the hex counts there through which Oslo's railway to the coast goes: who holds it starves the garrison.
const RAILWAY_TO_OSLO: f32 = 2.0;
/// What a major port of England counts besides there: its loss decides the scenario.
const ENGLAND: f32 = 1.0;
/// What Paris counts there for the Axis besides: France offers an armistice when it is lost.
const PARIS: f32 = 7.0;
/// What the ports of Egypt count there for the Axis besides: Suez alone fulfils condition e, both with the other ports of North
/// Africa, which it has or may have by Vichy, f.
const EGYPT: (&[&str], f32) = (&["alexandria", "suez"], 10.0);
/// The places by which Finland has its supply in the Winter War (21.481).
const LIFELINE: [&str; 3] = ["helsinki", "tampere", "oulu"];
/// The only one of them where nobody moves by rail through a battle (18.35).
const NARROWS: &str = "tampere";
/// The one that must be taken to cut the line.
const JUNCTION: &str = "oulu";
/// What a point of a Victory City counts where they decide the scenario (19.5).
const VICTORY_CITY: f32 = 2.0;
/// The forts of the Maginot Line (20.44).
const MAGINOT: [&str; 3] = ["metz", "strasbourg", "mulhouse"];

/// What the objective of an operation is worth besides, in production points.
const OBJECTIVE: f32 = 10.0;

/// A value for every place.
pub(super) type Places<T = f32> = [T; PLACES];
/// The same on the heap.
pub(super) type Field<T = f32> = Box<Places<T>>;

/// Everywhere the same value.
#[allow(clippy::unnecessary_box_returns)] // it would lie on the stack
pub(super) fn field<T: Copy>(value: T) -> Field<T> {
    Box::new([value; PLACES])
}

/// What makes a place worth having.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Prize {
    /// What it counts towards victory.
    pub count: f32,
    /// Production points a month.
    pub income: f32,
    /// Towns that are loyal to a side.
    pub towns: f32,
    /// It is a capital.
    pub capital: bool,
    /// What it counts for the Axis besides, whose war it decides.
    pub drive: f32,
    /// The war is decided there for a camp, by camp: its loss loses the war.
    pub key: [bool; 2],
}

/// How a hex helps who is attacked in it in some weather, against open ground, if it is no fortress.
fn cover(game: &EuroFront, hex: Hex, weather: Weather) -> f32 {
    let combat = &game.rules.combat;
    let city = if game.map().major_cities.contains(hex) { combat.city } else { 1 };
    let effect = &game.rules.weather[weather as usize];
    let hits = game.terrain_effect(hex).defence.max(city).max(effect.defence).max(1).min(combat.most);
    shelter_of(game, hex, f32::from(hits))
}

/// How so many hits for a step in a hex help who is attacked in it, against open ground.
pub(super) fn shelter_of(game: &EuroFront, hex: Hex, hits: f32) -> f32 {
    let city = if game.map().major_cities.contains(hex) { 1.4 } else { 1.0 };
    city * hits.sqrt()
}

/// Hexes at most so many steps from one that [`Rings`] list.
pub(super) const REACH: usize = 3;
/// Most of them.
const MOST_AROUND: usize = 3 * REACH * (REACH + 1);

/// Hexes in play around one, by how many steps over land they are away.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rings {
    hexes: [Hex; MOST_AROUND],
    /// Where in that list each ring ends.
    ends: [u8; REACH],
    /// From which of the inner ones one comes to each, by their numbers: bits.
    from: [u32; MOST_AROUND],
}

impl Rings {
    const NONE: Rings = Rings { hexes: [Hex(0); MOST_AROUND], ends: [0; REACH], from: [0; MOST_AROUND] };

    fn around(game: &EuroFront, hex: Hex) -> Rings {
        let (map, mut rings, mut len) = (game.map(), Rings::NONE, 0);
        let (mut reached, mut ring) = (Hexes::one(hex), Hexes::one(hex));
        for end in &mut rings.ends {
            ring = game.board().across(&ring, &map.land).and(&map.in_play).difference(&reached);
            reached = reached.or(&ring);
            for hex in ring {
                rings.hexes[len] = hex;
                len += 1;
            }
            *end = len as u8;
        }
        for nth in 0..len {
            let beside = game.board().across(&Hexes::one(rings.hexes[nth]), &map.land);
            let inner = rings.inner().iter().enumerate();
            rings.from[nth] =
                inner.filter(|(_, hex)| beside.contains(**hex)).fold(0, |bits, (inner, _)| bits | 1 << inner);
        }
        rings
    }

    /// The hexes of each ring, from the nearest on.
    pub fn each(&self) -> [&[Hex]; REACH] {
        let [one, two, three] = self.ends.map(usize::from);
        [&self.hexes[..one], &self.hexes[one..two], &self.hexes[two..three]]
    }

    /// Those through which one comes to the last ring.
    pub fn inner(&self) -> &[Hex] {
        &self.hexes[..usize::from(self.ends[REACH - 2])]
    }

    /// How many steps it takes to every hex, `None` for more than there are rings, past barred hexes through which nobody comes.
    pub fn past(&self, barred: &Hexes) -> impl Iterator<Item = (Hex, usize)> {
        let inner = self.inner().iter().enumerate();
        let closed = inner.fold(0u32, |bits, (nth, &hex)| bits | u32::from(barred.contains(hex)) << nth);
        let [first, .., last] = self.ends.map(usize::from);
        // After each step: those of the inner ones that have been reached.
        let mut reached = [0u32; REACH];
        reached[0] = (1 << first) - 1;
        for step in 1..REACH {
            let open = reached[step - 1] & !closed;
            let new = (first..self.inner().len()).filter(|&nth| self.from[nth] & open != 0);
            reached[step] = new.fold(reached[step - 1], |bits, nth| bits | 1 << nth);
        }
        let open = reached.map(|reached| reached & !closed);
        (0..last).filter_map(move |nth| {
            let ring = if nth < first {
                Some(0)
            } else {
                (1..REACH).find(|&ring| self.from[nth] & open[ring - 1] != 0)
            };
            ring.map(|ring| (self.hexes[nth], ring))
        })
    }
}

/// Facts that need no state.
#[derive(Clone, Debug)]
pub(super) struct MapTables {
    /// Places worth something, in ascending order.
    pub prizes: Vec<(Hex, Prize)>,
    /// Their places.
    pub prized: Hexes,
    /// Those whose loss loses the war, by camp.
    pub keys: [Hexes; 2],
    /// Places from which a zone of control reaches one of them.
    pub beside_prized: Hexes,
    /// What the scenario is about.
    pub goal: Goal,
    /// The Spanish Civil War.
    pub civil_war: bool,
    /// Lines in which there is something in play.
    pub lines: std::ops::Range<usize>,
    /// Places in play, in ascending order.
    pub places: Vec<Hex>,
    /// What lies around every place.
    pub rings: Vec<Rings>,
    /// How values reach on from them by land and by the routes of areas.
    pub slopes: Slopes,
    /// How each kind of weather and what lies in a hex help who is attacked in it, against open ground.
    pub cover: [Field; Weather::ALL.len()],
    /// Chance in sixths that a die of a type hits as the active and as the passive side.
    pub fire: [[f32; 2]; Kind::COUNT],
    /// Price of a step of a type, usual production.
    pub price: [f32; Kind::COUNT],
    /// Routes of areas over which armies draw each other: those of the North. In the South garrisons stay where they are.
    pub routes: Vec<RouteTable>,
    /// The scenario of the Winter War. It is decided along the routes of areas: attacks are planned over them as well, and who
    /// is a stranger to the Arctic keeps away.
    pub winter_war: bool,
    /// Norway, in the scenario in which it is all that counts (1939B): nobody stands there but its garrisons, mostly.
    pub norway: Hexes,
    /// Ports over the sea that decide a scenario for the Axis: Oslo in 1939B, those of England in 1940A.
    pub over_sea: Hexes,
    /// The district on the line of Finland's supply, which is cut where somebody is engaged in it (18.35), in that scenario.
    pub narrows: Option<Hex>,
    /// The region on that line, which is cut where it is taken.
    pub junction: Option<Hex>,
    /// A war so long that what headquarters save is spent later: a campaign, or the Victory Cities of 1944.
    pub long_war: bool,
    /// Where everybody knows of a fort, and whose it is: the Maginot Line (20.44), and those of minor powers (20.72, 20.91).
    pub forts: Vec<(Hex, NationId)>,
}

/// Sixths of a die that hit.
pub(super) fn sixths(game: &EuroFront, fire: Fire) -> f32 {
    if fire == Fire::None { 0.0 } else { f32::from(7 - game.rules.combat.hits_from[fire as usize]) }
}

impl MapTables {
    pub fn new(game: &EuroFront) -> MapTables {
        let rules = &game.rules;
        let mut prizes: Vec<(Hex, Prize)> = Vec::new();
        let mut add = |hex: Hex, change: &dyn Fn(&mut Prize)| {
            let at = prizes.iter().position(|(known, _)| *known == hex).unwrap_or_else(|| {
                prizes.push((hex, Prize::default()));
                prizes.len() - 1
            });
            change(&mut prizes[at].1);
        };
        let in_play = &game.map().in_play;
        let by_cities = matches!(rules.scenario.situation.goal, Goal::VictoryCities { .. });
        if let Some(war) = &rules.civil_war {
            for &(hex, count) in &war.pacification {
                // Railways must join it to a source.
                let joined = game.map().rail_hexes.contains(hex);
                let share = if joined { 1.0 } else { 0.4 };
                add(hex, &|prize| prize.count = share * f32::from(count));
            }
            for &(hex, _) in &war.loyal {
                add(hex, &|prize| prize.towns = 1.0);
            }
            for hex in war.capitals {
                add(hex, &|prize| prize.capital = true);
            }
        } else {
            for place in &rules.map.places {
                let count = match place.city {
                    City::Major | City::Open => 1.0,
                    City::Minor => 0.5,
                    City::Town | City::None => 0.0,
                };
                let count = count + f32::from(place.victory) * if by_cities { VICTORY_CITY } else { 0.5 };
                if count > 0.0 {
                    add(place.hex, &|prize| prize.count += count);
                }
            }
            // Norway is beaten with its army, which stands in its ports and starves once Oslo is lost (1939B, 21.494).
            if rules.scenario.situation.goal == Goal::Weser
                && let Some(norway) = rules.nation("norway")
            {
                if let Some(hex) = rules.nations[norway.at()].capital {
                    add(hex, &|prize| prize.count += OSLO);
                    let rails = game.board().across(&Hexes::one(hex), &game.map().rails);
                    for hex in rails.and(&game.territory_of_1939(norway)) {
                        add(hex, &|prize| prize.count += RAILWAY_TO_OSLO);
                    }
                }
                for hex in game.territory_of_1939(norway).and(&game.seas().harbours) {
                    add(hex, &|prize| prize.count += 1.0);
                }
            }
            if rules.scenario.situation.goal == Goal::Campaign
                && let Some(hex) = rules.place("berlin")
            {
                add(hex, &|prize| prize.key[Camp::Axis.index()] = true);
            }
            if rules.scenario.situation.goal == Goal::FallOfFrance {
                for hex in *game.english_ports() {
                    add(hex, &|prize| {
                        prize.count += ENGLAND;
                        prize.key = [true; 2];
                    });
                }
                if let Some(hex) = rules.place("paris") {
                    add(hex, &|prize| prize.drive += PARIS);
                }
                for hex in EGYPT.0.iter().filter_map(|id| rules.place(id)) {
                    add(hex, &|prize| prize.drive += EGYPT.1);
                }
                for (ids, count) in PRIZES_OF_1940 {
                    for hex in ids.iter().filter_map(|id| rules.place(id)) {
                        add(hex, &|prize| prize.count += count);
                    }
                }
            }
            if rules.scenario.situation.goal == Goal::WinterWar {
                for hex in LIFELINE.iter().filter_map(|id| rules.place(id)) {
                    add(hex, &|prize| prize.count += 2.0);
                }
            }
            for nation in &rules.nations {
                if let Some(hex) = nation.capital {
                    add(hex, &|prize| prize.capital = true);
                }
            }
        }
        for &(hex, city, resources) in &game.map().points {
            add(hex, &|prize| prize.income += f32::from(city) + 1.5 * f32::from(resources));
        }
        prizes.retain(|(hex, _)| in_play.contains(*hex));
        prizes.sort_unstable_by_key(|(hex, _)| *hex);
        let fire = rules.kinds.map(|kind| [sixths(game, kind.fire.offence), sixths(game, kind.fire.defence)]);
        let price = std::array::from_fn(|kind| {
            let of_war = rules.civil_war.as_ref().and_then(|war| war.costs[kind]);
            let cost = of_war.or_else(|| rules.kinds[kind].costs.iter().flatten().next().copied());
            cost.map_or(0.0, |cost| f32::from(cost.step))
        });
        let southern = |hex: Hex| game.front(hex) == Front::Mediterranean;
        let routes = game.map().routes.iter();
        let routes: Vec<RouteTable> =
            routes.filter(|route| !southern(route.a) && !southern(route.b)).copied().collect();
        let ends = routes.iter().flat_map(|route| [(route.a, route.b), (route.b, route.a)]);
        let ends = ends.filter(|&(near, far)| in_play.contains(near) && in_play.contains(far));
        let line = MAGINOT.iter().filter_map(|id| Some((rules.place(id)?, rules.nation("france")?)));
        let of_minors = rules.nations.iter().enumerate();
        let of_minors = of_minors.filter_map(|(at, data)| Some((data.fort?, NationId(at as u8))));
        let prized: Hexes = prizes.iter().map(|(hex, _)| *hex).collect();
        let overlooks = |hex| game.board().across(&Hexes::one(hex), &game.map().zoc).intersects(&prized);
        MapTables {
            beside_prized: in_play.filter(overlooks),
            keys: Camp::ALL.map(|camp| {
                let keys = prizes.iter().filter(|(_, prize)| prize.key[camp.index()]);
                keys.map(|(hex, _)| *hex).collect()
            }),
            forts: line.chain(of_minors).collect(),
            long_war: by_cities || rules.scenario.situation.goal == Goal::Campaign,
            routes: routes.clone(),
            junction: rules.place(JUNCTION).filter(|_| rules.scenario.situation.goal == Goal::WinterWar),
            narrows: rules.place(NARROWS).filter(|_| rules.scenario.situation.goal == Goal::WinterWar),
            winter_war: rules.scenario.situation.goal == Goal::WinterWar,
            norway: match rules.nation("norway") {
                Some(norway) if rules.scenario.situation.goal == Goal::Weser => {
                    game.territory_of_1939(norway)
                }
                _ => Hexes::EMPTY,
            },
            over_sea: match rules.scenario.situation.goal {
                Goal::Weser => rules
                    .nation("norway")
                    .and_then(|nation| rules.nations[nation.at()].capital)
                    .into_iter()
                    .collect(),
                Goal::FallOfFrance => *game.english_ports(),
                _ => Hexes::EMPTY,
            },
            places: in_play.iter().collect(),
            rings: rings_around(game),
            slopes: Slopes::new(game, in_play, ends.collect()),
            cover: Weather::ALL.map(|weather| {
                let mut all = field(1.0);
                in_play.iter().for_each(|hex| all[hex.at()] = cover(game, hex, weather));
                all
            }),
            prized,
            prizes,
            goal: rules.scenario.situation.goal,
            civil_war: game.is_civil_war(),
            lines: game.map().lines.clone(),
            fire,
            price,
        }
    }

    /// What every place is worth by some weights.
    pub fn worth(&self, camp: Camp, weights: &Weights) -> Field {
        let mut worth = field(0.0);
        if !self.civil_war {
            for hex in &self.places {
                worth[hex.at()] = weights.ground;
            }
        }
        for &(hex, prize) in &self.prizes {
            let drive = if camp == Camp::Axis { prize.drive } else { 0.0 };
            worth[hex.at()] += weights.city * (prize.count + drive)
                + weights.income * prize.income
                + weights.town * prize.towns
                + if prize.capital { weights.capital } else { 0.0 }
                + if prize.key[camp.index()] { weights.key } else { 0.0 };
        }
        worth
    }

    /// Sets a field to a value in the lines in play.
    pub fn clear<T: Copy>(&self, field: &mut Places<T>, value: T) {
        field[self.lines.start * 64..self.lines.end * 64].fill(value);
    }
}

/// What lies around every place.
fn rings_around(game: &EuroFront) -> Vec<Rings> {
    let mut all = vec![Rings::NONE; PLACES];
    for hex in game.map().in_play {
        all[hex.at()] = Rings::around(game, hex);
    }
    all
}

/// What each camp thinks a place is worth: usually, and while it is on the offensive.
#[derive(Clone, Debug)]
pub(super) struct Worths([[Field; 2]; 2]);

impl Worths {
    pub fn new(tables: &MapTables, weights: &[Weights; 2]) -> Worths {
        let of = |camp: Camp, weights: Weights| {
            [tables.worth(camp, &weights), tables.worth(camp, &weights.offensive())]
        };
        Worths(Camp::ALL.map(|camp| of(camp, weights[camp.index()])))
    }

    /// What places are worth to a camp that is to win one of them before all else.
    pub fn with_objective(&self, camp: Camp, objective: Hex) -> Worths {
        let mut worths = self.clone();
        for field in &mut worths.0[camp.index()] {
            let place = &mut field[objective.at()];
            *place = worth_of_objective(*place, OBJECTIVE);
        }
        worths
    }

    pub fn of(&self, camp: Camp, offensive: bool) -> &Places {
        &self.0[camp.index()][usize::from(offensive)]
    }
}

#[cfg(test)]
mod tests {
    use sandtable_core::Index;
    use sandtable_eurofront::ids::Camp;

    use super::MapTables;
    use crate::testing::game;
    use crate::weights::Weights;

    #[test]
    fn victory_cities_count_where_they_decide() {
        // Sofia is a Victory City, Rotterdam only a rich one.
        let ahead = |scenario: &str| {
            let game = game(scenario);
            let worth = MapTables::new(&game).worth(Camp::Coalition, &Weights::of(Camp::Coalition, true));
            let [sofia, rotterdam] =
                ["sofia", "rotterdam"].map(|id| worth[game.rules.place(id).unwrap().at()]);
            sofia - rotterdam
        };
        assert!(ahead("1944") > ahead("1943") + 10.0);
    }
}
