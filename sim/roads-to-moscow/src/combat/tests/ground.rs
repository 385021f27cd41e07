//! A proving ground: an empty plain, four formations, units of every kind that a test needs, and a table of one result.

use sandtable_core::{Phases, PlayContext, Scripted};

use crate::action::Action;
use crate::editor::Editor;
use crate::event::Event;
use crate::game::RoadsToMoscow;
use crate::ids::{AirId, FormationId, Player, UnitId, Units, hex};
use crate::phase::{Phase, Sequence};
use crate::rules::{
    AirUnit, Belongs, CalendarTurn, CombatResult, Coordination, Crt, Entry, Face, Formation, FuelTable,
    HexData, Kind, KindTraits, MapSheet, MoveClass, Numbers, Options, Paths, ResultsTable, Rules, Scenario,
    Settlement, SideData, Terrain, TerrainChart, Unit, Water, Weather,
};
use crate::state::{Mark, State};

/// The hex that most tests fight for, and those around it from north by the clock.
pub const TARGET: u16 = 1010;
pub const NORTH: u16 = 1009;
pub const NORTH_EAST: u16 = 1109;
pub const SOUTH_EAST: u16 = 1110;
pub const SOUTH: u16 = 1011;
pub const SOUTH_WEST: u16 = 910;
pub const NORTH_WEST: u16 = 909;

/// Formations: two German, two Soviet.
pub const FORMATIONS: [(&str, Player); 4] =
    [("G1", Player::German), ("G2", Player::German), ("S1", Player::Soviet), ("S2", Player::Soviet)];

/// Rules being put together.
#[derive(Clone)]
pub struct Ground {
    pub rules: Rules,
}

fn numbers() -> Numbers {
    Numbers {
        stacking: 9,
        least_efficiency: 1,
        disorganised_efficiency: 2,
        unsupplied_efficiency: 1,
        low_fuel_efficiency: 1,
        disorganised_movement: 4,
        unsupplied_foot_movement: 4,
        winter_movement: 2,
        command_range: 4,
        army_attempts: 2,
        second_player_extra: 1,
        combine: 8,
        reserve_turns: 2,
        supply_line: 7,
        supply_line_short: 5,
        drm_limit: 5,
        combined_arms_drm: -1,
        engineer_drm: -1,
        ground_failed_drm: 2,
        no_retreat_drm: 1,
        air_units: 2,
        overrun_air_units: 1,
        artillery_units: 2,
        artillery_none_at: 10,
        no_retreat_steps: 3,
        rocket_hexes: 4,
        reaction_range: 4,
        pass_initiative: 1,
        advance_initiative: 1,
    }
}

fn chart() -> TerrainChart {
    let price = crate::rules::Price { dry_foot: 2, dry_motorised: 2, rain_foot: 2, rain_motorised: 4 };
    TerrainChart {
        clear: price,
        rough: price,
        swamp: price,
        woods: price,
        primary: price,
        secondary: price,
        track_clear: 1,
        track_other: 2,
        railway: 2,
        stream: price,
        slope_up: 2,
        fort_line: 2,
        fortified_position: 2,
        zoc_entry: 2,
        overrun: 2,
        rough_drm: 1,
        woods_drm: 1,
        town_drm: 2,
        village_drm: 1,
        hamlet_drm: 0,
        stream_drm: 1,
        river_drm: 0,
        slope_drm: 1,
        fort_line_drm: 2,
        fortified_position_drm: 1,
    }
}

fn traits(kind: Kind) -> KindTraits {
    use Kind as K;
    let is = |kinds: &[Kind]| kinds.contains(&kind);
    let guns = is(&[K::AntiAircraft, K::HeavyAntiAircraft, K::AntiTank, K::Artillery, K::RocketArtillery]);
    KindTraits {
        combat: !is(&[K::Leader, K::Fuel]),
        combined_arms: is(&[
            K::Reconnaissance,
            K::MotorcycleInfantry,
            K::MotorisedInfantry,
            K::MotorisedEngineer,
        ]),
        engineer: is(&[K::Engineer, K::MotorisedEngineer]),
        leads_overrun: is(&[K::Armour, K::ArmouredCar, K::Cavalry]),
        enables_mobile: is(&[K::Armour, K::ArmouredCar, K::Cavalry]),
        crosses_river: !guns && !is(&[K::Armour, K::ArmouredCar]),
        zoc_needs_bridge: is(&[
            K::Armour,
            K::ArmouredCar,
            K::AntiTank,
            K::AntiAircraft,
            K::HeavyAntiAircraft,
        ]),
        retreats_through_zoc: !guns,
        orange_advances: !guns,
        ..KindTraits::default()
    }
}

