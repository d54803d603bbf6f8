//! The table of class derivation: parsed output and ending, and the class that follows.

use Verdict::{Sat, Unknown, Unsat};
use luthier_records::{Answer, Class, Clock, Ending, ParsedOutput, Text, Verdict};

fn nothing() -> ParsedOutput {
    ParsedOutput::default()
}

fn says(verdicts: &[Verdict]) -> ParsedOutput {
    let answers = verdicts.iter().map(|verdict| Answer::bare(*verdict)).collect();
    ParsedOutput { answers, ..ParsedOutput::default() }
}

fn error(message: &str) -> ParsedOutput {
    ParsedOutput { errors: vec![Text::from(message)], ..ParsedOutput::default() }
}

/// The given query has an error before its verdict.
fn with_error_before(mut said: ParsedOutput, query: usize) -> ParsedOutput {
    said.answers[query].errors_before.push(Text::from("unknown function"));
    said
}

fn with_error_after(mut said: ParsedOutput, query: usize) -> ParsedOutput {
    said.answers[query].errors_after.push(Text::from("model is not available"));
    said
}

#[track_caller]
fn check(said: &ParsedOutput, ending: Ending, expected: Class) {
    let queries = said.answers.len();
    assert_eq!(Class::of(said, queries, &ending), expected, "{said:?} {ending:?}");
}

#[test]
fn verdicts_with_a_good_ending_are_themselves() {
    check(&says(&[Sat]), Ending::Exited(0), Class::Sat);
    check(&says(&[Unsat]), Ending::Exited(0), Class::Unsat);
    check(&says(&[Unknown]), Ending::Exited(0), Class::Unknown);
}

#[test]
fn exit_codes_do_not_touch_a_verdict() {
    check(&says(&[Sat]), Ending::Exited(10), Class::Sat);
    check(&says(&[Unsat]), Ending::Exited(20), Class::Unsat);
    check(&with_error_after(says(&[Unsat]), 0), Ending::Exited(1), Class::Unsat);
}

#[test]
fn a_crash_after_an_answer_is_a_crash_and_the_answer_stays_recorded() {
    let said = says(&[Sat]);
    check(&said, Ending::Signalled(11), Class::Crash);
    check(&said, Ending::Exited(139), Class::Crash);
    assert_eq!(said.verdicts(), [Sat]);
}

#[test]
fn a_limit_after_an_answer_is_the_limit() {
    check(&says(&[Sat]), Ending::TimedOut(Clock::Cpu), Class::Timeout);
    check(&says(&[Unsat]), Ending::TimedOut(Clock::Wall), Class::Timeout);
    check(&says(&[Unsat]), Ending::OutOfMemory, Class::Memout);
    check(&says(&[Sat]), Ending::OutputLimit, Class::Malformed);
}

#[test]
fn an_error_before_the_answer_is_unsupported() {
    check(&with_error_before(says(&[Sat]), 0), Ending::Exited(1), Class::Unsupported);
    check(&error("unknown constant x"), Ending::Exited(1), Class::Unsupported);
    check(&error("unknown constant x"), Ending::Exited(0), Class::Unsupported);
}

#[test]
fn limits_and_crashes_go_before_errors() {
    check(&error("x"), Ending::TimedOut(Clock::Cpu), Class::Timeout);
    check(&error("x"), Ending::Signalled(6), Class::Crash);
}

#[test]
fn the_solver_may_speak_of_its_own_limits() {
    check(&error("out of memory"), Ending::Exited(101), Class::Memout);
    let said = ParsedOutput { timeout: true, ..ParsedOutput::default() };
    check(&said, Ending::Exited(0), Class::Timeout);
    let said = ParsedOutput { unsupported: true, ..ParsedOutput::default() };
    check(&said, Ending::Exited(0), Class::Unsupported);
    let said = ParsedOutput { unsupported: true, ..says(&[Sat]) };
    check(&said, Ending::Exited(0), Class::Sat);
}

#[test]
fn silence_is_malformed_or_a_crash_by_its_exit_code() {
    check(&nothing(), Ending::Exited(0), Class::Malformed);
    check(&nothing(), Ending::Exited(1), Class::Crash);
    check(&nothing(), Ending::Signalled(11), Class::Crash);
    check(&nothing(), Ending::TimedOut(Clock::Cpu), Class::Timeout);
    check(&nothing(), Ending::OutOfMemory, Class::Memout);
    check(&nothing(), Ending::OutputLimit, Class::Malformed);
}

#[test]
fn faults_of_ours_are_never_attributed_to_the_solver() {
    for ending in [
        Ending::NotStarted("no such file".to_owned()),
        Ending::Lost("supervisor died".to_owned()),
        Ending::Signalled(9),
    ] {
        check(&nothing(), ending.clone(), Class::FrameworkError);
        check(&says(&[Sat]), ending, Class::FrameworkError);
    }
}

#[test]
fn in_several_queries_only_the_last_is_touched_by_the_ending() {
    let said = says(&[Sat, Unsat]);
    let crash = Ending::Signalled(11);
    assert_eq!(Class::of_query(&said, 0, &crash), Class::Sat);
    assert_eq!(Class::of_query(&said, 1, &crash), Class::Crash);
    assert_eq!(Class::of_query(&said, 2, &crash), Class::Crash);
    check(&said, crash, Class::Crash);
}

#[test]
fn an_unread_assertion_is_missing_in_later_queries_too() {
    let said = with_error_before(says(&[Sat, Unsat, Sat]), 1);
    let good = Ending::Exited(1);
    let classes = [0, 1, 2].map(|query| Class::of_query(&said, query, &good));
    assert_eq!(classes, [Class::Sat, Class::Unsupported, Class::Unsupported]);
}

#[test]
fn several_queries_have_the_class_of_the_one_that_gave_least() {
    check(&says(&[Sat, Unknown, Unsat]), Ending::Exited(0), Class::Unknown);
    check(&says(&[Sat, Unsat]), Ending::Exited(0), Class::Unsat);
    check(&says(&[Unsat, Sat]), Ending::Exited(0), Class::Sat);
}

#[test]
fn names_are_distinct() {
    let mut names = Class::ALL.map(Class::name).to_vec();
    names.dedup();
    assert_eq!(names.len(), 9);
    assert!(Class::ALL.is_sorted());
}

#[test]
fn answers_that_are_missing_or_too_many_are_seen() {
    let exited = Ending::Exited(0);
    assert_eq!(Class::of(&says(&[Sat]), 2, &exited), Class::Malformed);
    assert_eq!(Class::of(&says(&[Sat, Unsat]), 1, &exited), Class::Malformed);
    assert_eq!(Class::of(&says(&[Sat]), 2, &Ending::TimedOut(Clock::Cpu)), Class::Timeout);
    assert_eq!(Class::of(&says(&[Sat]), 0, &exited), Class::Sat);
}

#[test]
fn what_the_language_of_a_solver_cannot_express_is_unsupported() {
    let ending = Ending::Inexpressible("str.replace_re".to_owned());
    check(&nothing(), ending, Class::Unsupported);
}
