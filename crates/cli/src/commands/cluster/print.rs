//! The text output of `luthier cluster`: a table, then each cluster with its reasons.

use super::record::{ClusterRecord, Report};
use crate::error::CliError;
use crate::output::Output;
use crate::text::{clean_line, clean_name, counted, shorten};

/// How many files of a cluster are listed.
const LISTED: usize = 5;

/// Prints the clusters.
pub fn print(report: &Report, output: &mut Output) -> Result<(), CliError> {
    let known = report.clusters.iter().filter(|one| one.known).count();
    let new = report.clusters.len() - known;
    let failures = counted(usize::try_from(report.failures).unwrap_or(usize::MAX), report.noun);
    let bugs = counted(report.clusters.len(), "likely bug");
    let split = if known > 0 { format!(" ({known} known, {new} new)") } else { String::new() };
    let paint = output.paint;
    output.line(paint.bold(&format!("{failures}, {bugs}{split}")))?;
    if !report.clusters.is_empty() {
        output.line("")?;
        table(&report.clusters, output)?;
    }
    for cluster in &report.clusters {
        output.line("")?;
        details(cluster, output)?;
    }
    if !report.unexamined.is_empty() {
        output.line("")?;
        output.line(paint.bold("In no cluster"))?;
        for one in &report.unexamined {
            output.line(format_args!(
                "  {}: {}",
                clean_name(&one.file),
                clean_name(&one.reason)
            ))?;
        }
    }
    if !report.left_out.is_empty() {
        let kinds: Vec<String> =
            report.left_out.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        output.message(format_args!("left out: {}", kinds.join(", ")));
    }
    Ok(())
}

/// One line for each cluster.
fn table(clusters: &[ClusterRecord], output: &mut Output) -> Result<(), CliError> {
    let head = ["no", "class", "operator", "corner case", "members", "nodes", "state"];
    let mut rows: Vec<[String; 7]> = vec![head.map(str::to_owned)];
    for one in clusters {
        rows.push([
            one.number.to_string(),
            one.class.to_owned(),
            shorten(&one.operators.join(", ")).into_owned(),
            shorten(&one.corner).into_owned(),
            one.members.to_string(),
            one.smallest.as_ref().map_or_else(String::new, |one| one.nodes.to_string()),
            if one.known { "known" } else { "new" }.to_owned(),
        ]);
    }
    let width = |column: usize| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let widths: [usize; 7] = std::array::from_fn(width);
    for (number, row) in rows.iter().enumerate() {
        let cells = row.iter().zip(widths).enumerate().map(|(column, (cell, width))| {
            match matches!(column, 0 | 4 | 5) {
                true => format!("{cell:>width$}"),
                false => format!("{cell:width$}"),
            }
        });
        let line = cells.collect::<Vec<String>>().join("  ");
        let line = line.trim_end();
        match number {
            0 => output.line(output.paint.bold(line))?,
            _ => output.line(clean_line(line, false))?,
        }
    }
    Ok(())
}

fn details(cluster: &ClusterRecord, output: &mut Output) -> Result<(), CliError> {
    let paint = output.paint;
    let state = match &cluster.name {
        Some(name) => {
            let since = cluster.first_seen.as_deref().unwrap_or_default();
            format!("known since {since}: {}", clean_name(name))
        }
        None => "new".to_owned(),
    };
    let signature = clean_name(&cluster.signature);
    output.line(paint.bold(&format!("{}. {signature} ({state})", cluster.number)))?;
    if let Some(note) = cluster.note.as_deref().filter(|note| !note.is_empty()) {
        output.line(format_args!("   note      {}", clean_name(note)))?;
    }
    if let Some(smallest) = &cluster.smallest {
        output.line(format_args!("   smallest  {}", clean_name(&smallest.formula)))?;
        let says = clean_name(&smallest.says).replace('\n', " ");
        let words: Vec<&str> = says.split_whitespace().collect();
        let says = words.join(" ");
        output.line(format_args!("   says      {}; it is {}", shorten(&says), smallest.truth))?;
        if let Some(file) = &smallest.file {
            output.line(format_args!("   file      {}", clean_name(file)))?;
        }
    }
    for (number, why) in cluster.why.iter().enumerate() {
        let label = if number == 0 { "why" } else { "" };
        output.line(format_args!("   {label:8}  {}", clean_name(why)))?;
    }
    if !cluster.releases.is_empty() {
        let marked = |wanted: Option<bool>| -> String {
            let versions = cluster.releases.iter().filter(|one| one.fails == wanted);
            versions.map(|one| one.version.as_str()).collect::<Vec<&str>>().join(", ")
        };
        let (fails, right) = (marked(Some(true)), marked(Some(false)));
        output.line(format_args!("   releases  fails: {fails}; right: {right}"))?;
    }
    for (number, member) in cluster.files.iter().take(LISTED).enumerate() {
        let label = if number == 0 { "members" } else { "" };
        output.line(format_args!("   {label:8}  {}", clean_name(&member.file)))?;
    }
    if cluster.files.len() > LISTED {
        output.line(format_args!("             and {} more", cluster.files.len() - LISTED))?;
    }
    Ok(())
}
