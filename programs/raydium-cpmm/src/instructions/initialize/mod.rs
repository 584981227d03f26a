//! The instructions that create a pool.

mod by_anyone;
mod with_permission;

pub use by_anyone::by_anyone;
pub use with_permission::with_permission;

use crate::checks;
use crate::error::{in_range, EMPTY_SUPPLY, INIT_LP_AMOUNT_TOO_LESS, NOT_APPROVED, NOT_SUPPORT_MINT};
use crate::instructions::permission;
use crate::keys::{
    AUTHORITY, AUTHORITY_BUMP, CREATE_POOL_FEE_RECEIVER, LP_MINT_SEED, OBSERVATION_SEED, PERMISSION_SEED,
    POOL_SEED, PROGRAM, VAULT_SEED,
};
use crate::mint;
use crate::state::config::AmmConfig;
use crate::state::{observation, pool};
use crate::transfer::{with_authority, Token};
use sluice_program::cpi;
use sluice_program::math::widening_mul;
use sluice_program::sysvar::Clock;
use sluice_program::token::{
    self, InitializeAccount3, InitializeMint2, Mint, MintTo, SyncNative, TokenAccount,
};
use sluice_program::{anchor, associated_token, log, system, wide, Account, Address, Result};

const LP_DECIMALS: u8 = 9;

/// This many LP atoms of the first liquidity are never minted, so that an LP atom cannot become too valuable to buy.
const LOCKED_LP: u64 = 100;

