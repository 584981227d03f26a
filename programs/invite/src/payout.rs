//! How an invite pays out what it holds.

use sluice_program::token::{amount_of, extensions, CloseAccount, Mint, TransferChecked};
use sluice_program::{anchor, associated_token, cpi, token, Account, Address, Result};

use crate::checks::{are_left_out, check_named, check_tokens};
use crate::errors::{INSUFFICIENT_RENT, INVALID_TOKEN_ACCOUNT, MATH_OVERFLOW, UNEXPECTED_ACCOUNTS};
use crate::state::Invite;

/// The number of the account extension in which Token-2022 withholds transfer fees.
const TRANSFER_FEE_AMOUNT: u16 = 2;
/// The bytes of the instruction HarvestWithheldTokensToMint.
const HARVEST: [u8; 2] = [26, 4];

/// The accounts by which the tokens leave an invite.
pub struct TokenPayout<'a> {
    pub invite: Account<'a>,
    vault: Account<'a>,
    pub destination: Account<'a>,
    pub mint: Account<'a>,
    pub token_program: Account<'a>,
    /// All that the vault holds: also what others have sent there, and less than the invite's amount if a
    /// permanent delegate took tokens.
    pub amount: u64,
}

impl<'a> TokenPayout<'a> {
    /// Checks the vault, mint and token program against the invite. Returns None for an invite of SOL, for
    /// which all are left out. Fails with ConstraintHasOne, ConstraintMut, InvalidProgramId or
    /// UnexpectedAccounts.
    #[inline(never)]
    pub fn open(invite: Account<'a>, state: &Invite, accounts: &[Account<'a>; 4]) -> Result<Option<Self>> {
        if are_left_out(accounts)? != state.token.is_none() {
            return Err(UNEXPECTED_ACCOUNTS.into());
        }
        let Some(token) = &state.token else { return Ok(None) };
        let &[vault, destination, mint, token_program] = accounts;
        anchor::check_writable(vault, "vault")?;
        check_named(vault, &token.vault)?;
        check_named(mint, &token.mint)?;
        check_named(token_program, &token.token_program)?;
        anchor::check_program(token_program, &token::PROGRAMS, "token_program")?;
        let amount = amount_of(vault)?;
        Ok(Some(Self { invite, vault, destination, mint, token_program, amount }))
    }

    /// Returns whether there are tokens to pay out. Without any, the destination and the mint need not exist.
    pub fn pays(&self) -> bool {
        self.amount > 0
    }

    /// Checks that the destination is a token account of `owner`. Fails with InvalidTokenAccount otherwise.
    pub fn check_destination(&self, owner: &Address, name: &str) -> Result {
        check_tokens(self.destination, owner, &[self.mint, self.token_program], name)
    }

    /// Checks also that the destination is the associated account, where somebody else than its owner chooses
    /// it.
    #[inline(never)]
    pub fn check_associated(&self, owner: &Address, name: &str) -> Result {
        let expected = associated_token::find(owner, self.mint.address(), self.token_program.address())?;
        if *self.destination.address() != expected {
            return Err(INVALID_TOKEN_ACCOUNT.of(name));
        }
        self.check_destination(owner, name)
    }

    /// Transfers all tokens to the destination, and closes the vault. Its rent goes to the invite. Returns
    /// what arrived.
    #[inline(never)]
    pub fn run(&self, state: &Invite) -> Result<u64> {
        let delivered = if self.pays() { self.transfer(state)? } else { 0 };
        self.harvest()?;
        let close = CloseAccount {
            program: self.token_program,
            account: self.vault,
            destination: self.invite,
            authority: self.invite,
        };
        state.sign(|seeds| close.invoke(seeds))?;
        Ok(delivered)
    }

    fn transfer(&self, state: &Invite) -> Result<u64> {
        let before = amount_of(self.destination)?;
        let transfer = TransferChecked {
            program: self.token_program,
            source: self.vault,
            mint: self.mint,
            destination: self.destination,
            authority: self.invite,
            amount: self.amount,
            decimals: Mint::load(self.mint, "mint")?.decimals,
        };
        state.sign(|seeds| transfer.invoke(seeds))?;
        amount_of(self.destination)?.checked_sub(before).ok_or(MATH_OVERFLOW.into())
    }

    /// Moves fees that were withheld in the vault to the mint, where they are the issuer's. Token-2022 closes
    /// no account that has some.
    #[inline(never)]
    fn harvest(&self) -> Result {
        if !has_withheld(&self.vault.data()?) {
            return Ok(());
        }
        anchor::check_writable(self.mint, "mint")?;
        let accounts = [self.mint.writable(), self.vault.writable()];
        cpi::invoke(self.token_program.address(), &accounts, &HARVEST, &[])
    }
}

fn has_withheld(vault: &[u8]) -> bool {
    extensions(vault).any(|(kind, body)| kind == TRANSFER_FEE_AMOUNT && body.iter().any(|byte| *byte != 0))
}

/// Moves lamports of the invite to `to`. It must come after all calls of other programs, to which the sum of
/// lamports would not add up. Fails with InsufficientRent if the invite has fewer.
#[inline(never)]
pub fn move_lamports(invite: Account, to: Account, lamports: u64) -> Result {
    let left = invite.lamports().checked_sub(lamports).ok_or(INSUFFICIENT_RENT)?;
    invite.set_lamports(left);
    to.set_lamports(to.lamports().checked_add(lamports).ok_or(MATH_OVERFLOW)?);
    Ok(())
}
