//! A database of results, judged, in memory, followed while it grows.
