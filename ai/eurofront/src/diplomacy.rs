//! Diplomacy (16.0): on whom war is declared and when, which event a side tries, when an armistice is offered.
//!
//! A war is declared when its time has come ([`aims`]) and the force for it stands at the border. Events are tried by what
//! they are worth, times the chance that they happen.

use sandtable_ai::policy::best_action;
use sandtable_core::Index;
use sandtable_eurofront::ids::{Camp, EventId, Faction, Front, Hexes, NationId, is_on_map, place};
use sandtable_eurofront::rules::{Fact, Goal, Status, Weather};
use sandtable_eurofront::{Action, EuroFront, Mark, State};

use super::plan::Brief;
use super::scripted::Scripted;
use super::weights::Weights;

/// Hexes from the land of a victim within which forces count as ready.
const MARCH: u32 = 4;
/// Months from September 1939 from which the Axis means to go to war in the East, and from which it does.
const SPRING_1941: i16 = 18;
const BARBAROSSA: i16 = 20;
/// Months of a year in which a war in the East may begin, from January, and how far into a year September is.
const INVASION_MONTHS: std::ops::RangeInclusive<i16> = 3..=6;
const SEPTEMBER: i16 = 8;
/// Steps near the border, against those of the enemy, with which the Axis goes to war in the East, and the least.
const SUPERIOR: f32 = 1.3;
const ARMY: f32 = 24.0;
/// Units in the East, against those of the Axis, with which the Soviets go to war.
const SOVIET_HOUR: f32 = 1.5;
/// Months from September 1939 from which the Soviets no longer wait to be attacked.
const SPRING_1942: i16 = 31;
/// Months from September 1939 in which the Axis attacks in the East: June to November of 1941.
const OFFENSIVE: std::ops::RangeInclusive<i16> = 21..=26;
/// Factors on what ground further on draws and on the weight of danger for the Axis in a campaign once it is at war in the East:
/// whoever runs after all that draws stands with single steps in twenty battles by September. In the summer of 1942, months from
/// September 1939, it is the stronger still.
const ON_GUARD: (f32, f32) = (0.6, 2.2);
const IN_SUMMER: (f32, f32) = (0.8, 1.3);
const SECOND_SUMMER: std::ops::RangeInclusive<i16> = 33..=38;
/// Sum of command values with which the war in the West is begun, and the months of a year in which it is.
const COMMAND: i8 = 6;
const CAMPAIGN: std::ops::RangeInclusive<&str> = "03"..="09";
/// Factor on the price of steps of command, and what an attack must promise besides in production points, while a war is
/// being prepared.
const SAVING: f32 = 2.5;
const CAUTION: f32 = 3.0;
/// Factor on the worth of enemy steps while France is attacked.
const BLITZKRIEG: f32 = 1.6;
/// The same on own steps in 1940A.
const HASTY: f32 = 0.7;
/// The same on what may be lost where one does not stand.
const HEEDLESS: f32 = 0.3;
/// The same for steps that the Soviets can ill afford in the Winter War.
const SPARING: f32 = 16.0;
/// Months at the end of the Winter War in which they do not spare them.
const LAST_MONTHS: usize = 2;
/// The same for those of the Axis in Operation Weser, which count against those of the Allies at its end: when it is ahead by
/// so much or less, and what a value of command takes off it that it is ahead by more; and the least.
const HUSBANDING: f32 = 6.0;
const NARROW: i16 = 2;
const AHEAD: f32 = 0.75;
const FREELY: f32 = 1.5;
/// Headquarters in ports that make an invasion of Norway.
const FLEET: usize = 3;
/// With so many values of headquarters left and Finnish units eliminated an armistice is a Soviet victory (1939A), and with so
/// many values they are beaten.
const SOVIET_COUNT: i16 = 10;
const SPENT: u32 = 2;

