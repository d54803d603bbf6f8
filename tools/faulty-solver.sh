#!/bin/sh
# A solver with known faults, for the tests of `luthier cluster`: our own solver on a script in which
# operators have another meaning in one corner case.
#
# usage: faulty-solver.sh LUTHIER "OPERATOR OPERATOR …" [OPTION…] FILE
luthier=$1
faults=$2
shift 2
for file; do :; done
definitions=
renaming=
for fault in $faults; do
    case $fault in
    # An empty needle is not found at the end of the string.
    str.indexof) meaning='((s String) (t String) (i Int)) Int (ite (and (= t "") (= i (str.len s))) (- 1) (str.indexof s t i))' ;;
    # An empty pattern: appended instead of prepended.
    str.replace) meaning='((s String) (t String) (u String)) String (ite (= t "") (str.++ s u) (str.replace s t u))' ;;
    # A negative length means everything to the end.
    str.substr) meaning='((s String) (i Int) (n Int)) String (ite (< n 0) (str.substr s i (str.len s)) (str.substr s i n))' ;;
    # The number of the empty string is zero.
    str.to_int) meaning='((s String)) Int (ite (= s "") 0 (str.to_int s))' ;;
    # Behind the end there is the last character again.
    str.at) meaning='((s String) (i Int)) String (ite (>= i (str.len s)) (str.at s (- (str.len s) 1)) (str.at s i))' ;;
    # The empty string is no suffix.
    str.suffixof) meaning='((s String) (t String)) Bool (ite (= s "") false (str.suffixof s t))' ;;
    # Negative numbers have digits.
    str.from_int) meaning='((n Int)) String (ite (< n 0) (str.from_int (- n)) (str.from_int n))' ;;
    # No string contains itself.
    str.contains) meaning='((s String) (t String)) Bool (ite (= s t) false (str.contains s t))' ;;
    *)
        echo "there is no fault for $fault" >&2
        exit 1
        ;;
    esac
    definitions="$definitions (define-fun faulty-$fault $meaning)"
    renaming="$renaming -e s/($fault\\([[:space:]]\\)/(faulty-$fault\\1/g"
done
# $renaming is split into words, and nothing in it stands for names of files.
set -f
sed $renaming -e '/^(set-logic/a\' -e "$definitions" "$file" | "$luthier" solve "$@"
