//! Public keys and addresses derived from seeds.

use crate::error::{ProgramError, Result};
use crate::syscalls;
use core::cmp::Ordering;

/// A 32-byte public key or derived address. Addresses are ordered by their bytes, as pools order their mints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Address(pub [u8; 32]);

/// Makes an [`Address`](crate::Address) of a base58 text, at compile time.
#[macro_export]
macro_rules! address {
    ($text:expr) => {
        const { $crate::Address::from_base58($text) }
    };
}

const ALPHABET: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// An address in base58: 32 to 44 characters.
pub struct Base58 {
    characters: [u8; CHARACTERS],
    from: usize,
}

/// Nine groups of five digits hold 256 bits.
const CHARACTERS: usize = 45;
const GROUP: u64 = 58 * 58 * 58 * 58 * 58;

impl Base58 {
    /// Returns the characters, in ASCII.
    pub fn bytes(&self) -> &[u8] {
        &self.characters[self.from..]
    }
}

impl Address {
    pub const ZERO: Self = Self([0; 32]);

    /// Decodes a base58 text in a constant. Panics, which is an error at compile time, if `text` does not encode 32
    /// bytes.
    pub const fn from_base58(text: &str) -> Self {
        let text = text.as_bytes();
        let mut bytes = [0u8; 32];
        let mut at = 0;
        while at < text.len() {
            let mut digit = 0;
            while ALPHABET[digit] != text[at] {
                digit += 1;
            }
            let mut carry = digit as u32;
            let mut place = 32;
            while place > 0 {
                place -= 1;
                carry += bytes[place] as u32 * 58;
                bytes[place] = carry as u8;
                carry >>= 8;
            }
            assert!(carry == 0, "longer than 32 bytes");
            at += 1;
        }
        Self(bytes)
    }

    /// Encodes the address in base58.
    pub fn to_base58(&self) -> Base58 {
        let mut limbs = [0u32; 8];
        for (limb, bytes) in limbs.iter_mut().zip(self.0.chunks_exact(4)) {
            *limb = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        let mut characters = [ALPHABET[0]; CHARACTERS];
        for group in characters.rchunks_exact_mut(5) {
            let mut rest = 0;
            for limb in &mut limbs {
                let dividend = rest << 32 | *limb as u64;
                *limb = (dividend / GROUP) as u32;
                rest = dividend % GROUP;
            }
            for character in group.iter_mut().rev() {
                *character = ALPHABET[(rest % 58) as usize];
                rest /= 58;
            }
        }
        let zeros = self.0.iter().take_while(|byte| **byte == 0).count();
        let leading = characters.iter().take_while(|character| **character == ALPHABET[0]).count();
        // Each leading zero byte is encoded as a character of its own.
        Base58 { characters, from: leading - zeros }
    }

    /// Views 32 bytes as an address without copying them.
    pub const fn from_bytes(bytes: &[u8; 32]) -> &Self {
        // SAFETY: `Address` is transparent over the array.
        unsafe { &*core::ptr::from_ref(bytes).cast() }
    }

    /// Returns the canonical derived address and its bump. Fails with InvalidSeeds if every bump gives an address on
    /// the curve.
    pub fn find(seeds: &[&[u8]], program: &Address) -> Result<(Address, u8)> {
        let mut address = Address::ZERO;
        let mut bump = 0;
        // SAFETY: `&[&[u8]]` has the layout of the runtime's array of (pointer, length); both results are ours.
        let code = unsafe {
            syscalls::sol_try_find_program_address(
                seeds.as_ptr(),
                seeds.len() as u64,
                program,
                &mut address,
                &mut bump,
            )
        };
        // The runtime returns 1, and not an encoded error, if it finds no address.
        if code == 0 {
            Ok((address, bump))
        } else {
            Err(ProgramError::INVALID_SEEDS)
        }
    }

    /// Returns the address that is derived from the seeds, which include the bump. Fails with InvalidSeeds if it lies
    /// on the curve.
    pub fn derive(seeds: &[&[u8]], program: &Address) -> Result<Address> {
        let mut address = Address::ZERO;
        // SAFETY: as in `find`.
        let code = unsafe {
            syscalls::sol_create_program_address(seeds.as_ptr(), seeds.len() as u64, program, &mut address)
        };
        if code == 0 {
            Ok(address)
        } else {
            Err(ProgramError::INVALID_SEEDS)
        }
    }
}

impl Ord for Address {
    fn cmp(&self, other: &Self) -> Ordering {
        let mut at = 0;
        while at < 31 && self.0[at] == other.0[at] {
            at += 1;
        }
        self.0[at].cmp(&other.0[at])
    }
}

impl PartialOrd for Address {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl AsRef<[u8]> for Address {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn decodes_base58() {
        assert_eq!(Address::from_base58("11111111111111111111111111111111"), Address::ZERO);
        let token = Address::from_base58("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
        assert_eq!(token.0[..4], [6, 221, 246, 225]);
        assert_eq!(token.0[28..], [245, 133, 126, 255, 0, 169][2..]);
    }

    #[test]
    fn encodes_base58() {
        for text in [
            "11111111111111111111111111111111",
            "11111111111111111111111111111112",
            "SysvarRent111111111111111111111111111111111",
            "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
            "JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG",
        ] {
            assert_eq!(Address::from_base58(text).to_base58().bytes(), text.as_bytes());
        }
    }

    #[test]
    #[should_panic]
    fn refuses_text_of_more_than_32_bytes() {
        Address::from_base58("zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz");
    }

    #[test]
    fn orders_by_bytes() {
        let mut small = Address::ZERO;
        let mut large = Address::ZERO;
        (small.0[3], large.0[3]) = (1, 2);
        small.0[31] = 255;
        assert!(small < large);
        assert!(large > small);
    }
}
