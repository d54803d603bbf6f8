//! The codes of diagnostics in words, for `luthier lint --codes`.

use luthier_smtlib::Code;

/// What a code means, in one line.
pub fn describe(code: Code) -> &'static str {
    match code {
        Code::UnterminatedString => "a string literal has no end",
        Code::UnterminatedSymbol => "a quoted symbol has no end",
        Code::UnterminatedCommand => "the text ends inside a command",
        Code::IllegalByte => "a byte may not stand where it stands",
        Code::UnexpectedToken => "a token may not stand where it stands",
        Code::TooLong => "the text is longer than can be addressed",
        Code::TooManyErrors => "there are more errors than are worth listing",
        Code::UnknownCommand => "there is no such command",
        Code::UnknownSymbol => "nothing declares this name",
        Code::UnknownSort => "nothing declares this sort",
        Code::Redeclared => "a name is declared twice",
        Code::Arity => "too few or too many arguments",
        Code::Sort => "an argument has the wrong sort",
        Code::NotAFormula => "a term of another sort stands where a formula must",
        Code::NotAFunction => "a constant or variable is applied to arguments",
        Code::Index => "an indexed identifier has the wrong indices",
        Code::PopWithoutPush => "more levels are popped than were pushed",
        Code::PoolFull => "more terms than can be counted",
        Code::TooLarge => "an integer in a model has more digits than the limit allows",
        Code::Contradiction => "a model gives a name or a term two different values",
        Code::NonstandardOperator => "an operator of one solver that the standard has not",
        Code::UnsupportedSort => "a sort of a theory other than strings, integers and arrays",
        Code::UnsupportedLiteral => "a literal of a theory other than strings and integers",
        Code::Unsupported => "a command or term of another kind of problem",
        Code::LegacyName => "a name from before the standard theory of strings",
        Code::LegacyEscape => "an escape from before the standard theory of strings",
        Code::MissingOffset => "str.indexof without its third argument",
        Code::FewArguments => "an operator for two or more arguments has fewer",
        Code::LeadingZero => "a numeral begins with a superfluous zero",
        Code::NegativeNumeral => "a negative number is written as one token",
        Code::NonAsciiLiteral => "a string literal has a character above 127",
        Code::ControlCharacter => "a string literal has a control character",
        Code::ShadowsOperator => "a declaration hides an operator",
        Code::RepeatedDeclaration => "the same declaration stands twice",
        Code::RepeatedValue => "a model gives a name or a term the same value twice",
        Code::QuantifierInLogic => "a quantifier in a logic without quantifiers",
        Code::TextAfterExit => "commands after (exit) are never run",
        Code::EscapesDisagree => "older readers read this literal differently from each other",
        Code::MixedEscapes => "legacy and standard escapes stand in one script",
        Code::MeaningAllchar => "re.allchar meant all strings in Z3 up to 4.6.0",
        Code::MeaningReplaceEmpty => "str.replace of an empty pattern did nothing in CVC4 of 2018",
        Code::MeaningLoopBounds => "re.loop with crossed bounds meant different things",
        Code::MeaningDiffFold => "re.diff of three or more languages was folded to the right",
        Code::MeaningIndexofEmpty => "str.indexof of the empty string at the end differed",
        Code::MeaningToIntEmpty => "str.to_int of the empty string was 0 in some tools",
        Code::MeaningAlphabet => "the alphabet had 256 characters in older solvers",
    }
}

/// Whether a remark says that the script may have meant something else when it was written.
pub fn is_about_meaning(code: Code) -> bool {
    matches!(
        code,
        Code::EscapesDisagree
            | Code::MixedEscapes
            | Code::MeaningAllchar
            | Code::MeaningReplaceEmpty
            | Code::MeaningLoopBounds
            | Code::MeaningDiffFold
            | Code::MeaningIndexofEmpty
            | Code::MeaningToIntEmpty
            | Code::MeaningAlphabet
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_described_in_one_short_line_of_its_own() {
        let mut described: Vec<&str> = Code::ALL.iter().map(|&code| describe(code)).collect();
        assert!(described.iter().all(|text| (5..=72).contains(&text.len())));
        described.sort_unstable();
        described.dedup();
        assert_eq!(described.len(), Code::ALL.len());
    }

    #[test]
    fn codes_about_meaning_are_recognised_by_their_name_too() {
        for &code in Code::ALL {
            let named = code.name().starts_with("meaning-");
            assert!(!named || is_about_meaning(code), "{}", code.name());
        }
    }
}
