//! sbpf-judge FILE.so ID OUT - loads a program as Solana's virtual machine does, runs it with its registers traced, and writes
//! the trace into the folder OUT/traces, as LiteSVM does. It prints a line for each function that ran, `NAME INSTRUCTIONS`, by
//! the loader's own list of functions, and nothing for those that the loader does not know. Before v3 it knows their addresses
//! alone: `fn@ADDRESS INSTRUCTIONS`.
//!
//! sbpf-judge --as VERSION FILE.so NEW.so - writes the program as one of that version of SBPF.
mod versions;

use {
    solana_sbpf::{
        aligned_memory::AlignedMemory,
        ebpf,
        elf::Executable,
        memory_region::{MemoryMapping, MemoryRegion},
        program::{BuiltinProgram, SBPFVersion},
        verifier::RequisiteVerifier,
        vm::{CallFrame, Config, ContextObject, EbpfVm, ExecutionMode},
    },
    std::{
        collections::BTreeMap,
        env, fs,
        ptr::{self, NonNull},
        sync::Arc,
    },
};

struct Context {
    remaining: u64,
    mapping: MemoryMapping,
}

impl ContextObject for Context {
    fn consume(&mut self, amount: u64) {
        self.remaining = self.remaining.saturating_sub(amount);
    }
    fn get_remaining(&self) -> u64 {
        self.remaining
    }
    fn active_mapping_ptr(&mut self) -> NonNull<MemoryMapping> {
        NonNull::from(&mut self.mapping)
    }
}

fn main() {
    let args: Vec<String> = env::args().collect();
    match &args.iter().map(String::as_str).collect::<Vec<_>>()[1..] {
        ["--as", version, file, new] => {
            let mut bytes = fs::read(file).unwrap();
            versions::become_version(&mut bytes, version.parse().unwrap());
            fs::write(new, bytes).unwrap();
        }
        [file, id, out] => run(file, id, out),
        _ => panic!("sbpf-judge FILE.so ID OUT"),
    }
}

fn run(file: &str, id: &str, out: &str) {
    let config = Config {
        enable_register_tracing: true,
        enable_symbol_and_section_labels: true,
        ..Config::default()
    };
    let loader = Arc::new(BuiltinProgram::new_loader(config.clone()));
    let executable =
        Executable::<Context>::from_elf(&fs::read(file).unwrap(), loader.clone()).unwrap();
    executable.verify::<RequisiteVerifier>().unwrap();
    let version = executable.get_sbpf_version();

    let mut stack = AlignedMemory::<{ ebpf::HOST_ALIGN }>::zero_filled(config.stack_size());
    let mut heap = AlignedMemory::<{ ebpf::HOST_ALIGN }>::zero_filled(1024);
    let mut input = vec![0u8; 64];
    input[0] = 1;
    let regions = vec![
        executable.get_ro_region(),
        MemoryRegion::new_gapped(
            ptr::from_mut(stack.as_slice_mut()),
            ebpf::MM_STACK_START,
            if version.stack_frame_gaps() { config.stack_frame_size as u64 } else { 0 },
        ),
        MemoryRegion::new(ptr::from_mut(heap.as_slice_mut()), ebpf::MM_HEAP_START),
        MemoryRegion::new(ptr::from_mut(&mut input[..]), ebpf::MM_INPUT_START),
    ];
    let mapping = unsafe { MemoryMapping::new(regions, &config, version) }.unwrap();
    let mut context = Context { remaining: 10_000, mapping };
    let mut vm = EbpfVm::new(loader, version, &mut context, stack.len());
    vm.registers[1] = ebpf::MM_INPUT_START;
    let mut frames = vec![CallFrame::default(); config.max_call_depth];
    let (units, result) =
        vm.execute_program(&executable, &mut ExecutionMode::Interpreted, &mut frames);
    let trace = &vm.register_trace;
    eprintln!("{file}: {version:?}, {units} units, {result:?}");
    assert_eq!(units as usize, trace.len());

    let (_, text) = executable.get_text_bytes();
    let (mut regs, mut insns) = (Vec::new(), Vec::new());
    for at in trace {
        regs.extend(at.iter().flat_map(|r| r.to_le_bytes()));
        insns.extend(&text[at[11] as usize * 8..][..8]);
    }
    let folder = format!("{out}/traces");
    fs::create_dir_all(&folder).unwrap();
    fs::write(format!("{folder}/trace.regs"), regs).unwrap();
    fs::write(format!("{folder}/trace.insns"), insns).unwrap();
    fs::write(format!("{folder}/trace.program_id"), id).unwrap();

    let functions: BTreeMap<u64, String> = executable
        .get_function_registry()
        .iter()
        .map(|(_, (name, pc))| match version {
            SBPFVersion::V0 | SBPFVersion::V1 | SBPFVersion::V2 => (pc as u64, format!("fn@{pc}")),
            _ => (pc as u64, String::from_utf8_lossy(name).into_owned()),
        })
        .collect();
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for at in trace {
        if let Some((_, name)) = functions.range(..=at[11]).next_back() {
            *counts.entry(name).or_default() += 1;
        }
    }
    for (name, count) in counts {
        println!("{name} {count}");
    }
}
