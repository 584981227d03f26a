//! Accounts and parts of them whose fields stand one behind another, packed and little-endian. [`layout!`] makes the
//! reader, the writer and the length from one list of fields, so that they cannot disagree.
//!
//! ```ignore
//! layout! {
//!     /// What a protocol borrowed of one token.
//!     #[derive(Clone, Copy)]
//!     pub struct Position = "UserBorrowPosition" {
//!         pub protocol: Address,
//!         pub with_interest: bool as Flag,
//!         pub amount: u64,
//!     }
//! }
//! let mut position = layout::load_zero_copy::<Position>(account, &PROGRAM, "user_borrow_position")?;
//! position.amount = 0;
//! layout::store(&position, account)?;
//! ```

use crate::account::Account;
use crate::address::Address;
use crate::anchor;
use crate::bytes::{Reader, Writer};
use crate::error::Result;
use crate::memory;

/// The encoding of a value in an account. A type that implements it for another type `T` is an encoding (a form) of
/// that type.
pub trait Field<T = Self>: Sized {
    /// The number of bytes. For a list, it is the number for the maximum of members.
    const LEN: usize;

    /// Returns None if the bytes are cut short or invalid.
    fn read(from: &mut Reader) -> Option<T>;

    fn write(value: &T, to: &mut Writer) -> Result;
}

/// An account that starts with a discriminator.
pub trait Layout: Field {
    const TAG: [u8; 8];
    /// The number of bytes including the discriminator.
    const SPACE: usize = 8 + Self::LEN;
}

/// The form of a boolean in which every byte except 1 means false.
pub enum Flag {}

/// Decodes the data of an account whose discriminator was checked.
#[inline(always)]
pub fn decode<T: Layout>(data: &[u8]) -> Option<T> {
    T::read(&mut Reader::new(data.get(8..)?))
}

/// Reads an account of `program` as Anchor's `Account` does. Errors name the account `name`: those of
/// [`anchor::load`], and AccountDidNotDeserialize if the fields cannot be decoded.
#[inline(never)]
pub fn load<T: Layout>(account: Account, program: &Address, name: &str) -> Result<T> {
    anchor::check_owner(account, core::slice::from_ref(program), name)?;
    let data = anchor::check_discriminator(account, &T::TAG, name)?;
    decode(&data).ok_or_else(|| anchor::ACCOUNT_DID_NOT_DESERIALIZE.of(name))
}

/// Reads an account of `program` as Anchor's `AccountLoader` does, with the errors of [`anchor::load_zero_copy`].
#[inline(never)]
pub fn load_zero_copy<T: Layout>(account: Account, program: &Address, name: &str) -> Result<T> {
    let data = anchor::load_zero_copy(account, program, &T::TAG, name)?;
    decode(&data).ok_or_else(|| anchor::ACCOUNT_DID_NOT_DESERIALIZE.of(name))
}

/// Writes the account and sets the bytes after the last field to zero. Fails with AccountDataTooSmall if it does not
/// fit.
#[inline(never)]
pub fn store<T: Layout>(value: &T, account: Account) -> Result {
    let mut data = account.data_mut()?;
    let mut to = Writer::new(&mut data);
    to.array(&T::TAG)?;
    T::write(value, &mut to)?;
    let rest = to.rest();
    if !rest.is_empty() {
        memory::fill(rest, 0);
    }
    Ok(())
}

