//! Profiles of guests in wasmtime. tests/wasmtime/run.sh makes the guests, and what Node recorded of them, and runs this
//! where they are.

mod as_node;
mod failures;
mod files;
mod instances;
mod options;
mod support;
