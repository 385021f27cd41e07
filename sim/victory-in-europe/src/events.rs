//! Events of the cards: when they work, and what other phases ask of them (3.3).
//!
//! An event belongs to the force of its card's colour (3.31). Events with nothing to choose work by themselves, as nobody
//! would decline them; battles, and areas of supply events, are named after all movement and before any combat, Player 1
//! first. Whose units gain: those of the nation a card names, and no others; else the major powers of its colour, and minors
//! on their side that stand with one of them.

use crate::Rolls;
use crate::action::Action;
use crate::board::Bloc;
use crate::event::{Event, LossCause};
use crate::game::VictoryInEurope;
use crate::nation::{Force, NATIONS, Nation, Team};
use crate::phase::Pending;
use crate::place::{Place, UnitId};
use crate::rules::{
    Areas, Arm, Card, Colour, Effect, Entry, Kind, MAX_SEAS, Scope, Seas, Standing, Target, Units, Where,
};
use crate::state::State;
use sandtable_core::Index;

/// The major powers of a card's colour (3.2, 3.3), as bits of nations.
fn majors(colour: Colour) -> u32 {
    match colour {
        Colour::German => Nation::Germany.bit(),
        Colour::Italian => Nation::Italy.bit(),
        Colour::Allied => Nation::Britain.bit() | Nation::France.bit() | Nation::Usa.bit(),
        Colour::Soviet => Nation::Ussr.bit(),
    }
}

impl VictoryInEurope {
    /// The open card whose event is this force's.
    #[inline]
    fn event_of(&self, state: &State, force: Force) -> Option<&Card> {
        self.open_card(state, force.team()).filter(|card| card.colour.force() == force)
    }

    /// Whether an event with this scope, of a card of this colour, helps a unit of the card's side (3.3).
    fn in_scope(&self, state: &State, card: &Card, scope: Scope, unit: UnitId) -> bool {
        if scope.kinds != 0 && scope.kinds & self.kind(unit).bit() == 0 {
            return false;
        }
        let nation = self.nation(state, unit);
        if scope.nations != 0 {
            return scope.nations & nation.bit() != 0;
        }
        let majors = majors(card.colour);
        if nation.is_major() {
            return majors & nation.bit() != 0;
        }
        let force = self.force(state, unit);
        force == Some(card.colour.force())
            && state.is_on_map(unit)
            && state.stack(state.location(unit)).any(|other| self.nation(state, other).bit() & majors != 0)
    }

    /// Whether a place is one where an event works; `home` = whose home territory is meant.
    fn is_where(&self, place: Place, limits: &Where, home: u32) -> bool {
        match limits {
            Where::Anywhere => true,
            Where::Home => {
                place.is_area()
                    && self.rules.areas[place.at()].home.is_some_and(|nation| home & nation.bit() != 0)
            }
            Where::Region(areas) => place.is_area() && areas.contains(place),
            Where::Sea(zone) => place.sea_zone() == Some(*zone),
            Where::RegionAndSeas(areas, seas) => match place.sea_zone() {
                Some(zone) => seas & 1 << zone != 0,
                None => place.is_area() && areas.contains(place),
            },
        }
    }

    // ---- naming ----

    /// How many places an event names, after movement.
    fn names(effect: &Effect) -> u8 {
        match *effect {
            Effect::Firepower { battles, .. } => battles.min(2),
            Effect::Round { .. } => 1,
            Effect::Supply { areas, .. } | Effect::Cut { areas, .. } => areas.min(2),
            _ => 0,
        }
    }

    /// The force of the movers whose event is still to be named.
    fn naming_force(&self, state: &State) -> Option<Force> {
        Force::ALL.into_iter().filter(|force| state.movers & force.bit() != 0).find(|&force| {
            let named =
                state.cards.named[force.index()].iter().filter(|&&place| place != Place::NONE).count() as u8;
            !state.cards.used[force.index()]
                && self.event_of(state, force).is_some_and(|card| Self::names(&card.effect) > named)
        })
    }