/// What an event is worth to who tries it, in production points; an event that is not named, [`USUAL`].
const EVENTS: [(&str, f32); 47] = [
    // The Soviets.
    ("PP", 30.0),
    ("CL", 6.0),
    ("WW", -1.0),
    ("S1", 14.0),
    ("S2", 12.0),
    ("SR", 8.0),
    ("SE", 14.0),
    ("SG", 10.0),
    ("SA", -1.0),
    ("SB", 8.0),
    // The Allies. An expedition to Norway opens Denmark to the Axis.
    ("NO", 6.0),
    ("FR", -1.0),
    ("NP", -1.0),
    ("NX", -1.0),
    ("AB", 10.0),
    ("EB", 8.0),
    ("TB", 8.0),
    ("GR", 6.0),
    ("YU", 6.0),
    ("RU", 12.0),
    ("VF", 14.0),
    ("2F", 16.0),
    ("SC", 10.0),
    ("SW", 4.0),
    ("FI", 4.0),
    ("RE", 4.0),
    // The Axis.
    ("PW", 20.0),
    ("SJ", 9.0),
    ("DS", 7.0),
    ("IX", 12.0),
    ("IU", 3.0),
    ("RB", 6.0),
    ("RX", 16.0),
    ("RG", 14.0),
    ("HX", 8.0),
    ("BP", 5.0),
    ("BX", 7.0),
    ("FL", 8.0),
    ("FX", 9.0),
    ("AC", 8.0),
    ("JI", 12.0),
    ("SX", 10.0),
    ("3R", 3.0),
    ("XR", 4.0),
    ("TC", 5.0),
    ("TX", 10.0),
    ("RS", 12.0),
];
/// Worth of any other event, in production points.
const USUAL: f32 = 3.0;
/// What Yugoslavia brings the Axis (YX), and what it loses if it is pressed in vain, in production points.
const YUGOSLAVIA: [f32; 2] = [8.0, 6.0];
/// What the Soviets gain by mobilisation (SM) when they are the stronger, and when they are not, in production points.
const MOBILISATION: [f32; 2] = [12.0, -1.0];

/// Nations that the Axis means to attack now, in this order; their land draws its forces.
pub(super) fn aims<'a>(game: &'a EuroFront, state: &'a State) -> impl Iterator<Item = NationId> + 'a {
    // None in the Balkans: the land between is worth more as a shield than the army that it takes to conquer it.
    const AIMS: [&str; 4] = ["belgium", "holland", "norway", "ussr"];
    AIMS.into_iter().filter_map(|id| {
        let nation = game.rules.nation(id)?;
        (game.is_neutral(state, nation) && is_time_for(game, state, id)).then_some(nation)
    })
}

pub(super) fn is_of(game: &EuroFront, state: &State, id: &str, faction: Faction) -> bool {
    game.rules.nation(id).is_some_and(|nation| game.faction_of(state, nation) == Some(faction))
}

fn is_time_for(game: &EuroFront, state: &State, id: &str) -> bool {
    let months = game.months_since_war(state);
    let france_fights = is_of(game, state, "france", Faction::Allies);
    match id {
        "belgium" | "holland" => france_fights && !is_of(game, state, "poland", Faction::Allies),
        "norway" => state.diplomacy.holds(Fact::WeserWindow) && state.diplomacy.holds(Fact::PhoneyWar),
        "ussr" => !france_fights && months >= SPRING_1941 && game.is_played(Faction::Soviets),
        _ => false,
    }
}

/// Land that is at peace still, of those that a camp means to attack.
pub(super) fn wanted_land(game: &EuroFront, state: &State, camp: Camp) -> Hexes {
    if camp == Camp::Coalition || game.is_civil_war() {
        return Hexes::EMPTY;
    }
    let land = aims(game, state).fold(Hexes::EMPTY, |all, nation| all.or(&game.territory(state, nation)));
    land.and(&game.map().in_play)
}

/// Eastern Poland, which the Axis leaves in the month of its partition or goes to war (20.14), once Poland is beaten; and what of it
/// is further than a march from the Axis's land.
pub(super) fn land_to_leave(brief: &Brief<'_>) -> [Hexes; 2] {
    let (game, state) = (brief.game, brief.state);
    let beaten =
        game.rules.nation("poland").is_some_and(|poland| game.status(state, poland) == Status::Defeated);
    let keeps_peace = brief.camp == Camp::Axis && beaten && game.keeps_peace(state);
    let land = *game.east_poland();
    if !keeps_peace || state.owners.soviet().intersects(&land) && !game.may_leave_east_poland(state) {
        return [Hexes::EMPTY; 2];
    }
    let own = state.friendly[brief.camp.index()].difference(&land);
    [land, land.difference(&game.board().across(&own, &game.map().land))]
}

