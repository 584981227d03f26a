import { beforeAll, describe, expect, it } from 'vitest';
import { encodeBase58 } from '../../../../solana/encoding/base58.ts';
import { transferLamports } from '../../../../solana/programs/system.ts';
import {
  ALICE,
  BOB,
  finalize,
  signBase64Transaction,
  startTestRpc,
} from '../../../../testing/chain/rpc-network.ts';
import { openForAll } from '../../../../testing/opened.ts';

const rpc = openForAll(startTestRpc, 'close');
beforeAll(setUp);

describe('slots and heights', () => {
  it('differ by commitment', async () => {
    const slots: number[] = [];
    for (const commitment of ['processed', 'confirmed', 'finalized'] as const) {
      const slot = await rpc.call('getSlot', { commitment });
      expect(slot).toBe(Number(rpc.bank.slot(commitment)));
      expect(await rpc.call('getBlockHeight', { commitment })).toBe(Number(rpc.bank.blockHeight(commitment)));
      slots.push(slot as number);
    }
    const [processed = 0, confirmed = 0, finalized = 0] = slots;
    expect(processed).toBe(confirmed + 1);
    expect(confirmed - finalized).toBe(31);
    expect(await rpc.call('getSlot')).toBe(finalized);
    expect(await rpc.refuse('getSlot', { minContextSlot: finalized + 1 })).toMatchObject({ code: -32016 });
  });

  it('count transactions', async () => {
    const count = async () => (await rpc.call('getTransactionCount', { commitment: 'processed' })) as number;
    const before = await count();
    const wire = signBase64Transaction(rpc.bank, [ALICE], [transferLamports(ALICE.address, BOB.address, 1n)]);
    await rpc.call('sendTransaction', wire, { encoding: 'base64', skipPreflight: true });
    expect(await count()).toBe(before + 1);
  });

  it('include the epoch', async () => {
    const slot = Number(rpc.bank.slot('finalized'));
    expect(await rpc.call('getEpochInfo')).toEqual({
      absoluteSlot: slot,
      blockHeight: Number(rpc.bank.blockHeight('finalized')),
      epoch: 0,
      slotIndex: slot,
      slotsInEpoch: 432_000,
      transactionCount: expect.any(Number),
    });
    expect(await rpc.call('getEpochSchedule')).toEqual({
      slotsPerEpoch: 432_000,
      leaderScheduleSlotOffset: 432_000,
      warmup: false,
      firstNormalEpoch: 0,
      firstNormalSlot: 0,
    });
  });
});

describe('blockhashes', () => {
  it('are valid for 150 blocks', async () => {
    const latest = async () =>
      (await rpc.call('getLatestBlockhash', { commitment: 'confirmed' })) as {
        value: { blockhash: string; lastValidBlockHeight: number };
      };
    const { value } = await latest();
    const valid = async () => rpc.call('isBlockhashValid', value.blockhash, { commitment: 'processed' });
    expect(await valid()).toMatchObject({ value: true });
    while (rpc.bank.blockHeight('processed') < value.lastValidBlockHeight) await rpc.bank.advanceSlot();
    expect(await valid()).toMatchObject({ value: true });
    await rpc.bank.advanceSlot();
    expect(await valid()).toMatchObject({ value: false });
    expect((await latest()).value.blockhash).not.toBe(value.blockhash);
  });

  it('are rejected when malformed', async () => {
    expect(await rpc.call('isBlockhashValid', encodeBase58(new Uint8Array(32).fill(9)))).toMatchObject({
      value: false,
    });
    expect(await rpc.refuse('isBlockhashValid', 'x')).toMatchObject({ code: -32602 });
  });
});

describe('blocks', () => {
  it('have times', async () => {
    const slot = rpc.bank.slot('finalized');
    expect(await rpc.call('getBlockTime', slot)).toBe(1_700_000_000);
    expect(await rpc.refuse('getBlockTime', rpc.bank.slot('processed') + 1n)).toMatchObject({ code: -32004 });
    expect(await rpc.refuse('getBlockTime', -1)).toMatchObject({ code: -32602 });
    expect(await rpc.refuse('getBlockTime')).toMatchObject({ code: -32602 });
  });

  it('are listed without skipped slots', async () => {
    const from = rpc.bank.slot('processed');
    await rpc.bank.admin.warp({ slots: 10 });
    await rpc.bank.advanceSlot();
    const to = rpc.bank.slot('confirmed');
    const listed = (await rpc.call('getBlocks', from, to, { commitment: 'confirmed' })) as number[];
    const times = await Promise.all(
      Array.from({ length: Number(to - from) + 1 }, async (_, index) => {
        const slot = Number(from) + index;
        return rpc.call('getBlockTime', slot).then(
          () => slot,
          () => null,
        );
      }),
    );
    expect(listed).toEqual(times.filter((slot) => slot !== null));
    expect(listed[0]).toBe(Number(from));
    const limited = await rpc.call('getBlocksWithLimit', from, 2, { commitment: 'confirmed' });
    expect(limited).toEqual(listed.slice(0, 2));
    expect(await rpc.call('getBlocks', to + 1n)).toEqual([]);
  });

  it('report skipped slots', async () => {
    const from = rpc.bank.slot('processed');
    await rpc.bank.admin.warp({ slots: 5 });
    const skipped = from + 2n;
    const refused = await rpc.refuse('getBlockTime', skipped);
    expect(refused).toMatchObject({ code: -32007, message: expect.stringContaining('skipped') });
  });

  it('reject invalid ranges and commitments', async () => {
    expect(await rpc.refuse('getBlocks', 0, 10, { commitment: 'processed' })).toMatchObject({ code: -32602 });
    expect(await rpc.refuse('getBlocksWithLimit', 0, 500_001)).toMatchObject({ code: -32602 });
    expect(await rpc.refuse('getBlocks', 'x')).toMatchObject({ code: -32602 });
  });

  it('have a first available one', async () => {
    const first = Number(rpc.bank.firstAvailableSlot());
    expect(await rpc.call('getFirstAvailableBlock')).toBe(first);
    expect(await rpc.call('minimumLedgerSlot')).toBe(first);
  });
});

async function setUp(): Promise<void> {
  await finalize(rpc.bank);
}
