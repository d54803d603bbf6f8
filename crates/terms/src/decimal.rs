//! Integers in decimal notation, in both directions, in sub-quadratic time.
//!
//! `num-bigint` converts digit by digit in time quadratic in their number, which takes half a
//! minute for three million digits. Here conversion is divide and conquer, n = h·10ᵏ + l, down
//! to chunks of some hundred digits. Reading multiplies by the powers 10ᵏ; writing divides by them,
//! and since the division of `num-bigint` is quadratic, too, a quotient is a product with the
//! reciprocal of the power, found by Newton's iteration (Brent and Zimmermann, "Modern Computer
//! Arithmetic", 1.7 and 2.4.1). So both cost a few multiplications of the size of the number.
//!
//! The reciprocal is an approximation: every quotient is corrected by its remainder, so the digits
//! are exact whatever its error is.

use num_bigint::{BigInt, BigUint, Sign};

/// Chunks of at most this many digits are converted by `num-bigint`, which is fast for them.
const CHUNK_DIGITS: usize = 400;

/// The number with these decimal digits; `None` if there is none, or any other byte.
pub fn read(digits: &[u8]) -> Option<BigInt> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let (chunk, _) = halvings(digits.len());
    // The least significant chunks first. Each level joins neighbours, so that chunks double in
    // length.
    let mut chunks: Vec<BigUint> = digits.rchunks(chunk).map(read_chunk).collect();
    let mut power = power_of_ten(chunk);
    while chunks.len() > 1 {
        let mut joined = Vec::with_capacity(chunks.len().div_ceil(2));
        let mut lower = chunks.into_iter();
        while let Some(low) = lower.next() {
            joined.push(match lower.next() {
                Some(high) => high * &power + low,
                None => low,
            });
        }
        chunks = joined;
        if chunks.len() > 1 {
            power = &power * &power;
        }
    }
    chunks.pop().map(BigInt::from)
}

/// The decimal digits of a number, with a minus in front of a negative one.
pub fn write(number: &BigInt) -> String {
    let mut text = String::new();
    if number.sign() == Sign::Minus {
        text.push('-');
    }
    // At least as many as there are: log₁₀ 2 < 0.30103.
    let most_digits = usize::try_from(number.bits()).unwrap_or(usize::MAX) / 100_000 * 30_103
        + usize::try_from(number.bits() % 100_000).unwrap_or(0) * 30_103 / 100_000
        + 2;
    let (chunk, levels) = halvings(most_digits);
    let powers = powers(chunk, levels);
    // A stack of parts to write, the most significant last, each with the power to divide it by.
    let mut pending = vec![(number.magnitude().clone(), levels)];
    let mut is_first = true;
    while let Some((part, level)) = pending.pop() {
        if level == 0 {
            // Leading zeros are not written, except for the number zero.
            if is_first && part == BigUint::ZERO && !pending.is_empty() {
                continue;
            }
            let digits = part.to_string();
            if !is_first {
                text.extend(std::iter::repeat_n('0', chunk - digits.len()));
            }
            text.push_str(&digits);
            is_first = false;
            continue;
        }
        let (high, low) = powers[level - 1].divide(part);
        pending.push((low, level - 1));
        pending.push((high, level - 1));
    }
    text
}

/// The number of digits of a chunk, and the number of halvings down to chunks.
fn halvings(digits: usize) -> (usize, usize) {
    let (mut chunk, mut levels) = (digits.max(1), 0);
    while chunk > CHUNK_DIGITS {
        chunk = chunk.div_ceil(2);
        levels += 1;
    }
    (chunk, levels)
}

fn read_chunk(digits: &[u8]) -> BigUint {
    BigUint::parse_bytes(digits, 10).unwrap_or_default()
}

fn power_of_ten(digits: usize) -> BigUint {
    // There are at most [`CHUNK_DIGITS`] of them.
    BigUint::from(10_u32).pow(u32::try_from(digits).unwrap_or(u32::MAX))
}

/// The powers 10ᵏ for k = chunk·2ⁱ, one for each level.
fn powers(chunk: usize, levels: usize) -> Vec<Power> {
    let mut powers: Vec<Power> = Vec::with_capacity(levels);
    for _ in 0..levels {
        powers.push(Power::new(match powers.last() {
            Some(last) => &last.divisor * &last.divisor,
            None => power_of_ten(chunk),
        }));
    }
    powers
}

/// A divisor, with its reciprocal.
struct Power {
    divisor: BigUint,
    /// How many bits the divisor has.
    bits: u64,
    /// An approximation of 2²ᵇ / divisor, for b bits.
    reciprocal: BigUint,
}