/// The accounts in the interface's order. Pairs are of token 0 and token 1.
struct Context<'a> {
    payer: Account<'a>,
    /// Receives the creator fee if the pool has one.
    creator: Account<'a>,
    amm_config: Account<'a>,
    authority: Account<'a>,
    pool: Account<'a>,
    mints: [Account<'a>; 2],
    lp_mint: Account<'a>,
    users: [Account<'a>; 2],
    user_lp: Account<'a>,
    vaults: [Account<'a>; 2],
    fee_receiver: Account<'a>,
    observation: Account<'a>,
    permission: Option<Account<'a>>,
    token_program: Account<'a>,
    programs: [Account<'a>; 2],
    associated: Account<'a>,
    system: Account<'a>,
}

/// The fields that the checks read.
struct Checked {
    config: AmmConfig,
    decimals: [u8; 2],
    vault_bumps: [u8; 2],
}

struct Terms {
    amounts: [u64; 2],
    open_time: u64,
    creator_fee_on: u8,
    enable_creator_fee: bool,
}

fn create(context: &Context, checked: &Checked, terms: &Terms, permits: &[Account]) -> Result {
    create_lp_accounts(context)?;
    create_observation(context)?;
    check_bindings(context)?;

    let supported =
        [mint::is_supported(context.mints[0], permits)?, mint::is_supported(context.mints[1], permits)?];
    if supported != [true, true] {
        return Err(NOT_SUPPORT_MINT.into());
    }
    if checked.config.disable_create_pool {
        return Err(NOT_APPROVED.into());
    }
    create_vault(context, 0, checked.vault_bumps[0])?;
    create_vault(context, 1, checked.vault_bumps[1])?;
    create_pool(context)?;
    observation::initialize(&mut context.observation.data_mut()?, context.pool.address())?;

    for side in 0..2 {
        let token = Token {
            mint: context.mints[side],
            decimals: checked.decimals[side],
            program: context.programs[side],
        };
        let (from, to) = (context.users[side], context.vaults[side]);
        token.transfer(from, to, context.payer, (terms.amounts[side], &[]))?;
    }
    let liquidity = mint_first_lp(context)?;
    pay_for_creation(context, checked.config.create_pool_fee)?;
    write_pool(context, checked, terms, liquidity)
}

/// Checks the types of all accounts that already exist. `names` are those of the payer and its two token accounts.
#[inline(never)]
fn check_types(context: &Context, names: [&str; 3]) -> Result<Checked> {
    anchor::check_signer(context.payer, names[0])?;
    let config = checks::amm_config(context.amm_config)?;
    let decimals = [
        Mint::load(context.mints[0], "token_0_mint")?.decimals,
        Mint::load(context.mints[1], "token_1_mint")?.decimals,
    ];
    TokenAccount::load(context.users[0], names[1])?;
    TokenAccount::load(context.users[1], names[2])?;
    TokenAccount::load(context.fee_receiver, "create_pool_fee")?;
    if let Some(permission) = context.permission {
        permission::check(permission)?;
    }
    anchor::check_program(context.token_program, &[token::PROGRAM], "token_program")?;
    anchor::check_program(context.programs[0], &token::PROGRAMS, "token_0_program")?;
    anchor::check_program(context.programs[1], &token::PROGRAMS, "token_1_program")?;
    anchor::check_program(context.associated, &[associated_token::PROGRAM], "associated_token_program")?;
    checks::system_program(context.system)?;
    let vault_bumps = [vault_address(context, 0)?.1, vault_address(context, 1)?.1];
    Ok(Checked { config, decimals, vault_bumps })
}

/// Checks the relations between the accounts, after the instruction has created its own accounts.
#[inline(never)]
fn check_bindings(context: &Context) -> Result {
    let [payer_0, payer_1] = match context.permission {
        None => ["creator_token_0", "creator_token_1"],
        Some(_) => ["payer_token_0", "payer_token_1"],
    };
    anchor::check_writable(context.payer, if context.permission.is_none() { "creator" } else { "payer" })?;
    checks::authority(context.authority)?;
    anchor::check_writable(context.pool, "pool_state")?;
    if context.mints[0].address() >= context.mints[1].address() {
        return Err(anchor::CONSTRAINT_RAW.of("token_0_mint"));
    }
    check_mint_program(context, 0, "token_0_mint")?;
    check_mint_program(context, 1, "token_1_mint")?;
    check_user(context, 0, payer_0)?;
    check_user(context, 1, payer_1)?;
    for (side, name) in [(0, "token_0_vault"), (1, "token_1_vault")] {
        checks::derived(context.vaults[side], &vault_address(context, side)?.0, name)?;
        anchor::check_writable(context.vaults[side], name)?;
    }
    anchor::check_writable(context.fee_receiver, "create_pool_fee")?;
    anchor::check_address(context.fee_receiver, &CREATE_POOL_FEE_RECEIVER, "create_pool_fee")?;
    if let Some(permission) = context.permission {
        let (expected, _) = Address::find(&[PERMISSION_SEED, &context.payer.address().0], &PROGRAM)?;
        checks::derived(permission, &expected, "permission")?;
    }
    Ok(())
}

fn check_mint_program(context: &Context, side: usize, name: &str) -> Result {
    let owned = context.mints[side].is_owned_by(context.programs[side].address());
    if owned {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_MINT_TOKEN_PROGRAM.of(name))
    }
}

fn check_user(context: &Context, side: usize, name: &str) -> Result {
    let loaded = TokenAccount::load(context.users[side], name)?;
    anchor::check_writable(context.users[side], name)?;
    if loaded.owner != *context.payer.address() {
        return Err(anchor::CONSTRAINT_TOKEN_OWNER.of(name));
    }
    let of_mint = loaded.mint == *context.mints[side].address();
    if of_mint {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_TOKEN_MINT.of(name))
    }
}

fn vault_address(context: &Context, side: usize) -> Result<(Address, u8)> {
    Address::find(&[VAULT_SEED, &context.pool.address().0, &context.mints[side].address().0], &PROGRAM)
}

/// Creates the LP mint, and the payer's associated token account for it.
#[inline(never)]
fn create_lp_accounts(context: &Context) -> Result {
    let pool = &context.pool.address().0;
    let (expected, bump) = Address::find(&[LP_MINT_SEED, pool], &PROGRAM)?;
    checks::derived(context.lp_mint, &expected, "lp_mint")?;
    let (payer, lp_mint, program) = (context.payer, context.lp_mint, context.token_program);
    system::Create { payer, account: lp_mint, space: token::MINT_LEN, owner: &token::PROGRAM }
        .invoke(&[&[LP_MINT_SEED, pool, &[bump]]])?;
    InitializeMint2 { program, mint: lp_mint, decimals: LP_DECIMALS, mint_authority: &AUTHORITY }.invoke()?;
    let accounts = [
        payer.writable_signer(),
        context.user_lp.writable(),
        payer.readonly(),
        lp_mint.readonly(),
        context.system.readonly(),
        program.readonly(),
    ];
    // `Create` of the associated token program, which fails if the account exists.
    cpi::invoke(&associated_token::PROGRAM, &accounts, &[0], &[])
}

fn create_observation(context: &Context) -> Result {
    let pool = &context.pool.address().0;
    let (expected, bump) = Address::find(&[OBSERVATION_SEED, pool], &PROGRAM)?;
    checks::derived(context.observation, &expected, "observation_state")?;
    let (payer, account) = (context.payer, context.observation);
    system::Create { payer, account, space: observation::LEN, owner: &PROGRAM }.invoke(&[&[
        OBSERVATION_SEED,
        pool,
        &[bump],
    ]])
}

/// Creates a vault with room for the token account extensions that the mint requires.
#[inline(never)]
fn create_vault(context: &Context, side: usize, bump: u8) -> Result {
    let (mint, account, program) = (context.mints[side], context.vaults[side], context.programs[side]);
    let space = if mint.is_owned_by(&token::PROGRAM) {
        token::ACCOUNT_LEN
    } else {
        token::account_size(&mint.data()?, false)
    };
    system::Create { payer: context.payer, account, space, owner: program.address() }.invoke(&[&[
        VAULT_SEED,
        &context.pool.address().0,
        &mint.address().0,
        &[bump],
    ]])?;
    InitializeAccount3 { program, account, mint, owner: context.authority.address() }.invoke()
}

/// Creates the pool at the address that is derived from configuration and mints, or at any other address that signs.
#[inline(never)]
fn create_pool(context: &Context) -> Result {
    if !context.pool.is_owned_by(&system::PROGRAM) {
        return Err(NOT_APPROVED.into());
    }
    let config = &context.amm_config.address().0;
    let [mint_0, mint_1] = [&context.mints[0].address().0, &context.mints[1].address().0];
    let (expected, bump) = Address::find(&[POOL_SEED, config, mint_0, mint_1], &PROGRAM)?;
    if *context.pool.address() != expected && !context.pool.is_signer() {
        return Err(anchor::REQUIRE_EQ_VIOLATED.into());
    }
    system::Create { payer: context.payer, account: context.pool, space: pool::LEN, owner: &PROGRAM }
        .invoke(&[&[POOL_SEED, config, mint_0, mint_1, &[bump]]])
}

/// Mints the first LP tokens: the square root of the product of the arrived amounts, minus the locked tokens. Returns
/// the whole liquidity.
#[inline(never)]
fn mint_first_lp(context: &Context) -> Result<u64> {
    let amounts = [token::amount_of(context.vaults[0])?, token::amount_of(context.vaults[1])?];
    if amounts.contains(&0) {
        return Err(EMPTY_SUPPLY.into());
    }
    let liquidity = wide::sqrt(widening_mul(amounts[0], amounts[1]));
    log::Line::new()
        .text("liquidity:")
        .number(liquidity)
        .text(", lock_lp_amount:")
        .number(LOCKED_LP)
        .text(", vault_0_amount:")
        .number(amounts[0])
        .text(",vault_1_amount:")
        .number(amounts[1])
        .emit();
    let mint = MintTo {
        program: context.token_program,
        mint: context.lp_mint,
        destination: context.user_lp,
        authority: context.authority,
        amount: liquidity.checked_sub(LOCKED_LP).ok_or(INIT_LP_AMOUNT_TOO_LESS)?,
    };
    with_authority(AUTHORITY_BUMP, |signers| mint.invoke(signers))?;
    Ok(liquidity)
}

fn pay_for_creation(context: &Context, lamports: u64) -> Result {
    if lamports == 0 {
        return Ok(());
    }
    system::Transfer { from: context.payer, to: context.fee_receiver, lamports }.invoke(&[])?;
    SyncNative { program: context.token_program, account: context.fee_receiver }.invoke()
}

#[inline(never)]
fn write_pool(context: &Context, checked: &Checked, terms: &Terms, liquidity: u64) -> Result {
    let clock = Clock::get()?;
    let now = clock.unix_timestamp as u64;
    // A pool never opens in the second in which it is created.
    let earliest = in_range(now.checked_add(1), "time");
    pool::NewPool {
        amm_config: context.amm_config.address(),
        creator: context.creator.address(),
        vaults: [context.vaults[0].address(), context.vaults[1].address()],
        lp_mint: context.lp_mint.address(),
        mints: [context.mints[0].address(), context.mints[1].address()],
        token_programs: [context.programs[0].address(), context.programs[1].address()],
        observation: context.observation.address(),
        auth_bump: AUTHORITY_BUMP,
        decimals: checked.decimals,
        lp_decimals: LP_DECIMALS,
        lp_supply: liquidity,
        open_time: terms.open_time.max(earliest),
        recent_epoch: clock.epoch,
        creator_fee_on: terms.creator_fee_on,
        enable_creator_fee: terms.enable_creator_fee,
    }
    .encode(&mut context.pool.data_mut()?)
}
