//! The instruction `Create`.

use super::make::{Content, Make};
use super::mint_account::{self, NewMint};
use super::{leave_out, whole};
use crate::edition::MakeEdition;
use crate::error::{
    INVALID_TOKEN_STANDARD, MISSING_MASTER_EDITION_ACCOUNT, MISSING_PRINT_SUPPLY, MISSING_SPL_TOKEN_PROGRAM,
};
use crate::state::{
    optional, read_collection_details, read_token_standard, require, Collection, Fields, Uses, FUNGIBLE,
    NON_FUNGIBLE, PROGRAMMABLE_NON_FUNGIBLE,
};
use sluice_program::anchor;
use sluice_program::bytes::Reader;
use sluice_program::{log, Account, Address, ProgramError, Result};

const V1: u8 = 0;
/// The token standards whose prints the public program creates only with another instruction.
const EDITIONS: [u8; 2] = [3, 5];

/// What the instruction asks for.
pub struct Creation<'a> {
    content: Content<'a>,
    /// The decimals of a mint that does not exist yet.
    decimals: Option<u8>,
    print_supply: Option<PrintSupply>,
}

/// How many prints of a non-fungible token there may be.
#[derive(Clone, Copy)]
enum PrintSupply {
    Zero,
    Limited(u64),
    Unlimited,
}

/// Arguments: version, fields, whether the first sale is over, whether the fields are mutable, token standard,
/// collection, uses, collection details, rule set; decimals of a new mint; the print supply.
pub fn read(args: &[u8]) -> Option<Creation<'_>> {
    let from = &mut Reader::new(args);
    if from.u8()? != V1 {
        return None;
    }
    let mut fields = Fields::read_data(from)?;
    let primary_sale_happened = from.bool()?;
    let is_mutable = from.bool()?;
    let token_standard = Some(read_token_standard(from)?);
    fields.collection = optional(from, |from| Collection::read(from))?;
    fields.uses = optional(from, |from| Uses::read(from))?;
    let collection_details = optional(from, read_collection_details)?;
    optional(from, Reader::address)?;
    let decimals = optional(from, Reader::u8)?;
    let print_supply = optional(from, read_print_supply)?;
    let content = Content { fields, is_mutable, primary_sale_happened, token_standard, collection_details };
    whole(from, Creation { content, decimals, print_supply })
}

fn read_print_supply(from: &mut Reader) -> Option<PrintSupply> {
    match from.u8()? {
        0 => Some(PrintSupply::Zero),
        1 => from.u64().map(PrintSupply::Limited),
        2 => Some(PrintSupply::Unlimited),
        _ => None,
    }
}

/// Accounts: metadata, master edition of a non-fungible token, mint, its authority, payer, update authority, system
/// program, instructions sysvar, token program. The program's own address stands for an edition or a token program
/// that is left out.
pub fn run(program: &Address, accounts: &[Account], creation: &Creation) -> Result {
    let &[metadata, edition, mint, mint_authority, payer, update_authority, _system, _sysvar, token_program, ..] =
        accounts
    else {
        return Err(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS);
    };
    let standard = creation.content.token_standard.unwrap_or(FUNGIBLE);
    require(!EDITIONS.contains(&standard), INVALID_TOKEN_STANDARD)?;
    if standard == PROGRAMMABLE_NON_FUNGIBLE {
        return Err(leave_out("this stand-in makes no programmable assets"));
    }
    let make = Make { program, metadata, mint, mint_authority, payer, update_authority };
    let token_program = anchor::optional(token_program, program);
    make.pay()?;
    if mint.data_len() == 0 {
        let new = NewMint { mint, metadata, authority: mint_authority, payer, token_program };
        new.run(standard, creation.decimals)?;
    } else {
        mint_account::check(mint, metadata.address(), standard)?;
    }
    make.run(&creation.content)?;
    if standard == NON_FUNGIBLE {
        let wanted = Edition {
            account: anchor::optional(edition, program),
            token_program,
            print_supply: creation.print_supply,
        };
        return wanted.make(&make);
    }
    if creation.print_supply.is_some() {
        log::text("Ignoring print supply for selected token standard");
    }
    Ok(())
}

/// What the master edition of a non-fungible token is made of.
struct Edition<'a> {
    account: Option<Account<'a>>,
    token_program: Option<Account<'a>>,
    print_supply: Option<PrintSupply>,
}

impl<'a> Edition<'a> {
    #[inline(never)]
    fn make(&self, make: &Make<'a>) -> Result {
        let print_supply = self.print_supply.ok_or_else(|| ProgramError::from(MISSING_PRINT_SUPPLY))?;
        let edition = self.account.ok_or_else(|| ProgramError::from(MISSING_MASTER_EDITION_ACCOUNT))?;
        let token_program =
            self.token_program.ok_or_else(|| ProgramError::from(MISSING_SPL_TOKEN_PROGRAM))?;
        let most_prints = match print_supply {
            PrintSupply::Zero => Some(0),
            PrintSupply::Limited(most) => Some(most),
            PrintSupply::Unlimited => None,
        };
        let made = MakeEdition {
            program: make.program,
            edition,
            mint: make.mint,
            update_authority: make.update_authority,
            mint_authority: make.mint_authority,
            payer: make.payer,
            metadata: make.metadata,
            token_program,
        };
        made.run(most_prints, |supply| supply <= 1)
    }
}
