//! Calls to the liquidity program. A protocol's address signs them.

use sluice_program::bytes::Writer;
use sluice_program::cpi::{self, CpiAccount};
use sluice_program::{anchor, Account, Address, Result};

const PRE_OPERATE: [u8; 8] = anchor::instruction("pre_operate");
const OPERATE: [u8; 8] = anchor::instruction("operate");
const DIRECT: u8 = 1;
/// The number of the transfer type with which tokens leave that are claimed later.
pub const CLAIM: u8 = 2;

/// Selects one of a protocol's positions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Leg {
    Supply,
    Borrow,
}

/// A protocol's accounts for one token. The liquidity program checks them.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    pub leg: Leg,
    /// Signs with the seeds that each call takes.
    pub protocol: Account<'a>,
    pub mint: Account<'a>,
    pub reserve: Account<'a>,
    pub position: Account<'a>,
    pub rate_model: Account<'a>,
    /// The token account of the liquidity program.
    pub vault: Account<'a>,
    pub liquidity: Account<'a>,
    pub program: Account<'a>,
    pub token_program: Account<'a>,
}

/// The recipient of tokens that leave, and the way in which they are paid.
pub struct Payee<'a> {
    pub owner: &'a Address,
    pub account: Account<'a>,
    /// The account in which the owner may claim the tokens later. If it is None, they are paid at once.
    pub claim: Option<Account<'a>>,
}

impl Side<'_> {
    /// Announces that tokens will arrive in the vault.
    #[inline(never)]
    pub fn announce(&self, seeds: &[&[u8]]) -> Result {
        let mut data = [0; 40];
        let mut to = Writer::new(&mut data);
        to.array(&PRE_OPERATE)?;
        to.address(self.mint.address())?;
        let [supply, borrow] = self.by_leg(self.position.readonly(), self.program.readonly());
        let accounts = [
            self.protocol.readonly_signer(),
            self.liquidity.readonly(),
            supply,
            borrow,
            self.vault.readonly(),
            self.reserve.writable(),
            self.token_program.readonly(),
        ];
        cpi::invoke(self.program.address(), &accounts, &data, &[seeds])
    }

    /// Makes the liquidity program count the tokens that arrived since the announcement as a supply or a repayment.
    pub fn pay_in(&self, amount: u64, seeds: &[&[u8]]) -> Result {
        self.operate(amount, None, seeds)
    }

    /// Withdraws or borrows `amount`.
    pub fn pay_out(&self, amount: u64, to: &Payee, seeds: &[&[u8]]) -> Result {
        self.operate(amount, Some(to), seeds)
    }

    #[inline(never)]
    fn operate(&self, amount: u64, payee: Option<&Payee>, seeds: &[&[u8]]) -> Result {
        let mut data = [0; 8 + 2 * 16 + 2 * 32 + 1];
        let mut to = Writer::new(&mut data);
        to.array(&OPERATE)?;
        let nobody = self.liquidity.address();
        let owner = payee.map_or(nobody, |payee| payee.owner);
        let adds = payee.is_none() == (self.leg == Leg::Supply);
        let amount = if adds { amount as u128 } else { (amount as u128).wrapping_neg() };
        for amount in self.by_leg(amount, 0) {
            to.u128(amount)?;
        }
        for owner in self.by_leg(owner, nobody) {
            to.address(owner)?;
        }
        let claim = payee.and_then(|payee| payee.claim);
        to.u8(if claim.is_some() { CLAIM } else { DIRECT })?;

        // The program's own address in the place of an optional account means that the account is absent.
        let absent = self.program.readonly();
        let [supply, borrow] = self.by_leg(self.position.writable(), absent);
        let paid: CpiAccount = payee.map_or(absent, |payee| payee.account.writable());
        let [withdraw_to, borrow_to] = self.by_leg(paid, absent);
        let claimed = claim.map_or(absent, |account| account.writable());
        let [withdraw_claim, borrow_claim] = self.by_leg(claimed, absent);
        let accounts = [
            self.protocol.readonly_signer(),
            self.liquidity.readonly(),
            self.reserve.writable(),
            self.mint.readonly(),
            self.vault.writable(),
            supply,
            borrow,
            self.rate_model.readonly(),
            withdraw_to,
            borrow_to,
            borrow_claim,
            withdraw_claim,
            self.token_program.readonly(),
        ];
        cpi::invoke(self.program.address(), &accounts, &data, &[seeds])
    }

    /// Returns `value` in the place of the supplied or of the borrowed token, and `absent` in the other place.
    #[inline(always)]
    fn by_leg<T>(&self, value: T, absent: T) -> [T; 2] {
        match self.leg {
            Leg::Supply => [value, absent],
            Leg::Borrow => [absent, value],
        }
    }
}
