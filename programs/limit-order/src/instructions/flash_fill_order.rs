//! The instruction `flash_fill_order`.

use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::sysvar::Clock;
use sluice_program::token::CloseAccount;
use sluice_program::{Account, Result};

use crate::amounts::compute_payment;
use crate::checks::{
    check_event_accounts, check_named, check_system_program, check_token_program, load_mint, Expected,
};
use crate::errors::{
    INVALID_BORROW_MAKING_AMOUNT, INVALID_MAKER_OUTPUT_ACCOUNT, INVALID_TAKER_OUTPUT_ACCOUNT, MATH_OVERFLOW,
};
use crate::events::{emit_trade, Trade};
use crate::payout::Payout;
use crate::state::Order;

/// Argument: the most that the taker pays, with the fee. It pays for what it has borrowed. The fill of the
/// rest closes the order, and its rent is the maker's.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (accounts, _) = anchor::accounts::<13>(accounts)?;
    let &[taker, maker, order, reserve, maker_output, taker_output, fee_account, others @ ..] = accounts;
    let [input_program, output_mint, output_program, system_program, authority, own] = others;
    let maximum = decoded(Reader::new(args).u64())?;
    anchor::check_signer(taker, "taker")?;
    anchor::check_writable(taker, "taker")?;
    anchor::check_writable(maker, "maker")?;
    anchor::check_writable(order, "order")?;
    anchor::check_writable(reserve, "input_mint_reserve")?;
    anchor::check_writable(fee_account, "fee_account")?;
    let mut state = Order::load(order)?;
    check_named(maker, &state.maker)?;
    check_named(reserve, &state.input_mint_reserve)?;
    check_named(fee_account, &state.fee_account)?;
    check_named(input_program, &state.input_token_program)?;
    check_named(output_mint, &state.output_mint)?;
    check_named(output_program, &state.output_token_program)?;
    check_token_program(input_program, "input_token_program")?;
    check_token_program(output_program, "output_token_program")?;
    check_system_program(system_program)?;
    check_event_accounts(authority, own)?;
    // A mint can be closed and made again with a transfer fee, so it is checked again.
    let decimals = load_mint(output_mint, output_program, "output_mint")?.decimals;
    let expected = Expected {
        owner: maker.address(),
        mint: output_mint,
        token_program: output_program,
        error: &INVALID_MAKER_OUTPUT_ACCOUNT,
        name: "maker_output_mint_account",
    };
    let destination = expected.check_optional(maker_output, true)?;
    let expected = Expected {
        owner: taker.address(),
        error: &INVALID_TAKER_OUTPUT_ACCOUNT,
        name: "taker_output_mint_account",
        ..expected
    };
    let source = expected.check_optional(taker_output, false)?;
    let making = state.borrow_making_amount;
    if making == 0 {
        return Err(INVALID_BORROW_MAKING_AMOUNT.into());
    }

    let payment = compute_payment(&state, making, maximum)?;
    let payout = Payout { taker, source, mint: output_mint, decimals, token_program: output_program };
    let makers = payment.paid.checked_sub(payment.fee).ok_or(MATH_OVERFLOW)?;
    payout.pay_maker(maker, destination, makers)?;
    payout.pay(fee_account, payment.fee)?;

    state.making_amount = state.making_amount.checked_sub(making).ok_or(MATH_OVERFLOW)?;
    state.taking_amount = state.taking_amount.checked_sub(payment.owed).ok_or(MATH_OVERFLOW)?;
    state.borrow_making_amount = 0;
    state.updated_at = Clock::get()?.unix_timestamp;
    state.store(order)?;
    let trade = Trade {
        order_key: order.address(),
        taker: taker.address(),
        remaining_making_amount: state.making_amount,
        remaining_taking_amount: state.taking_amount,
        making_amount: making,
        taking_amount: payment.paid,
    };
    emit_trade(authority, &trade)?;
    if state.making_amount > 0 {
        return Ok(());
    }
    state.sign(|seeds| {
        CloseAccount { program: input_program, account: reserve, destination: maker, authority: order }
            .invoke(seeds)
    })?;
    order.close(maker)
}
