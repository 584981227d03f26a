import { expect, it } from 'vitest';
import type { Liquidity } from '../../market/pools/liquidity.ts';
import type { Address } from '../../solana/address.ts';
import { BookLiquidity } from '../liquidity/book-liquidity.ts';
import type { FillRecords } from './fill-records.ts';
import type { LiveBooks } from '../books/live-book.ts';
import type { ReservedInventory } from '../books/reservations.ts';
import { RecordingHealth } from './recording-health.ts';
import { createFillOrder } from '../../testing/genesis-market/signed-fill.ts';
import { now } from '../../testing/waits.ts';

it('RecordingHealth notices by the first failing swap and by its checks that swaps cannot be recorded, and that they can again', async () => {
  let reason: string | null = null;
  let look = () => {};
  const begin = async () => {
    if (reason !== null) throw new Error(reason);
    return true;
  };
  const recording = new RecordingHealth({
    records: { begin } as unknown as FillRecords,
    unhealthy: async () => reason,
    every: (_, work) => {
      look = work;
      return () => undefined;
    },
  });
  const looked = async () => {
    look();
    await Promise.resolve();
    await Promise.resolve();
    return recording.works;
  };
  expect(await recording.records.begin(RECORD)).toBe(true);
  expect(recording.works).toBe(true);
  reason = 'the database can only be read';
  await expect(recording.records.begin(RECORD)).rejects.toThrow(reason);
  expect(recording.works).toBe(false);
  await expect.poll(looked).toBe(false);
  reason = null;
  await expect.poll(looked).toBe(true);
  reason = 'gone';
  await expect.poll(looked).toBe(false);
  recording.close();
});

it('RecordingHealth keeps orders away from makers while swaps cannot be recorded', () => {
  const books: LiveBooks = {
    watch: () => () => undefined,
    all: () => [],
    between: () => {
      throw new Error('nobody should ask for books');
    },
  };
  const taken: ReservedInventory = { reserved: () => 0n };
  const liquidity = new BookLiquidity(
    books,
    taken,
    now,
    () => BigInt(Math.floor(now() / 1_000)),
    () => false,
  );
  const clock = { slot: 1n, epoch: 0n, unixTimestamp: 1_800_000_000n };
  const wanted = { inputMint: SOL, outputMint: USDC, amount: 1n, clock, taker: null };
  expect(liquidity.candidatesFor({} as Liquidity, wanted)).toEqual({ liquidities: [], makerIds: [] });
});

const SOL = 'So11111111111111111111111111111111111111112' as Address;
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
const RECORD = {
  swapUuid: 'u',
  requestId: 'r',
  makerId: 'm',
  order: createFillOrder('r'),
  offered: new Uint8Array(),
  offeredAt: 1,
};
