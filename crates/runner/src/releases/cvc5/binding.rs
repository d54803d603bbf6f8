//! cvc5 through its Python module, for releases whose libraries have no C interface.
//!
//! A compiled Python module fits one version of Python, so the interpreter that it was chosen for
//! is recorded beside it. The module lies in the folder of the release; nothing is installed into
//! that Python, and packages that are installed there are not visible to the module.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::releases::python::Python;

/// Where the interpreter is noted.
const NOTE: &str = "python.json";
/// Where the module is: the name under which it is imported.
const MODULE: &str = "cvc5";
/// Where the module looks for its libraries.
const LIBRARIES: &str = "cvc5.libs";
/// Does what the executable of cvc5 does.
const DRIVER: &str = include_str!("driver.py");

/// A Python module of cvc5 with the Python that runs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    folder: PathBuf,
    python: Python,
}

impl Binding {
    /// The binding in a folder, if there is one.
    pub fn in_folder(folder: &Path) -> io::Result<Option<Self>> {
        let text = match fs::read(folder.join(NOTE)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let python = serde_json::from_slice(&text)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        Ok(Some(Self { folder: folder.to_owned(), python }))
    }

    /// Notes for which Python the module in a folder is.
    pub(crate) fn note(folder: &Path, python: &Python) -> io::Result<()> {
        let text = serde_json::to_vec_pretty(python).map_err(io::Error::other)?;
        fs::write(folder.join(NOTE), text)
    }

    /// Where the files of the module belong in a folder.
    pub(crate) fn module_folder(folder: &Path) -> PathBuf {
        folder.join(MODULE)
    }

    /// Where its libraries belong in a folder.
    pub(crate) fn libraries_folder(folder: &Path) -> PathBuf {
        folder.join(LIBRARIES)
    }

    /// How to run cvc5 with its own command line.
    fn command(&self, arguments: &[OsString]) -> Command {
        let mut command = Command::new(&self.python.executable);
        // Alone (-I: no module from the working folder or PYTHONPATH), without installed packages (-S), and leaving nothing behind (-B).
        command.args(["-I", "-S", "-B", "-c", DRIVER]).arg(&self.folder).args(arguments);
        command
    }

    /// Becomes cvc5; comes back only if that fails, and says why.
    #[cfg(unix)]
    pub(super) fn become_cvc5(&self, arguments: &[OsString]) -> Result<u8, String> {
        use std::os::unix::process::CommandExt as _;
        Err(self.not_started(&self.command(arguments).exec()))
    }

    /// Runs cvc5 and gives its exit code.
    #[cfg(not(unix))]
    pub(super) fn become_cvc5(&self, arguments: &[OsString]) -> Result<u8, String> {
        let status = self.command(arguments).status().map_err(|error| self.not_started(&error))?;
        Ok(u8::from(!status.success()))
    }

    fn not_started(&self, error: &io::Error) -> String {
        let Python { executable, version, .. } = &self.python;
        format!(
            "this release needs Python {version}, for which it was installed, and {} cannot be \
             started: {error}; remove this release and install it again",
            executable.display()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn python(executable: &str) -> Python {
        Python {
            executable: executable.into(),
            implementation: "cpython".to_owned(),
            version: "3.11".to_owned(),
        }
    }

    #[test]
    fn the_interpreter_is_noted_beside_the_module() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Binding::in_folder(folder.path()).unwrap(), None);
        Binding::note(folder.path(), &python("/bin/python3.11")).unwrap();
        let binding = Binding::in_folder(folder.path()).unwrap().unwrap();
        assert_eq!(binding.python, python("/bin/python3.11"));
        let command = binding.command(&["--seed".into(), "3".into()]);
        let words: Vec<_> = command.get_args().map(|one| one.to_string_lossy()).collect();
        assert_eq!(words[..4], ["-I", "-S", "-B", "-c"]);
        assert_eq!(words[5..], [&folder.path().to_string_lossy(), "--seed", "3"]);
        fs::write(folder.path().join(NOTE), "{").unwrap();
        assert!(Binding::in_folder(folder.path()).is_err());
    }

    /// A module that says what is done with it, and answers scripts by their name.
    const MODULE_FOR_TEST: &str = r#"
import time
OPTIONS = {"lang": "", "incremental": "true", "seed": "0", "strings-exp": "false"}
OPTIONS["output-language"] = "x"
class InputLanguage:
    SMT_LIB_2_6 = "smt2"
    SYGUS_2_1 = "sygus"
class Solver:
    def getVersion(self): return b"1.1.2"
    def getOptionNames(self): return list(OPTIONS)
    def getOption(self, name): return OPTIONS[name]
    def setOption(self, name, value):
        if value == "wrong": raise RuntimeError('no "wrong"')
        OPTIONS[name] = value
class SymbolManager:
    def __init__(self, solver): pass
class Command:
    def __init__(self, name): self.name = name
    def isNull(self): return self.name is None
    def getCommandName(self): return self.name
    def invoke(self, solver, symbols):
        if self.name == "sleep": time.sleep(60)
        if self.name == "throw": raise RuntimeError("thrown")
        if self.name == "options": return str(sorted(OPTIONS.items())) + "\n"
        return '(error "x")\n' if self.name in ("get-model", "push") else self.name + "\n"
class InputParser:
    def __init__(self, solver, symbols): pass
    def setFileInput(self, language, file):
        self.words = [language] + file.split(",")
    def nextCommand(self):
        if self.words[:1] == ["bad"]: raise RuntimeError('is "bad"')
        return Command(self.words.pop(0) if self.words else None)
"#;

    /// What the driver prints and how it ends when the module above is there.
    #[cfg(unix)]
    fn drive(line: &str) -> (String, String, Option<i32>) {
        let folder = tempfile::tempdir().unwrap();
        let python = crate::releases::on_search_path(["python3", "python"]).unwrap();
        Binding::note(folder.path(), &Python::ask(&python).unwrap()).unwrap();
        fs::create_dir(Binding::module_folder(folder.path())).unwrap();
        let module = Binding::module_folder(folder.path()).join("__init__.py");
        fs::write(module, MODULE_FOR_TEST).unwrap();
        let binding = Binding::in_folder(folder.path()).unwrap().unwrap();
        let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let output = binding.command(&arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr), output.status.code())
    }

