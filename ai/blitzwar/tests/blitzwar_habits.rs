//! Limits on what the scripted player of *BlitzWar* wastes and leaves undone, over some games of three scenarios.
//!
//! The limits lie between what it does and what it did when it had the habit that each of them forbids.

use std::collections::BTreeMap;

use sandtable_ai::{AgentSpec, Decision, Streams, play_game};
use sandtable_ai_blitzwar::BlitzKnowledge;
use sandtable_blitzwar::location::{Counter, Location, Zone, Zones};
use sandtable_blitzwar::{
    Action, BlitzWar, Country, Event, Force, Kind, Nation, Pending, Phase, State, Status,
};
use sandtable_core::Index;

const COUNTRIES: usize = Country::ALL.len();
/// Games of a scenario.
const GAMES: u32 = 200;

/// What is seen in a number of games.
#[derive(Default)]
struct Habits {
    /// Corps eliminated for the stacking limit by side: in the phases in which a side places and moves its own.
    crowded: [u32; 3],
    /// Own capitals and strategic points without corps next to corps of an enemy at war whose turn begins and that may walk in, by
    /// holder.
    open_places: [u32; 3],
    /// Capitals among them by name, whoever holds them.
    open_capitals: BTreeMap<String, u32>,
    /// Own Supply Zones without corps next to corps of an enemy at war whose turn begins.
    open_sources: u32,
    /// Zone and turn of the Allied landings of the game at hand.
    landings: Vec<(Zone, u8)>,
    /// Zones of Allied landings that are not the Allies' two turns later.
    thrown_back: u32,
    /// Turns in which the surrender of France is found; the last turn and one where it does not come.
    france: Vec<u8>,
    /// Games in which the Axis opens the war in the East with France unbeaten.
    two_fronts: u32,
    /// Turns from the first battle with the Soviets to the first air mission of theirs.
    soviet_air: Vec<u8>,
    /// Submarines in the North Atlantic at the beginning of turn 36.
    boats: u32,
    /// Corps carried to Allied beachheads.
    landed: u32,
    /// Beachheads of the Allies in French North Africa.
    torch: u32,
    /// Units of infantry and air lost for want of a counter, by side: Axis and Allied.
    no_counter: [u32; 2],
    /// Half supply units lost for want of a counter, by side.
    supply_lost: [u32; 3],
    /// Units of supply handed over to the Soviets, in transfers.
    lent: u32,
    /// Counters of the Axis that went aboard as the last of a capital or strategic point.
    last_aboard: u32,
    /// Corps of the Allies shipped to ports without a line of supply.
    stranded: u32,
    /// Counters that went aboard for an Allied landing from a port beside the enemy.
    from_front: u32,
    /// Axis corps in the attacks on the Soviets in the turn in which the Axis opens the war with them, and such openings.
    first_blow: (u32, u32),
    /// Turns of the first battle of the Axis with the Soviets; the last turn and one where it does not come.
    east: Vec<u8>,
    /// German air units that come by turn 10.
    luftwaffe: u32,
    /// German air units on the map at the beginning of turn 4.
    air_in_winter: u32,
    /// German capitals, Supply Zones and points that the Allies take in the first three turns.
    autumn: u32,
    /// Axis corps in Denmark at the beginning of turn 8.
    in_denmark: u32,
    /// Turns of the first attack on Belgium; the last turn and one where it does not come.
    west: Vec<u8>,
    /// Games in which the Allies open the war with Vichy France in the last four turns.
    late_vichy: u32,
    /// Air missions of the Allies over Vichy that nothing follows: no battle and no zone of theirs there by the end of the next
    /// turn.
    idle_over_vichy: u32,
    /// Allies of the Axis that are out of the war within two turns of their entry.
    allies_lost: u32,
}