    /// Whether naming a place would do something, as far as the owner of the event can see.
    /// `lines` = those worked out so far.
    fn may_name(
        &self,
        state: &State,
        card: &Card,
        place: Place,
        lines: &mut [Option<Areas>; NATIONS],
    ) -> bool {
        let force = card.colour.force();
        let team = force.team();
        let defends = || match place.sea_zone() {
            Some(zone) => state.sea_attacked[team.index()] & 1 << zone == 0,
            None => !state.attacked[team.index()].contains(place),
        };
        let battle = match place.sea_zone() {
            Some(zone) => state.disputed_seas() & 1 << zone != 0,
            None => state.disputed().contains(place),
        };
        match card.effect {
            Effect::Firepower { scope, flak, defending, terrain, .. } => {
                battle
                    && (!defending || defends())
                    && terrain.is_none_or(|terrain| self.has_terrain(place, terrain))
                    && (self.units_at(state, place, team).any(|unit| self.in_scope(state, card, scope, unit))
                        || flak && defends() && place.is_area() && state.factory(place) > 0)
            }
            Effect::Round { nation } => {
                battle
                    && nation.is_none_or(|nation| {
                        state.stack(place).any(|unit| self.nation(state, unit) == nation)
                    })
            }
            // Where supply fails now, or may after the battle.
            Effect::Supply { nation, .. } => {
                place.is_area()
                    && state.stack(place).any(|unit| {
                        self.in_scope(state, card, Scope::of(nation), unit)
                            && self.arm(unit) != Arm::Naval
                            && (battle || !self.has_supply(state, unit, lines))
                    })
            }
            Effect::Cut { place: limits, .. } => {
                place.is_area()
                    && self.is_where(place, &limits, 0)
                    && state.held_by(team.other()).contains(place)
                    && !state.disputed().contains(place)
                    && !self.has_army(state, place, team.other())
            }
            _ => false,
        }
    }

    fn has_terrain(&self, place: Place, terrain: crate::rules::Terrain) -> bool {
        place.is_area() && self.rules.areas[place.at()].terrain == terrain
    }

    /// Places to name for the event of the movers' card, one by one, or passing.
    pub(crate) fn naming_actions(&self, state: &State, out: &mut Vec<Action>) {
        let Some(force) = self.naming_force(state) else { return };
        let Some(card) = self.event_of(state, force) else { return };
        let named = &state.cards.named[force.index()];
        let (mut areas, mut seas) = (self.tables.areas.all, Seas::MAX);
        if matches!(card.effect, Effect::Firepower { .. } | Effect::Round { .. }) {
            (areas, seas) = (state.disputed(), state.disputed_seas());
        }
        let zones = (0..MAX_SEAS as u8).filter(|zone| seas >> zone & 1 != 0).map(Place::sea);
        let mut lines = [None; NATIONS];
        // Passing alone is played by the rules, and asked for only in determinizations where other blocks stand for those that fight.
        out.push(Action::Pass);
        out.extend(
            areas
                .iter()
                .chain(zones)
                .filter(|place| !named.contains(place))
                .filter(|&place| self.may_name(state, card, place, &mut lines))
                .map(Action::Name),
        );
    }

