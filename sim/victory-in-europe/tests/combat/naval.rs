//! naval
