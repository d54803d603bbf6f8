//! What is believed about queries and answers.

use luthier_judge::{Claim, Expected, believe, judge_answer};
use luthier_records::Verdict::{Sat, Unknown, Unsat};
use luthier_records::{Belief, Conflict, Evidence, Judgement, ModelOutcome, Query, Verdict};
use proptest::prelude::*;

fn says(family: &str, verdict: Verdict) -> Claim<'_> {
    Claim { family, verdict, model: None, is_claim: true }
}

fn with_model(claim: Claim<'_>, outcome: ModelOutcome) -> Claim<'_> {
    Claim { model: Some(outcome), ..claim }
}

fn query(planted: Option<Verdict>, status: Option<Verdict>) -> Query {
    Query { planted, status, planted_core: None }
}

/// The status is evidence, and there are no labels.
const STATUS: Expected<'_> = Expected { labels: &[], trust_status: true };

/// Neither the status nor anything else is evidence.
const NOTHING: Expected<'_> = Expected { labels: &[], trust_status: false };

/// Belief in a trusted set, without a vote.
fn trusting(query: &Query, claims: &[Claim<'_>]) -> Belief {
    believe(query, STATUS, claims, false)
}

fn open() -> Query {
    Query::default()
}

#[test]
fn evidence_decides_in_its_order() {
    let claims = [
        with_model(says("z3", Sat), ModelOutcome::Valid),
        says("cvc5", Sat),
        says("other", Unknown),
    ];
    let verdict = |query: Query, claims: &[Claim<'_>]| trusting(&query, claims).verdict;
    assert_eq!(verdict(query(Some(Sat), Some(Sat)), &claims), Some((Sat, Evidence::Planted)));
    assert_eq!(verdict(query(None, Some(Sat)), &claims), Some((Sat, Evidence::Model)));
    assert_eq!(verdict(query(None, Some(Sat)), &claims[1..]), Some((Sat, Evidence::Status)));
    let bare = [says("z3", Sat), says("cvc5", Sat)];
    assert_eq!(verdict(open(), &bare), Some((Sat, Evidence::Agreement)));
    assert_eq!(verdict(query(None, Some(Unknown)), &bare), Some((Sat, Evidence::Agreement)));
    assert_eq!(verdict(open(), &bare[..1]), None);
    assert_eq!(verdict(open(), &[]), None);
}

#[test]
fn a_status_is_evidence_only_where_it_is_trusted() {
    let labelled = query(None, Some(Unsat));
    assert_eq!(believe(&labelled, NOTHING, &[], false), Belief::default());
    assert_eq!(believe(&labelled, STATUS, &[], false).verdict, Some((Unsat, Evidence::Status)));
}

#[test]
fn a_status_against_which_families_agree_decides_nothing() {
    let labelled = query(None, Some(Sat));
    let both = [says("z3", Unsat), says("cvc", Unsat)];
    let belief = trusting(&labelled, &both);
    assert_eq!(
        (belief.verdict, &belief.conflicts[..]),
        (None, &[Conflict::StatusAgainstAgreement][..])
    );
    assert_eq!(judge_answer(&belief, Unsat, true), Judgement::Disputed);
    // One voice, or one on the side of the label, is not enough to doubt it.
    for few in [&both[..1], &[both[0], both[0]], &[both[0], both[1], says("other", Sat)]] {
        let belief = trusting(&labelled, few);
        assert_eq!(belief.verdict, Some((Sat, Evidence::Status)));
        assert_eq!(judge_answer(&belief, Unsat, true), Judgement::Wrong(Evidence::Status));
    }
    // Where the status is not trusted, agreement decides, and the conflict is still listed.
    let belief = believe(&labelled, NOTHING, &both, false);
    assert_eq!(belief.verdict, Some((Unsat, Evidence::Agreement)));
    assert_eq!(belief.conflicts, [Conflict::StatusAgainstAgreement]);
}

#[test]
fn a_label_decides_before_the_status_and_after_what_is_proved() {
    let label = |labels: &'static [Verdict]| Expected { labels, trust_status: true };
    let claims = [says("z3", Sat)];
    let verdict = |query: Query, expected| believe(&query, expected, &claims, false);
    let belief = verdict(query(None, Some(Sat)), label(&[Unsat]));
    assert_eq!(belief.verdict, Some((Unsat, Evidence::Label)));
    assert_eq!(belief.conflicts, [Conflict::Labels]);
    assert_eq!(judge_answer(&belief, Sat, true), Judgement::Wrong(Evidence::Label));
    let belief = verdict(query(Some(Sat), None), label(&[Unsat]));
    assert_eq!(belief.verdict, Some((Sat, Evidence::Planted)));
    assert_eq!(belief.conflicts, [Conflict::PlantedAgainstLabel]);
    let proved = [with_model(says("z3", Sat), ModelOutcome::Valid)];
    let belief = believe(&open(), label(&[Unsat]), &proved, false);
    assert_eq!(belief.verdict, Some((Sat, Evidence::Model)));
    assert_eq!(belief.conflicts, [Conflict::LabelAgainstModel]);
    // Two tables that differ decide nothing; the status still may. `unknown` is no label.
    let belief = verdict(query(None, Some(Sat)), label(&[Unsat, Sat]));
    assert_eq!(belief.verdict, Some((Sat, Evidence::Status)));
    assert_eq!(belief.conflicts, [Conflict::Labels]);
    assert_eq!(verdict(open(), label(&[Unknown])), Belief::default());
}

#[test]
fn a_label_against_which_families_agree_decides_nothing() {
    let expected = Expected { labels: &[Sat], trust_status: true };
    let both = [says("z3", Unsat), says("cvc", Unsat)];
    let belief = believe(&open(), expected, &both, false);
    assert_eq!(
        (belief.verdict, &belief.conflicts[..]),
        (None, &[Conflict::LabelAgainstAgreement][..])
    );
    assert_eq!(judge_answer(&belief, Unsat, true), Judgement::Disputed);
    let belief = believe(&open(), expected, &both[..1], false);
    assert_eq!(judge_answer(&belief, Unsat, true), Judgement::Wrong(Evidence::Label));
}

#[test]
fn one_family_is_one_voice() {
    let family = [says("z3", Unsat), says("z3", Unsat), says("z3", Unsat)];
    assert_eq!(trusting(&open(), &family).verdict, None);
}

#[test]
fn a_single_contradiction_ends_agreement() {
    let claims = [says("z3", Unsat), says("cvc5", Unsat), says("z3", Sat)];
    let belief = trusting(&open(), &claims);
    assert_eq!((belief.verdict, &belief.conflicts[..]), (None, &[Conflict::Solvers][..]));
    assert_eq!(judge_answer(&belief, Sat, true), Judgement::Disputed);
    assert_eq!(judge_answer(&belief, Unsat, true), Judgement::Disputed);
    assert_eq!(judge_answer(&belief, Unknown, true), Judgement::NoClaim);
    assert_eq!(judge_answer(&belief, Sat, false), Judgement::NoClaim);
}

#[test]
fn a_sat_with_an_invalid_model_is_no_evidence_but_still_a_claim() {
    let refuted = with_model(says("z3", Sat), ModelOutcome::Invalid);
    let belief = trusting(&open(), &[refuted, says("cvc5", Sat)]);
    assert_eq!(belief.verdict, None);
    assert_eq!(judge_answer(&belief, Sat, true), Judgement::Unjudged);
    let belief = trusting(&open(), &[refuted, says("cvc5", Unsat), says("other", Unsat)]);
    assert_eq!(
        belief.verdict,
        Some((Unsat, Evidence::Agreement)),
        "a refuted answer disputes nothing"
    );
    assert!(belief.conflicts.is_empty(), "{:?}", belief.conflicts);
    assert_eq!(judge_answer(&belief, Sat, true), Judgement::Wrong(Evidence::Agreement));
    assert_eq!(judge_answer(&belief, Unsat, true), Judgement::Right(Evidence::Agreement));
    let belief = trusting(&open(), &[refuted, says("cvc5", Unsat)]);
    assert_eq!(judge_answer(&belief, Unsat, true), Judgement::Unjudged);
    // Without anything against its model, the same `sat` does dispute the others.
    let unchecked = with_model(refuted, ModelOutcome::Unsupported);
    let belief = trusting(&open(), &[unchecked, says("cvc5", Unsat), says("other", Unsat)]);
    assert_eq!((belief.verdict, &belief.conflicts[..]), (None, &[Conflict::Solvers][..]));
    let belief = trusting(&query(Some(Unsat), None), &[refuted]);
    assert_eq!(judge_answer(&belief, Sat, true), Judgement::Wrong(Evidence::Planted));
}

#[test]
fn a_model_proves_sat_whatever_was_said_beside_it() {
    for claim in [
        says("z3", Unknown),
        Claim { is_claim: false, ..says("z3", Sat) },
        with_model(says("z3", Sat), ModelOutcome::Completed),
    ] {
        let outcome = claim.model.unwrap_or(ModelOutcome::Valid);
        let claims = [with_model(claim, outcome), says("cvc5", Unsat), says("cvc4", Unsat)];
        let belief = trusting(&query(None, Some(Unsat)), &claims);
        assert_eq!(belief.verdict, Some((Sat, Evidence::Model)));
        assert_eq!(belief.conflicts[0], Conflict::StatusAgainstModel);
        assert_eq!(judge_answer(&belief, Unsat, true), Judgement::Wrong(Evidence::Model));
    }
    for outcome in [ModelOutcome::Incomplete, ModelOutcome::Unsupported, ModelOutcome::Invalid] {
        let belief = trusting(&open(), &[with_model(says("z3", Sat), outcome)]);
        assert_eq!(belief.verdict, None);
    }
}

#[test]
fn a_planted_unsat_with_a_model_is_for_a_person_to_look_at() {
    let claims = [with_model(says("z3", Sat), ModelOutcome::Valid), says("cvc5", Unsat)];
    let belief = believe(&query(Some(Unsat), Some(Unsat)), STATUS, &claims, true);
    assert_eq!(belief.verdict, None);
    assert_eq!(belief.vote, None);
    let expected = [Conflict::PlantedAgainstModel, Conflict::StatusAgainstModel, Conflict::Solvers];
    assert_eq!(belief.conflicts, expected);
    assert_eq!(judge_answer(&belief, Sat, true), Judgement::Disputed);
    assert_eq!(judge_answer(&belief, Unsat, true), Judgement::Disputed);
}

#[test]
fn conflicts_are_listed_also_where_something_decides() {
    let claims = [says("z3", Sat), says("cvc5", Unsat)];
    let belief = believe(&query(Some(Sat), Some(Unsat)), NOTHING, &claims, false);
    assert_eq!(belief.verdict, Some((Sat, Evidence::Planted)));
    assert_eq!(belief.conflicts, [Conflict::PlantedAgainstStatus, Conflict::Solvers]);
    assert_eq!(judge_answer(&belief, Sat, true), Judgement::Right(Evidence::Planted));
    assert_eq!(judge_answer(&belief, Unsat, true), Judgement::Wrong(Evidence::Planted));
}

#[test]
fn a_verdict_after_an_error_claims_nothing() {
    let confused = Claim { is_claim: false, ..says("z3", Sat) };
    let belief = trusting(&open(), &[confused, says("cvc5", Unsat), says("cvc4", Unsat)]);
    assert_eq!(belief.verdict, Some((Unsat, Evidence::Agreement)));
    assert!(belief.conflicts.is_empty());
}

#[test]
fn families_vote_only_if_asked_and_if_nothing_decides() {
    let vote = |claims: &[Claim<'_>]| believe(&open(), NOTHING, claims, true).vote;
    let two_to_one = [says("a", Sat), says("b", Sat), says("c", Unsat)];
    assert_eq!(vote(&two_to_one), Some(Sat));
    assert_eq!(believe(&open(), NOTHING, &two_to_one, false).vote, None);
    assert_eq!(vote(&two_to_one[..2]), None, "agreement decides");
    assert_eq!(vote(&two_to_one[1..]), None, "a tie");
    assert_eq!(vote(&[says("a", Unsat)]), Some(Unsat));
    assert_eq!(vote(&[says("a", Unsat), says("a", Sat)]), None, "no family of one mind");
    assert_eq!(vote(&[says("a", Unknown)]), None);
    let refuted = with_model(says("a", Sat), ModelOutcome::Invalid);
    assert_eq!(vote(&[refuted, says("b", Unsat)]), Some(Unsat));
    let belief = believe(&open(), NOTHING, &two_to_one, true);
    assert_eq!(judge_answer(&belief, Unsat, true), Judgement::Disputed);
}

const FAMILIES: [&str; 3] = ["z3", "cvc", "other"];

fn verdicts() -> impl Strategy<Value = Verdict> {
    prop::sample::select(vec![Sat, Unsat, Unknown])
}

fn claims() -> impl Strategy<Value = Vec<Claim<'static>>> {
    let family = prop::sample::select(FAMILIES.to_vec());
    let model = prop::option::of(prop::sample::select(ModelOutcome::ALL.to_vec()));
    let claim = (family, verdicts(), model, any::<bool>())
        .prop_map(|(family, verdict, model, is_claim)| Claim { family, verdict, model, is_claim });
    prop::collection::vec(claim, 0..8)
}

fn queries() -> impl Strategy<Value = Query> {
    let planted = prop::option::of(prop::sample::select(vec![Sat, Unsat]));
    (planted, prop::option::of(verdicts())).prop_map(|(planted, status)| query(planted, status))
}

/// Whether the status is trusted, and what tables say.
fn expectations() -> impl Strategy<Value = (bool, Vec<Verdict>)> {
    (any::<bool>(), prop::collection::vec(verdicts(), 0..3))
}

fn expected(trust_status: bool, labels: &[Verdict]) -> Expected<'_> {
    Expected { labels, trust_status }
}

fn opposite(verdict: Verdict) -> Verdict {
    match verdict {
        Sat => Unsat,
        Unsat => Sat,
        Unknown => Unknown,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_claims_changes_nothing(
        query in queries(),
        (claims, shuffled) in claims().prop_flat_map(|all| {
            (Just(all.clone()), Just(all).prop_shuffle())
        }),
        (trust, labels) in expectations(),
        vote: bool,
    ) {
        prop_assert_eq!(
            believe(&query, expected(trust, &labels), &claims, vote),
            believe(&query, expected(trust, &labels), &shuffled, vote)
        );
    }

    #[test]
    fn saying_the_same_twice_changes_nothing(query in queries(), claims in claims(), (trust, labels) in expectations()) {
        let twice: Vec<_> = claims.iter().chain(&claims).copied().collect();
        prop_assert_eq!(
            believe(&query, expected(trust, &labels), &claims, true),
            believe(&query, expected(trust, &labels), &twice, true)
        );
    }

    #[test]
    fn with_a_valid_model_no_sat_is_wrong(
        query in queries(),
        mut claims in claims(),
        (trust, labels) in expectations(),
        claim in verdicts(),
    ) {
        claims.push(with_model(says("new", claim), ModelOutcome::Valid));
        let belief = believe(&query, expected(trust, &labels), &claims, false);
        let judgement = judge_answer(&belief, Sat, true);
        prop_assert!(!matches!(judgement, Judgement::Wrong(_)));
        if query.planted != Some(Unsat) {
            prop_assert!(matches!(judgement, Judgement::Right(_)));
        }
    }

    #[test]
    fn an_answer_and_its_opposite_are_never_both_right_or_both_wrong(
        query in queries(),
        claims in claims(),
        (trust, labels) in expectations(),
        vote: bool,
        verdict in prop::sample::select(vec![Sat, Unsat]),
    ) {
        let belief = believe(&query, expected(trust, &labels), &claims, vote);
        let judged = judge_answer(&belief, verdict, true);
        let other = judge_answer(&belief, opposite(verdict), true);
        match judged {
            Judgement::Right(evidence) => prop_assert_eq!(other, Judgement::Wrong(evidence)),
            Judgement::Wrong(evidence) => prop_assert_eq!(other, Judgement::Right(evidence)),
            open => prop_assert_eq!(other, open),
        }
    }

    #[test]
    fn a_vote_changes_no_judgement_and_needs_that_nothing_decides(
        query in queries(),
        claims in claims(),
        (trust, labels) in expectations(),
        verdict in verdicts(),
        is_claim: bool,
    ) {
        let (with, without) =
            (believe(&query, expected(trust, &labels), &claims, true), believe(&query, expected(trust, &labels), &claims, false));
        prop_assert_eq!(&with.conflicts, &without.conflicts);
        prop_assert_eq!(with.verdict, without.verdict);
        prop_assert_eq!(
            judge_answer(&with, verdict, is_claim),
            judge_answer(&without, verdict, is_claim)
        );
        prop_assert!(with.vote.is_none() || with.verdict.is_none());
        prop_assert_ne!(with.vote, Some(Unknown));
    }

    #[test]
    fn what_claims_nothing_and_has_no_model_changes_nothing(
        query in queries(),
        mut claims in claims(),
        (trust, labels) in expectations(),
        verdict in verdicts(),
    ) {
        let before = believe(&query, expected(trust, &labels), &claims, true);
        claims.push(Claim { is_claim: false, ..says("new", verdict) });
        claims.push(says("newer", Unknown));
        prop_assert_eq!(believe(&query, expected(trust, &labels), &claims, true), before);
    }
}
