//! Pages and pictures as people see them: in a browser, without a network, with labels that do not collide.

mod study;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use study::{outcome, succeed};
use tempfile::TempDir;

/// The browser, if the machine has one. Continuous integration must have one.
fn browser() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let named = env::var_os("CHROMIUM").map(PathBuf::from);
    let found = named.or_else(|| {
        let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
        folders.iter().flat_map(|folder| names.map(|name| folder.join(name))).find(|path| path.is_file())
    });
    assert!(
        found.is_some() || env::var_os("CI").is_none(),
        "no browser: expected one of {names:?} in PATH, or CHROMIUM"
    );
    if found.is_none() {
        eprintln!("no browser here: the page was not looked at");
    }
    found
}

/// The script that inspects a page, which finds texts that lie on each other or stick out, and requests that were
/// refused.
const LOOK: &str = r"<script>
window.addEventListener('load', () => {
  const faults = [];
  const area = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
                         Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  let texts = 0;
  for (const svg of document.querySelectorAll('svg')) {
    const frame = svg.getBoundingClientRect();
    if (frame.width === 0) continue;
    const list = [...svg.querySelectorAll('text')].filter(t => t.textContent.trim());
    const boxes = list.map(t => t.getBoundingClientRect());
    texts += list.length;
    boxes.forEach((box, i) => {
      if (box.width === 0) return;
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
        faults.push('outside: ' + list[i].textContent.trim());
      for (let j = 0; j < i; j++) {
        const least = Math.min(box.width * box.height, boxes[j].width * boxes[j].height);
        if (least > 0 && area(box, boxes[j]) > 0.12 * least)
          faults.push('on each other: ' + list[j].textContent.trim() + ' / ' + list[i].textContent.trim());
      }
    });
  }
  if (document.documentElement.scrollWidth > window.innerWidth + 1) faults.push('wider than the window');
  const out = document.createElement('pre');
  out.id = 'looked';
  out.textContent = texts + ' texts\n' + faults.join('\n');
  parent.document.body.append(out);
});
</script>";

/// Looks at a page in a window of this width in the browser; says how many texts its pictures have, and what is wrong.
fn look(page: &str, scratch: &Path, dark: bool, width: u32) -> Option<(usize, Vec<String>)> {
    let browser = browser()?;
    let glass = scratch.join("glass.html");
    // The page itself runs no scripts; the one that looks at it must.
    let page = if page.contains("script-src") {
        page.to_owned()
    } else {
        page.replace("default-src 'none';", "default-src 'none'; script-src 'unsafe-inline';")
    };
    let page = page.replace("</body>", &format!("{LOOK}</body>"));
    // Windows are wider than telephones: the page is in a frame.
    let page = format!(
        "<!DOCTYPE html><html><body style=\"margin:0\"><iframe width=\"{width}\" height=\"900\" style=\"border:0\" \
         srcdoc=\"{}\"></iframe></body></html>",
        page.replace('&', "&amp;").replace('"', "&quot;")
    );
    fs::write(&glass, page).unwrap();
    let profile = scratch.join("profile");
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--window-size=1300,1000",
            "--virtual-time-budget=4000",
        ])
        .args(["--enable-logging=stderr", "--dump-dom"])
        .args(dark.then_some("--blink-settings=preferredColorScheme=0"))
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", glass.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    let found =
        dom.split("<pre id=\"looked\">").nth(1).unwrap_or_else(|| panic!("the page did not load: {log}"));
    let mut lines = found.split("</pre>").next().unwrap().lines();
    let texts = lines.next().unwrap().split(' ').next().unwrap().parse().unwrap();
    let console = log.lines().filter(|line| line.contains(":CONSOLE")).map(str::to_owned);
    Some((texts, lines.map(str::to_owned).chain(console).collect()))
}

/// The width of a telephone.
const NARROW: u32 = 390;

/// A page with nothing on it but this picture.
fn page_with(svg: &str) -> String {
    let svg = &svg[svg.find("<svg").unwrap()..];
    format!(
        "<!DOCTYPE html><html><head><style>svg{{max-width:100%;height:auto}}</style></head><body>{svg}</body></html>"
    )
}

