//! The instruction `withdraw_fees`.

use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::token::Transfer;
use sluice_program::{Account, Result};

use crate::checks::{check_mint, Expected, Programs};
use crate::errors::{INSUFFICIENT_BALANCE_IN_PROGRAM, INVALID_AMOUNT, WRONG_ADMIN};
use crate::keys::{FEE_AUTHORITY, FEE_AUTHORITY_BUMP, FEE_SEED};
use crate::state::FeeAuthority;

/// Argument: the amount of collected fees that the admin takes, into any token account.
#[inline(never)]
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let amount = decoded(Reader::new(args).u64())?;
    let (&[admin, mint, fee_authority, source, destination, system, token, associated_token], _) =
        anchor::accounts::<8>(accounts)?;
    anchor::check_signer(admin, "admin")?;
    check_mint(mint, "mint")?;
    if FeeAuthority::load(fee_authority)?.admin != *admin.address() {
        return Err(WRONG_ADMIN.of("admin"));
    }
    Programs::check(system, token, associated_token)?;
    let own = Expected { owner: &FEE_AUTHORITY, mint: mint.address(), name: "program_fee_ata" };
    let collected = own.load_associated(source)?;
    anchor::check_writable(destination, "admin_fee_ata")?;
    if amount == 0 {
        return Err(INVALID_AMOUNT.into());
    }
    if amount > collected {
        return Err(INSUFFICIENT_BALANCE_IN_PROGRAM.into());
    }
    Transfer { program: token, source, destination, authority: fee_authority, amount }
        .invoke(&[&[FEE_SEED, &[FEE_AUTHORITY_BUMP]]])
}