/// Cities on the border of Turkey: while it is neutral and the Soviets are at war, it may join the Axis the more likely the more
/// of them no Soviet unit guards (TX). They are guarded before what else that event asks for has come about.
pub(super) fn border_to_guard(brief: &Brief<'_>) -> Hexes {
    let (game, state) = (brief.game, brief.state);
    let turkey = game.rules.nation("turkey").filter(|&turkey| game.is_neutral(state, turkey));
    let at_war = is_of(game, state, "ussr", Faction::Soviets);
    if brief.camp == Camp::Coalition && at_war && turkey.is_some() {
        *game.turkish_border()
    } else {
        Hexes::EMPTY
    }
}

/// Whether it is the summer in which the Axis must win in the East, once it is at war there.
pub(super) fn is_on_the_offensive(game: &EuroFront, state: &State, camp: Camp) -> bool {
    camp == Camp::Axis
        && !game.is_civil_war()
        && OFFENSIVE.contains(&game.months_since_war(state))
        && !game.keeps_peace(state)
}

/// Whether the Axis is at war with the Soviets in a campaign, which it outlasts with the army that it has.
fn defends_in_the_east(game: &EuroFront, state: &State, camp: Camp) -> bool {
    camp == Camp::Axis && game.rules.scenario.situation.goal == Goal::Campaign && !game.keeps_peace(state)
}

/// The weights of a camp that saves its strength: for a war that it prepares in the West, or in the Winter War, which the
/// Soviets do not win when it costs them too much.
pub(super) fn restrained(game: &EuroFront, state: &State, camp: Camp, weights: Weights) -> Weights {
    if game.rules.scenario.situation.goal == Goal::WinterWar {
        // What counts are Finnish units and Soviet headquarters; the Soviets have steps to spare.
        if camp == Camp::Axis {
            return Weights { kill: 0.4, loss: 1.5, ..weights };
        }
        let spares = soviet_margin(game, state) <= 0;
        let command = if spares { SPARING * weights.command } else { weights.command };
        return Weights { command, kill: 2.0, loss: 0.3, gain: -1.0, ..weights };
    }
    if camp == Camp::Axis && game.rules.scenario.situation.goal == Goal::Weser {
        // Norway is all that counts, and the values of headquarters that are left.
        let ahead = f32::from((game.balance_of_command(state) - NARROW).max(0));
        let command = (HUSBANDING - AHEAD * ahead).max(FREELY) * weights.command;
        return Weights {
            kill: 2.0,
            loss: 0.5,
            gain: -1.0,
            supply: 0.5 * weights.supply,
            command,
            ..weights
        };
    }
    if defends_in_the_east(game, state, camp) {
        let second_summer = SECOND_SUMMER.contains(&game.months_since_war(state));
        let (pull, fear) = if second_summer { IN_SUMMER } else { ON_GUARD };
        return Weights { pull: pull * weights.pull, fear: fear * weights.fear, ..weights };
    }
    // In 1940A there is a year for all, and no Red Army.
    let in_haste = camp == Camp::Axis && game.rules.scenario.situation.goal == Goal::FallOfFrance;
    let loss = if in_haste { HASTY * weights.loss } else { weights.loss };
    let weights = Weights { loss, ..weights };
    let belgium = game.rules.nation("belgium");
    let prepares =
        camp == Camp::Axis && !game.is_civil_war() && aims(game, state).any(|aim| Some(aim) == belgium);
    let attacks_france = camp == Camp::Axis
        && is_of(game, state, "france", Faction::Allies)
        && !is_of(game, state, "poland", Faction::Allies);
    if !prepares && attacks_france {
        // France must fall before it has grown strong: steps are there to be spent.
        return Weights { kill: BLITZKRIEG * weights.kill, hold: HEEDLESS * weights.hold, ..weights };
    }
    if !prepares {
        return weights;
    }
    Weights { command: SAVING * weights.command, gain: weights.gain + CAUTION, ..weights }
}

/// Values that the Soviets can spend in the Winter War before an armistice is a victory of Finland; in the last months there is
/// nothing to be spared for: Finland that stands at the end has won.
fn soviet_margin(game: &EuroFront, state: &State) -> i16 {
    if usize::from(state.month) + LAST_MONTHS >= game.rules.calendar.len() {
        return i16::MAX;
    }
    let spent = state.marked(Mark::Active).len() + state.marked(Mark::Blitz).len();
    game.winter_war_count(state) - spent as i16 - SOVIET_COUNT
}

/// Whether the Soviets spare the second step of a Blitz in the Winter War.
pub(super) fn spares_a_blitz(brief: &Brief<'_>) -> bool {
    brief.tables.winter_war && brief.camp == Camp::Coalition && soviet_margin(brief.game, brief.state) < 2
}

