//! Declarations of war (9.0) and the raids of the strategic war (2.0).

use sandtable_core::Index;
use sandtable_europe_engulfed::ids::{Area, Areas, Nations};
use sandtable_europe_engulfed::rules::{Bimester, CountryKind, Standing};
use sandtable_europe_engulfed::state::happened;
use sandtable_europe_engulfed::{Action, Nation, Team, UnitId};

use sandtable_ai::policy::best_action;

use super::Scripted;
use crate::outlook::Outlook;

/// When Germany goes for the Low Countries and Denmark, at the earliest.
const WEST: Bimester = Bimester { year: 1940, nth: 3 };
/// When it goes for the Balkans.
const BALKANS: Bimester = Bimester { year: 1940, nth: 6 };
/// The year of the attack on the USSR, and its months: with the summer before it.
const EAST: u16 = 1941;
const SUMMER: [u8; 2] = [3, 4];
/// When the Western Allies go for Vichy's Africa.
const TORCH: Bimester = Bimester { year: 1942, nth: 5 };

/// What a declaration of war is worth; nothing is worth 0.
pub(super) fn declaration(outlook: &Outlook<'_>, action: Action) -> f32 {
    let &Outlook { game, state, team, .. } = outlook;
    let Action::DeclareWar(by, on) = action else { return 0.0 };
    let now = game.bimester(state.turn);
    let fallen = |nation| game.standing(state, nation) == Standing::Conquered;
    // Who is invaded looks for no more enemies.
    let home_is_safe = |nation: Nation| {
        let unsafe_areas = state.held(team.other()).or(&state.disputed());
        let home = |area: Area| game.country_of(area).owner == nation;
        !unsafe_areas.iter().any(home)
    };
    if by == Nation::Germany && !home_is_safe(by) {
        return -1.0;
    }
    let wanted = match (by, on) {
        (Nation::Germany, Nation::Belgium | Nation::Holland | Nation::Denmark) => {
            now >= WEST && fallen(Nation::Poland)
        }
        (Nation::Germany, Nation::Yugoslavia) => {
            now >= BALKANS && state.affairs.has(happened::FALL_OF_FRANCE)
        }
        (Nation::Germany, Nation::Greece) => now >= BALKANS && fallen(Nation::Yugoslavia),
        (Nation::Germany, Nation::SovietUnion) => {
            state.affairs.has(happened::FALL_OF_FRANCE) && now.year >= EAST && SUMMER.contains(&now.nth)
        }
        (Nation::GreatBritain, Nation::VichyFrance) => {
            now >= TORCH && game.standing(state, Nation::UnitedStates) == Standing::Belligerent
        }
        // The garrison is gone, or the time has come.
        (Nation::SovietUnion, Nation::Germany) => true,
        // At war with Germany it may attack the Axis minors alone, all together (16.33).
        (Nation::SovietUnion, _) if state.affairs.soviet_war > 0 => {
            pays_to_conquer(outlook, game.neutral_axis_minors(state))
        }
        (Nation::SovietUnion, minor) => pays_to_conquer(outlook, minor.bit()),
        _ => false,
    };
    if wanted { 1.0 } else { -1.0 }
}

/// Power beside a minor, against its army, with which the USSR makes short work of it.
const SHORT_WORK: f32 = 2.0;
/// WERP that American lend-lease brings the USSR a turn.
const LEND_LEASE: f32 = 3.5;

/// Whether a war of the USSR with minors brings more than it costs (14.321): WERP of their land, against the lend-lease of the turns to
/// come (14.322), which is lost but once.
fn pays_to_conquer(outlook: &Outlook<'_>, minors: Nations) -> bool {
    let &Outlook { game, state, .. } = outlook;
    let rules = &game.rules;
    let owned = |area: &Area| minors & game.country_of(*area).owner.bit() != 0;
    let land = game.areas().filter(|area| owned(&area));
    let paying = land.iter().filter(|area| rules.areas[area.at()].resource > 0).count() as f32;
    let turns = f32::from(outlook.turns_left());
    let norway = game.standing(state, Nation::Norway) == Standing::Conquered;
    let lent = if norway { LEND_LEASE / 2.0 } else { LEND_LEASE };
    let free = state.affairs.counts.soviets.declared > 0 || state.affairs.soviet_war > 0;
    let cost = if free { 0.0 } else { lent };
    let army: u32 = rules
        .kinds
        .iter()
        .filter(|kind| minors & kind.nation.bit() != 0)
        .map(|kind| u32::from(kind.max) * u32::from(kind.counters))
        .sum();
    let beside = |unit: &UnitId| {
        let at = state.location(*unit);
        at.is_on_map() && game.land().neighbours(at).intersects(&land)
    };
    let soviets =
        game.unit_ids().filter(|unit| game.nation(*unit) == Nation::SovietUnion && !game.is_air(*unit));
    let power: u32 = soviets.filter(beside).map(|unit| u32::from(state.steps(unit))).sum();
    let value = f32::from(rules.production.conquered_value);
    (value * paying - cost) * turns > 0.0 && power as f32 >= SHORT_WORK * army as f32
}

