//! The two halves of a fill: `initiate_flash_fill` lends the input of a cycle to a keeper, and `fulfill_flash_fill` takes
//! the output. Both stand in one transaction, so that it takes effect as a whole or not at all.

use sluice_program::instructions::{self, Instructions, TopLevel};
use sluice_program::{anchor, bytes, Account, Result};

use crate::errors::{
    ADDRESS_MISMATCH, CANNOT_BORROW_BEFORE_REPAY, INCORRECT_REPAYMENT_AMOUNT, NO_REPAYMENT_INSTRUCTION_FOUND,
    PROGRAM_MISMATCH, UNKNOWN_INSTRUCTION,
};
use crate::keys::PROGRAM;
use crate::{FULFILL_FLASH_FILL, INITIATE_FLASH_FILL};

/// The accounts that both halves name.
pub struct Parties<'a> {
    pub keeper: Account<'a>,
    pub dca: Account<'a>,
    pub input_mint: Account<'a>,
    pub keeper_in_ata: Account<'a>,
    pub in_ata: Account<'a>,
    pub out_ata: Account<'a>,
}

/// Opens the instructions sysvar. Fails with ConstraintAddress for another account, and with ProgramMismatch if another
/// program called this one: the half would not be among the transaction's own instructions.
pub fn open_top_level(sysvar: Account) -> Result<Instructions> {
    anchor::check_address(sysvar, &instructions::ADDRESS, "instructions_sysvar")?;
    let all = Instructions::open(sysvar)?;
    // If another program calls this one, the running top-level instruction is the caller's.
    if all.get(all.current()).map(|running| *running.program) != Some(PROGRAM) {
        return Err(PROGRAM_MISMATCH.into());
    }
    Ok(all)
}

/// Checks that the next instruction of this program in the transaction is the second half, with the same accounts.
///
/// Fails with NoRepaymentInstructionFound, CannotBorrowBeforeRepay if another fill begins first, UnknownInstruction if it
/// is something else, AddressMismatch, or IncorrectRepaymentAmount if nothing is to be paid.
#[inline(never)]
pub fn check_second_half(sysvar: Account, parties: &Parties) -> Result {
    let all = open_top_level(sysvar)?;
    let later = all.current().saturating_add(1)..all.count();
    let mut own = later.filter_map(|index| all.get(index)).filter(|each| *each.program == PROGRAM);
    let next = own.next().ok_or(NO_REPAYMENT_INSTRUCTION_FOUND)?;
    if next.data.starts_with(&INITIATE_FLASH_FILL) {
        return Err(CANNOT_BORROW_BEFORE_REPAY.into());
    }
    if !next.data.starts_with(&FULFILL_FLASH_FILL) {
        return Err(UNKNOWN_INSTRUCTION.into());
    }
    if !names(&next, parties) {
        return Err(ADDRESS_MISMATCH.into());
    }
    match bytes::u64_at(next.data, 8) {
        Some(amount) if amount > 0 => Ok(()),
        _ => Err(INCORRECT_REPAYMENT_AMOUNT.into()),
    }
}

/// Whether `fulfill_flash_fill` names the accounts of `initiate_flash_fill`, in its own order.
fn names(instruction: &TopLevel, parties: &Parties) -> bool {
    let expected = [
        Some(parties.keeper),
        Some(parties.dca),
        Some(parties.input_mint),
        None,
        Some(parties.keeper_in_ata),
        Some(parties.in_ata),
        Some(parties.out_ata),
    ];
    let mut named = instruction.accounts();
    expected.iter().all(|account| {
        named.next().is_some_and(|other| account.is_none_or(|account| account.address() == other.address))
    })
}
