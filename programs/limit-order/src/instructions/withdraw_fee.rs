//! The instruction `withdraw_fee`.

use sluice_program::anchor;
use sluice_program::token::{amount_of, Mint, TokenAccount, TransferChecked};
use sluice_program::{Account, Result};

use crate::checks::check_token_program;
use crate::state::{Fee, FEE, FEE_BUMP, FEE_SEED};

/// Moves all that has been collected in one of the program's token accounts to one of the admin's.
pub fn run(accounts: &[Account]) -> Result {
    let (&[admin, fee, source, destination, token_program, mint], _) = anchor::accounts::<6>(accounts)?;
    anchor::check_signer(admin, "admin")?;
    check_token_program(token_program, "token_program")?;
    if *fee.address() != FEE {
        return Err(anchor::CONSTRAINT_SEEDS.of("fee_authority"));
    }
    Fee::load(fee, "fee_authority")?.check_admin(admin)?;
    for (account, owner, name) in
        [(source, fee, "program_fee_account"), (destination, admin, "admin_token_acocunt")]
    {
        anchor::check_writable(account, name)?;
        let tokens = TokenAccount::load(account, name)?;
        if tokens.owner != *owner.address() {
            return Err(anchor::CONSTRAINT_TOKEN_OWNER.of(name));
        }
        if tokens.mint != *mint.address() {
            return Err(anchor::CONSTRAINT_TOKEN_MINT.of(name));
        }
        if !account.is_owned_by(token_program.address()) {
            return Err(anchor::CONSTRAINT_TOKEN_TOKEN_PROGRAM.of(name));
        }
    }
    let Mint { decimals, .. } = Mint::load(mint, "mint")?;
    let amount = amount_of(source)?;
    TransferChecked { program: token_program, source, mint, destination, authority: fee, amount, decimals }
        .invoke(&[&[FEE_SEED, &[FEE_BUMP]]])
}
