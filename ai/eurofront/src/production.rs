//! Production (11.0): recognition and aid of 1936, where units arrive, what is built.

use std::cell::OnceCell;

use sandtable_ai::policy::best_action;
use sandtable_core::{Hex, Index};
use sandtable_eurofront::ids::{Account, BlockId, Camp, Faction, Hexes, is_on_map};
use sandtable_eurofront::rules::{Goal, Kind};
use sandtable_eurofront::{Action, ArrivalRoom, Mark, State};

use super::landings::{REACHES, reaches_england, worth_of_waiting};
use super::plan::{Brief, STEP};
use super::scripted::Scripted;
use super::survey::{Might, might};

/// A unit that is raised, as it counts where it is placed.
const NEW: Might = Might { steps: 1.0, offence: 1.0, defence: 1.0 };
/// Most points that are planned with.
const FUNDS: usize = 96;
/// Steps at the front around a headquarters that keep it busy, and what one without any is worth against a busy one.
const BUSY: f32 = 10.0;
const IDLE: f32 = 0.25;
/// What a step of a unit that stands counts more in long wars than its strength, against a unit raised anew, which must come
/// to the front first and starves or falls at the first step.
const GROWN: f32 = 1.4;
/// What a step of a headquarters is worth that has none, one, or more, in production points: in campaigns, where one a
/// month is all it gets, and in Spain.
const COMMAND: [f32; 3] = [26.0, 22.0, 20.0];
const COMMAND_IN_SPAIN: [f32; 3] = [22.0, 16.0, 10.0];
/// What a step of a headquarters is worth months before the war that it will lead, against one that leads now.
const EARLY: f32 = 0.3;
/// The same of one that supports landings in England, which decide 1940A.
const LEADS_TO_ENGLAND: f32 = 3.0;
/// What a unit that is raised anew counts, in steps: it holds a hex of its own and grows by a step a month. The Axis has the longer
/// lines in campaigns, and not as many units.
const CADRE: f32 = 2.1;
const AXIS_CADRE: f32 = 3.15;
/// Most things to buy that are compared.
const ITEMS: usize = 256;

/// What can be bought, and what it is worth.
#[derive(Clone, Copy, Debug)]
struct Item {
    action: Action,
    price: usize,
    value: f32,
    /// The account that pays for it, by number.
    account: usize,
}

/// What a unit that can be raised anew is, where it is off the map, and whether it has fallen abroad.
type Raised = (u16, Hex, bool);

/// A shopping list.
#[derive(Debug)]
pub(super) struct Shopping {
    /// Whose list it is, and of which month.
    of: Option<(u8, Faction)>,
    items: Vec<Item>,
    /// The unit that was last priced to be raised anew, and the bill for it.
    raised: Option<(Raised, (Account, u8))>,
    /// The most worth that the items from one on bring for so many points, by item and points.
    table: Vec<[f32; FUNDS + 1]>,
}

impl Shopping {
    pub fn new() -> Shopping {
        Shopping {
            of: None,
            items: Vec::with_capacity(ITEMS),
            raised: None,
            table: vec![[0.0; FUNDS + 1]; ITEMS + 1],
        }
    }

    pub fn forget(&mut self) {
        self.of = None;
    }

    /// The most worth for so many points of an account, and the first item of the list that brings it.
    fn fill(&mut self, account: usize, funds: usize) -> (f32, Option<usize>) {
        let count = self.items.len();
        self.table[count][..=funds].fill(0.0);
        for nth in (0..count).rev() {
            let item = self.items[nth];
            let (before, after) = self.table.split_at_mut(nth + 1);
            let (here, after) = (&mut before[nth][..=funds], &after[0][..=funds]);
            if item.account != account {
                here.copy_from_slice(after);
                continue;
            }
            for (points, worth) in here.iter_mut().enumerate() {
                let without = after[points];
                let with = if item.price <= points {
                    item.value + after[points - item.price]
                } else {
                    f32::NEG_INFINITY
                };
                *worth = without.max(with);
            }
        }
        let first = (0..count).find(|&nth| {
            let (item, after) = (self.items[nth], &self.table[nth + 1]);
            item.account == account
                && item.price <= funds
                && item.value + after[funds - item.price] > after[funds] + 1e-4
        });
        (self.table[0][funds], first)
    }
}

