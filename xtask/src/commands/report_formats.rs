//! `cargo xtask report-formats`: all formats of `luthier report` from one database, read by the programs
//! that they are for.
//!
//! LaTeX and TikZ are compiled with pdfLaTeX, as whole documents and as parts in a document of
//! three lines; AsciiDoc with Asciidoctor; HTML, SVG and JUnit are parsed. Names in the database
//! are hostile on purpose. What was made stays in the folder, to be looked at.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use luthier_records::{Class, Run};
use luthier_store::{NewRun, Store, StoreError};

use super::Ending;
use crate::output;

#[derive(clap::Args)]
pub struct Arguments {
    /// A new folder for what is made
    out: PathBuf,
    /// The database; without one, a small one is made up
    #[arg(long)]
    database: Option<PathBuf>,
    /// The binary; without one, it is built
    #[arg(long)]
    luthier: Option<PathBuf>,
    /// Do not install anything; the programs are here
    #[arg(long)]
    offline: bool,
}

/// Names that try to be commands of some format.
const HOSTILE: [&str; 4] = [
    "<script>alert('x')</script>&lt;\"",
    "\\input{/etc/passwd} 100% $x_1^2$ #1 {~}",
    "|=== *bold* `code` ++++ [x](y) link:z[w]",
    "../../x \u{202E}right-to-left \u{4E2D}\u{6587} \u{1F600}",
];

/// A part of the work.
type Step = fn(&Work) -> Result<(), Box<dyn Error>>;

/// The largest exit code of a report that could be written: 2 and 3 are about the results.
const MOST: i32 = 3;

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    if !arguments.offline && !succeeds(&mut Command::new(root.join("tools").join("install-tex")))? {
        return Err("there is no TeX or no Asciidoctor; see the lines above".into());
    }
    fs::create_dir_all(&arguments.out)?;
    let out = arguments.out.canonicalize()?;
    if fs::read_dir(&out)?.next().is_some() {
        return Err(format!("{}: is not empty", out.display()).into());
    }
    let luthier = match &arguments.luthier {
        Some(path) => path.canonicalize()?,
        None => build(&root)?,
    };
    let database = match &arguments.database {
        Some(path) => path.canonicalize()?,
        None => made_up(&out)?,
    };
    let work = Work { out, luthier, database };
    let steps: [(&str, Step); 7] = [
        ("LaTeX, whole", latex_whole),
        ("LaTeX and TikZ, parts", latex_parts),
        ("charts", charts),
        ("AsciiDoc", asciidoc),
        ("HTML", html),
        ("JUnit", junit),
        ("Markdown, CSV, JSON, all runs", data),
    ];
    let mut is_fine = true;
    for (name, step) in steps {
        match step(&work) {
            Ok(()) => output::data(format!("fine    {name}")),
            Err(error) => {
                is_fine = false;
                output::data(format!("FAILED  {name}: {error}"));
            }
        }
    }
    output::data(format!("what was made is in {}", work.out.display()));
    Ok(if is_fine { Ending::Fine } else { Ending::Findings })
}

struct Work {
    out: PathBuf,
    luthier: PathBuf,
    database: PathBuf,
}

impl Work {
    /// Runs `luthier report` on the database.
    fn report(&self, arguments: &[&str]) -> Result<Vec<u8>, Box<dyn Error>> {
        self.luthier("report", arguments)
    }

    fn luthier(&self, command: &str, arguments: &[&str]) -> Result<Vec<u8>, Box<dyn Error>> {
        let mut run = Command::new(&self.luthier);
        run.arg(command).arg(&self.database).args(arguments).current_dir(&self.out);
        let output = run.output()?;
        match output.status.code() {
            Some(0..=MOST) if output.status.code() != Some(1) => Ok(output.stdout),
            _ => Err(format!(
                "luthier {command} {}: {}",
                arguments.join(" "),
                String::from_utf8_lossy(&output.stderr)
            )
            .into()),
        }
    }

    /// Compiles a file with pdfLaTeX. A box that is too full is told, since it is ugly.
    fn pdflatex(&self, file: &str) -> Result<(), Box<dyn Error>> {
        for _ in 0..2 {
            let mut command = Command::new("pdflatex");
            command.args(["-interaction=nonstopmode", "-halt-on-error", file]);
            let run = command.current_dir(&self.out).output()?;
            if !run.status.success() {
                let text = String::from_utf8_lossy(&run.stdout).into_owned();
                let from = text.find("\n!").unwrap_or(0);
                let shown: String = text[from..].chars().take(1_000).collect();
                return Err(format!("pdflatex {file}: {shown}").into());
            }
        }
        let log = fs::read(self.out.join(file).with_extension("log"))?;
        let log = String::from_utf8_lossy(&log).into_owned();
        for line in log.lines().filter(|line| line.starts_with("Overfull \\hbox")) {
            output::talk(format!("{file}: {line}"));
        }
        if log.contains("Missing character") {
            return Err(format!("{file}: characters are missing; see its log").into());
        }
        Ok(())
    }

