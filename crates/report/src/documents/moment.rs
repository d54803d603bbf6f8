//! Points in time as people read them, in Coordinated Universal Time.

use luthier_records::Timestamp;

const DAY: i64 = 86_400;

/// `2026-11-16 08:21:31 UTC`; `None` if the time is not known.
pub fn moment(time: Timestamp) -> Option<String> {
    if time.0 <= 0 {
        return None;
    }
    let seconds = time.0.div_euclid(1000);
    let (year, month, day) = date(seconds.div_euclid(DAY));
    let rest = seconds.rem_euclid(DAY);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    Some(format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC"))
}

/// The date of a day counted from 1970-01-01, in the Gregorian calendar. Whole years are taken away
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
    use super::moment;
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
    }
}
