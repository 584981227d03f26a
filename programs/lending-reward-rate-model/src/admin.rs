//! The program's administration and its instructions.

use crate::error::{
    INVALID_LENDING_PROGRAM, INVALID_PARAMS, MAX_AUTH_COUNT_REACHED, ONLY_AUTHORITY, ONLY_AUTHS,
};
use crate::PROGRAM;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::layout::Layout;
use sluice_program::members::{self, Members, Refusals};
use sluice_program::{address, layout, system, Account, Address, Result};

const SEED: &[u8] = b"lending_rewards_admin";
const NAME: &str = "lending_rewards_admin";
const AUTHS_EVENT: [u8; 8] = anchor::event("LogUpdateAuths");
const REFUSALS: Refusals = Refusals { invalid: INVALID_PARAMS, full: MAX_AUTH_COUNT_REACHED };
const LENDING_PROGRAM: Address = address!("jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9");

layout! {
    /// The authority and the addresses (auths) that may set rewards.
    pub struct Admin = "LendingRewardsAdmin" {
        pub authority: Address,
        pub lending_program: Address,
        pub auths: Members<10>,
        bump: u8,
    }
}

impl Admin {
    /// Reads the account. Fails with an error of Anchor's unless it is the program's.
    pub fn load(account: Account) -> Result<Self> {
        layout::load(account, &PROGRAM, NAME)
    }

    fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }

    /// Fails with OnlyAuths unless `authority` is an auth.
    pub fn check_auth(&self, authority: Account) -> Result {
        if self.auths.contains(authority.address()) {
            Ok(())
        } else {
            Err(ONLY_AUTHS.of("authority"))
        }
    }
}

/// Creates the admin account. Arguments: authority, lending program. Any wallet may sign, but the account can be
/// created only once. The authority becomes an auth.
pub fn create(accounts: &[Account], args: &[u8]) -> Result {
    let mut from = Reader::new(args);
    let authority = decoded(from.address())?;
    let lending_program = decoded(from.address())?;
    let (&[signer, account, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(signer, "signer")?;
    let bump = anchor::CreateDerived {
        payer: signer,
        account,
        seeds: &[SEED],
        space: Admin::SPACE,
        program: &PROGRAM,
        owner: &PROGRAM,
        name: NAME,
    }
    .invoke()?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    if authority == Address::ZERO {
        return Err(INVALID_PARAMS.into());
    }
    if lending_program != LENDING_PROGRAM {
        return Err(INVALID_LENDING_PROGRAM.into());
    }
    let auths = Members::of(&authority)?;
    Admin { authority, lending_program, auths, bump }.store(account)
}

/// Argument: the new authority. It is always refused: the public program accepted none that was tried.
pub fn update_authority(accounts: &[Account], args: &[u8]) -> Result {
    decoded(Reader::new(args).address())?;
    by_authority(accounts)?;
    Err(INVALID_PARAMS.into())
}

/// Arguments: addresses with whether each is an auth from now on. Signed by the authority, which stays an auth.
pub fn update_auths(accounts: &[Account], args: &[u8]) -> Result {
    let entries = decoded(members::entries(args))?;
    let (mut admin, account) = by_authority(accounts)?;
    admin.auths.update(entries, &admin.authority, &REFUSALS)?;
    admin.store(account)?;
    members::log_update(&AUTHS_EVENT, entries)
}

fn by_authority<'a>(accounts: &[Account<'a>]) -> Result<(Admin, Account<'a>)> {
    let (&[authority, account], _) = anchor::accounts(accounts)?;
    anchor::check_signer(authority, "authority")?;
    let admin = Admin::load(account)?;
    if admin.authority != *authority.address() {
        return Err(ONLY_AUTHORITY.of("authority"));
    }
    anchor::check_writable(account, NAME)?;
    Ok((admin, account))
}
