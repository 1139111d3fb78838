//! Sections of real programs on the real VM, by Mollusk.

mod common;

use {
    mollusk_svm::{program::loader_keys, Mollusk},
    solana_account::Account,
    solana_instruction::{AccountMeta, Instruction},
    solana_pubkey::Pubkey,
    solana_svm_log_collector::LogCollector,
    std::{cell::RefCell, rc::Rc},
    toll_svm::{Invocation, Section},
};

const OUTER: Pubkey = Pubkey::new_from_array([7; 32]);
const INNER: Pubkey = Pubkey::new_from_array([9; 32]);

fn machine() -> Mollusk {
    machine_with(None)
}

/// Its logger is the user's.
fn machine_with(logger: Option<Rc<RefCell<LogCollector>>>) -> Mollusk {
    toll_svm::record_functions(false);
    let mut mollusk = Mollusk::default();
    mollusk.logger = logger;
    toll_svm::mollusk(&mut mollusk);
    let loader = loader_keys::LOADER_V3;
    mollusk.program_cache.add_program(&OUTER, &loader, &common::program("outer"));
    mollusk.program_cache.add_program(&INNER, &loader, &common::program("inner"));
    mollusk
}

/// Run outer.c; its invocations, and the units that Mollusk says they took.
fn run(mollusk: &Mollusk, data: &[u8]) -> (Vec<Invocation>, u64, bool) {
    let accounts = vec![AccountMeta::new_readonly(INNER, false)];
    let instruction = Instruction { program_id: OUTER, accounts, data: data.to_vec() };
    let inner: Account = mollusk_svm::program::create_program_account_loader_v3(&INNER);
    let result = mollusk.process_instruction(&instruction, &[(INNER, inner)]);
    (toll_svm::take(), result.compute_units_consumed, result.program_result.is_err())
}

fn named<'a>(invocation: &'a Invocation, id: &str) -> &'a Section {
    invocation.sections.iter().find(|s| s.id == id.as_bytes()).unwrap()
}

#[test]
fn nested_crossing_and_repeated_sections() {
    let (invocations, consumed, failed) = run(&machine(), &[0]);
    assert!(!failed);
    let [outer] = &invocations[..] else { panic!("{invocations:?}") };
    assert_eq!(outer.consumed, consumed);
    let ids: Vec<_> = outer.sections.iter().map(|s| String::from_utf8_lossy(&s.id)).collect();
    assert_eq!(ids, ["inner", "mid", "x", "y", "again", "again", "again", "outer"]);
    let (all, mid, inner) = (named(outer, "outer"), named(outer, "mid"), named(outer, "inner"));
    assert_eq!(inner.net, inner.total);
    assert_eq!(mid.net, mid.total - inner.total);
    let (x, y, again) = (named(outer, "x"), named(outer, "y"), named(outer, "again"));
    assert_eq!((x.net, y.net), (x.total, y.total));
    assert!(again.total > 0 && outer.sections[4..7].iter().all(|s| s == again));
    // x and y cross: what both hold counts once.
    let inside = mid.total + x.total + y.total + 3 * again.total;
    assert!(all.net > all.total - inside && all.net < all.total);
    assert!(all.total < consumed);
    assert_eq!(
        outer.log[0],
        format!("CU log:  1 inner consumed {:6} CU (net {:6} CU)", inner.total, inner.net)
    );
}

#[test]
fn the_syscalls_cost_nothing_but_their_call() {
    let mollusk = machine();
    let (first, ..) = run(&mollusk, &[0]);
    let (second, ..) = run(&mollusk, &[0]);
    assert_eq!(first, second);
    // "again" holds no more than the instructions of a loop of one and of the call itself.
    assert!(named(&first[0], "again").total < 40);
}

#[test]
fn heap() {
    let (invocations, ..) = run(&machine(), &[1]);
    let grows = named(&invocations[0], "grows").heap.unwrap();
    let part = named(&invocations[0], "part").heap.unwrap();
    assert_eq!((part.total, part.net, part.remaining), (64, 64, 164));
    assert_eq!((grows.total, grows.net, grows.remaining), (256, 192, 256));
    assert_eq!(invocations[0].log[3], "HEAP :   256 heap (net   192 heap) remaining   256");
}

#[test]
fn a_nested_invocation_has_a_scope_of_its_own() {
    let (invocations, consumed, failed) = run(&machine(), &[2]);
    assert!(!failed);
    let [inner, outer] = &invocations[..] else { panic!("{invocations:?}") };
    assert_eq!((inner.depth, outer.depth), (2, 1));
    assert_eq!(
        (inner.program.clone(), outer.program.clone()),
        (INNER.to_string(), OUTER.to_string())
    );
    assert_eq!(outer.consumed, consumed);
    assert_eq!((inner.sections.len(), outer.sections.len()), (1, 2));
    // The caller's section of that name holds the whole invocation.
    assert!(named(outer, "inner").total > inner.consumed);
    assert!(named(inner, "inner").total < inner.consumed);
}

#[test]
fn a_failed_invocation_fails_with_its_sections_told() {
    let (invocations, _, failed) = run(&machine(), &[2, 1]);
    assert!(failed);
    let [inner, outer] = &invocations[..] else { panic!("{invocations:?}") };
    assert!(inner.failed && outer.failed);
    assert_eq!(inner.sections.len(), 1);
    let open: Vec<_> = outer.left_open.iter().map(|s| String::from_utf8_lossy(&s.id)).collect();
    assert_eq!(open, ["invoke", "inner"]);
}

