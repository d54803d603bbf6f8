//! The negation of an instance of a law, as one clause or several.
//!
//! An equation `l = r` becomes `l ≠ r`, with constants defined for the sides or, for languages, a
//! word in one side and not in the other. An implication becomes its premises and the negated
//! conclusion. Any law can also be negated as a whole, or under a quantifier.

use luthier_terms::{BasicSort, Op, Quantifier, Sort, Term, TermId, Variable};

use super::ROOM;
use super::library::{Form, Law};
use super::pattern::Pattern;
use super::refutation::Refutation;

impl Refutation {
    /// Declares constants, chooses arguments for the parameters of the law, and adds the negation of the
    /// instance.
    pub fn begin(&mut self, law: &'static Law) {
        // Languages are chosen before constants are declared, so that they are ground: most solvers
        // require that.
        let languages: Vec<Option<TermId>> = law
            .parameters
            .iter()
            .map(|&(_, sort)| {
                (sort == BasicSort::RegLan && self.dice().percent(90))
                    .then(|| self.argument(BasicSort::RegLan, 2))
            })
            .collect();
        self.declare_constants(law);
        let few = law.parameters.len() > 3;
        let arguments: Vec<TermId> = languages
            .into_iter()
            .zip(&law.parameters)
            .map(|(language, &(_, sort))| match language {
                Some(language) => language,
                None => {
                    let depth = self.dice().pick(&[0, 0, 1, 2]);
                    self.constant_or(sort, if few { depth.min(1) } else { depth })
                }
            })
            .collect();
        self.record_instance(law, &arguments);
        let quantified = self.settings.quantified;
        if self.dice().percent(quantified) && self.begin_quantified(law, &arguments) {
            return;
        }
        match &law.form {
            Form::Equation(left, right) => self.negate_equation(left, right, &arguments),
            Form::Implication(premise, conclusion) => {
                self.negate_implication(law, premise, conclusion, &arguments);
            }
            Form::Fact => self.negate(law, &arguments),
        }
    }

    fn declare_constants(&mut self, law: &Law) {
        use BasicSort::{Bool, Int, RegLan, String};
        let has = |sort| law.parameters.iter().filter(|&&(_, other)| other == sort).count();
        let counts = [
            (String, has(String) + usize::from(has(RegLan) > 0)),
            (Int, has(Int)),
            (Bool, has(Bool)),
        ];
        for (sort, needed) in counts {
            let count = match needed {
                0 => usize::from(self.dice().percent(20)),
                1 => 1 + usize::from(self.dice().percent(30)),
                _ => needed - usize::from(self.dice().percent(40)),
            };
            for _ in 0..count.min(4) {
                self.some_constant(sort);
            }
        }
    }

    fn record_instance(&mut self, law: &Law, arguments: &[TermId]) {
        let mut text = format!("law {}: {} ({})", law.name, law.statement, law.reason);
        for (number, (&argument, (name, _))) in arguments.iter().zip(&law.parameters).enumerate() {
            let before = if number == 0 { "; here" } else { "," };
            text.push_str(&format!("{before} {name} is {}", self.text(argument)));
        }
        self.derivation.push(text);
    }

    /// The negation of the whole law.
    fn negate(&mut self, law: &Law, arguments: &[TermId]) {
        let instance = law.whole.instance(self.pool(), arguments);
        let denied = self.not(instance);
        self.add(denied);
        self.derivation.push("its opposite is asserted".into());
    }

    fn negate_equation(&mut self, left: &Pattern, right: &Pattern, arguments: &[TermId]) {
        let (left, right) =
            (left.instance(self.pool(), arguments), right.instance(self.pool(), arguments));
        let (left, right) = if self.dice().percent(50) { (left, right) } else { (right, left) };
        if self.generator.pool.sort(left) == Sort::RegLan {
            return self.negate_equal_languages(left, right);
        }
        match self.dice().below(5) {
            0 if self.generator.pool.sort(left) == Sort::Bool => {
                let denied = self.not(right);
                self.add(left);
                self.add(denied);
                self.derivation.push("one side is asserted, and the opposite of the other".into());
            }
            0 | 1 => {
                let (one, two) = match (self.define(left), self.define(right)) {
                    (Some(one), Some(two)) => (one, two),
                    (one, two) => (one.unwrap_or(left), two.unwrap_or(right)),
                };
                let different = self.equal(one, two, false);
                self.add(different);
                self.derivation.push("constants for the sides are said to be different".into());
            }
            2 => {
                let one = self.define(left).unwrap_or(left);
                let different = self.equal(one, right, false);
                self.add(different);
                self.derivation.push("a constant for one side is said not to be the other".into());
            }
            _ => {
                let different = self.equal(left, right, false);
                self.add(different);
                self.derivation.push("the sides are said to be different".into());
            }
        }
    }

