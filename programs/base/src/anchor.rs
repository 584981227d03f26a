//! The conventions of Anchor, with which most of the public programs are written: discriminators, error numbers, log
//! lines, and the order and errors of account checks.

use crate::account::{Account, Data};
use crate::address::Address;
use crate::error::{ProgramError, Result};
use crate::{log, sha256, system};

/// Returns the discriminator with which an instruction's data starts. `name` is in snake case.
pub const fn instruction(name: &str) -> [u8; 8] {
    sha256::discriminator("global", name)
}

/// Returns the discriminator with which an account's data starts. `name` is in camel case.
pub const fn account(name: &str) -> [u8; 8] {
    sha256::discriminator("account", name)
}

/// Returns the discriminator with which an event's data starts. `name` is in camel case.
pub const fn event(name: &str) -> [u8; 8] {
    sha256::discriminator("event", name)
}

/// An error with its number, as the program's interface description lists it. Its conversion to a [`ProgramError`],
/// also by `?`, logs the line in which clients look for the error's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnchorError {
    pub number: u32,
    pub name: &'static str,
    pub message: &'static str,
}

impl AnchorError {
    /// Makes an error. [`errors!`](crate::errors) declares constants with it.
    pub const fn new(number: u32, name: &'static str, message: &'static str) -> Self {
        Self { number, name, message }
    }

    /// Converts the error, and logs that the account which the interface calls `account` caused it.
    #[cold]
    #[inline(never)]
    pub fn of(&self, account: &str) -> ProgramError {
        self.log(log::Line::new().text("AnchorError caused by account: ").text(account))
    }

    #[cold]
    #[inline(never)]
    fn raise(&self) -> ProgramError {
        self.log(log::Line::new().text("AnchorError occurred"))
    }

    #[inline(never)]
    fn log(&self, line: &mut log::Line) -> ProgramError {
        line.text(". Error Code: ")
            .text(self.name)
            .text(". Error Number: ")
            .number(self.number as u64)
            .text(". Error Message: ")
            .text(self.message)
            .text(".")
            .emit();
        ProgramError::custom(self.number)
    }
}

impl From<AnchorError> for ProgramError {
    fn from(error: AnchorError) -> Self {
        error.raise()
    }
}

/// Declares a program's errors as constants: `errors! { NO_FILL = 6001 NoFill "No fill occurred" }`.
#[macro_export]
macro_rules! errors {
    ($($constant:ident = $number:literal $name:ident $message:literal)*) => {
        $(pub const $constant: $crate::AnchorError =
            $crate::AnchorError::new($number, stringify!($name), $message);)*
    };
}

