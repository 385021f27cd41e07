//! The scripted player of Victory in Europe wastes no more than this: limits on all columns of waste of both sides in games of
//! fixed seeds.
//!
//! Beside the limits stands what the Axis and the Allies waste a game today, the mean of 48 games of each of the seeds 5 (that of
//! the test), 6 and 7, and in brackets the standard error of 48 games. The limit is about three of these above it. Where a habit
//! is named that the player once had, it cost more than the limit. What is not spent is lost.
//!
//! Since the Soviets attack at worse odds and the West waits for larger landings, Allied armies stand idle more often than before:
//! 48.1, 31.2, 15.7 and 31.2 times a game of the campaign, 1941, 1942 and 1943 then.

mod study;

use study::limits_all_waste;

/// Games of a scenario.
const GAMES: u32 = 48;

/// Most of each column a game, by side.
fn holds(scenario: &str, limits: &[(&str, [f64; 2])]) {
    limits_all_waste((scenario, GAMES), ["axis", "allied"], &["unspent", "unspent_lost"], limits);
}

#[test]
fn a_campaign_is_not_marched_to_and_fro() {
    holds(
        "victory-in-europe/campaign-1939",
        &[
            // Where units set out for areas without room, the Axis undid 7.8 moves a game.
            ("moves_undone", [1.9, 1.83]), // 1.26 (0.19), 1.24 (0.20)
            // An earlier player lost 1.4 and 1.0 steps a game.
            ("lost_stacking", [0.24, 0.1]), // 0.06 (0.06), 0.00 (0.00)
            ("open_capitals", [1.9, 0.65]), // 1.20 (0.23), 0.26 (0.13)
            // 0.6 of the Allies where the last army left a fortress alone.
            ("open_points", [0.34, 0.13]), // 0.16 (0.06), 0.04 (0.03)
            ("open_sources", [0.58, 0.3]), // 0.31 (0.09), 0.12 (0.06)
            // 25.9 of the Axis where Germany waited for odds in France and its leaders stayed there; without those who may not move.
            ("idle_armies", [18.0, 89.8]), // 12.3 (1.66), 76.4 (4.45)
            // A battle and a field take one aircraft each (6.11), and of the battles in reach of one all but a few in a hundred have it.
            ("idle_air", [28.7, 117.0]), // 21.9 (2.2), 105.7 (3.6)
            // Most in the ports in which they begin the war.
            ("idle_ships", [79.4, 46.4]), // 69.8 (3.2), 43.2 (1.1)
            // 34.2 where Germany waited. Of the Allies all armies that there are stand at full strength.
            ("unspent", [31.7, 225.0]),       // 24.4 (2.4), 188.7 (12.0)
            ("unspent_lost", [31.7, 225.0]),  // 24.4 (2.4), 188.7 (12.0)
            ("unsupplied_own", [8.8, 7.9]),   // 5.99 (0.91), 5.23 (0.89)
            ("unsupplied_cut", [47.0, 13.0]), // 37.0 (3.3), 10.1 (0.9)
        ],
    );
}

#[test]
fn the_last_years_find_armies_at_work() {
    holds(
        "victory-in-europe/bagration-1944",
        &[
            // Two leaders who changed ports with each other every turn made it 3.1.
            ("moves_undone", [0.45, 0.79]), // 0.24 (0.07), 0.46 (0.11)
            ("lost_stacking", [0.1, 0.1]),  // 0.00 (0.00), 0.00 (0.00)
            // 1.85 of the Axis where the Bulgarian army held Athens.
            ("open_capitals", [1.1, 0.23]), // 0.68 (0.13), 0.08 (0.05)
            ("open_points", [0.1, 0.1]),    // 0.01 (0.02), 0.00 (0.00)
            ("open_sources", [0.51, 0.1]),  // 0.27 (0.08), 0.00 (0.00)
            // Western armies that wait in the ports of the Channel; 39 where they waited in Britain for a landing that never came.
            ("idle_armies", [0.95, 24.0]),    // 0.54 (0.14), 20.3 (1.22)
            ("idle_air", [12.5, 51.0]),       // 10.4 (0.7), 46.8 (1.4)
            ("idle_ships", [22.3, 7.0]),      // 21.2 (0.4), 6.15 (0.26)
            ("unspent", [0.61, 216.0]),       // 0.28 (0.11), 203.3 (3.9)
            ("unspent_lost", [0.61, 216.0]),  // 0.28 (0.11), 203.3 (3.9)
            ("unsupplied_own", [6.9, 0.46]),  // 4.56 (0.75), 0.16 (0.10)
            ("unsupplied_cut", [25.5, 0.51]), // 19.1 (2.1), 0.21 (0.10)
        ],
    );
}

