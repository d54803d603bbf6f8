//! Parses the replies to `get-model` and `get-value`: lists of definitions, and lists of pairs.
//!
//! Headers of definitions are read before their bodies, because a solver may use a helper function
//! before it defines it; functions are read before constants, because an array may refer to a function
//! (`(_ as-array f)`). Definitions of `div0` and `mod0` give the values of division by zero.

use luthier_terms::{FunctionId, Op, Sort, SymbolId, TermId, Variable};
use rustc_hash::FxHashMap;

use super::ModelEntry;
use super::arrays::array_of_function;
use super::consistency::SeenValues;
use crate::diagnostic::Code;
use crate::lexer::{Token, TokenKind};
use crate::reader::{Reader, Skip, Step};
use crate::source::Span;

/// The content of the replies in a text.
#[derive(Default)]
pub(super) struct ModelReplies {
    pub entries: Vec<ModelEntry>,
    /// A model was there, if only an empty one.
    pub found: bool,
    pub solver_errors: Vec<String>,
    seen: SeenValues,
}

/// A `define-fun` whose header has been read.
struct Header {
    name: SymbolId,
    function: FunctionId,
    variables: Vec<(SymbolId, TermId)>,
    /// Where the body begins.
    body: u32,
    span: Span,
}

/// The functions that a model defines, by name: parameters and body.
type Functions = FxHashMap<SymbolId, (Vec<TermId>, TermId)>;

/// What a definition of a model defines.
enum Role {
    Function,
    DivisionByZero,
    ModuloByZero,
}

impl Reader<'_, '_> {
    pub(super) fn read_replies(&mut self) -> ModelReplies {
        let mut replies = ModelReplies::default();
        loop {
            let token = self.lexer.next_token();
            match token.kind {
                TokenKind::End => return replies,
                // `sat`, `success` and the like.
                TokenKind::Symbol | TokenKind::QuotedSymbol | TokenKind::String => {
                    if matches!(self.lexer.text(token.span), b"sat" | b"unsat" | b"unknown") {
                        replies.seen.forget();
                    }
                }
                TokenKind::Open => {
                    if self.reply(token, &mut replies).is_err() {
                        self.lexer.seek(token.span.end);
                        if self.skip_rest_of_list(token).is_err() {
                            return replies;
                        }
                    }
                }
                _ => {
                    let _reported: Skip = self.unexpected(token, "a model `(…)`");
                    return replies;
                }
            }
        }
    }

    fn reply(&mut self, open: Token, replies: &mut ModelReplies) -> Step<()> {
        let begin = self.lexer.position();
        let first = self.lexer.next_token();
        match (first.kind, self.lexer.text(first.span)) {
            (TokenKind::Close, _) => {
                replies.found = true;
                Ok(())
            }
            (TokenKind::Symbol, b"error") => {
                let span = self.skip_rest_of_list(open)?;
                replies.solver_errors.push(String::from_utf8_lossy(self.lexer.text(span)).into());
                Ok(())
            }
            (TokenKind::Symbol, b"model") => {
                let begin = self.lexer.position();
                self.definitions(begin, replies)
            }
            (TokenKind::Symbol, b"define-fun" | b"define-const" | b"define-fun-rec") => {
                // A definition that stands alone.
                self.definitions_between(open.span.start, true, replies)
            }
            (TokenKind::Open, _) => {
                let second = self.lexer.next_token();
                let definition = second.kind == TokenKind::Symbol
                    && is_model_command(self.lexer.text(second.span));
                if definition {
                    self.definitions(begin, replies)
                } else {
                    self.lexer.seek(begin);
                    self.pairs(replies)
                }
            }
            // `(:reason-unknown …)` and other answers that are no models.
            _ => self.skip_rest_of_list(open).map(|_span| ()),
        }
    }

    fn definitions(&mut self, begin: u32, replies: &mut ModelReplies) -> Step<()> {
        self.definitions_between(begin, false, replies)
    }

