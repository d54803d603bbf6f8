//! What a cluster is about, and why its members are thought to have the same cause.

use luthier_terms::Op;

use super::{Cause, Member, Profiles, Region, region};

/// The operators at fault, and the corner case or what is known instead.
pub(super) fn what(members: &[&Member], profiles: &Profiles) -> (Vec<Op>, String) {
    // A located cause says more than the operators of a formula.
    let located = members.iter().find_map(|member| match &member.examined.cause {
        Cause::Evaluation(application) => {
            let region = region(member, application, profiles);
            let corner = region.map_or_else(|| "other arguments".to_owned(), Region::describe);
            Some((vec![application.op], corner))
        }
        _ => None,
    });
    let claimed = || {
        members.iter().find_map(|member| match &member.examined.cause {
            Cause::Claim(application) => Some((vec![application.op], common_corners(members))),
            _ => None,
        })
    };
    let other = || {
        members.iter().find_map(|member| match &member.examined.cause {
            Cause::Operators(operators) => Some((operators.clone(), "not located".to_owned())),
            Cause::Session(operators) => Some((operators.clone(), "only in sessions".to_owned())),
            Cause::Crash { message, operators } => Some((operators.clone(), message.clone())),
            _ => None,
        })
    };
    located.or_else(claimed).or_else(other).unwrap_or_default()
}

/// The corner cases that all claims have in common.
fn common_corners(members: &[&Member]) -> String {
    let mut common: Option<Vec<&'static str>> = None;
    for member in members {
        if let Cause::Claim(application) = &member.examined.cause {
            let corners = application.corners();
            common = Some(match common {
                None => corners,
                Some(kept) => kept.into_iter().filter(|one| corners.contains(one)).collect(),
            });
        }
    }
    match common {
        Some(corners) if !corners.is_empty() => corners.join(" and "),
        _ => "different arguments".to_owned(),
    }
}

/// The reasons, in sentences without a full stop.
pub(super) fn why(members: &[&Member], profiles: &Profiles, is_split: bool) -> Vec<String> {
    let mut why = Vec::new();
    let total = members.len();
    let share = |count: usize| match count {
        _ if count == total && total == 1 => "one member".to_owned(),
        _ if count == total => format!("all {total} members"),
        _ => format!("{count} of {total} members"),
    };
    let count = |is_counted: fn(&Cause) -> bool| {
        members.iter().filter(|member| is_counted(&member.examined.cause)).count()
    };
    let evaluations = count(|cause| matches!(cause, Cause::Evaluation(_)));
    let claims = count(|cause| matches!(cause, Cause::Claim(_)));
    let operators = count(|cause| matches!(cause, Cause::Operators(_)));
    let sessions = count(|cause| matches!(cause, Cause::Session(_)));
    let crashes = count(|cause| matches!(cause, Cause::Crash { .. }));
    let first = members.iter().find_map(|member| match &member.examined.cause {
        Cause::Evaluation(application) | Cause::Claim(application) => Some((member, application)),
        _ => None,
    });
    let name = first.map_or("", |(_, application)| application.op.name());
    if evaluations > 0 {
        let evaluations = share(evaluations);
        why.push(format!(
            "evaluation ({evaluations}): the solver is wrong about an application of {name} to literals \
             by itself, and with its value in its place the formula does not fail"
        ));
        why.extend(first.and_then(|(member, application)| {
            let profile = profiles.get(&(member.solver.clone(), application.op))?;
            let region = profile.region_of(application)?;
            let ([asked, wrong], [here, wrong_here]) = (profile.probes, region.probes);
            let others = match profile.regions.len() {
                1 => String::new(),
                several => format!(" (one of {several} that do not touch)"),
            };
            (asked > 0).then(|| {
                format!(
                    "of {asked} applications of {name} to small arguments it is wrong about {wrong}; in \
                     this corner case{others} about {wrong_here} of {here}"
                )
            })
        }));
    }
    if claims > 0 {
        let claims = share(claims);
        why.push(format!(
            "claim ({claims}): on the minimal formula the solver's model gives {name} a value that it \
             does not have"
        ));
    }
    if operators > 0 {
        let operators = share(operators);
        why.push(format!(
            "not located ({operators}): the minimal formula has these operators, apart from common ones"
        ));
    }
    if sessions > 0 {
        let sessions = share(sessions);
        why.push(format!(
            "session ({sessions}): the failing query does not fail as a plain script, and the whole session \
             fails again"
        ));
    }
    if crashes > 0 {
        let crashes = share(crashes);
        why.push(format!("crash ({crashes}): the process ends in the same way"));
    }
    let mut texts: Vec<&str> =
        members.iter().map(|member| member.examined.minimal.text.as_str()).collect();
    texts.sort_unstable();
    texts.dedup();
    if texts.len() < total {
        let different = texts.len();
        why.push(format!("the {total} minimal formulas are {different} up to renaming"));
    }
    let mut others: Vec<&str> =
        members.iter().flat_map(|member| member.examined.also.iter().map(|op| op.name())).collect();
    others.sort_unstable();
    others.dedup();
    if !others.is_empty() {
        why.push(format!("some also show a fault of {}", others.join(", ")));
    }
    if is_split {
        why.push("releases tell them from others with the same signature".to_owned());
    }
    why
}
