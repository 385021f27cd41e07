//! Who has met whom and how it went; what is to be played next.
//!
//! The pairs of a pairing have an order: by number, and those of the same number by scenario. Threads bring them in
//! out of order; they wait until all before them are there, and then they are *entered*: counted, and given to the
//! caller to be stored. So sums of floating-point numbers, and the moment at which a sequential test is decided, do
//! not depend on threads, interruptions or machines. Pairs beyond that moment are thrown away.
//!
//! The pairings too have an order among each other: all first pairs, then all second ones. An entered pair is held
//! back until no pairing that is still open can enter one before it, so that the rows of a table are always in the
//! same order. The pairing that is furthest behind is handed out first, so that few are held back.
//!
//! In memory is one byte a pair and the few pairs that wait.

use std::collections::BTreeMap;

use sandtable_core::MAX_SIDES;
use sandtable_stats::interval::Moments;
use sandtable_stats::pairs::{Outcome, PairResults};
use sandtable_stats::ratings::{Games, Pairing as Met, Unit};
use sandtable_stats::sprt::{Sprt, Verdict};

use super::manifest::Manifest;
use super::{Field, PairRecord, seed_of};
use crate::failure::Failure;
use crate::lab::arena::{Job, JobSource, Next};
use crate::lab::progress::{Progress, ProgressReport};
use crate::manifest::Shard;
use crate::system::GameResult;

/// Pairs that a thread takes at a time where games are quick. With search it takes one.
const CHUNK: usize = 16;
/// How far a pairing is played ahead of its first missing pair.
const AHEAD: u64 = 4096;

/// One pair, by its place in the order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place {
    /// Its number among those that this folder holds.
    ordinal: u64,
    scenario: usize,
}

/// The results of two agents in one scenario, as far as they are entered.
#[derive(Clone, Debug, Default)]
pub struct Match {
    /// Each pair's half points for `a`, 0 to 4.
    points: Vec<u8>,
    /// `outcomes[x][y]`: pairs in which `a` had the outcome `x` on the first team and `y` on the second one.
    pub outcomes: [[u64; 3]; 3],
    /// By who was on the first team: `a`, then `b`.
    pub legs: [Leg; 2],
    /// Points by side, the mean of the two games of a pair.
    pub points_of_pairs: [Moments; MAX_SIDES],
    /// Utility by side, the mean of the two games of a pair.
    pub utility_of_pairs: [Moments; MAX_SIDES],
}

/// The games of a match with the same sides.
#[derive(Clone, Debug, Default)]
pub struct Leg {
    /// Points by side.
    pub points: [Moments; MAX_SIDES],
    /// Utility by side.
    pub utility: [Moments; MAX_SIDES],
    /// The last game turn.
    pub turns: Moments,
    /// Decisions.
    pub decisions: Moments,
}

const OUTCOMES: [Outcome; 3] = [Outcome::Loss, Outcome::Draw, Outcome::Win];

/// The outcome for the team.
fn outcome_for(team: u8, result: &GameResult) -> Outcome {
    match result.winner {
        None => Outcome::Draw,
        Some(winner) if winner == team => Outcome::Win,
        Some(_) => Outcome::Loss,
    }
}

impl Match {
    fn enter(&mut self, record: &PairRecord) {
        let [one, other] = [0, 1].map(|leg| outcome_for(leg as u8, &record.legs[leg]));
        self.outcomes[one.half_points()][other.half_points()] += 1;
        self.points.push((one.half_points() + other.half_points()) as u8);
        for (leg, result) in self.legs.iter_mut().zip(&record.legs) {
            for side in 0..MAX_SIDES {
                leg.points[side].add(f64::from(result.points[side]));
                leg.utility[side].add(f64::from(result.utility[side]));
            }
            leg.turns.add(f64::from(result.turns));
            leg.decisions.add(f64::from(result.decisions));
        }
        let [one, other] = &record.legs;
        for side in 0..MAX_SIDES {
            let mean = |one: f32, other: f32| f64::midpoint(f64::from(one), f64::from(other));
            self.points_of_pairs[side].add(mean(one.points[side], other.points[side]));
            self.utility_of_pairs[side].add(mean(one.utility[side], other.utility[side]));
        }
    }

    /// How many pairs.
    pub fn pairs(&self) -> u64 {
        self.points.len() as u64
    }