/// A page that needs no network and that a browser shows without fault.
fn is_sound(page: &str, scratch: &Path, least: usize) {
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    for outside in ["src=\"http", "href=\"http", "url(http", "@import"] {
        assert!(!page.contains(outside), "{outside} is in the page");
    }
    assert_eq!(
        page.contains("script-src"),
        page.contains("<script"),
        "scripts are only where they are needed"
    );
    for (dark, width) in [(false, 1280), (true, 1280), (false, NARROW)] {
        if let Some((texts, faults)) = look(page, scratch, dark, width) {
            assert!(faults.is_empty(), "dark {dark}, width {width}: {faults:#?}");
            assert!(texts >= least, "{texts} texts");
        }
    }
}

fn play(out: &str, scenario: &str, games: &str) {
    succeed(&["play", scenario, "--agents", "scripted", "--games", games, "--out", out, "--quiet"]);
}

#[test]
fn the_inspection_of_pages_sees_faults() {
    let scratch = TempDir::new().unwrap();
    let page = "<!DOCTYPE html><html><body><svg width=\"200\" height=\"50\"><text x=\"10\" y=\"20\">one</text>\
                <text x=\"14\" y=\"22\">other</text><text x=\"190\" y=\"40\">sticks out</text></svg></body></html>";
    if let Some((texts, faults)) = look(page, scratch.path(), false, 1280) {
        assert_eq!(texts, 3);
        assert!(faults.iter().any(|fault| fault.contains("one / other")), "{faults:?}");
        assert!(faults.iter().any(|fault| fault.contains("outside: sticks out")), "{faults:?}");
    }
    let wide = "<!DOCTYPE html><html><body><p style=\"width:400px\">wide</p></body></html>";
    let faults = |width| look(wide, scratch.path(), false, width).map(|(_, faults)| faults.join(" "));
    if let (Some(narrow), Some(wide)) = (faults(NARROW), faults(1280)) {
        assert!(narrow.contains("wider than the window") && wide.is_empty(), "{narrow} / {wide}");
    }
}

#[test]
fn the_report_of_a_run_says_what_came_out() {
    let scratch = TempDir::new().unwrap();
    let run = scratch.path().join("run").display().to_string();
    play(&run, "blitzwar/campaign-1939", "40");
    let path = succeed(&["report", &run]);
    let page = fs::read_to_string(path.trim()).unwrap();
    for title in [
        "Summary",
        "Outcome",
        "Length",
        "Over time",
        "When it is decided",
        "Survival",
        "Battle locations",
        "Battle odds",
    ] {
        assert!(page.contains(title), "{title}");
    }
    let summary: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(Path::new(&run).join("summary.json")).unwrap()).unwrap();
    let axis = summary["wins"][0]["games"].as_u64().unwrap();
    assert!(page.contains(&format!("{axis} of 40 games")), "the Axis won {axis}");
    is_sound(&page, scratch.path(), 300);
}

#[test]
fn the_report_of_a_tournament_rates_its_agents() {
    let scratch = TempDir::new().unwrap();
    let out = scratch.path().join("cup").display().to_string();
    let agents = ["random", "flat-mc:iterations=10", "flat-mc:iterations=60"];
    let mut args =
        vec!["tournament", "--scenario", "reference/connect-four", "--pairs", "30", "--quiet", "--out", &out];
    args.extend(agents.iter().flat_map(|agent| ["--agent", agent]));
    succeed(&args);
    let path = succeed(&["report", &out]);
    let page = fs::read_to_string(path.trim()).unwrap();
    for title in ["Summary", "Elo ladder", "Pairwise scores", "Points by side", "Pairings"] {
        assert!(page.contains(title), "{title}");
    }
    assert!(page.contains("flat-mc:iterations=60 is rated highest, flat-mc:iterations=10 second"), "{page}");
    is_sound(&page, scratch.path(), 20);
}

/// The page of what a command has left in a folder, and its report.
fn page_of(folder: &str, report: &str) -> (String, serde_json::Value) {
    let path = succeed(&["report", folder]);
    let text = fs::read_to_string(Path::new(folder).join(report)).unwrap();
    (fs::read_to_string(path.trim()).unwrap(), serde_json::from_str(&text).unwrap())
}

fn has(page: &str, words: &[&str]) {
    for word in words {
        assert!(page.contains(word), "{word:?} is not in the page");
    }
}