    fn read(&self, file: &str) -> Result<String, Box<dyn Error>> {
        Ok(fs::read_to_string(self.out.join(file))?)
    }

    fn xmllint(&self, file: &str) -> Result<(), Box<dyn Error>> {
        let mut command = Command::new("xmllint");
        command.args(["--noout", "--nonet", "--huge", file]).current_dir(&self.out);
        let run = command.output()?;
        match run.status.success() {
            true => Ok(()),
            false => Err(String::from_utf8_lossy(&run.stderr).into_owned().into()),
        }
    }
}

fn latex_whole(work: &Work) -> Result<(), Box<dyn Error>> {
    work.report(&["--out", "whole.tex", "--standalone"])?;
    work.pdflatex("whole.tex")?;
    work.report(&["--format", "tikz", "--out", "tikz.tex", "--standalone"])?;
    work.pdflatex("tikz.tex")
}

/// Parts as a paper has them, with the preamble that they ask for and nothing else.
fn latex_parts(work: &Work) -> Result<(), Box<dyn Error>> {
    work.report(&["--out", "tables.tex", "--section", "totals,results,findings"])?;
    work.report(&[
        "--out",
        "chosen.tex",
        "--table",
        "results",
        "--columns",
        "set,solver,solved,par2",
    ])?;
    work.report(&["--out", "pictures.tex", "--format", "tikz"])?;
    let mut preamble = String::new();
    for file in ["tables.tex", "pictures.tex"] {
        let text = work.read(file)?;
        let lines = text.lines().skip(1).take_while(|line| line.starts_with("%   "));
        lines.for_each(|line| preamble.push_str(&format!("{}\n", &line[4..])));
    }
    let paper = format!(
        "\\documentclass{{article}}\n{preamble}\\begin{{document}}\n\
         \\input{{tables}}\n\\clearpage\n\\input{{chosen}}\n\\clearpage\n\\input{{pictures}}\n\
         \\end{{document}}\n"
    );
    fs::write(work.out.join("paper.tex"), paper)?;
    work.pdflatex("paper.tex")
}

fn charts(work: &Work) -> Result<(), Box<dyn Error>> {
    for name in ["cactus", "scatter", "distribution", "operators", "histogram"] {
        for ending in ["svg", "png"] {
            work.report(&["--chart", name, "--out", &format!("{name}.{ending}")])?;
        }
        work.report(&["--chart", name, "--standalone", "--out", &format!("{name}.tex")])?;
        work.xmllint(&format!("{name}.svg"))?;
        work.pdflatex(&format!("{name}.tex"))?;
        let png = fs::read(work.out.join(format!("{name}.png")))?;
        if !png.starts_with(b"\x89PNG") {
            return Err(format!("{name}.png is no PNG").into());
        }
    }
    Ok(())
}

fn asciidoc(work: &Work) -> Result<(), Box<dyn Error>> {
    work.report(&["--out", "report.adoc"])?;
    let mut command = Command::new("asciidoctor");
    command.args(["--failure-level=WARN", "-o", "report-adoc.html", "report.adoc"]);
    let run = command.current_dir(&work.out).output()?;
    if !run.status.success() {
        return Err(String::from_utf8_lossy(&run.stderr).into_owned().into());
    }
    let made = work.read("report-adoc.html")?;
    check_shown(&made)?;
    let tables = work.read("report.adoc")?.matches("\n|===\n").count() / 2;
    let found = made.matches("<table class=\"tableblock").count();
    if tables != found {
        return Err(format!("{found} tables came out of {tables}").into());
    }
    Ok(())
}

fn html(work: &Work) -> Result<(), Box<dyn Error>> {
    work.report(&["--out", "report.html", "--title", HOSTILE[0]])?;
    work.xmllint("report.html")?;
    let text = work.read("report.html")?;
    check_shown(&text)?;
    for forbidden in ["<script", "<link", "<img", "<iframe", "@import", " src=", "url(http"] {
        if text.contains(forbidden) {
            return Err(format!("it has {forbidden}").into());
        }
    }
    Ok(())
}

/// Hostile names stand there as text.
fn check_shown(html: &str) -> Result<(), Box<dyn Error>> {
    if html.contains("<script>alert") {
        return Err("a name is a script".into());
    }
    if html.contains('\u{202E}') {
        return Err("a name turns the direction of writing".into());
    }
    Ok(())
}

/// The rules of the usual schema: names and types of attributes, what stands in what, sums.
fn junit(work: &Work) -> Result<(), Box<dyn Error>> {
    work.report(&["--out", "junit.xml"])?;
    work.xmllint("junit.xml")?;
    work.report(&["--format", "junit", "--filter", "wrong", "--out", "wrong.xml"])?;
    fs::write(work.out.join("junit.xsd"), SCHEMA)?;
    for file in ["junit.xml", "wrong.xml"] {
        let mut command = Command::new("xmllint");
        command.args(["--noout", "--nonet", "--huge", "--schema", "junit.xsd", file]);
        let run = command.current_dir(&work.out).output()?;
        if !run.status.success() {
            let text = String::from_utf8_lossy(&run.stderr);
            return Err(text.lines().take(5).collect::<Vec<_>>().join("\n").into());
        }
    }
    Ok(())
}

