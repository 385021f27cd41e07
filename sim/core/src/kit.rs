//! The invariants every game must keep, tried in random play.
//!
//! [`run`] plays random games and checks at every position what the [`Game`] interface promises. A broken invariant comes
//! back as a [`Failure`]: which [`Invariant`], in what way, and the [`Replay`] that leads there. A replay is a line
//! of text for each part, to be kept in a file and run again with [`Replay::play`].
//!
//! ```
//! # use sandtable_core::{kit, Game};
//! # fn invariants<G: Game>(game: &G) -> Result<(), kit::Failure> {
//! let report = kit::run(game, &kit::KitOptions { games: 100, seed: 1, ..Default::default() })?;
//! assert!(report.decisions > 0);
//! # Ok(())
//! # }
//! ```

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::str::FromStr;

use crate::context::{Dice, PlayContext, RandomDraw, Recorded, Rng64, Scripted};
use crate::game::{Game, MAX_SIDES, Outcome, Side, Turn};

/// How thoroughly to try a game.
#[derive(Clone, Debug)]
pub struct KitOptions {
    /// Random games to play.
    pub games: u64,
    /// Seed of all choices and dice; game `i` depends on the seed and `i` alone.
    pub seed: u64,
    /// Decisions after which a game counts as endless.
    pub max_decisions: u32,
    /// The costly invariants (every action tried, hidden information redrawn) are checked at every n-th position of a
    /// game, first and last included. 1 checks all positions, 0 none.
    pub deep_every: u32,
    /// At a costly check, at most this many of the legal actions are tried (a random sample without repetition).
    pub max_children: usize,
    /// Random decisions played on in every redrawn determinization.
    pub determinization_decisions: u32,
}

impl Default for KitOptions {
    fn default() -> Self {
        KitOptions {
            games: 100,
            seed: 1,
            max_decisions: 100_000,
            deep_every: 1,
            max_children: 64,
            determinization_decisions: 4,
        }
    }
}

/// What the random games were like.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KitReport {
    /// Games played.
    pub games: u64,
    /// Decisions made in them.
    pub decisions: u64,
    /// Decisions with a single legal action.
    pub forced: u64,
    /// Legal actions offered, over all decisions.
    pub offered: u64,
    /// Most legal actions of one position.
    pub widest: usize,
    /// Decisions of the shortest game.
    pub shortest: u32,
    /// Decisions of the longest game.
    pub longest: u32,
    /// Actions tried and taken back at costly checks.
    pub children: u64,
    /// Determinizations redrawn at costly checks.
    pub determinizations: u64,
    /// Games won by each team, indexed by team; draws are not among them.
    pub wins: Vec<u64>,
    /// Games drawn.
    pub draws: u64,
}

/// A promise of the [`Game`] interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Invariant {
    /// There are one to four sides with names and distinct identifiers.
    Sides,
    /// No call panics.
    NoPanic,
    /// A game ends within the bound of decisions.
    Ends,
    /// A running game offers an action, to a side that exists.
    NoDeadEnd,
    /// Legal actions are strictly ascending, so none is offered twice.
    Ascending,
    /// The same position offers the same actions and the same words for them.
    Repeatable,
    /// Playing with a list ([`Game::apply_listing`]) leads to the same state, and lists its legal actions
    /// if they are wanted.
    Listing,
    /// A draw ([`Game::sample_action`]) is a legal action, and over all positions each as often as another; playing
    /// with a draw ([`Game::apply_sampling`]) leads to the same state and draws the same.
    Drawing,
    /// A clone has the hash of its original.
    CloneHash,
    /// A parent stays as it was while its children play.
    ParentUnchanged,
    /// The cached fields equal what they are computed from.
    RecomputedHash,
    /// The invariants of the state hold.
    Invariants,
    /// Turn numbers count from 1 and never decrease.
    TurnNumber,
    /// There is an outcome exactly when the game is over, with utilities from 0 to 1 that teams share, and the winner
    /// has the greatest.
    Outcome,
    /// The same choices and dice lead to the same state, and use up the dice.
    Replay,
    /// A redrawn determinization keeps what the viewer sees: observation, turn, turn number, outcome, and the
    /// viewer's own legal actions; and it is a sound state.
    Determinize,
    /// A redrawn determinization depends on nothing that is hidden from the viewer.
    NoPeeking,
    /// Of a game that says so ([`Game::legal_by_history`]), neither redrawn determinizations nor other dice change
    /// whose turn it is and what is legal.
    ByHistory,
    /// Every action has a description.
    Described,
    /// The invariant of the caller's own hook.
    Hook,
}

