//! The program's accounts: its administration and the oracles.

use crate::error::{ADMIN_ONLY_AUTH, ADMIN_ONLY_AUTHORITY};
use sluice_program::account::Data;
use sluice_program::bytes::{Reader, Writer};
use sluice_program::members::Members;
use sluice_program::{anchor, layout, Account, Address, Result};

pub const PROGRAM: Address = Address::from_base58("jupnw4B6Eqs7ft6rxpzYLJZYSnrpRgPcr589n5Kv4oc");
pub const ADMIN_SEED: &[u8] = b"oracle_admin";
pub const ORACLE_SEED: &[u8] = b"oracle";

const ORACLE_TAG: [u8; 8] = anchor::account("Oracle");
const MAX_AUTHS: usize = 10;
pub const MAX_SOURCES: usize = 4;
pub const ORACLE_LEN: usize = 8 + 2 + 4 + Source::LEN * MAX_SOURCES + 1;

layout! {
    /// The authority, and the auths that may create oracles.
    pub struct Admin = "OracleAdmin" {
        pub authority: Address,
        pub auths: Members<MAX_AUTHS>,
    }
}

impl Admin {
    /// Reads the account. Fails with an error of Anchor's unless it is the program's.
    pub fn load(account: Account) -> Result<Self> {
        layout::load(account, &PROGRAM, "oracle_admin")
    }

    /// Writes the account.
    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }

    /// Fails with OracleAdminOnlyAuth unless the signer is an auth.
    pub fn check_auth(&self, signer: Account) -> Result {
        if self.auths.contains(signer.address()) {
            Ok(())
        } else {
            Err(ADMIN_ONLY_AUTH.of("signer"))
        }
    }

    /// Fails with OracleAdminOnlyAuthority unless the signer is the authority.
    pub fn check_authority(&self, signer: Account) -> Result {
        if self.authority == *signer.address() {
            Ok(())
        } else {
            Err(ADMIN_ONLY_AUTHORITY.of("authority"))
        }
    }
}

/// A hop of an oracle, with the source of its price.
#[derive(Clone, Copy)]
pub struct Source {
    pub address: Address,
    /// Whether the reciprocal of the price is used.
    pub invert: bool,
    pub multiplier: u128,
    pub divisor: u128,
    pub kind: u8,
}

impl Source {
    pub const LEN: usize = 32 + 1 + 16 + 16 + 1;
    /// The highest number of the public program's source types.
    const LAST_KIND: u8 = 10;

    /// Returns None if the bytes are cut short or invalid.
    pub fn read(from: &mut Reader) -> Option<Self> {
        Some(Self {
            address: from.address()?,
            invert: from.bool()?,
            multiplier: from.u128()?,
            divisor: from.u128()?,
            kind: from.u8().filter(|kind| *kind <= Self::LAST_KIND)?,
        })
    }
}

/// The hops of an oracle. The account holds them as a vector, of which at most [`MAX_SOURCES`] entries are read.
pub struct Oracle<'a> {
    data: Data<'a>,
    pub nonce: u16,
    pub count: usize,
}

impl<'a> Oracle<'a> {
    const SOURCES: usize = 8 + 2 + 4;

    /// Reads the account. Fails with an error of Anchor's unless it is an oracle.
    #[inline(never)]
    pub fn load(account: Account<'a>) -> Result<Self> {
        let data = anchor::load(account, &PROGRAM, &ORACLE_TAG, "oracle")?;
        let mut from = Reader::new(&data[8..]);
        let head = from.u16().zip(from.u32());
        let sources = head.and_then(|(nonce, count)| {
            let fits = count as usize <= MAX_SOURCES && from.bytes(count as usize * Source::LEN).is_some();
            if fits {
                Some((nonce, count as usize))
            } else {
                None
            }
        });
        match sources {
            Some((nonce, count)) => Ok(Self { data, nonce, count }),
            None => Err(anchor::ACCOUNT_DID_NOT_DESERIALIZE.of("oracle")),
        }
    }

    /// Returns the hop at `index`.
    pub fn source(&self, index: usize) -> Result<Source> {
        let mut from = Reader::new(self.data.get(Self::SOURCES + index * Source::LEN..).unwrap_or(&[]));
        Source::read(&mut from).ok_or_else(|| anchor::ACCOUNT_DID_NOT_DESERIALIZE.of("oracle"))
    }

    /// Writes an oracle. `sources` are entries of [`Source::LEN`] bytes, as instructions pass them.
    #[inline(never)]
    pub fn store(account: Account, nonce: u16, sources: &[u8], bump: u8) -> Result {
        let mut data = account.data_mut()?;
        let mut to = Writer::new(&mut data);
        to.array(&ORACLE_TAG)?;
        to.u16(nonce)?;
        to.u32((sources.len() / Source::LEN) as u32)?;
        to.bytes(sources)?;
        to.u8(bump)
    }
}
