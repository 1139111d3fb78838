//! toll-replay: what ran on one machine, written as RPC, validators and other tools write it, costs the
//! same on another one; and what differs is named. tests/crate/run.sh replays transactions of a real
//! cluster, too.
#![cfg(feature = "replay")]

use {
    base64::{prelude::BASE64_STANDARD, Engine},
    litesvm::LiteSVM,
    serde_json::{json, Value},
    solana_account::Account,
    solana_instruction::{AccountMeta, Instruction},
    solana_keypair::Keypair,
    solana_message::{v0, v1, AddressLookupTableAccount, Message, VersionedMessage},
    solana_pubkey::Pubkey,
    solana_signer::Signer,
    solana_transaction::versioned::VersionedTransaction,
    std::{
        fs,
        path::{Path, PathBuf},
        process::{Command, Output},
    },
};

mod common;

const TOKEN: Pubkey = Pubkey::from_str_const("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
const ATA: Pubkey = Pubkey::from_str_const("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");
const TABLES: Pubkey = Pubkey::from_str_const("AddressLookupTab1e1111111111111111111111111");
const SYSTEM: Pubkey = Pubkey::new_from_array([0; 32]);
const MINT: Pubkey = Pubkey::new_from_array([3; 32]);
const TABLE: Pubkey = Pubkey::new_from_array([4; 32]);
const WALLET: Pubkey = Pubkey::new_from_array([5; 32]);
const OWN: Pubkey = Pubkey::new_from_array([6; 32]);

/// A folder of one test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("toll-replay-test-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn write(&self, name: &str, value: &Value) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, value.to_string()).unwrap();
        path
    }

    fn replay(&self, words: &[&Path]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_toll-replay"))
            .arg("-o")
            .arg(self.0.join("out.folded"))
            .args(words)
            .env_remove("TOLL_OUT")
            .env("RUST_LOG", "off")
            .output()
            .unwrap()
    }

    /// The sum of the profile.
    fn total(&self) -> u64 {
        let text = fs::read_to_string(self.0.join("out.folded")).unwrap();
        text.lines().map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn mint() -> Account {
    let data = [&[1, 0, 0, 0][..], &[9; 32], &[0; 8], &[6, 1], &[0; 36]].concat();
    Account { lamports: 1_461_600, data, owner: TOKEN, ..Account::default() }
}

fn table(addresses: &[Pubkey]) -> Account {
    let mut data = vec![1, 0, 0, 0];
    data.extend(u64::MAX.to_le_bytes()); // it is not being closed
    data.resize(56, 0);
    addresses.iter().for_each(|address| data.extend(address.as_ref()));
    Account { lamports: 10_000_000, data, owner: TABLES, ..Account::default() }
}

/// Makes the account of WALLET for MINT: the program searches its address and invokes two others.
fn create(payer: &Pubkey) -> Instruction {
    let seeds = [WALLET.as_ref(), TOKEN.as_ref(), MINT.as_ref()];
    let account = Pubkey::find_program_address(&seeds, &ATA).0;
    let readonly = |key| AccountMeta::new_readonly(key, false);
    let accounts = vec![
        AccountMeta::new(*payer, true),
        AccountMeta::new(account, false),
        readonly(WALLET),
        readonly(MINT),
        readonly(SYSTEM),
        readonly(TOKEN),
    ];
    Instruction { program_id: ATA, accounts, data: vec![] }
}

struct Sent {
    accounts: Vec<(Pubkey, Account)>, // before it
    answer: Value,                    // of RPC's getTransaction
    units: u64,
}

/// Send a transaction on a machine with these accounts.
fn send(accounts: Vec<(Pubkey, Account)>, payer: &Keypair, message: VersionedMessage) -> Sent {
    let mut svm = LiteSVM::new().with_blockhash_check(false);
    svm.warp_to_slot(10); // later than the table's last change
    for (id, account) in &accounts {
        svm.set_account(*id, account.clone()).unwrap();
    }
    let transaction = VersionedTransaction::try_new(message, &[payer]).unwrap();
    let bytes = wincode::serialize(&transaction).unwrap();
    let (meta, error) = match svm.send_transaction(transaction) {
        Ok(meta) => (meta, Value::Null),
        Err(failed) => (failed.meta, json!(failed.err.to_string())),
    };
    assert!(meta.compute_units_consumed > 0, "{error}");
    let units = meta.compute_units_consumed;
    let answer = json!({ "jsonrpc": "2.0", "id": 1, "result": {
        "slot": 10, "blockTime": 1_700_000_000,
        "transaction": [BASE64_STANDARD.encode(&bytes), "base64"],
        "meta": { "err": error, "computeUnitsConsumed": units, "logMessages": meta.logs },
    } });
    Sent { accounts, answer, units }
}

fn world(payer: &Keypair) -> Vec<(Pubkey, Account)> {
    let rich = Account { lamports: 1_000_000_000, ..Account::default() };
    vec![(payer.pubkey(), rich), (MINT, mint())]
}

/// As `solana account --output json` has it.
fn dump(id: &Pubkey, account: &Account) -> Value {
    json!({ "pubkey": id.to_string(), "account": {
        "lamports": account.lamports, "data": [BASE64_STANDARD.encode(&account.data), "base64"],
        "owner": account.owner.to_string(), "executable": account.executable,
        "rentEpoch": u64::MAX, "space": account.data.len(),
    } })
}

/// As surfpool has it.
fn snapshot(accounts: &[(Pubkey, Account)]) -> Value {
    let one = |(id, account): &(Pubkey, Account)| {
        let value = json!({
            "lamports": account.lamports, "data": BASE64_STANDARD.encode(&account.data),
            "owner": account.owner.to_string(), "executable": account.executable, "rentEpoch": 0,
            "parsedData": null,
        });
        (id.to_string(), value)
    };
    let mut all: serde_json::Map<_, _> = accounts.iter().map(one).collect();
    all.insert(Pubkey::new_from_array([99; 32]).to_string(), Value::Null);
    Value::Object(all)
}

fn hold(name: &str, sent: &Sent) {
    let folder = Folder::new(name);
    let answer = folder.write("transaction.json", &sent.answer);
    let snapshot = folder.write("snapshot.json", &snapshot(&sent.accounts));
    let dumps = folder.0.join("accounts");
    fs::create_dir(&dumps).unwrap();
    for (id, account) in &sent.accounts {
        let file = dumps.join(format!("{id}.json"));
        fs::write(file, dump(id, account).to_string()).unwrap();
    }
    for accounts in [snapshot, dumps] {
        let output = folder.replay(&[&accounts, &answer]);
        let said = text(&output.stdout);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(
            said.contains(&format!(": {} CU, as on the cluster", commas(sent.units))),
            "{said}"
        );
        assert_eq!(folder.total(), sent.units);
    }
}

fn commas(units: u64) -> String {
    let digits = units.to_string();
    let first = digits.len() % 3;
    let mut parts: Vec<_> = digits[first..].as_bytes().chunks(3).map(text).collect();
    if first > 0 {
        parts.insert(0, digits[..first].to_string());
    }
    parts.join(",")
}

fn legacy(payer: &Keypair) -> Sent {
    let message = Message::new(&[create(&payer.pubkey())], Some(&payer.pubkey()));
    send(world(payer), payer, VersionedMessage::Legacy(message))
}

#[test]
fn a_legacy_transaction() {
    hold("legacy", &legacy(&Keypair::new_from_array([1; 32])));
}

fn with_table(payer: &Keypair) -> Sent {
    let instruction = create(&payer.pubkey());
    let addresses: Vec<_> = instruction.accounts[1..4].iter().map(|meta| meta.pubkey).collect();
    let accounts = [world(payer), vec![(TABLE, table(&addresses))]].concat();
    let lookup = AddressLookupTableAccount { key: TABLE, addresses };
    let message =
        v0::Message::try_compile(&payer.pubkey(), &[instruction], &[lookup], Default::default())
            .unwrap();
    assert_eq!(message.address_table_lookups.len(), 1);
    send(accounts, payer, VersionedMessage::V0(message))
}

#[test]
fn version_0_with_a_table_of_addresses() {
    hold("v0", &with_table(&Keypair::new_from_array([2; 32])));
}

#[test]
fn version_1() {
    let payer = Keypair::new_from_array([3; 32]);
    let config = v1::TransactionConfig::empty()
        .with_compute_unit_limit(200_000)
        .with_loaded_accounts_data_size_limit(64 << 20);
    let message = v1::Message::try_compile_with_config(
        &payer.pubkey(),
        &[create(&payer.pubkey())],
        Default::default(),
        config,
    )
    .unwrap();
    hold("v1", &send(world(&payer), &payer, VersionedMessage::V1(message)));
}

/// Another price for one invocation, as of a cluster with other features.
#[test]
fn what_differs_is_named() {
    let folder = Folder::new("differs");
    let payer = Keypair::new_from_array([1; 32]);
    let mut sent = legacy(&payer);
    let logs = sent.answer["result"]["meta"]["logMessages"].as_array_mut().unwrap();
    let line = logs.iter_mut().find(|line| line.as_str().unwrap().contains("consumed")).unwrap();
    let words: Vec<_> = line.as_str().unwrap().split(' ').map(str::to_string).collect();
    let charged = words[3].parse::<u64>().unwrap();
    *line = words.join(" ").replace(&words[3], &(charged + 7).to_string()).into();
    sent.answer["result"]["meta"]["computeUnitsConsumed"] = (sent.units + 7).into();
    let answer = folder.write("transaction.json", &sent.answer);
    let accounts = folder.write("accounts.json", &snapshot(&sent.accounts));
    let output = folder.replay(&[&accounts, &answer]);
    let said = text(&output.stdout);
    let expected = format!(
        "{} CU, and {} CU on the cluster\n  {} consumed {} CU, and {} CU on the cluster\n",
        commas(sent.units),
        commas(sent.units + 7),
        words[1],
        commas(charged),
        commas(charged + 7)
    );
    assert!(said.contains(&expected), "{said}");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(folder.total(), sent.units);
    // Without the mint it fails, and the address is named.
    let accounts = folder.write("accounts.json", &snapshot(&sent.accounts[..1]));
    let said = text(&folder.replay(&[&accounts, &answer]).stdout);
    assert!(said.contains("  it failed, and succeeded on the cluster: "), "{said}");
    assert!(said.contains("in no file, so without lamports and data: "), "{said}");
    assert!(said.contains(&MINT.to_string()), "{said}");
}

#[test]
fn addresses_of_a_table_that_no_file_has_are_named() {
    let folder = Folder::new("missing");
    let payer = Keypair::new_from_array([2; 32]);
    let sent = with_table(&payer);
    let answer = folder.write("transaction.json", &sent.answer);
    let known: Vec<_> = sent.accounts.into_iter().filter(|(id, _)| *id != MINT).collect();
    let accounts = folder.write("accounts.json", &snapshot(&known));
    let said = text(&folder.replay(&[&accounts, &answer]).stdout);
    assert!(said.contains("in no file") && said.contains(&MINT.to_string()), "{said}");
}

/// A call of OWN, as bytes in base64.
fn call_of_own(payer: &Keypair) -> String {
    let call = Instruction { program_id: OWN, accounts: vec![], data: vec![] };
    let message = Message::new(&[call], Some(&payer.pubkey()));
    let transaction = VersionedTransaction::try_new(VersionedMessage::Legacy(message), &[payer]);
    BASE64_STANDARD.encode(wincode::serialize(&transaction.unwrap()).unwrap())
}

#[test]
fn another_build_of_a_program() {
    let folder = Folder::new("build");
    let payer = Keypair::new_from_array([1; 32]);
    let elf = folder.0.join("plain.so");
    fs::write(&elf, common::program("plain")).unwrap();
    let answer = folder.write("transaction.json", &json!({ "transaction": call_of_own(&payer) }));
    let accounts = folder.write("accounts.json", &snapshot(&world(&payer)[..1]));
    let replay = |id: &Pubkey, elf: &Path| {
        let program = format!("{id}={}", elf.display());
        folder.replay(&[Path::new("--program"), Path::new(&program), &accounts, &answer])
    };
    let output = replay(&OWN, &elf);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(folder.total() > 0);
    let output = replay(&MINT, &elf); // which runs nowhere
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no transaction has that program"));
    let output = replay(&OWN, &answer);
    assert!(text(&output.stderr).contains("this is no ELF file"));
}

/// As svmscope has it. (The other program fails without data.)
fn fixture(payer: &Keypair, program: &str, units: u64) -> Value {
    json!({ "version": 2, "signature": "", "captured_slot": 10, "tx_b64": call_of_own(payer),
        "entries": [
            { "kind": "data", "address": payer.pubkey().to_string(), "data_b64": "",
              "owner": SYSTEM.to_string(), "lamports": 1_000_000_000 },
            { "kind": "program", "address": OWN.to_string(),
              "elf_b64": BASE64_STANDARD.encode(common::program(program)) },
        ],
        "recorded": { "success": program == "plain", "compute_units": units, "logs": [] } })
}

/// Each fixture has a machine of its own: these two have one program, in two builds.
#[test]
fn fixtures_of_two_builds() {
    let folder = Folder::new("fixtures");
    let payer = Keypair::new_from_array([1; 32]);
    let units = |name: &str| {
        let file = folder.write("one.json", &fixture(&payer, name, 1));
        folder.replay(&[&file]);
        folder.total()
    };
    let (plain, other) = (units("plain"), units("other"));
    assert!(plain > other && other > 0, "{plain}, {other}");
    let first = folder.write("first.json", &fixture(&payer, "plain", plain));
    let second = folder.write("second.json", &fixture(&payer, "other", other));
    let output = folder.replay(&[&first, &second]);
    assert!(output.status.success(), "{}", text(&output.stdout));
    assert_eq!(text(&output.stdout).matches("as on the cluster").count(), 2);
    assert_eq!(folder.total(), plain + other);
}

#[test]
fn what_is_no_transaction_is_refused() {
    let folder = Folder::new("bad");
    for (value, why) in [
        (json!(7), "no object of JSON"),
        (json!({}), "neither a transaction nor accounts"),
        (json!({ "error": { "code": 1 } }), "RPC answered with an error"),
        (json!({ "result": null }), "RPC knows no such transaction"),
        (json!({ "transaction": { "message": {} } }), "\"encoding\": \"base64\""),
        (json!({ "transaction": ["AAAA", "base64+zstd"] }), "base64+zstd"),
        (json!({ "transaction": "*" }), "no base64"),
        (json!({ "transaction": "AQID" }), "not the bytes of a transaction"),
        (json!({ "pubkey": "x", "account": {} }), "'x' is no address"),
        (json!({ "pubkey": MINT.to_string(), "account": {} }), "has no lamports"),
        (json!({ "tx_b64": "", "version": 3 }), "a fixture of version 3"),
        (json!({ "tx_b64": "" }), "no entries"),
        (json!({ "tx_b64": "", "entries": [{}] }), "an entry has no address"),
        (json!([dump(&MINT, &mint())]), "only accounts"),
    ] {
        let file = folder.write("bad.json", &value);
        let output = folder.replay(&[&file]);
        assert_eq!(output.status.code(), Some(1), "{value}");
        assert!(text(&output.stderr).contains(why), "{value}: {}", text(&output.stderr));
        assert!(!folder.0.join("out.folded").exists());
    }
    fs::write(folder.0.join("bad.json"), "{").unwrap();
    assert!(text(&folder.replay(&[&folder.0.join("bad.json")]).stderr).contains("no JSON"));
    assert_eq!(folder.replay(&[]).status.code(), Some(2));
    assert_eq!(folder.replay(&[Path::new("--nothing")]).status.code(), Some(2));
}
