"""pysmt's generic SMT-LIB solver with `luthier solve` as its program.

`cargo xtask clients` runs it with the program as its argument.
"""

import sys

from pysmt.logics import QF_SLIA
from pysmt.shortcuts import (And, Equals, GT, Int, LE, Not, String, StrConcat, StrContains,
                             StrLength, Symbol, get_env)
from pysmt.smtlib.solver import SmtLibSolver
from pysmt.typing import INT, STRING


def value(solver, term):
    found = solver.get_value(term).constant_value()
    # pysmt reads up to the last parenthesis; the line feed behind it would be its next answer, with
    # every solver.
    assert solver.solver_stdout.readline() == "\n"
    return found


def main(program):
    solver = SmtLibSolver([program, "solve", "-in"], get_env(), QF_SLIA, LOGICS=[QF_SLIA])
    x, y, n = Symbol("x", STRING), Symbol("y", STRING), Symbol("n", INT)
    solver.add_assertion(And(Equals(x, StrConcat(String("a\""), y)), GT(StrLength(y), Int(2))))
    solver.add_assertion(And(Equals(n, StrLength(x)), LE(n, Int(5))))
    assert solver.solve()
    assert value(solver, n) == 5
    assert value(solver, x).startswith("a\"")
    for number in range(50):
        solver.push()
        solver.add_assertion(Equals(n, Int(number)))
        assert solver.solve() == (number == 5), number
        solver.pop()
    solver.push()
    solver.add_assertion(Not(StrContains(x, String("a"))))
    assert not solver.solve()
    solver.pop()
    solver.add_assertion(StrContains(y, String("z")))
    assert solver.solve()
    assert "z" in value(solver, y)
    solver.exit()
    print("pysmt: fine")


main(sys.argv[1])
