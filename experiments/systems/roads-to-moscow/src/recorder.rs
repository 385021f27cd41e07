//! What turns the facts of Roads to Moscow into rows, and finds what a side wastes.

use sandtable_core::{Game as _, Hex, Index as _};
use sandtable_roads_to_moscow::event::SupplyStatus;
use sandtable_roads_to_moscow::ids::{AirId, Formations, MAX_UNITS, Units, place as off_map};
use sandtable_roads_to_moscow::rules::{CombatResult, Crt, Weather};
use sandtable_roads_to_moscow::{
    Action, Event, FormationId, Mark, Phase, Player, RoadsToMoscow, Sequence, State, UnitId,
};

use super::map::place;
use super::roads::{Road, front, main_road, roads};
use super::tables::{ACTIVATIONS, COMBATS, Case, FRONTS, OBJECTIVES, SUPPLY, WASTE};
use sandtable_experiments::system::{Facts, Recorder, TurnEnd};
use sandtable_experiments::table::Row;

/// What one side did and suffered in a turn.
#[derive(Clone, Copy, Debug, Default)]
struct TurnTally {
    activations: i32,
    passes: i32,
    moved: i32,
    hexes_moved: i32,
    attacks: i32,
    overruns: i32,
    cleared: i32,
    missions: i32,
    supports: i32,
    lost_steps: i32,
    lost_units: i32,
    lost_armour: i32,
    low_fuel: i32,
    waste: [i32; Case::ALL.len()],
}

/// An Operations Sequence under way.
#[derive(Clone, Copy, Debug)]
struct Activation {
    order: i32,
    player: Player,
    formation: FormationId,
    other: Option<FormationId>,
    /// The other is still to be told.
    is_half: bool,
    sequence: Sequence,
    army_units: i32,
    moved: Units,
    hexes_moved: i32,
    entered: i32,
    dug: i32,
    attacks: i32,
    overruns: i32,
    refused: i32,
    cleared: i32,
    /// Steps lost by player.
    lost: [i32; 2],
}

impl Activation {
    fn new(order: i32, player: Player, formation: FormationId, sequence: Sequence) -> Activation {
        Activation {
            order,
            player,
            formation,
            other: None,
            is_half: false,
            sequence,
            army_units: 0,
            moved: Units::EMPTY,
            hexes_moved: 0,
            entered: 0,
            dug: 0,
            attacks: 0,
            overruns: 0,
            refused: 0,
            cleared: 0,
            lost: [0; 2],
        }
    }
}

/// A combat under way: rows are written when all that comes of it is known.
#[derive(Clone, Debug)]
struct Combat {
    target: Hex,
    attackers: Units,
    defenders: Units,
    /// Steps by role, attacker first.
    steps: [i32; 2],
    crt: Crt,
    overrun: bool,
    support: [i32; 2],
    air: [i32; 2],
    /// Of the fact [`Event::Combat`].
    result: Option<Read>,
    lost: [i32; 2],
    gone: [Units; 2],
    retreated: [Units; 2],
    advanced: i32,
}

/// A choice of artillery for the combat at hand (12.1).
#[derive(Clone, Copy, Debug)]
struct Offer {
    role: usize,
    /// Units on offer.
    units: Units,
    /// How many had been named before.
    named: u32,
}

/// What was read in the combat table.
#[derive(Clone, Copy, Debug)]
struct Read {
    strengths: [u16; 2],
    column: Option<u8>,
    modifiers: [i8; 11],
    net: i8,
    roll: u8,
    result: CombatResult,
}

/// Turns facts into rows of `turns` and the tables of facts.
#[derive(Debug)]
pub struct RoadsRecorder {
    turn: u8,
    weather: Weather,
    open: [TurnTally; 2],
    closed: [TurnTally; 2],
    score: i16,
    /// Who was First Player in the turn at hand, and in the one that has ended.
    first: [Player; 2],
    ended_weather: Weather,
    order: i32,
    activation: Option<Activation>,
    /// Formations still to be activated of two that have been combined.
    combining: u8,
    combat: Option<Combat>,
    roads: Vec<Road>,
    main_road: Option<Road>,
    /// The turn whose fronts are still to be written.
    front_due: Option<u8>,
    // ---- units ----
    /// Steps lost so far, by unit.
    lost: [u8; MAX_UNITS],
    /// Where units stood when supply was last judged.
    judged: [Hex; MAX_UNITS],
    /// Moved or advanced since then.
    went: Units,
    /// Without supply by a move of their own, and without it since.
    left_supply: Units,
    /// Supply has been judged: what is wasted is to be found out.
    supply_due: bool,
    // ---- waste of the turn ----
    /// Artillery that was still on offer when its side named no more.
    could_support: Units,
    /// The choice of artillery made last.
    offer: Option<Offer>,
    supported: Units,
    /// Formations that can be activated, and those that were.
    present: Formations,
    activated: Formations,
}

