//! The pool's account: 395 bytes.

use crate::curve::Amplification;
use crate::fees::Fees;
use sluice_program::bytes::{Reader, Writer};
use sluice_program::{Account, Address, ProgramError, Result};

pub const LEN: usize = 395;

/// A value for each of a pool's two tokens, token A first.
pub type Sides<T> = [T; 2];

/// The state of a pool.
pub struct Pool {
    pub initialized: bool,
    pub paused: bool,
    /// The bump with which the pool's address derives its authority.
    pub nonce: u8,
    pub amplification: Amplification,
    pub future_admin_deadline: i64,
    pub future_admin: Address,
    pub admin: Address,
    pub reserves: Sides<Address>,
    pub lp_mint: Address,
    pub mints: Sides<Address>,
    pub admin_fees: Sides<Address>,
    pub fees: Fees,
}

impl Pool {
    /// Returns a new pool without addresses of its accounts. No change of its admin is pending.
    #[inline(always)]
    pub fn new(nonce: u8, amplification: Amplification, admin: Address, fees: Fees) -> Self {
        Self {
            initialized: true,
            paused: false,
            nonce,
            amplification,
            future_admin_deadline: 0,
            future_admin: Address::ZERO,
            admin,
            reserves: [Address::ZERO; 2],
            lp_mint: Address::ZERO,
            mints: [Address::ZERO; 2],
            admin_fees: [Address::ZERO; 2],
            fees,
        }
    }

    /// Reads a pool. Fails with InvalidAccountData if the account is not a pool's, and with UninitializedAccount if
    /// it was never initialized. The owner of the account is not checked: a foreign account is useless, because only
    /// this program can sign for the authority that its address derives.
    #[inline(always)]
    pub fn load(account: Account) -> Result<Self> {
        let pool = Self::load_any(account)?;
        if pool.initialized {
            Ok(pool)
        } else {
            Err(ProgramError::UNINITIALIZED_ACCOUNT)
        }
    }

    /// Reads a pool that may be uninitialized. Fails with InvalidAccountData if the length or a flag is wrong.
    #[inline(never)]
    pub fn load_any(account: Account) -> Result<Self> {
        let data = account.data()?;
        if data.len() != LEN {
            return Err(ProgramError::INVALID_ACCOUNT_DATA);
        }
        Self::read(&mut Reader::new(&data)).ok_or(ProgramError::INVALID_ACCOUNT_DATA)
    }

    #[inline(always)]
    fn read(from: &mut Reader) -> Option<Self> {
        Some(Self {
            initialized: from.bool()?,
            paused: from.bool()?,
            nonce: from.u8()?,
            amplification: Amplification {
                initial: from.u64()?,
                target: from.u64()?,
                start: from.i64()?,
                stop: from.i64()?,
            },
            future_admin_deadline: from.i64()?,
            future_admin: from.address()?,
            admin: from.address()?,
            reserves: [from.address()?, from.address()?],
            lp_mint: from.address()?,
            mints: [from.address()?, from.address()?],
            admin_fees: [from.address()?, from.address()?],
            fees: Fees::read(from)?,
        })
    }

    /// Writes the pool. Fails with AccountDataTooSmall if the account is shorter than a pool.
    #[inline(never)]
    pub fn store(&self, account: Account) -> Result {
        let mut data = account.data_mut()?;
        let mut to = Writer::new(&mut data);
        to.u8(self.initialized as u8)?;
        to.u8(self.paused as u8)?;
        to.u8(self.nonce)?;
        to.u64(self.amplification.initial)?;
        to.u64(self.amplification.target)?;
        to.u64(self.amplification.start as u64)?;
        to.u64(self.amplification.stop as u64)?;
        to.u64(self.future_admin_deadline as u64)?;
        for address in [&self.future_admin, &self.admin] {
            to.address(address)?;
        }
        for address in &self.reserves {
            to.address(address)?;
        }
        to.address(&self.lp_mint)?;
        for address in &self.mints {
            to.address(address)?;
        }
        for address in &self.admin_fees {
            to.address(address)?;
        }
        self.fees.write(&mut to)
    }
}
