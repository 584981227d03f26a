//! The kinds of liquidity that a step can use, one file each.
//!
//! A venue is described by data: whom to call, which of the step's accounts in which order and with which
//! rights, where the tokens come from and go to, and how the call's data is written. A new venue is a new
//! file and one line in [`find`].

mod jupiter_lend;
mod jupiter_rfq;
mod manifest;
mod meteora_damm_v2;
mod meteora_dlmm;
mod raydium_amm;
mod raydium_clmm;
mod raydium_cpmm;
mod saber;
mod sanctum;
pub mod slices;
mod stabble;
mod stakedex;
mod token_swap;
mod whirlpool;

use sluice_program::bytes::Reader;
use sluice_program::heap::List;
use sluice_program::{Address, Result};

/// The last tag of the interface description that this program follows.
const LAST_TAG: u8 = 125;

/// One variant of the `Swap` enum.
pub struct Venue {
    pub program: Address,
    /// Walks over the variant's fields; None when they are cut short or hold what they cannot.
    pub fields: fn(&mut Reader) -> Option<()>,
    /// Where things stand among the step's accounts, which may depend on the fields.
    pub layout: fn(&[u8]) -> &'static Layout,
    /// Writes the data of the call out of the fields and the input amount.
    pub data: fn(&[u8], u64, &mut List<u8>) -> Result,
}

pub struct Layout {
    /// The accounts of the call, in its order. Their places are those of the step, behind the venue's
    /// program; every place up to the highest is named.
    pub call: &'static [Pass],
    /// Places of the token accounts that the step spends from and delivers to.
    pub input: u8,
    pub output: u8,
    pub tail: Tail,
}

/// An account of the step as the call takes it.
#[derive(Clone, Copy)]
pub struct Pass {
    pub place: u8,
    pub rights: Rights,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rights {
    Readonly,
    Writable,
    Signer,
    WritableSigner,
    /// Writable when the transaction says so: for optional accounts, which are absent as the venue's address.
    AsGiven,
}

/// What follows the accounts of [`Layout::call`], handed on with the rights that the transaction gives.
pub enum Tail {
    Nothing,
    /// As many as the slices name that stand, if any do, at this place of the fields.
    Slices(usize),
    /// Everything up to an account that is this program's address, which closes the list, or to the last
    /// account.
    UntilEnd,
    /// The same, of which there may be only so many.
    UntilEndAtMost(usize),
}

const fn ro(place: u8) -> Pass {
    Pass { place, rights: Rights::Readonly }
}

const fn rw(place: u8) -> Pass {
    Pass { place, rights: Rights::Writable }
}

const fn signer(place: u8) -> Pass {
    Pass { place, rights: Rights::Signer }
}

const fn rw_signer(place: u8) -> Pass {
    Pass { place, rights: Rights::WritableSigner }
}

const fn as_given(place: u8) -> Pass {
    Pass { place, rights: Rights::AsGiven }
}

/// For variants without fields.
fn no_fields(_: &mut Reader) -> Option<()> {
    Some(())
}

/// For variants with one bool, or one `Side` (0 Bid, 1 Ask).
fn one_flag(fields: &mut Reader) -> Option<()> {
    fields.bool().map(|_| ())
}

/// What [`one_flag`] walked over.
fn flag(fields: &[u8]) -> bool {
    fields.first() == Some(&1)
}

/// The most common data: how the venue names its swap, the input amount, and 0 as the least output.
fn swap_data(name: &[u8], amount: u64, data: &mut List<u8>) -> Result {
    data.extend(name)?;
    data.extend(&amount.to_le_bytes())?;
    data.extend(&[0; 8])
}

/// None for the variants that this program does not carry out.
pub fn find(tag: u8) -> Option<&'static Venue> {
    Some(match tag {
        0 => &saber::SWAP,
        3 => &token_swap::SWAP,
        7 => &raydium_amm::SWAP,
        17 => &whirlpool::SWAP,
        26 => &raydium_clmm::SWAP,
        32 => &stakedex::STAKE,
        38 => &meteora_dlmm::SWAP,
        40 => &raydium_clmm::SWAP_V2,
        43 => &sanctum::SWAP,
        46 => &raydium_cpmm::SWAP,
        47 => &whirlpool::SWAP_V2,
        56 => &stabble::SWAP,
        68 => &stakedex::WITHDRAW,
        75 => &meteora_dlmm::SWAP_V2,
        77 => &meteora_damm_v2::SWAP,
        79 => &stabble::SWAP_V2,
        101 => &jupiter_lend::DEPOSIT,
        102 => &jupiter_lend::REDEEM,
        105 => &raydium_amm::SWAP_V2,
        108 => &meteora_damm_v2::SWAP_WITH_REMAINING_ACCOUNTS,
        116 => &manifest::SWAP,
        120 => &jupiter_rfq::FILL,
        _ => return None,
    })
}

/// Whether the interface description has a variant with this tag.
pub const fn is_known(tag: u8) -> bool {
    tag <= LAST_TAG
}