impl Scripted {
    // ---- declarations of war (16.4) ----

    /// On whom war is declared: on nobody, mostly.
    pub(super) fn declare(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Action {
        let (game, state) = (brief.game, brief.state);
        let victims = || legal.iter().copied().filter(|action| matches!(action, Action::Nation(_)));
        let open = |nation: NationId| !game.is_treason(state, state.active, nation);
        if state.active != Faction::Axis {
            // The Soviets take the Baltic States if they have not been given them; the Allies attack nobody.
            let baltic = game.rules.nation("baltic_states").map(Action::Nation);
            let wanted = victims().find(|action| state.active == Faction::Soviets && Some(*action) == baltic);
            return wanted.unwrap_or(Action::Pass);
        }
        for nation in aims(game, state) {
            if legal.contains(&Action::Nation(nation)) && open(nation) && self.is_ready_for(brief, nation) {
                return Action::Nation(nation);
            }
        }
        Action::Pass
    }

    /// Whether the Axis has the force for a war, and the season (12.1).
    fn is_ready_for(&mut self, brief: &Brief<'_>, nation: NationId) -> bool {
        let (game, state) = (brief.game, brief.state);
        let data = &game.rules.nations[nation.at()];
        if data.id == "norway" {
            return self.is_fleet_ready(brief, nation);
        }
        let land = game.territory(state, nation).and(&game.map().in_play);
        let eastern = data.capital.is_some_and(|capital| game.front(capital) == Front::East);
        if state.weather[usize::from(eastern)] != Weather::Dry {
            return false;
        }
        self.planner.look(brief, false);
        let survey = &self.planner.survey;
        let open = land.or(&state.friendly[brief.camp.index()]);
        let near = game.board().within_across(land, MARCH, &open, &game.map().land);
        let own: f32 = near.iter().map(|hex| survey.own().steps[hex.at()]).sum();
        let enemy: f32 = near.iter().map(|hex| survey.enemy().steps[hex.at()]).sum();
        let army = 0.5 * unseen_steps(game, state, nation, brief.camp.enemy()) as f32;
        match data.id.as_str() {
            // Who waits longer finds a stronger France.
            "belgium" | "holland" => {
                own >= 1.2 * army + 12.0
                    && self.command_ready(brief) >= COMMAND
                    && is_campaigning(game, state)
            }
            // Whoever attacks an equal army loses his own, and neutral Soviets grow by less than Germany does.
            "ussr" => {
                let months = game.months_since_war(state);
                months >= BARBAROSSA
                    && INVASION_MONTHS.contains(&((months + SEPTEMBER) % 12))
                    && own >= (SUPERIOR * enemy).max(ARMY)
            }
            _ => false,
        }
    }

    /// Command values of the Axis's field headquarters in the West.
    fn command_ready(&self, brief: &Brief<'_>) -> i8 {
        let (game, state) = (brief.game, brief.state);
        let own = state.standing[brief.camp.index()].and(&game.sets().field_headquarters);
        let west = own.filter(|block| game.front(state.at(block)) == Front::West);
        west.iter().map(|block| game.command_value(state, block).max(0)).sum()
    }

    /// Whether headquarters stand in ports with units to send, and the weather lets them land (21.471).
    fn is_fleet_ready(&self, brief: &Brief<'_>, nation: NationId) -> bool {
        let (game, state) = (brief.game, brief.state);
        let capital = game.rules.nations[nation.at()].capital;
        let open = capital.is_none_or(|capital| game.weather(state, capital) == Weather::Dry);
        let own = state.standing[brief.camp.index()];
        let headquarters = own.and(&game.sets().headquarters);
        let ready = headquarters.iter().filter(|&block| {
            let at = state.at(block);
            let units = state.stack(at, brief.camp).difference(&game.sets().headquarters);
            game.seas().harbours.contains(at) && !units.is_empty() && !state.is_battle(at)
        });
        open && ready.count() >= FLEET
    }

    // ---- events (16.6) ----

    /// The event that is worth most, times its chance.
    pub(super) fn attempt(&self, brief: &Brief<'_>, legal: &[Action]) -> Action {
        let worth = |action: Action| match action {
            Action::Event(event) => self.worth_of_event(brief, event),
            _ => 0.0,
        };
        best_action(legal, worth).unwrap_or(Action::Pass)
    }

    fn worth_of_event(&self, brief: &Brief<'_>, event: EventId) -> f32 {
        let (game, state) = (brief.game, brief.state);
        let chance = f32::from(game.chance_of(state, event).unwrap_or(0).min(6)) / 6.0;
        let id = game.rules.events[event.at()].id.as_str();
        match id {
            // In vain it would leave Britain an ally in the West (1940A).
            "YX" if game.rules.scenario.situation.goal == Goal::FallOfFrance => -1.0,
            "YX" => YUGOSLAVIA[0] * chance - YUGOSLAVIA[1] * (1.0 - chance),
            "SM" => MOBILISATION[usize::from(!is_soviet_hour(game, state))] * chance,
            _ => {
                let known = EVENTS.iter().find(|(known, _)| *known == id);
                known.map_or(USUAL, |&(_, worth)| worth) * chance
            }
        }
    }

    // ---- armistices (16.72) ----

    /// Whether an armistice is offered: the French when Paris is lost; the Finnish when Finland is near its end, unless it is
    /// all that the scenario is about.
    pub(super) fn offer(&self, brief: &Brief<'_>) -> Action {
        let (game, state) = (brief.game, brief.state);
        let lost = |id: &str| {
            let capital = game.rules.nation(id).and_then(|nation| game.rules.nations[nation.at()].capital);
            capital.is_some_and(|capital| !state.friendly[brief.camp.index()].contains(capital))
        };
        let offers = if state.active == Faction::Allies {
            lost("france")
        } else {
            match game.rules.scenario.situation.goal {
                // To hold out is worth more than an armistice, which wins while the war has cost the Soviets much (1939A): it
                // is for who is in danger.
                Goal::WinterWar => game.winter_war_count(state) < SOVIET_COUNT && is_finland_in_danger(brief),
                _ => lost("finland") || is_half_gone(game, state),
            }
        };
        if offers { Action::Yes } else { Action::Pass }
    }
}

/// Whether the season leaves time for a campaign in the West.
fn is_campaigning(game: &EuroFront, state: &State) -> bool {
    let month = game.month(state).id.as_str();
    month.split_once('-').is_some_and(|(_, month)| CAMPAIGN.contains(&month))
}

/// Whether the Soviets have no command left with which to attack Finland again.
fn are_soviets_spent(game: &EuroFront, state: &State) -> bool {
    let headquarters = state.standing[Camp::Coalition.index()].and(&game.sets().headquarters);
    let values: u32 = headquarters.iter().map(|block| u32::from(state.steps[block])).sum();
    values <= SPENT
}

/// Whether Finland is in danger in the Winter War: cut off from supply, its capital threatened, or half of its army gone while
/// the Soviets can attack again.
fn is_finland_in_danger(brief: &Brief<'_>) -> bool {
    let (game, state) = (brief.game, brief.state);
    let network = game.whole_network(state, Camp::Axis);
    let supplied = game.supplied_by(state, Camp::Axis, &network);
    let cut_off = !state.occupied[Camp::Axis.index()].difference(&supplied).is_empty();
    let capital = game.rules.nation("finland").and_then(|nation| game.rules.nations[nation.at()].capital);
    let threatened = capital.is_some_and(|capital| {
        let near = game.board().within_across(Hexes::one(capital), 1, &game.map().in_play, &game.map().land);
        near.intersects(&state.occupied[Camp::Coalition.index()])
    });
    cut_off || threatened || is_half_gone(game, state) && !are_soviets_spent(game, state)
}

/// Full strength of the army that a nation would bring to a camp, as it waits at home: half of that is expected. Who has fallen
/// does not come again, and its blocks in the other colour stay where they are.
fn unseen_steps(game: &EuroFront, state: &State, nation: NationId, camp: Camp) -> u32 {
    let army = game.sets().of_nation[nation.at()].and(&game.sets().of[camp.index()]);
    let waiting =
        army.difference(&game.sets().headquarters).filter(|block| state.at(block) == place::AT_HOME);
    waiting.iter().map(|block| u32::from(game.brief(block).full)).sum()
}

/// Whether half of the Finnish army is gone.
fn is_half_gone(game: &EuroFront, state: &State) -> bool {
    let Some(finland) = game.rules.nation("finland") else { return false };
    let army = game.sets().of_nation[finland.at()].difference(&game.sets().headquarters);
    let axis = army.iter().filter(|&block| game.camp(block) == Camp::Axis);
    let (mut left, mut full) = (0, 0);
    for block in axis {
        let data = game.brief(block);
        full += u32::from(data.full);
        left += if is_on_map(state.at(block)) { u32::from(state.steps[block]) } else { 0 };
    }
    2 * left <= full
}

/// Whether the Soviets are well advised to go to war of their own accord: when the Axis has far fewer units in the East than
/// they have.
fn is_soviet_hour(game: &EuroFront, state: &State) -> bool {
    let in_east = |camp: Camp| {
        let east = &game.map().of_front[Front::East.index()];
        state.occupied[camp.index()].and(east).iter().map(|hex| state.stack(hex, camp).len()).sum::<u32>()
    };
    let france = game.rules.nation("france").map(|nation| game.status(state, nation));
    let alone = france.is_none_or(|status| status == Status::Defeated);
    let stronger = in_east(Camp::Coalition) as f32 > SOVIET_HOUR * in_east(Camp::Axis) as f32;
    alone && stronger && game.months_since_war(state) >= SPRING_1942
}

#[cfg(test)]
mod tests {
    use sandtable_eurofront::editor::Editor;
    use sandtable_eurofront::ids::{BlockId, Camp, Faction, hex, place};
    use sandtable_eurofront::rules::{Status, Weather};
    use sandtable_eurofront::{EuroFront, Mark};

