//! What identifies a sweep: everything that its tables depend on.

use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::file::Experiment;
use super::plan::Plan;
use crate::failure::Failure;
use crate::files;
use crate::run::folder::write_atomically;
use crate::run::manifest::{MANIFEST, SCHEMA_VERSION, Shard};
use crate::system::AnyScenario;
use crate::table::Format;

/// What [`Manifest::kind`] says.
pub const KIND: &str = "sweep";

/// The file `manifest.json` of a sweep's folder. It changes only when games are added.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// `sweep`.
    pub kind: String,
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The version of the program.
    pub sandtable_version: String,
    /// The commit it was built from.
    pub sandtable_commit: String,
    /// The hash of the scenario's data, with the overrides that hold at every point.
    pub scenario_hash: String,
    /// What is to be found out.
    pub experiment: Experiment,
    /// The format of the tables.
    pub format: String,
    /// How many games fill a part.
    pub part_games: u64,
    /// See [`Plan::stages`].
    #[serde(default)]
    pub stages: Vec<u64>,
    /// The share of the sweep that is in this folder; all of it if missing.
    pub shard: Option<Shard>,
    /// The command line that began the sweep.
    pub command: Vec<String>,
    /// When it began, in seconds since 1970.
    pub started_unix: u64,
}

impl Manifest {
    /// The manifest of a new sweep; `scenario` is that of the experiment.
    ///
    /// # Errors
    /// If the experiment comes from a manifest that was edited by hand.
    pub fn new(
        plan: &Plan,
        scenario: &dyn AnyScenario,
        format: Format,
        shard: Option<Shard>,
    ) -> Result<Self, Failure> {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        Ok(Manifest {
            kind: KIND.to_owned(),
            schema_version: SCHEMA_VERSION,
            sandtable_version: env!("CARGO_PKG_VERSION").to_owned(),
            sandtable_commit: env!("SANDTABLE_COMMIT").to_owned(),
            scenario_hash: format!("{:016x}", scenario.hash()),
            experiment: plan.experiment.clone(),
            format: format.extension().to_owned(),
            part_games: plan.part_games(scenario)?,
            stages: plan.stages.clone(),
            shard,
            command: crate::run::manifest::command_line(),
            started_unix: now.map_or(0, |since| since.as_secs()),
        })
    }

    /// Whether there is a sweep in the folder.
    pub fn is_in(folder: &Path) -> bool {
        let value = files::read_text(folder.join(MANIFEST))
            .ok()
            .and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
        value.is_some_and(|value| value.get("kind").is_some_and(|kind| kind == KIND))
    }

    /// Reads the manifest in a folder.
    ///
    /// # Errors
    /// If there is none, or it cannot be understood.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(MANIFEST);
        if !Manifest::is_in(folder) {
            return Err(Failure::input(format!(
                "{} is not the folder of a sweep: {MANIFEST} is missing or says otherwise",
                folder.display()
            )));
        }
        let text = files::read_text(&path)
            .map_err(|error| Failure::input(format!("{}: cannot read it: {error}", path.display())))?;
        let mut manifest: Manifest = serde_json::from_str(&text)
            .map_err(|error| Failure::input(format!("{} is damaged: {error}", path.display())))?;
        if manifest.stages.is_empty() {
            manifest.stages.push(manifest.experiment.games);
        }
        if manifest.part_games == 0
            || manifest.experiment.games == 0
            || manifest.experiment.line_ups.is_empty()
        {
            return Err(Failure::input(format!("{} is damaged: it has no games", path.display())));
        }
        let stages = &manifest.stages;
        if stages[0] == 0
            || stages.last() != Some(&manifest.experiment.games)
            || !stages.is_sorted_by(|one, next| one < next)
        {
            return Err(Failure::input(format!("{} is damaged: stages {stages:?}", path.display())));
        }
        Ok(manifest)
    }

    /// Writes the manifest into a folder.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(self)?;
        write_atomically(&folder.join(MANIFEST), |out| Ok(writeln!(out, "{text}")?))?;
        Ok(())
    }

    /// The format of the tables.
    ///
    /// # Errors
    /// If the manifest was edited by hand.
    pub fn table_format(&self) -> Result<Format, Failure> {
        let bad = |_| Failure::input(format!("{MANIFEST} is damaged: format \"{}\"", self.format));
        self.format.parse().map_err(bad)
    }

    /// The first thing in which two folders of one sweep must not differ: its name, and the values here and there.
    pub fn difference(&self, other: &Manifest) -> Option<(String, String, String)> {
        let fields = |manifest: &Manifest| {
            let common = Manifest { shard: None, command: Vec::new(), started_unix: 0, ..manifest.clone() };
            let mut all = serde_json::to_value(common).unwrap_or_default();
            // What is in the experiment is named by itself.
            let experiment = all.as_object_mut().and_then(|fields| fields.remove("experiment"));
            let own = all.as_object().cloned().unwrap_or_default();
            let within = experiment.and_then(|value| value.as_object().cloned()).unwrap_or_default();
            own.into_iter().chain(within).collect::<Vec<_>>()
        };
        fields(self)
            .into_iter()
            .zip(fields(other))
            .find(|((_, mine), (_, theirs))| mine != theirs)
            .map(|((name, mine), (_, theirs))| (name, mine.to_string(), theirs.to_string()))
    }

    /// How many parts the whole sweep has.
    pub fn parts(&self, plan: &Plan) -> u64 {
        plan.stage_jobs().map(|jobs| self.parts_of(&jobs)).sum()
    }

    /// How many parts a stage with these jobs has.
    fn parts_of(&self, jobs: &Range<u64>) -> u64 {
        (jobs.end - jobs.start).div_ceil(self.part_games)
    }

    /// The same sweep with so many games at each point.
    ///
    /// # Errors
    /// If there are more already.
    pub fn extended(&self, games: u64) -> Result<Self, String> {
        let there = self.experiment.games;
        if games < there {
            return Err(format!("{there} there, {games} here: games can be added but not taken away"));
        }
        let mut more = self.clone();
        if games > there {
            more.experiment.games = games;
            more.stages.push(games);
        }
        Ok(more)
    }

    /// The parts that this folder is to hold.
    pub fn own_parts(&self, plan: &Plan) -> impl Iterator<Item = u64> + use<> {
        let shard = self.shard;
        (0..self.parts(plan)).filter(move |&part| shard.is_none_or(|shard| shard.plays(part)))
    }

    /// The jobs of a part. A part belongs to one stage.
    pub fn part_jobs(&self, plan: &Plan, part: u64) -> Range<u64> {
        let mut before = 0;
        for jobs in plan.stage_jobs() {
            let parts = self.parts_of(&jobs);
            if part < before + parts {
                let start = jobs.start + (part - before) * self.part_games;
                return start..(start + self.part_games).min(jobs.end);
            }
            before += parts;
        }
        plan.jobs()..plan.jobs()
    }
}
