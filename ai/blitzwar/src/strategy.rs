//! The timetable and the weights of each side, as data.

use sandtable_blitzwar::rules::Zones;
use sandtable_blitzwar::{BlitzWar, Country, Force, State, Status};
use sandtable_core::{Board as _, Dice, Rng64};

use super::board::{MAINLAND, is_mainland};

/// What makes a zone worth holding.
pub(crate) struct Worth {
    pub zone: f32,
    pub general_point: f32,
    pub side_point: f32,
    pub supply_zone: f32,
    pub capital: f32,
    pub port: f32,
}

/// Worth of the features of a zone, in corps.
pub(crate) const WORTH: Worth =
    Worth { zone: 0.3, general_point: 1.5, side_point: 2.0, supply_zone: 3.0, capital: 1.0, port: 0.2 };

/// Weights of the scripted player, in corps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    /// Factor on the price of supply.
    pub thrift: f32,
    /// Worth of closing a hole in the line; leaving one costs more.
    pub plug: f32,
    /// Least gain for which a reserve marches.
    pub march: f32,
    /// Least gain for which a reserve goes by rail.
    pub rail: f32,
    /// Pull of the front on a reserve, a zone.
    pub pull: f32,
    /// Worth of an enemy corps against an own one in battle.
    pub kill: f32,
    /// Factor on the worth of zones taken.
    pub prize: f32,
    /// Worth of fighting for a zone at all.
    pub fight: f32,
    /// Share of a threat that own corps must match.
    pub cover: f32,
    /// How much better than usual the odds must be, in columns of the table.
    pub caution: i8,
    /// Worth of an own corps lost in a battle that is planned.
    pub loss: f32,
    /// Share of a zone's worth that weighs against stripping it of its last counter for an attack.
    pub expose: f32,
    /// Worth of a capital whose fall ends an ally or raises a conquered country, beyond the zone itself.
    pub capital: f32,
    /// Worth of a garrison in an own Supply Zone or the capital of a country at war on this side, once an enemy could come.
    pub garrison: f32,
    /// Least worth of a landing.
    pub landing: f32,
    /// Preference to hold a zone rather than to retreat, in corps.
    pub stand: f32,
    /// Factor on the worth of armour on production cards.
    pub armour: f32,
    /// Factor on the worth of air units on production cards.
    pub air: f32,
    /// Factor on the worth of supply on production cards.
    pub hunger: f32,
    /// When to do what.
    pub dates: Dates,
}

/// First turns of undertakings; `None`: as the player's timetable has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Dates {
    /// Axis: the attack in the West.
    pub west: Option<u8>,
    /// Axis: the attack on the USSR.
    pub east: Option<u8>,
    /// Axis: Denmark and Norway.
    pub north: Option<u8>,
    /// Axis: Yugoslavia.
    pub balkans: Option<u8>,
    /// Allies: French North Africa.
    pub torch: Option<u8>,
    /// Allies: the first landing in north-west Europe.
    pub overlord: Option<u8>,
    /// Soviets: the attack, if the Axis has not come by then.
    pub wake: Option<u8>,
}

impl Weights {
    /// Weights found by playing the scripted player against itself.
    pub const fn of(force: Force) -> Weights {
        let common = Weights {
            thrift: 1.0,
            plug: 1.5,
            march: 0.12,
            rail: 0.1,
            pull: 0.1,
            kill: 1.3,
            prize: 1.0,
            fight: 0.8,
            cover: 0.45,
            caution: 0,
            loss: 1.15,
            expose: 0.3,
            capital: 3.0,
            garrison: 3.0,
            landing: 0.4,
            stand: 0.0,
            armour: 1.0,
            air: 1.0,
            hunger: 1.0,
            dates: Dates {
                west: None,
                east: None,
                north: None,
                balkans: None,
                torch: None,
                overlord: None,
                wake: None,
            },
        };
        match force {
            Force::Axis => Weights { thrift: 2.0, pull: 0.06, march: 0.14, air: 0.6, ..common },
            // What they have most of finds no counters: air, and supply.
            Force::Allied => Weights {
                armour: 0.8,
                air: 0.5,
                hunger: 0.6,
                // The spring of 1942 finds the coast nearly empty (`proof.toml`).
                dates: Dates { overlord: Some(22), ..common.dates },
                ..common
            },
            Force::Soviet => Weights { march: 0.3, armour: 1.5, air: 0.5, hunger: 0.3, ..common },
        }
    }
}

