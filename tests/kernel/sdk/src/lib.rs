//! A kernel with the published SDK: it decodes messages by the protocol's own encodings, keeps a guest
//! book through the SDK's transactional storage, and works at it again after each reboot.

use tezos_smart_rollup::inbox::{InboxMessage, InternalInboxMessage};
use tezos_smart_rollup::kernel_entry;
use tezos_smart_rollup::michelson::MichelsonUnit;
use tezos_smart_rollup::prelude::*;
use tezos_smart_rollup::storage::path::{concat, OwnedPath, RefPath};

const BOOK: RefPath = RefPath::assert_from(b"/book");
const LOG: RefPath = RefPath::assert_from(b"/log");
const REBOOTS: RefPath = RefPath::assert_from(b"/reboots");

fn log(host: &mut impl Runtime, line: &str) {
    let end = host.store_value_size(&LOG).unwrap_or(0);
    host.store_write(&LOG, line.as_bytes(), end).expect("the log can be written");
    debug_msg!(host, "{}", line);
}

fn sign(host: &mut impl Runtime, name: &[u8]) -> Option<()> {
    let step = OwnedPath::try_from(format!("/{}", std::str::from_utf8(name).ok()?)).ok()?;
    let path = concat(&BOOK, &step).ok()?;
    let times = host.store_read_all(&path).map(|bytes| bytes.len()).unwrap_or(0);
    host.store_write(&path, b"x", times).ok()
}

fn handle(host: &mut impl Runtime, id: u32, bytes: &[u8]) {
    let (rest, message) = InboxMessage::<MichelsonUnit>::parse(bytes).expect("a message of the protocol's");
    match message {
        InboxMessage::Internal(InternalInboxMessage::InfoPerLevel(info)) => {
            assert!(rest.is_empty());
            log(host, &format!("{id} {} {:?}\n", info.predecessor_timestamp.i64(), info.predecessor.0))
        }
        InboxMessage::Internal(internal) => {
            assert!(rest.is_empty());
            log(host, &format!("{id} {internal}\n"))
        }
        InboxMessage::External(name) => {
            let done = sign(host, name);
            log(host, &format!("{id} {}\n", if done.is_some() { "signed" } else { "refused" }))
        }
    }
}

fn entry(host: &mut impl Runtime) {
    while let Ok(Some(message)) = host.read_input() {
        handle(host, message.id, message.as_ref());
    }
    let left = host.reboot_left().expect("a counter");
    let copy = RefPath::assert_from(b"/copy");
    if host.store_has(&BOOK).expect("a key").is_some() {
        host.store_copy(&BOOK, &copy).expect("the book can be copied");
    }
    let line = format!("{left} {:?} {}\n", host.last_run_aborted(), host.store_count_subkeys(&copy).unwrap_or(0));
    let end = host.store_value_size(&REBOOTS).unwrap_or(0);
    host.store_write(&REBOOTS, line.as_bytes(), end).expect("the reboots can be written");
    if left > 998 {
        host.mark_for_reboot().expect("a reboot can be asked for");
    } else {
        host.write_output(format!("{:?}", host.reveal_metadata().origination_level).as_bytes()).expect("room for it");
    }
}

kernel_entry!(entry);
