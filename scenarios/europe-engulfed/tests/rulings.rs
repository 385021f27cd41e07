//! What no worked example can show of the rulings: who leads whom, what a player sees, where the line runs.

use sandtable_core::{Game, Index, PlayContext, Rng64, Side, Turn};
use sandtable_europe_engulfed::editor::Editor;
use sandtable_europe_engulfed::ids::Areas;
use sandtable_europe_engulfed::rules::{Branch, PlayerId, Standing};
use sandtable_europe_engulfed::{Action, Area, EuropeEngulfed, KindId, Nation, Phase, State, Team};
use sandtable_scenarios::kit;
use sandtable_scenarios_europe_engulfed::Examples;

fn game(scenario: &str, edits: &[&str]) -> EuropeEngulfed {
    let scenario = kit::with::<Examples>(scenario, edits).unwrap_or_else(|error| panic!("{error}"));
    EuropeEngulfed::new(scenario.into_rules()).expect("a game")
}

fn area(game: &EuropeEngulfed, id: &str) -> Area {
    game.area(id).unwrap_or_else(|| panic!("no area {id}"))
}

/// The side that a player has.
fn side(game: &EuropeEngulfed, player: PlayerId) -> Side {
    Side(game.rules.setup.players.iter().position(|one| one.id == player).expect("a player") as u8)
}

/// A36: of three players the Western one leads Great Britain and the USA, the Soviet one the USSR, France and Poland; of two one leads
/// them all. A minor that the Allies attack is the Axis player's.
#[test]
fn three_players_lead_their_powers() {
    let allies =
        [Nation::GreatBritain, Nation::UnitedStates, Nation::SovietUnion, Nation::France, Nation::Poland];
    let (western, soviet) = (PlayerId::Western, PlayerId::Soviet);
    for (option, expected) in
        [("no", [PlayerId::Allied; 5]), ("yes", [western, western, soviet, soviet, soviet])]
    {
        let game = game("europe-engulfed/campaign-1939", &[&format!("options.three_players={option}")]);
        let leader = |nation: Nation| {
            let mut players = game.rules.setup.players.iter();
            players.find(|player| player.nations & nation.bit() != 0).expect("a player").id
        };
        assert_eq!(allies.map(leader), expected, "{option}");
        let mut context = PlayContext::silent(Rng64::stream(1, 0, 0));
        let mut editor = Editor::new(&game);
        editor.clear().turn(4).standing(Nation::GreatBritain, Standing::Belligerent);
        let mut state = editor.begin(Phase::Declarations, Team::Second, &mut context);
        game.apply(&mut state, Action::DeclareWar(Nation::GreatBritain, Nation::Norway), &mut context);
        game.apply(&mut state, Action::Pass, &mut context);
        assert_eq!(state.phase, Phase::Mobilization, "{option}");
        assert_eq!(game.turn_of(&state), Turn::Decide(side(&game, PlayerId::Axis)), "{option}");
    }
}

/// Soviet infantry, of four steps and of three, with so many steps in these areas.
fn soviets(game: &EuropeEngulfed, four: (&str, u8), three: (&str, u8)) -> State {
    let kind = |max: u8| {
        let mut kinds = game.rules.kinds.iter();
        let wanted = (Nation::SovietUnion, Branch::Infantry, false, max);
        let nth = kinds.position(|kind| (kind.nation, kind.branch, kind.elite, kind.max) == wanted);
        KindId(nth.expect("a kind") as u8)
    };
    let mut editor = Editor::new(game);
    editor.clear();
    editor.place(kind(4), area(game, four.0), four.1);
    editor.place(kind(3), area(game, three.0), three.1);
    let mut context = PlayContext::silent(Rng64::stream(1, 0, 0));
    editor.start(Phase::Operational, Team::First, &mut context)
}

/// A115: of three players the Western one sees which Soviet block stands where, the Axis does not.
#[test]
fn partners_see_each_others_blocks() {
    let game = game("europe-engulfed/campaign-1941", &["options.three_players=yes"]);
    let one = soviets(&game, ("moscow", 3), ("gorki", 3));
    let other = soviets(&game, ("gorki", 3), ("moscow", 3));
    for (player, tells) in [(PlayerId::Western, true), (PlayerId::Soviet, true), (PlayerId::Axis, false)] {
        let seen = |state: &State| game.observation(state, side(&game, player));
        assert_eq!(seen(&one) != seen(&other), tells, "{player:?}");
    }
}

/// A116: which blocks a power has, how many steps they have and how many stand in an area is public, not which of them stands where.
#[test]
fn what_is_built_is_public_not_where_it_stands() {
    let game = game("europe-engulfed/campaign-1941", &[]);
    let seen = |state: &State| game.observation(state, side(&game, PlayerId::Axis));
    let here = seen(&soviets(&game, ("moscow", 3), ("gorki", 2)));
    assert_eq!(here, seen(&soviets(&game, ("gorki", 3), ("moscow", 2))), "which of them stands where");
    assert_ne!(here, seen(&soviets(&game, ("moscow", 4), ("gorki", 2))), "a step more");
    assert_ne!(here, seen(&soviets(&game, ("moscow", 3), ("moscow", 2))), "how many stand in an area");
}

/// A140: the Soviet side of the Demarcation Line is that of 1945.
#[test]
fn the_demarcation_line_is_that_of_1945() {
    let game = game("europe-engulfed/campaign-1941", &[]);
    let countries =
        "soviet_union baltic_states poland romania romania_ceded hungary bulgaria yugoslavia finland";
    let germany = "east_prussia pomerania berlin saxony silesia bohemia slovakia";
    let eastern = |area: &Area| {
        countries.split(' ').any(|id| game.country_of(*area).id == id)
            || germany.split(' ').any(|id| game.rules.areas[area.at()].id == id)
    };
    let expected: Areas = game.areas().iter().filter(eastern).collect();
    assert_eq!(game.rules.optional.soviet_sphere, expected);
}
