import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import {
  decodeFill,
  type FillSide,
  deriveTemporaryAddress,
} from '../../../src/protocols/order-engine/fill-instruction.ts';
import { transferLamports } from '../../../src/solana/programs/system.ts';
import { HOLDING, type Kind, NOW, Parties } from './fill-parties.ts';

describe('fill', () => {
  const isSol = (kinds: readonly Kind[]) => kinds.some((kind) => kind === 'native');
  const pairs = KINDS.flatMap((input) => KINDS.map((output) => [input, output] as const));

  it.each(pairs.filter(([input, output]) => !(isSol(input) && isSol(output))))(
    'moves %j in and %j out, to the atom',
    (input, output) => {
      const parties = new Parties();
      const sides = [parties.side(...input), parties.side(...output)] as const;
      const before = holdings(parties, sides);
      const outcome = parties.send(parties.fill(...sides));
      expect(outcome.error).toBeNull();
      expect(change(holdings(parties, sides), before)).toEqual([-5_000n, 5_000n, 7_000n, -7_000n]);
      // The account for unwrapping SOL is closed, and its rent returns to the maker.
      expect(parties.network.account(deriveTemporaryAddress(parties.maker))).toBeNull();
    },
  );

  it('nets SOL that is paid in both directions', () => {
    const parties = new Parties();
    const outcome = parties.send(parties.fill(parties.side('native'), parties.side('native')));
    expect(outcome.error).toBeNull();
    expect(parties.balance(parties.taker, null)).toBe(HOLDING + 2_000n);
    expect(parties.balance(parties.maker, null)).toBe(HOLDING - 2_000n);
  });

  it('unwraps in both directions through the same account', () => {
    const parties = new Parties();
    const sides = [parties.side('wrapped', 'native'), parties.side('native', 'wrapped')] as const;
    expect(parties.send(parties.fill(...sides)).error).toBeNull();
    expect(holdings(parties, sides)).toEqual([
      HOLDING - 5_000n,
      HOLDING + 5_000n,
      HOLDING + 7_000n,
      HOLDING - 7_000n,
    ]);
  });

  it('unwraps even if lamports were sent to the temporary account before', () => {
    const parties = new Parties();
    const sides = [parties.side('token'), parties.side('native', 'wrapped')] as const;
    const temporary = deriveTemporaryAddress(parties.maker);
    const gift = transferLamports(parties.network.payer, temporary, 1_000_000n);
    expect(parties.send(gift, parties.fill(...sides)).error).toBeNull();
    expect(parties.balance(parties.taker, null)).toBe(HOLDING + 7_000n);
    // The gift arrives with the maker.
    expect(parties.balance(parties.maker, null)).toBe(HOLDING + 1_000_000n);
  });

  it('moves any amounts that both parties have', () => {
    const seed = 20_260_301;
    const amount = fc.bigInt({ min: 0n, max: HOLDING });
    const kinds = fc.constantFrom(...KINDS.filter(([taker]) => taker.startsWith('token')));
    assertProperty(
      fc.property(amount, amount, kinds, kinds, (inputAmount, outputAmount, input, output) => {
        const parties = new Parties();
        const sides = [parties.side(...input), parties.side(...output)] as const;
        const { error } = parties.send(parties.fill(...sides, { inputAmount, outputAmount }));
        expect(error).toBeNull();
        expect(holdings(parties, sides)).toEqual([
          HOLDING - inputAmount,
          HOLDING + inputAmount,
          HOLDING + outputAmount,
          HOLDING - outputAmount,
        ]);
      }),
      { cases: 60, short: 25, seed },
    );
  });

  it('lets the taker keep its input when the maker cannot pay', () => {
    const parties = new Parties();
    const sides = [parties.side('token'), parties.side('token-2022')] as const;
    const { error } = parties.send(parties.fill(...sides, { outputAmount: HOLDING + 1n }));
    expect(error).toMatchObject({ custom: 1 });
    expect(holdings(parties, sides)).toEqual([HOLDING, HOLDING, HOLDING, HOLDING]);
  });

  it('is good in the second of its expiry and not after it', () => {
    const parties = new Parties();
    const sides = [parties.side('token'), parties.side('token-2022')] as const;
    expect(parties.send(parties.fill(...sides, { expireAt: NOW })).error).toBeNull();
    expect(parties.send(parties.fill(...sides, { expireAt: NOW - 1n })).error?.custom).toBe(2506);
    expect(parties.send(parties.fill(...sides, { expireAt: -1n })).error?.custom).toBe(2506);
  });

  it.each([{ bps: 10, quoteType: 'exactIn' } as const, { bps: 10_000, quoteType: 'exactOut' } as const])(
    'ignores the fee behind the arguments: $bps bps of an $quoteType quote',
    (fee) => {
      const parties = new Parties();
      const sides = [parties.side('token'), parties.side('token-2022')] as const;
      const instruction = parties.fill(...sides, {}, fee);
      expect(parties.send(instruction).error).toBeNull();
      expect(decodeFill(instruction.data)).toEqual({
        trade: { inputAmount: 5_000n, outputAmount: 7_000n, expireAt: NOW + 55n },
        fee,
      });
    },
  );
});

const KINDS: readonly (readonly [taker: Kind, maker: Kind])[] = [
  ['token', 'token'],
  ['token-2022', 'token-2022'],
  ['wrapped', 'wrapped'],
  ['native', 'native'],
  ['native', 'wrapped'],
  ['wrapped', 'native'],
];

/** Returns each party's balances of both sides. */
function holdings(parties: Parties, sides: readonly FillSide[]): readonly bigint[] {
  const { taker, maker } = parties;
  return sides.flatMap((side) => [parties.balance(taker, side.taker), parties.balance(maker, side.maker)]);
}

const change = (after: readonly bigint[], before: readonly bigint[]) =>
  after.map((amount, index) => amount - (before[index] ?? 0n));