    #[test]
    #[cfg(unix)]
    fn the_driver_sets_options_as_the_executable_does() {
        let options = |line: &str| drive(&format!("{line} options")).0;
        let usual = options("--lang=smt2");
        assert!(usual.contains("('incremental', 'false')"), "{usual}");
        assert!(usual.contains("('output-language', 'smt2')"), "{usual}");
        let set = options("--strings-exp --seed 7 -i");
        assert!(set.contains("('incremental', 'true')") && set.contains("('seed', '7')"), "{set}");
        assert!(set.contains("('strings-exp', 'true')"), "{set}");
        assert!(options("-i --no-incremental").contains("('incremental', 'false')"));
        assert!(options("-L sygus2").starts_with("sygus\n"));
        assert_eq!(drive("--version").0, "This is cvc5 version 1.1.2\n");
        for (line, expected) in [
            ("--unheard-of a", "Error in option parsing: can't understand option `--unheard-of'"),
            ("-x a", "Error in option parsing: can't understand option `-x'"),
            ("--lang=tptp a", "Error in option parsing: Argument 'tptp' for option lang"),
            ("--tlimit=-1 a", "Error in option parsing: Argument '-1' for option tlimit"),
            ("--dump-models a", "Error in option parsing: option `--dump-models' needs the exec"),
            ("a b", "Error in option parsing: Too many input files"),
            ("--seed=wrong a", "no \"\"wrong\"\""),
        ] {
            let (printed, error, code) = drive(line);
            assert_eq!((printed.as_str(), code), ("", Some(1)), "{line}");
            assert!(error.starts_with(&format!("(error \"{expected}")), "{line}: {error}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn the_driver_ends_where_the_executable_does() {
        for (script, expected, expected_code) in [
            ("sat,exit,no", "smt2\nsat\nexit\n", 0),
            ("sat", "smt2\nsat\n", 0),
            ("get-model,on", "smt2\n(error \"x\")\non\n", 0),
            ("push,no", "smt2\n(error \"x\")\n", 1),
            ("throw,no", "smt2\n(error \"thrown\")\n", 1),
            ("sat,bad,no", "smt2\nsat\n(error \"Parse Error: is \"\"bad\"\"\")\n", 1),
        ] {
            let (printed, error, code) = drive(script);
            assert_eq!((printed.as_str(), error.as_str()), (expected, ""), "{script}");
            assert_eq!(code, Some(expected_code), "{script}");
        }
        let (printed, error, code) = drive("--tlimit=50 sat,sleep,no");
        assert_eq!(printed, "smt2\nsat\n");
        assert_eq!((error.as_str(), code), ("cvc5 interrupted by timeout.\n", None));
    }

    #[test]
    fn a_python_that_is_gone_is_named() {
        let folder = tempfile::tempdir().unwrap();
        Binding::note(folder.path(), &python("/nonexistent/python")).unwrap();
        let binding = Binding::in_folder(folder.path()).unwrap().unwrap();
        let problem = binding.become_cvc5(&[]).unwrap_err();
        assert!(problem.contains("Python 3.11") && problem.contains("/nonexistent"), "{problem}");
    }
}
