//! What a replay begins with: transactions, accounts, programs, the clock.

use {
    serde_json::Value,
    solana_account::Account,
    solana_pubkey::Pubkey,
    solana_transaction::versioned::VersionedTransaction,
    std::{collections::BTreeMap, fs, path::Path, str::FromStr},
};

/// When a transaction ran, and what the cluster said about it.
#[derive(Default)]
pub(crate) struct Charged {
    pub(crate) units: Option<u64>,
    pub(crate) failed: Option<bool>,
    pub(crate) logs: Vec<String>,
    pub(crate) slot: Option<u64>,
    pub(crate) time: Option<i64>,
}

pub(crate) struct Transaction {
    pub(crate) bytes: VersionedTransaction,
    pub(crate) charged: Charged,
}

/// A machine, and what runs on it. Later files replace what earlier ones say of the same account.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) transactions: Vec<Transaction>,
    pub(crate) accounts: BTreeMap<Pubkey, Account>,
    pub(crate) programs: BTreeMap<Pubkey, Vec<u8>>, // ELF files
}

/// What the files have.
#[derive(Default)]
pub(crate) struct Worlds {
    pub(crate) common: World, // of transactions and accounts in files of their own
    pub(crate) fixtures: Vec<World>, // each has all that it needs
    pub(crate) idls: BTreeMap<String, Value>, // by program
}

pub(crate) fn address(text: &str) -> Result<Pubkey, String> {
    Pubkey::from_str(text).map_err(|error| format!("'{text}' is no address: {error}"))
}

impl World {
    pub(crate) fn add_transaction(&mut self, bytes: &[u8], charged: Charged) -> Result<(), String> {
        let bytes = wincode::deserialize(bytes)
            .map_err(|error| format!("these are not the bytes of a transaction: {error}"))?;
        self.transactions.push(Transaction { bytes, charged });
        Ok(())
    }
}

impl Worlds {
    pub(crate) fn all(&self) -> impl Iterator<Item = &World> {
        std::iter::once(&self.common).chain(&self.fixtures)
    }

    /// Use another build of a program, which a transaction has to name.
    pub(crate) fn replace_program(&mut self, id: &str, file: &Path) -> Result<(), String> {
        let fail = |error: String| format!("--program {id}={}: {error}", file.display());
        let elf = fs::read(file).map_err(|error| fail(error.to_string()))?;
        if !elf.starts_with(b"\x7fELF") {
            return Err(fail("this is no ELF file".to_string()));
        }
        let id = address(id).map_err(fail)?;
        let mut is_used = false;
        for world in std::iter::once(&mut self.common).chain(&mut self.fixtures) {
            is_used |= world.is_named(&id);
            world.programs.insert(id, elf.clone());
        }
        if is_used {
            Ok(())
        } else {
            Err(fail("no transaction has that program, and no account is of it".to_string()))
        }
    }
}

impl World {
    /// Does a transaction name the address, or the files an account or a program of it?
    fn is_named(&self, id: &Pubkey) -> bool {
        let names = |transaction: &Transaction| {
            transaction.bytes.message.static_account_keys().contains(id)
        };
        self.transactions.iter().any(names)
            || self.accounts.contains_key(id)
            || self.programs.contains_key(id)
    }
}
