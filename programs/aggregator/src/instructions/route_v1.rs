//! `route`, `shared_accounts_route`, their token-ledger forms, and those for an exact output. Shares are in percent, each step has an event, and
//! the platform fee's account is one of the fixed ones.

use super::{fixed, optional};
use crate::authority::Authority;
use crate::error::{INCORRECT_TOKEN_PROGRAM_ID, INVALID_MINT};
use crate::instructions::token_ledger;
use crate::plan::{self, required, Plan, Version};
use crate::route::{check_funds, check_two_mints, PlatformFee, Route, Shared, Terms};
use crate::token::{mint_of, Mover};
use sluice_program::bytes::Reader;
use sluice_program::token::{PROGRAM, PROGRAMS, PROGRAM_2022};
use sluice_program::{Account, ProgramError, Result};

/// The source of a form's input amount.
#[derive(Clone, Copy)]
enum Input {
    Argument,
    Ledger,
}

/// Arguments: route_plan, in_amount, quoted_out_amount, slippage_bps, platform_fee_bps (one byte).
pub fn route(accounts: &[Account], args: &[u8]) -> Result {
    let (terms, plan) = arguments(&mut Reader::new(args), Input::Argument)?;
    let (head, rest) = fixed::<7>(accounts)?;
    let (&[event_authority, _program], rest) = fixed::<2>(rest)?;
    own(head, event_authority, (terms, plan), rest)
}

/// Arguments: as for [`route`], without in_amount. The input is the amount that arrived since the ledger was set.
pub fn route_with_token_ledger(accounts: &[Account], args: &[u8]) -> Result {
    let (mut terms, plan) = arguments(&mut Reader::new(args), Input::Ledger)?;
    let (head, rest) = fixed::<7>(accounts)?;
    let (&[ledger, event_authority, _program], rest) = fixed::<3>(rest)?;
    terms.amount = token_ledger::arrived(ledger, head[2])?;
    own(head, event_authority, (terms, plan), rest)
}

/// Arguments: id, then those of [`route`].
pub fn shared_accounts_route(accounts: &[Account], args: &[u8]) -> Result {
    let mut reader = Reader::new(args);
    let id = required(reader.u8())?;
    let (terms, plan) = arguments(&mut reader, Input::Argument)?;
    let (head, rest) = fixed::<11>(accounts)?;
    let (&[event_authority, _program], rest) = fixed::<2>(rest)?;
    shared(head, event_authority, (id, terms, plan), rest)
}

/// Arguments: id, then those of [`route_with_token_ledger`].
pub fn shared_accounts_route_with_token_ledger(accounts: &[Account], args: &[u8]) -> Result {
    let mut reader = Reader::new(args);
    let id = required(reader.u8())?;
    let (mut terms, plan) = arguments(&mut reader, Input::Ledger)?;
    let (head, rest) = fixed::<11>(accounts)?;
    let (&[ledger, event_authority, _program], rest) = fixed::<3>(rest)?;
    terms.amount = token_ledger::arrived(ledger, head[3])?;
    shared(head, event_authority, (id, terms, plan), rest)
}

/// Arguments: route_plan, out_amount, quoted_in_amount, slippage_bps, platform_fee_bps (one byte).
pub fn exact_out_route(accounts: &[Account], args: &[u8]) -> Result {
    let (terms, plan) = arguments(&mut Reader::new(args), Input::Argument)?;
    let (&[token_program, user, source, destination, pass_on_to, source_mint], rest) = fixed::<6>(accounts)?;
    let (&[destination_mint, fee_account, token_2022_program, event_authority, _program], rest) =
        fixed::<5>(rest)?;
    let platform_fee = platform_fee(&terms, fee_account)?;
    let programs = [token_program, token_2022_program];
    Route {
        plan,
        terms,
        user: Authority::user(user),
        source,
        source_mint: Some(source_mint.address()),
        source_mover: mover(programs, source_mint)?,
        destination,
        destination_mint: *destination_mint.address(),
        destination_mover: mover(programs, destination_mint)?,
        pass_on_to: optional(pass_on_to),
        shared: None,
        platform_fee,
        positive_slippage_account: None,
        event_authority,
    }
    .execute_exact_out(rest)
}

