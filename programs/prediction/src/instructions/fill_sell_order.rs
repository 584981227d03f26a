//! The instruction `fill_sell_order`.

use sluice_program::bytes::Reader;
use sluice_program::{log, Account, Result};

use super::fill::{Fees, Fill, FillArgs, FillStates};
use crate::accounts::Order;
use crate::errors::{INSUFFICIENT_VAULT_FUNDS, INVALID_FEE};
use crate::events::FillEvent;
use crate::math::{mul_div_floor, sum};
use crate::vault::ONE;

/// The position loses the contracts, and the vault pays what they brought, less the fees, into the order. The fees of
/// venue and protocol stay in the vault.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (fill, mut states) = Fill::open(accounts, false)?;
    let args = FillArgs::read(&mut Reader::new(args))?;
    let fees = states.check(&args)?;
    let figures = settle(&fill, &mut states, &args, &fees)?;
    let before = Order::totals(fill.order)?;
    let totals = states.count(&args, &fees, &before)?;
    log_fill(&states.order, &args, &figures);
    fill.finish(&states, &totals, &figures)
}

#[inline(never)]
fn settle(fill: &Fill, states: &mut FillStates, args: &FillArgs, fees: &Fees) -> Result<FillEvent> {
    let fee = sum(&[fees.venue, fees.protocol])?;
    let net = args.amount.checked_sub(sum(&[fee, fees.integrator])?).ok_or(INVALID_FEE)?;
    let removed = states.position.remove(&mut states.vault, args.contracts, states.now)?;
    let realized = states.position.realize(net, &removed)?;
    if states.position.contracts == 0 {
        // As on mainnet, a position that was sold as a whole begins from nothing again.
        states.position.realized_pnl = 0;
    }
    let integrator = fill.integrator(&states.order, fees.integrator)?;
    fill.payout().pay(fill.order_tokens, net, &INSUFFICIENT_VAULT_FUNDS)?;
    if let Some(tokens) = integrator {
        fill.payout().pay(tokens, fees.integrator, &INSUFFICIENT_VAULT_FUNDS)?;
    }
    Ok(FillEvent {
        contracts: args.contracts,
        average_price: mul_div_floor(args.amount, ONE, args.contracts)?,
        total_cost: removed.cost,
        gross: args.amount,
        net,
        transferred: net,
        fee,
        integrator_fee: fees.integrator,
        realized,
    })
}

#[inline(never)]
fn log_fill(order: &Order, args: &FillArgs, figures: &FillEvent) {
    log::Line::new()
        .text("Sell order settled: ")
        .text(order.order_id.as_ref().map_or("", |id| id.as_str()))
        .text(" - Contracts: ")
        .number(figures.contracts)
        .text(", Avg Fill: ")
        .number(figures.average_price)
        .text(", Gross: ")
        .number(args.amount)
        .text(", Fee: ")
        .number(figures.fee)
        .text(", Integrator: ")
        .number(figures.integrator_fee)
        .text(", Net: ")
        .number(figures.net)
        .emit();
}
