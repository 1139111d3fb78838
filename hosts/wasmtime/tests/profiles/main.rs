//! Profiles of guests in wasmtime. tests/wasmtime/run.sh makes the guests, and what Node recorded of them, and runs this
//! where they are.

mod as_node;
mod budget;
#[cfg(feature = "component-model")]
mod component;
mod conformance;
mod failures;
mod files;
mod in_order;
mod instances;
mod options;
mod support;
mod suspended;
