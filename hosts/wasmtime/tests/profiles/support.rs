//! Guests, their hosts, and folded profiles.

use std::{collections::BTreeMap, path::PathBuf, process::Command, sync::OnceLock};
use toll_wasmtime::{Instance, Options, Recorder};
use wasmtime::{AsContextMut, Caller, Engine, Error, Extern, Linker, Result, Store, Val};

/// What a host function may use: the instance that called it.
pub type Data = Option<Instance>;

fn folder() -> PathBuf {
    std::env::var_os("TOLL_GUESTS").expect("TOLL_GUESTS; tests/wasmtime/run.sh sets it").into()
}

pub fn path(name: &str) -> PathBuf {
    folder().join(name)
}

pub fn file(name: &str) -> Vec<u8> {
    std::fs::read(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub fn text(name: &str) -> String {
    String::from_utf8(file(name)).unwrap()
}

/// What the command `toll` prints.
pub fn toll(args: &[&str]) -> String {
    let toll = std::env::var_os("TOLL").expect("TOLL, the command");
    let done = Command::new(toll).args(args).current_dir(folder()).output().unwrap();
    let complaint = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "toll {args:?}: {complaint}");
    String::from_utf8(done.stdout).unwrap()
}

/// What was recorded below functions whose names match, in a file: one line for each stack.
pub fn below(root: &str, path: &str, value: &str) -> String {
    toll(&["convert", "-q", "--to", "folded", "--value", value, "--focus", root, "-o", "-", path])
}

/// The engine of most tests, for which toll.wasm is compiled once.
pub fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(Engine::default)
}

pub fn recorder(guest: &str, options: Options) -> Result<Recorder> {
    static FIRST: OnceLock<Recorder> = OnceLock::new();
    let first = FIRST.get_or_init(|| {
        Recorder::new(engine(), &file("two.wasm"), Options::default()).expect("a recorder")
    });
    let name = if options.name.is_empty() { guest.into() } else { options.name };
    first.another(&file(guest), Options { name, ..options })
}

fn host(mut caller: Caller<'_, Data>, what: i32) -> Result<i32> {
    let guest = caller.data().clone();
    let mut call = |name, n| {
        let function = guest.as_ref().unwrap().get_typed_func::<i32, i32>(&mut caller, name)?;
        function.call(&mut caller, n)
    };
    match what {
        1 => call("work", 3),
        2 => Ok(call("trap", 4).unwrap_or(-1)),
        3 => Err(Error::msg("the host fails")),
        4 => panic!("the host panics"),
        _ => Ok(what),
    }
}

/// A store, and a linker that has env.host.
pub fn with_host(engine: &Engine) -> (Store<Data>, Linker<Data>) {
    let (store, mut linker) = (Store::new(engine, None), Linker::new(engine));
    linker.func_wrap("env", "host", host).unwrap();
    (store, linker)
}

/// An instance of guest.wasm, which its host can call, too.
pub fn instance(r: &Recorder) -> (Store<Data>, Instance) {
    let (mut store, linker) = with_host(r.module().engine());
    let instance = r.instantiate(&mut store, &linker).unwrap();
    *store.data_mut() = Some(instance.clone());
    (store, instance)
}

pub fn call(store: impl AsContextMut, instance: &Instance, name: &str, n: i32) -> Result<i32> {
    let mut store = store;
    instance.get_typed_func::<i32, i32>(&mut store, name)?.call(&mut store, n)
}

pub async fn call_async(
    mut store: impl AsContextMut<Data: Send>,
    instance: &Instance,
    name: &str,
    n: i32,
) -> Result<i32> {
    let function = instance.get_func(&mut store, name).expect("a function");
    let mut result = [Val::I32(0)];
    let has_result = function.ty(&store).results().len();
    function.call_async(&mut store, &[Val::I32(n)], &mut result[..has_result]).await?;
    Ok(result[0].unwrap_i32())
}

pub fn folded(r: &Recorder, store: impl AsContextMut, value: &str) -> String {
    String::from_utf8(r.bytes(store, "folded", value).unwrap()).unwrap()
}

/// A folded profile's values, by stack; notes are not among them.
pub fn stacks(folded: &str) -> BTreeMap<String, u64> {
    let lines = folded.lines().filter(|line| !line.starts_with('#'));
    let pairs = lines.map(|line| line.rsplit_once(' ').expect("a value"));
    pairs.map(|(stack, value)| (stack.to_string(), value.parse().unwrap())).collect()
}

/// Its values by the innermost function.
pub fn selves(folded: &str) -> BTreeMap<String, u64> {
    let mut sums = BTreeMap::new();
    for (stack, value) in stacks(folded) {
        let leaf = stack.rsplit(';').next().unwrap_or_default();
        *sums.entry(leaf.to_string()).or_default() += value;
    }
    sums
}

/// How a program ended that called exit.
#[derive(Debug)]
pub struct Exit(pub i32);

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "exit {}", self.0)
    }
}

impl std::error::Error for Exit {}

/// As much of WASI as program.wasm needs.
pub fn with_wasi(args: &'static [&'static str]) -> (Store<Vec<u8>>, Linker<Vec<u8>>) {
    const WASI: &str = "wasi_snapshot_preview1";
    let (store, mut linker) = (Store::new(engine(), Vec::new()), Linker::new(engine()));
    fn poke(caller: &mut Caller<'_, Vec<u8>>, at: u32, bytes: &[u8]) -> Result<i32> {
        let memory = caller.get_export("memory").and_then(Extern::into_memory).unwrap();
        memory.write(caller, at as usize, bytes)?;
        Ok(0)
    }
    let sizes = |mut caller: Caller<'_, Vec<u8>>, count: u32, size: u32| {
        let all: usize = args.iter().map(|arg| arg.len() + 1).sum();
        poke(&mut caller, count, &(args.len() as u32).to_le_bytes())?;
        poke(&mut caller, size, &(all as u32).to_le_bytes())
    };
    let get = |mut caller: Caller<'_, Vec<u8>>, list: u32, texts: u32| {
        let mut at = texts;
        for (i, arg) in args.iter().enumerate() {
            poke(&mut caller, list + 4 * i as u32, &at.to_le_bytes())?;
            poke(&mut caller, at, &[arg.as_bytes(), b"\0"].concat())?;
            at += arg.len() as u32 + 1;
        }
        Ok::<i32, Error>(0)
    };
    let write = |mut caller: Caller<'_, Vec<u8>>, _fd: i32, _pieces: u32, count: u32, to: u32| {
        poke(&mut caller, to, &count.to_le_bytes()) // each piece is a byte
    };
    linker.func_wrap(WASI, "args_sizes_get", sizes).unwrap();
    linker.func_wrap(WASI, "args_get", get).unwrap();
    linker.func_wrap(WASI, "fd_write", write).unwrap();
    linker.func_wrap(WASI, "proc_exit", |status| Err::<(), _>(Error::from(Exit(status)))).unwrap();
    (store, linker)
}
