import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALICE, BOB, startTestRpc, type TestRpc } from '../network-for-tests.ts';

let rpc: TestRpc;

beforeAll(async () => {
  rpc = await startTestRpc();
});
afterAll(() => rpc.close());

describe('a network without stake and inflation', () => {
  it('has nobody who votes', async () => {
    expect(await rpc.call('getVoteAccounts')).toEqual({ current: [], delinquent: [] });
    expect(await rpc.call('getVoteAccounts', { votePubkey: ALICE.address })).toMatchObject({ current: [] });
    expect(await rpc.refuse('getVoteAccounts', { votePubkey: 'x' })).toMatchObject({ code: -32602 });
    expect(await rpc.call('getBlockCommitment', 0)).toEqual({ commitment: null, totalStake: 0 });
    expect(await rpc.refuse('getBlockCommitment')).toMatchObject({ code: -32602 });
  });

  it('issues and rewards nothing', async () => {
    expect(await rpc.call('getInflationGovernor')).toEqual({
      ...{ initial: 0, terminal: 0, taper: 0, foundation: 0, foundationTerm: 0 },
    });
    expect(await rpc.call('getInflationRate')).toEqual({ total: 0, validator: 0, foundation: 0, epoch: 0 });
    expect(await rpc.call('getInflationReward', [ALICE.address, BOB.address])).toEqual([null, null]);
    expect(await rpc.call('getInflationReward', [ALICE.address], { epoch: 0 })).toEqual([null]);
    expect(await rpc.refuse('getInflationReward', [ALICE.address], { epoch: 1 })).toMatchObject({
      code: -32602,
    });
    expect(await rpc.refuse('getInflationReward', ['x'])).toMatchObject({ code: -32602 });
  });
});
