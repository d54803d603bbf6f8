//! Positions and labels of ticks.
//!
//! Linear axes have ticks at multiples of 1, 2 or 5 times a power of ten; logarithmic ones at
//! powers of ten, with 2 and 5 between them where there is room.

/// A place on an axis with its label.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub value: f64,
    pub label: String,
}

/// The range of a linear axis and its ticks: at most about `most`, the ends included.
pub(crate) fn linear(low: f64, high: f64, most: usize) -> (f64, f64, Vec<Tick>) {
    let (low, high) = if low < high { (low, high) } else { (low, low + unit_above(low)) };
    let step = round_step((high - low) / most.max(1) as f64);
    let (first, last) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
    let count = (last - first).clamp(1.0, 1000.0) as usize;
    let ticks = (0..=count).map(|index| {
        let value = (first + index as f64) * step;
        // A product may miss a round number by its last digit, and zero may become -0.
        let value = if value.abs() < step * 1e-6 { 0.0 } else { value };
        Tick { value, label: number_label_in_steps(value, step) }
    });
    let ticks: Vec<Tick> = ticks.collect();
    (first * step, (first + count as f64) * step, ticks)
}

/// The range of a logarithmic axis, its labelled ticks, of which there are at most about `most`,
/// and places of finer lines. It begins and ends at 1, 2 or 5 times a power of ten.
pub(crate) fn log(low: f64, high: f64, most: usize) -> (f64, f64, Vec<Tick>, Vec<f64>) {
    const NEARLY: f64 = 1.000_001;
    let first = (low.log10() + 1e-9).floor() as i32;
    let last = (high.log10() - 1e-9).ceil() as i32 + 1;
    let all = |factors: &[f64]| -> Vec<f64> {
        let powers = (first..=last).map(|exponent| 10f64.powi(exponent));
        powers.flat_map(|power| factors.iter().map(move |factor| factor * power)).collect()
    };
    let round = all(&[1.0, 2.0, 5.0]);
    let begin = round.iter().rposition(|value| *value <= low * NEARLY).unwrap_or(0);
    let end = round.iter().position(|value| *value * NEARLY >= high).unwrap_or(round.len() - 1);
    let (begin, end) = (round[begin], round[end.max(begin + 1).min(round.len() - 1)]);
    let within = |values: Vec<f64>| -> Vec<f64> {
        let is_within = |value: &f64| *value >= begin / NEARLY && *value <= end * NEARLY;
        values.into_iter().filter(is_within).collect()
    };
    let powers = within(all(&[1.0]));
    let labelled = if powers.len() < 2 || within(round.clone()).len() <= most {
        within(round)
    } else {
        let stride = (powers.len() - 1).div_ceil(most.max(1)).max(1);
        powers.into_iter().step_by(stride).collect()
    };
    let decades = last - first;
    let fine = [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
    let minor = if decades <= 9 { within(all(&fine)) } else { Vec::new() };
    let ticks = labelled.into_iter().map(|value| Tick { value, label: number_label(value) });
    (begin, end, ticks.collect(), minor)
}

/// A number as people write it: thousands apart, no needless zeros, powers for the very large
/// and the very small.
pub(crate) fn number_label(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".to_owned()
    } else if !(1e-4..1e7).contains(&size) {
        let text = format!("{value:.3e}");
        match text.split_once('e') {
            Some((digits, exponent)) => format!("{}e{exponent}", without_zeros(digits)),
            None => text,
        }
    } else {
        let decimals = (3 - size.log10().floor() as i32).clamp(0, 8) as usize;
        grouped(&format!("{value:.decimals$}"))
    }
}

/// With as many decimals as the step between ticks has.
fn number_label_in_steps(value: f64, step: f64) -> String {
    if !(1e-4..1e7).contains(&value.abs().max(step)) {
        return number_label(value);
    }
    let decimals = (-(step.log10() + 1e-9).floor()).clamp(0.0, 8.0) as usize;
    grouped(&format!("{value:.decimals$}"))
}

/// `1234567.50` becomes `1,234,567.5`.
fn grouped(number: &str) -> String {
    let number = without_zeros(number);
    let (sign, digits) = number.split_at(usize::from(number.starts_with('-')));
    let (whole, fraction) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut text = sign.to_owned();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text.push_str(fraction);
    text
}

fn without_zeros(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

/// The smallest of 1, 2 and 5 times a power of ten that is not below `raw`.
fn round_step(raw: f64) -> f64 {
    let power = 10f64.powf(raw.max(f64::MIN_POSITIVE).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    steps.into_iter().find(|step| *step >= raw * 0.999_999).unwrap_or(10.0 * power)
}

/// Something that makes a difference when added.
fn unit_above(value: f64) -> f64 {
    (value.abs() * 0.1).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::{linear, log, number_label};

    fn labels(ticks: &[super::Tick]) -> Vec<&str> {
        ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn linear_ticks_are_round() {
        let (low, high, ticks) = linear(0.0, 1234.0, 7);
        assert_eq!((low, high), (0.0, 1400.0));
        assert_eq!(labels(&ticks)[..3], ["0", "200", "400"]);
        let (_, _, ticks) = linear(0.0, 0.3, 4);
        assert_eq!(labels(&ticks), ["0", "0.1", "0.2", "0.3"]);
        let (_, _, ticks) = linear(-50.0, 114_475.0, 4);
        assert_eq!(labels(&ticks), ["-50,000", "0", "50,000", "100,000", "150,000"]);
    }

    #[test]
    fn equal_and_huge_values_have_an_axis_too() {
        let (low, high, ticks) = linear(7.0, 7.0, 5);
        assert!(low <= 7.0 && high > 7.0 && ticks.len() >= 2);
        let (_, high, ticks) = linear(0.0, 1e100, 5);
        assert!(high >= 1e100);
        assert_eq!(ticks[1].label, "2e99");
        let (low, high, ..) = log(3.0, 3.0, 5);
        assert_eq!((low, high), (2.0, 5.0));
    }

    #[test]
    fn log_ticks_are_powers_of_ten() {
        let (low, high, ticks, minor) = log(0.001, 20.0, 6);
        assert_eq!((low, high), (0.001, 20.0));
        assert_eq!(labels(&ticks), ["0.001", "0.01", "0.1", "1", "10"]);
        assert_eq!(minor.len(), 33);
        let (.., ticks, _) = log(1.0, 100.0, 7);
        assert_eq!(labels(&ticks), ["1", "2", "5", "10", "20", "50", "100"]);
        let (.., ticks, _) = log(1e-100, 1e100, 5);
        assert!(ticks.len() <= 6, "{ticks:?}");
    }

    #[test]
    fn numbers_are_written_as_people_do() {
        for (value, label) in [
            (0.0, "0"),
            (1234567.0, "1,234,567"),
            (-120.5, "-120.5"),
            (0.0125, "0.0125"),
            (1.0 / 3.0, "0.3333"),
            (2e7, "2e7"),
            (1e-9, "1e-9"),
        ] {
            assert_eq!(number_label(value), label);
        }
    }
}