fn watch(game: &BlitzWar, habits: &mut Habits, last: &mut (u8, Force), decision: &Decision<'_, BlitzWar>) {
    let state = decision.state;
    match decision.action {
        Action::Eliminate(counter) => {
            habits.crowded[decision.side.index()] += u32::from(state.strength(counter));
        }
        Action::Lend(Kind::Supply) => habits.lent += 1,
        Action::Beachhead { zone, .. } if decision.side == Force::Allied.side() => {
            habits.torch += u32::from(game.rules.regions.french_north_africa.contains(zone));
            if !habits.landings.contains(&(zone, state.turn())) {
                habits.landings.push((zone, state.turn()));
            }
        }
        Action::Go(place) if state.phase() == Phase::SeaTransport => {
            if let Pending::Destination(counter) = state.pending() {
                watch_transport(game, habits, state, counter, place);
            }
        }
        _ => {}
    }
    if state.phase() < Phase::NavalMovement || *last == (state.turn(), state.active()) {
        return;
    }
    *last = (state.turn(), state.active());
    if state.active() == Force::Axis {
        let german = |counter: &Counter| game.nation(*counter) == Nation::Ger;
        let units = |counters: &mut dyn Iterator<Item = Counter>| {
            counters.map(|counter| u32::from(state.strength(counter))).sum::<u32>()
        };
        match state.turn() {
            4 => {
                let airfields = game
                    .sheet()
                    .filter(german)
                    .filter(|&counter| game.kind(counter) == Kind::Air && state.location(counter).is_zone());
                habits.air_in_winter += units(&mut { airfields });
            }
            8 => {
                for zone in *game.home(Country::Den) {
                    let (infantry, armour) = game.corps_in(state, zone, Force::Axis);
                    habits.in_denmark += u32::from(infantry + armour);
                }
            }
            _ => {}
        }
    }
    if state.turn() == 36 && state.active() == Force::Axis {
        let sea = Location::of_sea(game.rules.landmarks.north_atlantic);
        habits.boats += state
            .stack(sea)
            .filter(|&counter| game.kind(counter) == Kind::Submarine)
            .map(|counter| u32::from(state.strength(counter)))
            .sum::<u32>();
    }
    habits.open_sources += open_sources(game, state, state.active());
    for force in Force::ALL {
        for zone in open_places(game, state, force, state.active()).iter() {
            habits.open_places[force.index()] += 1;
            let data = &game.rules.zones[zone.at()];
            if data.capital && game.capital_matters(state, data.country) {
                *habits.open_capitals.entry(data.name.clone()).or_default() += 1;
            }
        }
    }
}

/// A counter of the side in turn goes by sea to a port or a beachhead.
fn watch_transport(game: &BlitzWar, habits: &mut Habits, state: &State, counter: Counter, to: Location) {
    if !game.kind(counter).is_corps() {
        return;
    }
    let (from, lands) = (state.location(counter), state.beachhead(to).is_some());
    match state.active() {
        Force::Allied if lands => {
            habits.landed += 1;
            let beside = |force: Force| game.adjacent(from).intersects(state.corps(force));
            habits.from_front += u32::from(from.is_zone() && beside(Force::Axis));
        }
        Force::Allied if !game.supplied(state, Force::Allied, false).zones.contains(to) => {
            habits.stranded += u32::from(state.strength(counter));
        }
        Force::Axis if from.is_zone() => {
            let data = &game.rules.zones[from.at()];
            let worth = data.capital || data.general_point || data.side_point.is_some();
            let corps = state.stack(from).filter(|&other| game.kind(other).is_corps()).count();
            habits.last_aboard += u32::from(worth && corps == 1);
        }
        _ => {}
    }
}

fn open_sources(game: &BlitzWar, state: &State, enemy: Force) -> u32 {
    let open = |force: Force| game.supply_zones(force).and(&game.left_open(state, force, enemy)).len();
    Force::ALL.into_iter().map(open).sum()
}

fn open_places(game: &BlitzWar, state: &State, force: Force, enemy: Force) -> Zones {
    game.left_open(state, force, enemy).filter(|zone| {
        let data = &game.rules.zones[zone.at()];
        data.capital || data.general_point || data.side_point.is_some()
    })
}

