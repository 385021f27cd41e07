//! Odds of a combat (10), from the game's own combat code.
//!
//! Tables of odds fight the same combat with another column, or another net modifier: the combat tables of the game are
//! laid out so that every column is the one that is asked for, and every roll is read at that modifier.

use std::collections::BTreeMap;

use sandtable_core::{Hex, Pmf, Rng64};
use sandtable_roads_to_moscow::combat::column_name;
use sandtable_roads_to_moscow::ids::Units;
use sandtable_roads_to_moscow::odds::{
    Conduct, End as CombatEnd, Engagement, Lead, Losses, Outcome, Plan, Points, Table,
};
use sandtable_roads_to_moscow::rules::{Crt, Rules, Weather};
use sandtable_roads_to_moscow::{Mark, RoadsToMoscow, Sequence, State};
use sandtable_scenarios_roads_to_moscow::{Battle, Examples};

use super::super::log;
use super::USUAL;
use sandtable_experiments::failure::Failure;
use sandtable_experiments::system::Override;
use sandtable_experiments::system::data::{battle, policy_value, unknown_policy, wrong_policy};
use sandtable_experiments::system::odds::{
    BattleOutcome, CombatOdds, CombatRequest, End, GridResult, Reading, Stage, TableCell, WHOLE, grid,
    losses_in_words,
};

const LEADS: [(&str, Lead); 2] = [("best", Lead::Best), ("worst", Lead::Worst)];
const POINTS: [(&str, Points); 5] = [
    ("never", Points::Never),
    ("ground", Points::Ground),
    ("artillery", Points::Artillery),
    ("air", Points::Air),
    ("first", Points::First),
];
const TABLES: [(&str, Crt); 2] = [("assault", Crt::Assault), ("mobile", Crt::Mobile)];
/// Whether the attack is an overrun (8.5).
const ATTACKS: [(&str, bool); 2] = [("declared", false), ("overrun", true)];

/// The keys of the policies.
const POLICIES: [&str; 10] = [
    "attack",
    "table",
    "attacker_lead",
    "attacker_air",
    "attacker_artillery",
    "attacker_points",
    "defender_lead",
    "defender_air",
    "defender_artillery",
    "defender_points",
];

/// The combat that is asked about.
struct Combat<'a> {
    game: &'a RoadsToMoscow,
    state: State,
    battle: &'a Battle,
    attackers: Units,
    chosen: Chosen,
}

/// What the policies lay down.
#[derive(Clone, Copy)]
struct Chosen {
    overrun: bool,
    crt: Crt,
    conduct: Conduct,
}

pub(in super::super) fn combat(request: &CombatRequest<'_>) -> Result<CombatOdds, Failure> {
    let battle = battle::<Examples>(request, USUAL, |_| Ok(()))?;
    let declared = battle.state.attack_on(battle.target).map(|at| battle.state.attacks()[at]);
    let declared = declared.ok_or_else(|| Failure::input("no attack on the hex has been declared"))?;
    let chosen = policies(request.policies, declared.crt)?;
    let mut state = battle.state;
    if chosen.overrun {
        // It happens on the move, before anything is declared.
        state.sequence = Sequence::Mobile;
        state.attack_count = 0;
        state.clear(Mark::Attacking);
    }
    let combat = Combat { game: &battle.game, state, battle: &battle, attackers: declared.attackers, chosen };
    let engagement = combat.engagement(combat.game).map_err(Failure::input)?;
    let distribution = engagement.distribution();
    let mut seen: BTreeMap<Outcome, u64> = BTreeMap::new();
    let mut samples = 0;
    if let Some((number, seed)) = request.samples {
        samples = number;
        let mut dice = Rng64::stream(seed, 0, 0);
        let (mut scratch, mut legal) = (*engagement.position(), Vec::new());
        for _ in 0..number {
            *seen.entry(engagement.sample(&mut scratch, &mut legal, &mut dice)).or_default() += 1;
        }
    }
    Ok(CombatOdds {
        title: battle.title.clone(),
        facts: combat.facts(&engagement, &distribution.tables),
        unit: "steps",
        advance: "the attacker may advance",
        again: "",
        stages: vec![Stage::of(WHOLE, &distribution.outcomes, (&seen, samples), outcome)],
        grid: grid(request.grid, |attack, defence| combat.at_strengths(attack, defence)),
        table: if request.by_table { combat.by_table()? } else { Vec::new() },
    })
}

