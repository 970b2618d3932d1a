//! Adapters to rigid-body engines, each behind its feature.