/// Whether the Allies hold a zone two turns after they landed there; `None` if the game is over by then.
fn holds_on(events: &[Event], zone: Zone, landed: u8) -> Option<bool> {
    let (mut now, mut holder) = (0, None);
    for event in events {
        match *event {
            Event::TurnBegins { turn } if turn > landed + 2 => break,
            Event::TurnBegins { turn } => now = turn,
            Event::Control { zone: at, force } if at == zone && now >= landed => holder = force,
            _ => {}
        }
    }
    (now == landed + 2).then_some(holder == Some(Force::Allied))
}

/// Air missions of the Allies over zones of Vichy after which they neither fight there nor take the zone by the end of the next turn.
fn idle_over_vichy(game: &BlitzWar, events: &[Event]) -> u32 {
    let mut idle = 0;
    let mut open: Vec<(Zone, u8)> = Vec::new();
    let mut now = 0;
    for event in events {
        match *event {
            Event::TurnBegins { turn } => {
                now = turn;
                let before = open.len();
                open.retain(|&(_, flown)| now < flown + 2);
                idle += (before - open.len()) as u32;
            }
            Event::AirMission { nation: Nation::Uk | Nation::Usa, place } if place.is_zone() => {
                let zone = Zone::nth(place.at());
                if game.rules.zones[zone.at()].vichy {
                    open.push((zone, now));
                }
            }
            Event::Battle(battle) if battle.attacker == Force::Allied => {
                open.retain(|&(zone, _)| zone != battle.zone);
            }
            Event::Control { zone, force: Some(Force::Allied) } => open.retain(|&(flown, _)| flown != zone),
            _ => {}
        }
    }
    idle
}

fn remember(game: &BlitzWar, habits: &mut Habits, events: &[Event], last_turn: u8) {
    let mut turn = 0;
    let (mut france, mut air) = (last_turn + 1, last_turn + 1);
    let mut west = last_turn + 1;
    let points = |zone: Zone| {
        let data = &game.rules.zones[zone.at()];
        data.country == Country::Ger && (data.capital || data.general_point || data.side_point.is_some())
    };
    let mut joined = [None; COUNTRIES];
    let (mut opened, mut struck) = (None, Vec::new());
    for event in events {
        match *event {
            Event::TurnBegins { turn: now } => turn = now,
            Event::Standing { country: Country::Fra, status: Status::Surrendered } => {
                france = france.min(turn);
            }
            Event::Unplaced { force, kind: Kind::Infantry | Kind::Air, units, .. }
                if force != Force::Soviet =>
            {
                habits.no_counter[force.index()] += u32::from(units);
            }
            Event::Standing { country: Country::Vichy, status: Status::Axis } => {
                habits.late_vichy += u32::from(turn + 4 > last_turn);
            }
            Event::Standing { country, status: Status::Axis } => joined[country.index()] = Some(turn),
            Event::Standing { country, status: Status::Surrendered } => {
                let joined = joined[country.index()].take();
                habits.allies_lost += u32::from(joined.is_some_and(|joined| turn <= joined + 2));
            }
            Event::Unplaced { force, kind: Kind::Supply, units } => {
                habits.supply_lost[force.index()] += u32::from(units);
            }
            Event::Control { zone, force: Some(Force::Allied) } if turn <= 3 && points(zone) => {
                habits.autumn += 1;
            }
            Event::Standing { country: Country::Be, status: Status::Allied } => west = west.min(turn),
            Event::AirMission { nation: Nation::Ussr, .. } => air = air.min(turn),
            Event::Reinforced { nation: Nation::Ger, kind: Kind::Air, units, .. } if turn <= 10 => {
                habits.luftwaffe += u32::from(units);
            }
            Event::Battle(battle) if battle.attacker == Force::Soviet || battle.defender == Force::Soviet => {
                let first = *opened.get_or_insert(turn) == turn;
                if first && battle.attacker == Force::Axis && !struck.contains(&battle.zone) {
                    habits.first_blow.1 += u32::from(struck.is_empty());
                    struck.push(battle.zone);
                    habits.first_blow.0 += u32::from(battle.attacking_infantry + battle.attacking_armour);
                }
            }
            _ => {}
        }
    }
    habits.idle_over_vichy += idle_over_vichy(game, events);
    let landings = std::mem::take(&mut habits.landings);
    for (zone, landed) in landings {
        habits.thrown_back += u32::from(holds_on(events, zone, landed) == Some(false));
    }
    habits.france.push(france);
    habits.west.push(west);
    habits.east.push(opened.unwrap_or(last_turn + 1));
    if let Some(opened) = opened {
        habits.soviet_air.push(air.saturating_sub(opened));
    }
}

