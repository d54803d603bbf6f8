//! `luthier report --chart`: one chart as SVG, PNG or TikZ.

use std::path::Path;

use luthier_report::documents::{ChartName, ChartUnavailable};
use luthier_report::plots::{Chart, Variant, tikz_document, to_png, to_svg, to_tikz};
use luthier_store::Store;

use super::{Arguments, Format, select};
use crate::error::{CliError, Ending};
use crate::output::Output;

/// How a picture is written.
#[derive(Clone, Copy)]
pub enum Picture {
    Svg,
    Png,
    Tikz,
}

impl Picture {
    /// By the ending of a file.
    pub fn of_path(path: &Path) -> Result<Self, CliError> {
        match path.extension().and_then(|one| one.to_str()) {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            Some("tex") => Ok(Self::Tikz),
            _ => Err(CliError::usage("the kind of picture is not known by the name of the file")
                .with_hint("end it with .svg, .png or .tex")),
        }
    }

    /// The bytes of the file.
    pub fn bytes(self, chart: &Chart) -> Result<Vec<u8>, CliError> {
        let size = chart.natural_size(WIDTH);
        Ok(match self {
            Self::Svg => to_svg(chart, size, Variant::Standalone).into_bytes(),
            Self::Png => to_png(chart, size, SCALE)
                .map_err(|error| CliError::Bug { message: error.to_string() })?,
            Self::Tikz => to_tikz(chart).into_bytes(),
        })
    }
}

/// How wide pictures are, in pixels; as PNG they have twice as many.
const WIDTH: u32 = 900;
const SCALE: f32 = 2.0;

/// Writes a picture.
pub fn run(
    arguments: &Arguments,
    name: ChartName,
    output: &mut Output,
) -> Result<Ending, CliError> {
    let picture = picture(arguments)?;
    let store = Store::open_read_only(&arguments.database)?;
    let features = name == ChartName::Operators || arguments.selection.needs_features();
    let results = select::read(&store, features)?;
    let view = arguments.selection.view(&results)?;
    let chart = name.of(&view)?;
    let bytes = match picture {
        Picture::Tikz if arguments.standalone => tikz_document(&chart).into_bytes(),
        picture => picture.bytes(&chart)?,
    };
    arguments.write(&bytes, output)?;
    Ok(Ending::Fine)
}

/// By the ending of the file; SVG on standard output.
fn picture(arguments: &Arguments) -> Result<Picture, CliError> {
    match (&arguments.out, arguments.format) {
        (_, Some(Format::Tikz | Format::Latex)) => Ok(Picture::Tikz),
        (_, Some(_)) => Err(CliError::usage("a chart has none of the formats of documents")
            .with_hint("leave out --format, or use --format tikz")),
        (None, None) => Ok(Picture::Svg),
        (Some(path), None) => Picture::of_path(path),
    }
}

impl From<ChartUnavailable> for CliError {
    fn from(error: ChartUnavailable) -> Self {
        let hint = match error {
            ChartUnavailable::TwoSolversNeeded => "choose them with --solver A --solver B",
            ChartUnavailable::NoVersions => {
                "a timeline shows releases of one solver, such as z3@4.8.9 and z3@5.4.0"
            }
            ChartUnavailable::SeveralFamilies(_) => {
                "choose the releases of one of them with --solver"
            }
        };
        Self::usage(error.to_string()).with_hint(hint)
    }
}
