//! The instructions `open_dca` and `open_dca_v2`, of which the second has a payer beside the user.

use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::layout::Layout;
use sluice_program::sysvar::Clock;
use sluice_program::token::{self, CloseAccount, Transfer};
use sluice_program::{system, Account, Address, Result};

use crate::checks::{check_mint, Expected, Programs};
use crate::errors::{
    INVALID_AMOUNT, INVALID_CYCLE_AMOUNT, INVALID_MIN_PRICE, INVALID_PAIR, IN_AMOUNT_INSUFFICIENT,
    TOO_FREQUENT, USER_INSUFFICIENT_BALANCE,
};
use crate::events::Emitter;
use crate::keys::{DCA_SEED, PROGRAM};
use crate::state::Dca;
use crate::tokens::Opening;

/// The least number of seconds between two cycles, as the public client has it.
const MIN_FREQUENCY: i64 = 30;

/// What an order does.
struct Terms {
    idx: u64,
    in_amount: u64,
    in_amount_per_cycle: u64,
    cycle_frequency: i64,
    min_out_amount: u64,
    max_out_amount: u64,
    start_at: i64,
}

impl Terms {
    /// Reads the terms. A bound or a start that is left out is zero, which the public client writes for it.
    fn read(from: &mut Reader) -> Option<Self> {
        Some(Self {
            idx: from.u64()?,
            in_amount: from.u64()?,
            in_amount_per_cycle: from.u64()?,
            cycle_frequency: from.i64()?,
            min_out_amount: optional(from, Reader::u64)?.unwrap_or(0),
            max_out_amount: optional(from, Reader::u64)?.unwrap_or(0),
            start_at: optional(from, Reader::i64)?.unwrap_or(0),
        })
    }

    fn check(&self) -> Result {
        if self.in_amount == 0 {
            return Err(INVALID_AMOUNT.into());
        }
        if self.in_amount_per_cycle == 0 {
            return Err(INVALID_CYCLE_AMOUNT.into());
        }
        if self.in_amount < self.in_amount_per_cycle {
            return Err(IN_AMOUNT_INSUFFICIENT.into());
        }
        if self.cycle_frequency < MIN_FREQUENCY {
            return Err(TOO_FREQUENT.into());
        }
        if self.max_out_amount > 0 && self.min_out_amount > self.max_out_amount {
            return Err(INVALID_MIN_PRICE.into());
        }
        Ok(())
    }
}

/// Reads an optional value of borsh. Returns None if it is cut short or its tag is neither 0 nor 1.
#[inline(always)]
fn optional<'d, T>(
    from: &mut Reader<'d>,
    read: impl FnOnce(&mut Reader<'d>) -> Option<T>,
) -> Option<Option<T>> {
    if from.bool()? {
        read(from).map(Some)
    } else {
        Some(None)
    }
}

/// The accounts of both forms.
struct Accounts<'a> {
    dca: Account<'a>,
    user: Account<'a>,
    payer: Account<'a>,
    input_mint: Account<'a>,
    output_mint: Account<'a>,
    user_ata: Account<'a>,
    in_ata: Account<'a>,
    out_ata: Account<'a>,
    programs: Programs<'a>,
    emitter: Emitter<'a>,
}

/// Arguments: the terms, and whether to close the user's account of wrapped SOL.
#[inline(never)]
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let mut from = Reader::new(args);
    let terms = decoded(Terms::read(&mut from))?;
    let closes = decoded(optional(&mut from, Reader::bool))?.unwrap_or(false);
    let (&[dca, user, input_mint, output_mint, user_ata, in_ata, out_ata, ref rest @ ..], _) =
        anchor::accounts::<12>(accounts)?;
    let &[system, token, associated_token, event_authority, program] = rest;
    let programs = Programs::check(system, token, associated_token)?;
    let emitter = Emitter::new(event_authority, program)?;
    if closes && *input_mint.address() != token::NATIVE_MINT {
        return Err(INVALID_PAIR.of("input_mint"));
    }
    let named = Accounts {
        dca,
        user,
        payer: user,
        input_mint,
        output_mint,
        user_ata,
        in_ata,
        out_ata,
        programs,
        emitter,
    };
    open(&named, &terms)?;
    if closes {
        CloseAccount { program: token, account: user_ata, destination: user, authority: user }.invoke(&[])?;
    }
    Ok(())
}

