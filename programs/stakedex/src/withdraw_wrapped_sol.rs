//! The instruction that withdraws wrapped SOL from a stake pool.

use crate::checks::{fee_account, is, take};
use crate::error::{NOT_WSOL_MINT, NUMERICAL_ERROR, UNSUPPORTED_PROGRAM, WRONG_TOKEN_PROGRAM};
use crate::keys::{FEE_SEED, STAKE_POOL_PROGRAM, WRAPPED_SOL, WRAPPED_SOL_DECIMALS};
use sluice_program::cpi;
use sluice_program::token::{self, SyncNative, TransferChecked};
use sluice_program::{Account, Result};

/// The tag of the stake pool program's instruction.
const WITHDRAW_SOL: u8 = 16;
/// The fee is the payment of the pool divided by this, and at least one lamport.
const FEE_DIVISOR: u64 = 10_000;

/// Withdraws into the fee account of wrapped SOL, and transfers to the user what is left after the fee.
pub fn run(accounts: &[Account], amount: u64) -> Result {
    let (&own, rest) = take::<7>(accounts)?;
    let (&pool_accounts, _) = take::<9>(rest)?;
    let [user, source, destination, fee, mint, wsol_mint, token_program] = own;
    let [program, pool, authority, reserve, manager_fee, clock, stake_history, stake_program, pool_token_program] =
        pool_accounts;

    let bump = fee_account(fee, wsol_mint)?;
    is(wsol_mint, &WRAPPED_SOL, NOT_WSOL_MINT)?;
    is(token_program, &token::PROGRAM, WRONG_TOKEN_PROGRAM)?;
    is(program, &STAKE_POOL_PROGRAM, UNSUPPORTED_PROGRAM)?;

    let before = fee.lamports();
    let mut data = [WITHDRAW_SOL; 9];
    data[1..].copy_from_slice(&amount.to_le_bytes());
    let call = [
        pool.writable(),
        authority.readonly(),
        user.readonly_signer(),
        source.writable(),
        reserve.writable(),
        fee.writable(),
        manager_fee.writable(),
        mint.writable(),
        clock.readonly(),
        stake_history.readonly(),
        stake_program.readonly(),
        pool_token_program.readonly(),
    ];
    cpi::invoke(program.address(), &call, &data, &[])?;
    let received = fee.lamports().checked_sub(before).ok_or(NUMERICAL_ERROR)?;

    SyncNative { program: token_program, account: fee }.invoke()?;
    TransferChecked {
        program: token_program,
        source: fee,
        mint: wsol_mint,
        destination,
        authority: fee,
        amount: after_fee(received).ok_or(NUMERICAL_ERROR)?,
        decimals: WRAPPED_SOL_DECIMALS,
    }
    .invoke(&[&[FEE_SEED, wsol_mint.address().as_ref(), &[bump]]])
}

fn after_fee(lamports: u64) -> Option<u64> {
    lamports.checked_sub((lamports / FEE_DIVISOR).max(1))
}
