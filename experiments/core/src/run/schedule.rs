//! Which thread plays which games.
//!
//! Games are played in parts, and parts in chunks. Both are ranges of game numbers that depend on the run alone.
//! Threads take chunks in order, whichever is next; the thread that brings in the last chunk of a part puts the
//! chunks together in order and writes the part. So the files do not depend on the number of threads, and only the
//! rows of the few parts that are under way are in memory:
//!
//! ```text
//! part 0                          part 1                          part 2
//! [chunk 0][chunk 1] … [chunk 31] [chunk 0][chunk 1] … [chunk 31] [chunk 0] …
//!  played   played      thread A   thread B  next
//! ```

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::folder::{Receipt, RunFolder};
use super::progress::Progress;
use crate::failure::{Failure, panic_message};
use crate::system::{AnyScenario, Batch, Player, Setup};
use crate::table::{Format, Schema};

/// Chunks in a part, if it has that many games. Many, so that threads end together.
const CHUNKS: u64 = 32;
/// The most games in a chunk: progress is shown after each.
const MAX_CHUNK: u64 = 4096;

/// How many games of a part of this size make a chunk.
pub fn chunk_games(part_games: u64) -> u64 {
    part_games.div_ceil(CHUNKS).clamp(1, MAX_CHUNK)
}

/// What is to be played, and where it goes.
pub struct Work<'a> {
    /// The scenario.
    pub scenario: &'a dyn AnyScenario,
    /// Who plays it.
    pub setup: &'a Setup,
    /// Where the tables go.
    pub folder: &'a RunFolder,
    /// Their format.
    pub format: Format,
    /// The parts that are missing, in ascending order.
    pub parts: &'a [u64],
    /// How many threads play.
    pub threads: usize,
    /// Set when no further part is to be begun.
    pub stop: &'a AtomicBool,
    /// Told of every chunk.
    pub progress: &'a Progress,
}

/// Plays and writes the missing parts, and returns the receipts of those that were finished, in order.
///
/// # Errors
/// If a game breaks the contract of its rules, or a file cannot be written. The parts finished before stay.
pub fn play(work: &Work<'_>) -> Result<Vec<Receipt>, Failure> {
    let source = JobSource {
        work,
        schemas: work.scenario.tables(work.setup.extras),
        board: Mutex::default(),
        moved: Condvar::new(),
    };
    // Agents that cannot be built are found here and not in a thread.
    let players =
        (0..work.threads).map(|_| work.scenario.player(work.setup).map(drop)).collect::<Result<Vec<_>, _>>();
    players?;
    thread::scope(|scope| {
        for _ in 0..work.threads {
            scope.spawn(|| source.serve());
        }
    });
    let board = source.board.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut receipts = board.receipts;
    receipts.sort_by_key(|receipt| receipt.part);
    match board.failure {
        Some(failure) => Err(failure),
        None => Ok(receipts),
    }
}

/// Where the threads meet.
struct JobSource<'a> {
    work: &'a Work<'a>,
    schemas: Vec<Schema>,
    board: Mutex<Board>,
    /// A part was closed, or something failed.
    moved: Condvar,
}

#[derive(Default)]
struct Board {
    /// How many of the work's parts have been begun.
    begun: usize,
    open: Vec<OpenPart>,
    receipts: Vec<Receipt>,
    failure: Option<Failure>,
}

/// A part of which chunks are missing.
struct OpenPart {
    part: u64,
    /// Chunks handed out.
    begun: usize,
    chunks: Vec<Option<Batch>>,
}

/// Games to play.
struct Chunk {
    part: u64,
    index: usize,
    games: Range<u64>,
}

impl JobSource<'_> {
    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fail(&self, failure: Failure) {
        self.board().failure.get_or_insert(failure);
        self.moved.notify_all();
    }

    /// What a thread does.
    fn serve(&self) {
        let mut player = match self.work.scenario.player(self.work.setup) {
            Ok(player) => player,
            Err(failure) => return self.fail(failure),
        };
        while let Some(chunk) = self.next_chunk() {
            let done = play_chunk(player.as_mut(), &chunk).and_then(|batch| {
                self.work.progress.add(&batch.tally);
                match self.bring(&chunk, batch) {
                    Some(whole) => self.close(chunk.part, whole),
                    None => Ok(()),
                }
            });
            if let Err(failure) = done {
                return self.fail(failure);
            }
        }
    }

    /// The next chunk of the last part begun, else the first one of a new part.
    fn next_chunk(&self) -> Option<Chunk> {
        let size = chunk_games(self.work.folder.manifest().identity.part_games);
        let games = |part| self.work.folder.manifest().identity.part_range(part);
        let mut board = self.board();
        loop {
            if board.failure.is_some() {
                return None;
            }
            if let Some(open) = board.open.iter_mut().find(|open| open.begun < open.chunks.len()) {
                let index = open.begun;
                open.begun += 1;
                let Range { start, end } = games(open.part);
                let first = start + index as u64 * size;
                return Some(Chunk { part: open.part, index, games: first..(first + size).min(end) });
            }
            if self.work.stop.load(Ordering::Relaxed) || board.begun == self.work.parts.len() {
                return None;
            }
            if board.open.len() <= self.work.threads {
                let part = self.work.parts[board.begun];
                board.begun += 1;
                let Range { start, end } = games(part);
                let mut chunks = Vec::new();
                chunks.resize_with((end - start).div_ceil(size) as usize, || None);
                board.open.push(OpenPart { part, begun: 0, chunks });
            } else {
                // A slow chunk holds its part open: do not run ahead of it without bound.
                let waited = self.moved.wait_timeout(board, Duration::from_millis(100));
                board = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }

    /// Hands in a chunk; if it was the last one of its part, the rows of the whole part come back.
    fn bring(&self, chunk: &Chunk, batch: Batch) -> Option<Batch> {
        let mut board = self.board();
        let place = board.open.iter().position(|open| open.part == chunk.part)?;
        board.open[place].chunks[chunk.index] = Some(batch);
        if board.open[place].chunks.iter().any(Option::is_none) {
            return None;
        }
        let open = board.open.remove(place);
        drop(board);
        self.moved.notify_all();
        Batch::concat(open.chunks.into_iter().flatten().collect())
    }

    fn close(&self, part: u64, batch: Batch) -> Result<(), Failure> {
        let receipt = self.work.folder.write_part(part, &self.schemas, self.work.format, batch)?;
        self.board().receipts.push(receipt);
        Ok(())
    }
}

fn play_chunk(player: &mut dyn Player, chunk: &Chunk) -> Result<Batch, Failure> {
    for game in chunk.games.clone() {
        // A panic is a fault of the rules or of an agent. The player is not used again after it.
        catch_unwind(AssertUnwindSafe(|| player.play(game))).map_err(|panic| {
            let message = panic_message(panic.as_ref());
            Failure::Internal(anyhow::anyhow!(
                "game {game} failed: {message}; please report it with the manifest"
            ))
        })?;
    }
    Ok(player.take())
}
