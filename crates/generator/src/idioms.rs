//! Satisfiable formulas in the idioms of programs: parsing of URLs, dates, numbers and lists,
//! sanitizers and escaping, chains of substring, search and length as symbolic execution of Python
//! gives them, prefix policies of paths, and patterns of e-mail addresses.
//!
//! The recipes are ours and need no files. Each one chooses an input as a program would get it, writes the
//! steps of the program as terms over the input, and asserts what the steps give on it (see
//! `shape.rs`). So the input is a witness, whatever the steps are.

use luthier_terms::{Op, TermId};

use crate::shape::{Recipe, Shape};
use crate::{Category, Dice, Sketch};

/// A satisfiable sketch of an idiom, in which the operator may also occur.
pub fn sketch(dice: Dice, about: Op) -> Option<Sketch> {
    const RECIPES: [(Recipe, &str); 10] = [
        (url, "parts of a URL"),
        (date, "fields of a date"),
        (sanitizer, "a sanitizer"),
        (quoting, "quotation marks in a query"),
        (stripping, "a loop that strips blanks"),
        (splitting, "a field of a separated list"),
        (policy, "a path under two policies"),
        (numbers, "numbers in a list"),
        (address, "an e-mail address"),
        (padding, "a padded number"),
    ];
    Shape::sketch(dice, &RECIPES, Category::Idiom, about)
}

impl Shape {
    fn op(&mut self, op: Op, arguments: &[TermId]) -> TermId {
        self.generator.op(op, arguments)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.generator.dice.percent(percent)
    }

    /// `(str.indexof text pattern from)`.
    fn index_of(&mut self, text: TermId, pattern: &str, from: TermId) -> TermId {
        let pattern = self.text(pattern);
        self.op(Op::StrIndexOf, &[text, pattern, from])
    }

    /// The part from an offset up to another one.
    fn between(&mut self, text: TermId, start: TermId, end: TermId) -> TermId {
        let length = self.op(Op::Sub, &[end, start]);
        self.op(Op::StrSubstr, &[text, start, length])
    }

    /// The part from an offset to the end.
    fn rest(&mut self, text: TermId, start: TermId) -> TermId {
        let length = self.op(Op::StrLen, &[text]);
        self.between(text, start, length)
    }

    fn plus(&mut self, number: TermId, more: i64) -> TermId {
        let more = self.number(more);
        self.op(Op::Add, &[number, more])
    }

    /// One or more, or any number of, characters between two.
    fn repeated_range(&mut self, low: &str, high: &str, op: Op) -> TermId {
        let (low, high) = (self.text(low), self.text(high));
        let range = self.op(Op::ReRange, &[low, high]);
        self.op(op, &[range])
    }

    fn word_language(&mut self, text: &str) -> TermId {
        let text = self.text(text);
        self.op(Op::StrToRe, &[text])
    }

    fn assert_member(&mut self, text: TermId, parts: &[TermId]) -> Option<()> {
        let language = match parts {
            [one] => *one,
            _ => self.op(Op::ReConcat, parts),
        };
        let member = self.op(Op::StrInRe, &[text, language]);
        self.assert_truth(member)
    }

    fn assert_contains(&mut self, text: TermId, part: &str) -> Option<()> {
        let part = self.text(part);
        let fact = self.op(Op::StrContains, &[text, part]);
        self.assert_truth(fact)
    }
}

/// Scheme, host, port and path of a URL.
fn url(shape: &mut Shape) -> Option<Op> {
    let dice = &mut shape.generator.dice;
    let scheme = dice.pick(&["http", "https", "ftp", "file", ""]);
    let host = dice.pick(&["a.b", "localhost", "example.org", "", "127.0.0.1"]);
    let port = dice.pick(&["", ":80", ":8080", ":", ":0443"]);
    let path = dice.pick(&["/", "", "/a/b", "/index.html?q=1", "//"]);
    let u = shape.declare_text("url", &format!("{scheme}://{host}{port}{path}"));
    let zero = shape.number(0);
    let mark = shape.index_of(u, "://", zero);
    let found = shape.between(u, zero, mark);
    shape.assert_value(found)?;
    let after = shape.plus(mark, 3);
    let slash = shape.index_of(u, "/", after);
    let authority = shape.between(u, after, slash);
    if shape.chance(70) {
        shape.assert_value(authority)?;
    }
    if shape.chance(50) {
        let colon = shape.index_of(authority, ":", zero);
        let from = shape.plus(colon, 1);
        let digits = shape.rest(authority, from);
        let number = shape.op(Op::StrToInt, &[digits]);
        shape.assert_value(number)?;
    }
    if shape.chance(50) {
        let rest = shape.rest(u, slash);
        shape.assert_value(rest)?;
    }
    if shape.chance(40) {
        let letters = shape.repeated_range("a", "z", Op::RePlus);
        let mark = shape.word_language("://");
        let all = shape.op(Op::ReAll, &[]);
        shape.assert_member(u, &[letters, mark, all])?;
    }
    Some(Op::StrIndexOf)
}

