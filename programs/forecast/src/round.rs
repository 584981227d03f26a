//! Rounds and their sides.

use sluice_program::{anchor, associated_token, layout, token, Account, Address, Result};

use crate::addresses::{PROGRAM, ROUND_SEED, SIDE_SEED, USDC};
use crate::errors::{INVALID_ACCOUNT, MATH_OVERFLOW, ROUND_NOT_SETTLED, ROUND_OVER};

/// The status of a round until it has a result.
pub const OPEN: u8 = 0;
/// The results.
pub const UP: u8 = 1;
pub const DOWN: u8 = 2;
pub const VOID: u8 = 3;

layout! {
    /// A round.
    pub struct Round = "ForecastRound" {
        /// Opened the round, pays holders and closes it.
        pub operator: Address,
        pub feed: Address,
        pub asset: [u8; 8],
        pub seconds: u32,
        pub open_time: i64,
        pub close_time: i64,
        pub open_price: i64,
        pub exponent: i32,
        pub close_price: i64,
        pub status: u8,
        pub settled_at: i64,
        /// The tokens of UP and of DOWN that were sold and neither bought back nor paid out.
        pub outstanding: [u64; 2],
        pub deviation: u32,
        pub half_spread: u32,
        pub slope: u32,
        pub funding: u64,
        /// The USDC of all trades.
        pub volume: u64,
        pub bump: u8,
        pub mints: [Address; 2],
    }
}

layout! {
    /// One side of a round. It never changes.
    pub struct Side = "ForecastSide" {
        pub round: Address,
        /// 0 is UP, and 1 is DOWN.
        pub side: u8,
        pub mint: Address,
        pub feed: Address,
        pub vault: Address,
        pub usdc: Address,
        pub close_time: i64,
        pub bump: u8,
    }
}

impl Round {
    /// Reads the account. Fails with an error of Anchor's unless it is a round that may be written.
    #[inline(never)]
    pub fn load(account: Account) -> Result<Self> {
        anchor::check_writable(account, "round")?;
        layout::load(account, &PROGRAM, "round")
    }

    /// Calls `run` with the seeds by which the round signs.
    #[inline(always)]
    pub fn sign(&self, run: impl FnOnce(&[&[&[u8]]]) -> Result) -> Result {
        let (seconds, open_time) = (self.seconds.to_le_bytes(), self.open_time.to_le_bytes());
        run(&[&[ROUND_SEED, &self.feed.0, &seconds, &open_time, &[self.bump]]])
    }

    /// Fails with RoundOver once there is a result.
    pub fn check_open(&self) -> Result {
        if self.status == OPEN {
            Ok(())
        } else {
            Err(ROUND_OVER.of("round"))
        }
    }

    /// Fails with RoundNotSettled until there is a result.
    pub fn check_settled(&self) -> Result {
        if self.status == OPEN {
            Err(ROUND_NOT_SETTLED.of("round"))
        } else {
            Ok(())
        }
    }

    /// Returns the side whose mint the account is. Fails with InvalidAccount if there is none.
    pub fn find_side(&self, mint: Account) -> Result<usize> {
        let side = self.mints.iter().position(|each| each == mint.address());
        side.ok_or_else(|| INVALID_ACCOUNT.of("mint"))
    }

    /// Returns what that many tokens of a side pay once there is a result.
    pub fn compute_payout(&self, side: usize, tokens: u64) -> u64 {
        match self.status {
            VOID => tokens / 2,
            UP => select(side == 0, tokens),
            DOWN => select(side == 1, tokens),
            _ => 0,
        }
    }

    /// Returns what all tokens that are outstanding can be paid.
    pub fn compute_payouts(&self) -> Result<u64> {
        let [up, down] = self.outstanding;
        let up = self.compute_payout(0, up);
        Ok(up.checked_add(self.compute_payout(1, down)).ok_or(MATH_OVERFLOW)?)
    }
}

fn select(wins: bool, tokens: u64) -> u64 {
    if wins {
        tokens
    } else {
        0
    }
}

/// Fails with InvalidAccount unless the account is the vault of the round.
#[inline(never)]
pub fn check_vault(vault: Account, round: Account) -> Result {
    let expected = associated_token::find(round.address(), &USDC, &token::PROGRAM)?;
    if *vault.address() == expected {
        anchor::check_writable(vault, "vault")
    } else {
        Err(INVALID_ACCOUNT.of("vault"))
    }
}

/// Fails with InvalidAccount unless the account stands where a side of the round does.
#[inline(never)]
pub fn check_side(account: Account, round: Account, side: u8) -> Result<u8> {
    let seeds: [&[u8]; 3] = [SIDE_SEED, &round.address().0, &[side]];
    anchor::check_derived(account, &seeds, &PROGRAM, "side")
}
