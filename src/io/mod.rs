//! How rods are stored: snapshots and recordings.

mod checked_rows;
mod checksum;
mod snapshot;
mod stored_block;

pub use snapshot::SnapshotError;
