//! A checksum over any value that can be serialized: the value is serialized into a hash (FNV-1a over words).
//!
//! It covers every field that is stored, also those that come later, whatever format carries the bytes.

use std::fmt;

use serde::{Serialize, Serializer, ser};

/// The checksum of a value.
pub(super) fn checksum(value: &impl Serialize) -> u64 {
    let mut sum = Sum(0xcbf2_9ce4_8422_2325);
    // Nothing is written that could fail; a value that refuses to be serialized has a checksum of its own.
    match value.serialize(&mut sum) {
        Ok(()) => sum.0,
        Err(_) => !sum.0,
    }
}

struct Sum(u64);

impl Sum {
    fn word(&mut self, word: u64) -> Result<(), fmt::Error> {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        // A product carries upwards only: the high half comes down again, so that a high bit is not lost in a few words.
        self.0 ^= self.0 >> 32;
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), fmt::Error> {
        self.word(bytes.len() as u64)?;
        bytes.iter().try_for_each(|&byte| self.word(byte.into()))
    }

    /// Opens a list, so that `[[1], [2]]` is not `[[1, 2], []]`.
    fn open(&mut self, length: usize) -> Result<&mut Self, fmt::Error> {
        self.word(length as u64 ^ 0x5bd1_e995_0000_0000)?;
        Ok(self)
    }
}

macro_rules! words {
    ($($name:ident: $type:ty),*) => {
        $(fn $name(self, value: $type) -> Result<(), fmt::Error> {
            self.word(value as u64)
        })*
    };
}

impl<'a> Serializer for &'a mut Sum {
    type Ok = ();
    type Error = fmt::Error;
    type SerializeSeq = &'a mut Sum;
    type SerializeTuple = &'a mut Sum;
    type SerializeTupleStruct = &'a mut Sum;
    type SerializeTupleVariant = &'a mut Sum;
    type SerializeMap = &'a mut Sum;
    type SerializeStruct = &'a mut Sum;
    type SerializeStructVariant = &'a mut Sum;

    words!(
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_char: char
    );

    fn serialize_f32(self, value: f32) -> Result<(), fmt::Error> {
        self.word(value.to_bits().into())
    }

    fn serialize_f64(self, value: f64) -> Result<(), fmt::Error> {
        self.word(value.to_bits())
    }

    fn serialize_str(self, value: &str) -> Result<(), fmt::Error> {
        self.bytes(value.as_bytes())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), fmt::Error> {
        self.bytes(value)
    }

    fn serialize_none(self) -> Result<(), fmt::Error> {
        self.word(0)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), fmt::Error> {
        self.word(1)?;
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), fmt::Error> {
        self.word(0)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), fmt::Error> {
        self.word(0)
    }

    fn serialize_unit_variant(self, _: &'static str, index: u32, _: &'static str) -> Result<(), fmt::Error> {
        self.word(index.into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), fmt::Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), fmt::Error> {
        self.word(index.into())?;
        value.serialize(self)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<&'a mut Sum, fmt::Error> {
        self.open(length.unwrap_or(0))
    }

    fn serialize_tuple(self, length: usize) -> Result<&'a mut Sum, fmt::Error> {
        self.open(length)
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<&'a mut Sum, fmt::Error> {
        self.open(length)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        length: usize,
    ) -> Result<&'a mut Sum, fmt::Error> {
        self.word(index.into())?;
        self.open(length)
    }

    fn serialize_map(self, length: Option<usize>) -> Result<&'a mut Sum, fmt::Error> {
        self.open(length.unwrap_or(0))
    }

    fn serialize_struct(self, _: &'static str, length: usize) -> Result<&'a mut Sum, fmt::Error> {
        self.open(length)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        length: usize,
    ) -> Result<&'a mut Sum, fmt::Error> {
        self.word(index.into())?;
        self.open(length)
    }
}

macro_rules! parts {
    ($($trait:ident :: $method:ident ( $($name:ident : $type:ty)? )),*) => {
        $(impl ser::$trait for &mut Sum {
            type Ok = ();
            type Error = fmt::Error;

            fn $method<T: Serialize + ?Sized>(&mut self, $($name: $type,)? value: &T) -> Result<(), fmt::Error> {
                value.serialize(&mut **self)
            }

            fn end(self) -> Result<(), fmt::Error> {
                Ok(())
            }
        })*
    };
}

parts!(
    SerializeSeq::serialize_element(),
    SerializeTuple::serialize_element(),
    SerializeTupleStruct::serialize_field(),
    SerializeTupleVariant::serialize_field(),
    SerializeStruct::serialize_field(_name: &'static str),
    SerializeStructVariant::serialize_field(_name: &'static str)
);

impl ser::SerializeMap for &mut Sum {
    type Ok = ();
    type Error = fmt::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), fmt::Error> {
        key.serialize(&mut **self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), fmt::Error> {
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<(), fmt::Error> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_and_every_border_counts() {
        let sums = [
            checksum(&(1u32, 2u32)),
            checksum(&(2u32, 1u32)),
            checksum(&(1u32, 3u32)),
            checksum(&vec![vec![1u32], vec![2]]),
            checksum(&vec![vec![1u32, 2], vec![]]),
            checksum(&(0.0f64, "a")),
            checksum(&(-0.0f64, "a")),
            checksum(&(0.0f64, "b")),
            checksum(&(Some(0u8), ())),
            checksum(&(None::<u8>, ())),
        ];
        for (n, sum) in sums.iter().enumerate() {
            assert!(!sums[..n].contains(sum), "{n}");
        }
        assert_eq!(checksum(&[1.5f32; 4]), checksum(&[1.5f32; 4]));
    }
}
