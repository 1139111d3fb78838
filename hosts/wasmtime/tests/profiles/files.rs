//! Files of profiles, and reports.

use crate::support::*;
use toll_wasmtime::Options;

#[test]
fn are_whole_and_the_same_each_time() {
    let r = recorder("guest.wasm", Options::default()).unwrap();
    let (mut store, guest) = instance(&r);
    call(&mut store, &guest, "work", 10).unwrap();
    let folder = path("files");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).unwrap();
    for name in ["a.pb.gz", "b.pb.gz", "b.pb.gz", "c.folded", "d.speedscope.json"] {
        r.profile(&mut store, folder.join(name)).unwrap();
        toll(&["check", "-q", &format!("files/{name}")]);
    }
    assert_eq!(file("files/a.pb.gz"), file("files/b.pb.gz"));
    assert_eq!(file("files/c.folded"), r.bytes(&mut store, "folded", "").unwrap());
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 4, "temporary files are left");
    assert_eq!(file("files/a.pb.gz")[..2], [0x1f, 0x8b]);
    r.profile(&mut store, "/dev/null").err().expect("no extension");
}

#[cfg(unix)]
#[test]
fn replace_what_a_link_names_and_keep_its_mode() {
    use std::os::unix::fs::{symlink, PermissionsExt};
    let r = recorder("guest.wasm", Options::default()).unwrap();
    let (mut store, _) = instance(&r);
    let folder = path("links");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("old.folded"), "").unwrap();
    std::fs::set_permissions(folder.join("old.folded"), PermissionsExt::from_mode(0o640)).unwrap();
    symlink("old.folded", folder.join("link.folded")).unwrap();
    r.profile(&mut store, folder.join("link.folded")).unwrap();
    assert!(folder.join("link.folded").is_symlink());
    let mode = std::fs::metadata(folder.join("old.folded")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    assert_eq!(file("links/old.folded"), r.bytes(&mut store, "folded", "").unwrap());
    symlink("/dev/null", folder.join("null.folded")).unwrap();
    r.profile(&mut store, folder.join("null.folded")).unwrap();
    r.profile(&mut store, folder.join("x".repeat(240) + ".pb.gz")).unwrap();
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 4, "temporary files are left");
}

#[test]
fn reports_are_text() {
    let r = recorder("guest.wasm", Options::default()).unwrap();
    let (mut store, guest) = instance(&r);
    call(&mut store, &guest, "work", 10).unwrap();
    let top = r.top(&mut store, "calls", 1).unwrap();
    assert!(top.contains("leaf") && !top.contains("twice"), "{top}");
    let tree = r.tree(&mut store, "ticks", 0).unwrap();
    assert!(tree.contains("work") && tree.contains("twice"), "{tree}");
}