    /// The pairs by the points of `a`.
    pub fn results(&self) -> PairResults {
        let mut results = PairResults::default();
        for (one, row) in self.outcomes.iter().enumerate() {
            for (other, count) in row.iter().enumerate() {
                results.counts[one + other] += count;
            }
        }
        results
    }

    /// The games by outcome for `a`: losses, draws, wins.
    pub fn by_outcome(&self) -> [u64; 3] {
        let mut games = [0; 3];
        for (one, row) in self.outcomes.iter().enumerate() {
            for (other, count) in row.iter().enumerate() {
                games[one] += count;
                games[other] += count;
            }
        }
        games
    }

    /// Adds the pairs to the games that ratings are made of.
    pub fn add_to(&self, games: &mut Games, met: Met) {
        for (one, row) in self.outcomes.iter().enumerate() {
            for (other, &count) in row.iter().enumerate() {
                games.add(met, Unit::Pair(OUTCOMES[one], OUTCOMES[other]), count);
            }
        }
    }
}

/// How a test ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Decision {
    /// What was accepted.
    pub verdict: Verdict,
    /// After how many pairs of the pairing, over all scenarios.
    pub pairs: u64,
}

/// Two agents and all their pairs.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// The agent with the lower number.
    pub a: usize,
    /// The other one.
    pub b: usize,
    /// By scenario.
    pub matches: Vec<Match>,
    /// Whether this session is to play the pairing.
    wanted: bool,
    /// Pairs that wait for one before them.
    waiting: BTreeMap<Place, PairRecord>,
    /// The first place that is not entered.
    front: Place,
    /// The first place that was not handed out.
    issue: Place,
    /// The pairs before the front.
    tested: PairResults,
    /// Once the test is decided.
    pub decision: Option<Decision>,
}

/// How far the pairs of a folder go.
#[derive(Clone, Copy, Debug)]
struct Plan {
    /// Pairs of a pairing in a scenario, over all shards.
    pairs: u64,
    sprt: Option<Sprt>,
    shard: Option<Shard>,
    scenarios: usize,
}

impl Plan {
    /// A test needs all pairs of a pairing in one place, so whole pairings are dealt out; otherwise pairs are.
    fn deals_pairs(&self) -> Option<Shard> {
        self.shard.filter(|_| self.sprt.is_none())
    }

    fn pair(&self, ordinal: u64) -> u64 {
        self.deals_pairs().map_or(ordinal, |shard| ordinal * u64::from(shard.of) + u64::from(shard.index - 1))
    }

    fn ordinal(&self, pair: u64) -> Option<u64> {
        match self.deals_pairs() {
            None => Some(pair),
            Some(shard) => shard.plays(pair).then(|| pair / u64::from(shard.of)),
        }
    }

    /// How many pairs of a match this folder is to hold.
    fn ordinals(&self) -> u64 {
        self.deals_pairs().map_or(self.pairs, |shard| {
            (self.pairs + u64::from(shard.of - shard.index)) / u64::from(shard.of)
        })
    }

    fn after(&self, place: Place) -> Place {
        if place.scenario + 1 < self.scenarios {
            Place { scenario: place.scenario + 1, ..place }
        } else {
            Place { ordinal: place.ordinal + 1, scenario: 0 }
        }
    }
}

impl Pairing {
    fn holds(&self, place: Place) -> bool {
        place.ordinal < self.matches[place.scenario].pairs() || self.waiting.contains_key(&place)
    }

    /// Enters what waits at the front, and tests.
    fn advance(&mut self, plan: &Plan, mut entered: impl FnMut(Place, PairRecord)) {
        while self.decision.is_none() && self.front.ordinal < plan.ordinals() {
            let Place { ordinal, scenario } = self.front;
            if ordinal >= self.matches[scenario].pairs() {
                let Some(record) = self.waiting.remove(&self.front) else { break };
                self.matches[scenario].enter(&record);
                entered(self.front, record);
            }
            self.tested.counts[usize::from(self.matches[scenario].points[ordinal as usize])] += 1;
            self.front = plan.after(self.front);
            if let Some(sprt) = plan.sprt {
                let verdict = sprt.verdict(&self.tested);
                if verdict.accepted.is_some() {
                    self.decision = Some(Decision { verdict, pairs: self.tested.n() });
                    self.waiting.clear();
                }
            }
        }
        self.issue = self.issue.max(self.front);
    }

