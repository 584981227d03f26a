//! The two instructions that swap.

use crate::activation::{can_swap, Points};
use crate::error::{in_range, AMOUNT_IS_ZERO, EXCEEDED_SLIPPAGE, INVALID_INPUT, POOL_DISABLED};
use crate::events;
use crate::keys::{AUTHORITY, EVENT_AUTHORITY, PROGRAM};
use crate::quote::{self, Swapped, Terms};
use crate::state::pool::{self, Pool};
use crate::token::{with_fee, without_fee, Token};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::{self, Reader, Writer};
use sluice_program::sysvar::Clock;
use sluice_program::token::PROGRAMS;
use sluice_program::{system, Account, Address, Result};

const ACCOUNTS: usize = 14;
const EVENT: [u8; 8] = anchor::event("EvtSwap2");
const EXACT_IN: u8 = 0;
const PARTIAL_FILL: u8 = 1;
const EXACT_OUT: u8 = 2;

/// The input and the minimum output, or, for an exact output, the output and the maximum input.
struct Args {
    amount: u64,
    limit: u64,
    mode: u8,
}

/// The accounts in the interface's order. Pairs are of token A and token B.
struct Context<'a> {
    authority: Account<'a>,
    pool: Account<'a>,
    input: Account<'a>,
    output: Account<'a>,
    vaults: [Account<'a>; 2],
    mints: [Account<'a>; 2],
    payer: Account<'a>,
    programs: [Account<'a>; 2],
    referral: Option<Account<'a>>,
    event_authority: Account<'a>,
}

/// The fields of the event.
struct EventFields<'a> {
    args: &'a Args,
    terms: Terms,
    moved: Moved,
    now: u64,
}

/// The amounts of a swap including transfer fees.
struct Moved {
    swapped: Swapped,
    sent: u64,
    paid: u64,
    /// The part of the paid amount that arrives.
    received: u64,
}

/// Arguments: the input amount, the minimum output.
pub fn plain(accounts: &[Account], args: &[u8]) -> Result {
    let context = Context::of(accounts)?;
    let reader = &mut Reader::new(args);
    let args = decoded(reader.u64().zip(reader.u64()))?;
    run(&context, &Args { amount: args.0, limit: args.1, mode: EXACT_IN })
}

/// Arguments: two amounts, and the mode that determines their meaning.
pub fn v2(accounts: &[Account], args: &[u8]) -> Result {
    let context = Context::of(accounts)?;
    let args = decoded(read_args(&mut Reader::new(args)))?;
    run(&context, &args)
}

fn read_args(reader: &mut Reader) -> Option<Args> {
    Some(Args { amount: reader.u64()?, limit: reader.u64()?, mode: reader.u8()? })
}

impl<'a> Context<'a> {
    #[inline(never)]
    fn of(accounts: &[Account<'a>]) -> Result<Self> {
        let (&[authority, pool, input, output, vault_a, vault_b, ref rest @ ..], _) =
            anchor::accounts::<ACCOUNTS>(accounts)?;
        let &[mint_a, mint_b, payer, program_a, program_b, referral, event_authority, _] = rest;
        Ok(Self {
            authority,
            pool,
            input,
            output,
            vaults: [vault_a, vault_b],
            mints: [mint_a, mint_b],
            payer,
            programs: [program_a, program_b],
            referral: if *referral.address() == PROGRAM { None } else { Some(referral) },
            event_authority,
        })
    }

    #[inline(never)]
    fn check(&self) -> Result {
        if *self.authority.address() != AUTHORITY {
            return Err(anchor::CONSTRAINT_ADDRESS.into());
        }
        let vaults = pool_vaults(self.pool)?;
        if *self.vaults[0].address() != vaults[0] || *self.vaults[1].address() != vaults[1] {
            return Err(anchor::CONSTRAINT_HAS_ONE.into());
        }
        check_holding(self.input)?;
        check_holding(self.output)?;
        for side in [0, 1] {
            check_holding(self.vaults[side])?;
            if !self.vaults[side].is_owned_by(self.programs[side].address()) {
                return Err(anchor::CONSTRAINT_TOKEN_TOKEN_PROGRAM.into());
            }
        }
        for side in [0, 1] {
            if mint_of(self.vaults[side])? != *self.mints[side].address() {
                return Err(anchor::CONSTRAINT_TOKEN_MINT.into());
            }
            check_token_owned(self.mints[side])?;
        }
        if !self.payer.is_signer() {
            return Err(anchor::ACCOUNT_NOT_SIGNER.into());
        }
        if self.programs.iter().any(|program| !PROGRAMS.contains(program.address())) {
            return Err(anchor::INVALID_PROGRAM_ID.into());
        }
        if *self.event_authority.address() != EVENT_AUTHORITY {
            return Err(anchor::CONSTRAINT_SEEDS.into());
        }
        match self.referral {
            Some(referral) => check_holding(referral),
            None => Ok(()),
        }
    }

    fn token(&self, side: usize) -> Token<'a> {
        Token { mint: self.mints[side], vault: self.vaults[side], program: self.programs[side] }
    }
}

/// Returns the vaults that a writable pool names.
#[inline(never)]
fn pool_vaults(account: Account) -> Result<[Address; 2]> {
    const VAULTS: [usize; 2] = [232, 264];
    if !account.is_owned_by(&PROGRAM) {
        return Err(anchor::ACCOUNT_OWNED_BY_WRONG_PROGRAM.into());
    }
    if !account.is_writable() {
        return Err(anchor::ACCOUNT_NOT_MUTABLE.into());
    }
    let data = anchor::load(account, &PROGRAM, &pool::TAG, "pool")?;
    let vault = |side: usize| in_range(bytes::address_at(&data, VAULTS[side]), "pool");
    Ok([vault(0), vault(1)])
}

/// Checks that the account is writable and belongs to a token program. The token program checks its owner.
fn check_holding(account: Account) -> Result {
    if !account.is_writable() {
        return Err(anchor::ACCOUNT_NOT_MUTABLE.into());
    }
    if account.is_owned_by(&system::PROGRAM) && account.lamports() == 0 {
        return Err(anchor::ACCOUNT_NOT_INITIALIZED.into());
    }
    check_token_owned(account)
}

fn check_token_owned(account: Account) -> Result {
    if PROGRAMS.contains(&account.owner()) {
        Ok(())
    } else {
        Err(anchor::ACCOUNT_OWNED_BY_WRONG_PROGRAM.into())
    }
}

fn mint_of(holding: Account) -> Result<Address> {
    Ok(in_range(bytes::address_at(&holding.data()?, 0), "token account"))
}

#[inline(never)]
fn run(context: &Context, args: &Args) -> Result {
    context.check()?;
    let mut pool = in_range(Pool::decode(&context.pool.data()?), "pool");
    if !can_swap(&pool, context.payer.address())? {
        return Err(POOL_DISABLED.into());
    }
    pool.update_layout()?;
    if args.mode > EXACT_OUT {
        return Err(INVALID_INPUT.into());
    }
    let a_to_b = mint_of(context.input)? == *context.mints[0].address();
    if args.amount == 0 {
        return Err(AMOUNT_IS_ZERO.into());
    }
    let point = Points::of(pool.activation_type)?.now;
    let now = Clock::get()?.unix_timestamp as u64;
    pool.dynamic_fee.before_swap(pool.sqrt_price, now)?;
    let terms = Terms::of(pool.collect_fee_mode()?, a_to_b, context.referral.is_some(), point);
    let moved = compute(context, &pool, &terms, args)?;
    quote::apply(&mut pool, &terms, &moved.swapped, now)?;
    pool.save(context.pool)?;
    // The public program borrows the pool during this, so that the pool cannot itself be a party.
    let held = context.pool.data_mut()?;
    settle(context, &terms, &moved)?;
    drop(held);
    emit(context, &pool, &EventFields { args, terms, moved, now })
}

/// Computes the swap's amounts, and the transfer fees of the input and the output.
#[inline(never)]
fn compute(context: &Context, pool: &Pool, terms: &Terms, args: &Args) -> Result<Moved> {
    let side = !terms.a_to_b as usize;
    let (mint_in, mint_out) = (context.mints[side], context.mints[1 - side]);
    if args.mode == EXACT_OUT {
        let paid = with_fee(mint_out, args.amount)?;
        if paid == 0 {
            return Err(AMOUNT_IS_ZERO.into());
        }
        let swapped = quote::from_output(pool, terms, paid)?;
        let sent = with_fee(mint_in, swapped.input)?;
        if sent > args.limit {
            return Err(EXCEEDED_SLIPPAGE.into());
        }
        return Ok(Moved { swapped, sent, paid, received: args.amount });
    }
    let in_part = args.mode == PARTIAL_FILL;
    let arrived = without_fee(mint_in, args.amount)?;
    if arrived == 0 {
        return Err(AMOUNT_IS_ZERO.into());
    }
    let swapped = quote::from_input(pool, terms, arrived, in_part)?;
    if swapped.input == 0 {
        return Err(AMOUNT_IS_ZERO.into());
    }
    let received = without_fee(mint_out, swapped.output)?;
    if received < args.limit {
        return Err(EXCEEDED_SLIPPAGE.into());
    }
    let sent = if in_part { with_fee(mint_in, swapped.input)? } else { args.amount };
    let paid = swapped.output;
    Ok(Moved { swapped, sent, paid, received })
}

#[inline(never)]
fn settle(context: &Context, terms: &Terms, moved: &Moved) -> Result {
    let side = !terms.a_to_b as usize;
    context.token(side).take_in(context.input, context.payer, moved.sent)?;
    context.token(1 - side).pay_out(context.output, context.authority, moved.paid)?;
    match context.referral {
        None => Ok(()),
        Some(referral) => {
            let fees = context.token(!terms.fees_on_token_a as usize);
            fees.pay_out(referral, context.authority, moved.swapped.split.referral)
        }
    }
}

#[inline(never)]
fn emit(context: &Context, pool: &Pool, fields: &EventFields) -> Result {
    let EventFields { args, terms, moved, now } = fields;
    let swapped = &moved.swapped;
    let split = &swapped.split;
    events::emit(context.event_authority, &EVENT, |event: &mut Writer| {
        event.address(context.pool.address())?;
        event.u8(!terms.a_to_b as u8)?;
        event.u8(pool.collect_fee_mode)?;
        event.u8(terms.has_referral as u8)?;
        event.u64(args.amount)?;
        event.u64(args.limit)?;
        event.u8(args.mode)?;
        for amount in [swapped.input, swapped.traded_input, swapped.left, swapped.output] {
            event.u64(amount)?;
        }
        event.u128(pool.sqrt_price)?;
        for amount in [split.claiming, split.protocol, split.compounding, split.referral] {
            event.u64(amount)?;
        }
        for amount in [moved.sent, moved.paid, moved.received, *now, pool.amounts[0], pool.amounts[1]] {
            event.u64(amount)?;
        }
        Ok(())
    })
}