/// Chance that one throw of two dice is below a level.
fn below(level: i32) -> f32 {
    let ways = (2..level.clamp(2, 13)).map(|sum| 6 - (sum - 7).abs()).sum::<i32>();
    ways as f32 / 36.0
}

impl Scripted {
    // ---- 1936: recognition and aid ----

    /// Whether recognition is claimed (1936 rule 9): when it is likely, or the season is at its end.
    pub(super) fn claim(&mut self, brief: &Brief<'_>) -> Action {
        let state = brief.state;
        let chance = below(i32::from(state.civil_war.level.unsigned_abs())).powi(2);
        let next = brief.game.rules.calendar.get(usize::from(state.month) + 1);
        let last = next.is_none_or(|month| month.opens_season);
        let claims = chance >= brief.weights.claim || last && chance > 0.0;
        if claims { Action::Yes } else { Action::Pass }
    }

    /// Where aid comes to: where it joins most places and units to supply.
    pub(super) fn port_of_aid(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Option<Action> {
        use sandtable_eurofront::Phase;
        let state = brief.state;
        let mut scratch: State = *state;
        let chance = passes_blockade(brief);
        let none = joined(brief, state);
        best_action(legal, |action| {
            let Action::Place(hex) = action else { return none };
            scratch.civil_war = state.civil_war;
            let war = &mut scratch.civil_war;
            match state.phase {
                Phase::FrenchRailhead => {
                    if let Some(free) = war.french.iter_mut().find(|slot| !is_on_map(**slot)) {
                        *free = hex;
                    }
                }
                Phase::FrenchLoss => {
                    for slot in &mut war.french {
                        if *slot == hex {
                            *slot = sandtable_eurofront::ids::place::OUT;
                        }
                    }
                }
                Phase::SovietPort => war.soviet = hex,
                _ => war.axis = hex,
            }
            let with = joined(brief, &scratch);
            if matches!(state.phase, Phase::AxisPort) {
                // What is stopped costs a point.
                none + chance * (with - none) - (1.0 - chance) * brief.weights.income
            } else {
                with
            }
        })
    }

    // ---- arrivals and cadres (11.8, 11.72) ----

    /// Where a unit is placed.
    pub(super) fn place(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Action {
        self.planner.look_to_settle(brief);
        self.best_place(brief, brief.state.subject, legal).unwrap_or(legal[0])
    }

    /// The best of some places for a new unit.
    fn best_place(&self, brief: &Brief<'_>, block: BlockId, places: &[Action]) -> Option<Action> {
        let worth = |action: Action| match action {
            Action::Place(hex) => self.planner.post(brief, hex, block, NEW),
            _ => -1000.0,
        };
        best_action(places, worth)
    }

    // ---- building (11.7) ----

    /// What is bought next: of all that could be bought for the points at hand what is worth most together; nothing, if it
    /// is better to save (11.2).
    pub(super) fn build(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Action {
        let state = brief.state;
        let now = Some((state.month, state.decider));
        let room = OnceCell::new();
        self.planner.settle_sites(brief);
        if self.shopping.of == now && !brief.tables.civil_war {
            // What is bought does not change what the rest is worth, but perhaps who pays for it.
            self.shopping.items.retain(|item| legal.contains(&item.action));
            self.shopping.raised = None;
            for nth in 0..self.shopping.items.len() {
                let (account, price) = self.price(brief, self.shopping.items[nth].action, &room);
                let item = &mut self.shopping.items[nth];
                (item.account, item.price) = (account, price);
            }
        } else {
            self.planner.look(brief, true);
            self.planner.settle_sites(brief);
            self.shopping.of = now;
            self.shopping.items.clear();
            self.shopping.raised = None;
            for &action in legal {
                let value = self.worth_of_buying(brief, action);
                if action == Action::Pass || value <= 0.0 || self.shopping.items.len() >= ITEMS {
                    continue;
                }
                let (account, price) = self.price(brief, action, &room);
                self.shopping.items.push(Item { action, price, value, account });
            }
        }
        // Each account pays for its own; blocks are bought in their order, so that the first of all comes first.
        let (mut funds, mut worth, mut first) = (0, 0.0, None);
        for account in Account::all_of(state.decider).map(Account::index) {
            let own = (state.points[account].max(0) as usize).min(FUNDS);
            let (most, item) = self.shopping.fill(account, own);
            funds += own;
            worth += most;
            first = first.into_iter().chain(item).min();
        }
        let spent = Account::all_of(state.decider).any(|account| state.spent[account.index()]);
        let kept = if spent { 0.0 } else { self.worth_of_saving(brief, funds) };
        match first {
            Some(nth) if worth > kept => self.shopping.items[nth].action,
            _ => Action::Pass,
        }
    }

    /// The account that pays for it, by number, and what the rules ask.
    fn price(&mut self, brief: &Brief<'_>, action: Action, room: &OnceCell<ArrivalRoom>) -> (usize, usize) {
        let (game, state) = (brief.game, brief.state);
        let (account, price) = match action {
            Action::Build(block) => game.bill_for_step(state, block),
            Action::Cadre(block) => {
                // Blocks that are alike follow each other, and are raised in the same places.
                // Who has fallen abroad is raised elsewhere (21.373).
                let abroad = state.has(block, Mark::FALLEN_ABROAD);
                let like = (game.brief(block).alike, state.at(block), abroad);
                let known = self.shopping.raised.filter(|&(known, _)| known == like);
                let bill = known.map_or_else(|| self.bill_for_raising(brief, block, room), |(_, bill)| bill);
                #[cfg(test)]
                assert_eq!(bill, self.bill_for_raising(brief, block, &OnceCell::new()));
                let staff = game.brief(block).kind.is_headquarters();
                self.shopping.raised = (!staff).then_some((like, bill));
                bill
            }
            _ => (Account::home(state.decider), game.rules.civil_war.as_ref().map_or(0, |war| war.garrison)),
        };
        (account.index(), usize::from(price))
    }

    /// The bill for a cadre in the place that is best for it.
    fn bill_for_raising(
        &mut self,
        brief: &Brief<'_>,
        block: BlockId,
        room: &OnceCell<ArrivalRoom>,
    ) -> (Account, u8) {
        let (game, state) = (brief.game, brief.state);
        let planner = &mut self.planner;
        let best =
            game.best_place_to_raise(state, block, room, |hex| planner.known_post(brief, hex, block, NEW));
        best.map_or((Account::home(state.decider), 0), |hex| game.bill_for_cadre(state, block, hex))
    }

    fn worth_of_buying(&self, brief: &Brief<'_>, action: Action) -> f32 {
        match action {
            Action::Build(block) if brief.game.brief(block).kind == Kind::Beachhead => {
                self.worth_of_beachhead(brief)
            }
            Action::Build(block) => self.worth_of_step(brief, block),
            Action::Cadre(block) => self.worth_of_cadre(brief, block),
            Action::Garrison(hex) => self.worth_of_garrison(brief, hex),
            _ => 0.0,
        }
    }

    /// How near the war is to a place, 0 to 1; 0 off the map, where a unit may wait and still grow.
    fn heat(&self, hex: Hex) -> f32 {
        let survey = &self.planner.survey;
        let Some(&threat) = survey.threat.get(hex.at()) else { return 0.0 };
        let pull = survey.pull[hex.at()] / survey.strongest_pull;
        (0.6 * pull + 0.4 * (threat / (threat + 2.0))).min(1.0)
    }

    /// How much a headquarters has to lead where it stands, in campaigns: 1 at the front, and in a port from which the
    /// Allies may land.
    fn use_of_command(&self, brief: &Brief<'_>, block: BlockId) -> f32 {
        let at = brief.state.at(block);
        let Some(&led) = self.planner.survey.led.get(at.at()) else { return 1.0 };
        let embarks = brief.state.decider == Faction::Allies && brief.game.seas().harbours.contains(at);
        let embarks = embarks
            || super::plan::is_crossing(brief, at)
            || super::landings::may_conquer_egypt(brief, block);
        let used = (led / BUSY).min(1.0);
        if brief.tables.civil_war || embarks { 1.0 } else { IDLE + (1.0 - IDLE) * used }
    }

    pub(super) fn worth_of_step(&self, brief: &Brief<'_>, block: BlockId) -> f32 {
        let (game, state) = (brief.game, brief.state);
        let kind = game.brief(block).kind;
        let heat = self.heat(state.at(block));
        let stations = &self.planner.survey.stations;
        if kind.is_headquarters() {
            let step = if brief.tables.civil_war { COMMAND_IN_SPAIN } else { COMMAND };
            return step[usize::from(state.steps[block].min(2))]
                * match kind {
                    // Months before the armies move there is nothing to lead, but much to send there.
                    Kind::SupremeHq if stations.are_months_from_war() => 1.0,
                    _ if stations.are_months_from_war() => EARLY,
                    // Armies that only have to stand somewhere need rails more than headquarters.
                    Kind::SupremeHq if !stations.is_empty() => 2.0,
                    Kind::Hq
                        if is_on_map(state.at(block)) && reaches_england(brief, state.at(block), REACHES) =>
                    {
                        LEADS_TO_ENGLAND
                    }
                    Kind::Hq => self.use_of_command(brief, block),
                    _ => 0.7 * self.use_of_command(brief, block),
                }
                + super::norway::worth_of_step(brief, block);
        }
        let [offence, defence] = brief.tables.fire[kind as usize];
        let slow = if kind == Kind::Static { 0.6 } else { 1.0 };
        let wanted = match kind {
            _ if !stations.is_for_war() => 1.0,
            Kind::Static | Kind::Fort => 0.0,
            // An army for a war yet to come wants armour for what it costs more.
            _ => brief.tables.price[kind as usize] / STEP,
        };
        let wanted = wanted * stations.worth_of_step_at(state.at(block));
        let at = state.at(block);
        let wanted = if is_on_map(at) { wanted.max(worth_of_waiting(brief, at)) } else { wanted };
        let grown = if brief.tables.long_war { GROWN } else { 1.0 };
        grown * STEP * slow * (0.3 + 0.35 * (offence + defence)) * (0.5 + 0.8 * heat) + wanted
    }

    fn worth_of_cadre(&self, brief: &Brief<'_>, block: BlockId) -> f32 {
        match brief.game.brief(block).kind {
            Kind::Hq | Kind::SupremeHq => 30.0,
            Kind::TheatreHq if brief.tables.civil_war => 20.0,
            // In campaigns it comes back where it was lost, and is lost again.
            Kind::TheatreHq => 4.0,
            // Without strength it holds a place like a garrison, and can be built up.
            Kind::Static => 1.6,
            _ => {
                let steps = if brief.camp == Camp::Axis && brief.tables.goal == Goal::Campaign {
                    AXIS_CADRE
                } else {
                    CADRE
                };
                steps * STEP + self.planner.survey.stations.step
            }
        }
    }

    /// Places that would be lost without a garrison (1936 rule 2): where a unit must stay for their sake, where the enemy's
    /// zone of control reaches, where nobody is loyal.
    fn worth_of_garrison(&self, brief: &Brief<'_>, hex: Hex) -> f32 {
        let survey = &self.planner.survey;
        let worth = brief.worth[hex.at()];
        let joins = survey.cut[hex.at()];
        if worth + joins < 0.1 {
            return 0.0;
        }
        let loyal = brief.game.civil_war_tables().loyal[brief.camp.index()].contains(hex);
        let occupied = survey.own().blocks[hex.at()] > 0;
        let threat = survey.threat[hex.at()];
        let near = (threat / (threat + 1.0)).min(1.0);
        let share = match (loyal, occupied) {
            (false, true) => 0.35,
            (false, false) => 0.6,
            (true, false) => 0.35 * near,
            (true, true) => 0.05 * near,
        };
        brief.weights.garrison * (share * worth + 0.5 * joins)
    }

    /// What points are worth that are kept: what they cannot buy yet draws.
    fn worth_of_saving(&self, brief: &Brief<'_>, funds: usize) -> f32 {
        let (game, state) = (brief.game, brief.state);
        let mut best = 0.0f32;
        for block in *game.blocks_of(brief.camp) {
            let data = game.brief(block);
            if data.faction != state.decider || data.kind == Kind::TheatreHq {
                continue;
            }
            let at = state.at(block);
            let (worth, price) = if is_on_map(at) {
                if state.steps[block] >= data.full || data.kind != Kind::Hq {
                    continue;
                }
                (self.worth_of_step(brief, block), 5.0)
            } else if at == sandtable_eurofront::ids::place::ELIMINATED {
                let own = game.block(block).cost;
                let price =
                    own.map_or(2.0 * brief.tables.price[data.kind as usize], |cost| f32::from(cost.cadre));
                (self.worth_of_cadre(brief, block), price)
            } else {
                continue;
            };
            if price > funds as f32 && price < 2.5 * funds as f32 + 4.0 {
                best = best.max(worth / price);
            }
        }
        brief.weights.thrift * best * funds as f32
    }
}

/// Worth of the places and units that railways join to supply.
fn joined(brief: &Brief<'_>, state: &State) -> f32 {
    let (game, own) = (brief.game, brief.camp);
    let network = game.whole_network(state, own);
    let places = network.and(&state.friendly[own.index()]).and(&brief.tables.prized);
    let of_places: f32 = places.iter().map(|hex| brief.worth[hex.at()]).sum();
    let supplied = game.supplied_by(state, own, &network);
    let fed = state.places.standing(&state.standing[own.index()], |at| supplied.contains(at));
    of_places + fed.iter().map(|block| might(brief.tables, game, state, block).steps).sum::<f32>()
}

/// Chance that aid passes the blockade (1936 rule 5).
fn passes_blockade(brief: &Brief<'_>) -> f32 {
    let Some(war) = &brief.game.rules.civil_war else { return 1.0 };
    if brief.state.month < war.blockade_from {
        return 1.0;
    }
    let held: &Hexes = &brief.state.friendly[brief.camp.index()];
    let ports: u8 =
        war.blockade_ports.iter().filter(|(hex, _)| held.contains(*hex)).map(|&(_, count)| count).sum();
    f32::from(ports.min(6)) / 6.0
}

#[cfg(test)]
mod tests {
    use sandtable_eurofront::editor::Editor;
    use sandtable_eurofront::rules::Status;

    use super::*;
    use crate::testing::{game, seen};

    /// With its units counted as if they were raised for a step each it held its lines with fewer and lost 38 campaigns of 40.
    #[test]
    fn the_axis_raises_units_anew_before_it_fills_up_others_in_campaigns() {
        let worth = |scenario: &str, camp: Camp, id: &str| {
            let game = game(scenario);
            let state = Editor::new(&game).clear().finish();
            crate::testing::seen_by(camp, &game, &state, |brief, player| {
                player.planner.look(brief, false);
                player.worth_of_cadre(brief, game.rules.block(id).unwrap())
            })
        };
        let axis = worth("1943", Camp::Axis, "de_inf_1");
        assert!(axis > 1.4 * worth("1943", Camp::Coalition, "uk_inf_3"));
        assert!(axis > 1.4 * worth("1944", Camp::Axis, "de_inf_1"));
    }

    /// One far from the front was built up for it as well, and stayed where it was: in Athens, Genoa and Bordeaux all of 1941.
    #[test]
    fn headquarters_grow_where_they_lead() {
        let game = game("1941");
        let hex = |id: &str| game.rules.place(id).unwrap();
        let block = |id: &str| game.rules.block(id).unwrap();
        let use_of = |at: &str| {
            let mut editor = Editor::new(&game);
            editor.clear().place(block("de_hq_g"), hex(at), 1).place(block("uk_mec_8"), hex("bremen"), 3);
            for id in ["de_inf_1", "de_inf_2", "de_inf_4", "de_inf_5"] {
                editor.place(block(id), hex("hannover"), 4);
            }
            let state = editor.finish();
            seen(&game, &state, |brief, player| {
                player.planner.look(brief, false);
                player.use_of_command(brief, block("de_hq_g"))
            })
        };
        assert!(use_of("hannover") > 0.99 && use_of("bordeaux") < IDLE + 0.01);
    }

    /// In the winter before a war armies grow, with their armour; headquarters in the spring, and forts not for its sake.
    #[test]
    fn armies_grow_before_headquarters_for_a_war_to_come() {
        let game = game("1939");
        let warsaw = game.rules.place("warsaw").unwrap();
        let france = game.rules.nation("france").unwrap();
        let [staff, tanks, army, fort] =
            ["de_hq_g", "de_arm_46", "de_inf_1", "de_fort_81"].map(|id| game.rules.block(id).unwrap());
        let worth = |month: u8| {
            let mut editor = Editor::new(&game);
            editor.clear().relate(france, Status::Defeated).date(month, 1);
            editor.owns(&game.land("west_poland"), Some(Faction::Axis));
            editor.place(
                game.rules.block("su_inf_10").unwrap(),
                game.rules.place("brest_litovsk").unwrap(),
                4,
            );
            for id in ["de_inf_2", "de_inf_4", "de_inf_5"] {
                editor.place(game.rules.block(id).unwrap(), warsaw, 4);
            }
            editor.place(staff, warsaw, 1).place(tanks, warsaw, 1).place(army, warsaw, 1);
            let state = editor.place(fort, warsaw, 1).finish();
            seen(&game, &state, |brief, player| {
                player.planner.look(brief, false);
                let for_a_point = |block| {
                    let price = brief.tables.price[brief.game.brief(block).kind as usize];
                    player.worth_of_step(brief, block) / price
                };
                [staff, tanks, army, fort].map(for_a_point)
            })
        };
        let [staff, tanks, army, fort] = worth(14);
        assert!(
            army > 2.0 * staff && tanks > 0.9 * army && army > 2.0 * fort,
            "{staff} {tanks} {army} {fort}"
        );
        assert!(worth(18)[0] > 2.0 * staff);
    }

    #[test]
    fn units_that_stand_grow_first_in_long_wars() {
        let game = game("1944");
        let unit = game.rules.block("de_inf_23").unwrap();
        let state = Editor::new(&game).finish();
        let [long, short] = seen(&game, &state, |brief, player| {
            player.planner.look(brief, false);
            let tables = crate::map_tables::MapTables { long_war: false, ..brief.tables.clone() };
            let short = Brief { tables: &tables, ..*brief };
            [brief, &short].map(|brief| player.worth_of_step(brief, unit))
        });
        assert!(long > 1.2 * short && short > 0.0, "{long} {short}");
    }

    #[test]
    fn each_account_pays_for_its_own() {
        let item = |price, value, account| Item { action: Action::Pass, price, value, account };
        let mut shopping = Shopping::new();
        // What is best for the points of both leaves nothing to buy with those of the second.
        shopping.items.extend([item(10, 12.0, 1), item(10, 20.0, 0), item(10, 15.0, 0)]);
        assert_eq!(shopping.fill(0, 20), (35.0, Some(1)));
        assert_eq!(shopping.fill(1, 10), (12.0, Some(0)));
        assert_eq!(shopping.fill(1, 9), (0.0, None));
    }
}
