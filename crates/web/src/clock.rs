//! Points in time as people read them, in Coordinated Universal Time.

use luthier_records::Timestamp;

const DAY: i64 = 86_400;

/// `2026-11-16 08:21:31 UTC`; `None` if the time is not known.
pub(crate) fn moment(time: Timestamp) -> Option<String> {
    if time.0 <= 0 {
        return None;
    }
    let seconds = time.0.div_euclid(1000);
    let (year, month, day) = date(seconds.div_euclid(DAY));
    Some(format!("{year:04}-{month:02}-{day:02} {}", time_of_day(seconds)))
}

/// `08:21:31 UTC`.
pub(crate) fn hour(time: Timestamp) -> String {
    time_of_day(time.0.div_euclid(1000))
}

fn time_of_day(seconds: i64) -> String {
    let rest = seconds.rem_euclid(DAY);
    format!("{:02}:{:02}:{:02} UTC", rest / 3600, rest / 60 % 60, rest % 60)
}

/// The date of a day counted from 1970-01-01, in the Gregorian calendar. Years begin in March
/// here, so that the leap day is the last day of a year.
fn date(days: i64) -> (i64, i64, i64) {
    const DAYS_OF_400_YEARS: i64 = 146_097;
    // From 0000-03-01.
    let days = days + 719_468;
    let era = days.div_euclid(DAYS_OF_400_YEARS);
    let day_of_era = days.rem_euclid(DAYS_OF_400_YEARS);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::{hour, moment};
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
        assert_eq!(hour(Timestamp(1_700_000_000_999)), "22:13:20 UTC");
    }
}
