//! The two instructions that swap.

use crate::checks;
use crate::curve::{self, Rates, Reserves, Swap};
use crate::error::{in_range, EXCEEDED_SLIPPAGE, INVALID_VAULT, NOT_APPROVED, ZERO_TRADING_TOKENS};
use crate::instructions::numbers;
use crate::mint::{transfer_fee, transfer_fee_to_deliver};
use crate::state::pool::{self, Fees, Pool};
use crate::state::{config::AmmConfig, observation};
use crate::transfer::{with_authority, Token};
use sluice_program::bytes::Writer;
use sluice_program::sysvar::Clock;
use sluice_program::token::{Mint, TokenAccount, PROGRAMS};
use sluice_program::{anchor, log, Account, Address, Result};

const ACCOUNTS: usize = 13;
const EVENT: [u8; 8] = anchor::event("SwapEvent");
const EVENT_LEN: usize = 8 + 32 + 6 * 8 + 1 + 2 * 32 + 2 * 8 + 1;

/// The checked accounts, and the fields that were read from them.
struct Context<'a> {
    payer: Account<'a>,
    authority: Account<'a>,
    pool: Account<'a>,
    user_input: Account<'a>,
    user_output: Account<'a>,
    input_vault: Account<'a>,
    output_vault: Account<'a>,
    input: Token<'a>,
    output: Token<'a>,
    observation: Account<'a>,
    config: AmmConfig,
    /// The amounts of the input vault and the output vault.
    vault_amounts: [u64; 2],
}

/// The transferred amounts, which include transfer fees, and those fees.
struct Transfers {
    /// Whether the input was given. Otherwise the output was.
    base_input: bool,
    input: u64,
    input_fee: u64,
    output: u64,
    output_fee: u64,
}

/// The pool in the direction of the swap.
struct Direction {
    /// The side of the input token: 0 or 1.
    side: usize,
    reserves: Reserves,
    prices: [u128; 2],
    rates: Rates,
}

/// Arguments: the input amount, the minimum output.
pub fn base_input(accounts: &[Account], args: &[u8]) -> Result {
    let [amount_in, minimum_out] = numbers(args)?;
    let context = Context::check(accounts)?;
    let mut pool = Pool::new(context.pool.data_mut()?);
    let clock = require_open(&pool)?;

    let input_fee = transfer_fee(context.input.mint, amount_in)?;
    let arriving = amount_in.saturating_sub(input_fee);
    if arriving == 0 {
        return Err(anchor::REQUIRE_GT_VIOLATED.into());
    }
    let direction = Direction::of(&context, &pool)?;
    let swap =
        curve::swap_exact_in(arriving, &direction.reserves, &direction.rates).ok_or(ZERO_TRADING_TOKENS)?;

    let output_fee = transfer_fee(context.output.mint, swap.output)?;
    let received = in_range(swap.output.checked_sub(output_fee), "output less transfer fee");
    if received == 0 {
        return Err(anchor::REQUIRE_GT_VIOLATED.into());
    }
    if received < minimum_out {
        return Err(EXCEEDED_SLIPPAGE.into());
    }
    let transfers =
        Transfers { base_input: true, input: amount_in, input_fee, output: swap.output, output_fee };
    settle(&context, &mut pool, &direction, &swap, &transfers)?;
    finish(&context, &mut pool, &direction, &clock)
}

/// Arguments: the maximum input, the output amount.
pub fn base_output(accounts: &[Account], args: &[u8]) -> Result {
    let [maximum_in, amount_out] = numbers(args)?;
    let context = Context::check(accounts)?;
    if amount_out == 0 {
        return Err(anchor::REQUIRE_GT_VIOLATED.into());
    }
    let mut pool = Pool::new(context.pool.data_mut()?);
    let clock = require_open(&pool)?;

    let output_fee = transfer_fee_to_deliver(context.output.mint, amount_out)?;
    let output = in_range(amount_out.checked_add(output_fee), "output with transfer fee");
    let direction = Direction::of(&context, &pool)?;
    let swap =
        curve::swap_exact_out(output, &direction.reserves, &direction.rates).ok_or(ZERO_TRADING_TOKENS)?;

    if swap.input == 0 {
        return Err(anchor::REQUIRE_GT_VIOLATED.into());
    }
    let input_fee = transfer_fee_to_deliver(context.input.mint, swap.input)?;
    let input = in_range(swap.input.checked_add(input_fee), "input with transfer fee");
    if maximum_in < input {
        return Err(EXCEEDED_SLIPPAGE.into());
    }
    let transfers = Transfers { base_input: false, input, input_fee, output, output_fee };
    settle(&context, &mut pool, &direction, &swap, &transfers)?;
    finish(&context, &mut pool, &direction, &clock)
}

