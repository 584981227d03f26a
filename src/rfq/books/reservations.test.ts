import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { SOL, USDC, createMaker } from '../../testing/genesis-market/makers.ts';
import { TestMakers } from '../../testing/rfq/makers.ts';
import { computeFreeAsks, computeFreeBids, Reservations } from './reservations.ts';

let makers: TestMakers;
let now: number;
let reservations: Reservations;
beforeEach(setUp);

describe('Reservations', () => {
  it('never reserves more than the maker holds, in any order of events', () => {
    assertProperty(
      fc.property(steps, (happened) => {
        makers = new TestMakers();
        reservations = new Reservations(makers, () => now);
        let balance = 100n;
        const open = new Map<string, bigint>();
        const stream = () => makers.stream(maker, PAIR, [], [{ price: PRICE, volume: balance }]);
        stream();
        for (const [at, step] of happened.entries()) {
          if (step.kind === 'stream') stream();
          if (step.kind === 'wait') {
            // The balance is known within five seconds, and the book cut down to it.
            stream();
            now += step.ms;
          }
          if (step.kind === 'reserve' && reservations.reserve(claim(`${at}`, step.amount)) === null) {
            open.set(`${at}`, step.amount);
          }
          if (step.kind === 'release' || step.kind === 'land') {
            const [uuid, amount] = [...open][step.which] ?? [];
            if (uuid === undefined || amount === undefined) continue;
            open.delete(uuid);
            if (step.kind === 'release') reservations.release(MAKER_ID, uuid);
            else {
              balance -= amount;
              reservations.settle(MAKER_ID, uuid);
            }
          }
          const promised = [...open.values()].reduce((sum, amount) => sum + amount, 0n);
          expect(promised <= balance).toBe(true);
          expect(reservations.reserved(MAKER_ID, SOL.mint) >= promised).toBe(true);
        }
      }),
      { cases: 3_000, seed: SEED },
    );
  });

  it('returns why a claim is refused', () => {
    expect(reservations.reserve(claim('one', 1n))).toMatchObject({ refused: 'expired' });
    makers.stream(maker, PAIR, [{ price: PRICE, volume: 2_000_000_000n }], [{ price: PRICE, volume: 5n }]);
    expect(reservations.reserve(claim('two', 5n))).toBeNull();
    expect(reservations.reserve(claim('three', 1n))).toMatchObject({
      refused: 'promised',
      reason: expect.stringContaining('of which 0 are neither sold nor promised'),
    });
    expect(reservations.reserve(claim('four', 300_000_001n, USDC.mint))).toMatchObject({
      refused: 'promised',
    });
    expect(reservations.reserve(claim('five', 300_000_000n, USDC.mint))).toBeNull();
  });

  it('counts an executed swap until the new balance is known', () => {
    makers.stream(maker, PAIR, [], [{ price: PRICE, volume: 5n }]);
    reservations.reserve(claim('one', 5n));
    reservations.settle(MAKER_ID, 'one');
    now += 4_999;
    expect(reservations.reserved(MAKER_ID, SOL.mint)).toBe(5n);
    now += 1;
    expect(reservations.reserved(MAKER_ID, SOL.mint)).toBe(0n);
  });

  it('counts only the largest claim whose taker no longer has the tokens, until it has them again', () => {
    makers.stream(maker, PAIR, [], [{ price: PRICE, volume: 10n }]);
    const claims = [claim('one', 3n), claim('two', 5n), claim('other', 2n)];
    for (const each of claims) expect(reservations.reserve(each)).toBeNull();
    const [one, two, other] = claims.map((each) => reservations.signedClaim(each));
    one?.setCovered(false);
    expect(reservations.reserved(MAKER_ID, SOL.mint)).toBe(10n);
    two?.setCovered(false);
    expect(reservations.reserved(MAKER_ID, SOL.mint)).toBe(7n);
    expect(other?.wasOverbooked()).toBe(false);
    expect(reservations.reserve(claim('four', 4n))).toMatchObject({ refused: 'promised' });
    expect(reservations.reserve(claim('five', 3n))).toBeNull();
    expect([one, two, other].map((each) => each?.wasOverbooked())).toEqual([true, true, true]);
    one?.setCovered(true);
    expect(reservations.reserved(MAKER_ID, SOL.mint)).toBe(13n);
    reservations.settle(MAKER_ID, 'two');
    two?.setCovered(false);
    expect(reservations.reserved(MAKER_ID, SOL.mint)).toBe(13n);
    now += 5_000;
    expect(reservations.reserved(MAKER_ID, SOL.mint)).toBe(8n);
  });

  it('counts what another process has reserved until that fill can no longer land', () => {
    makers.stream(maker, PAIR, [], [{ price: PRICE, volume: 5n }]);
    reservations.reserve(claim('own', 1n));
    for (const recalled of ['elsewhere', 'own']) reservations.recall(claim(recalled, 3n), 10_000);
    reservations.recall(claim('over', 1n), 0);
    expect(reservations.reserved(MAKER_ID, SOL.mint)).toBe(4n);
    expect(reservations.reserve(claim('more', 2n))).toMatchObject({ refused: 'promised' });
    now += 14_999;
    expect(reservations.reserved(MAKER_ID, SOL.mint)).toBe(4n);
    now += 1;
    expect(reservations.reserved(MAKER_ID, SOL.mint)).toBe(1n);
  });

  it('returns the free part of a book, taking the reserved part from the best levels', () => {
    const levels = [
      { price: 300_000_000n, volume: 2_000_000_000n },
      { price: 200_000_000n, volume: 1_000_000_000n },
    ];
    const book = makers.stream(maker, PAIR, levels, levels.toReversed());
    expect(computeFreeBids(book, 0n)).toBe(book.bids);
    expect(computeFreeBids(book, 150_000_001n)).toEqual([
      { price: 300_000_000n, volume: 1_499_999_996n },
      { price: 200_000_000n, volume: 1_000_000_000n },
    ]);
    expect(computeFreeBids(book, 700_000_000n)).toEqual([{ price: 200_000_000n, volume: 500_000_000n }]);
    expect(computeFreeBids(book, 900_000_000n)).toEqual([]);
    expect(computeFreeAsks(book, 1_500_000_000n)).toEqual([{ price: 300_000_000n, volume: 1_500_000_000n }]);
  });
});

const SEED = 20_261_124;
const maker = createMaker('reserved');
const MAKER_ID = `of ${maker.address}`;
const PRICE = 150_000_000n;
const PAIR = { base: SOL, quote: USDC };

function setUp(): void {
  makers = new TestMakers();
  now = 1_000;
  reservations = new Reservations(makers, () => now);
}

const claim = (swapUuid: string, amount: bigint, mint = SOL.mint) => ({
  swapUuid,
  makerId: MAKER_ID,
  base: SOL.mint,
  quote: USDC.mint,
  mint,
  amount,
});

type Step =
  | { readonly kind: 'reserve'; readonly amount: bigint }
  | { readonly kind: 'release' | 'land'; readonly which: number }
  | { readonly kind: 'stream' }
  | { readonly kind: 'wait'; readonly ms: number };

const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ kind: fc.constant('reserve' as const), amount: fc.bigInt({ min: 1n, max: 60n }) }),
    fc.record({ kind: fc.constantFrom('release', 'land'), which: fc.nat(20) }) as fc.Arbitrary<Step>,
    fc.constant<Step>({ kind: 'stream' }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(8_000) }),
  ),
  { maxLength: 40 },
);
