//! The scripted player of Roads to Moscow: how strong it is, what courses its games take, and that it is fair and repeatable.

use std::thread;

use sandtable_ai::kit::{check_legality, check_proofs};
use sandtable_ai::{Agent, AgentSpec, Decision, Streams, SystemKnowledge, View, play_game};
use sandtable_ai_roads_to_moscow::MoscowKnowledge;
use sandtable_core::{Game, Index, Outcome, PlayContext, Rng64, Turn};
use sandtable_roads_to_moscow::ids::{Formations, Units, hex, place};
use sandtable_roads_to_moscow::state::is_hex;
use sandtable_roads_to_moscow::{Action, FormationId, Mark, Phase, Player, RoadsToMoscow, State, UnitId};

const SCENARIOS: [&str; 4] = ["pervyy-voin", "road-to-mtsensk", "borodino-field", "mozhaysk"];

fn game(scenario: &str) -> RoadsToMoscow {
    let name = format!("roads-to-moscow/{scenario}");
    let scenario = sandtable_scenarios_roads_to_moscow::open(&name, &[]).unwrap();
    RoadsToMoscow::new(scenario.into_rules()).unwrap()
}

fn build(spec: &str, knowledge: &MoscowKnowledge) -> Box<dyn Agent<RoadsToMoscow>> {
    spec.parse::<AgentSpec>().unwrap().build(knowledge).unwrap()
}

