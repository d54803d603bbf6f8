//! TikZ writer, for papers: one pgfplots picture, with all text in the font of the document.
//!
//! The picture needs only `\usepackage{pgfplots}`. Ticks and their labels are written explicitly,
//! so that they equal those of the other formats; hatchings are declared by the picture itself.
//! Characters that pdfLaTeX cannot typeset are written as code points, `[U+4E2D]`.

mod escape;
mod styles;

use crate::model::{Chart, Size};
use crate::palette::{Hatch, Look, Marker};
use crate::plan::{
    AxisPlan, Dot, FONT_SIZE, Item, Plan, PointNotes, ROOM_FOR_NAMES, ROOM_FOR_SLANTED, Swatch,
};
use crate::text::{clean, cut_to_length, cut_to_width, width};
use escape::escape;
use styles::{colour_name, dash, marker};

/// What a document needs before `\begin{document}` for the pictures of [`to_tikz`].
pub const PREAMBLE: &str = "\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.16}\n";

/// Centimetres per pixel: a plot of 600 pixels is 12 cm wide.
const CENTIMETRES: f64 = 0.02;

/// The chart as a picture to be put into a document, see [`PREAMBLE`].
pub fn to_tikz(chart: &Chart) -> String {
    let (across, up) = plot_size(chart);
    let plan = Plan::new(chart, across, up, PointNotes::Omitted);
    let mut text = String::from("% Needs in the preamble: \\usepackage{pgfplots}\n");
    let mut put = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    for comment in [&chart.title, &chart.description] {
        let comment = clean(comment);
        put(format!("% {}", cut_to_length(comment.trim(), 1_000)));
    }
    let looks = looks(&plan);
    for hatch in Hatch::ALL.into_iter().filter(|hatch| looks.iter().any(|l| l.hatch == *hatch)) {
        if let Some(declaration) = styles::declaration(hatch) {
            put(declaration);
        }
    }
    put("\\begin{tikzpicture}".to_owned());
    let mut colours: Vec<_> = looks.iter().map(|look| look.colour).collect();
    colours.sort_by_key(|colour| (colour.red, colour.green, colour.blue));
    colours.dedup();
    for colour in colours {
        put(styles::definition(colour));
    }
    put("\\begin{axis}[".to_owned());
    options(chart, &plan, (across, up)).into_iter().for_each(|option| put(format!("  {option},")));
    put("]".to_owned());
    if plan.is_empty() {
        put("\\node at (rel axis cs:0.5,0.5) {no data};".to_owned());
    }
    plan.items.iter().for_each(|item| write_item(item, &plan, across, &mut put));
    for entry in &plan.legend {
        let look = entry.look;
        let colour = colour_name(look.colour);
        let image = match entry.swatch {
            Swatch::Area => format!("area legend, {}", styles::area(look)),
            Swatch::Marker => format!("only marks, color={colour}, {}", marker(look.marker, 1.0)),
            Swatch::Line => {
                format!("color={colour}, thick, {}, {}", dash(look.dash), marker(look.marker, 1.0))
            }
        };
        put(format!("\\addlegendimage{{{image}}}"));
        let name = cut_to_width(&entry.name, FONT_SIZE, ROOM_FOR_NAMES * 1.2);
        put(format!("\\addlegendentry{{{}}}", escape(&name)));
    }
    put("\\end{axis}".to_owned());
    put("\\end{tikzpicture}".to_owned());
    text
}

/// A whole document with the chart as its only page.
pub fn tikz_document(chart: &Chart) -> String {
    // The page is as large as the picture; no class that does so is in every installation.
    format!(
        "\\documentclass{{article}}\n{PREAMBLE}\\pagestyle{{empty}}\n\\begin{{document}}\n\
         \\setbox0=\\hbox{{%\n{}}}%\n\
         \\ifdefined\\pdfpagewidth\n\
         \\pdfpagewidth=\\dimexpr\\wd0+6mm\\relax\n\
         \\pdfpageheight=\\dimexpr\\ht0+\\dp0+6mm\\relax\n\
         \\pdfhorigin=3mm \\pdfvorigin=3mm \\hoffset=0pt \\voffset=0pt\n\
         \\shipout\\box0\n\
         \\else\n\\noindent\\box0\n\\fi\n\
         \\end{{document}}\n",
        to_tikz(chart)
    )
}

