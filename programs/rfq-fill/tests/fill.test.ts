import { describe, expect, it } from 'vitest';
import { AggregatorSide } from '../../../src/protocol/venue/aggregator-step.ts';
import { RFQ_FILL_PROGRAM } from '../../../src/protocols/rfq-fill/fill-step.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { BASE_DECIMALS, FillMarket, levels, NOW, order, QUOTE_DECIMALS } from './fill-market.ts';

describe('fill_exact_in', () => {
  it('moves quote to the maker and base to the taker for a bid, and leaves the rest of the input', () => {
    const market = new FillMarket();
    const bid = order(AggregatorSide.BID, 42_706_402n, {
      lotSizeBase: 10_000_000n,
      levels: levels([853_875n, 50n]),
    });
    const outcome = market.send(market.route(bid));
    expect(outcome.error).toBeNull();
    expect(market.gains()).toEqual({
      takerBase: 500_000_000n,
      takerQuote: -42_693_750n,
      makerBase: -500_000_000n,
      makerQuote: 42_693_750n,
    });
    expect(outcome.logs).toContain(
      'Program log: Fill executed: side=Bid, amount_in=42693750, amount_out=500000000, vwap_ticks=853875',
    );
  });

  it('moves base to the maker and quote to the taker for an ask', () => {
    const market = new FillMarket();
    const ask = order(AggregatorSide.ASK, 270_106_537n, {
      lotSizeBase: 10_000_000n,
      levels: levels([856_477n, 50n]),
    });
    const outcome = market.send(market.route(ask));
    expect(outcome.error).toBeNull();
    expect(market.gains()).toEqual({
      takerBase: -270_000_000n,
      takerQuote: 23_124_879n,
      makerBase: 270_000_000n,
      makerQuote: -23_124_879n,
    });
  });

  it('logs the mean price over several levels, in ticks, rounded down', () => {
    const market = new FillMarket();
    const bid = order(AggregatorSide.BID, 5_000n, {
      tickSizeQpb: 5n,
      lotSizeBase: 1n,
      levels: levels([100n, 5n], [200n, 5n]),
    });
    const { logs } = market.send(market.route(bid));
    expect(logs).toContain(
      'Program log: Fill executed: side=Bid, amount_in=4500, amount_out=7, vwap_ticks=128',
    );
  });

  it('lets the taker pay first, by transfer_checked in the program of each mint', () => {
    const market = new FillMarket({ base: TOKEN_2022_PROGRAM, quote: TOKEN_PROGRAM });
    const { parties, pair } = market;
    const ask = order(AggregatorSide.ASK, 7_000n, { levels: levels([3n, 100n]) });
    const { error, inner } = market.send(market.route(ask));
    expect(error).toBeNull();
    const calls = inner.flat();
    const fill = calls.findIndex(({ program }) => program === RFQ_FILL_PROGRAM);
    const transfers = calls.slice(fill + 1, fill + 3);
    expect(transfers.map(({ program, accounts }) => [program, accounts])).toEqual([
      [TOKEN_2022_PROGRAM, [parties.takerBase, pair.baseMint, parties.makerBase, parties.taker]],
      [TOKEN_PROGRAM, [parties.makerQuote, pair.quoteMint, parties.takerQuote, parties.maker]],
    ]);
    expect(transfers.map(({ data }) => [data[0], data[9]])).toEqual([
      [TRANSFER_CHECKED, BASE_DECIMALS],
      [TRANSFER_CHECKED, QUOTE_DECIMALS],
    ]);
  });

  it('is still good in the second of its expiry', () => {
    const market = new FillMarket();
    const { error } = market.send(
      market.route(order(AggregatorSide.ASK, 1_000n, { expireAt: NOW, levels: levels([3n, 1n]) })),
    );
    expect(error).toBeNull();
  });

  it('takes as many levels as a transaction holds', () => {
    const market = new FillMarket();
    const many = Array.from({ length: 20 }, (_, index) => [100n + BigInt(index), 1n] as const);
    const { error } = market.send(
      market.route(order(AggregatorSide.BID, 1n << 40n, { levels: levels(...many) })),
    );
    expect(error).toBeNull();
    expect(market.gains()).toMatchObject({ takerBase: 20_000n, takerQuote: -2_190n });
  });

  it('keeps nothing of the taker when the maker cannot pay', () => {
    const market = new FillMarket();
    const ask = order(AggregatorSide.ASK, 1n << 50n, {
      lotSizeBase: 1n,
      levels: levels([1n << 11n, 1n << 60n]),
    });
    const { error } = market.send(market.route(ask));
    expect(error).toMatchObject({ custom: 1 });
    expect(market.gains()).toEqual({ takerBase: 0n, takerQuote: 0n, makerBase: 0n, makerQuote: 0n });
  });
});

/** Number of a token transfer that names the mint and its decimals. */
const TRANSFER_CHECKED = 12;