errors! {
    INSTRUCTION_FALLBACK_NOT_FOUND = 101 InstructionFallbackNotFound "No instruction has this discriminator"
    INSTRUCTION_DID_NOT_DESERIALIZE = 102 InstructionDidNotDeserialize "The arguments could not be decoded"

    CONSTRAINT_MUT = 2000 ConstraintMut "The account must be writable"
    CONSTRAINT_HAS_ONE = 2001 ConstraintHasOne "The account names another account than the one given"
    CONSTRAINT_SIGNER = 2002 ConstraintSigner "The account must sign"
    CONSTRAINT_RAW = 2003 ConstraintRaw "A condition on the account does not hold"
    CONSTRAINT_OWNER = 2004 ConstraintOwner "The account has another owner"
    CONSTRAINT_RENT_EXEMPT = 2005 ConstraintRentExempt "The account must be exempt from rent"
    CONSTRAINT_SEEDS = 2006 ConstraintSeeds "The seeds derive another address"
    CONSTRAINT_EXECUTABLE = 2007 ConstraintExecutable "The account must be executable"
    CONSTRAINT_ADDRESS = 2012 ConstraintAddress "The account must be at another address"
    CONSTRAINT_ZERO = 2013 ConstraintZero "The account must be empty of data"
    CONSTRAINT_TOKEN_MINT = 2014 ConstraintTokenMint "The token account is of another mint"
    CONSTRAINT_TOKEN_OWNER = 2015 ConstraintTokenOwner "The token account is of another owner"
    CONSTRAINT_MINT_MINT_AUTHORITY = 2016 ConstraintMintMintAuthority "The mint has another mint authority"
    CONSTRAINT_MINT_DECIMALS = 2018 ConstraintMintDecimals "The mint has another number of decimals"
    CONSTRAINT_TOKEN_TOKEN_PROGRAM = 2021 ConstraintTokenTokenProgram "The token account is of another token program"
    CONSTRAINT_MINT_TOKEN_PROGRAM = 2022 ConstraintMintTokenProgram "The mint is of another token program"

    REQUIRE_VIOLATED = 2500 RequireViolated "A required condition does not hold"
    REQUIRE_EQ_VIOLATED = 2501 RequireEqViolated "Two values must be equal"
    REQUIRE_KEYS_EQ_VIOLATED = 2502 RequireKeysEqViolated "Two addresses must be equal"
    REQUIRE_NEQ_VIOLATED = 2503 RequireNeqViolated "Two values must differ"
    REQUIRE_KEYS_NEQ_VIOLATED = 2504 RequireKeysNeqViolated "Two addresses must differ"
    REQUIRE_GT_VIOLATED = 2505 RequireGtViolated "A value must be greater than another"
    REQUIRE_GTE_VIOLATED = 2506 RequireGteViolated "A value must not be less than another"

    ACCOUNT_DISCRIMINATOR_ALREADY_SET = 3000 AccountDiscriminatorAlreadySet "The account is already initialized"
    ACCOUNT_DISCRIMINATOR_NOT_FOUND = 3001 AccountDiscriminatorNotFound "The account has no discriminator"
    ACCOUNT_DISCRIMINATOR_MISMATCH = 3002 AccountDiscriminatorMismatch "The account is of another type"
    ACCOUNT_DID_NOT_DESERIALIZE = 3003 AccountDidNotDeserialize "The account could not be decoded"
    ACCOUNT_NOT_ENOUGH_KEYS = 3005 AccountNotEnoughKeys "The instruction needs more accounts"
    ACCOUNT_NOT_MUTABLE = 3006 AccountNotMutable "The account must be writable"
    ACCOUNT_OWNED_BY_WRONG_PROGRAM = 3007 AccountOwnedByWrongProgram "The account is owned by another program"
    INVALID_PROGRAM_ID = 3008 InvalidProgramId "The account is another program"
    INVALID_PROGRAM_EXECUTABLE = 3009 InvalidProgramExecutable "The program must be executable"
    ACCOUNT_NOT_SIGNER = 3010 AccountNotSigner "The account must sign"
    ACCOUNT_NOT_SYSTEM_OWNED = 3011 AccountNotSystemOwned "The account must be owned by the system program"
    ACCOUNT_NOT_INITIALIZED = 3012 AccountNotInitialized "The account does not exist yet"
    ACCOUNT_SYSVAR_MISMATCH = 3015 AccountSysvarMismatch "The account is another sysvar"
}

/// Splits an instruction's data into discriminator and arguments. Fails with InstructionFallbackNotFound if there are
/// fewer than 8 bytes.
pub fn split_instruction(data: &[u8]) -> Result<(&[u8; 8], &[u8])> {
    match data.split_first_chunk() {
        Some(split) => Ok(split),
        None => Err(INSTRUCTION_FALLBACK_NOT_FOUND.into()),
    }
}

/// Logs the instruction's name, then runs it.
#[inline(always)]
pub fn named(name: &str, run: impl FnOnce() -> Result) -> Result {
    log::Line::new().text("Instruction: ").text(name).emit();
    run()
}

/// Returns the decoded arguments. Fails with InstructionDidNotDeserialize if the decoder returned None.
pub fn decoded<T>(value: Option<T>) -> Result<T> {
    value.ok_or_else(|| INSTRUCTION_DID_NOT_DESERIALIZE.into())
}

/// Splits the accounts into the first `N` and the rest. Fails with AccountNotEnoughKeys if there are fewer than `N`.
pub fn accounts<'s, 'a, const N: usize>(
    accounts: &'s [Account<'a>],
) -> Result<(&'s [Account<'a>; N], &'s [Account<'a>])> {
    match accounts.split_first_chunk() {
        Some(split) => Ok(split),
        None => Err(ACCOUNT_NOT_ENOUGH_KEYS.into()),
    }
}

/// Fails with AccountNotSigner unless the account signed.
pub fn check_signer(account: Account, name: &str) -> Result {
    if account.is_signer() {
        Ok(())
    } else {
        Err(ACCOUNT_NOT_SIGNER.of(name))
    }
}

/// Fails with ConstraintMut unless the account is writable.
pub fn check_writable(account: Account, name: &str) -> Result {
    if account.is_writable() {
        Ok(())
    } else {
        Err(CONSTRAINT_MUT.of(name))
    }
}

/// Fails with ConstraintAddress unless the account stands at `expected`.
pub fn check_address(account: Account, expected: &Address, name: &str) -> Result {
    if account.address() == expected {
        Ok(())
    } else {
        Err(CONSTRAINT_ADDRESS.of(name))
    }
}

/// Fails with InvalidProgramId unless the account is one of `programs`, and with InvalidProgramExecutable unless it
/// is executable.
pub fn check_program(account: Account, programs: &[Address], name: &str) -> Result {
    if !programs.contains(account.address()) {
        return Err(INVALID_PROGRAM_ID.of(name));
    }
    if account.is_executable() {
        Ok(())
    } else {
        Err(INVALID_PROGRAM_EXECUTABLE.of(name))
    }
}

