//! The instruction `initialize_virtual_pool_with_token2022`.

use super::context::Context;
use super::{check_config, check_token_type, finish, mint_supply, read_texts, Authorities};
use crate::state::config::TOKEN_2022;
use crate::supply;
use crate::token::{with_authority, MintRight, SetAuthority, Token};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Writer;
use sluice_program::heap::List;
use sluice_program::sysvar::Rent;
use sluice_program::{cpi, system, token, Account, Address, Result};

/// The length of a mint with a metadata pointer: the common part, one byte with the account's type, and the extension
/// with its header.
const MINT_LEN: usize = 165 + 1 + (4 + 64);
/// The tags of Token-2022's instructions for the pointer and for the metadata.
const INITIALIZE_POINTER: [u8; 2] = [39, 0];
const INITIALIZE_METADATA: [u8; 8] = [210, 225, 30, 162, 88, 184, 77, 141];
const UPDATE_METADATA_AUTHORITY: [u8; 8] = [215, 228, 166, 228, 84, 100, 86, 123];

/// Arguments: name, symbol and link of the token, which the mint itself keeps.
pub fn with_token_2022(accounts: &[Account], args: &[u8]) -> Result {
    let texts = decoded(read_texts(args))?;
    let (given, _) = anchor::accounts::<14>(accounts)?;
    let &[config, authority, creator, base_mint, quote_mint, pool, base_vault, quote_vault, ref rest @ ..] =
        given;
    let &[payer, quote_program, token_program, system_program, event_authority, _] = rest;
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
    run(&context, texts)
}

#[inline(never)]
fn run(context: &Context, texts: &[u8]) -> Result {
    let config = context.check(&token::PROGRAM_2022)?;
    context.create_mint(MINT_LEN)?;
    initialize_pointer(context)?;
    context.initialize_mint(config.token_decimals)?;
    context.create_pool()?;
    check_config(&config)?;
    check_token_type(&config, TOKEN_2022)?;
    write_metadata(context, texts)?;
    let authorities = Authorities::of(&config, context)?;
    hand_over(context, authorities.update.as_ref())?;
    let supply = supply::initial(&config, context.config)?;
    mint_supply(context, supply, authorities.mint.as_ref())?;
    finish(context, &config, supply)
}

/// Makes the mint the place of its own metadata.
#[inline(never)]
fn initialize_pointer(context: &Context) -> Result {
    let mut data = [0; 2 + 32 + 32];
    let mut writer = Writer::new(&mut data);
    writer.array(&INITIALIZE_POINTER)?;
    writer.address(context.authority.address())?;
    writer.address(context.base.mint.address())?;
    cpi::invoke(context.base.program.address(), &[context.base.mint.writable()], &data, &[])
}

/// Writes the metadata, whose first authority is the creator, and pays for its room.
#[inline(never)]
fn write_metadata(context: &Context, texts: &[u8]) -> Result {
    let mut data = List::<u8>::with_capacity(texts.len() + 8)?;
    data.extend(&INITIALIZE_METADATA)?;
    data.extend(texts)?;
    let mint = context.base.mint;
    let accounts =
        [mint.writable(), context.creator.readonly(), mint.readonly(), context.authority.readonly_signer()];
    let program = context.base.program.address();
    with_authority(|signers| cpi::invoke(program, &accounts, &data, signers))?;
    let needed = Rent::get()?.minimum_balance(mint.data_len());
    match needed.checked_sub(mint.lamports()) {
        Some(lamports @ 1..) => system::Transfer { from: context.payer, to: mint, lamports }.invoke(&[]),
        _ => Ok(()),
    }
}

/// Gives the rights to move the pointer and to change the metadata away. None means that nobody has them.
#[inline(never)]
fn hand_over(context: &Context, to: Option<&Address>) -> Result {
    let (program, mint, authority) = (context.base.program, context.base.mint, context.authority);
    let right = MintRight::MetadataPointer;
    let change = SetAuthority { program, mint, authority, right, to };
    with_authority(|signers| change.invoke(signers))?;
    let mut data = [0; 8 + 32];
    let mut writer = Writer::new(&mut data);
    writer.array(&UPDATE_METADATA_AUTHORITY)?;
    writer.address(to.unwrap_or(&Address::ZERO))?;
    let accounts = [mint.writable(), context.creator.readonly_signer()];
    cpi::invoke(program.address(), &accounts, &data, &[])
}
