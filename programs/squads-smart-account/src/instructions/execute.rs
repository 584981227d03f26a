//! `execute_transaction_sync_v2`: carries out instructions for which the smart account signs, if enough of its signers
//! signed the transaction.

use crate::errors;
use crate::state::{Settings, ALL, PREFIX, SMART_ACCOUNT, VOTE};
use sluice_program::bytes::Reader;
use sluice_program::cpi::{self, CpiAccount};
use sluice_program::heap::List;
use sluice_program::{anchor, log, Account, Address, Result};

/// The payload that is a list of instructions. The other one is the payload of a policy.
const TRANSACTION: u8 = 0;
/// An instruction names its accounts by at most this many indexes.
const MAX_NAMED: usize = 255;

struct Args<'a> {
    account_index: u8,
    signers: usize,
    payload: &'a [u8],
}

/// An instruction whose program and accounts are indexes into the accounts after the signers.
struct Compiled<'a> {
    program: usize,
    accounts: &'a [u8],
    data: &'a [u8],
}

impl<'a> Compiled<'a> {
    fn read(from: &mut Reader<'a>) -> Option<Self> {
        let program = from.u8()? as usize;
        let named = from.u8()? as usize;
        let accounts = from.bytes(named)?;
        let len = from.u16()? as usize;
        Some(Self { program, accounts, data: from.bytes(len)? })
    }
}

#[inline(never)]
pub fn execute(program: &Address, accounts: &[Account], args: &[u8]) -> Result {
    let args = read_args(args)?;
    let (&[consensus, own], rest) = anchor::accounts::<2>(accounts)?;
    let settings = Settings::load(consensus, program, "consensus_account")?;
    anchor::check_program(own, &[*program], "program")?;
    anchor::check_writable(consensus, "consensus_account")?;
    check_consensus(&settings, args.signers, rest)?;
    let others = &rest[args.signers..];
    check_payload(args.payload, others.len())?;
    let seeds = [PREFIX, &consensus.address().0[..], SMART_ACCOUNT, &[args.account_index]];
    let (vault, bump) = Address::find(&seeds, program)?;
    let call = Execution { settings: &settings, consensus: consensus.address(), vault };
    let mut named = List::with_capacity(MAX_NAMED)?;
    let mut from = Reader::new(&args.payload[1..]);
    while let Some(instruction) = Compiled::read(&mut from) {
        named.clear();
        for &index in instruction.accounts {
            named.push(call.lend(others[index as usize]))?;
        }
        let signer = [seeds[0], seeds[1], seeds[2], seeds[3], &[bump]];
        cpi::invoke(others[instruction.program].address(), &named, instruction.data, &[&signer])?;
    }
    Ok(())
}

#[inline(never)]
fn read_args(args: &[u8]) -> Result<Args<'_>> {
    let mut from = Reader::new(args);
    let (account_index, signers) = anchor::decoded(from.u8().zip(from.u8()))?;
    if anchor::decoded(from.u8())? != TRANSACTION {
        log::text("Policies are not part of the stand-in");
        return Err(errors::NOT_IMPLEMENTED.into());
    }
    let payload = anchor::decoded(from.prefixed())?;
    Ok(Args { account_index, signers: signers as usize, payload })
}

/// Fails unless the first `count` accounts are different signers that signed, and may do all together what executing
/// at once takes.
#[inline(never)]
fn check_consensus(settings: &Settings, count: usize, accounts: &[Account]) -> Result {
    if settings.time_lock != 0 {
        return Err(errors::TIME_LOCK_NOT_ZERO.into());
    }
    let threshold = settings.threshold as usize;
    if count < threshold || count > accounts.len() {
        return Err(errors::INVALID_SIGNER_COUNT.into());
    }
    let signers = &accounts[..count];
    let mut permissions = 0;
    let mut votes = 0;
    for (at, signer) in signers.iter().enumerate() {
        let Some(mask) = settings.permissions(signer.address()) else {
            return Err(errors::NOT_A_SIGNER.into());
        };
        if !signer.is_signer() {
            return Err(errors::MISSING_SIGNATURE.into());
        }
        if signers[..at].iter().any(|earlier| earlier.address() == signer.address()) {
            return Err(errors::DUPLICATE_SIGNER.into());
        }
        permissions |= mask;
        if mask & VOTE != 0 {
            votes += 1;
        }
    }
    if permissions != ALL {
        return Err(errors::INSUFFICIENT_AGGREGATE_PERMISSIONS.into());
    }
    if votes < threshold {
        return Err(errors::INSUFFICIENT_VOTE_PERMISSIONS.into());
    }
    Ok(())
}

/// Fails unless the payload is the announced number of instructions, whose indexes name one of `accounts` accounts.
#[inline(never)]
fn check_payload(payload: &[u8], accounts: usize) -> Result {
    let mut from = Reader::new(payload);
    let Some(count) = from.u8() else {
        return Err(errors::INVALID_INSTRUCTION_ARGS.into());
    };
    let instructions = from;
    for _ in 0..count {
        if Compiled::read(&mut from).is_none() {
            return Err(errors::INVALID_INSTRUCTION_ARGS.into());
        }
    }
    if !from.rest().is_empty() {
        return Err(errors::INVALID_INSTRUCTION_ARGS.into());
    }
    let mut from = instructions;
    while let Some(instruction) = Compiled::read(&mut from) {
        if instruction.program >= accounts
            || instruction.accounts.iter().any(|&index| index as usize >= accounts)
        {
            return Err(errors::INVALID_TRANSACTION_MESSAGE.into());
        }
    }
    Ok(())
}

struct Execution<'s> {
    settings: &'s Settings,
    consensus: &'s Address,
    vault: Address,
}

impl Execution<'_> {
    /// Passes an account on: the smart account signs, its settings are not written, and a signer that agreed to the
    /// execution signs for nothing else.
    fn lend<'a>(&self, account: Account<'a>) -> CpiAccount<'a> {
        let address = account.address();
        let signer = if *address == self.vault {
            true
        } else {
            account.is_signer() && self.settings.permissions(address).is_none()
        };
        CpiAccount { account, signer, writable: account.is_writable() && address != self.consensus }
    }
}