impl<'a> Context<'a> {
    #[inline(never)]
    fn check(accounts: &[Account<'a>]) -> Result<Self> {
        let (&accounts, _) = anchor::accounts::<ACCOUNTS>(accounts)?;
        let [payer, authority, amm_config, pool, user_input, user_output, input_vault, output_vault, rest @ ..] =
            accounts;
        let [input_program, output_program, input_mint, output_mint, observation] = rest;

        anchor::check_signer(payer, "payer")?;
        let config = checks::amm_config(amm_config)?;
        let pool_data = checks::pool(pool)?;
        TokenAccount::load(user_input, "input_token_account")?;
        TokenAccount::load(user_output, "output_token_account")?;
        let input = TokenAccount::load(input_vault, "input_vault")?;
        let output = TokenAccount::load(output_vault, "output_vault")?;
        anchor::check_program(input_program, &PROGRAMS, "input_token_program")?;
        anchor::check_program(output_program, &PROGRAMS, "output_token_program")?;
        let input_decimals = Mint::load(input_mint, "input_token_mint")?.decimals;
        let output_decimals = Mint::load(output_mint, "output_token_mint")?.decimals;
        checks::zero_copy(observation, &observation::TAG, observation::LEN, "observation_state")?;

        let vaults =
            [pool::address(&pool_data, pool::VAULTS[0])?, pool::address(&pool_data, pool::VAULTS[1])?];
        checks::authority(authority)?;
        anchor::check_address(amm_config, &pool::address(&pool_data, pool::AMM_CONFIG)?, "amm_config")?;
        anchor::check_writable(pool, "pool_state")?;
        anchor::check_writable(user_input, "input_token_account")?;
        anchor::check_writable(user_output, "output_token_account")?;
        checks::vault(input_vault, &vaults, "input_vault")?;
        checks::vault(output_vault, &vaults, "output_vault")?;
        anchor::check_address(input_mint, &input.mint, "input_token_mint")?;
        anchor::check_address(output_mint, &output.mint, "output_token_mint")?;
        anchor::check_writable(observation, "observation_state")?;
        let expected = pool::address(&pool_data, pool::OBSERVATION)?;
        anchor::check_address(observation, &expected, "observation_state")?;

        Ok(Self {
            payer,
            authority,
            pool,
            user_input,
            user_output,
            input_vault,
            output_vault,
            input: Token { mint: input_mint, decimals: input_decimals, program: input_program },
            output: Token { mint: output_mint, decimals: output_decimals, program: output_program },
            observation,
            config,
            vault_amounts: [input.amount, output.amount],
        })
    }
}

impl Direction {
    #[inline(never)]
    fn of(context: &Context, pool: &Pool) -> Result<Self> {
        let vaults = [pool.address(pool::VAULTS[0])?, pool.address(pool::VAULTS[1])?];
        let (input, output) = (context.input_vault.address(), context.output_vault.address());
        let [input_amount, output_amount] = context.vault_amounts;
        let (side, amounts) = if *input == vaults[0] && *output == vaults[1] {
            (0, [input_amount, output_amount])
        } else if *input == vaults[1] && *output == vaults[0] {
            (1, [output_amount, input_amount])
        } else {
            return Err(INVALID_VAULT.into());
        };
        let reserves = pool.reserves(amounts)?;
        let config = &context.config;
        Ok(Self {
            side,
            reserves: Reserves { input: reserves[side], output: reserves[1 - side] },
            prices: pool::prices(reserves),
            rates: Rates {
                trade: config.trade_fee_rate,
                creator: pool.creator_fee_rate(config.creator_fee_rate),
                protocol: config.protocol_fee_rate,
                fund: config.fund_fee_rate,
                creator_on_input: pool.creator_fee_on_input(side)?,
            },
        })
    }
}

/// Fails with NotApproved while swaps are off and before the pool opens.
fn require_open(pool: &Pool) -> Result<Clock> {
    let clock = Clock::get()?;
    if pool.is_off(pool::SWAP_OFF) || (clock.unix_timestamp as u64) < pool.open_time()? {
        return Err(NOT_APPROVED.into());
    }
    Ok(clock)
}

/// Records the fees, logs the swap and makes the transfers.
#[inline(never)]
fn settle(
    context: &Context,
    pool: &mut Pool,
    direction: &Direction,
    swap: &Swap,
    transfers: &Transfers,
) -> Result {
    let input_side = direction.side;
    let creator_side = if direction.rates.creator_on_input { input_side } else { 1 - input_side };
    pool.add_fees(Fees::Protocol, input_side, swap.protocol_fee)?;
    pool.add_fees(Fees::Fund, input_side, swap.fund_fee)?;
    pool.add_fees(Fees::Creator, creator_side, swap.creator_fee)?;

    emit(context, direction, swap, transfers)?;
    if !swap.keeps_product {
        return Err(anchor::REQUIRE_GTE_VIOLATED.into());
    }
    context.input.transfer(context.user_input, context.input_vault, context.payer, (transfers.input, &[]))?;
    with_authority(pool.auth_bump(), |signers| {
        let signed = (transfers.output, signers);
        context.output.transfer(context.output_vault, context.user_output, context.authority, signed)
    })
}

/// Records the observation. The observed price is the one before the swap.
fn finish(context: &Context, pool: &mut Pool, direction: &Direction, clock: &Clock) -> Result {
    let now = clock.unix_timestamp as u64;
    observation::update(&mut context.observation.data_mut()?, now, direction.prices)?;
    pool.set_recent_epoch(clock.epoch)
}

#[inline(never)]
fn emit(context: &Context, direction: &Direction, swap: &Swap, transfers: &Transfers) -> Result {
    let mints: [&Address; 2] = [context.input.mint.address(), context.output.mint.address()];
    let mut data = [0; EVENT_LEN];
    let mut event = Writer::new(&mut data);
    event.array(&EVENT)?;
    event.address(context.pool.address())?;
    event.u64(direction.reserves.input)?;
    event.u64(direction.reserves.output)?;
    event.u64(swap.input)?;
    event.u64(swap.output)?;
    event.u64(transfers.input_fee)?;
    event.u64(transfers.output_fee)?;
    event.u8(transfers.base_input as u8)?;
    event.address(mints[0])?;
    event.address(mints[1])?;
    event.u64(swap.trade_fee)?;
    event.u64(swap.creator_fee)?;
    event.u8(direction.rates.creator_on_input as u8)?;
    log::data(&[event.written()]);
    Ok(())
}
