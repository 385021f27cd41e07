//! The worked examples hold, and would say so if they did not.

use sandtable_scenarios_europe_engulfed::Examples;

sandtable_scenarios::example_tests!(Examples, more_than: 20);
