//! Nothing but tests: see tests/budget.rs.
