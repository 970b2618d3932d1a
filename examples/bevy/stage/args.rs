//! The command line of every example.

use std::path::PathBuf;

pub const USAGE: &str = "\
without arguments: a window
  --shot FILE.png    renders one frame without a window and exits
  --at SECONDS       which frame; 2.5 by default
  --film FILE.gif    renders frame after frame into it, from --from to --at
  --film FOLDER      the same, a picture a frame
  --from SECONDS     where a film begins; 0 by default
  --fps N            frames a second of a film; 30 by default
  --size WxH         pixels; 1280x720 by default
  --bare FILE.png    the same picture as --shot once more, without its rods
  --points FILE      writes where the camera, the sun and the rods are, to check the picture by";

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Args {
    pub output: Option<Output>,
    pub at: f64,
    pub from: f64,
    pub fps: u32,
    pub size: (u32, u32),
    pub bare: Option<PathBuf>,
    pub points: Option<PathBuf>,
}

/// Pictures instead of a window.
#[derive(Clone, Debug)]
pub enum Output {
    Shot(PathBuf),
    /// A folder of pictures.
    Frames(PathBuf),
    Gif(PathBuf),
}

impl Args {
    /// Of this program. What can't be understood ends it, with a word on what could have been.
    pub fn read() -> Self {
        Self::parse(std::env::args().skip(1)).unwrap_or_else(|problem| {
            eprintln!("{problem}\n{USAGE}");
            std::process::exit(2);
        })
    }

    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut args = Self {
            output: None,
            at: 2.5,
            from: 0.0,
            fps: 30,
            size: (1280, 720),
            bare: None,
            points: None,
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match word.as_str() {
                "--shot" => args.output = Some(Output::Shot(value()?.into())),
                "--film" => {
                    let film = PathBuf::from(value()?);
                    let gif = film.extension().is_some_and(|extension| extension == "gif");
                    args.output = Some(if gif { Output::Gif(film) } else { Output::Frames(film) });
                }
                "--from" => args.from = number(&value()?)?,
                "--at" => args.at = number(&value()?)?,
                "--fps" => args.fps = number::<u32>(&value()?)?.max(1),
                "--bare" => args.bare = Some(value()?.into()),
                "--points" => args.points = Some(value()?.into()),
                "--size" => {
                    let size = value()?;
                    let (width, height) = size.split_once('x').ok_or(format!("{size} is no WxH"))?;
                    args.size = (number(width)?, number(height)?);
                }
                _ => return Err(format!("what is {word}?")),
            }
        }
        Ok(args)
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{text} is not a number"))
}