/// Games of a scenario between scripted players.
fn games(scenario: &str) -> Habits {
    let scenario = sandtable_scenarios_blitzwar::open(scenario, &[]).unwrap();
    let game = BlitzWar::new(scenario.into_rules()).unwrap();
    let knowledge = BlitzKnowledge::new(&game);
    let spec: AgentSpec = "scripted".parse().unwrap();
    let mut habits = Habits::default();
    for number in 0..u64::from(GAMES) {
        let mut events = Vec::new();
        let mut last = (0, Force::Axis);
        let mut east_attack = 0;
        let mut observer = |decision: &Decision<'_, BlitzWar>| {
            east_attack = decision.state.timers().east_attack;
            watch(&game, &mut habits, &mut last, decision);
        };
        let players: Vec<_> = (0..3).map(|_| spec.build(&knowledge).unwrap()).collect();
        play_game(&game, players, &mut Streams::new(5, number, 3), &mut events, &mut observer);
        remember(&game, &mut habits, &events, game.rules.setup.last_turn);
        let france = *habits.france.last().unwrap();
        habits.two_fronts += u32::from(east_attack != 0 && east_attack < france);
    }
    habits.france.sort_unstable();
    habits.west.sort_unstable();
    habits.east.sort_unstable();
    habits.soviet_air.sort_unstable();
    habits
}

