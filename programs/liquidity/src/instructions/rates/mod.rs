//! The instructions that set a token's rate curve.

mod one_kink;
mod two_kinks;

pub use one_kink::one_kink;
pub use two_kinks::two_kinks;

use crate::instructions::reserve_accounts::ReserveAccounts;
use crate::refresh::{now, refresh};
use sluice_program::anchor::decoded;
use sluice_program::bytes::Reader;
use sluice_program::{event, Result};

#[inline(never)]
fn finish(context: &mut ReserveAccounts, tag: &[u8; 8], args: &[u8]) -> Result {
    context.rates.store(context.rate_model)?;
    refresh(&mut context.reserve, &context.rates, now()?)?;
    context.reserve.store(context.account)?;
    event::log(tag, |event| {
        event.address(&context.reserve.mint)?;
        event.bytes(args)
    })
}

fn numbers<const N: usize>(args: &[u8]) -> Result<[u128; N]> {
    let mut from = Reader::new(args);
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = decoded(from.u128())?;
    }
    Ok(numbers)
}
