//! The instruction `initialize`.

use super::{check_types, create, Context, Terms};
use crate::instructions::numbers;
use crate::keys::RENT_SYSVAR;
use sluice_program::{anchor, Account, Result};

/// Arguments: the amounts of token 0 and token 1, the time of the first swap. Accounts after the fixed ones may
/// permit mints.
pub fn by_anyone(accounts: &[Account], args: &[u8]) -> Result {
    let [amount_0, amount_1, open_time] = numbers(args)?;
    let (
        &[creator, amm_config, authority, pool, mint_0, mint_1, lp_mint, user_0, user_1, ref rest @ ..],
        more,
    ) = anchor::accounts::<20>(accounts)?;
    let &[user_lp, vault_0, vault_1, fee_receiver, observation, ref rest @ ..] = rest;
    let &[token_program, program_0, program_1, associated, system, rent] = rest;
    let context = Context {
        payer: creator,
        creator,
        amm_config,
        authority,
        pool,
        mints: [mint_0, mint_1],
        lp_mint,
        users: [user_0, user_1],
        user_lp,
        vaults: [vault_0, vault_1],
        fee_receiver,
        observation,
        permission: None,
        token_program,
        programs: [program_0, program_1],
        associated,
        system,
    };
    let checked = check_types(&context, ["creator", "creator_token_0", "creator_token_1"])?;
    if *rent.address() != RENT_SYSVAR {
        return Err(anchor::ACCOUNT_SYSVAR_MISMATCH.of("rent"));
    }
    let terms =
        Terms { amounts: [amount_0, amount_1], open_time, creator_fee_on: 0, enable_creator_fee: false };
    create(&context, &checked, &terms, more)
}
