//! The calls of DAMM v2 and of the token programs. The pools' authority signs all that move tokens.

use super::accounts::{Context, Position};
use super::pool_fees;
use super::shares::Share;
use crate::error::MATH_OVERFLOW;
use crate::keys::{DAMM_V2_PROGRAM, MAX_SQRT_PRICE, MIN_SQRT_PRICE};
use crate::state::config::{PoolConfig, COMPOUNDING, CUSTOMIZABLE, OUTPUT_TOKEN};
use crate::token::with_authority;
use sluice_program::bytes::Writer;
use sluice_program::cpi::{self, CpiAccount};
use sluice_program::heap::List;
use sluice_program::{anchor, token, Account, Address, Result};

const INITIALIZE_POOL: [u8; 8] = anchor::instruction("initialize_pool");
const INITIALIZE_POOL_WITH_DYNAMIC_CONFIG: [u8; 8] =
    anchor::instruction("initialize_pool_with_dynamic_config");
const CREATE_POSITION: [u8; 8] = anchor::instruction("create_position");
const ADD_LIQUIDITY: [u8; 8] = anchor::instruction("add_liquidity");
const PERMANENT_LOCK_POSITION: [u8; 8] = anchor::instruction("permanent_lock_position");
const LOCK_INNER_POSITION: [u8; 8] = anchor::instruction("lock_inner_position");

/// The place of the account that may create pools.
const CREATOR_AUTHORITY: usize = 4;
/// The activation type of new pools: seconds.
const SECONDS: u8 = 1;
/// The number and the kind of the token program's instruction that changes the owner of a holding.
const SET_AUTHORITY: u8 = 6;
const ACCOUNT_OWNER: u8 = 2;

/// The start of the new pool.
pub struct NewPool {
    pub liquidity: u128,
    pub sqrt_price: u128,
}

impl<'a> Context<'a> {
    /// Creates the pool with the first position. The new pool swaps from now on.
    #[inline(always)]
    pub fn create_pool(&self, damm_config: Account, config: &PoolConfig, new: &NewPool) -> Result {
        let mut buffer = [0; 8 + pool_fees::LEN + 4 * 16 + 4];
        let mut data = Writer::new(&mut buffer);
        let customizable = config.migration_fee_option == CUSTOMIZABLE;
        if customizable {
            data.array(&INITIALIZE_POOL_WITH_DYNAMIC_CONFIG)?;
            pool_fees::write(config, &mut data)?;
            data.u128(MIN_SQRT_PRICE)?;
            data.u128(MAX_SQRT_PRICE)?;
            data.u8(0)?;
        } else {
            data.array(&INITIALIZE_POOL)?;
        }
        data.u128(new.liquidity)?;
        data.u128(new.sqrt_price)?;
        if customizable {
            data.u8(SECONDS)?;
            data.u8(damm_collect_fee_mode(config.migrated_collect_fee_mode))?;
        }
        data.u8(0)?;
        self.call_create_pool(damm_config, customizable, data.written())
    }

    #[inline(never)]
    fn call_create_pool(&self, damm_config: Account, customizable: bool, data: &[u8]) -> Result {
        let [base, quote] = &self.tokens;
        let Position { mint, holding, position } = self.first;
        let accounts = [
            self.authority.readonly(),
            mint.writable_signer(),
            holding.writable(),
            self.authority.writable_signer(),
            self.authority.readonly_signer(),
            damm_config.readonly(),
            self.damm_authority.readonly(),
            self.pool.writable(),
            position.writable(),
            base.mint.readonly(),
            quote.mint.readonly(),
            self.vaults[0].writable(),
            self.vaults[1].writable(),
            base.vault.writable(),
            quote.vault.writable(),
            base.program.readonly(),
            quote.program.readonly(),
            self.token_2022_program.readonly(),
            self.system_program.readonly(),
            self.damm_event_authority.readonly(),
            self.damm_program.readonly(),
        ];
        // Who may create pools under a configuration is an account of its own only if the configuration is a dynamic
        // one.
        let mut named = List::<CpiAccount>::with_capacity(accounts.len())?;
        for (at, account) in accounts.into_iter().enumerate() {
            if customizable || at != CREATOR_AUTHORITY {
                named.push(account)?;
            }
        }
        call(&named, data)
    }

    /// Creates an empty position. The payer of the migration pays for it.
    #[inline(never)]
    pub fn create_position(&self, new: &Position) -> Result {
        let accounts = [
            self.authority.readonly(),
            new.mint.writable_signer(),
            new.holding.writable(),
            self.pool.writable(),
            new.position.writable(),
            self.damm_authority.readonly(),
            self.payer.writable_signer(),
            self.token_2022_program.readonly(),
            self.system_program.readonly(),
            self.damm_event_authority.readonly(),
            self.damm_program.readonly(),
        ];
        cpi::invoke(&DAMM_V2_PROGRAM, &accounts, &CREATE_POSITION, &[])
    }

