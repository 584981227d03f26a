//! Checks of the accounts of an operation, and of the tokens that arrived for it.

use super::{Arguments, Context};
use crate::checks::{self, Holder};
use crate::error::{DEPOSIT_EXPECTED, TRANSFER_AMOUNT_OUT_OF_BOUNDS};
use crate::math::sub;
use crate::refresh::now;
use crate::state::claim::Claim;
use crate::state::rate_model::RateModel;
use sluice_lending::state::BorrowPosition;
use sluice_lending::state::Reserve;
use sluice_lending::state::SupplyPosition;
use sluice_program::anchor;
use sluice_program::{math, Result};

/// The maximum that may arrive, relative to the announced amount. The ratio is in hundredths.
const ARRIVING: (u64, u64) = (101, 100);

/// Checks the reserve, its vault and its rate model against the mint.
pub(super) fn check_reserve(context: &Context, totals: &Reserve, rates: &RateModel) -> Result {
    let (mint, vault) = (context.vault.mint, context.vault.account);
    anchor::check_writable(context.reserve, "token_reserve")?;
    checks::has_one(&totals.mint, mint, "token_reserve")?;
    checks::has_one(&totals.vault, vault, "token_reserve")?;
    anchor::check_writable(vault, "vault")?;
    if rates.mint == *mint.address() {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_HAS_ONE.of("rate_model"))
    }
}

/// Checks the protocol's positions that were given.
#[inline(never)]
pub(super) fn check_positions(context: &Context) -> Result {
    if let Some(account) = context.supply {
        let position = SupplyPosition::load(account)?;
        anchor::check_writable(account, "user_supply_position")?;
        checks::has_one(&position.protocol, context.protocol, "user_supply_position")?;
    }
    if let Some(account) = context.borrow {
        let position = BorrowPosition::load(account)?;
        anchor::check_writable(account, "user_borrow_position")?;
        checks::has_one(&position.protocol, context.protocol, "user_borrow_position")?;
    }
    Ok(())
}

/// Checks the accounts of the recipients, or of their claims, that were given.
#[inline(never)]
pub(super) fn check_payees(context: &Context, arguments: &Arguments) -> Result {
    let mint = context.vault.mint;
    let named = [
        (context.withdraw_to, &arguments.withdraw_to, "withdraw_to_account"),
        (context.borrow_to, &arguments.borrow_to, "borrow_to_account"),
    ];
    for (account, owner, name) in named {
        if let Some(account) = account {
            let holder = Holder { mint: mint.address(), owner };
            checks::check_token_account(account, &holder, name)?;
        }
    }
    for (account, name) in
        [(context.borrow_claim, "borrow_claim_account"), (context.withdraw_claim, "withdraw_claim_account")]
    {
        if let Some(account) = account {
            let claim = Claim::load(account, name)?;
            anchor::check_writable(account, name)?;
            checks::has_one(&claim.mint, mint, name)?;
        }
    }
    Ok(())
}

/// Fails with DepositExpected unless the protocol announced tokens in this second, and with TransferAmountOutOfBounds
/// unless at least `expected` and at most a hundredth more has arrived since.
pub(super) fn check_arrived(context: &Context, totals: &Reserve, expected: u64) -> Result {
    if expected == 0 {
        return Ok(());
    }
    if totals.interacting_protocol != *context.protocol.address() || totals.interacting_timestamp != now()? {
        return Err(DEPOSIT_EXPECTED.into());
    }
    let arrived = sub(context.held, totals.interacting_balance)?;
    let most = math::mul_div_floor(expected, ARRIVING.0, ARRIVING.1).unwrap_or(u64::MAX);
    if arrived < expected || arrived > most {
        return Err(TRANSFER_AMOUNT_OUT_OF_BOUNDS.into());
    }
    Ok(())
}
