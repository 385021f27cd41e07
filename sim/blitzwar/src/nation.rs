//! Countries, the nations that own counters, and sides (2, 9.1).

use sandtable_core::Side;

/// The three sides in order of play (2, 8).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Force {
    /// Axis.
    Axis = 0,
    /// Allied.
    Allied = 1,
    /// Soviet.
    Soviet = 2,
}

impl Force {
    /// The sides in order of play.
    pub const ALL: [Force; 3] = [Force::Axis, Force::Allied, Force::Soviet];

    /// As an array index.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }
    /// As a side of the common interface.
    #[inline]
    pub fn side(self) -> Side {
        Side(self as u8)
    }
    /// From a side of the common interface.
    #[inline]
    pub fn of(side: Side) -> Force {
        Force::ALL[side.index()]
    }
    /// Whether the two sides can fight: the Axis against the others (7: Allies and Soviets are friends).
    #[inline]
    pub fn opposes(self, other: Force) -> bool {
        (self == Force::Axis) != (other == Force::Axis)
    }
    /// The friendly side, for Allies and Soviets (7).
    #[inline]
    pub fn friend(self) -> Option<Force> {
        match self {
            Force::Axis => None,
            Force::Allied => Some(Force::Soviet),
            Force::Soviet => Some(Force::Allied),
        }
    }
    /// Identifier in data and on the command line.
    pub fn id(self) -> &'static str {
        ["axis", "allied", "soviet"][self.index()]
    }
    /// Name for people.
    pub fn name(self) -> &'static str {
        ["Axis", "Allied", "Soviet"][self.index()]
    }
}

macro_rules! ids {
    ($(#[$doc:meta])* $name:ident, $count:ident, $all:ident { $($variant:ident = $id:literal, $label:literal;)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum $name {
            $(#[doc = $label] $variant,)+
        }
        /// How many there are.
        pub const $count: usize = [$($name::$variant),+].len();
        impl $name {
            /// All of them, in order.
            pub const $all: [$name; $count] = [$($name::$variant),+];
            /// As an array index.
            #[inline]
            pub fn index(self) -> usize {
                self as usize
            }
            /// Identifier in data.
            pub fn id(self) -> &'static str {
                [$($id),+][self.index()]
            }
            /// Name for people.
            pub fn name(self) -> &'static str {
                [$($label),+][self.index()]
            }
            /// By identifier.
            pub fn from_id(id: &str) -> Option<Self> {
                Self::$all.into_iter().find(|it| it.id() == id)
            }
        }
    };
}

ids! {
    /// Countries of rule 9.1, and Vichy (Free France once it has joined the Allies, 9.4).
    Country, COUNTRIES, ALL {
        Ger = "ger", "Germany";
        Uk = "uk", "United Kingdom";
        Usa = "usa", "United States";
        Ussr = "ussr", "Soviet Union";
        Fra = "fra", "France";
        Ita = "ita", "Italy";
        Pol = "pol", "Poland";
        Be = "be", "Belgium-Holland";
        Gre = "gre", "Greece";
        Yug = "yug", "Yugoslavia";
        Fin = "fin", "Finland";
        Hun = "hun", "Hungary";
        Rum = "rum", "Romania";
        Bul = "bul", "Bulgaria";
        Sp = "sp", "Spain";
        Tur = "tur", "Turkey";
        Swe = "swe", "Sweden";
        Den = "den", "Denmark";
        Nor = "nor", "Norway";
        Vichy = "vichy", "Vichy France";
    }
}

ids! {
    /// Owners of counters: the countries that have any, and the common supply of the two alliances.
    Nation, NATIONS, ALL {
        Ger = "ger", "German";
        Uk = "uk", "British";
        Usa = "usa", "American";
        Ussr = "ussr", "Soviet";
        Fra = "fra", "French";
        Ita = "ita", "Italian";
        Pol = "pol", "Polish";
        Be = "be", "Belgian-Dutch";
        Gre = "gre", "Greek";
        Yug = "yug", "Yugoslav";
        Fin = "fin", "Finnish";
        Hun = "hun", "Hungarian";
        Rum = "rum", "Romanian";
        Bul = "bul", "Bulgarian";
        Sp = "sp", "Spanish";
        Tur = "tur", "Turkish";
        Swe = "swe", "Swedish";
        Axis = "axis", "Axis";
        Allied = "allied", "Allied";
    }
}

impl Nation {
    /// The country of the same index; `None` for common supply.
    #[inline]
    pub fn country(self) -> Option<Country> {
        (self < Nation::Axis).then(|| Country::ALL[self.index()])
    }
}

impl Country {
    /// Minor Countries: all but the Powers and the Minor Powers France, Italy and Vichy (9.1, 9.4).
    #[inline]
    pub fn is_minor_country(self) -> bool {
        self as u8 >= Country::Pol as u8 && self != Country::Vichy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nations_and_countries_share_indices() {
        for nation in Nation::ALL.into_iter().filter(|&nation| nation < Nation::Axis) {
            assert_eq!(nation.country().unwrap().id(), nation.id());
        }
    }
}
