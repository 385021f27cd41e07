//! The scripted player of Europe Engulfed: how strong it is, and that it is fair.

use sandtable_ai::kit::{check_legality, check_secrecy};
use sandtable_ai::{AgentSpec, Streams, play_game};
use sandtable_ai_europe_engulfed::EngulfedKnowledge;
use sandtable_core::{Game, Outcome};
use sandtable_europe_engulfed::event::{Event, LossCause, SpecialAction};
use sandtable_europe_engulfed::rules::{Bimester, Standing};
use sandtable_europe_engulfed::{EuropeEngulfed, Nation, Team};

fn game(scenario: &str) -> EuropeEngulfed {
    let scenario =
        sandtable_scenarios_europe_engulfed::open(&format!("europe-engulfed/{scenario}"), &[]).unwrap();
    EuropeEngulfed::new(scenario.into_rules()).unwrap()
}

/// Plays a game; agents by team.
fn play(
    game: &EuropeEngulfed,
    knowledge: &EngulfedKnowledge,
    teams: [&str; 2],
    number: u64,
) -> (Outcome, Vec<Event>) {
    let agents: Vec<_> = game
        .sides()
        .iter()
        .map(|side| teams[side.team as usize].parse::<AgentSpec>().unwrap().build(knowledge).unwrap())
        .collect();
    let mut streams = Streams::new(1, number, game.sides().len());
    let mut events = Vec::new();
    (play_game(game, agents, &mut streams, &mut events, &mut ()), events)
}

/// Games of so many that the agent of a team wins.
fn wins(game: &EuropeEngulfed, teams: [&str; 2], team: Team, games: u64) -> usize {
    let knowledge = EngulfedKnowledge::new(game);
    let won = |number: &u64| play(game, &knowledge, teams, *number).0.winner == Some(team as u8);
    (0..games).filter(won).count()
}

/// Each side against random play, in each scenario: the campaigns are the whole of the game, so that few games show it.
#[test]
fn the_scripted_player_beats_random_play() {
    for (scenario, games, least) in [
        ("patton-1945", 100, [85, 99]),
        ("tournament-1942", 6, [6, 6]),
        ("european-war-1939", 4, [4, 4]),
        ("campaign-1941", 4, [4, 4]),
        ("campaign-1939", 3, [3, 3]),
    ] {
        let game = game(scenario);
        for team in Team::ALL {
            let agents = if team == Team::First { ["scripted", "random"] } else { ["random", "scripted"] };
            let won = wins(&game, agents, team, games);
            assert!(won >= least[team.index()], "{scenario}: {team:?} wins {won} of {games}");
        }
    }
}

/// A campaign begins as the war did: Poland falls in the autumn of 1939, and the Axis keeps enough in Poland to hold the USSR to the
/// pact in its first year. It does not always: the USSR breaks it in 6 of 16, and did in 15 when nobody watched it.
#[test]
fn a_campaign_begins_as_the_war_did() {
    let game = game("campaign-1939");
    let knowledge = EngulfedKnowledge::new(&game);
    let (mut poland, mut broken, games) = (0, 0, 16);
    for number in 0..games {
        let mut now = Bimester::default();
        for event in play(&game, &knowledge, ["scripted", "scripted"], number).1 {
            match event {
                Event::TurnBegins { turn, .. } => now = game.bimester(turn),
                Event::StandingChanged { nation: Nation::Poland, standing: Standing::Conquered } => {
                    poland += u32::from(now.year == 1939);
                }
                Event::WarDeclared { by: Nation::SovietUnion, .. } => {
                    broken += u32::from(now <= Bimester { year: 1940, nth: 4 });
                }
                _ => {}
            }
        }
    }
    assert!(poland >= 13, "Poland falls in 1939 in {poland} of {games}");
    assert!(broken <= 9, "the USSR breaks the pact by August 1940 in {broken} of {games}");
}

/// Who is denied something does not do it, whatever else happens.
#[test]
fn what_is_denied_is_not_done() {
    let game = game("tournament-1942");
    let knowledge = EngulfedKnowledge::new(&game);
    let spent = |deny: &str| {
        let agent = format!("scripted:deny={deny}");
        let events = play(&game, &knowledge, [&agent, &agent], 1).1;
        events
            .into_iter()
            .filter_map(|event| match event {
                Event::Spent { on, .. } => Some(on),
                _ => None,
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(spent("special-actions"), []);
    let without = spent("amphibious");
    assert!(!without.is_empty() && !without.contains(&SpecialAction::Amphibious), "{without:?}");
    assert!(spent("paratroops").contains(&SpecialAction::Amphibious));
}

/// Steps that starve are steps thrown away; WERP that are left are lost.
#[test]
fn little_is_wasted() {
    let game = game("patton-1945");
    let knowledge = EngulfedKnowledge::new(&game);
    let (mut starved, mut unspent, games) = ([0.0f32; 2], [0.0f32; 2], 60u8);
    for number in 0..games {
        for event in play(&game, &knowledge, ["scripted", "scripted"], number.into()).1 {
            let team = |nation: Nation| usize::from(nation == Nation::SovietUnion);
            match event {
                Event::Loss { unit, cause: LossCause::Supply, .. } => starved[team(game.nation(unit))] += 1.0,
                Event::Unspent { nation, werp } => unspent[team(nation)] += f32::from(werp),
                _ => {}
            }
        }
    }
    for team in Team::ALL {
        let a_game = |sum: [f32; 2]| sum[team.index()] / f32::from(games);
        assert!(a_game(starved) < 6.0, "{team:?} starves {} steps a game", a_game(starved));
        assert!(a_game(unspent) < 12.0, "{team:?} leaves {} WERP a game", a_game(unspent));
    }
}

#[test]
fn what_is_hidden_does_not_change_a_choice() {
    for scenario in ["patton-1945", "tournament-1942", "european-war-1939", "campaign-1941", "campaign-1939"]
    {
        let game = game(scenario);
        check_secrecy(scenario, &game, &EngulfedKnowledge::new(&game), "scripted", 500);
    }
}

/// Whatever is asked, with whatever plans: the answer is legal.
#[test]
fn answers_are_legal_where_others_have_played_before() {
    let game = game("patton-1945");
    check_legality(&game, &EngulfedKnowledge::new(&game), "scripted", 3);
}
