//! When a run began, as its profile says it: toll_start_time of toll/profile.h, for Rust.

use std::{env, time::SystemTime};
use wasmtime::{Error, Result};

const A_SECOND: i64 = 1_000_000_000;

/// Nanoseconds since 1970: now, or the time that SOURCE_DATE_EPOCH says.
pub fn start_time() -> Result<i64> {
    match env::var_os("SOURCE_DATE_EPOCH").filter(|set| !set.is_empty()) {
        None => {
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
            Ok(now.as_nanos() as i64)
        }
        Some(set) => set.to_str().and_then(nanoseconds).ok_or_else(|| {
            Error::msg(format!(
                "toll: SOURCE_DATE_EPOCH={set:?}: it has to be a whole number of seconds since \
                 1970, up to {}, such as the output of date +%s",
                i64::MAX / A_SECOND
            ))
        }),
    }
}

/// Of a number of seconds. None: it is none, or too large.
fn nanoseconds(seconds: &str) -> Option<i64> {
    let all_digits = seconds.bytes().all(|byte| byte.is_ascii_digit());
    seconds.parse::<i64>().ok().filter(|_| all_digits)?.checked_mul(A_SECOND)
}

#[test]
fn only_whole_seconds_are_a_time() {
    assert_eq!(nanoseconds("1700000000"), Some(1_700_000_000_000_000_000));
    assert_eq!(nanoseconds("9223372036"), Some(9_223_372_036_000_000_000));
    for wrong in ["9223372037", "-1", "+1", "1.5", " 1", "now", "99999999999999999999"] {
        assert_eq!(nanoseconds(wrong), None, "{wrong}");
    }
}