#[test]
fn barbarossa_keeps_its_posts() {
    holds(
        "victory-in-europe/barbarossa-1941",
        &[
            ("moves_undone", [1.7, 1.9]),    // 1.19 (0.17), 1.21 (0.21)
            ("lost_stacking", [0.12, 0.1]),  // 0.03 (0.03), 0.00 (0.00)
            ("open_capitals", [2.3, 1.6]),   // 1.51 (0.26), 0.63 (0.30)
            ("open_points", [0.34, 0.2]),    // 0.16 (0.06), 0.08 (0.04)
            ("open_sources", [1.0, 0.1]),    // 0.46 (0.10; 0.79, 0.33, 0.25 by seed), 0.00 (0.00)
            ("idle_armies", [32.1, 51.5]),   // 25.3 (2.25), 42.6 (2.97)
            ("idle_air", [57.0, 131.0]),     // 49.8 (2.42), 121.9 (3.05)
            ("idle_ships", [108.3, 20.6]),   // 100.9 (2.49), 17.9 (0.50)
            ("unspent", [72.8, 270.5]),      // 57.9 (4.96), 246.7 (7.96)
            ("unspent_lost", [72.8, 270.5]), // 57.9 (4.96), 246.7 (7.96)
            ("unsupplied_own", [8.3, 4.3]),  // 5.29 (0.98), 2.58 (0.57)
            ("unsupplied_cut", [50.1, 4.6]), // 39.4 (3.6), 2.66 (0.63)
        ],
    );
}

#[test]
fn stalingrad_keeps_its_posts() {
    holds(
        "victory-in-europe/stalingrad-1942",
        &[
            ("moves_undone", [1.1, 1.4]),  // 0.67 (0.12), 0.91 (0.15)
            ("lost_stacking", [0.1, 0.1]), // 0.01 (0.02), 0.00 (0.00)
            // The West lands in France in more than half of the games, and marches on.
            ("open_capitals", [3.9, 0.39]),   // 2.48 (0.45), 0.18 (0.07)
            ("open_points", [0.71, 0.26]),    // 0.38 (0.11), 0.11 (0.05)
            ("open_sources", [1.2, 0.1]),     // 0.65 (0.18), 0.00 (0.00)
            ("idle_armies", [13.4, 31.2]),    // 11.0 (0.80), 25.3 (1.97)
            ("idle_air", [32.1, 93.8]),       // 27.7 (1.5), 85.7 (2.7)
            ("idle_ships", [84.4, 13.2]),     // 77.8 (2.2), 12.5 (0.2)
            ("unspent", [57.2, 213.0]),       // 47.6 (3.2), 192.0 (6.7)
            ("unspent_lost", [57.2, 213.0]),  // 47.6 (3.2), 192.0 (6.7)
            ("unsupplied_own", [18.5, 16.2]), // 12.0 (2.1), 12.4 (1.2)
            ("unsupplied_cut", [54.7, 19.6]), // 41.7 (4.3), 14.4 (1.7)
        ],
    );
}

#[test]
fn kursk_keeps_its_posts() {
    holds(
        "victory-in-europe/kursk-1943",
        &[
            ("moves_undone", [0.68, 0.79]),   // 0.38 (0.10), 0.46 (0.11)
            ("lost_stacking", [0.1, 0.1]),    // 0.00 (0.00), 0.00 (0.00)
            ("open_capitals", [1.5, 0.52]),   // 0.93 (0.19), 0.24 (0.09)
            ("open_points", [0.17, 0.1]),     // 0.05 (0.04), 0.01 (0.02)
            ("open_sources", [0.75, 0.1]),    // 0.42 (0.11), 0.00 (0.00)
            ("idle_armies", [8.7, 43.5]),     // 5.34 (0.46), 40.5 (1.01)
            ("idle_air", [21.1, 83.7]),       // 18.4 (0.9), 80.0 (1.2)
            ("idle_ships", [59.1, 8.1]),      // 57.5 (0.5), 7.98 (0.02)
            ("unspent", [28.2, 223.0]),       // 24.7 (1.2), 210.0 (4.0)
            ("unspent_lost", [28.2, 223.0]),  // 24.7 (1.2), 210.0 (4.0)
            ("unsupplied_own", [14.7, 9.3]),  // 9.85 (1.60), 5.76 (1.15)
            ("unsupplied_cut", [50.0, 14.4]), // 38.4 (3.87), 4.24 (0.77)
        ],
    );
}
