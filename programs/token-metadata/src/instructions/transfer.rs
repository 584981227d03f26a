//! The instruction `Transfer`.

use super::{check_programs, leave_out, Amount};
use crate::calls::CreateAssociated;
use crate::error::{
    INCORRECT_OWNER, INSUFFICIENT_TOKEN_BALANCE, INVALID_AMOUNT, INVALID_AUTHORITY_TYPE, INVALID_OWNER,
    INVALID_TOKEN_PROGRAM, MINT_MISMATCH,
};
use crate::holding::Holding;
use crate::state::{self, require, Metadata};
use sluice_program::bytes;
use sluice_program::token::{self, TokenAccount, PROGRAMS};
use sluice_program::{anchor, associated_token, Account, Address, ProgramError, Result};

/// The program with the rules of programmable assets, which a client may name for any asset.
const AUTHORIZATION_RULES: Address = Address::from_base58("auth9SigNpDKz4sJJ1DfCTuZrZNSAgh9sFD3rboVmgg");

/// Where a token account has its delegate, after a tag of four bytes, and how much the delegate may transfer.
const DELEGATE_TAG: usize = 72;
const DELEGATE: usize = 76;
const DELEGATED_AMOUNT: usize = 121;

/// The accounts of the instruction that are used more than once.
struct Parties<'a> {
    token: Account<'a>,
    token_owner: Account<'a>,
    destination: Account<'a>,
    destination_owner: Account<'a>,
    mint: Account<'a>,
    authority: Account<'a>,
    payer: Account<'a>,
    system: Account<'a>,
    token_program: Account<'a>,
}

/// Accounts: token account and its owner, destination and its owner, mint, metadata, edition, two token records, authority
/// and payer, which sign, system program, instructions sysvar, token program, associated token program, and two of the
/// authorization rules. The authority is the owner, or the delegate of the token program.
pub fn run(program: &Address, accounts: &[Account], amount: &Amount) -> Result {
    let &[token, token_owner, destination, destination_owner, mint, account, edition, record, _, authority, payer, system, sysvar, token_program, ata_program, rules_program, rules, ..] =
        accounts
    else {
        return Err(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS);
    };
    amount.refuse_authorization()?;
    require(amount.atoms > 0, INVALID_AMOUNT)?;
    if !authority.is_signer() {
        return Err(ProgramError::MISSING_REQUIRED_SIGNATURE);
    }
    require(account.is_owned_by(program), INCORRECT_OWNER)?;
    let is_token = |account: Account| account.is_owned_by(token_program.address());
    require(is_token(mint) && is_token(token), INCORRECT_OWNER)?;
    let is_own =
        |account: Account| anchor::optional(account, program).is_none_or(|it| it.is_owned_by(program));
    require(is_own(record) && is_own(edition), INCORRECT_OWNER)?;
    // A transfer of an account to itself is none, as in the public program's build of 2026.
    if token.is(destination) {
        return Ok(());
    }
    let asks_for_rules = [record, rules].iter().any(|account| account.address() != program);
    if asks_for_rules {
        return Err(leave_out("token records belong to programmable assets, which this stand-in leaves out"));
    }
    let bytes = state::copy_of(account, program)?;
    let metadata = Metadata::decode(&bytes)?;
    let parties = Parties {
        token,
        token_owner,
        destination,
        destination_owner,
        mint,
        authority,
        payer,
        system,
        token_program,
    };
    parties.prepare_destination(metadata.token_standard)?;
    require(PROGRAMS.contains(token_program.address()), INVALID_TOKEN_PROGRAM)?;
    if *ata_program.address() != associated_token::PROGRAM {
        return Err(ProgramError::INCORRECT_PROGRAM_ID);
    }
    check_programs(system, sysvar)?;
    if anchor::optional(rules_program, program).is_some_and(|it| *it.address() != AUTHORIZATION_RULES) {
        return Err(ProgramError::INCORRECT_PROGRAM_ID);
    }
    parties.check_holding(&metadata.mint, amount.atoms)?;
    parties.transfer(amount.atoms)
}

impl Parties<'_> {
    /// Creates the destination if it does not exist, or checks it.
    #[inline(never)]
    fn prepare_destination(&self, standard: Option<u8>) -> Result {
        if self.destination.data_len() != 0 {
            let holding = Holding {
                account: self.destination,
                mint: self.mint,
                owner: Some(self.destination_owner),
                token_program: self.token_program,
            };
            return holding.check(standard);
        }
        let create = CreateAssociated {
            payer: self.payer,
            account: self.destination,
            wallet: self.destination_owner,
            mint: self.mint,
            system_program: self.system,
            token_program: self.token_program,
        };
        create.invoke()
    }

    /// Checks that the token account holds enough of the asset, and that the authority may transfer that much.
    #[inline(never)]
    fn check_holding(&self, asset: &Address, atoms: u64) -> Result {
        let holding = TokenAccount::load(self.token, "token")?;
        require(holding.owner == *self.token_owner.address(), INVALID_OWNER)?;
        require(holding.mint == *self.mint.address(), MINT_MISMATCH)?;
        require(holding.amount >= atoms, INSUFFICIENT_TOKEN_BALANCE)?;
        require(holding.mint == *asset, MINT_MISMATCH)?;
        if holding.owner == *self.authority.address() {
            return Ok(());
        }
        let data = self.token.data()?;
        let is_delegate = data.get(DELEGATE_TAG) == Some(&1)
            && bytes::address_at(&data, DELEGATE).as_ref() == Some(self.authority.address());
        require(is_delegate, INVALID_AUTHORITY_TYPE)?;
        let delegated = bytes::u64_at(&data, DELEGATED_AMOUNT).unwrap_or(0);
        require(delegated >= atoms, INSUFFICIENT_TOKEN_BALANCE)
    }

    #[inline(never)]
    fn transfer(&self, amount: u64) -> Result {
        let decimals = token::Mint::load(self.mint, "mint")?.decimals;
        let call = token::TransferChecked {
            program: self.token_program,
            source: self.token,
            mint: self.mint,
            destination: self.destination,
            authority: self.authority,
            amount,
            decimals,
        };
        call.invoke(&[])
    }
}
