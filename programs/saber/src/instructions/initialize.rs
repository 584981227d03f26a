//! Creates a pool over two reserves that already hold tokens.

use crate::checks::{self, is, take, Tokens};
use crate::curve::{self, Amplification};
use crate::error::{
    ALREADY_IN_USE, CALCULATION_FAILURE, CONVERSION_FAILURE, EMPTY_SUPPLY, INCORRECT_MINT, INVALID_ADMIN,
    INVALID_CLOSE_AUTHORITY, INVALID_DELEGATE, INVALID_FREEZE_AUTHORITY, INVALID_INPUT, INVALID_INSTRUCTION,
    INVALID_OUTPUT_OWNER, INVALID_OWNER, INVALID_SUPPLY, MISMATCHED_DECIMALS, REPEATED_MINT,
};
use crate::fees::Fees;
use crate::report::{self, Event};
use crate::state::Pool;
use crate::transfer::PoolSigner;
use sluice_program::bytes::Reader;
use sluice_program::math::narrow;
use sluice_program::{log, Account, Address, Result};

pub const MIN_AMPLIFICATION: u64 = 1;
pub const MAX_AMPLIFICATION: u64 = 1_000_000;

struct Accounts<'a> {
    pool: Account<'a>,
    authority: Account<'a>,
    admin: Account<'a>,
    admin_fees: [Account<'a>; 2],
    mints: [Account<'a>; 2],
    reserves: [Account<'a>; 2],
    lp_mint: Account<'a>,
    destination: Account<'a>,
}

/// Arguments: nonce, amplification, fees.
pub fn run(program: &Address, accounts: &[Account], mut args: Reader) -> Result {
    let nonce = args.u8().ok_or(INVALID_INSTRUCTION)?;
    let amplification = args.u64().ok_or(INVALID_INSTRUCTION)?;
    let fees = Fees::from_args(&mut args)?;
    log::text("Instruction: Init");
    let &[pool, authority, admin, admin_fee_a, admin_fee_b, mint_a, reserve_a, mint_b, reserve_b, rest @ ..] =
        take::<12>(accounts)?;
    let [lp_mint, destination, token_program] = rest;
    let accounts = Accounts {
        pool,
        authority,
        admin,
        admin_fees: [admin_fee_a, admin_fee_b],
        mints: [mint_a, mint_b],
        reserves: [reserve_a, reserve_b],
        lp_mint,
        destination,
    };
    if !(MIN_AMPLIFICATION..=MAX_AMPLIFICATION).contains(&amplification) {
        return Err(INVALID_INPUT);
    }
    if Pool::load_any(pool)?.initialized {
        return Err(ALREADY_IN_USE);
    }
    checks::authority(program, pool, nonce, authority)?;
    let [a, b] = accounts.check_reserves()?;
    accounts.check_mints(&a, &b)?;

    let d = curve::invariant(amplification, a.amount, b.amount).ok_or(CALCULATION_FAILURE)?;
    let minted = narrow(d).ok_or(CONVERSION_FAILURE)?;
    PoolSigner { pool, authority, token_program, nonce }.mint(lp_mint, destination, minted)?;
    accounts.store(nonce, Amplification::constant(amplification), fees)?;
    report::event(Event::Deposit, [a.amount, b.amount, minted, 0]);
    Ok(())
}

impl Accounts<'_> {
    #[inline(never)]
    fn check_reserves(&self) -> Result<[Tokens; 2]> {
        let destination = checks::tokens(self.destination)?;
        let sides = [checks::tokens(self.reserves[0])?, checks::tokens(self.reserves[1])?];
        let authority = self.authority.address();
        if sides.iter().any(|side| side.owner != *authority) {
            return Err(INVALID_OWNER);
        }
        if destination.owner == *authority {
            return Err(INVALID_OUTPUT_OWNER);
        }
        if sides[0].mint == sides[1].mint {
            return Err(REPEATED_MINT);
        }
        if sides.iter().any(|side| side.amount == 0) {
            return Err(EMPTY_SUPPLY);
        }
        if sides.iter().any(|side| side.has_delegate) {
            return Err(INVALID_DELEGATE);
        }
        is(self.mints[0], &sides[0].mint, INCORRECT_MINT)?;
        is(self.mints[1], &sides[1].mint, INCORRECT_MINT)?;
        if sides.iter().any(|side| side.has_close_authority) {
            return Err(INVALID_CLOSE_AUTHORITY);
        }
        Ok(sides)
    }

    #[inline(never)]
    fn check_mints(&self, a: &Tokens, b: &Tokens) -> Result {
        let lp = checks::mint(self.lp_mint)?;
        if lp.authority != Some(*self.authority.address()) {
            return Err(INVALID_OWNER);
        }
        if lp.has_freeze_authority {
            return Err(INVALID_FREEZE_AUTHORITY);
        }
        if lp.supply != 0 {
            return Err(INVALID_SUPPLY);
        }
        let decimals = [checks::mint(self.mints[0])?.decimals, checks::mint(self.mints[1])?.decimals];
        if decimals[0] != decimals[1] || lp.decimals != decimals[0] {
            return Err(MISMATCHED_DECIMALS);
        }
        let admin_mints =
            [checks::tokens(self.admin_fees[0])?.mint, checks::tokens(self.admin_fees[1])?.mint];
        if admin_mints != [a.mint, b.mint] {
            return Err(INVALID_ADMIN);
        }
        Ok(())
    }

    #[inline(never)]
    fn store(&self, nonce: u8, amplification: Amplification, fees: Fees) -> Result {
        let mut pool = Pool::new(nonce, amplification, *self.admin.address(), fees);
        for side in [0, 1] {
            pool.reserves[side] = *self.reserves[side].address();
            pool.mints[side] = *self.mints[side].address();
            pool.admin_fees[side] = *self.admin_fees[side].address();
        }
        pool.lp_mint = *self.lp_mint.address();
        pool.store(self.pool)
    }
}
