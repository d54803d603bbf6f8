//! The canonical form of a script: what it asks, without the accidents of how it is written.
//!
//! Two scripts have the same form only if one becomes the other by
//! * renaming declared and defined symbols and bound variables (one bijection over the whole script),
//! * reordering declarations, the assertions of a query, and the arguments of operators whose order does not
//!   matter (`and`, `or`, `xor`, `=`, `distinct`, `+`, `*`, `re.union`, `re.inter`), asserting the same
//!   again, or leaving out declarations that no assertion uses,
//! * writing the same terms in another dialect: other operator names, other escapes, `let`, names of subterms,
//!   comments and white space, and commands that ask nothing (`set-info`, `set-option`, `set-logic`, `get-model`).
//!
//! Nothing else is identified: `(and a b)` is not two assertions, `(> x y)` is not `(< y x)`, a
//! definition is not expanded.
//!
//! The method is that of graph canonisation (McKay's *nauty*, without its search tree). The terms are a
//! directed acyclic graph whose symbols have lost their names. Colour refinement gives each symbol a colour
//! that depends on where it occurs: hashes of terms from below, hashes of contexts from above, repeated until no
//! class of equal colours splits. If classes remain, one symbol of the least is given a colour of its own and
//! refinement goes on. In the end all colours differ; they order the arguments of commutative operators
//! and the assertions, and the graph is written out term by term. The form is the SHA-256 of this text, which
//! determines the graph; so equal forms are no accident of the colours.
//!
//! Limits: which symbol of a class is chosen first makes a difference if the class is not an orbit of an
//! automorphism, which is rare in practice; then, or if [`MAX_VISITS`] is reached ([`CanonicalForm::is_limited`]), a
//! duplicate may be missed. None is ever reported that is not one.

use luthier_records::Digest;
use luthier_smtlib::Script;
use luthier_terms::{FunctionId, Op, Quantifier, Sort, Term, TermId, TermPool};
use rustc_hash::FxHashMap;

/// How many terms are visited for one script before ties are broken by the order of the text.
const MAX_VISITS: usize = 20_000_000;

/// The canonical form of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CanonicalForm {
    /// The digest of the form.
    pub digest: Digest,
    /// The limit was reached: another script may have another form although it is the same up to renaming
    /// and reordering.
    pub is_limited: bool,
}

/// The canonical form of a script that was read without errors.
pub fn canonical_form(pool: &TermPool, script: &Script) -> CanonicalForm {
    let graph = Graph::new(pool, script);
    let mut colours = Colours::new(&graph);
    let is_limited = !colours.refine_fully(&graph);
    CanonicalForm { digest: Digest::of(&write(&graph, &colours)), is_limited }
}

/// A term, as a position in [`Graph::nodes`].
type Position = usize;

/// The terms of a script without names.
struct Graph<'a> {
    pool: &'a TermPool,
    nodes: Vec<Node>,
    /// The children of all nodes, one after the other.
    children: Vec<Position>,
    symbols: Vec<Symbol>,
    /// For each query the assertions and the assumptions.
    queries: Vec<(Vec<Position>, Vec<Position>)>,
}

struct Node {
    term: TermId,
    /// The hash of everything but the children and the symbol.
    label: u64,
    symbol: Option<usize>,
    is_commutative: bool,
    first_child: usize,
    end: usize,
}

/// A declared or defined function, or a bound variable.
struct Symbol {
    signature: Vec<Sort>,
    /// The parameters and the body of a defined function.
    definition: Option<(Vec<Position>, Position)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum SymbolKey {
    Function(FunctionId),
    Variable(TermId),
}

/// What a term is, without its children.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum NodeKey {
    /// A literal, a variable or a quantified formula with patterns: equal only if it is the same term.
    Term(TermId),
    /// With the number of its variables.
    Quantifier(Quantifier, usize),
    Op(Op, Sort),
    Apply(FunctionId),
}

impl NodeKey {
    fn of(pool: &TermPool, term: TermId) -> Self {
        match pool.term(term) {
            Term::Op(op, _) => Self::Op(op, pool.sort(term)),
            Term::Apply(function, _) => Self::Apply(function),
            Term::Quantifier(view) if view.patterns().next().is_none() => {
                Self::Quantifier(view.quantifier, view.variables.len())
            }
            _ => Self::Term(term),
        }
    }
}

