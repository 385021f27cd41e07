//! Odds of the initiative: in which order formations are drawn from the cups (7.1, 7.14, 7.2).
//!
//! ```text
//! who is First Player (7.11) -> which markers stay out of the Second Player's cup (7.14) -> the sequences in turn (7.23)
//!   both, with their chances       every set that he may leave out                          each side's draws in any order
//! ```
//!
//! Nobody passes and nobody combines formations, so that the n-th draw of a side comes in a sequence that is known. What the
//! rules say of limits and of who is available is asked of the game; the same is sampled by playing the turn.

use sandtable_core::{Dice, Game as _, Index as _, PlayContext, Rng64, Turn};
use sandtable_roads_to_moscow::editor::Editor;
use sandtable_roads_to_moscow::ids::Markers;
use sandtable_roads_to_moscow::order::DrawOrder as Draws;
use sandtable_roads_to_moscow::{Action, Event, FormationId, Marker, Phase, Player, RoadsToMoscow, State};
use sandtable_scenarios_roads_to_moscow::SYSTEM;

use super::USUAL;
use sandtable_experiments::failure::{Failure, expected};
use sandtable_experiments::system::Override;
use sandtable_experiments::system::data::{name_of, policy_value, unknown_policy, wrong_policy};
use sandtable_experiments::system::odds::{DrawOrder, InitiativeOdds, InitiativeRequest};

/// The keys of the policies.
const POLICIES: [&str; 6] = ["first", "holder", "german", "soviet", "leave_out", "opening"];

/// What is laid down about the turn.
struct Terms {
    /// Who is First Player, if that is settled.
    first: Option<Player>,
    /// Who had the initiative last (7.13).
    holder: Player,
    /// Modifiers collected (7.12), German and Soviet.
    modifiers: [u8; 2],
    /// What the Second Player leaves out if he must; else any set is as probable as another.
    leave_out: Vec<FormationId>,
    /// The marker that the First Player plays before the cups are filled on turn 1 (R10).
    opening: Option<FormationId>,
}

/// A course of the draws: the turn's markers in cups, with its probability.
struct Course {
    first: Player,
    /// Played before the draws, on turn 1.
    opening: Option<Marker>,
    /// By player.
    cups: [Markers; 2],
    probability: f64,
}

pub(in super::super) fn initiative(request: &InitiativeRequest<'_>) -> Result<InitiativeOdds, Failure> {
    let scenario = request.scenario.map_or_else(|| USUAL.to_owned(), name_of);
    let loaded = SYSTEM.open(&scenario, request.overrides)?;
    let game = RoadsToMoscow::new(loaded.into_rules()).map_err(Failure::input)?;
    let turns = game.rules.calendar.len();
    let turn = request.turn.unwrap_or(2.min(turns as u8));
    if turn == 0 || usize::from(turn) > turns {
        return Err(Failure::input(format!("--turn {turn}: expected a turn of the scenario, 1 to {turns}")));
    }
    let terms = terms(&game, turn, request.policies)?;
    let state = start(&game, turn, &terms);
    let courses = courses(&game, &state, &terms)?;
    let markers = state.in_play;
    let mut formations: Vec<FormationId> = markers.iter().map(|marker| game.formation_of(marker)).collect();
    formations.sort_unstable_by_key(|formation| (game.rules.formations[formation.at()].player, *formation));
    formations.dedup();
    let drawings: Vec<Drawing<'_>> = courses.iter().map(|course| Drawing::new(&game, course)).collect();
    let longest = drawings.iter().map(Drawing::len).max().unwrap_or(0);
    let mut draws: Vec<DrawOrder> = formations
        .iter()
        .map(|&formation| {
            let own = game.marker_sets().of_formation[formation.at()].and(&markers);
            let data = &game.rules.formations[formation.at()];
            DrawOrder {
                id: data.id.clone(),
                name: data.name.clone(),
                side: data.player.id(),
                markers: own.len() as u8,
                chances: vec![0.0; longest],
                seen: vec![0; longest],
                before: vec![0.0; formations.len()],
                seen_before: vec![0; formations.len()],
            }
        })
        .collect();
    for drawing in &drawings {
        let probability = drawing.course.probability;
        for (draw, &formation) in draws.iter_mut().zip(&formations) {
            for (sum, p) in draw.chances.iter_mut().zip(drawing.first(formation)) {
                *sum += probability * p;
            }
            for (sum, &other) in draw.before.iter_mut().zip(&formations) {
                *sum += probability * drawing.before(formation, other);
            }
        }
    }
    if let Some((samples, seed)) = request.samples {
        sample(&game, &state, &terms, &formations, (samples, seed), &mut draws);
    }
    Ok(InitiativeOdds {
        title: format!("{scenario}, turn {turn}: {}", game.rules.calendar[usize::from(turn) - 1].name),
        facts: facts(&game, &state, &terms, turn),
        samples: request.samples.map_or(0, |(samples, _)| samples),
        draws,
    })
}

