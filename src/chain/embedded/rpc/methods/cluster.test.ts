import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { setComputeUnitLimit, setComputeUnitPrice } from '../../../../solana/programs/compute-budget.ts';
import { transferLamports } from '../../../../solana/programs/system.ts';
import { FAUCET, openBankForTests } from '../../../../testing/chain/bank.ts';
import {
  ALICE,
  BOB,
  signBase64Transaction,
  startTestRpc,
  createTestKeypair,
} from '../../../../testing/chain/rpc-network.ts';
import { RUNTIME_VERSION } from '../version.ts';
import { openForAll } from '../../../../testing/opened.ts';

const rpc = openForAll(startTestRpc, 'close');

describe('the node', () => {
  it('reports its identity, version and network', async () => {
    expect(await rpc.call('getGenesisHash')).toBe(rpc.bank.genesisHash);
    expect(await rpc.call('getIdentity')).toEqual({ identity: rpc.bank.identity });
    expect(await rpc.call('getVersion')).toEqual({ 'solana-core': RUNTIME_VERSION });
    expect(await rpc.call('getHealth')).toBe('ok');
  });

  it('leads every slot, alone', async () => {
    const { identity } = rpc.bank;
    expect(await rpc.call('getSlotLeader')).toBe(identity);
    expect(await rpc.call('getSlotLeaders', 0, 3)).toEqual([identity, identity, identity]);
    expect(await rpc.refuse('getSlotLeaders', 0, 5_001)).toMatchObject({ code: -32602 });
    expect(await rpc.call('getClusterNodes')).toMatchObject([
      {
        pubkey: identity,
        rpc: new URL(rpc.server.httpUrl).host,
        pubsub: new URL(rpc.server.webSocketUrl).host,
      },
    ]);
  });

  it('rejects parameters for methods that have none', async () => {
    for (const method of ['getGenesisHash', 'getVersion', 'getIdentity', 'getHealth', 'getEpochSchedule']) {
      await rpc.call(method);
      expect(await rpc.refuse(method, {})).toMatchObject({ code: -32602 });
    }
  });

  it('has no method that it cannot answer correctly', async () => {
    for (const method of ['getMaxShredInsertSlot', 'getRecentBlockhash', 'accountSubscribe', 'x']) {
      expect(await rpc.refuse(method)).toEqual({ code: -32601, message: 'Method not found' });
    }
  });
});

describe('getHighestSnapshotSlot', () => {
  it('returns none for a network in memory, and the newest one of a folder', async () => {
    expect(await rpc.refuse('getHighestSnapshotSlot')).toEqual({ code: -32008, message: 'No snapshot' });
    const folder = await mkdtemp(join(tmpdir(), 'sluice-snapshot-'));
    const bank = await openBankForTests({ folder, snapshotPolicy: { bytes: 1_000_000_000, slots: 3 } });
    const onDisk = await startTestRpc(bank);
    expect(await onDisk.call('getHighestSnapshotSlot')).toEqual({ full: 0, incremental: null });
    for (let slot = 0; slot < 4; slot++) await bank.advanceSlot();
    await vi.waitFor(async () => {
      const { full } = (await onDisk.call('getHighestSnapshotSlot')) as { full: number };
      expect(full).toBeGreaterThan(0);
    });
    await onDisk.close();
    await rm(folder, { recursive: true });
  });
});

describe('getSupply', () => {
  it('returns the sum of all lamports, all in circulation', async () => {
    const total = rpc.bank.totalLamports('finalized');
    const { value } = (await rpc.call('getSupply')) as { value: Record<string, unknown> };
    expect(BigInt(value.total as bigint)).toBe(total);
    expect(value).toMatchObject({ circulating: value.total, nonCirculating: 0, nonCirculatingAccounts: [] });
    await rpc.call('getSupply', { excludeNonCirculatingAccountsList: true });
    expect(await rpc.refuse('getSupply', { excludeNonCirculatingAccountsList: 1 })).toMatchObject({
      code: -32602,
    });
  });
});

describe('getLargestAccounts', () => {
  it('returns twenty accounts, those with the most lamports first', async () => {
    const { value } = (await rpc.call('getLargestAccounts')) as {
      value: { address: string; lamports: number }[];
    };
    expect(value).toHaveLength(20);
    expect(value[0]).toEqual({ address: FAUCET.address, lamports: 1_000_000_000_000_000 });
    expect(value.slice(1, 3).map(({ address }) => address)).toEqual(
      expect.arrayContaining([ALICE.address, BOB.address]),
    );
    const lamports = value.map((account) => account.lamports);
    expect(lamports).toEqual(lamports.toSorted((left, right) => right - left));
    expect(await rpc.call('getLargestAccounts', { filter: 'circulating' })).toMatchObject({ value });
    expect(await rpc.call('getLargestAccounts', { filter: 'nonCirculating' })).toMatchObject({ value: [] });
    expect(await rpc.refuse('getLargestAccounts', { filter: 'all' })).toMatchObject({ code: -32602 });
  });
});

describe('getRecentPrioritizationFees', () => {
  it('returns what transactions paid', async () => {
    const price = 12_345n;
    const wire = signBase64Transaction(
      rpc.bank,
      [ALICE],
      [
        setComputeUnitPrice(price),
        setComputeUnitLimit(1_000),
        transferLamports(ALICE.address, BOB.address, 1n),
      ],
    );
    await rpc.call('sendTransaction', wire, { encoding: 'base64', skipPreflight: true });
    await rpc.bank.advanceSlot();
    const fees = (await rpc.call('getRecentPrioritizationFees', [BOB.address])) as {
      slot: number;
      prioritizationFee: number;
    }[];
    expect(fees.length).toBeLessThanOrEqual(150);
    expect(fees.map(({ slot }) => slot)).toEqual(fees.map(({ slot }) => slot).toSorted((a, b) => a - b));
    expect(fees.some(({ prioritizationFee }) => prioritizationFee === Number(price))).toBe(true);
    await rpc.call('getRecentPrioritizationFees');
  });

  it('rejects more accounts than a transaction can lock', async () => {
    const { address } = createTestKeypair('x');
    const many = new Array(129).fill(address);
    expect(await rpc.refuse('getRecentPrioritizationFees', many)).toMatchObject({ code: -32602 });
    expect(await rpc.refuse('getRecentPrioritizationFees', [1])).toMatchObject({ code: -32602 });
  });
});
