//! Each rule of combat on a proving ground. What a rulebook's reader can say in an example stands in the examples too.

mod advancing;
mod coordinating;
mod ground;
mod losing;
mod overrunning;
mod retreating;
mod strengths;
mod supporting;
