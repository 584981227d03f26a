//! The instruction `deposit`.

use super::{emit, worth, Change, Context, Part};
use crate::curve::Rounding;
use crate::error::{in_range, EXCEEDED_SLIPPAGE, NOT_APPROVED};
use crate::instructions::numbers;
use crate::mint::transfer_fee_to_deliver;
use crate::state::pool::{self, Pool};
use crate::transfer::with_authority;
use sluice_program::sysvar::Clock;
use sluice_program::token::MintTo;
use sluice_program::{anchor, Account, Result};

/// Arguments: the LP amount to mint, the maximum of token 0 and of token 1.
pub fn deposit(accounts: &[Account], args: &[u8]) -> Result {
    let [lp_amount, maximums @ ..] = numbers::<3>(args)?;
    let context = Context::check(accounts, Change::Deposit)?;
    if lp_amount == 0 {
        return Err(anchor::REQUIRE_GT_VIOLATED.into());
    }
    let mut pool = Pool::new(context.pool.data_mut()?);
    if pool.is_off(pool::DEPOSIT_OFF) {
        return Err(NOT_APPROVED.into());
    }
    let reserves = pool.reserves(context.vault_amounts)?;
    let worth = worth(&pool, lp_amount, reserves, Rounding::Up)?;
    let mut parts = [Part::default(); 2];
    let mut sent = [0; 2];
    for side in 0..2 {
        let fee = transfer_fee_to_deliver(context.tokens[side].mint, worth[side])?;
        parts[side] = Part { amount: worth[side], fee };
        sent[side] = in_range(worth[side].checked_add(fee), "deposit with transfer fee");
    }
    emit(&context, &pool, reserves, &parts, Change::Deposit)?;
    if sent[0] > maximums[0] || sent[1] > maximums[1] {
        return Err(EXCEEDED_SLIPPAGE.into());
    }
    for side in 0..2 {
        let (from, to) = (context.users[side], context.vaults[side]);
        context.tokens[side].transfer(from, to, context.owner, (sent[side], &[]))?;
    }
    let supply = in_range(pool.lp_supply()?.checked_add(lp_amount), "LP supply");
    pool.set_lp_supply(supply)?;
    let mint = MintTo {
        program: context.token_program,
        mint: context.lp_mint,
        destination: context.owner_lp,
        authority: context.authority,
        amount: lp_amount,
    };
    with_authority(pool.auth_bump(), |signers| mint.invoke(signers))?;
    pool.set_recent_epoch(Clock::get()?.epoch)
}