/// `2024-02-29`: fields as numbers, in their bounds.
fn date(shape: &mut Shape) -> Option<Op> {
    let dice = &mut shape.generator.dice;
    let year = dice.pick(&["2024", "1999", "0000", "24"]);
    let month = dice.pick(&["02", "12", "1", "00"]);
    let day = dice.pick(&["29", "31", "01", "7"]);
    let separator = dice.pick(&["-", "-", "/", "."]);
    let d = shape.declare_text("date", &format!("{year}{separator}{month}{separator}{day}"));
    let zero = shape.number(0);
    let first = shape.index_of(d, separator, zero);
    let after = shape.plus(first, 1);
    let second = shape.index_of(d, separator, after);
    let last = shape.plus(second, 1);
    let fields =
        [shape.between(d, zero, first), shape.between(d, after, second), shape.rest(d, last)];
    let bounds = [(0, 9999), (1, 12), (1, 31)];
    for (field, (low, high)) in fields.into_iter().zip(bounds) {
        let number = shape.op(Op::StrToInt, &[field]);
        if shape.chance(60) {
            let (low, high) = (shape.number(low), shape.number(high));
            let fact = shape.op(Op::Le, &[low, number, high]);
            shape.assert_truth(fact)?;
        } else {
            shape.assert_value(number)?;
        }
    }
    if shape.chance(50) {
        let digits = shape.repeated_range("0", "9", Op::RePlus);
        let separator = shape.word_language(separator);
        shape.assert_member(d, &[digits, separator, digits, separator, digits])?;
    }
    if shape.chance(40) {
        let length = shape.op(Op::StrLen, &[d]);
        shape.assert_value(length)?;
    }
    Some(Op::StrToInt)
}

/// Angle brackets and ampersands are replaced; what is left in the output?
fn sanitizer(shape: &mut Shape) -> Option<Op> {
    let dice = &mut shape.generator.dice;
    let input = dice.pick(&["<b>", "a<b", "&lt;", "<<", "", "x", "<script>", "a&b"]);
    let all = dice.pick(&[Op::StrReplaceAll, Op::StrReplaceAll, Op::StrReplace]);
    let mut rows = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")];
    if dice.percent(40) {
        rows.reverse();
    }
    let count = dice.pick(&[1, 2, 3]);
    let x = shape.declare_text("input", input);
    let mut output = x;
    for (from, to) in &rows[..count] {
        let (from, to) = (shape.text(from), shape.text(to));
        output = shape.op(all, &[output, from, to]);
    }
    if shape.chance(50) {
        let value = shape.generator.value_of(output)?;
        let y = shape.generator.declare("output", value);
        let equation = shape.op(Op::Eq, &[y, output]);
        shape.assert_truth(equation)?;
        output = y;
    }
    for part in ["<", "&lt;", "&amp;lt;"] {
        if shape.chance(60) {
            shape.assert_contains(output, part)?;
        }
    }
    let length = shape.op(Op::StrLen, &[output]);
    shape.assert_value(length)?;
    Some(all)
}

/// A value with doubled quotation marks in the text of a query.
fn quoting(shape: &mut Shape) -> Option<Op> {
    let dice = &mut shape.generator.dice;
    let input = dice.pick(&["", "a", "o'k", "'", "''", "' OR '1'='1", "\\'"]);
    let escaped = dice.pick(&["''", "\\'", ""]);
    let x = shape.declare_text("user", input);
    let (mark, by) = (shape.text("'"), shape.text(escaped));
    let safe = shape.op(Op::StrReplaceAll, &[x, mark, by]);
    let head = shape.text("name = '");
    let query = shape.op(Op::StrConcat, &[head, safe, mark]);
    if shape.chance(60) {
        let value = shape.generator.value_of(query)?;
        let q = shape.generator.declare("query", value);
        let equation = shape.op(Op::Eq, &[q, query]);
        shape.assert_truth(equation)?;
        shape.assert_contains(q, "' OR ")?;
    } else {
        shape.assert_contains(query, "' OR ")?;
    }
    let length = shape.op(Op::StrLen, &[query]);
    shape.assert_value(length)?;
    if shape.chance(50) {
        let any = shape.op(Op::ReAll, &[]);
        let mark = shape.word_language("'");
        shape.assert_member(safe, &[any, mark, any])?;
    }
    Some(Op::StrReplaceAll)
}

