//! The instruction that creates a pool.

use super::take;
use crate::calls::{Minting, STAKE_PROGRAM};
use crate::error::{
    ALREADY_IN_USE, CALCULATION_FAILURE, FEE_TOO_HIGH, INCORRECT_MINT_DECIMALS,
    INVALID_MINT_FREEZE_AUTHORITY, INVALID_PROGRAM_ADDRESS, NON_ZERO_POOL_TOKEN_SUPPLY, SIGNATURE_MISSING,
    TOO_MANY_VALIDATORS_IN_POOL, UNEXPECTED_VALIDATOR_LIST_ACCOUNT_SIZE, UNSUPPORTED_MINT_EXTENSION,
    WRONG_MINTING_AUTHORITY, WRONG_STAKE_STAKE,
};
use crate::fee::Fee;
use crate::new_pool::NewPool;
use crate::state::{self, StakePool, WITHDRAW_AUTHORITY_SEED};
use crate::validators;
use sluice_program::bytes::Reader;
use sluice_program::sysvar::{Clock, Rent};
use sluice_program::token::{self, Mint, PROGRAMS};
use sluice_program::{Account, Address, ProgramError, Result};

const DEPOSIT_AUTHORITY_SEED: &[u8] = b"deposit";
const MAX_VALIDATORS: u32 = 20_000;
const SOL_DECIMALS: u8 = 9;
/// TransferFeeConfig, ConfidentialTransferMint, DefaultAccountState, InterestBearingConfig,
/// ConfidentialTransferFeeConfig, MetadataPointer and TokenMetadata.
const MINT_EXTENSIONS: [u16; 7] = [1, 4, 6, 10, 16, 18, 19];
/// A stake account starts with a u32 that tells that it delegates nothing. The rent, both authorities and the lockup
/// follow.
const INITIALIZED: u32 = 1;
const LOCKUP: usize = 48;

/// The arguments: fees, the referrers' percentage, and the maximum number of validators.
pub struct Arguments {
    epoch_fee: Fee,
    withdrawal_fee: Fee,
    deposit_fee: Fee,
    referral_fee: u8,
    max_validators: u32,
}

impl Arguments {
    /// Returns None if the bytes are cut short.
    pub fn read(args: &mut Reader) -> Option<Self> {
        Some(Self {
            epoch_fee: Fee::read(args)?,
            withdrawal_fee: Fee::read(args)?,
            deposit_fee: Fee::read(args)?,
            referral_fee: args.u8()?,
            max_validators: args.u32()?,
        })
    }

    fn check(&self) -> Result {
        let fees = [&self.epoch_fee, &self.withdrawal_fee, &self.deposit_fee];
        if fees.iter().any(|fee| fee.numerator > fee.denominator) || self.referral_fee > 100 {
            return Err(FEE_TOO_HIGH);
        }
        Ok(())
    }
}

/// Creates a pool over a reserve that already exists.
pub fn run(program: &Address, accounts: &[Account], args: &Arguments) -> Result {
    let (&accounts, rest) = take::<9>(accounts)?;
    let [pool, manager, staker, authority, validator_list, reserve, mint, manager_fee, token_program] =
        accounts;
    if !manager.is_signer() {
        return Err(SIGNATURE_MISSING);
    }
    if pool.is(validator_list) {
        return Err(ALREADY_IN_USE);
    }
    state::check_unused(program, pool)?;
    validators::check_unused(program, validator_list)?;
    check_room(validator_list, args.max_validators)?;
    check_rent(pool)?;
    check_rent(validator_list)?;
    args.check()?;
    if !PROGRAMS.contains(token_program.address()) || !mint.is_owned_by(token_program.address()) {
        return Err(ProgramError::INCORRECT_PROGRAM_ID);
    }
    let deposit_authority = rest.first().map(|account| *account.address());
    let (derived, bump) = Address::find(&[pool.address().as_ref(), WITHDRAW_AUTHORITY_SEED], program)?;
    if *authority.address() != derived {
        return Err(INVALID_PROGRAM_ADDRESS);
    }
    check_mint(mint, &derived)?;

    let terms = NewPool {
        manager: *manager.address(),
        staker: *staker.address(),
        stake_deposit_authority: stake_deposit_authority(program, pool, deposit_authority)?,
        withdraw_bump: bump,
        validator_list: *validator_list.address(),
        reserve: *reserve.address(),
        mint: *mint.address(),
        manager_fee_account: *manager_fee.address(),
        token_program: *token_program.address(),
        epoch: Clock::get()?.epoch,
        epoch_fee: args.epoch_fee,
        deposit_fee: args.deposit_fee,
        withdrawal_fee: args.withdrawal_fee,
        referral_fee: args.referral_fee,
        sol_deposit_authority: deposit_authority,
    };
    let mut new = StakePool::new(&terms);
    new.check_manager_fee_account(manager_fee)?;
    let lamports = reserve_lamports(reserve, &derived)?;
    if lamports > 0 {
        Minting { pool, token_program, mint, authority }.to(&new, manager_fee, lamports)?;
    }
    new.total_lamports = lamports;
    new.token_supply = lamports;
    validators::store_empty(validator_list, args.max_validators)?;
    new.store(pool)
}