impl RoadsRecorder {
    pub(super) fn new(game: &RoadsToMoscow) -> RoadsRecorder {
        let roads = roads(game);
        RoadsRecorder {
            turn: 0,
            weather: Weather::Dry,
            open: [TurnTally::default(); 2],
            closed: [TurnTally::default(); 2],
            score: 0,
            first: [game.rules.scenario.first; 2],
            ended_weather: Weather::Dry,
            order: 0,
            activation: None,
            combining: 0,
            combat: None,
            main_road: main_road(game, &roads).cloned(),
            roads,
            front_due: None,
            lost: [0; MAX_UNITS],
            judged: [off_map::OUT; MAX_UNITS],
            went: Units::EMPTY,
            left_supply: Units::EMPTY,
            supply_due: false,
            could_support: Units::EMPTY,
            offer: None,
            supported: Units::EMPTY,
            present: Formations::EMPTY,
            activated: Formations::EMPTY,
        }
    }

    // ---- what is wasted ----

    fn waste(&mut self, case: Case, player: Player, of: Wasted, game: &RoadsToMoscow, facts: &mut Facts) {
        self.open[player.index()].waste[case as usize] += 1;
        let mut row = facts.row(WASTE);
        row.int(i32::from(self.turn)).word(player.index()).word(case as usize);
        let words =
            [of.hex.map(|hex| place(game, hex)), of.unit.map(UnitId::at), of.formation.map(FormationId::at)];
        for word in words {
            match word {
                Some(word) => row.word(word),
                None => row.none(),
            };
        }
    }

    /// Supply has been judged (6.1): who has left it by a move of his own? And who can be activated in the turn?
    #[inline(never)]
    fn judge_supply(&mut self, game: &RoadsToMoscow, state: &State, facts: &mut Facts) {
        self.supply_due = false;
        let formations = (0..game.rules.formations.len()).map(FormationId::nth);
        let there = |formation: &FormationId| {
            game.units_in(*formation).intersects(&state.on_map) && !state.in_reserve(*formation)
        };
        self.present = formations.filter(there).collect();
        let without = state.marked(Mark::Emergency).or(state.marked(Mark::Unsupplied)).and(&state.on_map);
        self.left_supply = self.left_supply.and(&without);
        for player in Player::ALL {
            let own = without.and(game.units_of(player));
            if own.is_empty() {
                continue;
            }
            let open = [false, true].map(|foot| game.supplied_hexes(state, player, foot));
            for unit in own {
                let before = self.judged[unit.at()];
                let on_foot = !game.is_motorised(unit);
                let could_stay = before.0 < off_map::FIRST && open[usize::from(on_foot)].contains(before);
                if self.went.contains(unit) && could_stay && state.at(unit) != before {
                    self.left_supply.insert(unit);
                }
                let own_move = self.left_supply.contains(unit);
                let case = if own_move { Case::UnsuppliedOwn } else { Case::UnsuppliedCut };
                self.waste(case, player, Wasted::unit(game, state.at(unit), unit), game, facts);
            }
        }
        self.went = Units::EMPTY;
        for unit in state.on_map {
            self.judged[unit.at()] = state.at(unit);
        }
    }

    /// Artillery is on offer, or was: who could still have been named when no more was is wasted if it fires for nothing else.
    #[inline(never)]
    fn offer_artillery(&mut self, game: &RoadsToMoscow, state: &State) {
        if let Some(before) = self.offer.take()
            && state.battle.support[before.role].len() <= before.named
        {
            self.could_support = self.could_support.or(&before.units);
        }
        if state.phase == Phase::Artillery {
            let mut legal = Vec::new();
            game.legal_actions(state, &mut legal);
            let units = legal.into_iter().filter_map(|action| match action {
                Action::Unit(unit) => Some(unit),
                _ => None,
            });
            let role = state.battle.role.index();
            self.offer =
                Some(Offer { role, units: units.collect(), named: state.battle.support[role].len() });
        }
    }

