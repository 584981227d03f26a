//! The instruction `transfer`.

use sluice_program::token::{self, CloseAccount, InitializeAccount3};
use sluice_program::{anchor, system, Account, Result};

use crate::checks::{check_mint, check_named, Expected, Programs};
use crate::errors::{
    INTERMEDIATE_ACCOUNT_NOT_SET, MATH_OVERFLOW, NO_USER_OUT_ATA, UNAUTHORIZED, WRONG_TRANSFER_AMOUNT,
};
use crate::events::Emitter;
use crate::keys::{INTERMEDIATE_SEED, PROGRAM};
use crate::state::Dca;
use crate::tokens::Holding;

/// Pays everything that the order has bought to its user: into the associated token account, or as SOL. Anybody may call
/// it, because there is no other way for the tokens to go.
#[inline(never)]
pub fn run(accounts: &[Account]) -> Result {
    let (&[keeper, dca, user, output_mint, dca_out_ata, user_out_ata, intermediate, ref rest @ ..], _) =
        anchor::accounts::<12>(accounts)?;
    let &[system, token, associated_token, event_authority, program] = rest;
    anchor::check_signer(keeper, "keeper")?;
    anchor::check_writable(keeper, "keeper")?;
    let mut order = Dca::load(dca)?;
    if order.user != *user.address() {
        return Err(UNAUTHORIZED.of("user"));
    }
    check_named(output_mint, &order.output_mint, "output_mint")?;
    check_named(dca_out_ata, &order.out_account, "dca_out_ata")?;
    check_mint(output_mint, "output_mint")?;
    let programs = Programs::check(system, token, associated_token)?;
    let emitter = Emitter::new(event_authority, program)?;
    let amount = order.out_left()?;
    if amount == 0 {
        return Err(WRONG_TRANSFER_AMOUNT.into());
    }
    let holding = Holding { order: &order, address: dca, account: dca_out_ata, token_program: token };
    if order.output_mint == token::NATIVE_MINT {
        let account = anchor::optional(intermediate, &PROGRAM).ok_or(INTERMEDIATE_ACCOUNT_NOT_SET)?;
        anchor::check_writable(user, "user")?;
        Unwrapping { keeper, account, mint: output_mint, user, programs }.pay(&holding, amount)?;
    } else {
        let account = anchor::optional(user_out_ata, &PROGRAM).ok_or(NO_USER_OUT_ATA)?;
        Expected { owner: &order.user, mint: &order.output_mint, name: "user_out_ata" }
            .load_associated(account)?;
        holding.pay(account, amount)?;
    }
    order.out_withdrawn = order.out_withdrawn.checked_add(amount).ok_or(MATH_OVERFLOW)?;
    order.store(dca)?;
    emitter.withdrawn(dca.address(), 0, amount, false)
}

/// An account of wrapped SOL that exists while its SOL are unwrapped.
struct Unwrapping<'a> {
    keeper: Account<'a>,
    account: Account<'a>,
    mint: Account<'a>,
    user: Account<'a>,
    programs: Programs<'a>,
}

impl<'a> Unwrapping<'a> {
    /// Pays `amount` of the order's wrapped SOL to the user as SOL. The keeper pays the account's rent and gets it back;
    /// what somebody else had paid to its address goes to the user. Fails with ConstraintSeeds for another account.
    #[inline(never)]
    fn pay(&self, holding: &Holding<'a, '_>, amount: u64) -> Result {
        let Self { keeper, account, mint, user, programs } = *self;
        let dca = holding.address.address();
        let seeds: [&[u8]; 2] = [INTERMEDIATE_SEED, &dca.0];
        let bump = anchor::check_derived(account, &seeds, &PROGRAM, "intermediate_account")?;
        let lamports = keeper.lamports();
        system::Create { payer: keeper, account, space: token::ACCOUNT_LEN, owner: &token::PROGRAM }
            .invoke(&[&[INTERMEDIATE_SEED, &dca.0, &[bump]]])?;
        InitializeAccount3 { program: programs.token, account, mint, owner: keeper.address() }.invoke()?;
        holding.pay(account, amount)?;
        CloseAccount { program: programs.token, account, destination: keeper, authority: keeper }
            .invoke(&[])?;
        let unwrapped = keeper.lamports().checked_sub(lamports).ok_or(MATH_OVERFLOW)?;
        system::Transfer { from: keeper, to: user, lamports: unwrapped }.invoke(&[])
    }
}