/// Arguments: the terms.
#[inline(never)]
pub fn run_v2(accounts: &[Account], args: &[u8]) -> Result {
    let terms = decoded(Terms::read(&mut Reader::new(args)))?;
    let (&[dca, user, payer, input_mint, output_mint, user_ata, in_ata, out_ata, ref rest @ ..], _) =
        anchor::accounts::<13>(accounts)?;
    let &[system, token, associated_token, event_authority, program] = rest;
    let programs = Programs::check(system, token, associated_token)?;
    let emitter = Emitter::new(event_authority, program)?;
    let named =
        Accounts { dca, user, payer, input_mint, output_mint, user_ata, in_ata, out_ata, programs, emitter };
    open(&named, &terms)
}

/// Creates the order and its two token accounts, which somebody may have created or paid into before, and takes the input.
#[inline(never)]
fn open(accounts: &Accounts, terms: &Terms) -> Result {
    let &Accounts { dca, user, payer, input_mint, output_mint, user_ata, in_ata, out_ata, programs, .. } =
        accounts;
    anchor::check_signer(user, "user")?;
    anchor::check_signer(payer, "payer")?;
    anchor::check_writable(payer, "payer")?;
    check_mint(input_mint, "input_mint")?;
    check_mint(output_mint, "output_mint")?;
    if input_mint.is(output_mint) {
        return Err(INVALID_PAIR.into());
    }
    terms.check()?;
    let own = Expected { owner: user.address(), mint: input_mint.address(), name: "user_ata" };
    if own.load(user_ata)? < terms.in_amount {
        return Err(USER_INSUFFICIENT_BALANCE.into());
    }
    let mut order = create(accounts, terms)?;
    for (account, mint, name) in [(in_ata, input_mint, "in_ata"), (out_ata, output_mint, "out_ata")] {
        Opening { payer, account, wallet: dca, mint, programs, name }.open_associated()?;
    }
    order.store(dca)?;
    Transfer {
        program: programs.token,
        source: user_ata,
        destination: in_ata,
        authority: user,
        amount: terms.in_amount,
    }
    .invoke(&[])?;
    accounts.emitter.opened(dca.address(), &order)
}

/// Creates the order's account and returns its first state. Fails with ConstraintSeeds for another address, and within
/// the system program if the user has an order of that number already.
#[inline(never)]
fn create(accounts: &Accounts, terms: &Terms) -> Result<Dca> {
    let &Accounts { dca, user, payer, input_mint, output_mint, in_ata, out_ata, .. } = accounts;
    let (input, output) = (input_mint.address(), output_mint.address());
    let bump = create_account(payer, dca, [user.address(), input, output], terms.idx)?;
    let now = Clock::get()?.unix_timestamp;
    let mut order = Dca {
        user: *user.address(),
        input_mint: *input,
        output_mint: *output,
        idx: terms.idx,
        next_cycle_at: terms.start_at.max(now),
        in_deposited: 0,
        in_withdrawn: 0,
        out_withdrawn: 0,
        in_used: 0,
        out_received: 0,
        in_amount_per_cycle: terms.in_amount_per_cycle,
        cycle_frequency: terms.cycle_frequency,
        next_cycle_amount_left: 0,
        in_account: *in_ata.address(),
        out_account: *out_ata.address(),
        min_out_amount: terms.min_out_amount,
        max_out_amount: terms.max_out_amount,
        keeper_in_balance_before_borrow: 0,
        dca_out_balance_before_swap: 0,
        created_at: now,
        bump,
    };
    order.add_deposit(terms.in_amount).ok_or(INVALID_AMOUNT)?;
    Ok(order)
}

/// Creates the account at the address of user, input mint, output mint and number, and returns the bump. Five seeds are one
/// more than `anchor::CreateDerived` takes, so that the call is made here.
#[inline(never)]
fn create_account(payer: Account, dca: Account, names: [&Address; 3], idx: u64) -> Result<u8> {
    let [user, input, output] = names;
    let idx = idx.to_le_bytes();
    let bump = anchor::check_derived(dca, &[DCA_SEED, &user.0, &input.0, &output.0, &idx], &PROGRAM, "dca")?;
    system::Create { payer, account: dca, space: Dca::SPACE, owner: &PROGRAM }.invoke(&[&[
        DCA_SEED,
        &user.0,
        &input.0,
        &output.0,
        &idx,
        &[bump],
    ]])?;
    Ok(bump)
}
