import { describe, expect, it } from 'vitest';
import type { Address } from '../../../solana/address.ts';
import { OrderPairs } from './order-pairs.ts';

const [A, B, C] = ['a', 'b', 'c'] as Address[] as [Address, Address, Address];

describe('OrderPairs', () => {
  it('lets an order wait whose price the estimates do not reach, and finds it when they do', () => {
    const { pairs, prices } = createPairs();
    expect(pairs.add('reached' as Address, sell(200n))).toBe(false);
    expect(pairs.add('waits' as Address, sell(202n))).toBe(true);
    pairs.noteMoved(A);
    expect(pairs.listReached(1)).toEqual([]);
    prices.set(A, 2.02);
    expect(pairs.listReached(1)).toEqual([]);
    pairs.noteMoved(A);
    expect(pairs.listReached(1)).toEqual(['waits']);
    pairs.remove('waits' as Address, sell(202n));
    pairs.noteAllMoved();
    expect(pairs.listReached(1)).toEqual([]);
  });

  it('does not let an order wait for a price that nobody estimates', () => {
    const { pairs, prices } = createPairs();
    for (const price of [undefined, 0]) {
      prices.delete(B);
      if (price !== undefined) prices.set(B, price);
      expect(pairs.add('order' as Address, sell(1_000n))).toBe(false);
    }
  });

  it('finds all orders that one move reaches, however many they are', () => {
    const { pairs, prices } = createPairs();
    const waiting = new Set(Array.from({ length: 600 }, (_, at) => `order ${at}` as Address));
    for (const address of waiting) expect(pairs.add(address, sell(300n))).toBe(true);
    prices.set(A, 3);
    pairs.noteMoved(A);
    for (let look = 0; look < 3; look++) {
      for (const address of pairs.listReached(1)) {
        waiting.delete(address);
        pairs.remove(address, sell(300n));
      }
    }
    expect(waiting.size).toBe(0);
    expect(pairs.listReached(1)).toEqual([]);
  });

  it('looks at so many pairs at a time, and at the others the next time', () => {
    const { pairs, prices } = createPairs();
    pairs.add('one' as Address, sell(300n));
    pairs.add('other' as Address, { ...sell(300n), inputMint: C });
    prices.set(A, 3).set(C, 3);
    pairs.noteAllMoved();
    expect([pairs.listReached(1), pairs.listReached(1), pairs.listReached(1)]).toEqual([
      ['one'],
      ['other'],
      [],
    ]);
  });

  it('says which mints are named, and forgets the pairs of one that no order names any more', () => {
    const { pairs, prices, named } = createPairs();
    pairs.name(sell(300n));
    pairs.name({ inputMint: A, outputMint: C });
    pairs.add('one' as Address, sell(300n));
    pairs.forget({ inputMint: A, outputMint: C });
    expect(named).toEqual(['+a', '+b', '+c', '-c']);
    pairs.forget(sell(300n));
    expect(named.slice(4)).toEqual(['-a', '-b']);
    prices.set(A, 3);
    pairs.noteAllMoved();
    expect(pairs.listReached(1)).toEqual([]);
  });
});

/** Pairs of tokens of which an atom is worth 2 dollars, and 1 dollar of the second one. */
function createPairs() {
  const prices = new Map<Address, number>([
    [A, 2],
    [B, 1],
    [C, 2],
  ]);
  const named: string[] = [];
  const pairs = new OrderPairs({
    dollarsPerAtom: (mint) => prices.get(mint) ?? null,
    onMint: (mint, isNamed) => named.push(`${isNamed ? '+' : '-'}${mint}`),
  });
  return { pairs, prices, named };
}

/** An order that sells 100 atoms. */
function sell(taking: bigint) {
  return { inputMint: A, outputMint: B, making: 100n, taking, slippageBps: 0 };
}
