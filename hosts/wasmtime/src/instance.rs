//! An instance of the guest, whose calls are seen to end.

use crate::recording::{Recording, Recordings};
use std::{ops::Deref, sync::Arc};
use wasmtime::{AsContextMut, Result, Val, WasmParams, WasmResults};

#[derive(Clone)]
pub(crate) struct Recorded {
    pub recordings: Arc<Recordings>,
    pub recording: Arc<Recording>,
}

/// An instance that is recorded: a [`wasmtime::Instance`] otherwise. Call what `get_func` and
/// `get_typed_func` of this one return: after a trap or an exit the recorded stack is what it was before
/// the call.
#[derive(Clone)]
pub struct Instance {
    pub(crate) instance: wasmtime::Instance,
    pub(crate) recorded: Recorded,
}

impl Deref for Instance {
    type Target = wasmtime::Instance;

    fn deref(&self) -> &wasmtime::Instance {
        &self.instance
    }
}

impl Instance {
    /// The exported function of that name and type; see [`wasmtime::Instance::get_typed_func`].
    pub fn get_typed_func<Params: WasmParams, Results: WasmResults>(
        &self,
        store: impl AsContextMut,
        name: &str,
    ) -> Result<TypedFunc<Params, Results>> {
        let function = self.instance.get_typed_func(store, name)?;
        Ok(TypedFunc { function, recorded: self.recorded.clone() })
    }

    /// The exported function of that name; see [`wasmtime::Instance::get_func`].
    pub fn get_func(&self, store: impl AsContextMut, name: &str) -> Option<Func> {
        let function = self.instance.get_func(store, name)?;
        Some(Func { function, recorded: self.recorded.clone() })
    }

    /// How many instructions the instance has executed, each as much as it costs.
    pub fn ticks(&self, mut store: impl AsContextMut) -> Result<u64> {
        self.recorded.recording.ticks(&mut store.as_context_mut())
    }
}

/// An exported function of an instance that is recorded: a [`wasmtime::TypedFunc`] otherwise.
#[derive(Clone)]
pub struct TypedFunc<Params, Results> {
    function: wasmtime::TypedFunc<Params, Results>,
    recorded: Recorded,
}

impl<Params: WasmParams, Results: WasmResults> TypedFunc<Params, Results> {
    /// See [`wasmtime::TypedFunc::call`].
    pub fn call(&self, mut store: impl AsContextMut, params: Params) -> Result<Results> {
        let Recorded { recordings, recording } = &self.recorded;
        recordings.guarded(recording, &mut store.as_context_mut(), |store| {
            self.function.call(store, params)
        })
    }
}

impl<Params, Results> Deref for TypedFunc<Params, Results> {
    type Target = wasmtime::TypedFunc<Params, Results>;

    fn deref(&self) -> &Self::Target {
        &self.function
    }
}

/// An exported function of an instance that is recorded: a [`wasmtime::Func`] otherwise.
#[derive(Clone)]
pub struct Func {
    function: wasmtime::Func,
    recorded: Recorded,
}

impl Func {
    /// See [`wasmtime::Func::call`].
    pub fn call(
        &self,
        mut store: impl AsContextMut,
        params: &[Val],
        results: &mut [Val],
    ) -> Result<()> {
        let Recorded { recordings, recording } = &self.recorded;
        recordings.guarded(recording, &mut store.as_context_mut(), |store| {
            self.function.call(store, params, results)
        })
    }
}

impl Deref for Func {
    type Target = wasmtime::Func;

    fn deref(&self) -> &wasmtime::Func {
        &self.function
    }
}
