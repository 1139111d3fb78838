//! What profiles do: files of all formats, sums, differences, totals, reports, and errors.

use {
    std::{path::PathBuf, time::Duration, time::SystemTime},
    tollprof::{
        check_labels, formats, Error, Filter, Frame, Profile, ReadOptions, ReportOptions, Sort,
        Status, WriteOptions,
    },
};

fn read(folded: &str) -> Profile {
    Profile::from_bytes(folded.as_bytes(), "a.folded").unwrap()
}

/// A folder of the test's own, which is empty.
fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn values_of_stacks() -> Result<(), Error> {
    let profile = read("main 15\nmain;square 7\nmain;square;mul 3\n");
    let samples = profile.column("samples").unwrap().id;
    let totals = profile.totals(samples)?;
    let found: Vec<_> = profile
        .nodes()
        .map(|n| {
            let names: Vec<_> = n.stack().iter().map(|f| f.name).collect();
            (names.join(";"), n.self_value(samples), totals[n.id().index()])
        })
        .collect();
    let wanted = [("", 0, 25), ("main", 15, 25), ("main;square", 7, 10), ("main;square;mul", 3, 3)];
    assert_eq!(found, wanted.map(|(stack, own, total)| (stack.to_string(), own, total)));
    assert_eq!(profile.total(samples)?, 25);
    assert!(profile.column("gas").is_none());
    Ok(())
}

#[test]
fn sums_differences_and_parts() -> Result<(), Error> {
    let (before, after) = (read("main 5\nmain;a 7\n"), read("main 4\nmain;a 9\nmain;b 1\n"));
    let difference = before.diff(&after)?;
    difference.check(true)?;
    assert_eq!(difference.total(difference.column("samples").unwrap().id)?, 2);
    let mut sum = before.copy()?;
    sum.merge(&after)?;
    assert_eq!(sum.to_text("folded")?, "main 9\nmain;a 16\nmain;b 1\n");
    assert_eq!(before.to_text("folded")?, "main 5\nmain;a 7\n");
    assert_eq!(sum.fold_depth(1)?.to_text("folded")?, "main 26\n");
    let part = sum.filter(&Filter { focus: Some("^a$"), ..Filter::default() })?;
    assert_eq!(part.to_text("folded")?, "main;a 16\n");
    let wrong = sum.filter(&Filter { focus: Some("("), ..Filter::default() }).unwrap_err();
    assert_eq!(wrong.status(), Status::Argument);
    assert_eq!(read("a;b;a 1\n").fold_recursion()?.to_text("folded")?, "a 1\n");
    Ok(())
}

#[test]
fn labels_and_what_is_known_of_a_run() -> Result<(), Error> {
    let mut profile = read("main 5\n").with_labels("host=a,commit=3f2a")?;
    let labels: Vec<_> = profile.threads().flat_map(|thread| thread.labels()).collect();
    assert_eq!(labels, [("commit", "3f2a"), ("host", "a")]);
    assert_eq!(profile.group_by("host")?.threads().next().unwrap().labels().count(), 1);
    check_labels("host=a")?;
    assert_eq!(check_labels("host").unwrap_err().status(), Status::Argument);

    let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    profile.set_time(start, Duration::from_millis(1500));
    profile.add_note("events that were lost", 3)?;
    profile.add_comment("a comment")?;
    let same = Profile::from_bytes(&profile.to_bytes("pprof")?, "a.pb")?;
    assert_eq!(same.start(), Some(start));
    assert_eq!(same.duration(), Some(Duration::from_millis(1500)));
    assert_eq!(same.notes().collect::<Vec<_>>(), [("events that were lost", 3)]);
    assert_eq!(same.comments().collect::<Vec<_>>(), ["a comment"]);
    assert_eq!(Profile::new()?.start(), None);
    Ok(())
}

#[test]
fn files() -> Result<(), Error> {
    let folder = folder("files");
    let profile = read("main 5\nmain;a 7\n");
    for format in formats().filter(|f| f.reads && f.writes && !f.needs_timeline) {
        let path = folder.join(format.name);
        let options = WriteOptions { format: Some(format.name), ..WriteOptions::default() };
        profile.save_with(&path, options)?;
        let same = Profile::read(&path)?;
        let column = same.default_column().unwrap().id;
        assert_eq!(same.total(column)?, 12, "{}", format.name);
    }
    profile.save(folder.join("a.pb.gz"))?;
    assert_eq!(std::fs::read(folder.join("a.pb.gz")).unwrap()[..2], [0x1f, 0x8b]);
    let mut warnings = Vec::new();
    let options = WriteOptions {
        format: Some("folded"),
        labels: Some("host=a"),
        gzip: true,
        warnings: Some(&mut warnings),
        ..WriteOptions::default()
    };
    assert_eq!(profile.to_bytes_with(options)?[..2], [0x1f, 0x8b]);
    assert_eq!(warnings.len(), 1, "labels are lost: {warnings:?}");
    Ok(())
}

#[test]
fn failures_say_what_is_wrong() {
    let folder = folder("failures");
    let missing = Profile::read(folder.join("none.pb.gz")).unwrap_err();
    assert_eq!(missing.status(), Status::Io);
    assert!(missing.to_string().contains("none.pb.gz"), "{missing}");
    let options = ReadOptions { format: Some("folded"), ..ReadOptions::default() };
    let syntax = Profile::from_bytes_with(b"main 5\nmain;a\n", "a.folded", options).unwrap_err();
    assert_eq!(syntax.status(), Status::Syntax);
    assert!(syntax.to_string().starts_with("a.folded:2: "), "{syntax}");
    let profile = read("main 5\n");
    assert_eq!(profile.to_bytes("none").unwrap_err().status(), Status::UnknownFormat);
    let nowhere = profile.save(folder.join("none/a.folded")).unwrap_err();
    assert_eq!(nowhere.status(), Status::Io);
    let options = ReportOptions { column: Some("gas"), ..ReportOptions::default() };
    assert_eq!(profile.report(&options).unwrap_err().status(), Status::NotFound);
}

#[test]
fn reports() -> Result<(), Error> {
    let profile = read("main 15\nmain;square 7\n");
    let options = ReportOptions { sort: Sort::Name, ..ReportOptions::default() };
    let names = ["main", "square"];
    for text in [
        profile.report(&options)?,
        profile.report_tree(&options)?,
        profile.report_json(&options)?,
        profile.report_markdown(&options)?,
    ] {
        assert!(names.iter().all(|name| text.contains(name)), "{text}");
    }
    assert!(profile.report_json(&options)?.contains("\"total\":22"));
    Ok(())
}

#[test]
fn built_by_hand() -> Result<(), Error> {
    let mut profile = Profile::new()?;
    let gas = profile.add_column("gas", "gas")?;
    assert_eq!(profile.add_column("gas", "gas").unwrap_err().status(), Status::Argument);
    let main = profile.add_frame(&Frame::new("main"))?;
    let thread = profile.add_thread("worker", &[("host", "a"), ("host", "b")])?;
    let root = profile.root(thread).unwrap();
    let node = profile.add_child(root, main)?;
    profile.add_self(node, gas, i64::MAX)?;
    assert_eq!(profile.add_self(node, gas, 1).unwrap_err().status(), Status::Overflow);
    profile.add_self(root, gas, 1)?;
    assert_eq!(profile.total(gas).unwrap_err().status(), Status::Overflow);
    assert_eq!(profile.totals(gas).unwrap_err().status(), Status::Overflow);
    Ok(())
}
