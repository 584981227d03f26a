//! The instructions that pay creator fees out.

use crate::checks;
use crate::error::NO_FEE_COLLECT;
use crate::keys::{AUTHORITY_BUMP, CREATOR_FEE_SHARE_SEED, FEE_RATE_DENOMINATOR, PROGRAM};
use crate::state::config::AmmConfig;
use crate::state::pool::{self, Fees, Pool};
use crate::state::{CREATOR_FEE_SHARE_LEN, CREATOR_FEE_SHARE_RATE, CREATOR_FEE_SHARE_TAG};
use crate::transfer::{with_authority, Token};
use sluice_program::associated_token::{self, CreateIdempotent};
use sluice_program::math::mul_div_floor;
use sluice_program::sysvar::Clock;
use sluice_program::token::{Mint, TokenAccount, PROGRAMS};
use sluice_program::{anchor, bytes, system, Account, Address, Result};

sluice_program::errors! {
    ACCOUNT_NOT_ASSOCIATED = 3014 AccountNotAssociatedTokenAccount "The account is not the associated one"
    CONSTRAINT_ASSOCIATED_TOKEN_PROGRAM = 2023 ConstraintAssociatedTokenTokenProgram "The account is of another token program"
}

/// Pays all fees of the creator, minus the protocol's share of them. Signed by the creator.
pub fn by_creator(accounts: &[Account]) -> Result {
    let (&[creator, authority, pool, amm_config, vault_0, vault_1, mint_0, mint_1, ref rest @ ..], _) =
        anchor::accounts::<15>(accounts)?;
    let &[to_0, to_1, program_0, program_1, associated, system, share] = rest;
    anchor::check_signer(creator, "creator")?;
    collect(&Context {
        payer: creator,
        creator,
        authority,
        pool,
        amm_config,
        vaults: [vault_0, vault_1],
        mints: [mint_0, mint_1],
        recipients: [to_0, to_1],
        programs: [program_0, program_1],
        associated,
        system,
        share,
    })
}

/// Does the same as [`by_creator`] for any signer, who pays for the creator's token accounts if they do not exist.
pub fn by_anyone(accounts: &[Account]) -> Result {
    let (&[payer, creator, authority, pool, vault_0, vault_1, mint_0, mint_1, ref rest @ ..], _) =
        anchor::accounts::<16>(accounts)?;
    let &[to_0, to_1, program_0, program_1, associated, system, amm_config, share] = rest;
    anchor::check_signer(payer, "payer")?;
    collect(&Context {
        payer,
        creator,
        authority,
        pool,
        amm_config,
        vaults: [vault_0, vault_1],
        mints: [mint_0, mint_1],
        recipients: [to_0, to_1],
        programs: [program_0, program_1],
        associated,
        system,
        share,
    })
}

