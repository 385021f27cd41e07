//! Bases (21.14, 21.38). What the Allies supply round the Cape alone is paid for by the Mediterranean Front. On that front,
//! near the railways of Casablanca, of Tunis and of Istanbul, home points build at the costs of the front and without losses
//! on the way, and expeditionaries pay no maintenance.

use sandtable_core::Hex;

use crate::game::EuroFront;
use crate::ids::{Account, BlockId, Camp, Faction, Front, Hexes, is_on_map, place};
use crate::rules::Acclimatised;
use crate::sea_supply::{Network, SeaLines};
use crate::state::{Mark, State};
use crate::supply::Overland;

impl EuroFront {
    /// Hexes of the Mediterranean Front within a hex of a railway that runs from a base which its faction's lines reach
    /// (21.382, 21.385): Casablanca for the Allies, Tunis and Istanbul for the Axis.
    pub(crate) fn base_area(&self, state: &State, faction: Faction, network: &Hexes) -> Hexes {
        let camp = faction.camp();
        let bases = self.map().southern_bases[camp.index()].and(&state.friendly[camp.index()]).and(network);
        let bases = bases.difference(&state.battles());
        if faction == Faction::Soviets || bases.is_empty() {
            return Hexes::EMPTY;
        }
        // The railway of Istanbul goes on beyond the Bosporus, where no ferry takes trains.
        let lines = self.rails_over_straits(&self.rail_track(state, camp), &bases);
        let lines = lines.and(&self.map().desert_zone);
        let near = self.board().across(&lines, &self.map().land).and(&self.traceable(state, camp));
        lines.or(&near).and(&self.map().desert_zone)
    }

    /// Whether a faction holds any base: all else about them can be left out where it holds none.
    fn has_base(&self, state: &State, faction: Faction) -> bool {
        let camp = faction.camp();
        self.map().southern_bases[camp.index()].intersects(&state.friendly[camp.index()])
    }

    /// The account that pays a price for a unit where it is, or is to be placed: that of [`EuroFront::account`]; near a base
    /// home, as long as what it pays there does not exceed half of what the front is allotted (21.383, 21.386).
    pub(crate) fn paying_account(&self, state: &State, block: BlockId, at: Hex, price: u8) -> Account {
        let account = self.account(state, block, at);
        let faction = self.brief(block).faction;
        let southern = matches!(account, Account::AxisMediterranean | Account::AlliesMediterranean);
        if !southern || !self.has_base(state, faction) {
            return account;
        }
        let area = self.base_area(state, faction, &state.network);
        let home = area.contains(at) && i16::from(price) <= self.left_for_bases(state, faction, &area);
        if home { Account::home(faction) } else { account }
    }

    /// What home may still pay near bases in this production. Steps are ordered before cadres and these before what is brought
    /// forward, each in the order of the roster: who has been paid by whom follows from what is ordered.
    fn left_for_bases(&self, state: &State, faction: Faction, area: &Hexes) -> i16 {
        let southern = Account::of(faction, Front::Mediterranean);
        let mut left = state.allotted[southern.index()] / 2;
        let ordered = state.marked(Mark::Ordered).and(&self.sets().of_faction[faction.index()]);
        let ordered = ordered.filter(|block| self.is_paid_for(state, block));
        let steps = ordered.filter(|block| is_on_map(state.at(block)));
        let early = ordered.filter(|block| state.at(block) == place::AWAITING);
        let cadres = ordered.difference(&steps).difference(&early);
        for block in steps.iter().chain(cadres.iter()).chain(early.iter()) {
            if state.at(block) == place::AT_HOME {
                continue; // On the card of neutrals no base is near (16.22).
            }
            let placed = is_on_map(state.at(block));
            let at = if placed { state.at(block) } else { Self::ordered_place(state, block) };
            if !is_on_map(at) || !area.contains(at) || self.account(state, block, at) != southern {
                continue;
            }
            let price =
                if placed { self.price_of_step(state, block) } else { self.price_of_cadre(state, block, at) };
            let price = i16::from(price.unwrap_or_default());
            if price <= left {
                left -= price;
            }
        }
        left
    }

    /// Hexes outside of the Mediterranean Front that the Allies supply round the Cape alone in their production: what is built
    /// there is paid for with points of that front, at the costs of its own (21.14, 21.381). `secure` are their lines from
    /// London that the enemy cannot intercept.
    pub(crate) fn based_on_cape(&self, state: &State, overland: &Overland, secure: &Network) -> Hexes {
        if !state.is_active(Front::Mediterranean) || self.has_mediterranean(state, Camp::Coalition) {
            return Hexes::EMPTY;
        }
        let without = self.with_sea_lines(state, Faction::Allies, overland, SeaLines::NotByCape);
        if without.places == secure.places {
            return Hexes::EMPTY;
        }
        self.area_along(state, Camp::Coalition, &secure.places)
            .difference(&self.area_along(state, Camp::Coalition, &without.places))
            .difference(&self.map().of_front[Front::Mediterranean.index()])
    }

    /// Whether a unit pays maintenance in the Desert Zone (21.372): strangers, and expeditionaries that
    /// have no base.
    pub(crate) fn pays_in_desert(&self, block: BlockId, at: Hex, bases: &Hexes) -> bool {
        let brief = self.brief(block);
        let expedition = brief.class == Acclimatised::Expeditionary(Front::Mediterranean);
        !self.belongs_to(block, Front::Mediterranean) || expedition && !bases.contains(at)
    }
}
