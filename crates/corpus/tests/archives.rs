//! Whole archives of every format: the same members, in the order of the archive.

use crate::support;

use luthier_corpus::{Options, SkipReason};
use support::{Place, gzip, noise, raw_header, tar, xz, zstd, zstd_with_window};
use tar::EntryType;

const MEMBERS: [(&str, &[u8]); 4] =
    [("s/b.smt2", b"second"), ("s/a.smt2", b"first"), ("s/README", b""), ("s/empty.smt2", b"")];

#[track_caller]
fn check_members(place: &Place, archive: &str) {
    let seen = place.read(&[archive]);
    assert!(seen.errors.is_empty(), "{:?}", seen.errors);
    let expected = [("s/b.smt2", "second"), ("s/a.smt2", "first"), ("s/empty.smt2", "")]
        .map(|(member, text)| (format!("{archive}!{member}"), text.to_owned()));
    assert_eq!(seen.instances, expected);
    assert_eq!(seen.skipped, [(format!("{archive}!s/README"), SkipReason::Ending)]);
}

#[test]
fn archives_of_every_format_are_read_in_their_own_order() {
    let place = Place::new();
    let plain = tar(&MEMBERS);
    place.write("p.tar", &plain);
    place.write("g.tar.gz", gzip(&plain));
    place.write("g.tgz", gzip(&plain));
    place.write("x.tar.xz", xz(&plain));
    place.write("x.txz", xz(&plain));
    place.write("z.tar.zst", zstd(&plain));
    place.write("Z.TAR.ZST", zstd(&plain));
    for archive in ["p.tar", "g.tar.gz", "g.tgz", "x.tar.xz", "x.txz", "z.tar.zst", "Z.TAR.ZST"] {
        check_members(&place, archive);
    }
}

#[test]
fn archives_of_several_compressed_streams_are_read_to_the_end() {
    let place = Place::new();
    let plain = tar(&MEMBERS);
    let (head, tail) = plain.split_at(700);
    place.write("g.tar.gz", [gzip(head), gzip(tail)].concat());
    place.write("x.tar.xz", [xz(head), xz(tail)].concat());
    place.write("z.tar.zst", [zstd(head), zstd(tail)].concat());
    for archive in ["g.tar.gz", "x.tar.xz", "z.tar.zst"] {
        check_members(&place, archive);
    }
}

#[test]
fn one_member_of_an_archive_can_be_named() {
    let place = Place::new();
    place.write("p.tar", tar(&MEMBERS));
    place.write("z!z.tar.zst", zstd(&tar(&MEMBERS)));
    for archive in ["p.tar", "z!z.tar.zst"] {
        let name = format!("{archive}!s/a.smt2");
        let seen = place.read(&[&name]);
        assert_eq!(seen.instances, [(name, "first".to_owned())]);
        assert!(seen.errors.is_empty() && seen.skipped.is_empty(), "{seen:?}");
        // What is not there, what is no instance, and what is a folder.
        for member in ["s/c.smt2", "s/README", "s", "a.smt2"] {
            let seen = place.read(&[&format!("{archive}!{member}")]);
            assert_eq!(seen.errors.len(), 1, "{seen:?}");
            let message = seen.errors[0].to_string();
            assert!(message.contains("there is no such script in"), "{message}");
        }
    }
    // A file of that name comes first.
    place.write("p.tar!s/a.smt2", "a file");
    assert_eq!(place.read(&["p.tar!s/a.smt2"]).instances[0].1, "a file");
    assert_eq!(place.read(&["q.tar!s/a.smt2"]).errors.len(), 1);
}

#[test]
fn a_window_of_128_mebibytes_is_accepted() {
    let place = Place::new();
    place.write("z.tar.zst", zstd_with_window(&tar(&MEMBERS), 27));
    check_members(&place, "z.tar.zst");
}

#[test]
fn archives_found_in_folders_are_read_at_their_place() {
    let place = Place::new();
    place.write("f/a.smt2", "");
    place.write("f/b.tar.gz", gzip(&tar(&[("m.smt2", b"")])));
    place.write("f/c.smt2", "");
    assert_eq!(place.read(&["f"]).names(), ["f/a.smt2", "f/b.tar.gz!m.smt2", "f/c.smt2"]);
}

