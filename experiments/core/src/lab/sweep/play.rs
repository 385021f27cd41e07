//! The games of a sweep: parts that are missing are played, some settings at a time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use sandtable_stats::interval::wilson;

use super::manifest::Manifest;
use super::plan::Plan;
use super::store::Store;
use crate::failure::Failure;
use crate::lab::arena::{AgentAssignment, Arena, Job, JobSource, Next};
use crate::lab::progress::{Progress, ProgressReport};
use crate::lab::words::percent;
use crate::system::{AnyScenario, AnySystem, GameResult, team_labels};

/// Settings whose scenarios are open at a time: threads wait for each other between them, and memory is not for free.
const OPEN: usize = 64;
/// Games that a thread takes at a time where games are quick. With search it takes one.
const CHUNK: u64 = 16;

/// Games counted for the progress bar; order does not matter to them.
#[derive(Clone, Debug, Default)]
pub struct Count {
    /// Games.
    pub games: u64,
    /// Games that the first team has won.
    pub first: u64,
}

impl Count {
    /// Counts results.
    pub fn add(&mut self, results: &[GameResult]) {
        self.games += results.len() as u64;
        self.first += results.iter().filter(|result| result.winner == Some(0)).count() as u64;
    }
}

/// What is needed to play.
pub struct Session<'a> {
    /// The systems.
    pub systems: &'a [Box<dyn AnySystem>],
    /// The sweep.
    pub manifest: &'a Manifest,
    /// Its points and jobs.
    pub plan: &'a Plan,
    /// Its folder.
    pub store: &'a Store<'a>,
    /// The threads, which stop for nothing.
    pub arena: &'a Arena<'a>,
    /// Set when no more parts are to be begun.
    pub stop: &'a AtomicBool,
}

impl Session<'_> {
    /// Plays the parts and writes each as soon as it is complete. Once it is told to stop it finishes those at hand
    /// and ends without an error.
    ///
    /// # Errors
    /// If a setting cannot be opened, a game breaks the contract of its rules, or a file cannot be written.
    pub fn play(&self, missing: &[u64], count: &mut Count, progress: &mut Progress) -> Result<(), Failure> {
        let mut parts: VecDeque<u64> = missing.iter().copied().collect();
        let specs = self.plan.experiment.specs()?;
        let total = count.games + parts.iter().map(|&part| self.size(part)).sum::<u64>();
        while !parts.is_empty() && !self.stop.load(Ordering::Relaxed) {
            let (window, settings) = self.window(&mut parts);
            // A setting costs some milliseconds to open, as much as a game or two.
            let wanted: Vec<usize> = settings.iter().copied().collect();
            let open = |&setting: &usize| Ok((setting, self.plan.open(self.systems, setting)?));
            let scenarios: Vec<(usize, Box<dyn AnyScenario + '_>)> =
                self.arena.install(|| wanted.par_iter().map(open).collect::<Result<_, Failure>>())?;
            let assignments: Vec<AgentAssignment<'_>> = scenarios
                .iter()
                .flat_map(|(_, scenario)| {
                    specs
                        .iter()
                        .map(|agents| AgentAssignment { scenario: scenario.as_ref(), agents: agents.clone() })
                })
                .collect();
            let places = settings.iter().enumerate().map(|(place, &setting)| (setting, place)).collect();
            let mut source = SweepJobs {
                session: self,
                label: team_labels(scenarios[0].1.sides()).swap_remove(0),
                places,
                chunk: if self.plan.searches()? { 1 } else { CHUNK },
                parts: window,
                at_hand: None,
                filling: BTreeMap::new(),
                count,
                total,
                progress,
            };
            self.arena.serve(&assignments, &mut source)?;
        }
        Ok(())
    }

    fn size(&self, part: u64) -> u64 {
        let jobs = self.manifest.part_jobs(self.plan, part);
        jobs.end - jobs.start
    }

    /// The next parts that fit into a window, at least one, and the settings in them.
    fn window(&self, parts: &mut VecDeque<u64>) -> (VecDeque<u64>, BTreeSet<usize>) {
        let (mut window, mut settings) = (VecDeque::new(), BTreeSet::new());
        while let Some(&part) = parts.front() {
            let jobs = self.manifest.part_jobs(self.plan, part);
            let more = self.plan.job(jobs.start).setting..=self.plan.job(jobs.end - 1).setting;
            let fresh = more.clone().filter(|setting| !settings.contains(setting)).count();
            if !window.is_empty() && settings.len() + fresh > OPEN {
                break;
            }
            settings.extend(more);
            window.push_back(part);
            parts.pop_front();
        }
        (window, settings)
    }
}

/// Hands out the games of a window and puts the results in their parts.
struct SweepJobs<'a, 's> {
    session: &'a Session<'s>,
    /// The first team.
    label: String,
    /// Where the agent assignments of a setting begin, in settings.
    places: BTreeMap<usize, usize>,
    chunk: u64,
    parts: VecDeque<u64>,
    /// The part that is being handed out, and its jobs that are left.
    at_hand: Option<(u64, Range<u64>)>,
    /// Parts of which games are out: the results so far, in the order of the jobs, and how many are missing.
    filling: BTreeMap<u64, (Vec<Option<GameResult>>, u64)>,
    count: &'a mut Count,
    total: u64,
    progress: &'a mut Progress,
}

impl JobSource for SweepJobs<'_, '_> {
    /// The part, and the first of the jobs.
    type Ticket = (u64, u64);

    fn next(&mut self) -> Next<Self::Ticket> {
        let Session { manifest, plan, .. } = self.session;
        if self.at_hand.as_ref().is_none_or(|(_, jobs)| jobs.is_empty()) {
            // A part that was begun is finished: what is in no part is lost.
            if self.session.stop.load(Ordering::Relaxed) {
                return Next::Over;
            }
            let Some(part) = self.parts.pop_front() else { return Next::Over };
            let size = self.session.size(part);
            self.filling.insert(part, (vec![None; size as usize], size));
            self.at_hand = Some((part, manifest.part_jobs(plan, part)));
        }
        let Some((part, jobs)) = &mut self.at_hand else { return Next::Over };
        let taken = jobs.start..(jobs.start + self.chunk).min(jobs.end);
        jobs.start = taken.end;
        let jobs = taken.clone().map(|number| {
            let job = plan.job(number);
            let assignment = self.places[&job.setting] * plan.assignments() + job.assignment;
            Job { assignment, seed: plan.experiment.seed, game: job.game }
        });
        Next::Play((*part, taken.start), jobs.collect())
    }

    fn done(&mut self, (part, first): (u64, u64), results: Vec<GameResult>) -> Result<(), Failure> {
        let Session { manifest, plan, store, .. } = self.session;
        self.count.add(&results);
        if let Some((filled, missing)) = self.filling.get_mut(&part) {
            *missing -= results.len() as u64;
            let start = (first - manifest.part_jobs(plan, part).start) as usize;
            for (place, result) in filled[start..].iter_mut().zip(results) {
                *place = Some(result);
            }
            if *missing == 0 {
                let (filled, _) = self.filling.remove(&part).unwrap_or_default();
                store.write_part(part, &filled.into_iter().flatten().collect::<Vec<_>>())?;
            }
        }
        let (count, total, label) = (&self.count, self.total, &self.label);
        self.progress.show(|| ProgressReport {
            done: count.games,
            total,
            estimate: format!(
                "{label} wins {} over all points so far",
                percent(&wilson(count.first, count.games))
            ),
        });
        Ok(())
    }
}