/// Arguments: id, then those of [`exact_out_route`].
pub fn shared_accounts_exact_out_route(accounts: &[Account], args: &[u8]) -> Result {
    let mut reader = Reader::new(args);
    let id = required(reader.u8())?;
    let (terms, plan) = arguments(&mut reader, Input::Argument)?;
    let (head, rest) = fixed::<11>(accounts)?;
    let (&[event_authority, _program], rest) = fixed::<2>(rest)?;
    let &[token_program, authority, user, source, program_source, program_destination, ..] = head;
    let &[.., destination, source_mint, destination_mint, fee_account, token_2022_program] = head;
    let platform_fee = platform_fee(&terms, fee_account)?;
    let authority = Authority::program(authority, id)?;
    let programs = [token_program, token_2022_program];
    Route {
        plan,
        terms,
        user: Authority::user(user),
        source,
        source_mint: Some(source_mint.address()),
        source_mover: mover(programs, source_mint)?,
        destination: program_destination,
        destination_mint: *destination_mint.address(),
        destination_mover: mover(programs, destination_mint)?,
        pass_on_to: Some(destination),
        shared: Some(Shared { authority, source: program_source }),
        platform_fee,
        positive_slippage_account: None,
        event_authority,
    }
    .execute_exact_out(rest)
}

fn arguments<'d>(reader: &mut Reader<'d>, input: Input) -> Result<(Terms, Plan<'d>)> {
    let plan = plan::read(reader, Version::V1)?;
    let amount = match input {
        Input::Argument => required(reader.u64())?,
        Input::Ledger => 0,
    };
    let terms = Terms {
        amount,
        quoted: required(reader.u64())?,
        slippage_bps: required(reader.u16())?,
        platform_fee_bps: required(reader.u8())?.into(),
        positive_slippage_bps: 0,
    };
    Ok((terms, plan))
}

/// Runs a route over the user's own accounts. Fails with InvalidMint, InsufficientFunds, InvalidTokenAccount, and
/// with the errors of all routes.
fn own<'a>(
    head: &[Account<'a>; 7],
    event_authority: Account<'a>,
    (terms, plan): (Terms, Plan),
    rest: &[Account<'a>],
) -> Result {
    let &[token_program, user, source, destination, pass_on_to, destination_mint, fee_account] = head;
    if mint_of(destination)? != *destination_mint.address() {
        return Err(INVALID_MINT.into());
    }
    check_funds(source, &terms)?;
    let platform_fee = platform_fee(&terms, fee_account)?;
    // A checked transfer needs the source's mint, which these forms do not pass. So they move only tokens of the
    // first token program.
    let mover = Mover { program: token_program, mint: None };
    Route {
        plan,
        terms,
        user: Authority::user(user),
        source,
        source_mint: None,
        source_mover: mover,
        destination,
        destination_mint: *destination_mint.address(),
        destination_mover: mover,
        pass_on_to: optional(pass_on_to),
        shared: None,
        platform_fee,
        positive_slippage_account: None,
        event_authority,
    }
    .execute(rest)
}

/// Runs a route over a program authority's accounts. Fails also with InvalidProgramAuthority, and if both mints are
/// the same.
fn shared<'a>(
    head: &[Account<'a>; 11],
    event_authority: Account<'a>,
    (id, terms, plan): (u8, Terms, Plan),
    rest: &[Account<'a>],
) -> Result {
    let &[token_program, authority, user, source, program_source, program_destination, ..] = head;
    let &[.., destination, source_mint, destination_mint, fee_account, token_2022_program] = head;
    if mint_of(source)? != *source_mint.address() || !PROGRAMS.contains(&source_mint.owner()) {
        return Err(INVALID_MINT.into());
    }
    check_funds(source, &terms)?;
    check_two_mints(source_mint, destination_mint)?;
    let authority = Authority::program(authority, id)?;
    let platform_fee = platform_fee(&terms, fee_account)?;
    let programs = [token_program, token_2022_program];
    Route {
        plan,
        terms,
        user: Authority::user(user),
        source,
        source_mint: Some(source_mint.address()),
        source_mover: mover(programs, source_mint)?,
        destination: program_destination,
        destination_mint: *destination_mint.address(),
        destination_mover: mover(programs, destination_mint)?,
        pass_on_to: Some(destination),
        shared: Some(Shared { authority, source: program_source }),
        platform_fee,
        positive_slippage_account: None,
        event_authority,
    }
    .execute(rest)
}

/// Returns what moves tokens of the mint. Fails with IncorrectTokenProgramID if neither token program owns it.
fn mover<'a>([token_program, token_2022_program]: [Account<'a>; 2], mint: Account<'a>) -> Result<Mover<'a>> {
    match mint.owner() {
        PROGRAM => Ok(Mover { program: token_program, mint: Some(mint) }),
        PROGRAM_2022 => Ok(Mover { program: token_2022_program, mint: Some(mint) }),
        _ => Err(ProgramError::from(INCORRECT_TOKEN_PROGRAM_ID)),
    }
}

/// Fails with InvalidTokenAccount if there is a fee and no account for it.
fn platform_fee<'a>(terms: &Terms, account: Account<'a>) -> Result<Option<PlatformFee<'a>>> {
    if terms.platform_fee_bps == 0 {
        Ok(None)
    } else {
        PlatformFee::load(account).map(Some)
    }
}
