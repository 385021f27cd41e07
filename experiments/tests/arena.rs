//! Games on several threads: nothing depends on how many there are, and a source of work may wait, stop and fail.

use std::sync::atomic::{AtomicBool, Ordering};

use sandtable::failure::Failure;
use sandtable::lab::arena::{AgentAssignment, Arena, Job, JobSource, Next};
use sandtable::system::{AnyScenario, GameResult, open};
use sandtable::systems;

fn assignment<'a>(scenario: &'a dyn AnyScenario, agent: &str) -> AgentAssignment<'a> {
    let agents = vec![agent.parse().unwrap(); scenario.sides().len()];
    AgentAssignment { scenario, agents }
}

#[test]
fn threads_change_no_result() {
    let systems = systems::all();
    let backgammon = open(&systems, "reference/backgammon", &[]).unwrap();
    let kuhn = open(&systems, "reference/kuhn", &[]).unwrap();
    let assignments = [assignment(backgammon.as_ref(), "random"), assignment(kuhn.as_ref(), "random")];
    let jobs: Vec<Job> = (0..100).map(|game| Job { assignment: game as usize % 2, seed: 7, game }).collect();
    let stop = AtomicBool::new(false);
    let [one, three] =
        [1, 3].map(|threads| Arena::new(threads, &stop).unwrap().play(&assignments, &jobs).unwrap());
    assert_eq!(one.len(), 100);
    assert_eq!(one, three);
    assert!(one[0].turns > 10 && one[1].turns < 10, "{:?} {:?}", one[0], one[1]);
    assert!(one[0] != one[2], "games differ by their number");
}

/// Hands out one game at a time, and the next one only when it is back.
struct Patient {
    left: u64,
    out: bool,
    stop_at: Option<(u64, &'static AtomicBool)>,
    fail_at: Option<u64>,
}

impl JobSource for Patient {
    type Ticket = u64;

    fn next(&mut self) -> Next<u64> {
        if self.left == 0 {
            return Next::Over;
        }
        if std::mem::replace(&mut self.out, true) {
            return Next::Wait;
        }
        self.left -= 1;
        Next::Play(self.left, vec![Job { assignment: 0, seed: 1, game: self.left }])
    }

    fn done(&mut self, ticket: u64, results: Vec<GameResult>) -> Result<(), Failure> {
        assert!(self.out && results.len() == 1);
        self.out = false;
        if let Some((at, stop)) = self.stop_at {
            stop.store(ticket == at, Ordering::Relaxed);
        }
        if self.fail_at == Some(ticket) { Err(Failure::input("enough")) } else { Ok(()) }
    }
}

#[test]
fn a_source_of_jobs_may_wait_stop_and_fail() {
    static STOP: AtomicBool = AtomicBool::new(false);
    let systems = systems::all();
    let kuhn = open(&systems, "reference/kuhn", &[]).unwrap();
    let assignments = [assignment(kuhn.as_ref(), "random")];
    let arena = Arena::new(3, &STOP).unwrap();
    let source = || Patient { left: 20, out: false, stop_at: None, fail_at: None };
    let mut patient = source();
    arena.serve(&assignments, &mut patient).unwrap();
    assert_eq!((patient.left, patient.out), (0, false));
    let mut failing = Patient { fail_at: Some(12), ..source() };
    assert!(matches!(arena.serve(&assignments, &mut failing), Err(Failure::Input(_))));
    assert_eq!(failing.left, 12);
    let mut stopped = Patient { stop_at: Some((5, &STOP)), ..source() };
    arena.serve(&assignments, &mut stopped).unwrap();
    assert_eq!((stopped.left, stopped.out), (5, false));
    assert_eq!(arena.play(&assignments, &[Job { assignment: 0, seed: 1, game: 0 }]).unwrap(), []);
}

#[test]
fn agents_that_cannot_be_built_are_refused() {
    let systems = systems::all();
    let kuhn = open(&systems, "reference/kuhn", &[]).unwrap();
    let stop = AtomicBool::new(false);
    let jobs = [Job { assignment: 0, seed: 1, game: 0 }];
    let assignments = [assignment(kuhn.as_ref(), "scripted")];
    let failure = Arena::new(2, &stop).unwrap().play(&assignments, &jobs).unwrap_err();
    assert_eq!(failure.exit_code(), 2, "{failure}");
}
