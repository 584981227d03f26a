//! The instruction that deposits wrapped SOL into a stake pool.

use crate::checks::{fee_account, is, take};
use crate::error::{
    NOT_SYSTEM_ACCOUNT, NOT_WSOL_MINT, NUMERICAL_ERROR, UNSUPPORTED_PROGRAM, WRONG_SOL_BRIDGE_OUT,
    WRONG_TOKEN_PROGRAM, WRONG_WSOL_BRIDGE_IN,
};
use crate::keys::{
    BRIDGE_BUMP, BRIDGE_IN_SEED, BRIDGE_SEED, FEE_SEED, SOL_BRIDGE_OUT, STAKE_POOL_PROGRAM, WRAPPED_SOL,
    WRAPPED_SOL_DECIMALS, WSOL_BRIDGE_IN,
};
use sluice_program::bytes::Writer;
use sluice_program::cpi::{self, Signers};
use sluice_program::sysvar::Rent;
use sluice_program::token::{self, CloseAccount, InitializeAccount3, Mint, TransferChecked, ACCOUNT_LEN};
use sluice_program::{system, Account, Result};

/// The tag of the system program's instruction, a u32.
const CREATE_ACCOUNT_WITH_SEED: u32 = 3;
/// The tag of the stake pool program's instruction.
const DEPOSIT_SOL: u8 = 14;

struct Deposit<'a> {
    user: Account<'a>,
    wsol_from: Account<'a>,
    destination: Account<'a>,
    bridge_in: Account<'a>,
    bridge_out: Account<'a>,
    fee: Account<'a>,
    mint: Account<'a>,
    wsol_mint: Account<'a>,
    token_program: Account<'a>,
    system_program: Account<'a>,
    /// The program, the pool, its withdraw authority, its reserve, and the manager's fee account.
    pool: [Account<'a>; 5],
}

/// Unwraps the user's SOL and deposits it. The user receives all pool tokens that the deposit minted, the referrer's
/// included.
pub fn run(accounts: &[Account], amount: u64) -> Result {
    let (&own, rest) = take::<10>(accounts)?;
    let (&pool, _) = take::<5>(rest)?;
    let [user, wsol_from, destination, bridge_in, bridge_out, fee, mint, wsol_mint, token_program, system_program] =
        own;
    let deposit = Deposit {
        user,
        wsol_from,
        destination,
        bridge_in,
        bridge_out,
        fee,
        mint,
        wsol_mint,
        token_program,
        system_program,
        pool,
    };
    let bump = deposit.check()?;
    deposit.unwrap_sol(amount)?;
    let before = token::amount_of(fee)?;
    deposit.deposit(amount)?;
    let received = token::amount_of(fee)?.checked_sub(before).ok_or(NUMERICAL_ERROR)?;
    deposit.pay_on(received, bump)
}

impl Deposit<'_> {
    fn check(&self) -> Result<u8> {
        is(self.bridge_in, &WSOL_BRIDGE_IN, WRONG_WSOL_BRIDGE_IN)?;
        is(self.bridge_out, &SOL_BRIDGE_OUT, WRONG_SOL_BRIDGE_OUT)?;
        let bump = fee_account(self.fee, self.mint)?;
        is(self.wsol_mint, &WRAPPED_SOL, NOT_WSOL_MINT)?;
        is(self.token_program, &token::PROGRAM, WRONG_TOKEN_PROGRAM)?;
        is(self.system_program, &system::PROGRAM, NOT_SYSTEM_ACCOUNT)?;
        is(self.pool[0], &STAKE_POOL_PROGRAM, UNSUPPORTED_PROGRAM)?;
        Ok(bump)
    }

    fn unwrap_sol(&self, amount: u64) -> Result {
        as_bridge(|signers| self.create_bridge_in(signers))?;
        let (program, account) = (self.token_program, self.bridge_in);
        InitializeAccount3 { program, account, mint: self.wsol_mint, owner: self.bridge_out.address() }
            .invoke()?;
        TransferChecked {
            program,
            source: self.wsol_from,
            mint: self.wsol_mint,
            destination: account,
            authority: self.user,
            amount,
            decimals: WRAPPED_SOL_DECIMALS,
        }
        .invoke(&[])?;
        let (destination, authority) = (self.bridge_out, self.bridge_out);
        as_bridge(|signers| CloseAccount { program, account, destination, authority }.invoke(signers))
    }

    /// Creates the temporary account. The bridge's wallet pays the rent, and gets it back when the account is closed.
    fn create_bridge_in(&self, signers: Signers) -> Result {
        let mut data = [0; 4 + 32 + 8 + BRIDGE_IN_SEED.len() + 8 + 8 + 32];
        let mut to = Writer::new(&mut data);
        to.u32(CREATE_ACCOUNT_WITH_SEED)?;
        to.address(self.bridge_out.address())?;
        to.u64(BRIDGE_IN_SEED.len() as u64)?;
        to.bytes(BRIDGE_IN_SEED)?;
        to.u64(Rent::get()?.minimum_balance(ACCOUNT_LEN))?;
        to.u64(ACCOUNT_LEN as u64)?;
        to.address(self.token_program.address())?;
        let accounts =
            [self.bridge_out.writable_signer(), self.bridge_in.writable(), self.bridge_out.readonly_signer()];
        cpi::invoke(&system::PROGRAM, &accounts, &data, signers)
    }

    fn deposit(&self, amount: u64) -> Result {
        let mut data = [DEPOSIT_SOL; 9];
        data[1..].copy_from_slice(&amount.to_le_bytes());
        let [program, pool, authority, reserve, manager_fee] = self.pool;
        let accounts = [
            pool.writable(),
            authority.readonly(),
            reserve.writable(),
            self.bridge_out.writable_signer(),
            self.fee.writable(),
            manager_fee.writable(),
            self.fee.writable(),
            self.mint.writable(),
            self.system_program.readonly(),
            self.token_program.readonly(),
        ];
        as_bridge(|signers| cpi::invoke(program.address(), &accounts, &data, signers))
    }

    fn pay_on(&self, amount: u64, bump: u8) -> Result {
        TransferChecked {
            program: self.token_program,
            source: self.fee,
            mint: self.mint,
            destination: self.destination,
            authority: self.fee,
            amount,
            decimals: Mint::load(self.mint, "dest_token_mint")?.decimals,
        }
        .invoke(&[&[FEE_SEED, self.mint.address().as_ref(), &[bump]]])
    }
}

/// Calls `run` with the seeds with which the bridge's wallet signs.
fn as_bridge<T>(run: impl FnOnce(Signers) -> T) -> T {
    run(&[&[BRIDGE_SEED, &[BRIDGE_BUMP]]])
}
