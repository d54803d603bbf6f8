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
fn strip(pool: &luthier_terms::TermPool, s: &Script) -> Vec<CommandKind> {
    s.commands.iter().map(|c|c.kind.clone()).filter(|k| !matches!(k, CommandKind::SetInfo(a) if pool.symbols().bytes_of(a.keyword)==b":smt-lib-version")).collect()
}
fn main() {
    let mut files = vec![];
    for a in std::env::args().skip(1) {
        walk(std::path::Path::new(&a), &mut files)
    }
    let mut st: BTreeMap<(&str, String), usize> = BTreeMap::new();
    let mut bad = 0;
    for (i, f) in files.iter().enumerate() {
        if i % 7 != 0 {
            continue;
        }
        let b = std::fs::read(f).unwrap();
        let mut pool = luthier_terms::TermPool::new();
        let r = read_script(&mut pool, &b, &ReadOptions::default());
        if !r.is_accepted() {
            continue;
        }
        for d in Dialect::ALL {
            for width in [None, Some(80)] {
                if width.is_some() && d != Dialect::Smt27 {
                    continue;
                }
                match print_script(&pool, &r.script, &PrintOptions { dialect: d, width }) {
                    Err(e) => *st.entry((d.name(), format!("cannot {e}"))).or_default() += 1,
                    Ok(p) => {
                        let r2 = read_script(
                            &mut pool,
                            &p.bytes,
                            &ReadOptions { dialect: Some(d), mode: Mode::Generous },
                        );
                        let same =
                            r2.is_accepted() && strip(&pool, &r.script) == strip(&pool, &r2.script);
                        let rew = p.notes.iter().any(|n| matches!(n, Note::Rewritten(_)));
                        let key = if same {
                            "same"
                        } else if rew && r2.is_accepted() {
                            "rewritten"
                        } else {
                            "DIFFERENT"
                        };
                        *st.entry((d.name(), key.into())).or_default() += 1;
                        if key == "DIFFERENT" {
                            bad += 1;
                            if bad < 6 {
                                println!("{} {} {}", f.display(), d.name(), width.is_some());
                                let l = source::Locator::new(&p.bytes);
                                for e in r2.errors().take(2) {
                                    println!("{}", e.render("out", &l))
                                }
                            }
                        }
                        if d == Dialect::Smt27 && same {
                            let det = detect(&p.bytes);
                            if det.dialect != Dialect::Smt27 {
                                println!("detect {} {:?}", f.display(), det)
                            }
                            let r3 = read_script(
                                &mut pool,
                                &p.bytes,
                                &ReadOptions { dialect: None, mode: Mode::Strict },
                            );
                            let k = if r3.is_accepted() {
                                "strict ok".to_owned()
                            } else {
                                format!("strict {}", r3.errors().next().unwrap().code.name())
                            };
                            *st.entry((d.name(), k)).or_default() += 1;
                        }
                    }
                }
            }
        }
    }
    for (k, v) in st {
        println!("{k:?} {v}")
    }
}
