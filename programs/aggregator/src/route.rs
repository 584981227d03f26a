//! What all forms of a route have in common, once their accounts are named.

use crate::authority::Authority;
use crate::error::{
    INSUFFICIENT_FUNDS, INVALID_CALCULATION, INVALID_OUTPUT_TOKEN_ACCOUNT, INVALID_ROUTE_PLAN,
    INVALID_TOKEN_ACCOUNT, SLIPPAGE_TOLERANCE_EXCEEDED, SOURCE_AND_DESTINATION_MINT_CANNOT_BE_THE_SAME,
};
use crate::events::Record;
use crate::keys::PROGRAM;
use crate::plan::{Plan, Version};
use crate::steps::{self, Delivery, Source};
use crate::token::{amount_of, mint_of, Mover};
use sluice_program::{cpi, math, Account, Address, Result};

const BPS: u64 = 10_000;

/// What the user asked for, in atoms and hundredths of a percent.
#[derive(Clone, Copy)]
pub struct Terms {
    pub in_amount: u64,
    /// Net of the platform fee.
    pub quoted_out_amount: u64,
    pub slippage_bps: u16,
    pub platform_fee_bps: u16,
    pub positive_slippage_bps: u16,
}

pub struct Route<'d, 'a> {
    pub plan: Plan<'d>,
    pub terms: Terms,
    pub user: Authority<'a>,
    /// Of the user.
    pub source: Account<'a>,
    pub source_mover: Mover<'a>,
    /// Where the steps should deliver, and what fees and payments are taken from.
    pub destination: Account<'a>,
    pub destination_mint: Address,
    pub destination_mover: Mover<'a>,
    /// What came out is passed on to this account.
    pub pass_on_to: Option<Account<'a>>,
    pub shared: Option<Shared<'a>>,
    pub platform_fee: Option<PlatformFee<'a>>,
    pub positive_slippage_account: Option<Account<'a>>,
    pub event_authority: Account<'a>,
}

/// What the shared forms have besides: the steps use accounts of a program authority.
#[derive(Clone, Copy)]
pub struct Shared<'a> {
    pub authority: Authority<'a>,
    pub source: Account<'a>,
    pub source_mint: &'a Address,
}

#[derive(Clone, Copy)]
pub struct PlatformFee<'a> {
    pub account: Account<'a>,
    mint: Address,
}

impl<'a> PlatformFee<'a> {
    /// InvalidTokenAccount unless `account` can be a token account; the program's own address means none.
    pub fn load(account: Account<'a>) -> Result<Self> {
        if *account.address() == PROGRAM {
            return Err(INVALID_TOKEN_ACCOUNT.into());
        }
        Ok(Self { account, mint: mint_of(account)? })
    }
}