    /// Reads definitions from `begin` to the closing parenthesis (or only one). Headers first:
    /// a solver may use a helper function before it defines it.
    fn definitions_between(
        &mut self,
        begin: u32,
        only_one: bool,
        replies: &mut ModelReplies,
    ) -> Step<()> {
        replies.found = true;
        replies.seen.begin_reply();
        self.lexer.seek(begin);
        let mut headers = Vec::new();
        loop {
            let token = self.lexer.next_token();
            match token.kind {
                TokenKind::Close => break,
                TokenKind::Open => {}
                _ => return Err(self.unexpected(token, "a definition or `)`")),
            }
            let head = self.lexer.next_token();
            match self.lexer.text(head.span) {
                b"define-fun" | b"define-const" | b"define-fun-rec" => {
                    let constant = self.lexer.text(head.span) == b"define-const";
                    let header = self.header(constant)?;
                    self.skip_rest_of_list(token)?;
                    headers.extend(header);
                }
                // Cardinality constraints, helper declarations: nothing that gives a value.
                _ => {
                    self.skip_rest_of_list(token)?;
                }
            }
            if only_one {
                break;
            }
        }
        let end = self.lexer.position();
        // Functions before constants: a constant may be an array that a function gives.
        headers.sort_by_key(|header| header.variables.is_empty());
        let mut functions = Functions::default();
        for header in headers {
            self.lexer.seek(header.body);
            let body = self.model_body(&header, &functions)?;
            let Some(body) = body else { continue };
            let variables: Vec<TermId> = header.variables.iter().map(|&(_, term)| term).collect();
            functions.entry(header.name).or_insert((variables.clone(), body));
            if !self.note_name(&mut replies.seen, header.name, (&variables, body), header.span) {
                continue;
            }
            replies.entries.push(match self.role(&header) {
                Role::Function => {
                    ModelEntry::Function { function: header.function, variables, body }
                }
                Role::DivisionByZero => ModelEntry::DivisionByZero { variables, body },
                Role::ModuloByZero => ModelEntry::ModuloByZero { variables, body },
            });
        }
        self.lexer.seek(end);
        Ok(())
    }

    /// Reads `name (…) sort`. `None`: a sort is none of ours, which has been reported.
    fn header(&mut self, constant: bool) -> Step<Option<Header>> {
        let (name, token) = self.expect_symbol("a name")?;
        let mark = self.bindings_mark();
        let variables = if constant { Vec::new() } else { self.bind_variables()? };
        self.undo_bindings(mark);
        let result = self.read_sort()?;
        let body = self.lexer.position();
        let variables: Option<Vec<TermId>> = variables.into_iter().collect();
        let (Some(variables), Some(result)) = (variables, result) else {
            return Ok(None);
        };
        let sorts: Vec<Sort> = variables.iter().map(|&variable| self.pool.sort(variable)).collect();
        let function = match self.declared_function(name) {
            Some(function) => {
                let declared = self.pool.function(function);
                if declared.parameters != sorts || declared.result != result {
                    let message = format!(
                        "the model gives `{}` the sort {}, the script {}",
                        self.text_of(token.span),
                        signature(&sorts, result),
                        signature(&declared.parameters, declared.result)
                    );
                    self.collector.error(Code::Sort, token.span, message, None);
                    return Ok(None);
                }
                function
            }
            // What a name of the script's own stands for is known.
            None if self.is_named_term(name) => return Ok(None),
            None => self.helper_function(name, sorts, result, token.span)?,
        };
        let variables = self.variable_names(&variables);
        Ok(Some(Header { name, function, variables, body, span: token.span }))
    }

    fn model_body(&mut self, header: &Header, functions: &Functions) -> Step<Option<TermId>> {
        let expected = self.pool.function(header.function).result;
        if let Some(array) = self.as_array(expected, functions)? {
            return Ok(array);
        }
        let mark = self.bindings_mark();
        self.bind_again(&header.variables);
        let body = self.read_value_term(expected);
        self.undo_bindings(mark);
        let Some(body) = body? else { return Ok(None) };
        let found = self.pool.sort(body);
        if found != expected {
            let message = format!("the value is of sort {found}, not {expected}");
            self.collector.error(Code::Sort, header.span, message, None);
            return Ok(None);
        }
        Ok(Some(body))
    }