/// Plays a game, the German's agent first; shows each decision.
fn play(
    game: &RoadsToMoscow,
    knowledge: &MoscowKnowledge,
    agents: [&str; 2],
    number: u64,
    note: &mut impl FnMut(&Decision<'_, RoadsToMoscow>),
) -> Outcome {
    let agents = agents.map(|spec| build(spec, knowledge));
    play_game(game, agents, &mut Streams::new(1, number, 2), (), note)
}

/// Games of so many that a player wins, on two threads.
fn wins(game: &RoadsToMoscow, agents: [&str; 2], player: Player, games: u64) -> u64 {
    let knowledge = MoscowKnowledge::new(game);
    let won = |first: u64| {
        (first..games)
            .step_by(2)
            .filter(|&number| {
                let outcome = play(game, &knowledge, agents, number, &mut |_| {});
                outcome.winner == Some(player as u8)
            })
            .count() as u64
    };
    thread::scope(|scope| {
        let other = scope.spawn(|| won(1));
        won(0) + other.join().expect("the games were played")
    })
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn the_scripted_player_beats_random_play_on_both_sides_of_every_scenario() {
    for scenario in SCENARIOS {
        let game = game(scenario);
        for (agents, player) in
            [(["scripted", "random"], Player::German), (["random", "scripted"], Player::Soviet)]
        {
            let won = wins(&game, agents, player, 100);
            assert!(won >= 99, "{scenario}: the scripted {} wins {won} of 100", player.name());
        }
    }
}

/// Neither side wins more than seventy games of a hundred; with so few games a tenth is within the spread of the dice.
#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn neither_side_wins_all_of_a_scenario() {
    const GAMES: u64 = 60;
    for scenario in SCENARIOS {
        let won = wins(&game(scenario), ["scripted"; 2], Player::German, GAMES);
        let fair = GAMES / 5..=GAMES * 4 / 5;
        assert!(fair.contains(&won), "{scenario}: the German wins {won} of {GAMES}");
    }
}

/// Of so many games those in which the German holds a hex at the end, and those of them that he took it for good in each
/// turn.
fn falls(scenario: &str, town: u16, games: u64) -> Vec<u64> {
    let game = game(scenario);
    let knowledge = MoscowKnowledge::new(&game);
    let mut turns = vec![0; game.rules.calendar.len()];
    for number in 0..games {
        let mut fell = None;
        play(&game, &knowledge, ["scripted"; 2], number, &mut |decision| {
            if decision.state.controller(hex(town)) == Player::Soviet {
                fell = None;
            } else {
                fell = fell.or(Some(decision.state.turn));
            }
        });
        if let Some(turn) = fell {
            turns[usize::from(turn) - 1] += 1;
        }
    }
    turns
}

/// Of the games in which a town falls most fall on the last days.
fn assert_falls_late(scenario: &str, town: u16, from: &str, games: u64) {
    let game = game(scenario);
    let falls = falls(scenario, town, games);
    let first = game.rules.calendar.iter().position(|turn| turn.name == from).unwrap();
    let (late, all): (u64, u64) = (falls[first..].iter().sum(), falls.iter().sum());
    assert!(all >= games / 20, "{scenario}: the town falls in {all} of {games} games");
    assert!(2 * late > all, "{scenario}: {late} of {all} times from {from} on: {falls:?}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn mtsensk_falls_on_the_tenth_or_the_eleventh() {
    // It seldom falls: so many games for a few of them.
    assert_falls_late("road-to-mtsensk", 3605, "10AM", 300);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn mozhaysk_falls_on_the_seventeenth_or_the_eighteenth() {
    assert_falls_late("mozhaysk", 2019, "17AM", 40);
}

/// What a side of the scripted player wastes in some games: the columns of waste of table `turns`, each beside what it is a
/// part of.
#[derive(Default, Debug)]
struct Waste {
    /// Attacks declared below 1-1, and all.
    poor: u32,
    attacks: u32,
    /// Units without supply that would have it had they not moved, those without it at all, and all units; by turns.
    strayed: u32,
    starved: u32,
    units: u32,
    /// Guns that supported no combat in a turn in which they could have, and those that could.
    silent: u32,
    guns: u32,
    /// Formations on the map that are not activated in a turn, and all.
    idle: u32,
    formations: u32,
    /// Rockets that the enemy destroyed.
    rockets: u32,
}

/// The turn at hand, while [`Waste`] is counted.
struct Watch {
    turn: u8,
    judged: bool,
    before: Option<State>,
    went: Units,
    could: Units,
    did: Units,
    present: Formations,
    active: Formations,
}

impl Watch {
    fn begin(state: &State) -> Watch {
        Watch {
            turn: state.turn,
            judged: false,
            before: None,
            went: Units::EMPTY,
            could: Units::EMPTY,
            did: Units::EMPTY,
            present: Formations::EMPTY,
            active: Formations::EMPTY,
        }
    }

    fn end(&mut self, game: &RoadsToMoscow, waste: &mut [Waste; 2]) {
        for player in Player::ALL {
            let (waste, own) = (&mut waste[player.index()], game.units_of(player));
            waste.silent += self.could.and(own).difference(&self.did).len();
            waste.guns += self.could.or(&self.did).and(own).len();
            let of = |formations: Formations| {
                formations.iter().filter(|of| game.rules.formations[of.at()].player == player).count() as u32
            };
            waste.idle += of(self.present.difference(&self.active));
            waste.formations += of(self.present);
        }
        (self.could, self.did) = (Units::EMPTY, Units::EMPTY);
        (self.present, self.active) = (Formations::EMPTY, Formations::EMPTY);
    }

    /// After supply has been judged: who has none, and would have it where it stood a turn ago?
    fn judge(&mut self, game: &RoadsToMoscow, state: &State, waste: &mut [Waste; 2]) {
        for player in Player::ALL {
            let (waste, own) = (&mut waste[player.index()], game.units_of(player).and(&state.on_map));
            let open = [false, true].map(|foot| game.supplied_hexes(state, player, foot));
            let without = state.marked(Mark::Emergency).or(state.marked(Mark::Unsupplied)).and(&own);
            waste.units += own.len();
            waste.starved += without.len();
            let strayed = |unit: &UnitId| {
                let before = self.before.as_ref().map(|before| before.at(*unit));
                self.went.contains(*unit)
                    && before.is_some_and(|hex| {
                        is_hex(hex)
                            && hex != state.at(*unit)
                            && open[usize::from(!game.is_motorised(*unit))].contains(hex)
                    })
            };
            waste.strayed += without.iter().filter(strayed).count() as u32;
        }
        (self.before, self.went) = (Some(*state), Units::EMPTY);
        let there = |of: &FormationId| game.units_in(*of).intersects(&state.on_map) && !state.in_reserve(*of);
        self.present = (0..game.rules.formations.len()).map(FormationId::nth).filter(there).collect();
    }
}

/// Counts the waste of so many games of a scenario.
fn count_waste(scenario: &str, games: u64, waste: &mut [Waste; 2]) {
    let game = game(scenario);
    let knowledge = MoscowKnowledge::new(&game);
    for number in 0..games {
        let mut watch: Option<Watch> = None;
        let mut gone = Units::EMPTY;
        play(&game, &knowledge, ["scripted"; 2], number, &mut |decision| {
            let state: &State = decision.state;
            gone = state.units_at_place(place::ELIMINATED);
            let watch = watch.get_or_insert_with(|| Watch::begin(state));
            if state.turn != watch.turn {
                watch.end(&game, waste);
                (watch.turn, watch.judged) = (state.turn, false);
            }
            if !watch.judged && state.phase > Phase::Reserve {
                watch.judge(&game, state, waste);
                watch.judged = true;
            }
            watch.active = watch.active.or(&state.formations);
            match (state.phase, decision.action) {
                (Phase::Attackers, Action::Declare(_)) => {
                    let attack = state.attacks().last().unwrap();
                    let (a, d) = game.declared_strengths(state, &attack.attackers, attack.target);
                    let waste = &mut waste[state.active.index()];
                    waste.poor += u32::from(a < d);
                    waste.attacks += 1;
                }
                (Phase::Stack, Action::Go(_)) => watch.went = watch.went.or(&state.moving),
                (Phase::Artillery, action) => {
                    let open = decision.legal.iter().filter_map(|&action| match action {
                        Action::Unit(unit) => Some(unit),
                        _ => None,
                    });
                    // No more than two fire from afar (12.13f2): who is left out could not have fired.
                    match action {
                        Action::Unit(unit) => watch.did = watch.did.or(&Units::one(unit)),
                        _ => watch.could = watch.could.or(&open.collect()),
                    }
                }
                _ => {}
            }
        });
        for player in Player::ALL {
            let rockets = gone.and(game.units_of(player)).filter(|unit| game.unit(unit).support_attack_only);
            waste[player.index()].rockets += rockets.len();
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn little_is_wasted() {
    let mut waste = [Waste::default(), Waste::default()];
    for scenario in SCENARIOS {
        count_waste(scenario, 10, &mut waste);
    }
    for (waste, player) in waste.iter().zip(Player::ALL) {
        let told = format!("{}: {waste:?}", player.name());
        println!("{told}");
        // The Soviets make few, and fewer since the German comes to meet them at Pervyy Voin.
        assert!(waste.attacks > 50 && 10 * waste.poor < waste.attacks, "{told}");
        assert!(5 * waste.starved < waste.units, "{told}");
        assert!(20 * waste.strayed < waste.units, "{told}");
        assert!(waste.guns > 300 && 5 * waste.silent < waste.guns, "{told}");
        assert!(3 * waste.idle < waste.formations, "{told}");
        // One a game, of two or three: they keep behind the line.
        assert!(waste.rockets <= 40, "{told}");
    }
}

/// Who can run over the enemy on his way does so, and at odds that promise it.
#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn the_weak_are_overrun() {
    let game = game("mozhaysk");
    let knowledge = MoscowKnowledge::new(&game);
    let (mut overruns, mut strong) = (0, 0);
    for number in 0..6 {
        play(&game, &knowledge, ["scripted"; 2], number, &mut |decision| {
            if let Action::Overrun(target) = decision.action {
                let (attack, defence) = game.overrun_strengths(decision.state, target);
                overruns += 1;
                strong += u32::from(attack >= 2 * defence);
            }
        });
    }
    assert!(overruns >= 12 && 5 * strong >= 4 * overruns, "{strong} of {overruns} overruns at 2-1 or better");
}

#[test]
fn a_restriction_is_kept_and_tells() {
    let knowledge_of = |game: &RoadsToMoscow| MoscowKnowledge::new(game);
    let game = game("borodino-field");
    let knowledge = knowledge_of(&game);
    for restriction in knowledge.restrictions() {
        let mut denied = 0;
        for agent in ["random", "scripted"] {
            let spec = format!("{agent}:deny={}", restriction.name);
            for number in 0..2 {
                play(&game, &knowledge, [&spec, &spec], number, &mut |decision| {
                    let mut legal = Vec::new();
                    game.legal_actions(decision.state, &mut legal);
                    let is_denied =
                        |action| (restriction.denies)(&game, decision.state, decision.side, action);
                    let among = legal.iter().filter(|&&action| is_denied(action)).count();
                    denied += u32::from(among > 0);
                    assert!(
                        !is_denied(decision.action) || among == legal.len(),
                        "{spec}: {:?}",
                        decision.action
                    );
                });
            }
        }
        assert!(denied > 0, "{}: it never came up", restriction.name);
    }
}

#[test]
fn weights_change_play() {
    let game = game("pervyy-voin");
    let knowledge = MoscowKnowledge::new(&game);
    let choices = |spec: &str| {
        let mut chosen = Vec::new();
        play(&game, &knowledge, [spec, spec], 1, &mut |decision| chosen.push(decision.action));
        chosen
    };
    let usual = choices("scripted");
    for weights in ["german.block:4", "german.forward:1", "soviet.gain:3", "soviet.prize:3"] {
        assert_ne!(choices(&format!("scripted:weights={weights}")), usual, "{weights}");
    }
}

#[test]
fn what_was_proven_ships() {
    let game = game("pervyy-voin");
    check_proofs(include_str!("../proof.toml"), &MoscowKnowledge::new(&game).weights()).unwrap();
}

/// Who goes to meet the enemy does better than who only bars his way, as a plan of the search says, and the usual German does so.
#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn who_holds_does_better_by_a_counteroffensive() {
    const GAMES: u64 = 100;
    let game = game("pervyy-voin");
    let forward = "scripted:weights=german.pull:0.12+german.forward:1";
    let bars = "scripted:weights=german.pull:0.01";
    let [bars, usual, counteroffensive] =
        [bars, "scripted", forward].map(|german| wins(&game, [german, "scripted"], Player::German, GAMES));
    assert!(counteroffensive >= bars + 15, "{counteroffensive} and {bars} of {GAMES}");
    assert!(usual >= bars + 5, "{usual} and {bars} of {GAMES}");
}

#[test]
fn equal_seeds_give_equal_games() {
    let game = game("pervyy-voin");
    let knowledge = MoscowKnowledge::new(&game);
    let choices = |number: u64| {
        let mut chosen = Vec::new();
        play(&game, &knowledge, ["scripted"; 2], number, &mut |decision| chosen.push(decision.action));
        chosen
    };
    assert_eq!(choices(3), choices(3));
    assert_ne!(choices(3), choices(4));
}

/// Whatever is asked, with whatever plans: the answer is legal.
#[test]
fn answers_are_legal_where_others_have_played_before() {
    let game = game("mozhaysk");
    for name in ["scripted", "light"] {
        check_legality(&game, &MoscowKnowledge::new(&game), name, 3);
    }
}

/// The choice of an agent comes from its view alone, so that whoever asks twice hears the same.
#[test]
fn agents_build_from_their_specifications() {
    let game = game("pervyy-voin");
    let knowledge = MoscowKnowledge::new(&game);
    let mut dice = Rng64::stream(4, 0, 0);
    let state = game.initial(&mut PlayContext::silent(&mut dice));
    let Turn::Decide(side) = game.turn_of(&state) else { panic!("the game is over") };
    let mut legal = Vec::new();
    game.legal_actions(&state, &mut legal);
    for spec in [
        "random",
        "scripted",
        "flat-mc:iterations=4,depth=1t",
        "mcts:iterations=16,depth=1t",
        "ismcts:iterations=16,depth=1t",
    ] {
        let choose = || {
            let mut agent = build(spec, &knowledge);
            agent.choose(&View::new(&game, &state, side, &legal), &mut Rng64::stream(3, 0, 1))
        };
        assert_eq!(choose(), choose(), "{spec}");
    }
}
