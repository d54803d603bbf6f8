//! Files and folders: what is read, in which order, what is skipped and why.

use crate::support;

use luthier_corpus::{Instances, Options, SkipReason, Survey, instances, survey};
use support::{Place, gzip, symlink, tar, xz, zstd};

#[test]
fn a_folder_is_read_in_the_order_of_the_paths() {
    let place = Place::new();
    for name in ["f/b.smt2", "f/a/z.smt2", "f/a/a.smt2", "f/B.smt25", "f/a.smt2", "f/c/d/e.smt"] {
        place.write(name, name);
    }
    let seen = place.read(&["f"]);
    // The folder `a` comes before the file `a.smt2`: paths are compared name by name.
    let expected = ["f/B.smt25", "f/a/a.smt2", "f/a/z.smt2", "f/a.smt2", "f/b.smt2", "f/c/d/e.smt"];
    assert_eq!(seen.names(), expected);
    assert!(seen.instances.iter().all(|(name, text)| name == text));
    assert!(seen.errors.is_empty() && seen.skipped.is_empty());
}

#[test]
fn named_paths_keep_the_order_in_which_they_are_named() {
    let place = Place::new();
    place.write("b.smt2", "b");
    place.write("a.smt2", "a");
    assert_eq!(place.read(&["b.smt2", "a.smt2", "b.smt2"]).names(), ["b.smt2", "a.smt2", "b.smt2"]);
}

#[test]
fn a_named_file_is_taken_whatever_its_ending() {
    let place = Place::new();
    place.write("Answers", "x");
    place.write(".hidden", "y");
    place.write("notes.txt.gz", gzip(b"z"));
    let seen = place.read(&["Answers", ".hidden", "notes.txt.gz"]);
    let texts: Vec<&str> = seen.instances.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, ["x", "y", "z"]);
    assert!(seen.skipped.is_empty());
}

#[test]
fn other_files_in_a_folder_are_skipped_and_named() {
    let place = Place::new();
    place.write("f/a.smt2", "a");
    place.write("f/README.md", "");
    place.write("f/old.zip", "");
    place.write("f/.git/x.smt2", "");
    place.write("f/._a.smt2", "");
    let seen = place.read(&["f"]);
    assert_eq!(seen.names(), ["f/a.smt2"]);
    let expected = [
        ("f/._a.smt2", SkipReason::Hidden),
        ("f/.git", SkipReason::Hidden),
        ("f/README.md", SkipReason::Ending),
        ("f/old.zip", SkipReason::ForeignArchive),
    ];
    assert_eq!(seen.skipped, expected.map(|(name, reason)| (name.to_owned(), reason)));
}

#[test]
fn beyond_the_limit_skipped_files_are_only_counted() {
    let place = Place::new();
    for name in ["f/1.txt", "f/2.txt", "f/3.txt"] {
        place.write(name, "");
    }
    let options = Options { skipped_names_kept: 2, ..Options::default() };
    let mut stream = instances(&[place.path("f")], &options);
    assert!(stream.next().is_none());
    assert_eq!((stream.skipped().count(), stream.skipped().files().len()), (3, 2));
}

#[test]
fn the_endings_can_be_chosen() {
    let place = Place::new();
    place.write("f/a.smt2", "");
    place.write("f/b.SL", "");
    let options = Options { endings: vec![".sl".to_owned()], ..Options::default() };
    assert_eq!(place.read_with(&["f"], &options).names(), ["f/b.SL"]);
}

#[test]
fn compressed_files_are_read_under_their_own_names() {
    let place = Place::new();
    place.write("f/a.smt2.gz", gzip(b"gzip"));
    place.write("f/b.smt2.xz", xz(b"xz"));
    place.write("f/c.smt2.zst", zstd(b"zstd"));
    place.write("f/d.txt.gz", gzip(b"not an instance"));
    let seen = place.read(&["f"]);
    let expected = [("f/a.smt2.gz", "gzip"), ("f/b.smt2.xz", "xz"), ("f/c.smt2.zst", "zstd")];
    assert_eq!(seen.instances, expected.map(|(name, text)| (name.to_owned(), text.to_owned())));
}

