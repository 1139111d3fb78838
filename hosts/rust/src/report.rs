//! Profiles as text for people, and as JSON for programs.

use {
    crate::{error::Result, output::to_memory, text::Optional, Profile},
    toll_sys as sys,
};

/// The order of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// By self value, the largest first.
    #[default]
    SelfValue,
    /// By total, the largest first.
    Total,
    /// By the number of calls.
    Calls,
    /// By name.
    Name,
}

/// Options of reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReportOptions<'a> {
    /// The name of the column; none: the default one.
    pub column: Option<&'a str>,
    /// The order.
    pub sort: Sort,
    /// At most so many rows; what is cut is counted in the last line. 0: all.
    pub rows: u32,
    /// Names of C++ and Rust in their short form, where that distinguishes them.
    pub short_names: bool,
    /// Shares of everything. Else, if more than half of a time is outside of any function, it is
    /// left out, and said; not in JSON.
    pub keep_outside: bool,
}

impl Profile {
    /// A table of functions: self, total, calls, name, where. A function's total counts only its
    /// outermost frame on a stack.
    pub fn report(&self, options: &ReportOptions) -> Result<String> {
        self.written(sys::toll_report_top, options)
    }

    /// The tree of all stacks, each thread from its root.
    pub fn report_tree(&self, options: &ReportOptions) -> Result<String> {
        self.written(sys::toll_report_tree, options)
    }

    /// One JSON object: columns, functions, threads, notes.
    pub fn report_json(&self, options: &ReportOptions) -> Result<String> {
        self.written(sys::toll_report_json, options)
    }

    /// The table as Markdown that GitHub shows.
    pub fn report_markdown(&self, options: &ReportOptions) -> Result<String> {
        self.written(sys::toll_report_markdown, options)
    }

    fn written(&self, report: Report, options: &ReportOptions) -> Result<String> {
        let column = Optional::of(options.column)?;
        let options = sys::toll_report_options {
            value: column.as_ptr(),
            sort: match options.sort {
                Sort::SelfValue => sys::TOLL_SORT_SELF,
                Sort::Total => sys::TOLL_SORT_TOTAL,
                Sort::Calls => sys::TOLL_SORT_CALLS,
                Sort::Name => sys::TOLL_SORT_NAME,
            },
            rows: options.rows,
            short_names: options.short_names.into(),
            keep_outside: options.keep_outside.into(),
            ..Default::default()
        };
        // SAFETY: as in profile.rs; the options live as long as the call.
        let bytes =
            to_memory(false, |out, err| unsafe { report(self.as_ptr(), &options, out, err) })?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

type Report = unsafe extern "C" fn(
    *const sys::toll_profile,
    *const sys::toll_report_options,
    *mut sys::toll_output,
    *mut sys::toll_error,
) -> sys::toll_status;
