//! The instruction `flashloan_borrow`.

use super::MIN_AMOUNT;
use crate::accounts::{Loan, COUNT};
use crate::error::{
    ALREADY_ACTIVE, INVALID_INSTRUCTION, INVALID_PARAMS, MULTIPLE_PAYBACKS_FOUND, PAUSED, PAYBACK_NOT_FOUND,
};
use crate::state::PROGRAM;
use crate::PAYBACK;
use sluice_lending::calls::Payee;
use sluice_program::anchor::decoded;
use sluice_program::bytes::{self, Reader};
use sluice_program::instructions::{Instructions, TopLevel};
use sluice_program::sysvar::Clock;
use sluice_program::{Account, Result};

/// Argument: the amount. A later top-level instruction of the transaction must pay it back.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let amount = decoded(Reader::new(args).u64())?;
    let mut loan = Loan::check(accounts)?;
    if amount < MIN_AMOUNT {
        return Err(INVALID_PARAMS.into());
    }
    check_payback(&accounts[..COUNT], loan.sysvar, amount)?;
    if !loan.state.status {
        return Err(PAUSED.into());
    }
    if loan.state.is_active {
        return Err(ALREADY_ACTIVE.into());
    }
    loan.state.timestamp = Clock::get()?.unix_timestamp as u64;
    loan.state.is_active = true;
    loan.state.active_amount = amount;
    loan.state.store(loan.admin)?;
    let to = Payee { owner: loan.signer.address(), account: loan.tokens, claim: None };
    loan.sign(|seeds| loan.liquidity.pay_out(amount, &to, seeds))
}

/// Checks that this is a top-level instruction, and that the payback is the only later one of this program.
#[inline(never)]
fn check_payback(accounts: &[Account], sysvar: Account, amount: u64) -> Result {
    let all = Instructions::open(sysvar)?;
    let current = all.current();
    // If another program calls this one, the running top-level instruction is the caller's: no program can call
    // itself through another.
    if all.get(current).map(|running| *running.program) != Some(PROGRAM) {
        return Err(INVALID_PARAMS.into());
    }
    let mut found = false;
    for index in (current + 1..all.count()).rev() {
        let instruction = all.get(index).ok_or(PAYBACK_NOT_FOUND)?;
        if *instruction.program != PROGRAM {
            continue;
        }
        if !is_payback(&instruction, accounts, amount) {
            return Err(INVALID_INSTRUCTION.into());
        }
        if found {
            return Err(MULTIPLE_PAYBACKS_FOUND.into());
        }
        found = true;
    }
    if found {
        Ok(())
    } else {
        Err(PAYBACK_NOT_FOUND.into())
    }
}

/// Returns whether the instruction pays back exactly the amount, with the same accounts.
fn is_payback(instruction: &TopLevel, accounts: &[Account], amount: u64) -> bool {
    let data = instruction.data;
    let pays = data.len() == 16 && data.starts_with(&PAYBACK) && bytes::u64_at(data, 8) == Some(amount);
    let mut named = instruction.accounts();
    pays && accounts
        .iter()
        .all(|account| named.next().is_some_and(|other| other.address == account.address()))
        && named.next().is_none()
}
