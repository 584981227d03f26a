//! The instruction `initialize_virtual_pool_with_spl_token`.

use super::context::Context;
use super::{check_config, check_token_type, finish, mint_supply, read_texts, Authorities};
use crate::error::{require, ACCOUNT_INVARIANT_VIOLATION};
use crate::keys::METADATA_PROGRAM;
use crate::state::config::SPL_TOKEN;
use crate::supply;
use crate::token::{with_authority, Token};
use sluice_program::anchor::{self, decoded};
use sluice_program::heap::List;
use sluice_program::{cpi, token, Account, Address, Result};

/// The tags of the metadata program's instructions.
const CREATE_METADATA: u8 = 33;
const UPDATE_METADATA: u8 = 15;

/// The accounts of the token's metadata.
struct Metadata<'a> {
    account: Account<'a>,
    program: Account<'a>,
}

/// Arguments: name, symbol and link of the token, which the metadata program keeps.
pub fn with_spl_token(accounts: &[Account], args: &[u8]) -> Result {
    let texts = decoded(read_texts(args))?;
    let (given, _) = anchor::accounts::<16>(accounts)?;
    let &[config, authority, creator, base_mint, quote_mint, pool, base_vault, quote_vault, ref rest @ ..] =
        given;
    let &[account, metadata_program, payer, quote_program, token_program, ref rest @ ..] = rest;
    let &[system_program, event_authority, _] = rest;
    let context = Context {
        config,
        authority,
        creator,
        base: Token { mint: base_mint, vault: base_vault, program: token_program },
        quote: Token { mint: quote_mint, vault: quote_vault, program: quote_program },
        pool,
        payer,
        system_program,
        event_authority,
    };
    run(&context, &Metadata { account, program: metadata_program }, texts)
}

#[inline(never)]
fn run(context: &Context, metadata: &Metadata, texts: &[u8]) -> Result {
    let config = context.check(&token::PROGRAM)?;
    anchor::check_writable(metadata.account, "mint_metadata")?;
    anchor::check_address(metadata.program, &METADATA_PROGRAM, "metadata_program")?;
    context.create_mint(token::MINT_LEN)?;
    context.initialize_mint(config.token_decimals)?;
    context.create_pool()?;
    check_config(&config)?;
    let supply = supply::initial(&config, context.config)?;
    check_token_type(&config, SPL_TOKEN)?;
    let authorities = Authorities::of(&config, context)?;
    write_metadata(context, metadata, texts, authorities.update.as_ref())?;
    mint_supply(context, supply, authorities.mint.as_ref())?;
    finish(context, &config, supply)
}

/// Creates the metadata, and gives the right to change it to `update_authority`. Metadata that nobody may change is
/// also marked so.
#[inline(never)]
fn write_metadata(
    context: &Context,
    metadata: &Metadata,
    texts: &[u8],
    update_authority: Option<&Address>,
) -> Result {
    let authority = context.authority;
    let before = (authority.lamports(), authority.owner(), authority.data_len());
    create(context, metadata, texts, update_authority.is_some())?;
    update(context, metadata, update_authority.unwrap_or(&Address::ZERO))?;
    let (lamports, owner, len) = before;
    let is_same =
        authority.lamports() >= lamports && authority.is_owned_by(&owner) && authority.data_len() == len;
    require(is_same, ACCOUNT_INVARIANT_VIOLATION)
}

/// The token has no seller fee, creators, collection and uses, and no details of a collection.
#[inline(never)]
fn create(context: &Context, metadata: &Metadata, texts: &[u8], is_mutable: bool) -> Result {
    let mut data = List::<u8>::with_capacity(texts.len() + 8)?;
    data.push(CREATE_METADATA)?;
    data.extend(texts)?;
    data.extend(&[0, 0, 0, 0, 0, is_mutable as u8, 0])?;
    let accounts = [
        metadata.account.writable(),
        context.base.mint.readonly(),
        context.authority.readonly_signer(),
        context.payer.writable_signer(),
        context.authority.readonly(),
        context.system_program.readonly(),
    ];
    with_authority(|signers| cpi::invoke(metadata.program.address(), &accounts, &data, signers))
}

/// Changes nothing but the update authority.
#[inline(never)]
fn update(context: &Context, metadata: &Metadata, update_authority: &Address) -> Result {
    let mut data = [0; 1 + 1 + 33 + 1 + 1];
    data[0] = UPDATE_METADATA;
    data[2] = 1;
    data[3..35].copy_from_slice(&update_authority.0);
    let accounts = [metadata.account.writable(), context.authority.readonly_signer()];
    with_authority(|signers| cpi::invoke(metadata.program.address(), &accounts, &data, signers))
}