/// A game in progress as its choices and dice.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Replay {
    /// The seed of the run it comes from.
    pub seed: u64,
    /// The number of the game in that run.
    pub game: u64,
    /// For every decision, the index of the chosen action among the legal ones.
    pub choices: Vec<u32>,
    /// Every roll in order, counted from zero.
    pub rolls: Vec<u32>,
}

const HEADER: &str = "sandtable kit replay 1";

impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |numbers: &[u32]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        writeln!(f, "{HEADER}")?;
        writeln!(f, "seed {}", self.seed)?;
        writeln!(f, "game {}", self.game)?;
        writeln!(f, "choices {}", list(&self.choices))?;
        writeln!(f, "rolls {}", list(&self.rolls))
    }
}

impl FromStr for Replay {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        fn number<N: FromStr>(word: &str, key: &str) -> Result<N, String> {
            word.parse().map_err(|_| format!("`{key}`: `{word}` is not a whole number in range"))
        }
        let mut lines = text.lines();
        if lines.next().map(str::trim_end) != Some(HEADER) {
            return Err(format!("the first line is not `{HEADER}`"));
        }
        let mut field = |key: &'static str| {
            let line = lines.next().ok_or_else(|| format!("the line `{key}` is missing"))?;
            let mut words = line.split_whitespace();
            if words.next() != Some(key) {
                return Err(format!("expected the line `{key}`, found `{line}`"));
            }
            Ok((key, words))
        };
        let single =
            |(key, mut words): (&str, std::str::SplitWhitespace<'_>)| number(words.next().unwrap_or(""), key);
        let list = |(key, words): (&str, std::str::SplitWhitespace<'_>)| {
            words.map(|word| number(word, key)).collect::<Result<Vec<u32>, String>>()
        };
        Ok(Replay {
            seed: single(field("seed")?)?,
            game: single(field("game")?)?,
            choices: list(field("choices")?)?,
            rolls: list(field("rolls")?)?,
        })
    }
}

impl Replay {
    /// Plays the game again and returns where it leads. `each` sees every position with the action chosen there.
    ///
    /// # Errors
    /// Names the first choice that the position does not offer, or the roll that is missing, too great, or left over.
    pub fn play<G: Game>(
        &self,
        game: &G,
        mut each: impl FnMut(&G::State, G::Action),
    ) -> Result<G::State, String> {
        let mut context = PlayContext::silent(Scripted::new(self.rolls.clone()));
        let mut state = game.initial(&mut context);
        let mut legal = Vec::new();
        for (i, &choice) in self.choices.iter().enumerate() {
            context.dice.check()?;
            if game.turn_of(&state) == Turn::Over {
                return Err(format!("the game is over before decision {}", i + 1));
            }
            legal.clear();
            game.legal_actions(&state, &mut legal);
            let Some(&action) = legal.get(choice as usize) else {
                return Err(format!(
                    "decision {} takes action {choice} of the {} there are",
                    i + 1,
                    legal.len()
                ));
            };
            each(&state, action);
            game.apply(&mut state, action, &mut context);
        }
        context.dice.check()?;
        match context.dice.left() {
            0 => Ok(state),
            left => Err(format!("{left} of {} rolls are left over", self.rolls.len())),
        }
    }
}