impl<'a> Route<'_, 'a> {
    /// Runs the route over the venues' accounts and returns the net output to the caller.
    pub fn execute(&self, accounts: &[Account<'a>]) -> Result {
        let (input_fee, output_fee_account) = self.side_of_fee()?;
        let amount = self.terms.in_amount.checked_sub(input_fee).ok_or(INVALID_CALCULATION)?;
        let mut record = self.record()?;
        let fee_first = self.plan.version == Version::V1;
        if fee_first {
            self.pay_input_fee(input_fee, &mut record)?;
        }
        self.fund_shared_source(amount)?;

        let source = Source { amount, fixed: self.shared.map(|shared| (shared.source, shared.source_mint)) };
        let delivery = steps::run(&self.plan, &source, accounts, &self.authority(), &mut record)?;
        record.close()?;
        let delivery = self.check_delivery(delivery)?;

        if !fee_first {
            self.pay_input_fee(input_fee, &mut record)?;
        }
        let net = self.pay_output_fee(delivery.amount, output_fee_account, &mut record)?;
        self.check_slippage(net)?;
        let net = self.pay_positive_slippage(net)?;
        self.pass_on(net, delivery.account)?;
        cpi::set_return_data(&net.to_le_bytes());
        Ok(())
    }

    /// Signs the steps and what is paid out of their results.
    fn authority(&self) -> Authority<'a> {
        self.shared.map_or(self.user, |shared| shared.authority)
    }

    fn record(&self) -> Result<Record<'a>> {
        match self.plan.version {
            Version::V1 => Record::each(self.event_authority),
            Version::V2 => Record::together(self.event_authority, self.plan.steps.len()),
        }
    }

    /// The fee in the input mint, and the account of one in the output mint: the fee account's mint decides.
    fn side_of_fee(&self) -> Result<(u64, Option<Account<'a>>)> {
        match self.platform_fee {
            None => Ok((0, None)),
            Some(fee) if fee.mint == self.destination_mint => Ok((0, Some(fee.account))),
            Some(_) => Ok((share_of(self.terms.in_amount, self.terms.platform_fee_bps)?, None)),
        }
    }

    fn pay_input_fee(&self, amount: u64, record: &mut Record<'a>) -> Result {
        let Some(fee) = self.platform_fee.filter(|fee| fee.mint != self.destination_mint) else {
            return Ok(());
        };
        self.pay_fee((self.source, &self.source_mover, &self.user), &fee, amount, record)
    }

    /// What is left of `delivered`.
    fn pay_output_fee(
        &self,
        delivered: u64,
        account: Option<Account<'a>>,
        record: &mut Record<'a>,
    ) -> Result<u64> {
        let (Some(_), Some(fee)) = (account, self.platform_fee) else {
            return Ok(delivered);
        };
        let amount = share_of(delivered, self.terms.platform_fee_bps)?;
        let authority = self.authority();
        self.pay_fee((self.destination, &self.destination_mover, &authority), &fee, amount, record)?;
        delivered.checked_sub(amount).ok_or_else(|| INVALID_CALCULATION.into())
    }

    /// The v2 forms leave out a fee of zero, the v1 forms pay and tell it.
    fn pay_fee(
        &self,
        (from, mover, authority): (Account<'a>, &Mover<'a>, &Authority<'a>),
        fee: &PlatformFee<'a>,
        amount: u64,
        record: &mut Record<'a>,
    ) -> Result {
        if amount == 0 && self.plan.version == Version::V2 {
            return Ok(());
        }
        mover.transfer((from, fee.account), authority, amount)?;
        record.fee(fee.account, &fee.mint, amount)
    }

    fn fund_shared_source(&self, amount: u64) -> Result {
        match self.shared {
            Some(shared) if !shared.source.is(self.source) => {
                self.source_mover.transfer((self.source, shared.source), &self.user, amount)
            }
            _ => Ok(()),
        }
    }

    /// InvalidRoutePlan unless the last step delivered the destination's mint, in the shared forms
    /// InvalidOutputTokenAccount unless into the program's own account.
    fn check_delivery(&self, delivery: Option<Delivery<'a>>) -> Result<Delivery<'a>> {
        let Some(delivery) = delivery.filter(|delivery| delivery.mint == self.destination_mint) else {
            return Err(INVALID_ROUTE_PLAN.into());
        };
        if self.shared.is_some() && !delivery.account.is(self.destination) {
            return Err(INVALID_OUTPUT_TOKEN_ACCOUNT.into());
        }
        Ok(delivery)
    }

    /// SlippageToleranceExceeded below ceil(quoted × (10000 − slippage) / 10000). A quote of zero asks for
    /// nothing, and so does one that comes to less than an atom.
    fn check_slippage(&self, net: u64) -> Result {
        let Terms { quoted_out_amount, slippage_bps, .. } = self.terms;
        if quoted_out_amount == 0 {
            return Ok(());
        }
        let kept = BPS.checked_sub(slippage_bps as u64).ok_or(INVALID_CALCULATION)?;
        let exact = math::div_rem(math::widening_mul(quoted_out_amount, kept), BPS);
        let (whole, rest) = exact.ok_or(INVALID_CALCULATION)?;
        let rounded_up = whole > 0 && rest > 0;
        if net < whole || (net == whole && rounded_up) {
            return Err(SLIPPAGE_TOLERANCE_EXCEEDED.into());
        }
        Ok(())
    }

    /// Of what exceeds the quote, at most floor(net × p / (10000 + p)) is taken. Gives what is left.
    fn pay_positive_slippage(&self, net: u64) -> Result<u64> {
        let Some(account) = self.positive_slippage_account else {
            return Ok(net);
        };
        let share = self.terms.positive_slippage_bps as u64;
        let excess = net.saturating_sub(self.terms.quoted_out_amount);
        let most = math::mul_div_floor(net, share, BPS + share).ok_or(INVALID_CALCULATION)?;
        let amount = excess.min(most);
        if amount > 0 {
            self.destination_mover.transfer((self.destination, account), &self.authority(), amount)?;
        }
        Ok(net - amount)
    }

    /// Nothing to do when the last step delivered there itself.
    fn pass_on(&self, net: u64, delivered_to: Account<'a>) -> Result {
        match self.pass_on_to {
            Some(account) if !account.is(delivered_to) => {
                self.destination_mover.transfer((self.destination, account), &self.authority(), net)
            }
            _ => Ok(()),
        }
    }
}

/// InsufficientFunds unless `source` holds the input.
pub fn check_funds(source: Account, terms: &Terms) -> Result {
    if amount_of(source)? < terms.in_amount {
        Err(INSUFFICIENT_FUNDS.into())
    } else {
        Ok(())
    }
}

/// The shared forms do not take a route from a mint to itself.
pub fn check_two_mints(source_mint: Account, destination_mint: Account) -> Result {
    if source_mint.is(destination_mint) {
        return Err(SOURCE_AND_DESTINATION_MINT_CANNOT_BE_THE_SAME.into());
    }
    Ok(())
}

/// floor(amount × bps / 10000).
fn share_of(amount: u64, bps: u16) -> Result<u64> {
    math::mul_div_floor(amount, bps as u64, BPS).ok_or_else(|| INVALID_CALCULATION.into())
}
