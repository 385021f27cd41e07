//! Three small games with known truths, which prove and time the machinery and nothing else.
//!
//! | game | what it has | what is known of it |
//! |---|---|---|
//! | [`connect_four`] | perfect information | solved: the first player wins from the centre column alone |
//! | [`backgammon`] | dice | the shape of the game: each turn a roll and up to four plays |
//! | [`kuhn`] | hidden cards | value -1/18 to the first player, all equilibria in closed form |

pub mod backgammon;
pub mod connect_four;
pub mod kuhn;

pub use backgammon::Backgammon;
pub use connect_four::ConnectFour;
pub use kuhn::Kuhn;
