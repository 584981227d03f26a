import { describe, expect, it } from 'vitest';
import { STAKE_PROGRAM } from '../../../../solana/program-addresses.ts';
import { ALICE, BOB, signBase64Transaction, startTestRpc } from '../../../../testing/chain/rpc-network.ts';
import { openForAll } from '../../../../testing/opened.ts';

const rpc = openForAll(startTestRpc, 'close');

describe('a network without stake and inflation', () => {
  it('has no vote accounts', async () => {
    expect(await rpc.call('getVoteAccounts')).toEqual({ current: [], delinquent: [] });
    expect(await rpc.call('getVoteAccounts', { votePubkey: ALICE.address })).toMatchObject({ current: [] });
    expect(await rpc.refuse('getVoteAccounts', { votePubkey: 'x' })).toMatchObject({ code: -32602 });
    expect(await rpc.call('getBlockCommitment', 0)).toEqual({ commitment: null, totalStake: 0 });
    expect(await rpc.refuse('getBlockCommitment')).toMatchObject({ code: -32602 });
  });

  it('reports the minimum delegation of its stake program', async () => {
    const instruction = {
      programAddress: STAKE_PROGRAM,
      accounts: [],
      // GetMinimumDelegation, whose result is its return data.
      data: Uint8Array.of(13, 0, 0, 0),
    };
    const wire = signBase64Transaction(rpc.bank, [ALICE], [instruction]);
    const { value } = (await rpc.call('simulateTransaction', wire, {
      encoding: 'base64',
      commitment: 'processed',
    })) as {
      value: { returnData: { data: [string, string] } };
    };
    const told = Buffer.from(value.returnData.data[0], 'base64').readBigUInt64LE();
    expect(await rpc.call('getStakeMinimumDelegation')).toMatchObject({ value: Number(told) });
  });

  it('has no inflation and no rewards', async () => {
    expect(await rpc.call('getInflationGovernor')).toEqual({
      initial: 0,
      terminal: 0,
      taper: 0,
      foundation: 0,
      foundationTerm: 0,
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
