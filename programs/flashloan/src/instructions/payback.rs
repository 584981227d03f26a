//! The instruction `flashloan_payback`.

use super::MIN_AMOUNT;
use crate::accounts::Loan;
use crate::error::{ALREADY_INACTIVE, CPI_CALL_NOT_ALLOWED, INVALID_PARAMS, LIBRARY_MATH_ERROR, PAUSED};
use crate::state::PROGRAM;
use sluice_program::anchor::decoded;
use sluice_program::bytes::Reader;
use sluice_program::instructions::Instructions;
use sluice_program::{math, token, Account, Result};

/// A hundred percent.
const FEE_ONE: u64 = 10_000;

/// Argument: the amount without the fee. The fee is rounded up.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let amount = decoded(Reader::new(args).u64())?;
    let mut loan = Loan::check(accounts)?;
    if amount < MIN_AMOUNT || amount != loan.state.active_amount {
        return Err(INVALID_PARAMS.into());
    }
    if called_by_a_program(loan.sysvar)? {
        return Err(CPI_CALL_NOT_ALLOWED.into());
    }
    if !loan.state.status {
        return Err(PAUSED.into());
    }
    if !loan.state.is_active {
        return Err(ALREADY_INACTIVE.into());
    }
    let fee = math::mul_div_ceil(amount, loan.state.fee as u64, FEE_ONE).ok_or(LIBRARY_MATH_ERROR)?;
    let due = amount.checked_add(fee).ok_or(LIBRARY_MATH_ERROR)?;
    loan.sign(|seeds| loan.liquidity.announce(seeds))?;
    token::TransferChecked {
        program: loan.liquidity.token_program,
        source: loan.tokens,
        mint: loan.liquidity.mint,
        destination: loan.liquidity.vault,
        authority: loan.signer,
        amount: due,
        decimals: loan.decimals,
    }
    .invoke(&[])?;
    loan.sign(|seeds| loan.liquidity.pay_in(amount, seeds))?;
    loan.state.is_active = false;
    loan.state.active_amount = 0;
    loan.state.store(loan.admin)
}

fn called_by_a_program(sysvar: Account) -> Result<bool> {
    let all = Instructions::open(sysvar)?;
    Ok(all.get(all.current()).map(|running| *running.program) != Some(PROGRAM))
}
