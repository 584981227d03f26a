import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countCases } from '../../testing/random.ts';
import { FillMarket, NOW } from '../../../programs/rfq-fill/tests/fill-market.ts';
import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import { routeV2 } from '../../market/aggregator/route-v2.ts';
import { AggregatorSide } from '../../protocol/venue/aggregator-step.ts';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import { parseMessage } from '../../solana/messages/message.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { createBookState, JUPITER_RFQ_V2, getBookOffer } from './book-venue.ts';
import { RFQ_FILL_PROGRAM } from '../../protocols/rfq-fill/fill-step.ts';
import type { BookLevel, LiveBook } from '../books/live-book.ts';
import { offers } from '../../testing/rfq/offers.ts';
import { yieldToOtherWork } from '../../testing/waits.ts';

describe('JUPITER_RFQ_V2', () => {
  it('quotes what the fill program takes and pays, to the atom', async () => {
    let filled = 0;
    await assertProperty(
      // The base token of the test has nine decimals, which only prices depend on.
      fc.asyncProperty(
        offers({ min: 9, max: 9 }),
        fc.boolean(),
        async ({ offer, amount }, amountMayDiffer) => {
          const ask = offer.side === AggregatorSide.ASK;
          const pool = ask
            ? createBookState(book(offer.levels, []), offer.levels, [])
            : createBookState(book([], offer.levels), [], offer.levels);
          const [from, to] = ask ? [pair.baseMint, pair.quoteMint] : [pair.quoteMint, pair.baseMint];
          const quote = JUPITER_RFQ_V2.quoteExactIn(pool, from, amount, CLOCK, amountMayDiffer);
          if (quote === null || quote.outAmount > MOST || amount > MOST) return;
          filled++;
          const [source, destination] = ask
            ? [parties.takerBase, parties.takerQuote]
            : [parties.takerQuote, parties.takerBase];
          const swap = { authority: parties.taker, source, destination };
          const step = JUPITER_RFQ_V2.routeStep(pool, from, swap, quote);
          if (filled % REFILL === 1) {
            refill();
            await yieldToOtherWork();
          }
          const held = () => [source, destination].map((account) => network.tokenBalance(account));
          const [paying = 0n, receiving = 0n] = held();
          const outcome = market.send(
            routeV2(
              {
                inAmount: amount,
                quotedOutAmount: quote.outAmount,
                slippageBps: 0,
                steps: [{ step, bps: 10_000, inputIndex: 0, outputIndex: 1 }],
              },
              {
                userTransferAuthority: parties.taker,
                userSourceTokenAccount: source,
                userDestinationTokenAccount: destination,
                sourceMint: from,
                destinationMint: to,
                sourceTokenProgram: pair.baseTokenProgram,
                destinationTokenProgram: pair.quoteTokenProgram,
              },
            ),
          );
          expect(outcome.error).toBeNull();
          const [paid = 0n, received = 0n] = held();
          expect([paying - paid, received - receiving]).toEqual([quote.inAmount, quote.outAmount]);
        },
      ),
      SUITE,
    );
    expect(filled).toBeGreaterThan(countCases(SUITE) / 2);
  });

  it('puts the accounts that makers check into the message, even if lookup tables contain them', () => {
    const bids = [{ price: 150_000_000n, volume: 2_000_000_000n }];
    const pool = createBookState(book(bids, []), bids, []);
    const quote = JUPITER_RFQ_V2.quoteExactIn(pool, pair.baseMint, 1_000_000_000n, CLOCK);
    if (quote === null) throw new Error('nothing is quoted');
    const { takerBase: source, takerQuote: destination, taker, maker } = parties;
    const step = JUPITER_RFQ_V2.routeStep(
      pool,
      pair.baseMint,
      { authority: taker, source, destination },
      quote,
    );
    const route = routeV2(
      {
        inAmount: 1_000_000_000n,
        quotedOutAmount: quote.outAmount,
        slippageBps: 0,
        steps: [{ step, bps: 10_000, inputIndex: 0, outputIndex: 1 }],
      },
      {
        userTransferAuthority: taker,
        userSourceTokenAccount: source,
        userDestinationTokenAccount: destination,
        sourceMint: pair.baseMint,
        destinationMint: pair.quoteMint,
        sourceTokenProgram: pair.baseTokenProgram,
        destinationTokenProgram: pair.quoteTokenProgram,
      },
    );
    const everything = route.accounts.map(({ address }) => address);
    const bytes = compileMessage({
      feePayer: taker,
      blockhash: new Uint8Array(32),
      instructions: [route],
      lookupTables: { [pair.baseMint]: everything },
    });
    const { staticAccounts } = parseMessage(bytes);
    expect(new Set(staticAccounts)).toEqual(
      new Set([taker, maker, AGGREGATOR_PROGRAM, RFQ_FILL_PROGRAM, ...makerAccounts]),
    );
  });

  it('estimates what it quotes, and nothing beyond what is offered', () => {
    const asks = [
      { price: 150_000_000n, volume: 2_000_000_000n },
      { price: 151_000_000n, volume: 1_000_000_000n },
    ];
    const pool = createBookState(book([], asks), [], asks);
    const [base, quote] = pool.mints;
    expect(JUPITER_RFQ_V2.estimate(pool, quote, 300_000_000, CLOCK)).toBeCloseTo(2_000_000_000, 0);
    expect(JUPITER_RFQ_V2.estimate(pool, quote, 451_000_000, CLOCK)).toBeCloseTo(3_000_000_000, 0);
    expect(JUPITER_RFQ_V2.estimate(pool, quote, 451_000_001, CLOCK)).toBe(0);
    expect(JUPITER_RFQ_V2.estimate(pool, base, 1, CLOCK)).toBe(0);
    expect(JUPITER_RFQ_V2.quoteExactIn(pool, quote, 451_000_001n, CLOCK)).toBeNull();
    expect(JUPITER_RFQ_V2.quoteExactIn(pool, quote, 451_000_000n, CLOCK)).toMatchObject({
      inAmount: 451_000_000n,
      outAmount: 3_000_000_000n,
    });
  });

  it('leaves out levels that are far from the best', () => {
    const bids = [80n, 10n, 9n].map((price) => ({ price, volume: 5n }));
    const pool = createBookState(book(bids, bids.toReversed()), bids, bids.toReversed());
    expect(getBookOffer(pool, pair.baseMint).levels.map(({ price }) => price)).toEqual([80n, 10n]);
    expect(getBookOffer(pool, pair.quoteMint).levels.map(({ price }) => price)).toEqual([9n, 10n]);
  });
});

