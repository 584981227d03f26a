//! The pool's account.

use crate::error::{
    ALREADY_IN_USE, INVALID_PROGRAM_ADDRESS, INVALID_STATE, SIGNATURE_MISSING,
    STAKE_LIST_AND_POOL_OUT_OF_DATE, WRONG_POOL_MINT,
};
use crate::fee::{Fee, FutureFee};
use sluice_program::bytes::{Reader, Writer};
use sluice_program::math::mul_div_floor;
use sluice_program::sysvar::Clock;
use sluice_program::{Account, Address, ProgramError, Result};

const STAKE_POOL: u8 = 1;
const LAST_KIND: u8 = 2;
pub const WITHDRAW_AUTHORITY_SEED: &[u8] = b"withdraw";
pub const LOCKUP: usize = 48;
/// The offset of a mint's decimals, and the length of a mint.
const DECIMALS: usize = 44;
const MINT_LEN: usize = 82;

/// The fields in borsh. The public source documents their meaning.
pub struct StakePool {
    pub manager: Address,
    pub staker: Address,
    pub stake_deposit_authority: Address,
    pub withdraw_bump: u8,
    pub validator_list: Address,
    pub reserve: Address,
    pub mint: Address,
    pub manager_fee_account: Address,
    pub token_program: Address,
    pub total_lamports: u64,
    pub token_supply: u64,
    pub last_update_epoch: u64,
    pub lockup: [u8; LOCKUP],
    pub epoch_fee: Fee,
    pub next_epoch_fee: FutureFee,
    pub preferred_validators: [Option<Address>; 2],
    pub stake_deposit_fee: Fee,
    pub stake_withdrawal_fee: Fee,
    pub next_stake_withdrawal_fee: FutureFee,
    pub stake_referral_fee: u8,
    pub sol_deposit_authority: Option<Address>,
    pub sol_deposit_fee: Fee,
    pub sol_referral_fee: u8,
    pub sol_withdraw_authority: Option<Address>,
    pub sol_withdrawal_fee: Fee,
    pub next_sol_withdrawal_fee: FutureFee,
    pub last_epoch_token_supply: u64,
    pub last_epoch_total_lamports: u64,
}

/// Fails with AlreadyInUse if the account has ever been a pool. It must be owned by this program.
#[inline(never)]
pub fn check_unused(program: &Address, account: Account) -> Result {
    if !account.is_owned_by(program) {
        return Err(ProgramError::INCORRECT_PROGRAM_ID);
    }
    let data = account.data()?;
    let mut from = Reader::new(&data);
    let kind = from.u8().filter(|kind| *kind <= LAST_KIND).ok_or(ProgramError::BORSH_IO_ERROR)?;
    StakePool::read(&mut from).ok_or(ProgramError::BORSH_IO_ERROR)?;
    if kind == 0 {
        Ok(())
    } else {
        Err(ALREADY_IN_USE)
    }
}

impl StakePool {
    /// Reads a pool from an account of this program. Bytes after the fields are ignored.
    #[inline(never)]
    pub fn load(program: &Address, account: Account) -> Result<Self> {
        if !account.is_owned_by(program) {
            return Err(ProgramError::INCORRECT_PROGRAM_ID);
        }
        let data = account.data()?;
        let mut from = Reader::new(&data);
        let kind = from.u8().filter(|kind| *kind <= LAST_KIND).ok_or(ProgramError::BORSH_IO_ERROR)?;
        let pool = Self::read(&mut from).ok_or(ProgramError::BORSH_IO_ERROR)?;
        if kind == STAKE_POOL {
            Ok(pool)
        } else {
            Err(INVALID_STATE)
        }
    }

    #[inline(always)]
    fn read(from: &mut Reader) -> Option<Self> {
        Some(Self {
            manager: from.address()?,
            staker: from.address()?,
            stake_deposit_authority: from.address()?,
            withdraw_bump: from.u8()?,
            validator_list: from.address()?,
            reserve: from.address()?,
            mint: from.address()?,
            manager_fee_account: from.address()?,
            token_program: from.address()?,
            total_lamports: from.u64()?,
            token_supply: from.u64()?,
            last_update_epoch: from.u64()?,
            lockup: *from.array()?,
            epoch_fee: Fee::read(from)?,
            next_epoch_fee: FutureFee::read(from)?,
            preferred_validators: [read_optional(from)?, read_optional(from)?],
            stake_deposit_fee: Fee::read(from)?,
            stake_withdrawal_fee: Fee::read(from)?,
            next_stake_withdrawal_fee: FutureFee::read(from)?,
            stake_referral_fee: from.u8()?,
            sol_deposit_authority: read_optional(from)?,
            sol_deposit_fee: Fee::read(from)?,
            sol_referral_fee: from.u8()?,
            sol_withdraw_authority: read_optional(from)?,
            sol_withdrawal_fee: Fee::read(from)?,
            next_sol_withdrawal_fee: FutureFee::read(from)?,
            last_epoch_token_supply: from.u64()?,
            last_epoch_total_lamports: from.u64()?,
        })
    }

