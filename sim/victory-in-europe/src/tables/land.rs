//! Borders between areas (1.1): who may cross which.

use sandtable_core::{AreaBoard, Index};

use crate::place::Place;
use crate::rules::{Areas, BorderKind, Rules};

/// Places as a board.
pub(crate) type PlaceBoard = AreaBoard<Place, 3>;

/// Land neighbours of the areas.
#[derive(Clone, Debug)]
pub(crate) struct Land {
    /// Land neighbours that armies may march to (no alpine borders, no Urals).
    pub march: PlaceBoard,
    /// Land neighbours for aircraft (alpine borders too).
    pub flight: PlaceBoard,
    /// Land neighbours for supply (Urals too; 8.1, 13).
    pub supply: PlaceBoard,
    /// Neighbours and the border to each, by area.
    pub borders: Vec<Vec<(Place, u16)>>,
}

impl Land {
    /// # Errors
    /// Says which border leads nowhere.
    pub(super) fn derive(rules: &Rules) -> Result<Land, String> {
        let areas = rules.areas.len();
        let mut march = vec![Areas::EMPTY; areas];
        let mut flight = march.clone();
        let mut supply = march.clone();
        let mut borders = vec![Vec::new(); areas];
        for (index, border) in rules.borders.iter().enumerate() {
            let (a, b) = (border.a.at(), border.b.at());
            if a >= areas || b >= areas || a == b {
                return Err(format!("a border joins areas {a} and {b} of {areas}"));
            }
            let join = |set: &mut Vec<Areas>| {
                set[a].insert(border.b);
                set[b].insert(border.a);
            };
            join(&mut flight);
            if border.kind != BorderKind::Alpine {
                join(&mut supply);
                if border.kind != BorderKind::Urals {
                    join(&mut march);
                }
            }
            borders[a].push((border.b, index as u16));
            borders[b].push((border.a, index as u16));
        }
        let [march, flight, supply] = [board(march)?, board(flight)?, board(supply)?];
        Ok(Land { march, flight, supply, borders })
    }
}

/// The board in which places touch these.
pub(super) fn board(neighbours: Vec<Areas>) -> Result<PlaceBoard, String> {
    AreaBoard::from_neighbours(neighbours).map_err(|error| error.to_string())
}