    /// `(_ as-array f)`, if that is what comes next.
    fn as_array(&mut self, sort: Sort, functions: &Functions) -> Step<Option<Option<TermId>>> {
        let begin = self.lexer.position();
        let words = [self.lexer.next_token(), self.lexer.next_token(), self.lexer.next_token()];
        let texts = words.map(|word| self.lexer.text(word.span));
        if words[0].kind != TokenKind::Open || texts[1] != b"_" || texts[2] != b"as-array" {
            self.lexer.seek(begin);
            return Ok(None);
        }
        let (name, token) = self.expect_symbol("the name of a function")?;
        self.expect(TokenKind::Close, "`)`")?;
        let array = match (sort, functions.get(&name)) {
            (Sort::Array(index, _), Some((variables, body))) if variables.len() == 1 => {
                array_of_function(self.pool, index, variables[0], *body)
            }
            _ => None,
        };
        if array.is_none() {
            self.unreadable_array(token.span);
        }
        Ok(Some(array))
    }

    pub(super) fn unreadable_array(&mut self, span: Span) {
        let message = "this function is no finite table, so it gives no array".to_owned();
        self.collector.error(Code::Unsupported, span, message, None);
    }

    /// Reads a value: a term, or a `lambda` where an array is expected.
    fn read_value_term(&mut self, expected: Sort) -> Step<Option<TermId>> {
        let begin = self.lexer.position();
        let open = self.lexer.next_token();
        let head = self.lexer.next_token();
        let lambda = open.kind == TokenKind::Open && self.lexer.text(head.span) == b"lambda";
        if !lambda {
            self.lexer.seek(begin);
            return self.read_term_in_scope();
        }
        let Some((variables, body)) = self.lambda()? else { return Ok(None) };
        let array = match (expected, &variables[..]) {
            (Sort::Array(index, _), &[variable]) => {
                array_of_function(self.pool, index, variable, body)
            }
            _ => None,
        };
        if array.is_none() {
            self.unreadable_array(open.span);
        }
        Ok(array)
    }

    /// `((x S) …) body)`, after `(lambda`.
    fn lambda(&mut self) -> Step<Option<(Vec<TermId>, TermId)>> {
        let mark = self.bindings_mark();
        let variables = self.bind_variables()?;
        let body = self.read_term_in_scope();
        self.undo_bindings(mark);
        let body = body?;
        self.expect(TokenKind::Close, "`)`")?;
        let variables: Option<Vec<TermId>> = variables.into_iter().collect();
        Ok(variables.zip(body))
    }

    fn role(&self, header: &Header) -> Role {
        let integers = header.variables.iter().all(|&(_, term)| self.pool.sort(term) == Sort::Int);
        let arity = header.variables.len();
        if !integers || !(1..=2).contains(&arity) || self.declared_function(header.name).is_some() {
            return Role::Function;
        }
        match self.pool.symbols().bytes_of(header.name) {
            b"div0" | b"@int_div_by_zero" => Role::DivisionByZero,
            b"mod0" | b"@mod_by_zero" => Role::ModuloByZero,
            _ => Role::Function,
        }
    }

