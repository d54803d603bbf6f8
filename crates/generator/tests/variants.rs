//! Variants have the answer of their script: compared by the referee on random scripts and models.

mod scripts;

use std::collections::BTreeMap;

use luthier_generator::variants::{
    FreshValue, OperatorNames, Variant, VariantKind, chain_of_text, make_variant, requested_names,
    variant, variants_of, variants_of_formula, variants_of_text, with_legacy_names,
};
use luthier_generator::{Category, Dice, Expected, Formula};
use luthier_judge::{CheckOptions, check_model, expectations};
use luthier_records::Verdict;
use luthier_semantics::{Model, Value};
use luthier_smtlib::{
    CommandKind, Dialect, PrintOptions, RoundTrip, Script, print_script, round_trip,
};
use luthier_terms::{Op, TermPool};
use scripts::{Sample, print, read, sample, some_model, value};

/// How many random scripts.
const SCRIPTS: u64 = 2_000;

/// How a variant compares with its script under some models.
#[derive(Default, Debug)]
struct Comparison {
    same: usize,
    different: usize,
    /// The referee does not decide at least one value.
    open: usize,
}

impl Comparison {
    fn add(&mut self, old: Option<bool>, new: Option<bool>) {
        match (old, new) {
            (Some(old), Some(new)) if old == new => self.same += 1,
            (Some(_), Some(_)) => self.different += 1,
            _ => self.open += 1,
        }
    }
}

/// Compares under the witness and under random models; new constants that may have any value get
/// both.
fn compare(sample: &Sample, made: &Variant, kind: VariantKind, dice: &mut Dice) -> Comparison {
    let Sample { pool, script, witness, .. } = sample;
    let mut comparison = Comparison::default();
    let constants = script.declared(pool);
    let mut models = vec![witness.clone()];
    models.extend((0..4).map(|_| some_model(pool, &constants, dice)));
    for (number, model) in models.iter().enumerate() {
        let old = value(pool, script, model);
        let Some(mut translated) = made.translate_model(pool, model) else { continue };
        for any in [false, true] {
            for &(function, fresh) in &made.fresh {
                if fresh == FreshValue::AnyBool {
                    translated.insert_value(function, Value::Bool(any));
                }
            }
            let new = value(pool, &made.script, &translated);
            // A variant that only keeps the answer has fewer models, but the witness is one.
            if kind.keeps_models() || number == 0 || new == Some(true) {
                comparison.add(old, new);
            }
        }
    }
    comparison
}

fn make(sample: &mut Sample, kind: VariantKind, dice: &mut Dice) -> Option<Variant> {
    let witness = sample.witness.clone();
    make_variant(&mut sample.pool, &sample.script, kind, dice, Some(&witness))
}

#[test]
fn variants_have_the_value_of_their_script_and_read_back_the_same() {
    let mut met: BTreeMap<VariantKind, Comparison> = BTreeMap::new();
    for number in 0..SCRIPTS {
        let mut sample = sample(number);
        let mut dice = Dice::new(1, number);
        // Half of the kinds each time, so that there are many scripts.
        for kind in
            VariantKind::ALL.into_iter().filter(|&kind| (kind as u64 + number).is_multiple_of(2))
        {
            let Some(made) = make(&mut sample, kind, &mut dice) else { continue };
            let text = print(&sample.pool, &made.script);
            assert_ne!(text, sample.text, "{kind} changes nothing");
            let comparison = compare(&sample, &made, kind, &mut dice);
            assert_eq!(comparison.different, 0, "{kind}\n{}\n{text}", sample.text);
            let options = PrintOptions::new(Dialect::Smt27);
            let again = round_trip(&mut sample.pool, &made.script, &options);
            assert_eq!(again, RoundTrip::Same, "{kind}\n{text}");
            read(&text);
            let sum = met.entry(kind).or_default();
            (sum.same, sum.open) = (sum.same + comparison.same, sum.open + comparison.open);
        }
    }
    for kind in VariantKind::ALL {
        let Comparison { same, open, .. } = met[&kind];
        assert!(same >= 1_000, "{kind}: only {same} comparisons");
        assert!(open * 20 <= same, "{kind}: {open} comparisons could not be made, {same} could");
    }
}