#[test]
fn compressed_files_of_several_streams_are_read_to_the_end() {
    let place = Place::new();
    place.write("a.smt2.gz", [gzip(b"one "), gzip(b"two")].concat());
    place.write("b.smt2.xz", [xz(b"one "), xz(b"two")].concat());
    place.write("c.smt2.zst", [zstd(b"one "), zstd(b"two")].concat());
    let seen = place.read(&["a.smt2.gz", "b.smt2.xz", "c.smt2.zst"]);
    assert_eq!(seen.instances.len(), 3, "{:?}", seen.errors);
    assert!(seen.instances.iter().all(|(_, text)| text == "one two"));
}

#[test]
fn an_empty_folder_and_no_paths_give_nothing() {
    let place = Place::new();
    std::fs::create_dir(place.path("empty")).unwrap();
    assert!(place.read(&["empty"]).instances.is_empty());
    assert!(place.read(&["empty"]).errors.is_empty());
    assert!(place.read(&[]).instances.is_empty());
}

#[test]
fn names_with_spaces_and_signs_are_kept() {
    let place = Place::new();
    place.write("f/a b!'\"\n.smt2", "");
    place.write("f/für 字.smt2", "");
    assert_eq!(place.read(&["f"]).names(), ["f/a b!'\"\n.smt2", "f/für 字.smt2"]);
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf8_are_shown_with_replacement_characters() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    std::fs::create_dir(place.path("f")).unwrap();
    let name = std::ffi::OsStr::from_bytes(b"a\xff.smt2");
    // Some file systems refuse such names; then there is nothing to test.
    if std::fs::write(place.path("f").join(name), "text").is_ok() {
        let seen = place.read(&["f"]);
        assert_eq!(seen.instances, [("f/a\u{fffd}.smt2".to_owned(), "text".to_owned())]);
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed_but_cannot_loop() {
    let place = Place::new();
    place.write("f/a.smt2", "a");
    place.write("elsewhere/b.smt2", "b");
    symlink(&place.path("f"), &place.path("f/loop"));
    symlink(&place.path("elsewhere"), &place.path("f/one"));
    symlink(&place.path("elsewhere"), &place.path("f/two"));
    symlink(&place.path("f/a.smt2"), &place.path("f/same.smt2"));
    let seen = place.read(&["f"]);
    assert_eq!(seen.names(), ["f/a.smt2", "f/one/b.smt2", "f/same.smt2"]);
    let expected =
        [("f/loop", SkipReason::FolderSeenBefore), ("f/two", SkipReason::FolderSeenBefore)];
    assert_eq!(seen.skipped, expected.map(|(name, reason)| (name.to_owned(), reason)));
}

#[cfg(unix)]
#[test]
fn sockets_in_a_folder_are_skipped() {
    let place = Place::new();
    place.write("f/a.smt2", "a");
    let _socket = std::os::unix::net::UnixListener::bind(place.path("f/s.smt2")).unwrap();
    let seen = place.read(&["f"]);
    assert_eq!(seen.names(), ["f/a.smt2"]);
    assert_eq!(seen.skipped, [("f/s.smt2".to_owned(), SkipReason::NotAFile)]);
}

#[test]
fn the_survey_counts_what_will_be_opened_and_the_stream_reaches_its_bytes() {
    let place = Place::new();
    place.write("f/a.smt2", "12345");
    let archive = tar(&[("x.smt2", b"x"), ("y.smt2", b"y")]);
    place.write("f/b.tar.zst", zstd(&archive));
    place.write("f/c.tar", &archive[..archive.len() / 2]);
    place.write("f/d.txt", "not counted");
    let paths = [place.path("f"), place.path("missing")];
    let options = Options::default();
    let found = survey(&paths, &options);
    let size = |name: &str| std::fs::metadata(place.path(name)).unwrap().len();
    let bytes = size("f/a.smt2") + size("f/b.tar.zst") + size("f/c.tar");
    assert_eq!(found, Survey { files: 1, archives: 2, bytes });

    let mut stream = instances(&paths, &options);
    assert_eq!(stream.bytes_done(), 0);
    let mut last = 0;
    while stream.next().is_some() {
        assert!(stream.bytes_done() >= last);
        last = stream.bytes_done();
    }
    assert_eq!(stream.bytes_done(), bytes);
    assert!(stream.next().is_none());
    assert_eq!(stream.bytes_done(), bytes);
}

#[test]
fn the_stream_can_be_shared_between_threads() {
    fn needs_send<T: Send>() {}
    needs_send::<Instances>();
}