/// Where the Allied player puts the Polish armies.
pub(crate) const POLISH_SETUP: [(&str, u8); 4] = [("warsaw", 3), ("krakow", 1), ("lodz", 1), ("lublin", 1)];

/// Ships wanted in a sea.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Station {
    /// Sea.
    pub sea: &'static str,
    /// Units wanted.
    pub units: u8,
    /// First and last turn.
    pub turns: (u8, u8),
    /// Submarines, else fleets.
    pub submarines: bool,
    /// Only once the country fights on the Axis side.
    pub needs: Option<Country>,
}

const fn fleet(sea: &'static str, units: u8, from: u8, to: u8) -> Station {
    Station { sea, units, turns: (from, to), submarines: false, needs: None }
}

const AXIS_STATIONS: [Station; 4] = [
    Station { sea: "north_atlantic", units: 12, turns: (2, 47), submarines: true, needs: None },
    Station {
        sea: "central_mediterranean_south",
        units: 4,
        turns: (8, 47),
        submarines: false,
        needs: Some(Country::Ita),
    },
    fleet("baltic_sea", 2, 12, 47),
    fleet("north_sea", 0, 2, 47),
];

const ALLIED_STATIONS: [Station; 17] = [
    fleet("persian_gulf", 6, 17, 47),
    // For the landing in French North Africa.
    fleet("western_mediterranean", 4, 22, 27),
    fleet("norwegian_sea", 6, 15, 47),
    fleet("north_atlantic", 2, 2, 47),
    fleet("english_channel", 2, 1, 47),
    fleet("norwegian_sea", 2, 16, 47),
    fleet("north_sea", 1, 1, 47),
    fleet("central_mediterranean_south", 1, 8, 47),
    fleet("eastern_mediterranean", 1, 2, 47),
    fleet("north_atlantic", 3, 2, 47),
    fleet("western_mediterranean", 1, 8, 47),
    fleet("norwegian_sea", 4, 20, 47),
    fleet("central_mediterranean_south", 3, 18, 47),
    fleet("western_mediterranean", 3, 22, 47),
    fleet("english_channel", 4, 28, 47),
    fleet("tyrrhenian_sea", 2, 26, 47),
    fleet("north_atlantic", 6, 10, 47),
];

/// Where a side wants its ships.
pub(crate) fn stations(force: Force) -> &'static [Station] {
    match force {
        Force::Axis => &AXIS_STATIONS,
        Force::Allied => &ALLIED_STATIONS,
        Force::Soviet => &[],
    }
}

/// An overseas theatre.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Theatre {
    /// Africa, British Asia and Syria.
    South,
    /// Great Britain.
    Britain,
    /// Scandinavia, Finland and the Soviet coasts.
    North,
    /// Norway alone.
    Norway,
}

/// Most corps a side sends to a theatre.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quota {
    /// Theatre.
    pub theatre: Theatre,
    /// Corps until 1942 and later.
    pub corps: (u8, u8),
}

impl Quota {
    /// Zones of the theatre.
    pub fn area(self, game: &BlitzWar) -> Zones {
        let (regions, marks) = (&game.rules.regions, &game.rules.landmarks);
        match self.theatre {
            Theatre::South => {
                let mut area = regions.africa.or(&regions.british_asia);
                area.remove(marks.asian_bases);
                // Syria is part of it.
                area.or(&game.land().neighbours_of(&area).and(game.home(Country::Fra)))
            }
            Theatre::Britain => regions.great_britain,
            Theatre::Norway => *game.home(Country::Nor),
            Theatre::North => [Country::Nor, Country::Swe, Country::Fin, Country::Ussr]
                .iter()
                .fold(Zones::EMPTY, |area, &country| area.or(game.home(country))),
        }
    }
}

