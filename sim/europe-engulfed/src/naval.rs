//! Fleets (8.0): Fleet Points in sea zones carry, escort, intercept and keep in supply.
//!
//! ```text
//! fleets     maintenance, building, change of zone, loss of the last port
//! routes     which zones a naval move crosses
//! crossing   a naval move zone by zone: interception, naval combat, arrival
//! air        air support units in naval combat (14.46)
//! landing    amphibious invasions (7.2), beachheads
//! ports      ports of no use, and what else option 13.32 says of them
//! ```
//!
//! The naval rules are lost: what a point carries and supplies is play book (15.2, 23.0), the dice are reconstructed.

mod air;
mod crossing;
mod fleets;
mod landing;
mod ports;
pub(crate) mod routes;
