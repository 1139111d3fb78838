//! Budgets: a rule that holds, one that fails, and one that is none.

use crate::support::*;
use toll_wasmtime::Options;

#[test]
fn rules_that_hold() {
    let r = recorder("guest.wasm", Options::default()).unwrap();
    let (mut store, guest) = instance(&r);
    call(&mut store, &guest, "work", 10).unwrap();
    r.assert_budget(&mut store, &["calls  leaf  == 20", "calls  twice  <= 10"]);
    call(&mut store, &guest, "work", 10).unwrap();
    r.assert_budget(&mut store, &["calls  leaf  == 40"]);
}

#[test]
#[should_panic = "assert_budget:1: calls  leaf: 20, 1 more than <= 19 allows\n  20  work;twice;leaf"]
fn a_rule_that_is_exceeded() {
    let r = recorder("guest.wasm", Options::default()).unwrap();
    let (mut store, guest) = instance(&r);
    call(&mut store, &guest, "work", 10).unwrap();
    r.assert_budget(&mut store, &["calls  leaf  <= 19"]);
}
