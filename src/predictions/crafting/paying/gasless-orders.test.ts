import { beforeEach, describe, expect, it } from 'vitest';
import type { Chain } from '../../../chain/chain.ts';
import type { Address } from '../../../solana/address.ts';
import { createKeypairFromSeed } from '../../../solana/keypair.ts';
import type { Sponsor } from '../../../transactions/sponsor/sponsor.ts';
import type { OpenPredictionOrder } from '../../prediction.ts';
import { GaslessOrders, MAX_HANDED_OUT } from './gasless-orders.ts';

const keypair = createKeypairFromSeed(new Uint8Array(32).fill(1));
const owner = createKeypairFromSeed(new Uint8Array(32).fill(2)).address;
const LAMPORTS = 8_000_000n;

let height = 0n;
let landed = new Set<string>();
let spent = 0n;
let isUsedUp = false;
let openOrders = new Set<string>();
let tellChanged: (orders: readonly Address[]) => void = () => {};
let orders: GaslessOrders;
beforeEach(() => {
  openOrders = new Set();
  [height, landed, spent, isUsedUp] = [0n, new Set(), 0n, false];
  orders = open();
});

function open(): GaslessOrders {
  const sponsor: Sponsor = {
    keypair,
    leastDollars: 5,
    feeMints: new Set(),
    budget: {
      refusal: async () => null,
      spend: async (_owner, lamports) => {
        if (isUsedUp) return { kind: 'total-limit', spent, limit: spent };
        spent += lamports;
        return null;
      },
      giveBack: (_owner, lamports) => {
        spent -= lamports;
      },
    },
  };
  const chain = {
    blockHeight: () => height,
    signatureStatuses: async (signatures: readonly string[]) =>
      signatures.map((signature) =>
        landed.has(signature) ? { slot: 1n, commitment: 'finalized', error: null } : null,
      ),
  } as unknown as Chain;
  return new GaslessOrders({
    sponsor,
    chain,
    accounts: {
      findOrder: (order) => (openOrders.has(order) ? ({} as OpenPredictionOrder) : null),
      onChange: (listener) => {
        tellChanged = (changed) => listener({ orders: changed, positions: [], results: [] });
        return () => {};
      },
    },
    onDefect: (error) => {
      throw error;
    },
  });
}

const HANDED_OUT = { owner, lamports: LAMPORTS, order: null, returned: 0n, lastValidBlockHeight: 100n };

function reserve(change: Partial<Parameters<GaslessOrders['reserve']>[0]> = {}) {
  return orders.reserve({ owner, walletLamports: 0n, lamports: LAMPORTS, worth: 5_000_000n, ...change });
}

describe('GaslessOrders', () => {
  it('pays for a wallet with little SOL, and counts the whole cost before anything is handed out', async () => {
    expect(await reserve()).toEqual({ kind: 'pays', keypair });
    expect(spent).toBe(LAMPORTS);
  });

  it.each([
    ['a wallet that has enough SOL', { walletLamports: 10_000_000n }, null],
    ['an order that is too small', { worth: 4_999_999n }, 'it pays from 5 dollars on'],
    ['the wallet of the sponsor itself', { owner: keypair.address }, null],
  ])('does not pay for %s', async (_what, change, reason) => {
    expect(await reserve(change)).toEqual({ kind: 'declines', reason });
    expect(spent).toBe(0n);
  });

  it('does not pay when the budget is used up', async () => {
    isUsedUp = true;
    expect(await reserve()).toMatchObject({ reason: expect.stringContaining('is used up') });
  });

  it('pays for no more than so many until the first of them expire, however many are asked for at once', async () => {
    const asked = Array.from({ length: MAX_HANDED_OUT + 3 }, () => reserve());
    const paid = (await Promise.all(asked)).filter(({ kind }) => kind === 'pays');
    expect(paid).toHaveLength(MAX_HANDED_OUT);
    expect(spent).toBe(BigInt(MAX_HANDED_OUT) * LAMPORTS);
    for (let number = 0; number < MAX_HANDED_OUT; number++) {
      orders.noteHandedOut({ ...HANDED_OUT, signature: `lost ${number}` });
    }
    expect(await reserve()).toMatchObject({ reason: expect.stringContaining('have not landed yet') });
    height = 101n;
    expect(await reserve()).toEqual({ kind: 'pays', keypair });
    expect(spent).toBe(LAMPORTS);
    orders.giveUp(owner, LAMPORTS);
    expect(spent).toBe(0n);
  });

  it('subtracts the cost of an order that expires without landing, and not that of one that landed', async () => {
    for (const signature of ['lost', 'landed']) {
      await reserve();
      orders.noteHandedOut({ ...HANDED_OUT, signature });
    }
    landed.add('landed');
    height = 100n;
    await reserve({ worth: 0n });
    expect(spent).toBe(2n * LAMPORTS);
    height = 101n;
    await reserve({ worth: 0n });
    await new Promise((resolve) => setImmediate(resolve));
    expect(spent).toBe(LAMPORTS);
    await reserve({ worth: 0n });
    await new Promise((resolve) => setImmediate(resolve));
    expect(spent).toBe(LAMPORTS);
  });

  it('subtracts the rent of an order when it is closed, once', async () => {
    const order = createKeypairFromSeed(new Uint8Array(32).fill(3)).address;
    await reserve();
    orders.noteHandedOut({ ...HANDED_OUT, signature: 'landed', order, returned: 5_000_000n });
    landed.add('landed');
    openOrders.add(order);
    tellChanged([order]);
    height = 101n;
    await reserve({ worth: 0n });
    await new Promise((resolve) => setImmediate(resolve));
    expect(spent).toBe(LAMPORTS);
    openOrders.delete(order);
    tellChanged([order]);
    tellChanged([order]);
    expect(spent).toBe(3_000_000n);
  });
});
