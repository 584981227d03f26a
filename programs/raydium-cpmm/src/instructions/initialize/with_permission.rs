//! The instruction `initialize_with_permission`.

use super::{check_types, create, Context, Terms};
use crate::instructions::numbers;
use sluice_program::{anchor, Account, Result};

/// Arguments: as for [`by_anyone`], and the token in which the creator fee is taken. The payer holds a permission.
pub fn with_permission(accounts: &[Account], args: &[u8]) -> Result {
    let [amount_0, amount_1, open_time] = numbers(args)?;
    let creator_fee_on = match args.get(24) {
        Some(token @ 0..=2) => *token,
        _ => return Err(anchor::INSTRUCTION_DID_NOT_DESERIALIZE.into()),
    };
    let (
        &[payer, creator, amm_config, authority, pool, mint_0, mint_1, lp_mint, user_0, ref rest @ ..],
        more,
    ) = anchor::accounts::<21>(accounts)?;
    let &[user_1, user_lp, vault_0, vault_1, fee_receiver, observation, permission, ref rest @ ..] = rest;
    let &[token_program, program_0, program_1, associated, system] = rest;
    let context = Context {
        payer,
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
        permission: Some(permission),
        token_program,
        programs: [program_0, program_1],
        associated,
        system,
    };
    let checked = check_types(&context, ["payer", "payer_token_0", "payer_token_1"])?;
    let terms = Terms { amounts: [amount_0, amount_1], open_time, creator_fee_on, enable_creator_fee: true };
    create(&context, &checked, &terms, more)
}
