//! The facts of Europe Engulfed in words, and how much each matters.

use sandtable_core::Index as _;
use sandtable_europe_engulfed::event::{LossCause, Purchase, SpecialAction, Way};
use sandtable_europe_engulfed::phase::{FireClass, Mode, Phase};
use sandtable_europe_engulfed::rules::Standing;
use sandtable_europe_engulfed::{Area, EuropeEngulfed, Event, Team};
use sandtable_experiments::system::Importance;

/// Land steps lost by both sides from which on a battle is a headline.
const GREAT_BATTLE: u16 = 12;

/// The players of a team.
fn team(game: &EuropeEngulfed, team: Team) -> String {
    let players = game.rules.setup.players.iter().filter(|player| player.team == team);
    players.map(|player| player.id.name()).collect::<Vec<_>>().join(" and ")
}

fn class(class: FireClass) -> &'static str {
    if class == FireClass::Infantry { "infantry" } else { "armour" }
}

/// What Special Actions are spent on, in words.
fn action(action: SpecialAction) -> &'static str {
    match action {
        SpecialAction::Airborne => "an airborne assault",
        SpecialAction::BreakthroughMove => "a breakthrough move",
        SpecialAction::BreakthroughStrategic => "strategic movement",
        SpecialAction::BreakthroughCombat => "another round of combat",
        SpecialAction::Withdrawal => "withdrawal before combat",
        SpecialAction::Abandonment => "withdrawal from a disputed area",
        SpecialAction::Reinforcement => "reinforcement",
        SpecialAction::Counterattack => "a counterattack",
        SpecialAction::Replacements => "unrestricted replacements",
        SpecialAction::LimitedSupply => "limited supply",
        SpecialAction::Amphibious => "an amphibious invasion",
        SpecialAction::War => "a war on a minor",
        SpecialAction::Pause => "the pause in the East",
        SpecialAction::Overlord => "armour for Overlord",
        SpecialAction::CarpetBombing => "carpet bombing",
        SpecialAction::Repair => "the repair of a port",
        SpecialAction::Beachhead => "a beachhead in a port",
    }
}

fn phase(phase: Phase) -> Option<&'static str> {
    Some(match phase {
        Phase::StrategicWar => "Strategic Warfare",
        Phase::Production => "Production",
        Phase::Declarations => "Declarations of War",
        Phase::Mobilization => "Mobilization",
        Phase::Armistice => "the French armistice",
        Phase::Operational => "Initial Operational Movement",
        Phase::Strategic => "Initial Strategic Movement",
        Phase::Combat => "Initial Combat",
        Phase::Breakthrough => "Breakthrough",
        Phase::FinalSupply => "Final Supply",
        Phase::FrontGarrison => "the Soviet front garrison",
        Phase::FrenchFleets => "French Fleet Points become British",
        _ => return None,
    })
}

fn steps(number: u16) -> String {
    format!("{number} step{}", if number == 1 { "" } else { "s" })
}

