//! The instruction `claim`.

use super::check_wallet;
use crate::authority::Authority;
use crate::instructions::fixed;
use crate::plan::required;
use sluice_program::bytes::Reader;
use sluice_program::{system, Account, Result};

/// Arguments: the id. Sends all lamports of its program authority. Fails with InvalidFeeWallet if the receiver is not
/// the fee wallet.
pub fn lamports(accounts: &[Account], args: &[u8]) -> Result {
    let id = required(Reader::new(args).u8())?;
    let (&[wallet, authority, _system_program], _) = fixed::<3>(accounts)?;
    check_wallet(wallet)?;
    let authority = Authority::program_unchecked(authority, id)?;
    let call =
        system::Transfer { from: authority.account, to: wallet, lamports: authority.account.lamports() };
    authority.with_signers(|signers| call.invoke(signers))
}