/// Escorts that keep a fighter busy: more of them would fire in vain.
const BUSY: u8 = 2;

/// All bombers go with all the escorts there are, if no more fighters than that can meet them; all fighters and Me-262 meet them. Escorts
/// fire at fighters, who are hit more easily, and only those that are left at the Me-262 (13.35).
pub(super) fn raid(outlook: &Outlook<'_>, legal: &[Action]) -> Option<Action> {
    let forces = &outlook.state.strategic;
    let needed = forces.met_by[0].unwrap_or(0).saturating_mul(BUSY);
    let left = forces.raid[1].saturating_sub(needed);
    // Jets meet a raid too (13.35).
    let jets = if outlook.team == Team::Second { forces.me262 } else { 0 };
    let fighters = forces.fighters[outlook.team.other().index()].saturating_add(jets);
    best_action(legal, |action| match action {
        Action::Raid(bombers, escorts) if fighters > bombers + escorts => -1.0,
        Action::Raid(bombers, escorts) => f32::from(bombers) + 0.1 * f32::from(escorts),
        Action::Interceptors(count) | Action::Jets(count) => f32::from(count),
        Action::AtJets(count) => -f32::from(count.abs_diff(left)),
        _ => 0.0,
    })
}

/// How much each power of the enemy in and around a city counts against one of those who come for it.
const HELD: f32 = 2.0;

/// Steps that a France in exile has at least, sooner or later.
const EXILE: f32 = 10.0;

/// Share of the blocks of a France in exile that come back (14.354).
const BACK: f32 = 0.3;

impl Scripted {
    /// What the armistice with France brings beyond its conquest (9.52, 14.35): all its army goes at once, and its colonies stay out of
    /// the war; but the south that is not taken yet is out of reach, which falls with Marseille. Who fails to conquer France meets
    /// its army again, by option abroad too.
    pub(super) fn worth_of_armistice(&self, outlook: &Outlook<'_>) -> f32 {
        let &Outlook { game, state, team, weights, .. } = outlook;
        let politics = &game.rules.politics;
        let french = game.areas().filter(|area| state.controller(area) == Some(Nation::France));
        let at_home = |area: &Area| {
            let country = game.country_of(*area);
            country.kind == CountryKind::Major
        };
        let worth = |areas: Areas| areas.iter().map(|area| self.map.worth[area.at()]).sum::<f32>();
        // Ground that is fought over goes to whoever stands there, terms or not.
        let free = politics.vichy.and(&french).difference(&state.disputed());
        let south = weights.prize * worth(free.filter(|area| at_home(&area)));
        let colonies = weights.keep * worth(french.filter(|area| !at_home(&area)));
        // Who is next to the cities that are still missing, against who stands in them and around.
        let missing = politics.french_cities.difference(state.held(team)).or(&state.disputed());
        let missing = missing.and(&politics.french_cities);
        let takes = |city: Area| {
            let near = game.land().neighbours(city).or(&Areas::one(city));
            let power =
                |team: Team| near.iter().map(|area| self.survey.army(team, area).power()).sum::<f32>();
            let (own, foe) = (power(team), power(team.other()));
            own / (own + HELD * foe + 0.1)
        };
        let conquest = missing.iter().map(takes).fold(1.0, f32::min);
        let units =
            game.unit_ids().filter(|unit| game.nation(*unit) == Nation::France && state.is_on_map(*unit));
        let army = units.map(|unit| f32::from(state.steps(unit))).sum::<f32>();
        let exile = if game.rules.options.french_terms { BACK * army.max(EXILE) } else { 0.0 };
        let agreed = weights.kill * army + colonies;
        let refused = conquest * (weights.kill * army + south) - (1.0 - conquest) * exile;
        agreed - refused
    }
}
