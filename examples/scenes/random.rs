//! A small random generator of our own (SplitMix64, Steele et al. 2014), so that a scene that was grown from a
//! seed is the same on every machine and with every version of every dependency.

use glam::DVec3;

/// SplitMix64: one 64-bit state, a full period of 2^64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator that yields the same numbers for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Even in [0, 1): the upper 53 bits, so that every value is exact.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Even in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Even in the unit ball, by rejection from the cube (about half of the tries are kept).
    pub fn in_ball(&mut self) -> DVec3 {
        loop {
            let p = DVec3::new(
                self.between(-1.0, 1.0),
                self.between(-1.0, 1.0),
                self.between(-1.0, 1.0),
            );
            if p.length_squared() <= 1.0 {
                return p;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn the_sequence_is_fixed() {
        // Reference values of SplitMix64 for the seed 1234567.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.bits(), 6_457_827_717_110_365_317);
        assert_eq!(random.bits(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn unit_stays_in_its_interval() {
        let mut random = Random::new(7);
        assert!((0..1000).all(|_| (0.0..1.0).contains(&random.unit())));
    }
}
