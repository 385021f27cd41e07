//! State hashes that are the same on every run, thread and machine of one byte order.

use std::hash::{Hash, Hasher};

/// A fast hasher without a random key, for [`Game::hash`](crate::Game::hash) and transposition tables.
/// Not for input chosen by an adversary.
#[derive(Clone, Debug)]
pub struct Digest(u64);

const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

impl Default for Digest {
    fn default() -> Self {
        Digest(0x243F_6A88_85A3_08D3)
    }
}

impl Digest {
    /// The digest of one value.
    #[inline]
    pub fn of<T: Hash + ?Sized>(value: &T) -> u64 {
        let mut digest = Digest::default();
        value.hash(&mut digest);
        digest.finish()
    }
}

impl Hasher for Digest {
    #[inline]
    fn finish(&self) -> u64 {
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for &word in words {
            self.write_u64(u64::from_le_bytes(word));
        }
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            self.write_u64(u64::from_le_bytes(last));
        }
    }

    #[inline]
    fn write_u8(&mut self, word: u8) {
        self.write_u64(u64::from(word));
    }

    #[inline]
    fn write_u16(&mut self, word: u16) {
        self.write_u64(u64::from(word));
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        let z = (self.0 ^ word).wrapping_mul(FACTOR);
        self.0 = z ^ z.rotate_left(29);
    }

    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn digests_are_fixed_and_distinct() {
        assert_eq!(Digest::of(&[1u8, 2, 3]), Digest::of(&[1u8, 2, 3]));
        assert_ne!(Digest::of(&[1u8, 2, 3]), Digest::of(&[1u8, 2, 3, 0]));
        let all: HashSet<u64> =
            (0..200u32).flat_map(|a| (0..200u32).map(move |b| Digest::of(&(a, b)))).collect();
        assert_eq!(all.len(), 40_000);
    }

    #[test]
    fn each_input_bit_moves_about_half_of_the_output() {
        let base = Digest::of(&0u64);
        for bit in 0..64 {
            let moved = (Digest::of(&(1u64 << bit)) ^ base).count_ones();
            assert!((12..=52).contains(&moved), "bit {bit} moves {moved}");
        }
    }
}
