/** The source of a program that calls the last of its accounts with the other accounts and its data. */
export const FORWARDER = `
#![no_std]
use sluice_program::heap::List;
use sluice_program::{cpi, Account, Address, ProgramError, Result};

sluice_program::entrypoint!(process);

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let Some((program, rest)) = accounts.split_last() else { return Err(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS) };
    let mut list = List::with_capacity(rest.len())?;
    for account in rest {
        list.push(match (account.is_writable(), account.is_signer()) {
            (true, true) => account.writable_signer(),
            (true, false) => account.writable(),
            (false, true) => account.readonly_signer(),
            (false, false) => account.readonly(),
        })?;
    }
    cpi::invoke(program.address(), &list, data, &[])
}
`;
