//! What the map and the charts say once and for all: what areas are worth, what counts for victory.

use sandtable_core::{Board, Index};
use sandtable_europe_engulfed::EuropeEngulfed;
use sandtable_europe_engulfed::ids::{Area, Areas, Nation};
use sandtable_europe_engulfed::rules::{AreaData, Condition, Country, CountryKind, Victory};

/// Worth of areas, in steps of infantry: of any, of a resource point, of an area that decides the game, of a victory point or one of
/// several areas that decide it together, of a capital, of one of a Major Power beyond that, of a source of supply.
const GROUND: f32 = 0.6;
const RESOURCE: f32 = 0.5;
const AIM: f32 = 9.0;
const POINT: f32 = 3.0;
const CAPITAL: f32 = 2.0;
const MAJOR: f32 = 4.0;
const SOURCE: f32 = 1.5;

/// Steps up to which the surroundings of areas are tabled, and none.
const STEPS: usize = 7;

/// Facts of the map that need no state.
#[derive(Clone, Debug)]
pub(super) struct MapTables {
    /// Worth of each area to whoever controls it, in steps of infantry, without what stands there.
    pub worth: Vec<f32>,
    /// Areas that count for victory.
    pub aims: Areas,
    /// Where a scenario is decided by areas alone at its end (16.1): how many each team needs.
    pub needed: Option<[u32; 2]>,
    /// Those of them whose loss decides the game at once (10.4).
    pub decisive: Areas,
    /// Major Powers that are conquered when all of several areas are lost, with those (10.4): one of them that holds is enough.
    pub together: Vec<(Nation, Areas)>,
    /// Areas in which a beachhead that is lost gives the enemy a point (A99).
    pub beachheads: Areas,
    /// Bomb hits count for victory.
    pub bombing: bool,
    /// Capitals with whose loss a nation leaves the war at once: those of minors (9.6) and of France (9.5).
    pub capitals: Vec<(Nation, Area)>,
    /// Ports and beaches of each sea zone.
    pub ports: Vec<Areas>,
    pub beaches: Vec<Areas>,
    /// By area: the other ends of its air links.
    pub links: Vec<Areas>,
    /// By area: those next to it, and those at most 0, 1, .. steps away.
    pub neighbours: Vec<Box<[Area]>>,
    within: Vec<[Areas; STEPS]>,
}

impl MapTables {
    pub fn new(game: &EuropeEngulfed) -> MapTables {
        let rules = &game.rules;
        let count = rules.areas.len();
        let mut worth = vec![0.0; count];
        let (mut aims, mut decisive) = (Areas::EMPTY, Areas::EMPTY);
        let (mut beachheads, mut bombing) = (Areas::EMPTY, false);
        // Whether the conquest of a Major Power ends the game (10.4, 16.22).
        let mut conquers = false;
        let mut together = Vec::new();
        let mut of_areas = None;
        match &rules.victory {
            Victory::Areas { areas, needed } => {
                aims = *areas;
                of_areas = Some([areas.len(), u32::from(*needed)]);
                areas.iter().for_each(|area| worth[area.at()] += AIM);
            }
            Victory::Points { points, conquest, .. } => {
                conquers |= conquest;
                for point in points {
                    bombing |= matches!(point.condition, Condition::BombHitsAtLeast(_));
                    if point.condition == Condition::BeachheadsRepelled {
                        beachheads = beachheads.or(&point.areas);
                        continue;
                    }
                    aims = aims.or(&point.areas);
                    point.areas.iter().for_each(|area| worth[area.at()] += POINT * f32::from(point.points));
                }
            }
            Victory::Conquest => conquers = true,
        }
        if conquers {
            for conquest in &rules.politics.conquest {
                decisive = decisive.or(&conquest.all);
                if conquest.all.len() > 1 {
                    together.push((conquest.nation, conquest.all));
                }
                aims = aims.or(&conquest.all).or(&conquest.some.0);
                conquest.all.iter().for_each(|area| worth[area.at()] += AIM);
                conquest.some.0.iter().for_each(|area| worth[area.at()] += POINT);
            }
        }
        for (at, data) in rules.areas.iter().enumerate() {
            worth[at] += GROUND + RESOURCE * f32::from(data.resource);
            if data.source_of.is_some() {
                worth[at] += SOURCE;
            }
        }
        for country in &rules.countries {
            if let Some(capital) = country.capital {
                worth[capital.at()] += CAPITAL + if country.kind == CountryKind::Major { MAJOR } else { 0.0 };
            }
        }
        let surrenders =
            |country: &&Country| country.kind == CountryKind::Minor || country.owner == Nation::France;
        let capitals = rules.countries.iter().filter(surrenders);
        let capitals = capitals.filter_map(|country| Some((country.owner, country.capital?))).collect();
        let mut links = vec![Areas::EMPTY; count];
        for &(a, b) in &rules.air_links {
            links[a.at()].insert(b);
            links[b.at()].insert(a);
        }
        let coast = |of: &dyn Fn(&AreaData, usize) -> bool| {
            let with = |sea| game.areas().filter(|area| of(&rules.areas[area.at()], sea));
            (0..rules.seas.len()).map(with).collect()
        };
        let ports = coast(&|area, sea| area.ports >> sea & 1 != 0);
        let beaches = coast(&|area, sea| area.beaches[sea] > 0);
        let all = game.areas();
        let neighbours =
            (0..count).map(|at| game.land().neighbours(Area::nth(at)).iter().collect()).collect();
        let around = |at: usize| {
            std::array::from_fn(|steps| {
                game.land().within_open(Areas::one(Area::nth(at)), steps as u32, &all)
            })
        };
        let within = (0..count).map(around).collect();
        MapTables {
            worth,
            aims,
            needed: of_areas,
            decisive,
            together,
            beachheads,
            bombing,
            capitals,
            ports,
            beaches,
            links,
            neighbours,
            within,
        }
    }

    /// Areas at most so many steps from one.
    #[inline]
    pub fn within(&self, area: Area, steps: u32) -> &Areas {
        &self.within[area.at()][steps as usize]
    }
}
