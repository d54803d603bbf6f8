//! Time of each measure on random results: `measures_speed [ENTRIES] [SOLVERS]`, by default as
//! many entries as there are published string benchmarks, and three solvers.

use std::hint::black_box;
use std::io::{self, Write as _};
use std::time::Instant;

use luthier_report::measures::{
    Bootstrap, CompetitionKind, Filter, FilterKind, NoiseBand, Resampling, Side, SortKey, Sorting,
    changes, competition, contributions, features, findings, largest_contributions, leads,
    standings,
};
use luthier_report::{View, sample};

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1).map_while(|argument| argument.parse().ok());
    let entries = arguments.next().unwrap_or(114_475);
    let solvers = arguments.next().unwrap_or(3);
    let results = sample::random_results(entries, solvers, 1);
    let view = View::all(&results);
    let mut output = io::stdout().lock();
    writeln!(output, "{entries} entries, {solvers} solvers; the shortest of five, in ms")?;
    let side = |solver| Side { solver, campaign: None };
    let filter = |kind| Filter { kind, ..Filter::default() };
    let text = Filter { text: Some("9999".to_owned()), ..Filter::default() };
    let bootstrap = Bootstrap::default();
    let measures: [(&str, &dyn Fn() -> usize); 15] = [
        ("standings", &|| standings(&view).len()),
        ("competition", &|| competition(&view).tables.len()),
        ("contributions", &|| contributions(&view).solvers.len()),
        ("leads", &|| leads(&view, CompetitionKind::Parallel).0.len()),
        ("largest contributions", &|| {
            largest_contributions(&view, CompetitionKind::Parallel).len()
        }),
        ("noise band", &|| usize::from(NoiseBand::of(&view).ratio > 1.0)),
        ("changes", &|| changes(&view, side(0), side(1), NoiseBand::default()).list.len()),
        ("features", &|| features(&view).rows.len()),
        ("findings", &|| findings(&view, 100).list.len()),
        ("filter unique", &|| filter(FilterKind::Unique).apply(view.clone()).entries.len()),
        ("filter conflicting", &|| {
            filter(FilterKind::Conflicting).apply(view.clone()).entries.len()
        }),
        ("filter text", &|| text.apply(view.clone()).entries.len()),
        ("sort by spread", &|| {
            Sorting { key: SortKey::Spread, descending: true }.sort(&view).len()
        }),
        ("bootstrap of a solver", &|| {
            bootstrap.of_solver(&view, 0, Resampling::Instances).map_or(0, |one| one.instances)
        }),
        ("bootstrap of a difference", &|| {
            let difference = bootstrap.of_difference(&view, 0, 1, Resampling::Instances);
            difference.map_or(0, |one| one.instances)
        }),
    ];
    for (name, measure) in measures {
        let mut shortest = f64::INFINITY;
        for _ in 0..5 {
            let start = Instant::now();
            black_box(measure());
            shortest = shortest.min(start.elapsed().as_secs_f64() * 1e3);
        }
        writeln!(output, "{name:26}{shortest:8.1}")?;
    }
    Ok(())
}
