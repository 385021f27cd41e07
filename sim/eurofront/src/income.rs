//! Income (11.2 to 11.6): what places yield to which account, base production, allotments and transfers between fronts,
//! maintenance and losses on the way.
//!
//! ```text
//!  Allotment    what the home account gives the East and the Mediterranean every month      11.5, 21.23, 21.37
//!  income       base, cities, resources; allotments; points under way; less maintenance     11.2, 11.3
//!  Transfer     a block of points to another front, of which half arrives next month        11.6
//! ```

use sandtable_core::{ActionSink, Flow, Index};

use crate::action::Action;
use crate::event::{Cause, Event};
use crate::game::EuroFront;
use crate::ids::{Account, Faction, Front, Hexes, NationId, place};
use crate::phase::Phase;
use crate::rules::Status;
use crate::sea_supply::{Network, SeaLines};
use crate::state::State;

/// Accounts that live on allotments, in the order in which they are decided.
const ALLOTTED: [Account; 3] = [Account::AxisEast, Account::AxisMediterranean, Account::AlliesMediterranean];
/// Points of a block that is transferred, and what arrives of it (11.6).
const TRANSFER: [i16; 2] = [10, 5];
/// Points under way from the Mediterranean Front are counted once more in [`State::transferred`], so many times as much.
const FROM_SOUTH: i16 = 256;
/// Points that a throw of one die on losses is about (11.62).
const LOT: i16 = 5;
/// Maintenance of a stranger in the Desert or the Arctic Zone (11.9).
const MAINTENANCE: i16 = 5;
/// The neutral Soviets produce one part in so many (20.51).
pub(crate) const SOVIET_PEACE: i16 = 3;

/// Bounds of an allotment (21.23, 21.37).
struct Allotment {
    /// It goes up and down by so much.
    step: i16,
    /// Up to this it may be raised in any production, beyond at the change of a season alone.
    ceiling: i16,
    /// Raised beyond only when the front was activated so many months ago.
    months: u8,
    /// In which seasons it may be raised beyond: at every change, or when summer begins.
    summer_alone: bool,
}

impl Account {
    /// The front for which an account pays (11.2): a home account for the one that is fought from home.
    pub fn front(self) -> Front {
        match self {
            Account::AxisEast | Account::Soviets => Front::East,
            Account::AxisMediterranean | Account::AlliesMediterranean => Front::Mediterranean,
            _ => Front::West,
        }
    }

    fn allotment(self) -> Allotment {
        match self {
            Account::AxisEast => Allotment { step: 10, ceiling: 40, months: 6, summer_alone: true },
            _ => Allotment { step: 5, ceiling: 15, months: 3, summer_alone: false },
        }
    }
}

impl EuroFront {
    // ---- allotments (11.5, 21.23, 21.37) ----

    /// Goes on to the next account whose allotment may be changed.
    pub(crate) fn turn_to_allotment(&self, state: &mut State) -> bool {
        let rest = ALLOTTED.into_iter().enumerate().skip(usize::from(state.cursor));
        let next = rest.clone().find(|&(_, account)| self.is_kept(state, account));
        let Some((at, account)) = next else { return false };
        state.phase = Phase::Allotment;
        state.active = account.faction();
        state.decider = account.faction();
        state.cursor = at as u16 + 1;
        true
    }

    /// Whether an account is in use: its faction plays, and its front is active.
    pub fn is_kept(&self, state: &State, account: Account) -> bool {
        let pays = match account {
            Account::AxisEast | Account::AxisMediterranean | Account::AlliesMediterranean => {
                state.is_active(account.front())
            }
            Account::AxisIsolated | Account::AlliesIsolated => false,
            _ => true,
        };
        pays && self.is_played(account.faction())
    }

    /// The account whose allotment is being decided.
    pub fn allotted_account(&self, state: &State) -> Account {
        ALLOTTED[usize::from(state.cursor.max(1)) - 1]
    }

    /// The account from which a block may be sent, as is being decided.
    pub fn sending_account(&self, state: &State) -> Account {
        Account::ALL[usize::from(state.cursor.max(1)) - 1]
    }

