//! The account of an escrow.

use crate::error::{ALREADY_CANCELLED, MATH_OVERFLOW, NOT_PERMIT_TO_DO_THIS_ACTION};
use crate::keys::{ESCROW_SEED, PROGRAM};
use crate::schedule::{sum_parts, CREATOR, RECIPIENT};
use sluice_program::bytes::Writer;
use sluice_program::cpi::Signers;
use sluice_program::layout::{Field, Layout};
use sluice_program::{layout, Account, Address, Result};

/// The length of an escrow with its discriminator, and with room that no build of the public program uses.
pub const ESCROW_LEN: usize = 296;

/// The escrow's number of each token program.
pub const SPL_TOKEN: u8 = 0;
pub const TOKEN_2022: u8 = 1;

layout! {
    /// An escrow. Times are Unix seconds, amounts are atoms.
    pub struct Escrow = "VestingEscrow" {
        pub recipient: Address,
        pub mint: Address,
        pub creator: Address,
        /// The address from which that of the escrow is derived.
        pub base: Address,
        pub bump: u8,
        pub update_recipient_mode: u8,
        pub cancel_mode: u8,
        pub token_program: u8,
        pub padding: [u8; 4],
        pub cliff: u64,
        pub frequency: u64,
        pub cliff_amount: u64,
        pub period_amount: u64,
        pub periods: u64,
        pub claimed: u64,
        pub start: u64,
        /// Zero while the escrow is not cancelled.
        pub cancelled_at: u64,
    }
}

impl Escrow {
    /// Reads the account. Fails with an error of Anchor's unless it is an escrow.
    pub fn load(account: Account) -> Result<Self> {
        layout::load_zero_copy(account, &PROGRAM, "escrow")
    }

    /// Writes the fields. The room behind them stays as it is, in which later builds of the public program may keep
    /// something.
    #[inline(never)]
    pub fn save(&self, account: Account) -> Result {
        let mut data = account.data_mut()?;
        let mut to = Writer::new(&mut data);
        to.array(&Self::TAG)?;
        Self::write(self, &mut to)
    }

    /// Fails with AlreadyCancelled if the escrow was cancelled.
    pub fn check_open(&self) -> Result {
        match self.cancelled_at {
            0 => Ok(()),
            _ => Err(ALREADY_CANCELLED.of("escrow")),
        }
    }

    /// Returns what the recipient may claim at that Unix second. Fails with MathOverflow if more was claimed than is
    /// unlocked, which is so only on a clock that went back.
    pub fn claimable(&self, now: u64) -> Result<u64> {
        self.unlocked(now)?.checked_sub(self.claimed).ok_or_else(|| MATH_OVERFLOW.into())
    }

    fn unlocked(&self, now: u64) -> Result<u64> {
        let Some(since_cliff) = now.checked_sub(self.cliff) else { return Ok(0) };
        let Some(passed) = since_cliff.checked_div(self.frequency) else { return Ok(self.cliff_amount) };
        sum_parts(self.cliff_amount, self.period_amount, passed.min(self.periods))
    }

    /// Returns whether nothing is left to claim, now or later.
    pub fn is_claimed(&self) -> Result<bool> {
        Ok(self.claimed == sum_parts(self.cliff_amount, self.period_amount, self.periods)?)
    }

    /// Fails with NotPermitToDoThisAction unless the mode permits something to the signer.
    pub fn check_permitted(&self, mode: u8, signer: &Address) -> Result {
        let as_creator = if *signer == self.creator { CREATOR } else { 0 };
        let as_recipient = if *signer == self.recipient { RECIPIENT } else { 0 };
        if mode & (as_creator | as_recipient) == 0 {
            return Err(NOT_PERMIT_TO_DO_THIS_ACTION.into());
        }
        Ok(())
    }

    /// Calls `run` with the seeds by which the escrow signs. As in the public program, what it calls can read the
    /// account of the escrow, and not change it.
    #[inline(always)]
    pub fn sign(&self, account: Account, run: impl FnOnce(Signers) -> Result) -> Result {
        let _kept = account.data()?;
        run(&[&[ESCROW_SEED, &self.base.0, &[self.bump]]])
    }
}