/// A table on which every roll in every column has one result.
fn table(result: &str, below: &str, columns: usize) -> ResultsTable {
    let odds = [1, 1, 1, 1, 3, 2, 3, 4, 5, 6, 7, 8].into_iter().zip([4, 3, 2, 1, 2, 1, 1, 1, 1, 1, 1, 1]);
    ResultsTable {
        odds: odds.take(columns).collect(),
        rows: vec![vec![CombatResult::parse(result).unwrap(); columns]; crate::rules::CRT_ROWS],
        below: CombatResult::parse(below).unwrap(),
    }
}

impl Ground {
    /// A plain of twenty columns and twenty rows, without units.
    pub fn new() -> Ground {
        let hexes = (1..=20).flat_map(|column| (1..=20).map(move |row| column * 100 + row));
        let hexes = hexes.map(|number| HexData {
            hex: hex(number),
            terrain: Terrain::Clear,
            woods: false,
            settlement: Settlement::None,
            name: String::new(),
        });
        let formations = FORMATIONS.map(|(id, player)| Formation {
            id: id.into(),
            name: id.into(),
            player,
            combination: 1,
            any: false,
        });
        let calendar = ["1AM", "1PM", "2AM"].map(|name| CalendarTurn {
            name: name.into(),
            dry_up_to: 6,
            overcast_up_to: 9,
            historical: Weather::Dry,
            winter: false,
        });
        let scenario = Scenario {
            id: "ground".into(),
            name: "Proving ground".into(),
            attacker: Player::German,
            columns: (1, 20),
            sources: [vec![hex(101)], vec![hex(2010)]],
            german_hexes: Vec::new(),
            soviet_positions: Vec::new(),
            objectives: Vec::new(),
            threshold: 1,
            automatic: Vec::new(),
            automatic_until: 0,
            retreat_direction: None,
            waived_entries: Vec::new(),
            first: Player::German,
        };
        let coordination = Coordination {
            cas_overcast: 2,
            cas_rain: 4,
            cas_mobile: 1,
            cas_soviet: 1,
            artillery_mobile_attacker: 2,
            artillery_mobile_defender: 1,
            artillery_rain: 1,
            artillery_mixed: 1,
            ground_mobile: 2,
            ground_each_hex: 1,
            ground_each_formation: 2,
            ground_disorganised: 1,
            ground_rain: 1,
            each_point: -1,
        };
        Ground {
            rules: Rules {
                scenario,
                map: MapSheet {
                    id: "plain".into(),
                    name: "Plain".into(),
                    from_east: false,
                    hexes: hexes.collect(),
                    sides: Vec::new(),
                },
                terrain: chart(),
                results: [table("-", "A2Rd", 11), table("-", "A2R", 12)],
                coordination,
                calendar: calendar.into(),
                kinds: Kind::ALL.map(traits),
                formations: formations.into(),
                markers: Vec::new(),
                units: Vec::new(),
                air: Vec::new(),
                entries: Vec::new(),
                groups: Vec::new(),
                fuel: FuelTable::default(),
                numbers: numbers(),
                options: Options::default(),
            },
        }
    }

    /// Both tables have this result alone.
    pub fn result(mut self, result: &str) -> Ground {
        self.rules.results = [table(result, "A2Rd", 11), table(result, "A2R", 12)];
        self
    }

    /// What a hex is.
    pub fn hex(mut self, number: u16, change: impl FnOnce(&mut HexData)) -> Ground {
        let at = self.rules.map.hexes.iter().position(|data| data.hex == hex(number)).unwrap();
        change(&mut self.rules.map.hexes[at]);
        self
    }

    /// What the side of two hexes carries.
    pub fn side(mut self, from: u16, to: u16, change: impl FnOnce(&mut SideData)) -> Ground {
        let mut side = SideData {
            a: hex(from),
            b: hex(to),
            water: Water::None,
            water_name: String::new(),
            bridge: false,
            slope_up_into: None,
            fort_protects: None,
            paths: Paths::default(),
            path_names: Vec::new(),
        };
        change(&mut side);
        self.rules.map.sides.push(side);
        self
    }