/// While the first character is a blank, it is cut off: a path of a symbolic execution.
fn stripping(shape: &mut Shape) -> Option<Op> {
    let dice = &mut shape.generator.dice;
    let blanks = dice.below(4);
    let word = dice.pick(&["", "a", "ab:c", "-1", "0"]);
    let s = shape.declare_text("s", &format!("{}{word}", " ".repeat(blanks)));
    let (zero, one, blank) = (shape.number(0), shape.number(1), shape.text(" "));
    let mut rest = s;
    for _ in 0..=blanks {
        let length = shape.op(Op::StrLen, &[rest]);
        let more = shape.op(Op::Lt, &[zero, length]);
        shape.assert_truth(more)?;
        let first = shape.op(Op::StrAt, &[rest, zero]);
        let test = shape.op(Op::Eq, &[first, blank]);
        shape.assert_truth(test)?;
        let tail = shape.op(Op::Sub, &[length, one]);
        let cut = shape.op(Op::StrSubstr, &[rest, one, tail]);
        rest = if shape.chance(50) { shape.op(Op::Ite, &[test, cut, rest]) } else { cut };
    }
    shape.assert_value(rest)?;
    Some(Op::StrSubstr)
}

/// `key=value&key=value`: the value of a key.
fn splitting(shape: &mut Shape) -> Option<Op> {
    let dice = &mut shape.generator.dice;
    let (outer, inner) = dice.pick(&[("&", "="), (";", ":"), (",", "=")]);
    let values = ["", "1", "a", "a=b", "00"];
    let (one, two) = (dice.pick(&values), dice.pick(&values));
    let keys = dice.pick(&[["a", "b"], ["k", "k"], ["id", "i"]]);
    let text = format!("{}{inner}{one}{outer}{}{inner}{two}", keys[0], keys[1]);
    let s = shape.declare_text("s", &text);
    let zero = shape.number(0);
    let key = format!("{}{inner}", keys[usize::from(shape.chance(50))]);
    let at = shape.index_of(s, &key, zero);
    let start = shape.plus(at, key.len() as i64);
    let end = shape.index_of(s, outer, start);
    let length = shape.op(Op::StrLen, &[s]);
    let minus = shape.number(-1);
    let missing = shape.op(Op::Eq, &[end, minus]);
    let end = shape.op(Op::Ite, &[missing, length, end]);
    let value = shape.between(s, start, end);
    shape.assert_value(value)?;
    if shape.chance(50) {
        let number = shape.op(Op::StrToInt, &[value]);
        shape.assert_value(number)?;
    }
    if shape.chance(50) {
        shape.assert_value(length)?;
    }
    Some(Op::StrIndexOf)
}

/// A resource that one policy allows and another one may deny.
fn policy(shape: &mut Shape) -> Option<Op> {
    let dice = &mut shape.generator.dice;
    let prefix = dice.pick(&["/srv/", "arn:s3:::b/", "C:\\", "/"]);
    let user = dice.pick(&["a", "ab", "..", ""]);
    let file = dice.pick(&["/x.txt", "/", "", "/../etc"]);
    let p = shape.declare_text("path", &format!("{prefix}{user}{file}"));
    let u = shape.declare_text("user", user);
    let literal = shape.text(prefix);
    let own = shape.op(Op::StrConcat, &[literal, u]);
    let allowed = shape.op(Op::StrPrefixOf, &[own, p]);
    shape.assert_truth(allowed)?;
    let suffix = shape.text(".txt");
    let denied = shape.op(Op::StrSuffixOf, &[suffix, p]);
    if shape.chance(60) {
        shape.assert_truth(denied)?;
    }
    let head = shape.word_language(prefix);
    let any = shape.op(Op::ReAll, &[]);
    let up = shape.word_language("..");
    if shape.chance(60) {
        let letters = shape.repeated_range("a", "z", Op::ReStar);
        let slash = shape.word_language("/");
        shape.assert_member(p, &[head, letters, slash, any])?;
    }
    if shape.chance(60) {
        let allowed = shape.op(Op::ReConcat, &[head, any]);
        let forbidden = shape.op(Op::ReConcat, &[any, up, any]);
        let language = if shape.chance(50) {
            shape.op(Op::ReDiff, &[allowed, forbidden])
        } else {
            let other = shape.op(Op::ReComp, &[forbidden]);
            shape.op(Op::ReInter, &[allowed, other])
        };
        shape.assert_member(p, &[language])?;
    }
    shape.assert_contains(p, "..")?;
    Some(Op::StrPrefixOf)
}

