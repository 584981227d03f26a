//! The division of collected fees between a partner and the project's admin.

use sluice_program::cpi::Signers;
use sluice_program::token::TransferChecked;
use sluice_program::{math, Account, Address, Result};

use crate::errors::INVALID_CALCULATION;
use crate::state::{Project, PROJECT_SEED, REFERRAL_ATA_SEED};

const BPS: u64 = 10_000;

/// The two parts of what was collected, in atoms.
pub struct Parts {
    pub partner: u64,
    pub project: u64,
}

impl Parts {
    /// Divides `collected`: the partner's part is rounded down, and the project has the rest. Fails with
    /// InvalidCalculation if the share exceeds 10,000 basis points and so the part exceeds what was collected.
    pub fn of(collected: u64, share_bps: u16) -> Result<Self> {
        let partner = math::mul_div_floor(collected, share_bps as u64, BPS).ok_or(INVALID_CALCULATION)?;
        let project = collected.checked_sub(partner).ok_or(INVALID_CALCULATION)?;
        Ok(Self { partner, project })
    }
}

/// The accounts of a claim's two transfers.
pub struct Payment<'a> {
    pub token_program: Account<'a>,
    pub mint: Account<'a>,
    pub decimals: u8,
    pub source: Account<'a>,
    pub authority: Account<'a>,
    pub partner_tokens: Account<'a>,
    pub admin_tokens: Account<'a>,
}

impl Payment<'_> {
    /// Pays the partner, then the admin. A part of zero is not transferred.
    #[inline(never)]
    pub fn pay(&self, parts: &Parts, signers: Signers) -> Result {
        self.transfer(self.partner_tokens, parts.partner, signers)?;
        self.transfer(self.admin_tokens, parts.project, signers)
    }

    fn transfer(&self, destination: Account, amount: u64, signers: Signers) -> Result {
        if amount == 0 {
            return Ok(());
        }
        let Self { token_program: program, source, mint, authority, decimals, .. } = *self;
        TransferChecked { program, source, mint, destination, authority, amount, decimals }.invoke(signers)
    }
}

/// The owner of the older kind of token account: the project.
///
/// Nobody can sign for a project of the genesis, whose seeds are not known. There each token account owns itself, so
/// that its fees can be claimed.
pub struct ProjectTokens<'a> {
    pub project: Account<'a>,
    pub referral_account: Account<'a>,
    pub account: Account<'a>,
    pub mint: Account<'a>,
    pub is_of_genesis: bool,
}

impl<'a> ProjectTokens<'a> {
    #[inline(always)]
    pub fn new(
        project: Account<'a>,
        state: &Project,
        referral_account: Account<'a>,
        account: Account<'a>,
        mint: Account<'a>,
    ) -> Self {
        Self { project, referral_account, account, mint, is_of_genesis: state.is_of_genesis(project) }
    }

    /// Returns the account that owns the tokens.
    pub fn owner(&self) -> Account<'a> {
        if self.is_of_genesis {
            self.account
        } else {
            self.project
        }
    }

    /// Runs a call with the owner's signature. The bumps are those of the project and of the token account.
    #[inline(always)]
    pub fn sign(
        &self,
        base: &Address,
        project_bump: u8,
        account_bump: u8,
        call: impl FnOnce(Signers) -> Result,
    ) -> Result {
        if self.is_of_genesis {
            let (referral, mint) = (self.referral_account.address(), self.mint.address());
            call(&[&[REFERRAL_ATA_SEED, &referral.0, &mint.0, &[account_bump]]])
        } else {
            call(&[&[PROJECT_SEED, &base.0, &[project_bump]]])
        }
    }
}
