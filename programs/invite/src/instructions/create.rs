//! The instruction `create`.

use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::sysvar::Clock;
use sluice_program::token::{amount_of, Mint, TransferChecked};
use sluice_program::{associated_token, layout, system, token, Account, Address, Result};

use crate::checks::{
    are_left_out, check_event_accounts, check_leaves_again, check_system_program, check_tokens,
};
use crate::errors::{INVALID_AMOUNT, INVALID_EXPIRY, INVITE_EXISTS, MATH_OVERFLOW};
use crate::events::emit_created;
use crate::state::{Invite, InviteToken, INVITE_SEED, PROGRAM, REWARD};

/// Arguments: amount and expiry. The sender pays the amount, all rents and the reward. Lamports and tokens
/// that others have sent to the invite before change no amount: they are on top of what the sender pays, but
/// for lamports that pay a part of the rent.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (accounts, _) = anchor::accounts::<11>(accounts)?;
    let &[sender, invite_key, invite, vault, source, mint, token_program, others @ ..] = accounts;
    let [associated_program, system_program, authority, own] = others;
    let mut from = Reader::new(args);
    let (amount, expires_at) = decoded(from.u64().zip(from.i64()))?;
    anchor::check_signer(sender, "sender")?;
    anchor::check_writable(sender, "sender")?;
    anchor::check_signer(invite_key, "invite_key")?;
    anchor::check_writable(invite, "invite")?;
    anchor::check_program(associated_program, &[associated_token::PROGRAM], "associated_token_program")?;
    check_system_program(system_program)?;
    check_event_accounts(authority, own)?;
    let deposit = TokenDeposit { sender, invite, vault, source, mint, token_program, system_program };
    let is_sol = are_left_out(&[vault, source, mint, token_program])?;
    if !is_sol {
        deposit.check()?;
    }
    if amount == 0 {
        return Err(INVALID_AMOUNT.into());
    }
    let now = Clock::get()?.unix_timestamp;
    if expires_at <= now {
        return Err(INVALID_EXPIRY.into());
    }

    let bump = create_account(sender, invite, invite_key.address())?;
    let (token, arrived, lamports) = if is_sol {
        (None, amount, amount.checked_add(REWARD).ok_or(MATH_OVERFLOW)?)
    } else {
        let (token, arrived) = deposit.run(amount)?;
        (Some(token), arrived, REWARD)
    };
    system::Transfer { from: sender, to: invite, lamports }.invoke(&[])?;
    let created = Invite {
        sender: *sender.address(),
        invite_key: *invite_key.address(),
        token,
        amount: arrived,
        reward: REWARD,
        created_at: now,
        expires_at,
        bump,
    };
    layout::store(&created, invite)?;
    emit_created(authority, invite.address(), &created)
}

/// Creates the account of the invite, and returns its bump. Fails with ConstraintSeeds for another address,
/// and with InviteExists if there is one already.
#[inline(never)]
fn create_account(sender: Account, invite: Account, invite_key: &Address) -> Result<u8> {
    let bump = anchor::check_derived(invite, &[INVITE_SEED, &invite_key.0], &PROGRAM, "invite")?;
    if !invite.is_owned_by(&system::PROGRAM) {
        return Err(INVITE_EXISTS.into());
    }
    let space = <Invite as layout::Layout>::SPACE;
    system::Create { payer: sender, account: invite, space, owner: &PROGRAM }.invoke(&[&[
        INVITE_SEED,
        &invite_key.0,
        &[bump],
    ]])?;
    Ok(bump)
}

/// The accounts by which a sender deposits tokens.
struct TokenDeposit<'a> {
    sender: Account<'a>,
    invite: Account<'a>,
    vault: Account<'a>,
    source: Account<'a>,
    mint: Account<'a>,
    token_program: Account<'a>,
    system_program: Account<'a>,
}

impl TokenDeposit<'_> {
    #[inline(never)]
    fn check(&self) -> Result {
        anchor::check_writable(self.vault, "vault")?;
        anchor::check_program(self.token_program, &token::PROGRAMS, "token_program")?;
        Mint::load(self.mint, "mint")?;
        if !self.mint.is_owned_by(self.token_program.address()) {
            return Err(anchor::CONSTRAINT_MINT_TOKEN_PROGRAM.of("mint"));
        }
        check_leaves_again(self.mint)?;
        let token = [self.mint, self.token_program];
        check_tokens(self.source, self.sender.address(), &token, "sender_tokens")
    }

    /// Opens the vault and transfers the amount. Returns what arrived. Fails with InvalidAmount if that is
    /// nothing.
    #[inline(never)]
    fn run(&self, amount: u64) -> Result<(InviteToken, u64)> {
        // Anybody may have opened the vault before, so that it exists is no reason to refuse the invite.
        associated_token::CreateIdempotent {
            payer: self.sender,
            account: self.vault,
            wallet: self.invite,
            mint: self.mint,
            system_program: self.system_program,
            token_program: self.token_program,
        }
        .invoke()?;
        let before = amount_of(self.vault)?;
        TransferChecked {
            program: self.token_program,
            source: self.source,
            mint: self.mint,
            destination: self.vault,
            authority: self.sender,
            amount,
            decimals: Mint::load(self.mint, "mint")?.decimals,
        }
        .invoke(&[])?;
        let arrived = amount_of(self.vault)?.checked_sub(before).ok_or(MATH_OVERFLOW)?;
        if arrived == 0 {
            return Err(INVALID_AMOUNT.into());
        }
        let token = InviteToken {
            mint: *self.mint.address(),
            token_program: *self.token_program.address(),
            vault: *self.vault.address(),
        };
        Ok((token, arrived))
    }
}