    use super::{is_soviet_hour, unseen_steps};
    use crate::survey::Might;
    use crate::testing::{game, seen};
    use crate::weights::Weights;

    /// Three of them spent six values in a fortnight, and random Finns asked for an armistice.
    #[test]
    fn a_blitz_counts_twice_of_what_the_soviets_can_spend() {
        let game = game("1939A");
        let state = Editor::new(&game).finish();
        let staff = game.rules.block("su_hq_leningrad").unwrap();
        let with = |marks: &[Mark]| {
            let mut state = state;
            for &mark in marks {
                state.mark(staff, mark, true);
            }
            super::soviet_margin(&game, &state)
        };
        assert_eq!([with(&[]), with(&[Mark::Active]), with(&[Mark::Active, Mark::Blitz])], [1, 0, -1]);
        let spares = |camp: Camp| {
            crate::testing::seen_by(camp, &game, &state, |brief, _| super::spares_a_blitz(brief))
        };
        assert_eq!([Camp::Coalition, Camp::Axis].map(spares), [true, false]);
    }

    #[test]
    fn an_army_that_waits_counts_in_the_enemys_colour_and_without_its_fallen() {
        let opened = sandtable_scenarios_eurofront::open("eurofront/1940", &[]).unwrap();
        let game = EuroFront::new(opened.into_rules()).unwrap();
        let mut editor = Editor::new(&game);
        let greece = game.rules.nation("greece").unwrap();
        let block = |id: &str| -> BlockId { game.rules.block(id).unwrap() };
        let army = ["gr_inf_1", "gr_inf_2", "gr_mtn_3", "gr_static_crete"];
        let full: u32 = army.iter().map(|id| u32::from(game.brief(block(id)).full)).sum();
        let steps = |editor: &Editor<'_>, camp| unseen_steps(&game, editor.state(), greece, camp);
        assert_eq!((steps(&editor, Camp::Coalition), steps(&editor, Camp::Axis)), (full, full));
        editor.remove(block("gr_mtn_3"), place::ELIMINATED);
        let lost = u32::from(game.brief(block("gr_mtn_3")).full);
        assert_eq!((steps(&editor, Camp::Coalition), steps(&editor, Camp::Axis)), (full - lost, full));
    }

