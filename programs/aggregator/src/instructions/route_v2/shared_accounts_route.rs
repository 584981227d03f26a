//! The instruction `shared_accounts_route_v2`.

use super::{arguments, extras};
use crate::authority::Authority;
use crate::instructions::fixed;
use crate::plan::required;
use crate::route::{check_funds, check_two_mints, Route, Shared};
use crate::token::Mover;
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

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
        source_mint: Some(source_mint.address()),
        source_mover: Mover { program: source_program, mint: Some(source_mint) },
        destination: program_destination,
        destination_mint: *destination_mint.address(),
        destination_mover: Mover { program: destination_program, mint: Some(destination_mint) },
        pass_on_to: Some(destination),
        shared: Some(Shared { authority, source: program_source }),
        platform_fee: extra.platform_fee,
        positive_slippage_account: extra.positive_slippage,
        event_authority,
    }
    .execute(rest)
}