const SUITE = { cases: 10_000, short: 400, seed: 20_261_122, against: 'the program' };
const CLOCK = { slot: 1n, epoch: 0n, unixTimestamp: NOW };
const HELD = 1n << 62n;
/** So much is swapped at most before the accounts are filled up again. */
const REFILL = 32;
const MOST = HELD / BigInt(REFILL);

const market = new FillMarket();
const { pair, parties, network } = market;
const makerAccounts = [pair.baseMint, pair.quoteMint].map((mint) =>
  deriveAssociatedTokenAddress(parties.maker, mint, pair.baseTokenProgram),
);

function book(bids: readonly BookLevel[], asks: readonly BookLevel[], decimals = 9): LiveBook {
  return {
    version: 1,
    makerId: 'maker',
    makerAddress: parties.maker,
    bids,
    asks,
    expiresAt: 0,
    base: { mint: pair.baseMint, decimals, tokenProgram: pair.baseTokenProgram },
    quote: { mint: pair.quoteMint, decimals: 6, tokenProgram: pair.quoteTokenProgram },
  };
}

function refill(): void {
  const owners = [parties.maker, parties.maker, parties.taker, parties.taker];
  for (const [at, account] of [...makerAccounts, parties.takerBase, parties.takerQuote].entries()) {
    market.setTokenAccount(
      account,
      at % 2 === 0 ? pair.baseMint : pair.quoteMint,
      owners[at] ?? parties.taker,
      HELD,
    );
  }
}
