//! Films as animated GIFs. A frame stores what has changed since the one before, so that a still background costs nothing.

use std::{borrow::Cow, fs::File, io::BufWriter, path::Path};

use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

/// Colours of the palette; one more means "as before".
const COLORS: usize = 255;
const AS_BEFORE: u8 = COLORS as u8;

/// Frames on their way into a file.
#[derive(Debug)]
pub struct Gif {
    size: (u32, u32),
    fps: u32,
    /// RGBA.
    frames: Vec<Vec<u8>>,
}

impl Gif {
    pub fn new(size: (u32, u32), fps: u32) -> Self {
        Self {
            size,
            fps,
            frames: Vec::new(),
        }
    }

    pub fn add(&mut self, rgba: Vec<u8>) {
        self.frames.push(rgba);
    }

    /// All frames share one palette, made of some of them.
    pub fn write(&self, file: &Path) -> Result<(), EncodingError> {
        let sample: Vec<u8> = (self.frames.iter())
            .step_by((self.frames.len() / 6).max(1))
            .flatten()
            .copied()
            .collect();
        let palette = NeuQuant::new(3, COLORS, &sample);
        let [width, height] = [self.size.0, self.size.1].map(|side| side as u16);
        let file = BufWriter::new(File::create(file)?);
        let mut encoder = Encoder::new(file, width, height, &palette.color_map_rgb())?;
        encoder.set_repeat(Repeat::Infinite)?;
        let mut shown = vec![AS_BEFORE; usize::from(width) * usize::from(height)];
        for (number, frame) in (0u32..).zip(&self.frames) {
            let now: Vec<u8> = frame.chunks_exact(4).map(|rgba| palette.index_of(rgba) as u8).collect();
            // Hundredths of a second: those of all frames add up.
            let [start, end] = [number, number + 1].map(|frame| 100 * frame / self.fps);
            encoder.write_frame(&Frame {
                delay: (end - start) as u16,
                ..changes(&shown, &now, usize::from(width))
            })?;
            shown = now;
        }
        encoder.into_inner()?;
        Ok(())
    }
}

/// The rectangle in which something has changed; at least a pixel.
fn changes(before: &[u8], now: &[u8], width: usize) -> Frame<'static> {
    let changed = || (0..now.len()).filter(|&i| now[i] != before[i]);
    let [left, right] = [
        changed().map(|i| i % width).min().unwrap_or(0),
        changed().map(|i| i % width).max().unwrap_or(0),
    ];
    let [top, bottom] = [
        changed().next().map_or(0, |i| i / width),
        changed().next_back().map_or(0, |i| i / width),
    ];
    let pixel = |i: usize| if now[i] == before[i] { AS_BEFORE } else { now[i] };
    let pixels = (top..=bottom).flat_map(|y| (left..=right).map(move |x| pixel(y * width + x)));
    Frame {
        left: left as u16,
        top: top as u16,
        width: (right - left + 1) as u16,
        height: (bottom - top + 1) as u16,
        transparent: Some(AS_BEFORE),
        dispose: DisposalMethod::Keep,
        buffer: Cow::Owned(pixels.collect()),
        ..Frame::default()
    }
}
