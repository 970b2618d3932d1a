//! How rods are stored: snapshots and recordings.

mod checked_rows;
mod checksum;
mod command;
mod recording;
mod shared;
mod snapshot;
mod stored_block;
mod stored_contact;

pub use command::{Change, Command, CommandError, Done, Edit};
pub use recording::{Recorder, Recording, Replay, ReplayError};
pub use snapshot::SnapshotError;
