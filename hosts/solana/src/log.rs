//! A transaction's log: reads the runtime's lines about invocations and their units, and adds
//! lines.

use solana_svm_log_collector::LogCollector;

/// A line of the runtime. Lines of programs begin with "Program log: " or the like, and cannot be
/// mistaken for one, since "log:" is not an address.
pub(crate) enum Line<'a> {
    Invoke {
        program: &'a str,
    },
    Consumed {
        program: &'a str,
        used: u64,
        budget: u64,
    },
    Ended {
        program: &'a str,
        failed: bool,
    },
    /// The log is full: lines are missing from here on.
    Truncated,
}

pub(crate) fn parse(line: &str) -> Option<Line<'_>> {
    if line == "Log truncated" {
        return Some(Line::Truncated);
    }
    let mut words = line.strip_prefix("Program ")?.split(' ');
    let program = words.next()?;
    if program.len() < 32 || !program.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return None;
    }
    match words.next()? {
        "invoke" => Some(Line::Invoke { program }),
        outcome @ ("success" | "failed:") => {
            Some(Line::Ended { program, failed: outcome != "success" })
        }
        "consumed" => {
            let used = words.next()?.parse().ok()?;
            let budget = words.nth(1)?.parse().ok()?;
            Some(Line::Consumed { program, used, budget })
        }
        _ => None,
    }
}

/// For each line that begins an invocation: the remaining units at that moment, and the units that
/// it has consumed. None where the log does not contain them: for built-in programs, and after a
/// truncation.
pub(crate) fn budgets(lines: &[String]) -> Vec<Option<(u64, u64)>> {
    let mut found = vec![None; lines.len()];
    let mut open: Vec<(usize, &str)> = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        match parse(line) {
            Some(Line::Invoke { program }) => open.push((i, program)),
            Some(Line::Consumed { program, used, budget }) => {
                if let Some(&(invoke, _)) = open.last().filter(|(_, p)| *p == program) {
                    found[invoke] = Some((budget, used));
                }
            }
            Some(Line::Ended { .. }) => {
                open.pop();
            }
            Some(Line::Truncated) => break,
            None => {}
        }
    }
    found
}

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
