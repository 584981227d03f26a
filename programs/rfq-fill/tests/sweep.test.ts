import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countCases } from '../../../src/testing/random.ts';
import { AggregatorSide } from '../../../src/protocol/venue/aggregator-step.ts';
import {
  type FillParams,
  type FillLevel,
  sweepLevels,
} from '../../../src/protocols/rfq-fill/fill-program.ts';
import type { Address } from '../../../src/solana/address.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import type { Encoded, TestOutcome } from '../../../src/testing/svm/network.ts';
import { FillMarket, NOW, type Order } from './fill-market.ts';

describe('the sweep', () => {
  it(`pays what the calculation says, to the atom, in ${SUITE.cases} random orders`, () => {
    const bench = new Bench();
    const seen = new Map<string, number>();
    assertProperty(
      fc.property(orders, (order) => {
        const expected = sweepLevels(order.side, order.amount, order.params);
        const { outcome, paid, received, earned, spent } = bench.run(order);
        const kind = 'error' in expected ? expected.error : 'fill';
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
        if ('error' in expected) {
          expect(outcome.error?.custom).toBe(CODES[expected.error]);
          expect([paid, received, earned, spent]).toEqual([0n, 0n, 0n, 0n]);
        } else {
          expect(outcome.error).toBeNull();
          expect({ paid, received }).toEqual({ paid: expected.paid, received: expected.received });
          expect({ earned, spent }).toEqual({ earned: expected.paid, spent: expected.received });
        }
      }),
      SUITE,
    );
    // The generator must reach every outcome, otherwise the comparison is incomplete.
    for (const kind of ['fill', ...Object.keys(CODES)]) {
      expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(countCases(SUITE) / 100);
    }
  });

  it('gives the taker no better price than each level, and takes only whole lots', () => {
    const check = ({ side, amount, params }: Order): void => {
      const fill = sweepLevels(side, amount, params);
      if ('error' in fill) return;
      const [base, quote] =
        side === AggregatorSide.BID ? [fill.received, fill.paid] : [fill.paid, fill.received];
      expect(base).toBe(fill.lots * params.lotSizeBase);
      expect(quote % params.tickSizeQpb).toBe(0n);
      const best = params.levels[0]?.pxTicks ?? 0n;
      const atBest = fill.lots * best * params.tickSizeQpb;
      if (side === AggregatorSide.BID) expect(quote).toBeGreaterThanOrEqual(atBest);
      else expect(quote).toBeLessThanOrEqual(atBest);
      expect(fill.paid).toBeLessThanOrEqual(amount);
      expect(available(params)).toBeGreaterThanOrEqual(fill.lots);
    };
    assertProperty(fc.property(orders, check), { cases: 10_000, seed: 20_260_601 });
  });
});

const SUITE = { cases: 10_000, seed: 20_260_531, against: 'the program' };
const CODES = { Overflow: 6000, NoFill: 6001, InvalidLevelOrdering: 6003 } as const;

/** All magnitudes are equally likely, so that lots, ticks and amounts meet and overflow at every scale. */
function upTo(bits: number): fc.Arbitrary<bigint> {
  return fc
    .integer({ min: 0, max: bits })
    .chain((width) =>
      fc.oneof(fc.bigInt(0n, (1n << BigInt(width)) - 1n), fc.constant((1n << BigInt(width)) - 1n)),
    );
}

const level: fc.Arbitrary<FillLevel> = fc.record({ pxTicks: upTo(40), qtyLots: upTo(40) });
const wideLevel: fc.Arbitrary<FillLevel> = fc.record({ pxTicks: upTo(64), qtyLots: upTo(64) });

const orders: fc.Arbitrary<Order> = fc
  .record({
    side: fc.constantFrom(AggregatorSide.BID, AggregatorSide.ASK),
    amount: fc.oneof({ weight: 3, arbitrary: upTo(64) }, { weight: 1, arbitrary: fc.bigInt(0n, 30n) }),
    tickSizeQpb: fc.oneof(fc.constant(1n), upTo(24), upTo(64)),
    lotSizeBase: fc.oneof(upTo(24), upTo(64)),
    levels: fc.array(fc.oneof({ weight: 4, arbitrary: level }, { weight: 1, arbitrary: wideLevel }), {
      maxLength: 6,
    }),
    sorted: fc.oneof(
      { weight: 9, arbitrary: fc.constant(true) },
      { weight: 1, arbitrary: fc.constant(false) },
    ),
  })
  .map(({ side, amount, tickSizeQpb, lotSizeBase, levels, sorted }) => ({
    side,
    amount,
    params: { expireAt: NOW, tickSizeQpb, lotSizeBase, levels: sorted ? bestFirst(side, levels) : levels },
  }));

function bestFirst(side: AggregatorSide, levels: readonly FillLevel[]): FillLevel[] {
  const rising = levels.toSorted((a, b) => (a.pxTicks < b.pxTicks ? -1 : a.pxTicks > b.pxTicks ? 1 : 0));
  return side === AggregatorSide.BID ? rising : rising.toReversed();
}

/** A market whose taker holds exactly the input and whose maker can pay any amount. It is reset before each order. */
class Bench {
  readonly #market = new FillMarket();
  readonly #encoded = new Map<string, Encoded & { readonly dataAt: number }>();

  run(order: Order): { outcome: TestOutcome; paid: bigint; received: bigint; earned: bigint; spent: bigint } {
    const { taker, maker, takerBase, takerQuote, makerBase, makerQuote } = this.#market.parties;
    const bid = order.side === AggregatorSide.BID;
    const [takerIn, takerOut] = bid ? [takerQuote, takerBase] : [takerBase, takerQuote];
    const [makerIn, makerOut] = bid ? [makerQuote, makerBase] : [makerBase, makerQuote];
    this.#hold(takerIn, taker, order.amount);
    this.#hold(takerOut, taker, 0n);
    this.#hold(makerIn, maker, 0n);
    this.#hold(makerOut, maker, U64_MAX);
    const outcome = this.#send(order);
    const balance = (account: Address) => this.#market.network.tokenBalance(account);
    return {
      outcome,
      paid: order.amount - balance(takerIn),
      received: balance(takerOut),
      earned: balance(makerIn),
      spent: U64_MAX - balance(makerOut),
    };
  }

  #hold(account: Address, owner: Address, amount: bigint): void {
    const { takerBase, makerBase } = this.#market.parties;
    const { baseMint, quoteMint } = this.#market.pair;
    const mint = account === takerBase || account === makerBase ? baseMint : quoteMint;
    this.#market.setTokenAccount(account, mint, owner, amount);
  }

  /** Orders with the same side and number of levels differ only in the instruction's data. */
  #send(order: Order): TestOutcome {
    const { data } = this.#market.route(order);
    const shape = `${order.side} ${order.params.levels.length}`;
    let encoded = this.#encoded.get(shape);
    if (encoded === undefined) {
      encoded = this.#encode(order, data);
      this.#encoded.set(shape, encoded);
    }
    encoded.wire.set(data, encoded.dataAt);
    return this.#market.network.sendEncoded(encoded);
  }

  #encode(order: Order, data: Uint8Array): Encoded & { readonly dataAt: number } {
    const encoded = this.#market.network.encode([this.#market.route(order)]);
    const dataAt = Buffer.from(encoded.wire).indexOf(data);
    if (dataAt < 0) throw new Error('the transaction does not have the instruction in it');
    return { ...encoded, dataAt };
  }
}

function available({ levels }: FillParams): bigint {
  return levels.reduce((sum, { qtyLots }) => sum + qtyLots, 0n);
}