/// `0.0% [0.0, 0.0]`, as pages write an estimate.
fn percent(estimate: &serde_json::Value) -> String {
    let [value, low, high] = ["value", "low", "high"].map(|key| 100.0 * estimate[key].as_f64().unwrap());
    format!("{value:.1}% [{low:.1}, {high:.1}]")
}

#[test]
fn the_report_of_a_balance_says_how_fair_it_is() {
    let scratch = TempDir::new().unwrap();
    let out = scratch.path().join("balance").display().to_string();
    let parameter = "setup.axis.extra_supply=0..12";
    let mut args = vec!["balance", "blitzwar/barbarossa-1941", "--games", "30", "--quiet", "--out", &out];
    args.extend(["--agent", "random", "--agent", "scripted", "--restrict", "air", "--handicap", parameter]);
    succeed(&args);
    let (page, report) = page_of(&out, "balance.json");
    has(&page, &["Summary", "Who wins", "Points", "When games end", "How games run"]);
    has(&page, &["Fair handicap", "Restricted play", "Manifest", "lead changes", "decisive turn"]);
    for line in report["strengths"].as_array().unwrap() {
        has(&page, &[&format!("axis scores {}", percent(&line["first_score"]))]);
        has(&page, &[line["handicap"]["answer"].as_str().unwrap(), &percent(&line["teams"][1]["share"])]);
    }
    is_sound(&page, scratch.path(), 120);

    // The figures and the games must be of the same study.
    fs::remove_file(Path::new(&out).join("parts/part-00000.json")).unwrap();
    let (code, _, error) = outcome(&["report", &out]);
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains("the figures are of 30 games of random, the tables hold 0"), "{error}");
    fs::remove_file(Path::new(&out).join("balance.json")).unwrap();
    let (code, _, error) = outcome(&["report", &out]);
    assert!(code == Some(2) && error.contains("sandtable balance --out"), "{error}");
}

#[test]
fn the_report_of_a_system_that_cannot_tell_who_leads_says_so() {
    let scratch = TempDir::new().unwrap();
    let out = scratch.path().join("balance").display().to_string();
    succeed(&["balance", "reference/kuhn", "--agent", "random", "--games", "40", "--quiet", "--out", &out]);
    let (page, report) = page_of(&out, "balance.json");
    let told = report["strengths"][0]["course"].is_null();
    assert_eq!(page.contains("This system cannot tell who leads in mid-game"), told);
    assert!(!page.contains("Fair handicap") && !page.contains("Restricted play"));
    is_sound(&page, scratch.path(), 20);
}

#[test]
fn the_report_of_a_comparison_tells_differences_and_games_needed() {
    let scratch = TempDir::new().unwrap();
    let out = scratch.path().join("comparison").display().to_string();
    let mut args = vec!["compare", "blitzwar/barbarossa-1941", "--games", "40", "--quiet", "--out", &out];
    args.extend(["--set-b", "setup.axis.extra_supply=9", "--effect", "points=0.5"]);
    succeed(&args);
    let (page, report) = page_of(&out, "comparison.json");
    has(&page, &["Summary", "Differences", "games needed", "Manifest", "setup.axis.extra_supply=9"]);
    for line in report["measures"].as_array().unwrap() {
        let name = line["measure"].as_str().unwrap().replace('_', " ");
        has(&page, &[&format!("<td>{name}</td>")]);
        if let (true, Some(pairs)) = (name.starts_with("points"), line["pairs_needed"].as_u64()) {
            has(&page, &[&format!("<td>{pairs} for 0.500</td>")]);
        }
    }
    is_sound(&page, scratch.path(), 40);
}

