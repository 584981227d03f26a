//! The instructions that add and remove liquidity.

mod add;
mod remove;
mod remove_all;

pub use add::add;
pub use remove::remove;
pub use remove_all::remove_all;

use super::position::{check_holder, check_token};
use crate::activation::{can_remove_liquidity, Points};
use crate::error::{AMOUNT_IS_ZERO, EXCEEDED_SLIPPAGE, INSUFFICIENT_LIQUIDITY, MATH_OVERFLOW, POOL_DISABLED};
use crate::events;
use crate::keys::AUTHORITY;
use crate::liquidity::amounts_of;
use crate::state::pool::Pool;
use crate::state::position::Position;
use crate::state::reward::{self, Growing};
use crate::token::{without_fee, Token};
use sluice_meteora::math::Rounding;
use sluice_program::anchor;
use sluice_program::bytes::Reader;
use sluice_program::token::{Mint, TokenAccount, PROGRAMS};
use sluice_program::{Account, Result};

const EVENT: [u8; 8] = anchor::event("EvtLiquidityChange");
const REMOVED: u8 = 1;

struct Args {
    /// The liquidity, or None for all unlocked liquidity.
    liquidity: Option<u128>,
    /// The maximum of each token that is paid in, or the minimum that arrives.
    limits: [u64; 2],
}