fn terms(game: &RoadsToMoscow, turn: u8, policies: &[Override]) -> Result<Terms, Failure> {
    let scenario = &game.rules.scenario;
    let mut terms = Terms {
        first: (turn == 1).then_some(scenario.first),
        holder: scenario.first,
        modifiers: [0; 2],
        leave_out: Vec::new(),
        opening: None,
    };
    for policy in policies {
        let text = policy.text();
        let player =
            |policy| Ok::<_, Failure>(Player::ALL[policy_value(policy, Player::ALL.map(Player::id))?]);
        let modifier = || {
            let number = text.parse().ok().filter(|number| *number <= 20u8);
            number.ok_or_else(|| wrong_policy(policy, "expected a modifier from 0 to 20"))
        };
        match policy.path.as_str() {
            "first" if turn > 1 => terms.first = Some(player(policy)?),
            "first" => {
                return Err(wrong_policy(policy, "on turn 1 the scenario says who is First Player (7.11)"));
            }
            "holder" => terms.holder = player(policy)?,
            "german" => terms.modifiers[0] = modifier()?,
            "soviet" => terms.modifiers[1] = modifier()?,
            "leave_out" => {
                terms.leave_out = text.split('+').map(|id| formation(game, id)).collect::<Result<_, _>>()?;
            }
            "opening" if turn == 1 => terms.opening = Some(formation(game, &text)?),
            "opening" => return Err(wrong_policy(policy, "only turn 1 has an opening (R10)")),
            other => return Err(unknown_policy(policy, other, POLICIES)),
        }
    }
    Ok(terms)
}

fn formation(game: &RoadsToMoscow, id: &str) -> Result<FormationId, Failure> {
    game.rules.formation(id).ok_or_else(|| {
        let known = game.rules.formations.iter().map(|formation| formation.id.as_str());
        Failure::input(format!("formation \"{id}\": {}", expected(id, known)))
    })
}

/// The set-up with the markers of a turn, before its initiative.
fn start(game: &RoadsToMoscow, turn: u8, terms: &Terms) -> State {
    let mut context = PlayContext::silent(Rng64::stream(0, 0, 0));
    let state = game.initial(&mut context);
    let mut editor = Editor::of(game, state);
    editor.turn(turn).first(terms.holder).markers_of_turn().initiative(terms.modifiers);
    editor.finish()
}

/// The chance that each player is First Player: d10s with modifiers, ties to who had it last (7.11, 7.13).
fn first_players(terms: &Terms) -> [f64; 2] {
    if let Some(first) = terms.first {
        return Player::ALL.map(|player| f64::from(u8::from(player == first)));
    }
    let german = RoadsToMoscow::initiative_odds(terms.modifiers, terms.holder);
    [german, 1.0 - german]
}

/// All courses of the turn up to the draws.
fn courses(game: &RoadsToMoscow, state: &State, terms: &Terms) -> Result<Vec<Course>, Failure> {
    let mut courses = Vec::new();
    for (first, chance) in Player::ALL.into_iter().zip(first_players(terms)) {
        if chance == 0.0 {
            continue;
        }
        let mut state = *state;
        state.first = first;
        let opening = opening(game, &state, terms)?;
        state.played = opening.into_iter().collect();
        let own = game.available(&state, first);
        let other = game.available(&state, first.enemy());
        let kept = kept(game, other, game.cup_limit(&state), &terms.leave_out)?;
        let probability = chance / kept.len() as f64;
        courses.extend(kept.into_iter().map(|second| {
            let mut cups = [Markers::EMPTY; 2];
            cups[first.index()] = own;
            cups[first.enemy().index()] = second;
            Course { first, opening, cups, probability }
        }));
    }
    Ok(courses)
}

