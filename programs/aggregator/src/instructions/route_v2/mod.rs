//! `route_v2`, `shared_accounts_route_v2` and their forms for an exact output. Shares are in basis points, there is one event, and the accounts of
//! platform fee and positive slippage follow the fixed ones.

mod exact_out_route;
mod route;
mod shared_accounts_exact_out_route;
mod shared_accounts_route;

pub use exact_out_route::exact_out_route;
pub use route::route;
pub use shared_accounts_exact_out_route::shared_accounts_exact_out_route;
pub use shared_accounts_route::shared_accounts_route;

use crate::plan::{self, required, Plan, Version};
use crate::route::{PlatformFee, Terms};
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

fn arguments<'d>(reader: &mut Reader<'d>) -> Result<(Terms, Plan<'d>)> {
    let terms = Terms {
        amount: required(reader.u64())?,
        quoted: required(reader.u64())?,
        slippage_bps: required(reader.u16())?,
        platform_fee_bps: required(reader.u16())?,
        positive_slippage_bps: required(reader.u16())?,
    };
    Ok((terms, plan::read(reader, Version::V2)?))
}

/// The accounts between the fixed ones and those of the steps.
struct Extras<'a> {
    platform_fee: Option<PlatformFee<'a>>,
    positive_slippage: Option<Account<'a>>,
}

/// Fails with InvalidTokenAccount if an account cannot be a token account.
fn extras<'s, 'a>(terms: &Terms, rest: &'s [Account<'a>]) -> Result<(Extras<'a>, &'s [Account<'a>])> {
    let (fee_account, rest) = extra(terms.platform_fee_bps, rest);
    let (positive_slippage, rest) = extra(terms.positive_slippage_bps, rest);
    let platform_fee = fee_account.map(PlatformFee::load).transpose()?;
    Ok((Extras { platform_fee, positive_slippage }, rest))
}

/// Takes the next account if `bps` is above zero. If there are no more accounts at all, the steps fail later.
fn extra<'s, 'a>(bps: u16, rest: &'s [Account<'a>]) -> (Option<Account<'a>>, &'s [Account<'a>]) {
    match rest.split_first() {
        Some((account, rest)) if bps > 0 => (Some(*account), rest),
        _ => (None, rest),
    }
}
