//! Pictures: the board as a map, plots, and the pages that hold them.
//!
//! A picture is SVG, a page is one HTML file. Neither refers to anything outside itself: a page works without a
//! network. Colours are near those of Okabe and Ito (2008), darker where a line of them would be lost on white paper;
//! readers with any kind of colour vision tell them apart. They stand in one style sheet, with a set for light and a
//! set for dark surroundings, and pictures name them by class.
//!
//! | module | what it draws |
//! |---|---|
//! | [`layout`] | where the places of a map go on the page: projection, cells, coasts |
//! | [`labels`] | names and markers that do not collide |
//! | [`board`] | the map with owners and units, or coloured by a figure a place |
//! | [`hexes`] | what maps of hexes show: terrain, hexsides, roads, works, fronts |
//! | [`counters`] | units as the counters of a wargame |
//! | [`plots`] | bars with intervals, curves with bands, heat maps |
//! | [`page`] | the HTML page around them |
//! | [`replay`] | a game as a page to step through |
//! | [`analysis`] | what a game was worth, turn by turn, above its board |

pub mod analysis;
pub mod board;
pub mod counters;
pub mod hexes;
pub mod labels;
pub mod layout;
pub mod page;
pub mod plots;
pub mod replay;
