//! Reads dependencies from a `Cargo.toml`, with their lines.

use toml::{Table, Value};

/// The kinds of dependencies that are distinguished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DependencyKind {
    /// Part of what is built: normal and build dependencies.
    Built,
    /// Used by tests, examples and benchmarks only.
    Development,
}

/// One dependency on a package.
#[derive(Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The name of the package, not the name under which the crate imports it.
    pub package: String,
    /// Whether it is part of what is built.
    pub kind: DependencyKind,
    /// The line that names it, or 0.
    pub line: usize,
}

/// A manifest of one package.
pub struct Manifest {
    table: Table,
    text: String,
}

impl Manifest {
    /// Parses a manifest; the error is a message for people.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text.parse::<Table>() {
            Ok(table) => Ok(Manifest { table, text: text.to_owned() }),
            Err(error) => Err(error.message().to_owned()),
        }
    }

    /// The members of a workspace, in order.
    pub fn members(&self) -> Vec<String> {
        let members = self.table.get("workspace").and_then(|workspace| workspace.get("members"));
        let members = members.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        members.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// The name of the package.
    pub fn package(&self) -> Option<&str> {
        self.table.get("package")?.get("name")?.as_str()
    }

    /// Whether the package takes its lints from the workspace.
    pub fn inherits_lints(&self) -> bool {
        let inherited = self.table.get("lints").and_then(|lints| lints.get("workspace"));
        inherited.and_then(Value::as_bool) == Some(true)
    }

    /// All dependencies, those for some targets only included.
    pub fn dependencies(&self) -> Vec<Dependency> {
        let targets = self.table.get("target").and_then(Value::as_table);
        let per_target = targets.into_iter().flat_map(Table::values).filter_map(Value::as_table);
        let mut dependencies = Vec::new();
        for table in std::iter::once(&self.table).chain(per_target) {
            for (section, kind) in [
                ("dependencies", DependencyKind::Built),
                ("build-dependencies", DependencyKind::Built),
                ("dev-dependencies", DependencyKind::Development),
            ] {
                let entries = table.get(section).and_then(Value::as_table).into_iter().flatten();
                dependencies.extend(entries.map(|(key, value)| {
                    let renamed = value.get("package").and_then(Value::as_str);
                    let package = renamed.unwrap_or(key).to_owned();
                    Dependency { package, kind, line: self.line_of_key(key, section) }
                }));
            }
        }
        dependencies
    }

    /// The line of `key`, looked for behind the title of its section first: the parser keeps no
    /// positions, and a crate may be both a normal and a development dependency.
    fn line_of_key(&self, key: &str, section: &str) -> usize {
        let is_key = |line: &str| {
            let rest = line.trim_start().trim_start_matches('"').strip_prefix(key);
            rest.is_some_and(|rest| rest.starts_with(['.', ' ', '=', '"']))
        };
        let titles = [format!("[{section}]"), format!(".{section}]")];
        let lines: Vec<&str> = self.text.lines().collect();
        let is_title = |line: &&str| titles.iter().any(|title| line.ends_with(title.as_str()));
        let start = lines.iter().position(is_title).unwrap_or(0);
        let found = lines.iter().skip(start).position(|line| is_key(line));
        found.map_or(0, |offset| start + offset + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::{DependencyKind, Manifest};

    #[test]
    fn dependencies_are_read_from_all_sections_with_their_lines() {
        let manifest = Manifest::parse(
            "[package]\nname = \"a\"\n[dependencies]\nb.workspace = true\n\
             c = { package = \"real\", version = \"1\" }\n[build-dependencies]\nd = \"1\"\n\
             [target.'cfg(unix)'.dependencies]\ne = \"1\"\n[dev-dependencies]\nb = \"1\"\n",
        )
        .unwrap();
        let mut read: Vec<_> = manifest
            .dependencies()
            .into_iter()
            .map(|dependency| (dependency.line, dependency.package, dependency.kind))
            .collect();
        read.sort_by_key(|(line, ..)| *line);
        let expected = [
            (4, "b", DependencyKind::Built),
            (5, "real", DependencyKind::Built),
            (7, "d", DependencyKind::Built),
            (9, "e", DependencyKind::Built),
            (11, "b", DependencyKind::Development),
        ];
        assert_eq!(read, expected.map(|(line, name, kind)| (line, name.to_owned(), kind)));
        assert_eq!(manifest.package(), Some("a"));
    }

    #[test]
    fn lints_are_inherited_only_if_it_is_said_so() {
        let inherits = |text: &str| Manifest::parse(text).unwrap().inherits_lints();
        assert!(inherits("[lints]\nworkspace = true\n"));
        assert!(!inherits("[lints]\nworkspace = false\n"));
        assert!(!inherits("[package]\nname = \"a\"\n"));
    }

    #[test]
    fn members_keep_their_order() {
        let manifest = Manifest::parse("[workspace]\nmembers = [\"b\", \"a\"]\n").unwrap();
        assert_eq!(manifest.members(), ["b", "a"]);
    }

    #[test]
    fn a_broken_manifest_is_an_error() {
        assert!(Manifest::parse("[workspace\n").is_err());
    }
}