/// A broken invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Which invariant.
    pub invariant: Invariant,
    /// In what way it was broken.
    pub what: String,
    /// The choices and dice that lead to the fault. If an action broke the invariant, it is the last choice.
    pub replay: Replay,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "invariant {:?} is broken: {}", self.invariant, self.what)?;
        write!(f, "{}", self.replay)
    }
}

impl std::error::Error for Failure {}

type Broken = (Invariant, String);

/// The most games of the same history that go on beside one.
const MAX_SAME_HISTORY: usize = 16;

/// Plays random games and checks every invariant.
///
/// # Errors
/// The first broken invariant, with the replay that leads there.
pub fn run<G: Game>(game: &G, options: &KitOptions) -> Result<KitReport, Failure> {
    for_each_position(game, options, |_, _| Ok(()))
}

/// As [`run`], and shows every position with its legal actions to `invariant`: the place for invariants of one game
/// (all actions of the catalogue that are not legal are refused, counters are conserved). A finished game is shown
/// without actions.
///
/// # Errors
/// The first broken invariant, the caller's own included ([`Invariant::Hook`]), with the replay that leads there.
pub fn for_each_position<G: Game>(
    game: &G,
    options: &KitOptions,
    mut invariant: impl FnMut(&G::State, &[G::Action]) -> Result<(), String>,
) -> Result<KitReport, Failure> {
    let teams = game.sides().iter().map(|side| side.team as usize + 1).max().unwrap_or(0);
    let mut report = KitReport { shortest: u32::MAX, wins: vec![0; teams], ..KitReport::default() };
    sides(game).map_err(|(invariant, what)| Failure { invariant, what, replay: Replay::default() })?;
    let mut spread = Spread::default();
    for number in 0..options.games {
        let mut trial = Trial {
            game,
            options,
            context: PlayContext::silent(Recorded::new(Rng64::stream(options.seed, number, 0))),
            agent: Rng64::stream(options.seed, number, 1),
            side_dice: Rng64::stream(options.seed, number, 2),
            choices: Vec::new(),
            branch: None,
        };
        let played = catch_unwind(AssertUnwindSafe(|| trial.play(&mut report, &mut spread, &mut invariant)));
        let broken = match played {
            Ok(Ok(())) => continue,
            Ok(Err(broken)) => broken,
            Err(panic) => {
                let words = panic
                    .downcast_ref::<String>()
                    .map(String::as_str)
                    .or_else(|| panic.downcast_ref::<&str>().copied())
                    .unwrap_or("without words");
                (Invariant::NoPanic, format!("panicked: {words}"))
            }
        };
        let mut replay = Replay {
            seed: options.seed,
            game: number,
            choices: trial.choices,
            rolls: trial.context.dice.rolls,
        };
        if let Some((choice, context)) = trial.branch {
            replay.choices.push(choice);
            replay.rolls.extend(context.dice.rolls);
        }
        return Err(Failure { invariant: broken.0, what: broken.1, replay });
    }
    if report.games == 0 {
        report.shortest = 0;
    }
    match spread.check() {
        Ok(()) => Ok(report),
        Err(what) => Err(Failure { invariant: Invariant::Drawing, what, replay: Replay::default() }),
    }
}

/// How evenly draws fall on the legal actions: the sum of Pearson's statistics over positions, less what an even spread
/// leads to expect.
#[derive(Default)]
struct Spread {
    excess: f64,
    freedom: f64,
}

impl Spread {
    /// Draws a position needs for each of its actions.
    const EACH: usize = 8;

    fn add(&mut self, counts: &[u32]) {
        let expected = Self::EACH as f64;
        let statistic: f64 =
            counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
        let freedom = counts.len() as f64 - 1.0;
        self.excess += statistic - freedom;
        self.freedom += freedom;
    }

