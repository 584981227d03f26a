//! The instructions that deposit and withdraw liquidity.

mod deposit;
mod withdraw;

pub use deposit::deposit;
pub use withdraw::withdraw;

use crate::checks;
use crate::curve::{share_of_reserve, Rounding};
use crate::error::{INCORRECT_LP_MINT, ZERO_TRADING_TOKENS};
use crate::keys::MEMO_PROGRAM;
use crate::state::pool::{self, Pool};
use crate::transfer::{program_of, Token};
use sluice_program::bytes::Writer;
use sluice_program::token::{self, Mint, TokenAccount};
use sluice_program::{anchor, log, Account, Address, Result};

const ACCOUNTS: usize = 13;
const EVENT: [u8; 8] = anchor::event("LpChangeEvent");
const EVENT_LEN: usize = 8 + 32 + 7 * 8 + 1;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Deposit,
    Withdraw,
}

/// The checked accounts, and the fields that were read from them. Pairs are of token 0 and token 1.
struct Context<'a> {
    owner: Account<'a>,
    authority: Account<'a>,
    pool: Account<'a>,
    owner_lp: Account<'a>,
    users: [Account<'a>; 2],
    vaults: [Account<'a>; 2],
    tokens: [Token<'a>; 2],
    token_program: Account<'a>,
    lp_mint: Account<'a>,
    owner_lp_amount: u64,
    vault_amounts: [u64; 2],
}

/// The part of one token: the amount that the pool counts, and the fee that its transfer withholds.
#[derive(Clone, Copy, Default)]
struct Part {
    amount: u64,
    fee: u64,
}

/// Returns the part of each reserve that the LP amount is worth. Fails with ZeroTradingTokens if one of them is zero.
fn worth(pool: &Pool, lp_amount: u64, reserves: [u64; 2], rounding: Rounding) -> Result<[u64; 2]> {
    let supply = pool.lp_supply()?;
    let mut worth = [0; 2];
    for side in 0..2 {
        let share = share_of_reserve(lp_amount, supply, reserves[side], rounding);
        worth[side] = share.ok_or(ZERO_TRADING_TOKENS)?;
    }
    if worth[0] == 0 || worth[1] == 0 {
        Err(ZERO_TRADING_TOKENS.into())
    } else {
        Ok(worth)
    }
}

impl<'a> Context<'a> {
    #[inline(never)]
    fn check(accounts: &[Account<'a>], change: Change) -> Result<Self> {
        let (&[owner, authority, pool, owner_lp, user_0, user_1, vault_0, vault_1, ref rest @ ..], more) =
            anchor::accounts::<ACCOUNTS>(accounts)?;
        let &[token_program, token_2022, mint_0, mint_1, lp_mint] = rest;

        anchor::check_signer(owner, "owner")?;
        let pool_data = checks::pool(pool)?;
        let lp = TokenAccount::load(owner_lp, "owner_lp_token")?;
        let user_0_owner = TokenAccount::load(user_0, "token_0_account")?;
        let user_1_owner = TokenAccount::load(user_1, "token_1_account")?;
        let holding_0 = TokenAccount::load(vault_0, "token_0_vault")?;
        let holding_1 = TokenAccount::load(vault_1, "token_1_vault")?;
        anchor::check_program(token_program, &[token::PROGRAM], "token_program")?;
        anchor::check_program(token_2022, &[token::PROGRAM_2022], "token_program_2022")?;
        let decimals_0 = Mint::load(mint_0, "vault_0_mint")?.decimals;
        let decimals_1 = Mint::load(mint_1, "vault_1_mint")?.decimals;
        Mint::load(lp_mint, "lp_mint")?;
        let memo = match change {
            Change::Deposit => None,
            Change::Withdraw => Some(anchor::accounts::<1>(more)?.0[0]),
        };

        checks::authority(authority)?;
        anchor::check_writable(pool, "pool_state")?;
        anchor::check_writable(owner_lp, "owner_lp_token")?;
        check_token_owner(&lp, owner, "owner_lp_token")?;
        // Withdrawn tokens may be paid to accounts of any owner.
        let depositor = if change == Change::Deposit { Some(owner) } else { None };
        check_user(user_0, &user_0_owner, depositor, &holding_0.mint, "token_0_account")?;
        check_user(user_1, &user_1_owner, depositor, &holding_1.mint, "token_1_account")?;
        checks::vault(vault_0, &[pool::address(&pool_data, pool::VAULTS[0])?], "token_0_vault")?;
        checks::vault(vault_1, &[pool::address(&pool_data, pool::VAULTS[1])?], "token_1_vault")?;
        anchor::check_address(mint_0, &holding_0.mint, "vault_0_mint")?;
        anchor::check_address(mint_1, &holding_1.mint, "vault_1_mint")?;
        anchor::check_writable(lp_mint, "lp_mint")?;
        let expected = pool::address(&pool_data, pool::LP_MINT)?;
        checks::address_or(lp_mint, &expected, INCORRECT_LP_MINT, "lp_mint")?;
        if let Some(memo) = memo {
            anchor::check_address(memo, &MEMO_PROGRAM, "memo_program")?;
        }

        let token =
            |mint, decimals| Token { mint, decimals, program: program_of(mint, token_program, token_2022) };
        Ok(Self {
            owner,
            authority,
            pool,
            owner_lp,
            users: [user_0, user_1],
            vaults: [vault_0, vault_1],
            tokens: [token(mint_0, decimals_0), token(mint_1, decimals_1)],
            token_program,
            lp_mint,
            owner_lp_amount: lp.amount,
            vault_amounts: [holding_0.amount, holding_1.amount],
        })
    }
}

/// Reads a token account. Fails with an error of Anchor's unless it is writable and belongs to the mint and, if
/// given, to the owner.
#[inline(always)]
fn check_user(
    account: Account,
    loaded: &TokenAccount,
    owner: Option<Account>,
    mint: &Address,
    name: &str,
) -> Result {
    anchor::check_writable(account, name)?;
    if let Some(owner) = owner {
        check_token_owner(loaded, owner, name)?;
    }
    if loaded.mint == *mint {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_TOKEN_MINT.of(name))
    }
}

#[inline(always)]
fn check_token_owner(loaded: &TokenAccount, owner: Account, name: &str) -> Result {
    if loaded.owner == *owner.address() {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_TOKEN_OWNER.of(name))
    }
}

#[inline(never)]
fn emit(context: &Context, pool: &Pool, reserves: [u64; 2], parts: &[Part; 2], change: Change) -> Result {
    let mut data = [0; EVENT_LEN];
    let mut event = Writer::new(&mut data);
    event.array(&EVENT)?;
    event.address(context.pool.address())?;
    event.u64(pool.lp_supply()?)?;
    event.u64(reserves[0])?;
    event.u64(reserves[1])?;
    event.u64(parts[0].amount)?;
    event.u64(parts[1].amount)?;
    event.u64(parts[0].fee)?;
    event.u64(parts[1].fee)?;
    event.u8(if change == Change::Deposit { 0 } else { 1 })?;
    log::data(&[event.written()]);
    Ok(())
}
