//! The administration of the program: the addresses that may create earn tokens.

use crate::error::{ONLY_AUTH, ONLY_AUTHORITY};
use crate::keys::PROGRAM;
use sluice_program::bytes::Reader;
use sluice_program::layout::Layout;
use sluice_program::members::Members;
use sluice_program::{anchor, layout, Account, Address, Result};

const NAME: &str = "lending_admin";

layout! {
    /// The authority, the auths and the rebalancer.
    pub struct Admin = "LendingAdmin" {
        pub authority: Address,
        pub liquidity_program: Address,
        pub rebalancer: Address,
        pub next_lending_id: u16,
        pub auths: Members<10>,
        pub bump: u8,
    }
}

impl Admin {
    /// Reads the account. Fails with an error of Anchor's unless it is the program's.
    pub fn load(account: Account) -> Result<Self> {
        layout::load(account, &PROGRAM, NAME)
    }

    /// Writes the account.
    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }

    /// Fails with FTokenOnlyAuth unless the signer is an auth.
    pub fn check_auth(&self, signer: Account) -> Result {
        if self.auths.contains(signer.address()) {
            Ok(())
        } else {
            Err(ONLY_AUTH.of("signer"))
        }
    }

    /// Fails with FTokenOnlyAuthority unless the signer is the authority.
    pub fn check_authority(&self, signer: Account) -> Result {
        if self.authority == *signer.address() {
            Ok(())
        } else {
            Err(ONLY_AUTHORITY.of("signer"))
        }
    }
}

/// The fields that deposits and withdrawals need: the liquidity program, and the bump of the address that signs for
/// the receipt mints.
pub struct Signer {
    pub liquidity_program: Address,
    pub bump: u8,
}

/// Reads only these fields, because the list of auths is long.
#[inline(never)]
pub fn signer(account: Account) -> Result<Signer> {
    let data = anchor::load(account, &PROGRAM, &Admin::TAG, NAME)?;
    read_signer(&data).ok_or_else(|| anchor::ACCOUNT_DID_NOT_DESERIALIZE.of(NAME))
}

fn read_signer(data: &[u8]) -> Option<Signer> {
    let mut from = Reader::new(data.get(8..)?);
    from.address()?;
    let liquidity_program = from.address()?;
    from.bytes(32 + 2)?;
    let auths = from.u32()? as usize;
    from.bytes(auths.checked_mul(32)?)?;
    let &[bump] = from.array()?;
    Some(Signer { liquidity_program, bump })
}
