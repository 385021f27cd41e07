//! The facts of Roads to Moscow in words, and how much each matters.

use sandtable_core::{Hex, Index as _};
use sandtable_roads_to_moscow::combat::{Modifiers, column_name};
use sandtable_roads_to_moscow::event::{Cause, Check, SupplyStatus};
use sandtable_roads_to_moscow::ids::Units;
use sandtable_roads_to_moscow::rules::{CombatResult, Crt, Kind, Weather};
use sandtable_roads_to_moscow::{Event, RoadsToMoscow, Sequence, UnitId};

use super::map::number;
use sandtable_experiments::system::Importance;

/// Final strengths together from which on a combat is a headline.
const GREAT_COMBAT: u16 = 24;

/// A hex by number and name.
pub(super) fn hex(game: &RoadsToMoscow, hex: Hex) -> String {
    game.hex_name(hex)
}

/// A unit by its counter: designation and formation.
pub(super) fn unit(game: &RoadsToMoscow, unit: UnitId) -> String {
    let name = &game.unit(unit).designation;
    match game.formation(unit) {
        Some(formation) => format!("{name} ({})", game.formation_name(formation)),
        None => name.clone(),
    }
}

/// Several units: formation by formation.
pub(super) fn units(game: &RoadsToMoscow, units: &Units) -> String {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for unit in units.iter() {
        let formation = game.formation(unit);
        let whose = formation.map_or_else(|| "Army".to_owned(), |at| game.formation_name(at).to_owned());
        let name = game.unit(unit).designation.as_str();
        match groups.iter_mut().find(|(known, _)| *known == whose) {
            Some((_, names)) => names.push(name),
            None => groups.push((whose, vec![name])),
        }
    }
    if groups.is_empty() {
        return "nobody".to_owned();
    }
    let told = groups.into_iter().map(|(whose, names)| format!("{} ({whose})", names.join(", ")));
    told.collect::<Vec<_>>().join(", ")
}

fn formation(game: &RoadsToMoscow, formation: sandtable_roads_to_moscow::FormationId) -> &str {
    &game.rules.formations[formation.at()].name
}

pub(super) fn sequence(sequence: Sequence) -> &'static str {
    match sequence {
        Sequence::None => "no sequence",
        Sequence::Mobile => "Mobile Sequence",
        Sequence::Assault => "Assault Sequence",
    }
}

fn checked(check: Check) -> &'static str {
    match check {
        Check::ArmyUnit => "to be activated",
        Check::Refusal => "to refuse combat",
        Check::Reaction => "to react",
        Check::NoRetreat => "not to retreat",
        Check::Air => "of air coordination",
        Check::Artillery => "of artillery coordination",
        Check::Ground => "of ground coordination",
        Check::Retreat => "of the retreat past the enemy",
        Check::Survival => "of survival",
        Check::Recovery => "to recover",
    }
}

fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::Combat => "in combat",
        Cause::Attrition => "by armour attrition",
        Cause::NoRetreat => "rather than retreat",
        Cause::Overrun => "in an overrun that failed",
        Cause::Retreat => "in retreat",
        Cause::Stacking => "to overstacking",
        Cause::Entered => "as the enemy entered the hex",
        Cause::Red => "on a red result",
    }
}

/// The modifiers that are not nought, by name.
pub(super) fn modifiers(modifiers: &Modifiers) -> Vec<(&'static str, i8)> {
    [
        ("terrain", modifiers.terrain),
        ("stream", modifiers.stream),
        ("river", modifiers.river),
        ("slope", modifiers.slope),
        ("works", modifiers.works),
        ("efficiency", modifiers.efficiency),
        ("air", modifiers.air),
        ("no retreat", modifiers.no_retreat),
        ("combined arms", modifiers.combined_arms),
        ("uncoordinated", modifiers.uncoordinated),
        ("engineers", modifiers.engineers),
    ]
    .into_iter()
    .filter(|modifier| modifier.1 != 0)
    .collect()
}

/// What a result means.
fn result(result: CombatResult) -> String {
    let side = |name: &str, loss: &sandtable_roads_to_moscow::rules::Loss| {
        let mut parts = Vec::new();
        if loss.eliminated {
            parts.push("is eliminated".to_owned());
        }
        match loss.steps {
            0 => {}
            1 => parts.push("loses a step".to_owned()),
            steps => parts.push(format!("loses {steps} steps")),
        }
        if loss.retreat {
            parts.push("retreats".to_owned());
        }
        if loss.disorganised {
            parts.push("is disorganised".to_owned());
        }
        (!parts.is_empty()).then(|| format!("{name} {}", parts.join(" and ")))
    };
    let parts: Vec<String> = [side("attacker", &result.attacker), side("defender", &result.defender)]
        .into_iter()
        .flatten()
        .collect();
    let red = if result.red { ", red" } else { "" };
    if parts.is_empty() { format!("no effect{red}") } else { format!("{}{red}", parts.join(", ")) }
}

