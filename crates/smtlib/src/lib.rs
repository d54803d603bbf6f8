//! smtlib