impl Power {
    fn new(divisor: BigUint) -> Self {
        let bits = divisor.bits();
        let reciprocal = reciprocal(&divisor);
        Self { divisor, bits, reciprocal }
    }

    /// Quotient and remainder of a number below the square of the divisor.
    fn divide(&self, number: BigUint) -> (BigUint, BigUint) {
        // The lower half of the number changes the quotient by at most one.
        let leading = &number >> (self.bits - 2);
        let mut quotient = (leading * &self.reciprocal) >> (self.bits + 2);
        let mut product = &quotient * &self.divisor;
        while product > number {
            quotient -= 1_u32;
            product -= &self.divisor;
        }
        let mut remainder = number - product;
        while remainder >= self.divisor {
            quotient += 1_u32;
            remainder -= &self.divisor;
        }
        (quotient, remainder)
    }
}

/// About 2²ᵇ / d for a divisor d of b bits: wrong by a few units at most.
///
/// From x ≈ 2²ʲ / d with the j leading bits of d, one step of Newton's iteration makes about 2j
/// right bits: for the k leading bits, k ≤ 2j − 6, the error is e = 2²ᵏ − x·2ᵏ⁻ʲ·d, and the new
/// approximation x·2ᵏ⁻ʲ + x·e / 2ᵏ⁺ʲ. Only the leading bits of e are needed.
fn reciprocal(divisor: &BigUint) -> BigUint {
    /// Divisors of at most this many bits are inverted directly.
    const FIRST: u64 = 60;
    /// Guard bits.
    const GUARD: u64 = 8;
    let bits = divisor.bits();
    let mut sizes = vec![bits];
    let mut size = bits;
    while size > FIRST {
        size = size / 2 + 4;
        sizes.push(size);
    }
    let leading = |size: u64| divisor >> (bits - size);
    let mut known = sizes.pop().unwrap_or(bits);
    let mut x = BigInt::from((BigUint::from(1_u32) << (2 * known)) / leading(known));
    while let Some(size) = sizes.pop() {
        let shift = size - known;
        let exact = BigInt::from(1) << (2 * size);
        let error = exact - ((&x * BigInt::from(leading(size))) << shift);
        let cut = (2 * shift).saturating_sub(GUARD);
        let correction = (&x * (error >> cut)) >> (size + known - cut);
        x = (x << shift) + correction;
        known = size;
    }
    x.into_parts().1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Digits that look random, without a leading zero.
    fn digits(count: usize, seed: u64) -> String {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut text = String::with_capacity(count);
        for position in 0..count {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let digit = (state >> 33) % if position == 0 { 9 } else { 10 };
            text.push((b'0' + digit as u8 + u8::from(position == 0)) as char);
        }
        text
    }

    #[test]
    fn both_directions_agree_with_the_quadratic_conversion() {
        let lengths = (1..40).chain([399, 400, 401, 799, 800, 801, 1199, 1601, 5000, 12_345]);
        for (seed, length) in lengths.enumerate() {
            let text = digits(length, seed as u64);
            let naive = BigInt::parse_bytes(text.as_bytes(), 10).unwrap();
            assert_eq!(read(text.as_bytes()), Some(naive.clone()), "{text}");
            assert_eq!(write(&naive), text);
            assert_eq!(write(&-naive), format!("-{text}"));
        }
    }

    #[test]
    fn powers_of_ten_and_their_neighbours_are_exact() {
        for exponent in [1_u32, 399, 400, 401, 800, 1600, 3200, 3201, 10_000] {
            let power = BigInt::from(10).pow(exponent);
            for number in [&power - 1, power.clone(), power + 1] {
                let naive = number.to_string();
                assert_eq!(write(&number), naive);
                assert_eq!(read(naive.as_bytes()), Some(number));
            }
        }
        for power in [4000_u64, 4096, 9999] {
            let number = (BigInt::from(1) << power) - 1;
            assert_eq!(write(&number), number.to_string());
        }
    }

    #[test]
    fn leading_zeros_are_read_and_what_is_no_number_is_not() {
        assert_eq!(read(b"007"), Some(7.into()));
        assert_eq!(read("0".repeat(2000).as_bytes()), Some(BigInt::ZERO));
        assert_eq!(write(&BigInt::ZERO), "0");
        for text in ["", "-1", "+1", "1_0", "1 ", "a"] {
            assert_eq!(read(text.as_bytes()), None, "{text:?}");
        }
    }

    /// Time is not measured: how long it takes depends on the machine and its load.
    #[test]
    fn a_million_digits_are_read_and_written() {
        let text = digits(1_000_000, 7);
        let number = read(text.as_bytes()).unwrap();
        let back = write(&number);
        assert!(back == text);
    }
}