fn combat(game: &RoadsToMoscow, event: &Event) -> Option<String> {
    let Event::Combat { target, strengths, column, modifiers: all, modifier, roll, result: read } = *event
    else {
        return None;
    };
    // Both tables have the same columns, as far as they go.
    let table = &game.rules.results[Crt::Mobile as usize];
    let parts: Vec<String> =
        modifiers(&all).iter().map(|(name, value)| format!("{name} {value:+}")).collect();
    let parts = if parts.is_empty() { "no modifiers".to_owned() } else { parts.join(", ") };
    let [attack, defence] = strengths;
    let die = match roll {
        0 => String::new(),
        roll => format!(", die {roll} {modifier:+}"),
    };
    Some(format!(
        "{}: {attack} against {defence}, {} ({parts}){die}: {read} - {}",
        hex(game, target),
        column_name(table, column),
        result(read)
    ))
}

fn begins(game: &RoadsToMoscow, event: &Event) -> Option<String> {
    let Event::CombatBegins { target, attackers, defenders, crt, overrun } = *event else { return None };
    let how = match (overrun, crt) {
        (true, _) => "overrun of",
        (false, Crt::Assault) => "assault on",
        (false, Crt::Mobile) => "mobile attack on",
    };
    Some(format!(
        "{how} {}: {} against {}",
        hex(game, target),
        units(game, &attackers),
        units(game, &defenders)
    ))
}

/// A fact in words; `None` if it goes without saying.
pub(super) fn narrate(game: &RoadsToMoscow, event: &Event) -> Option<String> {
    let named = |id: UnitId| unit(game, id);
    let air = |id: sandtable_roads_to_moscow::AirId| game.rules.air[id.at()].name.clone();
    let text = match *event {
        Event::TurnBegins { weather, roll, .. } => {
            let sky = match weather {
                Weather::Dry => "dry",
                Weather::Overcast => "overcast",
                Weather::Rain => "rain",
            };
            if roll == 0 { format!("weather: {sky}") } else { format!("weather: {sky} (die {roll})") }
        }
        Event::FuelReceived { units, roll } => format!("{units} fuel units received (die {roll})"),
        Event::GroupTaken { group } => {
            let group = &game.rules.groups[usize::from(group)];
            format!("{} takes optional group {}", group.player.name(), group.id)
        }
        Event::Reserved { formation: at } => format!("{} goes into Reserve", formation(game, at)),
        Event::Initiative { rolls, totals, first } => format!(
            "initiative: German {} (die {}), Soviet {} (die {}): {} is First Player",
            totals[0],
            rolls[0],
            totals[1],
            rolls[1],
            first.name()
        ),
        Event::CupFilled { player, markers } => format!("{}: {markers} markers in the cup", player.name()),
        Event::Drawn { marker } => format!("{} is drawn", formation(game, game.formation_of(marker))),
        Event::Passed { player, marker } => {
            format!("{} passes: {} into the pool", player.name(), formation(game, game.formation_of(marker)))
        }
        Event::Combined { revealed, other, roll, total, success } => format!(
            "{} with {}: combined {total} (die {roll}), {}",
            formation(game, game.formation_of(revealed)),
            formation(game, game.formation_of(other)),
            if success { "together" } else { "not together" }
        ),
        Event::Activated { formation: at, sequence: kind } => {
            let player = game.rules.formations[at.at()].player;
            format!("{}: {}, {}", player.name(), formation(game, at), sequence(kind))
        }
        Event::ArmyActivated { unit, success } => {
            format!("{} {}", named(unit), if success { "is activated" } else { "is not activated" })
        }
        Event::FuelSpent { unit } => format!("fuel is spent: {}", named(unit)),
        Event::LowFuel { unit } => format!("{} moves low on fuel", named(unit)),
        Event::PointsSpent { unit } => format!("{} spends its command points", named(unit)),
        Event::Checked { check, unit, roll, modifier, rating, success } => format!(
            "{}: check {} with {roll} {modifier:+} against {rating}, {}",
            named(unit),
            checked(check),
            if success { "passed" } else { "failed" }
        ),
        Event::Digging { unit, at } => {
            format!("{} begins a Fortified Position in {}", named(unit), hex(game, at))
        }
        Event::PositionBuilt { player, at } => {
            format!("{} Fortified Position in {} is complete", player.name(), hex(game, at))
        }
        Event::PositionGone { player, at } => {
            format!("{} Fortified Position in {} is gone", player.name(), hex(game, at))
        }
        Event::LineDestroyed { at } => format!("the Fortified Line of {} is destroyed", hex(game, at)),
        Event::Entered { unit, at } => format!("{} enters at {}", named(unit), hex(game, at)),
        // The decision says so.
        Event::Moved { reaction: false, .. } | Event::Declared { .. } => return None,
        Event::Moved { unit, from, to, reaction: true } => {
            format!("{} reacts: {} to {}", named(unit), number(from), number(to))
        }
        Event::Refused { at, success } => {
            format!("{} {}", hex(game, at), if success { "refuses combat" } else { "fails to refuse combat" })
        }
        Event::NoRetreatDeclared { at, success } => {
            format!(
                "{} {}",
                hex(game, at),
                if success { "will not retreat" } else { "fails to declare No Retreat" }
            )
        }
        Event::CombatBegins { .. } => return begins(game, event),
        Event::AirCommitted { unit } => format!("{} fly", air(unit)),
        Event::AirLost { unit } => format!("{} are lost", air(unit)),
        Event::Supports { unit, target } => format!("{} supports in {}", named(unit), hex(game, target)),
        Event::Coordination { player, check, roll, modifier, success } => format!(
            "{}: check {} with {roll} {modifier:+}, {}",
            player.name(),
            checked(check),
            if success { "passed" } else { "failed" }
        ),
        Event::Combat { .. } => return combat(game, event),
        Event::Lost { unit, cause: why } => format!("{} loses a step {}", named(unit), cause(why)),
        Event::Eliminated { unit, at, cause: why } => {
            format!("{} is eliminated in {} {}", named(unit), hex(game, at), cause(why))
        }
        Event::Disorganised { unit } => format!("{} is disorganised", named(unit)),
        Event::Recovered { unit } => format!("{} recovers", named(unit)),
        Event::Retreated { unit, from, to } => {
            format!("{} retreats from {} to {}", named(unit), number(from), hex(game, to))
        }
        Event::Advanced { unit, from, to } => {
            format!("{} advances from {} to {}", named(unit), number(from), hex(game, to))
        }
        Event::Controlled { at, by } => format!("{} takes {}", by.name(), hex(game, at)),
        Event::Supply { unit, status } => {
            let now = match status {
                SupplyStatus::Supplied => "is in supply again",
                SupplyStatus::Emergency => "lives on emergency supply",
                SupplyStatus::Unsupplied => "is unsupplied",
            };
            format!("{} {now}", named(unit))
        }
        Event::TurnEnds { score, .. } => {
            let (attacker, threshold) = (game.rules.scenario.attacker, game.rules.scenario.threshold);
            format!("{} has {score} points of {threshold}", attacker.name())
        }
    };
    Some(text)
}

