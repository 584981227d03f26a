import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Account, AccountUpdate } from '../src/chain/accounts.ts';
import { type Chain, ChainUnavailable, SendRejected, type SignatureRange } from '../src/chain/chain.ts';
import { ALICE, BOB, GENESIS, SOL, createTestKey } from '../src/testing/chain/bank.ts';
import { computeBlockhashSlots, startTestChain } from '../src/testing/chain/embedded-chain.ts';
import type { EmbeddedChain } from '../src/chain/embedded/network.ts';
import { openRpcChain } from '../src/chain/rpc/rpc-chain.ts';
import { compileMessage } from '../src/solana/messages/compile-message.ts';
import { createUnaccountedWork } from '../src/common/work/work.ts';
import { type Address, toAddressBytes } from '../src/solana/address.ts';
import { deriveAssociatedTokenAddress } from '../src/solana/pda.ts';
import type { Keypair } from '../src/solana/keypair.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../src/solana/program-addresses.ts';
import { ordinaryTokenAccount } from '../src/testing/token-account.ts';
import { transferLamports } from '../src/solana/programs/system.ts';
import {
  parseTransaction,
  signTransaction,
  getTransactionSignature,
} from '../src/solana/messages/transaction.ts';
import { U64_MAX } from '../src/solana/units.ts';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import { readAllTokenAccounts } from '../src/testing/protocols/wallet-view.ts';
import { now } from '../src/testing/waits.ts';
import { openForAll } from '../src/testing/opened.ts';

