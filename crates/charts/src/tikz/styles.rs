//! Colours, dashes, markers and hatchings as TikZ options.

use crate::palette::{Colour, Dash, Hatch, Look, Marker};

/// The name of a colour; it has only letters and digits.
pub(super) fn colour_name(colour: Colour) -> String {
    let Colour { red, green, blue } = colour;
    format!("chart{red:02x}{green:02x}{blue:02x}")
}

/// The definition of a colour.
pub(super) fn definition(colour: Colour) -> String {
    let Colour { red, green, blue } = colour;
    format!("\\definecolor{{{}}}{{RGB}}{{{red},{green},{blue}}}", colour_name(colour))
}

pub(super) fn dash(dash: Dash) -> &'static str {
    match dash {
        Dash::Solid => "solid",
        Dash::Dashed => "dash pattern=on 5pt off 2.5pt",
        Dash::Dotted => "dash pattern=on 1pt off 2pt",
        Dash::DashDotted => "dash pattern=on 5pt off 2pt on 1pt off 2pt",
        Dash::Short => "dash pattern=on 2.5pt off 2pt",
    }
}

/// Its options, without the colour. Outlines of markers are never dashed.
pub(super) fn marker(marker: Marker, scale: f64) -> String {
    let (mark, more, size) = match marker {
        Marker::Circle => ("*", "", 2.0),
        Marker::Square => ("square*", "", 1.8),
        Marker::Triangle => ("triangle*", "", 2.5),
        Marker::Diamond => ("diamond*", "", 2.6),
        Marker::Plus => ("+", ",thick", 2.4),
        Marker::Cross => ("x", ",thick", 2.4),
        Marker::TriangleDown => ("triangle*", ",rotate=180", 2.5),
        Marker::Ring => ("o", ",thick", 1.9),
        Marker::Frame => ("square", ",thick", 1.7),
    };
    format!("mark={mark}, mark size={:.1}pt, mark options={{solid{more}}}", size * scale)
}

/// How an area is filled.
pub(super) fn area(look: Look) -> String {
    let colour = colour_name(look.colour);
    let plain = format!("draw={colour}, fill={colour}");
    match pattern_name(look.hatch) {
        None => plain,
        // The option `pattern` would need a library of TikZ; what it does is part of PGF.
        Some(name) => format!(
            "{plain}, postaction={{/utils/exec={{\\pgfsetfillpattern{{{name}}}{{white}}}}, fill}}"
        ),
    }
}

/// The declaration of a hatching, which does nothing if a picture before it has made it.
pub(super) fn declaration(hatch: Hatch) -> Option<String> {
    let name = pattern_name(hatch)?;
    let path = |from: &str, to: &str| {
        format!("\\pgfpathmoveto{{\\pgfpoint{from}}}\\pgfpathlineto{{\\pgfpoint{to}}}")
    };
    let rising = path("{-1pt}{-1pt}", "{6pt}{6pt}");
    let falling = path("{-1pt}{6pt}", "{6pt}{-1pt}");
    let across = path("{-1pt}{2.5pt}", "{6pt}{2.5pt}");
    let upright = path("{2.5pt}{-1pt}", "{2.5pt}{6pt}");
    let paths = match hatch {
        Hatch::Plain => return None,
        Hatch::Rising => rising,
        Hatch::Falling => falling,
        Hatch::Horizontal => across,
        Hatch::Vertical => upright,
        Hatch::Crossed => rising + &falling,
        Hatch::Grid => across + &upright,
        Hatch::Dotted => path("{1.8pt}{2.5pt}", "{3.2pt}{2.5pt}"),
    };
    let line_width = if hatch == Hatch::Dotted { "1.4pt" } else { "0.6pt" };
    Some(format!(
        "\\ifcsname pgf@pattern@name@{name}\\endcsname\\else\n\
         \\pgfdeclarepatternformonly{{{name}}}{{\\pgfpoint{{-1pt}}{{-1pt}}}}{{\\pgfpoint{{6pt}}{{6pt}}}}{{\\pgfpoint{{5pt}}{{5pt}}}}{{%\n  \
         \\pgfsetlinewidth{{{line_width}}}{paths}\\pgfusepath{{stroke}}}}\n\\fi"
    ))
}

fn pattern_name(hatch: Hatch) -> Option<&'static str> {
    match hatch {
        Hatch::Plain => None,
        Hatch::Rising => Some("chart rising"),
        Hatch::Falling => Some("chart falling"),
        Hatch::Horizontal => Some("chart horizontal"),
        Hatch::Vertical => Some("chart vertical"),
        Hatch::Crossed => Some("chart crossed"),
        Hatch::Dotted => Some("chart dotted"),
        Hatch::Grid => Some("chart grid"),
    }
}
