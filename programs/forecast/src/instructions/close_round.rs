//! The instruction `close_round`.

use sluice_program::sysvar::Clock;
use sluice_program::token::{CloseAccount, Mint};
use sluice_program::{anchor, Account, Result};

use crate::errors::{INVALID_OPERATOR, TOKENS_OUTSTANDING};
use crate::events::emit_closed;
use crate::outcome_mint::check_token_2022;
use crate::round::{check_side, Round};
use crate::vault::Vault;

/// The operator closes all accounts of a round with a result, once nobody has tokens of it.
pub fn run(accounts: &[Account]) -> Result {
    let (accounts, _) = anchor::accounts::<10>(accounts)?;
    let &[operator, round, up, down, up_mint, down_mint, vault, reserve, token_program, token_2022] =
        accounts;
    anchor::check_signer(operator, "operator")?;
    anchor::check_writable(operator, "operator")?;
    let state = Round::load(round)?;
    if state.operator != *operator.address() {
        return Err(INVALID_OPERATOR.of("operator"));
    }
    state.check_settled()?;
    check_token_2022(token_2022)?;
    let vault = Vault::open(round, vault, token_program)?;
    let returned = vault.return_rest(&state, reserve, 0)?;
    let closing = Closing { round, operator };
    closing.close(&state, token_program, vault.tokens)?;
    for (side, mint) in [up_mint, down_mint].into_iter().enumerate() {
        check_mint(&state, mint, side)?;
        closing.close(&state, token_2022, mint)?;
    }
    // The accounts of the program come last: no call may see a part of the lamports that they give.
    for (side, account) in [up, down].into_iter().enumerate() {
        check_side(account, round, side as u8)?;
        account.close(operator)?;
    }
    round.close(operator)?;
    emit_closed(round.address(), returned, Clock::get()?.unix_timestamp)
}

/// Fails with TokensOutstanding unless the mint is that of the side and nobody has tokens of it.
#[inline(never)]
fn check_mint(state: &Round, mint: Account, side: usize) -> Result {
    anchor::check_address(mint, &state.mints[side], "mint")?;
    if Mint::load(mint, "mint")?.supply > 0 {
        return Err(TOKENS_OUTSTANDING.of("mint"));
    }
    Ok(())
}

struct Closing<'a> {
    round: Account<'a>,
    operator: Account<'a>,
}

impl Closing<'_> {
    /// Closes an account of a token program, for which the round signs.
    #[inline(never)]
    fn close(&self, state: &Round, program: Account, account: Account) -> Result {
        state.sign(|signers| {
            CloseAccount { program, account, destination: self.operator, authority: self.round }
                .invoke(signers)
        })
    }
}
