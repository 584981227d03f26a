//! A stand-in for the program of mpl-toolbox that does what a client would have to ask a node for first: it creates
//! accounts with exactly the rent that they need, and transfers all lamports of an account.
//!
//! Instructions, accounts and error numbers are those of the public program.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

use sluice_program::bytes::{Reader, Writer};
use sluice_program::sysvar::Rent;
use sluice_program::{cpi, log, system, Account, Address, ProgramError, Result};

sluice_program::entrypoint!(process);

const CREATE_ACCOUNT_WITH_RENT: u8 = 0;
const TRANSFER_ALL_SOL: u8 = 1;

const INVALID_SYSTEM_PROGRAM: (u32, &str) = (0, "Invalid System Program");
const INVALID_OWNER_FOR_SOURCE: (u32, &str) = (1, "Invalid Program Owner For The Source Account");

/// The instructions, with their arguments.
enum Instruction {
    CreateAccountWithRent { space: u64, owner: Address },
    TransferAllSol,
}

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    match read(data).ok_or(ProgramError::BORSH_IO_ERROR)? {
        Instruction::CreateAccountWithRent { space, owner } => create_account(accounts, space, &owner),
        Instruction::TransferAllSol => transfer_all(accounts),
    }
}

/// Returns None for an unknown tag, and for data that is cut short or too long.
fn read(data: &[u8]) -> Option<Instruction> {
    let from = &mut Reader::new(data);
    let instruction = match from.u8()? {
        CREATE_ACCOUNT_WITH_RENT => {
            Instruction::CreateAccountWithRent { space: from.u64()?, owner: from.address()? }
        }
        TRANSFER_ALL_SOL => Instruction::TransferAllSol,
        _ => return None,
    };
    if from.rest().is_empty() {
        Some(instruction)
    } else {
        None
    }
}

/// Accounts: payer and new account, which sign, system program. The system program refuses an address that already
/// holds lamports, and a space that is too large for an account.
fn create_account(accounts: &[Account], space: u64, owner: &Address) -> Result {
    let (payer, account) = parties(accounts)?;
    let mut data = [0; 52];
    let mut writer = Writer::new(&mut data);
    writer.u32(0)?;
    writer.u64(Rent::get()?.minimum_balance(space.min(MOST_SPACE) as usize))?;
    writer.u64(space)?;
    writer.address(owner)?;
    cpi::invoke(&system::PROGRAM, &[payer.writable_signer(), account.writable_signer()], &data, &[])
}

/// More than the longest account has. The rent of more is never charged, because the system program refuses the space.
const MOST_SPACE: u64 = 1 << 24;

/// Accounts: source, which signs, destination, system program.
fn transfer_all(accounts: &[Account]) -> Result {
    let (source, destination) = parties(accounts)?;
    require(source.is_owned_by(&system::PROGRAM), INVALID_OWNER_FOR_SOURCE)?;
    system::Transfer { from: source, to: destination, lamports: source.lamports() }.invoke(&[])
}

/// Returns the two accounts of either instruction, after checking that the third one is the system program.
fn parties<'a>(accounts: &[Account<'a>]) -> Result<(Account<'a>, Account<'a>)> {
    let &[first, second, system, ..] = accounts else { return Err(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS) };
    require(*system.address() == system::PROGRAM, INVALID_SYSTEM_PROGRAM)?;
    Ok((first, second))
}

/// Fails with the number of `error` unless `holds`, and logs its text.
fn require(holds: bool, (number, text): (u32, &str)) -> Result {
    if holds {
        return Ok(());
    }
    log::text(text);
    Err(ProgramError::custom(number))
}