    /// The pairs by the points of `a`, over all scenarios.
    pub fn results(&self) -> PairResults {
        let mut results = PairResults::default();
        self.matches.iter().for_each(|played| results.merge(&played.results()));
        results
    }

    /// Whether anything is left to be played in this session.
    fn is_open(&self, plan: &Plan) -> bool {
        self.wanted && self.decision.is_none() && self.front.ordinal < plan.ordinals()
    }
}

/// All pairings of a tournament.
#[derive(Debug)]
pub struct PairSchedule {
    plan: Plan,
    /// By [`PairSchedule::index`].
    pairings: Vec<Pairing>,
    /// Pairs that are entered, by place and pairing, and are held back until those before them are.
    held_back: BTreeMap<(Place, usize), PairRecord>,
}

impl PairSchedule {
    /// The schedule of a tournament in which nothing has been played.
    ///
    /// # Errors
    /// If the manifest was edited by hand.
    pub fn new(manifest: &Manifest) -> Result<Self, Failure> {
        let Manifest { identity: entries, shard, .. } = manifest;
        let scenarios = entries.scenarios.len();
        let plan = Plan { pairs: entries.pairs, sprt: entries.stopping()?, shard: *shard, scenarios };
        let start = Place { ordinal: 0, scenario: 0 };
        let mut pairings = Vec::new();
        for b in 0..entries.agents.len() {
            for a in 0..b {
                let dealt = plan.deals_pairs().is_some()
                    || plan.shard.is_none_or(|shard| shard.plays(pairings.len() as u64));
                pairings.push(Pairing {
                    a,
                    b,
                    matches: vec![Match::default(); scenarios],
                    wanted: entries.meets(a) && dealt,
                    waiting: BTreeMap::new(),
                    front: start,
                    issue: start,
                    tested: PairResults::default(),
                    decision: None,
                });
            }
        }
        Ok(PairSchedule { plan, pairings, held_back: BTreeMap::new() })
    }

    /// Where the pairing of two agents stands; it does not move when agents are added.
    fn index(a: usize, b: usize) -> usize {
        b * (b - 1) / 2 + a
    }

    /// All pairings.
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// The pairing of two agents, `a` being the lower number.
    pub fn pairing(&self, a: usize, b: usize) -> &Pairing {
        &self.pairings[Self::index(a, b)]
    }

    /// Whether the pair is one that this folder is to hold.
    fn place(&self, record: &PairRecord) -> Option<Place> {
        let known = record.a < record.b
            && Self::index(record.a, record.b) < self.pairings.len()
            && record.scenario < self.plan.scenarios;
        let ordinal = self.plan.ordinal(record.pair).filter(|_| known)?;
        Some(Place { ordinal, scenario: record.scenario })
    }

    /// Enters a pair that was stored. Pairs of a match are stored in their order.
    ///
    /// # Errors
    /// Says what does not fit.
    pub fn restore(&mut self, record: &PairRecord) -> Result<(), String> {
        let place = self.place(record).ok_or("it holds a game of another tournament or shard")?;
        let played = &mut self.pairings[Self::index(record.a, record.b)].matches[place.scenario];
        if place.ordinal != played.pairs() {
            return Err(format!("pair {} follows {} others of its match", record.pair, played.pairs()));
        }
        played.enter(record);
        Ok(())
    }

    /// Walks over what was restored, up to the first pair that is missing.
    pub fn settle(&mut self) {
        for pairing in &mut self.pairings {
            pairing.advance(&self.plan, |_, _| ());
        }
    }

    /// Takes a pair that has been played. What can be stored now, perhaps this pair, perhaps others, goes to `entered`.
    /// A pair that is there already or not needed any more is passed over.
    pub fn take(&mut self, record: PairRecord, entered: &mut Vec<PairRecord>) {
        let Some(place) = self.place(&record) else { return };
        let index = Self::index(record.a, record.b);
        let pairing = &mut self.pairings[index];
        if pairing.decision.is_none() && !pairing.holds(place) {
            pairing.waiting.insert(place, record);
            let held_back = &mut self.held_back;
            pairing.advance(&self.plan, |place, record| drop(held_back.insert((place, index), record)));
            self.release(entered);
        }
    }