impl<'a> Graph<'a> {
    fn new(pool: &'a TermPool, script: &Script) -> Self {
        let mut roots = Vec::new();
        let queries: Vec<(Vec<TermId>, Vec<TermId>)> = script
            .queries()
            .map(|query| {
                let terms = query.assertions.iter().map(|active| active.assertion.term).collect();
                (terms, query.assumptions)
            })
            .collect();
        for (assertions, assumptions) in &queries {
            roots.extend(assertions.iter().chain(assumptions));
        }
        let reached = reached(pool, roots);
        let mut graph = Graph {
            pool,
            nodes: Vec::with_capacity(reached.len()),
            children: Vec::new(),
            symbols: Vec::new(),
            queries: Vec::new(),
        };
        let positions: FxHashMap<TermId, Position> = graph.add_nodes(&reached);
        let of = |terms: &[TermId]| terms.iter().map(|term| positions[term]).collect();
        graph.queries =
            queries.iter().map(|(assertions, others)| (of(assertions), of(others))).collect();
        graph
    }

    /// Adds the terms, which come after their children; returns where they are.
    fn add_nodes(&mut self, reached: &[TermId]) -> FxHashMap<TermId, Position> {
        let pool = self.pool;
        let mut positions: FxHashMap<TermId, Position> = FxHashMap::default();
        let mut keys: FxHashMap<SymbolKey, usize> = FxHashMap::default();
        let mut known: FxHashMap<(NodeKey, Vec<Position>), Position> = FxHashMap::default();
        let mut defined = Vec::new();
        for &term in reached {
            if let Term::Named(_, inner) = pool.term(term) {
                positions.insert(term, positions[&inner]);
                continue;
            }
            let key = match pool.term(term) {
                Term::Apply(function, _) => Some(SymbolKey::Function(function)),
                Term::Variable(_) => Some(SymbolKey::Variable(term)),
                _ => None,
            };
            let symbol = key.map(|key| {
                *keys.entry(key).or_insert_with(|| {
                    self.symbols
                        .push(Symbol { signature: signature(pool, term), definition: None });
                    if let SymbolKey::Function(function) = key {
                        defined.push((self.symbols.len() - 1, function));
                    }
                    self.symbols.len() - 1
                })
            });
            let (label, is_commutative) = label(pool, term);
            let mut children: Vec<Position> =
                pool.children(term).iter().map(|child| positions[child]).collect();
            // Terms that differ only in the order of such arguments are one.
            if is_commutative {
                children.sort_unstable();
            }
            let position = *known.entry((NodeKey::of(pool, term), children)).or_insert_with_key(
                |(_, children)| {
                    let first_child = self.children.len();
                    self.children.extend(children);
                    let end = self.children.len();
                    let node = Node { term, label, symbol, is_commutative, first_child, end };
                    self.nodes.push(node);
                    self.nodes.len() - 1
                },
            );
            positions.insert(term, position);
        }
        for (symbol, function) in defined {
            let definition = pool.function(function).definition.as_ref();
            self.symbols[symbol].definition = definition.and_then(|definition| {
                let variables = definition.variables().iter().map(|one| positions[one]).collect();
                Some((variables, positions[&definition.body()?]))
            });
        }
        positions
    }

    fn children(&self, node: &Node) -> &[Position] {
        &self.children[node.first_child..node.end]
    }
}

/// All terms below the roots, bodies and parameters of definitions included, children first.
fn reached(pool: &TermPool, mut pending: Vec<TermId>) -> Vec<TermId> {
    let mut is_reached = vec![false; pool.len()];
    while let Some(term) = pending.pop() {
        if std::mem::replace(&mut is_reached[term.index()], true) {
            continue;
        }
        pending.extend(pool.children(term));
        if let Term::Apply(function, _) = pool.term(term)
            && let Some(definition) = &pool.function(function).definition
        {
            pending.extend(definition.variables());
            pending.extend(definition.body());
        }
    }
    pool.term_ids().filter(|term| is_reached[term.index()]).collect()
}

fn signature(pool: &TermPool, term: TermId) -> Vec<Sort> {
    let mut sorts = vec![pool.sort(term)];
    if let Term::Apply(function, _) = pool.term(term) {
        sorts.extend(&pool.function(function).parameters);
    }
    sorts
}

