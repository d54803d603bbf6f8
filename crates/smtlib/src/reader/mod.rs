//! The reader: bytes to commands over hash-consed terms, in one pass.
//!
//! Names are resolved, sorts checked and equal terms shared while reading; there is no syntax tree.
//! Reading never fails: it returns the commands that could be read and diagnostics for the rest. The
//! *generous* mode accepts everything whose meaning is unambiguous and warns where the standard does
//! not allow it; the *strict* mode accepts the standard only. No function recurses over the input.

mod applications;
mod attributes;
mod bindings;
mod builtins;
mod collector;
mod commands;
mod declarations;
mod identifiers;
mod incremental;
mod leaves;
mod legacy_semantics;
mod named_terms;
mod quantifiers;
mod recursive;
mod sorts;
mod term_cache;
mod terms;

use luthier_terms::{BasicSort, FunctionId, Sort, SymbolId, TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostic::Code;
use crate::dialect::Dialect;
use crate::dialect::detect::{Detection, Reason, detect};
use crate::lexer::{Lexer, Token, TokenKind, is_command, is_reserved};
use crate::script::{Assertion, Command, CommandKind, ParsedScript, Script};
use crate::source::{MAX_SOURCE_BYTES, Span};
use bindings::{Binding, Bindings};
use collector::Collector;
pub use incremental::{CommandReader, NotRead};
use term_cache::TermCache;
use terms::TermMachine;

/// How much the reader accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// Everything whose meaning is clear; what the standard does not allow is a warning.
    #[default]
    Generous,
    /// Only what the standard allows.
    Strict,
}

/// How to read.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions {
    /// The dialect; detected if it is not given.
    pub dialect: Option<Dialect>,
    /// How much to accept.
    pub mode: Mode,
}

/// Reads a script. Never fails: what is wrong stands in the diagnostics.
pub fn read_script(pool: &mut TermPool, bytes: &[u8], options: &ReadOptions) -> ParsedScript {
    if bytes.len() > MAX_SOURCE_BYTES {
        return too_long(bytes.len());
    }
    let detection = match options.dialect {
        Some(dialect) => Detection { dialect, reason: Reason::Chosen, mixed_escapes: None },
        None => detect(bytes),
    };
    let mut reader = Reader::new(pool, bytes, detection.dialect, options.mode);
    if let Some(span) = detection.mixed_escapes {
        reader.report_mixed_escapes(span);
    }
    reader.read_commands();
    let Reader { script, collector, .. } = reader;
    ParsedScript { script, detection, diagnostics: collector.finish() }
}

fn too_long(length: usize) -> ParsedScript {
    let mut collector = Collector::new(Mode::Generous);
    collector.error(
        Code::TooLong,
        Span::default(),
        format!("the text has {length} bytes; at most {MAX_SOURCE_BYTES} can be read"),
        None,
    );
    ParsedScript {
        script: Script::default(),
        detection: detect(b""),
        diagnostics: collector.finish(),
    }
}

/// A syntax error was reported; the rest of the command is skipped.
pub(crate) struct Skip;

/// The result of a step that a syntax error can end.
pub(crate) type Step<T> = Result<T, Skip>;

/// The state of reading one text.
pub(crate) struct Reader<'a, 'p> {
    pub(crate) pool: &'p mut TermPool,
    pub(crate) lexer: Lexer<'a>,
    pub(crate) dialect: Dialect,
    pub(crate) collector: Collector,
    pub(crate) script: Script,
    bindings: Bindings,
    machine: TermMachine,
    /// Literals and numerals by their text: files repeat them thousands of times.
    literals: FxHashMap<&'a [u8], TermId>,
    term_cache: TermCache,
    /// The generation in which a recursive function was defined last, by its name.
    generations: FxHashMap<SymbolId, u32>,
    /// How many binders outside of the term that is read are open: parameters of a definition.
    enclosing_scopes: usize,
    quantifier_free_logic: bool,
    /// Functions that a model defines and the script does not.
    helpers: FxHashSet<FunctionId>,
    /// The sort of the argument of the function whose value is read, in a model.
    pub(crate) function_index: Option<BasicSort>,
    /// What is read is a model, in which solvers write more than in scripts.
    model: bool,
    /// Integers with more digits are not read.
    pub(crate) integer_digits: usize,
    /// Which limit was exceeded first.
    pub(crate) exceeded: Option<String>,
    /// The text is one command of a conversation: if it is wrong, it must change nothing.
    reads_one_command: bool,
}

