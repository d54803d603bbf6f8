//! Bindings to the C interface of cvc5, loaded at run time; the only place where it is called.
//!
//! The functions and their types are those of `cvc5/c/cvc5.h` and `cvc5/c/cvc5_parser.h`, which
//! have been the same since 1.2.0. Strings from cvc5 are copied at once, because they are valid only
//! until the next call, and nothing is ever freed: the process ends with the script.
#![allow(unsafe_code, reason = "a C library can be called in no other way")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{self, NonNull};

use libloading::Library;

use super::libraries::Libraries;

type Object = *mut c_void;

/// `CVC5_INPUT_LANGUAGE_SMT_LIB_2_6`.
const SMT_LIB: c_int = 0;
/// `CVC5_INPUT_LANGUAGE_SYGUS_2_1`.
const SYGUS: c_int = 1;

/// The functions that are used.
struct Functions {
    term_manager_new: unsafe extern "C" fn() -> Object,
    new: unsafe extern "C" fn(Object) -> Object,
    get_version: unsafe extern "C" fn(Object) -> *const c_char,
    set_option: unsafe extern "C" fn(Object, *const c_char, *const c_char),
    get_option: unsafe extern "C" fn(Object, *const c_char) -> *const c_char,
    get_option_names: unsafe extern "C" fn(Object, *mut usize) -> *const *const c_char,
    symbol_manager_new: unsafe extern "C" fn(Object) -> Object,
    parser_new: unsafe extern "C" fn(Object, Object) -> Object,
    parser_set_str_input: unsafe extern "C" fn(Object, c_int, *const c_char, *const c_char),
    parser_next_command: unsafe extern "C" fn(Object, *mut *const c_char) -> Object,
    cmd_invoke: unsafe extern "C" fn(Object, Object, Object) -> *const c_char,
    cmd_get_name: unsafe extern "C" fn(Object) -> *const c_char,
    /// Since 1.4 a call that fails says so; before, it ended the process.
    errors: Option<ErrorFunctions>,
}

#[derive(Clone, Copy)]
struct ErrorFunctions {
    has_error: unsafe extern "C" fn() -> bool,
    get_error_message: unsafe extern "C" fn() -> *const c_char,
}

/// cvc5 with a parser.
pub struct Cvc5 {
    functions: Functions,
    solver: Object,
    symbols: Object,
    parser: Object,
}

/// A command of a script.
pub struct Command(NonNull<c_void>);

/// The library cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The system cannot load it.
    #[error("cvc5 cannot be loaded: {0}")]
    Load(libloading::Error),
    /// It is loaded, but cvc5 does not start.
    #[error("cvc5 does not start: {0}")]
    Start(String),
}

impl Cvc5 {
    /// Loads cvc5 and makes a solver.
    pub fn load(libraries: &Libraries) -> Result<Self, LoadError> {
        // The parser names the solver as a library it needs, so that one is loaded first, and
        // the names in it must be visible to the parser.
        let solver = open(&libraries.solver)?;
        let parser = open(&libraries.parser)?;
        let functions = Functions::find(&solver, &parser)?;
        // Functions of the libraries are called as long as the process lives.
        std::mem::forget((solver, parser));
        // SAFETY: these functions have no preconditions but the objects they are given, which
        // come from the calls before them.
        let (solver, symbols) = unsafe {
            let manager = (functions.term_manager_new)();
            ((functions.new)(manager), (functions.symbol_manager_new)(manager))
        };
        if solver.is_null() || symbols.is_null() {
            return Err(LoadError::Start("no solver could be made".to_owned()));
        }
        Ok(Self { functions, solver, symbols, parser: ptr::null_mut() })
    }

    /// The version of cvc5.
    pub fn version(&self) -> String {
        // SAFETY: `solver` is a solver.
        let version = unsafe { copy((self.functions.get_version)(self.solver)) };
        String::from_utf8_lossy(&version).into_owned()
    }

    /// The names of all options.
    pub fn option_names(&self) -> Vec<String> {
        let mut count = 0;
        // SAFETY: `solver` is a solver and `count` can be written to; the array that comes back
        // has `count` texts and is read before the next call.
        unsafe {
            let names = (self.functions.get_option_names)(self.solver, &raw mut count);
            if names.is_null() {
                return Vec::new();
            }
            let names = std::slice::from_raw_parts(names, count);
            names.iter().map(|&name| String::from_utf8_lossy(&copy(name)).into_owned()).collect()
        }
    }

    /// The value of an option that exists.
    pub fn option(&self, name: &str) -> Result<String, String> {
        let name = c_text(name)?;
        // SAFETY: `solver` is a solver and `name` a text that outlives the call.
        let value = unsafe { copy((self.functions.get_option)(self.solver, name.as_ptr())) };
        self.checked(String::from_utf8_lossy(&value).into_owned())
    }

    /// Sets an option.
    pub fn set_option(&self, name: &str, value: &str) -> Result<(), String> {
        let (name, value) = (c_text(name)?, c_text(value)?);
        // SAFETY: `solver` is a solver, the texts outlive the call.
        unsafe { (self.functions.set_option)(self.solver, name.as_ptr(), value.as_ptr()) };
        self.checked(())
    }

