//! `luthier report --chart`: one picture.

use std::path::Path;

use luthier_report::documents::{ChartName, ChartUnavailable};
use luthier_report::plots::{Variant, tikz_document, to_png, to_svg, to_tikz};
use luthier_store::Store;

use super::{Arguments, Format, select};
use crate::error::{CliError, Ending};
use crate::output::Output;

/// How a picture is written.
enum Picture {
    Svg,
    Png,
    Tikz,
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
    let size = chart.natural_size(WIDTH);
    let bytes = match picture {
        Picture::Svg => to_svg(&chart, size, Variant::Standalone).into_bytes(),
        Picture::Png => to_png(&chart, size, SCALE)
            .map_err(|error| CliError::Bug { message: error.to_string() })?,
        Picture::Tikz if arguments.standalone => tikz_document(&chart).into_bytes(),
        Picture::Tikz => to_tikz(&chart).into_bytes(),
    };
    arguments.write(&bytes, output)?;
    Ok(Ending::Fine)
}

/// By the ending of the file; SVG on standard output.
fn picture(arguments: &Arguments) -> Result<Picture, CliError> {
    let ending = arguments.out.as_deref().and_then(Path::extension).and_then(|one| one.to_str());
    match (ending, arguments.format) {
        (_, Some(Format::Tikz | Format::Latex)) => Ok(Picture::Tikz),
        (_, Some(_)) => Err(CliError::usage("a chart has none of the formats of documents")
            .with_hint("leave out --format, or use --format tikz")),
        (Some("svg"), None) => Ok(Picture::Svg),
        (Some("png"), None) => Ok(Picture::Png),
        (Some("tex"), None) => Ok(Picture::Tikz),
        (None, None) if arguments.out.is_none() => Ok(Picture::Svg),
        (_, None) => {
            Err(CliError::usage("the kind of picture is not known by the name of the file")
                .with_hint("end it with .svg, .png or .tex"))
        }
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
