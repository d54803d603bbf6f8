//! The builtin names: operators of the standard, legacy names, and extensions of single solvers.

use std::sync::LazyLock;

use luthier_terms::Op;

use crate::dialect::names::{EXTENSIONS, LEGACY_NAMES};

/// What a built-in name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A standard operator.
    Op(Op),
    /// `-`: negation of one argument, subtraction of more.
    Minus,
    /// A standard operator by a name from outside the standard.
    Legacy(Op, &'static str),
    /// `re.loop` with its bounds as arguments.
    LoopArguments,
    /// An operator that must be indexed: `re.^`, `divisible`.
    IndexedOnly(Op),
    /// `seq.unit`, around a Z3 character.
    SeqUnit,
    /// An operator that the standard does not have.
    Extension(&'static str),
}

/// A built-in name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Builtin {
    pub name: &'static str,
    pub kind: Kind,
}

/// Whether a built-in name is one of the standard's.
pub(crate) fn is_standard(index: u16) -> bool {
    match BUILTINS[index as usize].kind {
        Kind::Op(_) | Kind::Minus | Kind::LoopArguments | Kind::IndexedOnly(_) => true,
        Kind::Legacy(..) | Kind::SeqUnit | Kind::Extension(_) => false,
    }
}

/// All built-in names.
pub(crate) static BUILTINS: LazyLock<Vec<Builtin>> = LazyLock::new(|| {
    let standard = Op::TABLE.iter().filter_map(|info| {
        let kind = match info.op {
            Op::Neg | Op::ConstArray => return None,
            Op::Sub => Kind::Minus,
            Op::ReLoop => Kind::LoopArguments,
            op if info.indices > 0 => Kind::IndexedOnly(op),
            op => Kind::Op(op),
        };
        Some(Builtin { name: info.name, kind })
    });
    let legacy = LEGACY_NAMES
        .iter()
        .map(|legacy| Builtin { name: legacy.name, kind: Kind::Legacy(legacy.op, legacy.origin) });
    let extensions =
        EXTENSIONS.iter().map(|&(name, origin)| Builtin { name, kind: Kind::Extension(origin) });
    let unit = [Builtin { name: "seq.unit", kind: Kind::SeqUnit }];
    standard.chain(legacy).chain(extensions).chain(unit).collect()
});
