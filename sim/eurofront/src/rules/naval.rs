//! Numbers and tables of naval power (15).

use sandtable_core::Hex;

use crate::ids::{Camp, SeaId};

/// Who has naval supremacy, as one side sees it (15.8): index of the tables below.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum NavalBalance {
    /// The side has naval supremacy.
    Supremacy,
    /// Nobody has it: always so between Axis and Soviets.
    Parity,
    /// The enemy has it.
    Inferiority,
}

impl NavalBalance {
    /// As an array index.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The balance as a camp sees it, by who has supremacy.
    #[inline]
    pub fn of(camp: Camp, supremacy: Option<Camp>) -> NavalBalance {
        match supremacy {
            None => NavalBalance::Parity,
            Some(side) if side == camp => NavalBalance::Supremacy,
            Some(_) => NavalBalance::Inferiority,
        }
    }
}

/// Dice of an interception: which repulse, and which hit (15.72).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Interception {
    /// Greatest die that repulses.
    pub repulses_up_to: u8,
    /// Least die that hits; 7 = none.
    pub hits_from: u8,
}

/// A line of communications whose use makes for supremacy (15.81).
#[derive(Clone, PartialEq, Debug)]
pub struct NavalRoute {
    /// Identifier, such as `north`.
    pub id: String,
    /// Sea areas it leads through.
    pub seas: Vec<SeaId>,
    /// Besides these all sea areas of one of these lists; none: no more.
    pub either: Vec<Vec<SeaId>>,
    /// Hexes and areas at the banks of its straits.
    pub banks: Vec<Hex>,
    /// Whether the Axis can ever use it.
    pub axis: bool,
}

/// Naval power (15).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Naval {
    /// Interception of invasions, and of naval moves, by the [`NavalBalance`] of who rolls (15.72).
    pub interception: [[Interception; 3]; 2],
    /// Greatest die that cuts the supply of a beachhead, and of a port, by the [`NavalBalance`] of who rolls (15.73).
    pub supply_cut: [[u8; 3]; 2],
    /// Naval moves into or out of a port in a player turn, by [`crate::rules::Port`] (15.32).
    pub port_capacity: [u8; 3],
    /// What an unengaged beachhead adds to it (15.65).
    pub beachhead_capacity: u8,
    /// Sea areas of a naval move, without and with supremacy (15.31, 15.821).
    pub move_areas: [u8; 2],
    /// Sea areas of an invasion, and of one of long range, without and with supremacy (15.52, 15.542, 15.822).
    pub invasion_areas: [[u8; 2]; 2],
    /// Radius of an invasion headquarters for each command value, without and with supremacy (15.511, 15.822).
    pub support_radius: [u8; 2],
    /// Speed with which evacuated units retreat: amphibious ones, others (15.55).
    pub evacuation_speed: [u8; 2],
    /// Steps that siege supply keeps without supremacy (15.41).
    pub siege_steps: u8,
    /// Routes for supremacy (15.81).
    pub routes: Vec<NavalRoute>,
}
