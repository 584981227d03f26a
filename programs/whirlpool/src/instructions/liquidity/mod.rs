//! The instructions that change liquidity, for mints of the older token program.

mod decrease;
mod increase;

pub use decrease::decrease;
pub use increase::increase;

use super::position::check_authority;
use crate::change::LiquidityAccounts;
use crate::error::LOCKED_POSITION;
use crate::state::pool::Pool;
use crate::state::position::Position;
use sluice_program::anchor;
use sluice_program::bytes::Reader;
use sluice_program::token::{self, TokenAccount, PROGRAMS};
use sluice_program::{Account, Result};

/// The arguments of a change of liquidity.
pub struct Args {
    pub liquidity: u128,
    /// The maximum of each token that is paid in, or the minimum that is paid out.
    pub limits: [u64; 2],
}

/// Returns None if the bytes are cut short.
pub fn read_args(reader: &mut Reader) -> Option<Args> {
    Some(Args { liquidity: reader.u128()?, limits: [reader.u64()?, reader.u64()?] })
}

/// The accounts in the interface's order. Pairs are of token A and token B.
struct Context<'a> {
    changed: LiquidityAccounts<'a>,
    program: Account<'a>,
    authority: Account<'a>,
    owners: [Account<'a>; 2],
    vaults: [Account<'a>; 2],
}

/// Checks the accounts: first each account by itself, in order, then the relations between them.
#[inline(never)]
fn check<'a>(accounts: &[Account<'a>], refuse_locked: bool) -> Result<(Context<'a>, Pool, Position)> {
    let (given, _) = anchor::accounts::<11>(accounts)?;
    let &[pool_account, program, authority, position_account, holding, ref rest @ ..] = given;
    let &[owner_a, owner_b, vault_a, vault_b, lower, upper] = rest;
    check_mutable(pool_account)?;
    if *program.address() != token::PROGRAM {
        return Err(anchor::INVALID_PROGRAM_ID.of("token_program"));
    }
    anchor::check_signer(authority, "position_authority")?;
    for account in [position_account, owner_a, owner_b, vault_a, vault_b, lower, upper] {
        check_mutable(account)?;
    }
    let pool = Pool::load(pool_account, "whirlpool")?;
    let changed =
        LiquidityAccounts { pool: pool_account, position: position_account, arrays: [lower, upper] };
    let position = load_position(&changed, holding)?;
    anchor::check_address(vault_a, &pool.vaults[0], "token_vault_a")?;
    anchor::check_address(vault_b, &pool.vaults[1], "token_vault_b")?;
    check_holder(holding, authority, refuse_locked)?;
    let (owners, vaults) = ([owner_a, owner_b], [vault_a, vault_b]);
    Ok((Context { changed, program, authority, owners, vaults }, pool, position))
}

/// Reads the pool's position whose token the account holds.
#[inline(never)]
pub fn load_position(changed: &LiquidityAccounts, holding: Account) -> Result<Position> {
    let position = Position::load(changed.position, "position")?;
    anchor::check_address(changed.pool, &position.pool, "whirlpool")?;
    anchor::check_owner(holding, &PROGRAMS, "position_token_account")?;
    let held = TokenAccount::load(holding, "position_token_account")?;
    if held.mint != position.mint || held.amount != 1 {
        return Err(anchor::CONSTRAINT_RAW.of("position_token_account"));
    }
    Ok(position)
}

/// Checks that the holder of a position signed. Fails with OperationNotAllowedOnLockedPosition if the position is
/// locked and `refuse_locked` is set.
#[inline(never)]
pub fn check_holder(holding: Account, authority: Account, refuse_locked: bool) -> Result {
    check_authority(holding, authority)?;
    if refuse_locked && TokenAccount::load(holding, "position_token_account")?.frozen {
        return Err(LOCKED_POSITION.into());
    }
    Ok(())
}

/// Fails unless the account is writable. Only these instructions of the public program give this error; others give
/// ConstraintMut.
pub fn check_mutable(account: Account) -> Result {
    if account.is_writable() {
        Ok(())
    } else {
        Err(anchor::ACCOUNT_NOT_MUTABLE.into())
    }
}