    /// A unit in a hex: `of` is a formation, `army`, or nothing for leaders and fuel. Two steps, strength 4-4 (2-2 reduced),
    /// efficiency 6 (5), movement 6, stacking 2; guns and headquarters one step and 0-1. `change` makes it other.
    pub fn unit_as(
        mut self,
        id: &str,
        (player, of, kind): (Player, &str, Kind),
        at: u16,
        change: impl FnOnce(&mut Unit),
    ) -> Ground {
        use Kind as K;
        let belongs = match of {
            "army" => Belongs::Army,
            "" => Belongs::Nobody,
            of => Belongs::Formation(FormationId(
                FORMATIONS.iter().position(|(id, _)| *id == of).expect("a formation") as u8,
            )),
        };
        let is = |kinds: &[Kind]| kinds.contains(&kind);
        let guns = is(&[K::Artillery, K::RocketArtillery]);
        let helper = is(&[K::Leader, K::Fuel]);
        let staff = is(&[K::Headquarters, K::Arko]);
        let infantry = is(&[K::Infantry, K::InfantryNkvd, K::Engineer, K::Cavalry, K::BicycleInfantry]);
        let full = match () {
            () if helper => Face { efficiency: 5, offence: 0, defence: 0, movement: 8 },
            () if guns || staff => Face { efficiency: 6, offence: 0, defence: 1, movement: 6 },
            () => Face { efficiency: 6, offence: 4, defence: 4, movement: 6 },
        };
        let steps = match () {
            () if helper => 0,
            () if guns || staff => 1,
            () => 2,
        };
        let reduced = Face { efficiency: 5, offence: 2, defence: 2, movement: 6 };
        let mut unit = Unit {
            id: id.into(),
            designation: id.into(),
            player,
            belongs,
            kind,
            size: "II".into(),
            steps,
            stacking: if helper || staff { 0 } else { 2 },
            full,
            reduced: if steps == 2 { reduced } else { full },
            support: if guns { 3 } else { 0 },
            range: if guns { 6 } else { 0 },
            support_attack_only: false,
            class: match () {
                () if guns || is(&[K::AntiTank, K::AntiAircraft, K::HeavyAntiAircraft]) => MoveClass::Orange,
                () if infantry => MoveClass::Foot,
                () => MoveClass::Red,
            },
            vehicle: is(&[K::Armour, K::ArmouredCar]),
            armoured: kind == K::Armour,
            red_defence: is(&[K::AntiTank, K::HeavyAntiAircraft]),
            limited_zoc: guns || staff,
            command: if staff || kind == K::Leader { 2 } else { 0 },
            elimination_points: 0,
            step_points: 0,
        };
        change(&mut unit);
        self.rules.units.push(unit);
        self.rules.entries.push(Entry::At(hex(at)));
        self
    }

    /// The same as it comes.
    pub fn unit(self, id: &str, of: (Player, &str, Kind), at: u16) -> Ground {
        self.unit_as(id, of, at, |_| ())
    }

    /// German motorised infantry of G1.
    pub fn german(self, id: &str, at: u16) -> Ground {
        self.unit(id, (Player::German, "G1", Kind::MotorisedInfantry), at)
    }
    /// Soviet infantry of S1.
    pub fn soviet(self, id: &str, at: u16) -> Ground {
        self.unit(id, (Player::Soviet, "S1", Kind::Infantry), at)
    }

    /// An air unit, Ready.
    pub fn air(mut self, id: &str, player: Player, cas: u8, efficiency: u8) -> Ground {
        self.rules.air.push(AirUnit { id: id.into(), name: id.into(), player, cas, efficiency, turn: 1 });
        self
    }

    /// The game.
    pub fn game(self) -> RoadsToMoscow {
        RoadsToMoscow::new(self.rules).unwrap()
    }
}

/// A position to begin a combat from.
pub struct Scene<'a> {
    pub game: &'a RoadsToMoscow,
    pub editor: Editor<'a>,
}