/// What can go wrong with an assertion.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mistake {
    Lost,
    Opposite,
}

/// In how many of 300 scripts a variant with a mistake in it differs from the script.
fn noticed(kind: VariantKind, mistake: Mistake) -> usize {
    let mut noticed = 0;
    for number in 0..300 {
        let mut sample = sample(number);
        let mut dice = Dice::new(2, number);
        let Some(mut made) = make(&mut sample, kind, &mut dice) else { continue };
        let queried = made.script.queries().next().unwrap();
        let wrong = queried.assertions[dice.below(queried.assertions.len())].number;
        let mut seen = 0;
        made.script.commands.retain_mut(|command| {
            let CommandKind::Assert(assertion) = &mut command.kind else { return true };
            seen += 1;
            if seen == wrong && mistake == Mistake::Opposite {
                assertion.term = sample.pool.op(Op::Not, &[assertion.term]).unwrap();
            }
            seen != wrong || mistake != Mistake::Lost
        });
        if made.script.queries().next().is_some() {
            noticed += usize::from(compare(&sample, &made, kind, &mut dice).different > 0);
        }
    }
    noticed
}

#[test]
fn a_variant_with_a_mistake_is_noticed() {
    for kind in VariantKind::ALL {
        let opposite = noticed(kind, Mistake::Opposite);
        assert!(opposite >= 10, "{kind}: {opposite}");
        // What says less than a witness still has that witness.
        if kind.keeps_models() {
            let lost = noticed(kind, Mistake::Lost);
            assert!(lost >= 8, "{kind}: {lost}");
        }
    }
}

#[test]
fn chains_keep_the_value_too() {
    let mut lengths = BTreeMap::<usize, usize>::new();
    let mut taken_back = 0;
    let kinds: Vec<VariantKind> =
        VariantKind::ALL.into_iter().filter(|kind| kind.keeps_models()).collect();
    for number in 0..600 {
        let mut sample = sample(number);
        let mut dice = Dice::new(3, number);
        let mut whole = Variant::default();
        whole.script = sample.script.clone();
        // The chain by hand, to know the values of the new constants.
        let mut witness = sample.witness.clone();
        let mut random = some_model(&sample.pool, &sample.script.declared(&sample.pool), &mut dice);
        let expected = value(&sample.pool, &sample.script, &random);
        for _ in 0..4 {
            let kind = dice.pick(&kinds);
            let made =
                make_variant(&mut sample.pool, &whole.script, kind, &mut dice, Some(&witness));
            let Some(made) = made else { continue };
            let translated = |model: &Model| made.translate_model(&sample.pool, model);
            let (Some(one), Some(two)) = (translated(&witness), translated(&random)) else {
                continue;
            };
            (witness, random) = (one, two);
            whole = made;
        }
        let text = print(&sample.pool, &whole.script);
        assert_ne!(value(&sample.pool, &whole.script, &witness), Some(false), "{text}");
        let now = value(&sample.pool, &whole.script, &random);
        if let (Some(expected), Some(now)) = (expected, now) {
            assert_eq!(expected, now, "{}\n{text}", sample.text);
        }
        read(&text);

        let witness = sample.witness.clone();
        let chain =
            variants_of(&mut sample.pool, &sample.script, &kinds, 3, &mut dice, Some(&witness));
        let (applied, last) = chain.unwrap();
        // Of several kinds the last may take back what the first did.
        let is_same = print(&sample.pool, &last) == sample.text;
        assert!(!is_same || applied.len() > 1, "{applied:?}\n{}", sample.text);
        taken_back += usize::from(is_same);
        *lengths.entry(applied.len()).or_default() += 1;
    }
    assert!(taken_back < 6, "{taken_back}");
    assert!(lengths[&3] > 400, "{lengths:?}");
}

