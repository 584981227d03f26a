//! The kinds of liquidity that a step can use, one file each.
//!
//! A venue is described by data: the program to call, which of the step's accounts it gets in which order and with
//! which rights, the accounts from which tokens come and to which they go, and the way in which the call's data is
//! written. A new venue is a new file and one line in [`VENUES`].

mod bisonfi;
mod jupiter_lend;
mod jupiter_rfq;
mod manifest;
mod meteora_damm_v2;
mod meteora_dbc;
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
use sluice_program::{Account, Address, Result};

/// The highest tag in the version of the interface description that this program implements.
const LAST_TAG: u8 = 125;

/// A variant of the `Swap` enum.
pub struct Venue {
    pub program: Address,
    /// Skips the variant's fields. Returns None if they are cut short or invalid.
    pub fields: fn(&mut Reader) -> Option<()>,
    /// Returns the places of the accounts among those of the step. They may depend on the fields.
    pub layout: fn(&[u8]) -> &'static Layout,
    /// Writes the data of the call, given the fields and the input amount.
    pub data: fn(&[u8], u64, &mut List<u8>) -> Result,
}

/// The form in which a venue delivers an exact output.
pub struct ExactOut {
    /// Writes the data of the call, given the fields and the output amount.
    pub data: fn(&[u8], u64, &mut List<u8>) -> Result,
    /// Works out what the venue takes, and writes it into the second argument. The transfer fees of the mints are not
    /// part of it.
    pub input: fn(&Asked, &mut u64) -> Result,
}

/// What a step is asked to deliver.
pub struct Asked<'s, 'a> {
    pub fields: &'s [u8],
    /// The accounts after the venue's program.
    pub accounts: &'s [Account<'a>],
    pub output: u64,
}

/// The accounts of a venue's call.
pub struct Layout {
    /// The accounts of the call, in its order. Places are those of the step after the venue's program; every place up
    /// to the highest is named.
    pub call: &'static [Pass],
    /// The places of the token accounts from which the step pays and to which it delivers.
    pub input: u8,
    pub output: u8,
    pub tail: Tail,
}

/// An account of the step with the rights that the call gives it.
#[derive(Clone, Copy)]
pub struct Pass {
    pub place: u8,
    pub rights: Rights,
}

/// The rights of an account in a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rights {
    Readonly,
    Writable,
    Signer,
    WritableSigner,
    /// Writable if the transaction made it so. For optional accounts, which are absent if they hold the venue's
    /// address.
    AsGiven,
}

/// The accounts after those of [`Layout::call`]. They are passed on with the rights that the transaction gave them.
pub enum Tail {
    Nothing,
    /// The number of accounts that the slices count. The slices, if there are any, start at this offset of the
    /// fields.
    Slices(usize),
    /// All accounts up to this program's address, which closes the list, or up to the last account.
    UntilEnd,
    /// The same, with a maximum number.
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

/// Returns the flag that [`one_flag`] skipped.
fn flag(fields: &[u8]) -> bool {
    fields.first() == Some(&1)
}

/// Writes the most common form of data: the discriminator of the venue's swap, the input amount, and 0 as the minimum
/// output.
fn swap_data(name: &[u8], amount: u64, data: &mut List<u8>) -> Result {
    data.extend(name)?;
    data.extend(&amount.to_le_bytes())?;
    data.extend(&[0; 8])
}

/// The venues of the variants that this program supports, by their tags. A table finds each of them in the same few steps.
static VENUES: [Option<&Venue>; LAST_TAG as usize + 1] = {
    let mut venues: [Option<&Venue>; LAST_TAG as usize + 1] = [None; LAST_TAG as usize + 1];
    venues[0] = Some(&saber::SWAP);
    venues[3] = Some(&token_swap::SWAP);
    venues[7] = Some(&raydium_amm::SWAP);
    venues[17] = Some(&whirlpool::SWAP);
    venues[26] = Some(&raydium_clmm::SWAP);
    venues[32] = Some(&stakedex::STAKE);
    venues[38] = Some(&meteora_dlmm::SWAP);
    venues[40] = Some(&raydium_clmm::SWAP_V2);
    venues[43] = Some(&sanctum::SWAP);
    venues[46] = Some(&raydium_cpmm::SWAP);
    venues[47] = Some(&whirlpool::SWAP_V2);
    venues[56] = Some(&stabble::SWAP);
    venues[68] = Some(&stakedex::WITHDRAW);
    venues[75] = Some(&meteora_dlmm::SWAP_V2);
    venues[77] = Some(&meteora_damm_v2::SWAP);
    venues[78] = Some(&meteora_dbc::SWAP);
    venues[79] = Some(&stabble::SWAP_V2);
    venues[88] = Some(&meteora_dbc::SWAP_WITH_REMAINING_ACCOUNTS);
    venues[101] = Some(&jupiter_lend::DEPOSIT);
    venues[102] = Some(&jupiter_lend::REDEEM);
    venues[105] = Some(&raydium_amm::SWAP_V2);
    venues[108] = Some(&meteora_damm_v2::SWAP_WITH_REMAINING_ACCOUNTS);
    venues[116] = Some(&manifest::SWAP);
    venues[117] = Some(&bisonfi::SWAP);
    venues[120] = Some(&jupiter_rfq::FILL);
    venues
};

/// Returns None for the variants that this program does not support.
pub fn find(tag: u8) -> Option<&'static Venue> {
    VENUES.get(usize::from(tag)).copied().flatten()
}

/// The programs of the venues whose swaps the public program works out.
pub const WORKED_OUT: [Address; 3] = [whirlpool::PROGRAM, raydium_amm::PROGRAM, raydium_clmm::PROGRAM];

/// Returns None for the variants that deliver no exact output.
pub fn find_exact_out(tag: u8) -> Option<&'static ExactOut> {
    match tag {
        17 => Some(&whirlpool::SWAP_EXACT_OUT),
        47 => Some(&whirlpool::SWAP_V2_EXACT_OUT),
        _ => None,
    }
}

/// Returns whether the interface description has a variant with this tag.
pub const fn is_known(tag: u8) -> bool {
    tag <= LAST_TAG
}
