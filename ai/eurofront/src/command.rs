//! Headquarters (5.0): which are activated and how, where they deploy, what they strike, when they mobilise.

use sandtable_ai::policy::best_action;
use sandtable_core::{Hex, PlayContext, Rng64};
use sandtable_eurofront::ids::{BlockId, Blocks, is_on_map};
use sandtable_eurofront::rules::Kind;
use sandtable_eurofront::{Action, Mark, Mode, Phase, State};

use super::map_tables::sixths;
use super::plan::{Brief, Planner, SETTLED, STEP, destination};
use super::scripted::Scripted;
use super::survey::Might;

/// Places into which a headquarters might deploy that are looked at closely, its own among them.
const LOOKED_AT: usize = 3;
/// Least worth of an attack for which a Blitz is considered, in production points.
const WORTH_A_BLITZ: f32 = 4.0;
/// Part of its price that an activation where the headquarters stands must bring for other posts to be looked at that are
/// not better by so much, in campaigns.
const PROMISING: f32 = 0.5;
const BETTER_POST: f32 = 3.0;
/// Share of what a better post is worth that counts where to lead the second half of a Blitz from, in campaigns.
const FORWARD: f32 = 0.5;
/// Factor on the price of the steps of supreme headquarters while armies only have to be brought somewhere.
const RAILS: f32 = 0.4;
/// Steps of a headquarters from which on it will probably lead.
const LEADS: u8 = 2;
/// Least worth of support or a strike for which a headquarters stays.
const WORTH_STAYING: f32 = 0.5;

