//! Execution of the steps of a plan, one after another.

use crate::authority::Authority;
use crate::demands;
use crate::error::{INVALID_CALCULATION, NOT_ENOUGH_ACCOUNT_KEYS};
use crate::events::{Record, Swap};
use crate::holdings::Holdings;
use crate::keys::PROGRAM;
use crate::plan::{Plan, Step};
use crate::token::{amount_of, mint_of};
use crate::venues::{slices, ExactOut, Layout, Rights, Tail};
use sluice_program::anchor::REQUIRE_KEYS_EQ_VIOLATED;
use sluice_program::cpi::{self, CpiAccount};
use sluice_program::heap::List;
use sluice_program::{Account, Address, ProgramError, Result};

/// The first index before any step.
pub struct Source<'a> {
    /// The account and the mint, where the form fixes them. Otherwise the first step determines them.
    pub account: Option<Account<'a>>,
    pub mint: Option<&'a Address>,
}

/// The amounts that the steps call their venues with.
#[derive(Clone, Copy)]
pub enum Amounts<'s> {
    /// Each step takes its share of what its input index holds, and the first index holds this much.
    Inputs(u64),
    /// Each step delivers exactly this much, in the order of the steps.
    Outputs(&'s [u64]),
}

/// The result of the last step.
pub struct Delivery<'a> {
    /// Everything that arrived at the last step's output index.
    pub amount: u64,
    pub account: Account<'a>,
    pub mint: Address,
}

/// The size of the data of any venue's call, without the fields that are passed on.
const CALL_DATA: usize = 64;

/// The steps of a route, and what they start from.
pub struct Run<'s, 'd, 'a> {
    pub plan: &'s Plan<'d>,
    pub source: Source<'a>,
    pub amounts: Amounts<'s>,
    pub authority: Authority<'a>,
}

/// Returns None for an empty plan. Accounts after those of the last step are ignored.
#[inline(never)]
pub fn run<'a>(
    Run { plan, source, amounts, authority }: &Run<'_, '_, 'a>,
    accounts: &[Account<'a>],
    record: &mut Record<'a>,
) -> Result<Option<Delivery<'a>>> {
    let held = match *amounts {
        Amounts::Inputs(amount) => amount,
        Amounts::Outputs(_) => 0,
    };
    let mut holdings = Holdings::new(plan.steps.len(), held, source.account)?;
    let longest = plan.steps.iter().map(|step| step.fields.len()).max().unwrap_or(0);
    let mut call = Call {
        authority,
        accounts: List::with_capacity(accounts.len())?,
        data: List::with_capacity(CALL_DATA + longest)?,
    };
    let mut rest = accounts;
    let mut last = None;
    for (index, step) in plan.steps.iter().enumerate() {
        let (amount, exact_out) = match *amounts {
            Amounts::Inputs(_) => (holdings.input_of(step)?, None),
            Amounts::Outputs(list) => (list[index], Some(demands::exact_out_of(step)?)),
        };
        let done = call.step(step, amount, exact_out, &mut rest)?;
        record.add(&step.venue.program, &done.swap)?;
        if let (0, Some(mint)) = (step.input, source.mint) {
            if done.swap.input_mint != *mint {
                return Err(REQUIRE_KEYS_EQ_VIOLATED.into());
            }
        }
        let spent = if exact_out.is_none() { Some(amount) } else { None };
        holdings.book(step, (done.input, spent), (done.output, done.swap.output_amount))?;
        last = Some((step.output, done.output));
    }
    let Some((index, account)) = last else {
        return Ok(None);
    };
    Ok(Some(Delivery { amount: holdings.received(index), account, mint: mint_of(account)? }))
}

struct Done<'a> {
    input: Account<'a>,
    output: Account<'a>,
    swap: Swap,
}

/// The buffers that each step's call uses again.
struct Call<'s, 'a> {
    authority: &'s Authority<'a>,
    accounts: List<CpiAccount<'a>>,
    data: List<u8>,
}

