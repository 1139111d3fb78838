//! What a replay begins with: transactions, accounts, programs, the clock.

use {
    serde_json::Value,
    solana_account::Account,
    solana_pubkey::Pubkey,
    solana_transaction::versioned::VersionedTransaction,
    std::{collections::BTreeMap, fs, path::Path, str::FromStr},
};

/// What the cluster said about a transaction.
#[derive(Default)]
pub(crate) struct Charged {
    pub(crate) units: Option<u64>,
    pub(crate) logs: Vec<String>,
    pub(crate) slot: Option<u64>,
    pub(crate) time: Option<i64>,
}

pub(crate) struct Transaction {
    pub(crate) bytes: VersionedTransaction,
    pub(crate) charged: Charged,
}

/// Later files replace what earlier ones say of the same account.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) transactions: Vec<Transaction>,
    pub(crate) accounts: BTreeMap<Pubkey, Account>,
    pub(crate) programs: BTreeMap<Pubkey, Vec<u8>>, // ELF files
    pub(crate) idls: BTreeMap<String, Value>,       // by program
    pub(crate) slot: Option<u64>,                   // of the clock, if it is not a transaction's
    pub(crate) time: Option<i64>,
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

    pub(crate) fn replace_program(&mut self, id: &str, file: &Path) -> Result<(), String> {
        let elf =
            fs::read(file).map_err(|error| format!("--program {}: {error}", file.display()))?;
        self.programs.insert(address(id)?, elf);
        Ok(())
    }
}
