//! A venue that only tests load, under any venue's address.
//!
//! Every call writes a log line with the rights of its accounts (bit 0 writable, bit 1 signer) and its data.
//! When an account of the call is owned by the venue, its data is a script for what happens then:
//!
//! | offset | field |
//! |---|---|
//! | 0 | u8: 0 nothing, 1 swap, 2 fail with the code at offset 8 |
//! | 1 | u8 each, places in the call: token program, authority of all four token accounts, user's input, vault of the input, vault of the output, user's output |
//! | 7 | u8: offset of the input amount in the call's data |
//! | 8 | u64: the most that is taken of the input, or the code to fail with |
//! | 16 | u64, u64: the output is what was taken × the first / the second, floored |
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

use sluice_program::bytes::{u64_at, Reader};
use sluice_program::heap::List;
use sluice_program::token::Transfer;
use sluice_program::{log, math, Account, Address, ProgramError, Result};

sluice_program::entrypoint!(process);

const NOTHING: u8 = 0;
const SWAP: u8 = 1;

struct Script {
    action: u8,
    places: [u8; 6],
    amount_at: u8,
    most: u64,
    numerator: u64,
    denominator: u64,
}

fn process(program: &Address, accounts: &[Account], data: &[u8]) -> Result {
    record(accounts, data)?;
    let Some(scripted) = accounts.iter().find(|account| account.is_owned_by(program)) else {
        return Ok(());
    };
    let script = read(&scripted.data()?).ok_or(ProgramError::INVALID_ACCOUNT_DATA)?;
    match script.action {
        NOTHING => Ok(()),
        SWAP => swap(&script, accounts, data),
        _ => Err(ProgramError::custom(script.most as u32)),
    }
}

fn record(accounts: &[Account], data: &[u8]) -> Result {
    let mut rights = List::with_capacity(accounts.len())?;
    for account in accounts {
        rights.push(u8::from(account.is_writable()) | u8::from(account.is_signer()) << 1)?;
    }
    log::data(&[&rights, data]);
    Ok(())
}

#[inline(always)]
fn read(data: &[u8]) -> Option<Script> {
    let mut reader = Reader::new(data);
    Some(Script {
        action: reader.u8()?,
        places: *reader.array()?,
        amount_at: reader.u8()?,
        most: reader.u64()?,
        numerator: reader.u64()?,
        denominator: reader.u64()?,
    })
}

fn swap(script: &Script, accounts: &[Account], data: &[u8]) -> Result {
    let mut named = [accounts[0]; 6];
    for (account, place) in named.iter_mut().zip(script.places) {
        *account = *accounts.get(place as usize).ok_or(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS)?;
    }
    let [program, authority, input, vault_in, vault_out, output] = named;
    let amount = u64_at(data, script.amount_at as usize).ok_or(ProgramError::INVALID_INSTRUCTION_DATA)?;
    let taken = amount.min(script.most);
    let paid = math::mul_div_floor(taken, script.numerator, script.denominator)
        .ok_or(ProgramError::ARITHMETIC_OVERFLOW)?;
    Transfer { program, source: input, destination: vault_in, authority, amount: taken }.invoke(&[])?;
    Transfer { program, source: vault_out, destination: output, authority, amount: paid }.invoke(&[])
}
