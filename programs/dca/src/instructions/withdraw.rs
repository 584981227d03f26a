//! The instruction `withdraw`.

use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

use crate::checks::{check_mint, check_named, Programs};
use crate::errors::{
    INSUFFICIENT_BALANCE_IN_PROGRAM, INVALID_AMOUNT, MATH_OVERFLOW, NO_USER_IN_ATA, NO_USER_OUT_ATA,
    UNAUTHORIZED,
};
use crate::events::Emitter;
use crate::keys::PROGRAM;
use crate::state::Dca;
use crate::tokens::{Holding, Opening};

/// Arguments: the amount, and whether it is of the input (0) or the output (1). The user takes a part of what the order
/// counts as theirs, and the order goes on with the rest.
#[inline(never)]
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (amount, is_output) = decoded(read(&mut Reader::new(args)))?;
    let (&[user, dca, input_mint, output_mint, dca_ata, user_in_ata, user_out_ata, ref rest @ ..], _) =
        anchor::accounts::<12>(accounts)?;
    let &[system, token, associated_token, event_authority, program] = rest;
    anchor::check_signer(user, "user")?;
    anchor::check_writable(user, "user")?;
    let mut order = Dca::load(dca)?;
    if order.user != *user.address() {
        return Err(UNAUTHORIZED.of("user"));
    }
    check_named(input_mint, &order.input_mint, "input_mint")?;
    check_named(output_mint, &order.output_mint, "output_mint")?;
    let programs = Programs::check(system, token, associated_token)?;
    let emitter = Emitter::new(event_authority, program)?;
    if amount == 0 {
        return Err(INVALID_AMOUNT.into());
    }
    let (own, mint, account, left) = if is_output {
        let own = anchor::optional(user_out_ata, &PROGRAM).ok_or(NO_USER_OUT_ATA)?;
        (own, output_mint, &order.out_account, order.out_left()?)
    } else {
        let own = anchor::optional(user_in_ata, &PROGRAM).ok_or(NO_USER_IN_ATA)?;
        (own, input_mint, &order.in_account, order.in_left()?)
    };
    check_mint(mint, "mint")?;
    check_named(dca_ata, account, "dca_ata")?;
    if amount > left {
        return Err(INSUFFICIENT_BALANCE_IN_PROGRAM.into());
    }
    let name = if is_output { "user_out_ata" } else { "user_in_ata" };
    Opening { payer: user, account: own, wallet: user, mint, programs, name }.open()?;
    Holding { order: &order, address: dca, account: dca_ata, token_program: token }.pay(own, amount)?;

    let total = if is_output { &mut order.out_withdrawn } else { &mut order.in_withdrawn };
    *total = total.checked_add(amount).ok_or(MATH_OVERFLOW)?;
    order.store(dca)?;
    let (input, output) = if is_output { (0, amount) } else { (amount, 0) };
    emitter.withdrawn(dca.address(), input, output, true)
}

fn read(from: &mut Reader) -> Option<(u64, bool)> {
    Some((from.u64()?, from.bool()?))
}