    pub(crate) fn allotments<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let account = self.allotted_account(state);
        let now = state.allotted[account.index()];
        let bounds = account.allotment();
        // The month of activation is the first of these: months gone by are one less, as those of peace production (16.32).
        let months = state.active_months[account.front().index()];
        let first = months <= 2;
        let month = self.month(state);
        let season = month.opens_season && (!bounds.summer_alone || month.season.starts_with('S'));
        let most = self.most_to_allot(state, account);
        out.offer(Action::Pass)?;
        let mut points = 0;
        while points <= now.max(bounds.ceiling) + bounds.step {
            let lower = points == now - bounds.step;
            let raise = points > now && points <= bounds.ceiling;
            let beyond =
                points == now + bounds.step && points > bounds.ceiling && season && months > bounds.months;
            let initial = first && points <= bounds.ceiling && points != now;
            if lower || points <= most && (raise || beyond || initial) {
                out.offer(Action::Allot(points as u8))?;
            }
            points += bounds.step;
        }
        Flow::Continue(())
    }

    /// What the home account can give a front: what it has and gets this month, less what it gives another.
    fn most_to_allot(&self, state: &State, account: Account) -> i16 {
        let faction = account.faction();
        let home = Account::home(faction).index();
        let others = ALLOTTED
            .into_iter()
            .filter(|&other| other != account && other.faction() == faction && self.is_kept(state, other));
        let given: i16 = others.map(|other| state.allotted[other.index()]).sum();
        state.points[home] + self.monthly_income(state, faction)[home] - given
    }

    pub(crate) fn allot<T: crate::Rolls>(&self, state: &mut State, points: u8, context: &mut T) {
        let account = self.allotted_account(state);
        state.allotted[account.index()] = i16::from(points);
        context.emit(|| Event::Allotted { account, points: i16::from(points) });
    }

    // ---- income (11.2, 11.3) ----

    /// All accounts receive what a month brings them.
    pub(crate) fn collect<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        for faction in Faction::ALL.into_iter().filter(|&faction| self.is_played(faction)) {
            let mut income = self.monthly_income(state, faction);
            let home = Account::home(faction).index();
            income[home] += self.received(state, faction, context);
            for account in ALLOTTED.into_iter().filter(|account| account.faction() == faction) {
                if self.is_kept(state, account) {
                    // Home gives no more than it has.
                    let has = (state.points[home] + income[home]).max(0);
                    let given = state.allotted[account.index()].min(has);
                    income[home] -= given;
                    income[account.index()] += given + self.arrived(state, account, context);
                }
            }
            self.maintain(state, faction, &mut income, context);
            for account in Account::all_of(faction) {
                let at = account.index();
                if self.suffers_losses(state, account) && income[at] > 0 {
                    income[at] = come_through(income[at], context);
                }
                state.points[at] = (state.points[at] + income[at]).max(0);
                let points = state.points[at];
                if income[at] != 0 {
                    let received = income[at];
                    context.emit(|| Event::Income { camp: faction.camp(), account, points, received });
                }
            }
        }
    }

    /// Points under way to an account that arrive: of what comes from the Mediterranean Front some may be lost (11.62).
    fn arrived<T: crate::Rolls>(&self, state: &mut State, account: Account, context: &mut T) -> i16 {
        let sent = std::mem::take(&mut state.transferred[account.index()]);
        let (all, southern) = (sent % FROM_SOUTH, sent / FROM_SOUTH);
        // To the Soviets by Persia none are lost.
        let from = Account::of(account.faction(), Front::Mediterranean);
        if southern == 0 || account == Account::Soviets || !self.suffers_losses(state, from) {
            return all;
        }
        all - southern + come_through(southern, context)
    }

    /// Points under way to a home account that arrive: of those for the Soviets convoys may be lost (11.62).
    fn received<T: crate::Rolls>(&self, state: &mut State, faction: Faction, context: &mut T) -> i16 {
        let by_persia = state.transferred[Account::home(faction).index()] / FROM_SOUTH;
        let sent = self.arrived(state, Account::home(faction), context);
        let convoys = faction == Faction::Soviets
            && state.sea.supremacy != Some(crate::ids::Camp::Coalition)
            && self.holds(state, crate::ids::Camp::Axis, self.map().narvik);
        let northern = if faction == Faction::Soviets { sent - by_persia } else { sent };
        if !convoys || northern == 0 {
            return sent;
        }
        sent - northern + come_through(northern, context)
    }

    /// What a faction's places and its base production yield in a month, by account, before allotments (11.31 to 11.34).
    pub fn monthly_income(&self, state: &State, faction: Faction) -> [i16; Account::COUNT] {
        let mut income = self.income_at_war(state, faction);
        let fixed = self.rules.scenario.situation.income(faction, state.month).is_some();
        if !fixed && faction == Faction::Soviets && self.is_neutral(state, self.nations().ussr) {
            income[Account::Soviets.index()] /= SOVIET_PEACE;
        }
        income
    }

    /// What a faction's places and its base production yield in a month, by account, of the neutral Soviets as in war (20.51).
    pub(crate) fn income_at_war(&self, state: &State, faction: Faction) -> [i16; Account::COUNT] {
        let mut income = [0; Account::COUNT];
        let home = Account::home(faction).index();
        let isolated = Account::isolated(faction);
        let situation = &self.rules.scenario.situation;
        if let Some(points) = situation.income(faction, state.month) {
            let alone = situation.isolated.iter().any(|nation| {
                self.sets().nations.iter().any(|&(other, whose)| (other, whose) == (*nation, faction))
            });
            income[isolated.filter(|_| alone).map_or(home, Account::index)] = points;
            return income;
        }
        income[home] = self.month(state).base[faction.index()];
        let camp = faction.camp();
        let friendly = &state.friendly[camp.index()];
        let lines = self.lines_of(state, faction, SeaLines::All);
        let network = &lines.places;
        let whose =
            |hex| (faction == Faction::Soviets) == state.owners.is_soviet(hex) || faction == Faction::Axis;
        let apart = self.isolated_nations(state, faction, &lines);
        for &(hex, city, resources) in &self.map().points {
            let nation = self.owner_nation(state, hex);
            let points = |double: bool| i16::from(city) + if double { 2 } else { 1 } * i16::from(resources);
            let double = faction == Faction::Axis;
            if friendly.contains(hex) && whose(hex) {
                if let Some((_, lines)) = apart.iter().flatten().find(|(own, _)| *own == nation) {
                    if let Some(account) = isolated.filter(|_| lines.contains(hex)) {
                        income[account.index()] += points(double);
                    }
                } else if network.contains(hex) {
                    income[self.account_of_place(state, faction, hex).index()] += points(double);
                }
            } else if self.patron(state, nation) == Some(faction) && self.is_neutral(state, nation) {
                // Who cooperates gives its patron what it produces (16.21).
                income[home] += points(double);
            }
        }
        income[home] += self.income_of_events(state, faction) + self.losses_of_base(state, faction);
        income
    }

    /// Nations of a faction that produce for themselves, with their railways (11.34, 20.64).
    fn isolated_nations(
        &self,
        state: &State,
        faction: Faction,
        network: &Network,
    ) -> [Option<(NationId, Hexes)>; MOST_ISOLATED] {
        let mut list = [None; MOST_ISOLATED];
        let nations = self.sets().nations.iter().filter(|(_, of)| *of == faction);
        let mut apart = nations.filter_map(|&(nation, _)| {
            let capital =
                self.rules.nations[nation.at()].capital.filter(|_| !self.sets().great[nation.at()])?;
            let cut_off = self.status(state, nation) == Status::Belligerent(faction)
                && self.holds(state, faction.camp(), capital)
                && !network.places.contains(capital);
            cut_off.then(|| (nation, self.nation_places(state, faction, nation, network)))
        });
        for slot in &mut list {
            *slot = apart.next();
        }
        list
    }

    /// The account into which a place of a faction pays (11.3, B11): the East's once that front is active, with Finland and the
    /// Soviet North; all others the home account.
    fn account_of_place(&self, state: &State, faction: Faction, hex: sandtable_core::Hex) -> Account {
        let eastern = match self.front(hex) {
            Front::East => true,
            Front::North => self.is_eastern_north(state, hex),
            _ => false,
        };
        if faction == Faction::Axis && eastern && state.is_active(Front::East) {
            Account::AxisEast
        } else {
            Account::home(faction)
        }
    }

    /// Maintenance of strangers in the Desert Zone, from what is allotted to the front, and in the Arctic, from home (11.9,
    /// 21.372, 21.461). Who cannot be paid in the desert is disbanded.
    fn maintain<T: crate::Rolls>(
        &self,
        state: &mut State,
        faction: Faction,
        income: &mut [i16; Account::COUNT],
        context: &mut T,
    ) {
        let own = state.standing[faction.camp().index()].and(&self.sets().of_faction[faction.index()]);
        let cold = state.places.standing(&own, |at| self.map().arctic.contains(at));
        let cold =
            cold.filter(|block| !self.belongs_to(block, Front::North) || !self.is_equipped(state, block));
        income[Account::home(faction).index()] -= MAINTENANCE * cold.len() as i16;
        if faction == Faction::Soviets || self.has_desert(state, faction.camp()) {
            return;
        }
        let account = Account::of(faction, Front::Mediterranean).index();
        let there = state.places.standing(&own, |at| self.map().desert_zone.contains(at));
        if there.is_empty() {
            return;
        }
        let bases = self.base_area(state, faction, &self.faction_network(state, faction));
        for block in there.filter(|block| self.pays_in_desert(block, state.at(block), &bases)) {
            if income[account] >= MAINTENANCE {
                income[account] -= MAINTENANCE;
            } else {
                self.eliminate(state, block, place::ELIMINATED, Cause::Maintenance, context);
            }
        }
    }

    /// Whether what comes into an account may be lost at sea (21.371): in the Mediterranean, unless its side has naval
    /// supremacy, or the Axis holds Gibraltar, Malta or Suez (17.5).
    fn suffers_losses(&self, state: &State, account: Account) -> bool {
        let camp = account.faction().camp();
        account.front() == Front::Mediterranean
            && state.sea.supremacy != Some(camp)
            && !(camp == crate::ids::Camp::Axis && self.has_mare_nostrum(state))
    }

    // ---- transfers (11.6) ----

    /// Goes on to the next account from which a block may be sent.
    pub(crate) fn turn_to_transfer(&self, state: &mut State) -> bool {
        let rest = Account::ALL.into_iter().skip(usize::from(state.cursor));
        let next = rest.into_iter().find(|&account| {
            self.is_kept(state, account)
                && Account::ALL.iter().any(|&to| self.may_transfer(state, account, to))
        });
        let Some(account) = next else { return false };
        state.phase = Phase::Transfer;
        state.active = account.faction();
        state.decider = account.faction();
        state.cursor = account as u16 + 1;
        true
    }

    /// Whether a block may go from one account to another (11.61): within a faction between active fronts; of the Allies to
    /// the Soviets by the Arctic from home, by Persia from the Mediterranean.
    fn may_transfer(&self, state: &State, from: Account, to: Account) -> bool {
        if from == to || state.points[from.index()] < TRANSFER[0] || !self.is_kept(state, to) {
            return false;
        }
        if from.faction() == to.faction() {
            return true;
        }
        if to != Account::Soviets || from.faction() != Faction::Allies {
            return false;
        }
        let gate = if from == Account::AlliesWest { self.map().murmansk } else { self.map().teheran };
        !self.is_neutral(state, self.nations().ussr)
            && [Faction::Allies, Faction::Soviets]
                .into_iter()
                .all(|faction| self.faction_network(state, faction).contains(gate))
    }

    pub(crate) fn transfers<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let from = self.sending_account(state);
        out.offer(Action::Pass)?;
        for to in Account::ALL.into_iter().filter(|&to| self.may_transfer(state, from, to)) {
            out.offer(Action::Transfer(to))?;
        }
        Flow::Continue(())
    }

    pub(crate) fn transfer<T: crate::Rolls>(&self, state: &mut State, to: Account, context: &mut T) {
        let from = self.sending_account(state);
        state.points[from.index()] -= TRANSFER[0];
        let southern = if from.front() == Front::Mediterranean { FROM_SOUTH * TRANSFER[1] } else { 0 };
        state.transferred[to.index()] += TRANSFER[1] + southern;
        context.emit(|| Event::Transferred { from, to, points: TRANSFER[1] });
    }

    // ---- fronts (1.12, 3.3) ----

    /// A month more in which a front has been active (21.23, 21.37).
    pub(crate) fn age_fronts(&self, state: &mut State) {
        for months in state.active_months.iter_mut().filter(|months| **months > 0) {
            *months = months.saturating_add(1);
        }
    }

    /// A summer begins: a winter that the East Front has been active for since before March was its first (12.45).
    pub(crate) fn open_season(&self, state: &mut State) {
        let summer = self.month(state).season.starts_with('S');
        if summer && state.active_months[Front::East.index()] > MONTHS_SINCE_MARCH {
            state.diplomacy.set(crate::rules::Fact::EastWinterOver, true);
        }
    }
}

/// Months from March to June.
const MONTHS_SINCE_MARCH: u8 = 4;
/// Most isolated nations of a faction at a time.
const MOST_ISOLATED: usize = 4;

/// What comes through of points that may be lost on the way: the total of a die for each five of them, at most what was sent.
/// The 5 at most of 11.62 are those of its one block; 21.241 and 21.371 say the same of the total of several dice.
fn come_through<T: crate::Rolls>(sent: i16, context: &mut T) -> i16 {
    let total: i16 = (0..sent / LOT).map(|_| context.die(6) as i16).sum();
    total.min(sent)
}
