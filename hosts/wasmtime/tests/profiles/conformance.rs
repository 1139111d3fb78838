//! Runs the cases of tests/conformance/cases.txt, which says what they mean, in TOLL_GUESTS/conformance, and writes what happens
//! to printed.txt there. tests/wasmtime/run.sh compares that.

use crate::support::recorder;
use std::{
    collections::HashMap,
    fmt::Write,
    fs,
    sync::{
        atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
        Arc, Mutex,
    },
};
use toll_wasmtime::{Clock, Instance, Options, Recorder};
use wasmtime::{AsContextMut, Caller, Error, Linker, Result, Store, Val};

/// What a case and its host functions share.
struct Shared {
    printed: Mutex<String>,
    host: HashMap<i32, Vec<String>>,
    asked: AtomicUsize, // how often the host returned what the case says
    recorder: Recorder,
    instances: Mutex<Vec<Option<Instance>>>,
    current: Mutex<Vec<usize>>, // instances that are called, the innermost last
}

struct Case {
    shared: Arc<Shared>,
    name: String,
    store: Store<()>,
    linker: Linker<()>,
    profiles: u32,
}

fn path(name: &str) -> std::path::PathBuf {
    crate::support::path("conformance").join(name)
}

fn plain(error: &Error) -> String {
    error.to_string().trim_start_matches("toll: ").to_string()
}

fn option(options: &mut Options, name: &str, value: &str) {
    static MILLISECONDS: AtomicU64 = AtomicU64::new(0);
    let value = value.replace(';', "\n");
    match name {
        "heap" => options.heap = true,
        "lines" => options.lines = true,
        "call_lines" => options.call_lines = true,
        "inlines" => options.inlines = true,
        "no_debug" => options.no_debug = true,
        "no_ticks" => options.no_ticks = true,
        "no_calls" => options.no_calls = true,
        "timeline" => options.timeline = true,
        "only" => options.only = value,
        "skip" => options.skip = value,
        "costs" => options.costs = value,
        "labels" => options.labels = value,
        "depth" => options.depth = value.parse().unwrap(),
        "clock" => {
            let now = || (MILLISECONDS.fetch_add(1, Relaxed) + 1) * 1_000_000;
            options.clock = Clock::Function(Arc::new(now));
        }
        other => panic!("option {other}"),
    }
}

impl Shared {
    fn say(&self, text: &str) {
        writeln!(self.printed.lock().unwrap(), "{text}").unwrap();
    }

    fn call(&self, mut store: impl AsContextMut, i: usize, what: &[String]) -> Result<Option<i32>> {
        let instance = self.instances.lock().unwrap()[i].clone().expect("an instance");
        let function = instance.get_func(&mut store, &what[0]).expect("a function");
        let args: Vec<Val> = what[1..].iter().map(|arg| Val::I32(arg.parse().unwrap())).collect();
        let mut results = vec![Val::I32(0); function.ty(&store).results().len()];
        self.current.lock().unwrap().push(i);
        let done = function.call(&mut store, &args, &mut results);
        self.current.lock().unwrap().pop();
        done.map(|()| results.first().map(Val::unwrap_i32))
    }

    /// What the guest's import env.host does.
    fn asked(&self, mut caller: Caller<'_, ()>, n: i32) -> Result<i32> {
        let Some((what, rest)) = self.host.get(&n).and_then(|words| words.split_first()) else {
            return Ok(n);
        };
        let own = *self.current.lock().unwrap().last().unwrap();
        let result = match what.as_str() {
            "return" => Ok(rest[self.asked.fetch_add(1, Relaxed).min(rest.len() - 1)].parse().ok()),
            "fail" => Err(Error::msg("the host fails")),
            "call" => self.call(&mut caller, own, rest),
            "catch" => self.call(&mut caller, own, rest).or_else(|_| {
                self.call(&mut caller, own, &["leaf".into()])?;
                Ok(Some(-1))
            }),
            "other" => self.call(&mut caller, rest[0].parse().unwrap(), &rest[1..]),
            "folded" => {
                self.folded(&mut caller, &rest[0]);
                Ok(Some(n))
            }
            other => panic!("host {other}"),
        };
        result.map(|result| result.unwrap_or_default())
    }

    fn folded(&self, store: impl AsContextMut, value: &str) {
        let text = self.recorder.bytes(store, "folded", value);
        self.print(&format!("folded {value}"), text);
    }

