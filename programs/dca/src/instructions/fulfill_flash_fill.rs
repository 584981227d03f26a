//! The instruction `fulfill_flash_fill`, the second half of a fill.

use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::sysvar::Clock;
use sluice_program::{token, Account, Result};

use crate::checks::{check_mint, check_named, Expected, Programs};
use crate::errors::{
    INCORRECT_REPAYMENT_AMOUNT, KEEPER_SHORTCHANGED, MATH_OVERFLOW, ORDER_FILL_AMOUNT_WRONG,
    SWAP_OUT_AMOUNT_BELOW_MINIMUM, UNAUTHORIZED_KEEPER,
};
use crate::events::{Emitter, Fill};
use crate::pair::open_top_level;
use crate::schedule::fee_on;
use crate::state::{Dca, FeeAuthority};
use crate::tokens::{Holding, Opening};

/// Argument: the least that the swap must have paid into the order's account. Whatever it paid is the user's, except for
/// the fee.
#[inline(never)]
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let repay_amount = decoded(Reader::new(args).u64())?;
    let (&[keeper, dca, input_mint, output_mint, keeper_in_ata, in_ata, out_ata, ref rest @ ..], _) =
        anchor::accounts::<15>(accounts)?;
    let &[fee_authority, fee_ata, sysvar, system, token, associated_token, event_authority, program] = rest;
    anchor::check_signer(keeper, "keeper")?;
    anchor::check_writable(keeper, "keeper")?;
    let mut order = Dca::load_in_flight(dca)?;
    check_named(input_mint, &order.input_mint, "input_mint")?;
    check_named(output_mint, &order.output_mint, "output_mint")?;
    check_named(in_ata, &order.in_account, "in_ata")?;
    check_named(out_ata, &order.out_account, "out_ata")?;
    check_mint(output_mint, "output_mint")?;
    check_keeper(fee_authority, keeper)?;
    open_top_level(sysvar)?;
    let programs = Programs::check(system, token, associated_token)?;
    let emitter = Emitter::new(event_authority, program)?;
    check_returned(&order, keeper, keeper_in_ata)?;
    if repay_amount == 0 {
        return Err(INCORRECT_REPAYMENT_AMOUNT.into());
    }
    let fill = measure(&order, token::amount_of(out_ata)?, repay_amount)?;

    Opening {
        payer: keeper,
        account: fee_ata,
        wallet: fee_authority,
        mint: output_mint,
        programs,
        name: "fee_ata",
    }
    .open_associated()?;
    Holding { order: &order, address: dca, account: out_ata, token_program: token }.pay(fee_ata, fill.fee)?;
    count(&mut order, &fill)?;
    order.store(dca)?;
    emitter.filled(dca.address(), &order, &fill)
}

/// Fails with UnauthorizedKeeper unless the signer may fill orders.
#[inline(never)]
fn check_keeper(fee_authority: Account, keeper: Account) -> Result {
    if FeeAuthority::load(fee_authority)?.keepers.contains(keeper.address()) {
        Ok(())
    } else {
        Err(UNAUTHORIZED_KEEPER.of("keeper"))
    }
}

/// Checks that the keeper holds what it held before: less is an atom of its own that was swapped, and more is an atom of the
/// order's that was not. Fails with KeeperShortchanged or OrderFillAmountWrong.
#[inline(never)]
fn check_returned(order: &Dca, keeper: Account, keeper_in_ata: Account) -> Result {
    let own = Expected { owner: keeper.address(), mint: &order.input_mint, name: "keeper_in_ata" };
    let held = own.load_associated(keeper_in_ata)?;
    let before = order.keeper_in_balance_before_borrow;
    if held < before {
        return Err(KEEPER_SHORTCHANGED.into());
    }
    if held > before {
        return Err(ORDER_FILL_AMOUNT_WRONG.into());
    }
    Ok(())
}

/// Returns what the swap brought. Fails with SwapOutAmountBelowMinimum if that is less than the keeper promised or nothing
/// is left of it behind the fee, and as [`Dca::check_bounds`] does.
#[inline(never)]
fn measure(order: &Dca, held: u64, promised: u64) -> Result<Fill> {
    let paid = held.checked_sub(order.dca_out_balance_before_swap).ok_or(SWAP_OUT_AMOUNT_BELOW_MINIMUM)?;
    let fee = fee_on(paid)?;
    let received = paid.checked_sub(fee).filter(|rest| *rest > 0).ok_or(SWAP_OUT_AMOUNT_BELOW_MINIMUM)?;
    if paid < promised {
        return Err(SWAP_OUT_AMOUNT_BELOW_MINIMUM.into());
    }
    let used = order.cycle_amount()?;
    order.check_bounds(used, received)?;
    Ok(Fill { used, received, fee })
}

/// Counts the fill, and sets the time of the next one.
#[inline(never)]
fn count(order: &mut Dca, fill: &Fill) -> Result {
    order.in_used = order.in_used.checked_add(fill.used).ok_or(MATH_OVERFLOW)?;
    order.out_received = order.out_received.checked_add(fill.received).ok_or(MATH_OVERFLOW)?;
    order.next_cycle_at = order.due_after(Clock::get()?.unix_timestamp)?;
    order.keeper_in_balance_before_borrow = 0;
    order.dca_out_balance_before_swap = 0;
    Ok(())
}