#[test]
fn the_report_of_a_sweep_shows_what_matters() {
    let scratch = TempDir::new().unwrap();
    let experiment = |kind: &str, points: u32| {
        format!(
            "scenario = \"blitzwar/france-1940\"\ngames = 3\nagents = [\"scripted\", {{ axis = \"random\", allied = \
             \"scripted\", soviet = \"scripted\" }}]\n[design]\nkind = \"{kind}\"\npoints = {points}\n[[factor]]\npath = \
             \"combat.modifiers.air_superiority\"\nrange = [0, 4]\nwhole = true\nname = \"air\"\n[[factor]]\npath = \
             \"combat.modifiers.armour\"\nvalues = [0, 1, 2]\nname = \"armour\"\n"
        )
    };
    for (kind, points, words) in [
        ("latin-hypercube", 20, "a linear model loses without the factor"),
        ("saltelli", 12, "Sobol indices"),
        ("grid", 2, "points axis"),
    ] {
        let file = scratch.path().join(format!("{kind}.toml"));
        fs::write(&file, experiment(kind, points)).unwrap();
        let out = scratch.path().join(kind).display().to_string();
        succeed(&["sweep", file.to_str().unwrap(), "--quiet", "--out", &out]);
        let (page, report) = page_of(&out, "sweep.json");
        has(&page, &["Summary", "What moves points axis", "What was varied", "Manifest", words]);
        let line =
            &report["effects"].as_array().unwrap().iter().find(|line| line["measure"] == "points_axis");
        let level = line.unwrap()["levels"][0]["label"].as_str().unwrap();
        has(&page, &["points axis by level of air", level]);
        is_sound(&page, scratch.path(), 40);
        if kind == "grid" {
            let shard = scratch.path().join("shard").display().to_string();
            succeed(&["sweep", file.to_str().unwrap(), "--quiet", "--shard", "1/2", "--out", &shard]);
            let (code, _, error) = outcome(&["report", &shard]);
            assert!(code == Some(2) && error.contains("sandtable merge"), "{error}");
        }
    }
}

#[test]
fn the_report_of_tuning_shows_the_search_and_the_proof() {
    let scratch = TempDir::new().unwrap();
    let agent = "tune flat-mc:iterations=4 --scenario reference/connect-four --option iterations=2..60 --budget 1500 --runs 3 \
                 --method ntbea";
    let scenario = "tune scenario blitzwar/france-1940 --parameter setup.axis.extra_supply=0..12 --target axis=0.5 --agents random \
                    --budget 300 --runs 2";
    for (command, name, words) in [(agent, "agent", "H1"), (scenario, "scenario", "the line is the target")] {
        let out = scratch.path().join(name).display().to_string();
        let args: Vec<&str> = command.split_whitespace().chain(["--quiet", "--out", &out]).collect();
        succeed(&args);
        let (page, report) = page_of(&out, "tune.json");
        has(&page, &["Summary", "Proof", "Play-off", "Course of the search", "Values", "Manifest", words]);
        for (name, value) in report["best"].as_object().unwrap() {
            has(&page, &[name, &format!("<td>{}</td>", value.as_str().unwrap())]);
        }
        is_sound(&page, scratch.path(), 30);
        // Without the table of the search the page says so.
        fs::remove_file(Path::new(&out).join("tune_course.parquet")).unwrap();
        let (page, _) = page_of(&out, "tune.json");
        has(&page, &["The course of the search is not stored"]);
    }
}

#[test]
fn the_board_and_a_game_are_drawn() {
    let scratch = TempDir::new().unwrap();
    let board = succeed(&["render", "blitzwar/campaign-1939"]);
    assert!(board.contains("<svg") && board.contains("Berlin"));
    is_sound(&page_with(&board), scratch.path(), 200);
    let run = scratch.path().join("run").display().to_string();
    play(&run, "blitzwar/france-1940", "2");
    let file = scratch.path().join("game.html").display().to_string();
    succeed(&["replay", &run, "--game", "1", "--html", &file]);
    let page = fs::read_to_string(&file).unwrap();
    is_sound(&page, scratch.path(), 200);
}

