//! How rods are stored: snapshots and recordings.

mod checked_rows;
mod checksum;
mod snapshot;

pub use snapshot::SnapshotError;
