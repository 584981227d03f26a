//! A stand-in for the public `rfq_v2` program: fills a taker's order from the levels that a market maker co-signs.
//!
//! One instruction, `fill_exact_in`. Both sides sign; the taker's account pays first, then the maker's. The program
//! runs only inside a route of the aggregator, and only when no other instruction of the transaction touches the
//! maker's accounts.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod accounts;
mod args;
mod errors;
mod sweep;
mod transaction;

use accounts::FillAccounts;
use args::{FillExactIn, Side};
use sluice_program::sysvar::Clock;
use sluice_program::{anchor, log, Account, Address, Result};
use sweep::Fill;

sluice_program::entrypoint!(process);

const FILL_EXACT_IN: [u8; 8] = anchor::instruction("fill_exact_in");

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        FILL_EXACT_IN => fill_exact_in(accounts, args),
        _ => Err(anchor::INSTRUCTION_FALLBACK_NOT_FOUND.into()),
    }
}

fn fill_exact_in(accounts: &[Account], args: &[u8]) -> Result {
    log::text("Instruction: FillExactIn");
    let args = FillExactIn::decode(args).ok_or(anchor::INSTRUCTION_DID_NOT_DESERIALIZE)?;
    let accounts = FillAccounts::check(accounts)?;
    transaction::check(&accounts)?;
    if is_past(args.expire_at)? {
        return Err(errors::STALE_ORDERBOOK.into());
    }
    let fill = sweep::sweep(&args)?;
    settle(&accounts, args.side, &fill)?;
    report(&args, &fill);
    Ok(())
}

/// Returns whether the clock is past that Unix second. During the second itself the order is still valid.
fn is_past(second: u64) -> Result<bool> {
    let now = Clock::get()?.unix_timestamp;
    Ok(u64::try_from(now).is_ok_and(|now| now > second))
}

fn settle(accounts: &FillAccounts, side: Side, fill: &Fill) -> Result {
    let (paid, received) = match side {
        Side::Bid => (&accounts.quote, &accounts.base),
        Side::Ask => (&accounts.base, &accounts.quote),
    };
    paid.transfer_to_maker(accounts.user, fill.paid)?;
    received.transfer_to_user(accounts.fill_authority, fill.received)
}

fn report(args: &FillExactIn, fill: &Fill) {
    let side = match args.side {
        Side::Bid => "Bid",
        Side::Ask => "Ask",
    };
    log::Line::new()
        .text("Fill executed: side=")
        .text(side)
        .text(", amount_in=")
        .number(fill.paid)
        .text(", amount_out=")
        .number(fill.received)
        .text(", vwap_ticks=")
        .number(fill.mean_price_ticks(args))
        .emit();
}
