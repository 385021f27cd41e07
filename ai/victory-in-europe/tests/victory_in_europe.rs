//! The scripted player of Victory in Europe: how strong it is, and that it is fair and repeatable.

mod posts;

use posts::{empty_beside_an_enemy, falls};
use sandtable_ai::kit::check_legality;
use sandtable_ai::{Agent, AgentSpec, Streams, SystemKnowledge, play_game};
use sandtable_ai_victory_in_europe::VictoryKnowledge;
use sandtable_core::{Game, Outcome};
use sandtable_victory_in_europe::event::Event;
use sandtable_victory_in_europe::rules::{Arm, Entry, Kind, Standing};
use sandtable_victory_in_europe::{Action, Force, Nation, Phase, Place, VictoryInEurope};

fn game(scenario: &str) -> VictoryInEurope {
    let scenario =
        sandtable_scenarios_victory_in_europe::open(&format!("victory-in-europe/{scenario}"), &[]).unwrap();
    VictoryInEurope::new(scenario.into_rules()).unwrap()
}

fn scripted(knowledge: &VictoryKnowledge) -> [Box<dyn Agent<VictoryInEurope>>; 2] {
    ["scripted"; 2].map(|spec| spec.parse::<AgentSpec>().unwrap().build(knowledge).unwrap())
}

/// Plays a game; agents by team. Also returns all that was chosen.
fn play(
    game: &VictoryInEurope,
    knowledge: &VictoryKnowledge,
    teams: [&str; 2],
    number: u64,
) -> (Outcome, Vec<Action>) {
    let agents: Vec<_> = game
        .sides()
        .iter()
        .map(|side| teams[side.team as usize].parse::<AgentSpec>().unwrap().build(knowledge).unwrap())
        .collect();
    let mut streams = Streams::new(1, number, game.sides().len());
    let mut chosen = Vec::new();
    let mut note = |decision: &sandtable_ai::Decision<'_, VictoryInEurope>| chosen.push(decision.action);
    let outcome = play_game(game, agents, &mut streams, (), &mut note);
    (outcome, chosen)
}

/// Games of so many that the agent of a team wins.
fn wins(game: &VictoryInEurope, teams: [&str; 2], team: u8, games: u64) -> usize {
    let knowledge = VictoryKnowledge::new(game);
    (0..games).filter(|&number| play(game, &knowledge, teams, number).0.winner == Some(team)).count()
}

#[test]
fn the_scripted_axis_beats_random_play() {
    let won = wins(&game("campaign-1939"), ["scripted", "random"], 0, 100);
    assert!(won >= 99, "{won} of 100");
}

#[test]
fn the_scripted_allies_beat_random_play() {
    let won = wins(&game("campaign-1939"), ["random", "scripted"], 1, 100);
    assert!(won >= 99, "{won} of 100");
}

/// What an observer of both players sees of a campaign.
#[derive(Default)]
struct Course {
    poland_fell: u32,
    paris_fell: u32,
    /// Campaigns in which it did before 1942.
    paris_early: u32,
    landings: u32,
    axis_wins: u32,
    /// Campaigns in which the Axis held Denmark and Norway before 1942.
    denmark: u32,
    norway: u32,
    /// Campaigns with war in the east before 1942.
    east: u32,
    /// Campaigns that reach 1944, and those of them with a landing in France in 1943 or 1944.
    late: u32,
    second_fronts: u32,
}

