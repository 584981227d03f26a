//! The instruction `end_and_close`.

use sluice_program::{anchor, token, Account, ProgramError, Result};

use crate::checks::{check_mint, check_named, Expected, Programs};
use crate::errors::{BALANCE_NOT_ZERO, INSUFFICIENT_BALANCE_FOR_RENT, NO_USER_OUT_ATA, UNAUTHORIZED};
use crate::events::Emitter;
use crate::keys::PROGRAM;
use crate::state::Dca;
use crate::tokens::{Holding, Opening};

/// Closes an order whose input was used up or withdrawn, and pays its user everything that its accounts hold, SOL as SOL.
/// All rent is the user's, but for what the keeper paid to open the user's account. Anybody may call it, because there is
/// no other way for tokens and rent to go.
///
/// Behind the accounts of the interface may stand the user's associated account of the input: tokens that somebody paid to
/// the order without a deposit go there.
#[inline(never)]
pub fn run(accounts: &[Account]) -> Result {
    let (&[keeper, dca, input_mint, output_mint, in_ata, out_ata, user, ref rest @ ..], more) =
        anchor::accounts::<15>(accounts)?;
    let &[user_out_ata, init_user_out_ata, _, system, token, associated_token, event_authority, program] =
        rest;
    anchor::check_signer(keeper, "keeper")?;
    anchor::check_writable(keeper, "keeper")?;
    let mut order = Dca::load(dca)?;
    check_named(input_mint, &order.input_mint, "input_mint")?;
    check_named(output_mint, &order.output_mint, "output_mint")?;
    check_named(in_ata, &order.in_account, "in_ata")?;
    check_named(out_ata, &order.out_account, "out_ata")?;
    check_mint(output_mint, "output_mint")?;
    if order.user != *user.address() {
        return Err(UNAUTHORIZED.of("user"));
    }
    anchor::check_writable(user, "user")?;
    anchor::check_writable(dca, "dca")?;
    let programs = Programs::check(system, token, associated_token)?;
    let emitter = Emitter::new(event_authority, program)?;
    if order.in_left()? > 0 {
        return Err(BALANCE_NOT_ZERO.of("in_ata"));
    }
    let lamports = keeper.lamports();
    let input = Holding { order: &order, address: dca, account: in_ata, token_program: token };
    empty_input(&input, more.first().copied())?;
    input.close(user)?;
    let output = Holding { order: &order, address: dca, account: out_ata, token_program: token };
    let receiver = Receiver { keeper, user, mint: output_mint, user_out_ata, init_user_out_ata, programs };
    receiver.empty_output(&output)?;
    output.close(user)?;
    order.settle();
    emitter.closed(dca.address(), &order, 0, false)?;
    pay_back(dca, keeper, lamports.saturating_sub(keeper.lamports()))?;
    dca.close(user)
}

/// Pays tokens that nobody deposited to the user. Wrapped SOL are left in the account, whose lamports the user gets. Fails
/// with BalanceNotZero if the account for them is not given.
#[inline(never)]
fn empty_input<'a>(input: &Holding<'a, '_>, receiver: Option<Account<'a>>) -> Result {
    let order = input.order;
    if order.input_mint == token::NATIVE_MINT || token::amount_of(input.account)? == 0 {
        return Ok(());
    }
    let receiver = receiver.ok_or_else(|| BALANCE_NOT_ZERO.of("in_ata"))?;
    Expected { owner: &order.user, mint: &order.input_mint, name: "user_in_ata" }
        .load_associated(receiver)?;
    input.pay_all(receiver)
}

/// Where the output goes. Either account may be left out.
struct Receiver<'a> {
    keeper: Account<'a>,
    user: Account<'a>,
    mint: Account<'a>,
    user_out_ata: Account<'a>,
    init_user_out_ata: Account<'a>,
    programs: Programs<'a>,
}

impl<'a> Receiver<'a> {
    /// Pays the output to the user's associated account, which is opened if it was given as `init_user_out_ata`. Wrapped
    /// SOL are left in the order's account, whose lamports the user gets. Fails with NoUserOutATA.
    #[inline(never)]
    fn empty_output(&self, output: &Holding<'a, '_>) -> Result {
        let order = output.order;
        if order.output_mint == token::NATIVE_MINT || token::amount_of(output.account)? == 0 {
            return Ok(());
        }
        let Self { keeper, user, mint, programs, .. } = *self;
        if let Some(account) = anchor::optional(self.user_out_ata, &PROGRAM) {
            Expected { owner: &order.user, mint: &order.output_mint, name: "user_out_ata" }
                .load_associated(account)?;
            return output.pay_all(account);
        }
        let account = anchor::optional(self.init_user_out_ata, &PROGRAM).ok_or(NO_USER_OUT_ATA)?;
        let name = "init_user_out_ata";
        Opening { payer: keeper, account, wallet: user, mint, programs, name }.open_associated()?;
        output.pay_all(account)
    }
}

/// Pays the keeper, from the rent of the order, what opening the user's account has cost. Fails with
/// InsufficientBalanceForRent if the rent is less.
fn pay_back(dca: Account, keeper: Account, cost: u64) -> Result {
    let rest = dca.lamports().checked_sub(cost).ok_or(INSUFFICIENT_BALANCE_FOR_RENT)?;
    let sum = keeper.lamports().checked_add(cost).ok_or(ProgramError::ARITHMETIC_OVERFLOW)?;
    dca.set_lamports(rest);
    keeper.set_lamports(sum);
    Ok(())
}
