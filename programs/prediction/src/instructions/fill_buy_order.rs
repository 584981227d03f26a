//! The instruction `fill_buy_order`.

use sluice_program::bytes::Reader;
use sluice_program::token::{amount_of, Transfer};
use sluice_program::{log, Account, Result};

use super::fill::{Fees, Fill, FillArgs, FillStates};
use crate::accounts::Order;
use crate::errors::{DEPOSITS_DISABLED, INSUFFICIENT_FUNDS};
use crate::events::FillEvent;
use crate::math::{mul_div_floor, sum};
use crate::position::Removed;
use crate::vault::ONE;

/// Cost and fees move from the order to the vault, that of an integrator to its account, and the position gets the
/// contracts. What the order holds bounds all of it.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (fill, mut states) = Fill::open(accounts, true)?;
    let args = FillArgs::read(&mut Reader::new(args))?;
    if states.vault.deposits_disabled {
        return Err(DEPOSITS_DISABLED.into());
    }
    let fees = states.check(&args)?;
    let figures = settle(&fill, &mut states, &args, &fees)?;
    let before = Order::totals(fill.order)?;
    let totals = states.count(&args, &fees, &before)?;
    log_fill(&states.order, &args, &figures);
    fill.finish(&states, &totals, &figures)
}

#[inline(never)]
fn settle(fill: &Fill, states: &mut FillStates, args: &FillArgs, fees: &Fees) -> Result<FillEvent> {
    let to_vault = sum(&[args.amount, fees.venue, fees.protocol])?;
    let held = amount_of(fill.order_tokens)?;
    if sum(&[to_vault, fees.integrator])? > held {
        return Err(INSUFFICIENT_FUNDS.of("order_ata"));
    }
    let integrator = fill.integrator(&states.order, fees.integrator)?;
    pay(fill, &states.order, fill.vault_tokens, to_vault)?;
    if let Some(tokens) = integrator {
        pay(fill, &states.order, tokens, fees.integrator)?;
    }
    let fee = sum(&[fees.venue, fees.protocol])?;
    let bought = Removed { cost: args.amount, fees: sum(&[fee, fees.integrator])? };
    states.position.add(&mut states.vault, args.contracts, &bought, states.now)?;
    Ok(FillEvent {
        contracts: args.contracts,
        average_price: mul_div_floor(args.amount, ONE, args.contracts)?,
        total_cost: args.amount,
        transferred: amount_of(fill.order_tokens)?,
        fee,
        integrator_fee: fees.integrator,
        ..FillEvent::default()
    })
}

#[inline(never)]
fn pay(fill: &Fill, order: &Order, destination: Account, amount: u64) -> Result {
    let transfer = Transfer {
        program: fill.token_program,
        source: fill.order_tokens,
        destination,
        authority: fill.order,
        amount,
    };
    order.sign(|seeds| transfer.invoke(seeds))
}

#[inline(never)]
fn log_fill(order: &Order, args: &FillArgs, figures: &FillEvent) {
    log::Line::new()
        .text("Buy order settled: ")
        .text(order.order_id.as_ref().map_or("", |id| id.as_str()))
        .text(" - Contracts: ")
        .number(figures.contracts)
        .text(", Avg Fill: ")
        .number(figures.average_price)
        .text(", Vault: ")
        .number(args.amount.saturating_add(figures.fee))
        .text(", Integrator: ")
        .number(figures.integrator_fee)
        .text(", Base: ")
        .number(args.amount)
        .text(", Fee: ")
        .number(figures.fee.saturating_sub(args.venue_fee))
        .emit();
}
