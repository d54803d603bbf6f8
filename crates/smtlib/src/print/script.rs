//! Prints commands: declarations, definitions, attributes, and comments of the source between them.

use luthier_terms::{FunctionId, Sort, TermId, TermPool};

use super::layout::lay_out;
use super::terms::TermPrinter;
use super::{CannotExpress, PrintOptions, Printed};
use crate::dialect::Dialect;
use crate::lexer::{Lexer, Quotes, TokenKind, quote_string, unquote_string};
use crate::script::{Attribute, AttributeValue, Command, CommandKind, Script};

pub(super) fn print(
    pool: &TermPool,
    script: &Script,
    options: &PrintOptions,
    source: Option<&[u8]>,
) -> Result<Printed, CannotExpress> {
    let dialect = options.dialect;
    let mut printer =
        ScriptPrinter { pool, dialect, terms: TermPrinter::for_script(pool, dialect) };
    let declares_version = script.commands.iter().any(|command| printer.is_version(command));
    if dialect.is_standard() && !declares_version {
        // The text declares its own dialect.
        let version = dialect.smt_lib_version();
        printer.terms.text(&format!("(set-info :smt-lib-version {version})\n"));
    }
    let source = source.unwrap_or_default();
    let mut end = 0;
    for command in &script.commands {
        let gap = source.get(end..command.span.start as usize).unwrap_or_default();
        printer.comments(gap);
        end = command.span.end as usize;
        let length = printer.terms.length();
        printer.command(command)?;
        match options.width {
            Some(width) => {
                let flat = printer.terms.take_from(length);
                printer.terms.bytes(&lay_out(&flat, dialect.quotes(), width));
            }
            None => printer.terms.text("\n"),
        }
    }
    printer.comments(source.get(end..).unwrap_or_default());
    let (bytes, notes) = printer.terms.finish();
    Ok(Printed { bytes, notes })
}

struct ScriptPrinter<'a> {
    pool: &'a TermPool,
    dialect: Dialect,
    terms: TermPrinter<'a>,
}

