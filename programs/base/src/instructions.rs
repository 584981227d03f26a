//! The instructions sysvar: all top-level instructions of the running transaction.
//!
//! Layout, little-endian: count u16; an offset u16 per instruction; at each offset a number of accounts u16, then
//! per account flags u8 (bit 0 signer, bit 1 writable) and address, then the program's address, a length u16 and
//! the data; in the last two bytes of the account the index of the instruction that is running.

use crate::account::{Account, Data};
use crate::address::Address;
use crate::bytes::{self, Reader};
use crate::error::{ProgramError, Result};

pub const ADDRESS: Address = Address::from_base58("Sysvar1nstructions1111111111111111111111111");

/// The opened sysvar.
pub struct Instructions<'a> {
    data: Data<'a>,
}

/// A top-level instruction.
#[derive(Clone, Copy)]
pub struct TopLevel<'s> {
    pub program: &'s Address,
    pub data: &'s [u8],
    accounts: &'s [u8],
}

/// An account that a top-level instruction lists.
#[derive(Clone, Copy)]
pub struct NamedAccount<'s> {
    pub address: &'s Address,
    pub signer: bool,
    pub writable: bool,
}

impl<'a> Instructions<'a> {
    /// Opens the sysvar. Fails with UnsupportedSysvar if the account is not the instructions sysvar.
    pub fn open(account: Account<'a>) -> Result<Self> {
        if *account.address() != ADDRESS {
            return Err(ProgramError::UNSUPPORTED_SYSVAR);
        }
        let data = account.data()?;
        if data.len() < 4 {
            return Err(ProgramError::INVALID_ACCOUNT_DATA);
        }
        Ok(Self { data })
    }

    /// Returns the number of top-level instructions.
    pub fn count(&self) -> u16 {
        u16::from_le_bytes([self.data[0], self.data[1]])
    }

    /// Returns the index of the top-level instruction that is running, directly or through calls.
    pub fn current(&self) -> u16 {
        let last = self.data.len();
        u16::from_le_bytes([self.data[last - 2], self.data[last - 1]])
    }

    /// Returns None if `index` is not below the count.
    pub fn get(&self, index: u16) -> Option<TopLevel<'_>> {
        if index >= self.count() {
            return None;
        }
        let offset = bytes::u16_at(&self.data, 2 + ((index as usize) << 1))?;
        let mut reader = Reader::new(self.data.get(offset as usize..)?);
        let count = reader.u16()? as usize;
        let accounts = reader.bytes(count.wrapping_mul(33))?;
        let program = Address::from_bytes(reader.array()?);
        let len = reader.u16()? as usize;
        Some(TopLevel { program, data: reader.bytes(len)?, accounts })
    }
}

impl<'s> TopLevel<'s> {
    /// Iterates over the accounts of the instruction, in order.
    pub fn accounts(&self) -> impl Iterator<Item = NamedAccount<'s>> {
        let mut reader = Reader::new(self.accounts);
        core::iter::from_fn(move || {
            let flags = reader.u8()?;
            let address = Address::from_bytes(reader.array()?);
            Some(NamedAccount { address, signer: flags & 1 != 0, writable: flags & 2 != 0 })
        })
    }
}