const AXIS_QUOTAS: [Quota; 2] =
    [Quota { theatre: Theatre::South, corps: (9, 9) }, Quota { theatre: Theatre::Norway, corps: (4, 6) }];
const ALLIED_QUOTAS: [Quota; 3] = [
    Quota { theatre: Theatre::South, corps: (7, 14) },
    Quota { theatre: Theatre::Britain, corps: (20, 40) },
    Quota { theatre: Theatre::North, corps: (2, 4) },
];

/// How many corps a side sends overseas.
pub(crate) fn quotas(force: Force) -> &'static [Quota] {
    match force {
        Force::Axis => &AXIS_QUOTAS,
        Force::Allied => &ALLIED_QUOTAS,
        Force::Soviet => &[],
    }
}

/// Dates on which one player differs from the next; that of the West only where [`Dates`] set it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timetable {
    /// Axis: first turn of the attack in the West.
    pub west: u8,
    /// Axis: first turn of the attack on the USSR.
    pub east: u8,
    /// Axis: Denmark and Norway.
    pub north: u8,
    /// Axis: Yugoslavia.
    pub balkans: u8,
    /// Allies: French North Africa.
    pub torch: u8,
    /// Allies: first landing in north-west Europe.
    pub overlord: u8,
    /// Soviets: attack if the Axis has not come by then.
    pub wake: u8,
}

impl Timetable {
    /// Drawn once a game; the West has its fixed date.
    pub fn draw(rng: &mut Rng64) -> Timetable {
        let mut pick = |choices: &[u8]| choices[rng.below(choices.len() as u32) as usize];
        Timetable {
            west: WEST,
            east: pick(&[15, 15, 15, 16]),
            north: pick(&[4, 5, 6, 6]),
            balkans: pick(&[11, 12, 13]),
            torch: pick(&[23, 24, 25, 26]),
            overlord: pick(&[26, 27, 30, 31, 32]),
            wake: pick(&[27, 29, 31]),
        }
    }

    /// This timetable with some dates set.
    pub fn with(self, dates: &Dates) -> Timetable {
        Timetable {
            west: dates.west.unwrap_or(self.west),
            east: dates.east.unwrap_or(self.east),
            north: dates.north.unwrap_or(self.north),
            balkans: dates.balkans.unwrap_or(self.balkans),
            torch: dates.torch.unwrap_or(self.torch),
            overlord: dates.overlord.unwrap_or(self.overlord),
            wake: dates.wake.unwrap_or(self.wake),
        }
    }
}

/// What a side is after this turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aims {
    /// Countries (by [`Country`]) whose zones may be entered and attacked though they are neutral.
    pub neutrals: u32,
    /// Countries whose zones are left alone though we are at war.
    pub spared: u32,
    /// Countries that will be attacked soon: armies gather at their borders.
    pub gather: u32,
    /// Countries that are to be conquered: the way to the capital counts.
    pub conquest: u32,
    /// Weight of taking zones of a country, by 1939 owner.
    pub weight: [f32; 20],
    /// Allies: the armies of the West assemble in Great Britain for a landing.
    pub camp: bool,
    /// Allies: air, ships and American corps gather for the landing in French North Africa.
    pub torch: bool,
    /// What a landing that opens a front is worth beyond the zone itself.
    pub second_front: f32,
    /// How much a neighbour at peace counts as a threat.
    pub neighbour: f32,
    /// How much landings count as a threat.
    pub coasts: f32,
    /// Factor on the pull of the front on reserves.
    pub urgency: f32,
    /// Factor on the worth of a line without holes.
    pub line: f32,
    /// Factor on the worth of garrisons in Supply Zones and capitals.
    pub garrison: f32,
    /// Places of worth behind a front that may break keep their garrisons.
    pub breaches: bool,
    /// The USSR and the Axis fight, or will as soon as this side moves.
    pub eastern_war: bool,
    /// The Soviets have attacked and are not attacked in turn, neither their corps nor their country: only that would give
    /// them Total War cards (10.2), their special reinforcements (11.9) and Yugoslavia (9.3).
    pub parries: bool,
    /// The campaign that decides the war is being fought: mud and snow do not stop it.
    pub decides: bool,
    /// Nothing that is kept is worth anything after this turn.
    pub last: bool,
    /// Half supply units to keep.
    pub reserve: u16,
    /// Price of a supply unit, in corps: high when saving.
    pub price: f32,
    /// Lowest ladder index at which to attack.
    pub boldness: i8,
}

