//! Strategic warfare (2.0), before the purchases of Production: a raid on the producer's country, German submarines.
//!
//! ```text
//!  Axis Production       the Western Allies may raid Germany
//!  Allied Production     submarines attack (ASW first); Germany may raid Great Britain
//!
//!  a raid                bombers and escorts, interceptors; escorts fire at interceptors, interceptors at bombers, flak, bombs
//! ```
//!
//! The order is play book (L663); dice and tables are reconstructed (A79), but for the losses of submarines (20.5).

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::EuropeEngulfed;
use crate::ids::{Nation, Team, WESTERN_POWERS};
use crate::state::{State, happened};

impl EuropeEngulfed {
    /// The phase begins: submarines attack in the Allied player turn.
    pub(crate) fn strategic_war_begins(&self, state: &mut State, context: &mut impl Rolls) {
        let forces = &mut state.strategic;
        (forces.werp_lost, forces.raid, forces.bought, forces.hits_now) = (0, [0; 2], [0; 6], 0);
        forces.met_by = [None; 2];
        state.affairs.converted = false;
        let forces = &mut state.strategic;
        forces.moves_lost[state.mover.index()] = 0;
        if state.mover == Team::Second && self.is_at_war(state, Nation::GreatBritain) {
            self.submarines_attack(state, context);
        }
    }

    /// ASW first, then the attack (play book, L663).
    fn submarines_attack(&self, state: &mut State, context: &mut impl Rolls) {
        let rules = &self.rules.strategic;
        let forces = &mut state.strategic;
        if forces.submarines == 0 {
            return;
        }
        let points = forces.submarines;
        let (option, now) = (self.rules.options.submarine_initiative, self.bimester(state.turn));
        // By option 13.36 submarines fire first while ASW is weak.
        let early = option && !state.affairs.has(happened::ASW_FIRST);
        let bonus = option && rules.submarine_bonus.iter().any(|(from, to)| (*from..=*to).contains(&now));
        let attack = |left: u8, context: &mut _| self.submarine_attack(left, bonus, context);
        let mut werp = if early { attack(points, context) } else { 0 };
        let die = context.die(6) as u8;
        let fives = ((die + forces.asw) / rules.asw_divisor).min(5);
        let sunk = match fives {
            0 => 0,
            fives => rules.losses[usize::from(fives) - 1][usize::from(points) - 1],
        };
        forces.submarines -= sunk.min(points);
        if !early {
            werp = attack(forces.submarines, context);
        }
        if forces.asw > rules.initiative[0] && die >= rules.initiative[1] {
            state.affairs.happened |= happened::ASW_FIRST;
        }
        forces.werp_lost = werp;
        forces.moves_lost[Team::Second.index()] += werp / rules.werp_per_move;
        context.emit(|| Event::Submarines { points, sunk, werp });
    }

    /// WERP that so many submarine points cost Great Britain.
    fn submarine_attack(&self, points: u8, bonus: bool, context: &mut impl Rolls) -> u8 {
        let rules = &self.rules.strategic;
        if points == 0 {
            return 0;
        }
        let column = rules.attack_columns.iter().position(|most| points <= *most);
        let die = (context.die(6) as usize + usize::from(bonus)).min(6);
        rules.attack[die - 1][column.unwrap_or(rules.attack_columns.len() - 1)]
    }

    /// Whether bombers (0) or escorts (1) are improved: by date (2.24), or by what they have done (14.51).
    fn is_improved(&self, state: &State, which: usize) -> bool {
        if self.rules.options.improved_by_use {
            return state.affairs.has([happened::BOMBERS_IMPROVED, happened::ESCORTS_IMPROVED][which]);
        }
        self.bimester(state.turn) >= self.rules.strategic.improved[which]
    }

    /// The markers of option 14.51 go down: a point for each bomber that comes back, up to five a raid; a point for two bombers
    /// shot down by fighters.
    fn improve(&self, state: &mut State, returned: u8, shot_down: u8) {
        let [_, most] = self.rules.strategic.improvement;
        for (marker, step) in state.strategic.improving.iter_mut().zip([returned.min(most), shot_down / 2]) {
            *marker = marker.saturating_add(step);
        }
    }

    /// A turn begins: what has been improved in the one before counts from now on (14.51).
    pub(crate) fn apply_improvements(&self, state: &mut State) {
        let [start, _] = self.rules.strategic.improvement;
        let bits = [happened::BOMBERS_IMPROVED, happened::ESCORTS_IMPROVED];
        for (marker, bit) in state.strategic.improving.into_iter().zip(bits) {
            if self.rules.options.improved_by_use && marker >= start {
                state.affairs.happened |= bit;
            }
        }
    }

    /// Whether the enemy of the producer can raid his country.
    fn can_raid(&self, state: &State) -> bool {
        let at_war = |nation| self.is_at_war(state, nation);
        let western = WESTERN_POWERS.into_iter().any(at_war);
        let target = match state.mover {
            Team::First => at_war(Nation::Germany),
            Team::Second => at_war(Nation::GreatBritain),
        };
        let raider =
            state.mover == Team::First && western || state.mover == Team::Second && at_war(Nation::Germany);
        target && raider && state.strategic.bombers[state.mover.other().index()] > 0
    }

    /// Escorts that a raid of so many bombers may have (A79, 2.24 b).
    fn escorts(&self, state: &State, bombers: u8) -> u8 {
        let rules = &self.rules.strategic;
        let fighters = state.strategic.fighters[state.mover.other().index()];
        if self.is_improved(state, 1) {
            return fighters;
        }
        fighters.min(bombers / rules.bombers_per_escort)
    }