    /// Puts liquidity into a position. The amounts need no limits: the liquidity was computed from what there is.
    #[inline(never)]
    pub fn add_liquidity(&self, to: &Position, liquidity: u128) -> Result {
        let mut buffer = [0; 8 + 16 + 2 * 8];
        let mut data = Writer::new(&mut buffer);
        data.array(&ADD_LIQUIDITY)?;
        data.u128(liquidity)?;
        data.u64(u64::MAX)?;
        data.u64(u64::MAX)?;
        let [base, quote] = &self.tokens;
        let accounts = [
            self.pool.writable(),
            to.position.writable(),
            base.vault.writable(),
            quote.vault.writable(),
            self.vaults[0].writable(),
            self.vaults[1].writable(),
            base.mint.readonly(),
            quote.mint.readonly(),
            to.holding.readonly(),
            self.authority.readonly_signer(),
            base.program.readonly(),
            quote.program.readonly(),
            self.damm_event_authority.readonly(),
            self.damm_program.readonly(),
        ];
        call(&accounts, data.written())
    }

    /// Locks a part of a position's liquidity for ever.
    #[inline(never)]
    pub fn lock_permanently(&self, position: &Position, liquidity: u128) -> Result {
        let mut buffer = [0; 8 + 16];
        let mut data = Writer::new(&mut buffer);
        data.array(&PERMANENT_LOCK_POSITION)?;
        data.u128(liquidity)?;
        call(&self.lock_accounts(position, true), data.written())
    }

    /// Locks the vested part of a position's liquidity until the schedule releases it. The position stores the
    /// schedule.
    #[inline(never)]
    pub fn lock_vested(&self, position: &Position, share: &Share, now: u64) -> Result {
        let schedule = share.vesting.parameters(share.vested, now)?;
        let mut buffer = [0; 8 + 1 + 8 + 8 + 2 * 16 + 2];
        let mut data = Writer::new(&mut buffer);
        data.array(&LOCK_INNER_POSITION)?;
        data.u8(1)?;
        data.u64(schedule.cliff_point)?;
        data.u64(schedule.frequency)?;
        data.u128(schedule.cliff_liquidity)?;
        data.u128(schedule.liquidity_per_period)?;
        data.u16(schedule.periods)?;
        call(&self.lock_accounts(position, false), data.written())
    }

    fn lock_accounts(&self, position: &Position<'a>, changes_pool: bool) -> [CpiAccount<'a>; 6] {
        [
            if changes_pool { self.pool.writable() } else { self.pool.readonly() },
            position.position.writable(),
            position.holding.readonly(),
            self.authority.readonly_signer(),
            self.damm_event_authority.readonly(),
            self.damm_program.readonly(),
        ]
    }

    /// Gives the token of a position to its owner.
    #[inline(never)]
    pub fn hand_over(&self, position: &Position, owner: &Address) -> Result {
        let mut buffer = [0; 3 + 32];
        let mut data = Writer::new(&mut buffer);
        data.array(&[SET_AUTHORITY, ACCOUNT_OWNER, 1])?;
        data.address(owner)?;
        let accounts = [position.holding.writable(), self.authority.readonly_signer()];
        let program = self.token_2022_program.address();
        with_authority(|signers| cpi::invoke(program, &accounts, data.written(), signers))
    }

    /// Burns base tokens of the curve's vault.
    #[inline(never)]
    pub fn burn(&self, amount: u64) -> Result {
        let base = &self.tokens[0];
        let (program, source, mint, authority) = (base.program, base.vault, base.mint, self.authority);
        let burn = token::Burn { program, source, mint, authority, amount };
        with_authority(|signers| burn.invoke(signers))
    }

    /// Returns what the curve's vaults lost since they held these amounts.
    #[inline(never)]
    pub fn taken(&self, before: &[u64; 2]) -> Result<[u64; 2]> {
        let now = [token::amount_of(self.tokens[0].vault)?, token::amount_of(self.tokens[1].vault)?];
        subtract(before, &now)
    }
}

#[inline(never)]
fn call(accounts: &[CpiAccount], data: &[u8]) -> Result {
    with_authority(|signers| cpi::invoke(&DAMM_V2_PROGRAM, accounts, data, signers))
}

/// Subtracts amounts from others. Fails with MathOverflow if a difference is below zero.
pub fn subtract(from: &[u64; 2], amounts: &[u64; 2]) -> Result<[u64; 2]> {
    let base = from[0].checked_sub(amounts[0]).ok_or(MATH_OVERFLOW)?;
    let quote = from[1].checked_sub(amounts[1]).ok_or(MATH_OVERFLOW)?;
    Ok([base, quote])
}

/// Returns the number that DAMM v2 has for a way of collecting fees.
fn damm_collect_fee_mode(mode: u8) -> u8 {
    match mode {
        COMPOUNDING => 2,
        OUTPUT_TOKEN => 0,
        _ => 1,
    }
}