    /// A turn ends: artillery and formations that did nothing.
    #[inline(never)]
    fn end_turn(&mut self, game: &RoadsToMoscow, turn: u8, score: i16, facts: &mut Facts) {
        self.end_combat(game, facts);
        self.end_activation(facts);
        if let Some(before) = self.offer.take() {
            self.could_support = self.could_support.or(&before.units);
        }
        for unit in self.could_support.difference(&self.supported) {
            let of = Wasted { hex: None, ..Wasted::unit(game, off_map::OUT, unit) };
            self.waste(Case::UnfiredArtillery, game.player(unit), of, game, facts);
        }
        for formation in self.present.difference(&self.activated) {
            let player = game.rules.formations[formation.at()].player;
            let of = Wasted { hex: None, unit: None, formation: Some(formation) };
            self.waste(Case::IdleFormations, player, of, game, facts);
        }
        self.could_support = Units::EMPTY;
        self.supported = Units::EMPTY;
        self.activated = Formations::EMPTY;
        self.closed = std::mem::take(&mut self.open);
        self.score = score;
        self.ended_weather = self.weather;
        self.first[1] = self.first[0];
        self.front_due = Some(turn);
        self.order = 0;
    }

    #[inline(never)]
    fn fronts(&mut self, game: &RoadsToMoscow, state: &State, turn: u8, facts: &mut Facts) {
        for (at, road) in self.roads.iter().enumerate() {
            let mut row = facts.row(FRONTS);
            row.int(i32::from(turn)).word(at);
            for held in front(road, state) {
                match held {
                    Some((hex, reach)) => row.word(place(game, hex)).int(reach as i32),
                    None => row.none().int(0),
                };
            }
            row.int(road.hexes.len() as i32);
        }
    }

    // ---- sequences ----

    fn end_activation(&mut self, facts: &mut Facts) {
        let Some(done) = self.activation.take() else { return };
        let own = done.player.index();
        let tally = &mut self.open[own];
        tally.activations += 1 + i32::from(done.other.is_some());
        tally.moved += done.moved.len() as i32;
        tally.hexes_moved += done.hexes_moved;
        write_activation(&done, self.turn, facts);
    }

    #[inline(never)]
    fn activated(
        &mut self,
        game: &RoadsToMoscow,
        formation: FormationId,
        sequence: Sequence,
        facts: &mut Facts,
    ) {
        self.activated.insert(formation);
        self.combining = self.combining.saturating_sub(1);
        if let (Some(activation), 0) = (&mut self.activation, self.combining)
            && activation.is_half
        {
            activation.other = Some(formation);
            activation.is_half = false;
            return;
        }
        self.end_combat(game, facts);
        self.end_activation(facts);
        self.order += 1;
        let player = game.rules.formations[formation.at()].player;
        let is_half = self.combining > 0;
        self.activation =
            Some(Activation { is_half, ..Activation::new(self.order, player, formation, sequence) });
    }

    #[inline(never)]
    fn passed(&mut self, game: &RoadsToMoscow, player: Player, formation: FormationId, facts: &mut Facts) {
        self.end_combat(game, facts);
        self.end_activation(facts);
        self.order += 1;
        self.open[player.index()].passes += 1;
        let pass = Activation::new(self.order, player, formation, Sequence::None);
        write_activation(&pass, self.turn, facts);
    }

    fn moves(&mut self, unit: UnitId, reaction: bool, enters: bool) {
        self.went.insert(unit);
        if let Some(activation) = self.activation.as_mut().filter(|_| !reaction) {
            activation.moved.insert(unit);
            activation.hexes_moved += 1;
            activation.entered += i32::from(enters);
        }
    }

    // ---- combats ----

    fn steps(&self, game: &RoadsToMoscow, units: &Units) -> i32 {
        units.iter().map(|unit| i32::from(game.unit(unit).steps.saturating_sub(self.lost[unit.at()]))).sum()
    }

    #[inline(never)]
    fn begin_combat(&mut self, game: &RoadsToMoscow, event: &Event, facts: &mut Facts) {
        let Event::CombatBegins { target, attackers, defenders, crt, overrun } = *event else { return };
        self.end_combat(game, facts);
        if let Some(activation) = &mut self.activation {
            if overrun {
                activation.overruns += 1;
            } else {
                activation.attacks += 1;
            }
        }
        let steps = [&attackers, &defenders].map(|units| self.steps(game, units));
        self.combat = Some(Combat {
            target,
            attackers,
            defenders,
            steps,
            crt,
            overrun,
            support: [0; 2],
            air: [0; 2],
            result: None,
            lost: [0; 2],
            gone: [Units::EMPTY; 2],
            retreated: [Units::EMPTY; 2],
            advanced: 0,
        });
    }

