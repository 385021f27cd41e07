//! A bench for battles: positions on the real map, scripted dice, choices by rule of thumb or written out.

use std::sync::OnceLock;

use sandtable_core::{Game, PlayContext, Scripted};
use sandtable_victory_in_europe::editor::Editor;
use sandtable_victory_in_europe::rules::{Entry, Target};
use sandtable_victory_in_europe::state::State;
use sandtable_victory_in_europe::{
    Action, Event, Nation, Pending, Phase, Place, Team, UnitId, VictoryInEurope, event,
};

pub type ScriptedContext = PlayContext<Scripted, Vec<Event>>;

/// The game of the 1941 scenario: everybody but the USA is at war or about to be.
pub fn game() -> &'static VictoryInEurope {
    static GAME: OnceLock<VictoryInEurope> = OnceLock::new();
    GAME.get_or_init(|| {
        let scenario = sandtable_scenarios_victory_in_europe::open("victory-in-europe/barbarossa-1941", &[])
            .expect("a scenario");
        VictoryInEurope::new(scenario.into_rules()).expect("sound rules")
    })
}

/// An empty map of 1941-3, without factories: summer, Axis against Western Allies and Soviets, the Germans in Orel.
pub fn map() -> Editor<'static> {
    let mut editor = Editor::new(game());
    editor.clear().turn(9).entry(Nation::Ussr, Entry::AtWar);
    for area in ["brest_litovsk", "minsk", "bryansk", "orel"] {
        editor.control(area, Nation::Germany);
    }
    for area in game().areas() {
        editor.state_mut().set_factory(area, 0);
    }
    editor
}

pub fn unit(id: &str) -> UnitId {
    game().unit(id).unwrap_or_else(|| panic!("no unit {id}"))
}
pub fn place(id: &str) -> Place {
    game().place(id).unwrap_or_else(|| panic!("no place {id}"))
}

/// A battle in progress.
pub struct Bench {
    pub state: State,
    pub context: ScriptedContext,
}

impl Bench {
    /// Begins combat; the dice will show these faces.
    pub fn new(editor: &mut Editor<'_>, faces: &[u32]) -> Bench {
        let mut context = PlayContext { dice: Scripted::faces(faces), sink: Vec::new() };
        let first = editor.state().first;
        let state = editor.begin(Phase::Combat, first, &mut context);
        Bench { state, context }
    }
    pub fn legal(&self) -> Vec<Action> {
        let mut legal = Vec::new();
        if self.is_on() {
            game().legal_actions(&self.state, &mut legal);
        }
        legal
    }
    /// Whether combat or landing goes on.
    pub fn is_on(&self) -> bool {
        matches!(self.state.phase, Phase::Combat | Phase::Landing)
    }
    pub fn play(&mut self, action: Action) -> &mut Self {
        let legal = self.legal();
        assert!(legal.contains(&action), "{action:?} at {:?}: {legal:?}", self.state.pending);
        assert!(legal.is_sorted() && legal.windows(2).all(|pair| pair[0] != pair[1]), "{legal:?}");
        game().apply(&mut self.state, action, &mut self.context);
        game().check_units_of(&self.state);
        self
    }
    /// Plays until this decision is open: fire at the first target, no retreat, no regroup, the first of equals is hit.
    pub fn until(&mut self, wanted: impl Fn(Pending) -> bool) -> &mut Self {
        while self.is_on() && !wanted(self.state.pending) {
            let action = self.thumb();
            self.play(action);
        }
        self
    }
    /// Plays until this unit fires next, at this kind of target if its owner is asked.
    pub fn shoot(&mut self, id: &str, target: Target) -> &mut Self {
        let shooter = unit(id);
        let fired = |bench: &Bench| bench.shots().iter().filter(|shot| shot.0 == shooter).count();
        let before = fired(self);
        while fired(self) == before {
            assert!(self.is_on(), "{id} does not fire: {:#?}", self.context.sink);
            let action = if self.state.pending == Pending::Fire(shooter) {
                Action::Fire(target)
            } else {
                self.thumb()
            };
            self.play(action);
        }
        self
    }
    fn thumb(&self) -> Action {
        let legal = self.legal();
        let fires = legal.iter().find(|action| matches!(action, Action::Fire(_)));
        *fires.unwrap_or(&legal[0])
    }
    /// Plays on to the end of landing.
    pub fn finish(&mut self) -> &mut Self {
        self.until(|_| false)
    }
    /// Every die was used and none was missing.
    pub fn dice_fit(&self) {
        assert_eq!(self.context.dice.check(), Ok(()), "{:#?}", self.context.sink);
        assert_eq!(self.context.dice.left(), 0, "{:#?}", self.context.sink);
    }
    pub fn steps(&self, id: &str) -> u8 {
        self.state.steps(unit(id))
    }
    pub fn is_at(&self, id: &str, at: &str) -> bool {
        self.state.location(unit(id)) == place(at)
    }
    pub fn is_off(&self, id: &str) -> bool {
        !self.state.is_on_map(unit(id))
    }
    /// Shots so far: who, at what, firepower, dice, hits.
    pub fn shots(&self) -> Vec<(UnitId, Target, u8, u8, u8)> {
        let shot = |event: &Event| match *event {
            Event::Fired { unit, target, fire, dice, hits } => Some((unit, target, fire, dice, hits)),
            _ => None,
        };
        self.context.sink.iter().filter_map(shot).collect()
    }
    /// Firepower of a unit's first shot, and its dice.
    pub fn first_shot(&self, id: &str) -> (u8, u8) {
        let shot = self.shots().into_iter().find(|shot| shot.0 == unit(id)).expect("a shot");
        (shot.2, shot.3)
    }
    pub fn battles(&self) -> Vec<event::Battle> {
        let battle = |event: &Event| if let Event::BattleEnds(battle) = event { Some(*battle) } else { None };
        self.context.sink.iter().filter_map(battle).collect()
    }
}

/// Checks that hold in the middle of a battle too.
pub trait Sound {
    fn check_units_of(&self, state: &State);
}

impl Sound for VictoryInEurope {
    fn check_units_of(&self, state: &State) {
        if matches!(state.phase, Phase::Combat | Phase::Landing) {
            assert_eq!(self.check_invariants(state), Ok(()));
        }
        let alone = state.active.is_power_of_two();
        assert!(
            alone || state.pending == Pending::None,
            "{:?} asks forces {:b}",
            state.pending,
            state.active
        );
    }
}

/// A land battle: the attackers come from `from`, the area is the defender's.
pub fn assault(
    editor: &mut Editor<'_>,
    attacker: Team,
    at: &str,
    attackers: &[(&str, u8, &str)],
    defenders: &[(&str, u8)],
) {
    for &(id, steps, from) in attackers {
        editor.place(id, at, steps).entered(id, from, 0);
    }
    for &(id, steps) in defenders {
        editor.place(id, at, steps);
    }
    editor.attack(attacker, at).first(attacker);
}
