//! Creates a position. The holder of the position's token is its owner.

use crate::checks;
use crate::error::{INVALID_NEXT_POSITION_ID, INVALID_VAULT_ID};
use crate::instructions::{metadata, vault_id};
use crate::keys::{ADMIN_SEED, POSITION_MINT_SEED, POSITION_SEED, PROGRAM};
use crate::state::admin;
use crate::state::position::Position;
use crate::state::vault::Vault;
use sluice_lending::metadata::{Create, PrintSupply};
use sluice_lending::METADATA_PROGRAM;
use sluice_program::anchor::{self, decoded};
use sluice_program::associated_token::{self, CreateIdempotent};
use sluice_program::layout::Layout;
use sluice_program::token::{self, InitializeMint2, MintTo, PROGRAMS};
use sluice_program::{cpi, instructions, system, Account, Result};

/// The accounts with which a position's token is created.
struct Context<'a> {
    signer: Account<'a>,
    admin: Account<'a>,
    mint: Account<'a>,
    holding: Account<'a>,
    token_program: Account<'a>,
    system_program: Account<'a>,
}

/// Arguments: the vault's id, and the position's id, which must be the next one. Any wallet may sign; it receives the
/// position's token.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (vault_id, mut from) = vault_id(args)?;
    let id = decoded(from.u32())?;
    let (&[signer, admin, vault, position, mint, holding, metadata_account, ref rest @ ..], _) =
        anchor::accounts::<13>(accounts)?;
    let &[token_program, associated_program, system_program, sysvar_instructions, metadata_program, _rent] =
        rest;
    anchor::check_signer(signer, "signer")?;
    let admin_bump = admin::bump(admin)?;
    let mut state = Vault::load_writable(vault)?;
    anchor::check_program(token_program, &PROGRAMS, "token_program")?;
    anchor::check_program(associated_program, &[associated_token::PROGRAM], "associated_token_program")?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    anchor::check_address(sysvar_instructions, &instructions::ADDRESS, "sysvar_instruction")?;
    anchor::check_address(metadata_program, &METADATA_PROGRAM, "metadata_program")?;
    checks::require(state.vault_id == vault_id, INVALID_VAULT_ID)?;
    checks::require(state.next_position_id == id, INVALID_NEXT_POSITION_ID)?;

    let (vault_seed, id_seed) = (vault_id.to_le_bytes(), id.to_le_bytes());
    checks::create(signer, position, &[POSITION_SEED, &vault_seed, &id_seed], Position::SPACE, "position")?;
    Position::new(vault_id, id, mint.address()).store(position)?;
    let context = Context { signer, admin, mint, holding, token_program, system_program };
    create_mint(&context, &vault_seed, &id_seed)?;
    state.total_positions = state.total_positions.checked_add(1).ok_or(INVALID_NEXT_POSITION_ID)?;
    state.next_position_id = id.checked_add(1).ok_or(INVALID_NEXT_POSITION_ID)?;
    state.store(vault)?;
    let call = Create {
        metadata: metadata_account,
        mint,
        authority: admin,
        payer: signer,
        system_program,
        sysvar_instructions,
        token_program,
        program: metadata_program,
        decimals: 0,
        supply: PrintSupply::Zero,
    };
    metadata::create(&call, vault_id, admin_bump)?;
    mint_token(&context, admin_bump)
}

/// Creates the position's mint, and the signer's token account for it.
#[inline(never)]
fn create_mint(context: &Context, vault: &[u8], id: &[u8]) -> Result {
    let Context { signer, admin, mint, holding, token_program, system_program } = *context;
    anchor::CreateDerived {
        payer: signer,
        account: mint,
        seeds: &[POSITION_MINT_SEED, vault, id],
        space: token::MINT_LEN,
        program: &PROGRAM,
        owner: token_program.address(),
        name: "position_mint",
    }
    .invoke()?;
    InitializeMint2 { program: token_program, mint, decimals: 0, mint_authority: admin.address() }
        .invoke()?;
    CreateIdempotent { payer: signer, account: holding, wallet: signer, mint, system_program, token_program }
        .invoke()
}

/// Mints the only token, and removes the mint authority so that no other can be minted.
#[inline(never)]
fn mint_token(context: &Context, admin_bump: u8) -> Result {
    let Context { admin, mint, holding, token_program, .. } = *context;
    let seeds: [&[u8]; 2] = [ADMIN_SEED, &[admin_bump]];
    MintTo { program: token_program, mint, destination: holding, authority: admin, amount: 1 }
        .invoke(&[&seeds])?;
    // SetAuthority of the token program removes the mint authority.
    let accounts = [mint.writable(), admin.readonly_signer()];
    cpi::invoke(token_program.address(), &accounts, &[6, 0, 0], &[&seeds])
}
