//! Charts as SVG, PNG and TikZ.
