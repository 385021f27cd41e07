//! Combat (7.0): airstrikes, active battles, and the rounds fought in them.
//!
//! ```text
//!  Airstrike      each activated headquarters names a battle                             7.13
//!  ActiveBattle   the active side says of each battle whether it is fought; some must be 7.14, 7.15
//!  per battle     airstrike, defensive fire with repulses, offensive fire               7.2
//!  Losses         owners choose among units that differ                                  7.33
//! ```

use sandtable_core::{ActionSink, Flow, Hex, Index};

use crate::action::Action;
use crate::event::{Cause, Event, Volley};
use crate::game::EuroFront;
use crate::ids::{BlockId, Blocks, Camp, Faction, Front, Hexes, NationId, is_on_map, place};
use crate::phase::Phase;
use crate::rules::{Fact, Fire, Firepower, Kind, Quality, Terrain};
use crate::state::{Battle, Mark, Stage, State};

/// No hex to strike.
const NO_STRIKE: Hex = Hex(0);

impl EuroFront {
    // ---- airstrikes (7.13, 13.1) ----

    /// Battles that the aircraft of a headquarters may strike: in range and not struck already.
    pub(crate) fn strikable(&self, state: &State, block: BlockId) -> Hexes {
        let battles = self.battles_fought(state);
        if battles.is_empty() || self.command_value(state, block) <= 0 || self.sends_drop(state, block) {
            return Hexes::EMPTY;
        }
        let struck: Hexes = state.strikes.iter().copied().filter(|&hex| hex != NO_STRIKE).collect();
        let in_range = battles.and(&self.air_area(state, block)).difference(&struck);
        in_range.filter(|hex| {
            self.may_strike_in_south(state, block, hex) && self.air_fire(state, block, hex) != Fire::None
        })
    }

    /// Whether a headquarters may strike a hex of the Mediterranean Front: from elsewhere its own headquarters alone, and
    /// those of an invasion in the hex that they have invaded (5.75, 21.393, A40).
    fn may_strike_in_south(&self, state: &State, headquarters: BlockId, hex: Hex) -> bool {
        let at = state.at(headquarters);
        self.is_civil_war()
            || self.front(hex) != Front::Mediterranean
            || self.front(at) == Front::Mediterranean
            || self.belongs_to(headquarters, Front::Mediterranean)
            || self.has_mediterranean(state, self.brief(headquarters).camp)
            || state.stack(hex, state.camp()).iter().any(|block| state.crossing[block].embarked() == Some(at))
    }

    /// Air firepower of a headquarters of the active faction against a hex (13.23). The Axis has that of the East against
    /// Soviets, in the North not more than double fire (21.45), and that of the West against all others in the East;
    /// Scandinavian theatre headquarters have single fire (20.8).
    pub fn air_fire(&self, state: &State, headquarters: BlockId, hex: Hex) -> Fire {
        let front = self.front(hex);
        let by_front = &self.month(state).air[state.active.index()];
        if self.is_civil_war() {
            return by_front[front.index()];
        }
        let brief = self.brief(headquarters);
        if brief.kind == Kind::TheatreHq && self.is_scandinavian(brief.nation) {
            return by_front[front.index()].min(Fire::Single);
        }
        let soviets = || {
            let enemies = state.stack(hex, state.camp().enemy());
            enemies.intersects(&self.sets().of_faction[Faction::Soviets.index()])
        };
        if state.active != Faction::Axis {
            return by_front[front.index()];
        }
        match front {
            Front::East if !soviets() => by_front[Front::West.index()],
            Front::West if soviets() => by_front[Front::East.index()],
            Front::North | Front::Mediterranean if soviets() => {
                by_front[Front::East.index()].min(Fire::Double)
            }
            _ => by_front[front.index()],
        }
    }