#[test]
fn a_planted_witness_is_accepted_for_every_variant() {
    for number in 0..400 {
        let Sample { text, .. } = sample(number);
        let mut variants = variants_of_text(&text, &VariantKind::ALL, Dice::new(4, number));
        variants.extend(
            chain_of_text(&text, &VariantKind::ALL, 4, Dice::new(5, number))
                .map(|(kinds, text)| (kinds[0], text)),
        );
        for (kind, text) in variants {
            let (mut pool, script) = read(&text);
            let planted = expectations(&pool, &script);
            assert!(planted.problems.is_empty(), "{kind}: {:?}\n{text}", planted.problems);
            assert_eq!(planted.queries[0].planted, Some(Verdict::Sat), "{kind}\n{text}");
            // What division by zero is, a witness does not say; then it cannot say what a constant
            // is that stands for it.
            let undecided = text.contains("(div ") || text.contains("(mod ");
            let Some(witness) = &planted.witnesses[0] else {
                assert!(undecided, "{kind} lost the witness\n{text}");
                continue;
            };
            let options = CheckOptions { dialect: Some(Dialect::Smt27), ..CheckOptions::default() };
            let check = check_model(&mut pool, &script, witness.as_bytes(), &options).unwrap();
            let name = check.outcome.name();
            assert!(name == "valid" || undecided && name == "incomplete", "{kind}: {name}\n{text}");
        }
    }
}

#[test]
fn variants_of_a_text_do_not_depend_on_each_other() {
    let Sample { text, .. } = sample(5);
    let all = variants_of_text(&text, &VariantKind::ALL, Dice::new(6, 0));
    assert!(all.len() > 10, "{}", all.len());
    assert_eq!(all, variants_of_text(&text, &VariantKind::ALL, Dice::new(6, 0)));
    for (kind, variant) in all {
        assert_eq!(variants_of_text(&text, &[kind], Dice::new(6, 0)), [(kind, variant)]);
    }
    assert!(variants_of_text("(assert", &VariantKind::ALL, Dice::new(6, 0)).is_empty());
}

/// x is longer than itself; the third assertion has nothing to do with it.
const UNSAT: &str = "(set-logic QF_SLIA)\n(set-info :luthier-expected unsat)\n\
    (set-info :luthier-core \"a |b c|\")\n(declare-const x String)\n(declare-const y String)\n\
    (assert (! (= (str.len x) (+ 1 (str.len y))) :named a))\n\
    (assert (! (and (= x y) (or (= x y) (str.in_re x (re.union re.all (str.to_re \"ab\"))))) \
    :named |b c|))\n\
    (assert (! (=> (= y \"a\") (= x (ite (= y \"b\") \"a\" y))) :named c))\n(check-sat)\n";

#[test]
fn a_planted_core_stays_where_it_is_still_the_only_one() {
    let variants = variants_of_text(UNSAT, &VariantKind::ALL, Dice::new(7, 0));
    let kinds: Vec<VariantKind> = variants.iter().map(|(kind, _)| *kind).collect();
    // There is no witness, and assertions with names are neither joined nor split.
    let without = [VariantKind::WitnessAdded, VariantKind::Joined, VariantKind::Split];
    let expected: Vec<VariantKind> =
        VariantKind::ALL.into_iter().filter(|kind| !without.contains(kind)).collect();
    assert_eq!(kinds, expected);
    for (kind, text) in variants {
        let (pool, script) = read(&text);
        let planted = expectations(&pool, &script);
        assert!(planted.problems.is_empty(), "{kind}: {:?}", planted.problems);
        assert_eq!(planted.queries[0].planted, Some(Verdict::Unsat), "{kind}");
        let core = planted.queries[0].planted_core.as_ref();
        let lost = matches!(kind, VariantKind::Assuming | VariantKind::Abbreviated);
        assert_eq!(core.is_none(), lost, "{kind}\n{text}");
    }
}

