//! Pages and pictures as people see them: in a browser, without a network, with labels that do not collide.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

fn sandtable(args: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(cargo_bin("sandtable")).args(args).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn succeed(args: &[&str]) -> String {
    let (code, out, error) = sandtable(args);
    assert_eq!(code, Some(0), "{args:?}: {error}");
    out
}

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

/// What the script in the looking glass finds: texts that lie on each other or stick out, and requests that were refused.
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
  document.body.append(out);
});
</script>";

/// Looks at a page in the browser; says how many texts its pictures have, and what is wrong.
fn look(page: &str, scratch: &Path, dark: bool) -> Option<(usize, Vec<String>)> {
    let browser = browser()?;
    let glass = scratch.join("glass.html");
    fs::write(&glass, page.replace("</body>", &format!("{LOOK}</body>"))).unwrap();
    let profile = scratch.join("profile");
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--window-size=1280,1000",
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

/// A page that needs no network and that a browser shows without fault.
fn is_sound(page: &str, scratch: &Path, least: usize) {
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    for outside in ["src=\"http", "href=\"http", "url(http", "@import"] {
        assert!(!page.contains(outside), "{outside} is in the page");
    }
    for dark in [false, true] {
        if let Some((texts, faults)) = look(page, scratch, dark) {
            assert!(faults.is_empty(), "dark {dark}: {faults:#?}");
            assert!(texts >= least, "{texts} texts");
        }
    }
}

fn play(out: &str, scenario: &str, games: &str) {
    succeed(&["play", scenario, "--agents", "scripted", "--games", games, "--out", out, "--quiet"]);
}

#[test]
fn the_looking_glass_sees_faults() {
    let scratch = TempDir::new().unwrap();
    let page = "<!DOCTYPE html><html><body><svg width=\"200\" height=\"50\"><text x=\"10\" y=\"20\">one</text>\
                <text x=\"14\" y=\"22\">other</text><text x=\"190\" y=\"40\">sticks out</text></svg></body></html>";
    if let Some((texts, faults)) = look(page, scratch.path(), false) {
        assert_eq!(texts, 3);
        assert!(faults.iter().any(|fault| fault.contains("one / other")), "{faults:?}");
        assert!(faults.iter().any(|fault| fault.contains("outside: sticks out")), "{faults:?}");
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
        "In words",
        "Outcome",
        "Length",
        "Over time",
        "When it is decided",
        "Survival",
        "Where was fought",
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
    for title in ["In words", "Elo ladder", "Pairwise scores", "Points by side", "Pairings"] {
        assert!(page.contains(title), "{title}");
    }
    assert!(page.contains("flat-mc:iterations=60 is rated highest, flat-mc:iterations=10 second"), "{page}");
    is_sound(&page, scratch.path(), 20);
}

#[test]
fn the_board_and_a_game_are_drawn() {
    let scratch = TempDir::new().unwrap();
    let board = succeed(&["render", "blitzwar/campaign-1939"]);
    assert!(board.contains("<svg") && board.contains("Berlin"));
    is_sound(
        &format!(
            "<!DOCTYPE html><html><head><style>svg{{max-width:100%;height:auto}}</style></head><body>{}</body></html>",
            &board[board.find("<svg").unwrap()..]
        ),
        scratch.path(),
        200,
    );
    let run = scratch.path().join("run").display().to_string();
    play(&run, "blitzwar/france-1940", "2");
    let file = scratch.path().join("game.html").display().to_string();
    succeed(&["replay", &run, "--game", "1", "--html", &file]);
    let page = fs::read_to_string(&file).unwrap();
    is_sound(&page, scratch.path(), 200);
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
    ] {
        let (code, _, error) = sandtable(&args);
        assert_eq!(code, Some(2), "{args:?}: {error}");
        for word in words {
            assert!(error.contains(word), "{args:?}: {error}");
        }
    }
}
