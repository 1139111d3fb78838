//! An instance of the guest that notices how its calls end.

use crate::{
    calls::{now, Awaiting, Blocking, Calls},
    open_call::{watched, OpenCall, Recordings},
    recording::Recording,
};
use std::{ops::Deref, sync::Arc};
use wasmtime::{AsContextMut, Result, StoreContextMut, Val, WasmParams, WasmResults};

#[derive(Clone)]
pub(crate) struct Recorded {
    pub recordings: Arc<Recordings>,
    pub recording: Arc<Recording>,
}

impl Recorded {
    pub async fn begin<'a, 'b, T: 'static, H: Calls<T>>(
        &'a self,
        store: &'a mut StoreContextMut<'b, T>,
    ) -> Result<OpenCall<'a, 'b, T, H>> {
        OpenCall::begin(&self.recordings, &self.recording, store).await
    }

    async fn ticks<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
    ) -> Result<u64> {
        self.recordings.catch_up::<T, H>(store).await?;
        self.recording.ticks::<T, H>(store).await
    }
}

/// An instance that is recorded; otherwise like a [`wasmtime::Instance`]. Call the functions that
/// its `get_func` and `get_typed_func` return: so the recorded stack is the same before a call and
/// after it, also after a trap or an exit.
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

    /// The ticks so far: the instructions that the instance has executed, each multiplied by its
    /// cost.
    pub fn ticks(&self, mut store: impl AsContextMut) -> Result<u64> {
        now(self.recorded.ticks::<_, Blocking>(&mut store.as_context_mut()))
    }

    /// The same in an asynchronous store.
    pub async fn ticks_async(&self, mut store: impl AsContextMut<Data: Send>) -> Result<u64> {
        self.recorded.ticks::<_, Awaiting>(&mut store.as_context_mut()).await
    }
}

/// An exported function of an instance that is recorded; otherwise like a [`wasmtime::TypedFunc`].
#[derive(Clone)]
pub struct TypedFunc<Params, Results> {
    function: wasmtime::TypedFunc<Params, Results>,
    recorded: Recorded,
}

impl<Params: WasmParams, Results: WasmResults> TypedFunc<Params, Results> {
    /// See [`wasmtime::TypedFunc::call`].
    pub fn call(&self, mut store: impl AsContextMut, params: Params) -> Result<Results>
    where
        Params: Sync,
        Results: Sync,
    {
        now(self.run::<_, Blocking>(&mut store.as_context_mut(), params))
    }

    /// See [`wasmtime::TypedFunc::call_async`]. If the future is dropped, the functions that are
    /// still open are left.
    pub async fn call_async(
        &self,
        mut store: impl AsContextMut<Data: Send>,
        params: Params,
    ) -> Result<Results>
    where
        Params: Sync,
        Results: Sync,
    {
        self.run::<_, Awaiting>(&mut store.as_context_mut(), params).await
    }

    async fn run<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        params: Params,
    ) -> Result<Results>
    where
        Params: Sync,
        Results: Sync,
    {
        let call = self.recorded.begin::<T, H>(store).await?;
        let work = H::call(&self.function, call.store, params);
        let result = watched(&self.recorded.recordings.clock, work).await;
        call.end(result).await
    }
}

impl<Params, Results> Deref for TypedFunc<Params, Results> {
    type Target = wasmtime::TypedFunc<Params, Results>;

    fn deref(&self) -> &Self::Target {
        &self.function
    }
}

/// An exported function of an instance that is recorded; otherwise like a [`wasmtime::Func`].
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
        now(self.run::<_, Blocking>(&mut store.as_context_mut(), params, results))
    }

    /// See [`wasmtime::Func::call_async`]. If the future is dropped, the functions that are still
    /// open are left.
    pub async fn call_async(
        &self,
        mut store: impl AsContextMut<Data: Send>,
        params: &[Val],
        results: &mut [Val],
    ) -> Result<()> {
        self.run::<_, Awaiting>(&mut store.as_context_mut(), params, results).await
    }

    async fn run<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        params: &[Val],
        results: &mut [Val],
    ) -> Result<()> {
        let call = self.recorded.begin::<T, H>(store).await?;
        let work = H::call_untyped(&self.function, call.store, params, results);
        let result = watched(&self.recorded.recordings.clock, work).await;
        call.end(result).await
    }
}

impl Deref for Func {
    type Target = wasmtime::Func;

    fn deref(&self) -> &wasmtime::Func {
        &self.function
    }
}