#[test]
fn a_failing_instruction_tells_what_completed_and_what_is_open() {
    let (invocations, consumed, failed) = run(&machine(), &[3]);
    assert!(failed && invocations[0].failed);
    assert_eq!(invocations[0].consumed, consumed);
    assert_eq!(invocations[0].sections.len(), 1);
    let [open] = &invocations[0].left_open[..] else { panic!() };
    assert_eq!(open.id, b"left open");
    assert!(open.total > 0 && open.total < consumed);
    assert_eq!(
        invocations[0].log[1],
        format!("CU log: left open was not ended, {} CU so far", open.total)
    );
}

#[test]
fn an_id_that_is_not_in_memory_is_the_programs_access_violation() {
    let (invocations, _, failed) = run(&machine(), &[4]);
    assert!(failed && invocations[0].failed);
    assert!(invocations[0].sections.is_empty() && invocations[0].left_open.is_empty());
}

#[test]
fn an_end_without_a_start_is_told_and_the_program_goes_on() {
    let (invocations, _, failed) = run(&machine(), &[5]);
    assert!(!failed);
    assert_eq!(invocations[0].log, ["CU log: end: no section 'nothing' is open"]);
}

#[test]
fn a_guarded_section_ends_where_its_block_is_left() {
    let (invocations, _, failed) = run(&machine(), &[6]);
    assert!(!failed);
    assert_eq!(invocations[0].sections.len(), 1);
    assert!(invocations[0].left_open.is_empty());
}

#[test]
fn programs_built_for_three_arguments_track_no_heap() {
    let (invocations, _, failed) = run(&machine(), &[8]);
    assert!(!failed);
    assert_eq!(invocations[0].sections[0].heap, None);
    assert!(!invocations[0].log.iter().any(|line| line.starts_with("HEAP")));
}

#[test]
fn a_program_that_is_stopped_has_spent_everything() {
    let (invocations, consumed, failed) = run(&machine(), &[7]);
    assert!(failed && invocations[0].failed);
    assert_eq!(consumed, 1_400_000);
    assert_eq!(invocations[0].consumed, consumed);
    assert!(invocations[0].left_open[0].total > 1_399_000);
}

#[test]
fn a_machine_is_registered_once() {
    let mut mollusk = machine();
    toll_svm::mollusk(&mut mollusk);
    let (invocations, ..) = run(&mollusk, &[0]);
    assert_eq!(invocations.len(), 1);
}

#[test]
fn sections_are_in_the_log_unless_it_has_no_room() {
    let lines = |limit| {
        let log = LogCollector::new_ref_with_limit(limit);
        let (invocations, ..) = run(&machine_with(Some(log.clone())), &[0]);
        assert_eq!(invocations[0].sections.len(), 8);
        let lines = log.borrow().get_recorded_content().to_vec();
        (lines, invocations[0].log.clone())
    };
    let (all, added) = lines(None);
    assert_eq!((added.len(), all.len()), (8, 3 + 8));
    assert_eq!(all[2..10], added[..]);
    let (without, _) = lines(Some(400));
    let told =
        "Toll: this log has no room for the 8 lines of its sections; toll_svm::take() has them";
    assert_eq!(without[..], [&all[..2], &[told.to_string()], &all[10..]].concat()[..]);
    // Nothing is added to a log that has no room for that either.
    let (full, _) = lines(Some(250));
    assert_eq!(full[..], [&all[..2], &all[10..]].concat()[..]);
}

#[test]
fn what_lights_macro_makes_of_functions_runs_unchanged() {
    let (invocations, ..) = run(&machine(), &[9]);
    let names = |s: &toll_svm::Section| String::from_utf8_lossy(&s.id).replace(' ', "");
    let sections = &invocations[0].sections;
    let names: Vec<_> = sections.iter().map(names).collect();
    assert_eq!(names, ["callee\nsrc/account/load.rs:3", "caller\nsrc/lib.rs:12"]);
    let heaps: Vec<_> =
        sections.iter().map(|s| s.heap.map(|heap| (heap.total, heap.net)).unwrap()).collect();
    assert_eq!(heaps, [(200, 200), (300, 100)]);
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("light.folded");
    toll_svm::write(&path).unwrap();
    let folded = std::fs::read_to_string(&path).unwrap();
    assert!(folded.contains(&format!("program {OUTER};caller;callee ")), "{folded}");
}

#[test]
fn a_full_log_costs_nothing() {
    let full = machine_with(Some(LogCollector::new_ref_with_limit(Some(200))));
    for data in [&[2][..], &[0], &[3]] {
        let (invocations, consumed, failed) = run(&full, data);
        let (others, ..) = run(&machine(), data);
        assert_eq!(invocations, others);
        let outer = invocations.last().unwrap();
        assert_eq!((outer.consumed, outer.failed), (consumed, failed));
    }
}

#[test]
fn a_profile_of_it_all() {
    let mollusk = machine();
    let consumed: u64 = [0, 1, 2, 3].iter().map(|&what| run(&mollusk, &[what]).1).sum();
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("all.folded");
    toll_svm::write(&path).unwrap();
    let folded = std::fs::read_to_string(&path).unwrap();
    let sum: u64 =
        folded.lines().map(|l| l.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum();
    assert!(sum >= consumed); // other tests of this process are in there too
    let inside = format!("program {OUTER};invoke;inner;program {INNER};inner ");
    assert!(folded.contains(&inside), "{folded}");
}
