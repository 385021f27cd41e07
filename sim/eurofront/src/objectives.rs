//! Strategic objectives (17.0), and what else preconditions of diplomatic events ask of the board (16.6).

use sandtable_core::{Hex, Index};

use crate::conditions::{Count, Flag};
use crate::game::EuroFront;
use crate::ids::{AREA_LINE, Blocks, Camp, Faction, Front, Hexes, NationId, is_on_map, place};
use crate::rules::{City, Condition, Entry, Fact, Kind, Port, Rules, Status, Weather};
use crate::state::State;

/// Places that objectives and preconditions name.
#[allow(missing_docs)]
#[derive(Clone, Debug)]
pub struct ObjectiveTables {
    /// The six major ports of North Africa (17.61).
    pub north_africa: Hexes,
    /// The seven major ports of the Desert Zone (17.62).
    pub desert: Hexes,
    /// Major ports of the Mediterranean Front but South Africa's, with Karachi (17.6).
    pub mediterranean: Hexes,
    /// Gibraltar, Malta, Suez (17.5).
    pub mare_nostrum: Hexes,
    /// Major ports of Libya and Egypt (ME).
    pub libya_egypt: Hexes,
    /// Naval bases of Norway and Denmark (AB, EB).
    pub scandinavian_bases: Hexes,
    /// Ports of the Atlantic Ocean, the Bay of Biscay and the English Channel (B63).
    pub atlantic_ports: Hexes,
    /// Ports.
    pub ports: Hexes,
    /// Major cities in hexes, open ones included (1.41).
    pub large_cities: Hexes,
    /// Hexes at a sea.
    pub coast: Hexes,
    /// Cities on the Turkish border: Batumi, Leninakan, Nakhichevan, Yerevan (TX).
    pub turkish_border: Hexes,
    /// Soviet areas on the border of Finland (FL).
    pub finnish_border: Hexes,
    /// India (RS).
    pub india: Hexes,
    /// The forts of the Maginot Line (20.44).
    pub maginot: Hexes,
    /// Berlin (19.3).
    pub berlin: Option<Hex>,
    /// The ore of Gallivare, and the port by which it comes in winter (17.2).
    pub gallivare: Option<Hex>,
    pub narvik: Option<Hex>,
    /// The ends of lend-lease and the places by which it comes (20.592).
    pub siberia: Option<Hex>,
    pub london: Option<Hex>,
    pub murmansk: Option<Hex>,
    pub teheran: Option<Hex>,
    /// The ends of the Soviet oil route over the Caspian (20.591).
    pub baku: Option<Hex>,
    pub guryev: Option<Hex>,
    /// Major ports of England (1940A).
    pub english_ports: Hexes,
}

pub(crate) fn objective_tables(rules: &Rules) -> ObjectiveTables {
    let places = |ids: &[&str]| -> Hexes { ids.iter().filter_map(|id| rules.place(id)).collect() };
    let ports = |wanted: &dyn Fn(&crate::rules::Place) -> bool| -> Hexes {
        let all = rules.map.places.iter().filter(|place| place.port != Port::None);
        all.filter(|place| wanted(place)).map(|place| place.hex).collect()
    };
    let atlantic: Vec<_> = ["atlantic_ocean", "bay_of_biscay", "english_channel"]
        .iter()
        .filter_map(|id| rules.sea(id))
        .collect();
    let north_africa = places(&["algiers", "tunis", "tripoli", "benghazi", "alexandria", "suez"]);
    let desert = north_africa.or(&places(&["basra"]));
    ObjectiveTables {
        desert,
        mediterranean: desert.or(&places(&["karachi"])),
        mare_nostrum: places(&["gibraltar", "malta", "suez"]),
        libya_egypt: places(&["tripoli", "benghazi", "alexandria", "suez"]),
        scandinavian_bases: places(&["bergen", "trondheim", "narvik", "copenhagen"]),
        atlantic_ports: ports(&|place| place.port_seas.iter().any(|sea| atlantic.contains(sea))),
        ports: ports(&|_| true),
        large_cities: {
            let cities = rules.map.places.iter().filter(|place| place.city >= City::Major);
            cities.map(|place| place.hex).filter(|hex| hex.line() != AREA_LINE).collect()
        },
        coast: rules.map.hexes.iter().filter(|data| !data.coast.is_empty()).map(|data| data.hex).collect(),
        turkish_border: places(&["batumi", "leninakan", "nakhichevan", "yerevan"]),
        finnish_border: places(&["murmansk", "kandalaksha", "petrozavodsk"]),
        india: places(&["karachi"]),
        maginot: places(&["metz", "strasbourg", "mulhouse"]),
        berlin: rules.place("berlin"),
        gallivare: rules.place("gallivare"),
        narvik: rules.place("narvik"),
        siberia: rules.place("siberia"),
        london: rules.place("london"),
        murmansk: rules.place("murmansk"),
        teheran: rules.place("teheran"),
        baku: rules.place("baku"),
        guryev: rules.place("guryev"),
        english_ports: crate::victory::english_ports(rules),
        north_africa,
    }
}