/// `12,7,-1`: sums and comparisons of numbers in a list.
fn numbers(shape: &mut Shape) -> Option<Op> {
    let dice = &mut shape.generator.dice;
    let values = ["12", "7", "007", "-1", "", "9", "1e3"];
    let (one, two) = (dice.pick(&values), dice.pick(&values));
    let line = shape.declare_text("line", &format!("{one},{two}"));
    let zero = shape.number(0);
    let comma = shape.index_of(line, ",", zero);
    let first = shape.between(line, zero, comma);
    let after = shape.plus(comma, 1);
    let second = shape.rest(line, after);
    let numbers = [first, second].map(|field| shape.op(Op::StrToInt, &[field]));
    let sum = shape.op(Op::Add, &numbers);
    match shape.generator.dice.below(3) {
        0 => shape.assert_value(sum)?,
        1 => {
            let text = shape.op(Op::StrFromInt, &[sum]);
            shape.assert_value(text)?;
        }
        _ => {
            let fact = shape.op(Op::Lt, &numbers);
            shape.assert_truth(fact)?;
        }
    }
    // Does writing the number give the field again?
    let back = shape.op(Op::StrFromInt, &[numbers[0]]);
    let same = shape.op(Op::Eq, &[back, first]);
    shape.assert_truth(same)?;
    if shape.chance(50) {
        let digits = shape.repeated_range("0", "9", Op::RePlus);
        shape.assert_member(second, &[digits])?;
    }
    Some(Op::StrToInt)
}

/// An address by its pattern and by its parts.
fn address(shape: &mut Shape) -> Option<Op> {
    let dice = &mut shape.generator.dice;
    let local = dice.pick(&["a", "a.b", "", "x1", "a..b"]);
    let domain = dice.pick(&["b.de", "b", "sub.b.org", ".org", "b@c.de"]);
    let mail = shape.declare_text("mail", &format!("{local}@{domain}"));
    let zero = shape.number(0);
    let letters = shape.repeated_range("a", "z", Op::RePlus);
    let at = shape.word_language("@");
    let dot = shape.word_language(".");
    let tail = shape.op(Op::ReConcat, &[dot, letters]);
    let tails = {
        let op = shape.generator.dice.pick(&[Op::RePlus, Op::ReStar, Op::ReOpt]);
        shape.op(op, &[tail])
    };
    shape.assert_member(mail, &[letters, tails, at, letters, tails])?;
    let place = shape.index_of(mail, "@", zero);
    let positive = shape.op(Op::Lt, &[zero, place]);
    shape.assert_truth(positive)?;
    if shape.chance(60) {
        shape.assert_contains(mail, "..")?;
    }
    if shape.chance(60) {
        let after = shape.plus(place, 1);
        let host = shape.rest(mail, after);
        let again = shape.index_of(host, "@", zero);
        shape.assert_value(again)?;
        shape.assert_value(host)?;
    }
    if shape.chance(40) {
        let length = shape.op(Op::StrLen, &[mail]);
        shape.assert_value(length)?;
    }
    Some(Op::StrInRe)
}

/// `007`: a number with zeros before it, and what is left without them.
fn padding(shape: &mut Shape) -> Option<Op> {
    let zeros = shape.generator.dice.below(4);
    let number = shape.generator.dice.pick(&[0_i64, 7, 42, 100, 9]);
    let s = shape.declare_text("s", &format!("{}{number}", "0".repeat(zeros)));
    let i = shape.generator.declare("i", luthier_semantics::Value::Int(number.into()));
    let value = shape.op(Op::StrToInt, &[s]);
    let equation = shape.op(Op::Eq, &[value, i]);
    shape.assert_truth(equation)?;
    let written = shape.op(Op::StrFromInt, &[i]);
    let suffix = shape.op(Op::StrSuffixOf, &[written, s]);
    shape.assert_truth(suffix)?;
    let same = shape.op(Op::Eq, &[written, s]);
    if shape.chance(60) {
        shape.assert_truth(same)?;
    }
    let (short, long) = (shape.op(Op::StrLen, &[written]), shape.op(Op::StrLen, &[s]));
    if shape.chance(60) {
        let difference = shape.op(Op::Sub, &[long, short]);
        shape.assert_value(difference)?;
    }
    let zero = shape.number(0);
    let first = shape.op(Op::StrAt, &[s, zero]);
    let digit = shape.op(Op::StrIsDigit, &[first]);
    shape.assert_truth(digit)?;
    Some(Op::StrFromInt)
}