    /// Six standard deviations are not chance.
    fn check(&self) -> Result<(), String> {
        let deviations = self.excess / (2.0 * self.freedom).sqrt().max(1.0);
        if deviations > 6.0 {
            return Err(format!("draws are uneven by {deviations:.1} standard deviations"));
        }
        Ok(())
    }
}

fn ensure(holds: bool, invariant: Invariant, what: impl FnOnce() -> String) -> Result<(), Broken> {
    if holds { Ok(()) } else { Err((invariant, what())) }
}

fn sides<G: Game>(game: &G) -> Result<(), Broken> {
    let sides = game.sides();
    ensure((1..=MAX_SIDES).contains(&sides.len()), Invariant::Sides, || format!("{} sides", sides.len()))?;
    for (i, side) in sides.iter().enumerate() {
        ensure(!side.id.is_empty() && !side.name.is_empty(), Invariant::Sides, || {
            format!("side {i} has an empty id or name")
        })?;
        ensure(sides[..i].iter().all(|other| other.id != side.id), Invariant::Sides, || {
            format!("two sides have the id `{}`", side.id)
        })?;
    }
    Ok(())
}

/// One random game under observation.
struct Trial<'a, G: Game> {
    game: &'a G,
    options: &'a KitOptions,
    context: PlayContext<Recorded<Rng64>>,
    agent: Rng64,
    /// Dice of everything that is tried beside the game itself.
    side_dice: Rng64,
    choices: Vec<u32>,
    /// The action being tried beside the game, and its dice: the end of the replay should it fail.
    branch: Option<(u32, PlayContext<Recorded<Rng64>>)>,
}

