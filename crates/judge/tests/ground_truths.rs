//! The ground truth of queries and the judgement on answers.

use luthier_judge::{Claim, PriorEvidence, ground_truth, judge_answer};
use luthier_records::Verdict::{Sat, Unknown, Unsat};
use luthier_records::{Conflict, Evidence, GroundTruth, Judgement, ModelOutcome, Query, Verdict};
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
const STATUS: PriorEvidence<'_> = PriorEvidence { labels: &[], trust_status: true };

/// Neither the status nor anything else is evidence.
const NOTHING: PriorEvidence<'_> = PriorEvidence { labels: &[], trust_status: false };

/// The ground truth in a trusted set, without a vote.
fn trusting(query: &Query, claims: &[Claim<'_>]) -> GroundTruth {
    ground_truth(query, STATUS, claims, false)
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
    assert_eq!(ground_truth(&labelled, NOTHING, &[], false), GroundTruth::default());
    assert_eq!(
        ground_truth(&labelled, STATUS, &[], false).verdict,
        Some((Unsat, Evidence::Status))
    );
}

#[test]
fn a_status_against_which_families_agree_decides_nothing() {
    let labelled = query(None, Some(Sat));
    let both = [says("z3", Unsat), says("cvc", Unsat)];
    let truth = trusting(&labelled, &both);
    assert_eq!(
        (truth.verdict, &truth.conflicts[..]),
        (None, &[Conflict::StatusAgainstAgreement][..])
    );
    assert_eq!(judge_answer(&truth, Unsat, true), Judgement::Disputed);
    // One voice, or one on the side of the label, is not enough to doubt it.
    for few in [&both[..1], &[both[0], both[0]], &[both[0], both[1], says("other", Sat)]] {
        let truth = trusting(&labelled, few);
        assert_eq!(truth.verdict, Some((Sat, Evidence::Status)));
        assert_eq!(judge_answer(&truth, Unsat, true), Judgement::Wrong(Evidence::Status));
    }
    // Where the status is not trusted, agreement decides, and the conflict is still listed.
    let truth = ground_truth(&labelled, NOTHING, &both, false);
    assert_eq!(truth.verdict, Some((Unsat, Evidence::Agreement)));
    assert_eq!(truth.conflicts, [Conflict::StatusAgainstAgreement]);
}

#[test]
fn a_label_decides_before_the_status_and_after_what_is_proved() {
    let label = |labels: &'static [Verdict]| PriorEvidence { labels, trust_status: true };
    let claims = [says("z3", Sat)];
    let verdict = |query: Query, expected| ground_truth(&query, expected, &claims, false);
    let truth = verdict(query(None, Some(Sat)), label(&[Unsat]));
    assert_eq!(truth.verdict, Some((Unsat, Evidence::Label)));
    assert_eq!(truth.conflicts, [Conflict::Labels]);
    assert_eq!(judge_answer(&truth, Sat, true), Judgement::Wrong(Evidence::Label));
    let truth = verdict(query(Some(Sat), None), label(&[Unsat]));
    assert_eq!(truth.verdict, Some((Sat, Evidence::Planted)));
    assert_eq!(truth.conflicts, [Conflict::PlantedAgainstLabel]);
    let proved = [with_model(says("z3", Sat), ModelOutcome::Valid)];
    let truth = ground_truth(&open(), label(&[Unsat]), &proved, false);
    assert_eq!(truth.verdict, Some((Sat, Evidence::Model)));
    assert_eq!(truth.conflicts, [Conflict::LabelAgainstModel]);
    // Two tables that differ decide nothing; the status still may. `unknown` is no label.
    let truth = verdict(query(None, Some(Sat)), label(&[Unsat, Sat]));
    assert_eq!(truth.verdict, Some((Sat, Evidence::Status)));
    assert_eq!(truth.conflicts, [Conflict::Labels]);
    assert_eq!(verdict(open(), label(&[Unknown])), GroundTruth::default());
}

#[test]
fn a_label_against_which_families_agree_decides_nothing() {
    let expected = PriorEvidence { labels: &[Sat], trust_status: true };
    let both = [says("z3", Unsat), says("cvc", Unsat)];
    let truth = ground_truth(&open(), expected, &both, false);
    assert_eq!(
        (truth.verdict, &truth.conflicts[..]),
        (None, &[Conflict::LabelAgainstAgreement][..])
    );
    assert_eq!(judge_answer(&truth, Unsat, true), Judgement::Disputed);
    let truth = ground_truth(&open(), expected, &both[..1], false);
    assert_eq!(judge_answer(&truth, Unsat, true), Judgement::Wrong(Evidence::Label));
}

#[test]
fn one_family_is_one_voice() {
    let family = [says("z3", Unsat), says("z3", Unsat), says("z3", Unsat)];
    assert_eq!(trusting(&open(), &family).verdict, None);
}

#[test]
fn a_single_contradiction_ends_agreement() {
    let claims = [says("z3", Unsat), says("cvc5", Unsat), says("z3", Sat)];
    let truth = trusting(&open(), &claims);
    assert_eq!((truth.verdict, &truth.conflicts[..]), (None, &[Conflict::Solvers][..]));
    assert_eq!(judge_answer(&truth, Sat, true), Judgement::Disputed);
    assert_eq!(judge_answer(&truth, Unsat, true), Judgement::Disputed);
    assert_eq!(judge_answer(&truth, Unknown, true), Judgement::NoClaim);
    assert_eq!(judge_answer(&truth, Sat, false), Judgement::NoClaim);
}

#[test]
fn a_sat_with_an_invalid_model_is_no_evidence_but_still_a_claim() {
    let refuted = with_model(says("z3", Sat), ModelOutcome::Invalid);
    let truth = trusting(&open(), &[refuted, says("cvc5", Sat)]);
    assert_eq!(truth.verdict, None);
    assert_eq!(judge_answer(&truth, Sat, true), Judgement::Unjudged);
    let truth = trusting(&open(), &[refuted, says("cvc5", Unsat), says("other", Unsat)]);
    assert_eq!(
        truth.verdict,
        Some((Unsat, Evidence::Agreement)),
        "a refuted answer disputes nothing"
    );
    assert!(truth.conflicts.is_empty(), "{:?}", truth.conflicts);
    assert_eq!(judge_answer(&truth, Sat, true), Judgement::Wrong(Evidence::Agreement));
    assert_eq!(judge_answer(&truth, Unsat, true), Judgement::Right(Evidence::Agreement));
    let truth = trusting(&open(), &[refuted, says("cvc5", Unsat)]);
    assert_eq!(judge_answer(&truth, Unsat, true), Judgement::Unjudged);
    // Without anything against its model, the same `sat` does dispute the others.
    let unchecked = with_model(refuted, ModelOutcome::Unsupported);
    let truth = trusting(&open(), &[unchecked, says("cvc5", Unsat), says("other", Unsat)]);
    assert_eq!((truth.verdict, &truth.conflicts[..]), (None, &[Conflict::Solvers][..]));
    let truth = trusting(&query(Some(Unsat), None), &[refuted]);
    assert_eq!(judge_answer(&truth, Sat, true), Judgement::Wrong(Evidence::Planted));
}

#[test]
fn a_model_proves_sat_whatever_the_verdict_beside_it() {
    for claim in [
        says("z3", Unknown),
        Claim { is_claim: false, ..says("z3", Sat) },
        with_model(says("z3", Sat), ModelOutcome::Completed),
    ] {
        let outcome = claim.model.unwrap_or(ModelOutcome::Valid);
        let claims = [with_model(claim, outcome), says("cvc5", Unsat), says("cvc4", Unsat)];
        let truth = trusting(&query(None, Some(Unsat)), &claims);
        assert_eq!(truth.verdict, Some((Sat, Evidence::Model)));
        assert_eq!(truth.conflicts[0], Conflict::StatusAgainstModel);
        assert_eq!(judge_answer(&truth, Unsat, true), Judgement::Wrong(Evidence::Model));
    }
    for outcome in [ModelOutcome::Incomplete, ModelOutcome::Unsupported, ModelOutcome::Invalid] {
        let truth = trusting(&open(), &[with_model(says("z3", Sat), outcome)]);
        assert_eq!(truth.verdict, None);
    }
}

#[test]
fn a_planted_unsat_with_a_model_is_for_a_person_to_look_at() {
    let claims = [with_model(says("z3", Sat), ModelOutcome::Valid), says("cvc5", Unsat)];
    let truth = ground_truth(&query(Some(Unsat), Some(Unsat)), STATUS, &claims, true);
    assert_eq!(truth.verdict, None);
    assert_eq!(truth.vote, None);
    let expected = [Conflict::PlantedAgainstModel, Conflict::StatusAgainstModel, Conflict::Solvers];
    assert_eq!(truth.conflicts, expected);
    assert_eq!(judge_answer(&truth, Sat, true), Judgement::Disputed);
    assert_eq!(judge_answer(&truth, Unsat, true), Judgement::Disputed);
}

#[test]
fn conflicts_are_listed_also_where_something_decides() {
    let claims = [says("z3", Sat), says("cvc5", Unsat)];
    let truth = ground_truth(&query(Some(Sat), Some(Unsat)), NOTHING, &claims, false);
    assert_eq!(truth.verdict, Some((Sat, Evidence::Planted)));
    assert_eq!(truth.conflicts, [Conflict::PlantedAgainstStatus, Conflict::Solvers]);
    assert_eq!(judge_answer(&truth, Sat, true), Judgement::Right(Evidence::Planted));
    assert_eq!(judge_answer(&truth, Unsat, true), Judgement::Wrong(Evidence::Planted));
}

#[test]
fn a_verdict_after_an_error_claims_nothing() {
    let confused = Claim { is_claim: false, ..says("z3", Sat) };
    let truth = trusting(&open(), &[confused, says("cvc5", Unsat), says("cvc4", Unsat)]);
    assert_eq!(truth.verdict, Some((Unsat, Evidence::Agreement)));
    assert!(truth.conflicts.is_empty());
}

#[test]
fn families_vote_only_on_request_and_if_nothing_decides() {
    let vote = |claims: &[Claim<'_>]| ground_truth(&open(), NOTHING, claims, true).vote;
    let two_to_one = [says("a", Sat), says("b", Sat), says("c", Unsat)];
    assert_eq!(vote(&two_to_one), Some(Sat));
    assert_eq!(ground_truth(&open(), NOTHING, &two_to_one, false).vote, None);
    assert_eq!(vote(&two_to_one[..2]), None, "agreement decides");
    assert_eq!(vote(&two_to_one[1..]), None, "a tie");
    assert_eq!(vote(&[says("a", Unsat)]), Some(Unsat));
    assert_eq!(vote(&[says("a", Unsat), says("a", Sat)]), None, "no family of one mind");
    assert_eq!(vote(&[says("a", Unknown)]), None);
    let refuted = with_model(says("a", Sat), ModelOutcome::Invalid);
    assert_eq!(vote(&[refuted, says("b", Unsat)]), Some(Unsat));
    let truth = ground_truth(&open(), NOTHING, &two_to_one, true);
    assert_eq!(judge_answer(&truth, Unsat, true), Judgement::Disputed);
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

/// Whether the status is trusted, and the labels of tables.
fn expectations() -> impl Strategy<Value = (bool, Vec<Verdict>)> {
    (any::<bool>(), prop::collection::vec(verdicts(), 0..3))
}

fn expected(trust_status: bool, labels: &[Verdict]) -> PriorEvidence<'_> {
    PriorEvidence { labels, trust_status }
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
            ground_truth(&query, expected(trust, &labels), &claims, vote),
            ground_truth(&query, expected(trust, &labels), &shuffled, vote)
        );
    }

    #[test]
    fn saying_the_same_twice_changes_nothing(query in queries(), claims in claims(), (trust, labels) in expectations()) {
        let twice: Vec<_> = claims.iter().chain(&claims).copied().collect();
        prop_assert_eq!(
            ground_truth(&query, expected(trust, &labels), &claims, true),
            ground_truth(&query, expected(trust, &labels), &twice, true)
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
        let truth = ground_truth(&query, expected(trust, &labels), &claims, false);
        let judgement = judge_answer(&truth, Sat, true);
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
        let truth = ground_truth(&query, expected(trust, &labels), &claims, vote);
        let judged = judge_answer(&truth, verdict, true);
        let other = judge_answer(&truth, opposite(verdict), true);
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
            (ground_truth(&query, expected(trust, &labels), &claims, true), ground_truth(&query, expected(trust, &labels), &claims, false));
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
        let before = ground_truth(&query, expected(trust, &labels), &claims, true);
        claims.push(Claim { is_claim: false, ..says("new", verdict) });
        claims.push(says("newer", Unknown));
        prop_assert_eq!(ground_truth(&query, expected(trust, &labels), &claims, true), before);
    }
}
