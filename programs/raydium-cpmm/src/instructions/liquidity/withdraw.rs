//! The instruction `withdraw`.

use super::{emit, worth, Change, Context, Part};
use crate::curve::Rounding;
use crate::error::{in_range, EXCEEDED_SLIPPAGE, NOT_APPROVED};
use crate::instructions::numbers;
use crate::mint::transfer_fee;
use crate::state::pool::{self, Pool};
use crate::transfer::with_authority;
use sluice_program::sysvar::Clock;
use sluice_program::token::Burn;
use sluice_program::{anchor, Account, Result};

/// Arguments: the LP amount to burn, the minimum of token 0 and of token 1 that is received.
pub fn withdraw(accounts: &[Account], args: &[u8]) -> Result {
    let [lp_amount, minimums @ ..] = numbers::<3>(args)?;
    let context = Context::check(accounts, Change::Withdraw)?;
    if lp_amount == 0 {
        return Err(anchor::REQUIRE_GT_VIOLATED.into());
    }
    if context.owner_lp_amount < lp_amount {
        return Err(anchor::REQUIRE_GTE_VIOLATED.into());
    }
    let mut pool = Pool::new(context.pool.data_mut()?);
    if pool.is_off(pool::WITHDRAW_OFF) {
        return Err(NOT_APPROVED.into());
    }
    let reserves = pool.reserves(context.vault_amounts)?;
    let worth = worth(&pool, lp_amount, reserves, Rounding::Down)?;
    let mut parts = [Part::default(); 2];
    let mut sent = [0; 2];
    for side in 0..2 {
        sent[side] = worth[side].min(reserves[side]);
        let fee = transfer_fee(context.tokens[side].mint, sent[side])?;
        let amount = in_range(sent[side].checked_sub(fee), "withdrawal less transfer fee");
        parts[side] = Part { amount, fee };
    }
    emit(&context, &pool, reserves, &parts, Change::Withdraw)?;
    if parts[0].amount < minimums[0] || parts[1].amount < minimums[1] {
        return Err(EXCEEDED_SLIPPAGE.into());
    }
    let supply = in_range(pool.lp_supply()?.checked_sub(lp_amount), "LP supply");
    pool.set_lp_supply(supply)?;
    Burn {
        program: context.token_program,
        source: context.owner_lp,
        mint: context.lp_mint,
        authority: context.owner,
        amount: lp_amount,
    }
    .invoke(&[])?;
    with_authority(pool.auth_bump(), |signers| -> Result {
        for side in 0..2 {
            let (from, to) = (context.vaults[side], context.users[side]);
            context.tokens[side].transfer(from, to, context.authority, (sent[side], signers))?;
        }
        Ok(())
    })?;
    pool.set_recent_epoch(Clock::get()?.epoch)
}