/// The hash of a term without its children and symbol, and whether the order of its children is of no
/// account.
fn label(pool: &TermPool, term: TermId) -> (u64, bool) {
    let text = |tag: u64, bytes: &mut dyn Iterator<Item = u64>| bytes.fold(mixed(tag), combined);
    match pool.term(term) {
        Term::String(string) => {
            let mut codes = string.as_slice().iter().map(|one| u64::from(one.code()));
            (text(1, &mut codes), false)
        }
        Term::Integer(number) => {
            let bytes = number.to_signed_bytes_le();
            (text(2, &mut bytes.into_iter().map(u64::from)), false)
        }
        Term::Op(op, _) => (combined(mixed(3), op as u64), is_commutative(op)),
        Term::Apply(..) => (mixed(4), false),
        Term::Variable(_) => (mixed(5), false),
        Term::Quantifier(view) => {
            let kind = u64::from(view.quantifier == Quantifier::Forall);
            let lengths = view.patterns().map(|pattern| pattern.len() as u64);
            let mut all = [kind, view.variables.len() as u64].into_iter().chain(lengths);
            (text(6, &mut all), false)
        }
        Term::Named(..) => (mixed(7), false),
    }
}

fn is_commutative(op: Op) -> bool {
    matches!(
        op,
        Op::And
            | Op::Or
            | Op::Xor
            | Op::Eq
            | Op::Distinct
            | Op::Add
            | Op::Mul
            | Op::ReUnion
            | Op::ReInter
    )
}

/// The colours of symbols, and the hashes of terms that follow from them.
struct Colours {
    symbols: Vec<u64>,
    /// The hash of each term, from below.
    terms: Vec<u64>,
    /// The hash of the contexts of each term, from above.
    contexts: Vec<u64>,
    visits: usize,
}

impl Colours {
    fn new(graph: &Graph<'_>) -> Self {
        let symbols = graph.symbols.iter().map(|symbol| {
            let start = mixed(11 + u64::from(symbol.definition.is_some()));
            symbol.signature.iter().fold(start, |hash, sort| combined(hash, sort_code(*sort)))
        });
        Self {
            symbols: symbols.collect(),
            terms: vec![0; graph.nodes.len()],
            contexts: vec![0; graph.nodes.len()],
            visits: 0,
        }
    }

    /// Refines until all symbols differ; whether that was reached within the limit.
    fn refine_fully(&mut self, graph: &Graph<'_>) -> bool {
        loop {
            self.refine(graph);
            let Some(symbol) = self.first_of_least_tie() else { return true };
            if self.visits > MAX_VISITS {
                // The order of the text decides, so that the form is still a function of the text.
                for (index, colour) in self.symbols.iter_mut().enumerate() {
                    *colour = combined(*colour, index as u64);
                }
                self.hash_terms(graph);
                return false;
            }
            self.symbols[symbol] = combined(self.symbols[symbol], 21);
        }
    }

    /// Refines until no class splits. The hashes of terms are those of the last colours.
    fn refine(&mut self, graph: &Graph<'_>) {
        let mut classes = self.classes();
        loop {
            self.hash_terms(graph);
            if classes == self.symbols.len() {
                return;
            }
            self.hash_contexts(graph);
            self.colour_symbols(graph);
            let now = self.classes();
            if now == classes {
                self.hash_terms(graph);
                return;
            }
            classes = now;
        }
    }

    fn classes(&self) -> usize {
        let mut sorted = self.symbols.clone();
        sorted.sort_unstable();
        sorted.dedup();
        sorted.len()
    }

    /// The first symbol of the class with the least colour among those with several members.
    fn first_of_least_tie(&self) -> Option<usize> {
        let mut order: Vec<(u64, usize)> = self
            .symbols
            .iter()
            .copied()
            .enumerate()
            .map(|(index, colour)| (colour, index))
            .collect();
        order.sort_unstable();
        let tie = order.windows(2).find(|pair| pair[0].0 == pair[1].0)?;
        Some(tie[0].1)
    }

