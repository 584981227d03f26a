//! The instruction `cancel_order`.

use sluice_program::anchor;
use sluice_program::sysvar::Clock;
use sluice_program::token::{amount_of, CloseAccount, TransferChecked};
use sluice_program::{Account, Result};

use crate::checks::{check_event_accounts, check_named, check_token_program, load_mint, Expected};
use crate::errors::{INVALID_BORROW_MAKING_AMOUNT, INVALID_INPUT_ACCOUNT, ORDER_NOT_EXPIRED};
use crate::events::emit_cancel_order;
use crate::state::Order;

/// Returns everything that is left to the maker: all that the reserve holds, and the rent of reserve and
/// order. Anybody may call it after the expiry.
pub fn run(accounts: &[Account]) -> Result {
    let (accounts, _) = anchor::accounts::<9>(accounts)?;
    let &[signer, maker, order, reserve, destination, mint, token_program, authority, own] = accounts;
    anchor::check_signer(signer, "signer")?;
    anchor::check_writable(maker, "maker")?;
    anchor::check_writable(order, "order")?;
    anchor::check_writable(reserve, "input_mint_reserve")?;
    let state = Order::load(order)?;
    check_named(maker, &state.maker)?;
    check_named(reserve, &state.input_mint_reserve)?;
    check_named(mint, &state.input_mint)?;
    check_named(token_program, &state.input_token_program)?;
    check_token_program(token_program, "input_token_program")?;
    check_event_accounts(authority, own)?;

    let expected = Expected {
        owner: maker.address(),
        mint,
        token_program,
        error: &INVALID_INPUT_ACCOUNT,
        name: "maker_input_mint_account",
    };
    let destination = expected.check_optional(destination, !signer.is(maker))?;
    if !signer.is(maker) && !state.is_expired(Clock::get()?.unix_timestamp) {
        return Err(ORDER_NOT_EXPIRED.into());
    }
    if state.borrow_making_amount != 0 {
        return Err(INVALID_BORROW_MAKING_AMOUNT.into());
    }

    let amount = amount_of(reserve)?;
    state.sign(|seeds| {
        if let Some(destination) = destination.filter(|_| amount > 0) {
            let decimals = load_mint(mint, token_program, "input_mint")?.decimals;
            TransferChecked {
                program: token_program,
                source: reserve,
                mint,
                destination,
                authority: order,
                amount,
                decimals,
            }
            .invoke(seeds)?;
        }
        // A reserve of wrapped SOL that still holds some is closed, too: its lamports are the maker's.
        CloseAccount { program: token_program, account: reserve, destination: maker, authority: order }
            .invoke(seeds)
    })?;
    emit_cancel_order(authority, order.address())?;
    order.close(maker)
}