/// The size of the plot: as high as in the other pictures.
fn plot_size(chart: &Chart) -> (f64, f64) {
    let up = chart.natural_plot_height(Size::default().width);
    // TeX cannot set anything that is taller than 5 m.
    (600.0, up.clamp(60.0, 2_000.0))
}

fn looks(plan: &Plan) -> Vec<Look> {
    let drawn = plan.items.iter().filter_map(|item| match item {
        Item::Guide { .. } => None,
        Item::Bar { look, .. } | Item::Line { look, .. } | Item::Dots { look, .. } => Some(*look),
    });
    let mut looks: Vec<Look> = plan.legend.iter().map(|entry| entry.look).collect();
    for look in drawn {
        if !looks.contains(&look) {
            looks.push(look);
        }
    }
    looks
}

fn options(chart: &Chart, plan: &Plan, (across, up): (f64, f64)) -> Vec<String> {
    let centimetres = |pixels: f64| format!("{:.2}cm", pixels * CENTIMETRES);
    let mut options = vec![
        "scale only axis".to_owned(),
        format!("width={}", centimetres(across)),
        format!("height={}", centimetres(up)),
        "font=\\footnotesize".to_owned(),
        "axis lines=left".to_owned(),
        "axis line style={-}".to_owned(),
        "tick align=outside".to_owned(),
        "clip=false".to_owned(),
        "major grid style={black!18}".to_owned(),
        "minor grid style={black!7}".to_owned(),
        "scaled ticks=false".to_owned(),
    ];
    if !chart.title.is_empty() {
        options.push(format!("title={{{}}}", escape(&cut_to_width(&chart.title, 12.0, across))));
    }
    for (name, axis) in [("x", &plan.x), ("y", &plan.y)] {
        axis_options(name, axis, &mut options);
    }
    let labels = if plan.x.is_slanted {
        options.push("xticklabel style={rotate=40,anchor=north east,inner sep=2pt}".to_owned());
        // Where pgfplots puts the title it does not see how far slanted labels reach.
        let labels = 16.0 + longest_label(&plan.x) * 0.66;
        options.push(format!(
            "xlabel style={{at={{(axis description cs:0.5,0)}},anchor=north,yshift=-{}}}",
            centimetres(labels - 4.0)
        ));
        labels + 18.0
    } else {
        20.0
    };
    if plan.y.has_names {
        options.push("ytick style={draw=none}".to_owned());
        // Beside long names the title would stand where they are.
        let left = longest_label(&plan.y) + 16.0;
        options.push(format!(
            "ylabel style={{at={{(axis description cs:0,0.5)}},anchor=south,yshift={}}}",
            centimetres(left)
        ));
    }
    let widest = plan.legend.iter().map(|entry| width(&entry.name, FONT_SIZE)).fold(0.0, f64::max);
    let columns = (across / (widest.min(ROOM_FOR_NAMES * 1.2) + 50.0)).floor().clamp(1.0, 6.0);
    options.push(format!(
        "legend style={{at={{(0.5,0)}},anchor=north,yshift=-{},draw=none,legend columns={columns},\
         /tikz/every even column/.append style={{column sep=8pt}},cells={{anchor=west}}}}",
        centimetres(labels + 32.0)
    ));
    options
}

fn longest_label(axis: &AxisPlan) -> f64 {
    let widths = axis.ticks.iter().map(|tick| width(&tick.label, FONT_SIZE));
    let room = if axis.is_slanted { ROOM_FOR_SLANTED } else { ROOM_FOR_NAMES };
    widths.fold(0.0, f64::max).min(room)
}

