import { afterEach, describe, expect, it, vi } from 'vitest';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import { signTransaction } from '../../solana/messages/transaction.ts';
import type { AccountUpdate } from '../accounts.ts';
import { ChainUnavailable, SendRejected } from '../chain.ts';
import { ALICE, BOB, FAUCET, SOL, createTestKey } from '../../testing/chain/bank.ts';
import { NO_FAULTS } from './blocks/faults.ts';
import { NetworkRefused } from './ledger/bank.ts';
import { computeBlockhashSlots, startTestChain } from '../../testing/chain/embedded-chain.ts';
import type { EmbeddedChain, EmbeddedChainOptions } from './network.ts';
import { openFolder } from '../../testing/test-folder.ts';

const folder = openFolder('network');
afterEach(tearDown);

describe('the chain port over the embedded network', () => {
  it('notifies watchers of a change before it answers a call that has seen the change', async () => {
    const chain = await start();
    let lamports: bigint | undefined;
    chain.watchAccounts([BOB.address], (updates) => {
      lamports = updates.at(-1)?.account?.lamports;
    });
    for (let sent = 1n; sent <= 20n; sent++) {
      await chain.send(transfer(chain, 1_000_000n + sent), { skipPreflight: false });
      const [read] = await chain.getAccounts([BOB.address]);
      expect(lamports).toBe(read?.account?.lamports);
    }
  });

  it('notifies watchers of a change before a client of the JSON-RPC reads it', async () => {
    const chain = await start();
    let lamports: bigint | undefined;
    chain.watchAccounts([BOB.address], (updates) => {
      lamports = updates.at(-1)?.account?.lamports;
    });
    const call = (id: number, method: string, ...params: unknown[]) => ({
      jsonrpc: '2.0',
      id,
      method,
      params,
    });
    for (let sent = 1n; sent <= 20n; sent++) {
      const wire = Buffer.from(transfer(chain, 1_000_000n + sent)).toString('base64');
      const body = JSON.stringify([
        call(1, 'sendTransaction', wire, { encoding: 'base64', skipPreflight: true }),
        call(2, 'getBalance', BOB.address, { commitment: 'processed' }),
      ]);
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(chain.rpcUrl, { method: 'POST', headers, body });
      const [, balance] = (await response.json()) as [unknown, { result: { value: number } }];
      // The change was sent first, but one turn of this thread's event loop may take it up after the answer. Whatever a
      // client does next comes in a later turn.
      await new Promise((resolve) => setImmediate(resolve));
      expect(lamports).toBe(BigInt(balance.result.value));
    }
  });

  it('lands a transaction and notifies watchers of accounts and programs', async () => {
    const chain = await start();
    const seen: AccountUpdate[] = [];
    const ofProgram: AccountUpdate[] = [];
    const stop = chain.watchAccounts([BOB.address], (updates) => seen.push(...updates));
    chain.watchProgram(SYSTEM_PROGRAM, (updates) => ofProgram.push(...updates));
    const [before] = await chain.getAccounts([BOB.address]);
    expect(before?.account?.lamports).toBe(100n * SOL);
    const signature = await chain.send(transfer(chain, SOL), { skipPreflight: false });
    await vi.waitFor(() => expect(seen.map(({ account }) => account?.lamports)).toEqual([101n * SOL]));
    await vi.waitFor(() => {
      expect(ofProgram.map(({ address }) => address).sort()).toEqual([ALICE.address, BOB.address].sort());
    });
    await vi.waitFor(async () => {
      const [status] = await chain.signatureStatuses([signature]);
      expect(status).toMatchObject({
        commitment: expect.stringMatching(/^(confirmed|finalized)$/),
        error: null,
      });
    });
    const landed = await chain.transaction(signature);
    expect(landed).toMatchObject({ signature, error: null, fee: 5_000n, preTokenBalances: [], calls: [] });
    const bob = landed?.accounts.indexOf(BOB.address) ?? -1;
    expect((landed?.postBalances[bob] ?? 0n) - (landed?.preBalances[bob] ?? 0n)).toBe(SOL);
    expect(await chain.transaction('1'.repeat(64))).toBeNull();
    stop();
    await chain.send(transfer(chain, 2n * SOL), { skipPreflight: true });
    await vi.waitFor(() => expect(ofProgram).toHaveLength(4));
    expect(seen).toHaveLength(1);
    const confirmed = await chain.getProgramAccounts(SYSTEM_PROGRAM, 'confirmed');
    expect(confirmed.some(({ address }) => address === BOB.address)).toBe(true);
  });

  it('returns current slots, clock, blockhashes and fees from memory', async () => {
    const chain = await start();
    const first = chain.slot('processed');
    await vi.waitFor(() => expect(chain.slot('processed')).toBeGreaterThan(first + 40n));
    expect(chain.slot('confirmed')).toBeLessThan(chain.slot('processed'));
    expect(chain.slot('finalized')).toBeLessThanOrEqual(chain.slot('confirmed') - 30n);
    expect(chain.blockHeight('processed')).toBe(chain.slot('processed'));
    expect(chain.clock()).toMatchObject({ slot: chain.slot('processed'), epoch: 0n });
    const newest = chain.recentBlockhash();
    const older = chain.recentBlockhash(120);
    expect(newest.lastValidBlockHeight).toBeGreaterThan(older.lastValidBlockHeight);
    // It is 30 slots old, in a network whose blockhashes live longer than the usual 150.
    const lifetime = BigInt(computeBlockhashSlots(50));
    expect(older.lastValidBlockHeight).toBe(chain.blockHeight('processed') + lifetime - 30n);
    await chain.send(transfer(chain, 1n, older.bytes), { skipPreflight: false });
    await vi.waitFor(() => {
      expect(chain.recentPriorityFees([BOB.address])).toMatchObject([{ microLamports: 0n }]);
    });
    expect(chain.recentPriorityFees([FAUCET.address])).toEqual([]);
    expect(chain.unhealthy()).toBeNull();
  });

  it('reports the fees of congestion from the moment at which it is set', async () => {
    const chain = await start();
    await vi.waitFor(() => expect(chain.slot('processed')).toBeGreaterThan(5n));
    await chain.send(transfer(chain, 1n), { skipPreflight: false });
    await chain.setFaults({ ...NO_FAULTS, congestion: 7_000n });
    const samples = chain.recentPriorityFees([BOB.address]);
    expect(samples.length).toBeGreaterThan(0);
    expect(samples.every(({ microLamports }) => microLamports === 7_000n)).toBe(true);
    await chain.setFaults(NO_FAULTS);
    expect(
      chain
        .recentPriorityFees([createTestKey(9).address])
        .every(({ microLamports }) => microLamports <= 7_000n),
    ).toBe(true);
  });

  it('rejects with the reason when the network refuses', async () => {
    const chain = await start();
    const tooMuch = chain.send(transfer(chain, 1000n * SOL), { skipPreflight: false });
    await expect(tooMuch).rejects.toSatisfy(
      (error) =>
        error instanceof SendRejected &&
        JSON.stringify(error.transactionError) === '{"InstructionError":[0,{"Custom":1}]}' &&
        error.logs.some((line) => line.includes('insufficient lamports')),
    );
    await expect(chain.send(new Uint8Array(3), { skipPreflight: true })).rejects.toThrow(SendRejected);
    await expect(chain.faucet(BOB.address, ALICE.address, 1n)).rejects.toThrow(NetworkRefused);
    await expect(chain.warp({ slots: -1 })).rejects.toThrow(NetworkRefused);
    const simulation = await chain.simulate(transfer(chain, SOL), { verifySignatures: true });
    expect(simulation).toMatchObject({ error: null, unitsConsumed: 150n });
  });

  it('continues from its folder after a restart, and rejects another seed', async () => {
    const chain = await start({ folder });
    const signature = await chain.send(transfer(chain, SOL), { skipPreflight: false });
    await chain.close();
    await expect(chain.getAccounts([BOB.address])).rejects.toThrow(ChainUnavailable);
    expect(chain.unhealthy()).toMatch(/ended/);
    await expect(start({ folder, seed: 'other' })).rejects.toThrow(/begun with the seed "test"/);
    const again = await start({
      folder,
      genesis: () => {
        throw new Error('the genesis is not needed');
      },
    });
    const [bob] = await again.getAccounts([BOB.address], 'finalized');
    expect(bob?.account?.lamports).toBe(101n * SOL);
    const [status] = await again.signatureStatuses([signature]);
    expect(status?.commitment).toBe('finalized');
  });

  it('serves JSON-RPC, and reports a port that is taken', async () => {
    const chain = await start();
    const response = await fetch(chain.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBalance', params: [BOB.address] }),
    });
    expect(await response.json()).toMatchObject({ result: { value: Number(100n * SOL) } });
    const port = Number(new URL(chain.rpcUrl).port);
    await expect(start({ rpcPort: port })).rejects.toThrow(/^rpc-port \d+ on 127\.0\.0\.1 is in use/);
  });

  it('has a faucet and warps, which production refuses', async () => {
    const chain = await start();
    const wallet = createTestKey(9).address;
    await chain.requestAirdrop(wallet, 5n * SOL);
    expect((await chain.getAccounts([wallet]))[0]?.account?.lamports).toBe(5n * SOL);
    const before = chain.slot('processed');
    const { slot } = await chain.warp({ slots: 1_000 });
    expect(slot).toBeGreaterThanOrEqual(before + 1_000n);
    // Also before the network has confirmed a block after the leap.
    for (const lifetime of [75, 130, 150]) {
      const { lastValidBlockHeight } = chain.recentBlockhash(lifetime);
      expect(lastValidBlockHeight).toBeGreaterThan(chain.blockHeight('processed') + 70n);
    }
    expect(await chain.simulate(transfer(chain, SOL), { verifySignatures: true })).toMatchObject({
      error: null,
    });
    const production = await start({ production: true });
    await expect(production.warp({ slots: 1 })).rejects.toThrow(NetworkRefused);
    await expect(production.requestAirdrop(wallet, 1n)).rejects.toThrow(NetworkRefused);
  });
});

const open: EmbeddedChain[] = [];

async function tearDown(): Promise<void> {
  await Promise.all(open.splice(0).map((chain) => chain.close()));
}

async function start(changed: Partial<EmbeddedChainOptions> = {}): Promise<EmbeddedChain> {
  const chain = await startTestChain(changed);
  open.push(chain);
  return chain;
}

function transfer(
  chain: EmbeddedChain,
  lamports: bigint,
  blockhash = chain.recentBlockhash().bytes,
): Uint8Array {
  const message = compileMessage({
    feePayer: ALICE.address,
    blockhash,
    instructions: [transferLamports(ALICE.address, BOB.address, lamports)],
  });
  return signTransaction(message, [ALICE]);
}
