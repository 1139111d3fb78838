//! Prepares the programs that a transaction may run.

use {
    crate::wrap::{self, Kind},
    solana_program_runtime::{
        invoke_context::InvokeContext,
        program_cache_entry::{ProgramCacheEntry, ProgramCacheEntryType},
        solana_sbpf::{elf::Executable, program::BuiltinProgram, verifier::RequisiteVerifier},
    },
    solana_pubkey::Pubkey,
    std::{
        cell::RefCell,
        collections::HashMap,
        sync::{Arc, Weak},
    },
};

/// The loaders: the programs that run the others.
const LOADERS: [Pubkey; 4] = [
    Pubkey::from_str_const("BPFLoaderUpgradeab1e11111111111111111111111"),
    Pubkey::from_str_const("BPFLoader2111111111111111111111111111111111"),
    Pubkey::from_str_const("BPFLoader1111111111111111111111111111111111"),
    Pubkey::from_str_const("LoaderV411111111111111111111111111111111111"),
];

const ENTRY: &str = "entrypoint"; // the runtime's name for the function of a built-in program

/// What an entry needs so that it is recorded.
#[derive(Clone)]
enum Needs {
    Nothing,
    Other(Arc<ProgramCacheEntry>), // another entry in its place
    Code,                          // its functions cannot be seen
}

/// Where the runtime has an entry, which a Weak keeps from being used again; and whether functions
/// are recorded.
type Place = (*const ProgramCacheEntry, bool);

thread_local! {
    static KNOWN: RefCell<HashMap<Place, (Weak<ProgramCacheEntry>, Needs)>> =
        RefCell::default();
}

fn wrapped_builtin(entry: &ProgramCacheEntry) -> Option<ProgramCacheEntry> {
    let ProgramCacheEntryType::Builtin(program) = &entry.program else { return None };
    let (_, function) = program.get_function_registry().lookup_by_name(ENTRY.as_bytes())?;
    if wrap::is_wrapped(function.0) {
        return None;
    }
    let mut new = BuiltinProgram::new_builtin();
    new.register_function(ENTRY, wrap::wrap(Kind::Invocation, ENTRY, function)?).ok()?;
    Some(with(entry, ProgramCacheEntryType::Builtin(new)))
}

fn with(entry: &ProgramCacheEntry, program: ProgramCacheEntryType) -> ProgramCacheEntry {
    ProgramCacheEntry {
        program,
        account_owner: entry.account_owner,
        deployment_slot: entry.deployment_slot,
        stats: entry.stats.clone(),
        ..ProgramCacheEntry::default()
    }
}

/// Load a program again, so that its system calls are wrapped. It was loaded before we were told of
/// its machine. None: its account now has other code than what the machine runs.
fn loaded_again(
    entry: &ProgramCacheEntry,
    elf: impl FnOnce() -> Option<Vec<u8>>,
) -> Option<ProgramCacheEntry> {
    let ProgramCacheEntryType::Loaded(old) = &entry.program else { return None };
    let environment = Arc::new(wrap::environment(old.get_loader()));
    let new = Executable::load(&elf()?, environment).ok()?;
    let is_same = new.get_text_bytes() == old.get_text_bytes()
        && new.get_ro_section() == old.get_ro_section()
        && new.get_sbpf_version() == old.get_sbpf_version();
    if !is_same {
        return None;
    }
    new.verify::<RequisiteVerifier>().ok()?;
    #[cfg(all(not(target_os = "windows"), target_arch = "x86_64"))]
    new.jit_compile().ok()?;
    Some(with(entry, ProgramCacheEntryType::Loaded(new)))
}

fn needs_of(
    entry: &ProgramCacheEntry,
    functions: bool,
    elf: impl FnOnce() -> Option<Vec<u8>>,
) -> Needs {
    let new = match &entry.program {
        ProgramCacheEntryType::Builtin(_) => wrapped_builtin(entry),
        ProgramCacheEntryType::Loaded(executable)
            if functions && !wrap::is_environment(executable.get_loader()) =>
        {
            match loaded_again(entry, elf) {
                None => return Needs::Code,
                new => new,
            }
        }
        _ => None,
    };
    new.map_or(Needs::Nothing, |new| Needs::Other(Arc::new(new)))
}

/// Wrap the built-in programs that this transaction may run, and with `functions` its other
/// programs, whose ELF files `elf_of` finds. Returns how many of these are as they were, so that
/// their functions cannot be seen.
pub(crate) fn prepare(
    context: &mut InvokeContext,
    functions: bool,
    elf_of: impl Fn(&Pubkey) -> Option<Vec<u8>>,
) -> usize {
    let accounts = 0..context.transaction_context.get_number_of_accounts();
    let key = |i| context.transaction_context.get_key_of_account_at_index(i).ok().copied();
    let ids: Vec<Pubkey> = accounts.filter_map(key).chain(LOADERS).collect();
    let mut unseen = 0;
    for id in ids {
        let Some(entry) = context.program_cache_for_tx_batch.find(&id) else { continue };
        let needs = KNOWN.with_borrow_mut(|known| {
            if let Some((_, needs)) = known.get(&(Arc::as_ptr(&entry), functions)) {
                return needs.clone();
            }
            let needs = needs_of(&entry, functions, || elf_of(&id));
            known.retain(|_, (of, _)| of.strong_count() > 0);
            known.insert((Arc::as_ptr(&entry), functions), (Arc::downgrade(&entry), needs.clone()));
            needs
        });
        match needs {
            Needs::Nothing => {}
            Needs::Other(new) => {
                context.program_cache_for_tx_batch.replenish(id, new);
            }
            Needs::Code => unseen += 1,
        }
    }
    unseen
}

/// The numbers of programs that are loaded, by where the runtime has them. A Weak keeps the address
/// from being used again.
#[derive(Default)]
pub(crate) struct Codes(Vec<(Weak<ProgramCacheEntry>, u32)>);

impl Codes {
    const MOST: usize = 1024; // before those that are gone are forgotten

    pub(crate) fn find(&self, entry: &Arc<ProgramCacheEntry>) -> Option<u32> {
        let is_it = |(known, _): &&(Weak<ProgramCacheEntry>, u32)| {
            std::ptr::eq(known.as_ptr(), Arc::as_ptr(entry))
        };
        self.0.iter().rev().find(is_it).map(|(_, number)| *number)
    }

    pub(crate) fn add(&mut self, entry: &Arc<ProgramCacheEntry>, number: u32) {
        if self.0.len() >= Codes::MOST {
            self.0.retain(|(known, _)| known.strong_count() > 0);
        }
        self.0.push((Arc::downgrade(entry), number));
    }
}
