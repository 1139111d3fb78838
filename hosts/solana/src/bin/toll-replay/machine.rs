//! Runs the transactions on LiteSVM, and compares with what the cluster charged.

use {
    crate::world::{Transaction, World},
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
    let slot = world.slot.or(transaction.charged.slot);
    let time = world.time.or(transaction.charged.time);
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

/// Addresses that the transaction names and the machine has no account of.
fn missing(svm: &LiteSVM, transaction: &Transaction) -> Vec<String> {
    let message = &transaction.bytes.message;
    let tables = message.address_table_lookups().unwrap_or_default();
    let keys =
        message.static_account_keys().iter().chain(tables.iter().map(|table| &table.account_key));
    keys.filter(|key| svm.get_account(key).is_none()).map(|key| key.to_string()).collect()
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

fn run(svm: &mut LiteSVM, transaction: &Transaction, text: &mut String) {
    let signature = transaction.bytes.signatures.first().map(ToString::to_string);
    let signature = signature.unwrap_or_default();
    let absent = missing(svm, transaction);
    let (meta, error) = match svm.send_transaction(transaction.bytes.clone()) {
        Ok(meta) => (meta, None),
        Err(failed) => (failed.meta, Some(failed.err)),
    };
    let charged = &transaction.charged;
    let units = meta.compute_units_consumed;
    let _ = match charged.units {
        Some(other) if other == units => {
            writeln!(text, "{signature}: {}, as on the cluster", cu(units))
        }
        Some(other) => {
            writeln!(text, "{signature}: {}, and {} on the cluster", cu(units), cu(other))
        }
        None => writeln!(text, "{signature}: {}", cu(units)),
    };
    if let Some(error) = error {
        let _ = writeln!(text, "  it failed: {error}");
    }
    if !charged.logs.is_empty() && charged.units != Some(units) {
        differences(&meta.logs, &charged.logs, text);
    }
    if !absent.is_empty() {
        let _ = writeln!(text, "  in no file, so without lamports and data: {}", absent.join(", "));
    }
}

/// IDLs of the files, in a folder that is removed afterwards.
struct Idls(PathBuf);

impl Idls {
    fn write(world: &World) -> Result<Option<Idls>, String> {
        if world.idls.is_empty() || std::env::var_os("TOLL_IDL").is_some() {
            return Ok(None);
        }
        let folder = std::env::temp_dir().join(format!("toll-replay-{}", std::process::id()));
        let fail = |error| format!("{}: {error}", folder.display());
        fs::create_dir(&folder).map_err(fail)?;
        let idls = Idls(folder.clone());
        for (number, (id, idl)) in world.idls.iter().enumerate() {
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

/// Run all transactions, in the order of the files. Returns what is to be printed.
pub(crate) fn replay(world: &World) -> Result<String, String> {
    let mut text = String::new();
    let _idls = Idls::write(world)?;
    let mut svm = machine(world)?;
    toll_svm::record_functions(true);
    for transaction in &world.transactions {
        set_clock(&mut svm, world, transaction)?;
        run(&mut svm, transaction, &mut text);
    }
    Ok(text)
}
