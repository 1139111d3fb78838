//! What events do: stacks, columns, tracks, sections, lines, heap, and what is counted instead of
//! failing.

use tollprof::{
    Clock, Counter, Error, Frame, Kind, Options, Order, Profile, ReadOptions, Recorder, Status,
    WriteOptions,
};

const TICKS: Counter = Counter::new("ticks", "count");

fn folded(profile: &Profile, column: &str) -> String {
    let options = tollprof::WriteOptions {
        format: Some("folded"),
        column: Some(column),
        ..Default::default()
    };
    String::from_utf8(profile.to_bytes_with(options).unwrap()).unwrap()
}

fn notes(profile: &Profile) -> Vec<String> {
    profile.notes().map(|(text, count)| format!("{count} {text}")).collect()
}

#[test]
fn two_counters_and_calls() -> Result<(), Error> {
    let mut r = Recorder::new([TICKS, Counter::remaining("gas", "gas")])?;
    let main = r.add_frame(&Frame::new("main"))?;
    let leaf = r.add_frame(&Frame::new("leaf").defined_in("a.vm", 3))?;
    assert_eq!(r.add_frame(&Frame::new("main"))?, main);
    assert_eq!((r.frame(leaf).file, r.frame(leaf).line), ("a.vm", 3));
    r.call(main, [0, 100]);
    r.call(leaf, [4, 90]);
    r.tail_call(leaf, [5, 85]);
    assert_eq!(r.depth(), 2);
    r.ret([6, 60]);
    r.charge([7, 59]);
    let early = r.snapshot()?;
    r.call(leaf, [7, 59]);
    r.unwind(0, [9, 50]);
    r.stop([9, 50]);
    let profile = r.snapshot()?;
    let names: Vec<_> = profile.columns().map(|c| (c.name, c.unit)).collect();
    assert_eq!(names, [("calls", "count"), ("ticks", "count"), ("gas", "gas")]);
    assert_eq!(profile.default_column().unwrap().name, "ticks");
    assert_eq!(folded(&profile, "ticks"), "main 5\nmain;leaf 4\n");
    assert_eq!(folded(&profile, "gas"), "main 11\nmain;leaf 39\n");
    assert_eq!(folded(&profile, "calls"), "main 1\nmain;leaf 3\n");
    assert_eq!(early.total(early.column("ticks").unwrap().id)?, 7);
    assert!(notes(&profile).is_empty());
    Ok(())
}

#[test]
fn what_cannot_fail_is_counted() -> Result<(), Error> {
    let mut other = Recorder::new([TICKS])?;
    for name in ["a", "b", "c"] {
        other.add_frame(&Frame::new(name))?;
    }
    let wrong = other.add_frame(&Frame::new("d"))?;
    let mut r = Recorder::new([TICKS])?;
    r.ret([0]);
    r.call(wrong, [1]);
    r.stop([5]);
    let profile = r.snapshot()?;
    assert_eq!(profile.total(profile.column("ticks").unwrap().id)?, 5);
    assert!(notes(&profile).contains(&"1 returns without a call".into()), "{:?}", notes(&profile));
    assert_eq!(notes(&profile).len(), 2, "{:?}", notes(&profile));
    assert_eq!(r.frame(wrong).name, "");
    Ok(())
}

#[test]
fn tracks_of_others_are_not_used() -> Result<(), Error> {
    let mut r = Recorder::new([TICKS])?;
    let main = r.add_frame(&Frame::new("main"))?;
    let job = r.add_frame(&Frame::new("job"))?;
    let (one, two) = (r.new_track("worker")?, r.new_track("worker")?);
    let foreign = Recorder::new([TICKS])?.new_track("worker")?; // its recorder is gone
    r.call(main, [0]);
    r.switch(&one, [3]);
    r.call(job, [3]);
    r.resume(&two, [10]);
    r.call(job, [10]);
    r.switch(&foreign, [15]);
    r.end_track(two, [16]);
    r.switch(&one, [20]);
    r.end_track(one, [21]);
    r.switch_to_main([22]);
    r.stop([24]);
    let profile = r.snapshot()?;
    let workers =
        profile.filter(&tollprof::Filter { thread: Some("worker"), ..Default::default() })?;
    assert_eq!(folded(&workers.fold_threads()?, "ticks"), "job 14\n");
    assert_eq!(profile.total(profile.column("ticks").unwrap().id)?, 24);
    assert_eq!(notes(&profile).len(), 1, "{:?}", notes(&profile));

    let old = r.new_track("worker")?;
    r.reset();
    r.call(main, [0]);
    r.switch(&old, [1]); // it was freed by the reset
    r.end_track(old, [2]);
    r.stop([7]);
    assert_eq!(folded(&r.snapshot()?, "ticks"), "main 7\n");
    Ok(())
}