impl EuroFront {
    #[inline]
    pub(crate) fn objectives(&self) -> &ObjectiveTables {
        &self.tables.objectives
    }

    /// How many of some places a camp controls.
    pub(crate) fn held_of(&self, state: &State, camp: Camp, places: &Hexes) -> u32 {
        self.held(state, camp).and(places).len()
    }

    /// Blocks of a faction in some places.
    pub(crate) fn units_in(&self, state: &State, faction: Faction, places: &Hexes) -> Blocks {
        if !state.occupied[faction.camp().index()].intersects(places) {
            return Blocks::EMPTY;
        }
        let own = state.standing[faction.camp().index()].and(&self.sets().of_faction[faction.index()]);
        state.places.standing(&own, |at| places.contains(at))
    }

    /// Places next to some, over land.
    pub(crate) fn bordering(&self, places: &Hexes) -> Hexes {
        self.board().across(places, &self.map().land).difference(places)
    }

    // ---- objectives (17) ----

    /// Axis control of Gibraltar, Malta or Suez (17.5).
    pub(crate) fn has_mare_nostrum(&self, state: &State) -> bool {
        self.held_of(state, Camp::Axis, &self.objectives().mare_nostrum) > 0
    }

    /// Control of all major ports of North Africa (17.61): its side does not acclimatise.
    pub(crate) fn has_north_africa(&self, state: &State, camp: Camp) -> bool {
        self.controls(state, camp, &self.objectives().north_africa)
    }

    /// Control of all major ports of the Desert Zone (17.62): its side pays no maintenance there.
    pub(crate) fn has_desert(&self, state: &State, camp: Camp) -> bool {
        self.controls(state, camp, &self.objectives().desert)
    }

    /// Control of the Mediterranean Front (17.6, A61): for this side it is part of the West.
    pub(crate) fn has_mediterranean(&self, state: &State, camp: Camp) -> bool {
        self.controls(state, camp, &self.objectives().mediterranean)
    }

    /// Whether the six Balkan countries are the Axis's, defeated by it, or cooperating with it (17.4).
    pub(crate) fn balkans_are_pacified(&self, state: &State) -> bool {
        let known = self.nations();
        let nations = [known.greece, known.hungary, known.romania, known.bulgaria, known.yugoslavia];
        let pacified = |nation| match self.status(state, nation) {
            Status::Belligerent(faction) => faction == Faction::Axis,
            Status::CooperatesWithAxis => true,
            Status::Defeated => self.was_defeated_by_axis(state, nation),
            Status::Neutral | Status::CooperatesWithAllies | Status::Absent => false,
        };
        nations.into_iter().all(pacified) && self.controls(state, Camp::Axis, &self.land("albania"))
    }

    /// Whether a defeated nation fell to the Axis: its capital is in Axis hands, and it has not surrendered to the enemy, after
    /// which the Germans may hold its capital on (1944 rule 5).
    pub(crate) fn was_defeated_by_axis(&self, state: &State, nation: NationId) -> bool {
        let capital = self.rules.nations[nation.at()].capital;
        capital.is_some_and(|capital| self.held(state, Camp::Axis).contains(capital))
            && !state.diplomacy.surrendered.contains(nation)
    }

