//! Layout of the tables.

use sandtable_scenarios::tree::Cell::{Flag, Float, Integer, Text};
use sandtable_scenarios::tree::Sheet;

pub(super) const COUNTRIES: Sheet = Sheet::of_facts(
    "countries.csv",
    &["id"],
    &[("id", Text), ("name", Text), ("nation", Text), ("home", Flag)],
);

pub(super) const NATIONS: Sheet = Sheet::of_facts(
    "nations.csv",
    &["id"],
    &[
        ("id", Text),
        ("name", Text),
        ("rank", Text),
        ("capital", Text),
        ("ski", Flag),
        ("motorised", Flag),
        ("winter_headquarters", Flag),
        ("lean", Text),
        ("peace", Flag),
        ("defeat", Text),
        ("fort", Text),
    ],
);

pub(super) const HEXES: Sheet = Sheet::of_facts(
    "map/hexes.csv",
    &["hex"],
    &[
        ("hex", Text),
        ("terrain", Text),
        ("country", Text),
        ("front", Text),
        ("territory", Text),
        ("sea", Text),
        ("coast", Text),
        ("fortress", Text),
        ("shoal", Flag),
        ("name", Text),
        ("latitude", Float),
        ("longitude", Float),
    ],
);

pub(super) const SIDES: Sheet = Sheet::of_facts(
    "map/sides.csv",
    &["a", "b"],
    &[("a", Text), ("b", Text), ("kinds", Text), ("name", Text)],
);

pub(super) const WAYS: Sheet =
    Sheet::of_facts("map/ways.csv", &["a", "b"], &[("a", Text), ("b", Text), ("ways", Text)]);

pub(super) const PLACES: Sheet = Sheet::of_facts(
    "map/places.csv",
    &["id"],
    &[
        ("id", Text),
        ("name", Text),
        ("hex", Text),
        ("class", Text),
        ("port", Text),
        ("seas", Text),
        ("base_of", Text),
        ("pp", Integer),
        ("resource", Text),
        ("resource_pp", Integer),
        ("victory", Integer),
        ("capital_of", Text),
        ("origin", Text),
        ("base", Flag),
        ("loyalty", Text),
    ],
);

pub(super) const AREAS: Sheet = Sheet::of_facts(
    "map/areas.csv",
    &["id"],
    &[
        ("id", Text),
        ("name", Text),
        ("zone", Text),
        ("kind", Text),
        ("country", Text),
        ("terrain", Text),
        ("port", Text),
        ("seas", Text),
        ("base_of", Text),
        ("pp", Integer),
        ("resource", Text),
        ("resource_pp", Integer),
        ("origin", Text),
        ("base", Flag),
        ("latitude", Float),
        ("longitude", Float),
        ("sea_hex", Text),
    ],
);

pub(super) const ROUTES: Sheet = Sheet::of_facts(
    "map/routes.csv",
    &["a", "b"],
    &[("a", Text), ("b", Text), ("way", Text), ("length", Text)],
);

pub(super) const SEAS: Sheet = Sheet::of_facts(
    "map/seas.csv",
    &["id"],
    &[("id", Text), ("name", Text), ("basin", Text), ("value", Integer), ("always", Text), ("freezes", Flag)],
);

pub(super) const SEA_LINKS: Sheet =
    Sheet::of_facts("map/sea_links.csv", &["a", "b"], &[("a", Text), ("b", Text), ("gates", Text)]);

pub(super) const STRAITS: Sheet =
    Sheet::of_facts("map/straits.csv", &["id"], &[("id", Text), ("banks", Text)]);

pub(super) const TERRAIN: Sheet = Sheet::of_facts(
    "terrain.csv",
    &["terrain"],
    &[
        ("terrain", Text),
        ("impassable", Flag),
        ("stop", Flag),
        ("hits", Integer),
        ("stacking", Integer),
        ("single_fire", Flag),
        ("invasion", Flag),
        ("paradrop", Flag),
    ],
);

pub(super) const UNIT_TYPES: Sheet = Sheet::of_facts(
    "unit_types.csv",
    &["id"],
    &[
        ("id", Text),
        ("name", Text),
        ("dry", Integer),
        ("mud", Integer),
        ("snow", Integer),
        ("motorised_dry", Integer),
        ("motorised_mud", Integer),
        ("motorised_snow", Integer),
        ("offence", Text),
        ("defence", Text),
        ("desert_offence", Text),
        ("desert_defence", Text),
        ("mountain_offence", Text),
        ("mountain_defence", Text),
        ("least", Integer),
        ("ignores_stop", Flag),
        ("supreme_only", Flag),
        ("strategic_only", Flag),
        ("hits", Integer),
        ("invades", Flag),
        ("assaults", Flag),
    ],
);

pub(super) const COSTS: Sheet = Sheet::of_facts(
    "costs.csv",
    &["unit", "table"],
    &[("unit", Text), ("table", Text), ("step", Integer), ("cadre", Integer)],
);

pub(super) const BLOCKS: Sheet = Sheet::of_facts(
    "blocks.csv",
    &["id"],
    &[
        ("id", Text),
        ("name", Text),
        ("side", Text),
        ("nation", Text),
        ("type", Text),
        ("quality", Text),
        ("strength", Integer),
        ("class", Text),
        ("fronts", Text),
        ("entry", Text),
        ("entry_steps", Text),
        ("condition", Text),
        ("foreign", Flag),
    ],
);

pub(super) const WEATHER: Sheet = Sheet::of_facts(
    "weather.csv",
    &["month"],
    &[
        ("month", Text),
        ("west_odd", Text),
        ("west_even", Text),
        ("west_storms", Flag),
        ("east_odd", Text),
        ("east_even", Text),
        ("east_storms", Flag),
    ],
);

pub(super) const STORMS: Sheet =
    Sheet::of_facts("storms.csv", &["front", "sum"], &[("front", Text), ("sum", Integer), ("basin", Text)]);

pub(super) const SEASONS: Sheet = Sheet::of_facts(
    "seasons.csv",
    &["season"],
    &[
        ("season", Text),
        ("base_axis", Integer),
        ("base_allies", Integer),
        ("base_soviets", Integer),
        ("air_axis_west", Text),
        ("air_axis_east", Text),
        ("air_axis_extreme", Text),
        ("air_allies", Text),
        ("air_soviets", Text),
        ("allied_air", Text),
    ],
);

pub(super) const REACTIONS: Sheet = Sheet::of_facts(
    "reactions.csv",
    &["belligerent", "neutral"],
    &[
        ("belligerent", Text),
        ("neutral", Text),
        ("before", Integer),
        ("after", Integer),
        ("joins", Text),
        ("condition", Text),
    ],
);

pub(super) const SETUP_UNITS: Sheet = Sheet::of_facts(
    "setup/units.csv",
    &["unit"],
    &[("unit", Text), ("steps", Integer), ("place", Text), ("month", Text), ("arrival", Text)],
);