    fn hash_terms(&mut self, graph: &Graph<'_>) {
        self.visits += graph.nodes.len();
        for (position, node) in graph.nodes.iter().enumerate() {
            let mut hash = match node.symbol {
                Some(symbol) => combined(node.label, self.symbols[symbol]),
                None => node.label,
            };
            let children = graph.children(node).iter().map(|&child| self.terms[child]);
            hash = match node.is_commutative {
                true => combined(hash, sum(children)),
                false => children.fold(hash, combined),
            };
            self.terms[position] = hash;
        }
    }

    fn hash_contexts(&mut self, graph: &Graph<'_>) {
        self.visits += graph.nodes.len();
        self.contexts.fill(0);
        for (number, (assertions, assumptions)) in graph.queries.iter().enumerate() {
            let roots = [(31, assertions), (32, assumptions)];
            for (kind, &root) in
                roots.iter().flat_map(|(kind, all)| all.iter().map(move |one| (kind, one)))
            {
                let context = &mut self.contexts[root];
                *context = context.wrapping_add(combined(mixed(*kind), number as u64));
            }
        }
        for (symbol, colour) in graph.symbols.iter().zip(&self.symbols) {
            if let Some((variables, body)) = &symbol.definition {
                let contexts = &mut self.contexts;
                contexts[*body] = contexts[*body].wrapping_add(combined(mixed(33), *colour));
                for (number, &variable) in variables.iter().enumerate() {
                    let hash = combined(combined(mixed(34), *colour), number as u64);
                    contexts[variable] = contexts[variable].wrapping_add(hash);
                }
            }
        }
        for (position, node) in graph.nodes.iter().enumerate().rev() {
            let above = combined(self.contexts[position], self.terms[position]);
            for (number, &child) in graph.children(node).iter().enumerate() {
                let place = if node.is_commutative { 0 } else { number as u64 + 1 };
                let context = &mut self.contexts[child];
                *context = context.wrapping_add(combined(above, place));
            }
        }
    }

    fn colour_symbols(&mut self, graph: &Graph<'_>) {
        let mut occurrences = vec![0_u64; self.symbols.len()];
        for (position, node) in graph.nodes.iter().enumerate() {
            if let Some(symbol) = node.symbol {
                let hash = combined(self.contexts[position], self.terms[position]);
                occurrences[symbol] = occurrences[symbol].wrapping_add(hash);
            }
        }
        for (index, symbol) in graph.symbols.iter().enumerate() {
            let mut colour = combined(self.symbols[index], occurrences[index]);
            if let Some((_, body)) = &symbol.definition {
                colour = combined(colour, self.terms[*body]);
            }
            self.symbols[index] = colour;
        }
    }
}

/// Writes the graph out. Every line determines one term by earlier ones, so the text determines the graph.
fn write(graph: &Graph<'_>, colours: &Colours) -> Vec<u8> {
    let mut writer = Writer {
        graph,
        colours,
        text: Vec::with_capacity(graph.nodes.len() * 8),
        terms: vec![None; graph.nodes.len()],
        symbols: vec![None; graph.symbols.len()],
        order: Vec::new(),
        next: 0,
    };
    for (assertions, assumptions) in &graph.queries {
        for roots in [assertions, assumptions] {
            let mut roots = roots.clone();
            roots.sort_unstable_by_key(|&root| (colours.terms[root], root));
            roots.dedup();
            let numbers: Vec<u64> = roots.iter().map(|&root| writer.term(root)).collect();
            writer.line(b'Q', &numbers);
        }
    }
    // Definitions may mention further symbols.
    let mut done = 0;
    while done < writer.order.len() {
        let symbol = writer.order[done];
        if let Some((variables, body)) = &graph.symbols[symbol].definition {
            let mut numbers = vec![done as u64];
            numbers.extend(variables.iter().map(|&variable| writer.term(variable)));
            numbers.push(writer.term(*body));
            writer.line(b'D', &numbers);
        }
        done += 1;
    }
    writer.text
}

struct Writer<'a> {
    graph: &'a Graph<'a>,
    colours: &'a Colours,
    text: Vec<u8>,
    /// The numbers of terms and symbols, in the order in which they are written.
    terms: Vec<Option<u64>>,
    symbols: Vec<Option<u64>>,
    order: Vec<usize>,
    next: u64,
}

