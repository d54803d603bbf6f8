//! Formats points in time as dates in Coordinated Universal Time.

use luthier_records::Timestamp;

const DAY: i64 = 86_400;

/// `2026-11-16 08:21:31 UTC`; `None` if the time is not known.
pub fn moment(time: Timestamp) -> Option<String> {
    if time.0 <= 0 {
        return None;
    }
    let (year, month, day) = date(time.0.div_euclid(1000 * DAY));
    Some(format!("{year:04}-{month:02}-{day:02} {}", time_of_day(time)))
}

/// `08:21:31 UTC`.
pub fn time_of_day(time: Timestamp) -> String {
    let rest = time.0.div_euclid(1000).rem_euclid(DAY);
    format!("{:02}:{:02}:{:02} UTC", rest / 3600, rest / 60 % 60, rest % 60)
}

/// The date of a day counted from 1970-01-01, in the Gregorian calendar. DocumentScope years are taken away
/// one by one: few are between 1970 and now, and absurd times stop at the year 9999.
fn date(days: i64) -> (i64, i64, i64) {
    let mut rest = days;
    let mut year = 1970;
    while rest >= days_of_year(year) && year < 9999 {
        rest -= days_of_year(year);
        year += 1;
    }
    let mut month = 1;
    while month < 12 && rest >= days_of_month(year, month) {
        rest -= days_of_month(year, month);
        month += 1;
    }
    (year, month, rest.min(30) + 1)
}

fn is_leap_year(year: i64) -> bool {
    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
}

fn days_of_year(year: i64) -> i64 {
    if is_leap_year(year) { 366 } else { 365 }
}

fn days_of_month(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap_year(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::{moment, time_of_day};
    use luthier_records::Timestamp;

    #[test]
    fn moments_are_those_of_the_calendar() {
        let check = |seconds: i64, expected: &str| {
            assert_eq!(moment(Timestamp(seconds * 1000)).as_deref(), Some(expected));
        };
        check(1, "1970-01-01 00:00:01 UTC");
        check(951_782_399, "2000-02-28 23:59:59 UTC");
        check(951_782_400, "2000-02-29 00:00:00 UTC");
        check(1_700_000_000, "2023-11-14 22:13:20 UTC");
        check(4_107_542_400, "2100-03-01 00:00:00 UTC");
        assert_eq!(moment(Timestamp(0)), None);
        assert!(moment(Timestamp(i64::MAX)).is_some());
        assert_eq!(time_of_day(Timestamp(1_700_000_000_999)), "22:13:20 UTC");
        assert_eq!(time_of_day(Timestamp(-1)), "23:59:59 UTC");
    }
}
