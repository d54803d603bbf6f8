//! Pages and REST over a database of results.
