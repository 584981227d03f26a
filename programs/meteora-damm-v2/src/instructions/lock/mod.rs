//! The instructions that lock liquidity, for ever or by a schedule, and the one that unlocks it.

mod by_schedule;
mod permanently;
mod refresh;

pub use by_schedule::{in_account, in_position};
pub use permanently::permanently;
pub use refresh::refresh;

use super::position::{check_holder, check_token};
use crate::activation::is_enabled;
use crate::error::POOL_DISABLED;
use crate::events;
use crate::state::pool::Pool;
use crate::state::position::Position;
use sluice_program::token::TokenAccount;
use sluice_program::{anchor, Account, Result};

/// The accounts that every lock has.
struct Context<'a> {
    pool: Account<'a>,
    position: Account<'a>,
    holding: Account<'a>,
    signer: Account<'a>,
    event_authority: Account<'a>,
}

/// The fields that were read from the accounts.
struct Checked {
    pool: Pool,
    position: Position,
    held: TokenAccount,
}

impl Context<'_> {
    /// Checks the accounts and reads them.
    #[inline(never)]
    fn check(&self) -> Result<Checked> {
        let pool = Pool::load(self.pool, "pool")?;
        let position = Position::load(self.position, "position")?;
        let held = TokenAccount::load(self.holding, "position_nft_account")?;
        anchor::check_signer(self.signer, "signer")?;
        check_position(self.position, &position, self.pool)?;
        check_token(&held, &position)?;
        events::check_authority(self.event_authority)?;
        Ok(Checked { pool, position, held })
    }
}

/// Fails unless the position is writable and one of the pool's.
fn check_position(account: Account, position: &Position, pool: Account) -> Result {
    anchor::check_writable(account, "position")?;
    if position.pool == *pool.address() {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_HAS_ONE.of("position"))
    }
}

/// Fails unless the pool is enabled and the signer holds the position's token.
fn check_permission(Checked { pool, held, .. }: &Checked, signer: Account) -> Result {
    if !is_enabled(pool)? {
        return Err(POOL_DISABLED.into());
    }
    check_holder(held, signer)
}
