//! The functions for programs start and end sections in the right places, no matter how functions
//! are left.

use std::{cell::RefCell, fmt::Display};

thread_local! {
    static CALLS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Replaces the runtime's syscalls: each call is kept.
pub mod syscalls {
    unsafe fn keep(what: &str, id: *const u8, size: u64) {
        let id = std::str::from_utf8(std::slice::from_raw_parts(id, size as usize)).unwrap();
        super::CALLS.with_borrow_mut(|calls| calls.push(format!("{what}{id}")));
    }

    pub unsafe fn sol_log_compute_units_start(id: *const u8, size: u64, _: u64, _: u64) {
        keep("+", id, size);
    }

    pub unsafe fn sol_log_compute_units_end(id: *const u8, size: u64, _: u64, _: u64) {
        keep("-", id, size);
    }
}

fn called() -> String {
    CALLS.take().join(" ")
}

#[toll::profile]
fn question(n: Option<u64>) -> Option<u64> {
    let n = n?;
    Some(n + 1)
}

#[test]
fn a_function_that_is_left_by_a_question_mark() {
    assert_eq!((question(Some(1)), question(None)), (Some(2), None));
    assert_eq!(called(), "+question -question +question -question");
}

#[toll::profile("another id; }")]
fn named(n: &str) -> Result<u64, std::num::ParseIntError> {
    if n.is_empty() {
        return Ok(0);
    }
    Ok(n.parse::<u64>()? + question(Some(1)).unwrap())
}

#[test]
fn an_id_of_its_own_and_three_ways_out() {
    assert!(named("").is_ok() && named("5").is_ok() && named("x").is_err());
    let (start, end) = ("+another id; }", "-another id; }");
    assert_eq!(called(), format!("{start} {end} {start} +question -question {end} {start} {end}"));
}

struct Pool<T>(Vec<T>);

trait Sum {
    fn sum(&self) -> u64;
}

impl<T: Copy + Into<u64>> Sum for Pool<T> {
    #[inline]
    #[toll::profile]
    fn sum(&self) -> u64 {
        self.0.iter().map(|&n| n.into()).sum()
    }
}

impl<T> Pool<T> {
    /// Generic, borrowing from its argument, with a function in its type.
    #[toll::profile]
    pub(crate) fn first<'a, D: Display, const N: usize>(
        &'a self,
        show: fn(&'a T) -> D,
    ) -> Option<[String; N]>
    where
        T: PartialEq,
    {
        let first = show(self.0.first()?);
        Some([(); N].map(|()| first.to_string()))
    }
}

#[test]
fn methods_and_generics() {
    let pool = Pool(vec![4u32, 5]);
    assert_eq!(pool.sum(), 9);
    assert_eq!(pool.first::<_, 2>(|n| n), Some(["4".to_string(), "4".to_string()]));
    assert_eq!(called(), "+sum -sum +first -first");
}

#[toll::profile]
unsafe extern "C" fn r#match(n: u64) -> u64 {
    #![allow(unused_variables)]
    let unused = n;
    n
}

#[toll::profile]
fn recursive(n: u64) -> u64 {
    if n == 0 {
        0
    } else {
        1 + recursive(n - 1)
    }
}

#[toll::profile]
fn lends(text: &mut String) -> &str {
    text.push('x');
    text.as_str()
}

#[toll::profile]
fn never() -> ! {
    panic!("no")
}

#[test]
fn other_forms_of_functions() {
    assert_eq!(unsafe { r#match(7) }, 7);
    assert_eq!(recursive(2), 2);
    assert_eq!(lends(&mut String::new()), "x");
    assert!(std::panic::catch_unwind(|| never()).is_err());
    assert_eq!(
        called(),
        "+match -match +recursive +recursive +recursive -recursive -recursive -recursive \
         +lends -lends +never -never"
    );
}

#[test]
fn guards_end_with_their_block() {
    let left = (|| {
        let _outer = toll::section("outer");
        {
            let _inner = toll::section("inner");
        }
        let n = toll::measured!("swap", None::<u64>?);
        Some(n)
    })();
    assert_eq!(left, None);
    assert_eq!(called(), "+outer +inner -inner +swap -swap -outer");
}
