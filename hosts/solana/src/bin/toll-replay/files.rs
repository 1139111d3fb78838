//! Reads files with transactions and accounts: JSON of several tools.

use {
    crate::world::{address, Charged, World, Worlds},
    base64::{prelude::BASE64_STANDARD, Engine},
    serde_json::{Map, Value},
    solana_account::Account,
    std::{fs, path::Path},
};

/// Read a file, or all files whose name ends in .json of a folder and those in it, in the order of
/// their names.
pub(crate) fn read(path: &Path, worlds: &mut Worlds) -> Result<(), String> {
    let at = |error: String| format!("{}: {error}", path.display());
    if path.is_dir() {
        let entries = fs::read_dir(path).map_err(|error| at(error.to_string()))?;
        let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|file| {
            file.is_dir() || file.extension().is_some_and(|ending| ending == "json")
        });
        files.sort();
        return files.iter().try_for_each(|file| read(file, worlds));
    }
    let text = fs::read(path).map_err(|error| at(error.to_string()))?;
    let value = serde_json::from_slice(&text).map_err(|error| at(format!("no JSON: {error}")))?;
    take(&value, worlds).map_err(at)
}

fn take(value: &Value, worlds: &mut Worlds) -> Result<(), String> {
    if let Value::Array(items) = value {
        return items.iter().try_for_each(|item| take(item, worlds));
    }
    let world = &mut worlds.common;
    let object = value.as_object().ok_or("no object of JSON")?;
    if let Some(error) = object.get("error").filter(|error| !error.is_null()) {
        return Err(format!("RPC answered with an error: {error}"));
    }
    if object.contains_key("tx_b64") {
        fixture(object, worlds)
    } else if object.get("result").is_some_and(Value::is_null) {
        Err("RPC knows no such transaction".to_string())
    } else if let Some(result) = object.get("result") {
        take(result, worlds)
    } else if object.contains_key("transaction") {
        transaction(object, world)
    } else if let (Some(id), Some(account)) = (object.get("pubkey"), object.get("account")) {
        add_account(&string(id, "pubkey")?, account, world)
    } else if !object.is_empty() && object.keys().all(|key| address(key).is_ok()) {
        object.iter().try_for_each(|(id, account)| add_account(id, account, world))
    } else {
        Err("neither a transaction nor accounts; toll-replay --help lists what is read".to_string())
    }
}

fn string(value: &Value, name: &str) -> Result<String, String> {
    value.as_str().map(str::to_string).ok_or(format!("{name} is no text"))
}

fn from_base64(text: &str, name: &str) -> Result<Vec<u8>, String> {
    BASE64_STANDARD.decode(text).map_err(|error| format!("{name} is no base64: {error}"))
}

/// Text alone (base64), or with its encoding: ["...", "base64"].
fn bytes(value: &Value, name: &str) -> Result<Vec<u8>, String> {
    let (text, encoding) = match value {
        Value::String(text) => (text.as_str(), "base64"),
        Value::Array(pair) if pair.len() == 2 => {
            (pair[0].as_str().unwrap_or_default(), pair[1].as_str().unwrap_or_default())
        }
        _ => return Err(format!("{name} is no base64; ask with \"encoding\": \"base64\"")),
    };
    match encoding {
        "base64" => from_base64(text, name),
        "base58" => bs58::decode(text).into_vec().map_err(|error| format!("{name}: {error}")),
        _ => Err(format!("{name} is in {encoding}; ask with \"encoding\": \"base64\"")),
    }
}

/* --- accounts ----------------------------------------------------------------------------------*/

/// An account as RPC has it; or as surfpool has it, whose data is text alone. null: there is none.
fn add_account(id: &str, account: &Value, world: &mut World) -> Result<(), String> {
    let id = address(id)?;
    if account.is_null() {
        world.accounts.remove(&id);
        return Ok(());
    }
    let member = |name: &str| account.get(name).ok_or(format!("account {id} has no {name}"));
    let account = Account {
        lamports: member("lamports")?
            .as_u64()
            .ok_or(format!("account {id}: lamports is no number"))?,
        data: bytes(member("data")?, &format!("account {id}: data"))?,
        owner: address(&string(member("owner")?, "owner")?)?,
        executable: account.get("executable").and_then(Value::as_bool).unwrap_or_default(),
        rent_epoch: u64::MAX,
    };
    world.accounts.insert(id, account);
    Ok(())
}

/* --- transactions ------------------------------------------------------------------------------*/

fn logs(value: Option<&Value>) -> Vec<String> {
    let lines = value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    lines.iter().filter_map(|line| Some(line.as_str()?.to_string())).collect()
}

/// An answer to getTransaction, or an object of the same members: { transaction, meta, slot,
/// blockTime }.
fn transaction(object: &Map<String, Value>, world: &mut World) -> Result<(), String> {
    let bytes = bytes(&object["transaction"], "transaction")?;
    let meta = object.get("meta").unwrap_or(&Value::Null);
    let charged = Charged {
        units: meta.get("computeUnitsConsumed").and_then(Value::as_u64),
        failed: meta.get("err").map(|error| !error.is_null()),
        logs: logs(meta.get("logMessages")),
        slot: object.get("slot").and_then(Value::as_u64),
        time: object.get("blockTime").and_then(Value::as_i64),
    };
    world.add_transaction(&bytes, charged)
}

/// A fixture of svmscope (versions 1 and 2): a transaction, with the accounts and the programs that
/// it uses.
fn fixture(object: &Map<String, Value>, worlds: &mut Worlds) -> Result<(), String> {
    let mut world = World::default();
    let version = object.get("version").and_then(Value::as_u64).unwrap_or(1);
    if version > 2 {
        return Err(format!("a fixture of version {version}; 1 and 2 are known"));
    }
    let entries = object.get("entries").and_then(Value::as_array).ok_or("it has no entries")?;
    for entry in entries {
        let text =
            |name: &str| string(entry.get(name).ok_or(format!("an entry has no {name}"))?, name);
        let id = address(&text("address")?)?;
        if text("kind")? == "program" {
            world.programs.insert(id, from_base64(&text("elf_b64")?, "elf_b64")?);
            continue;
        }
        let account = Account {
            lamports: entry.get("lamports").and_then(Value::as_u64).ok_or("no lamports")?,
            data: from_base64(&text("data_b64")?, "data_b64")?,
            owner: address(&text("owner")?)?,
            executable: false,
            rent_epoch: u64::MAX,
        };
        world.accounts.insert(id, account);
    }
    if let Some(Value::Object(idls)) = object.get("idls") {
        worlds.idls.extend(idls.iter().map(|(id, idl)| (id.clone(), idl.clone())));
    }
    let recorded = object.get("recorded").unwrap_or(&Value::Null);
    let charged = Charged {
        units: recorded.get("compute_units").and_then(Value::as_u64),
        failed: recorded.get("success").and_then(Value::as_bool).map(|success| !success),
        logs: logs(recorded.get("logs")),
        // The accounts are those of the time when it was captured, and so is the clock.
        slot: object.get("captured_slot").and_then(Value::as_u64),
        time: object.get("captured_block_time").and_then(Value::as_i64),
    };
    let bytes = from_base64(&string(&object["tx_b64"], "tx_b64")?, "tx_b64")?;
    world.add_transaction(&bytes, charged)?;
    worlds.fixtures.push(world);
    Ok(())
}
