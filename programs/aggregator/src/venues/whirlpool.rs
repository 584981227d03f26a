//! Orca's Whirlpools, with both forms of the swap. The accounts are in the pool's order, so the direction determines
//! which of the user's two accounts pays.

use super::{flag, one_flag, ro, rw, signer, slices, swap_data, Asked, ExactOut, Layout, Pass, Tail, Venue};
use crate::error::{EMPTY_ROUTE, INVALID_ROUTE_PLAN};
use sluice_program::heap::List;
use sluice_program::sysvar::Clock;
use sluice_program::{address, anchor, Account, Address, ProgramError, Result};
use sluice_whirlpool::sequence::{Plan, Sequence};
use sluice_whirlpool::state::oracle::Oracle;
use sluice_whirlpool::state::pool::Pool;
use sluice_whirlpool::walk::{self, Order, Terms};

pub const PROGRAM: Address = address!("whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc");
const SWAP_NAME: [u8; 8] = anchor::instruction("swap");
const SWAP_V2_NAME: [u8; 8] = anchor::instruction("swap_v2");

/// Fields: a_to_b.
pub const SWAP: Venue = Venue {
    program: PROGRAM,
    fields: one_flag,
    layout: |fields| if flag(fields) { &A_TO_B } else { &B_TO_A },
    data: |fields, amount, data| swap_exact_in(&SWAP_NAME, fields, amount, data),
};

/// Fields: a_to_b, then optional slices of the following accounts. They are passed on unchanged.
pub const SWAP_V2: Venue = Venue {
    program: PROGRAM,
    fields: |fields| {
        one_flag(fields)?;
        if fields.bool()? {
            slices::fields(fields)
        } else {
            Some(())
        }
    },
    layout: |fields| if flag(fields) { &A_TO_B_V2 } else { &B_TO_A_V2 },
    data: |fields, amount, data| {
        slices::check(&fields[SLICES.min(fields.len())..])?;
        swap_exact_in(&SWAP_V2_NAME, fields, amount, data)?;
        data.extend(&fields[1..])
    },
};

/// The accounts of a pool that tell what a swap takes.
struct Quoted<'s, 'a> {
    pool: Account<'a>,
    arrays: &'s [Account<'a>; 3],
    /// The older form writes none, so it cannot swap in a pool with an adaptive fee.
    oracle: Option<Account<'a>>,
}

pub const SWAP_EXACT_OUT: ExactOut = ExactOut {
    data: |fields, amount, data| swap_exact_out(&SWAP_NAME, fields, amount, data),
    input: |asked, input| {
        let Some([_, _, pool, _, _, _, _, arrays @ .., _]) = asked.accounts.first_chunk::<11>() else {
            return Err(EMPTY_ROUTE.into());
        };
        work_out(&Quoted { pool: *pool, arrays, oracle: None }, asked, input)
    },
};

pub const SWAP_V2_EXACT_OUT: ExactOut = ExactOut {
    data: |fields, amount, data| {
        slices::check(&fields[SLICES.min(fields.len())..])?;
        swap_exact_out(&SWAP_V2_NAME, fields, amount, data)?;
        data.extend(&fields[1..])
    },
    input: |asked, input| {
        let Some([_, _, _, _, pool, _, _, _, _, _, _, arrays @ .., oracle]) =
            asked.accounts.first_chunk::<15>()
        else {
            return Err(EMPTY_ROUTE.into());
        };
        work_out(&Quoted { pool: *pool, arrays, oracle: Some(*oracle) }, asked, input)
    },
};

/// Works the swap out as the pool's program would carry it out, on a copy of the pool. Fails with BorshIoError if there
/// is no pool, and with the errors of the pool's program.
#[inline(never)]
fn work_out(quoted: &Quoted, asked: &Asked, input: &mut u64) -> Result {
    let a_to_b = flag(asked.fields);
    let mut pool = Pool::load(quoted.pool, "whirlpool").map_err(|_| ProgramError::BORSH_IO_ERROR)?;
    let address = quoted.pool.address();
    let plan = Plan { tick: pool.tick, tick_spacing: pool.tick_spacing, a_to_b };
    let mut sequence = Sequence::readonly(address, &plan, quoted.arrays)?;
    let oracle = match quoted.oracle {
        Some(account) => Oracle::load(account, address).map_err(|_| anchor::CONSTRAINT_SEEDS)?,
        None if pool.fee_tier_index == pool.tick_spacing => None,
        None => return Err(INVALID_ROUTE_PLAN.into()),
    };
    let now = Clock::get()?.unix_timestamp.try_into().unwrap_or(0);
    let order = Order { amount: asked.output, sqrt_price_limit: 0, exact_in: false, a_to_b };
    let terms = Terms { now, oracle: oracle.as_ref() };
    *input = walk::swap(&mut pool, &mut sequence, &order, &terms)?.input;
    Ok(())
}

const A_TO_B: Layout = Layout { call: CALL, input: 3, output: 5, tail: Tail::Nothing };
const B_TO_A: Layout = Layout { call: CALL, input: 5, output: 3, tail: Tail::Nothing };
const A_TO_B_V2: Layout = Layout { call: CALL_V2, input: 7, output: 9, tail: Tail::Slices(SLICES) };
const B_TO_A_V2: Layout = Layout { call: CALL_V2, input: 9, output: 7, tail: Tail::Slices(SLICES) };

/// The offset of the slices, after a_to_b and the byte that tells whether there are any.
const SLICES: usize = 2;

/// Writes the data of a swap with the amount as input and without a price limit.
fn swap_exact_in(name: &[u8], fields: &[u8], amount: u64, data: &mut List<u8>) -> Result {
    swap_data(name, amount, data)?;
    data.extend(&[0; 16])?;
    data.extend(&[1, fields[0]])
}

/// Writes the data of a swap with the amount as output, without a limit of the input or of the price.
fn swap_exact_out(name: &[u8], fields: &[u8], amount: u64, data: &mut List<u8>) -> Result {
    data.extend(name)?;
    data.extend(&amount.to_le_bytes())?;
    data.extend(&[0xff; 8])?;
    data.extend(&[0; 16])?;
    data.extend(&[0, fields[0]])
}

const CALL: &[Pass] = &[ro(0), signer(1), rw(2), rw(3), rw(4), rw(5), rw(6), rw(7), rw(8), rw(9), ro(10)];

const CALL_V2: &[Pass] = &[
    ro(0),
    ro(1),
    ro(2),
    signer(3),
    rw(4),
    ro(5),
    ro(6),
    rw(7),
    rw(8),
    rw(9),
    rw(10),
    rw(11),
    rw(12),
    rw(13),
    rw(14),
];
