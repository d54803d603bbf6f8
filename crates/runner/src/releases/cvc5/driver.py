"""Does what the executable of cvc5 does, through the Python module of cvc5 1.0.9 to 1.1.2.

Started as: python3 -I -S -B -c THIS FOLDER [ARGUMENT …], where FOLDER has the module and the rest
is the command line of cvc5. The rules are those of arguments.rs and shell.rs.
"""

import os
import select
import signal
import sys

# Options that the executable carries out itself, so that to the library they mean nothing.
OF_EXECUTABLE = {
    "dump-difficulty", "dump-instantiations", "dump-models", "dump-proofs", "dump-unsat-cores",
    "help", "interactive", "parse-only", "portfolio-jobs", "use-portfolio",
}
SHORT = {
    "-h": "help", "-i": "incremental", "-L": "lang", "-m": "produce-models", "-q": "quiet",
    "-V": "version", "-v": "verbose",
}
# Options that only say something and have no value to show for it.
NEVER_WITH_VALUE = {"help", "quiet", "verbose", "version"}


class Wrong(Exception):
    """Something that cvc5 cannot be asked to do; its text says what."""


class WrongOption(Wrong):
    """Something on the command line that cannot be understood."""

    def __str__(self):
        return "Error in option parsing: " + super().__str__()


class Arguments:
    """What stands on the command line of cvc5."""

    def __init__(self, words, takes_value):
        self.version = False
        self.sygus = False
        self.milliseconds = 0
        self.options = []
        self.files = []
        words = iter(words)
        for word in words:
            if word == "-" or not word.startswith("-"):
                self.files.append(word)
                continue
            if word == "--":
                self.files.extend(words)
                break
            option = word[2:] if word.startswith("--") else SHORT.get(word)
            if option is None:
                raise unknown(word)
            name, sign, value = option.partition("=")
            if not sign:
                value = None
                if takes_value(name):
                    value = next(words, None)
                    if value is None:
                        raise unknown(word)
            self.add(name, value)
        if len(self.files) > 1:
            raise WrongOption("Too many input files specified.")

    def add(self, name, value):
        if name == "version" and value is None:
            self.version = True
        elif name in ("lang", "input-language") and value is not None:
            self.sygus = value in ("sygus", "sygus2", "sygus2.1", "sl")
            if not (self.sygus or value == "auto" or value.startswith("smt")):
                raise not_understood("lang", value)
        elif name == "tlimit" and value is not None:
            if not (value.isascii() and value.isdigit()):
                raise not_understood("tlimit", value)
            self.milliseconds = int(value)
        elif name in OF_EXECUTABLE or name.startswith("stats"):
            raise WrongOption(
                f"option `--{name}' needs the executable of cvc5; here only its library runs"
            )
        else:
            self.options.append((name, value))


def unknown(word):
    return WrongOption(f"can't understand option `{word}'")


def not_understood(name, value):
    return WrongOption(f"Argument '{value}' for option {name} is not understood")


def load(folder):
    """The module of cvc5, and nothing else that this Python may have."""
    sys.path.insert(0, folder)
    try:
        import cvc5
    except ImportError as error:
        # Such a module fits one version of Python only, and its name says which.
        names = os.listdir(os.path.join(folder, "cvc5"))
        made_for = [name.split(".")[1] for name in names if name.startswith("cvc5_python_base.")]
        here = sys.implementation.cache_tag
        raise Wrong(
            f"cvc5 cannot be loaded: {error} (it is made for {', '.join(made_for)}, and "
            f"{sys.executable} is {here}; remove this release and install it again)"
        )
    return cvc5


def end_after(milliseconds):
    """Ends this process after a while as the executable does.

    cvc5 keeps Python from running anything else while it solves, so another process has to watch
    the clock. It ends with this one, because then the last writer of the pipe is gone.
    """
    reader, writer = os.pipe()
    solver = os.getpid()
    if os.fork() != 0:
        os.close(reader)
        return
    os.close(writer)
    os.closerange(0, 2)
    if not select.select([reader], [], [], milliseconds / 1000)[0]:
        os.write(2, b"cvc5 interrupted by timeout.\n")
        os.kill(solver, signal.SIGABRT)
    os._exit(0)


def set_options(solver, names, options, sygus):
    # The executable solves one query unless it is told otherwise; the library would not.
    solver.setOption("incremental", "false")
    # In its own language cvc5 would print `unknown (TIMEOUT)`, which the executable does not.
    if not sygus:
        solver.setOption("output-language", "smt2")
    for name, value in options:
        if name in names:
            solver.setOption(name, "true" if value is None else value)
        elif value is None and name.startswith("no-") and name[3:] in names:
            solver.setOption(name[3:], "false")
        else:
            raise unknown("--" + name)


def solve(parser, solver, symbols):
    """Carries out the commands of the script; gives the exit code."""
    while True:
        try:
            command = parser.nextCommand()
        except Exception as error:
            print_error(1, f"Parse Error: {error}")
            return 1
        if command.isNull():
            return 0
        name = command.getCommandName()
        try:
            printed = command.invoke(solver, symbols)
        except Exception as error:
            print_error(1, error)
            return 1
        write(1, printed)
        # The executable goes on after a question that has no answer, such as for the model of a
        # script that has none, and ends after any other error.
        if printed.startswith("(error ") and not name.startswith("get-"):
            return 1
        if name == "exit":
            return 0


def run(folder, words):
    """Gives the exit code."""
    cvc5 = load(folder)
    solver = cvc5.Solver()
    names = set(solver.getOptionNames())

    def takes_value(name):
        # An option that is neither true nor false needs a value.
        if name in NEVER_WITH_VALUE or name not in names:
            return False
        return solver.getOption(name) not in ("true", "false")

    arguments = Arguments(words, takes_value)
    if arguments.version:
        version = solver.getVersion()
        version = version.decode() if isinstance(version, bytes) else version
        write(1, f"This is cvc5 version {version}\n")
        return 0
    set_options(solver, names, arguments.options, arguments.sygus)
    if arguments.milliseconds:
        end_after(arguments.milliseconds)
    symbols = cvc5.SymbolManager(solver)
    parser = cvc5.InputParser(solver, symbols)
    language = cvc5.InputLanguage.SYGUS_2_1 if arguments.sygus else cvc5.InputLanguage.SMT_LIB_2_6
    file = arguments.files[0] if arguments.files else "-"
    parser.setFileInput(language, "/dev/stdin" if file == "-" else file)
    return solve(parser, solver, symbols)


def print_error(output, message):
    """An error as SMT-LIB wants it. A quotation mark inside would end it."""
    message = str(message).rstrip().replace('"', '""')
    write(output, f'(error "{message}")\n')


def write(output, text):
    """Writes all of it at once, without a buffer that could be lost."""
    rest = text.encode("utf-8", "surrogateescape")
    while rest:
        rest = rest[os.write(output, rest):]


def main():
    # Python would note these signals and go on solving.
    for number in (signal.SIGINT, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    try:
        code = run(sys.argv[1], sys.argv[2:])
    except Exception as error:
        print_error(2, error)
        code = 1
    sys.exit(code)


main()
