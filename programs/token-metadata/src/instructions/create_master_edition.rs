//! The instruction `CreateMasterEditionV3`, which makes a non-fungible token of a mint whose one token exists.

use super::whole;
use crate::edition::MakeEdition;
use crate::state::optional;
use sluice_program::bytes::Reader;
use sluice_program::{Account, Address, ProgramError, Result};

/// Argument: how many prints there may be, or no limit.
pub fn read(args: &[u8]) -> Option<Option<u64>> {
    let from = &mut Reader::new(args);
    let most_prints = optional(from, Reader::u64)?;
    whole(from, most_prints)
}

/// Accounts: master edition, mint, update authority and mint authority, which sign, payer, metadata, token program,
/// system program.
pub fn run(program: &Address, accounts: &[Account], most_prints: Option<u64>) -> Result {
    let &[edition, mint, update_authority, mint_authority, payer, metadata, token_program, _system, ..] =
        accounts
    else {
        return Err(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS);
    };
    let make = MakeEdition {
        program,
        edition,
        mint,
        update_authority,
        mint_authority,
        payer,
        metadata,
        token_program,
    };
    make.run(most_prints, |supply| supply == 1)
}