/// First turn of the attack in the West, in the fair autumn of 1939, if Poland is beaten by then: France falls on turn 10 (median of
/// 300 campaigns), though of the three turns with the German shift (16.3) two are in snow. On turn 5 or 6 the attack begins in snow
/// or mud, and France falls up to a turn later; on turn 7 or 8 it falls on turn 13 or 14.
const WEST: u8 = 3;

/// Turns before and after the date of the landing in French North Africa for which its means are gathered and kept.
const TORCH_AHEAD: u8 = 2;
const TORCH_BEHIND: u8 = 3;
/// Turns that the conquest of French North Africa takes: until then Vichy France counts for the Axis (9.3).
const TORCH_PAYS: u8 = 4;

/// Turn from which the Axis holds its line rather than what it could still win, and the factor on the worth of one without
/// holes: enemies that slip through take places in its rear one after the other.
pub(crate) const DEFENSIVE: u8 = 28;
const DEFENSIVE_LINE: f32 = 2.3;
/// Factor on the worth of its garrisons from then on. Earlier in the war, with as much kept at home, its attacks win it fewer
/// games.
const DEFENSIVE_GARRISON: f32 = 2.0;

/// Factor on the price of supply in the last turn of the game.
const LAST_PRICE: f32 = 0.1;
/// Factor on the pull of the front while everything is for the West.
const WESTERN_URGENCY: f32 = 4.0;
/// The same while armies gather against the USSR.
const EASTERN_URGENCY: f32 = 3.0;
/// Price of a supply unit, in corps, for the Axis while its armies gather in the West.
const DEPLOYMENT_PRICE: f32 = 0.06;

/// Corps at the border of the USSR and half supply units without which the Axis does not open the war there.
const EASTERN_ARMY: u8 = 18;
const EASTERN_STOCK: u16 = 24;

/// Turns before the last of the game from which the Soviets attack an Axis that has left the East bare, and Soviet corps near
/// the border for each of the Axis from which it has.
const LAST_STRIKE: u8 = 1;
const BARE: f32 = 1.5;

/// Turns before the last of the game from which the Axis guards its border against a Soviet attack though France still stands:
/// so late it costs the Soviets nothing. With three the armies of the East went west by rail in the first turn of France 1940
/// and back in the second, and France fell in 73 of 100 games (95% interval 64 to 81) and not in 88 (80 to 93).
const BORDER_GUARD: u8 = 4;
/// How much they then count as a threat: as if they were at war.
const AT_THE_END: f32 = 1.0;

/// Allied corps ashore from which no further landing is needed to open a front.
const FRONT: u8 = 12;

/// Corps of a side in some zones.
fn corps_in(game: &BlitzWar, state: &State, force: Force, zones: &Zones) -> u8 {
    let corps = zones.and(state.corps(force)).iter().map(|zone| {
        let (infantry, armour) = game.corps_in(state, zone, force);
        infantry + armour
    });
    corps.sum()
}

/// Zones of the mainland where a landing opens a front.
fn lodgement(game: &BlitzWar) -> Zones {
    let home = MAINLAND.iter().fold(Zones::EMPTY, |zones, &country| zones.or(game.home(country)));
    home.filter(|zone| is_mainland(game, zone))
}

/// Whether an army and its supply stand within two zones of Soviet ground.
fn eastern_army_stands(game: &BlitzWar, state: &State) -> bool {
    let border = game.land().neighbours_of(state.control(Force::Soviet));
    let near = border.or(&game.land().neighbours_of(&border)).difference(state.control(Force::Soviet));
    corps_in(game, state, Force::Axis, &near) >= EASTERN_ARMY
        && game.total_stock(state, Force::Axis) >= EASTERN_STOCK
}