#[test]
fn the_scripted_player_wastes_little() {
    let habits = games("blitzwar/campaign-1939");
    let a_game = |sum: u32| f64::from(sum) / f64::from(GAMES);
    let median = |turns: &[u8]| turns[(turns.len() - 1) / 2];
    let [axis, allied, soviet] = habits.crowded.map(a_game);
    // Reinforcements placed without a look at who has been placed before: 34, 8 and 38. With Supply Zones that nobody leaves
    // once there is no supply: 15 of the Axis. With strategic movement that identical counters did not take over, and Italians sent
    // where they may not go: 9. With corps that find no room and are not given up for supply: 3.6.
    // Nine corps that stay in the last Supply Zone leave no room for more: 2.1 (95% interval 1.7 to 2.5); since the West lands in
    // 1942, so that the war comes to Germany sooner, 3.0.
    assert!(axis < 3.6, "Axis corps over the stacking limit: {axis} a game");
    assert!(allied < 1.2, "Allied corps over the stacking limit: {allied} a game");
    assert!(soviet < 1.2, "Soviet corps over the stacking limit: {soviet} a game");
    // With garrisons that come after the attacks: 11.5.
    let open = a_game(habits.open_places[Force::Axis.index()]);
    assert!(open < 8.3, "{open} open capitals and points of the Axis");
    let [_, allied_open, soviet_open] = habits.open_places.map(a_game);
    assert!(allied_open < 3.4, "{allied_open} open capitals and points of the Allies");
    assert!(soviet_open < 4.6, "{soviet_open} open capitals and points of the Soviets");
    // Paris 0.39, Sofia and Berlin 0.16 and 0.13, others less.
    for (capital, turns) in &habits.open_capitals {
        let limit = if capital == "Paris" { 0.58 } else { 0.25 };
        assert!(a_game(*turns) < limit, "{capital} stands empty beside an enemy in {turns} turns");
    }
    assert!(a_game(habits.open_sources) < 0.15, "{} open Supply Zones", habits.open_sources);
    // With armies of allies that march away from their capitals: 1.2, Sofia and Helsinki.
    let allies = a_game(habits.allies_lost);
    assert!(allies < 0.75, "{allies} allies of the Axis are lost within two turns");
    // With infantry that never attacks across the Maginot line: 12. On turn 10 or 11.
    assert!(median(&habits.france) <= 11, "France falls in {:?}", habits.france);
    assert_eq!(habits.two_fronts, 0, "the Axis attacks the USSR with France unbeaten");
    // Counters for air that were released last of all: turn 33 and later, half the war.
    assert!(median(&habits.soviet_air) <= 1, "Soviet air flies so late: {:?}", habits.soviet_air);
    // The campaign in the West is prepared in autumn.
    assert!(median(&habits.west) <= 6, "the war in the West begins in {:?}", habits.west);
    // With armies that go where there is nobody to fight.
    let denmark = a_game(habits.in_denmark);
    assert!(denmark < 0.5, "{denmark} corps stand in Denmark when France is to be beaten");
    // With corps that leave the Saar to the French: 0.8.
    let autumn = a_game(habits.autumn);
    assert!(autumn < 0.5, "{autumn} German points and capitals are lost in autumn 1939");
    // Lower with air over battles that corps win without it; 6.1 since the campaign in the West begins in autumn.
    let air = a_game(habits.air_in_winter);
    assert!(air > 5.5, "{air} German air units in winter 1940");
    // Cards of the Axis without supply until France has fallen: 23.
    assert!(median(&habits.east) <= 17, "the war in the East begins in {:?}", habits.east);
    // Attacks that open the war in the East as soon as one of them is worth it: 20.8.
    let blow = f64::from(habits.first_blow.0) / f64::from(habits.first_blow.1);
    assert!(blow > 21.0, "{blow} Axis corps attack in the turn in which the war in the East begins");
    // Cards of the Axis chosen in the West as later: 15.
    let luftwaffe = a_game(habits.luftwaffe);
    assert!(luftwaffe > 17.5, "{luftwaffe} German air units come by turn 10");
    // Tolerated: more than nine. Hunted with the ships of all other stations they were fewer, but ships are lost for them one
    // for one (12.2), while the Allies have supply to spare for them (12.4): with the ships of the Arctic convoys on the hunt from
    // turn 26 on 0.6 were left, and the Axis won 578 of 900 campaigns, not 529.
    assert!(a_game(habits.boats) < 7.2, "{} submarines in the North Atlantic in 1944", habits.boats);
    // 15 over 300 games while Egypt was given up, 13.8 over 600 with its garrison.
    assert!(a_game(habits.landed) > 12.5, "{} counters landed by the Allies", habits.landed);
    // Without air, ships and corps that gather for it: none.
    assert!(a_game(habits.torch) > 0.5, "{} beachheads in French North Africa", habits.torch);
    // With none of the care for counters and stacks: 83 of the Allies. With spare air that is not lent: 68. With cards of air
    // chosen as gladly as those of armour, and spare air of the Allies that fights no duels: 54.
    let [axis, allied] = habits.no_counter.map(a_game);
    // Corps for which the Axis has no counter once its army is large: 6.9 before its campaign in the West began in autumn, 4.0 since.
    assert!(axis < 5.5 && allied < 39.0, "units without a counter: Axis {axis}, Allies {allied} a game");
    let [axis, allied, soviet] = habits.supply_lost.map(|halves| a_game(halves) / 2.0);
    // 0.8 while Germany fell sooner. In its last Supply Zone it has more than its garrison spends: 4.1 (95% interval 2.1 to 6.1),
    // 6.4 since its campaign in the West begins in autumn.
    assert!(axis < 8.5, "{axis} units of supply without a counter, Axis");
    // Every card of theirs brings supply, and until 1942 there is no front to spend it on, the less the earlier France falls. Cards
    // with less of it save ten units a game and lose the Allies more games than that is worth.
    // The longer the war the more of it: 125 (95% interval 116 to 134); 142 since less of it goes to the Balkans. Their counters hold 42
    // units, and cards of Total War bring 18 to 30 a turn: in the last 20 turns they spend 13 a turn, end it with 22 in stock, and lose 4;
    // in the 20 before they have 30 in stock, spend 7 and lose 2 or 3.
    assert!(allied < 155.0, "{allied} units of supply without a counter, Allies");
    // Until the war there is nothing to spend it on.
    assert!(soviet < 80.0, "{soviet} units of supply without a counter, Soviets");
    let back = a_game(habits.thrown_back);
    // 1.6 since they begin in 1942, many of them raids.
    assert!(back < 1.9, "landings thrown back: {back} a game");
    assert_eq!(habits.last_aboard, 0, "the last counter of a place of worth goes aboard");
    assert!(
        a_game(habits.late_vichy) <= 0.05,
        "the war with Vichy France is opened too late in {}",
        habits.late_vichy
    );
    // 0.27. Who flies for a landing lands behind it.
    assert!(
        a_game(habits.idle_over_vichy) < 0.5,
        "{} air missions over Vichy that nothing follows",
        habits.idle_over_vichy
    );
    assert!(a_game(habits.stranded) < 1.0, "{} corps shipped where no supply comes", habits.stranded);
    // More is refused for want of Soviet counters.
    // 24.0 since the West lands in 1942 and the war is shorter.
    assert!(a_game(habits.lent) > 21.0, "{} transfers to the Soviets", habits.lent);
}