    /// 0 for the attacker of the combat at hand, 1 for the defender.
    fn role(&self, player: Player) -> usize {
        usize::from(self.activation.is_none_or(|activation| activation.player != player))
    }

    #[inline(never)]
    fn loses(&mut self, game: &RoadsToMoscow, unit: UnitId) {
        let player = game.player(unit);
        self.lost[unit.at()] += 1;
        let tally = &mut self.open[player.index()];
        tally.lost_steps += 1;
        tally.lost_armour += i32::from(game.sets().armoured.contains(unit));
        if let Some(activation) = &mut self.activation {
            activation.lost[player.index()] += 1;
        }
        let role = self.role(player);
        if let Some(combat) = &mut self.combat {
            combat.lost[role] += 1;
        }
    }

    #[inline(never)]
    fn eliminated(&mut self, game: &RoadsToMoscow, unit: UnitId) {
        let player = game.player(unit);
        // Steps that went with it, beyond those told one by one.
        while self.lost[unit.at()] < game.unit(unit).steps {
            self.loses(game, unit);
        }
        self.open[player.index()].lost_units += 1;
        let role = self.role(player);
        if let Some(combat) = &mut self.combat {
            combat.gone[role].insert(unit);
        }
        if game.sets().fuel.contains(unit) {
            self.lost[unit.at()] = 0;
        }
    }

    fn end_combat(&mut self, game: &RoadsToMoscow, facts: &mut Facts) {
        let Some(combat) = self.combat.take() else { return };
        let (Some(read), Some(attacker)) = (combat.result, combat.attackers.first()) else { return };
        let player = game.player(attacker);
        let left = |role: usize, units: &Units| units.difference(&combat.gone[role]);
        let stays = |role: usize, units: &Units| left(role, units).difference(&combat.retreated[role]);
        let gone = stays(1, &combat.defenders).is_empty();
        let end = match () {
            () if gone && left(1, &combat.defenders).is_empty() => 3,
            () if gone => 2,
            () if stays(0, &combat.attackers).is_empty() => 1,
            () => 0,
        };
        let tally = &mut self.open[player.index()];
        tally.cleared += i32::from(gone);
        if combat.overrun {
            tally.overruns += 1;
        } else {
            tally.attacks += 1;
        }
        if let Some(activation) = &mut self.activation {
            activation.cleared += i32::from(gone);
        }
        let formation = self.activation.map(|activation| activation.formation);
        write_combat(game, (self.turn, self.weather), formation, &combat, &read, end, facts);
        if read.strengths[0] < read.strengths[1] {
            let of = Wasted { hex: Some(combat.target), unit: None, formation: None };
            self.waste(Case::LowOdds, player, of, game, facts);
        }
    }

    #[inline(never)]
    fn flies(&mut self, game: &RoadsToMoscow, unit: AirId) {
        let player = game.rules.air[unit.at()].player;
        self.open[player.index()].missions += 1;
        let role = self.role(player);
        if let Some(combat) = &mut self.combat {
            combat.air[role] += 1;
        }
    }

    #[inline(never)]
    fn supports(&mut self, game: &RoadsToMoscow, unit: UnitId) {
        self.supported.insert(unit);
        // The choice made last has named it.
        self.offer = self.offer.filter(|offer| !offer.units.contains(unit));
        let player = game.player(unit);
        self.open[player.index()].supports += 1;
        let role = self.role(player);
        if let Some(combat) = &mut self.combat {
            combat.support[role] += 1;
        }
    }

    #[inline(never)]
    fn changes_hands(&mut self, game: &RoadsToMoscow, at: Hex, by: Player, facts: &mut Facts) {
        let scenario = &game.rules.scenario;
        if let Some(objective) = scenario.objectives.iter().position(|(hex, _)| *hex == at) {
            let holder = usize::from(by != scenario.attacker);
            facts.row(OBJECTIVES).int(i32::from(self.turn)).word(objective).word(holder).word(by.index());
        }
    }