#[test]
fn the_campaign_takes_a_course_like_history() {
    const GAMES: u32 = 40;
    let game = game("campaign-1939");
    let knowledge = VictoryKnowledge::new(&game);
    let paris = game.place("paris").unwrap();
    let mut course = Course::default();
    for number in 0..GAMES {
        let agents = scripted(&knowledge);
        let mut streams = Streams::new(2, u64::from(number), game.sides().len());
        let (mut poland, mut fell, mut early, mut landed) = (true, false, false, false);
        let (mut denmark, mut norway, mut east) = (false, false, false);
        let (mut late, mut second_front) = (false, false);
        let country = |id: &str| game.place(id).unwrap();
        let mut look = |decision: &sandtable_ai::Decision<'_, VictoryInEurope>| {
            let state = decision.state;
            let year = game.rules.calendar[state.turn as usize - 1].year;
            if year <= 1940 {
                poland = state.politics.standing(Nation::Poland) == Standing::Western;
            }
            fell |= state.held[0].contains(paris);
            early |= year < 1942 && state.held[0].contains(paris);
            landed |= decision.side.index() == 1 && matches!(decision.action, Action::Invade(_));
            denmark |= year < 1942 && state.held[0].contains(country("denmark"));
            norway |= year < 1942 && state.held[0].contains(country("oslo"));
            east |= year < 1942 && state.politics.ussr == Entry::AtWar;
            late |= year >= 1944;
            let on_france = |area: Place| game.home(Nation::France).contains(area);
            second_front |= decision.side.index() == 1
                && (1943..=1944).contains(&year)
                && matches!(decision.action, Action::Invade(area) if on_france(area));
        };
        let outcome = play_game(&game, agents, &mut streams, (), &mut look);
        course.poland_fell += u32::from(!poland);
        course.paris_fell += u32::from(fell);
        course.paris_early += u32::from(early);
        course.landings += u32::from(landed);
        course.axis_wins += u32::from(outcome.winner == Some(0));
        course.denmark += u32::from(denmark);
        course.norway += u32::from(norway);
        course.east += u32::from(east);
        course.late += u32::from(late);
        course.second_fronts += u32::from(late && second_front);
    }
    assert!(course.denmark >= GAMES * 6 / 10, "Denmark: {}", course.denmark);
    // Where France came first for all of the command of Germany, Norway fell in one campaign of eleven; where a landing there
    // waited for Denmark, in one of four.
    assert!(course.norway >= GAMES / 2, "Norway: {}", course.norway);
    assert!(
        2 * course.second_fronts >= course.late,
        "landings in France: {} of {}",
        course.second_fronts,
        course.late
    );
    assert!(course.poland_fell >= GAMES * 9 / 10, "Poland: {}", course.poland_fell);
    assert!(course.paris_fell >= GAMES * 4 / 10, "Paris: {}", course.paris_fell);
    // Where Germany fought everywhere at once, Paris fell before 1942 in a third of the campaigns; where its armour watched the
    // Soviets, in three of five.
    assert!(course.paris_early >= GAMES * 7 / 10, "Paris before 1942: {}", course.paris_early);
    // Where its armies stayed in France and waited for odds, one campaign of eight.
    assert!(course.east >= GAMES / 4, "war in the east before 1942: {}", course.east);
    assert!(course.landings >= GAMES * 8 / 10, "landings: {}", course.landings);
    // Neither side wins more than four games of five; with so few games a tenth is within the spread of the dice.
    let fair = GAMES / 10..=GAMES * 9 / 10;
    assert!(fair.contains(&course.axis_wins), "the Axis wins {}", course.axis_wins);
}

/// What the West does in some games until the end of 1944.
#[derive(Default)]
struct SecondFront {
    /// Games that reach 1944, and those of them with a landing in western Europe before its end.
    late: u32,
    landings: u32,
    /// Those in which a ship leaves the Channel for another sea, or the British Expeditionary Force its ports for elsewhere, in
    /// 1943 or 1944 before the first landing.
    left: u32,
}

