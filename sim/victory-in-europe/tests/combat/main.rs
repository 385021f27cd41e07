//! The Combat Phase on the real map: worked examples with scripted dice, one test a rule, and battles at random.

mod bench;
mod fire;
mod naval;
mod odds;
mod random;
mod retreat;
mod rounds;
mod victory;
