//! Runs the conformance suite on the referee: every fact of every file must be true.

use std::fs;
use std::path::{Path, PathBuf};

use luthier_judge::render_explanation;
use luthier_semantics::{Evaluator, Model};
use luthier_smtlib::source::Locator;
use luthier_smtlib::{Dialect, Mode, ReadOptions, read_script};
use luthier_terms::TermPool;

fn suite() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    let mut files = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the suite is part of the repository") {
            let path = entry.expect("the suite can be listed").path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(ending) if ending == "smt2" => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    files
}

#[test]
fn every_fact_of_the_suite_is_true_to_the_referee() {
    let mut facts = 0;
    let mut faults = Vec::new();
    let mut names = std::collections::HashMap::new();
    for file in suite() {
        let bytes = fs::read(&file).unwrap();
        let mut pool = TermPool::new();
        let options = ReadOptions { dialect: None, mode: Mode::Strict };
        let reading = read_script(&mut pool, &bytes, &options);
        assert_eq!(reading.detection.dialect, Dialect::Smt27, "{}", file.display());
        let locator = Locator::new(&bytes);
        for diagnostic in &reading.diagnostics {
            faults.push(diagnostic.render(&file.display().to_string(), &locator));
        }
        let model = Model::default();
        let queries: Vec<_> = reading.script.queries().collect();
        assert_eq!(queries.len(), 1, "{} has one check-sat", file.display());
        for active in &queries[0].assertions {
            facts += 1;
            let name = active.assertion.name.expect("every fact has a name");
            let name = pool.symbols().display(name).into_owned();
            if let Some(other) = names.insert(name.clone(), file.clone()) {
                faults.push(format!("{name} is in {} and {}", other.display(), file.display()));
            }
            let mut evaluator = Evaluator::new(&pool, &model);
            if !evaluator.evaluate(active.assertion.term).is_true() {
                let explanation = evaluator.explain(active.assertion.term);
                let trace = render_explanation(&mut pool, &explanation).join("\n  ");
                faults.push(format!("{}: {name} is not true\n  {trace}", file.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    assert!(facts >= 11_000, "only {facts} facts were found");
}