#[test]
fn two_thousand_hexes_are_played_tabled_told_and_drawn() {
    let scratch = TempDir::new().unwrap();
    let run = scratch.path().join("run").display().to_string();
    let games = ["--agents", "random", "--games", "3", "--quiet", "--format", "csv", "--out", &run];
    succeed(&[&["play", "reference/skirmish"][..], &games].concat());
    // Random players rarely meet on so many hexes: the table of combats may be empty, but for its header.
    let rows = |table: &str| {
        fs::read_to_string(Path::new(&run).join(table).join("part-00000.csv")).unwrap().lines().count()
    };
    assert_eq!((rows("turns"), rows("combats") > 0), (1 + 3 * 8 * 2, true), "a row a game, turn and side");
    let told = succeed(&["replay", &run, "--game", "2"]);
    assert!(told.contains("== turn 1") && told.contains("== the end"), "{told}");
    let start = succeed(&["render", "reference/skirmish"]);
    let later = succeed(&["render", "--run", &run, "--game", "2", "--turn", "4"]);
    for (board, more) in [(&start, 2_000), (&later, 2_000)] {
        let hexes = board.matches("<polygon").count() + board.matches("<path").count();
        assert!(board.contains("Town 1") && hexes > more, "{hexes}");
    }
    let counters = |board: &str| -> Vec<String> {
        board.lines().filter(|line| line.contains("class=\"rim")).map(str::to_owned).collect()
    };
    assert!(counters(&start).len() > 30, "{} counters", counters(&start).len());
    assert_ne!(counters(&start), counters(&later), "units have marched");
    let page = scratch.path().join("game.html").display().to_string();
    succeed(&["replay", &run, "--game", "2", "--html", &page]);
    assert!(fs::read_to_string(&page).unwrap().contains("<svg"));
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let scratch = TempDir::new().unwrap();
    let nowhere = scratch.path().join("nowhere").display().to_string();
    let file = scratch.path().join("no").join("such.html").display().to_string();
    let run = scratch.path().join("run").display().to_string();
    play(&run, "blitzwar/france-1940", "1");
    for (args, words) in [
        (vec!["report", nowhere.as_str()], vec!["nowhere"]),
        (vec!["report", run.as_str(), "--out", file.as_str()], vec!["such.html"]),
        (vec!["render", "reference/kuhn"], vec!["no map"]),
        (vec!["render", "blitzwar/frnce-1940"], vec!["blitzwar/france-1940"]),
        (vec!["render", "--run", run.as_str(), "--game", "7"], vec!["7"]),
        (vec!["render", "blitzwar/france-1940", "--game", "7"], vec!["--game"]),
        (vec!["render", "blitzwar/france-1940", "--turn", "3"], vec!["--turn"]),
    ] {
        let (code, _, error) = outcome(&args);
        assert_eq!(code, Some(2), "{args:?}: {error}");
        for word in words {
            assert!(error.contains(word), "{args:?}: {error}");
        }
    }
}