    pub(crate) fn naming_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let Some(force) = self.naming_force(state) else { return self.end_phase(state, context) };
        if let Action::Name(place) = action {
            let named = &mut state.cards.named[force.index()];
            if let Some(slot) = named.iter_mut().find(|slot| **slot == Place::NONE) {
                *slot = place;
            }
        } else {
            state.cards.used[force.index()] = true;
            self.end_phase(state, context);
        }
    }

    // ---- combat ----

    /// Step losses of events at the start of combat (3.3), Player 1's event first: the strongest unit of the kind, its owner
    /// choosing among equals. May leave [`Pending::Loss`] open; combat then goes on after
    /// [`VictoryInEurope::event_loss_apply`].
    pub(crate) fn event_losses(&self, state: &mut State, context: &mut impl Rolls) {
        for team in [state.first, state.second()] {
            let Some(card) = self.open_card(state, team) else { continue };
            let Effect::Loss { factory, steps, place, .. } = card.effect else { continue };
            let force = card.colour.force();
            while state.cards.taken[force.index()] < steps {
                if factory {
                    state.cards.taken[force.index()] += 1;
                    self.factory_loss(state, self.inflicter(state, card), &place, context);
                    continue;
                }
                let victims = self.victims(state, card);
                match (victims.first(), victims.len()) {
                    (None, _) => state.cards.taken[force.index()] = steps,
                    (Some(unit), 1) => self.suffer(state, force, unit, context),
                    (Some(unit), _) => {
                        let owner = self.force(state, unit);
                        state.pending = Pending::Loss(team.other() as u8);
                        state.active = owner.map_or(team.other().forces(), Force::bit);
                        return;
                    }
                }
            }
        }
        state.pending = Pending::None;
        state.active = state.movers;
    }

    /// Who inflicts the losses of an event: the force of its colour, for Italian ones while Italy fights.
    fn inflicter(&self, state: &State, card: &Card) -> Bloc {
        match card.colour {
            Colour::Italian => self.bloc(state, Nation::Italy),
            colour => Bloc::of(colour.force()),
        }
    }

    /// The strongest enemies that an event's loss can fall on: of those it is at war with. The last step of a military unit,
    /// and of a convoy, is safe.
    fn victims(&self, state: &State, card: &Card) -> Units {
        let Effect::Loss { scope, place, .. } = card.effect else { return Units::EMPTY };
        let own = self.inflicter(state, card);
        let mut strongest = 0;
        let mut victims = Units::EMPTY;
        for unit in self.unit_ids() {
            let steps = state.steps(unit);
            let last_is_safe = self.arm(unit) == Arm::Army || self.kind(unit) == Kind::Convoy;
            if !state.is_on_map(unit)
                || !self.at_war(state, own, self.bloc_of(state, unit))
                || scope.kinds != 0 && scope.kinds & self.kind(unit).bit() == 0
                || scope.nations != 0 && scope.nations & self.nation(state, unit).bit() == 0
                || !self.is_where(state.location(unit), &place, majors(card.colour))
                || steps == 0
                || steps == 1 && last_is_safe
            {
                continue;
            }
            if steps > strongest {
                strongest = steps;
                victims = Units::EMPTY;
            }
            if steps == strongest {
                victims.insert(unit);
            }
        }
        victims
    }

    fn suffer(&self, state: &mut State, force: Force, unit: UnitId, context: &mut impl Rolls) {
        state.cards.taken[force.index()] += 1;
        self.lose_steps(state, unit, 1, LossCause::Event, context);
    }

    /// The strongest factory of an enemy in the places of an event loses a step.
    fn factory_loss(&self, state: &mut State, own: Bloc, place: &Where, context: &mut impl Rolls) {
        let sites = self.tables.areas.sites.iter();
        let target = sites
            .filter(|&area| self.at_war(state, own, self.bloc(state, state.controller(area))))
            .filter(|&area| self.is_where(area, place, 0))
            .max_by_key(|&area| (state.factory(area), std::cmp::Reverse(area)));
        if let Some(area) = target.filter(|&area| state.factory(area) > 0) {
            state.set_factory(area, state.factory(area) - 1);
            context.emit(|| Event::FactoryLoss { area, steps: 1 });
        }
    }

    pub(crate) fn event_loss_actions(&self, state: &State, out: &mut Vec<Action>) {
        let Pending::Loss(owner) = state.pending else { return };
        let inflicter = Team::ALL[owner as usize].other();
        if let Some(card) = self.open_card(state, inflicter) {
            out.extend(self.victims(state, card).iter().map(Action::Take));
        }
        if out.is_empty() {
            // Only in determinizations where other blocks stand for those that it could fall on.
            out.push(Action::Pass);
        }
    }

    pub(crate) fn event_loss_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let Pending::Loss(owner) = state.pending else { return };
        let inflicter = Team::ALL[owner as usize].other();
        if let Action::Take(unit) = action
            && let Some(force) = self.open_card(state, inflicter).map(|card| card.colour.force())
        {
            self.suffer(state, force, unit, context);
        }
        self.event_losses(state, context);
    }

    /// Firepower a unit ([`UnitId::NONE`] = the flak of the factory at `place`, of `team`) gets from events in the battle
    /// at `place`, after weather and terrain. Rounds of a Blitz and exploitations get none: the caller does not ask.
    pub fn event_firepower(
        &self,
        state: &State,
        place: Place,
        unit: UnitId,
        team: Team,
        defending: bool,
        target: Target,
    ) -> u8 {
        let Some(card) = self.open_card(state, team) else { return 0 };
        let Effect::Firepower {
            scope, flak, bonus, defending: only_defending, terrain, target: only_at, ..
        } = card.effect
        else {
            return 0;
        };
        let helps = state.cards.named[card.colour.force().index()].contains(&place)
            && (defending || !only_defending)
            && terrain.is_none_or(|terrain| self.has_terrain(place, terrain))
            && only_at.is_none_or(|only| only == target)
            && if unit == UnitId::NONE { flak } else { self.in_scope(state, card, scope, unit) };
        if helps { bonus } else { 0 }
    }

    /// Rounds that events add to the battle at a place (5.61).
    pub fn event_rounds(&self, state: &State, place: Place) -> u8 {
        let adds = |team| {
            self.open_card(state, team).is_some_and(|card| {
                matches!(card.effect, Effect::Round { .. })
                    && state.cards.named[card.colour.force().index()].contains(&place)
            })
        };
        Team::ALL.into_iter().map(|team| u8::from(adds(team))).sum()
    }

    // ---- movement ----

    /// Movement points a unit gets from an event (not in winter, not for Strategic Movement).
    pub fn event_moves(&self, state: &State, unit: UnitId) -> u8 {
        let Some(card) = self.force(state, unit).and_then(|force| self.event_of(state, force)) else {
            return 0;
        };
        match card.effect {
            Effect::Move { scope, bonus }
                if self.in_scope(state, card, scope, unit)
                    && !self.winter_at(state, state.location(unit)) =>
            {
                bonus
            }
            _ => 0,
        }
    }

    /// Whether mud holds an army of this team in an area to one area a turn.
    pub fn is_muddy(&self, state: &State, team: Team, area: Place) -> bool {
        self.open_card(state, team.other()).is_some_and(|card| match &card.effect {
            Effect::Mud { place } => self.is_where(area, place, majors(card.colour)),
            _ => false,
        })
    }

    /// Whether a force has an event with free strategic moves for some of its units or factories.
    pub(crate) fn grants_moves(&self, state: &State, force: Force) -> bool {
        let card = self.event_of(state, force);
        card.is_some_and(|card| matches!(card.effect, Effect::Strategic { .. } | Effect::Urals { .. }))
    }

    /// Free strategic moves left for a unit ([`UnitId::NONE`] = a factory step) of a force.
    pub fn free_moves(&self, state: &State, force: Force, unit: UnitId) -> u8 {
        let Some(card) = self.event_of(state, force) else { return 0 };
        let moves = match card.effect {
            Effect::Strategic { factory: true, moves, .. } if unit == UnitId::NONE => moves,
            Effect::Strategic { factory: false, nation, moves }
                if unit != UnitId::NONE && self.in_scope(state, card, Scope::of(nation), unit) =>
            {
                moves
            }
            Effect::Urals { units, free } if unit != UnitId::NONE && units.contains(&unit) => free,
            _ => 0,
        };
        moves.saturating_sub(state.cards.taken[force.index()])
    }

    /// One of them is used.
    pub(crate) fn use_free_move(&self, state: &mut State, force: Force) {
        state.cards.taken[force.index()] += 1;
    }

    /// Whether an event lets a unit leave the Urals before its time (13).
    pub fn may_leave_urals(&self, state: &State, unit: UnitId) -> bool {
        let card = self.force(state, unit).and_then(|force| self.event_of(state, force));
        card.is_some_and(|card| matches!(card.effect, Effect::Urals { units, .. } if units.contains(&unit)))
    }

    /// Command points an event takes off this turn's invasion (7.5).
    pub fn invasion_discount(&self, state: &State, force: Force) -> u8 {
        match self.event_of(state, force).map(|card| &card.effect) {
            Some(&Effect::Invade { discount }) => discount,
            _ => 0,
        }
    }

    // ---- supply ----

    /// Whether an event spares a unit in an area attrition.
    pub fn is_spared(&self, state: &State, unit: UnitId) -> bool {
        let Some(force) = self.force(state, unit) else { return false };
        let Some(card) = self.event_of(state, force) else { return false };
        let Effect::Supply { nation, .. } = card.effect else { return false };
        state.is_on_map(unit)
            && state.cards.named[force.index()].contains(&state.location(unit))
            && self.in_scope(state, card, Scope::of(nation), unit)
    }

    /// Areas through which supply lines of a team do not pass: those the enemy has named, while no army of the team stands
    /// there.
    pub fn cut_areas(&self, state: &State, team: Team) -> Areas {
        let Some(card) = self.open_card(state, team.other()) else { return Areas::EMPTY };
        if !matches!(card.effect, Effect::Cut { .. }) {
            return Areas::EMPTY;
        }
        let named = state.cards.named[card.colour.force().index()];
        named.into_iter().filter(|&place| place.is_area() && !self.has_army(state, place, team)).collect()
    }

    // ---- diplomacy and production ----

    /// Bonus of a force's diplomatic roll for a country.
    pub fn event_diplomacy(&self, state: &State, force: Force, nation: Nation) -> u8 {
        match self.event_of(state, force).map(|card| &card.effect) {
            Some(&Effect::Diplomacy { nation: only, bonus }) if only.is_none_or(|only| only == nation) => {
                bonus
            }
            _ => 0,
        }
    }

    /// Production points of an event for a major.
    pub fn event_points(&self, state: &State, nation: Nation) -> u8 {
        let force = state.politics.standing(nation).force();
        match force.and_then(|force| self.event_of(state, force)).map(|card| &card.effect) {
            Some(&Effect::Points { nation: to, points }) if to == nation => points,
            _ => 0,
        }
    }

    /// Whether an event with free steps is open.
    pub(crate) fn grants_steps(&self, state: &State) -> bool {
        Team::ALL.into_iter().any(|team| {
            self.open_card(state, team).is_some_and(|card| matches!(card.effect, Effect::Steps { .. }))
        })
    }

    /// Free steps left for a unit on the map (STEPS), on top of what production builds. That a unit gets no more than one of
    /// them, and is in supply, is for the caller to see to.
    pub fn free_steps(&self, state: &State, unit: UnitId) -> u8 {
        let Some(force) = self.force(state, unit) else { return 0 };
        let Some(card) = self.event_of(state, force) else { return 0 };
        match card.effect {
            Effect::Steps { scope, steps, place }
                if state.is_on_map(unit)
                    && self.in_scope(state, card, scope, unit)
                    && self.is_where(state.location(unit), &place, majors(card.colour)) =>
            {
                steps.saturating_sub(state.cards.taken[force.index()])
            }
            _ => 0,
        }
    }

    /// One of them is used.
    pub(crate) fn use_free_step(&self, state: &mut State, force: Force) {
        state.cards.taken[force.index()] += 1;
    }

    /// Units that events deploy in production (DEPLOY): from the pool with one step, if the area is friendly and has room; a
    /// unit that is on the map gains a step, if it is in supply and not at full strength. Called when what has been written
    /// stands on the map.
    pub(crate) fn event_deployments(&self, state: &mut State, context: &mut impl Rolls) {
        for team in Team::ALL {
            let Some(card) = self.open_card(state, team) else { continue };
            let Effect::Deploy { unit, area } = card.effect else { continue };
            let force = card.colour.force();
            if self.has_fallen(state, self.nation(state, unit)) {
                continue;
            }
            if state.is_on_map(unit) {
                let steps = state.steps(unit);
                if steps < self.max_steps(unit) && self.is_supplied(state, unit) {
                    state.set_steps(unit, steps + 1);
                    context.emit(|| Event::Built { unit, place: state.location(unit), new: false });
                }
            } else if state.location(unit) == Place::POOL
                && state.holds(force, area)
                && let Some(coast) = self.mooring(state, unit, area)
            {
                state.put(unit, area, coast);
                state.set_steps(unit, 1);
                context.emit(|| Event::Built { unit, place: area, new: true });
            }
        }
    }

    fn has_fallen(&self, state: &State, nation: Nation) -> bool {
        state.politics.standing(nation) == Standing::Gone
            || nation == Nation::Italy && state.politics.italy == Entry::Surrendered
    }
}