    /// Gives out the entered pairs before which none can be entered any more.
    fn release(&mut self, entered: &mut Vec<PairRecord>) {
        let open = self.pairings.iter().enumerate().filter(|(_, pairing)| pairing.is_open(&self.plan));
        let next = open.map(|(index, pairing)| (pairing.front, index)).min();
        let rest = next.map_or_else(BTreeMap::new, |next| self.held_back.split_off(&next));
        entered.extend(std::mem::replace(&mut self.held_back, rest).into_values());
    }

    /// Where the test of a pairing stands, and how many pairs it has seen; `None` without a test.
    pub fn test_of(&self, pairing: &Pairing) -> Option<(Verdict, u64)> {
        let now = || Some((self.plan.sprt?.verdict(&pairing.tested), pairing.tested.n()));
        pairing.decision.map(|decision| (decision.verdict, decision.pairs)).or_else(now)
    }

    /// How many more pairs the test of a pairing is expected to take; `None` without a test that is open.
    pub fn expected_pairs(&self, pairing: &Pairing) -> Option<f64> {
        let open = self.plan.sprt.filter(|_| pairing.decision.is_none());
        open?.expected_remaining(&pairing.tested)
    }

    /// How many pairs a pairing has over all scenarios, if it is not decided early.
    pub fn pairs_of_a_pairing(&self) -> u64 {
        self.plan.ordinals() * self.plan.scenarios as u64
    }

    /// The pairs that wait for others, to be entered or to be stored.
    pub fn waiting(&self) -> impl Iterator<Item = &PairRecord> {
        let waiting = self.pairings.iter().flat_map(|pairing| pairing.waiting.values());
        self.held_back.values().chain(waiting)
    }

    /// How many pairs are entered.
    pub fn pairs(&self) -> u64 {
        self.pairings.iter().flat_map(|pairing| &pairing.matches).map(Match::pairs).sum()
    }

    /// How many pairs there will be, if no further pairing is decided early.
    pub fn planned(&self) -> u64 {
        let left = |pairing: &Pairing| {
            let missing = |played: &Match| self.plan.ordinals().saturating_sub(played.pairs());
            pairing.matches.iter().map(missing).sum::<u64>()
        };
        let open = self.pairings.iter().filter(|pairing| pairing.is_open(&self.plan));
        self.pairs() + open.map(left).sum::<u64>()
    }

    /// Whether everything that was asked for is there.
    pub fn is_complete(&self) -> bool {
        !self.pairings.iter().any(|pairing| pairing.is_open(&self.plan))
    }

    /// The next pairs to be played: their pairing and places.
    fn hand_out(&mut self, most: usize) -> Option<(usize, Vec<Place>)> {
        let mut order: Vec<usize> = (0..self.pairings.len()).collect();
        order.sort_by_key(|&index| self.pairings[index].issue);
        for index in order {
            let pairing = &mut self.pairings[index];
            let mut places = Vec::new();
            while pairing.is_open(&self.plan)
                && places.len() < most
                && pairing.issue.ordinal < self.plan.ordinals().min(pairing.front.ordinal + AHEAD)
            {
                let place = pairing.issue;
                pairing.issue = self.plan.after(place);
                if !pairing.holds(place) {
                    places.push(place);
                }
            }
            if !places.is_empty() {
                return Some((index, places));
            }
        }
        None
    }

    /// The agent with the best score so far, and its pairs; `None` before the first pair.
    pub fn leader(&self) -> Option<(usize, PairResults)> {
        let agents = self.pairings.last().map_or(0, |pairing| pairing.b + 1);
        let mut scores = vec![PairResults::default(); agents];
        for pairing in &self.pairings {
            let results = pairing.results();
            scores[pairing.a].merge(&results);
            scores[pairing.b].merge(&results.reversed());
        }
        let played = scores.into_iter().enumerate().filter(|(_, results)| results.n() > 0);
        played.max_by(|(_, one), (_, other)| one.moments().mean.total_cmp(&other.moments().mean))
    }
}

/// Where entered pairs go.
pub trait Archive: Send {
    /// Keeps pairs as they come in, so that nothing that was played is lost.
    ///
    /// # Errors
    /// If they cannot be written.
    fn note(&mut self, records: &[PairRecord]) -> Result<(), Failure>;

    /// Takes pairs in their final order; `schedule` knows those that wait.
    ///
    /// # Errors
    /// If they cannot be written.
    fn enter(&mut self, records: Vec<PairRecord>, schedule: &PairSchedule) -> Result<(), Failure>;
}

