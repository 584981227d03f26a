//! The claims of the fees of trades, by the partner and by the creator.

use super::swap::check_vault;
use crate::error::{require, UNAUTHORIZED};
use crate::events;
use crate::hook_accounts::HookLists;
use crate::keys::AUTHORITY;
use crate::state::config::PoolConfig;
use crate::state::pool::VirtualPool;
use crate::token::Token;
use sluice_program::anchor::decoded;
use sluice_program::bytes::Reader;
use sluice_program::token::{Mint, TokenAccount, PROGRAMS};
use sluice_program::{anchor, Account, Address, Result};

const TRADING_FEE: [u8; 8] = anchor::event("EvtClaimTradingFee");
const CREATOR_TRADING_FEE: [u8; 8] = anchor::event("EvtClaimCreatorTradingFee");

/// The accounts that both claims have. Pairs are of the base and of the quote token.
struct Context<'a> {
    authority: Account<'a>,
    pool: Account<'a>,
    receivers: [Account<'a>; 2],
    tokens: [Token<'a>; 2],
    claimer: Account<'a>,
    event_authority: Account<'a>,
}

/// Pays the partner's fees to accounts of its choice. Arguments: the maximum amounts of the base and of the quote
/// token.
pub fn trading_fee(accounts: &[Account], args: &[u8]) -> Result {
    claim_partner(accounts, &Arguments::read(args)?)
}

/// Does the same as [`trading_fee`]. A third argument says which accounts follow for a transfer hook.
pub fn trading_fee2(accounts: &[Account], args: &[u8]) -> Result {
    claim_partner(accounts, &Arguments::read_with_hook(args)?)
}

/// Pays the creator's fees to accounts of its choice. Arguments: the maximum amounts of the base and of the quote
/// token.
pub fn creator_trading_fee(accounts: &[Account], args: &[u8]) -> Result {
    claim_creator(accounts, &Arguments::read(args)?)
}

/// Does the same as [`creator_trading_fee`]. A third argument says which accounts follow for a transfer hook.
pub fn creator_trading_fee2(accounts: &[Account], args: &[u8]) -> Result {
    claim_creator(accounts, &Arguments::read_with_hook(args)?)
}

#[inline(never)]
fn claim_partner(accounts: &[Account], arguments: &Arguments) -> Result {
    let (&[authority, config, ref rest @ ..], following) = anchor::accounts::<14>(accounts)?;
    let context = Context::of(authority, rest);
    let Terms { quote_mint, fee_claimer } = read_terms(config)?;
    let mut pool = context.read()?;
    anchor::check_address(authority, &AUTHORITY, "pool_authority")?;
    if quote_mint != *context.tokens[1].mint.address() {
        return Err(anchor::CONSTRAINT_HAS_ONE.of("config"));
    }
    context.check(&pool, Some(config))?;
    require(fee_claimer == *context.claimer.address(), UNAUTHORIZED)?;
    arguments.hook.check(following)?;
    let claimed = take(&mut pool.partner_fees, &arguments.limits);
    pool.save(context.pool)?;
    context.pay(&claimed)?;
    context.emit(&TRADING_FEE, &claimed)
}

#[inline(never)]
fn claim_creator(accounts: &[Account], arguments: &Arguments) -> Result {
    let (&[authority, ref rest @ ..], following) = anchor::accounts::<13>(accounts)?;
    let context = Context::of(authority, rest);
    let mut pool = context.read()?;
    anchor::check_address(authority, &AUTHORITY, "pool_authority")?;
    context.check(&pool, None)?;
    require(pool.creator == *context.claimer.address(), UNAUTHORIZED)?;
    arguments.hook.check(following)?;
    let claimed = take(&mut pool.creator_fees, &arguments.limits);
    pool.save(context.pool)?;
    context.pay(&claimed)?;
    context.emit(&CREATOR_TRADING_FEE, &claimed)
}

/// The fields of a configuration that a claim needs.
struct Terms {
    quote_mint: Address,
    fee_claimer: Address,
}

#[inline(never)]
fn read_terms(config: Account) -> Result<Terms> {
    let config = PoolConfig::load(config, "config")?;
    Ok(Terms { quote_mint: config.quote_mint, fee_claimer: config.fee_claimer })
}

/// The arguments of a claim.
struct Arguments<'d> {
    limits: [u64; 2],
    hook: HookLists<'d>,
}