/// The marker played before the cups are filled on turn 1: the one laid down, else the first.
fn opening(game: &RoadsToMoscow, state: &State, terms: &Terms) -> Result<Option<Marker>, Failure> {
    if state.turn > 1 {
        return Ok(None);
    }
    let own = game.available(state, state.first);
    let Some(formation) = terms.opening else { return Ok(own.first()) };
    let marker = own.and(&game.marker_sets().of_formation[formation.at()]).first();
    let missing = || {
        let name = game.formation_name(formation);
        Failure::input(format!("opening={name}: it has no marker that {} may play", state.first.name()))
    };
    Ok(Some(marker.ok_or_else(missing)?))
}

/// What may be in the Second Player's cup: all sets of as many markers as he may put in, or the one without what he leaves
/// out.
fn kept(
    game: &RoadsToMoscow,
    available: Markers,
    limit: u32,
    leave_out: &[FormationId],
) -> Result<Vec<Markers>, Failure> {
    let excess = available.len().saturating_sub(limit);
    if !leave_out.is_empty() {
        let mut kept = available;
        for &formation in leave_out.iter().take(excess as usize) {
            let marker = kept.and(&game.marker_sets().of_formation[formation.at()]).first();
            let Some(marker) = marker else { continue };
            kept.remove(marker);
        }
        if kept.len() > limit {
            return Err(Failure::input(format!(
                "leave_out: expected {excess} markers with + between, for {} are available and {limit} go into the cup",
                available.len()
            )));
        }
        return Ok(vec![kept]);
    }
    let mut sets = vec![available];
    for _ in 0..excess {
        let mut smaller: Vec<Markers> = Vec::new();
        for set in &sets {
            for marker in set.iter() {
                let mut less = *set;
                less.remove(marker);
                if !smaller.contains(&less) {
                    smaller.push(less);
                }
            }
        }
        sets = smaller;
    }
    Ok(sets)
}

/// A course with the order of its draws (7.23, 7.25).
struct Drawing<'a> {
    game: &'a RoadsToMoscow,
    course: &'a Course,
    /// Of the draws from the cups; on turn 1 the opening comes before, and then the Second Player's (R10).
    order: Draws,
}

impl<'a> Drawing<'a> {
    fn new(game: &'a RoadsToMoscow, course: &'a Course) -> Drawing<'a> {
        let next = if course.opening.is_some() { course.first.enemy() } else { course.first };
        Drawing { game, course, order: game.draw_order_of(course.cups[0].or(&course.cups[1]), next) }
    }

    /// Draws before those from the cups.
    fn opened(&self) -> usize {
        usize::from(self.course.opening.is_some())
    }

    fn opens(&self, formation: FormationId) -> bool {
        self.course.opening.is_some_and(|marker| self.game.formation_of(marker) == formation)
    }

    /// How many draws there are.
    fn len(&self) -> usize {
        self.opened() + self.order.sequences.len()
    }

    /// The chance that a formation's first marker comes in each of them.
    fn first(&self, formation: FormationId) -> Vec<f64> {
        if self.opens(formation) {
            return vec![1.0];
        }
        let drawn = &self.order.first[formation.at()];
        std::iter::repeat_n(0.0, self.opened()).chain(drawn.iter().copied()).collect()
    }

    /// The chance that a formation is drawn before another; one that is not drawn at all comes last.
    fn before(&self, formation: FormationId, other: FormationId) -> f64 {
        match (self.opens(formation), self.opens(other)) {
            _ if formation == other => 0.0,
            (true, _) => 1.0,
            (false, true) => 0.0,
            (false, false) => self.order.before(formation, other),
        }
    }
}