    /// In the summer of 1943 it ran forward from Kharkov and the Volkhov and lost sixty steps of 160 in two months.
    #[test]
    fn the_axis_stands_on_guard_in_the_east() {
        let game = game("1941");
        let ussr = game.rules.nation("ussr").unwrap();
        let usual = Weights::of(Camp::Axis, true);
        let weights = |month: u8, status: Status| {
            let state = Editor::new(&game).relate(ussr, status).date(month, 1).finish();
            let weights = super::restrained(&game, &state, Camp::Axis, usual);
            (weights.pull / usual.pull, weights.fear / usual.fear)
        };
        let at_war = Status::Belligerent(Faction::Soviets);
        let (july_1942, july_1943) = (13, 25);
        assert_eq!(weights(july_1943, Status::Neutral), (1.0, 1.0));
        let ([guard, summer], [more, less]) =
            ([july_1943, july_1942].map(|month| weights(month, at_war)), [super::ON_GUARD, super::IN_SUMMER]);
        let close = |(a, b): (f32, f32), (c, d): (f32, f32)| (a - c).abs() < 1e-4 && (b - d).abs() < 1e-4;
        assert!(close(guard, more) && close(summer, less), "{guard:?} {summer:?}");
    }

    /// At half the strength of the Soviets it went to war with them, and lost forty campaigns of forty.
    #[test]
    fn the_axis_attacks_the_soviets_in_summer_with_a_superior_army() {
        let game = game("1939");
        let [france, ussr] = ["france", "ussr"].map(|id| game.rules.nation(id).unwrap());
        let (border, minsk) = (hex(30, 10), game.rules.place("minsk").unwrap());
        let attacks = |own: u8, enemies: bool, month: u8| {
            let mut editor = Editor::new(&game);
            editor.clear().relate(france, Status::Defeated).date(month, 1).weather([Weather::Dry; 2]);
            for id in
                ["su_inf_10", "su_inf_11", "su_inf_12", "su_inf_13", "su_inf_14", "su_inf_16", "su_inf_18"]
            {
                if enemies {
                    editor.place(game.rules.block(id).unwrap(), minsk, 3);
                }
            }
            editor.owns(game.east_poland(), Some(Faction::Axis));
            for id in ["de_inf_1", "de_inf_2", "de_inf_4", "de_inf_5", "de_inf_6", "de_inf_8", "de_inf_9"] {
                editor.place(game.rules.block(id).unwrap(), border, own);
            }
            let state = editor.finish();
            seen(&game, &state, |brief, player| player.is_ready_for(brief, ussr))
        };
        let (june, september) = (21, 24);
        assert_eq!(
            [attacks(4, true, june), attacks(3, true, june), attacks(4, true, september)],
            [true, false, false]
        );
        assert_eq!([attacks(4, false, june), attacks(3, false, june)], [true, false], "with no army");
    }

