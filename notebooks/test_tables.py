"""The tables of all commands as polars, DuckDB and pandas read them, against the documented columns.

    SANDTABLE_RUN=../runs/first SANDTABLE=../target/release/sandtable pytest test_tables.py
"""

import json
import math
import os
import subprocess
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pytest

RUN = Path(os.environ.get("SANDTABLE_RUN", "../runs/first"))
PROGRAM = os.environ.get("SANDTABLE", "../target/release/sandtable")
MANIFEST = json.loads((RUN / "manifest.json").read_text())
TABLES = ["games", "turns", "battles", "country_status"]

# The name of a type in `sandtable schema`: in polars, DuckDB and pandas.
TYPES = {
    "string": (pl.String, "VARCHAR", "string"),
    "int32": (pl.Int32, "INTEGER", "integer"),
    "int64": (pl.Int64, "BIGINT", "integer"),
    "uint64": (pl.UInt64, "UBIGINT", "integer"),
    "float64": (pl.Float64, "DOUBLE", "floating"),
    "boolean": (pl.Boolean, "BOOLEAN", "boolean"),
}


def documented(table: str, scenario: str = MANIFEST["scenario"]) -> dict[str, tuple[str, bool]]:
    """By column: its type, and whether values may be missing."""
    command = [PROGRAM, "schema", scenario, table, "--json"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    [found] = json.loads(text)
    return {column["name"]: (column["type"], column["optional"]) for column in found["columns"]}


def files(table: str) -> str:
    return str(RUN / table / "*.parquet")


@pytest.mark.parametrize("table", TABLES)
def test_polars_sees_the_documented_columns(table):
    columns = documented(table)
    read = pl.read_parquet(files(table))
    assert read.height > 0
    assert read.schema == {name: TYPES[kind][0] for name, (kind, _) in columns.items()}
    missing = {name for name in read.columns if read[name].null_count()}
    assert missing <= {name for name, (_, may) in columns.items() if may}


@pytest.mark.parametrize("table", TABLES)
def test_duckdb_sees_the_documented_columns(table):
    described = duckdb.sql(f"describe select * from read_parquet('{files(table)}')").fetchall()
    expected = {name: TYPES[kind][1] for name, (kind, _) in documented(table).items()}
    assert {row[0]: row[1] for row in described} == expected


@pytest.mark.parametrize("table", TABLES)
def test_pandas_sees_the_documented_columns(table):
    parts = sorted(RUN.glob(f"{table}/*.parquet"))
    read = pd.concat([pd.read_parquet(part) for part in parts])
    expected = {name: TYPES[kind][2] for name, (kind, _) in documented(table).items()}
    assert list(read.columns) == list(expected)
    for name, kind in expected.items():
        there = pd.api.types.infer_dtype(read[name].dropna(), skipna=True)
        assert there == kind or (kind == "integer" and there == "floating") or there == "empty", name


def test_all_readers_count_the_same():
    games = pl.read_parquet(files("games"))
    assert games["game"].sort().to_list() == list(range(games.height))
    axis = games.filter(pl.col("winner") == "axis").height
    (rows, wins) = duckdb.sql(
        f"select count(*), count(*) filter (where winner = 'axis') from read_parquet('{files('games')}')"
    ).fetchall()[0]
    frame = pd.concat(pd.read_parquet(part) for part in RUN.glob("games/*.parquet"))
    assert (rows, wins) == (games.height, axis) == (len(frame), int((frame["winner"] == "axis").sum()))
    summary = json.loads((RUN / "summary.json").read_text())
    assert summary["wins"][0]["games"] == axis
    assert math.isclose(summary["points"][0]["mean"], games["points_axis"].mean())


def test_tables_join():
    joined = duckdb.sql(
        f"""
        select count(*), sum(decisions) from read_parquet('{files('turns')}')
        join (select game as g, turns as last from read_parquet('{files('games')}')) on game = g and turn <= last
        """
    ).fetchall()[0]
    turns, games = pl.read_parquet(files("turns")), pl.read_parquet(files("games"))
    assert joined == (turns.height, games["decisions"].sum())


# Tables that are cut into files by scenario: the folder, the table, and how many rows there are of each scenario.
SCENARIOS = ["blitzwar/barbarossa-1941", "blitzwar/france-1940"]
CUT = [
    ("tournament", "results", {SCENARIOS[0]: 8, SCENARIOS[1]: 8}),
    ("sweep", "sweep_games", {SCENARIOS[1]: 6}),
]
EXPERIMENT = """
scenario = "blitzwar/france-1940"
games = 2
agents = ["random"]

[design]
kind = "grid"
points = 3

[[factor]]
path = "combat.modifiers.armour"
values = [0, 1, 2]
"""


@pytest.fixture(scope="session")
def studies(tmp_path_factory):
    """A folder in which there are a tournament over two scenarios and a sweep."""
    root = tmp_path_factory.mktemp("studies")
    (root / "experiment.toml").write_text(EXPERIMENT)
    players = ["--agent", "random", "--agent", "flat-mc:iterations=1,depth=1", "--pairs", "4"]
    where = [word for scenario in SCENARIOS for word in ("--scenario", scenario)]
    for command in (["tournament", *players, *where], ["sweep", str(root / "experiment.toml")]):
        out = ["--out", str(root / command[0]), "--quiet"]
        subprocess.run([PROGRAM, *command, *out], check=True)
    return root


@pytest.mark.parametrize(("folder", "table", "rows"), CUT)
def test_polars_reads_the_folders_as_one_table(studies, folder, table, rows):
    read = pl.read_parquet(studies / folder / table / "**/*.parquet", hive_partitioning=True)
    expected = {name: TYPES[kind][0] for name, (kind, _) in documented(table, SCENARIOS[1]).items()}
    assert dict(read.schema) == expected
    assert dict(read["scenario"].value_counts().iter_rows()) == rows
    # The folder alone is enough.
    assert pl.read_parquet(studies / folder / table).height == read.height
    # Only the files of the scenario are opened.
    one = pl.scan_parquet(studies / folder / table).filter(pl.col("scenario") == SCENARIOS[1]).collect()
    assert one.height == rows[SCENARIOS[1]]


@pytest.mark.parametrize(("folder", "table", "rows"), CUT)
def test_duckdb_reads_the_folders_as_one_table(studies, folder, table, rows):
    source = f"read_parquet('{studies / folder / table}/**/*.parquet', hive_partitioning = true)"
    described = duckdb.sql(f"describe select * from {source}").fetchall()
    expected = {name: TYPES[kind][1] for name, (kind, _) in documented(table, SCENARIOS[1]).items()}
    assert {row[0]: row[1] for row in described} == expected
    counted = duckdb.sql(f"select scenario, count(*) from {source} group by scenario").fetchall()
    assert dict(counted) == rows


@pytest.mark.parametrize(("folder", "table", "rows"), CUT)
def test_pandas_reads_the_folders_as_one_table(studies, folder, table, rows):
    read = pd.read_parquet(studies / folder / table)
    assert set(read.columns) == set(documented(table, SCENARIOS[1]))
    assert read["scenario"].astype(str).value_counts().to_dict() == rows


def test_the_same_games_count_the_same_in_the_other_tables(studies):
    games = pl.read_parquet(studies / "tournament/results")
    sides = pl.read_parquet(studies / "tournament/sides.parquet").filter(pl.col("agent").is_null())
    for scenario in SCENARIOS:
        here = games.filter(pl.col("scenario") == scenario)
        axis = sides.filter((pl.col("scenario") == scenario) & (pl.col("side") == "axis"))
        assert axis["games"].item() == here.height
        assert axis["wins"].item() == here.filter(pl.col("winner") == "axis").height
        assert math.isclose(axis["points"].item(), here["points_axis"].mean(), abs_tol=1e-9)


# Tables of one file: the words of the command, with FRANCE for a scenario, and the tables that it leaves.
FRANCE = SCENARIOS[1]
HANDICAP = "setup.axis.extra_supply=0..4"
FILES = {
    "balance": (
        f"balance {FRANCE} --agent random --games 6 --restrict air --handicap {HANDICAP}",
        ["balance_teams", "balance_sides", "balance_ends", "balance_turns", "balance_handicaps", "balance_restrictions"],
    ),
    "compare": (
        f"compare {FRANCE} --set-b setup.axis.extra_supply=4 --agents random --games 6",
        ["compare_measures"],
    ),
    "tune": (
        f"tune mcts:iterations=4 --scenario {FRANCE} --option iterations=2..6 --budget 80 --runs 2 --batch 1",
        ["tune_course", "tune_candidates", "tune_values"],
    ),
}
# Tables of games of the same studies, in parts.
PARTS = [("balance", "balance_games"), ("compare", "compare_games"), ("tune", "tune_games")]
BATTLE = ["--attack", "brest_litovsk: ger I1", "--defend", "minsk: ussr I1", "--turn", "17"]
ODDS = {
    "battle_odds": ["combat", "blitzwar", *BATTLE, "--samples", "1000"],
    "odds_grid": ["combat", "blitzwar", *BATTLE, "--grid", "3x2"],
    "weather_odds": ["weather", "blitzwar"],
}
ALL = (
    [(folder, table, f"{folder}/{table}.parquet") for folder, (_, tables) in FILES.items() for table in tables]
    + [(folder, table, f"{folder}/{table}/*.parquet") for folder, table in PARTS]
    + [("odds", table, f"odds/{table}.parquet") for table in ODDS]
)


@pytest.fixture(scope="session")
def answers(tmp_path_factory):
    """A folder in which there are a balance, a comparison, a tuning and odds."""
    root = tmp_path_factory.mktemp("answers")
    for folder, (words, _) in FILES.items():
        subprocess.run([PROGRAM, *words.split(), "--out", str(root / folder), "--quiet"], check=True)
    (root / "odds").mkdir()
    for table, words in ODDS.items():
        out = ["--format", "parquet", "--out", str(root / "odds" / f"{table}.parquet")]
        subprocess.run([PROGRAM, "odds", *words, *out], check=True)
    return root


@pytest.mark.parametrize(("folder", "table", "place"), ALL)
def test_all_readers_read_the_tables_of_studies_and_odds(answers, folder, table, place):
    columns = documented(table, FRANCE)
    read = pl.read_parquet(answers / place)
    assert read.height > 0
    assert read.schema == {name: TYPES[kind][0] for name, (kind, _) in columns.items()}
    missing = {name for name in read.columns if read[name].null_count()}
    assert missing <= {name for name, (_, may) in columns.items() if may}

    source = f"read_parquet('{answers / place}')"
    described = duckdb.sql(f"describe select * from {source}").fetchall()
    assert {row[0]: row[1] for row in described} == {name: TYPES[kind][1] for name, (kind, _) in columns.items()}
    rows = duckdb.sql(f"select * from {source}").fetchall()

    frame = pd.concat([pd.read_parquet(part) for part in sorted(answers.glob(place))])
    assert list(frame.columns) == list(columns)
    assert len(frame) == len(rows) == read.height
    # The same values, whoever reads them.
    for at, name in enumerate(columns):
        values = read[name].to_list()
        assert sorted(map(repr, values)) == sorted(repr(row[at]) for row in rows), name
        there = frame[name].dropna().tolist()
        assert sorted(there) == sorted(value for value in values if value is not None), name


# The sweep that is kept beside the notebooks, and its tables.
KEPT = Path(__file__).parent / "fairness"


def test_the_kept_sweep_has_the_manifest_of_today():
    kept = json.loads((KEPT / "manifest.json").read_text())
    assert kept["kind"] == "sweep"
    assert kept["schema_version"] == MANIFEST["schema_version"]


def columns_of_a_sweep(folder: Path, table: str) -> dict[str, pl.DataType]:
    """Without those of its factors."""
    factors = {factor["name"] for factor in json.loads((folder / "manifest.json").read_text())["factors"]}
    schema = pl.read_parquet(folder / f"{table}.parquet").schema
    return {name: kind for name, kind in schema.items() if name not in factors}


@pytest.mark.parametrize("table", ["points", "effects", "indices"])
def test_the_kept_sweep_has_the_tables_of_today(studies, table):
    assert columns_of_a_sweep(KEPT, table) == columns_of_a_sweep(studies / "sweep", table)