    #[inline(never)]
    fn supply(
        &mut self,
        game: &RoadsToMoscow,
        unit: UnitId,
        at: Option<Hex>,
        state: usize,
        facts: &mut Facts,
    ) {
        let hex = at.unwrap_or(self.judged[unit.at()]);
        if hex.0 < off_map::FIRST {
            facts
                .row(SUPPLY)
                .int(i32::from(self.turn))
                .word(game.player(unit).index())
                .word(unit.at())
                .word(place(game, hex))
                .word(state);
        }
    }
}

/// What is wasted: where it is known.
#[derive(Clone, Copy)]
struct Wasted {
    hex: Option<Hex>,
    unit: Option<UnitId>,
    formation: Option<FormationId>,
}

impl Wasted {
    fn unit(game: &RoadsToMoscow, hex: Hex, unit: UnitId) -> Wasted {
        Wasted { hex: Some(hex), unit: Some(unit), formation: game.formation(unit) }
    }
}

fn write_activation(done: &Activation, turn: u8, facts: &mut Facts) {
    let mut row = facts.row(ACTIVATIONS);
    row.int(i32::from(turn)).int(done.order).word(done.player.index()).word(done.formation.at());
    match done.other {
        Some(other) => row.word(other.at()),
        None => row.none(),
    };
    let [own, enemy] = [done.player, done.player.enemy()].map(|player| done.lost[player.index()]);
    row.word(done.sequence as usize);
    for figure in [
        done.army_units,
        done.moved.len() as i32,
        done.hexes_moved,
        done.entered,
        done.dug,
        done.attacks,
        done.overruns,
        done.refused,
        done.cleared,
        own,
        enemy,
    ] {
        row.int(figure);
    }
}

fn write_combat(
    game: &RoadsToMoscow,
    (turn, weather): (u8, Weather),
    formation: Option<FormationId>,
    combat: &Combat,
    read: &Read,
    end: usize,
    facts: &mut Facts,
) {
    let kind = if combat.overrun { 2 } else { usize::from(combat.crt == Crt::Mobile) };
    let attacker = combat.attackers.first().map_or(Player::German, |unit| game.player(unit));
    let mut row = facts.row(COMBATS);
    row.int(i32::from(turn)).word(weather as usize).word(kind).word(attacker.index());
    match formation {
        Some(formation) => row.word(formation.at()),
        None => row.none(),
    };
    row.word(place(game, combat.target));
    let armour = combat.attackers.and(&game.sets().armoured).len();
    for figure in [
        combat.attackers.len() as i32,
        combat.steps[0],
        armour as i32,
        combat.defenders.len() as i32,
        combat.steps[1],
        combat.support[0],
        combat.support[1],
        combat.air[0],
        combat.air[1],
        i32::from(read.strengths[0]),
        i32::from(read.strengths[1]),
    ] {
        row.int(figure);
    }
    // The tables have the same columns, but for a last one of the Mobile table.
    match read.column {
        Some(column) => row.word(usize::from(column)),
        None => row.none(),
    };
    for modifier in read.modifiers {
        row.int(i32::from(modifier));
    }
    row.int(i32::from(read.net)).int(i32::from(read.roll)).text(&read.result.to_string());
    for figure in [combat.lost[0], combat.lost[1], combat.gone[0].len() as i32, combat.gone[1].len() as i32] {
        row.int(figure);
    }
    row.word(end).int(combat.advanced);
}

impl Recorder<RoadsToMoscow> for RoadsRecorder {
    #[inline]
    fn look(&mut self, game: &RoadsToMoscow, state: &State, facts: &mut Facts) {
        if let Some(turn) = self.front_due.take() {
            self.fronts(game, state, turn, facts);
        }
        if self.supply_due && state.phase > Phase::Reserve {
            self.judge_supply(game, state, facts);
        }
        if self.offer.is_some() || state.phase == Phase::Artillery {
            self.offer_artillery(game, state);
        }
    }

