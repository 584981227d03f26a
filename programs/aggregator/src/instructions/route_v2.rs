//! `route_v2` and `shared_accounts_route_v2`. Shares are in basis points, there is one event, and the accounts of
//! platform fee and positive slippage follow the fixed ones.

use super::{fixed, optional};
use crate::authority::Authority;
use crate::error::INVALID_MINT;
use crate::plan::{self, required, Plan, Version};
use crate::route::{check_funds, check_two_mints, PlatformFee, Route, Shared, Terms};
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

/// Arguments: id, then those of [`route`].
pub fn shared_accounts_route(accounts: &[Account], args: &[u8]) -> Result {
    let mut reader = Reader::new(args);
    let id = required(reader.u8())?;
    let (terms, plan) = arguments(&mut reader)?;
    let (&[authority, user, source, program_source, program_destination, destination], rest) =
        fixed::<6>(accounts)?;
    let (&[source_mint, destination_mint, source_program, destination_program], rest) = fixed::<4>(rest)?;
    let (&[event_authority, _program], rest) = fixed::<2>(rest)?;
    check_funds(source, &terms)?;
    check_two_mints(source_mint, destination_mint)?;
    let authority = Authority::program(authority, id)?;
    let (extra, rest) = extras(&terms, rest)?;
    Route {
        plan,
        terms,
        user: Authority::user(user),
        source,
        source_mover: Mover { program: source_program, mint: Some(source_mint) },
        destination: program_destination,
        destination_mint: *destination_mint.address(),
        destination_mover: Mover { program: destination_program, mint: Some(destination_mint) },
        pass_on_to: Some(destination),
        shared: Some(Shared { authority, source: program_source, source_mint: source_mint.address() }),
        platform_fee: extra.platform_fee,
        positive_slippage_account: extra.positive_slippage,
        event_authority,
    }
    .execute(rest)
}

fn arguments<'d>(reader: &mut Reader<'d>) -> Result<(Terms, Plan<'d>)> {
    let terms = Terms {
        in_amount: required(reader.u64())?,
        quoted_out_amount: required(reader.u64())?,
        slippage_bps: required(reader.u16())?,
        platform_fee_bps: required(reader.u16())?,
        positive_slippage_bps: required(reader.u16())?,
    };
    Ok((terms, plan::read(reader, Version::V2)?))
}

/// The accounts between the fixed ones and those of the steps.
struct Extras<'a> {
    platform_fee: Option<PlatformFee<'a>>,
    positive_slippage: Option<Account<'a>>,
}

/// Fails with InvalidTokenAccount if an account cannot be a token account.
fn extras<'s, 'a>(terms: &Terms, rest: &'s [Account<'a>]) -> Result<(Extras<'a>, &'s [Account<'a>])> {
    let (fee_account, rest) = extra(terms.platform_fee_bps, rest);
    let (positive_slippage, rest) = extra(terms.positive_slippage_bps, rest);
    let platform_fee = fee_account.map(PlatformFee::load).transpose()?;
    Ok((Extras { platform_fee, positive_slippage }, rest))
}

/// Takes the next account if `bps` is above zero. If there are no more accounts at all, the steps fail later.
fn extra<'s, 'a>(bps: u16, rest: &'s [Account<'a>]) -> (Option<Account<'a>>, &'s [Account<'a>]) {
    match rest.split_first() {
        Some((account, rest)) if bps > 0 => (Some(*account), rest),
        _ => (None, rest),
    }
}