/** What products may rely on, whichever adapter they are given. */
describe.each(['embedded', 'rpc'])('the chain port, %s', (adapter) => {
  let chain: Chain;
  const network = openForAll(() => startNetwork(SLOT_MS), 'close');
  beforeAll(setUp);
  afterAll(tearDown);

  it('lands a transaction, tells of it, and stops telling when asked to', async () => {
    const seen: AccountUpdate[] = [];
    const stop = chain.watchAccounts([BOB.address], (updates) => seen.push(...updates));
    const [before] = await chain.getAccounts([BOB.address]);
    const start = before?.account?.lamports ?? 0n;
    const signature = await chain.send(transfer(SOL), { skipPreflight: false });
    await vi.waitFor(() => expect(lamportsOf(seen).at(-1)).toBe(start + SOL));
    await vi.waitFor(async () => {
      const [status] = await chain.signatureStatuses([signature]);
      expect(status).toMatchObject({ error: null });
      expect(['confirmed', 'finalized']).toContain(status?.commitment);
    });
    stop();
    const told = seen.length;
    await chain.send(transfer(2n * SOL), { skipPreflight: true });
    await vi.waitFor(async () => {
      expect(lamportsOf(await chain.getAccounts([BOB.address]))).toEqual([start + 3n * SOL]);
    });
    expect(seen).toHaveLength(told);
    const slots = seen.map(({ slot }) => slot);
    expect(slots).toEqual([...slots].sort((one, other) => Number(one - other)));
  });

  it('gives a landed transaction with its balances, and null for one that is not there', async () => {
    const signature = await chain.send(transfer(3n), { skipPreflight: false });
    const landed = await vi.waitFor(async () => {
      const found = await chain.transaction(signature);
      if (found === null) throw new Error('not confirmed yet');
      return found;
    });
    expect(landed).toMatchObject({ signature, error: null, fee: 5_000n, unitsConsumed: 150n, calls: [] });
    expect(landed.accounts).toEqual([ALICE.address, BOB.address, SYSTEM_PROGRAM]);
    expect(landed.instructions).toMatchObject([
      { program: SYSTEM_PROGRAM, accounts: [ALICE.address, BOB.address], data: { length: 12 } },
    ]);
    expect((landed.postBalances[1] ?? 0n) - (landed.preBalances[1] ?? 0n)).toBe(3n);
    expect((landed.preBalances[0] ?? 0n) - (landed.postBalances[0] ?? 0n)).toBe(5_003n);
    expect(landed.preTokenBalances).toEqual([]);
    expect(landed.logs[0]).toContain(SYSTEM_PROGRAM);
    expect(await chain.transaction('1'.repeat(64))).toBeNull();
    expect(await chain.signatureStatuses(['1'.repeat(64), signature])).toMatchObject([null, { error: null }]);
  });

  it('lists the transactions that name an address, newest first, from one and up to another', async () => {
    const sent: string[] = [];
    for (const lamports of [11n, 12n, 13n]) {
      const signature = await chain.send(transfer(lamports), { skipPreflight: false });
      sent.unshift(signature);
      await vi.waitFor(async () => expect(await chain.transaction(signature)).not.toBeNull());
    }
    const [newest, middle, oldest] = sent as [string, string, string];
    const listed = async (range: SignatureRange) =>
      (await chain.signaturesOf(BOB.address, range)).map(({ signature }) => signature);
    expect(await listed({ limit: 3 })).toEqual(sent);
    expect(await listed({ limit: 1_000, until: oldest })).toEqual([newest, middle]);
    expect(await listed({ limit: 1, before: newest })).toEqual([middle]);
    expect(await listed({ limit: 5, before: newest, until: oldest })).toEqual([middle]);
    const [first] = await chain.signaturesOf(BOB.address, { limit: 1 });
    expect(first?.slot).toBe((await chain.transaction(newest))?.slot);
  });

  it('counts all lamports, of which none are locked here', async () => {
    const { total, circulating } = await chain.lamportSupply();
    expect(circulating).toBe(total);
    expect(total).toBeGreaterThan(SOL);
    await network.requestAirdrop(createTestKey(45).address, 3n * SOL);
    // The faucet moves lamports that exist. Only its fee leaves them.
    await vi.waitFor(async () => expect((await chain.lamportSupply()).total).toBeLessThan(total));
    expect(total - (await chain.lamportSupply()).total).toBeLessThan(SOL);
  });

  it('tells of a program by a filter, and reads its accounts by it', async () => {
    const told: AccountUpdate[] = [];
    const never: AccountUpdate[] = [];
    chain.watchProgram(SYSTEM_PROGRAM, (updates) => told.push(...updates), { dataSize: 0 });
    chain.watchProgram(SYSTEM_PROGRAM, (updates) => never.push(...updates), { dataSize: 80 });
    const wallets = await chain.getProgramAccounts(SYSTEM_PROGRAM, 'processed', { dataSize: 0 });
    expect(wallets.map(({ address }) => address)).toEqual(
      expect.arrayContaining([ALICE.address, BOB.address]),
    );
    expect(await chain.getProgramAccounts(SYSTEM_PROGRAM, 'processed', { dataSize: 80 })).toEqual([]);
    const carol = createTestKey(30 + Number(adapter === 'rpc'));
    await network.requestAirdrop(carol.address, 4n * SOL);
    await vi.waitFor(() => expect(told.map(({ address }) => address)).toContain(carol.address));
    expect(never).toEqual([]);
    const confirmed = await chain.getProgramAccounts(SYSTEM_PROGRAM, 'finalized');
    expect(confirmed.some(({ address }) => address === ALICE.address)).toBe(true);
  });

  it('tells of an account that is gone by null', async () => {
    const dave = createTestKey(40);
    await network.requestAirdrop(dave.address, SOL);
    const seen: AccountUpdate[] = [];
    const stop = chain.watchAccounts([dave.address], (updates) => seen.push(...updates));
    await vi.waitFor(async () =>
      expect(lamportsOf(await chain.getAccounts([dave.address]))[0]).toBeGreaterThan(0n),
    );
    await chain.send(transfer(SOL - 5_000n, { from: dave }), { skipPreflight: false });
    await vi.waitFor(() => expect(seen.at(-1)).toMatchObject({ address: dave.address, account: null }));
    expect((await chain.getAccounts([dave.address]))[0]?.account).toBeNull();
    stop();
  });

  it('answers slots, clock, blockhashes and fees from memory, kept current', async () => {
    const first = chain.slot('processed');
    await vi.waitFor(() => expect(chain.slot('processed')).toBeGreaterThan(first + 20n));
    expect(chain.slot('confirmed')).toBeLessThanOrEqual(chain.slot('processed'));
    expect(chain.slot('finalized')).toBeLessThan(chain.slot('confirmed'));
    expect(chain.blockHeight('finalized')).toBeLessThan(chain.blockHeight('confirmed'));
    expect(chain.blockHeight('confirmed')).toBeLessThanOrEqual(chain.blockHeight('processed'));
    expect(chain.clock()).toMatchObject({ epoch: 0n });
    expect(chain.clock().slot).toBe(chain.slot('processed'));
    const asked = now();
    await vi.waitFor(() => expect(clockMs()).toBeGreaterThan(asked));
    expect(clockMs()).toBeLessThanOrEqual(now());
    const newest = chain.recentBlockhash();
    await vi.waitFor(() => {
      const older = chain.recentBlockhash(130);
      expect(older.lastValidBlockHeight).toBeLessThan(chain.recentBlockhash().lastValidBlockHeight);
      const surplus = BigInt(BLOCKHASH_SLOTS - 150);
      expect(older.lastValidBlockHeight).toBeLessThanOrEqual(chain.blockHeight('processed') + surplus + 130n);
    });
    await chain.send(transfer(1n, { blockhash: newest.bytes }), { skipPreflight: false });
    await vi.waitFor(() => expect(chain.recentPriorityFees([]).length).toBeGreaterThan(0));
    const slots = chain.recentPriorityFees([]).map(({ slot }) => slot);
    expect(slots).toEqual([...slots].sort((one, other) => Number(other - one)));
    expect(slots.length).toBeLessThanOrEqual(150);
    await vi.waitFor(() => expect(chain.unhealthy()).toBeNull());
    expect(chain.genesisHash).toBe(network.genesisHash);
  });

  it('simulates, with and without signatures', async () => {
    const signed = transfer(SOL);
    const [held = 0n] = lamportsOf(await chain.getAccounts([ALICE.address]));
    expect(await chain.simulate(signed, { verifySignatures: true })).toEqual({
      slot: expect.any(BigInt),
      feePayer: { before: held, after: held - SOL - 5_000n },
      error: null,
      logs: expect.arrayContaining([expect.stringContaining('success')]),
      unitsConsumed: 150n,
      returnData: null,
      accounts: [],
    });
    const [before] = lamportsOf(await chain.getAccounts([ALICE.address]));
    const wanted = [BOB.address, ALICE.address];
    const simulated = await chain.simulate(signed, { verifySignatures: true, accounts: wanted });
    expect(simulated.accounts).toMatchObject([
      { owner: SYSTEM_PROGRAM },
      { lamports: (before ?? 0n) - SOL - 5_000n },
    ]);
    const unsigned = new Uint8Array(signed).fill(0, 1, 65);
    expect((await chain.simulate(unsigned, { verifySignatures: false })).error).toBeNull();
    expect((await chain.simulate(unsigned, { verifySignatures: true })).error).toBe('SignatureFailure');
    const tooMuch = await chain.simulate(transfer(100_000n * SOL), {
      verifySignatures: true,
      accounts: wanted,
    });
    expect(tooMuch.error).toEqual({ InstructionError: [0, { Custom: 1 }] });
    expect(tooMuch.accounts).toEqual([]);
    await expect(chain.simulate(new Uint8Array(3), { verifySignatures: false })).rejects.toThrow(
      SendRejected,
    );
  });

  it('rejects what the network refuses, with the reason', async () => {
    const preflight = { skipPreflight: false };
    await expect(chain.send(transfer(100_000n * SOL), preflight)).rejects.toMatchObject({
      name: 'SendRejected',
      transactionError: { InstructionError: [0, { Custom: 1 }] },
      logs: expect.arrayContaining([expect.stringContaining('insufficient lamports')]),
    });
    const strange = transfer(1n, { blockhash: new Uint8Array(32).fill(7) });
    await expect(chain.send(strange, preflight)).rejects.toMatchObject({
      transactionError: 'BlockhashNotFound',
    });
    const unsigned = new Uint8Array(transfer(1n)).fill(1, 1, 65);
    await expect(chain.send(unsigned, preflight)).rejects.toMatchObject({
      transactionError: 'SignatureFailure',
    });
    await expect(chain.send(new Uint8Array(3), { skipPreflight: true })).rejects.toThrow(SendRejected);
    const poor = transfer(100_000n * SOL);
    expect(await chain.send(poor, { skipPreflight: true })).toBe(
      getTransactionSignature(parseTransaction(poor)),
    );
  });

  it('reads a view: accounts, those of a program that hold an address, and the token accounts of a wallet', async () => {
    const view = chain.openView();
    const [alice] = await view.getAccounts([ALICE.address]);
    expect(alice?.account?.owner).toBe(SYSTEM_PROGRAM);
    const held = await readAllTokenAccounts(view, CAROL.address);
    expect(held.map(({ address }) => address).sort()).toEqual(
      [...CAROLS_TOKENS, ...ASSOCIATED.slice(0, 1)].map(({ address }) => address).sort(),
    );
    const filter = { dataSize: 165, memcmp: { offset: 0, bytes: toAddressBytes(createTestKey(70).address) } };
    const ofMint = await view.getProgramAccounts(TOKEN_PROGRAM, filter);
    expect(ofMint.map(({ address }) => address)).toEqual([createTestKey(60).address]);
    expect(await readAllTokenAccounts(view, createTestKey(99).address)).toEqual([]);
    const owners = [createTestKey(99).address, CAROL.address];
    expect(await view.getAssociatedAccounts(owners, ASKED, createUnaccountedWork())).toMatchObject([
      [null, null, null, null],
      [null, ASSOCIATED[0], null, null],
    ]);
    const { oldest, newest } = view.slots();
    expect(oldest).toBeLessThanOrEqual(newest);
    if (adapter === 'embedded') expect(oldest).toBe(newest);
  });

  it('rejects everything once it is closed', async () => {
    await chain.close();
    await expect(chain.getAccounts([BOB.address])).rejects.toThrow(ChainUnavailable);
    await expect(chain.send(transfer(1n), { skipPreflight: true })).rejects.toThrow(ChainUnavailable);
  });

  async function setUp(): Promise<void> {
    chain = adapter === 'embedded' ? network : await overRpc(network);
  }

  async function tearDown(): Promise<void> {
    await chain?.close();
  }

  function transfer(
    lamports: bigint,
    {
      from = ALICE,
      blockhash = chain.recentBlockhash().bytes,
    }: { from?: Keypair; blockhash?: Uint8Array } = {},
  ) {
    const instructions = [transferLamports(from.address, BOB.address, lamports)];
    const message = compileMessage({ feePayer: from.address, blockhash, instructions });
    return signTransaction(message, [from]);
  }

  const clockMs = () => Number(chain.clock().unixTimestamp) * 1_000;
  const lamportsOf = (updates: readonly AccountUpdate[]) => updates.map(({ account }) => account?.lamports);
});

