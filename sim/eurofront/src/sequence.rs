//! The phase machine (4.0): what may be decided, what a decision does, what comes next. Read from top to bottom it is the
//! sequence of play.

use sandtable_core::{ActionSink, Flow, Hex};

use crate::action::Action;
use crate::event::Event;
use crate::game::EuroFront;
use crate::ids::{BlockId, Blocks, Camp, Faction, Hexes, Seas};
use crate::phase::{Mode, Phase};
use crate::rules::Fact;
use crate::state::{Battle, MAX_HEADQUARTERS, Mark, State};

impl EuroFront {
    /// The legal actions of the phase at hand.
    pub(crate) fn actions<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        match state.phase {
            Phase::Recognition => self.claims(out),
            Phase::FrenchRailhead => self.railhead_places(state, out),
            Phase::FrenchLoss => self.railhead_losses(state, out),
            Phase::SovietPort => self.soviet_ports(state, out),
            Phase::AxisPort => self.axis_ports(state, out),
            Phase::Allotment => self.allotments(state, out),
            Phase::Transfer => self.transfers(state, out),
            Phase::Arrival => self.arrivals(state, out),
            Phase::Building => self.orders(state, out),
            Phase::CadrePlace => self.cadre_choices(state, out),
            Phase::Diplomacy => self.attempts(state, out),
            Phase::EventNation => self.event_nations(state, out),
            Phase::EventUnit => self.event_units(state, out),
            Phase::Raising => self.raisings(state, out),
            Phase::Deployment => self.deployments(state, out),
            Phase::Declaration => self.declarations(state, out),
            Phase::Activation => self.activations(state, out),
            Phase::Movement => self.movers(state, out),
            Phase::Destination => self.destinations(state, out),
            Phase::Withdrawal => self.withdrawals(state, out),
            Phase::Mobilisation => self.mobilisations(state, out),
            Phase::Airstrike => self.airstrikes(state, out),
            Phase::ActiveBattle => {
                out.offer(Action::Pass)?;
                out.offer(Action::Yes)
            }
            Phase::Losses => self.losses(state, out),
            Phase::Beachhead => self.beachhead_choices(state, out),
            Phase::ArmisticeOffer | Phase::ArmisticeAnswer => {
                out.offer(Action::Pass)?;
                out.offer(Action::Yes)
            }
            Phase::Uprising => self.uprisings(state, out),
            Phase::Desertion => self.desertions(state, out),
            Phase::Over => Flow::Continue(()),
        }
    }

    /// What an action does, up to the next decision of the same phase.
    pub(crate) fn act<T: crate::Rolls>(&self, state: &mut State, action: Action, context: &mut T) {
        match (state.phase, action) {
            // M1 Production
            (Phase::Recognition, Action::Yes) => {
                self.claim(state, context);
                if state.phase != Phase::Over {
                    self.begin_aid(state, context);
                }
            }
            (Phase::Recognition, _) => self.begin_aid(state, context),
            (Phase::FrenchRailhead, Action::Place(hex)) => {
                self.place_railhead(state, hex, context);
                self.after_french_railhead(state);
            }
            (Phase::FrenchLoss, Action::Place(hex)) => {
                self.remove_railhead(state, hex);
                self.after_french_railhead(state);
            }
            (Phase::SovietPort, Action::Place(hex)) => {
                self.ship_aid(state, Camp::Coalition, hex, context);
                self.turn_to_axis_port(state);
            }
            (Phase::AxisPort, Action::Place(hex)) => {
                self.ship_aid(state, Camp::Axis, hex, context);
                self.begin_production(state, Faction::Axis, context);
            }
            (Phase::AxisPort, _) => self.begin_production(state, Faction::Axis, context),
            (Phase::Allotment, action) => {
                if let Action::Allot(points) = action {
                    self.allot(state, points, context);
                }
                self.go_on_allotting(state, context);
            }
            (Phase::Transfer, action) => {
                if let Action::Transfer(to) = action {
                    self.transfer(state, to, context);
                }
                self.go_on_transferring(state, context);
            }
            (Phase::Arrival, Action::Place(hex)) => {
                self.order_placement(state, hex);
                state.subject = BlockId::NONE;
            }
            (Phase::Arrival, _) => state.subject = BlockId::NONE, // It comes later (11.83).
            (Phase::Building, Action::Build(block)) => self.order_step(state, block),
            (Phase::Building, Action::Hasten(block, haste)) => self.order_early(state, block, haste),
            (Phase::Building, Action::Disband(block)) => self.order_disbanding(state, block),
            (Phase::Building, Action::Cadre(block)) => self.order_cadre(state, block),
            (Phase::Building, Action::Garrison(hex)) => self.order_garrison(state, hex),
            (Phase::Building, Action::Allot(_)) => self.reserve(state),
            (Phase::Building, Action::Yes) => self.ground(state),
            (Phase::Building, _) => self.end_orders(state, context),
            (Phase::CadrePlace, Action::Place(hex)) => {
                self.order_placement(state, hex);
                state.phase = Phase::Building;
                state.subject = BlockId::NONE;
            }

            // M2 Diplomacy
            (Phase::Diplomacy, Action::Event(event)) => self.attempt(state, event, context),
            (Phase::Diplomacy, _) => self.turn_to_next_diplomat(state, context),
            (Phase::EventNation, Action::Nation(nation)) => self.choose_nation(state, nation, context),
            (Phase::EventUnit, Action::Unit(block)) => self.choose_unit(state, block, context),
            (Phase::EventUnit, _) => {
                state.diplomacy.peace = 0;
                self.turn_to_next_diplomat(state, context);
            }

            // New belligerents
            (Phase::Raising, Action::Build(block)) => self.raise(state, block),
            (Phase::Raising, _) => self.turn_to_deployment(state, context),
            (Phase::Deployment, Action::Place(hex)) => self.deploy(state, hex, context),

            // T1 Command
            (Phase::Declaration, Action::Nation(nation)) => {
                self.declare_war(state, state.active, nation, context);
            }
            (Phase::Declaration, Action::Yes) => Self::surprise_in_mud(state),
            (Phase::Declaration, _) => Self::turn_to_activation(state),
            (Phase::Activation, Action::Activate(mode, hex)) => {
                self.activate(state, mode, hex, context);
                self.go_on_activating(state, context);
            }
            (Phase::Activation, _) => self.go_on_activating(state, context),

            // T2, T4 Movement
            (Phase::Movement, Action::Unit(block)) => {
                state.phase = Phase::Destination;
                state.subject = block;
            }
            (Phase::Movement, Action::Rearguard(block)) => self.name_rearguard(state, block),
            (Phase::Movement, _) => self.end_moves(state, context),
            (Phase::Destination, action) => {
                self.move_unit(state, action, context);
                state.phase = Phase::Movement;
                state.subject = BlockId::NONE;
            }
            (Phase::Withdrawal, action) => {
                self.withdraw(state, action, context);
                self.end_moves(state, context);
            }
            (Phase::Mobilisation, Action::Pass) => self.go_on_mobilising(state, context),
            (Phase::Mobilisation, action) => {
                self.mobilise(state, action, context);
                self.go_on_mobilising(state, context);
            }

            // T3, T5 Combat
            (Phase::Airstrike, Action::Strike(hex)) => {
                self.assign_strike(state, hex);
                self.go_on_striking(state, context);
            }
            (Phase::Airstrike, _) => self.go_on_striking(state, context),
            (Phase::ActiveBattle, action) => {
                state.marked.set(state.battle.hex, action == Action::Yes);
                state.battle = Battle::NONE;
                self.go_on_choosing_battles(state, context);
            }
            (Phase::Losses, Action::Unit(block)) => {
                self.take_loss(state, block, context);
                self.go_on_fighting(state, context);
            }
            // T6 Supply
            (Phase::Beachhead, action) => {
                self.settle_beachhead(state, action, context);
                self.go_on_with_beachheads(state, context);
            }

            // T7 Politics
            (Phase::ArmisticeOffer, Action::Yes) => self.offer_armistice(state, context),
            (Phase::ArmisticeOffer, _) => self.go_on_with_politics(state, context),
            (Phase::ArmisticeAnswer, action) => {
                self.answer_armistice(state, action == Action::Yes, context);
            }
            (Phase::Uprising, Action::Place(hex)) => {
                self.rise(state, hex, context);
                self.go_on_with_politics(state, context);
            }
            (Phase::Uprising, _) => self.go_on_with_politics(state, context),
            (Phase::Desertion, Action::Unit(block)) => {
                self.desert(state, block, context);
                self.go_on_with_politics(state, context);
            }
            (phase, action) => debug_assert!(false, "{action:?} in {phase:?}"),
        }
    }

    /// Nothing is left to decide in the phase at hand.
    pub(crate) fn finish_phase<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        match state.phase {
            Phase::Recognition => self.begin_aid(state, context),
            Phase::FrenchRailhead | Phase::FrenchLoss => self.turn_to_soviet_port(state),
            Phase::SovietPort => self.turn_to_axis_port(state),
            Phase::AxisPort => self.begin_production(state, Faction::Axis, context),
            Phase::Allotment => self.go_on_allotting(state, context),
            Phase::Transfer => self.go_on_transferring(state, context),
            Phase::Arrival => {
                if !self.turn_to_arrival(state) {
                    self.turn_to_building(state);
                }
            }
            Phase::Building | Phase::CadrePlace => self.end_orders(state, context),
            Phase::Diplomacy | Phase::EventNation | Phase::EventUnit => {
                self.turn_to_next_diplomat(state, context);
            }
            Phase::Raising | Phase::Deployment => self.turn_to_deployment(state, context),
            Phase::Declaration => Self::turn_to_activation(state),
            Phase::ArmisticeOffer | Phase::ArmisticeAnswer | Phase::Uprising | Phase::Desertion => {
                self.go_on_with_politics(state, context);
            }
            Phase::Activation => self.go_on_activating(state, context),
            Phase::Movement | Phase::Destination | Phase::Withdrawal => self.end_moves(state, context),
            Phase::Mobilisation => self.go_on_mobilising(state, context),
            Phase::Airstrike => self.go_on_striking(state, context),
            Phase::ActiveBattle => self.go_on_choosing_battles(state, context),
            Phase::Losses => self.go_on_fighting(state, context),
            Phase::Beachhead => self.go_on_with_beachheads(state, context),
            Phase::Over => {}
        }
    }

    // ---- month (4.1) ----

    /// A month begins: in all but the first with a production.
    pub(crate) fn begin_month<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        let month = state.month;
        context.emit(|| Event::MonthBegins { month });
        self.receive_beachheads(state);
        state.clear(&[Mark::STARVED_THIS_FORTNIGHT]); // The mark counts orders now.
        // So do these. Of who has come by sea or air they are kept beyond his turn if nobody has moved in its Blitz.
        state.clear_crossings();
        // M0 Season change (3.3).
        if self.month(state).opens_season {
            state.civil_war.claimed = false;
        }
        // M1 Production. Control as it is when it begins (8.1).
        state.active = Faction::Axis;
        self.update_control(state);
        if !self.is_civil_war() {
            self.check_sudden_death(state, context);
            if state.phase == Phase::Over {
                return;
            }
            self.end_events(state);
            self.age_fronts(state);
            if self.month(state).opens_season {
                self.open_season(state);
            }
            state.cursor = 0;
            self.go_on_allotting(state, context);
        } else if !self.turn_to_recognition(state) {
            self.begin_aid(state, context);
        }
    }

    /// M1: what foreign powers do (1936 rules 3, 5, 6).
    fn begin_aid<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        self.check_intervention(state, context);
        self.roll_french_aid(state, context);
        self.after_french_railhead(state);
    }

    fn after_french_railhead(&self, state: &mut State) {
        if !self.turn_to_french_railheads(state) {
            self.turn_to_soviet_port(state);
        }
    }

    /// M1: what fronts are allotted (11.5); then all receive their income, and may send some of it elsewhere (11.6).
    fn go_on_allotting<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        if !self.turn_to_allotment(state) {
            self.collect(state, context);
            state.cursor = 0;
            self.go_on_transferring(state, context);
        }
    }

    fn go_on_transferring<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        if !self.turn_to_transfer(state) {
            self.produce_next(state, None, context);
        }
    }

    /// M1: a faction has given its orders.
    fn end_orders<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        self.produce_next(state, Some(state.active), context);
    }

    /// M1: the next faction produces, in the order Axis, Allies, Soviets; when all have decided it comes about (11.2).
    fn produce_next<T: crate::Rolls>(&self, state: &mut State, after: Option<Faction>, context: &mut T) {
        let next = Faction::ALL
            .into_iter()
            .find(|&faction| after.is_none_or(|after| faction > after) && self.is_played(faction));
        if let Some(faction) = next {
            return self.begin_production(state, faction, context);
        }
        self.complete_production(state, context);
        self.begin_diplomacy(state, context); // M2 (4.12).
    }

    /// M2 is over: the fortnights of the month begin.
    pub(crate) fn end_diplomacy<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        self.release_reserve(state);
        state.fortnight = 3 - self.month(state).fortnights;
        self.begin_fortnight(state, context);
    }

    // ---- fortnight (4.2) ----

    /// F0 Weather, F1 Order.
    pub(crate) fn begin_fortnight<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        state.sea.storms = Seas::EMPTY;
        let months = &self.month(state).weather;
        for (front, &month) in months.iter().enumerate() {
            // The East has no weather of its own where nobody plays in it (1.12).
            let counts = front == 0 || self.has_eastern_weather();
            let rolls = counts && month.is_variable();
            let storms = counts && month.storms && self.rules.scenario.naval;
            let before = state.weather[front];
            if rolls && self.rules.options.weather_balance && state.fortnight == 2 {
                state.weather[front] = month.opposite(before);
                continue;
            }
            let sum = if rolls || storms { context.die(6) + context.die(6) } else { 1 };
            state.weather[front] = month.of_sum(sum);
            if storms {
                self.roll_storm(state, front, sum, context);
            }
        }
        self.storm_beachheads(state);
        state.diplomacy.surprised = self.surprised_at_start(state); // 20.16
        state.order = self.order_of_turns(state.diplomacy.holds(Fact::SecondFront), state.weather[1]);
        let (fortnight, weather) = (state.fortnight, state.weather);
        context.emit(|| Event::FortnightBegins { fortnight, weather });
        state.turn = 0;
        state.clear(&[Mark::STARVED_THIS_FORTNIGHT]);
        self.begin_turn(state, context);
    }

    /// Whether the East has weather of its own: somebody can be where it counts (1.12).
    pub fn has_eastern_weather(&self) -> bool {
        self.map().has_eastern_weather
    }

    // ---- player turn (4.3) ----

    pub(crate) fn begin_turn<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        let faction = state.order[usize::from(state.turn)];
        state.active = faction;
        state.decider = faction;
        state.blitz = false;
        state.orders = [0; MAX_HEADQUARTERS];
        self.begin_turn_at_sea(state);
        if faction == Faction::Axis {
            state.clear(&[Mark::Starved]);
        }
        context.emit(|| Event::TurnBegins { faction });
        // T1 Command. Control is worked out where somebody asks for it.
        if !self.is_civil_war()
            || state.standing[faction.camp().index()].intersects(&self.sets().headquarters)
        {
            self.update_control(state);
        }
        if self.is_civil_war() {
            return Self::turn_to_activation(state);
        }
        if faction == Faction::Axis && self.outstays_partition(state) {
            return self.declare_war(state, Faction::Axis, self.nations().ussr, context); // 20.14
        }
        self.turn_to_declaration(state);
    }

    /// T1: declarations of war, one after the other (4.311).
    pub(crate) fn turn_to_declaration(&self, state: &mut State) {
        state.decider = state.active;
        state.phase = Phase::Declaration;
        state.subject = BlockId::NONE;
        state.cursor = 0;
    }

    /// T1: headquarters activate, one after the other (5.2).
    fn turn_to_activation(state: &mut State) {
        state.decider = state.active;
        state.phase = Phase::Activation;
        state.subject = BlockId::NONE;
        state.cursor = 0;
    }

    /// Plays an action of a Command Phase, then activates these `others` where they are, if they can be, and nobody else: up to the
    /// next decision of another phase; where all [`Self::go_by_land`], up to the Movement Phase, whether anybody can move in it or
    /// not.
    pub fn command_at_last<T: sandtable_core::Context<Event>>(
        &self,
        state: &mut State,
        action: Action,
        others: &Blocks,
        context: &mut T,
    ) {
        if let Action::Activate(mode, hex) = action {
            self.activate(state, mode, hex, context);
        }
        for block in others {
            if self.can_activate(state, block) {
                state.subject = block;
                self.activate(state, Mode::Normal, state.at(block), context);
            }
        }
        state.cursor = u16::MAX;
        self.go_on_activating(state, context);
        if state.phase != Phase::Movement || !self.go_by_land(state) {
            sandtable_core::phases::settle(self, state, context);
        }
    }

    /// Whether no headquarters sends anybody over the sea or through the air, nor Norway is surprised.
    pub fn go_by_land(&self, state: &State) -> bool {
        state.sea.invaders | state.sea.droppers == 0 && !state.sea.weser
    }

    fn go_on_activating<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        let able = |state: &State, block| self.can_activate(state, block);
        if !self.turn_to_headquarters(state, Phase::Activation, able) {
            self.begin_movement(state, context);
        }
    }

    /// T2 Movement, or T4 Blitz Movement. Without activated headquarters nobody moves.
    fn begin_movement<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        if state.marked(Mark::Active).is_empty() {
            return self.begin_combat(state, context);
        }
        if state.blitz && self.has_expeditions(state) {
            let moved = state.marked(Mark::Moved).and(&self.sets().of_faction[state.active.index()]);
            // Who was repulsed is where it has been since the Command Phase, and may be sent again (15.541).
            let back =
                |block| self.repulsed_to(state, block).is_some_and(|(base, _)| base == state.at(block));
            let moved = moved.filter(|block| !back(block));
            state.marks[Mark::MOVED_FIRST as usize] = state.marked(Mark::MOVED_FIRST).or(&moved);
        }
        state.clear(&Mark::OF_MOVEMENT);
        state.clear_crossings_but(Mark::Dispersed);
        state.new_battles = Hexes::EMPTY;
        self.update_control(state);
        state.commanded = self.all_command_areas(state);
        // Only supreme and theatre headquarters order rail moves (9.2).
        if !state.marked(Mark::Active).difference(&self.sets().field_headquarters).is_empty() {
            state.network = self.faction_lines(state, state.active);
        }
        state.phase = Phase::Movement;
        state.subject = BlockId::NONE;
        state.decider = state.active;
    }

    /// Moves are done: rearguards, then headquarters.
    fn end_moves<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        if !self.turn_to_rearguard(state, context) {
            state.cursor = 0;
            self.go_on_mobilising(state, context);
        }
    }

    fn go_on_mobilising<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        let able = |state: &State, block| self.may_mobilise(state, block);
        if !self.turn_to_headquarters(state, Phase::Mobilisation, able) {
            self.intercept_voyages(state, context);
            self.settle_arrivals(state, context);
            self.begin_combat(state, context);
        }
    }

    /// T3 Combat, or T5 Blitz Combat.
    fn begin_combat<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        if state.occupied[0].intersects(&state.occupied[1]) {
            self.open_combat(state);
        } else {
            self.end_combat(state, context);
        }
    }

    /// There are battles: who supports them is worked out, and strikes are assigned.
    pub(crate) fn open_combat(&self, state: &mut State) {
        self.update_control(state);
        state.commanded = self.supported_area(state).or(&self.invasion_support(state));
        state.strikes = [Hex(0); MAX_HEADQUARTERS];
        state.marked = Hexes::EMPTY;
        state.phase = Phase::Airstrike;
        state.subject = BlockId::NONE;
        state.decider = state.active;
        state.cursor = 0;
    }

    fn go_on_striking<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        let can_strike =
            |state: &State, block| state.has(block, Mark::Active) && !self.strikable(state, block).is_empty();
        if !self.turn_to_headquarters(state, Phase::Airstrike, can_strike) {
            state.cursor = 0;
            self.go_on_choosing_battles(state, context);
        }
    }

    fn go_on_choosing_battles<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        if !self.turn_to_battle(state) {
            self.reveal_battles(state);
            self.go_on_fighting(state, context);
        }
    }

    fn go_on_fighting<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        if !self.fight(state, context) {
            state.strikes = [Hex(0); MAX_HEADQUARTERS];
            self.end_combat(state, context);
        }
    }

    /// The end of combat (4.33): support and Blitz are paid for.
    fn end_combat<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        self.deactivate_after_combat(state, context);
        let blitz = !state.blitz && !state.marked(Mark::Blitz).is_empty();
        if blitz {
            state.blitz = true;
            self.begin_movement(state, context);
        } else {
            self.end_turn(state, context);
        }
    }

    /// T6 Supply, T7 Politics.
    fn end_turn<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        self.regroup(state, context);
        self.lose_beachheads(state, context);
        state.cursor = 0;
        self.go_on_with_beachheads(state, context);
    }

    /// Beachheads are placed and withdrawn (15.62); then the enemy's supply is intercepted and checked.
    fn go_on_with_beachheads<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        if self.turn_to_beachhead(state) {
            return;
        }
        state.subject = BlockId::NONE;
        self.check_supply(state, context);
        self.begin_politics(state, context);
    }

    /// T7 is over, and with it the player turn.
    pub(crate) fn end_politics<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        if !self.is_civil_war() {
            self.evaluate_supremacy(state, context); // 15.8: last of all politics.
        }
        self.check_invasion_of_england(state, context);
        if state.phase == Phase::Over {
            return;
        }
        if state.active == Faction::Axis {
            state.diplomacy.set(Fact::WeserWindow, false); // 21.493
            state.diplomacy.set(Fact::BulgeSurprise, false);
        }
        if state.active == Faction::Soviets {
            state.diplomacy.set(Fact::SovietsSurprised, false); // 20.54
        }
        self.close_turn(state, context);
    }

    /// The player turn is over: the next one, the next fortnight or month.
    pub(crate) fn close_turn<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        if !state.marked(Mark::Moved).is_empty() || !state.new_battles.is_empty() {
            state.clear_crossings();
            state.new_battles = Hexes::EMPTY;
        }
        state.clear(&Mark::OF_TURN);
        if self.has_expeditions(state) {
            let own = &self.sets().of_faction[state.active.index()];
            state.marks[Mark::MOVED_FIRST as usize] = state.marked(Mark::MOVED_FIRST).difference(own);
        }
        state.commanded = Hexes::EMPTY;
        state.blitz = false;
        state.turn += 1;
        if usize::from(state.turn) < self.rules.scenario.players.len() {
            return self.begin_turn(state, context);
        }
        if state.fortnight == 1 {
            state.fortnight = 2;
            return self.begin_fortnight(state, context);
        }
        if usize::from(state.month) + 1 < self.rules.calendar.len() {
            state.month += 1;
            state.fortnight = 1;
            return self.begin_month(state, context);
        }
        self.update_control(state);
        self.run_out(state, context);
    }
}
