//! Errors: each is reported with its path, and the rest is still read.

use crate::support;

use luthier_corpus::{CorpusError, Options};
use support::{Place, gzip, noise, raw_header, symlink, tar, xz, zstd, zstd_with_window};

#[track_caller]
fn check_message(error: &CorpusError, parts: &[&str]) {
    let message = error.to_string();
    for part in parts {
        assert!(message.contains(part), "{message:?} should contain {part:?}");
    }
}

#[test]
fn a_missing_path_is_reported_and_the_others_are_read() {
    let place = Place::new();
    place.write("b.smt2", "b");
    let seen = place.read(&["a.smt2", "b.smt2", "c"]);
    assert_eq!(seen.names(), ["b.smt2"]);
    assert_eq!(seen.errors.len(), 2);
    check_message(&seen.errors[0], &["a.smt2", "no such file or folder", "check the spelling"]);
}

#[test]
fn a_path_below_a_file_is_unreadable() {
    let place = Place::new();
    place.write("a.smt2", "");
    let seen = place.read(&["a.smt2/b.smt2"]);
    assert!(matches!(&seen.errors[..], [CorpusError::Unreadable { .. }]), "{:?}", seen.errors);
}

#[cfg(unix)]
#[test]
fn links_to_nowhere_and_to_themselves_are_unreadable() {
    let place = Place::new();
    place.write("f/z.smt2", "z");
    symlink(&place.path("nowhere"), &place.path("f/a.smt2"));
    symlink(&place.path("f/b.smt2"), &place.path("f/b.smt2"));
    let seen = place.read(&["f", "f/b.smt2"]);
    assert_eq!(seen.names(), ["f/z.smt2"]);
    assert_eq!(seen.errors.len(), 3, "{:?}", seen.errors);
    check_message(&seen.errors[0], &["f/a.smt2: cannot be read"]);
    check_message(&seen.errors[1], &["f/b.smt2: cannot be read"]);
}