/// Declares a struct with its [`Field`]. With `= "Name"` after the struct's name, it also declares the [`Layout`] of
/// the account of that name. A field `name: Type as Form` is encoded in that form of the type.
#[macro_export]
macro_rules! layout {
    ($(#[$meta:meta])* $vis:vis struct $name:ident = $account:literal { $($fields:tt)* }) => {
        $crate::layout! { $(#[$meta])* $vis struct $name { $($fields)* } }

        impl $crate::layout::Layout for $name {
            const TAG: [u8; 8] = $crate::anchor::account($account);
        }
    };
    ($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($(#[$field_meta:meta])* $field_vis:vis $field:ident : $type:ty $(as $form:ty)?),* $(,)?
    }) => {
        $(#[$meta])*
        $vis struct $name {
            $($(#[$field_meta])* $field_vis $field: $type,)*
        }

        impl $crate::layout::Field for $name {
            const LEN: usize =
                0 $(+ <$crate::layout!(@form $type $(, $form)?) as $crate::layout::Field<$type>>::LEN)*;

            #[inline(always)]
            fn read(from: &mut $crate::bytes::Reader) -> Option<Self> {
                Some(Self {
                    $($field: <$crate::layout!(@form $type $(, $form)?) as $crate::layout::Field<$type>>::read(from)?,)*
                })
            }

            #[inline(always)]
            fn write(value: &Self, to: &mut $crate::bytes::Writer) -> $crate::Result {
                $(<$crate::layout!(@form $type $(, $form)?) as $crate::layout::Field<$type>>::write(&value.$field, to)?;)*
                Ok(())
            }
        }
    };
    (@form $type:ty) => { $type };
    (@form $type:ty, $form:ty) => { $form };
}

macro_rules! integers {
    ($($type:ident as $bits:ident),*) => {
        $(impl Field for $type {
            const LEN: usize = size_of::<$type>();

            #[inline(always)]
            fn read(from: &mut Reader) -> Option<Self> {
                from.$bits().map(|bits| bits as $type)
            }

            #[inline(always)]
            fn write(value: &Self, to: &mut Writer) -> Result {
                to.$bits(*value as $bits)
            }
        })*
    };
}

integers! { u8 as u8, u16 as u16, i16 as u16, u32 as u32, i32 as u32, u64 as u64, i64 as u64, u128 as u128 }

/// Lists of a fixed length: pairs of amounts, paddings, the points of a curve.
impl<T: Field + Copy + Default, const N: usize> Field for [T; N] {
    const LEN: usize = N * T::LEN;

    #[inline(always)]
    fn read(from: &mut Reader) -> Option<Self> {
        let mut all = [T::default(); N];
        for each in &mut all {
            *each = T::read(from)?;
        }
        Some(all)
    }

    #[inline(always)]
    fn write(value: &Self, to: &mut Writer) -> Result {
        value.iter().try_for_each(|each| T::write(each, to))
    }
}

/// The boolean of borsh, in which a byte other than 0 and 1 is invalid.
impl Field for bool {
    const LEN: usize = 1;

    #[inline(always)]
    fn read(from: &mut Reader) -> Option<Self> {
        from.bool()
    }

    #[inline(always)]
    fn write(value: &Self, to: &mut Writer) -> Result {
        to.u8(*value as u8)
    }
}

impl Field<bool> for Flag {
    const LEN: usize = 1;

    #[inline(always)]
    fn read(from: &mut Reader) -> Option<bool> {
        from.u8().map(|byte| byte == 1)
    }

    #[inline(always)]
    fn write(value: &bool, to: &mut Writer) -> Result {
        to.u8(*value as u8)
    }
}

impl Field for Address {
    const LEN: usize = 32;

    #[inline(always)]
    fn read(from: &mut Reader) -> Option<Self> {
        from.address()
    }

    #[inline(always)]
    fn write(value: &Self, to: &mut Writer) -> Result {
        to.address(value)
    }
}

#[cfg(test)]
mod tests {
    use super::{Field, Flag, Layout};
    use crate::address::Address;
    use crate::bytes::{Reader, Writer};

    layout! {
        struct Corner {
            utilization: u16,
            rate: i16,
        }
    }

    layout! {
        struct Curve = "RateModel" {
            mint: Address,
            is_set: bool,
            is_steep: bool as Flag,
            kink: Corner,
            total: u128,
            shares: [u16; 3],
        }
    }

    #[test]
    fn reads_what_it_writes_in_the_length_that_it_names() {
        assert_eq!(Curve::SPACE, 8 + 32 + 1 + 1 + 4 + 16 + 6);
        let curve = Curve {
            mint: Address([7; 32]),
            is_set: true,
            is_steep: false,
            kink: Corner { utilization: 8_000, rate: -5 },
            total: 1 << 100,
            shares: [1, 0x203, 4],
        };
        let mut buffer = [0; Curve::LEN];
        let mut writer = Writer::new(&mut buffer);
        Curve::write(&curve, &mut writer).unwrap();
        assert_eq!(writer.rest().len(), 0);
        assert_eq!(buffer[32..38], [1, 0, 0x40, 0x1f, 0xfb, 0xff]);
        let read = Curve::read(&mut Reader::new(&buffer)).unwrap();
        assert!(read.mint == curve.mint && read.is_set && !read.is_steep && read.total == curve.total);
        assert_eq!((read.kink.utilization, read.kink.rate), (8_000, -5));
        assert_eq!(read.shares, [1, 0x203, 4]);
        assert_eq!(buffer[54..], [1, 0, 3, 2, 4, 0]);
        assert!(Curve::read(&mut Reader::new(&buffer[1..])).is_none());
    }

    #[test]
    fn a_flag_is_false_for_what_a_boolean_refuses() {
        assert_eq!(<Flag as Field<bool>>::read(&mut Reader::new(&[2])), Some(false));
        assert_eq!(bool::read(&mut Reader::new(&[2])), None);
    }
}