/// The schedule at work: hands out pairs and takes their results.
pub struct PairJobs<'a, A> {
    /// What is played.
    pub field: &'a Field<'a>,
    /// The seed of the tournament.
    pub seed: u64,
    /// Who has met whom.
    pub schedule: PairSchedule,
    /// Where the results go.
    pub archive: A,
    /// What is shown.
    pub progress: Progress,
    /// Whether games take so long that threads take them one by one.
    pub slow: bool,
    /// Pairs handed out and not back.
    pub out: usize,
}

/// The pairs a thread has taken.
#[derive(Debug)]
pub struct Ticket {
    pairing: usize,
    places: Vec<Place>,
}

impl<A: Archive> JobSource for PairJobs<'_, A> {
    type Ticket = Ticket;

    fn next(&mut self) -> Next<Ticket> {
        let Some((pairing, places)) = self.schedule.hand_out(if self.slow { 1 } else { CHUNK }) else {
            return if self.out > 0 { Next::Wait } else { Next::Over };
        };
        let Pairing { a, b, .. } = self.schedule.pairings[pairing];
        let (one, other) = (self.field.name(a), self.field.name(b));
        // Assignment by assignment, so that agents are made once.
        let leg = |first: usize, second: usize| {
            let (field, plan, seed, one, other) = (self.field, &self.schedule.plan, self.seed, &one, &other);
            places.iter().map(move |place| Job {
                assignment: field.assignment(place.scenario, first, second),
                seed: seed_of(seed, field.scenarios[place.scenario].id(), one, other),
                game: plan.pair(place.ordinal),
            })
        };
        let jobs = leg(a, b).chain(leg(b, a)).collect();
        self.out += 1;
        Next::Play(Ticket { pairing, places }, jobs)
    }

    fn done(&mut self, ticket: Ticket, results: Vec<GameResult>) -> Result<(), Failure> {
        self.out -= 1;
        let Pairing { a, b, .. } = self.schedule.pairings[ticket.pairing];
        let mut first = results;
        let second = first.split_off(ticket.places.len());
        let records: Vec<PairRecord> = ticket
            .places
            .iter()
            .zip(first.into_iter().zip(second))
            .map(|(place, (one, other))| PairRecord {
                a,
                b,
                scenario: place.scenario,
                pair: self.schedule.plan.pair(place.ordinal),
                legs: [one, other],
            })
            .collect();
        self.archive.note(&records)?;
        let mut entered = Vec::new();
        for record in records {
            self.schedule.take(record, &mut entered);
        }
        self.archive.enter(entered, &self.schedule)?;
        let (schedule, field) = (&self.schedule, self.field);
        self.progress.show(|| {
            let estimate = schedule.leader().map_or_else(String::new, |(agent, results)| {
                let score = results.score().map(|score| 100.0 * score);
                let name = field.name(agent);
                format!("leader {name} {:.1}% [{:.1}, {:.1}]", score.value, score.low, score.high)
            });
            ProgressReport { done: schedule.pairs(), total: schedule.planned(), estimate }
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use sandtable_stats::sprt::Hypothesis;

    use super::*;
    use crate::lab::tournament::manifest::{Entries, Layout, ScenarioEntry};
    use crate::table::Format;

    fn manifest(agents: usize, scenarios: usize, pairs: u64) -> Manifest {
        let scenario = |id: usize| ScenarioEntry { id: id.to_string(), hash: String::new() };
        let entries = Entries {
            agents: (0..agents).map(|agent| agent.to_string()).collect(),
            scenarios: (0..scenarios).map(scenario).collect(),
            pairs,
            ..Entries::new(1)
        };
        Manifest::new(Format::Parquet, None, entries)
    }

    /// A pair with these winners.
    fn record((a, b): (usize, usize), scenario: usize, pair: u64, winners: [Option<u8>; 2]) -> PairRecord {
        let legs = winners.map(|winner| GameResult {
            winner,
            points: [pair as f32 / 3.0, 1.0, 0.0, 0.0],
            utility: [0.5; MAX_SIDES],
            turns: 3,
            decisions: 7,
            end_reason: Cow::Borrowed("test"),
            course: Vec::new(),
        });
        PairRecord { a, b, scenario, pair, legs }
    }

    #[test]
    fn pairs_are_entered_in_their_order() {
        let mut schedule = PairSchedule::new(&manifest(2, 2, 3)).unwrap();
        let mut entered = Vec::new();
        for (scenario, pair) in [(1, 0), (0, 2), (1, 1), (0, 0), (0, 0)] {
            schedule.take(record((0, 1), scenario, pair, [None; 2]), &mut entered);
        }
        let order = |entered: &[PairRecord]| {
            entered.iter().map(|record| (record.pair, record.scenario)).collect::<Vec<_>>()
        };
        assert_eq!(order(&entered), [(0, 0), (0, 1)]);
        assert_eq!((schedule.waiting().count(), schedule.pairs(), schedule.planned()), (2, 2, 6));
        // What waits is not handed out again.
        let (_, places) = schedule.hand_out(10).unwrap();
        assert_eq!(places, [Place { ordinal: 1, scenario: 0 }, Place { ordinal: 2, scenario: 1 }],);
        assert!(schedule.hand_out(10).is_none() && !schedule.is_complete());
        schedule.take(record((0, 1), 1, 2, [None; 2]), &mut entered);
        schedule.take(record((0, 1), 0, 1, [None; 2]), &mut entered);
        assert_eq!(order(&entered), [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]);
        assert!(schedule.is_complete() && schedule.waiting().count() == 0);
    }

    #[test]
    fn outcomes_are_counted_for_the_agent_and_for_the_team() {
        let mut schedule = PairSchedule::new(&manifest(2, 1, 9)).unwrap();
        let mut entered = Vec::new();
        // Agent 0 is team 0 in the first game and team 1 in the second.
        for (pair, winners) in
            [[Some(0), Some(1)], [Some(0), Some(0)], [Some(1), None], [None, Some(1)]].into_iter().enumerate()
        {
            schedule.take(record((0, 1), 0, pair as u64, winners), &mut entered);
        }
        let played = &schedule.pairing(0, 1).matches[0];
        assert_eq!(played.results().counts, [0, 1, 1, 1, 1]);
        assert_eq!(played.by_outcome(), [2, 2, 4]);
        assert_eq!(played.legs[1].points[0].n, 4);
        let (leader, results) = schedule.leader().unwrap();
        assert_eq!((leader, results.counts), (0, [0, 1, 1, 1, 1]));
    }

    #[test]
    fn a_test_ends_a_pairing_at_the_same_pair_whatever_the_order() {
        let mut asked = manifest(2, 1, 1000);
        asked.identity.sprt = Some("0,100,0.05,0.05".to_owned());
        let winners =
            |pair: u64| if pair.is_multiple_of(4) { [Some(1), Some(1)] } else { [Some(0), Some(1)] };
        let run = |block: u64| {
            let mut schedule = PairSchedule::new(&asked).unwrap();
            let mut entered = Vec::new();
            for start in (0..1000).step_by(block as usize) {
                for pair in (start..start + block).rev() {
                    schedule.take(record((0, 1), 0, pair, winners(pair)), &mut entered);
                }
            }
            assert!(
                schedule.is_complete() && schedule.hand_out(1).is_none() && schedule.waiting().count() == 0
            );
            (entered, schedule.pairing(0, 1).decision.unwrap())
        };
        let (entered, decision) = run(1);
        assert_eq!(decision.verdict.accepted, Some(Hypothesis::H1));
        assert!((5..200).contains(&decision.pairs), "{decision:?}");
        assert_eq!(entered.len() as u64, decision.pairs);
        assert_eq!(run(100), (entered.clone(), decision));
        // Restored from the pairs that were stored it is decided as before.
        let mut schedule = PairSchedule::new(&asked).unwrap();
        for record in &entered {
            schedule.restore(record).unwrap();
        }
        schedule.settle();
        assert_eq!(schedule.pairing(0, 1).decision, Some(decision));
        assert!(schedule.is_complete());
        // Without the test it goes on.
        let mut schedule = PairSchedule::new(&manifest(2, 1, 1000)).unwrap();
        for record in &entered {
            schedule.restore(record).unwrap();
        }
        schedule.settle();
        assert_eq!(schedule.hand_out(1).unwrap().1[0].ordinal, decision.pairs);
    }

    #[test]
    fn pairs_are_stored_in_one_order_however_threads_bring_them() {
        let mut asked = manifest(3, 2, 60);
        asked.identity.sprt = Some("0,20,0.05,0.05".to_owned());
        // One pairing is decided early, one is even, one wins now and then.
        let winners = |a: usize, b: usize, pair: u64| match (a, b) {
            (0, 1) => [Some(0), Some(1)],
            (0, 2) => [Some(0), Some(0)],
            _ => [Some(0), Some(u8::from(pair.is_multiple_of(3)))],
        };
        let order = |records: &[PairRecord]| {
            records
                .iter()
                .map(|record| (record.pair, record.scenario, record.b, record.a))
                .collect::<Vec<_>>()
        };
        // Some threads with a ticket each, of which the one that is chosen brings it back.
        let run = |threads: usize, choose: &mut dyn FnMut(usize) -> usize| {
            let mut schedule = PairSchedule::new(&asked).unwrap();
            let (mut entered, mut out) = (Vec::new(), Vec::new());
            loop {
                while out.len() < threads
                    && let Some(ticket) = schedule.hand_out(4)
                {
                    out.push(ticket);
                }
                if out.is_empty() {
                    break;
                }
                let (pairing, places) = out.remove(choose(out.len()));
                let Pairing { a, b, .. } = schedule.pairings[pairing];
                for place in places {
                    let pair = record((a, b), place.scenario, place.ordinal, winners(a, b, place.ordinal));
                    schedule.take(pair, &mut entered);
                }
                assert_eq!(
                    schedule.pairs() as usize,
                    entered.len() + schedule.held_back.len(),
                    "none is lost"
                );
            }
            assert!(schedule.is_complete() && schedule.waiting().count() == 0);
            order(&entered)
        };
        let alone = run(1, &mut |_| 0);
        assert!(alone.len() > 120 && alone.is_sorted(), "{alone:?}");
        let mut dice = 1u64;
        for threads in 2..6 {
            for _ in 0..10 {
                let mut choose = |of: usize| {
                    dice =
                        dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (dice >> 33) as usize % of
                };
                assert_eq!(run(threads, &mut choose), alone, "{threads} threads");
            }
        }
    }

    #[test]
    fn shards_deal_out_every_pair_once() {
        for (pairs, sprt) in [(10, None), (11, None), (2, None), (10, Some("0,5,0.05,0.05".to_owned()))] {
            let mut all = Vec::new();
            for index in 1..=3 {
                let mut shard = manifest(4, 2, pairs);
                shard.shard = Some(Shard { index, of: 3 });
                shard.identity.sprt.clone_from(&sprt);
                let mut schedule = PairSchedule::new(&shard).unwrap();
                while let Some((pairing, places)) = schedule.hand_out(4) {
                    all.extend(places.iter().map(|p| (pairing, schedule.plan.pair(p.ordinal), p.scenario)));
                }
            }
            all.sort_unstable();
            assert_eq!(all.len() as u64, 6 * 2 * pairs);
            all.dedup();
            assert_eq!(all.len() as u64, 6 * 2 * pairs);
            assert!(all.iter().all(|&(_, pair, _)| pair < pairs));
        }
    }

    #[test]
    fn a_gauntlet_is_played_by_the_first() {
        let mut gauntlet = manifest(4, 1, 1);
        gauntlet.identity.layout = Layout::Gauntlet;
        let mut schedule = PairSchedule::new(&gauntlet).unwrap();
        let mut met = Vec::new();
        while let Some((pairing, _)) = schedule.hand_out(9) {
            met.push((schedule.pairings[pairing].a, schedule.pairings[pairing].b));
        }
        assert_eq!(met, [(0, 1), (0, 2), (0, 3)]);
    }

    #[test]
    fn stored_pairs_must_fit() {
        let mut schedule = PairSchedule::new(&manifest(2, 1, 5)).unwrap();
        schedule.restore(&record((0, 1), 0, 0, [None; 2])).unwrap();
        assert!(schedule.restore(&record((0, 1), 0, 0, [None; 2])).is_err());
        assert!(schedule.restore(&record((0, 1), 0, 2, [None; 2])).is_err());
        assert!(schedule.restore(&record((0, 2), 0, 1, [None; 2])).is_err());
        assert!(schedule.restore(&record((0, 1), 1, 1, [None; 2])).is_err());
        let mut other = manifest(2, 1, 5);
        other.shard = Some(Shard { index: 2, of: 2 });
        assert!(PairSchedule::new(&other).unwrap().restore(&record((0, 1), 0, 0, [None; 2])).is_err());
    }
}
