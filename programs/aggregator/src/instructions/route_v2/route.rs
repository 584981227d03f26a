//! The instruction `route_v2`.

use super::{arguments, extras};
use crate::authority::Authority;
use crate::error::INVALID_MINT;
use crate::instructions::{fixed, optional};
use crate::route::{check_funds, Route};
use crate::token::{mint_of, Mover};
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

/// Arguments: in_amount, quoted_out_amount, slippage_bps, platform_fee_bps, positive_slippage_bps, route_plan.
pub fn route(accounts: &[Account], args: &[u8]) -> Result {
    let (terms, plan) = arguments(&mut Reader::new(args))?;
    let (&[user, source, destination, source_mint, destination_mint], rest) = fixed::<5>(accounts)?;
    let (&[source_program, destination_program, pass_on_to, event_authority, _program], rest) =
        fixed::<5>(rest)?;
    if mint_of(source)? != *source_mint.address() || mint_of(destination)? != *destination_mint.address() {
        return Err(INVALID_MINT.into());
    }
    check_funds(source, &terms)?;
    let (extra, rest) = extras(&terms, rest)?;
    Route {
        plan,
        terms,
        user: Authority::user(user),
        source,
        source_mint: None,
        source_mover: Mover { program: source_program, mint: Some(source_mint) },
        destination,
        destination_mint: *destination_mint.address(),
        destination_mover: Mover { program: destination_program, mint: Some(destination_mint) },
        pass_on_to: optional(pass_on_to),
        shared: None,
        platform_fee: extra.platform_fee,
        positive_slippage_account: extra.positive_slippage,
        event_authority,
    }
    .execute(rest)
}
