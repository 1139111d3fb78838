//! Runs the transactions on LiteSVM, and compares with what the cluster charged.

use {
    crate::world::{Charged, Transaction, World, Worlds},
    litesvm::LiteSVM,
    solana_pubkey::Pubkey,
    std::{fmt::Write, fs, path::PathBuf},
};

const CLOCK: Pubkey = Pubkey::from_str_const("SysvarC1ock11111111111111111111111111111111");

/// A machine with the accounts and programs of the files.
fn machine(world: &World) -> Result<LiteSVM, String> {
    let mut svm = toll_svm::litesvm().with_sigverify(false).with_blockhash_check(false);
    // A program that can be upgraded is in an account of its own, which has to be there first.
    let (programs, others): (Vec<_>, Vec<_>) =
        world.accounts.iter().partition(|(_, account)| account.executable);
    for (id, account) in others.into_iter().chain(programs) {
        svm.set_account(*id, account.clone()).map_err(|error| format!("account {id}: {error}"))?;
    }
    for (id, elf) in &world.programs {
        svm.add_program(*id, elf).map_err(|error| format!("program {id}: {error}"))?;
    }
    Ok(svm)
}

/// Set the clock, unless the files have its account.
fn set_clock(svm: &mut LiteSVM, world: &World, transaction: &Transaction) -> Result<(), String> {
    const SLOT: usize = 0; // where they are in the account
    const TIME: usize = 32;
    let Charged { slot, time, .. } = transaction.charged;
    let Some(mut clock) = svm.get_account(&CLOCK) else { return Ok(()) };
    if world.accounts.contains_key(&CLOCK) || clock.data.len() < TIME + 8 {
        return Ok(());
    }
    let mut set = |at: usize, bytes: [u8; 8]| clock.data[at..at + 8].copy_from_slice(&bytes);
    if let Some(slot) = slot {
        set(SLOT, slot.to_le_bytes());
    }
    if let Some(time) = time {
        set(TIME, time.to_le_bytes());
    }
    svm.set_account(CLOCK, clock).map_err(|error| format!("the clock: {error}"))
}

/// The addresses that a transaction takes out of a table.
fn looked_up(svm: &LiteSVM, table: &Pubkey, indexes: impl Iterator<Item = u8>) -> Vec<Pubkey> {
    const HEAD: usize = 56; // before the addresses
    let data = svm.get_account(table).map(|account| account.data).unwrap_or_default();
    let address = |index: u8| {
        let bytes = data.get(HEAD..)?.get(32 * usize::from(index)..)?.first_chunk::<32>()?;
        Some(Pubkey::new_from_array(*bytes))
    };
    indexes.filter_map(address).collect()
}

/// Addresses that the transaction names and the machine has no account of.
fn missing(svm: &LiteSVM, transaction: &Transaction) -> Vec<String> {
    let message = &transaction.bytes.message;
    let mut keys = message.static_account_keys().to_vec();
    for table in message.address_table_lookups().unwrap_or_default() {
        let indexes = table.writable_indexes.iter().chain(&table.readonly_indexes).copied();
        keys.push(table.account_key);
        keys.extend(looked_up(svm, &table.account_key, indexes));
    }
    keys.iter().filter(|key| svm.get_account(key).is_none()).map(|key| key.to_string()).collect()
}

/// What the invocations consumed, by the lines `Program ID consumed N of M compute units`.
fn consumed(logs: &[String]) -> Vec<(&str, u64)> {
    let one = |line: &str| -> Option<(usize, u64)> {
        let rest = line.strip_prefix("Program ")?;
        let (id, rest) = rest.split_once(" consumed ")?;
        Some((id.len(), rest.split(' ').next()?.parse().ok()?))
    };
    let known = |line: &String| one(line).map(|(size, units)| (size, units));
    logs.iter()
        .filter_map(|line| known(line).map(|(size, units)| (&line[8..8 + size], units)))
        .collect()
}

/// 1,234,567 CU.
fn cu(units: u64) -> String {
    let digits = units.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text + " CU"
}

/// The invocations that differ, in the order of the log; or that these are others.
fn differences(ours: &[String], theirs: &[String], text: &mut String) {
    let (ours, theirs) = (consumed(ours), consumed(theirs));
    let same_programs = ours.len() == theirs.len()
        && ours.iter().zip(&theirs).all(|((id, _), (other, _))| id == other);
    if !same_programs {
        let _ = writeln!(
            text,
            "  {} invocations of programs, and {} on the cluster: the accounts, or the features of \
             the runtime, are not those of that time",
            ours.len(),
            theirs.len()
        );
        return;
    }
    for ((id, units), (_, charged)) in ours.iter().zip(&theirs).filter(|(a, b)| a.1 != b.1) {
        let _ =
            writeln!(text, "  {id} consumed {}, and {} on the cluster", cu(*units), cu(*charged));
    }
}