/// How much a fact matters.
pub(super) fn importance(game: &RoadsToMoscow, event: &Event) -> Importance {
    let is_objective = |at: Hex| game.rules.scenario.objectives.iter().any(|(objective, _)| *objective == at);
    match *event {
        Event::TurnBegins { .. }
        | Event::GroupTaken { .. }
        | Event::Activated { .. }
        | Event::AirLost { .. }
        | Event::LineDestroyed { .. }
        | Event::PositionBuilt { .. }
        | Event::PositionGone { .. }
        | Event::TurnEnds { .. } => Importance::Headline,
        Event::Controlled { at, .. } if is_objective(at) => Importance::Headline,
        Event::Combat { target, strengths, .. }
            if is_objective(target) || strengths[0] + strengths[1] >= GREAT_COMBAT =>
        {
            Importance::Headline
        }
        Event::Eliminated { unit, .. }
            if matches!(
                game.kind(unit),
                Kind::Headquarters | Kind::Arko | Kind::Leader | Kind::RocketArtillery | Kind::Armour
            ) =>
        {
            Importance::Headline
        }
        Event::FuelReceived { .. }
        | Event::Reserved { .. }
        | Event::Initiative { .. }
        | Event::Passed { .. }
        | Event::Combined { .. }
        | Event::Digging { .. }
        | Event::Refused { .. }
        | Event::NoRetreatDeclared { .. }
        | Event::CombatBegins { .. }
        | Event::Combat { .. }
        | Event::Eliminated { .. }
        | Event::Supply { .. } => Importance::Notable,
        _ => Importance::Detail,
    }
}

/// An Operations Sequence, as a step of a turn.
pub(super) fn step(game: &RoadsToMoscow, event: &Event) -> Option<String> {
    match *event {
        Event::Activated { formation: at, sequence: kind } => {
            let kind = if kind == Sequence::Mobile { "Mobile" } else { "Assault" };
            Some(format!("{}, {kind}", game.formation_name(at)))
        }
        _ => None,
    }
}
