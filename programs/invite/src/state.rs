//! The account of an invite, and the program's addresses.

use sluice_program::bytes::{Reader, Writer};
use sluice_program::layout::Field;
use sluice_program::{address, layout, Account, Address, Result};

pub const PROGRAM: Address = address!("inv1tEtSwRMtM44tbvJGNiTxMvDfPVnX9StyqXfDfks");

/// Signs the program's calls to itself.
pub const EVENT_AUTHORITY: Address = address!("2gr3vtZZQHutn4wwHtUJCFQEzvmctfd3PWEMitHqpxJx");
pub const EVENT_AUTHORITY_BUMP: u8 = 255;

/// Together with the invite key, the seeds of an invite.
pub const INVITE_SEED: &[u8] = b"invite";

/// What the sender deposits for whoever returns an expired invite, in lamports: twice the fee of a
/// transaction with one signature.
pub const REWARD: u64 = 10_000;

layout! {
    /// What an invite needs to know of a token.
    pub struct InviteToken {
        pub mint: Address,
        pub token_program: Address,
        /// The invite's associated token account, which holds the tokens.
        pub vault: Address,
    }
}

/// The form of a token in an invite. If there is none, because the invite holds SOL, all bytes are zero. No
/// mint stands at that address, which is the system program's.
pub enum OptionalToken {}

impl Field<Option<InviteToken>> for OptionalToken {
    const LEN: usize = InviteToken::LEN;

    #[inline(always)]
    fn read(from: &mut Reader) -> Option<Option<InviteToken>> {
        let token = InviteToken::read(from)?;
        Some(if token.mint == Address::ZERO { None } else { Some(token) })
    }

    #[inline(always)]
    fn write(value: &Option<InviteToken>, to: &mut Writer) -> Result {
        match value {
            Some(token) => InviteToken::write(token, to),
            None => to.array(&[0; InviteToken::LEN]),
        }
    }
}

layout! {
    /// An invite.
    pub struct Invite = "Invite" {
        pub sender: Address,
        /// The public key of the pair that is derived from the code.
        pub invite_key: Address,
        /// None for SOL, which the account itself holds.
        pub token: Option<InviteToken> as OptionalToken,
        /// What arrived in the invite: less than the sender paid if the mint has a transfer fee.
        pub amount: u64,
        /// The lamports for whoever returns the invite after its expiry.
        pub reward: u64,
        pub created_at: i64,
        /// The first Unix second in which the invite has expired.
        pub expires_at: i64,
        pub bump: u8,
    }
}

impl Invite {
    /// Reads the account. Fails with an error of Anchor's unless it is an invite.
    pub fn load(account: Account) -> Result<Self> {
        layout::load(account, &PROGRAM, "invite")
    }

    /// Returns whether the invite has expired at that Unix second.
    pub fn is_expired(&self, now: i64) -> bool {
        now >= self.expires_at
    }

    /// Calls `run` with the seeds by which the invite signs.
    #[inline(always)]
    pub fn sign(&self, run: impl FnOnce(&[&[&[u8]]]) -> Result) -> Result {
        run(&[&[INVITE_SEED, &self.invite_key.0, &[self.bump]]])
    }
}