/// Run a transaction. Returns whether it was as on the cluster, as far as that is known.
fn run(svm: &mut LiteSVM, transaction: &Transaction, text: &mut String) -> bool {
    let signature = transaction.bytes.signatures.first().map(ToString::to_string);
    let signature = signature.unwrap_or_default();
    let absent = missing(svm, transaction);
    let (meta, error) = match svm.send_transaction(transaction.bytes.clone()) {
        Ok(meta) => (meta, None),
        Err(failed) => (failed.meta, Some(failed.err)),
    };
    let charged = &transaction.charged;
    let units = meta.compute_units_consumed;
    let same_outcome = charged.failed.is_none_or(|failed| failed == error.is_some());
    let same_units = charged.units.is_none_or(|other| other == units);
    let _ = match charged.units {
        Some(_) if same_units && same_outcome => {
            writeln!(text, "{signature}: {}, as on the cluster", cu(units))
        }
        Some(other) => {
            writeln!(text, "{signature}: {}, and {} on the cluster", cu(units), cu(other))
        }
        None => writeln!(text, "{signature}: {}", cu(units)),
    };
    let _ = match error {
        Some(error) if !same_outcome => {
            writeln!(text, "  it failed, and succeeded on the cluster: {error}")
        }
        Some(error) => writeln!(text, "  it failed: {error}"),
        None if !same_outcome => writeln!(text, "  it succeeded, and failed on the cluster"),
        None => Ok(()),
    };
    if !charged.logs.is_empty() && !same_units {
        differences(&meta.logs, &charged.logs, text);
    }
    if !absent.is_empty() {
        let _ = writeln!(text, "  in no file, so without lamports and data: {}", absent.join(", "));
    }
    same_units && same_outcome
}

/// IDLs of fixtures beside those of the user, in a folder that is removed afterwards.
struct Idls(PathBuf);

/// The IDLs that are used without any fixture: see docs/solana.md.
fn users_idls() -> Option<PathBuf> {
    let named = std::env::var_os("TOLL_IDL").filter(|named| !named.is_empty()).map(PathBuf::from);
    named.or_else(|| {
        let current = std::env::current_dir().ok()?;
        current.ancestors().map(|folder| folder.join("target/idl")).find(|folder| folder.is_dir())
    })
}

impl Idls {
    fn write(worlds: &Worlds) -> Result<Option<Idls>, String> {
        if worlds.idls.is_empty() {
            return Ok(None);
        }
        let folder = std::env::temp_dir().join(format!("toll-replay-{}", std::process::id()));
        let fail = |error| format!("{}: {error}", folder.display());
        fs::create_dir(&folder).map_err(fail)?;
        let idls = Idls(folder.clone());
        let users = users_idls().and_then(|users| fs::read_dir(users).ok());
        for (number, file) in users.into_iter().flatten().flatten().enumerate() {
            if file.path().extension().is_some_and(|ending| ending == "json") {
                fs::copy(file.path(), folder.join(format!("user-{number}.json"))).map_err(fail)?;
            }
        }
        for (number, (id, idl)) in worlds.idls.iter().enumerate() {
            let mut idl = idl.clone();
            if let Some(object) = idl.as_object_mut() {
                object.insert("address".to_string(), id.clone().into());
            }
            fs::write(folder.join(format!("{number}.json")), idl.to_string()).map_err(fail)?;
        }
        std::env::set_var("TOLL_IDL", &folder);
        Ok(Some(idls))
    }
}

impl Drop for Idls {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What is to be printed, and whether all was as on the cluster.
pub(crate) struct Outcome {
    pub(crate) text: String,
    pub(crate) is_same: bool,
}

/// Run all transactions: those of files of their own on one machine, in the order of the files; each
/// fixture on its own.
pub(crate) fn replay(worlds: &Worlds) -> Result<Outcome, String> {
    let mut outcome = Outcome { text: String::new(), is_same: true };
    let _idls = Idls::write(worlds)?;
    toll_svm::record_functions(true);
    for world in worlds.all().filter(|world| !world.transactions.is_empty()) {
        let mut svm = machine(world)?;
        for transaction in &world.transactions {
            set_clock(&mut svm, world, transaction)?;
            outcome.is_same &= run(&mut svm, transaction, &mut outcome.text);
        }
    }
    Ok(outcome)
}
