//! cosmwasm-gas CONTRACT "ENTRY MESSAGE"... - calls a contract in CosmWasm's VM, and prints of each call a line of
//! JSON: what was passed and returned, and the gas that the contract used itself.

use cosmwasm_vm::testing::{mock_env, mock_info, mock_instance_with_gas_limit};
use cosmwasm_vm::{call_execute_raw, call_instantiate_raw, call_query_raw};

const LIMIT: u64 = 1_000_000_000_000_000;

fn main() {
    let path = std::env::args().nth(1).expect("a contract");
    let wasm = std::fs::read(path).expect("a contract");
    let mut instance = mock_instance_with_gas_limit(&wasm, LIMIT);
    let env = cosmwasm_std::to_json_vec(&mock_env()).unwrap();
    let info = cosmwasm_std::to_json_vec(&mock_info("creator", &[])).unwrap();
    for call in std::env::args().skip(2) {
        let (entry, msg) = call.split_once(' ').expect("ENTRY MESSAGE");
        let before = instance.create_gas_report();
        let result = match entry {
            "instantiate" => call_instantiate_raw(&mut instance, &env, &info, msg.as_bytes()),
            "execute" => call_execute_raw(&mut instance, &env, &info, msg.as_bytes()),
            _ => call_query_raw(&mut instance, &env, msg.as_bytes()),
        };
        let after = instance.create_gas_report();
        let gas = after.used_internally - before.used_internally;
        let args: Vec<String> = match entry {
            "query" => vec![hex::encode(&env), hex::encode(msg)],
            _ => vec![hex::encode(&env), hex::encode(&info), hex::encode(msg)],
        };
        let result = result.map(hex::encode).unwrap_or_else(|why| why.to_string());
        println!(
            "{}",
            serde_json::json!({ "entry": entry, "args": args, "gas": gas, "result": result })
        );
    }
}