    /// A word in one of two equal languages only, or another difference between them.
    fn negate_equal_languages(&mut self, left: TermId, right: TermId) {
        let word = self.constant_or(BasicSort::String, 1);
        match self.dice().below(12) {
            0..=3 => {
                let inside = self.op(Op::StrInRe, &[word, left]);
                let outside = self.op(Op::StrInRe, &[word, right]);
                let outside = self.op(Op::Not, &[outside]);
                self.add(inside);
                self.add(outside);
                self.derivation
                    .push("a word is said to be in one side and not in the other".into());
            }
            4..=6 => {
                let one = self.op(Op::StrInRe, &[word, left]);
                let two = self.op(Op::StrInRe, &[word, right]);
                let different = self.equal(one, two, false);
                self.add(different);
                self.derivation.push("a word is said to be in just one of the sides".into());
            }
            7 => {
                let rest = self.op(Op::ReDiff, &[left, right]);
                let clause = self.op(Op::StrInRe, &[word, rest]);
                self.add(clause);
                self.derivation.push("a word is said to be in their difference".into());
            }
            8 => {
                let outside = self.op(Op::ReComp, &[left]);
                let rest = self.op(Op::ReInter, &[outside, right]);
                let clause = self.op(Op::StrInRe, &[word, rest]);
                self.add(clause);
                self.derivation.push("a word is said to be in one and in the complement".into());
            }
            9 | 10 => {
                let by = self.constant_or(BasicSort::String, 0);
                let all = self.dice().percent(50);
                let op = if all { Op::StrReplaceReAll } else { Op::StrReplaceRe };
                let one = self.op(op, &[word, left, by]);
                let two = self.op(op, &[word, right, by]);
                let different = self.equal(one, two, false);
                self.add(different);
                self.derivation.push("replacing words of the two is said to differ".into());
            }
            _ => {
                let different = self.equal(left, right, false);
                self.add(different);
                self.derivation.push("the languages are said to be different".into());
            }
        }
    }

    fn negate_implication(
        &mut self,
        law: &Law,
        premise: &Pattern,
        conclusion: &Pattern,
        arguments: &[TermId],
    ) {
        if self.dice().percent(30) {
            return self.negate(law, arguments);
        }
        let premise = premise.instance(self.pool(), arguments);
        let conclusion = conclusion.instance(self.pool(), arguments);
        let denied = self.not(conclusion);
        match self.generator.pool.term(premise) {
            Term::Op(Op::And, parts) if parts.len() < 4 => {
                let parts = parts.to_vec();
                for part in parts {
                    self.add(part);
                }
            }
            _ => self.add(premise),
        }
        self.add(denied);
        self.derivation.push("the premise is asserted, and the opposite of the conclusion".into());
    }

    /// The negation of the law, with some or all parameters quantified. Parameters that are languages keep
    /// their arguments.
    fn begin_quantified(&mut self, law: &Law, arguments: &[TermId]) -> bool {
        let all = self.dice().percent(60);
        let (mut arguments, mut bound) = (arguments.to_vec(), Vec::new());
        for (argument, (name, sort)) in arguments.iter_mut().zip(&law.parameters) {
            if *sort != BasicSort::RegLan && (all || self.dice().percent(50)) {
                let name = self.symbol(name);
                let variable = Variable { name, sort: (*sort).into(), depth: 0 };
                *argument = self.pool().variable(variable).expect(ROOM);
                bound.push(*argument);
            }
        }
        if bound.is_empty() {
            return false;
        }
        const BOUND: &str = "the variables are distinct and the body is a formula";
        let instance = law.whole.instance(self.pool(), &arguments);
        let clause = match self.dice().below(3) {
            0 => {
                let all = self.pool().quantify(Quantifier::Forall, &bound, instance, &[]);
                self.op(Op::Not, &[all.expect(BOUND)])
            }
            choice => {
                let denied = self.op(Op::Not, &[instance]);
                // No sort is empty, so a universal quantifier over the negation is unsatisfiable too.
                let some = if choice == 1 { Quantifier::Exists } else { Quantifier::Forall };
                self.pool().quantify(some, &bound, denied, &[]).expect(BOUND)
            }
        };
        self.add(clause);
        self.derivation.push("it is denied under a quantifier".into());
        true
    }
}