fn data(work: &Work) -> Result<(), Box<dyn Error>> {
    work.report(&["--out", "report.md"])?;
    work.report(&["--out", "report.json"])?;
    for table in ["standings", "results", "competition", "operators", "findings", "runs"] {
        work.report(&["--table", table, "--out", &format!("{table}.csv")])?;
    }
    work.luthier("export", &["--to", "all.csv"])?;
    work.luthier("export", &["--to", "all.jsonl"])?;
    work.luthier("export", &["--instance", "1", "--out", "instance-1"])?;
    let runs = work.read("all.jsonl")?.lines().count();
    if runs == 0 {
        return Err("no run was exported".into());
    }
    Ok(())
}

/// A small database, with hostile names for a set, a track, instances and a solver.
fn made_up(out: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let database = out.join("sample.db");
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("sample-db").arg(&database).args(["--instances", "600"]);
    if !succeeds(&mut command)? {
        return Err("no database could be made".into());
    }
    let mut store = Store::open(&database)?;
    let set = store.add_set(HOSTILE[0], false)?;
    let track = store.add_track(set, HOSTILE[1])?;
    let mut some = Vec::new();
    store.visit_instances(|found| -> Result<(), StoreError> {
        if some.len() < 40 {
            some.push(found);
        }
        Ok(())
    })?;
    let configurations = store.configurations()?;
    let (_, configuration) = configurations.first().ok_or("there is no solver")?;
    let mut configuration = configuration.clone();
    HOSTILE[2].clone_into(&mut configuration.name);
    configuration.arguments.push(HOSTILE[1].to_owned());
    let configuration = store.add_configuration(&configuration)?;
    let (campaign, _) = store.campaigns()?.into_iter().next().ok_or("there is no campaign")?;
    for (number, found) in some.into_iter().enumerate() {
        let name = format!("{}-{number}.smt2", HOSTILE[number % HOSTILE.len()]);
        store.add_member(track, found.id, &name)?;
        let Some(run) = found.runs.into_iter().find(|run| run.class != Class::Unsupported) else {
            continue;
        };
        let run: Run = run.into_run(Default::default());
        let new = NewRun { configuration, instance: found.id, run: &run };
        store.add_runs(campaign, &[new])?;
    }
    store.close()?;
    Ok(database)
}

fn build(root: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let mut command = Command::new("cargo");
    command.current_dir(root).args(["build", "--release", "--locked", "-p", "luthier"]);
    if !succeeds(&mut command)? {
        return Err("the binary could not be built".into());
    }
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("release").join("luthier").canonicalize()?)
}

fn succeeds(command: &mut Command) -> Result<bool, Box<dyn Error>> {
    Ok(command.status()?.success())
}

/// What readers of JUnit files agree on.
const SCHEMA: &str = r#"<?xml version="1.0"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:complexType name="problem" mixed="true">
    <xs:attribute name="type" type="xs:NCName" use="required"/>
    <xs:attribute name="message" type="xs:string" use="required"/>
  </xs:complexType>
  <xs:attributeGroup name="counts">
    <xs:attribute name="name" type="xs:string" use="required"/>
    <xs:attribute name="tests" type="xs:nonNegativeInteger" use="required"/>
    <xs:attribute name="failures" type="xs:nonNegativeInteger" use="required"/>
    <xs:attribute name="errors" type="xs:nonNegativeInteger" use="required"/>
    <xs:attribute name="skipped" type="xs:nonNegativeInteger" use="required"/>
    <xs:attribute name="time" type="xs:decimal" use="required"/>
  </xs:attributeGroup>
  <xs:element name="testsuites"><xs:complexType>
    <xs:sequence>
      <xs:element name="testsuite" minOccurs="0" maxOccurs="unbounded"><xs:complexType>
        <xs:sequence>
          <xs:element name="testcase" minOccurs="0" maxOccurs="unbounded"><xs:complexType>
            <xs:choice minOccurs="0">
              <xs:element name="failure" type="problem"/>
              <xs:element name="error" type="problem"/>
              <xs:element name="skipped"><xs:complexType>
                <xs:attribute name="message" type="xs:string" use="required"/>
              </xs:complexType></xs:element>
            </xs:choice>
            <xs:attribute name="classname" type="xs:string" use="required"/>
            <xs:attribute name="name" type="xs:string" use="required"/>
            <xs:attribute name="time" type="xs:decimal" use="required"/>
          </xs:complexType></xs:element>
        </xs:sequence>
        <xs:attributeGroup ref="counts"/>
        <xs:attribute name="timestamp" type="xs:dateTime"/>
      </xs:complexType></xs:element>
    </xs:sequence>
    <xs:attributeGroup ref="counts"/>
  </xs:complexType></xs:element>
</xs:schema>
"#;
