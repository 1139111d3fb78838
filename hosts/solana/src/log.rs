//! A transaction's log: adds lines to it.

use solana_svm_log_collector::LogCollector;

/// Insert lines before certain lines of the log; `added` is in the order of the log. If the log's
/// limit has no room for all, insert none, but a line that says so. Returns how many are missing.
pub(crate) fn insert(log: &mut LogCollector, added: &[(usize, &[String])]) -> usize {
    if insert_all(log, added) {
        return 0;
    }
    let missing = added.iter().map(|(_, lines)| lines.len()).sum();
    let told = format!(
        "Toll: this log has no room for the {missing} lines of its sections; \
         toll_svm::take() has them"
    );
    if let Some((before, _)) = added.last() {
        insert_all(log, &[(*before, &[told])]);
    }
    missing
}

/// Insert these lines, unless the log's limit has no room for all of them.
fn insert_all(log: &mut LogCollector, added: &[(usize, &[String])]) -> bool {
    let size: usize = added.iter().flat_map(|(_, lines)| lines.iter()).map(String::len).sum();
    if log.bytes_limit.is_some_and(|limit| log.bytes_written.saturating_add(size) >= limit) {
        return false;
    }
    log.bytes_written += size;
    let mut old = std::mem::take(&mut log.messages).into_iter();
    let mut done = 0; // lines of the old log
    for (before, lines) in added {
        log.messages.extend(old.by_ref().take(before - done));
        log.messages.extend_from_slice(lines);
        done = *before;
    }
    log.messages.extend(old);
    true
}