fn second_front(scenario: &str, games: u64) -> SecondFront {
    const WEST: [Nation; 5] =
        [Nation::France, Nation::Belgium, Nation::Netherlands, Nation::Germany, Nation::Denmark];
    let game = game(scenario);
    let knowledge = VictoryKnowledge::new(&game);
    let (channel, expedition) = (game.place("english_channel").unwrap(), game.unit("gb_inf_bef").unwrap());
    let zone = channel.sea_zone().unwrap();
    let on_channel: Vec<Place> =
        game.rules.ports.iter().filter(|port| port.seas >> zone & 1 != 0).map(|port| port.area).collect();
    let mut seen = SecondFront::default();
    for number in 0..games {
        let mut events = Vec::new();
        let mut streams = Streams::new(2, number, game.sides().len());
        play_game(&game, scripted(&knowledge), &mut streams, &mut events, &mut ());
        let (mut year, mut ashore, mut landed, mut left) = (0, false, false, false);
        for event in events {
            match event {
                Event::TurnBegins { turn } => year = game.rules.calendar[usize::from(turn) - 1].year,
                Event::Invasion { force: Force::Western, area } => {
                    ashore = true;
                    landed |= year <= 1944 && WEST.iter().any(|&nation| game.home(nation).contains(area));
                }
                Event::Moved { unit, from, to, .. } if !ashore && (1943..=1944).contains(&year) => {
                    let is_western = !matches!(game.printed_nation(unit), Nation::Germany | Nation::Italy);
                    let is_ship = game.arm(unit) == Arm::Naval && game.kind(unit) != Kind::Convoy;
                    left |= is_western && is_ship && from == channel && to.sea_zone().is_some();
                    left |= unit == expedition && on_channel.contains(&from) && !on_channel.contains(&to);
                }
                _ => {}
            }
        }
        seen.late += u32::from(year >= 1944);
        seen.landings += u32::from(year >= 1944 && landed);
        seen.left += u32::from(left);
    }
    seen
}

#[test]
fn the_west_lands_in_western_europe_by_the_end_of_1944() {
    // Least share: three standard errors below what was measured over some hundred games of other seeds.
    for (scenario, games, least) in [
        // 0.86 to 0.96.
        ("campaign-1939", 40, 0.7),
        // 0.99, most of them before 1943.
        ("barbarossa-1941", 40, 0.9),
        // All.
        ("stalingrad-1942", 40, 0.92),
        // 0.95 to 0.97.
        ("kursk-1943", 40, 0.85),
        // 0.57 to 0.62: one half lies within two standard errors of 60 games.
        ("bagration-1944", 60, 0.4),
    ] {
        let SecondFront { late, landings, left } = second_front(scenario, games);
        println!("{scenario}: {landings} of {late}; {left} leave the Channel");
        assert!(late > 0, "no game of {scenario} reaches 1944");
        assert!(
            f64::from(landings) >= least * f64::from(late),
            "{scenario}: landings in {landings} of the {late} games that reach 1944"
        );
        // 33 where nobody waited, for a landing elsewhere that was worth hardly more.
        if scenario == "bagration-1944" {
            assert_eq!(left, 0, "of {games} games: the Channel is left before the first landing");
        }
    }
}