#[test]
fn large_members_between_small_ones_keep_their_bytes() {
    let place = Place::new();
    let large = noise(1_000_001);
    place.write("a.tar.zst", zstd(&tar(&[("1.smt2", b"1"), ("2.smt2", &large), ("3.smt2", b"3")])));
    let paths = [place.path("a.tar.zst")];
    let read: Vec<Vec<u8>> = luthier_corpus::instances(&paths, &Options::default())
        .map(|item| item.unwrap().bytes)
        .collect();
    assert_eq!(read, [b"1".to_vec(), large, b"3".to_vec()]);
}

#[test]
fn compressed_members_are_decompressed_and_nested_archives_skipped() {
    let place = Place::new();
    let inner = tar(&[("x.smt2", b"")]);
    let members: [(&str, &[u8]); 4] = [
        ("a.smt2.gz", &gzip(b"gzip")),
        ("b.smt2.zst", &zstd(b"zstd")),
        ("inner.tar", &inner),
        ("c.smt2", b"plain"),
    ];
    place.write("a.tar", tar(&members));
    let seen = place.read(&["a.tar"]);
    assert!(seen.errors.is_empty(), "{:?}", seen.errors);
    let texts: Vec<&str> = seen.instances.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, ["gzip", "zstd", "plain"]);
    assert_eq!(seen.skipped, [("a.tar!inner.tar".to_owned(), SkipReason::NestedArchive)]);
}

#[test]
fn names_lose_a_leading_dot_and_slash_and_hidden_members_are_skipped() {
    let place = Place::new();
    let mut archive = tar::Builder::new(Vec::new());
    for name in ["./a.smt2", "./d/._a.smt2", ".git/b.smt2"] {
        archive.append(&raw_header(name.as_bytes(), EntryType::Regular, 0), &[][..]).unwrap();
    }
    place.write("a.tar", archive.into_inner().unwrap());
    let seen = place.read(&["a.tar"]);
    assert_eq!(seen.names(), ["a.tar!a.smt2"]);
    let expected = ["a.tar!d/._a.smt2", "a.tar!.git/b.smt2"];
    assert_eq!(seen.skipped, expected.map(|name| (name.to_owned(), SkipReason::Hidden)));
}

#[test]
fn directories_are_ignored_and_links_skipped() {
    let place = Place::new();
    let mut archive = tar::Builder::new(Vec::new());
    for (name, entry_type) in [
        ("d/", EntryType::Directory),
        ("old.smt2/", EntryType::Regular),
        ("link.smt2", EntryType::Symlink),
        ("hard.smt2", EntryType::Link),
        ("a.smt2", EntryType::Regular),
    ] {
        archive.append(&raw_header(name.as_bytes(), entry_type, 0), &[][..]).unwrap();
    }
    place.write("a.tar", archive.into_inner().unwrap());
    let seen = place.read(&["a.tar"]);
    assert_eq!(seen.names(), ["a.tar!a.smt2"]);
    let expected = ["a.tar!link.smt2", "a.tar!hard.smt2"];
    assert_eq!(seen.skipped, expected.map(|name| (name.to_owned(), SkipReason::NotAFile)));
}

#[test]
fn long_and_odd_member_names_are_read() {
    let place = Place::new();
    let long = format!("{}/x.smt2", "folder".repeat(60));
    let mut archive = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(4);
    archive.append_data(&mut header, &long, &b"long"[..]).unwrap();
    archive.append(&raw_header(b"a\xff b.smt2", EntryType::Regular, 3), &b"odd"[..]).unwrap();
    place.write("a.tar.xz", xz(&archive.into_inner().unwrap()));
    let seen = place.read(&["a.tar.xz"]);
    let expected =
        [(format!("a.tar.xz!{long}"), "long"), ("a.tar.xz!a\u{fffd} b.smt2".to_owned(), "odd")];
    assert_eq!(seen.instances, expected.map(|(name, text)| (name, text.to_owned())));
}

#[test]
fn an_archive_without_members_gives_nothing() {
    let place = Place::new();
    place.write("a.tar.gz", gzip(&tar(&[])));
    let seen = place.read(&["a.tar.gz"]);
    assert!(seen.instances.is_empty() && seen.errors.is_empty());
}
