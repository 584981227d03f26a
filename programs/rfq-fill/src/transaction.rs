//! The checks of the transaction that surrounds a fill.

use sluice_program::instructions::{Instructions, TopLevel};
use sluice_program::{address, Address, ProgramError, Result};

use crate::accounts::FillAccounts;
use crate::errors::{INVALID_CALLER, MAKER_APPEARS_IN_OTHER_INSTRUCTION};

const AGGREGATOR: Address = address!("JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4");

/// Checks the transaction as a whole, so that the maker's signature covers this fill and nothing else.
///
/// Fails with InvalidCaller unless the running top-level instruction is the aggregator's, and with
/// MakerAppearsInOtherInstruction if another top-level instruction names the maker or one of its two token accounts.
/// The running instruction is exempt as a whole: the maker has to look at the rest of its route before signing.
pub fn check(accounts: &FillAccounts) -> Result {
    let instructions = Instructions::open(accounts.instructions_sysvar)?;
    let current = instructions.current();
    let running = instructions.get(current).ok_or(ProgramError::INVALID_ACCOUNT_DATA)?;
    if *running.program != AGGREGATOR {
        return Err(INVALID_CALLER.into());
    }
    let makers =
        [accounts.fill_authority.address(), accounts.base.maker.address(), accounts.quote.maker.address()];
    for index in (0..instructions.count()).filter(|index| *index != current) {
        let other = instructions.get(index).ok_or(ProgramError::INVALID_ACCOUNT_DATA)?;
        if names_any(&other, &makers) {
            return Err(MAKER_APPEARS_IN_OTHER_INSTRUCTION.into());
        }
    }
    Ok(())
}

fn names_any(instruction: &TopLevel, addresses: &[&Address; 3]) -> bool {
    instruction.accounts().any(|account| addresses.contains(&account.address))
}