impl<'a> Scene<'a> {
    /// The set-up, all aircraft Ready, with a sequence of these formations.
    pub fn new(game: &'a RoadsToMoscow, formations: &[&str], sequence: Sequence) -> Scene<'a> {
        let mut editor = Editor::new(game);
        for unit in &game.rules.air {
            editor.air(&unit.id, true, false);
        }
        editor.activate(formations, sequence);
        Scene { game, editor }
    }
    /// A German Mobile Sequence of G1.
    pub fn mobile(game: &'a RoadsToMoscow) -> Scene<'a> {
        Scene::new(game, &["G1"], Sequence::Mobile)
    }
    /// A German Assault Sequence of G1.
    pub fn assault(game: &'a RoadsToMoscow) -> Scene<'a> {
        Scene::new(game, &["G1"], Sequence::Assault)
    }
    /// Puts marks on units.
    pub fn mark(mut self, units: &[&str], mark: Mark) -> Scene<'a> {
        for unit in units {
            self.editor.mark(unit, mark, true);
        }
        self
    }
    /// What else.
    pub fn with(mut self, change: impl FnOnce(&mut Editor<'a>)) -> Scene<'a> {
        change(&mut self.editor);
        self
    }
    /// Attacks the target with these on the Assault table and stands at the choice of the attacking lead, or whatever follows
    /// it without a choice.
    pub fn attack(self, attackers: &[&str]) -> Fight<'a> {
        self.attack_on(TARGET, attackers, Crt::Assault)
    }
    /// The same on the Mobile table.
    pub fn attack_mobile(self, attackers: &[&str]) -> Fight<'a> {
        self.attack_on(TARGET, attackers, Crt::Mobile)
    }
    /// The same on another hex.
    pub fn attack_on(self, target: u16, attackers: &[&str], crt: Crt) -> Fight<'a> {
        self.declare(target, attackers, crt).fight()
    }
    /// Declares an attack.
    pub fn declare(mut self, target: u16, attackers: &[&str], crt: Crt) -> Scene<'a> {
        self.editor.attack(target, attackers, crt);
        self
    }
    /// Begins the Combat Phase; nothing has been decided yet, not even what is forced.
    pub fn fight(mut self) -> Fight<'a> {
        let player = self.editor.state().active;
        let context = &mut PlayContext::silent(Scripted::default());
        let state = self.editor.start(Phase::Combat, player, context);
        Fight { game: self.game, state, facts: Vec::new() }
    }
    /// Overruns the target with these.
    pub fn overrun(mut self, stack: &[&str]) -> Fight<'a> {
        let mut state = self.editor.finish();
        state.moving = stack.iter().map(|id| self.game.rules.unit(id).unwrap()).collect();
        let mut context = PlayContext { dice: Scripted::default(), sink: Vec::new() };
        self.game.begin_overrun(&mut state, hex(TARGET), &mut context);
        Fight { game: self.game, state, facts: context.sink }
    }
}

/// A combat under way.
pub struct Fight<'a> {
    pub game: &'a RoadsToMoscow,
    pub state: State,
    /// What has been reported.
    pub facts: Vec<Event>,
}