impl Writer<'_> {
    /// The number of a term, which is written with everything below it if it was not.
    fn term(&mut self, root: Position) -> u64 {
        let mut stack = vec![(root, false)];
        while let Some((position, is_expanded)) = stack.pop() {
            if self.terms[position].is_some() {
                continue;
            }
            let node = &self.graph.nodes[position];
            let mut children = self.graph.children(node).to_vec();
            if node.is_commutative {
                children.sort_unstable_by_key(|&child| (self.colours.terms[child], child));
            }
            if is_expanded {
                let numbers = children.iter().filter_map(|&child| self.terms[child]).collect();
                self.node(node, numbers);
                self.terms[position] = Some(self.next);
                self.next += 1;
            } else {
                stack.push((position, true));
                stack.extend(children.iter().rev().map(|&child| (child, false)));
            }
        }
        self.terms[root].expect("the root is written last")
    }

    fn node(&mut self, node: &Node, children: Vec<u64>) {
        match self.graph.pool.term(node.term) {
            Term::String(string) => {
                let codes: Vec<u64> =
                    string.as_slice().iter().map(|one| u64::from(one.code())).collect();
                self.line(b'"', &codes);
            }
            Term::Integer(number) => {
                let bytes: Vec<u64> =
                    number.to_signed_bytes_le().into_iter().map(u64::from).collect();
                self.line(b'#', &bytes);
            }
            Term::Op(op, _) => {
                let mut numbers = vec![op as u64];
                if op == Op::ConstArray {
                    numbers.push(sort_code(self.graph.pool.sort(node.term)));
                }
                numbers.extend(children);
                self.line(b'O', &numbers);
            }
            Term::Quantifier(view) => {
                let kind = u64::from(view.quantifier == Quantifier::Forall);
                let mut numbers = vec![kind, view.variables.len() as u64];
                let lengths: Vec<u64> = view.patterns().map(|one| one.len() as u64).collect();
                numbers.push(lengths.len() as u64);
                numbers.extend(lengths);
                numbers.extend(children);
                self.line(b'A', &numbers);
            }
            Term::Apply(..) | Term::Variable(_) | Term::Named(..) => {
                let symbol = node.symbol.expect("applications and variables have a symbol");
                let mut numbers = vec![self.symbol(symbol)];
                numbers.extend(children);
                self.line(b'S', &numbers);
            }
        }
    }

    /// The number of a symbol, which is written with its sorts if it was not.
    fn symbol(&mut self, symbol: usize) -> u64 {
        if let Some(number) = self.symbols[symbol] {
            return number;
        }
        let number = self.order.len() as u64;
        self.order.push(symbol);
        self.symbols[symbol] = Some(number);
        let sorts = self.graph.symbols[symbol].signature.iter().map(|sort| sort_code(*sort));
        let sorts: Vec<u64> = sorts.collect();
        self.line(b'F', &sorts);
        number
    }

    /// A kind, the number of numbers, and the numbers.
    fn line(&mut self, kind: u8, numbers: &[u64]) {
        self.text.push(kind);
        push_number(&mut self.text, numbers.len() as u64);
        numbers.iter().for_each(|&number| push_number(&mut self.text, number));
    }
}

/// Seven bits to a byte, the lowest first.
fn push_number(text: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        text.push(number as u8 | 0x80);
        number >>= 7;
    }
    text.push(number as u8);
}

fn sort_code(sort: Sort) -> u64 {
    use luthier_terms::BasicSort;
    let basic = |sort: BasicSort| match sort {
        BasicSort::Bool => 0,
        BasicSort::Int => 1,
        BasicSort::String => 2,
        BasicSort::RegLan => 3,
    };
    match sort {
        Sort::Bool => 0,
        Sort::Int => 1,
        Sort::String => 2,
        Sort::RegLan => 3,
        Sort::Array(index, element) => 16 + 4 * basic(index) + basic(element),
    }
}

/// A hash of a multiset: its order does not matter.
fn sum(hashes: impl Iterator<Item = u64>) -> u64 {
    hashes.fold(0, |sum, hash| sum.wrapping_add(mixed(hash)))
}

/// A hash of a sequence, extended by one.
fn combined(hash: u64, next: u64) -> u64 {
    mixed(hash.rotate_left(23) ^ mixed(next.wrapping_add(0x9E37_79B9_7F4A_7C15)))
}

/// The finaliser of SplitMix64.
fn mixed(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}
