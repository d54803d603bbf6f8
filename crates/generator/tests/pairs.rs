//! Pairs of operators: formulas for a pair contain it and are true, and generation fills the map.

use std::collections::BTreeSet;

use luthier_generator::coverage::{PairCoverage, covered_pairs, formula_for_pair};
use luthier_generator::random::Generator;
use luthier_generator::stream::{Settings, Source, Stream};
use luthier_generator::{Dice, Profile};
use luthier_semantics::Value;

#[test]
fn a_formula_for_a_pair_contains_it_and_is_true() {
    let map = PairCoverage::default();
    let mut dice = Dice::new(5, 0);
    let (mut made, mut met) = (0, BTreeSet::new());
    for number in 0..1_500 {
        let Some(pair) = map.target(&mut dice, &Profile::default()) else { continue };
        let mut generator = Generator::for_formula(Dice::new(6, number));
        generator.declare("x", Value::String(Default::default()));
        generator.declare("i", Value::Int(1.into()));
        let Some(formula) = formula_for_pair(&mut generator, pair) else { continue };
        assert_eq!(generator.value_of(formula), Some(Value::Bool(true)), "{pair:?}");
        made += 1;
        let pairs = covered_pairs(&generator.pool, &[formula]);
        met.extend(pairs.contains(&pair).then_some(pair));
    }
    assert!(made > 1_200 && met.len() > 500, "{made} made, {} pairs met", met.len());
}

#[test]
fn generation_fills_the_map_of_pairs() {
    let mut stream = Stream::new(Settings::new(4, vec![Source::Planted, Source::Tangled]));
    let mut after = |count: usize| {
        assert_eq!(stream.by_ref().take(count).count(), count);
        stream.pairs().covered()
    };
    let (early, late) = (after(128), after(1_000));
    assert!(early * 2 < late && late * 3 > PairCoverage::total(), "{early}, then {late}");
}
