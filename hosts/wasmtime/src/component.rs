//! Records instances of components, which contain toll.wasm then.

use crate::{
    library::{Form, Written, TOLL_WASM},
    output::{Output, WholeFile},
    sum::{DebugInfo, Sum},
    Clock, Options,
};
use std::{path::Path, sync::Mutex};
use wasmtime::{
    component::{Component, Instance, TypedFunc},
    AsContext, AsContextMut, Engine, Error, Module, Result, Trap,
};

const LOST: &str = "instances that trapped or exited: what they recorded is lost";
const NONE: &str = "toll: the instance is of another component: it does not export toll-profile";

type Profile = TypedFunc<(), (std::result::Result<Vec<u8>, String>,)>;

/// Records instances of a component (WebAssembly's component model), in stores of any kind.
///
/// ```no_run
/// use toll_wasmtime::{ComponentRecorder, Options};
/// use wasmtime::{component::Linker, Engine, Store};
///
/// # fn main() -> wasmtime::Result<()> {
/// let engine = Engine::default();
/// let (mut store, linker) = (Store::new(&engine, ()), Linker::new(&engine));
/// let r = ComponentRecorder::new(&engine, &std::fs::read("hello.component.wasm")?, Options::default())?;
/// let instance = linker.instantiate(&mut store, r.component())?; // was: a Component of the file
/// let primes = instance.get_typed_func::<(u32,), (u32,)>(&mut store, "primes")?;
/// primes.call(&mut store, (100,))?;
/// r.end(&mut store, &instance, "request=1")?;
/// r.profile("hello.pb.gz")?;
/// # Ok(())
/// # }
/// ```
///
/// The component contains `toll.wasm` then, which records its core modules as one program: no event
/// calls the host. With [`Clock::Monotonic`] the component imports the clock of WASI 0.2, which the
/// linker must have (`wasmtime_wasi::p2::add_to_linker_sync`). Of [`Options`], `timeline` and
/// [`Clock::Function`] are not for components.
pub struct ComponentRecorder {
    engine: Engine,
    toll: Module,
    component: Component,
    labels: Vec<Vec<u8>>,
    debug: Option<DebugInfo>,
    ended: Mutex<Ended>,
}

/// A store that has as much fuel as there can be, since reading a profile uses none of the guest's: what it had is
/// given back in the end, also if a future is dropped.
struct Refuelled<S: AsContextMut> {
    store: S,
    fuel: Option<u64>, // None: the engine counts no fuel
}

impl<S: AsContextMut> Refuelled<S> {
    fn new(mut store: S) -> Refuelled<S> {
        let mut context = store.as_context_mut();
        let fuel = context.get_fuel().ok().filter(|_| context.set_fuel(u64::MAX).is_ok());
        Refuelled { store, fuel }
    }
}

impl<S: AsContextMut> Drop for Refuelled<S> {
    fn drop(&mut self) {
        if let Some(fuel) = self.fuel {
            let _ = self.store.as_context_mut().set_fuel(fuel);
        }
    }
}

/// What an instance has recorded; None: it has trapped or exited, and cannot be called any more.
fn unless_ended<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is::<Trap>() => Ok(None),
        Err(error) => Err(error),
    }
}

struct Ended {
    sum: Sum,
    count: u64,
    lost: u64,
}

impl ComponentRecorder {
    /// Instrument and compile a component in the binary format. This also compiles `toll.wasm`,
    /// twice: alone, and within the component.
    pub fn new(engine: &Engine, component: &[u8], options: Options) -> Result<ComponentRecorder> {
        if options.timeline || matches!(options.clock, Clock::Function(_)) {
            return Err(Error::msg(
                "toll: components keep no order, and their clock is that of WASI, for Clock::Monotonic: \
                 leave out timeline and Clock::Function",
            ));
        }
        let toll = Module::new(engine, TOLL_WASM)?;
        let labels = Sum::new(engine, &toll)?.labels(&options)?;
        let code = Sum::new(engine, &toll)?.component(component, &options, TOLL_WASM)?;
        let debug = DebugInfo::wanted(component, &options)?;
        let sum = Sum::new(engine, &toll)?;
        Ok(ComponentRecorder {
            engine: engine.clone(),
            toll,
            component: Component::new(engine, code)?,
            labels,
            debug,
            ended: Mutex::new(Ended { sum, count: 0, lost: 0 }),
        })
    }

    /// The component that records itself. Instantiate it like any other. For generated bindings make
    /// the instance by the linker, which [`end`](ComponentRecorder::end) needs, and pass it to their
    /// `new`.
    pub fn component(&self) -> &Component {
        &self.component
    }