#[test]
fn konigsberg_berlin_and_leningrad_do_not_stand_empty_before_an_enemy() {
    const GAMES: u32 = 40;
    const POSTS: [&str; 3] = ["konigsberg", "berlin", "leningrad"];
    // Turns a game: three standard errors above what was measured over 120 games of three seeds; where it was never or hardly ever,
    // room for one game of six turns. With what decides the war guarded only against enemies beside it Berlin stands empty 1.3 to
    // 6.3 turns and Leningrad 3.6 and 5.9 (Stalingrad, Kursk). And how often Konigsberg falls without a battle, of 40 games: where
    // the player was asked for guards of capitals alone, 13 times in Kursk and 8 in Bagration.
    for (scenario, limits, unfought) in [
        // 0.92 (standard error of 40 games 0.2), 0.01 and 0; 12 of 40, most of them when the Soviets break the Pact while Germany
        // still fights for France.
        ("campaign-1939", [1.6, 0.15, 0.15], 22),
        // 0.36 (0.13), 0.07 and 0; 1 of 40.
        ("barbarossa-1941", [0.8, 0.25, 0.15], 4),
        // 0.68 (0.2), 1.45 in the 40 games here since the Soviets attack at worse odds; 0.07 (0.07) and 0.97 (0.25); 6 of 40.
        ("stalingrad-1942", [2.1, 0.3, 1.7], 11),
        // 1.46 (0.2), 0.18 (0.07) and 0.04; 2 of 40.
        ("kursk-1943", [2.1, 0.4, 0.2], 4),
        // 2.30 (0.17), behind a line that holds; 0.14 (0.05) and 0; none.
        ("bagration-1944", [2.8, 0.3, 0.15], 2),
    ] {
        let game = game(scenario);
        let knowledge = VictoryKnowledge::new(&game);
        let posts = POSTS.map(|id| game.place(id).unwrap());
        let mut empty = [0u32; POSTS.len()];
        let mut fell_unfought = 0;
        for number in 0..u64::from(GAMES) {
            let mut seen = 0;
            let mut look = |decision: &sandtable_ai::Decision<'_, VictoryInEurope>| {
                let state = decision.state;
                if state.turn == seen {
                    return;
                }
                seen = state.turn;
                for (turns, post) in empty.iter_mut().zip(posts) {
                    *turns += u32::from(empty_beside_an_enemy(&game, state, post).is_some());
                }
            };
            let mut streams = Streams::new(1, number, game.sides().len());
            let mut events = Vec::new();
            play_game(&game, scripted(&knowledge), &mut streams, &mut events, &mut look);
            fell_unfought += falls(&game, &events, posts[0])[1];
        }
        println!("{scenario}: Konigsberg falls without a battle {fell_unfought} times");
        assert!(
            fell_unfought <= unfought,
            "{scenario}: Konigsberg falls without a battle {fell_unfought} times, at most {unfought}"
        );
        for ((post, turns), limit) in POSTS.into_iter().zip(empty).zip(limits) {
            let turns = f64::from(turns) / f64::from(GAMES);
            println!("{scenario}: {post} {turns:.2}");
            assert!(
                turns <= limit,
                "{scenario}: {post} stands empty {turns:.2} turns a game, at most {limit}"
            );
        }
    }
}

/// The Axis of 1941 does not wait until the Soviets strike.
#[test]
fn barbarossa_begins_in_1941() {
    const GAMES: u32 = 24;
    let game = game("barbarossa-1941");
    let knowledge = VictoryKnowledge::new(&game);
    let mut launched = 0;
    for number in 0..u64::from(GAMES) {
        let agents = scripted(&knowledge);
        let mut at_war = false;
        let mut look = |decision: &sandtable_ai::Decision<'_, VictoryInEurope>| {
            let state = decision.state;
            at_war |= game.calendar(state).year == 1941 && state.politics.ussr == Entry::AtWar;
        };
        play_game(&game, agents, &mut Streams::new(1, number, game.sides().len()), (), &mut look);
        launched += u32::from(at_war);
    }
    // Where it asked for the odds of any other attack, 20.
    assert!(launched >= GAMES - 1, "{launched} of {GAMES}");
}

#[test]
fn neither_side_wins_all_of_the_war_that_is_under_way() {
    for scenario in ["kursk-1943", "bagration-1944"] {
        let axis = wins(&game(scenario), ["scripted"; 2], 0, 30);
        assert!((4..=28).contains(&axis), "{scenario}: the Axis wins {axis} of 30");
    }
}

#[test]
fn a_restriction_is_kept_and_tells() {
    let game = game("campaign-1939");
    let knowledge = VictoryKnowledge::new(&game);
    let (_, free) = play(&game, &knowledge, ["scripted"; 2], 0);
    for restriction in knowledge.restrictions() {
        let denied = format!("scripted:deny={}", restriction.name);
        let (_, bound) = play(&game, &knowledge, [&denied, &denied], 0);
        assert!(free != bound, "{} never came up", restriction.name);
    }
}

