//! Random modules have the same results with Toll, and their ticks are wasmtime's fuel.

use crate::fuel;
use crate::pair::{Cost, Engines, Pair};
use arbitrary::Unstructured;
use std::ffi::CStr;
use std::panic::{catch_unwind, AssertUnwindSafe};
use wasm_smith::{Config, InstructionKind::*, InstructionKinds, MemoryOffsetChoices, Module};
use wasmtime::{Val, ValType};

/// Function entries and rounds of loops of a module, after which it traps: few enough that no
/// recursion runs out of stack, which is sooner where functions have more locals.
const ENOUGH: u32 = 300;

/// All functions followed; some: those that have an odd digit in their name; none.
const SKIPS: [Option<&CStr>; 3] = [None, Some(c"[13579]"), Some(c".")];

struct Random(u64);

impl Random {
    /// xorshift64*
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }

    fn argument(&mut self, ty: ValType) -> Option<Val> {
        let number = [0, 1, 2, self.next()][self.next() as usize % 4];
        match ty {
            ValType::I32 => Some(Val::I32(number as i32)),
            ValType::I64 => Some(Val::I64(number as i64)),
            ValType::F32 => Some(Val::F32((number as f32).to_bits())),
            ValType::F64 => Some(Val::F64((number as f64).to_bits())),
            ty => Val::default_for_ty(&ty),
        }
    }
}

/// Half of the modules have little but jumps and calls, one in four may trap, and one in three has
/// functions so short that there is little between their ends. Memories, tables and arrays are small:
/// the tests would take minutes to clear and to compare them.
fn config(number: u64) -> Config {
    let kinds = [NumericInt, Variable, Control];
    Config {
        allowed_instructions: match number % 2 {
            0 => InstructionKinds::new(&kinds),
            _ => InstructionKinds::all(),
        },
        disallow_traps: number % 4 < 3,
        export_everything: true,
        max_imports: 0,
        min_types: 12,
        max_types: 24,
        min_funcs: 8,
        max_funcs: 16,
        max_instructions: [10, 30, 100][number as usize / 4 % 3],
        max_globals: 12,
        max_memories: 2,
        memory_max_size_required: true,
        table_max_size_required: true,
        max_memory32_bytes: 1 << 18,
        max_memory64_bytes: 1 << 18,
        max_table_elements: 100,
        max_tables: 3,
        min_tags: 1,
        memory_offset_choices: MemoryOffsetChoices(20, 1, 0),
        limit_arrays_in_const_exprs: true,
        threads_enabled: false,
        wide_arithmetic_enabled: true,
        ..Config::default()
    }
}

fn module(number: u64, random: &mut Random) -> arbitrary::Result<Vec<u8>> {
    let bytes = random.bytes(5000);
    let mut module = Module::new(config(number), &mut Unstructured::new(&bytes))?;
    module.ensure_termination(ENOUGH).expect("a module without raw bytes");
    Ok(module.to_bytes())
}

#[derive(Default)]
struct Tally {
    modules: usize,
    calls: usize,
    returned: usize,
    ticks: u64,
}

impl Tally {
    fn take(&mut self, cost: Cost) -> Result<(), String> {
        let Cost { fuel, ticks, returned, ends } = cost;
        self.calls += 1;
        if ends[0] != ends[1] {
            return Err(format!("ends with {}, then with {}", ends[0], ends[1]));
        }
        if !returned {
            return Ok(());
        }
        self.returned += 1;
        self.ticks += ticks;
        (fuel == ticks).then_some(()).ok_or(format!("fuel {fuel}, ticks {ticks}"))
    }

    fn call(&mut self, pair: &mut Pair, name: &str, args: &[Val]) -> Result<(), String> {
        let cost = pair.call(name, args).expect("an export");
        let returned = cost.returned;
        self.take(cost)?;
        if !pair.agrees() {
            return Err("globals or memories are not the same".into());
        }
        if !returned {
            pair.renew();
        }
        Ok(())
    }

    /// Each exported function twice, in instances that keep what the calls before have left, as
    /// long as these return.
    fn run(&mut self, mut pair: Pair, random: &mut Random) -> Result<(), String> {
        let functions = pair.functions();
        self.modules += 1;
        for (name, ty) in functions.iter().chain(&functions) {
            let args: Option<Vec<Val>> = ty.params().map(|p| random.argument(p)).collect();
            let Some(args) = args else { continue };
            self.call(&mut pair, name, &args).map_err(|why| format!("{name}{args:?}: {why}"))?;
        }
        Ok(())
    }
}

fn run(
    engines: &Engines,
    number: u64,
    module: &[u8],
    random: &mut Random,
    tally: &mut Tally,
) -> Result<(), String> {
    let skip = SKIPS[number as usize % SKIPS.len()];
    match Pair::new(engines, module, skip) {
        Some(pair) => tally.run(pair, random),
        None => Ok(()),
    }
}

/// A difference is written to a file, and so is an error that the host of the events finds.
fn test_module(engines: &Engines, number: u64, tally: &mut Tally) -> Result<(), String> {
    let mut random = Random(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let Ok(module) = module(number, &mut random) else { return Ok(()) };
    let run = AssertUnwindSafe(|| run(engines, number, &module, &mut random, tally));
    let done = catch_unwind(run).unwrap_or(Err("a panic, see above".into()));
    done.inspect_err(|_| {
        std::fs::write(format!("random-{number}.wasm"), &module).expect("to write the module");
    })
}

/// So many modules, from a number on.
pub fn test(args: &[String]) -> bool {
    let number = |at: usize| args.get(at).map_or(0, |n| n.parse::<u64>().expect("a number"));
    let engines = fuel::engines(false);
    let mut tally = Tally::default();
    let mut failures = 0;
    for number in number(1)..number(1) + number(0) {
        if let Err(why) = test_module(&engines, number, &mut tally) {
            println!("FAILED: random-{number}.wasm: {why}");
            failures += 1;
        }
    }
    let Tally { modules, calls, returned, ticks } = tally;
    println!(
        "random: {modules} modules, {calls} calls, {returned} of them returned, \
         {ticks} ticks in all, {failures} modules differ"
    );
    failures == 0 && returned > 0
}