impl Fight<'_> {
    /// What can be decided.
    pub fn open(&self) -> Vec<Action> {
        let mut open = Vec::new();
        let _ = self.game.generate(&self.state, &mut open);
        open
    }

    /// Goes on until something is to be decided, with these rolls for what is forced: no roll may be left or wanting.
    pub fn settle(mut self, rolls: &[u32]) -> Self {
        let mut context = PlayContext { dice: Scripted::faces(rolls), sink: std::mem::take(&mut self.facts) };
        sandtable_core::phases::settle(self.game, &mut self.state, &mut context);
        self.facts = context.sink;
        context.dice.check().unwrap();
        assert_eq!(context.dice.left(), 0, "rolls are left in {:?}", self.state.phase);
        self.game.check_invariants(&self.state).unwrap();
        self
    }

    /// Plays the combat to its end, or to the first phase of `until`. Where a wanted action is legal it is played, in the order
    /// given; else Pass, or the first there is. All must have been played, and all rolls made.
    pub fn play_until(mut self, until: &[Phase], rolls: &[u32], wanted: &[Action]) -> Self {
        let mut wanted = wanted.iter();
        let mut next = wanted.next();
        let mut context = PlayContext { dice: Scripted::faces(rolls), sink: std::mem::take(&mut self.facts) };
        while self.state.phase.is_combat() && !until.contains(&self.state.phase) {
            let open = self.open();
            let action = match next {
                Some(action) if open.contains(action) => {
                    next = wanted.next();
                    Some(*action)
                }
                _ => open.first().copied(),
            };
            match action {
                Some(action) => self.game.play(&mut self.state, action, &mut context),
                None if self.state.phase == Phase::Combat => break,
                None => self.game.end_phase(&mut self.state, &mut context),
            }
        }
        self.facts = context.sink;
        context.dice.check().unwrap();
        assert_eq!(context.dice.left(), 0, "rolls are left in {:?}", self.state.phase);
        assert_eq!(next, None, "never legal; the combat is in {:?}", self.state.phase);
        self.game.check_invariants(&self.state).unwrap();
        self
    }

    /// The same to the end of all combats: back at the choice of attack with none left, or at the movement of an overrun.
    pub fn play(self, rolls: &[u32], wanted: &[Action]) -> Self {
        self.play_until(&[], rolls, wanted)
    }

    /// Goes on to the point where this player names his artillery, whether he has any or not.
    pub fn artillery_of(self, player: Player) -> Self {
        let mut fight = self.play_until(&[Phase::Artillery], &[], &[]);
        while fight.state.decider != player {
            let context = &mut PlayContext::silent(Scripted::default());
            fight.game.combat_end(&mut fight.state, context);
            assert_eq!(fight.state.phase, Phase::Artillery);
        }
        fight
    }

    /// Plays one action that needs no die.
    pub fn does(mut self, action: Action) -> Self {
        assert!(self.open().contains(&action), "{action:?} is not legal in {:?}", self.state.phase);
        self.game.play(&mut self.state, action, &mut PlayContext::silent(Scripted::default()));
        self
    }

    pub fn id(&self, unit: &str) -> UnitId {
        self.game.rules.unit(unit).unwrap_or_else(|| panic!("there is no unit {unit}"))
    }
    pub fn set(&self, units: &[&str]) -> Units {
        units.iter().map(|unit| self.id(unit)).collect()
    }
    /// Where a unit stands, 0 if it is gone.
    pub fn at(&self, unit: &str) -> u16 {
        self.state.place(self.id(unit)).map_or(0, crate::ids::hex_number)
    }
    /// Steps left.
    pub fn steps(&self, unit: &str) -> u8 {
        let unit = self.id(unit);
        if self.state.on_map.contains(unit) { self.game.steps(&self.state, unit) } else { 0 }
    }
    pub fn has(&self, unit: &str, mark: Mark) -> bool {
        self.state.has(self.id(unit), mark)
    }
    /// Units that can be named now.
    pub fn named(&self) -> Vec<&str> {
        let named = self.open().into_iter().filter_map(|action| match action {
            Action::Unit(unit) | Action::Lead(unit) | Action::Points(unit, _) => {
                Some(self.game.unit_name(unit))
            }
            _ => None,
        });
        named.collect()
    }
    /// Hexes that can be gone to now.
    pub fn ways(&self) -> Vec<u16> {
        let ways = self.open().into_iter().filter_map(|action| match action {
            Action::Go(hex) => Some(crate::ids::hex_number(hex)),
            _ => None,
        });
        ways.collect()
    }
    pub fn lead(&self, unit: &str) -> Action {
        Action::Lead(self.id(unit))
    }
    pub fn unit(&self, unit: &str) -> Action {
        Action::Unit(self.id(unit))
    }
    pub fn points(&self, unit: &str) -> Action {
        Action::Points(self.id(unit), UnitId::NONE)
    }
    pub fn air(&self, unit: &str) -> Action {
        Action::Air(self.air_id(unit))
    }
    pub fn air_id(&self, unit: &str) -> AirId {
        self.game.rules.air_unit(unit).unwrap()
    }
    /// What was read on the table: strengths, modifiers.
    pub fn read(&self) -> ([u16; 2], crate::combat::Modifiers, i8) {
        let read = self.facts.iter().find_map(|fact| match fact {
            Event::Combat { strengths, modifiers, modifier, .. } => Some((*strengths, *modifiers, *modifier)),
            _ => None,
        });
        read.expect("the die was rolled")
    }
}

/// Goes to a hex.
pub fn go(number: u16) -> Action {
    Action::Go(hex(number))
}