fn axis_options(name: &str, axis: &AxisPlan, options: &mut Vec<String>) {
    let range = axis.range;
    if range.is_log {
        options.push(format!("{name}mode=log"));
    }
    options.push(format!("{name}min={}", number(range.low)));
    options.push(format!("{name}max={}", number(range.high)));
    let title = cut_to_length(&axis.title, 100);
    options.push(format!("{name}label={{{}}}", escape(&title)));
    let places: Vec<String> = axis.ticks.iter().map(|tick| number(tick.value)).collect();
    let room = if axis.is_slanted { ROOM_FOR_SLANTED } else { ROOM_FOR_NAMES };
    let labels: Vec<String> = axis
        .ticks
        .iter()
        .map(|tick| format!("{{{}}}", escape(&cut_to_width(&tick.label, FONT_SIZE, room))))
        .collect();
    options.push(format!("{name}tick={{{}}}", places.join(",")));
    options.push(format!("{name}ticklabels={{{}}}", labels.join(",")));
    if !axis.has_names {
        options.push(format!("{name}majorgrids"));
    }
    if axis.minor.is_empty() {
        options.push(format!("minor {name} tick num=0"));
    } else {
        let places: Vec<String> = axis.minor.iter().map(|&value| number(value)).collect();
        options.push(format!("minor {name}tick={{{}}}", places.join(",")));
        options.push(format!("{name}minorgrids"));
    }
}

fn write_item(item: &Item, plan: &Plan, across: f64, put: &mut impl FnMut(String)) {
    let at = |(x, y): (f64, f64)| format!("({},{})", number(x), number(y));
    let on_axes = |(x, y): (f64, f64)| format!("(axis cs:{},{})", number(x), number(y));
    match item {
        Item::Guide { from, to, label } => {
            let place = if from.1 == to.1 {
                "pos=0, anchor=south west"
            } else if from.0 == to.0 {
                "pos=0, anchor=south east"
            } else {
                "pos=1, anchor=south east"
            };
            put(format!(
                "\\draw[black!60, dashed] {} -- {} node[{place}, font=\\scriptsize, inner sep=2pt] {{{}}};",
                on_axes(*from),
                on_axes(*to),
                escape(&cut_to_length(label, 40))
            ));
        }
        Item::Bar { from, to, look, label, .. } => {
            let area = styles::area(*look);
            put(format!("\\draw[{area}] {} rectangle {};", on_axes(*from), on_axes(*to)));
            let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
            let room = (plan.x.range.place(to.0) - plan.x.range.place(from.0)) * across;
            if !label.is_empty() && width(label, FONT_SIZE) + 8.0 <= room {
                put(format!(
                    "\\node[font=\\scriptsize, fill=white, inner sep=1pt] at {} {{{}}};",
                    on_axes(middle),
                    escape(label)
                ));
            }
        }
        Item::Line { points, is_step, look, .. } => {
            let shape = if *is_step { "const plot" } else { "sharp plot" };
            let coordinates: Vec<String> = points.iter().map(|&point| at(point)).collect();
            put(format!(
                "\\addplot[{shape}, color={}, thick, {}, mark=none, forget plot] coordinates {{\n{}\n}};",
                colour_name(look.colour),
                dash(look.dash),
                wrapped(&coordinates)
            ));
        }
        Item::Dots { dots, look, .. } => {
            for shape in Marker::ALL {
                let of_shape: Vec<&Dot> = dots.iter().filter(|dot| dot.marker == shape).collect();
                if of_shape.is_empty() {
                    continue;
                }
                let coordinates: Vec<String> = of_shape.iter().map(|dot| at(dot.at)).collect();
                put(format!(
                    "\\addplot[only marks, color={}, {}, forget plot] coordinates {{\n{}\n}};",
                    colour_name(look.colour),
                    marker(shape, if dots.len() > 200 { 0.7 } else { 1.0 }),
                    wrapped(&coordinates)
                ));
            }
        }
    }
}

/// Eight to a line, so that no line is longer than what TeX reads at once.
fn wrapped(coordinates: &[String]) -> String {
    let lines: Vec<String> = coordinates.chunks(8).map(|chunk| chunk.join(" ")).collect();
    lines.join("\n")
}

/// Six digits: more than any printer shows.
fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let text = format!("{value:.5e}");
    let rounded: f64 = text.parse().unwrap_or(value);
    if (1e-5..1e7).contains(&value.abs()) { rounded.to_string() } else { text }
}