/// Checks that one of `programs` owns the account. Fails with AccountNotInitialized if the account does not exist,
/// and with AccountOwnedByWrongProgram otherwise.
pub fn check_owner(account: Account, programs: &[Address], name: &str) -> Result {
    if programs.contains(&account.owner()) {
        return Ok(());
    }
    let absent = account.is_owned_by(&system::PROGRAM) && account.lamports() == 0;
    let error = if absent { ACCOUNT_NOT_INITIALIZED } else { ACCOUNT_OWNED_BY_WRONG_PROGRAM };
    Err(error.of(name))
}

/// Returns the data of an account of `program` that starts with `discriminator`. Fails as [`check_owner`] does, with
/// AccountDiscriminatorNotFound if the data is shorter than a discriminator, and with AccountDiscriminatorMismatch if
/// it starts with another one.
pub fn load<'a>(
    account: Account<'a>,
    program: &Address,
    discriminator: &[u8; 8],
    name: &str,
) -> Result<Data<'a>> {
    check_owner(account, core::slice::from_ref(program), name)?;
    check_discriminator(account, discriminator, name)
}

/// Does the same as [`load`], but as Anchor's `AccountLoader` does it: AccountOwnedByWrongProgram is also the error
/// if the account does not exist.
#[inline(always)]
pub fn load_zero_copy<'a>(
    account: Account<'a>,
    program: &Address,
    discriminator: &[u8; 8],
    name: &str,
) -> Result<Data<'a>> {
    if !account.is_owned_by(program) {
        return Err(ACCOUNT_OWNED_BY_WRONG_PROGRAM.of(name));
    }
    check_discriminator(account, discriminator, name)
}

pub(crate) fn check_discriminator<'a>(
    account: Account<'a>,
    discriminator: &[u8; 8],
    name: &str,
) -> Result<Data<'a>> {
    let data = account.data()?;
    match data.first_chunk::<8>() {
        None => Err(ACCOUNT_DISCRIMINATOR_NOT_FOUND.of(name)),
        Some(found) if found != discriminator => Err(ACCOUNT_DISCRIMINATOR_MISMATCH.of(name)),
        Some(_) => Ok(data),
    }
}

/// Returns the account of an optional place. If there is none, the place holds `program`'s own address.
#[inline(always)]
pub fn optional<'a>(account: Account<'a>, program: &Address) -> Option<Account<'a>> {
    if account.address() == program {
        None
    } else {
        Some(account)
    }
}

/// Checks that the account stands at the address which `program` derives from the seeds, and returns the bump. Fails
/// with ConstraintSeeds otherwise.
#[inline(always)]
pub fn check_derived(account: Account, seeds: &[&[u8]], program: &Address, name: &str) -> Result<u8> {
    let (expected, bump) = Address::find(seeds, program)?;
    if *account.address() == expected {
        Ok(bump)
    } else {
        Err(CONSTRAINT_SEEDS.of(name))
    }
}

/// Creates an account at the address that the running program derives from at most four seeds.
pub struct CreateDerived<'s, 'a> {
    pub payer: Account<'a>,
    pub account: Account<'a>,
    pub seeds: &'s [&'s [u8]],
    pub space: usize,
    /// The program that derives the address. It must be the running one.
    pub program: &'s Address,
    pub owner: &'s Address,
    pub name: &'s str,
}

impl CreateDerived<'_, '_> {
    /// Creates the account and returns the bump. Fails with ConstraintSeeds if the account stands at another address.
    #[inline(always)]
    pub fn invoke(&self) -> Result<u8> {
        let bump = check_derived(self.account, self.seeds, self.program, self.name)?;
        let bump_seed = [bump];
        let mut signer: [&[u8]; 5] = [&[]; 5];
        signer[..self.seeds.len()].copy_from_slice(self.seeds);
        signer[self.seeds.len()] = &bump_seed;
        system::Create { payer: self.payer, account: self.account, space: self.space, owner: self.owner }
            .invoke(&[&signer[..=self.seeds.len()]])?;
        Ok(bump)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn discriminators_are_those_of_public_interface_descriptions() {
        assert_eq!(super::instruction("fill_exact_in"), [222, 208, 6, 209, 154, 163, 54, 94]);
        assert_eq!(super::instruction("swap_base_input"), [0x8f, 0xbe, 0x5a, 0xda, 0xc4, 0x1e, 0x33, 0xde]);
        assert_eq!(super::event("SwapsEvent"), [0x98, 0x2f, 0x4e, 0xeb, 0xc0, 0x60, 0x6e, 0x6a]);
        assert_eq!(super::account("TokenLedger"), [0x9c, 0xf7, 0x09, 0xbc, 0x36, 0x6c, 0x55, 0x4d]);
    }
}
