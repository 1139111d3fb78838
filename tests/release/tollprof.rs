//! FILE PROFILE - records a machine of two functions, adds the profile in FILE, writes PROFILE, and prints the report of that.
use tollprof::{Counter, Frame, Profile, Recorder, ReportOptions};

fn main() -> Result<(), tollprof::Error> {
    let mut files = std::env::args().skip(1);
    let mut recorder = Recorder::new([Counter::new("ticks", "count")])?;
    let main = recorder.add_frame(&Frame::new("main").defined_in("guest.vm", 1))?;
    let square = recorder.add_frame(&Frame::new("square").defined_in("guest.vm", 8))?;
    recorder.call(main, [0]);
    recorder.call(square, [10]);
    recorder.ret([17]);
    recorder.stop([22]);
    let mut profile = recorder.snapshot()?;
    profile.merge(&Profile::read(files.next().unwrap())?)?;
    let path = files.next().unwrap();
    profile.save(&path)?;
    print!("{}", Profile::read(&path)?.report_json(&ReportOptions::default())?);
    Ok(())
}
