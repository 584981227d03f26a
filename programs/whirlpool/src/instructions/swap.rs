//! The two instructions that swap.

use crate::error::{AMOUNT_IN_ABOVE_MAXIMUM, AMOUNT_OUT_BELOW_MINIMUM, TRADE_IS_NOT_ENABLED};
use crate::instructions::{check_holding, check_vault, mint_of, now, plain_account, slices};
use crate::keys::{MEMO_PROGRAM, ORACLE_SEED, PROGRAM};
use crate::sequence::{Plan, Sequence, MAX_GIVEN};
use crate::state::oracle::{Oracle, Variables};
use crate::state::pool::Pool;
use crate::token::{fee_of, with_fee, Payer, Side};
use crate::walk::{self, Order, Swapped, Terms};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::{Reader, Writer};
use sluice_program::heap::List;
use sluice_program::token::{self, Mint, Transfer, PROGRAMS};
use sluice_program::{log, Account, Address, Result};

const EVENT: [u8; 8] = anchor::event("Traded");
const EVENT_LEN: usize = 8 + 32 + 1 + 2 * 16 + 6 * 8;
const MEMO: &str = "Orca Trade";

struct Args {
    order: Order,
    threshold: u64,
}

fn read_args(reader: &mut Reader) -> Option<Args> {
    let [amount, threshold] = [reader.u64()?, reader.u64()?];
    let sqrt_price_limit = reader.u128()?;
    let [exact_in, a_to_b] = [reader.bool()?, reader.bool()?];
    Some(Args { order: Order { amount, sqrt_price_limit, exact_in, a_to_b }, threshold })
}

/// The amounts of a swap including transfer fees, and those fees.
struct Moved {
    input: u64,
    output: u64,
    input_fee: u64,
    output_fee: u64,
    lp_fee: u64,
    protocol_fee: u64,
    sqrt_price_before: u128,
}

/// Arguments: the amount, the threshold of the other amount, the price limit, whether the amount is the input,
/// whether A is swapped for B.
pub fn plain(accounts: &[Account], args: &[u8]) -> Result {
    let args = decoded(read_args(&mut Reader::new(args)))?;
    let (given, _) = anchor::accounts::<11>(accounts)?;
    let pool = check_plain(given)?;
    let [_, authority, pool_account, owner_a, vault_a, owner_b, vault_b, array_0, array_1, array_2, oracle] =
        *given;
    let mut arrays = List::with_capacity(MAX_GIVEN)?;
    for array in [array_0, array_1, array_2] {
        arrays.push(array)?;
    }
    let mut state = Run::new(pool, pool_account, oracle, arrays);
    let swapped = state.swap(&args.order, None)?;
    let moved = state.moved(&swapped);
    check_threshold(&args, moved.input, moved.output)?;
    state.save()?;
    let (input, output) = if args.order.a_to_b {
        ([owner_a, vault_a], [vault_b, owner_b])
    } else {
        ([owner_b, vault_b], [vault_a, owner_a])
    };
    move_plain(given[0], input, authority, moved.input).invoke(&[])?;
    let paid = move_plain(given[0], output, pool_account, moved.output);
    state.pool.with_signer(|signers| paid.invoke(signers))?;
    emit(&state, &moved, args.order.a_to_b)
}

fn move_plain<'a>(
    program: Account<'a>,
    between: [Account<'a>; 2],
    authority: Account<'a>,
    amount: u64,
) -> Transfer<'a> {
    let [source, destination] = between;
    Transfer { program, source, destination, authority, amount }
}

#[inline(never)]
fn check_plain(given: &[Account; 11]) -> Result<Pool> {
    let [program, authority, pool_account, owner_a, vault_a, owner_b, vault_b, arrays @ .., oracle] = *given;
    anchor::check_program(program, &[token::PROGRAM], "token_program")?;
    anchor::check_signer(authority, "token_authority")?;
    let pool = Pool::load(pool_account, "whirlpool")?;
    let holding_a = plain_account(owner_a, "token_owner_account_a")?;
    plain_account(vault_a, "token_vault_a")?;
    let holding_b = plain_account(owner_b, "token_owner_account_b")?;
    plain_account(vault_b, "token_vault_b")?;

    anchor::check_writable(pool_account, "whirlpool")?;
    check_holding(owner_a, &holding_a.mint, &pool.mints[0], "token_owner_account_a")?;
    check_vault(vault_a, &pool.vaults[0], "token_vault_a")?;
    check_holding(owner_b, &holding_b.mint, &pool.mints[1], "token_owner_account_b")?;
    check_vault(vault_b, &pool.vaults[1], "token_vault_b")?;
    check_arrays(&arrays)?;
    check_oracle(oracle, pool_account)?;
    Ok(pool)
}

