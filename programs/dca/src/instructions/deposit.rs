//! The instruction `deposit`.

use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::token::Transfer;
use sluice_program::{Account, Result};

use crate::checks::{check_named, check_token_program, Expected};
use crate::errors::{INVALID_DEPOSIT_AMOUNT, MATH_OVERFLOW, UNAUTHORIZED, USER_INSUFFICIENT_BALANCE};
use crate::events::Emitter;
use crate::state::Dca;

/// Argument: the amount of the input that the user adds. The order has as many cycles more.
#[inline(never)]
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let amount = decoded(Reader::new(args).u64())?;
    let (&[user, dca, in_ata, user_in_ata, token, event_authority, program], _) =
        anchor::accounts::<7>(accounts)?;
    anchor::check_signer(user, "user")?;
    let mut order = Dca::load(dca)?;
    if order.user != *user.address() {
        return Err(UNAUTHORIZED.of("user"));
    }
    check_named(in_ata, &order.in_account, "in_ata")?;
    check_token_program(token)?;
    let emitter = Emitter::new(event_authority, program)?;
    if amount == 0 {
        return Err(INVALID_DEPOSIT_AMOUNT.into());
    }
    let own = Expected { owner: user.address(), mint: &order.input_mint, name: "user_in_ata" };
    if own.load(user_in_ata)? < amount {
        return Err(USER_INSUFFICIENT_BALANCE.into());
    }
    order.add_deposit(amount).ok_or(MATH_OVERFLOW)?;
    order.store(dca)?;
    Transfer { program: token, source: user_in_ata, destination: in_ata, authority: user, amount }
        .invoke(&[])?;
    emitter.deposited(dca.address(), amount)
}
