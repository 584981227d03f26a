//! The instruction `swap`.

use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::sysvar::Clock;
use sluice_program::token::{self, amount_of, Burn, MintTo, TokenAccount, Transfer};
use sluice_program::{layout, Account, Result};

use crate::addresses::PROGRAM;
use crate::errors::{
    INVALID_ACCOUNT, INVALID_FEED, INVALID_TOKEN_ACCOUNT, MATH_OVERFLOW, NO_LIQUIDITY, ROUND_CLOSING,
    SLIPPAGE_EXCEEDED, ZERO_AMOUNT,
};
use crate::events::Swapped;
use crate::fair_price::{compute_fair_up, ONE};
use crate::feed::FeedPrice;
use crate::outcome_mint::check_token_2022;
use crate::quote::{Quote, Trade};
use crate::round::{Round, Side};
use crate::vault::Vault;

/// Nothing is traded in the last seconds.
const CLOSING: i64 = 15;

/// Anybody buys tokens of a side from the house, or sells them to it.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (accounts, _) = anchor::accounts::<10>(accounts)?;
    let mut from = Reader::new(args);
    let is_buy = decoded(from.bool())?;
    let amount = decoded(from.u64())?;
    let least = decoded(from.u64())?;
    let swap = Swap::open(accounts)?;
    let mut round = Round::load(swap.vault.round)?;
    let side = swap.check_side(&round)?;
    let moment = swap.read_moment(&round, side)?;
    if amount == 0 {
        return Err(ZERO_AMOUNT.into());
    }
    let quote = moment.quote(&round, side);
    let trade = if is_buy { quote.buy(amount)? } else { quote.sell(amount)? };
    if trade.out == 0 {
        return Err(ZERO_AMOUNT.into());
    }
    if trade.out < least {
        return Err(SLIPPAGE_EXCEEDED.into());
    }
    let (contracts, usdc) = if is_buy { (trade.out, amount) } else { (amount, trade.out) };
    if is_buy {
        swap.buy(&round, contracts, usdc)?;
    } else {
        swap.sell(&round, contracts, usdc)?;
    }
    record(&mut round, side, is_buy, contracts, usdc)?;
    swap.check_covered(&round)?;
    layout::store(&round, swap.vault.round)?;
    swap.emit(&round, &moment, &trade, &Moved { side, is_buy, contracts, usdc })
}

/// What a trade has moved.
struct Moved {
    side: usize,
    is_buy: bool,
    contracts: u64,
    usdc: u64,
}

/// What the price is computed from beside the round.
struct Moment {
    now: i64,
    feed_price: i64,
    /// What a token of the side is worth.
    fair: u64,
}

impl Moment {
    fn quote(&self, round: &Round, side: usize) -> Quote {
        Quote {
            fair: self.fair,
            half_spread: round.half_spread,
            slope: round.slope,
            own: round.outstanding[side],
            other: round.outstanding[1 - side],
        }
    }
}

struct Swap<'a> {
    user: Account<'a>,
    side: Account<'a>,
    feed: Account<'a>,
    mint: Account<'a>,
    vault: Vault<'a>,
    usdc: Account<'a>,
    tokens: Account<'a>,
    token_2022: Account<'a>,
}

