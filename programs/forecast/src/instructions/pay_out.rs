//! The instruction `pay_out`.

use sluice_program::associated_token::{self, CreateIdempotent};
use sluice_program::sysvar::Clock;
use sluice_program::token::{self, Burn, TokenAccount};
use sluice_program::{anchor, layout, system, Account, AnchorError, Result};

use crate::addresses::USDC;
use crate::errors::{
    INVALID_ACCOUNT, INVALID_OPERATOR, INVALID_TOKEN_ACCOUNT, MATH_OVERFLOW, PAYOUT_TOO_SMALL, ZERO_AMOUNT,
};
use crate::events::PaidOut;
use crate::outcome_mint::check_token_2022;
use crate::round::Round;
use crate::vault::Vault;

/// The least payout for which the operator opens an account, in micro USD.
const LEAST_TO_OPEN: u64 = 1_000_000;
/// What stays with the house for the rent of an account that the operator opens. It is more than the rent is worth, so that
/// nobody earns by closing accounts again.
const KEPT_FOR_RENT: u64 = 500_000;
/// How long after the result an owner who cannot be paid may still call, in seconds.
const GRACE: i64 = 86_400;

/// The operator or the owner of a token account has all its tokens burned, and the owner paid for them.
pub fn run(accounts: &[Account]) -> Result {
    let (accounts, _) = anchor::accounts::<12>(accounts)?;
    let payout = Payout::open(accounts)?;
    let mut round = Round::load(payout.vault.round)?;
    round.check_settled()?;
    let is_operator = payout.check_signer(&round)?;
    let side = round.find_side(payout.mint)?;
    let tokens = payout.check_tokens()?;
    payout.burn(&round, tokens)?;
    round.outstanding[side] = round.outstanding[side].checked_sub(tokens).ok_or(MATH_OVERFLOW)?;
    let due = round.compute_payout(side, tokens);
    let paid = if due == 0 { 0 } else { payout.pay(&round, due, is_operator)? };
    layout::store(&round, payout.vault.round)?;
    PaidOut {
        round: payout.vault.round.address(),
        owner: payout.owner.address(),
        account: payout.tokens.address(),
        side: side as u8,
        outcome: round.status,
        burned: tokens,
        paid,
        now: Clock::get()?.unix_timestamp,
    }
    .emit()
}

struct Payout<'a> {
    signer: Account<'a>,
    mint: Account<'a>,
    tokens: Account<'a>,
    owner: Account<'a>,
    receiver: Account<'a>,
    vault: Vault<'a>,
    usdc: Account<'a>,
    token_2022: Account<'a>,
    system: Account<'a>,
}

impl<'a> Payout<'a> {
    #[inline(never)]
    fn open(accounts: &[Account<'a>; 12]) -> Result<Self> {
        let &[signer, round, mint, tokens, owner, receiver, vault, usdc, token_program, token_2022, associated, system] =
            accounts;
        anchor::check_signer(signer, "signer")?;
        anchor::check_writable(mint, "mint")?;
        anchor::check_writable(tokens, "outcome_account")?;
        anchor::check_address(usdc, &USDC, "usdc_mint")?;
        check_token_2022(token_2022)?;
        anchor::check_program(associated, &[associated_token::PROGRAM], "associated_token_program")?;
        anchor::check_program(system, &[system::PROGRAM], "system_program")?;
        let vault = Vault::open(round, vault, token_program)?;
        Ok(Self { signer, mint, tokens, owner, receiver, vault, usdc, token_2022, system })
    }

    /// Returns whether the operator signs, and not the owner. Fails with InvalidOperator for anybody else.
    fn check_signer(&self, round: &Round) -> Result<bool> {
        if self.signer.address() == self.owner.address() {
            return Ok(false);
        }
        if *self.signer.address() == round.operator {
            return Ok(true);
        }
        Err(INVALID_OPERATOR.of("signer"))
    }

    /// Returns how many tokens the account has. Fails with InvalidTokenAccount unless they are of the mint and the owner, and
    /// with ZeroAmount if there are none.
    #[inline(never)]
    fn check_tokens(&self) -> Result<u64> {
        let tokens = TokenAccount::load(self.tokens, "outcome_account")?;
        if tokens.mint != *self.mint.address() || tokens.owner != *self.owner.address() {
            return Err(INVALID_TOKEN_ACCOUNT.of("outcome_account"));
        }
        if tokens.amount == 0 {
            return Err(ZERO_AMOUNT.of("outcome_account"));
        }
        Ok(tokens.amount)
    }

    /// Burns tokens, of which the round is the permanent delegate.
    #[inline(never)]
    fn burn(&self, round: &Round, tokens: u64) -> Result {
        round.sign(|signers| {
            Burn {
                program: self.token_2022,
                source: self.tokens,
                mint: self.mint,
                authority: self.vault.round,
                amount: tokens,
            }
            .invoke(signers)
        })
    }

    /// Pays what is due, and returns how much has arrived.
    #[inline(never)]
    fn pay(&self, round: &Round, due: u64, is_operator: bool) -> Result<u64> {
        anchor::check_writable(self.receiver, "owner_usdc_account")?;
        if is_operator {
            self.check_associated()?;
        }
        let mut paid = due;
        if self.receiver.is_owned_by(&system::PROGRAM) {
            if is_operator {
                if due < LEAST_TO_OPEN {
                    return forfeit(round, &PAYOUT_TOO_SMALL);
                }
                paid = due - KEPT_FOR_RENT;
            }
            self.create_receiver()?;
        }
        if self.can_receive() {
            self.vault.pay(round, self.receiver, paid)?;
            return Ok(paid);
        }
        if is_operator {
            return forfeit(round, &INVALID_TOKEN_ACCOUNT);
        }
        Err(INVALID_TOKEN_ACCOUNT.of("owner_usdc_account"))
    }

    /// Fails with InvalidAccount unless the account is the owner's associated one.
    #[inline(never)]
    fn check_associated(&self) -> Result {
        let expected = associated_token::find(self.owner.address(), &USDC, &token::PROGRAM)?;
        if *self.receiver.address() == expected {
            Ok(())
        } else {
            Err(INVALID_ACCOUNT.of("owner_usdc_account"))
        }
    }

    #[inline(never)]
    fn create_receiver(&self) -> Result {
        CreateIdempotent {
            payer: self.signer,
            account: self.receiver,
            wallet: self.owner,
            mint: self.usdc,
            system_program: self.system,
            token_program: self.vault.token_program,
        }
        .invoke()
    }

    /// Returns whether the account is the owner's, of USDC, and not frozen.
    #[inline(never)]
    fn can_receive(&self) -> bool {
        match TokenAccount::load(self.receiver, "owner_usdc_account") {
            Ok(tokens) => tokens.owner == *self.owner.address() && tokens.mint == USDC && !tokens.frozen,
            Err(_) => false,
        }
    }
}

/// Pays nothing to an owner who has had a day to make an account that can be paid. Without that, a millionth of a token would
/// keep the accounts of a round open for ever. Fails with the error before.
#[inline(never)]
fn forfeit(round: &Round, error: &AnchorError) -> Result<u64> {
    if Clock::get()?.unix_timestamp >= round.settled_at.saturating_add(GRACE) {
        Ok(0)
    } else {
        Err(error.of("owner_usdc_account"))
    }
}