/// Plays the turn over and over, nobody doing anything with his sequences.
fn sample(
    game: &RoadsToMoscow,
    start: &State,
    terms: &Terms,
    formations: &[FormationId],
    (samples, seed): (u64, u64),
    draws: &mut [DrawOrder],
) {
    let mut legal = Vec::new();
    for number in 0..samples {
        let mut table = PlayContext { dice: Rng64::stream(seed, number, 0), sink: Vec::new() };
        let mut editor = Editor::of(game, *start);
        if let Some(first) = terms.first.filter(|_| start.turn > 1) {
            // A die cannot make up for this.
            let mut modifiers = [0; 2];
            modifiers[first.index()] = 20;
            editor.initiative(modifiers);
        }
        let mut state = editor.begin_turn(&mut table);
        while let Turn::Decide(_) = game.turn_of(&state) {
            if state.turn != start.turn {
                break;
            }
            legal.clear();
            game.legal_actions(&state, &mut legal);
            let action = choose(game, &state, terms, &legal, &mut table.dice);
            if let (Phase::Marker, Action::Marker(marker)) = (state.phase, action) {
                table.sink.push(Event::Drawn { marker });
            }
            game.apply(&mut state, action, &mut table);
        }
        let mut seen = vec![usize::MAX; formations.len()];
        let mut drawn = 0;
        for event in table.sink.iter().take_while(|event| !matches!(event, Event::TurnEnds { .. })) {
            let Event::Drawn { marker } = event else { continue };
            let formation = formations.iter().position(|known| *known == game.formation_of(*marker));
            if let Some(at) = formation.filter(|&at| seen[at] == usize::MAX) {
                seen[at] = drawn;
                draws[at].seen[drawn] += 1;
            }
            drawn += 1;
        }
        for (at, draw) in draws.iter_mut().enumerate() {
            for (other, count) in draw.seen_before.iter_mut().enumerate() {
                *count += u64::from(seen[at] < seen[other]);
            }
        }
    }
}

fn choose(
    game: &RoadsToMoscow,
    state: &State,
    terms: &Terms,
    legal: &[Action],
    dice: &mut impl Dice,
) -> Action {
    let any = |dice: &mut dyn FnMut(u32) -> u32| legal[dice(legal.len() as u32) as usize];
    match state.phase {
        Phase::FillingCup => {
            let wanted = |action: &Action| match action {
                Action::LeaveOut(marker) => terms.leave_out.contains(&game.formation_of(*marker)),
                _ => false,
            };
            // Two markers of a formation are offered as one: each of them counts.
            let weights: Vec<(Action, u32)> = legal
                .iter()
                .filter_map(|action| match action {
                    Action::LeaveOut(marker) => {
                        let alike = game.marker_sets().of_formation[game.formation_of(*marker).at()];
                        Some((*action, alike.and(&state.cup).len()))
                    }
                    _ => None,
                })
                .collect();
            let stated = legal.iter().copied().find(wanted);
            stated.unwrap_or_else(|| {
                let sum: u32 = weights.iter().map(|(_, weight)| weight).sum();
                let mut left = dice.below(sum.max(1));
                for (action, weight) in weights {
                    if left < weight {
                        return action;
                    }
                    left -= weight;
                }
                legal[0]
            })
        }
        Phase::Marker => {
            let opening = terms.opening.unwrap_or(FormationId::nth(0));
            let wanted = |action: &Action| match action {
                Action::Marker(marker) => terms.opening.is_some() && game.formation_of(*marker) == opening,
                _ => false,
            };
            legal.iter().copied().find(wanted).unwrap_or(legal[0])
        }
        Phase::Sequence => Action::Mobile,
        Phase::Formation => any(&mut |bound| dice.below(bound)),
        _ => legal.iter().copied().find(|action| *action == Action::Pass).unwrap_or(legal[0]),
    }
}

fn facts(game: &RoadsToMoscow, state: &State, terms: &Terms, turn: u8) -> Vec<(&'static str, String)> {
    let [german, soviet] = first_players(terms);
    let initiative = match terms.first {
        Some(first) if turn == 1 => format!("{}, by the scenario (7.11)", first.name()),
        Some(first) => format!("{}, as stated", first.name()),
        None => format!(
            "German {:.2}%, Soviet {:.2}%: d10 {:+} against d10 {:+}, ties to the {}",
            100.0 * german,
            100.0 * soviet,
            terms.modifiers[0],
            terms.modifiers[1],
            terms.holder.name()
        ),
    };
    let cups = Player::ALL.map(|first| {
        let mut state = *state;
        state.first = first;
        let all = game.available(&state, first.enemy()).len();
        format!("{} {} of {all} if second", first.enemy().name(), all.min(game.cup_limit(&state)))
    });
    let left_out = if terms.leave_out.is_empty() {
        "any set as probable as another".to_owned()
    } else {
        let names: Vec<&str> = terms.leave_out.iter().map(|&at| game.formation_name(at)).collect();
        names.join(", ")
    };
    vec![
        ("first player", initiative),
        ("in the cup", format!("{}; {}", cups[0], cups[1])),
        ("left out", left_out),
        ("play", "nobody passes, nobody combines formations, nobody is in Reserve".to_owned()),
    ]
}