    /// Takes a script to read commands from; `name` is what messages call it.
    pub fn read(&mut self, script: Vec<u8>, name: &str, sygus: bool) -> Result<(), String> {
        let script = CString::new(script).map_err(|_| "the script has a zero byte".to_owned())?;
        let name = c_text(name)?;
        let language = if sygus { SYGUS } else { SMT_LIB };
        // SAFETY: `solver` and `symbols` are a solver and a symbol manager of one term manager,
        // and the parser is used only if there is one. cvc5 copies both texts into its input.
        unsafe {
            self.parser = (self.functions.parser_new)(self.solver, self.symbols);
            if !self.parser.is_null() {
                let set_input = self.functions.parser_set_str_input;
                set_input(self.parser, language, script.as_ptr(), name.as_ptr());
            }
        }
        self.checked(())
    }

    /// The next command; `None` at the end of the script.
    pub fn next_command(&self) -> Result<Option<Command>, String> {
        if self.parser.is_null() {
            return Ok(None);
        }
        let mut error: *const c_char = ptr::null();
        // SAFETY: `parser` is a parser that has an input, `error` can be written to, and what is
        // written there is read before the next call.
        let (command, error) = unsafe {
            let next = self.functions.parser_next_command;
            let command = next(self.parser, &raw mut error);
            (command, (!error.is_null()).then(|| copy(error)))
        };
        match error {
            Some(error) => Err(String::from_utf8_lossy(&error).into_owned()),
            None => self.checked(NonNull::new(command).map(Command)),
        }
    }

    /// The name of a command, such as `check-sat`.
    pub fn name(&self, command: &Command) -> String {
        // SAFETY: `command` came from the parser, which is never freed.
        let name = unsafe { copy((self.functions.cmd_get_name)(command.0.as_ptr())) };
        String::from_utf8_lossy(&name).into_owned()
    }

    /// Carries out a command and gives what it prints.
    pub fn invoke(&self, command: &Command) -> Result<Vec<u8>, String> {
        let invoke = self.functions.cmd_invoke;
        // SAFETY: `command` came from the parser of this solver and these symbols.
        let printed = unsafe { copy(invoke(command.0.as_ptr(), self.solver, self.symbols)) };
        self.checked(printed)
    }

    /// A result, unless the last call failed.
    fn checked<T>(&self, result: T) -> Result<T, String> {
        let Some(errors) = self.functions.errors else { return Ok(result) };
        // SAFETY: these functions have no preconditions.
        unsafe {
            match (errors.has_error)() {
                false => Ok(result),
                true => {
                    let message = copy((errors.get_error_message)());
                    Err(String::from_utf8_lossy(&message).into_owned())
                }
            }
        }
    }
}

impl Functions {
    fn find(solver: &Library, parser: &Library) -> Result<Self, LoadError> {
        // SAFETY: the types are those of the headers of cvc5.
        unsafe {
            let has_error = symbol(solver, "cvc5_has_error").ok();
            let get_error_message = symbol(solver, "cvc5_get_error_message").ok();
            Ok(Self {
                term_manager_new: symbol(solver, "cvc5_term_manager_new")?,
                new: symbol(solver, "cvc5_new")?,
                get_version: symbol(solver, "cvc5_get_version")?,
                set_option: symbol(solver, "cvc5_set_option")?,
                get_option: symbol(solver, "cvc5_get_option")?,
                get_option_names: symbol(solver, "cvc5_get_option_names")?,
                symbol_manager_new: symbol(parser, "cvc5_symbol_manager_new")?,
                parser_new: symbol(parser, "cvc5_parser_new")?,
                parser_set_str_input: symbol(parser, "cvc5_parser_set_str_input")?,
                parser_next_command: symbol(parser, "cvc5_parser_next_command")?,
                cmd_invoke: symbol(parser, "cvc5_cmd_invoke")?,
                cmd_get_name: symbol(parser, "cvc5_cmd_get_name")?,
                errors: has_error.zip(get_error_message).map(|(has_error, get_error_message)| {
                    ErrorFunctions { has_error, get_error_message }
                }),
            })
        }
    }
}

/// Loads a library so that libraries loaded later see it.
fn open(path: &std::path::Path) -> Result<Library, LoadError> {
    // SAFETY: loading a library runs its initialisation. The user asked for cvc5 to be run.
    #[cfg(unix)]
    unsafe {
        use libloading::os::unix::{Library as UnixLibrary, RTLD_GLOBAL, RTLD_NOW};
        let library = UnixLibrary::open(Some(path), RTLD_NOW | RTLD_GLOBAL);
        library.map(Library::from).map_err(LoadError::Load)
    }
    // SAFETY: as above.
    #[cfg(not(unix))]
    unsafe {
        Library::new(path).map_err(LoadError::Load)
    }
}

/// A function of a library.
///
/// # Safety
/// `T` must be the type of the function of this name.
unsafe fn symbol<T: Copy>(library: &Library, name: &str) -> Result<T, LoadError> {
    // SAFETY: the caller knows the type.
    unsafe { library.get::<T>(name).map(|symbol| *symbol).map_err(LoadError::Load) }
}

/// A copy of a text of cvc5; nothing at all is the empty text.
///
/// # Safety
/// `text` must be null or a text that ends with a zero byte.
unsafe fn copy(text: *const c_char) -> Vec<u8> {
    if text.is_null() {
        return Vec::new();
    }
    // SAFETY: the caller knows that it is a text.
    unsafe { CStr::from_ptr(text).to_bytes().to_vec() }
}

fn c_text(text: &str) -> Result<CString, String> {
    CString::new(text).map_err(|_| format!("`{}` has a zero byte", text.replace('\0', "\\0")))
}