#[test]
fn weights_change_play() {
    let game = game("bagration-1944");
    let knowledge = VictoryKnowledge::new(&game);
    // A short game may not have a choice that hangs on the weight.
    let games = 1..5;
    for weights in ["axis.fear:2", "allied.soviet_pull:1", "allied.western_fear:2"] {
        let spec = format!("scripted:weights={weights}");
        let differs = games.clone().any(|number| {
            let usual = play(&game, &knowledge, ["scripted"; 2], number).1;
            play(&game, &knowledge, [&spec, &spec], number).1 != usual
        });
        assert!(differs, "{weights}");
    }
    // Who only ever opens sure battles does not get to Berlin.
    let timid = "scripted:weights=allied.soviet_odds:0.9+allied.western_odds:0.9+allied.western_landing:12";
    let (won, usual) = (wins(&game, ["scripted", timid], 1, 30), wins(&game, ["scripted"; 2], 1, 30));
    assert!(won <= usual, "timid Allies win {won} of 30, usual ones {usual}");
}

/// The Axis of higher `odds` opens fewer battles in the first turn of Barbarossa.
#[test]
fn an_axis_that_wants_better_odds_opens_fewer_battles() {
    let game = game("barbarossa-1941");
    let knowledge = VictoryKnowledge::new(&game);
    let battles = |axis: &str| {
        let mut opened = 0;
        for number in 0..4 {
            let agents =
                [axis, "scripted"].map(|spec| spec.parse::<AgentSpec>().unwrap().build(&knowledge).unwrap());
            let mut streams = Streams::new(3, number, game.sides().len());
            let mut seen = false;
            let mut look = |decision: &sandtable_ai::Decision<'_, VictoryInEurope>| {
                let state = decision.state;
                if state.turn == game.rules.setup.first_turn && state.phase == Phase::Combat && !seen {
                    seen = true;
                    opened += state.attacked[0].len();
                }
            };
            play_game(&game, agents, &mut streams, (), &mut look);
        }
        opened
    };
    let (usual, cautious) = (battles("scripted"), battles("scripted:weights=axis.odds:0.9"));
    assert!(cautious < usual, "{cautious} battles against {usual}");
}

#[test]
fn equal_seeds_give_equal_games() {
    let game = game("stalingrad-1942");
    let knowledge = VictoryKnowledge::new(&game);
    let [(first, one), (second, other)] =
        [3, 3].map(|number| play(&game, &knowledge, ["scripted"; 2], number));
    assert_eq!(first, second);
    assert_eq!(one, other);
    assert_ne!(one, play(&game, &knowledge, ["scripted"; 2], 4).1);
}

/// Whatever is asked, with whatever plans: the answer is legal.
#[test]
fn answers_are_legal_where_others_have_played_before() {
    let game = game("campaign-1939");
    check_legality(&game, &VictoryKnowledge::new(&game), "scripted", 3);
}

/// What is left of production is left because all that fights on land stands on the map at full strength.
#[test]
fn no_points_are_left_while_an_army_could_be_built() {
    for scenario in ["campaign-1939", "bagration-1944"] {
        let game = game(scenario);
        let knowledge = VictoryKnowledge::new(&game);
        let (mut ends, mut left, mut for_armies) = (0u32, 0u32, 0u32);
        for number in 0..4 {
            let agents = scripted(&knowledge);
            let mut look = |decision: &sandtable_ai::Decision<'_, VictoryInEurope>| {
                let state = decision.state;
                let Some(major) = state.budget.major() else { return };
                if state.phase != Phase::Production || decision.action != Action::Pass {
                    return;
                }
                let points = u32::from(state.budget.points[major.index()]);
                ends += 1;
                left += points;
                let fights = decision.legal.iter().any(|action| match action {
                    Action::Build(unit) | Action::Raise(unit, _) => {
                        game.kind(*unit).is_infantry() || game.kind(*unit) == Kind::Panzer
                    }
                    _ => false,
                });
                for_armies += if fights { points } else { 0 };
            };
            play_game(&game, agents, &mut Streams::new(4, number, game.sides().len()), (), &mut look);
        }
        assert_eq!(for_armies, 0, "{scenario}: of {left} points left");
        // The end of production is offered where something could be built: it is chosen now and then, and not as a habit.
        assert!(ends > 0, "{scenario}: all is spent, and nothing is seen here");
        println!("{scenario}: {ends} ends, {left} left");
    }
}