/// The attack, the table and the conduct that the policies lay down; `declared` is the table of the position.
fn policies(policies: &[Override], declared: Crt) -> Result<Chosen, Failure> {
    let (mut overrun, mut table, mut conduct) = (false, None, Conduct::default());
    for policy in policies {
        let key = policy.path.as_str();
        if key == "attack" {
            overrun = ATTACKS[policy_value(policy, ATTACKS.map(|attack| attack.0))?].1;
            continue;
        }
        if key == "table" {
            table = Some((TABLES[policy_value(policy, TABLES.map(|table| table.0))?].1, policy));
            continue;
        }
        let Some((side, what)) = key.split_once('_').filter(|_| POLICIES.contains(&key)) else {
            return Err(unknown_policy(policy, key, POLICIES));
        };
        let plan: &mut Plan = if side == "attacker" { &mut conduct.attacker } else { &mut conduct.defender };
        let number = || {
            let number = policy.text().parse().ok().filter(|number| *number <= 20u8);
            number.ok_or_else(|| wrong_policy(policy, "expected how many at most, 0 to 20"))
        };
        match what {
            "lead" => plan.lead = LEADS[policy_value(policy, LEADS.map(|lead| lead.0))?].1,
            "air" => plan.air = number()?,
            "artillery" => plan.artillery = number()?,
            _ => plan.points = POINTS[policy_value(policy, POINTS.map(|points| points.0))?].1,
        }
    }
    let crt = match table {
        Some((Crt::Assault, policy)) if overrun => {
            return Err(wrong_policy(policy, "an overrun is read on the Mobile table (8.56)"));
        }
        _ if overrun => Crt::Mobile,
        Some((table, _)) => table,
        None => declared,
    };
    Ok(Chosen { overrun, crt, conduct })
}