    /// Keep what an instance has recorded, with further labels of its own (`path=/,method=GET`; ""
    /// for none). Call this once, after the last call: for a server at the end of each request. If
    /// a call has trapped, or the program has exited, wasmtime lets no function of the instance be
    /// called: what it has recorded is lost, which a note in the profile counts. This uses none of the
    /// store's fuel; a deadline of epochs that is over ends the instance.
    pub fn end(
        &self,
        mut store: impl AsContextMut,
        instance: &Instance,
        labels: &str,
    ) -> Result<()> {
        let functions = self.functions(&mut store, instance)?;
        let mut refuelled = Refuelled::new(store);
        let mut profiles = Vec::new();
        for function in functions {
            let called = function.call(&mut refuelled.store, ());
            let Some((profile,)) = unless_ended(called)? else { return self.lose() };
            #[allow(deprecated)] // newer versions need it no more
            function.post_return(&mut refuelled.store)?;
            profiles.push(profile);
        }
        self.keep(profiles, labels)
    }

    /// The same in an asynchronous store.
    pub async fn end_async(
        &self,
        mut store: impl AsContextMut<Data: Send>,
        instance: &Instance,
        labels: &str,
    ) -> Result<()> {
        let functions = self.functions(&mut store, instance)?;
        let mut refuelled = Refuelled::new(store);
        let mut profiles = Vec::new();
        for function in functions {
            let called = function.call_async(&mut refuelled.store, ()).await;
            let Some((profile,)) = unless_ended(called)? else { return self.lose() };
            #[allow(deprecated)]
            function.post_return_async(&mut refuelled.store).await?;
            profiles.push(profile);
        }
        self.keep(profiles, labels)
    }

    /// Write the sum of all instances that have ended to a file, in the format of its name, as
    /// [`Recorder::profile`](crate::Recorder::profile).
    pub fn profile(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let mut sum = self.sum()?;
        let format = sum.format_of(path)?;
        let file = WholeFile::create(path)
            .map_err(|error| Error::msg(format!("toll: {}: {error}", path.display())))?;
        let what = Written::Profile { format: &format, value: "", in_order: false };
        match sum.write(&what, Output::File(file))? {
            Output::File(file) => Ok(file.finish()?),
            Output::Bytes(_) => Ok(()),
        }
    }

    /// The same as bytes, in a format, as [`Recorder::bytes`](crate::Recorder::bytes).
    pub fn bytes(&self, format: &str, value: &str) -> Result<Vec<u8>> {
        let what = Written::Profile { format, value, in_order: false };
        Ok(self.sum()?.write(&what, Output::Bytes(Vec::new()))?.into_bytes())
    }

    /// The functions with the highest cost, as text, at most `rows` of them; 0: all.
    pub fn top(&self, value: &str, rows: u32) -> Result<String> {
        let what = Written::Report { value, rows, form: Form::Top };
        let text = self.sum()?.write(&what, Output::Bytes(Vec::new()))?.into_bytes();
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// `toll-profile`, and `toll-profile2` and so on for components in it.
    fn functions(
        &self,
        store: &mut impl AsContextMut,
        instance: &Instance,
    ) -> Result<Vec<Profile>> {
        let mut all: Vec<Profile> = Vec::new();
        loop {
            let number = if all.is_empty() { String::new() } else { (all.len() + 1).to_string() };
            let name = format!("toll-profile{number}");
            match instance.get_func(store.as_context_mut(), &name) {
                Some(function) => all.push(function.typed(store.as_context())?),
                None if all.is_empty() => return Err(Error::msg(NONE)),
                None => return Ok(all),
            }
        }
    }

    fn lose(&self) -> Result<()> {
        self.ended.lock().unwrap().lost += 1;
        Ok(())
    }

    fn keep(
        &self,
        profiles: Vec<std::result::Result<Vec<u8>, String>>,
        labels: &str,
    ) -> Result<()> {
        let mut own = Sum::new(&self.engine, &self.toll)?;
        for profile in profiles {
            own.add(&profile.map_err(|error| Error::msg(format!("toll: {error}")))?)?;
        }
        own.set_labels(&self.labels, labels)?;
        let profile = own.pprof()?;
        let mut ended = self.ended.lock().unwrap();
        ended.sum.add(&profile)?;
        ended.count += 1;
        Ok(())
    }

    fn sum(&self) -> Result<Sum> {
        let mut ended = self.ended.lock().unwrap();
        if ended.count + ended.lost == 0 {
            return Err(Error::msg("toll: nothing was recorded; call end for an instance first"));
        }
        let mut sum = Sum::new(&self.engine, &self.toll)?;
        if ended.count > 0 {
            sum.add(&ended.sum.pprof()?)?;
        }
        if ended.lost > 0 {
            let mut notes = Sum::new(&self.engine, &self.toll)?;
            notes.note(crate::embedder::RECORD_TICKS, &[(LOST, ended.lost)])?;
            sum.add(&notes.pprof()?)?;
        }
        if let Some(debug) = &self.debug {
            sum.debug_info(debug)?;
        }
        Ok(sum)
    }
}