impl<G: Game> Trial<'_, G> {
    /// Plays the game to its end and looks at each position on the way.
    fn play(
        &mut self,
        report: &mut KitReport,
        spread: &mut Spread,
        invariant: &mut impl FnMut(&G::State, &[G::Action]) -> Result<(), String>,
    ) -> Result<(), Broken> {
        let game = self.game;
        let mut state = game.initial(&mut self.context);
        let mut turn_number = 1;
        let (mut legal, mut again, mut order) = (Vec::new(), Vec::new(), Vec::new());
        let mut same_history = Vec::new();
        if game.legal_by_history() {
            same_history.push(game.initial(&mut PlayContext::silent(&mut self.side_dice)));
        }
        loop {
            self.sound(&state, turn_number)?;
            turn_number = game.turn_number(&state);
            let decisions = self.choices.len() as u32;
            let over = game.turn_of(&state) == Turn::Over;
            let deep =
                self.options.deep_every > 0 && (over || decisions.is_multiple_of(self.options.deep_every));
            if deep && game.legal_by_history() {
                self.add_same_history(&state, &mut same_history);
            }
            for other in &same_history {
                self.by_history(&state, other)?;
            }
            if over {
                invariant(&state, &[]).map_err(|what| (Invariant::Hook, what))?;
                if deep {
                    self.determinizations(&state, report)?;
                }
                break;
            }
            ensure(decisions < self.options.max_decisions, Invariant::Ends, || {
                format!("still running after {decisions} decisions")
            })?;

            self.list(&state, &mut legal)?;
            report.offered += legal.len() as u64;
            report.widest = report.widest.max(legal.len());
            report.forced += u64::from(legal.len() == 1);
            invariant(&state, &legal).map_err(|what| (Invariant::Hook, what))?;
            if deep {
                again.clear();
                game.legal_actions(&state.clone(), &mut again);
                ensure(legal == again, Invariant::Repeatable, || format!("first {legal:?}, then {again:?}"))?;
                self.draws(&state, &legal, spread)?;
                self.children(&state, &legal, &mut order, report)?;
                self.determinizations(&state, report)?;
            }

            let choice = self.agent.below(legal.len() as u32);
            self.choices.push(choice);
            game.apply(&mut state, legal[choice as usize], &mut self.context);
            for other in &mut same_history {
                game.apply(other, legal[choice as usize], &mut PlayContext::silent(&mut self.side_dice));
            }
        }

        self.count(&state, report);
        self.replayed(&state)
    }

    /// Counts a game that is over.
    fn count(&self, state: &G::State, report: &mut KitReport) {
        let decisions = self.choices.len() as u32;
        report.games += 1;
        report.decisions += u64::from(decisions);
        report.shortest = report.shortest.min(decisions);
        report.longest = report.longest.max(decisions);
        match self.game.outcome(state).and_then(|outcome| outcome.winner) {
            Some(team) => report.wins[team as usize] += 1,
            None => report.draws += 1,
        }
    }

    /// The game's choices and dice lead to its last state again.
    fn replayed(&self, state: &G::State) -> Result<(), Broken> {
        let game = self.game;
        let replay = Replay {
            choices: self.choices.clone(),
            rolls: self.context.dice.rolls.clone(),
            ..Replay::default()
        };
        let end = replay.play(game, |_, _| ()).map_err(|what| (Invariant::Replay, what))?;
        ensure(game.hash(&end) == game.hash(state), Invariant::Replay, || {
            "the same choices and dice lead to another final state".into()
        })
    }

    /// The invariants of a single state, `least` being the turn number of the position before.
    fn sound(&self, state: &G::State, least: u32) -> Result<(), Broken> {
        let game = self.game;
        game.check(state).map_err(|what| (Invariant::Invariants, what))?;
        let hash = game.hash(state);
        let fresh = game.recomputed_hash(state);
        ensure(hash == fresh, Invariant::RecomputedHash, || {
            format!("hash {hash:#x}, recomputed {fresh:#x}")
        })?;
        let copy = game.hash(&state.clone());
        ensure(hash == copy, Invariant::CloneHash, || format!("hash {hash:#x}, of the clone {copy:#x}"))?;
        let turn = game.turn_number(state);
        ensure(turn >= least, Invariant::TurnNumber, || format!("turn {turn} after turn {least}"))?;
        match (game.turn_of(state), game.outcome(state)) {
            (Turn::Decide(side), None) => {
                ensure(side.index() < game.sides().len(), Invariant::NoDeadEnd, || {
                    format!("side {} decides, of {}", side.0, game.sides().len())
                })
            }
            (Turn::Over, Some(outcome)) => self.fair(&outcome),
            (turn, outcome) => Err((Invariant::Outcome, format!("{turn:?} has the outcome {outcome:?}"))),
        }
    }

    fn fair(&self, outcome: &Outcome) -> Result<(), Broken> {
        let sides = self.game.sides();
        let best = (0..sides.len()).map(|i| outcome.utility.0[i]).fold(0.0, f32::max);
        ensure(!outcome.end_reason.is_empty(), Invariant::Outcome, || {
            "the outcome has no end reason".into()
        })?;
        if let Some(team) = outcome.winner {
            ensure(sides.iter().any(|side| side.team == team), Invariant::Outcome, || {
                format!("the winner is team {team}, which has no side")
            })?;
        }
        for (i, side) in sides.iter().enumerate() {
            let utility = outcome.utility.0[i];
            ensure((0.0..=1.0).contains(&utility), Invariant::Outcome, || {
                format!("utility of {} is {utility}", side.id)
            })?;
            let (points, (least, most)) = (outcome.points.0[i], side.points);
            ensure((f32::from(least)..=f32::from(most)).contains(&points), Invariant::Outcome, || {
                format!("{} has {points} points, which can be {least} to {most}", side.id)
            })?;
            for (j, other) in sides.iter().enumerate().filter(|(_, other)| other.team == side.team) {
                ensure(utility.to_bits() == outcome.utility.0[j].to_bits(), Invariant::Outcome, || {
                    format!("{} and {} are one team with two utilities", side.id, other.id)
                })?;
            }
            ensure(outcome.winner != Some(side.team) || utility >= best, Invariant::Outcome, || {
                format!("{} wins with utility {utility}, the best is {best}", side.id)
            })?;
        }
        Ok(())
    }

    fn list(&self, state: &G::State, legal: &mut Vec<G::Action>) -> Result<(), Broken> {
        legal.clear();
        self.game.legal_actions(state, legal);
        ensure(!legal.is_empty(), Invariant::NoDeadEnd, || "a running game without a legal action".into())?;
        match legal.windows(2).find(|pair| pair[0] >= pair[1]) {
            Some(pair) => Err((Invariant::Ascending, format!("{:?} comes before {:?}", pair[0], pair[1]))),
            None => Ok(()),
        }
    }

    /// Games with the same actions, but other secrets from here on or other dice, go on beside this one.
    fn add_same_history(&mut self, state: &G::State, same_history: &mut Vec<G::State>) {
        let viewers = (0..self.game.sides().len() as u8).map(Side);
        same_history.push(state.clone());
        same_history.extend(viewers.map(|viewer| self.game.determinize(state, viewer, &mut self.side_dice)));
        while same_history.len() > MAX_SAME_HISTORY {
            let left = self.side_dice.below(same_history.len() as u32) as usize;
            same_history.swap_remove(left);
        }
    }

    /// Two states with the same history.
    fn by_history(&self, state: &G::State, other: &G::State) -> Result<(), Broken> {
        let turn = self.game.turn_of(state);
        let legal = |state| {
            let mut legal = Vec::new();
            if turn != Turn::Over {
                self.game.legal_actions(state, &mut legal);
            }
            legal
        };
        ensure(turn == self.game.turn_of(other) && legal(state) == legal(other), Invariant::ByHistory, || {
            "other secrets or dice change whose turn it is or what is legal".into()
        })
    }

    fn draws(&mut self, state: &G::State, legal: &[G::Action], spread: &mut Spread) -> Result<(), Broken> {
        let mut counts = vec![0; legal.len()];
        let mut buffer = Vec::new();
        for _ in 0..Spread::EACH * legal.len() {
            let action = self.game.sample_action(state, RandomDraw::new(&mut self.side_dice), &mut buffer);
            match legal.binary_search(&action) {
                Ok(nth) => counts[nth] += 1,
                Err(_) => return Err((Invariant::Drawing, format!("{action:?} was drawn and is not legal"))),
            }
        }
        spread.add(&counts);
        Ok(())
    }

    fn children(
        &mut self,
        state: &G::State,
        legal: &[G::Action],
        order: &mut Vec<u32>,
        report: &mut KitReport,
    ) -> Result<(), Broken> {
        let game = self.game;
        let hash = game.hash(state);
        let turn = game.turn_number(state);
        let (mut list, mut open) = (Vec::new(), Vec::new());
        order.clear();
        order.extend(0..legal.len() as u32);
        for i in 0..legal.len().min(self.options.max_children) {
            let j = i + self.side_dice.below((legal.len() - i) as u32) as usize;
            order.swap(i, j);
            let choice = order[i];
            let action = legal[choice as usize];
            let words = game.describe(state, action);
            ensure(!words.trim().is_empty(), Invariant::Described, || {
                format!("{action:?} has no description")
            })?;
            ensure(words == game.describe(state, action), Invariant::Repeatable, || {
                format!("{action:?} is described in two ways")
            })?;

            let dice = Rng64::stream(self.side_dice.next(), 0, 0);
            let mut same_dice = PlayContext::silent(dice.clone());
            let mut fresh_dice = same_dice.clone();
            let (_, context) = self.branch.insert((choice, PlayContext::silent(Recorded::new(dice))));
            let mut child = state.clone();
            let mut listed = state.clone();
            game.apply(&mut child, action, context);
            let asked = self.side_dice.below(4) != 0;
            game.apply_listing(&mut listed, action, &mut same_dice, &mut list, |_| asked);
            self.sound(&child, turn)?;
            open.clear();
            if asked && game.turn_of(&child) != Turn::Over {
                game.legal_actions(&child, &mut open);
            }
            ensure(game.hash(&listed) == game.hash(&child) && list == open, Invariant::Listing, || {
                format!("{action:?} played with a list leads elsewhere, or to another list")
            })?;
            let open = game.turn_of(&child) != Turn::Over;
            if open {
                self.list(&child, &mut list)?;
            }
            if game.legal_by_history() {
                let mut other = state.clone();
                game.apply(&mut other, action, &mut PlayContext::silent(&mut self.side_dice));
                self.by_history(&child, &other)?;
            }
            let draw = RandomDraw::new(&mut self.side_dice);
            let mut drawn = state.clone();
            let next = game.apply_sampling(&mut drawn, action, &mut fresh_dice, draw, &mut list);
            let same = next == open.then(|| game.sample_action(&child, draw, &mut list));
            ensure(same && game.hash(&drawn) == game.hash(&child), Invariant::Drawing, || {
                format!("{action:?} played with a draw leads elsewhere, or draws {next:?}")
            })?;
            report.children += 1;
            self.branch = None;
            ensure(game.hash(state) == hash, Invariant::ParentUnchanged, || {
                format!("changed while {action:?} was played on a clone")
            })?;
        }
        Ok(())
    }

    fn determinizations(&mut self, state: &G::State, report: &mut KitReport) -> Result<(), Broken> {
        let game = self.game;
        let turn = game.turn_of(state);
        let number = game.turn_number(state);
        let hash = game.hash(state);
        let (mut legal, mut seen) = (Vec::new(), Vec::new());
        for viewer in (0..game.sides().len() as u8).map(Side) {
            let id = game.sides()[viewer.index()].id;
            let keeps = |holds: bool, part: &str| {
                ensure(holds, Invariant::Determinize, || format!("{part} changed for the viewer {id}"))
            };
            let mut dice = self.side_dice.clone();
            let mut determinization = game.determinize(state, viewer, &mut self.side_dice);
            report.determinizations += 1;
            keeps(game.hash(state) == hash, "the original")?;
            keeps(
                game.has_hidden_information() || game.hash(&determinization) == hash,
                "a state of which nothing is hidden",
            )?;
            keeps(
                game.observation(&determinization, viewer) == game.observation(state, viewer),
                "the observation",
            )?;
            keeps(game.turn_of(&determinization) == turn, "whose turn it is")?;
            keeps(game.turn_number(&determinization) == number, "the turn number")?;
            keeps(game.outcome(&determinization) == game.outcome(state), "the outcome")?;
            self.sound(&determinization, number).map_err(|(invariant, what)| {
                (Invariant::Determinize, format!("unsound for {id}: {invariant:?}: {what}"))
            })?;
            if turn == Turn::Decide(viewer) {
                self.list(state, &mut legal)?;
                self.list(&determinization, &mut seen)?;
                keeps(legal == seen, "the legal actions")?;
            }

            // The determinization cannot be told from the original, so the same dice must lead from both to the same
            // draw.
            let mut same_dice = dice.clone();
            let first = game.hash(&game.determinize(state, viewer, &mut dice));
            let second = game.hash(&game.determinize(&determinization, viewer, &mut same_dice));
            ensure(first == second, Invariant::NoPeeking, || {
                format!(
                    "for {id}, the same dice draw different determinizations from states that look the same"
                )
            })?;

            for _ in 0..self.options.determinization_decisions {
                if game.turn_of(&determinization) == Turn::Over {
                    break;
                }
                self.list(&determinization, &mut seen)?;
                let action = seen[self.side_dice.below(seen.len() as u32) as usize];
                game.apply(&mut determinization, action, &mut PlayContext::silent(&mut self.side_dice));
                self.sound(&determinization, number).map_err(|(invariant, what)| {
                    (invariant, format!("{what}, after {action:?} in a determinization redrawn for {id}"))
                })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