    #[test]
    fn the_soviets_attack_a_weak_border() {
        let game = game("1939");
        let france = game.rules.nation("france").unwrap();
        let [warsaw, minsk] = ["warsaw", "minsk"].map(|id| game.rules.place(id).unwrap());
        let attack = |guards: &[&str], month: u8| {
            let mut editor = Editor::new(&game);
            editor.clear().relate(france, Status::Defeated).date(month, 1);
            for id in ["su_inf_10", "su_inf_11", "su_inf_12", "su_inf_13"] {
                editor.place(game.rules.block(id).unwrap(), minsk, 2);
            }
            for id in guards {
                editor.place(game.rules.block(id).unwrap(), warsaw, 4);
            }
            is_soviet_hour(&game, &editor.finish())
        };
        let (two, three) = (["de_inf_1", "de_inf_2"], ["de_inf_1", "de_inf_2", "de_inf_4"]);
        assert_eq!([attack(&two, 33), attack(&three, 33), attack(&two, 30)], [true, false, false]);
    }

    /// Units beyond the Bug in the month after the partition made eight of forty campaigns a war in the winter of 1939.
    #[test]
    fn the_axis_leaves_the_east_of_beaten_poland() {
        let game = game("1939");
        let poland = game.rules.nation("poland").unwrap();
        let tanks = game.rules.block("de_arm_46").unwrap();
        let [beyond, bug, border] = [hex(30, 10), hex(29, 10), hex(28, 10)];
        let posts = |status: Status| {
            let mut editor = Editor::new(&game);
            editor.clear().relate(poland, status);
            editor.owns(&[beyond, bug, border].into_iter().collect(), Some(Faction::Axis));
            let state = editor.place(tanks, beyond, 3).finish();
            seen(&game, &state, |brief, player| {
                player.planner.look(brief, false);
                let weight = Might { steps: 3.0, offence: 3.0, defence: 3.0 };
                [beyond, bug, border].map(|hex| player.planner.post(brief, hex, tanks, weight))
            })
        };
        let [beyond, bug, border] = posts(Status::Defeated);
        assert!(bug > beyond + 50.0 && border > bug + 50.0, "{beyond} {bug} {border}");
        let [beyond, _, border] = posts(Status::Belligerent(Faction::Allies));
        assert!(border < beyond + 50.0, "while Poland fights: {beyond} {border}");
    }
}
