//! PNG: the drawing of a chart in pixels, with the embedded font, so that it is the same on every
//! machine.

mod font;
mod surface;

use tiny_skia::{Color, Pixmap};

use crate::ChartError;
use crate::draw::{Drawing, SeriesNumbers};
use crate::model::{Chart, Size};
use crate::plan::PointNotes;
use surface::PixelSurface;

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
    pixmap.fill(Color::WHITE);
    let scales = (width / f64::from(size.width), height / f64::from(size.height));
    let mut surface = PixelSurface::new(pixmap, scales);
    let drawing = Drawing::new(chart, size, PointNotes::Omitted);
    drawing.draw_on(&mut surface, SeriesNumbers::Omitted);
    encode(&surface.finish()).map_err(|error| ChartError::Drawing(error.to_string()))
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