impl<'d> Arguments<'d> {
    /// Reads the arguments of the older form, after which no accounts are for a transfer hook.
    fn read(args: &'d [u8]) -> Result<Self> {
        let limits = decoded(read_limits(&mut Reader::new(args)))?;
        Ok(Self { limits, hook: HookLists::NONE })
    }

    fn read_with_hook(args: &'d [u8]) -> Result<Self> {
        let reader = &mut Reader::new(args);
        let limits = decoded(read_limits(reader))?;
        let hook = decoded(HookLists::read(reader))?;
        Ok(Self { limits, hook })
    }
}

fn read_limits(reader: &mut Reader) -> Option<[u64; 2]> {
    Some([reader.u64()?, reader.u64()?])
}

/// Subtracts what is claimed from the fees, and returns it.
fn take(fees: &mut [u64; 2], limits: &[u64; 2]) -> [u64; 2] {
    let claimed = [fees[0].min(limits[0]), fees[1].min(limits[1])];
    *fees = [fees[0] - claimed[0], fees[1] - claimed[1]];
    claimed
}

impl<'a> Context<'a> {
    #[inline(never)]
    fn of(authority: Account<'a>, rest: &[Account<'a>; 12]) -> Self {
        let &[pool, base_receiver, quote_receiver, base_vault, quote_vault, ref rest @ ..] = rest;
        let &[base_mint, quote_mint, claimer, base_program, quote_program, event_authority, _] = rest;
        Self {
            authority,
            pool,
            receivers: [base_receiver, quote_receiver],
            tokens: [
                Token { mint: base_mint, vault: base_vault, program: base_program },
                Token { mint: quote_mint, vault: quote_vault, program: quote_program },
            ],
            claimer,
            event_authority,
        }
    }

    /// Reads the pool, and checks the types of the accounts that follow it.
    #[inline(never)]
    fn read(&self) -> Result<VirtualPool> {
        let pool = VirtualPool::load(self.pool, "pool")?;
        let [base, quote] = &self.tokens;
        TokenAccount::load(self.receivers[0], "token_a_account")?;
        TokenAccount::load(self.receivers[1], "token_b_account")?;
        TokenAccount::load(base.vault, "base_vault")?;
        TokenAccount::load(quote.vault, "quote_vault")?;
        Mint::load(base.mint, "base_mint")?;
        Mint::load(quote.mint, "quote_mint")?;
        anchor::check_signer(self.claimer, "claimer")?;
        anchor::check_program(base.program, &PROGRAMS, "token_base_program")?;
        anchor::check_program(quote.program, &PROGRAMS, "token_quote_program")?;
        Ok(pool)
    }

    /// Checks that the pool names the accounts, and that those which change are writable.
    #[inline(never)]
    fn check(&self, pool: &VirtualPool, config: Option<Account>) -> Result {
        anchor::check_writable(self.pool, "pool")?;
        let [base, quote] = &self.tokens;
        let is_named = pool.vaults[0] == *base.vault.address()
            && pool.vaults[1] == *quote.vault.address()
            && pool.base_mint == *base.mint.address()
            && config.is_none_or(|config| pool.config == *config.address());
        if !is_named {
            return Err(anchor::CONSTRAINT_HAS_ONE.of("pool"));
        }
        anchor::check_writable(self.receivers[0], "token_a_account")?;
        anchor::check_writable(self.receivers[1], "token_b_account")?;
        check_vault(base, "base_vault")?;
        check_vault(quote, "quote_vault")?;
        events::check_authority(self.event_authority)
    }

    fn pay(&self, amounts: &[u64; 2]) -> Result {
        self.tokens[0].pay_out(self.receivers[0], self.authority, amounts[0])?;
        self.tokens[1].pay_out(self.receivers[1], self.authority, amounts[1])
    }

    #[inline(never)]
    fn emit(&self, event: &[u8; 8], amounts: &[u64; 2]) -> Result {
        events::emit(self.event_authority, event, |event| {
            event.address(self.pool.address())?;
            event.u64(amounts[0])?;
            event.u64(amounts[1])
        })
    }
}
