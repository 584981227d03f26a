//! Sends what program authorities collected to the fee wallet. Anyone may ask for it.

use super::fixed;
use crate::authority::Authority;
use crate::error::{INVALID_AUTHORITY, INVALID_FEE_WALLET};
use crate::keys::FEE_WALLET;
use crate::plan::required;
use crate::token::{amount_of, Mover};
use sluice_program::bytes::{self, Reader};
use sluice_program::token::ACCOUNT_LEN;
use sluice_program::{associated_token, system, Account, Result};

/// Of a token account.
const OWNER: usize = 32;

/// Arguments: id. Sends all lamports of its program authority. InvalidFeeWallet.
pub fn lamports(accounts: &[Account], args: &[u8]) -> Result {
    let id = required(Reader::new(args).u8())?;
    let (&[wallet, authority, _system_program], _) = fixed::<3>(accounts)?;
    check_wallet(wallet)?;
    let authority = Authority::program_unchecked(authority, id)?;
    let call =
        system::Transfer { from: authority.account, to: wallet, lamports: authority.account.lamports() };
    authority.with_signers(|signers| call.invoke(signers))
}

/// Arguments: id. Sends the whole balance of a token account of its program authority to the wallet's associated
/// account, which the payer has made if need be. InvalidFeeWallet, InvalidAuthority, InvalidTokenAccount.
pub fn tokens(accounts: &[Account], args: &[u8]) -> Result {
    let id = required(Reader::new(args).u8())?;
    let (
        &[payer, wallet, authority, source, destination, mint, token_program, _associated_token_program, system_program],
        _,
    ) = fixed::<9>(accounts)?;
    check_wallet(wallet)?;
    check_destination(destination, wallet)?;
    associated_token::CreateIdempotent {
        payer,
        account: destination,
        wallet,
        mint,
        system_program,
        token_program,
    }
    .invoke()?;
    let authority = Authority::program_unchecked(authority, id)?;
    let mover = Mover { program: token_program, mint: Some(mint) };
    mover.transfer((source, destination), &authority, amount_of(source)?)
}

fn check_wallet(wallet: Account) -> Result {
    if *wallet.address() == FEE_WALLET {
        Ok(())
    } else {
        Err(INVALID_FEE_WALLET.into())
    }
}

/// An account that is there already must be the wallet's.
fn check_destination(destination: Account, wallet: Account) -> Result {
    let data = destination.data()?;
    if data.len() >= ACCOUNT_LEN && bytes::address_at(&data, OWNER) != Some(*wallet.address()) {
        return Err(INVALID_AUTHORITY.into());
    }
    Ok(())
}
