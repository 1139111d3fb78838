//! Calls functions in a store: directly, or by futures, which may be suspended.

use std::{
    future::Future,
    pin::pin,
    task::{Context, Poll, Waker},
};
use wasmtime::{
    Engine, Extern, Func, Instance, InstancePre, Module, Result, StoreContextMut, TypedFunc, Val,
    WasmParams, WasmResults,
};

/// The operations of a store that exist in two forms. In the first form ([`Blocking`]) futures are
/// ready at once: see [`now`].
#[allow(async_fn_in_trait)]
pub trait Calls<T: 'static> {
    async fn call<P: WasmParams + Sync, R: WasmResults + Sync>(
        function: &TypedFunc<P, R>,
        store: &mut StoreContextMut<'_, T>,
        args: P,
    ) -> Result<R>;

    async fn call_untyped(
        function: &Func,
        store: &mut StoreContextMut<'_, T>,
        args: &[Val],
        results: &mut [Val],
    ) -> Result<()>;

    async fn instance(
        store: &mut StoreContextMut<'_, T>,
        module: &Module,
        imports: &[Extern],
    ) -> Result<Instance>;

    async fn linked(store: &mut StoreContextMut<'_, T>, of: &InstancePre<T>) -> Result<Instance>;
}

/// Like `call` and `instantiate`.
pub struct Blocking;

impl<T: 'static> Calls<T> for Blocking {
    async fn call<P: WasmParams + Sync, R: WasmResults + Sync>(
        function: &TypedFunc<P, R>,
        store: &mut StoreContextMut<'_, T>,
        args: P,
    ) -> Result<R> {
        function.call(store, args)
    }

    async fn call_untyped(
        function: &Func,
        store: &mut StoreContextMut<'_, T>,
        args: &[Val],
        results: &mut [Val],
    ) -> Result<()> {
        function.call(store, args, results)
    }

    async fn instance(
        store: &mut StoreContextMut<'_, T>,
        module: &Module,
        imports: &[Extern],
    ) -> Result<Instance> {
        Instance::new(store, module, imports)
    }

    async fn linked(store: &mut StoreContextMut<'_, T>, of: &InstancePre<T>) -> Result<Instance> {
        of.instantiate(store)
    }
}

/// Like `call_async` and `instantiate_async`.
pub struct Awaiting;

impl<T: Send + 'static> Calls<T> for Awaiting {
    async fn call<P: WasmParams + Sync, R: WasmResults + Sync>(
        function: &TypedFunc<P, R>,
        store: &mut StoreContextMut<'_, T>,
        args: P,
    ) -> Result<R> {
        function.call_async(store, args).await
    }

    async fn call_untyped(
        function: &Func,
        store: &mut StoreContextMut<'_, T>,
        args: &[Val],
        results: &mut [Val],
    ) -> Result<()> {
        function.call_async(store, args, results).await
    }

    async fn instance(
        store: &mut StoreContextMut<'_, T>,
        module: &Module,
        imports: &[Extern],
    ) -> Result<Instance> {
        Instance::new_async(store, module, imports).await
    }

    async fn linked(store: &mut StoreContextMut<'_, T>, of: &InstancePre<T>) -> Result<Instance> {
        of.instantiate_async(store).await
    }
}

/// For stores that contain only toll.wasm: in the form that the engine requires. The futures are
/// ready at once, since nothing suspends them.
pub struct Own;

impl Calls<()> for Own {
    async fn call<P: WasmParams + Sync, R: WasmResults + Sync>(
        function: &TypedFunc<P, R>,
        store: &mut StoreContextMut<'_, ()>,
        args: P,
    ) -> Result<R> {
        match store.engine().is_async() {
            true => Awaiting::call(function, store, args).await,
            false => Blocking::call(function, store, args).await,
        }
    }

    async fn call_untyped(
        function: &Func,
        store: &mut StoreContextMut<'_, ()>,
        args: &[Val],
        results: &mut [Val],
    ) -> Result<()> {
        match store.engine().is_async() {
            true => Awaiting::call_untyped(function, store, args, results).await,
            false => Blocking::call_untyped(function, store, args, results).await,
        }
    }

    async fn instance(
        store: &mut StoreContextMut<'_, ()>,
        module: &Module,
        imports: &[Extern],
    ) -> Result<Instance> {
        match store.engine().is_async() {
            true => Awaiting::instance(store, module, imports).await,
            false => Blocking::instance(store, module, imports).await,
        }
    }

    async fn linked(store: &mut StoreContextMut<'_, ()>, of: &InstancePre<()>) -> Result<Instance> {
        match store.engine().is_async() {
            true => Awaiting::linked(store, of).await,
            false => Blocking::linked(store, of).await,
        }
    }
}

/// Engines of older versions of wasmtime are made for one of the two forms. They have a method of
/// this name, which takes precedence over this one.
#[allow(dead_code)]
trait EitherForm {
    fn is_async(&self) -> bool {
        false
    }
}

impl EitherForm for Engine {}

/// The result of a future that needs nothing but to be polled. None: it waits for something else.
pub fn attempt<F: Future>(future: F) -> Option<F::Output> {
    const POLLS: u32 = 1 << 16;
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    (0..POLLS).find_map(|_| match future.as_mut().poll(&mut context) {
        Poll::Ready(result) => Some(result),
        Poll::Pending => None,
    })
}

/// The result of a future that nothing suspends.
pub fn now<F: Future>(future: F) -> F::Output {
    attempt(future).expect("nothing suspends this")
}
