//! The accounts: the settings of a smart account, and the program's own configuration.

use crate::errors;
use sluice_program::bytes::{Reader, Writer};
use sluice_program::heap::List;
use sluice_program::layout;
use sluice_program::{anchor, Account, Address, Result};

pub const PREFIX: &[u8] = b"smart_account";
pub const PROGRAM_CONFIG: &[u8] = b"program_config";
pub const SETTINGS: &[u8] = b"settings";
pub const SMART_ACCOUNT: &[u8] = b"smart_account";

pub const INITIATE: u8 = 1;
pub const VOTE: u8 = 2;
pub const EXECUTE: u8 = 4;
pub const ALL: u8 = INITIATE | VOTE | EXECUTE;

const SETTINGS_TAG: [u8; 8] = anchor::account("Settings");
/// Three months.
const MAX_TIME_LOCK: u32 = 3 * 30 * 24 * 60 * 60;
/// The bytes of a signer: its address and what it may do.
const SIGNER: usize = 32 + 1;
/// All fields but the signers.
const FIXED: usize = 8 + 16 + 32 + 2 + 4 + 8 + 8 + 33 + 8 + 1 + 4 + 1 + 9 + 1;

layout! {
    /// How many smart accounts there are, and what creating one costs.
    pub struct ProgramConfig = "ProgramConfig" {
        pub smart_account_index: u128,
        pub authority: Address,
        pub smart_account_creation_fee: u64,
        pub treasury: Address,
    }
}

/// A wallet that may sign for a smart account.
#[derive(Clone, Copy)]
pub struct Signer {
    pub key: Address,
    pub permissions: u8,
}

/// Who may move a smart account. Fields of instructions that are not part of the stand-in are left out: they are zero.
pub struct Settings {
    pub seed: u128,
    pub authority: Address,
    pub threshold: u16,
    pub time_lock: u32,
    pub bump: u8,
    /// Ordered by their addresses.
    pub signers: List<Signer>,
}

impl Settings {
    /// The bytes of an account with this many signers.
    pub fn space(signers: usize) -> usize {
        FIXED + (signers << 5) + signers
    }

    /// Reads the settings, which must stand at the address that their seed derives.
    #[inline(never)]
    pub fn load(account: Account, program: &Address, name: &str) -> Result<Self> {
        let settings = {
            let data = anchor::load(account, program, &SETTINGS_TAG, name)?;
            Self::read(&data[8..]).ok_or_else(|| anchor::ACCOUNT_DID_NOT_DESERIALIZE.of(name))?
        };
        let seeds = [PREFIX, SETTINGS, &settings.seed.to_le_bytes(), &[settings.bump]];
        if Address::derive(&seeds, program)? == *account.address() {
            Ok(settings)
        } else {
            Err(anchor::CONSTRAINT_RAW.of(name))
        }
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        let seed = from.u128()?;
        let authority = from.address()?;
        let threshold = from.u16()?;
        let time_lock = from.u32()?;
        from.bytes(8 + 8)?;
        if from.bool()? {
            from.bytes(32)?;
        }
        from.bytes(8)?;
        let bump = from.u8()?;
        let signers = read_signers(&mut from)?;
        Some(Self { seed, authority, threshold, time_lock, bump, signers })
    }

    /// Writes settings that have not been used yet.
    #[inline(never)]
    pub fn store(&self, account: Account) -> Result {
        let mut data = account.data_mut()?;
        let mut to = Writer::new(&mut data);
        to.array(&SETTINGS_TAG)?;
        to.u128(self.seed)?;
        to.address(&self.authority)?;
        to.u16(self.threshold)?;
        to.u32(self.time_lock)?;
        to.array(&[0; 8 + 8])?;
        // The authority that may archive the account: the zero address.
        to.u8(1)?;
        to.address(&Address::ZERO)?;
        to.array(&[0; 8])?;
        to.u8(self.bump)?;
        to.u32(self.signers.len() as u32)?;
        for signer in self.signers.iter() {
            to.address(&signer.key)?;
            to.u8(signer.permissions)?;
        }
        Ok(())
    }

    /// Returns what `key` may do, or None if it is no signer.
    pub fn permissions(&self, key: &Address) -> Option<u8> {
        self.signers.iter().find(|signer| signer.key == *key).map(|signer| signer.permissions)
    }

    /// Fails unless the settings are ones that can be used.
    #[inline(never)]
    pub fn check(&self) -> Result {
        if self.signers.windows(2).any(|pair| pair[0].key == pair[1].key) {
            return Err(errors::DUPLICATE_SIGNER.into());
        }
        if self.signers.iter().any(|signer| signer.permissions > ALL) {
            return Err(errors::UNKNOWN_PERMISSION.into());
        }
        if self.count(INITIATE) == 0 {
            return Err(errors::NO_PROPOSERS.into());
        }
        if self.count(EXECUTE) == 0 {
            return Err(errors::NO_EXECUTORS.into());
        }
        let voters = self.count(VOTE);
        if voters == 0 {
            return Err(errors::NO_VOTERS.into());
        }
        if self.threshold == 0 || self.threshold as usize > voters {
            return Err(errors::INVALID_THRESHOLD.into());
        }
        if self.time_lock > MAX_TIME_LOCK {
            return Err(errors::TIME_LOCK_EXCEEDS_MAX_ALLOWED.into());
        }
        Ok(())
    }

    fn count(&self, permission: u8) -> usize {
        self.signers.iter().filter(|signer| signer.permissions & permission != 0).count()
    }
}

/// Reads a vector of signers.
#[inline(never)]
pub fn read_signers(from: &mut Reader) -> Option<List<Signer>> {
    let count = from.u32()? as usize;
    if count > from.rest().len() / SIGNER {
        return None;
    }
    let mut signers = List::with_capacity(count).ok()?;
    for _ in 0..count {
        signers.push(Signer { key: from.address()?, permissions: from.u8()? }).ok()?;
    }
    Some(signers)
}