/// The accounts. Pairs are of token 0 and token 1.
struct Context<'a> {
    payer: Account<'a>,
    creator: Account<'a>,
    authority: Account<'a>,
    pool: Account<'a>,
    amm_config: Account<'a>,
    vaults: [Account<'a>; 2],
    mints: [Account<'a>; 2],
    recipients: [Account<'a>; 2],
    programs: [Account<'a>; 2],
    associated: Account<'a>,
    system: Account<'a>,
    share: Account<'a>,
}

fn collect(context: &Context) -> Result {
    let (config, decimals) = check(context)?;
    let share_rate = share_rate(context.share, &config)?;
    let mut pool = Pool::new(context.pool.data_mut()?);
    let owed = [pool.fees(Fees::Creator, 0)?, pool.fees(Fees::Creator, 1)?];
    if owed == [0, 0] {
        return Err(NO_FEE_COLLECT.into());
    }
    let mut paid = [0; 2];
    for side in 0..2 {
        if share_rate > FEE_RATE_DENOMINATOR {
            return Err(anchor::REQUIRE_GTE_VIOLATED.into());
        }
        // The share is at most 100 percent, so the product fits.
        let kept = mul_div_floor(owed[side], share_rate, FEE_RATE_DENOMINATOR).unwrap_or(owed[side]);
        paid[side] = owed[side] - kept;
        pool.add_fees(Fees::Protocol, side, kept)?;
        pool.set_fees(Fees::Creator, side, 0)?;
    }
    pool.set_recent_epoch(Clock::get()?.epoch)?;
    with_authority(AUTHORITY_BUMP, |signers| {
        for side in 0..2 {
            let token = Token {
                mint: context.mints[side],
                decimals: decimals[side],
                program: context.programs[side],
            };
            let (from, to) = (context.vaults[side], context.recipients[side]);
            token.transfer(from, to, context.authority, (paid[side], signers))?;
        }
        Ok(())
    })
}

/// Checks the accounts. Returns the configuration and the decimals of both tokens.
#[inline(never)]
fn check(context: &Context) -> Result<(AmmConfig, [u8; 2])> {
    let pool_data = checks::pool(context.pool)?;
    let config = checks::amm_config(context.amm_config)?;
    let holding_0 = TokenAccount::load(context.vaults[0], "token_0_vault")?;
    let holding_1 = TokenAccount::load(context.vaults[1], "token_1_vault")?;
    let decimals = [
        Mint::load(context.mints[0], "vault_0_mint")?.decimals,
        Mint::load(context.mints[1], "vault_1_mint")?.decimals,
    ];
    anchor::check_program(context.programs[0], &PROGRAMS, "token_0_program")?;
    anchor::check_program(context.programs[1], &PROGRAMS, "token_1_program")?;
    anchor::check_program(context.associated, &[associated_token::PROGRAM], "associated_token_program")?;
    checks::system_program(context.system)?;
    ensure_recipient(context, 0, "creator_token_0")?;
    ensure_recipient(context, 1, "creator_token_1")?;

    anchor::check_writable(context.payer, "payer")?;
    anchor::check_address(context.creator, &pool::address(&pool_data, pool::CREATOR)?, "creator")?;
    checks::authority(context.authority)?;
    anchor::check_writable(context.pool, "pool_state")?;
    anchor::check_address(context.amm_config, &pool::address(&pool_data, pool::AMM_CONFIG)?, "amm_config")?;
    checks::vault(context.vaults[0], &[pool::address(&pool_data, pool::VAULTS[0])?], "token_0_vault")?;
    checks::vault(context.vaults[1], &[pool::address(&pool_data, pool::VAULTS[1])?], "token_1_vault")?;
    anchor::check_address(context.mints[0], &holding_0.mint, "vault_0_mint")?;
    anchor::check_address(context.mints[1], &holding_1.mint, "vault_1_mint")?;
    let seeds: [&[u8]; 3] =
        [CREATOR_FEE_SHARE_SEED, &context.creator.address().0, &context.amm_config.address().0];
    checks::derived(context.share, &Address::find(&seeds, &PROGRAM)?.0, "creator_fee_share")?;
    Ok((config, decimals))
}

/// Creates the creator's associated token account, or checks the existing account.
fn ensure_recipient(context: &Context, side: usize, name: &str) -> Result {
    let (account, mint, program) = (context.recipients[side], context.mints[side], context.programs[side]);
    if account.is_owned_by(&system::PROGRAM) {
        return CreateIdempotent {
            payer: context.payer,
            account,
            wallet: context.creator,
            mint,
            system_program: context.system,
            token_program: program,
        }
        .invoke();
    }
    let loaded = TokenAccount::load(account, name)?;
    if loaded.mint != *mint.address() {
        return Err(anchor::CONSTRAINT_TOKEN_MINT.of(name));
    }
    if loaded.owner != *context.creator.address() {
        return Err(anchor::CONSTRAINT_TOKEN_OWNER.of(name));
    }
    if !account.is_owned_by(program.address()) {
        return Err(CONSTRAINT_ASSOCIATED_TOKEN_PROGRAM.of(name));
    }
    let expected = associated_token::find(context.creator.address(), mint.address(), program.address())?;
    checks::address_or(account, &expected, ACCOUNT_NOT_ASSOCIATED, name)
}

/// Returns the share in this creator's own account if there is one, otherwise the configuration's.
fn share_rate(share: Account, config: &AmmConfig) -> Result<u64> {
    if share.data_len() == 0 || !share.is_owned_by(&PROGRAM) {
        return Ok(config.creator_fee_share_rate);
    }
    let data = anchor::load(share, &PROGRAM, &CREATOR_FEE_SHARE_TAG, "creator_fee_share")?;
    let rate =
        if data.len() < CREATOR_FEE_SHARE_LEN { None } else { bytes::u64_at(&data, CREATOR_FEE_SHARE_RATE) };
    rate.ok_or_else(|| anchor::ACCOUNT_DID_NOT_DESERIALIZE.into())
}
