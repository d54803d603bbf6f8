//! Whether a small formula is the representative of its class up to symmetry.
//!
//! Symmetries are renamings of constants of one sort, exchanged arguments of commutative symbols
//! and the order of assertions. `space.rs` already orders arguments and assertions by size; those
//! of equal size remain. The representative is the smallest sequence of codes of its class, so each
//! class has exactly one.
//!
//! Two necessary conditions reject most others at once. Constants of a sort first occur in the
//! order of their codes: otherwise exchanging two gives a smaller sequence. Neighbours of equal size
//! are sorted. If there are none, nothing but renaming is left and the conditions suffice; otherwise
//! all renamings are compared, each with its smallest arrangement.

use super::signature::{CONSTANTS, Kind, TEXTS, symbol};

/// A symbol of a formula, with the extent of its subterm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Node {
    code: u8,
    length: u8,
    size: u8,
}

/// Checks formulas; keeps its buffers.
#[derive(Default)]
pub(crate) struct Canonical {
    nodes: Vec<Node>,
    renamed: Vec<Node>,
}

impl Canonical {
    /// Whether the formula is the representative of its class.
    pub fn is_representative(&mut self, codes: &[u8]) -> bool {
        let Some((texts, integers)) = constants_in_order(codes) else { return false };
        extents(codes, &mut self.nodes);
        self.renamed.clear();
        self.renamed.extend_from_slice(&self.nodes);
        let Some(ties) = arrange(&mut self.renamed) else { return true };
        if ties || self.renamed != self.nodes {
            return false;
        }
        for names in renamings(texts, integers) {
            self.renamed.clear();
            self.renamed.extend(self.nodes.iter().map(|node| Node {
                code: match node.code {
                    code @ 0..CONSTANTS => names[usize::from(code)],
                    code => code,
                },
                ..*node
            }));
            arrange(&mut self.renamed);
            let renamed = self.renamed.iter().map(|node| node.code);
            if renamed.lt(codes.iter().copied()) {
                return false;
            }
        }
        true
    }
}

/// How many constants of each sort occur; `None` if they do not first occur in order.
fn constants_in_order(codes: &[u8]) -> Option<(u8, u8)> {
    let (mut texts, mut integers) = (0, 0);
    for &code in codes {
        if code < TEXTS {
            match code.cmp(&texts) {
                std::cmp::Ordering::Greater => return None,
                std::cmp::Ordering::Equal => texts += 1,
                std::cmp::Ordering::Less => {}
            }
        } else if code < CONSTANTS {
            match (code - TEXTS).cmp(&integers) {
                std::cmp::Ordering::Greater => return None,
                std::cmp::Ordering::Equal => integers += 1,
                std::cmp::Ordering::Less => {}
            }
        }
    }
    Some((texts, integers))
}

/// The extent of the subterm at each code, from the last to the first.
fn extents(codes: &[u8], nodes: &mut Vec<Node>) {
    nodes.clear();
    nodes.resize(codes.len(), Node { code: 0, length: 0, size: 0 });
    for position in (0..codes.len()).rev() {
        let symbol = symbol(codes[position]);
        let (mut length, mut size) = (1, symbol.size);
        for _ in symbol.arguments {
            let argument = nodes[position + usize::from(length)];
            length += argument.length;
            size += argument.size;
        }
        nodes[position] = Node { code: codes[position], length, size };
    }
}

/// Exchanges arguments and assertions of equal size where that makes the sequence smaller. `None` if
/// there are no two of equal size to exchange; otherwise whether something was exchanged.
fn arrange(nodes: &mut [Node]) -> Option<bool> {
    let (mut tie, mut moved) = (false, false);
    for position in (0..nodes.len()).rev() {
        if symbol(nodes[position].code).commutative {
            let exchanged = exchange(nodes, position + 1);
            tie |= exchanged.is_some();
            moved |= exchanged == Some(true);
        }
    }
    // Up to three assertions: two passes over neighbours sort them.
    for _ in 0..2 {
        let mut position = 0;
        while position < nodes.len() {
            let next = position + usize::from(nodes[position].length);
            let alike = next < nodes.len() && is_clause(nodes[position]) == is_clause(nodes[next]);
            if alike {
                let exchanged = exchange(nodes, position);
                tie |= exchanged.is_some();
                moved |= exchanged == Some(true);
            }
            position += usize::from(nodes[position].length);
        }
    }
    tie.then_some(moved)
}

fn is_clause(node: Node) -> bool {
    symbol(node.code).kind == Kind::Clause
}

/// Exchanges the subterm at a position with the next one if they have the same size and the second is
/// smaller. `None` if the sizes differ.
fn exchange(nodes: &mut [Node], position: usize) -> Option<bool> {
    let first = nodes[position];
    let middle = position + usize::from(first.length);
    let second = nodes[middle];
    if first.size != second.size {
        return None;
    }
    let end = middle + usize::from(second.length);
    let (left, right) = (&nodes[position..middle], &nodes[middle..end]);
    let is_smaller = right.iter().map(|node| node.code).lt(left.iter().map(|node| node.code));
    if is_smaller {
        nodes[position..end].rotate_left(usize::from(first.length));
    }
    Some(is_smaller)
}

/// All renamings of the first constants of each sort, as codes by code.
fn renamings(texts: u8, integers: u8) -> impl Iterator<Item = [u8; CONSTANTS as usize]> {
    const ORDERS: [[u8; 3]; 6] = [[0, 1, 2], [1, 0, 2], [0, 2, 1], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    // The first factorial of them permute only the first ones.
    let text_orders = [1, 1, 2, 6][usize::from(texts)];
    let integer_orders = [1, 1, 2][usize::from(integers)];
    (0..text_orders * integer_orders).skip(1).map(move |number| {
        let texts = ORDERS[number % text_orders];
        let swapped = (number / text_orders) as u8;
        [texts[0], texts[1], texts[2], TEXTS + swapped, TEXTS + 1 - swapped]
    })
}
