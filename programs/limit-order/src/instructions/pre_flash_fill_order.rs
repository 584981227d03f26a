//! The instruction `pre_flash_fill_order`.

use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::sysvar::Clock;
use sluice_program::token::{amount_of, TransferChecked};
use sluice_program::{Account, Result};

use crate::amounts::compute_owed;
use crate::checks::{check_named, check_token_program, load_mint, Expected};
use crate::errors::{INVALID_BORROW_MAKING_AMOUNT, INVALID_INPUT_ACCOUNT, ORDER_EXPIRED};
use crate::pair::check_flash_fill_follows;
use crate::state::Order;

/// Argument: the making amount. The taker borrows it, and pays for it with the flash fill that must follow.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (accounts, _) = anchor::accounts::<7>(accounts)?;
    let &[taker, order, reserve, destination, mint, token_program, sysvar] = accounts;
    let making = decoded(Reader::new(args).u64())?;
    anchor::check_signer(taker, "taker")?;
    anchor::check_writable(order, "order")?;
    anchor::check_writable(reserve, "input_mint_reserve")?;
    let mut state = Order::load(order)?;
    check_named(reserve, &state.input_mint_reserve)?;
    check_named(mint, &state.input_mint)?;
    check_named(token_program, &state.input_token_program)?;
    check_token_program(token_program, "input_token_program")?;
    let expected = Expected {
        owner: taker.address(),
        mint,
        token_program,
        error: &INVALID_INPUT_ACCOUNT,
        name: "taker_input_mint_account",
    };
    expected.check(destination)?;
    let decimals = load_mint(mint, token_program, "input_mint")?.decimals;

    if state.is_expired(Clock::get()?.unix_timestamp) {
        return Err(ORDER_EXPIRED.into());
    }
    if state.borrow_making_amount != 0 {
        return Err(INVALID_BORROW_MAKING_AMOUNT.into());
    }
    compute_owed(&state, making)?;
    check_flash_fill_follows(sysvar, order, taker)?;

    // Who takes the rest also gets what others have sent to the reserve, which could not be closed otherwise.
    let amount = if making == state.making_amount { amount_of(reserve)? } else { making };
    state.borrow_making_amount = making;
    state.store(order)?;
    state.sign(|seeds| {
        TransferChecked {
            program: token_program,
            source: reserve,
            mint,
            destination,
            authority: order,
            amount,
            decimals,
        }
        .invoke(seeds)
    })
}
