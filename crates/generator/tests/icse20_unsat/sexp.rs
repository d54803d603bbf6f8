//! A minimal reader of s-expressions, to examine the formulas independently of the generator.

use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sexp {
    Atom(String),
    List(Vec<Sexp>),
}

/// The first expression of a text. The literals of the suite hold no blanks and no brackets.
pub fn parse(text: &str) -> Sexp {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut open: Vec<Vec<Sexp>> = vec![Vec::new()];
    for word in spaced.split_whitespace() {
        match word {
            "(" => open.push(Vec::new()),
            ")" => {
                let list = open.pop().unwrap();
                open.last_mut().unwrap().push(Sexp::List(list));
            }
            atom => open.last_mut().unwrap().push(Sexp::Atom(atom.to_owned())),
        }
    }
    assert_eq!(open.len(), 1, "brackets do not match: {text}");
    open.remove(0).remove(0)
}

/// The assertion of a script with that name, if there is one.
pub fn find_assertion(script: &str, name: &str) -> Option<Sexp> {
    let Sexp::List(commands) = parse(&format!("({script})")) else {
        return None;
    };
    commands.iter().find_map(|command| {
        let Sexp::List(parts) = command else { return None };
        let [Sexp::Atom(verb), Sexp::List(named)] = parts.as_slice() else { return None };
        let [_, term, _, Sexp::Atom(found)] = named.as_slice() else { return None };
        (verb == "assert" && found == name).then(|| term.clone())
    })
}

/// The assertion of a script with that name.
pub fn assertion(script: &str, name: &str) -> Sexp {
    find_assertion(script, name).unwrap()
}

impl Sexp {
    /// All atoms, in order.
    pub fn atoms(&self) -> Vec<String> {
        match self {
            Self::Atom(atom) => vec![atom.clone()],
            Self::List(parts) => parts.iter().flat_map(Self::atoms).collect(),
        }
    }

    /// Whether the other is part of this one.
    pub fn contains(&self, other: &Self) -> bool {
        let inside = match self {
            Self::Atom(_) => false,
            Self::List(parts) => parts.iter().any(|part| part.contains(other)),
        };
        inside || self == other
    }

    /// This one with an atom replaced everywhere.
    pub fn replaced(&self, atom: &str, by: &Self) -> Self {
        match self {
            Self::Atom(own) if own == atom => by.clone(),
            Self::Atom(_) => self.clone(),
            Self::List(parts) => {
                Self::List(parts.iter().map(|part| part.replaced(atom, by)).collect())
            }
        }
    }
}

impl fmt::Display for Sexp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Atom(atom) => formatter.write_str(atom),
            Self::List(parts) => {
                formatter.write_str("(")?;
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        formatter.write_str(" ")?;
                    }
                    write!(formatter, "{part}")?;
                }
                formatter.write_str(")")
            }
        }
    }
}