/// Zones of a side within two steps of another's.
fn borderland(game: &BlitzWar, state: &State, force: Force, other: Force) -> Zones {
    let border = game.land().neighbours_of(state.control(other));
    border.or(&game.land().neighbours_of(&border)).and(state.control(force))
}

/// Whether the Soviets attack an Axis that has left the East bare: only where the end is so near that they no longer pay for
/// it with Total War cards (10.2) and special reinforcements (11.9). Earlier in the war it wins them nothing.
fn strikes_at_last(game: &BlitzWar, state: &State) -> bool {
    let corps =
        |force: Force, other: Force| corps_in(game, state, force, &borderland(game, state, force, other));
    state.turn() + LAST_STRIKE >= game.rules.setup.last_turn
        && f32::from(corps(Force::Soviet, Force::Axis)) >= BARE * f32::from(corps(Force::Axis, Force::Soviet))
}

fn bit(country: Country) -> u32 {
    1 << country.index()
}

impl Aims {
    /// Aims of a side in this position.
    pub fn of(game: &BlitzWar, state: &State, force: Force, timetable: Timetable) -> Aims {
        use sandtable_blitzwar::rules::Weather;
        let turn = state.turn();
        let stock = game.total_stock(state, force);
        let war = state.timers().axis_soviet_war != 0;
        let mut aims = Aims {
            neutrals: 0,
            spared: 0,
            gather: 0,
            conquest: 0,
            weight: [1.0; 20],
            camp: false,
            torch: false,
            second_front: 0.0,
            neighbour: 0.4,
            coasts: 1.0,
            urgency: 1.0,
            line: 1.0,
            garrison: 1.0,
            // The Allies never live by attack alone. The Soviets do: with garrisons the Axis wins 53 and not 44 of 100 campaigns.
            breaches: force == Force::Allied || force == Force::Axis && turn >= DEFENSIVE,
            eastern_war: war,
            parries: false,
            decides: false,
            last: false,
            reserve: 0,
            price: 0.12,
            boldness: 3,
        };
        let fair = game.weather(state) == Weather::Fair;
        if !fair {
            aims.price = 0.22;
            aims.boldness = 4;
        }
        match force {
            Force::Axis => aims.axis(game, state, timetable, fair),
            Force::Allied => aims.allied(game, state, timetable),
            Force::Soviet => {
                if !war && (turn >= timetable.wake || strikes_at_last(game, state)) {
                    aims.eastern_war = true;
                }
                if !aims.eastern_war {
                    aims.gather |= bit(Country::Ger);
                    aims.price = 0.3;
                }
                aims.weight[Country::Ger.index()] = 1.5;
            }
        }
        if stock < 16 {
            // What little there is goes into battles, not marches.
            aims.price *= 2.0;
        }
        aims.price *= match stock {
            0..60 => 1.0,
            60..80 => 0.6,
            _ => 0.3,
        };
        if !fair && stock < 40 && !aims.decides {
            aims.reserve = aims.reserve.max(stock / 2);
        }
        if turn == game.rules.setup.last_turn {
            aims.last = true;
            aims.reserve = 0;
            aims.price *= LAST_PRICE;
            aims.boldness = aims.boldness.min(2);
        }
        aims
    }