    /// What the loss of ore, of oil by sea and of lend-lease takes from base production (17.2, 20.591, 20.592, B56).
    pub(crate) fn losses_of_base(&self, state: &State, faction: Faction) -> i16 {
        let places = self.objectives();
        match faction {
            Faction::Axis => {
                let (Some(berlin), Some(gallivare)) = (places.berlin, places.gallivare) else { return 0 };
                if !self.has_communications(state, Camp::Axis, berlin, gallivare) {
                    return -10;
                }
                let open = |narvik| self.is_ore_route_open(state, berlin, narvik, gallivare);
                -5 * i16::from(!places.narvik.is_some_and(open))
            }
            Faction::Allies => 0,
            Faction::Soviets if self.is_neutral(state, self.nations().ussr) => 0,
            Faction::Soviets => {
                let Some((siberia, london)) = places.siberia.zip(places.london) else { return 0 };
                let by = |gate: Option<Hex>| {
                    gate.is_some_and(|gate| {
                        self.has_communications(state, Camp::Coalition, siberia, gate)
                            && self.has_communications(state, Camp::Coalition, gate, london)
                    })
                };
                let lend_lease = i16::from(!by(places.murmansk)) + i16::from(!by(places.teheran));
                -5 * (lend_lease + i16::from(self.is_caspian_route_cut(state, siberia)))
            }
        }
    }

    /// Whether Soviet oil, while Baku is Soviet, does not reach Siberia by way of Guryev (20.591): nobody but the Soviets
    /// sails the Caspian, so that the ports decide, and the railway from Guryev.
    fn is_caspian_route_cut(&self, state: &State, siberia: Hex) -> bool {
        let Some((baku, guryev)) = self.objectives().baku.zip(self.objectives().guryev) else { return false };
        let open = |place: Hex| self.holds(state, Camp::Coalition, place) && !state.is_battle(place);
        self.holds(state, Camp::Coalition, baku)
            && !(open(baku)
                && open(guryev)
                && self.rail_network(state, Camp::Coalition, &Hexes::one(siberia)).contains(guryev))
    }

    // ---- flags ----