impl<'a, 'p> Reader<'a, 'p> {
    pub(crate) fn new(
        pool: &'p mut TermPool,
        bytes: &'a [u8],
        dialect: Dialect,
        mode: Mode,
    ) -> Self {
        let bindings = Bindings::with_builtins(pool);
        Self::with_bindings(pool, bytes, dialect, mode, bindings)
    }

    /// A reader for which names mean something already.
    fn with_bindings(
        pool: &'p mut TermPool,
        bytes: &'a [u8],
        dialect: Dialect,
        mode: Mode,
        bindings: Bindings,
    ) -> Self {
        Self {
            pool,
            lexer: Lexer::new(bytes, dialect.quotes()),
            dialect,
            collector: Collector::new(mode),
            script: Script::default(),
            bindings,
            machine: TermMachine::default(),
            literals: FxHashMap::default(),
            term_cache: TermCache::new(bytes.len()),
            generations: FxHashMap::default(),
            enclosing_scopes: 0,
            quantifier_free_logic: false,
            helpers: FxHashSet::default(),
            integer_digits: usize::MAX,
            exceeded: None,
            function_index: None,
            model: false,
            reads_one_command: false,
        }
    }

    /// Prepares for reading a model: the names of the script mean what they mean there. Of a name
    /// that is declared more than once, in scopes that end, the last meaning counts.
    pub(crate) fn for_model(&mut self, script: &Script) {
        self.model = true;
        for command in &script.commands {
            match &command.kind {
                CommandKind::Declare { function, .. } | CommandKind::Define { function, .. } => {
                    self.bind_function(*function);
                }
                CommandKind::DefineRecursive(functions) => {
                    functions.iter().for_each(|&function| self.bind_function(function));
                }
                CommandKind::DefineSort(name, sort) => self.bindings.set_sort(*name, *sort),
                CommandKind::Assert(Assertion { term, name: Some(name), .. }) => {
                    self.bindings.set(*name, Binding::Term(*term));
                }
                _ => {}
            }
        }
    }

    fn bind_function(&mut self, function: FunctionId) {
        let name = self.pool.function(function).name;
        self.bindings.set(name, Binding::Function(function));
    }

    /// The function that a script declares by a name.
    pub(crate) fn declared_function(&self, name: SymbolId) -> Option<FunctionId> {
        match self.bindings.get(name) {
            Binding::Function(function) if !self.helpers.contains(&function) => Some(function),
            _ => None,
        }
    }

    /// Whether the script gives this name to a term of its own.
    pub(crate) fn is_named_term(&self, name: SymbolId) -> bool {
        matches!(self.bindings.get(name), Binding::Term(_))
    }

    /// Declares a function that a solver made up.
    pub(crate) fn helper_function(
        &mut self,
        name: SymbolId,
        parameters: Vec<Sort>,
        result: Sort,
        span: Span,
    ) -> Step<FunctionId> {
        match self.pool.declare(name, parameters, result) {
            Ok(function) => {
                self.term_cache.meaning_changed();
                self.bindings.set(name, Binding::Function(function));
                self.helpers.insert(function);
                Ok(function)
            }
            Err(error) => {
                self.collector.error(Code::PoolFull, span, error.to_string(), None);
                Err(Skip)
            }
        }
    }

    /// A place to undo bindings to.
    pub(crate) fn bindings_mark(&self) -> usize {
        self.bindings.mark()
    }

    /// Undoes bindings.
    pub(crate) fn undo_bindings(&mut self, mark: usize) {
        self.bindings.undo_to(mark);
    }

    /// Reads a term below variables that are bound outside of it.
    pub(crate) fn read_term_in_scope(&mut self) -> Step<Option<TermId>> {
        self.enclosing_scopes += 1;
        let term = self.read_term();
        self.enclosing_scopes -= 1;
        term
    }

    /// Binds variables again, in another place than where their list was read.
    pub(crate) fn bind_again(&mut self, variables: &[(SymbolId, TermId)]) {
        for &(name, variable) in variables {
            self.bindings.set_variable(name, self.pool.sort(variable), variable);
        }
    }

    fn report_mixed_escapes(&mut self, span: Span) {
        let message = match self.dialect {
            Dialect::Z3Transition => {
                "legacy and standard escapes in one script: both are decoded, as Z3 4.8.9 does"
            }
            _ => "a backslash sequence of older dialects; it is read as plain text, by 2.6",
        };
        let hint = "if that is wrong, name the dialect to read it in";
        self.collector.warning(Code::MixedEscapes, span, message.to_owned(), Some(hint));
    }

