//! The events of routes. The program emits them by calls to itself.

use crate::keys::{EVENT_AUTHORITY, EVENT_AUTHORITY_BUMP, PROGRAM};
use sluice_program::anchor::{self, CONSTRAINT_SIGNER};
use sluice_program::bytes::Writer;
use sluice_program::heap::List;
use sluice_program::{event, Account, Address, ProgramError, Result};

const SWAP_EVENT: [u8; 8] = anchor::event("SwapEvent");
const FEE_EVENT: [u8; 8] = anchor::event("FeeEvent");
const SWAPS_EVENT: [u8; 8] = anchor::event("SwapsEvent");

const HEAD: usize = 16;
const SWAP: usize = 80;

/// The amounts that a step took and delivered.
#[derive(Clone, Copy)]
pub struct Swap {
    pub input_mint: Address,
    pub input_amount: u64,
    pub output_mint: Address,
    pub output_amount: u64,
}

/// The form in which the swaps of a route are logged.
pub enum Record<'a> {
    /// An event per swap, emitted at once. The v1 forms log this way.
    Each { authority: Account<'a>, buffer: List<u8> },
    /// One event for all swaps. The v2 forms log this way.
    Together { authority: Account<'a>, buffer: List<u8> },
}

impl<'a> Record<'a> {
    /// Returns a record that emits an event per swap.
    pub fn each(authority: Account<'a>) -> Result<Self> {
        Ok(Self::Each { authority, buffer: List::with_capacity(HEAD + 32 + SWAP)? })
    }

    /// Returns a record that collects `swaps` swaps for one event.
    pub fn together(authority: Account<'a>, swaps: usize) -> Result<Self> {
        let mut buffer = List::with_capacity(HEAD + 4 + swaps.wrapping_mul(SWAP))?;
        buffer.extend(&event::TAG)?;
        buffer.extend(&SWAPS_EVENT)?;
        buffer.extend(&(swaps as u32).to_le_bytes())?;
        Ok(Self::Together { authority, buffer })
    }

    /// Emits or collects a swap. Fails with InvalidRealloc if the heap is exhausted.
    pub fn add(&mut self, venue: &Address, swap: &Swap) -> Result {
        match self {
            Self::Together { buffer, .. } => append(buffer, swap),
            Self::Each { authority, buffer } => {
                buffer.clear();
                buffer.extend(&event::TAG)?;
                buffer.extend(&SWAP_EVENT)?;
                buffer.extend(&venue.0)?;
                append(buffer, swap)?;
                emit(*authority, buffer)
            }
        }
    }

    /// Emits the event of the swaps that [`Record::add`] collected.
    pub fn close(&self) -> Result {
        match self {
            Self::Together { authority, buffer } => emit(*authority, buffer),
            Self::Each { .. } => Ok(()),
        }
    }

    /// Emits the event of a platform fee. The v1 forms log it even if the fee is zero.
    pub fn fee(&mut self, account: Account, mint: &Address, amount: u64) -> Result {
        match self {
            Self::Together { .. } => Ok(()),
            Self::Each { authority, buffer } => {
                buffer.clear();
                buffer.extend(&event::TAG)?;
                buffer.extend(&FEE_EVENT)?;
                buffer.extend(&account.address().0)?;
                buffer.extend(&mint.0)?;
                buffer.extend(&amount.to_le_bytes())?;
                emit(*authority, buffer)
            }
        }
    }
}

fn append(buffer: &mut List<u8>, swap: &Swap) -> Result {
    let mut fields = [0; SWAP];
    let mut writer = Writer::new(&mut fields);
    writer.address(&swap.input_mint)?;
    writer.u64(swap.input_amount)?;
    writer.address(&swap.output_mint)?;
    writer.u64(swap.output_amount)?;
    buffer.extend(&fields)
}

fn emit(authority: Account, data: &[u8]) -> Result {
    event::emit(&PROGRAM, authority, EVENT_AUTHORITY_BUMP, data)
}

/// Answers a call of the program to itself. Fails with ConstraintSigner unless the event authority signed, for which
/// only this program can sign.
pub fn accept(accounts: &[Account]) -> Result {
    match accounts.first() {
        None => Err(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS),
        Some(authority) if authority.is_signer() && *authority.address() == EVENT_AUTHORITY => Ok(()),
        Some(_) => Err(CONSTRAINT_SIGNER.of("event_authority")),
    }
}