    fn print(&self, what: &str, text: Result<Vec<u8>>) {
        match text {
            Ok(text) => {
                self.say(&format!("{what}:\n{}", String::from_utf8(text).unwrap().trim_end()))
            }
            Err(_) if what == "ordered" => self.say("ordered failed"),
            Err(error) => self.say(&format!("{what} failed: {}", plain(&error))),
        }
    }
}

impl Case {
    /// All instances of a case are in one store.
    fn new(name: &str, shared: Shared) -> Case {
        let shared = Arc::new(shared);
        let store = Store::new(shared.recorder.module().engine(), ());
        let mut linker = Linker::new(store.engine());
        let asked = shared.clone();
        linker
            .func_wrap("env", "host", move |caller: Caller<'_, ()>, n| asked.asked(caller, n))
            .unwrap();
        let exit = |_: i32| Err::<(), _>(Error::msg("exit"));
        linker.func_wrap("wasi_snapshot_preview1", "proc_exit", exit).unwrap();
        Case { shared, name: name.into(), store, linker, profiles: 0 }
    }

    fn step(&mut self, word: &str, rest: &[String]) {
        let (shared, store) = (self.shared.clone(), &mut self.store);
        match word {
            "instance" => self.instance(),
            "end" => shared.recorder.end(store).unwrap(),
            "folded" => shared.folded(store, &rest[0]),
            "ordered" => {
                let file = path("order.folded");
                let text = shared.recorder.timeline(store, &file);
                shared.print("ordered", text.map(|()| fs::read(&file).unwrap()));
            }
            "call" => self.called(rest[0].parse().unwrap(), &rest[1..]),
            "profile" | "places" | "lines" | "sum" => {
                let file = format!("{}.{}.pb", self.name, self.profiles);
                self.profiles += 1;
                fs::write(path(&file), shared.recorder.bytes(store, "pprof", "").unwrap()).unwrap();
                shared.say(&format!("{word} {file}"));
            }
            other => panic!("step {other}"),
        }
    }

    fn instance(&mut self) {
        let all = &self.shared.instances;
        let i = all.lock().unwrap().len();
        all.lock().unwrap().push(None);
        self.shared.current.lock().unwrap().push(i);
        let made = self.shared.recorder.instantiate(&mut self.store, &self.linker).ok();
        self.shared.current.lock().unwrap().pop();
        self.shared
            .say(&format!("instance {i}: {}", if made.is_some() { "made" } else { "failed" }));
        all.lock().unwrap()[i] = made;
    }

    fn called(&mut self, i: usize, what: &[String]) {
        let how = match self.shared.call(&mut self.store, i, what) {
            Ok(Some(result)) => format!("= {result}"),
            Ok(None) => "returned".into(),
            Err(_) => "failed".into(),
        };
        self.shared.say(&format!("{}({}) {how}", what[0], what[1..].join(",")));
    }
}

/// What a case prints.
fn run(name: &str, lines: &[Vec<String>]) -> String {
    let mut options = Options { name: "guest.wasm".into(), ..Options::default() };
    let (mut guest, mut host) = (String::new(), HashMap::new());
    let mut steps = Vec::new();
    for words in lines {
        let rest = &words[1..];
        match words[0].as_str() {
            "guest" => guest = format!("conformance/{}.wasm", rest[0]),
            "needs" => {} // this adapter has all
            "option" => option(&mut options, &rest[0], &rest[1..].join(" ")),
            "host" => drop(host.insert(rest[0].parse().unwrap(), rest[1..].to_vec())),
            step => steps.push((step, rest)),
        }
    }
    let recorder = match recorder(&guest, options) {
        Ok(recorder) => recorder,
        Err(error) => return format!("recorder failed: {}\n", plain(&error)),
    };
    let (printed, instances, current, asked) = Default::default();
    let mut case = Case::new(name, Shared { printed, host, asked, recorder, instances, current });
    for (step, rest) in steps {
        case.step(step, rest);
    }
    let printed = case.shared.printed.lock().unwrap().clone();
    printed
}

#[test]
fn cases() {
    let (mut printed, all) = (String::new(), fs::read_to_string(path("cases.txt")).unwrap());
    for text in all.split("\ncase ").skip(1) {
        let mut lines = text.lines().filter(|line| !line.is_empty());
        let name = lines.next().unwrap();
        let words = lines.map(|line| line.split(' ').map(String::from).collect());
        let words: Vec<Vec<String>> = words.collect();
        write!(printed, "case {name}\n{}", run(name, &words)).unwrap();
    }
    fs::write(path("printed.txt"), printed).unwrap();
}
