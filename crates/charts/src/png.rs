//! PNG: the standalone SVG, rasterised with the embedded font, so that it is the same on every machine.

use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use crate::ChartError;
use crate::model::{Chart, Size};
use crate::plan::PointNotes;
use crate::svg::{Variant, draw};

/// More would be a mistake, and much memory.
const MAX_PIXELS: f64 = 1e8;

/// The chart as PNG, on white. A scale of 2 gives twice as many pixels in each direction.
///
/// # Errors
///
/// If there would be no pixels, or too many.
pub fn to_png(chart: &Chart, size: Size, scale: f32) -> Result<Vec<u8>, ChartError> {
    let pixels = |length: u32| (f64::from(length) * f64::from(scale)).round();
    let (width, height) = (pixels(size.width), pixels(size.height));
    // A scale that is not a number is not within bounds either.
    if !(width >= 1.0 && height >= 1.0 && width * height <= MAX_PIXELS) {
        return Err(ChartError::Pixels);
    }
    let mut pixmap = Pixmap::new(width as u32, height as u32).ok_or(ChartError::Pixels)?;
    let options = Options { font_family: FONT.to_owned(), fontdb: fonts(), ..Options::default() };
    let svg = draw(chart, size, Variant::Standalone, PointNotes::Omitted);
    let tree =
        Tree::from_str(&svg, &options).map_err(|error| ChartError::Drawing(error.to_string()))?;
    let transform = Transform::from_scale(
        width as f32 / tree.size().width(),
        height as f32 / tree.size().height(),
    );
    resvg::render(&tree, transform, &mut pixmap.as_mut());
    encode(&pixmap).map_err(|error| ChartError::Drawing(error.to_string()))
}

/// The pixels as PNG. The background is opaque, so transparency would be a fourth of nothing; and
/// people wait for a picture, so it is compressed quickly rather than best.
fn encode(pixmap: &Pixmap) -> Result<Vec<u8>, png::EncodingError> {
    let pixels = pixmap.pixels().iter();
    let colours: Vec<u8> =
        pixels.flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
    let mut picture = Vec::new();
    let mut encoder = png::Encoder::new(&mut picture, pixmap.width(), pixmap.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&colours)?;
    writer.finish()?;
    Ok(picture)
}

const FONT: &str = "DejaVu Sans";

/// The fonts, read once. Fonts of the machine are not asked for, so that a picture is the same on all.
fn fonts() -> Arc<fontdb::Database> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    let fonts = FONTS.get_or_init(|| {
        let mut database = fontdb::Database::new();
        database.load_font_data(dejavu::sans::regular().to_vec());
        database.load_font_data(dejavu::sans::bold().to_vec());
        database.set_sans_serif_family(FONT);
        database.set_serif_family(FONT);
        database.set_monospace_family(FONT);
        database.set_cursive_family(FONT);
        database.set_fantasy_family(FONT);
        Arc::new(database)
    });
    Arc::clone(fonts)
}