    pub(crate) fn flag_holds(&self, state: &State, flag: Flag) -> bool {
        let places = self.objectives();
        let named = self.nations();
        let allies = |places: &Hexes| !self.units_in(state, Faction::Allies, places).is_empty();
        match flag {
            Flag::Holds(fact) => state.diplomacy.holds(fact),
            Flag::PeaceForAYear => {
                let since = i16::from(state.diplomacy.finnish_peace);
                since >= 0 && self.months_since_war(state) >= since + 12
            }
            Flag::ArmisticeForASeason => {
                let since = i16::from(state.diplomacy.finnish_peace);
                state.diplomacy.holds(Fact::FinnishArmistice)
                    && since >= 0
                    && self.months_since_war(state) >= next_of(since, 6) + 6
            }
            Flag::StrategicReserveLeft => self.reserve_left(state).next().is_some(),
            // In the land of nations of the Axis the others do not see who is a stranger: it does not count.
            Flag::AxisInSovietZone => {
                let zone = [
                    named.ussr,
                    named.palestine,
                    named.syria,
                    named.iraq,
                    named.persia,
                    named.finland,
                    named.turkey,
                ];
                let alone = self.finns_fight_alone(state);
                let zone = zone.into_iter().filter(|&nation| {
                    self.mover_of(state, nation) != Some(Faction::Axis) && !(alone && nation == named.ussr)
                });
                let russia = if alone { Hexes::EMPTY } else { self.land("ussr") };
                let zone = zone.fold(russia, |all, nation| all.or(&self.territory(state, nation)));
                zone.intersects(&state.occupied[Camp::Axis.index()])
            }
            Flag::AxisInMotherRussia if self.finns_fight_alone(state) => false,
            Flag::AxisInMotherRussia => !self.units_in(state, Faction::Axis, &self.land("ussr")).is_empty(),
            Flag::RedArmyFull => self.block_ids().all(|block| {
                let at = state.at(block);
                self.brief(block).faction != Faction::Soviets
                    || is_on_map(at)
                    || at == place::REMOVED
                    || at == place::AWAITING && !self.is_due(state, block)
                    || at == place::OUT && matches!(self.rules.scenario.entries[block.at()], Entry::Never)
            }),
            Flag::Reserved100 => state.diplomacy.reserved,
            Flag::RearmamentUnspent => self.times_happened(state, "SA") > self.times_happened(state, "SB"),
            Flag::AlliedSupremacy => state.sea.supremacy == Some(Camp::Coalition),
            Flag::AlliedBaseInScandinavia => {
                self.held_of(state, Camp::Coalition, &places.scandinavian_bases.difference(&state.battles()))
                    > 0
            }
            Flag::AllBasesInScandinavia => self.controls(state, Camp::Coalition, &places.scandinavian_bases),
            Flag::NoAxisAtlanticPort => {
                let network = self.whole_network(state, Camp::Axis);
                self.held_of(state, Camp::Axis, &places.atlantic_ports.and(&network)) == 0
            }
            Flag::SovietsInNorway => {
                let norway = self.territory(state, named.norway);
                !self.units_in(state, Faction::Soviets, &norway).is_empty()
            }
            Flag::DryMonth => {
                let west = self.month(state).weather[0];
                west.odd == Weather::Dry && west.even == Weather::Dry
            }
            Flag::AxisInFrance => self.held_of(state, Camp::Axis, &self.land("france")) > 0,
            Flag::OpenItalianBorder => {
                let border = self.bordering(&self.land("italy")).and(&self.land("france"));
                let coalition = state.occupied[Camp::Coalition.index()];
                !border.difference(&coalition).is_empty()
            }
            Flag::DesertVictory => self.has_desert(state, Camp::Axis),
            Flag::NorthAfricaVictory => self.has_north_africa(state, Camp::Axis),
            Flag::AlliesInPortugal => allies(&self.land("portugal")),
            Flag::BalkansPacified => self.balkans_are_pacified(state),
            Flag::MandateLeft => self.mandates().any(|nation| self.may_revolt(state, nation)),
            Flag::OpenMandate => self.colonies_and_mandates().any(|nation| self.may_rebel(state, nation)),
            Flag::TreasonOnMandate => {
                let declared = &state.diplomacy.declared[Faction::Allies.index()];
                state.diplomacy.holds(Fact::AlliedTreason)
                    && self.mandates().any(|nation| declared.contains(nation))
            }
            Flag::NoAlliesInIndia => !allies(&places.india),
        }
    }

    /// How often an event has happened.
    pub(crate) fn times_happened(&self, state: &State, id: &str) -> u8 {
        self.rules.event(id).map_or(0, |event| state.diplomacy.happened[event])
    }

    /// Whether an event has happened.
    pub(crate) fn has_happened(&self, state: &State, id: &str) -> bool {
        self.times_happened(state, id) > 0
    }

