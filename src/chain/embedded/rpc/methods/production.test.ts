import { beforeAll, describe, expect, it } from 'vitest';
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

describe('getBlockProduction', () => {
  it('counts the slots of the only leader and the blocks in them', async () => {
    const { identity } = rpc.bank;
    const last = Number(rpc.bank.slot('finalized'));
    const blocks = (await rpc.call('getBlocks', 0, last)) as number[];
    expect(blocks.length).toBeLessThan(last);
    expect(await rpc.call('getBlockProduction')).toMatchObject({
      context: { slot: last },
      value: {
        byIdentity: { [identity]: [last + 1, blocks.length] },
        range: { firstSlot: 0, lastSlot: last },
      },
    });
    const range = { firstSlot: last - 1, lastSlot: last };
    expect(await rpc.call('getBlockProduction', { range })).toMatchObject({
      value: { byIdentity: { [identity]: [2, 2] }, range },
    });
    expect(await rpc.call('getBlockProduction', { identity: ALICE.address })).toMatchObject({
      value: { byIdentity: {} },
    });
  });

  it('rejects invalid ranges', async () => {
    const last = Number(rpc.bank.slot('finalized'));
    for (const range of [{ firstSlot: 2, lastSlot: 1 }, { lastSlot: last + 1 }, { firstSlot: 'x' }, 5]) {
      expect(await rpc.refuse('getBlockProduction', { range })).toMatchObject({ code: -32602 });
    }
  });
});

describe('getLeaderSchedule', () => {
  it('has the one node for every slot of this and the next epoch', async () => {
    const { identity } = rpc.bank;
    const schedule = (await rpc.call('getLeaderSchedule')) as Record<string, number[]>;
    expect(Object.keys(schedule)).toEqual([identity]);
    expect(schedule[identity]).toHaveLength(432_000);
    expect(schedule[identity]?.at(-1)).toBe(431_999);
    expect(Object.keys((await rpc.call('getLeaderSchedule', 432_000)) as object)).toEqual([identity]);
    expect(await rpc.call('getLeaderSchedule', 864_000)).toBeNull();
    expect(await rpc.call('getLeaderSchedule', { identity: ALICE.address })).toEqual({});
    expect(await rpc.call('getLeaderSchedule', null, { identity: ALICE.address })).toEqual({});
  });
});

describe('getRecentPerformanceSamples', () => {
  it('counts the transactions of each complete minute', async () => {
    expect(await rpc.call('getRecentPerformanceSamples')).toEqual([]);
    await rpc.bank.admin.warp({ seconds: 60 });
    await rpc.bank.advanceSlot();
    const wire = signBase64Transaction(rpc.bank, [ALICE], [transferLamports(ALICE.address, BOB.address, 1n)]);
    await rpc.call('sendTransaction', wire, { encoding: 'base64', skipPreflight: true });
    await rpc.bank.advanceSlot();
    const slot = Number(rpc.bank.slot('confirmed'));
    await rpc.bank.admin.warp({ seconds: 60 });
    await rpc.bank.advanceSlot();
    await rpc.bank.advanceSlot();
    const [newest] = (await rpc.call('getRecentPerformanceSamples', 1)) as { numSlots: number }[];
    expect(newest).toEqual({
      slot: expect.any(Number),
      numSlots: expect.any(Number),
      samplePeriodSecs: 60,
      numTransactions: 1,
      numNonVoteTransactions: 1,
    });
    expect((newest as { slot?: number } | undefined)?.slot).toBeGreaterThanOrEqual(slot);
    expect(await rpc.call('getRecentPerformanceSamples', 0)).toEqual([]);
    expect(await rpc.refuse('getRecentPerformanceSamples', 721)).toMatchObject({ code: -32602 });
  });
});

async function setUp(): Promise<void> {
  await rpc.bank.admin.warp({ slots: 4 });
  await finalize(rpc.bank);
}