impl<'a> Call<'_, 'a> {
    /// Takes the step's accounts from `rest` and calls its venue with the amount, which is the input, or for an exact
    /// output the output. The amount that is not given is measured on its account, as is what was delivered.
    ///
    /// Fails with NotEnoughAccountKeys, with IncorrectProgramId if another program is in the venue's place, with
    /// InvalidTokenAccount, and with InvalidCalculation if the output account holds less than before, or the input
    /// account more.
    #[inline(always)]
    fn step(
        &mut self,
        step: &Step,
        amount: u64,
        exact_out: Option<&ExactOut>,
        rest: &mut &[Account<'a>],
    ) -> Result<Done<'a>> {
        let venue = step.venue;
        let [program] = take::<1>(rest)?;
        if *program.address() != venue.program {
            return Err(ProgramError::INCORRECT_PROGRAM_ID);
        }
        let layout = (venue.layout)(step.fields);
        let (own, tail) = split(layout, step.fields, rest)?;
        let (input, output) = (own[layout.input as usize], own[layout.output as usize]);
        let (input_mint, output_mint) = (mint_of(input)?, mint_of(output)?);
        let before = amount_of(output)?;
        let held = amount_of(input)?;

        self.list(layout, own, tail)?;
        self.data.clear();
        let write = exact_out.map_or(venue.data, |form| form.data);
        write(step.fields, amount, &mut self.data)?;
        self.authority
            .with_signers(|signers| cpi::invoke(&venue.program, &self.accounts, &self.data, signers))?;

        let output_amount = amount_of(output)?.checked_sub(before).ok_or(INVALID_CALCULATION)?;
        let input_amount = match exact_out {
            None => amount,
            Some(_) => held.checked_sub(amount_of(input)?).ok_or(INVALID_CALCULATION)?,
        };
        let swap = Swap { input_mint, input_amount, output_mint, output_amount };
        Ok(Done { input, output, swap })
    }

    /// Lists the accounts of the call, in the venue's order.
    #[inline(always)]
    fn list(&mut self, layout: &Layout, own: &[Account<'a>], tail: &[Account<'a>]) -> Result {
        self.accounts.clear();
        for pass in layout.call {
            let account = own[pass.place as usize];
            let writable = match pass.rights {
                Rights::AsGiven => account.is_writable(),
                rights => matches!(rights, Rights::Writable | Rights::WritableSigner),
            };
            let signer = matches!(pass.rights, Rights::Signer | Rights::WritableSigner);
            self.accounts.push(CpiAccount { account, writable, signer })?;
        }
        for &account in tail {
            let (writable, signer) = (account.is_writable(), account.is_signer());
            self.accounts.push(CpiAccount { account, writable, signer })?;
        }
        Ok(())
    }
}

/// Splits off the accounts that the layout names and those that follow them.
#[inline(always)]
fn split<'s, 'a>(
    layout: &Layout,
    fields: &[u8],
    rest: &mut &'s [Account<'a>],
) -> Result<(&'s [Account<'a>], &'s [Account<'a>])> {
    let own = take_slice(rest, layout.call.len())?;
    let tail = match layout.tail {
        Tail::Nothing => &[],
        Tail::Slices(at) => take_slice(rest, slices::total(fields.get(at..).unwrap_or(&[])))?,
        Tail::UntilEnd => take_until_end(rest),
        Tail::UntilEndAtMost(most) => match take_until_end(rest) {
            tail if tail.len() <= most => tail,
            _ => return Err(ProgramError::INVALID_ARGUMENT),
        },
    };
    Ok((own, tail))
}

#[inline(always)]
fn take_until_end<'s, 'a>(rest: &mut &'s [Account<'a>]) -> &'s [Account<'a>] {
    let whole = *rest;
    let end = whole.iter().position(|account| *account.address() == PROGRAM);
    let count = end.unwrap_or(whole.len());
    *rest = whole.get(count + 1..).unwrap_or(&[]);
    &whole[..count]
}

#[inline(always)]
fn take_slice<'s, 'a>(rest: &mut &'s [Account<'a>], count: usize) -> Result<&'s [Account<'a>]> {
    match rest.split_at_checked(count) {
        Some((taken, left)) => {
            *rest = left;
            Ok(taken)
        }
        None => Err(NOT_ENOUGH_ACCOUNT_KEYS.into()),
    }
}

#[inline(always)]
fn take<'a, const N: usize>(rest: &mut &[Account<'a>]) -> Result<[Account<'a>; N]> {
    match rest.split_first_chunk::<N>() {
        Some((taken, left)) => {
            *rest = left;
            Ok(*taken)
        }
        None => Err(NOT_ENOUGH_ACCOUNT_KEYS.into()),
    }
}