fn check_room(list: Account, most: u32) -> Result {
    if validators::room(list.data_len()) != most as usize || most == 0 {
        return Err(UNEXPECTED_VALIDATOR_LIST_ACCOUNT_SIZE);
    }
    if most > MAX_VALIDATORS {
        return Err(TOO_MANY_VALIDATORS_IN_POOL);
    }
    Ok(())
}

fn check_rent(account: Account) -> Result {
    if account.lamports() < Rent::get()?.minimum_balance(account.data_len()) {
        return Err(ProgramError::ACCOUNT_NOT_RENT_EXEMPT);
    }
    Ok(())
}

fn stake_deposit_authority(program: &Address, pool: Account, given: Option<Address>) -> Result<Address> {
    match given {
        Some(authority) => Ok(authority),
        None => Ok(Address::find(&[pool.address().as_ref(), DEPOSIT_AUTHORITY_SEED], program)?.0),
    }
}

fn check_mint(account: Account, authority: &Address) -> Result {
    let mint = Mint::load(account, "pool_mint")?;
    if mint.supply != 0 {
        return Err(NON_ZERO_POOL_TOKEN_SUPPLY);
    }
    if mint.decimals != SOL_DECIMALS {
        return Err(INCORRECT_MINT_DECIMALS);
    }
    if mint.mint_authority != Some(*authority) {
        return Err(WRONG_MINTING_AUTHORITY);
    }
    if mint.freeze_authority.is_some() {
        return Err(INVALID_MINT_FREEZE_AUTHORITY);
    }
    if token::extensions(&account.data()?).all(|(kind, _)| MINT_EXTENSIONS.contains(&kind)) {
        Ok(())
    } else {
        Err(UNSUPPORTED_MINT_EXTENSION)
    }
}

/// Returns the lamports of the reserve beyond its rent. It must be an initialized stake account of the pool's
/// authority without a lockup.
fn reserve_lamports(reserve: Account, authority: &Address) -> Result<u64> {
    if !reserve.is_owned_by(&STAKE_PROGRAM) {
        return Err(ProgramError::INCORRECT_PROGRAM_ID);
    }
    let data = reserve.data()?;
    let is_ours = is_reserve(&mut Reader::new(&data), authority).ok_or(ProgramError::BORSH_IO_ERROR)?;
    if !is_ours {
        return Err(WRONG_STAKE_STAKE);
    }
    let rent = Rent::get()?.minimum_balance(reserve.data_len());
    reserve.lamports().checked_sub(rent).ok_or(CALCULATION_FAILURE)
}

fn is_reserve(from: &mut Reader, authority: &Address) -> Option<bool> {
    if from.u32()? != INITIALIZED {
        return Some(false);
    }
    let _rent = from.u64()?;
    let authorities = [from.address()?, from.address()?];
    let lockup = from.array::<LOCKUP>()?;
    Some(authorities.iter().all(|each| each == authority) && lockup.iter().all(|byte| *byte == 0))
}
