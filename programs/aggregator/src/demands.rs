//! What the steps of a plan must deliver for an exact output, worked out from the last step to the first.
//!
//! The highest output index is the destination, from which the exact output is demanded. A step delivers its share of
//! what is demanded of its output index, and demands of its input index what its venue takes for that.

use crate::error::{INVALID_OUTPUT_INDEX, SWAP_NOT_SUPPORTED};
use crate::holdings::Pot;
use crate::plan::{Plan, Step};
use crate::venues::{self, Asked, ExactOut, WORKED_OUT};
use sluice_program::anchor::REQUIRE_EQ_VIOLATED;
use sluice_program::heap::List;
use sluice_program::{Account, Result};

pub struct Demands {
    /// The output of each step, in the order of the plan.
    pub outputs: List<u64>,
    /// What is demanded of the first index.
    pub input: u64,
}

/// Fails with RequireEqViolated unless there is one venue's program for each step, and if more is demanded of an index
/// of which a part was worked out already; with InvalidOutputIndex if an input index is above the destination; with
/// the errors of [`Pot::share`], and with those of the venues.
#[inline(never)]
pub fn work_out(plan: &Plan, out_amount: u64, accounts: &[Account]) -> Result<Demands> {
    let steps = plan.steps.len();
    let starts = starts_of(accounts, steps)?;
    let mut outputs = List::with_capacity(steps)?;
    for _ in 0..steps {
        outputs.push(0)?;
    }
    let last = plan.steps.iter().map(|step| step.output).max().unwrap_or(0) as usize;
    let mut pots = List::with_capacity(last + 1)?;
    for _ in 0..last {
        pots.push(Pot::default())?;
    }
    pots.push(Pot::new(out_amount))?;
    for (index, step) in plan.steps.iter().enumerate().rev() {
        let end = starts.get(index + 1).map_or(accounts.len(), |next| next - 1);
        let output = demand(&mut pots, step, &accounts[starts[index]..end])?;
        outputs.as_mut_slice()[index] = output;
    }
    Ok(Demands { outputs, input: pots[0].amount })
}

/// Returns what the step must deliver.
fn demand(pots: &mut List<Pot>, step: &Step, accounts: &[Account]) -> Result<u64> {
    let pots = pots.as_mut_slice();
    let pot = &mut pots[step.output as usize];
    let output = pot.share(step.share)?;
    let mut input = 0;
    (exact_out_of(step)?.input)(&Asked { fields: step.fields, accounts, output }, &mut input)?;
    pot.take(output, step.share);
    let Some(pot) = pots.get_mut(step.input as usize) else {
        return Err(INVALID_OUTPUT_INDEX.into());
    };
    pot.add(input)?;
    Ok(output)
}

/// Returns where the accounts of each step begin, after its venue's program. As in the public program, they are found
/// by the addresses of the programs.
fn starts_of(accounts: &[Account], steps: usize) -> Result<List<usize>> {
    let mut starts = List::with_capacity(steps)?;
    for (index, account) in accounts.iter().enumerate() {
        if !WORKED_OUT.contains(account.address()) {
            continue;
        }
        if starts.len() == steps {
            return Err(REQUIRE_EQ_VIOLATED.into());
        }
        starts.push(index + 1)?;
    }
    if starts.len() < steps {
        return Err(REQUIRE_EQ_VIOLATED.into());
    }
    Ok(starts)
}

/// Fails with SwapNotSupported if the venue delivers no exact output.
pub fn exact_out_of(step: &Step) -> Result<&'static ExactOut> {
    venues::find_exact_out(step.tag).ok_or_else(|| SWAP_NOT_SUPPORTED.into())
}
