//! The instruction `initiate_flash_fill`, the first half of a fill.

use sluice_program::sysvar::Clock;
use sluice_program::{anchor, token, Account, Result};

use crate::checks::{check_mint, check_named, Programs};
use crate::errors::{INSUFFICIENT_BALANCE_IN_PROGRAM, KEEPER_NOT_TIME_TO_FILL};
use crate::pair::{check_second_half, Parties};
use crate::state::Dca;
use crate::tokens::{Holding, Opening};

/// Lends the input of the cycle that is due to a keeper. Until the second half, nothing else can be done with the order.
/// The second half checks who the keeper is.
#[inline(never)]
pub fn run(accounts: &[Account]) -> Result {
    let (&[keeper, dca, input_mint, keeper_in_ata, in_ata, out_ata, sysvar, ref rest @ ..], _) =
        anchor::accounts::<10>(accounts)?;
    let &[system, token, associated_token] = rest;
    anchor::check_signer(keeper, "keeper")?;
    anchor::check_writable(keeper, "keeper")?;
    let mut order = Dca::load(dca)?;
    check_named(input_mint, &order.input_mint, "input_mint")?;
    check_named(in_ata, &order.in_account, "in_ata")?;
    check_named(out_ata, &order.out_account, "out_ata")?;
    check_mint(input_mint, "input_mint")?;
    let programs = Programs::check(system, token, associated_token)?;
    check_second_half(sysvar, &Parties { keeper, dca, input_mint, keeper_in_ata, in_ata, out_ata })?;
    if Clock::get()?.unix_timestamp < order.next_cycle_at {
        return Err(KEEPER_NOT_TIME_TO_FILL.into());
    }
    let amount = order.cycle_amount()?;
    if amount == 0 {
        return Err(INSUFFICIENT_BALANCE_IN_PROGRAM.into());
    }
    let opening = Opening {
        payer: keeper,
        account: keeper_in_ata,
        wallet: keeper,
        mint: input_mint,
        programs,
        name: "keeper_in_ata",
    };
    order.keeper_in_balance_before_borrow = opening.open_associated()?;
    order.dca_out_balance_before_swap = token::amount_of(out_ata)?;
    order.store_in_flight(dca)?;
    Holding { order: &order, address: dca, account: in_ata, token_program: token }.pay(keeper_in_ata, amount)
}