#[test]
fn variants_of_formulas_expect_what_is_right_for_them() {
    let formula = |expected, text: &str| Formula {
        name: "f".into(),
        category: Category::Planted,
        operation: "str.len",
        expected,
        derivation: "by hand".into(),
        text: text.into(),
    };
    let unsat = formula(Expected::Unsat(vec!["a".into(), "|b c|".into()]), UNSAT);
    for (kind, variant) in variants_of_formula(&unsat, &VariantKind::ALL, Dice::new(7, 0)) {
        assert_eq!(variant.name, format!("f-{kind}"));
        assert_eq!(variant.derivation, format!("metamorphic variant ({kind}) of: by hand"));
        let lost = matches!(kind, VariantKind::Assuming | VariantKind::Abbreviated);
        let expected = if lost { Expected::Unsat(Vec::new()) } else { unsat.expected.clone() };
        assert_eq!(variant.expected, expected, "{kind}");
    }
    let values = vec![("x".into(), "String", "\"ab\"".into())];
    let sat = formula(
        Expected::Sat(values.clone()),
        "(set-info :luthier-expected sat)\
        (set-info :luthier-witness \"((define-fun x () String \"\"ab\"\"))\")\
        (declare-const x String)(assert (= (str.len x) 2))(check-sat)",
    );
    let variants = variants_of_formula(&sat, &VariantKind::ALL, Dice::new(7, 0));
    assert!(variants.len() > 8, "{}", variants.len());
    for (kind, variant) in variants {
        let Expected::Sat(now) = &variant.expected else { unreachable!("{kind}") };
        match kind {
            VariantKind::Renamed => {
                assert_ne!(now[0].0, "x");
                assert_eq!((now.len(), &now[0].2), (1, &values[0].2));
            }
            // The constants keep their values, and the text has that of the new symbol.
            VariantKind::Applied | VariantKind::Selected => {
                assert_eq!(*now, values, "{kind}");
                let symbol = if kind == VariantKind::Applied { "(f " } else { "(select " };
                assert!(variant.text.contains(symbol), "{kind}: {}", variant.text);
            }
            VariantKind::Assuming | VariantKind::IteWrapped | VariantKind::Abbreviated => {
                assert_eq!(now.len(), 2, "{kind}");
                assert!(now.contains(&values[0]), "{kind}");
            }
            _ => assert_eq!(*now, values, "{kind}"),
        }
    }
}

/// The variant of a text by a kind.
fn one(text: &str, kind: VariantKind) -> Option<String> {
    variants_of_text(text, &[kind], Dice::new(8, 0)).pop().map(|(_, text)| text)
}

#[test]
fn scripts_with_no_query_or_several_have_no_variants() {
    let text = "(declare-const x String)(assert (= x \"ab\"))(check-sat)";
    assert!(one(text, VariantKind::Renamed).is_some());
    for other in [
        "(declare-const x String)(assert (= x \"ab\"))(check-sat)(check-sat)",
        "(declare-const x String)(assert (= x \"ab\"))(reset-assertions)(check-sat)",
        "(declare-const x String)(check-sat)",
        "(declare-const x String)(assert (! (= x (! \"ab\" :named n)) :named m))(check-sat)",
    ] {
        assert_eq!(one(other, VariantKind::Renamed), None, "{other}");
    }
}

#[test]
fn functions_definitions_quantifiers_and_patterns_are_renamed_alike() {
    let text = "(declare-fun f (String) Int)(declare-const x String)\
        (define-fun g ((s String)) Int (+ (f s) (f x)))\
        (assert (forall ((s String)) (! (< (f s) (g x)) :pattern ((f s)))))(check-sat)";
    let variant = one(text, VariantKind::Renamed).unwrap();
    let (mut pool, script) = read(&variant);
    assert_eq!(round_trip(&mut pool, &script, &PrintOptions::new(Dialect::Smt27)), RoundTrip::Same);
    let names: Vec<String> = script
        .declared(&pool)
        .into_iter()
        .map(|function| pool.function_name(function).into_owned())
        .collect();
    assert!(names.iter().all(|name| name != "f" && name != "x"), "{variant}");
    assert!(!variant.contains("(f s)"), "{variant}");
    // Recursive definitions are left alone.
    let recursive = "(declare-const x String)(define-fun-rec h ((n Int)) Int (h (- n 1)))\
        (assert (= (h 0) (str.len x)))(check-sat)";
    assert_eq!(one(recursive, VariantKind::Renamed), None);
    assert!(one(recursive, VariantKind::DoubleNegation).is_some());
}