fn check_arrays(arrays: &[Account; 3]) -> Result {
    let [first, second, third] = *arrays;
    anchor::check_writable(first, "tick_array_0")?;
    anchor::check_writable(second, "tick_array_1")?;
    anchor::check_writable(third, "tick_array_2")
}

#[inline(never)]
fn check_oracle(oracle: Account, pool: Account) -> Result {
    let (expected, _) = Address::find(&[ORACLE_SEED, &pool.address().0], &PROGRAM)?;
    if *oracle.address() == expected {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_SEEDS.of("oracle"))
    }
}

/// Does the same as [`plain`] for mints of both token programs. The additional argument is an option of slices for
/// the remaining accounts.
pub fn v2(accounts: &[Account], args: &[u8]) -> Result {
    let mut reader = Reader::new(args);
    let args = decoded(read_args(&mut reader))?;
    let slices = decoded(slices::read(&mut reader))?;
    let (given, rest) = anchor::accounts::<15>(accounts)?;
    let (pool, sides) = check_v2(given)?;
    let [_, _, _, authority, pool_account, .., array_0, array_1, array_2, oracle] = *given;
    let mut arrays = List::with_capacity(MAX_GIVEN)?;
    for array in [array_0, array_1, array_2] {
        arrays.push(array)?;
    }
    slices::add_tick_arrays(&mut arrays, slices, rest)?;
    let mut state = Run::new(pool, pool_account, oracle, arrays);
    let side = !args.order.a_to_b as usize;
    let (input, output) = (&sides[side], &sides[1 - side]);
    let moved = swap_with_fees(&mut state, &args.order, [input, output])?;
    check_threshold(&args, moved.input, moved.output - moved.output_fee)?;
    state.save()?;
    input.take_in(authority, moved.input)?;
    output.pay_out(&Payer { pool: &state.pool, account: pool_account }, moved.output, MEMO)?;
    emit(&state, &moved, args.order.a_to_b)
}

#[inline(never)]
fn check_v2<'a>(given: &[Account<'a>; 15]) -> Result<(Pool, [Side<'a>; 2])> {
    let [program_a, program_b, memo, authority, pool_account, mint_a, mint_b, rest @ ..] = *given;
    let [owner_a, vault_a, owner_b, vault_b, arrays @ .., oracle] = rest;
    anchor::check_program(program_a, &PROGRAMS, "token_program_a")?;
    anchor::check_program(program_b, &PROGRAMS, "token_program_b")?;
    anchor::check_program(memo, &[MEMO_PROGRAM], "memo_program")?;
    anchor::check_signer(authority, "token_authority")?;
    let pool = Pool::load(pool_account, "whirlpool")?;
    let decimals_a = Mint::load(mint_a, "token_mint_a")?.decimals;
    let decimals_b = Mint::load(mint_b, "token_mint_b")?.decimals;
    let holding_a = mint_of(owner_a, "token_owner_account_a")?;
    mint_of(vault_a, "token_vault_a")?;
    let holding_b = mint_of(owner_b, "token_owner_account_b")?;
    mint_of(vault_b, "token_vault_b")?;

    anchor::check_address(program_a, &mint_a.owner(), "token_program_a")?;
    anchor::check_address(program_b, &mint_b.owner(), "token_program_b")?;
    anchor::check_writable(pool_account, "whirlpool")?;
    anchor::check_address(mint_a, &pool.mints[0], "token_mint_a")?;
    anchor::check_address(mint_b, &pool.mints[1], "token_mint_b")?;
    check_holding(owner_a, &holding_a, &pool.mints[0], "token_owner_account_a")?;
    check_vault(vault_a, &pool.vaults[0], "token_vault_a")?;
    check_holding(owner_b, &holding_b, &pool.mints[1], "token_owner_account_b")?;
    check_vault(vault_b, &pool.vaults[1], "token_vault_b")?;
    check_arrays(&arrays)?;
    // This is the only account whose address is checked before its writability.
    check_oracle(oracle, pool_account)?;
    anchor::check_writable(oracle, "oracle")?;
    let side_a =
        Side { mint: mint_a, program: program_a, memo, owner: owner_a, vault: vault_a, decimals: decimals_a };
    let side_b =
        Side { mint: mint_b, program: program_b, memo, owner: owner_b, vault: vault_b, decimals: decimals_b };
    Ok((pool, [side_a, side_b]))
}

/// The state of the pool during a swap.
struct Run<'a> {
    pool: Pool,
    pool_account: Account<'a>,
    oracle: Account<'a>,
    arrays: List<Account<'a>>,
    sqrt_price_before: u128,
    /// The amount that the pool swaps, after transfer fees.
    asked: u64,
    /// The values that an adaptive fee stores after the swap.
    volatility: Option<Variables>,
}

