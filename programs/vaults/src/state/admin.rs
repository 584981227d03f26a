//! The administration of the program: the addresses that may create vaults.

use crate::error::{ADMIN_ONLY_AUTHORITY, ADMIN_ONLY_AUTHS};
use crate::keys::PROGRAM;
use crate::state::undecoded;
use sluice_program::bytes::Reader;
use sluice_program::layout::Layout;
use sluice_program::members::Members;
use sluice_program::{anchor, layout, Account, Address, Result};

const NAME: &str = "vault_admin";
const MAX_AUTHS: usize = 10;

layout! {
    /// The authority, the auths, and the number of vaults.
    pub struct Admin = "VaultAdmin" {
        pub authority: Address,
        pub liquidity_program: Address,
        pub next_vault_id: u16,
        pub auths: Members<MAX_AUTHS>,
        pub bump: u8,
    }
}

impl Admin {
    /// Reads the account. Fails with an error of Anchor's unless it is the program's.
    pub fn load(account: Account) -> Result<Self> {
        layout::load_zero_copy(account, &PROGRAM, NAME)
    }

    /// Writes the account.
    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }

    /// Fails with VaultAdminOnlyAuths unless the signer is an auth.
    pub fn check_auth(&self, signer: Account) -> Result {
        anchor::check_signer(signer, "authority")?;
        if self.auths.contains(signer.address()) {
            Ok(())
        } else {
            Err(ADMIN_ONLY_AUTHS.of("authority"))
        }
    }

    /// Fails with VaultAdminOnlyAuthority unless the signer is the authority.
    pub fn check_authority(&self, signer: Account) -> Result {
        anchor::check_signer(signer, "signer")?;
        if self.authority == *signer.address() {
            Ok(())
        } else {
            Err(ADMIN_ONLY_AUTHORITY.of("signer"))
        }
    }
}

/// Reads the bump of the address that signs for the mints of positions. It reads nothing else, because the list of
/// auths is long.
#[inline(never)]
pub fn bump(account: Account) -> Result<u8> {
    let data = anchor::load_zero_copy(account, &PROGRAM, &Admin::TAG, NAME)?;
    read_bump(&data).ok_or_else(|| undecoded(NAME))
}

fn read_bump(data: &[u8]) -> Option<u8> {
    let mut from = Reader::new(data.get(8 + 2 * 32 + 2..)?);
    let auths = from.u32()? as usize;
    if auths > MAX_AUTHS {
        return None;
    }
    from.bytes(auths * 32)?;
    from.u8()
}