#[test]
fn kinds_that_find_nothing_to_change_make_no_variant() {
    let text = "(declare-const b Bool)(assert b)(check-sat)";
    for kind in [
        VariantKind::LegacyNames,
        VariantKind::Commuted,
        VariantKind::IteLifted,
        VariantKind::DeMorgan,
        VariantKind::Implications,
        VariantKind::Flipped,
        VariantKind::Complemented,
        VariantKind::LiteralsSplit,
        VariantKind::EscapeLookAlikes,
        VariantKind::Defined,
        VariantKind::Abbreviated,
        VariantKind::Lets,
        VariantKind::Joined,
        VariantKind::Split,
        VariantKind::WitnessAdded,
    ] {
        assert_eq!(one(text, kind), None, "{kind}");
    }
    // Indices are no literals that could be split.
    let looped = "(declare-const x String)\
        (assert (str.in_re x ((_ re.loop 1 3) re.allchar)))(check-sat)";
    assert_eq!(one(looped, VariantKind::LiteralsSplit), None);
}

#[test]
fn an_invalid_witness_is_not_added() {
    let (mut pool, script) = read("(declare-const x String)(assert (= x \"a\"))(check-sat)");
    let function = script.declared(&pool)[0];
    for (text, fits) in [("a", true), ("b", false)] {
        let mut model = Model::new();
        let text = luthier_terms::SmtString::from_text(text).unwrap();
        model.insert_value(function, Value::String(text));
        let mut dice = Dice::new(9, 0);
        let made = variant(&mut pool, &script, VariantKind::WitnessAdded, &mut dice, Some(&model));
        assert_eq!(made.is_some(), fits);
    }
}

fn in_dialect(pool: &TermPool, script: &Script, dialect: Dialect) -> String {
    let printed = print_script(pool, script, &PrintOptions::new(dialect)).unwrap();
    String::from_utf8(with_legacy_names(&printed.bytes, dialect)).unwrap()
}

#[test]
fn legacy_names_are_a_hint_and_only_where_the_solver_reads_them() {
    let text = "(set-logic QF_SLIA)\n(declare-const x String)\n\
        (assert (str.in_re x (re.++ (str.to_re \"str.len\") (re.comp re.none))))\n\
        (assert (= (str.to_int (str.++ x \"1\")) (str.len x)))\n(check-sat)\n";
    let variant = one(text, VariantKind::LegacyNames).unwrap();
    let (pool, script) = read(&variant);
    assert_eq!(requested_names(&pool, &script), OperatorNames::Legacy);
    assert_eq!(requested_names(&pool, &read(text).1), OperatorNames::Standard);
    assert_eq!(one(&variant, VariantKind::LegacyNames), None);

    let z3 = in_dialect(&pool, &script, Dialect::Z3);
    let old = "(str.in.re x (re.++ (str.to.re \"str.len\") (re.complement re.nostr)))";
    assert!(z3.contains(old) && z3.contains("(str.to.int (seq.++ x \"1\")) (seq.len x)"), "{z3}");
    let cvc5 = in_dialect(&pool, &script, Dialect::Cvc5);
    assert!(cvc5.contains("(str.in_re x (re.++ (str.to_re \"str.len\")"), "{cvc5}");
    assert!(cvc5.contains("(str.to_int (seq.++ x \"1\")) (seq.len x)"), "{cvc5}");
    for dialect in [Dialect::Cvc4V18, Dialect::Smt27] {
        let same = print_script(&pool, &script, &PrintOptions::new(dialect)).unwrap().bytes;
        assert_eq!(with_legacy_names(&same, dialect), same);
    }
    // A script may have a constant of that name.
    let own = "(declare-const |seq.len| Int)(assert (= |seq.len| (str.len \"a\")))(check-sat)";
    assert_eq!(with_legacy_names(own.as_bytes(), Dialect::Z3), own.as_bytes());
}