    /// Who decides: the raider, then the producer; the raider again if his escorts meet fighters of both kinds.
    pub(crate) fn strategic_war_decider(&self, state: &State) -> u8 {
        let forces = &state.strategic;
        let met = forces.met_by[1].is_some();
        self.leader(if forces.raid[0] > 0 && !met { state.mover } else { state.mover.other() })
    }

    /// Me-262 with which a team can meet a raid (13.35).
    fn jets(&self, state: &State) -> u8 {
        if self.rules.options.me262 && state.mover == Team::First { state.strategic.me262 } else { 0 }
    }

    pub(crate) fn strategic_war_actions(&self, state: &State, out: &mut Vec<Action>) {
        let forces = &state.strategic;
        if forces.raid[0] > 0 {
            match forces.met_by {
                [None, _] => out.extend((0..=forces.fighters[state.mover.index()]).map(Action::Interceptors)),
                [_, None] => out.extend((0..=self.jets(state)).map(Action::Jets)),
                _ => out.extend((0..=forces.raid[1]).map(Action::AtJets)),
            }
            return;
        }
        if !self.can_raid(state) {
            return;
        }
        out.push(Action::Pass);
        for bombers in 1..=forces.bombers[state.mover.other().index()] {
            out.extend((0..=self.escorts(state, bombers)).map(|escorts| Action::Raid(bombers, escorts)));
        }
    }

    pub(crate) fn strategic_war_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match action {
            Action::Raid(bombers, escorts) => state.strategic.raid = [bombers, escorts],
            Action::Interceptors(count) if self.jets(state) > 0 => {
                state.strategic.met_by[0] = Some(count);
            }
            Action::Interceptors(count) => self.raid(state, [count, 0], 0, context),
            Action::Jets(count) => {
                let (fighters, escorts) = (state.strategic.met_by[0].unwrap_or(0), state.strategic.raid[1]);
                if count > 0 && fighters > 0 && escorts > 0 {
                    state.strategic.met_by[1] = Some(count);
                } else {
                    self.raid(state, [fighters, count], if count > 0 { escorts } else { 0 }, context);
                }
            }
            Action::AtJets(escorts) => {
                let met_by = state.strategic.met_by.map(|count| count.unwrap_or(0));
                self.raid(state, met_by, escorts, context);
            }
            _ => self.end_phase(state, context),
        }
    }

    /// Fighters fire at so many points: points shot down, and fighters lost in exchanges.
    fn dogfight(&self, fighters: u8, targets: u8, context: &mut impl Rolls) -> (u8, u8) {
        let [hit, exchange, half] = self.rules.strategic.fighter_dice;
        let (mut hits, mut exchanges, mut halves) = (0, 0, 0);
        for _ in 0..fighters {
            match context.die(6) as u8 {
                die if die >= hit => hits += 1,
                die if die >= exchange => exchanges += 1,
                die if die >= half => halves += 1,
                _ => {}
            }
        }
        let sure: u8 = targets.min(hits + halves / 2);
        let exchanged = exchanges.min(targets - sure);
        (sure + exchanged, exchanged)
    }

    /// The raid is flown: fighters and Me-262 meet it, so many escorts fire at these (13.35). The phase is over.
    fn raid(&self, state: &mut State, [interceptors, jets]: [u8; 2], at_jets: u8, context: &mut impl Rolls) {
        let rules = &self.rules.strategic;
        let (defender, raider) = (state.mover, state.mover.other());
        let [bombers, escorts] = std::mem::take(&mut state.strategic.raid);
        state.strategic.met_by = [None; 2];
        // Me-262 fire first, then escorts at them.
        let [jets_on, at_jets_on, hits_per_jet] = rules.jets.1;
        let down_by_jets = successes(jets, jets_on, context).min(bombers);
        let lost_jets = (successes(at_jets, at_jets_on, context) / hits_per_jet).min(jets);
        let (shot, lost_escorts) = self.dogfight(escorts - at_jets, interceptors, context);
        let (down, exchanged) = self.dogfight(interceptors - shot, bombers - down_by_jets, context);
        let down = down + down_by_jets;
        let lost_interceptors = shot + exchanged;
        let flak = state.strategic.flak[defender.index()];
        let by_flak = successes(flak, rules.flak_on, context).min(bombers - down);
        let over = bombers - down - by_flak;
        let improved = self.is_improved(state, 0);
        let hits = successes(over, rules.bomb_on[usize::from(improved)], context);
        let forces = &mut state.strategic;
        forces.bombers[raider.index()] -= down + by_flak;
        forces.fighters[raider.index()] -= lost_escorts;
        forces.fighters[defender.index()] -= lost_interceptors;
        forces.me262 -= lost_jets;
        forces.werp_lost = forces.werp_lost.saturating_add(hits.saturating_mul(rules.werp_per_hit));
        forces.moves_lost[defender.index()] += hits / rules.hits_per_move;
        forces.hits_now = hits;
        if raider == Team::Second {
            forces.raided = over;
            forces.bomb_hits = forces.bomb_hits.saturating_add(hits);
            self.improve(state, over, down);
        }
        context.emit(|| Event::Raid {
            by: raider,
            sent: [bombers, escorts, interceptors + jets],
            lost: [down + by_flak, lost_escorts, lost_interceptors + lost_jets],
            hits,
        });
        self.end_phase(state, context);
    }
}

/// How many of so many dice show a number or more.
fn successes(dice: u8, from: u8, context: &mut impl Rolls) -> u8 {
    let dice = u32::from(dice);
    (dice - context.hits(dice, 6, u32::from(from) - 1)) as u8
}
