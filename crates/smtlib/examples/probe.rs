//! scratch
#![allow(clippy::print_stdout)]
use luthier_smtlib::*;
use std::collections::BTreeMap;
fn walk(p: &std::path::Path, out: &mut Vec<std::path::PathBuf>) {
    if p.is_dir() {
        let mut v: Vec<_> = std::fs::read_dir(p).unwrap().map(|e| e.unwrap().path()).collect();
        v.sort();
        for q in v {
            walk(&q, out)
        }
    } else {
        out.push(p.into())
    }
}
fn main() {
    let mut files = vec![];
    for a in std::env::args().skip(1) {
        walk(std::path::Path::new(&a), &mut files)
    }
    let mut causes: BTreeMap<&str, (usize, String)> = BTreeMap::new();
    let mut dialects: BTreeMap<&str, usize> = BTreeMap::new();
    let mut warn: BTreeMap<&str, (usize, String)> = BTreeMap::new();
    let (mut acc, mut rej, mut bytes) = (0, 0, 0usize);
    let mut t = std::time::Duration::ZERO;
    for f in &files {
        let b = std::fs::read(f).unwrap();
        bytes += b.len();
        let s = std::time::Instant::now();
        let mut pool = luthier_terms::TermPool::new();
        let r = read_script(&mut pool, &b, &ReadOptions::default());
        t += s.elapsed();
        *dialects.entry(r.detection.dialect.name()).or_default() += 1;
        if r.is_accepted() {
            acc += 1
        } else {
            rej += 1;
            let d = r.errors().next().unwrap();
            let e = causes.entry(d.code.name()).or_default();
            e.0 += 1;
            if e.1.len() < 1500 {
                let l = source::Locator::new(&b);
                e.1 += &d.render(&f.display().to_string(), &l);
            }
        }
        for d in &r.diagnostics {
            if d.severity == Severity::Warning {
                let e = warn.entry(d.code.name()).or_default();
                e.0 += 1;
                if e.1.is_empty() {
                    let l = source::Locator::new(&b);
                    e.1 = d.render(&f.display().to_string(), &l);
                }
            }
        }
    }
    println!(
        "{} files acc {acc} rej {rej} {bytes} bytes {:?} {:.1} MB/s",
        files.len(),
        t,
        bytes as f64 / 1e6 / t.as_secs_f64()
    );
    println!("{dialects:?}");
    for (k, v) in causes {
        println!("== {k}: {}\n{}", v.0, v.1)
    }
    for (k, v) in warn {
        println!("-- {k}: {} e.g. {}", v.0, v.1)
    }
}
