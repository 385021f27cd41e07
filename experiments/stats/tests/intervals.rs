//! What holds of every interval, whatever the sample: it holds its estimate, it is no point, and what is a share lies
//! from 0 to 1.

use proptest::collection::vec;
use proptest::prelude::*;
use sandtable_stats::design::{Factor, Value, grid};
use sandtable_stats::interval::{Bootstrap, Estimate, Moments, wilson};
use sandtable_stats::pairs::{GameResults, Outcome, PairResults, Results};
use sandtable_stats::power::{Paired, PairedCounts, independent_means, independent_rates, paired_rates};
use sandtable_stats::ratings::{BradleyTerry, Games, Pairing, Sides, Unit};
use sandtable_stats::root::{Goal, RootFinder};
use sandtable_stats::sensitivity::{main_effects, sobol, standardised_regression};
use sandtable_stats::shape::{Shapes, Winner};
use sandtable_stats::survival::Survival;

/// An estimate of something, by a sample.
#[track_caller]
fn sound(estimate: Estimate) {
    let Estimate { value, low, high } = estimate;
    assert!(!low.is_nan() && !high.is_nan(), "{estimate:?} has an end that is no number");
    assert!(low < high, "{estimate:?} is a point");
    assert!(value.is_nan() || (low <= value && value <= high), "{estimate:?} misses its estimate");
}

#[track_caller]
fn within(estimate: Estimate, low: f64, high: f64) {
    sound(estimate);
    assert!(estimate.low >= low && estimate.high <= high, "{estimate:?} reaches beyond {low} and {high}");
}

#[track_caller]
fn share(estimate: Estimate) {
    within(estimate, 0.0, 1.0);
}

/// Values of few kinds, so that many samples are all alike or nearly so.
fn values() -> impl Strategy<Value = Vec<f64>> {
    let scale = prop_oneof![Just(1.0), Just(0.1), Just(1e6)];
    (vec(0..3u8, 1..40), 1..4u8, scale).prop_map(|(kinds, most, scale)| {
        kinds.into_iter().map(|kind| f64::from(kind % most) * scale / 2.0).collect()
    })
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![4 => Just(Outcome::Win), 1 => Just(Outcome::Draw), 1 => Just(Outcome::Loss)]
}

