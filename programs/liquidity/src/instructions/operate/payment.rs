//! Payments of an operation, or the claims in their place.

use super::{Arguments, Context, DIRECT, SKIP};
use crate::error::{
    BORROW_TO_ACCOUNT_REQUIRED, CLAIM_ACCOUNT_REQUIRED, INSUFFICIENT_BALANCE, INVALID_TRANSFER_TYPE,
    INVALID_USER_CLAIM, WITHDRAW_TO_ACCOUNT_REQUIRED,
};
use crate::math::add;
use crate::state::claim::Claim;
use sluice_lending::state::Reserve;
use sluice_program::{Account, Address, Result};

/// Pays the withdrawn and the borrowed tokens out, or records them for a claim.
#[inline(never)]
pub(super) fn pay_out(
    context: &Context,
    totals: &mut Reserve,
    arguments: &Arguments,
    out: (u64, u64),
) -> Result {
    let (withdrawn, borrowed) = out;
    let payee = |amount: u64, account, missing: sluice_program::AnchorError| match account {
        None if amount > 0 => Err(missing.into()),
        account => Result::Ok(account),
    };
    let withdraw_to = payee(withdrawn, context.withdraw_to, WITHDRAW_TO_ACCOUNT_REQUIRED)?;
    let borrow_to = payee(borrowed, context.borrow_to, BORROW_TO_ACCOUNT_REQUIRED)?;
    let sides = [
        (withdrawn, withdraw_to, context.withdraw_claim, &arguments.withdraw_to),
        (borrowed, borrow_to, context.borrow_claim, &arguments.borrow_to),
    ];
    for (amount, to, claim, user) in sides {
        let Some(to) = to else { continue };
        if amount == 0 {
            continue;
        }
        if context.held < amount {
            return Err(INSUFFICIENT_BALANCE.into());
        }
        match arguments.transfer_type {
            SKIP => return Err(INVALID_TRANSFER_TYPE.into()),
            DIRECT => context.vault.pay(to, amount)?,
            _ => record_claim(totals, claim, user, amount)?,
        }
    }
    Ok(())
}

pub(super) fn record_claim(
    totals: &mut Reserve,
    account: Option<Account>,
    user: &Address,
    amount: u64,
) -> Result {
    let account = account.ok_or(CLAIM_ACCOUNT_REQUIRED)?;
    let mut claim = Claim::load(account, "claim_account")?;
    if claim.user != *user {
        return Err(INVALID_USER_CLAIM.into());
    }
    claim.amount = add(claim.amount, amount)?;
    totals.total_claim_amount = add(totals.total_claim_amount, amount)?;
    claim.store(account)
}
