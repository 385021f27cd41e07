//! A position on the real map, played decision by decision with names.

// Each test program uses a part of it.
#![allow(dead_code)]

use sandtable_core::{Game, Index, PlayContext, Rng64};
use sandtable_victory_in_europe::editor::Editor;
use sandtable_victory_in_europe::nation::Team;
use sandtable_victory_in_europe::phase::{Pending, Phase};
use sandtable_victory_in_europe::state::mark;
use sandtable_victory_in_europe::{Action, Event, Place, State, UnitId, VictoryInEurope};

/// The rules of a scenario.
pub fn game(scenario: &str) -> VictoryInEurope {
    let opened = sandtable_scenarios_victory_in_europe::open(&format!("victory-in-europe/{scenario}"), &[]);
    let opened = opened.unwrap_or_else(|error| panic!("{error}"));
    VictoryInEurope::new(opened.rules().clone()).unwrap()
}

/// A game in progress.
pub struct Scene<'a> {
    pub game: &'a VictoryInEurope,
    pub state: State,
    pub context: PlayContext<Rng64, Vec<Event>>,
}

impl<'a> Scene<'a> {
    /// The Movement Phase of a team begins, as that of Player 1 or Player 2, after `edit` has put the scenario's set-up
    /// right.
    pub fn new(
        game: &'a VictoryInEurope,
        first: Team,
        mover: Team,
        edit: impl FnOnce(&mut Editor<'_>),
    ) -> Scene<'a> {
        let mut context = PlayContext { dice: Rng64::stream(1, 1, 1), sink: Vec::new() };
        let mut editor = Editor::new(game);
        editor.command([5, 5, 5]).first(first);
        edit(&mut editor);
        let state = editor.begin(Phase::Movement, mover, &mut context);
        Scene { game, state, context }
    }
    /// That of Player 1.
    pub fn first(game: &'a VictoryInEurope, mover: Team, edit: impl FnOnce(&mut Editor<'_>)) -> Scene<'a> {
        Scene::new(game, mover, mover, edit)
    }

    pub fn unit(&self, id: &str) -> UnitId {
        self.game.unit(id).unwrap_or_else(|| panic!("no unit {id}"))
    }
    pub fn place(&self, id: &str) -> Place {
        self.game.place(id).unwrap_or_else(|| panic!("no place {id}"))
    }
    /// The identifier of a place.
    pub fn name(&self, place: Place) -> String {
        let rules = &self.game.rules;
        match place.sea_zone() {
            Some(zone) => rules.seas[zone as usize].id.clone(),
            None => rules.areas[place.at()].id.clone(),
        }
    }
    /// Where a unit is.
    pub fn at(&self, unit: &str) -> String {
        self.name(self.state.location(self.unit(unit)))
    }
    pub fn contains(&self, unit: &str, flag: u8) -> bool {
        self.state.has_mark(self.unit(unit), flag)
    }
    pub fn moved(&self, unit: &str) -> bool {
        self.contains(unit, mark::MOVED)
    }

    pub fn legal(&self) -> Vec<Action> {
        let mut legal = Vec::new();
        self.game.legal_actions(&self.state, &mut legal);
        legal
    }
    pub fn may(&self, action: Action) -> bool {
        self.legal().contains(&action)
    }
    pub fn play(&mut self, action: Action) -> &mut Self {
        assert!(self.may(action), "{action:?} is not among {:?}", self.legal());
        self.game.apply(&mut self.state, action, &mut self.context);
        self
    }
    pub fn pass(&mut self) -> &mut Self {
        self.play(Action::Pass)
    }

    pub fn may_pick(&self, unit: &str) -> bool {
        self.may(Action::Select(self.unit(unit)))
    }
    /// What a unit may do once picked; nothing if it may not be.
    fn options(&self, unit: &str) -> Vec<Action> {
        let number = self.unit(unit);
        if !self.may_pick(unit) {
            return Vec::new();
        }
        let mut state = self.state.clone();
        let mut context = PlayContext { dice: Rng64::stream(1, 1, 1), sink: Vec::new() };
        self.game.apply(&mut state, Action::Select(number), &mut context);
        let mut legal = Vec::new();
        if state.pending == Pending::Destination(number) {
            self.game.legal_actions(&state, &mut legal);
        }
        legal
    }
    /// Where a unit may go, coasts left out.
    pub fn goals(&self, unit: &str) -> Vec<String> {
        let goals = self.options(unit).into_iter().filter_map(|action| match action {
            Action::Go(place, _) => Some(self.name(place)),
            _ => None,
        });
        goals.collect()
    }
    pub fn goes(&self, unit: &str, place: &str) -> bool {
        self.goals(unit).iter().any(|goal| goal == place)
    }
    /// Where it may go by Strategic Movement.
    pub fn transfers(&self, unit: &str) -> Vec<String> {
        let goals = self.options(unit).into_iter().filter_map(|action| match action {
            Action::Strategic(place, _) => Some(self.name(place)),
            _ => None,
        });
        goals.collect()
    }
    pub fn transfers_to(&self, unit: &str, place: &str) -> bool {
        self.transfers(unit).iter().any(|goal| goal == place)
    }
    /// Picks a unit and sends it to a place, on its first coast.
    pub fn go(&mut self, unit: &str, place: &str) -> &mut Self {
        self.play(Action::Select(self.unit(unit)));
        self.on(place)
    }
    /// Sends the picked unit on.
    pub fn on(&mut self, place: &str) -> &mut Self {
        let to = self.place(place);
        let go = self.legal().into_iter().find(|action| matches!(action, Action::Go(at, _) if *at == to));
        let go = go.unwrap_or_else(|| panic!("no way to {place}: {:?}", self.legal()));
        self.play(go)
    }
    /// Picks a unit and leaves it where it is.
    pub fn stay(&mut self, unit: &str) -> &mut Self {
        self.play(Action::Select(self.unit(unit))).pass()
    }
    /// Picks a unit and moves it strategically.
    pub fn transfer(&mut self, unit: &str, place: &str) -> &mut Self {
        self.play(Action::Select(self.unit(unit)));
        let to = self.place(place);
        let mut legal = self.legal().into_iter();
        let go = legal.find(|action| matches!(action, Action::Strategic(at, _) if *at == to));
        let go = go.unwrap_or_else(|| panic!("no transfer to {place}"));
        self.play(go)
    }
    /// Invades an area with an infantry.
    pub fn invade(&mut self, area: &str, unit: &str) -> &mut Self {
        let (area, unit) = (self.place(area), self.unit(unit));
        self.play(Action::Invade(area));
        // A single candidate goes by itself.
        if self.state.location(unit) != area && !matches!(self.state.pending, Pending::Neutral { .. }) {
            self.play(Action::Join(unit));
        }
        self
    }
    /// Whether the army just moved may go on.
    pub fn marches_on(&self) -> bool {
        matches!(self.state.pending, Pending::March(_))
    }
    pub fn controller(&self, area: &str) -> sandtable_victory_in_europe::Nation {
        self.state.controller(self.place(area))
    }
    /// Whether a battle opened by a team is due at an area.
    pub fn attacked(&self, team: Team, area: &str) -> bool {
        self.state.attacked[team.index()].contains(self.place(area))
    }
}