impl Combat<'_> {
    fn engagement<'g>(&self, game: &'g RoadsToMoscow) -> Result<Engagement<'g>, String> {
        let (attackers, target) = (self.attackers, self.battle.target);
        let Chosen { overrun, crt, conduct } = self.chosen;
        if !overrun {
            return Engagement::attack(game, &self.state, attackers, target, crt, conduct);
        }
        let together = |hex: Hex| attackers.iter().all(|unit| self.state.at(unit) == hex);
        if !attackers.first().is_some_and(|unit| together(self.state.at(unit))) {
            return Err(
                "an overrun is made by one stack: the attackers stand in several hexes (8.52)".to_owned()
            );
        }
        Engagement::overrun(game, &self.state, attackers, target, conduct)
    }

    fn facts(&self, engagement: &Engagement<'_>, tables: &Pmf<Table>) -> Vec<(&'static str, String)> {
        let game = self.game;
        let (attack, defence) = engagement.strengths();
        let name = TABLES.iter().find(|table| table.1 == self.chosen.crt).map_or("", |table| table.0);
        let kind = if self.chosen.overrun { "overrun, " } else { "" };
        let sky = match self.state.weather {
            Weather::Dry => "dry",
            Weather::Overcast => "overcast",
            Weather::Rain => "rain",
        };
        let mut read: Vec<(Table, f64)> = tables.iter().map(|(table, p)| (*table, p)).collect();
        read.sort_by(|one, other| other.1.total_cmp(&one.1));
        let shown: Vec<String> = read
            .iter()
            .take(4)
            .map(|(table, p)| format!("{} {:.1}%", self.cell(*table), 100.0 * p))
            .collect();
        let more = read.len().saturating_sub(shown.len());
        let more = if more > 0 { format!(", {more} more") } else { String::new() };
        let plan = |plan: &Plan| {
            let lead = LEADS.iter().find(|lead| lead.1 == plan.lead).map_or("", |lead| lead.0);
            let points = POINTS.iter().find(|points| points.1 == plan.points).map_or("", |points| points.0);
            let artillery = match plan.artillery {
                u8::MAX => "any".to_owned(),
                units => format!("{units} at most"),
            };
            format!("lead {lead}, air {} at most, artillery {artillery}, command points {points}", plan.air)
        };
        vec![
            ("combat", format!("{kind}{name} table, {sky}, {}", game.calendar(&self.state).name)),
            ("attackers", log::units(game, engagement.attackers())),
            (
                "defenders",
                format!(
                    "{} in {}",
                    log::units(game, engagement.defenders()),
                    log::hex(game, self.battle.target)
                ),
            ),
            ("strengths", format!("{attack} against {defence} before artillery")),
            ("table", format!("{}{more}", shown.join(", "))),
            ("attacker", plan(&self.chosen.conduct.attacker)),
            ("defender", plan(&self.chosen.conduct.defender)),
            ("losses", "where they cost least strength; units retreat as far as they may".to_owned()),
        ]
    }

    fn cell(&self, (column, modifier): Table) -> String {
        format!("{} at {modifier:+}", column_name(&self.game.rules.results[self.chosen.crt as usize], column))
    }

    // ---- tables of odds ----

    /// The game in which every column of the combat table is this one; with a modifier, every roll is read at it.
    fn at_cell(&self, column: u8, modifier: Option<i8>) -> Result<RoadsToMoscow, String> {
        let mut rules: Rules = self.game.rules.clone();
        let table = &self.game.rules.results[self.chosen.crt as usize];
        let laid = &mut rules.results[self.chosen.crt as usize];
        for (roll, row) in laid.rows.iter_mut().enumerate() {
            let result = table.result(Some(column), roll as i8 + modifier.unwrap_or(0));
            row.fill(result);
        }
        laid.below = laid.rows[0][0];
        if modifier.is_some() {
            rules.numbers.drm_limit = 0;
        }
        RoadsToMoscow::new(rules)
    }

    fn fought_at(&self, column: u8, modifier: Option<i8>) -> Result<(Stage, Pmf<Table>), String> {
        let game = self.at_cell(column, modifier)?;
        let distribution = self.engagement(&game)?.distribution();
        let none = (&BTreeMap::new(), 0);
        Ok((Stage::of(WHOLE, &distribution.outcomes, none, outcome), distribution.tables))
    }

    /// The combat with these strengths, and its own modifiers.
    fn at_strengths(&self, attack: u8, defence: u8) -> Result<GridResult, String> {
        let table = &self.game.rules.results[self.chosen.crt as usize];
        let column = table.column(u16::from(attack), u16::from(defence));
        let column =
            column.ok_or_else(|| format!("{attack} to {defence} is below the least odds (10.53a)"))?;
        let (whole, read) = self.fought_at(column, None)?;
        let likely = read.iter().max_by(|one, other| one.1.total_cmp(&other.1));
        let modifiers = likely.map_or(0, |(table, _)| i32::from(table.1));
        let odds = column_name(table, Some(column));
        Ok(GridResult { reading: Some(Reading { odds: odds.clone(), modifiers, column: odds }), whole })
    }

    /// The combat in every column and at every net modifier.
    fn by_table(&self) -> Result<Vec<TableCell>, Failure> {
        let table = &self.game.rules.results[self.chosen.crt as usize];
        let limit = self.game.rules.numbers.drm_limit;
        let mut cells = Vec::new();
        for column in 0..table.odds.len() as u8 {
            for modifier in -limit..=limit {
                let (whole, _) = self.fought_at(column, Some(modifier)).map_err(Failure::input)?;
                cells.push(TableCell { odds: column_name(table, Some(column)), modifier, whole });
            }
        }
        Ok(cells)
    }
}

fn lost(losses: Losses) -> String {
    let units = losses_in_words(&[
        (losses.steps - losses.armour, "steps"),
        (losses.armour, "steps of armour"),
        (losses.air, "air units"),
    ]);
    let gone = if losses.units > 0 { format!(", {} units eliminated", losses.units) } else { String::new() };
    let disorganised = if losses.disorganised { ", disorganised" } else { "" };
    format!("{units}{gone}{disorganised}")
}

fn outcome(outcome: &Outcome, probability: f64, seen: u64) -> BattleOutcome {
    let repulsed = if outcome.end == CombatEnd::Repulsed { ", driven back" } else { "" };
    BattleOutcome {
        attacker_lost: u32::from(outcome.attacker.steps),
        defender_lost: u32::from(outcome.defender.steps),
        attacker_units: format!("{}{repulsed}", lost(outcome.attacker)),
        defender_units: lost(outcome.defender),
        end: match outcome.end {
            CombatEnd::Held | CombatEnd::Repulsed => End::Held,
            CombatEnd::Retreated => End::Retreated,
            CombatEnd::Eliminated => End::Eliminated,
        },
        advance: outcome.advance,
        again: "none",
        probability,
        seen,
    }
}
