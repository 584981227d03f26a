//! The instruction `claim_token`.

use super::check_wallet;
use crate::authority::Authority;
use crate::error::{INVALID_AUTHORITY, INVALID_MINT};
use crate::instructions::fixed;
use crate::plan::required;
use crate::token::{amount_of, mint_of, Mover};
use sluice_program::bytes::{self, Reader};
use sluice_program::{associated_token, Account, Result};

/// The offset of a token account's owner.
const OWNER: usize = 32;

/// Arguments: the id. Sends the whole balance of a token account of its program authority to a token account of the
/// fee wallet: to an existing one, or to the associated one, which is then created at the payer's expense.
///
/// Fails with InvalidFeeWallet, InvalidTokenAccount, InvalidMint, InvalidAuthority or IncorrectTokenProgramID.
pub fn tokens(accounts: &[Account], args: &[u8]) -> Result {
    let id = required(Reader::new(args).u8())?;
    let (&[payer, wallet, authority, source, destination, mint, token_program], rest) = fixed::<7>(accounts)?;
    let (&[_associated_token_program, system_program], _) = fixed::<2>(rest)?;
    check_wallet(wallet)?;
    if destination.data_len() > 0 {
        check_destination(destination, mint, wallet)?;
    } else {
        associated_token::CreateIdempotent {
            payer,
            account: destination,
            wallet,
            mint,
            system_program,
            token_program,
        }
        .invoke()?;
    }
    let authority = Authority::program_unchecked(authority, id)?;
    let mover = Mover { program: token_program, mint: Some(mint) };
    mover.transfer((source, destination), &authority, amount_of(source)?)
}

fn check_destination(destination: Account, mint: Account, wallet: Account) -> Result {
    if mint_of(destination)? != *mint.address() {
        return Err(INVALID_MINT.into());
    }
    if bytes::address_at(&destination.data()?, OWNER) != Some(*wallet.address()) {
        return Err(INVALID_AUTHORITY.into());
    }
    Ok(())
}