#[test]
fn agents_with_long_names_and_results_without_doubt_are_shown() {
    let scratch = TempDir::new().unwrap();
    let out = scratch.path().join("cup").display().to_string();
    // They differ in the middle of their names.
    let agents = [
        "random",
        "mcts:iterations=400,c=0.5,depth=end,nodes=50000,over=actions",
        "mcts:iterations=400,c=0.6,depth=end,nodes=50000,over=actions",
    ];
    let mut args =
        vec!["tournament", "--scenario", "reference/connect-four", "--pairs", "4", "--quiet", "--out", &out];
    args.extend(agents.iter().flat_map(|agent| ["--agent", agent]));
    args.extend(["--layout", "gauntlet"]);
    succeed(&args);
    let path = succeed(&["report", &out]);
    let page = fs::read_to_string(path.trim()).unwrap();
    let report = fs::read_to_string(Path::new(&out).join("tournament.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    for line in report["pairings"].as_array().unwrap() {
        assert_eq!(line["losses"], 8, "chance loses every game: {line}");
    }
    let picture = page.split("\"Elo ladder\"").nth(1).unwrap().split("</svg>").next().unwrap();
    let names: Vec<&str> = picture
        .split("<text")
        .skip(1)
        .filter_map(|text| text.split('>').nth(1)?.split('<').next())
        .map(str::trim)
        .filter(|text| text.starts_with("mcts"))
        .collect();
    assert_eq!(names.len(), 2, "{picture}");
    assert!(names[0] != names[1], "{names:?}");
    assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
    is_sound(&page, scratch.path(), 15);
}

#[test]
fn the_map_and_the_report_of_victory_in_europe() {
    let scratch = TempDir::new().unwrap();
    let scenario = "victory-in-europe/bagration-1944";
    let board = succeed(&["render", scenario]);
    assert!(board.contains("<svg") && board.contains("Berlin") && board.contains("aria-label=\"Map: "));
    is_sound(&page_with(&board), scratch.path(), 200);
    let run = scratch.path().join("run").display().to_string();
    play(&run, scenario, "2");
    let path = succeed(&["report", &run]);
    let page = fs::read_to_string(path.trim()).unwrap();
    has(&page, &["Summary", "Outcome", "Length", "Battle locations", "Manifest"]);
    is_sound(&page, scratch.path(), 250);
    let file = scratch.path().join("game.html").display().to_string();
    succeed(&["replay", &run, "--game", "1", "--html", &file]);
    is_sound(&fs::read_to_string(&file).unwrap(), scratch.path(), 200);
}

/// Sorts the first table that can be sorted by each column in turn, and writes its first cells.
const SORT: &str = r"<script>
window.addEventListener('load', () => {
  const table = document.querySelector('table.sort');
  const read = () => [...table.tBodies[0].rows].map(row => row.cells[0].textContent).join('|');
  const lines = [read()];
  for (const column of [3, 3, 0]) {
    table.tHead.rows[0].cells[column].querySelector('button').click();
    lines.push(read());
  }
  const links = [...document.querySelectorAll('nav a')];
  const titles = [...document.querySelectorAll('section > h2')].map(title => title.textContent);
  const lost = links.filter((link, at) => document.querySelector(link.getAttribute('href') + ' > h2').textContent !== titles[at]);
  lines.push(`${links.length} of ${titles.length} linked, ${lost.length} lost`);
  const out = document.createElement('pre');
  out.id = 'sorted';
  out.textContent = lines.join('\n');
  document.body.append(out);
});
</script>";

#[test]
fn a_report_begins_with_its_verdict_and_its_tables_can_be_sorted() {
    let scratch = TempDir::new().unwrap();
    let out = scratch.path().join("comparison").display().to_string();
    let mut args = vec!["compare", "reference/connect-four", "--games", "40", "--quiet", "--out", &out];
    args.extend(["--agents", "random", "--side-b", "first=flat-mc:iterations=20"]);
    succeed(&args);
    let (page, report) = page_of(&out, "comparison.json");
    let place = |words: &str| page.find(words).unwrap_or_else(|| panic!("{words} is not in {page}"));
    assert!(place("<h1>") < place("<p id=\"verdict\">Shown: B raises how often first wins"), "{page}");
    assert!(place("id=\"verdict\"") < place("<nav") && place("</nav>") < place("<h2>Summary"), "{page}");
    let Some(browser) = browser() else { return };
    let file = scratch.path().join("sorted.html");
    fs::write(&file, page.replace("</body>", &format!("{SORT}</body>"))).unwrap();
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=4000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", scratch.path().join("profile").display()))
        .arg(format!("file://{}", file.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let found = dom.split("<pre id=\"sorted\">").nth(1).unwrap_or_else(|| panic!("no script ran: {dom}"));
    let lines: Vec<&str> = found.split("</pre>").next().unwrap().lines().collect();
    // Cells without a number stay at the end, whichever way a column is sorted.
    let varies = |name: &str| {
        let key = |line: &&serde_json::Value| line["measure"].as_str().unwrap().replace('_', " ") == name;
        let line = report["measures"].as_array().unwrap().iter().find(key).unwrap();
        line["minimum_detectable_effect"].as_f64().is_some_and(|size| size > 0.0)
    };
    let mut names: Vec<(f64, String)> = report["measures"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| {
            let name = line["measure"].as_str().unwrap().replace('_', " ");
            let is_share = line["unit"] == "" || name.starts_with("score");
            let scale = if is_share { 100.0 } else { 1.0 };
            (scale * line["difference"]["value"].as_f64().unwrap(), name)
        })
        .collect();
    let list =
        |names: &[(f64, String)]| names.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join("|");
    assert_eq!(lines[0], list(&names), "as they come");
    let values = |line: &str| -> Vec<f64> {
        line.split('|')
            .filter(|name| varies(name))
            .map(|name| names.iter().find(|(_, other)| other == name).unwrap().0)
            .collect()
    };
    assert!(values(lines[1]).is_sorted_by(|a, b| a - b < 0.051), "{}", lines[1]);
    assert!(values(lines[2]).is_sorted_by(|a, b| b - a < 0.051), "{}", lines[2]);
    names.sort_by(|a, b| a.1.cmp(&b.1));
    assert_eq!(lines[3], list(&names));
    assert!(lines[4].starts_with("4 of 4 linked, 0 lost"), "{}", lines[4]);
}