impl Scripted {
    /// Whether a headquarters is activated, and where it deploys (5.2, 5.6): by what the moves and battles that it makes
    /// possible are worth, against the step it costs.
    pub(super) fn activation(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Action {
        let state = brief.state;
        let block = state.subject;
        let at = state.at(block);
        if state.steps[block] == 0 {
            return Action::Pass;
        }
        self.planner.look_on(brief);
        let here = Action::Activate(Mode::Normal, at);
        if super::norway::leads_siege(brief, block) && legal.contains(&here) {
            return here;
        }
        let acts = self.planner.survey.hot.contains(at) || super::norway::may_act(brief, block);
        let acts = acts || super::landings::may_conquer_egypt(brief, block);
        let supreme = brief.game.brief(block).kind == Kind::SupremeHq;
        if !supreme && !acts {
            return Action::Pass;
        }
        if state.is_battle(at) && state.stack(at, brief.camp) == Blocks::one(block) {
            // Alone with the enemy: away, if pursuit lets it.
            let worth = |action: Action| match action {
                Action::Activate(Mode::Normal, hex) if hex != at => {
                    self.planner.command_post(brief, hex, block)
                }
                Action::Pass => -30.0,
                _ => -40.0,
            };
            return best_action(legal, worth).unwrap_or(Action::Pass);
        }
        if super::landings::saves_orders(brief, block) {
            return Action::Pass;
        }
        let kind = brief.game.brief(block).kind;
        let home = self.planner.command_post(brief, at, block);
        let mut places = [(f32::NEG_INFINITY, at); LOOKED_AT];
        places[0].0 = home;
        let wanted = if brief.light { 2 } else { LOOKED_AT };
        for &action in legal {
            let Action::Activate(Mode::Normal, hex) = action else { continue };
            if hex == at || kind != Kind::Hq && !state.is_battle(at) {
                continue;
            }
            let worth = self.planner.command_post(brief, hex, block);
            let mut slot = (worth, hex);
            for known in &mut places[1..wanted] {
                if slot.0 > known.0 {
                    std::mem::swap(known, &mut slot);
                }
            }
        }
        let others = after(&self.planner, brief, block);
        // When the last one was decided on, this one was thought of as inactive, or as active where it is.
        let rest = state.marked(Mark::Active).or(&others);
        let with = rest.or(&Blocks::one(block));
        let known = |all: Blocks| self.planner.so_far.filter(|so_far| so_far.0 == all).map(|so_far| so_far.1);
        let at_home = known(with);
        let without = self.known_or_new(brief, Action::Pass, &others, known(rest));
        let mut chosen = without;
        let without = without.0;
        let mut found = (brief.weights.order, Action::Pass);
        let price = price_of_command(&self.planner, brief, block, 1);
        let mut brought = f32::NEG_INFINITY;
        let mut attacks = (0.0, at);
        let mut foremost = f32::NEG_INFINITY;
        for (worth, hex) in places {
            let action = Action::Activate(Mode::Normal, hex);
            if worth == f32::NEG_INFINITY || !legal.contains(&action) {
                continue;
            }
            // Where there is little to lead, another post close by brings no more.
            let hopeless = !brief.tables.civil_war && hex != at && brought < PROMISING * price;
            if hopeless && worth - home < BETTER_POST {
                continue;
            }
            let known = at_home.filter(|_| hex == at);
            let (total, of_attacks) = self.known_or_new(brief, action, &others, known);
            brought = brought.max(total - without);
            // The post is worth something in itself.
            let goes = super::norway::worth_of_going(brief, block);
            let value = total - without + (worth - home).min(10.0) + goes - price;
            if value > found.0 {
                found = (value, action);
                chosen = (total, of_attacks);
            }
            // Nearer to the front it reaches the same hexes with what is left of it.
            let forward = if brief.tables.civil_war { 0.0 } else { FORWARD * (worth - home) };
            if of_attacks > 0.0 && of_attacks + forward > foremost {
                foremost = of_attacks + forward;
                attacks = (of_attacks, hex);
            }
        }
        let blitz = Action::Activate(Mode::Blitz, attacks.1);
        let spared = super::diplomacy::spares_a_blitz(brief);
        if attacks.0 > WORTH_A_BLITZ && legal.contains(&blitz) && !spared {
            let (total, of_attacks) = self.worth_of(brief, blitz, &others);
            let value = total - without + brief.weights.blitz * of_attacks
                - price_of_command(&self.planner, brief, block, 2);
            if value > found.0 {
                found = (value, blitz);
                chosen = (total, of_attacks);
            }
        }
        let led = if found.1 == Action::Pass { rest } else { with };
        self.planner.so_far = Some((led, chosen));
        found.1
    }

    /// What [`Self::worth_of`] says, as it is known from the decision about another headquarters, or else found anew.
    fn known_or_new(
        &mut self,
        brief: &Brief<'_>,
        action: Action,
        others: &Blocks,
        known: Option<(f32, f32)>,
    ) -> (f32, f32) {
        #[cfg(test)]
        if let Some(known) = known {
            assert_eq!(known, self.worth_of(brief, action, others));
        }
        known.unwrap_or_else(|| self.worth_of(brief, action, others))
    }

    /// Worth of the moves that follow an activation of the headquarters at hand, when of those behind it these `others` are activated
    /// where they are; and what of it is attacks.
    fn worth_of(&mut self, brief: &Brief<'_>, action: Action, others: &Blocks) -> (f32, f32) {
        let mut scratch: State = *brief.state;
        let moment = (scratch.turn, scratch.active);
        let mut dice = PlayContext::silent(Rng64::stream(0, 0, 0));
        if action == Action::Pass && scratch.marked(Mark::Active).is_empty() && others.is_empty() {
            return (0.0, 0.0);
        }
        brief.game.command_at_last(&mut scratch, action, others, &mut dice);
        if scratch.phase != Phase::Movement || (scratch.turn, scratch.active) != moment {
            return (0.0, 0.0);
        }
        let then = Brief { state: &scratch, ..*brief };
        self.planner.survey.restore(brief.game, brief.tables, &scratch);
        self.planner.plan(&then);
        self.planner.put_away();
        // Where nobody can move the phase is over at once.
        if self.planner.moves_nobody(&then) {
            return (0.0, 0.0);
        }
        (self.planner.total, self.planner.attacks)
    }

    /// Whether a headquarters stays to support combat and strike, or mobilises (5.5), and where to.
    pub(super) fn mobilisation(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Action {
        let (game, state) = (brief.game, brief.state);
        let block = state.subject;
        let at = state.at(block);
        self.planner.look_to_settle(brief);
        if self.worth_of_staying_active(brief, block) > WORTH_STAYING && !state.is_battle(at) {
            return Action::Pass;
        }
        let worth = |action: Action| match action {
            Action::Pass => -100.0,
            action => destination(action).map_or(-100.0, |hex| {
                let settled = !brief.tables.civil_war && game.brief(block).kind != Kind::Hq;
                let stay = if hex == at { if settled { SETTLED } else { 0.3 } } else { 0.0 };
                self.planner.command_post(brief, hex, block) + stay + self.worth_of_port_to_embark(brief, hex)
            }),
        };
        best_action(legal, worth).unwrap_or(Action::Pass)
    }

    /// What support and strike of a headquarters are worth in the battles at hand.
    fn worth_of_staying_active(&self, brief: &Brief<'_>, block: BlockId) -> f32 {
        let (game, state) = (brief.game, brief.state);
        let data = game.brief(block);
        let open = game.supports_in(state, block);
        let supports = if open.is_empty() {
            open
        } else if state.sea.invaders >> data.headquarters & 1 != 0 {
            game.support_area(state, block)
        } else {
            game.command_area(state, block).and(&open)
        };
        let value = game.command_value(state, block).max(0);
        let (mut support, mut strike) = (0.0, 0.0f32);
        for hex in state.battles() {
            let force = self.force_in(brief, hex);
            let fought = state.new_battles.contains(hex);
            let worth = |supported: bool, air: f32| {
                let worth = self.planner.round_worth(
                    brief,
                    hex,
                    &self.planner.fight(brief, hex, force, supported, air),
                );
                if fought { worth } else { worth.max(0.0) }
            };
            let with = supports.contains(hex);
            support += worth(with, 0.0) - worth(false, 0.0);
            if self.reaches(brief, block, hex) {
                let air = f32::from(value) * self.air(brief, block, hex);
                strike = strike.max(worth(with, air) - worth(with, 0.0));
            }
        }
        support + strike
    }

    /// Own units in a hex.
    pub(super) fn force_in(&self, brief: &Brief<'_>, hex: Hex) -> Might {
        let own = self.planner.survey.own();
        debug_assert_eq!(self.planner.survey.camp, brief.camp);
        Might {
            steps: own.steps[usize::from(hex.0)],
            offence: own.offence[usize::from(hex.0)],
            defence: own.defence[usize::from(hex.0)],
        }
    }

    /// Sixths of a die of an airstrike of headquarters.
    fn air(&self, brief: &Brief<'_>, block: BlockId, hex: Hex) -> f32 {
        sixths(brief.game, brief.game.air_fire(brief.state, block, hex))
    }

    /// Whether the aircraft of a headquarters reach a hex.
    fn reaches(&self, brief: &Brief<'_>, block: BlockId, hex: Hex) -> bool {
        let game = brief.game;
        let value = game.command_value(brief.state, block).max(0) as u32;
        let range = match game.brief(block).kind {
            Kind::SupremeHq => value * u32::from(game.rules.numbers.supreme_air_range),
            _ => value,
        };
        value > 0 && game.board().distance(brief.state.at(block), hex) <= range
    }

    /// The battle that an airstrike helps most (7.13).
    pub(super) fn airstrike(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Action {
        self.planner.look_at_battles(brief);
        let (game, state) = (brief.game, brief.state);
        let value = f32::from(game.command_value(state, state.subject).max(0));
        let worth = |action: Action| {
            let Action::Strike(hex) = action else { return 0.05 };
            let force = self.force_in(brief, hex);
            let supported = state.commanded.contains(hex);
            let round = |air: f32| {
                self.planner.round_worth(brief, hex, &self.planner.fight(brief, hex, force, supported, air))
            };
            let with = round(value * self.air(brief, state.subject, hex));
            // Who strikes must fight.
            if state.new_battles.contains(hex) { with - round(0.0) } else { with - round(0.0).max(0.0) }
        };
        best_action(legal, worth).unwrap_or(Action::Pass)
    }
}

/// Headquarters that are asked after this one and will probably lead where they are: what they lead anyway is no reason to activate it,
/// or to bring it there, in campaigns. In the Winter War, where attackers are few, two lead better to the same place.
fn after(planner: &Planner, brief: &Brief<'_>, block: BlockId) -> Blocks {
    if brief.tables.civil_war || brief.tables.winter_war {
        return Blocks::EMPTY;
    }
    let (game, state) = (brief.game, brief.state);
    let number = game.brief(block).headquarters;
    let own = state.standing[brief.camp.index()].and(&game.sets().field_headquarters);
    own.filter(|other| {
        let data = game.brief(other);
        let at = state.at(other);
        data.headquarters > number
            && data.faction == state.active
            && state.steps[other] >= LEADS
            && is_on_map(at)
            && planner.survey.hot.contains(at)
            && !state.is_battle(at)
    })
}

/// What it costs to spend so many steps of a headquarters: more the fewer are left, and less if they come back for nothing.
pub(super) fn price_of_command(planner: &Planner, brief: &Brief<'_>, block: BlockId, steps: u8) -> f32 {
    let (game, state) = (brief.game, brief.state);
    let data = game.brief(block);
    let have = state.steps[block];
    let cheap = planner.survey.cheap.contains(state.at(block));
    // Of a step, by how many there are with it.
    let price = |steps: u8| match (data.kind, &game.rules.civil_war) {
        // A step a month comes for nothing (1936 rule 7): only at its full value nothing is lost.
        (Kind::TheatreHq, Some(_)) => brief.weights.theatre * [2.0, 2.0, 1.0, 0.1][usize::from(steps.min(3))],
        (Kind::Hq, Some(war)) => {
            let price = if cheap { war.double_supply.step } else { 2 * war.double_supply.step };
            brief.weights.command * f32::from(price) * [2.0, 1.5, 1.0, 0.6][usize::from(steps.min(3))]
        }
        _ => {
            // One that is strong leads more for the same step.
            const SCARCE: [f32; 4] = [5.0, 4.0, 1.6, 0.5];
            // One that gets a step a month may lead once a month: better when it is strong than when it is not.
            const SAVED: [f32; 4] = [10.0, 8.0, 3.0, 0.5];
            let saves = brief.tables.long_war;
            let scarce = if saves { SAVED } else { SCARCE };
            let cost = game.rules.kinds[data.kind as usize].costs.iter().flatten().next();
            let price = cost.map_or(2.0 * STEP, |cost| f32::from(cost.step));
            let rails =
                if data.kind == Kind::SupremeHq && !planner.survey.stations.is_empty() { RAILS } else { 1.0 };
            rails * brief.weights.command * price * scarce[usize::from(steps.min(3))]
        }
    };
    let sum: f32 = (0..steps).map(|nth| if have > nth { price(have - nth) } else { 50.0 }).sum();
    sum
}

#[cfg(test)]
mod tests {
    use sandtable_eurofront::editor::Editor;

    use sandtable_eurofront::ids::Blocks;

    use super::{LEADS, after, price_of_command};
    use crate::testing::{game, seen};

    /// North, South and Centre led from the same place in the first turn of 1941, for each was weighed as if it were the last.
    #[test]
    fn headquarters_count_on_those_asked_after_them() {
        let game = game("1941");
        let [south, centre] = ["de_hq_south", "de_hq_centre"].map(|id| game.rules.block(id).unwrap());
        let warsaw = game.rules.place("warsaw").unwrap();
        let counted_on = |first, steps: u8| {
            let state = Editor::new(&game).place(centre, warsaw, steps).finish();
            seen(&game, &state, |brief, player| {
                player.planner.look(brief, false);
                after(&player.planner, brief, first)
            })
        };
        assert!(counted_on(south, LEADS).contains(centre));
        assert!(!counted_on(south, LEADS - 1).contains(centre), "too weak");
        assert_eq!(counted_on(centre, LEADS).and(&Blocks::one(south)), Blocks::EMPTY, "asked before");
    }

    /// A headquarters that grows by a step a month leads once a month: in long wars it had better be strong then.
    #[test]
    fn weak_headquarters_save_in_long_wars() {
        let price = |scenario: &str, steps: u8| {
            let game = game(scenario);
            let staff = game.rules.block("de_hq_b").unwrap();
            let place = game.rules.place("ruhr").unwrap();
            let state = Editor::new(&game).place(staff, place, steps).finish();
            seen(&game, &state, |brief, player| {
                player.planner.look(brief, false);
                price_of_command(&player.planner, brief, staff, 1)
            })
        };
        assert!(price("1944", 1) > 1.9 * price("1940A", 1));
        assert!((price("1944", 3) - price("1940A", 3)).abs() < 0.01);
    }
}
