//! Reduces the colours of pictures, to save space.
//!
//! A page has a few flat colours and the shades at the edges of letters. The most frequent colours
//! are kept; every other is replaced by the nearest of them.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::error::Error;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;

type Colour = [u8; 3];

/// How many colours a picture with a palette can have.
const MOST_COLOURS: usize = 256;

/// Writes a picture anew, with a palette.
pub fn make_small(file: &Path) -> Result<(), Box<dyn Error>> {
    let mut decoder = png::Decoder::new(BufReader::new(File::open(file)?));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    let mut reader = decoder.read_info()?;
    let size = reader.output_buffer_size().ok_or("the picture is too large")?;
    let mut bytes = vec![0; size];
    let frame = reader.next_frame(&mut bytes)?;
    let samples = match frame.color_type {
        png::ColorType::Rgb => 3,
        png::ColorType::Rgba => 4,
        other => return Err(format!("{}: has no colours: {other:?}", file.display()).into()),
    };
    let pixels: Vec<Colour> = bytes[..frame.buffer_size()]
        .chunks_exact(samples)
        .map(|pixel| coarse([pixel[0], pixel[1], pixel[2]]))
        .collect();
    let (palette, indices) = with_palette(&pixels);
    let writer = BufWriter::new(File::create(file)?);
    let mut encoder = png::Encoder::new(writer, frame.width, frame.height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    // Neighbours in a palette have nothing to do with each other.
    encoder.set_filter(png::Filter::NoFilter);
    encoder.set_palette(palette.concat());
    encoder.write_header()?.write_image_data(&indices)?;
    Ok(())
}

/// Shades that cannot be distinguished become one; white stays white and black stays black.
fn coarse(colour: Colour) -> Colour {
    colour.map(|value| if value >= 0xf8 { value } else { value & 0xf8 | value >> 5 })
}

/// The most frequent colours, and the number of one of them for each pixel.
fn with_palette(pixels: &[Colour]) -> (Vec<Colour>, Vec<u8>) {
    let mut counts: HashMap<Colour, usize> = HashMap::new();
    for pixel in pixels {
        *counts.entry(*pixel).or_default() += 1;
    }
    let mut colours: Vec<(Colour, usize)> = counts.into_iter().collect();
    // By frequency, then by value, so that the same picture gives the same bytes.
    colours.sort_unstable_by_key(|(colour, count)| (Reverse(*count), *colour));
    let palette: Vec<Colour> =
        colours.iter().take(MOST_COLOURS).map(|(colour, _)| *colour).collect();
    let nearest = |colour: &Colour| {
        let distance = |other: &Colour| -> u32 {
            colour.iter().zip(other).map(|(one, two)| u32::from(one.abs_diff(*two)).pow(2)).sum()
        };
        let place = (0..palette.len()).min_by_key(|&index| distance(&palette[index]));
        place.and_then(|index| u8::try_from(index).ok()).unwrap_or_default()
    };
    let indices: HashMap<Colour, u8> =
        colours.iter().map(|(colour, _)| (*colour, nearest(colour))).collect();
    let pixels = pixels.iter().map(|pixel| indices[pixel]).collect();
    (palette, pixels)
}

#[cfg(test)]
mod tests {
    use super::{coarse, with_palette};

    #[test]
    fn frequent_colours_stay_and_others_become_the_nearest() {
        let mut pixels = vec![[255, 255, 255]; 10];
        pixels.extend((0..255).map(|shade| [shade, 0, 0]));
        pixels.extend((0..255).map(|shade| [shade, 0, 0]));
        pixels.push([254, 1, 0]);
        let (palette, indices) = with_palette(&pixels);
        assert_eq!(palette.len(), 256);
        assert_eq!(palette[usize::from(indices[0])], [255, 255, 255]);
        assert_eq!(palette[usize::from(indices[indices.len() - 1])], [254, 0, 0]);
    }

    #[test]
    fn ends_of_the_scale_stay() {
        assert_eq!(coarse([0, 255, 0xfb]), [0, 255, 0xfb]);
        assert_eq!(coarse([0x81, 0x86, 7]), [0x84, 0x84, 0]);
    }
}
