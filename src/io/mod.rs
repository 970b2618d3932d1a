//! How rods are stored: snapshots and recordings.