#[cfg(unix)]
#[test]
fn files_and_folders_without_permission_are_unreadable() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let file = place.write("f/a.smt2", "");
    place.write("f/d/b.smt2", "");
    place.write("f/e.smt2", "e");
    set_permissions(&file, Permissions::from_mode(0o000)).unwrap();
    set_permissions(place.path("f/d"), Permissions::from_mode(0o000)).unwrap();
    // The superuser reads everything; then there is nothing to test.
    if std::fs::read(&file).is_err() {
        let seen = place.read(&["f"]);
        assert_eq!(seen.names(), ["f/e.smt2"]);
        assert_eq!(seen.errors.len(), 2, "{:?}", seen.errors);
    }
    set_permissions(place.path("f/d"), Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn an_unsupported_archive_is_reported_if_it_is_named() {
    let place = Place::new();
    place.write("a.zip", "");
    let seen = place.read(&["a.zip"]);
    check_message(&seen.errors[0], &["a.zip", ".zip archives are not read", ".tar.zst"]);
}

#[test]
fn a_truncated_archive_gives_the_members_before_the_cut_and_one_error() {
    let place = Place::new();
    let large = noise(100_000);
    let plain = tar(&[("1.smt2", b"one"), ("2.smt2", &large)]);
    let cut = |bytes: Vec<u8>| bytes[..bytes.len() / 2].to_vec();
    place.write("f/a.tar", cut(plain.clone()));
    place.write("f/b.tar.gz", cut(gzip(&plain)));
    place.write("f/c.tar.xz", cut(xz(&plain)));
    place.write("f/d.tar.zst", cut(zstd(&plain)));
    place.write("f/e.smt2", "after");
    let seen = place.read(&["f"]);
    assert_eq!(seen.names().last(), Some(&"f/e.smt2"));
    assert_eq!(seen.names().first(), Some(&"f/a.tar!1.smt2"));
    assert!(!seen.names().iter().any(|name| name.ends_with("!2.smt2")));
    assert_eq!(seen.errors.len(), 4, "{:?}", seen.errors);
    for (error, archive) in seen.errors.iter().zip(["a.tar", "b.tar.gz", "c.tar.xz", "d.tar.zst"]) {
        check_message(error, &[archive, "expected a tar archive", "cut short", "pack it again"]);
    }
    check_message(&seen.errors[0], &["after 1 member(s)", "data of a member is cut short"]);
}

#[test]
fn an_archive_cut_anywhere_is_never_taken_for_a_whole_one() {
    let place = Place::new();
    let plain = tar(&[("1.smt2", b"one"), ("2.smt2", b"two")]);
    let end_of_members = plain.len() - 1024;
    for length in (0..=end_of_members).step_by(64) {
        place.write("a.tar", &plain[..length]);
        let seen = place.read(&["a.tar"]);
        assert_eq!(seen.errors.len(), 1, "cut at {length}: {:?}", seen.instances);
    }
    for whole in [gzip(&plain), xz(&plain), zstd(&plain)] {
        let name = match whole[0] {
            0x1f => "a.tar.gz",
            0xfd => "a.tar.xz",
            _ => "a.tar.zst",
        };
        for length in 0..whole.len() {
            place.write(name, &whole[..length]);
            let seen = place.read(&[name]);
            assert_eq!(seen.errors.len(), 1, "{name} cut at {length}: {:?}", seen.instances);
        }
    }
}

#[test]
fn damaged_headers_and_checksums_are_told() {
    let place = Place::new();
    let mut plain = tar(&[("1.smt2", b"one"), ("2.smt2", b"two")]);
    plain[1024 + 10] ^= 1;
    place.write("a.tar", &plain);
    let seen = place.read(&["a.tar"]);
    assert_eq!(seen.names(), ["a.tar!1.smt2"]);
    check_message(&seen.errors[0], &["a.tar", "checksum"]);

    let mut packed = zstd(&tar(&[("1.smt2", b"one")]));
    *packed.last_mut().unwrap() ^= 1;
    place.write("b.tar.zst", &packed);
    check_message(&place.read(&["b.tar.zst"]).errors[0], &["b.tar.zst", "checksum"]);
}

#[test]
fn a_file_whose_contents_do_not_match_its_name_is_reported() {
    let place = Place::new();
    place.write("a.tar.zst", "(check-sat)");
    place.write("b.tar", noise(2000));
    place.write("c.smt2.gz", "(check-sat)");
    place.write("d.tar", "");
    let seen = place.read(&["a.tar.zst", "b.tar", "c.smt2.gz", "d.tar"]);
    assert!(seen.instances.is_empty());
    check_message(&seen.errors[0], &["a.tar.zst", "expected a tar archive compressed with zstd"]);
    check_message(&seen.errors[1], &["b.tar", "after 0 member(s)"]);
    check_message(&seen.errors[2], &["c.smt2.gz", "expected gzip data"]);
    check_message(&seen.errors[3], &["d.tar", "end-of-archive marker is missing"]);
}

#[test]
fn a_window_above_128_mebibytes_is_refused_with_advice() {
    let place = Place::new();
    place.write("a.tar.zst", zstd_with_window(&tar(&[("1.smt2", b"one")]), 28));
    check_message(&place.read(&["a.tar.zst"]).errors[0], &["window above 128 MiB", "--long=27"]);
}

#[test]
fn truncated_compressed_files_and_members_are_reported_and_the_rest_is_read() {
    let place = Place::new();
    for (name, packed) in [
        ("f/a.smt2.gz", gzip(b"text")),
        ("f/b.smt2.xz", xz(b"text")),
        ("f/c.smt2.zst", zstd(b"text")),
    ] {
        place.write(name, &packed[..packed.len() - 3]);
    }
    let packed = gzip(b"text");
    place.write("f/d.tar", tar(&[("m.smt2.gz", &packed[..packed.len() - 3]), ("n.smt2", b"n")]));
    let seen = place.read(&["f"]);
    assert_eq!(seen.names(), ["f/d.tar!n.smt2"]);
    assert_eq!(seen.errors.len(), 4);
    check_message(&seen.errors[0], &["f/a.smt2.gz", "expected gzip data"]);
    check_message(&seen.errors[1], &["f/b.smt2.xz", "expected xz data"]);
    check_message(&seen.errors[2], &["f/c.smt2.zst", "expected zstd data"]);
    check_message(&seen.errors[3], &["f/d.tar!m.smt2.gz", "expected gzip data"]);
}

#[test]
fn instances_above_the_limit_are_reported_and_the_rest_is_read() {
    let place = Place::new();
    place.write("f/a.smt2", "12345");
    place.write("f/b.smt2", "1234");
    place.write("f/c.smt2.xz", xz(b"12345"));
    let members: [(&str, &[u8]); 3] =
        [("m.smt2", b"12345"), ("n.smt2.gz", &gzip(b"12345")), ("o.smt2", b"1234")];
    place.write("f/d.tar.zst", zstd(&tar(&members)));
    let options = Options { max_instance_bytes: 4, ..Options::default() };
    let seen = place.read_with(&["f"], &options);
    assert_eq!(seen.names(), ["f/b.smt2", "f/d.tar.zst!o.smt2"]);
    assert_eq!(seen.errors.len(), 4, "{:?}", seen.errors);
    for error in &seen.errors {
        assert!(matches!(error, CorpusError::TooLarge { limit: 4, .. }), "{error:?}");
    }
    check_message(
        &seen.errors[2],
        &["f/d.tar.zst!m.smt2", "larger than 4 bytes", "leave the file out"],
    );
}

#[test]
fn a_member_that_claims_an_impossible_size_takes_no_memory() {
    let place = Place::new();
    let mut archive = raw_header(b"a.smt2", tar::EntryType::Regular, 1 << 33).as_bytes().to_vec();
    archive.extend_from_slice(&[b'x'; 512]);
    place.write("a.tar", &archive);
    let options = Options { max_instance_bytes: u64::MAX, ..Options::default() };
    let seen = place.read_with(&["a.tar"], &options);
    check_message(&seen.errors[0], &["a.tar", "cut short"]);
    // With the usual limit, the member is refused first and the cut found behind it.
    assert_eq!(place.read(&["a.tar"]).errors.len(), 2);
}