    /// Soviet armies of the Strategic Reserve that have not come (20.51).
    pub(crate) fn reserve_left(&self, state: &State) -> impl Iterator<Item = crate::ids::BlockId> + use<'_> {
        let out = self.block_ids().filter(|&block| {
            matches!(self.rules.scenario.entries[block.at()], Entry::Upon(Condition::StrategicReserve, _))
        });
        let left: Blocks = out.filter(|&block| state.at(block) == place::OUT).collect();
        left.into_iter()
    }

    /// Whether the month of a reinforcement has come.
    fn is_due(&self, state: &State, block: crate::ids::BlockId) -> bool {
        match self.rules.scenario.entries[block.at()] {
            Entry::Reinforcement { month, .. } => month <= state.month,
            _ => true,
        }
    }

    /// Syria, Iraq and Persia (20.92).
    pub(crate) fn mandates(&self) -> impl Iterator<Item = NationId> + use<> {
        let named = self.nations();
        [named.syria, named.iraq, named.persia].into_iter()
    }

    /// Syria, Iraq, Persia and Palestine (20.92).
    pub(crate) fn colonies_and_mandates(&self) -> impl Iterator<Item = NationId> + use<> {
        self.mandates().chain([self.nations().palestine])
    }

    /// Whether a mandate may still join the Axis by insurrection (21.398).
    pub(crate) fn may_revolt(&self, state: &State, nation: NationId) -> bool {
        self.is_neutral(state, nation)
    }

    /// Whether a mandate in Allied hands without an Allied or Soviet unit may rebel (21.399): Palestine, and those that
    /// have been defeated.
    pub(crate) fn may_rebel(&self, state: &State, nation: NationId) -> bool {
        let colony = nation == self.nations().palestine;
        let defeated = self.status(state, nation) == Status::Defeated;
        let land = self.territory(state, nation);
        let capital = self.rules.nations.get(nation.at()).and_then(|nation| nation.capital);
        (defeated || colony && !matches!(self.status(state, nation), Status::Belligerent(Faction::Axis)))
            && capital.is_some_and(|capital| self.held(state, Camp::Coalition).contains(capital))
            && !land.intersects(&state.occupied[Camp::Coalition.index()])
            && self.rebels(state, nation).next().is_some()
    }

    /// A nation's blocks of the Axis that may still rise (21.399).
    pub(crate) fn rebels(
        &self,
        state: &State,
        nation: NationId,
    ) -> impl Iterator<Item = crate::ids::BlockId> {
        let off = self.block_ids().filter(move |&block| {
            self.block(block).nation == nation
                && self.brief(block).faction == Faction::Axis
                && !self.brief(block).kind.is_headquarters()
        });
        off.filter(|&block| !is_on_map(state.at(block)))
    }

    // ---- counts ----

    pub(crate) fn count_of(&self, state: &State, count: Count) -> u32 {
        let places = self.objectives();
        let named = self.nations();
        match count {
            Count::AxisReserveHalved => {
                let east = state.standing[Camp::Axis.index()]
                    .filter(|block| self.front(state.at(block)) == Front::East);
                let border = self.bordering(&self.territory(state, named.ussr));
                let border = self.held_of(state, Camp::Axis, &border);
                east.len().saturating_sub(border) / 2
            }
            // From summer 1940 on it is the second year (8228).
            Count::WarYearAndHexesInGermany => {
                let year = (self.months_since_war(state) + 3) / 12 + 1;
                let germany = self.land("germany").or(&self.land("czechoslovakia")).or(&self.land("danzig"));
                year.max(0) as u32 + self.held_of(state, Camp::Coalition, &germany)
            }
            Count::AlliedHexesInOccupiedFrance => {
                let france = self.territory(state, named.france).and(&self.land("france"));
                let held = self.held(state, Camp::Coalition).and(&france);
                held.len() + held.and(&places.ports).len()
            }
            // In preparation 1, ready 2; those on the map count nothing, nor do the Soviets' (B09).
            Count::Beachheads => {
                let allied = |block: &crate::ids::BlockId| {
                    let brief = self.brief(*block);
                    brief.kind == Kind::Beachhead && brief.faction == Faction::Allies
                };
                let worth = |block| match state.at(block) {
                    place::READY => 2,
                    place::PREPARING => 1,
                    _ => 0,
                };
                self.block_ids().filter(allied).map(worth).sum()
            }
            Count::AxisHexesInFranceAndDeadFrench => {
                let dead = self.block_ids().filter(|&block| {
                    self.block(block).nation == named.france && state.at(block) == place::ELIMINATED
                });
                self.held_of(state, Camp::Axis, &self.land("france")) + dead.count() as u32
            }
            Count::OpenFinnishBorder => {
                places.finnish_border.difference(&state.occupied[Camp::Coalition.index()]).len()
            }
            Count::AxisPortsInNorthAfrica => self.held_of(state, Camp::Axis, &places.libya_egypt),
            Count::AxisMandateCapitals => {
                let capitals = self.colonies_and_mandates().filter_map(|nation| {
                    self.rules.nations.get(nation.at()).and_then(|nation| nation.capital)
                });
                self.held_of(state, Camp::Axis, &capitals.collect())
            }
            Count::OpenTurkishBorder => {
                let soviets = self.units_in(state, Faction::Soviets, &places.turkish_border);
                let defended: Hexes = soviets.iter().map(|block| state.at(block)).collect();
                places.turkish_border.difference(&defended).len()
            }
        }
    }
}

/// The first month at or after another (both since September 1939) in which a season opens: every sixth, from December
/// 1939; every twelfth for winters (3.3).
pub(crate) const fn next_of(month: i16, every: i16) -> i16 {
    3 + (month - 3 + every - 1).div_euclid(every) * every
}