/// A fact in words; `None` = not worth any.
pub(super) fn narrate(game: &EuropeEngulfed, event: &Event) -> Option<String> {
    let name = |area: Area| game.area_name(area);
    Some(match *event {
        Event::TurnBegins { weather, .. } => {
            let [east, west, south] = weather.map(|weather| weather.id().replace('_', " "));
            format!("weather: {east} in the east, {west} in the west, {south} in the south")
        }
        Event::PhaseBegins { phase: begun, team: of } => format!("{}: {}", team(game, of), phase(begun)?),
        Event::Moved { unit, from, to, how } => {
            let unit = game.unit_name(unit);
            match how {
                Way::Deployed => format!("{unit} is placed in {}", name(to)),
                Way::Drop => format!("{unit} drops on {}", name(to)),
                Way::Garrison => format!("{unit} is shifted from {} to {}", name(from), name(to)),
                Way::Withdrawal => format!("{unit} withdraws from {} to {}", name(from), name(to)),
                Way::Reinforcement => format!("{unit} comes from {} into the battle", name(from)),
                Way::Operational | Way::Strategic | Way::Breakthrough => {
                    format!("{unit} goes from {} to {}", name(from), name(to))
                }
                Way::Sea => format!("{unit} sails from {} to {}", name(from), name(to)),
                Way::Invasion => format!("{unit} lands from {} in {}", name(from), name(to)),
            }
        }
        Event::Taken { area, by } => format!("{} is taken by {}", name(area), by.name()),
        Event::Spent { nation, on } => format!("{} spends a Special Action on {}", nation.name(), action(on)),
        Event::BattleBegins { area, attacker, mode, .. } => {
            let how = if mode == Mode::Assault { "assault" } else { "attack" };
            format!("{} {how} in {}", team(game, attacker), name(area))
        }
        Event::AirCombat { fighters, hits } => format!(
            "air combat, {} against {}: {} and {} shot down",
            fighters[0], fighters[1], hits[1], hits[0]
        ),
        Event::Fired { team: of, class: with, at, dice, need, hits } => format!(
            "{}: {} at {}, {dice} dice, {need} or more: {hits} hits",
            team(game, of),
            class(with),
            class(at)
        ),
        Event::Loss { unit, area, cause } => {
            let why = match cause {
                LossCause::Fire => "",
                LossCause::AirCombat => " in air combat",
                LossCause::Overrun => " as enemies come in",
                LossCause::Supply => " for want of supply",
                LossCause::Sunk => " as its ships go down",
                LossCause::Yielded => " to Americans, without a fight",
                LossCause::Winter => " in the First Winter",
            };
            format!("{} loses a step in {}{why}", game.unit_name(unit), name(area))
        }
        Event::BattleEnds(battle) if !battle.fought => return None,
        Event::BattleEnds(battle) => {
            let end =
                if battle.won { "the attacker has the area" } else { "the area stays in dispute or lost" };
            format!(
                "battle in {}: {} lose {}, {} {}; {end}",
                name(battle.area),
                team(game, Team::First),
                steps(battle.lost[0]),
                team(game, Team::Second),
                steps(battle.lost[1])
            )
        }
        Event::Income { nation, werp } => format!("{} has {werp} WERP", nation.name()),
        Event::Bought { nation, what, cost } => {
            let what = match what {
                Purchase::New(unit) => format!("a new block, {}", game.unit_name(unit)),
                Purchase::Step(unit) => format!("a step for {}", game.unit_name(unit)),
                Purchase::FieldFort(area) => format!("a field fortification in {}", name(area)),
                Purchase::HeavyFort(area) => format!("a heavy fortification in {}", name(area)),
                Purchase::Ally(minor) => format!("{} as an ally", minor.name()),
                Purchase::SpecialAction => "a Special Action".to_owned(),
                Purchase::PortDisabled(area) => format!("the ruin of the port of {}", name(area)),
                Purchase::Pause => "the pause in the East".to_owned(),
                Purchase::Fleet(sea) => format!("a Fleet Point in the {}", game.sea_name(sea)),
                Purchase::Maintenance => "the upkeep of its fleets".to_owned(),
                Purchase::Asset(asset) => asset.name().to_owned(),
            };
            format!("{} buys {what} for {cost} WERP", nation.name())
        }
        Event::Unspent { werp: 0, .. } => return None,
        Event::Unspent { nation, werp } => format!("{} leaves {werp} WERP unspent", nation.name()),
        Event::NavalCombat { sea, fleets, sunk } => format!(
            "naval combat in the {}, {} against {} Fleet Points: {} and {} sunk",
            game.sea_name(sea),
            fleets[0],
            fleets[1],
            sunk[0],
            sunk[1]
        ),
        Event::FleetMoved { nation, from, to } => format!(
            "a Fleet Point of {} goes from the {} to the {}",
            nation.name(),
            game.sea_name(from),
            game.sea_name(to)
        ),
        Event::FleetLost { nation, sea } => {
            format!("{} loses a Fleet Point in the {}", nation.name(), game.sea_name(sea))
        }
        Event::Beachhead { team: of, area, placed } => {
            let how = if placed { "is placed in" } else { "is removed from" };
            format!("a beachhead of the {} {how} {}", team(game, of), name(area))
        }
        Event::Submarines { points, sunk, werp } => {
            format!("{points} submarine points attack: {sunk} are sunk, Great Britain loses {werp} WERP")
        }
        Event::Raid { by, sent: [bombers, escorts, interceptors], lost, hits } => format!(
            "the {} raid with {bombers} bombers and {escorts} escorts, {interceptors} fighters meet them: {hits} bomb \
             hits; lost {} bombers, {} escorts, {} interceptors",
            team(game, by),
            lost[0],
            lost[1],
            lost[2]
        ),
        Event::Given { by, to, werp } => format!("{} gives {werp} WERP to {}", by.name(), to.name()),
        Event::WarDeclared { by, on } => format!("{} declares war on {}", by.name(), on.name()),
        Event::StandingChanged { nation, standing } => match standing {
            Standing::Neutral => format!("{} is neutral", nation.name()),
            Standing::Belligerent => format!("{} is in the war", nation.name()),
            Standing::Conquered => format!("{} is out of the war", nation.name()),
            Standing::Absent => return None,
        },
        Event::Over { end_reason } => format!("the game is over: {end_reason}"),
    })
}

/// How much a fact matters.
pub(super) fn importance(game: &EuropeEngulfed, event: &Event) -> Importance {
    match *event {
        Event::Over { .. } | Event::WarDeclared { .. } | Event::StandingChanged { .. } => {
            Importance::Headline
        }
        Event::Taken { area, .. } if game.rules.areas[area.at()].resource > 0 => Importance::Headline,
        Event::BattleEnds(battle) if battle.lost[0] + battle.lost[1] >= GREAT_BATTLE => Importance::Headline,
        Event::BattleEnds(_)
        | Event::NavalCombat { .. }
        | Event::Submarines { .. }
        | Event::Raid { .. }
        | Event::Beachhead { .. }
        | Event::Taken { .. }
        | Event::Spent { .. }
        | Event::Income { .. }
        | Event::TurnBegins { .. } => Importance::Notable,
        _ => Importance::Detail,
    }
}
