//! The instruction that creates the program's main account.

use crate::error::INVALID_PARAMS;
use crate::keys::{AUTH_LIST_SEED, LIQUIDITY_SEED, PROGRAM};
use crate::state::auth_list::AuthList;
use crate::state::liquidity::Liquidity;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::layout::Layout;
use sluice_program::{system, Account, Address, Result};

/// Arguments: authority, revenue collector. Any wallet may sign, but the account can be created only once. The
/// authority becomes auth and guardian.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let mut from = Reader::new(args);
    let authority = decoded(from.address())?;
    let revenue_collector = decoded(from.address())?;
    let (&[signer, liquidity, auth_list, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(signer, "signer")?;
    let bump = create(signer, liquidity, LIQUIDITY_SEED, Liquidity::SPACE, "liquidity")?;
    create(signer, auth_list, AUTH_LIST_SEED, AuthList::SPACE, "auth_list")?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    if authority == Address::ZERO || revenue_collector == Address::ZERO {
        return Err(INVALID_PARAMS.into());
    }

    Liquidity { authority, revenue_collector, locked: false, bump }.store(liquidity)?;
    AuthList::of(&authority)?.store(auth_list)
}

#[inline(always)]
fn create(payer: Account, account: Account, seed: &[u8], space: usize, name: &str) -> Result<u8> {
    anchor::CreateDerived { payer, account, seeds: &[seed], space, program: &PROGRAM, owner: &PROGRAM, name }
        .invoke()
}
