//! The instruction `close_dca`.

use sluice_program::{anchor, Account, Result};

use crate::checks::{check_mint, check_named, Programs};
use crate::errors::UNAUTHORIZED;
use crate::events::Emitter;
use crate::state::Dca;
use crate::tokens::{Holding, Opening};

/// Gives the user everything that the order's accounts hold, and closes them. All rent is paid to the user.
#[inline(never)]
pub fn run(accounts: &[Account]) -> Result {
    let (&[user, dca, input_mint, output_mint, in_ata, out_ata, user_in_ata, user_out_ata, ref rest @ ..], _) =
        anchor::accounts::<13>(accounts)?;
    let &[system, token, associated_token, event_authority, program] = rest;
    anchor::check_signer(user, "user")?;
    anchor::check_writable(user, "user")?;
    let mut order = Dca::load(dca)?;
    if order.user != *user.address() {
        return Err(UNAUTHORIZED.of("user"));
    }
    check_named(input_mint, &order.input_mint, "input_mint")?;
    check_named(output_mint, &order.output_mint, "output_mint")?;
    check_mint(input_mint, "input_mint")?;
    check_mint(output_mint, "output_mint")?;
    check_named(in_ata, &order.in_account, "in_ata")?;
    check_named(out_ata, &order.out_account, "out_ata")?;
    let programs = Programs::check(system, token, associated_token)?;
    let emitter = Emitter::new(event_authority, program)?;

    for (account, mint, own, name) in [
        (in_ata, input_mint, user_in_ata, "user_in_ata"),
        (out_ata, output_mint, user_out_ata, "user_out_ata"),
    ] {
        Opening { payer: user, account: own, wallet: user, mint, programs, name }.open()?;
        let holding = Holding { order: &order, address: dca, account, token_program: token };
        holding.pay_all(own)?;
        holding.close(user)?;
    }
    let unfilled = order.settle();
    emitter.closed(dca.address(), &order, unfilled, true)?;
    anchor::check_writable(dca, "dca")?;
    dca.close(user)
}