fn results<const N: usize>(counts: [u64; N]) {
    let results = Results { counts };
    share(results.score());
    sound(results.elo());
    sound(results.normalised_elo());
    let superiority = results.likelihood_of_superiority();
    assert!((0.0..=1.0).contains(&superiority));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn rates_and_scores(hits in 0..50u64, misses in 0..50u64, counts in any::<[u8; 5]>()) {
        share(wilson(hits, hits + misses));
        // Most kinds of result are missing in most samples.
        let counts = counts.map(|count| u64::from(count.saturating_sub(200)));
        results::<5>(counts);
        let [losses, draws, wins, ..] = counts;
        results::<3>([losses, draws, wins]);
    }

    #[test]
    fn means(values in values(), other in values()) {
        let [one, two] = [&values, &other].map(|values| values.iter().copied().collect::<Moments>());
        sound(one.mean());
        let most = values.iter().copied().fold(1.0, f64::max);
        within(one.mean_from(0.0, most), 0.0, most);
        sound(one.mean_from(0.0, f64::INFINITY));
        within(one.mean_on(0.0, most), 0.0, most);
        sound(independent_means(&one, &two));
        let bootstrap = Bootstrap { resamples: 50, ..Bootstrap::new(1) };
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        sound(bootstrap.percentile(&values, mean));
        sound(bootstrap.bca(&values, mean));
    }

    #[test]
    fn differences(pairs in vec((values(), values()), 1..3), counts in any::<[u8; 4]>()) {
        let mut paired = Paired::default();
        for (one, two) in &pairs {
            one.iter().zip(two).for_each(|(&one, &two)| paired.add(one, two));
        }
        sound(paired.difference.mean());
        let constant = !paired.first.varies() || !paired.second.varies();
        prop_assert!(paired.correlation().is_nan() == constant, "{paired:?}");
        prop_assert!((0.0..=1.0).contains(&paired.p_value()));
        let [both, first, second, neither] = counts.map(|count| u64::from(count.saturating_sub(220)));
        let rates = paired_rates(&PairedCounts { both, first, second, neither });
        share(rates.first);
        share(rates.second);
        within(rates.difference, -1.0, 1.0);
        within(independent_rates((both, both + first), (second, second + neither)).difference, -1.0, 1.0);
    }

    #[test]
    fn ratings(games in vec((0..3usize, 0..3usize, 0..2usize, outcome(), outcome()), 1..30)) {
        let mut played = Games::default();
        for (a, b, scenario, one, other) in games.into_iter().filter(|game| game.0 != game.1) {
            played.add(Pairing { a, b, scenario }, Unit::Pair(one, other), 1);
        }
        let model = BradleyTerry { sides: Sides::PerScenario, ..BradleyTerry::default() };
        let fit = model.fit(&played, 3, 2).unwrap();
        for player in 0..3 {
            sound(fit.ratings[player].elo);
            sound(fit.by_pairs(&played, player));
        }
        fit.sides.iter().copied().for_each(sound);
        sound(fit.difference(0, 1));
    }

    #[test]
    fn designs(responses in vec(0..3u8, 9), most in 1..4u8) {
        let responses: Vec<f64> = responses.iter().map(|&kind| f64::from(kind % most) / 2.0).collect();
        let factors = [Factor::real("x", 0.0, 1.0), Factor::integer("n", 1, 3)];
        let points = grid(&factors, 3).unwrap();
        let bootstrap = Bootstrap { resamples: 50, ..Bootstrap::new(1) };
        for effect in main_effects(&factors, &points, &responses, 3, 1, (0.0, 1.0)).unwrap() {
            prop_assert!((0.0..=1.0).contains(&effect.share));
            effect.levels.iter().for_each(|level| share(level.response));
        }
        let model = standardised_regression(&factors, &points, &responses, &bootstrap).unwrap();
        model.shares.iter().copied().for_each(share);
        model.coefficients.iter().for_each(|coefficient| sound(coefficient.value));
        for index in sobol(2, &responses[..8], &bootstrap).unwrap() {
            share(index.first);
            share(index.total);
        }
        // A factor that does not vary has no effect by construction: that alone is exact.
        let idle: Vec<Vec<Value>> = points.iter().map(|point| vec![Value::Real(0.5), point[1]]).collect();
        let model = standardised_regression(&factors, &idle, &responses, &bootstrap).unwrap();
        let own = model.coefficients[0].value;
        prop_assert!(own.value == 0.0 || own.value.is_nan(), "{own:?}");
    }

    #[test]
    fn lives_and_courses(lives in vec((1..5u32, any::<bool>()), 1..30), leads in vec(vec(-2..3i8, 3), 1..20)) {
        let mut survival = Survival::default();
        for &(turn, event) in &lives {
            survival.add(turn, event);
        }
        survival.curve().iter().for_each(|step| share(step.survival));
        let mut shapes = Shapes::new(0.0, 1.0);
        for leads in &leads {
            let leads: Vec<f64> = leads.iter().map(|&lead| f64::from(lead) / 4.0).collect();
            let winner = match leads[2] {
                lead if lead > 0.0 => Winner::First,
                lead if lead < 0.0 => Winner::Second,
                _ => Winner::Nobody,
            };
            shapes.add(&leads, winner);
        }
        let summary = shapes.summary();
        sound(summary.lead_changes);
        sound(summary.drama);
        for estimate in [summary.no_lead_change, summary.decisive_turn_share, summary.comebacks] {
            share(estimate);
        }
        summary.holds.into_iter().for_each(share);
    }

    #[test]
    fn roots(scores in vec((0..9u8, 0..3u8), 1..200), whole in any::<bool>(), most in 1..4u8) {
        let goal = Goal { width: 0.0, budget: 300 };
        let mut finder = RootFinder::new(0.0, 8.0, whole, 0.4, goal).unwrap();
        for (x, score) in scores {
            finder.tell(f64::from(x), f64::from(score % most) / 2.0).unwrap();
        }
        let root = finder.root();
        share(root.score_low);
        share(root.score_high);
        sound(root.value);
        for crossing in &root.crossings {
            sound(crossing.value);
            share(finder.score_at(crossing.value.value));
            share(finder.score_about(crossing));
        }
        prop_assert!(root.crossings.windows(2).all(|two| two[0].value.value <= two[1].value.value));
        for x in finder.ask(50) {
            prop_assert!((0.0..=8.0).contains(&x));
        }
    }
}

#[test]
fn a_sample_that_does_not_vary_is_not_certainty() {
    let alike = |n: usize, value: f64| std::iter::repeat_n(value, n).collect::<Moments>();
    // Nothing is known of how far other values may be, unless they have bounds.
    assert_eq!(alike(20, 2.0).mean(), Estimate { value: 2.0, ..Estimate::UNKNOWN });
    let bounded = alike(20, 2.0).mean_from(0.0, 12.0);
    // Wilson's interval of 0 in 20 ends at 0.161: so many games may lie at either end.
    assert!((bounded.low - 1.678).abs() < 0.01 && (bounded.high - 3.611).abs() < 0.01, "{bounded:?}");
    let nothing = alike(12, 0.0).mean_from(0.0, f64::INFINITY);
    assert_eq!((nothing.low, nothing.high), (0.0, f64::INFINITY));
    let score = alike(30, 0.5).mean_on(0.0, 1.0);
    assert!(score.width() > 0.05 && score.width() < 0.3, "{score:?}");
    assert!(GameResults { counts: [0, 0, 9] }.score().width() > 0.1);
    assert!(PairResults { counts: [0, 0, 9, 0, 0] }.score().width() > 0.1);
}
