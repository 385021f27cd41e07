//! Small games which prove and time the machinery and nothing else: three with known truths, and a toy wargame on
//! hexes.
//!
//! | game | what it has | what is known of it |
//! |---|---|---|
//! | [`connect_four`] | perfect information | solved: the first player wins from the centre column alone |
//! | [`backgammon`] | dice | the shape of the game: each turn a roll and up to four plays |
//! | [`kuhn`] | hidden cards | value -1/18 to the first player, all equilibria in closed form |
//! | [`skirmish`] | 2,000 hexes, a cup of chits, zones of control, supply by road | the same board for both sides |

pub mod backgammon;
pub mod connect_four;
pub mod kuhn;
pub mod skirmish;

pub use backgammon::Backgammon;
pub use connect_four::ConnectFour;
pub use kuhn::Kuhn;
pub use skirmish::Skirmish;
