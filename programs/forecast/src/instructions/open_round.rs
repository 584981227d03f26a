//! The instruction `open_round`.

use sluice_program::anchor::{self, decoded};
use sluice_program::associated_token::CreateIdempotent;
use sluice_program::bytes::Reader;
use sluice_program::layout::Layout;
use sluice_program::sysvar::Clock;
use sluice_program::{associated_token, layout, system, Account, Result};

use super::withdraw::Reserve;
use crate::addresses::{PROGRAM, ROUND_SEED, SIDE_SEED, USDC};
use crate::config::{Config, Schedule};
use crate::errors::{INVALID_FEED, INVALID_OPEN_TIME, MATH_OVERFLOW};
use crate::events::emit_opened;
use crate::feed::FeedPrice;
use crate::outcome_mint::{check_token_2022, count_bytes, Name, OutcomeMint};
use crate::round::{check_vault, Round, Side, OPEN};

/// The least time that a round is open, in seconds.
const SHORTEST: i64 = 45;

/// The operator opens a round at the feed's price of now, and funds it out of the reserve.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (accounts, _) = anchor::accounts::<16>(accounts)?;
    let mut from = Reader::new(args);
    let index = decoded(from.u8())?;
    let open_time = decoded(from.i64())?;
    let schedule = *Config::load(accounts[1], accounts[0])?.schedule(index)?;
    let opening = Opening::open(accounts)?;
    let now = Clock::get()?.unix_timestamp;
    let close_time = check_time(open_time, schedule.seconds, now)?;
    let mut round = opening.plan(&schedule, now)?;
    (round.open_time, round.close_time) = (open_time, close_time);
    opening.create(&mut round)?;
    opening.fund(round.funding)?;
    layout::store(&round, opening.round)?;
    emit_opened(opening.round.address(), &round, now)
}

/// Returns when a round closes. Fails with InvalidOpenTime unless it may be opened now.
fn check_time(open_time: i64, seconds: u32, now: i64) -> Result<i64> {
    let opens = u64::try_from(open_time).map_err(|_| INVALID_OPEN_TIME)?;
    let close_time = open_time.checked_add(seconds as i64).ok_or(MATH_OVERFLOW)?;
    if opens % seconds as u64 != 0 || now < open_time || now > close_time - SHORTEST {
        return Err(INVALID_OPEN_TIME.into());
    }
    Ok(close_time)
}

struct Opening<'a> {
    operator: Account<'a>,
    round: Account<'a>,
    sides: [Account<'a>; 2],
    mints: [Account<'a>; 2],
    feed: Account<'a>,
    vault: Account<'a>,
    reserve: Reserve<'a>,
    usdc: Account<'a>,
    token_2022: Account<'a>,
    system: Account<'a>,
}

impl<'a> Opening<'a> {
    #[inline(never)]
    fn open(accounts: &[Account<'a>; 16]) -> Result<Self> {
        let &[operator, _, round, up, down, up_mint, down_mint, feed, vault, authority, tokens, usdc, token_program, token_2022, associated, system] =
            accounts;
        anchor::check_writable(operator, "operator")?;
        anchor::check_address(usdc, &USDC, "usdc_mint")?;
        check_token_2022(token_2022)?;
        anchor::check_program(associated, &[associated_token::PROGRAM], "associated_token_program")?;
        anchor::check_program(system, &[system::PROGRAM], "system_program")?;
        check_vault(vault, round)?;
        Ok(Self {
            operator,
            round,
            sides: [up, down],
            mints: [up_mint, down_mint],
            feed,
            vault,
            reserve: Reserve { authority, tokens, token_program },
            usdc,
            token_2022,
            system,
        })
    }

    /// Returns the round without its times, at the price of now.
    #[inline(never)]
    fn plan(&self, schedule: &Schedule, now: i64) -> Result<Round> {
        if *self.feed.address() != schedule.feed {
            return Err(INVALID_FEED.of("feed"));
        }
        let price = FeedPrice::load(self.feed, now)?;
        price.check_age(now)?;
        Ok(Round {
            operator: *self.operator.address(),
            feed: schedule.feed,
            asset: schedule.asset,
            seconds: schedule.seconds,
            open_time: 0,
            close_time: 0,
            open_price: price.price,
            exponent: price.exponent,
            close_price: 0,
            status: OPEN,
            settled_at: 0,
            outstanding: [0; 2],
            deviation: schedule.deviation,
            half_spread: schedule.half_spread,
            slope: schedule.slope,
            funding: schedule.funding,
            volume: 0,
            bump: 0,
            mints: [*self.mints[0].address(), *self.mints[1].address()],
        })
    }

    /// Creates all accounts, and writes those of the sides.
    #[inline(never)]
    fn create(&self, round: &mut Round) -> Result {
        round.bump = self.create_account(
            self.round,
            &[ROUND_SEED, &round.feed.0, &round.seconds.to_le_bytes(), &round.open_time.to_le_bytes()],
            Round::SPACE,
        )?;
        for (side, words) in [("up", "UP"), ("down", "DOWN")].iter().enumerate() {
            self.create_side(round, side)?;
            self.create_mint(round, side, words)?;
        }
        CreateIdempotent {
            payer: self.operator,
            account: self.vault,
            wallet: self.round,
            mint: self.usdc,
            system_program: self.system,
            token_program: self.reserve.token_program,
        }
        .invoke()
    }

    #[inline(never)]
    fn create_side(&self, round: &Round, side: usize) -> Result {
        let address = self.round.address();
        let account = self.sides[side];
        let bump = self.create_account(account, &[SIDE_SEED, &address.0, &[side as u8]], Side::SPACE)?;
        let state = Side {
            round: *address,
            side: side as u8,
            mint: round.mints[side],
            feed: round.feed,
            vault: *self.vault.address(),
            usdc: USDC,
            close_time: round.close_time,
            bump,
        };
        layout::store(&state, account)
    }

    #[inline(never)]
    fn create_mint(&self, round: &Round, side: usize, (word, symbol): &(&str, &str)) -> Result {
        let mint = OutcomeMint {
            payer: self.operator,
            mint: self.mints[side],
            round: self.round,
            token_program: self.token_2022,
        };
        let name = Name::new(&round.asset, word, round.close_time as u64);
        mint.create(side as u8, count_bytes(&name, symbol))?;
        round.sign(|signers| mint.describe(&name, symbol, signers))
    }

    #[inline(always)]
    fn create_account(&self, account: Account, seeds: &[&[u8]], space: usize) -> Result<u8> {
        let (owner, payer) = (&PROGRAM, self.operator);
        anchor::CreateDerived { payer, account, seeds, space, program: &PROGRAM, owner, name: "round" }
            .invoke()
    }

    fn fund(&self, funding: u64) -> Result {
        if funding == 0 {
            return Ok(());
        }
        self.reserve.pay(self.vault, funding)
    }
}
