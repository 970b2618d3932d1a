//! Cloning into memory that is already there.
//!
//! The derived `clone_from` drops what it had and allocates anew. A rollback copies a world every frame, so blocks and residents copy field by field,
//! each into its own memory. The list of fields is checked by the compiler: one that is forgotten does not build.

/// `Clone` for a struct with named fields, all of them named here.
macro_rules! clone_in_place {
    ($name:ident { $($field:ident),* $(,)? }) => {
        impl Clone for $name {
            fn clone(&self) -> Self {
                let Self { $($field),* } = self;
                Self { $($field: Clone::clone($field)),* }
            }

            fn clone_from(&mut self, source: &Self) {
                let Self { $($field),* } = source;
                $(Clone::clone_from(&mut self.$field, $field);)*
            }
        }
    };
}

pub(super) use clone_in_place;
