//! The instructions that pay protocol and fund fees out.

use crate::checks;
use crate::error::INVALID_OWNER;
use crate::instructions::numbers;
use crate::keys::ADMIN;
use crate::state::config::AmmConfig;
use crate::state::pool::{self, Fees, Pool};
use crate::transfer::{program_of, with_authority, Token};
use sluice_program::sysvar::Clock;
use sluice_program::token::{self, Mint, TokenAccount};
use sluice_program::{anchor, Account, Address, Result};

const ACCOUNTS: usize = 12;

/// Arguments: the maximum of token 0 and of token 1. Signed by the configuration's protocol owner or by the admin.
pub fn protocol(accounts: &[Account], args: &[u8]) -> Result {
    collect(accounts, args, Share::Protocol)
}

/// Does the same as [`protocol`] for the configuration's fund owner.
pub fn fund(accounts: &[Account], args: &[u8]) -> Result {
    collect(accounts, args, Share::Fund)
}

/// The two shares of the trade fee that do not stay in the pool.
#[derive(Clone, Copy)]
enum Share {
    Protocol,
    Fund,
}

impl Share {
    fn fees(self) -> Fees {
        match self {
            Self::Protocol => Fees::Protocol,
            Self::Fund => Fees::Fund,
        }
    }

    fn owner(self, config: &AmmConfig) -> Address {
        match self {
            Self::Protocol => config.protocol_owner,
            Self::Fund => config.fund_owner,
        }
    }
}

fn collect(accounts: &[Account], args: &[u8], share: Share) -> Result {
    let requested = numbers::<2>(args)?;
    let context = Context::check(accounts, share)?;
    let mut pool = Pool::new(context.pool.data_mut()?);
    let mut taken = [0; 2];
    for side in 0..2 {
        let owed = pool.fees(share.fees(), side)?;
        taken[side] = requested[side].min(owed);
        pool.set_fees(share.fees(), side, owed - taken[side])?;
    }
    pool.set_recent_epoch(Clock::get()?.epoch)?;
    with_authority(pool.auth_bump(), |signers| {
        for side in 0..2 {
            let (from, to) = (context.vaults[side], context.recipients[side]);
            context.tokens[side].transfer(from, to, context.authority, (taken[side], signers))?;
        }
        Ok(())
    })
}

/// The checked accounts. Pairs are of token 0 and token 1.
struct Context<'a> {
    authority: Account<'a>,
    pool: Account<'a>,
    vaults: [Account<'a>; 2],
    tokens: [Token<'a>; 2],
    recipients: [Account<'a>; 2],
}

impl<'a> Context<'a> {
    #[inline(never)]
    fn check(accounts: &[Account<'a>], share: Share) -> Result<Self> {
        let (&[owner, authority, pool, amm_config, vault_0, vault_1, ref rest @ ..], _) =
            anchor::accounts::<ACCOUNTS>(accounts)?;
        let &[mint_0, mint_1, recipient_0, recipient_1, token_program, token_2022] = rest;

        anchor::check_signer(owner, "owner")?;
        let pool_data = checks::pool(pool)?;
        let config = checks::amm_config(amm_config)?;
        let holding_0 = TokenAccount::load(vault_0, "token_0_vault")?;
        let holding_1 = TokenAccount::load(vault_1, "token_1_vault")?;
        let decimals_0 = Mint::load(mint_0, "vault_0_mint")?.decimals;
        let decimals_1 = Mint::load(mint_1, "vault_1_mint")?.decimals;
        TokenAccount::load(recipient_0, "recipient_token_0_account")?;
        TokenAccount::load(recipient_1, "recipient_token_1_account")?;
        anchor::check_program(token_program, &[token::PROGRAM], "token_program")?;
        anchor::check_program(token_2022, &[token::PROGRAM_2022], "token_program_2022")?;

        if *owner.address() != share.owner(&config) && *owner.address() != ADMIN {
            return Err(INVALID_OWNER.of("owner"));
        }
        checks::authority(authority)?;
        anchor::check_writable(pool, "pool_state")?;
        anchor::check_address(amm_config, &pool::address(&pool_data, pool::AMM_CONFIG)?, "amm_config")?;
        checks::vault(vault_0, &[pool::address(&pool_data, pool::VAULTS[0])?], "token_0_vault")?;
        checks::vault(vault_1, &[pool::address(&pool_data, pool::VAULTS[1])?], "token_1_vault")?;
        anchor::check_address(mint_0, &holding_0.mint, "vault_0_mint")?;
        anchor::check_address(mint_1, &holding_1.mint, "vault_1_mint")?;
        anchor::check_writable(recipient_0, "recipient_token_0_account")?;
        anchor::check_writable(recipient_1, "recipient_token_1_account")?;

        let token =
            |mint, decimals| Token { mint, decimals, program: program_of(mint, token_program, token_2022) };
        Ok(Self {
            authority,
            pool,
            vaults: [vault_0, vault_1],
            tokens: [token(mint_0, decimals_0), token(mint_1, decimals_1)],
            recipients: [recipient_0, recipient_1],
        })
    }
}