#[test]
fn lines_sections_heap_and_options() -> Result<(), Error> {
    let options =
        Options { lines: true, heap: true, main_thread: Some("worker 1"), ..Options::default() };
    let mut r = Recorder::with([TICKS], &options)?;
    let f = Frame::new("f").defined_in("a.vm", 1);
    let (main, line) = (r.add_frame(&f)?, r.add_frame(&f.at(2))?);
    let section = r.add_frame(&Frame { kind: Kind::Section, ..Frame::new("swap") })?;
    r.adopt(&[main], [0]);
    r.line(line, [1]);
    r.heap_alloc(8, 100);
    r.heap_realloc(8, 16, 50);
    r.section_begin(section, [5])?;
    r.section_end(section, [9])?;
    assert_eq!(r.section_end(section, [9]).unwrap_err().status(), Status::NotFound);
    r.heap_free(16);
    r.rebase([100]);
    r.rename_frame(main, "g")?;
    r.note("seen by the adapter", 2)?;
    r.stop([101]);
    let profile = r.snapshot()?;
    profile.check(false)?;
    assert_eq!(profile.threads().next().unwrap().name(), "worker 1");
    assert_eq!(profile.total(profile.column("ticks").unwrap().id)?, 10);
    assert_eq!(profile.total(profile.column("alloc_space").unwrap().id)?, 150);
    assert_eq!(profile.total(profile.column("inuse_space").unwrap().id)?, 0);
    assert_eq!(folded(&profile.fold_sections()?, "ticks"), "(outside) 6\nswap 4\n");
    assert!(profile.frames().any(|frame| frame.at_line == 2));
    assert!(profile.fold_places()?.frames().all(|frame| frame.at_line == 0));
    assert_eq!(notes(&profile), ["2 seen by the adapter"]);
    Ok(())
}

#[test]
fn wrong_arguments_are_errors() {
    let status = |result: Result<Recorder<2>, Error>| result.unwrap_err().status();
    assert_eq!(status(Recorder::new([TICKS, TICKS])), Status::Argument);
    assert_eq!(status(Recorder::new([TICKS, Counter::new("a\0b", "count")])), Status::Argument);
    let five = ["a", "b", "c", "d", "e"].map(|name| Counter::new(name, "count"));
    assert_eq!(Recorder::new(five).unwrap_err().status(), Status::Argument);
    let mut r = Recorder::new([]).unwrap();
    let error = r.add_frame(&Frame::new("a\0b")).unwrap_err();
    assert_eq!(error.to_string(), "a text with a NUL in it");
    r.stop([]);
}

#[test]
fn a_recorder_moves_to_another_thread() -> Result<(), Error> {
    let options = Options { main_thread: Some("worker"), ..Options::default() };
    let mut r = Recorder::with([Counter::TIME], &options)?;
    let main = r.add_frame(&Frame::new("main"))?;
    let profile = std::thread::spawn(move || {
        let mut clock = Clock::new()?;
        assert!(!clock.source().is_empty());
        r.call(main, [clock.now()]);
        r.stop([clock.now()]);
        r.snapshot()
    });
    let profile = profile.join().expect("it does not panic")?;
    assert_eq!(folded(&profile, "calls"), "main 1\n");
    Ok(())
}

#[test]
fn the_order_of_calls() -> Result<(), Error> {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("order.timeline");
    let options = Options { order: Some(Order::File(&file)), ..Options::default() };
    let mut r = Recorder::with([TICKS], &options)?;
    let (a, b) = (r.add_frame(&Frame::new("a"))?, r.add_frame(&Frame::new("b"))?);
    r.call(a, [0]);
    for ticks in [1, 3] {
        r.call(b, [ticks]);
        r.ret([ticks + 1]);
    }
    let profile = r.snapshot()?;
    let chart =
        WriteOptions { format: Some("chrome"), timeline: r.timeline(), ..WriteOptions::default() };
    let chart = String::from_utf8(profile.to_bytes_with(chart)?).unwrap();
    assert_eq!(chart.matches("\"b\"").count() % 2, 0, "{chart}");
    assert!(chart.contains("\"b\""), "{chart}");

    let mut timeline = None;
    let cut = ReadOptions { timeline: Some(&mut timeline), ..ReadOptions::default() };
    Profile::read_with(&file, cut)?; // as if the process were killed here
    assert!(timeline.take().unwrap().is_cut());
    r.stop([9]);
    r.finish_timeline()?;
    assert_eq!(r.timeline().unwrap().event_count(), 6);
    let whole = ReadOptions { timeline: Some(&mut timeline), ..ReadOptions::default() };
    let same = Profile::read_with(&file, whole)?;
    assert_eq!(folded(&same, "ticks"), folded(&r.snapshot()?, "ticks"));
    let timeline = timeline.unwrap();
    assert!(!timeline.is_cut());
    assert_eq!(timeline.event_count(), 6);

    let options = Options { order: Some(Order::Temporary), ..Options::default() };
    assert_eq!(Recorder::with([], &options).unwrap_err().status(), Status::Argument);
    assert!(Recorder::with([TICKS], &options)?.timeline().is_some());
    let needs = profile.to_bytes("timeline").unwrap_err();
    assert_eq!(needs.status(), Status::Unsupported, "{needs}");
    Ok(())
}