    /// Writes the fields. Bytes after them stay as they were, also if a fee that takes effect makes the fields
    /// shorter.
    #[inline(never)]
    pub fn store(&self, account: Account) -> Result {
        let mut data = account.data_mut()?;
        let mut to = Writer::new(&mut data);
        to.u8(STAKE_POOL)?;
        to.address(&self.manager)?;
        to.address(&self.staker)?;
        to.address(&self.stake_deposit_authority)?;
        to.u8(self.withdraw_bump)?;
        to.address(&self.validator_list)?;
        to.address(&self.reserve)?;
        to.address(&self.mint)?;
        to.address(&self.manager_fee_account)?;
        to.address(&self.token_program)?;
        to.u64(self.total_lamports)?;
        to.u64(self.token_supply)?;
        to.u64(self.last_update_epoch)?;
        to.array(&self.lockup)?;
        self.store_fees(&mut to)?;
        to.u64(self.last_epoch_token_supply)?;
        to.u64(self.last_epoch_total_lamports)
    }

    fn store_fees(&self, to: &mut Writer) -> Result {
        self.epoch_fee.write(to)?;
        self.next_epoch_fee.write(to)?;
        for validator in &self.preferred_validators {
            write_optional(to, validator)?;
        }
        self.stake_deposit_fee.write(to)?;
        self.stake_withdrawal_fee.write(to)?;
        self.next_stake_withdrawal_fee.write(to)?;
        to.u8(self.stake_referral_fee)?;
        write_optional(to, &self.sol_deposit_authority)?;
        self.sol_deposit_fee.write(to)?;
        to.u8(self.sol_referral_fee)?;
        write_optional(to, &self.sol_withdraw_authority)?;
        self.sol_withdrawal_fee.write(to)?;
        self.next_sol_withdrawal_fee.write(to)
    }

    /// Returns the pool tokens for `lamports`, rounded down. In an empty pool it is one token per lamport.
    pub fn tokens_for(&self, lamports: u64) -> Option<u64> {
        if self.total_lamports == 0 || self.token_supply == 0 {
            return Some(lamports);
        }
        mul_div_floor(lamports, self.token_supply, self.total_lamports)
    }

    /// Returns the lamports for pool tokens, rounded down.
    pub fn lamports_for(&self, tokens: u64) -> Option<u64> {
        if self.token_supply == 0 {
            return Some(0);
        }
        mul_div_floor(tokens, self.total_lamports, self.token_supply)
    }

    /// Fails with InvalidProgramAddress unless `authority` is the pool's withdraw authority.
    pub fn check_withdraw_authority(&self, program: &Address, pool: Account, authority: Account) -> Result {
        let seeds: [&[u8]; 3] = [pool.address().as_ref(), WITHDRAW_AUTHORITY_SEED, &[self.withdraw_bump]];
        let expected = Address::derive(&seeds, program)?;
        if *authority.address() == expected {
            Ok(())
        } else {
            Err(INVALID_PROGRAM_ADDRESS)
        }
    }

    /// Checks the pool's mint and returns its decimals.
    pub fn check_mint(&self, mint: Account) -> Result<u8> {
        if *mint.address() != self.mint {
            return Err(WRONG_POOL_MINT);
        }
        let data = mint.data()?;
        if data.len() < MINT_LEN {
            return Err(ProgramError::INVALID_ACCOUNT_DATA);
        }
        Ok(data[DECIMALS])
    }

    /// Fails with InvalidProgramAddress unless the account is the pool's reserve.
    pub fn check_reserve(&self, reserve: Account) -> Result {
        if *reserve.address() == self.reserve {
            Ok(())
        } else {
            Err(INVALID_PROGRAM_ADDRESS)
        }
    }

    /// Fails with IncorrectProgramId unless the account is the pool's token program.
    pub fn check_token_program(&self, token_program: Account) -> Result {
        if *token_program.address() == self.token_program {
            Ok(())
        } else {
            Err(ProgramError::INCORRECT_PROGRAM_ID)
        }
    }

    /// Fails with StakeListAndPoolOutOfDate unless the pool was updated in this epoch, because the rate of an earlier
    /// epoch must not be used.
    pub fn check_updated(&self) -> Result {
        if self.last_update_epoch < Clock::get()?.epoch {
            Err(STAKE_LIST_AND_POOL_OUT_OF_DATE)
        } else {
            Ok(())
        }
    }
}

/// Checks the signature that some pools require for deposits or withdrawals of SOL. The signer is the account after
/// the fixed ones.
pub fn check_authority(
    expected: &Option<Address>,
    given: Option<&Account>,
    otherwise: ProgramError,
) -> Result {
    let Some(expected) = expected else { return Ok(()) };
    let given = given.ok_or(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS)?;
    if given.address() != expected {
        return Err(otherwise);
    }
    if given.is_signer() {
        Ok(())
    } else {
        Err(SIGNATURE_MISSING)
    }
}

fn read_optional(from: &mut Reader) -> Option<Option<Address>> {
    if from.bool()? {
        from.address().map(Some)
    } else {
        Some(None)
    }
}

fn write_optional(to: &mut Writer, address: &Option<Address>) -> Result {
    match address {
        None => to.u8(0),
        Some(address) => {
            to.u8(1)?;
            to.address(address)
        }
    }
}
