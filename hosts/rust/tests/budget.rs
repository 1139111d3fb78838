//! Budgets: rules that hold, that are exceeded, and that are none. The command `toll` is on the PATH.

use tollprof::{Error, Profile};

fn profile() -> Profile {
    Profile::from_bytes(b"main 15\nmain;square 7\n", "a.folded").unwrap()
}

#[test]
fn rules_that_hold() -> Result<(), Error> {
    let mut sum = profile();
    sum.assert_budget(&["samples  *  <= 22", "samples  self main  == 15"]);
    sum.merge(&profile())?;
    sum.assert_budget(&["samples  *  <= 44"]);
    Ok(())
}

#[test]
#[should_panic = "assert_budget:2: samples  square: 7, 1 more than <= 6 allows\n  7  main;square"]
fn a_rule_that_is_exceeded() {
    profile().assert_budget(&["samples  *  <= 22", "samples  square  <= 6"]);
}

#[test]
#[should_panic = "assert_budget:1:1: there is no operator"]
fn a_rule_that_is_none() {
    profile().assert_budget(&["samples is low"]);
}