    fn axis(&mut self, game: &BlitzWar, state: &State, timetable: Timetable, fair: bool) {
        let (turn, war) = (state.turn(), self.eastern_war);
        let poland = state.status(Country::Pol) == Status::Surrendered;
        let france = state.surrender_turn(Country::Fra) != 0;
        let neutral = |country: Country| state.status(country).is_neutral();
        let invaded = state.control(Force::Allied).intersects(game.home(Country::Ger));
        self.weight[Country::Pol.index()] = 2.0;
        self.weight[Country::Fra.index()] = 1.8;
        self.weight[Country::Be.index()] = 1.6;
        self.weight[Country::Ussr.index()] = 1.3;
        if turn < 20 {
            // Britain alone lands nowhere in force.
            self.coasts = 0.1;
        }
        if turn >= DEFENSIVE {
            self.line = DEFENSIVE_LINE;
            self.garrison = DEFENSIVE_GARRISON;
        }
        if !france {
            self.conquest |= bit(Country::Fra);
        }
        let guards = turn + BORDER_GUARD >= game.rules.setup.last_turn;
        if guards && !war {
            self.neighbour = AT_THE_END;
        }
        if !france && !war {
            // Everything is for the West.
            if !guards {
                self.neighbour = 0.02;
                self.urgency = WESTERN_URGENCY;
            }
        }
        if war && !france {
            // A war on two fronts: no further one is opened, no supply saved, and France must fall first.
            self.parries = state.timers().east_attack == 0;
            return;
        }
        if poland && turn >= timetable.north {
            self.neutrals |= bit(Country::Den) | bit(Country::Nor);
        }
        if !poland && !invaded {
            // Supply is saved for the attack in the West.
            self.price *= 2.0;
        }
        let begins = poland && turn >= timetable.west;
        let west_over = france || begins || !neutral(Country::Be);
        if west_over && !france {
            // What is not spent now prolongs the war.
            self.price *= 0.4;
            self.decides = true;
            self.boldness = self.boldness.min(3);
        }
        if begins && !france && neutral(Country::Be) {
            self.neutrals |= bit(Country::Be);
        }
        if !poland {
            self.spared |= bit(Country::Fra);
        }
        if poland && !west_over {
            self.gather |= bit(Country::Be) | bit(Country::Fra);
            self.spared |= bit(Country::Fra);
            // The armies of the East are brought over, and who stands on German soil is thrown out.
            self.price = DEPLOYMENT_PRICE;
            self.reserve = if invaded {
                0
            } else if turn + 1 >= timetable.west {
                24
            } else {
                // Only where the West begins later than on turn `WEST`, as in the portfolio.
                12
            };
        }
        if france && !war {
            if turn >= timetable.balkans && turn < timetable.east && neutral(Country::Yug) {
                self.neutrals |= bit(Country::Yug);
            }
            let late = turn > 17 && turn < 23;
            if turn >= timetable.east && turn <= 26 && fair && !late && eastern_army_stands(game, state) {
                self.eastern_war = true;
            } else {
                self.gather |= bit(Country::Ussr);
                // What is not kept for the attack brings the army to the border: with more kept the army does not get there.
                self.price = DEPLOYMENT_PRICE;
                self.urgency = EASTERN_URGENCY;
                self.reserve = EASTERN_STOCK;
            }
        }
    }

    fn allied(&mut self, game: &BlitzWar, state: &State, timetable: Timetable) {
        let turn = state.turn();
        let america = state.timers().usa_entry != 0;
        self.weight[Country::Ger.index()] = 2.0;
        self.weight[Country::Ita.index()] = 1.4;
        self.weight[Country::Fra.index()] = 1.4;
        // Once a bridgehead stands what comes goes there, and does not wait in Great Britain for another landing.
        let ashore = corps_in(game, state, Force::Allied, &lodgement(game));
        self.camp = state.surrender_turn(Country::Fra) != 0 && ashore == 0;
        if turn >= 20 && ashore < FRONT {
            self.second_front = 2.5;
        }
        let pays = turn + TORCH_PAYS <= game.rules.setup.last_turn;
        self.torch = america
            && pays
            && turn + TORCH_AHEAD >= timetable.torch
            && turn <= timetable.torch + TORCH_BEHIND
            && state.status(Country::Vichy) != Status::Allied;
        if america && pays && turn >= timetable.torch && state.status(Country::Vichy).is_neutral() {
            self.neutrals |= bit(Country::Vichy);
        }
    }

    /// Whether a neutral country is to be attacked.
    pub fn attacks(&self, country: Country) -> bool {
        self.neutrals & bit(country) != 0
    }

    /// Whether a country's zones are left alone.
    pub fn spares(&self, country: Country) -> bool {
        self.spared & bit(country) != 0
    }

    /// Whether a country is to be beaten by the fall of its capital.
    pub fn conquers(&self, country: Country) -> bool {
        self.conquest & bit(country) != 0
    }

    /// Whether armies gather against a country.
    pub fn gathers(&self, country: Country) -> bool {
        self.gather & bit(country) != 0
    }
}