impl<'a> Swap<'a> {
    #[inline(never)]
    fn open(accounts: &[Account<'a>; 10]) -> Result<Self> {
        let &[user, side, round, feed, mint, vault, usdc, tokens, token_program, token_2022] = accounts;
        anchor::check_signer(user, "user")?;
        anchor::check_program(token_program, &[token::PROGRAM], "token_program")?;
        check_token_2022(token_2022)?;
        anchor::check_writable(vault, "vault")?;
        anchor::check_writable(mint, "mint")?;
        anchor::check_writable(usdc, "usdc_account")?;
        anchor::check_writable(tokens, "outcome_account")?;
        // The side names the vault, which `check_side` compares, so that no address has to be derived.
        let vault = Vault { round, tokens: vault, token_program };
        Ok(Self { user, side, feed, mint, vault, usdc, tokens, token_2022 })
    }

    /// Returns the number of the side. Fails with InvalidAccount or InvalidFeed unless all accounts are those of the side.
    #[inline(never)]
    fn check_side(&self, round: &Round) -> Result<usize> {
        let side: Side = layout::load(self.side, &PROGRAM, "side")?;
        if side.round != *self.vault.round.address() {
            return Err(INVALID_ACCOUNT.of("side"));
        }
        if side.mint != *self.mint.address() {
            return Err(INVALID_ACCOUNT.of("mint"));
        }
        if side.vault != *self.vault.tokens.address() {
            return Err(INVALID_ACCOUNT.of("vault"));
        }
        if round.feed != *self.feed.address() {
            return Err(INVALID_FEED.of("feed"));
        }
        Ok(side.side as usize)
    }

    /// Fails with RoundClosing where nothing is traded any more, and with FeedNotGood unless there is a price of now.
    #[inline(never)]
    fn read_moment(&self, round: &Round, side: usize) -> Result<Moment> {
        let now = Clock::get()?.unix_timestamp;
        round.check_open()?;
        if now >= round.close_time - CLOSING {
            return Err(ROUND_CLOSING.of("round"));
        }
        let feed = FeedPrice::load(self.feed, now)?;
        feed.check_age(now)?;
        feed.check_exponent(round.exponent)?;
        let up = compute_fair_up(round, feed.price as u64, feed.published)?;
        Ok(Moment { now, feed_price: feed.price, fair: if side == 0 { up } else { ONE - up } })
    }

    #[inline(never)]
    fn buy(&self, round: &Round, contracts: u64, usdc: u64) -> Result {
        Transfer {
            program: self.vault.token_program,
            source: self.usdc,
            destination: self.vault.tokens,
            authority: self.user,
            amount: usdc,
        }
        .invoke(&[])?;
        round.sign(|signers| {
            MintTo {
                program: self.token_2022,
                mint: self.mint,
                destination: self.tokens,
                authority: self.vault.round,
                amount: contracts,
            }
            .invoke(signers)
        })
    }

    #[inline(never)]
    fn sell(&self, round: &Round, contracts: u64, usdc: u64) -> Result {
        Burn {
            program: self.token_2022,
            source: self.tokens,
            mint: self.mint,
            authority: self.user,
            amount: contracts,
        }
        .invoke(&[])?;
        self.vault.pay(round, self.usdc, usdc)
    }

    /// Fails with NoLiquidity unless the vault can pay either side.
    #[inline(never)]
    fn check_covered(&self, round: &Round) -> Result {
        let [up, down] = round.outstanding;
        if amount_of(self.vault.tokens)? < up.max(down) {
            return Err(NO_LIQUIDITY.of("vault"));
        }
        Ok(())
    }

    #[inline(never)]
    fn emit(&self, round: &Round, moment: &Moment, trade: &Trade, moved: &Moved) -> Result {
        let tokens = TokenAccount::load(self.tokens, "outcome_account")?;
        if tokens.mint != *self.mint.address() {
            return Err(INVALID_TOKEN_ACCOUNT.of("outcome_account"));
        }
        Swapped {
            round: self.vault.round.address(),
            owner: &tokens.owner,
            account: self.tokens.address(),
            authority: self.user.address(),
            side: moved.side as u8,
            is_buy: moved.is_buy,
            contracts: moved.contracts,
            usdc: moved.usdc,
            fair: moment.fair,
            first_price: trade.first_price,
            feed_price: moment.feed_price,
            outstanding: round.outstanding,
            now: moment.now,
        }
        .emit()
    }
}

/// Counts a trade.
#[inline(never)]
fn record(round: &mut Round, side: usize, is_buy: bool, contracts: u64, usdc: u64) -> Result {
    let before = round.outstanding[side];
    let after = if is_buy { before.checked_add(contracts) } else { before.checked_sub(contracts) };
    round.outstanding[side] = after.ok_or(MATH_OVERFLOW)?;
    round.volume = round.volume.checked_add(usdc).ok_or(MATH_OVERFLOW)?;
    Ok(())
}
