//! The recording of a process: its file, when it is written, and what is done without one.

use {
    std::{path::PathBuf, process::Command},
    tollprof::{Coroutine, Counter, FunctionId, Profile, Recording, RecordingOptions},
};

/// The name of a file that is not there.
fn file(name: &str) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&file);
    file
}

fn counting(path: Option<&std::path::Path>) -> Recording<1> {
    let options = RecordingOptions { path, ..RecordingOptions::default() };
    Recording::counting_with(Counter::new("gas", "gas"), &options)
}

// One recording at a time is in a process: so this is one test.
#[test]
fn recordings() {
    let mut off = counting(None); // the test runs without TOLL_OUT
    assert!(!off.is_on() && !off.is_new(FunctionId::default()));
    let nothing = off.add("main", "", 1);
    off.call(nothing, [1]);
    off.save([2]).unwrap();
    off.end([2]).unwrap();

    let path = file("recording.folded");
    let mut r = counting(Some(&path));
    assert!(r.is_on() && r.is_new(FunctionId::default()) && !counting(Some(&path)).is_on());
    let [main, job] = ["main", "job\0cut"].map(|name| r.add(name, "a.vm", 1));
    assert!(!r.is_new(main));
    let mut coroutine = Coroutine::new();
    r.call(main, [0]);
    r.switch(&mut coroutine, "worker", [10]);
    r.adopt(job, [10]);
    r.switch_to_main([14]);
    r.budget(20, [1000]); // 6 more are spent, then the counter is set anew
    r.sync(2, job, [1001]);
    r.unwind(1, [1003]);
    r.tail_call(job, [1005]);
    r.switch(&mut coroutine, "worker", [1006]);
    r.end_coroutine(&mut coroutine, [1010]);
    r.save([1010]).unwrap();
    let profile = Profile::read(&path).unwrap();
    let folded = profile.fold_threads().unwrap().to_text("folded").unwrap();
    // main: 10 and 6, 1 until the job, 2 after it; job: 4 and 4 in the coroutine, 2 and 1.
    assert_eq!(folded, "job 9\nmain 19\nmain;job 2\n");
    r.call(main, [1010]);
    r.ret([1100]);
    drop(r);
    let total = |profile: &Profile| profile.total(profile.default_column().unwrap().id).unwrap();
    assert_eq!(total(&Profile::read(&path).unwrap()), 30 + 90);

    let path = file("later.folded");
    let mut timed = Recording::timed_with(&RecordingOptions {
        path: Some(&path),
        no_signals: true,
        ..RecordingOptions::default()
    });
    assert!(timed.is_new(main), "it is of another recording");
    let main = timed.add("", "a.vm", 7);
    timed.call(main, []);
    timed.end([]).unwrap();
    assert_eq!(Profile::read(&path).unwrap().frames().next().unwrap().name, "a.vm:7");

    let path = file("wall.pb.gz");
    let wall =
        RecordingOptions { path: Some(&path), wall_time: true, ..RecordingOptions::default() };
    Recording::timed_with(&wall).end([]).unwrap();
    assert!(Profile::read(&path).unwrap().column("time").is_some());

    let folder = file("not-there").join("a.folded");
    let error = counting(Some(&folder)).end([0]).unwrap_err();
    assert_eq!(error.status(), tollprof::Status::Io, "{error}");
}

/// A process that exits without an end of its recording leaves the file.
#[test]
fn exits() {
    if std::env::var_os("TOLLPROF_TEST_EXITS").is_some() {
        let mut r = Recording::counting(Counter::new("gas", "gas"));
        let main = r.add("main", "", 0);
        r.call(main, [5]);
        r.call(main, [47]);
        std::process::exit(0);
    }
    let path = file("exits.folded");
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["exits", "--exact"])
        .env("TOLLPROF_TEST_EXITS", "1")
        .env("TOLL_OUT", &path)
        .output()
        .unwrap();
    assert!(child.status.success(), "{child:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "main 42\n");
}