    /// The name a symbol token writes.
    pub(crate) fn name_of(&self, token: Token) -> &'a [u8] {
        let text = self.lexer.text(token.span);
        match token.kind {
            TokenKind::QuotedSymbol => &text[1..text.len() - 1],
            _ => text,
        }
    }

    /// Interns the name of a symbol token.
    pub(crate) fn symbol(&mut self, token: Token) -> Step<SymbolId> {
        let name = self.name_of(token);
        if token.kind == TokenKind::QuotedSymbol && memchr::memchr(b'\\', name).is_some() {
            self.collector.leniency(
                Code::IllegalByte,
                0,
                token.span,
                || "a backslash in a quoted symbol".to_owned(),
                Some("the standard allows everything but bars and backslashes"),
            );
        }
        match self.pool.symbols_mut().intern(name) {
            Ok(symbol) => Ok(symbol),
            Err(error) => {
                self.collector.error(Code::PoolFull, token.span, error.to_string(), None);
                Err(Skip)
            }
        }
    }

    /// Reads a token that must be of one kind.
    pub(crate) fn expect(&mut self, kind: TokenKind, what: &str) -> Step<Token> {
        let token = self.lexer.next_token();
        if token.kind == kind { Ok(token) } else { Err(self.unexpected(token, what)) }
    }

    /// Reads a symbol, quoted or not, that is no reserved word.
    pub(crate) fn expect_symbol(&mut self, what: &str) -> Step<(SymbolId, Token)> {
        let token = self.lexer.next_token();
        match token.kind {
            TokenKind::Symbol if is_reserved(self.lexer.text(token.span)) => {
                let name = self.text_of(token.span);
                let message = format!("expected {what}, found the reserved word `{name}`");
                let hint = format!("as a name it is written |{name}|");
                self.collector.error(Code::UnexpectedToken, token.span, message, Some(&hint));
                Err(Skip)
            }
            TokenKind::Symbol | TokenKind::QuotedSymbol => {
                let symbol = self.symbol(token)?;
                if token.kind == TokenKind::Symbol && is_command(self.lexer.text(token.span)) {
                    let name = self.text_of(token.span);
                    self.collector.leniency(
                        Code::UnexpectedToken,
                        symbol.index() as u64,
                        token.span,
                        || format!("`{name}` is the name of a command"),
                        Some("the standard writes it between bars when it names something else"),
                    );
                }
                Ok((symbol, token))
            }
            _ => Err(self.unexpected(token, what)),
        }
    }

    /// Reports a token that may not stand where it stands.
    pub(crate) fn unexpected(&mut self, token: Token, expected: &str) -> Skip {
        let text = self.lexer.text(token.span);
        let shown = shorten(text, 40);
        let (code, message, hint) = match token.kind {
            TokenKind::End => (
                Code::UnterminatedCommand,
                format!("the text ends here; expected {expected}"),
                Some("a closing parenthesis is missing, or the file was cut off"),
            ),
            TokenKind::UnterminatedString => (
                Code::UnterminatedString,
                "this string literal has no closing quotation mark".to_owned(),
                Some("inside a literal a quotation mark is written twice"),
            ),
            TokenKind::UnterminatedSymbol => {
                (Code::UnterminatedSymbol, "this symbol has no closing bar".to_owned(), None)
            }
            TokenKind::Illegal => (
                Code::IllegalByte,
                format!("{} cannot stand here; expected {expected}", describe_illegal(text)),
                None,
            ),
            _ => (Code::UnexpectedToken, format!("expected {expected}, found `{shown}`"), None),
        };
        self.collector.error(code, token.span, message, hint);
        Skip
    }

    fn push_command(&mut self, kind: CommandKind, start: u32) {
        let span = Span { start, end: self.lexer.position() };
        self.script.commands.push(Command { kind, span });
    }
}

/// A piece of text for a message: on one line, and not longer than `limit` bytes.
pub(crate) fn shorten(text: &[u8], limit: usize) -> String {
    let shown = String::from_utf8_lossy(&text[..text.len().min(limit)]);
    let shown = shown.chars().map(|c| if c.is_control() { ' ' } else { c });
    shown.chain((text.len() > limit).then_some('…')).collect()
}

fn describe_illegal(text: &[u8]) -> String {
    match std::str::from_utf8(text) {
        Ok(text) if !text.chars().any(char::is_control) => {
            format!("`{}`", text.chars().take(40).collect::<String>())
        }
        _ => format!("byte 0x{:02x}", text.first().copied().unwrap_or(0)),
    }
}