impl ScriptPrinter<'_> {
    fn is_version(&self, command: &Command) -> bool {
        match &command.kind {
            CommandKind::SetInfo(attribute) => {
                self.pool.symbols().bytes_of(attribute.keyword) == b":smt-lib-version"
            }
            _ => false,
        }
    }

    /// Writes the comments in what stands between two commands.
    fn comments(&mut self, gap: &[u8]) {
        for line in gap.split(|byte| matches!(byte, b'\n' | b'\r')) {
            let line = line.trim_ascii();
            if line.starts_with(b";") {
                self.terms.bytes(line);
                self.terms.text("\n");
            }
        }
    }

    fn command(&mut self, command: &Command) -> Result<(), CannotExpress> {
        match &command.kind {
            CommandKind::SetLogic(logic) => {
                self.terms.text("(set-logic ");
                self.terms.symbol(*logic)?;
            }
            CommandKind::SetInfo(_) if self.is_version(command) => {
                let version = self.dialect.smt_lib_version();
                self.terms.text(&format!("(set-info :smt-lib-version {version}"));
            }
            CommandKind::SetInfo(attribute) => self.attribute("(set-info ", attribute),
            CommandKind::SetOption(attribute) => self.attribute("(set-option ", attribute),
            CommandKind::Declare { function, constant } => self.declare(*function, *constant)?,
            CommandKind::Define { function, constant } => {
                self.terms.text(if *constant { "(define-const " } else { "(define-fun " });
                self.signature(*function, *constant)?;
                self.terms.text(" ");
                self.body(*function)?;
            }
            CommandKind::DefineRecursive(functions) => self.define_recursive(functions)?,
            CommandKind::DefineSort(name, sort) => {
                self.terms.text("(define-sort ");
                self.terms.symbol(*name)?;
                self.terms.text(" () ");
                self.terms.sort(*sort)?;
            }
            CommandKind::Assert(assertion) => {
                self.terms.text("(assert ");
                if assertion.name.is_some() {
                    self.terms.text("(! ");
                }
                self.terms.print(assertion.term, assertion.uses_let)?;
                if let Some(name) = assertion.name {
                    self.terms.text(" :named ");
                    self.terms.symbol(name)?;
                    self.terms.text(")");
                }
            }
            CommandKind::CheckSat => self.terms.text("(check-sat"),
            CommandKind::CheckSatAssuming(terms) => self.list("(check-sat-assuming (", terms)?,
            CommandKind::GetValue(terms) => self.list("(get-value (", terms)?,
            CommandKind::Simplify(term) => {
                self.terms.text("(simplify ");
                self.terms.print(*term, false)?;
            }
            CommandKind::Push(count) => self.terms.text(&format!("(push {count}")),
            CommandKind::Pop(count) => self.terms.text(&format!("(pop {count}")),
            CommandKind::Reset => self.terms.text("(reset"),
            CommandKind::ResetAssertions => self.terms.text("(reset-assertions"),
            CommandKind::GetInfo(keyword) => {
                self.terms.text("(get-info ");
                self.terms.bytes(self.pool.symbols().bytes_of(*keyword));
            }
            CommandKind::GetOption(keyword) => {
                self.terms.text("(get-option ");
                self.terms.bytes(self.pool.symbols().bytes_of(*keyword));
            }
            CommandKind::Echo(text) => {
                self.terms.text("(echo ");
                self.quoted(text);
            }
            CommandKind::Simple(simple) => {
                self.terms.text("(");
                self.terms.text(simple.name());
            }
        }
        self.terms.text(")");
        Ok(())
    }

    fn attribute(&mut self, head: &str, attribute: &Attribute) {
        self.terms.text(head);
        self.terms.bytes(self.pool.symbols().bytes_of(attribute.keyword));
        match &attribute.value {
            AttributeValue::None => {}
            AttributeValue::String(text) => {
                self.terms.text(" ");
                self.quoted(text);
            }
            AttributeValue::Other(text) => {
                self.terms.text(" ");
                self.list_text(text);
            }
        }
    }

    fn quoted(&mut self, text: &[u8]) {
        let mut quoted = Vec::new();
        quote_string(text, self.dialect.quotes(), &mut quoted);
        self.terms.bytes(&quoted);
    }

    /// A value that is no literal; inside a list there may be some.
    fn list_text(&mut self, text: &[u8]) {
        if self.dialect.quotes() == Quotes::Doubled {
            return self.terms.bytes(text);
        }
        let mut lexer = Lexer::new(text, Quotes::Doubled);
        let mut copied = 0;
        loop {
            let token = lexer.next_token();
            match token.kind {
                TokenKind::End => return self.terms.bytes(&text[copied..]),
                TokenKind::String => {
                    self.terms.bytes(&text[copied..token.span.start as usize]);
                    self.quoted(&unquote_string(lexer.text(token.span), Quotes::Doubled));
                    copied = token.span.end as usize;
                }
                _ => {}
            }
        }
    }

    fn declare(&mut self, function: FunctionId, constant: bool) -> Result<(), CannotExpress> {
        let function = self.pool.function(function);
        self.terms.text(if constant { "(declare-const " } else { "(declare-fun " });
        self.terms.symbol(function.name)?;
        self.terms.text(" ");
        if !constant {
            self.sorts(&function.parameters)?;
            self.terms.text(" ");
        }
        self.terms.sort(function.result)?;
        Ok(())
    }

    fn sorts(&mut self, sorts: &[Sort]) -> Result<(), CannotExpress> {
        self.terms.text("(");
        for (position, &sort) in sorts.iter().enumerate() {
            if position > 0 {
                self.terms.text(" ");
            }
            self.terms.sort(sort)?;
        }
        self.terms.text(")");
        Ok(())
    }

    /// `f ((x S) …) R`, and keeps the names of the parameters for the body.
    fn signature(&mut self, id: FunctionId, constant: bool) -> Result<(), CannotExpress> {
        let function = self.pool.function(id);
        self.terms.symbol(function.name)?;
        self.terms.text(" ");
        if !constant {
            self.bind_parameters(id)?;
            self.terms.text(" ");
        }
        self.terms.sort(function.result)?;
        Ok(())
    }

    fn bind_parameters(&mut self, id: FunctionId) -> Result<(), CannotExpress> {
        let definition = self.pool.function(id).definition.as_ref();
        if let Some(definition) = definition
            && let Some(body) = definition.body()
        {
            self.terms.parameters(definition.variables(), body)?;
        }
        Ok(())
    }

    fn body(&mut self, id: FunctionId) -> Result<(), CannotExpress> {
        let definition = self.pool.function(id).definition.as_ref();
        if let Some(body) = definition.and_then(|definition| definition.body()) {
            self.terms.print(body, false)?;
        }
        self.terms.end_parameters();
        Ok(())
    }

    fn define_recursive(&mut self, functions: &[FunctionId]) -> Result<(), CannotExpress> {
        if let [function] = *functions {
            self.terms.text("(define-fun-rec ");
            self.signature(function, false)?;
            self.terms.text(" ");
            return self.body(function);
        }
        self.terms.text("(define-funs-rec (");
        for (position, &function) in functions.iter().enumerate() {
            self.terms.text(if position == 0 { "(" } else { " (" });
            self.signature(function, false)?;
            self.terms.text(")");
            self.terms.end_parameters();
        }
        self.terms.text(") (");
        for (position, &function) in functions.iter().enumerate() {
            if position > 0 {
                self.terms.text(" ");
            }
            // The same choice of names as in the list of signatures.
            let definition = self.pool.function(function).definition.as_ref();
            if let Some(definition) = definition
                && let Some(body) = definition.body()
            {
                self.terms.rebind_parameters(definition.variables(), body)?;
            }
            self.body(function)?;
        }
        self.terms.text(")");
        Ok(())
    }

    fn list(&mut self, head: &str, terms: &[TermId]) -> Result<(), CannotExpress> {
        self.terms.text(head);
        for (position, &term) in terms.iter().enumerate() {
            if position > 0 {
                self.terms.text(" ");
            }
            self.terms.print(term, false)?;
        }
        self.terms.text(")");
        Ok(())
    }
}