    pub(crate) fn airstrikes<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        if state.subject.is_none() {
            return Flow::Continue(());
        }
        out.offer(Action::Pass)?;
        out.all([self.strikable(state, state.subject)], |_, hex| Action::Strike(hex))
    }

    pub(crate) fn assign_strike(&self, state: &mut State, hex: Hex) {
        state.strikes[usize::from(self.brief(state.subject).headquarters)] = hex;
    }

    // ---- active battles (7.14, 7.15) ----

    /// Battles that the active faction may fight or strike: its own, not those of an ally it does not stack with (5.34,
    /// 20.34, A45).
    fn battles_fought(&self, state: &State) -> Hexes {
        let own = &self.sets().of_faction[state.active.index()];
        let battles = state.battles();
        if state.active == Faction::Axis {
            return battles;
        }
        battles.filter(|hex| state.stack(hex, state.camp()).intersects(own))
    }

    /// Whether a battle must be fought in this Combat Phase (7.15): a new one, one that is struck, that of an attacker of a
    /// fortress; in areas assaults alone (18.4).
    fn is_mandatory(&self, state: &State, hex: Hex) -> bool {
        if self.map().areas.contains(hex) {
            let landed = |block: BlockId| {
                state.crossing[block].embarked().is_some() || state.crossing[block].took_off().is_some()
            };
            return state.new_battles.contains(hex) && state.stack(hex, state.camp()).iter().any(landed);
        }
        let besieged = self.map().fortresses[0].contains(hex)
            && !state.blitz
            && state.original_defender(hex) != state.camp();
        state.new_battles.contains(hex) || state.strikes.contains(&hex) || besieged
    }

    /// Whether the active side may fight a battle at all: in a Blitz unsupported only on fronts with an activated Blitz
    /// headquarters (7.4).
    fn may_fight(&self, state: &State, hex: Hex) -> bool {
        let blitz =
            || state.marked(Mark::Blitz).iter().any(|block| self.front(state.at(block)) == self.front(hex));
        !state.blitz || state.commanded.contains(hex) || blitz()
    }

    /// Goes on to the next battle whose fighting is to be decided, and says whether there is one.
    pub(crate) fn turn_to_battle(&self, state: &mut State) -> bool {
        for hex in self.battles_fought(state) {
            if hex.0 < state.cursor {
                continue;
            }
            if self.is_mandatory(state, hex) {
                state.marked.insert(hex);
            } else if self.may_fight(state, hex) {
                state.phase = Phase::ActiveBattle;
                state.decider = state.active;
                state.battle = Battle { hex, ..Battle::NONE };
                state.cursor = hex.0 + 1;
                return true;
            }
        }
        false
    }

    /// All units in active battles are revealed (7.14).
    pub(crate) fn reveal_battles(&self, state: &mut State) {
        for hex in state.marked {
            for block in state.stack(hex, Camp::Axis).or(&state.stack(hex, Camp::Coalition)) {
                state.mark(block, Mark::Revealed, true);
            }
        }
    }

    // ---- a round (7.2) ----

    /// Fights the battles marked active, lowest hex first, until one of them needs a decision. Says whether one does.
    pub(crate) fn fight<T: crate::Rolls>(&self, state: &mut State, context: &mut T) -> bool {
        loop {
            if state.battle.stage != Stage::Done || state.battle.hits + state.battle.repulses > 0 {
                if self.fight_on(state, context) {
                    return true;
                }
                continue;
            }
            let Some(hex) = state.marked.first() else { return false };
            state.marked.remove(hex);
            self.begin_round(state, hex, context);
        }
    }

    pub(crate) fn begin_round<T: crate::Rolls>(&self, state: &mut State, hex: Hex, context: &mut T) {
        let (active, supported) = (state.camp(), state.commanded.contains(hex));
        let assault = self.repulse_up_to(state, hex) > 0;
        context.emit(|| Event::Round { at: hex, active, supported, assault });
        state.battle = Battle { hex, stage: Stage::Air, assault, ..Battle::NONE };
        // Static units without strength that have nobody beside them (2.27).
        for camp in Camp::ALL {
            let stack = state.stack(hex, camp);
            let helpless = |block: BlockId| state.steps[block] == 0 && self.brief(block).kind == Kind::Static;
            if stack.iter().all(helpless) {
                for block in stack {
                    self.eliminate(state, block, place::ELIMINATED, Cause::NoStrength, context);
                }
            }
        }
    }

    /// Takes the losses due and fires the next volley, until the owner of a unit must choose or the round is over. Says
    /// whether somebody must choose.
    fn fight_on<T: crate::Rolls>(&self, state: &mut State, context: &mut T) -> bool {
        loop {
            if state.battle.hits + state.battle.repulses > 0 {
                let candidates = self.loss_candidates(state);
                let Some(first) = candidates.first() else {
                    state.battle.hits = 0;
                    state.battle.repulses = 0;
                    continue;
                };
                let alike = |block: BlockId| self.brief(block).alike == self.brief(first).alike;
                let marks = |block: BlockId| (state.has(block, Mark::Unsupplied), state.crossing[block]);
                if candidates.iter().all(|block| alike(block) && marks(block) == marks(first)) {
                    self.take_loss(state, first, context);
                    continue;
                }
                state.phase = Phase::Losses;
                state.decider = self.brief(first).faction;
                return true;
            }
            let Some(volley) = self.next_volley(state, context) else {
                self.end_round(state);
                return false;
            };
            self.fire(state, volley, context);
        }
    }

    /// Who fires next; `None` when the round is over.
    pub(crate) fn next_volley<T: crate::Rolls>(&self, state: &mut State, context: &mut T) -> Option<Volley> {
        let hex = state.battle.hex;
        loop {
            // After defensive fire, or when nobody is left to fire it, an assault has succeeded.
            if state.battle.assault && (state.battle.stage == Stage::Offence || !state.is_battle(hex)) {
                state.battle.assault = false;
                self.settle_assault(state, hex, context);
            }
            let stage = if state.is_battle(hex) { state.battle.stage } else { Stage::Done };
            let (next, volley) = match stage {
                Stage::Air => (Stage::Defence, Volley::Air),
                Stage::Defence => (Stage::Offence, Volley::Defensive),
                Stage::Offence => (Stage::Done, Volley::Offensive),
                Stage::Done => {
                    state.battle.stage = Stage::Done;
                    return None;
                }
            };
            state.battle.stage = next;
            if volley != Volley::Air || self.striker(state, hex).is_some() {
                return Some(volley);
            }
        }
    }

    /// The headquarters that strikes a battle from the air (7.13), if it still stands: one that has been eliminated in another
    /// battle of the phase strikes no more.
    fn striker(&self, state: &State, hex: Hex) -> Option<BlockId> {
        let number = state.strikes.iter().position(|&struck| struck == hex)?;
        let headquarters = self.sets().headquarters_list[number];
        is_on_map(state.at(headquarters)).then_some(headquarters)
    }

    /// The original defender turns his blocks round again (7.12).
    pub(crate) fn end_round(&self, state: &mut State) {
        let hex = state.battle.hex;
        state.battle = Battle::NONE;
        state.clear(&[Mark::REPULSED]); // The same mark is that of rearguards, who wait in no combat.
        if state.is_battle(hex) {
            for block in state.stack(hex, state.original_defender(hex)) {
                let active = state.has(block, Mark::Active);
                state.mark(block, Mark::Revealed, active);
            }
        }
    }

    // ---- fire (7.3) ----

    /// The dice of a volley: of each that fires their number, and the least face that hits.
    pub(crate) fn shots(&self, state: &State, volley: Volley, mut shoot: impl FnMut(u8, u8)) {
        self.shots_of(state, volley, |_, dice, least| shoot(dice, least));
    }

    /// The dice of a volley: the block that fires, of an airstrike its headquarters, its number of dice, and the least face that hits.
    fn shots_of(&self, state: &State, volley: Volley, mut shoot: impl FnMut(BlockId, u8, u8)) {
        let hex = state.battle.hex;
        if volley == Volley::Air {
            let Some(headquarters) = self.striker(state, hex) else { return };
            let dice = self.command_value(state, headquarters).max(0) as u8;
            let fire = self.air_fire(state, headquarters, hex);
            return shoot(headquarters, dice, crate::tables::hits_from(&self.rules, fire));
        }
        let passive = volley == Volley::Defensive;
        let camp = if passive { state.camp().enemy() } else { state.camp() };
        for block in state.stack(hex, camp) {
            let fire = self.firepower(state, block, passive);
            if fire != Fire::None {
                shoot(block, state.steps[block], crate::tables::hits_from(&self.rules, fire));
            }
        }
    }

    /// Greatest die of a volley that repulses as well.
    pub(crate) fn repulse_by(&self, state: &State, volley: Volley) -> u8 {
        if volley == Volley::Defensive { self.repulse_up_to(state, state.battle.hex) } else { 0 }
    }

    /// The dice of a volley are thrown; what they bring falls on the other side.
    fn fire<T: crate::Rolls>(&self, state: &mut State, volley: Volley, context: &mut T) {
        let repulse = self.repulse_by(state, volley);
        let (mut thrown, mut hits, mut repulses) = (0, 0, 0);
        let wavering = self.wavering(state, volley);
        let mut capitulates = false;
        self.shots_of(state, volley, |block, dice, least| {
            let gives_up = wavering.map_or(0, |nation| self.capitulates_up_to(nation, block));
            for _ in 0..dice {
                let die = context.die(6) as u8;
                hits += u8::from(die >= least);
                repulses += u8::from(die <= repulse);
                capitulates |= die <= gives_up;
            }
            thrown += dice;
        });
        self.bring_down(state, volley, hits, repulses);
        let at = state.battle.hex;
        context.emit(|| Event::Fired { volley, at, dice: thrown, hits, repulses });
        if capitulates && let Some(nation) = wavering {
            for block in state.stack(at, Camp::Axis).and(&self.sets().of_nation[nation.at()]) {
                self.eliminate(state, block, place::ELIMINATED, Cause::Defeat, context);
            }
        }
    }

    // ---- capitulation (7.7) ----

    /// The ambivalent nation whose units the Allies fire at (16.711).
    fn wavering(&self, state: &State, volley: Volley) -> Option<NationId> {
        let hex = state.battle.hex;
        let allied =
            state.stack(hex, Camp::Coalition).intersects(&self.sets().of_faction[Faction::Allies.index()]);
        let fires = (volley == Volley::Defensive) == (state.camp() == Camp::Axis);
        if !allied || !fires || state.diplomacy.demoralised.is_empty() {
            return None;
        }
        let named = self.nations();
        let ambivalent = [named.norway, named.vichy, named.portugal].into_iter();
        let stack = state.stack(hex, Camp::Axis);
        ambivalent
            .filter(|nation| !nation.is_none() && state.diplomacy.demoralised.contains(*nation))
            .find(|nation| stack.intersects(&self.sets().of_nation[nation.at()]))
    }

    /// Greatest die of an Allied block on which they give up: Norwegians to the British on 2, Vichy to them on 1 and to the
    /// Americans on 2, Portugal to the Americans on 1 and to the British on 2.
    fn capitulates_up_to(&self, nation: NationId, block: BlockId) -> u8 {
        let american = self.block(block).id.starts_with("us_");
        let named = self.nations();
        match american {
            false if nation == named.vichy => 1,
            false => 2,
            true if nation == named.vichy => 2,
            true if nation == named.portugal => 1,
            true => 0,
        }
    }

    /// Hits and repulses of a volley are due.
    pub(crate) fn bring_down(&self, state: &mut State, volley: Volley, hits: u8, repulses: u8) {
        let active = state.camp();
        state.battle.target = if volley == Volley::Defensive { active } else { active.enemy() };
        state.clear(&[Mark::REPULSED]);
        // Without support nobody hits the defender of a fortress (7.4).
        let hex = state.battle.hex;
        let safe = volley != Volley::Defensive
            && self.is_fortress_of(state, hex, active.enemy())
            && !state.commanded.contains(hex);
        state.battle.hits = if safe { 0 } else { hits };
        state.battle.repulses = repulses;
    }

    /// Whether a camp is the original defender of a fortress (7.5).
    fn is_fortress_of(&self, state: &State, hex: Hex, camp: Camp) -> bool {
        self.map().fortresses[0].contains(hex) && state.is_battle(hex) && state.original_defender(hex) == camp
    }

    /// Firepower of a unit in the battle where it stands (7.32).
    pub fn firepower(&self, state: &State, block: BlockId, passive: bool) -> Fire {
        let at = state.at(block);
        let fire = self.fire_by_type(state, block);
        if passive {
            let city = self.map().major_cities.contains(at) && fire.defence != Fire::None;
            let fire = if city { fire.defence.max(self.rules.combat.city_fire) } else { fire.defence };
            return self.fire_from_fortress(state, block, fire);
        }
        let weather = self.weather_effect(state, at);
        let bogged = self.terrain_effect(at).single_fire && !weather.swamp_as_forest;
        let muddy = weather.single_fire && !self.surprises_in_mud(state, block);
        let slowed = bogged || muddy || !self.is_civil_war() && self.is_paralysed(state, block);
        let besieges = self.brief(block).quality == Quality::Siege
            && self.is_fortress_of(state, at, self.brief(block).camp.enemy());
        let offence = if besieges { Fire::Triple } else { fire.offence }; // 2.34
        if slowed { offence.min(Fire::Single) } else { offence }
    }

    /// Fire of a unit by what it is and where: type, terrain, quality, nation (2.2, 2.3, 20, 21.36, 21.45).
    fn fire_by_type(&self, state: &State, block: BlockId) -> Firepower {
        let brief = self.brief(block);
        let data = &self.rules.kinds[brief.kind as usize];
        if self.is_civil_war() {
            return data.fire;
        }
        let at = state.at(block);
        let (terrain, front) = (self.terrain(at), self.front(at));
        let high = matches!(terrain, Terrain::Mountain | Terrain::Tundra);
        let both = |fire| Firepower { offence: fire, defence: fire };
        if brief.kind == Kind::Amphibious && self.is_in_own_beachhead(state, block) {
            return both(Fire::Double); // 15.66
        }
        let rearmed = if brief.faction == Faction::Soviets {
            self.times_of(state, self.tables.nations.rearmament) // 20.593
        } else {
            0
        };
        match (brief.kind, brief.quality) {
            (Kind::Fort, _) if self.is_taken_from_above(state, block) => {
                self.rules.kinds[Kind::Infantry as usize].fire // 20.72
            }
            (Kind::Fort, _) if state.has(block, Mark::Unsupplied) => both(Fire::Single), // 2.28
            (Kind::Shock, _) if rearmed >= 1 => Firepower { offence: Fire::Triple, defence: Fire::Double },
            (Kind::Mech, _) if rearmed >= 1 => both(Fire::Double),
            (Kind::Armour, _) if rearmed >= 2 => Firepower { offence: Fire::Triple, defence: Fire::Double },
            (Kind::Armour, Quality::Elite) if front == Front::Mediterranean => {
                let desert = terrain == Terrain::Desert;
                Firepower {
                    offence: if desert { Fire::Quadruple } else { Fire::Triple },
                    defence: Fire::Triple,
                }
            }
            (Kind::Armour, Quality::Ss) => both(Fire::Triple),
            (Kind::Mech, Quality::Ss) => Firepower { offence: Fire::Double, defence: Fire::Triple },
            (Kind::Mountain, Quality::Ss) if high => both(Fire::Triple),
            (Kind::Mountain, _) if high || front == Front::North => data.mountain_fire,
            (Kind::Mech, _)
                if brief.faction == Faction::Soviets && state.diplomacy.holds(Fact::WinterWar) =>
            {
                both(Fire::Double) // 21.481
            }
            (Kind::Infantry, _) => self.infantry_fire(state, block, data.fire),
            _ if terrain == Terrain::Desert => data.desert_fire,
            _ => data.fire,
        }
    }

    /// Whether paratroops that were dropped in this player turn fight the Belgian fort in its own hex: it is infantry then
    /// (Eben Emael, 20.72).
    fn is_taken_from_above(&self, state: &State, block: BlockId) -> bool {
        let brief = self.brief(block);
        brief.nation == self.nations().belgium && {
            let enemies = state.stack(state.at(block), brief.camp.enemy());
            enemies
                .iter()
                .any(|other| self.brief(other).kind == Kind::Para && state.has(other, Mark::Dispersed))
        }
    }

    /// Fire of infantry: at home that of its nation (20.8, 20.91); the French defend with double fire until they are
    /// demoralised (20.41, 20.44).
    fn infantry_fire(&self, state: &State, block: BlockId, fire: Firepower) -> Firepower {
        let nation = self.brief(block).nation;
        if nation == self.nations().france {
            let steady = !state.diplomacy.demoralised.contains(nation);
            return if steady { Firepower { defence: fire.defence.max(Fire::Double), ..fire } } else { fire };
        }
        match self.rules.nations[nation.at()].home_fire {
            Some(home) if self.is_at_home(state, block) => home,
            _ => fire,
        }
    }

    /// Fire of a passive unit whose side is the original defender of a fortress: of the largest of them triple, of a minor
    /// fortress double at least (7.5, 7.51).
    fn fire_from_fortress(&self, state: &State, block: BlockId, fire: Fire) -> Fire {
        let at = state.at(block);
        let [full, minor] = &self.map().fortresses;
        let camp = self.brief(block).camp;
        if !(full.contains(at) || minor.contains(at)) || state.original_defender(at) != camp {
            return fire;
        }
        let stack = state.stack(at, camp).filter(|other| !self.brief(other).kind.is_headquarters());
        let largest = stack.iter().max_by_key(|&other| (state.steps[other], std::cmp::Reverse(other)));
        if largest != Some(block) || fire == Fire::None {
            return fire;
        }
        let combat = &self.rules.combat;
        if full.contains(at) { combat.fortress_fire } else { fire.max(combat.minor_fortress_fire) }
    }

    /// Hits for a step of a unit that is being fired at (7.34, 7.4, 2.28).
    pub(crate) fn hits_to_lose_step(&self, state: &State, block: BlockId) -> u8 {
        if self.brief(block).camp == state.camp() {
            return 1; // The active side (7.33).
        }
        let combat = &self.rules.combat;
        let at = state.battle.hex;
        let mut by_hex = self.hits_for_step(state, at);
        if state.original_defender(at) == self.brief(block).camp {
            let [full, minor] = &self.map().fortresses;
            if full.contains(at) {
                by_hex = combat.fortress;
            } else if minor.contains(at) {
                by_hex = by_hex.max(combat.minor_fortress);
            }
        }
        let unsupported = if state.commanded.contains(at) { 0 } else { combat.unsupported };
        let own = self.rules.kinds[self.brief(block).kind as usize].defence;
        let own = if state.has(block, Mark::Unsupplied) || self.is_taken_from_above(state, block) {
            0
        } else {
            own
        };
        (by_hex + unsupported).min(combat.most).max(own)
    }

    // ---- assaults (7.6) ----

    /// Greatest die of the first defensive fire that repulses an attacker: an assault across rivers, from the sea or from
    /// the air, by all that started the battle (7.6). Of assaults that are combined the smallest counts (7.65).
    pub fn repulse_up_to(&self, state: &State, hex: Hex) -> u8 {
        if !state.new_battles.contains(hex) || !state.is_battle(hex) {
            return 0;
        }
        let mut least = self.repulse_limit(state, hex);
        for block in state.stack(hex, state.camp()) {
            match self.repulse_number(state, block) {
                Some(number) => least = least.min(number),
                None => return 0,
            }
        }
        least
    }

    // ---- losses (7.33, 7.61) ----

    /// Units of which one takes the next repulse or hit.
    pub(crate) fn loss_candidates(&self, state: &State) -> Blocks {
        let battle = &state.battle;
        let stack = state.stack(battle.hex, battle.target);
        if battle.repulses > 0 && !stack.is_empty() {
            return self.extremes(state, &stack, false);
        }
        if !battle.partial_on.is_none() && stack.contains(battle.partial_on) {
            return Blocks::one(battle.partial_on);
        }
        if !stack.is_empty() {
            return self.extremes(state, &stack, true);
        }
        if battle.hits == 0 {
            return Blocks::EMPTY;
        }
        // Hits that are left fall on those that have been repulsed.
        self.extremes(state, state.marked(Mark::REPULSED), true)
    }

    /// The strongest, or the weakest, of some units.
    fn extremes(&self, state: &State, units: &Blocks, strongest: bool) -> Blocks {
        let steps = units.iter().map(|block| state.steps[block]);
        let extreme = if strongest { steps.max() } else { steps.min() };
        units.filter(|block| Some(state.steps[block]) == extreme)
    }

    pub(crate) fn losses<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        out.all([self.loss_candidates(state)], |_, block| Action::Unit(block))
    }

    /// A unit is repulsed, or takes a hit.
    pub(crate) fn take_loss<T: crate::Rolls>(&self, state: &mut State, block: BlockId, context: &mut T) {
        if state.battle.repulses > 0 && state.at(block) == state.battle.hex {
            state.battle.repulses -= 1;
            self.repulse(state, block, context);
            return;
        }
        state.battle.repulses = 0;
        state.battle.hits -= 1;
        let hits_for_step = self.hits_to_lose_step(state, block);
        if hits_for_step > 1 && state.battle.partial_on != block {
            state.battle.partial_on = block;
            state.battle.partial = 0;
        }
        state.battle.partial += u8::from(hits_for_step > 1);
        if hits_for_step == 1 || state.battle.partial >= hits_for_step {
            if hits_for_step > 1 {
                state.battle.partial_on = BlockId::NONE;
                state.battle.partial = 0;
            }
            self.lose_step(state, block, Cause::Combat, context);
        }
    }

    /// A unit goes back to where it came from (7.61). Repulses are no retreats. Paratroops lose a step (7.64).
    fn repulse<T: crate::Rolls>(&self, state: &mut State, block: BlockId, context: &mut T) {
        let (to, dropped) = match self.repulsed_to(state, block) {
            Some(back) => back,
            None => match self.origin(state, block) {
                Some(to) => (to, false),
                None => return,
            },
        };
        state.mark(block, Mark::REPULSED, true);
        state.mark(block, Mark::Revealed, state.has(block, Mark::Active));
        state.mark(block, Mark::Entered, false);
        state.mark(block, Mark::Dispersed, false);
        state.crowded[self.camp(block).index()] |= !self.has_room(state, to, self.camp(block));
        self.shift(state, block, to, context);
        context.emit(|| Event::Repulsed { block, to });
        if dropped {
            self.lose_step(state, block, Cause::Drop, context);
        }
    }

    // ---- after combat (4.33) ----

    /// Headquarters that have supported combat deactivate; Blitz headquarters lose a step and stay (5.5, 5.6).
    pub(crate) fn deactivate_after_combat<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        for block in *state.marked(Mark::Active) {
            let stays = state.has(block, Mark::Blitz) && !state.blitz;
            self.spend(state, block, stays, context);
        }
    }
}