/// Counters that go by rail where others are only about to leave, and corps that advance to Tobruk: 2.5. Counters that step
/// after the battles where their nation may not go, and so anywhere: 0.4 more.
#[test]
fn nobody_goes_where_there_is_no_room_yet() {
    let habits = games("blitzwar/barbarossa-1941");
    let [axis, _, soviet] = habits.crowded.map(|corps| f64::from(corps) / f64::from(GAMES));
    assert!(axis < 0.35, "Axis corps over the stacking limit: {axis} a game");
    assert!(soviet < 1.2, "Soviet corps over the stacking limit: {soviet} a game");
    let [axis, _, soviet] = habits.open_places.map(|places| f64::from(places) / f64::from(GAMES));
    assert!(axis < 2.5, "{axis} open capitals and points of the Axis");
    assert!(soviet < 2.5, "{soviet} open capitals and points of the Soviets");
    assert!(
        f64::from(habits.open_sources) / f64::from(GAMES) < 0.2,
        "{} open Supply Zones",
        habits.open_sources
    );
    // Garrisons of Norway that sail home: some a game.
    assert_eq!(habits.last_aboard, 0, "the last counter of a place of worth goes aboard");
    // Vichy France counts for the Axis until French North Africa is conquered: 0.93 a game.
    assert_eq!(habits.late_vichy, 0, "the war with Vichy France is opened too late");
    // Corps shipped wherever there is a front.
    assert_eq!(habits.stranded, 0, "corps of the Allies are shipped where no supply comes");
}

/// With corps that wait in Great Britain for the next landing while a bridgehead fights, and landings of four corps: 2.0.
#[test]
fn bridgeheads_are_reinforced() {
    let habits = games("blitzwar/turning-point-1943");
    let back = f64::from(habits.thrown_back) / f64::from(GAMES);
    // 2.0 with armies that land from Africa, too, in wars that last longer; 0.7 with the Eighth Army in supply and nobody taken
    // from a front for a landing.
    assert!(back < 1.1, "landings thrown back: {back} a game");
    let a_game = |sum: u32| f64::from(sum) / f64::from(GAMES);
    assert!(a_game(habits.crowded.iter().sum()) < 2.7, "corps over the stacking limit: {:?}", habits.crowded);
    let [axis, allied, soviet] = habits.open_places.map(a_game);
    assert!(
        // In wars that last longer: 8.2, 2.3 and 2.1.
        axis < 9.3 && allied < 3.1 && soviet < 2.8,
        "open capitals and points: {axis}, {allied}, {soviet}"
    );
    // Corps that leave one bridgehead for another: 6.0. Those picked for a voyage to a port that go to a beachhead: 0.6.
    assert_eq!(habits.from_front, 0, "counters leave a front to land elsewhere");
    assert!(a_game(habits.landed) > 14.0, "{} counters landed by the Allies", habits.landed);
    assert_eq!(habits.stranded, 0, "corps of the Allies are shipped where no supply comes");
}