    /// `((term value) …)`, after the outer parenthesis.
    fn pairs(&mut self, replies: &mut ModelReplies) -> Step<()> {
        replies.found = true;
        replies.seen.begin_reply();
        loop {
            let token = self.lexer.next_token();
            match token.kind {
                TokenKind::Close => return Ok(()),
                TokenKind::Open => {}
                _ => return Err(self.unexpected(token, "a pair `(term value)` or `)`")),
            }
            let begin = self.lexer.position();
            let first = self.lexer.next_token();
            if matches!(first.kind, TokenKind::Symbol | TokenKind::QuotedSymbol) {
                let symbol = self.symbol(first)?;
                // A function that the script defines keeps its definition; the solver only repeats it.
                if let Some(function) = self.declared_function(symbol)
                    && self.pool.function(function).definition.is_none()
                {
                    let entry = self.function_value(function)?;
                    if let Some(ModelEntry::Function { variables, body, .. }) = &entry
                        && self.note_name(&mut replies.seen, symbol, (variables, *body), first.span)
                    {
                        replies.entries.extend(entry);
                    }
                    self.expect(TokenKind::Close, "`)`")?;
                    continue;
                }
            }
            self.lexer.seek(begin);
            let term = self.read_term()?;
            let value = self.read_term()?;
            self.expect(TokenKind::Close, "`)`")?;
            let (Some(term), Some(value)) = (term, value) else { continue };
            if self.pool.sort(term) != self.pool.sort(value) {
                let message = "the value has another sort than its term".to_owned();
                self.collector.error(Code::Sort, token.span, message, None);
                continue;
            }
            if self.note_value(&mut replies.seen, term, value, token.span) {
                replies.entries.push(ModelEntry::Value { term, value });
            }
        }
    }

    /// The value of a declared constant or function in a pair.
    fn function_value(&mut self, function: FunctionId) -> Step<Option<ModelEntry>> {
        let declared = self.pool.function(function);
        let (parameters, result) = (declared.parameters.clone(), declared.result);
        let begin = self.lexer.position();
        if parameters.is_empty() {
            let body = self.read_value_term(result)?;
            return Ok(body.and_then(|body| self.fitting(function, Vec::new(), body, begin)));
        }
        let open = self.lexer.next_token();
        let head = self.lexer.next_token();
        if open.kind == TokenKind::Open && self.lexer.text(head.span) == b"lambda" {
            let lambda = self.lambda()?;
            return Ok(
                lambda.and_then(|(variables, body)| self.fitting(function, variables, body, begin))
            );
        }
        self.lexer.seek(begin);
        // Z3 prints a function of one argument as an array.
        self.function_index = parameters[0].as_basic();
        let array = self.read_term();
        self.function_index = None;
        let Some(array) = array? else { return Ok(None) };
        let name = self.pool.function(function).name;
        let variable = self.pool.variable(Variable { name, sort: parameters[0], depth: 0 });
        let selected = variable
            .and_then(|variable| Ok((variable, self.pool.op(Op::Select, &[array, variable])?)));
        let span = Span { start: begin, end: self.lexer.position() };
        match selected {
            Ok((variable, body)) => Ok(self.fitting(function, vec![variable], body, begin)),
            Err(error) => {
                self.collector.error(Code::Sort, span, error.to_string(), None);
                Ok(None)
            }
        }
    }

    fn fitting(
        &mut self,
        function: FunctionId,
        variables: Vec<TermId>,
        body: TermId,
        begin: u32,
    ) -> Option<ModelEntry> {
        let declared = self.pool.function(function);
        let sorts = variables.iter().map(|&variable| self.pool.sort(variable));
        if sorts.eq(declared.parameters.iter().copied()) && self.pool.sort(body) == declared.result
        {
            return Some(ModelEntry::Function { function, variables, body });
        }
        let span = Span { start: begin, end: self.lexer.position() };
        let message = "the value has other sorts than the function".to_owned();
        self.collector.error(Code::Sort, span, message, None);
        None
    }
}

/// `Int`, or `(String Int) Bool` for a function.
fn signature(parameters: &[Sort], result: Sort) -> String {
    if parameters.is_empty() {
        return result.to_string();
    }
    let parameters: Vec<String> = parameters.iter().map(Sort::to_string).collect();
    format!("({}) {result}", parameters.join(" "))
}

/// Commands that may stand in a model.
fn is_model_command(name: &[u8]) -> bool {
    matches!(
        name,
        b"define-fun"
            | b"define-const"
            | b"define-fun-rec"
            | b"define-funs-rec"
            | b"declare-fun"
            | b"declare-const"
            | b"declare-sort"
            | b"declare-datatypes"
            | b"forall"
    )
}