    fn fact(&mut self, game: &RoadsToMoscow, event: Event, facts: &mut Facts) {
        match event {
            Event::TurnBegins { turn, weather, .. } => {
                self.turn = turn;
                self.weather = weather;
                // Supply is judged in every turn, whether or not anybody's changes.
                self.supply_due = true;
            }
            Event::Initiative { first, .. } => self.first[0] = first,
            Event::Passed { player, marker } => {
                self.passed(game, player, game.formation_of(marker), facts);
            }
            Event::Combined { success, .. } => self.combining = if success { 2 } else { 0 },
            Event::Activated { formation, sequence } => self.activated(game, formation, sequence, facts),
            Event::Declared { .. } => self.end_combat(game, facts),
            Event::ArmyActivated { success: true, .. } => {
                if let Some(activation) = &mut self.activation {
                    activation.army_units += 1;
                }
            }
            Event::LowFuel { unit } => {
                self.open[game.player(unit).index()].low_fuel += 1;
                self.supply(game, unit, None, 3, facts);
            }
            Event::Digging { .. } => {
                if let Some(activation) = &mut self.activation {
                    activation.dug += 1;
                }
            }
            Event::Entered { unit, .. } => self.moves(unit, false, true),
            Event::Moved { unit, reaction, .. } => self.moves(unit, reaction, false),
            Event::Refused { success: true, .. } => {
                self.end_combat(game, facts);
                if let Some(activation) = &mut self.activation {
                    activation.refused += 1;
                }
            }
            Event::CombatBegins { .. } => self.begin_combat(game, &event, facts),
            Event::AirCommitted { unit } => self.flies(game, unit),
            Event::Supports { unit, .. } => self.supports(game, unit),
            Event::Combat { strengths, column, modifiers: m, modifier, roll, result, .. } => {
                let modifiers = [
                    m.terrain,
                    m.stream,
                    m.river,
                    m.slope,
                    m.works,
                    m.efficiency,
                    m.air,
                    m.no_retreat,
                    m.combined_arms,
                    m.uncoordinated,
                    m.engineers,
                ];
                if let Some(combat) = &mut self.combat {
                    combat.result = Some(Read { strengths, column, modifiers, net: modifier, roll, result });
                }
            }
            Event::Lost { unit, .. } => self.loses(game, unit),
            Event::Eliminated { unit, .. } => self.eliminated(game, unit),
            Event::Retreated { unit, .. } => {
                self.went.remove(unit);
                if let Some(combat) = &mut self.combat {
                    let role = usize::from(!combat.attackers.contains(unit));
                    combat.retreated[role].insert(unit);
                }
            }
            Event::Advanced { unit, .. } => {
                self.went.insert(unit);
                if let Some(combat) = &mut self.combat {
                    combat.advanced += 1;
                }
            }
            Event::Controlled { at, by } => self.changes_hands(game, at, by, facts),
            Event::Supply { unit, status } => {
                let state = match status {
                    SupplyStatus::Supplied => 0,
                    SupplyStatus::Emergency => 1,
                    SupplyStatus::Unsupplied => 2,
                };
                self.supply(game, unit, None, state, facts);
            }
            Event::TurnEnds { turn, score } => self.end_turn(game, turn, score, facts),
            _ => {}
        }
    }

    fn turn_cells(&mut self, game: &RoadsToMoscow, state: &State, end: TurnEnd, row: &mut Row<'_>) {
        let player = Player::of(end.side);
        let tally = &self.closed[player.index()];
        let scenario = &game.rules.scenario;
        let held = scenario.objectives.iter().filter(|(hex, _)| state.controller(*hex) == player);
        let points: i32 = held.map(|(_, points)| i32::from(*points)).sum();
        let reach = self.main_road.as_ref().and_then(|road| front(road, state)[player.index()]);
        row.int(i32::from(self.score))
            .int(points)
            .int(reach.map_or(0, |(_, reach)| reach as i32))
            .word(self.ended_weather as usize)
            .flag(self.first[1] == player);
        let sets = game.sets();
        let own = game.units_of(player).and(&state.on_map);
        let combat = own.and(&sets.combat);
        let steps = |units: &Units| units.iter().map(|unit| i32::from(game.steps(state, unit))).sum::<i32>();
        let marked = |mark: Mark| own.and(state.marked(mark)).len() as i32;
        row.int(combat.len() as i32).int(steps(&combat)).int(steps(&own.and(&sets.armoured)));
        row.int(marked(Mark::Unsupplied)).int(marked(Mark::Emergency)).int(tally.low_fuel);
        row.int(marked(Mark::Disorganised)).int(marked(Mark::Fired));
        row.int(own.and(&sets.fuel).len() as i32);
        row.int(state.positions[player.index()].len() as i32);
        for figure in [
            tally.activations,
            tally.passes,
            tally.moved,
            tally.hexes_moved,
            tally.attacks,
            tally.overruns,
            tally.cleared,
            tally.missions,
            tally.supports,
            tally.lost_steps,
            tally.lost_units,
            tally.lost_armour,
        ] {
            row.int(figure);
        }
        for figure in tally.waste {
            row.int(figure);
        }
    }
}

#[cfg(test)]
mod tests;
