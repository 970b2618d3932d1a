//! Descriptions behind an `Arc`, written as what they point to.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::rod::RodDescription;

pub(super) fn serialize<S: Serializer>(rod: &Arc<RodDescription>, serializer: S) -> Result<S::Ok, S::Error> {
    (**rod).serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<RodDescription>, D::Error> {
    RodDescription::deserialize(deserializer).map(Arc::new)
}
