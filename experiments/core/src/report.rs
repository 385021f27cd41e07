//! What came out of a run, a tournament or a study as one page: in words and in plots.
//!
//! [`evidence`] reads the tables of a run, a part at a time, into counts that do not grow with the number of games;
//! [`sections`] says it, one function a section, each with the data it shows as its argument. The pages of the lab show the
//! reports that its commands have left in their folders: [`tournament`], [`balance`], [`compare`], [`sweep`], [`tune`].

pub mod balance;
pub mod compare;
pub mod evidence;
pub mod html;
pub mod sections;
pub mod sweep;
pub mod tournament;
pub mod tune;

pub use balance::balance_page;
pub use compare::comparison_page;
pub use evidence::Evidence;
pub use html::Section;
pub use sections::run_page;
pub use sweep::sweep_page;
pub use tournament::tournament_page;
pub use tune::tuning_page;
