"""The tables of a run as polars, DuckDB and pandas read them, against the documented columns.

    SANDTABLE_RUN=../runs/first SANDTABLE=../target/release/sandtable pytest test_tables.py
"""

import json
import math
import os
import re
import subprocess
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pytest

RUN = Path(os.environ.get("SANDTABLE_RUN", "../runs/first"))
PROGRAM = os.environ.get("SANDTABLE", "../target/release/sandtable")
MANIFEST = json.loads((RUN / "manifest.json").read_text())
TABLES = ["games", "turns", "battles", "standings"]

# The name of a type in `sandtable schema`: in polars, DuckDB and pandas.
TYPES = {
    "string": (pl.String, "VARCHAR", "string"),
    "int32": (pl.Int32, "INTEGER", "integer"),
    "int64": (pl.Int64, "BIGINT", "integer"),
    "uint64": (pl.UInt64, "UBIGINT", "integer"),
    "float64": (pl.Float64, "DOUBLE", "floating"),
    "boolean": (pl.Boolean, "BOOLEAN", "boolean"),
}


def documented(table: str) -> dict[str, tuple[str, bool]]:
    """By column: its type, and whether values may be missing."""
    command = [PROGRAM, "schema", MANIFEST["scenario"], table]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = re.findall(r"^  (\w+) +(\w+)(, may be missing)?(?: \[[^\]]*\])?: ", text, re.MULTILINE)
    return {name: (kind, bool(missing)) for name, kind, missing in lines}


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