impl<'a> Run<'a> {
    #[inline(always)]
    fn new(pool: Pool, pool_account: Account<'a>, oracle: Account<'a>, arrays: List<Account<'a>>) -> Self {
        Self { pool, pool_account, oracle, arrays, sqrt_price_before: 0, asked: 0, volatility: None }
    }

    /// Swaps. If the mints of input and output are given, the pool's amount is an exact input minus its transfer fee,
    /// or an exact output plus its transfer fee. Fails with TradeIsNotEnabled before the pool's start.
    #[inline(never)]
    fn swap(&mut self, order: &Order, mints: Option<&[Account; 2]>) -> Result<Swapped> {
        let now = now()?;
        let plan = Plan { tick: self.pool.tick, tick_spacing: self.pool.tick_spacing, a_to_b: order.a_to_b };
        let mut sequence = Sequence::build(self.pool_account.address(), &plan, &self.arrays)?;
        let oracle = Oracle::load(self.oracle, self.pool_account.address())?;
        if oracle.as_ref().is_some_and(|oracle| now < oracle.trade_enabled_at) {
            return Err(TRADE_IS_NOT_ENABLED.into());
        }
        self.asked = match mints {
            None => order.amount,
            Some([input, _]) if order.exact_in => order.amount - fee_of(*input, order.amount)?,
            Some([_, output]) => with_fee(*output, order.amount)?,
        };
        self.sqrt_price_before = self.pool.sqrt_price;
        let terms = Terms { now, oracle: oracle.as_ref() };
        let order = Order { amount: self.asked, ..*order };
        let swapped = walk::swap(&mut self.pool, &mut sequence, &order, &terms)?;
        self.volatility = swapped.volatility;
        Ok(swapped)
    }

    #[inline(never)]
    fn save(&self) -> Result {
        if let Some(volatility) = &self.volatility {
            volatility.save(self.oracle)?;
        }
        self.pool.save(self.pool_account)
    }

    fn moved(&self, swapped: &Swapped) -> Moved {
        Moved {
            input: swapped.input,
            output: swapped.output,
            input_fee: 0,
            output_fee: 0,
            lp_fee: swapped.lp_fee,
            protocol_fee: swapped.protocol_fee,
            sqrt_price_before: self.sqrt_price_before,
        }
    }
}

/// Swaps, with the transfer fees of both sides.
#[inline(never)]
fn swap_with_fees<'a>(state: &mut Run<'a>, order: &Order, sides: [&Side<'a>; 2]) -> Result<Moved> {
    let [input, output] = sides.map(|side| side.mint);
    let swapped = state.swap(order, Some(&[input, output]))?;
    let mut moved = state.moved(&swapped);
    // An exact input that was used completely is transferred as it was given, even if less would have sufficed.
    moved.input = if order.exact_in && swapped.input == state.asked {
        order.amount
    } else {
        with_fee(input, swapped.input)?
    };
    moved.input_fee = fee_of(input, moved.input)?;
    moved.output_fee = fee_of(output, moved.output)?;
    Ok(moved)
}

fn check_threshold(args: &Args, input: u64, output: u64) -> Result {
    if args.order.exact_in && output < args.threshold {
        Err(AMOUNT_OUT_BELOW_MINIMUM.into())
    } else if !args.order.exact_in && input > args.threshold {
        Err(AMOUNT_IN_ABOVE_MAXIMUM.into())
    } else {
        Ok(())
    }
}

#[inline(never)]
fn emit(state: &Run, moved: &Moved, a_to_b: bool) -> Result {
    let mut data = [0; EVENT_LEN];
    let mut event = Writer::new(&mut data);
    event.array(&EVENT)?;
    event.address(state.pool_account.address())?;
    event.u8(a_to_b as u8)?;
    event.u128(moved.sqrt_price_before)?;
    event.u128(state.pool.sqrt_price)?;
    let Moved { input, output, input_fee, output_fee, lp_fee, protocol_fee, .. } = *moved;
    for amount in [input, output, input_fee, output_fee, lp_fee, protocol_fee] {
        event.u64(amount)?;
    }
    log::data(&[event.written()]);
    Ok(())
}