/// The accounts in the interface's order. Pairs are of token A and token B.
pub struct Context<'a> {
    pub pool: Account<'a>,
    pub position: Account<'a>,
    pub users: [Account<'a>; 2],
    vaults: [Account<'a>; 2],
    mints: [Account<'a>; 2],
    holding: Account<'a>,
    pub signer: Account<'a>,
    programs: [Account<'a>; 2],
    pub event_authority: Account<'a>,
}

/// The fields that were read from the accounts.
pub struct Checked {
    pub pool: Pool,
    pub position: Position,
    pub held: TokenAccount,
}

impl<'a> Context<'a> {
    /// Names the 14 accounts, without the pool authority, which some instructions have before them.
    #[inline(never)]
    pub fn of(accounts: &[Account<'a>; 14]) -> Self {
        let &[pool, position, user_a, user_b, vault_a, vault_b, mint_a, mint_b, ref rest @ ..] = accounts;
        let &[holding, signer, program_a, program_b, event_authority, _] = rest;
        Self {
            pool,
            position,
            users: [user_a, user_b],
            vaults: [vault_a, vault_b],
            mints: [mint_a, mint_b],
            holding,
            signer,
            programs: [program_a, program_b],
            event_authority,
        }
    }

    /// Returns the accounts of one token.
    pub fn token(&self, side: usize) -> Token<'a> {
        Token { mint: self.mints[side], vault: self.vaults[side], program: self.programs[side] }
    }

    /// Checks the accounts and reads them. `pool_changes` tells whether the pool must be writable.
    #[inline(never)]
    pub fn check(&self, pool_changes: bool) -> Result<Checked> {
        let pool = Pool::load(self.pool, "pool")?;
        let position = Position::load(self.position, "position")?;
        for (account, name) in self.users.into_iter().zip(["token_a_account", "token_b_account"]) {
            TokenAccount::load(account, name)?;
        }
        let vaults = [
            TokenAccount::load(self.vaults[0], "token_a_vault")?,
            TokenAccount::load(self.vaults[1], "token_b_vault")?,
        ];
        for (account, name) in self.mints.into_iter().zip(["token_a_mint", "token_b_mint"]) {
            Mint::load(account, name)?;
        }
        let held = TokenAccount::load(self.holding, "position_nft_account")?;
        anchor::check_signer(self.signer, "signer")?;
        anchor::check_program(self.programs[0], &PROGRAMS, "token_a_program")?;
        anchor::check_program(self.programs[1], &PROGRAMS, "token_b_program")?;
        if pool_changes {
            anchor::check_writable(self.pool, "pool")?;
        }
        self.check_bindings(&pool, &position, &vaults)?;
        check_token(&held, &position)?;
        events::check_authority(self.event_authority)?;
        Ok(Checked { pool, position, held })
    }

    #[inline(never)]
    fn check_bindings(&self, pool: &Pool, position: &Position, vaults: &[TokenAccount; 2]) -> Result {
        for side in [0, 1] {
            let named = *self.vaults[side].address() == pool.vaults[side]
                && *self.mints[side].address() == pool.mints[side];
            if !named {
                return Err(anchor::CONSTRAINT_HAS_ONE.of("pool"));
            }
        }
        anchor::check_writable(self.position, "position")?;
        if position.pool != *self.pool.address() {
            return Err(anchor::CONSTRAINT_HAS_ONE.of("position"));
        }
        anchor::check_writable(self.users[0], "token_a_account")?;
        anchor::check_writable(self.users[1], "token_b_account")?;
        for (side, name) in ["token_a_vault", "token_b_vault"].into_iter().enumerate() {
            anchor::check_writable(self.vaults[side], name)?;
            if vaults[side].mint != *self.mints[side].address() {
                return Err(anchor::CONSTRAINT_TOKEN_MINT.of(name));
            }
            if !self.vaults[side].is_owned_by(self.programs[side].address()) {
                return Err(anchor::CONSTRAINT_TOKEN_TOKEN_PROGRAM.of(name));
            }
        }
        Ok(())
    }
}

#[inline(never)]
fn withdraw(accounts: &[Account], args: &Args) -> Result {
    let (&[authority, ref given @ ..], _) = anchor::accounts::<15>(accounts)?;
    let context = Context::of(given);
    let Checked { mut pool, mut position, held } = context.check(true)?;
    anchor::check_address(authority, &AUTHORITY, "pool_authority")?;
    if !can_remove_liquidity(&pool)? {
        return Err(POOL_DISABLED.into());
    }
    check_holder(&held, context.signer)?;
    pool.update_layout()?;
    position.unlock(Points::of(pool.activation_type)?.now)?;
    let liquidity = args.liquidity.unwrap_or(position.unlocked);
    if liquidity > position.unlocked || liquidity == 0 {
        return Err(INSUFFICIENT_LIQUIDITY.into());
    }
    update_rewards(&context, &pool, &position)?;
    let amounts = amounts_of(&pool, liquidity, Rounding::Down)?;
    require_some(amounts)?;
    let arriving = [without_fee(context.mints[0], amounts[0])?, without_fee(context.mints[1], amounts[1])?];
    if arriving[0] < args.limits[0] || arriving[1] < args.limits[1] {
        return Err(EXCEEDED_SLIPPAGE.into());
    }
    position.earn(&pool)?;
    position.unlocked -= liquidity;
    pool.liquidity = pool.liquidity.checked_sub(liquidity).ok_or(MATH_OVERFLOW)?;
    pool.take_amounts(amounts)?;
    pool.save(context.pool)?;
    position.save(context.position)?;
    for side in [0, 1] {
        context.token(side).pay_out(context.users[side], authority, amounts[side])?;
    }
    let fields =
        EventFields { kind: REMOVED, liquidity, limits: args.limits, amounts: arriving, transfers: amounts };
    emit(&context, &pool, &held, &fields)
}

fn read_args(reader: &mut Reader) -> Option<Args> {
    Some(Args { liquidity: Some(reader.u128()?), limits: [reader.u64()?, reader.u64()?] })
}

fn update_rewards(context: &Context, pool: &Pool, position: &Position) -> Result {
    let held = position.liquidity()?;
    reward::update(&Growing {
        pool: context.pool,
        position: context.position,
        liquidity: pool.liquidity,
        held,
    })
}

fn require_some(amounts: [u64; 2]) -> Result {
    if amounts == [0, 0] {
        Err(AMOUNT_IS_ZERO.into())
    } else {
        Ok(())
    }
}

/// The fields of the event. Amounts exclude transfer fees; `transfers` include them.
struct EventFields {
    kind: u8,
    liquidity: u128,
    limits: [u64; 2],
    amounts: [u64; 2],
    transfers: [u64; 2],
}

#[inline(never)]
fn emit(context: &Context, pool: &Pool, held: &TokenAccount, fields: &EventFields) -> Result {
    events::emit(context.event_authority, &EVENT, |event| {
        event.address(context.pool.address())?;
        event.address(context.position.address())?;
        event.address(&held.owner)?;
        for pair in [fields.amounts, fields.transfers, pool.amounts] {
            event.u64(pair[0])?;
            event.u64(pair[1])?;
        }
        event.u128(fields.liquidity)?;
        event.u64(fields.limits[0])?;
        event.u64(fields.limits[1])?;
        event.u8(fields.kind)
    })
}