describe('a network that has just begun', () => {
  it('is known over RPC by its time and blockhash of slot 0', async () => {
    const network = await startNetwork(60_000);
    try {
      const chain = await overRpc(network);
      expect(chain.slot('confirmed')).toBe(0n);
      expect(chain.recentBlockhash().blockhash).toBe(network.recentBlockhash().blockhash);
      expect(chain.clock()).toEqual(network.clock());
      await chain.close();
    } finally {
      await network.close();
    }
  });
});

const SLOT_MS = 50;
const BLOCKHASH_SLOTS = computeBlockhashSlots(SLOT_MS);

/** A wallet that holds tokens of two mints, under either token program. */
const CAROL = createTestKey(50);
const CAROLS_TOKENS = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((program, at) => ({
  address: createTestKey(60 + at).address,
  account: tokenAccount(program, createTestKey(70 + at).address, CAROL.address),
}));
/** Tokens of which the wallet has an account elsewhere, an associated account, one that it has given away, and none. */
const ASKED = [70, 72, 73, 74].map((mint) => ({ mint: createTestKey(mint).address, program: TOKEN_PROGRAM }));
const [, OWN, GIVEN_AWAY] = ASKED.map(({ mint, program }) =>
  deriveAssociatedTokenAddress(CAROL.address, mint, program),
);
const ASSOCIATED = [
  {
    address: OWN ?? CAROL.address,
    account: tokenAccount(TOKEN_PROGRAM, createTestKey(72).address, CAROL.address),
  },
  {
    address: GIVEN_AWAY ?? CAROL.address,
    account: tokenAccount(TOKEN_PROGRAM, createTestKey(73).address, BOB.address),
  },
];

function tokenAccount(program: Address, mint: Address, owner: Address): Account {
  const data = ordinaryTokenAccount({ mint, owner, amount: 5n });
  return { lamports: SOL, owner: program, data, executable: false, rentEpoch: U64_MAX };
}

function startNetwork(slotMs: number): Promise<EmbeddedChain> {
  return startTestChain({
    genesis: () => [...GENESIS, ...CAROLS_TOKENS, ...ASSOCIATED],
    slotMs,
  });
}

function overRpc({ rpcUrl, wsUrl }: EmbeddedChain): Promise<Chain> {
  return openRpcChain({
    url: new URL(rpcUrl),
    wsUrl: new URL(wsUrl),
    pollMs: 50,
    staleMs: 30_000,
    sweepMs: 1_000,
    maxSubscriptions: 100,
    blockhashSlots: BLOCKHASH_SLOTS,
    callsPerSecond: 10_000,
    transactionsPerSecond: 0,
    programAccounts: null,
    timers: SYSTEM_TIMERS,
    random: Math.random,
    onNotice: () => {},
  });
}
