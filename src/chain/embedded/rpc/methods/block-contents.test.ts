import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeBase58 } from '../../../../solana/encoding/base58.ts';
import { TOKEN_PROGRAM } from '../../../../solana/program-addresses.ts';
import { transferLamports } from '../../../../solana/programs/system.ts';
import { transferChecked } from '../../../../solana/programs/token/instructions.ts';
import { openBankForTests } from '../../../../testing/chain/bank.ts';
import {
  ALICE,
  ALICE_TOKENS,
  BOB,
  BOB_TOKENS,
  finalize,
  LOOKUP_TABLE,
  MINT,
  signTestTransaction,
  startTestRpc,
} from '../../../../testing/chain/rpc-network.ts';
import { openForAll } from '../../../../testing/opened.ts';

/** A slot with two transactions, the second of version 0. */
let slot: bigint;
let wires: readonly Uint8Array[];
let signatures: string[];
const rpc = openForAll(startTestRpc, 'close');
beforeAll(setUp);

describe('getBlock', () => {
  it("contains the slot's transactions in the form of getTransaction", async () => {
    for (const encoding of ['json', 'jsonParsed', 'base64', 'base58']) {
      const config = { ...v0, encoding };
      const block = await getBlock(slot, config);
      const each = signatures.map(async (signature) => {
        const found = (await rpc.call('getTransaction', signature, config)) as Record<string, unknown>;
        return { transaction: found.transaction, meta: found.meta, version: found.version };
      });
      expect(block.transactions).toEqual(await Promise.all(each));
    }
    expect((await getBlock(slot, { ...v0, encoding: 'base64' })).transactions).toMatchObject([
      { transaction: [Buffer.from(wires[0] ?? []).toString('base64'), 'base64'], version: 'legacy' },
      { version: 0 },
    ]);
  });

  it('links to its parent, and has the hash that transactions use', async () => {
    const block = await getBlock(slot);
    const parent = await getBlock(slot - 1n);
    expect(block).toMatchObject({
      parentSlot: Number(slot) - 1,
      previousBlockhash: parent.blockhash,
      blockHeight: Number(slot),
      blockTime: 1_700_000_000,
      rewards: [],
    });
    const latest = rpc.bank.latestBlockhash('processed').value;
    expect((await getBlock(rpc.bank.slot('confirmed'))).blockhash).toBe(encodeBase58(latest.bytes));
    expect(await getBlock(0n)).toMatchObject({
      blockhash: rpc.bank.genesisHash,
      previousBlockhash: '1'.repeat(32),
      transactions: [],
    });
  });

  it('has fewer details on request', async () => {
    const bare = await getBlock(slot, { ...v0, transactionDetails: 'none', rewards: false });
    expect(Object.keys(bare).toSorted()).toEqual(
      ['blockHeight', 'blockTime', 'blockhash', 'parentSlot', 'previousBlockhash'].toSorted(),
    );
    const named = await getBlock(slot, { commitment: 'confirmed', transactionDetails: 'signatures' });
    expect(named.signatures).toEqual(signatures);
    const { transactions } = await getBlock(slot, { ...v0, transactionDetails: 'accounts' });
    expect(transactions).toMatchObject([
      {
        transaction: {
          signatures: [signatures[0]],
          accountKeys: expect.arrayContaining([
            { pubkey: ALICE.address, writable: true, signer: true, source: 'transaction' },
          ]),
        },
        meta: { err: null, fee: 5_000, preTokenBalances: [] },
        version: 'legacy',
      },
      {
        transaction: {
          accountKeys: expect.arrayContaining([
            { pubkey: MINT, writable: false, signer: false, source: 'lookupTable' },
          ]),
        },
        meta: { postTokenBalances: [expect.anything(), expect.anything()] },
      },
    ]);
  });

  it('is refused to clients that do not support its transaction versions', async () => {
    expect(await rpc.refuse('getBlock', slot, { commitment: 'confirmed' })).toMatchObject({ code: -32015 });
    expect(await getBlock(slot - 1n, { commitment: 'confirmed' })).toMatchObject({ transactions: [] });
  });

  it('is refused for slots without a block', async () => {
    const open = rpc.bank.slot('processed');
    expect(await rpc.refuse('getBlock', open, v0)).toMatchObject({ code: -32004 });
    expect(await rpc.refuse('getBlock', slot)).toMatchObject({ code: -32004 });
    expect(await rpc.refuse('getBlock', slot, { commitment: 'processed' })).toMatchObject({ code: -32602 });
    expect(await rpc.refuse('getBlock', slot, { transactionDetails: 'all' })).toMatchObject({ code: -32602 });
    await rpc.bank.admin.warp({ slots: 10 });
    await finalize(rpc.bank);
    expect(await rpc.refuse('getBlock', open + 2n, v0)).toMatchObject({ code: -32007 });
    expect(await rpc.refuse('getBlock', slot, 'base64')).toMatchObject({ code: -32015 });
  });
});

describe('blocks that are no longer kept completely', () => {
  it('are not returned, and the first available block comes after them', async () => {
    const bank = await openBankForTests({ historyCapacity: 3 });
    const busy: bigint[] = [];
    for (let round = 0; round < 3; round++) {
      busy.push(bank.slot('processed'));
      for (const amount of [1n, 2n]) {
        const wire = signTestTransaction(
          bank,
          [ALICE],
          [transferLamports(ALICE.address, BOB.address, amount)],
        );
        bank.submit(wire, { preflight: null });
      }
      await bank.advanceSlot();
    }
    const [first = 0n, second = 0n, third = 0n] = busy;
    expect(bank.block(first)).toBeNull();
    expect(bank.block(second)).toBeNull();
    expect(bank.block(third)?.transactions).toHaveLength(2);
    expect(bank.firstAvailableSlot()).toBe(third);
    await bank.close();
  });
});

describe('blocks of a restarted network', () => {
  it('are restored from a snapshot and from the log', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-blocks-'));
    const slots: bigint[] = [];
    for (const snapshotPolicy of [undefined, { bytes: 1, slots: 1 }, undefined]) {
      const bank = await openBankForTests({
        folder,
        ...(snapshotPolicy === undefined ? {} : { snapshotPolicy }),
      });
      for (const at of slots) {
        expect(bank.block(at)?.transactions.map(({ slot: own }) => own)).toEqual([at, at]);
        expect(bank.block(at + 1n)?.previousBlockhash).toBe(bank.block(at)?.blockhash);
      }
      const slot = bank.slot('processed');
      for (const amount of [slots.length + 1, slots.length + 11]) {
        const transfer = transferLamports(ALICE.address, BOB.address, BigInt(amount));
        bank.submit(signTestTransaction(bank, [ALICE], [transfer]), { preflight: null });
      }
      await bank.advanceSlot();
      slots.push(slot);
      await bank.close();
    }
    expect(new Set(slots).size).toBe(3);
    await rm(folder, { recursive: true });
  });
});

const v0 = { maxSupportedTransactionVersion: 0, commitment: 'confirmed' };
const getBlock = async (at: bigint, config: object = v0) =>
  (await rpc.call('getBlock', at, config)) as Record<string, unknown> & { transactions: unknown[] };

async function setUp(): Promise<void> {
  await rpc.bank.advanceSlot();
  slot = rpc.bank.slot('processed');
  const tokens = transferChecked(TOKEN_PROGRAM, {
    source: ALICE_TOKENS,
    mint: MINT,
    destination: BOB_TOKENS,
    authority: ALICE.address,
    amount: 7n,
    decimals: 6,
  });
  const transfer = [transferLamports(ALICE.address, BOB.address, 5n)];
  wires = [
    signTestTransaction(rpc.bank, [ALICE], transfer, { version: 'legacy' }),
    signTestTransaction(rpc.bank, [ALICE], [tokens], {
      lookupTables: { [LOOKUP_TABLE]: [MINT, BOB.address] },
    }),
  ];
  signatures = [];
  for (const wire of wires) {
    const base64 = Buffer.from(wire).toString('base64');
    const config = { encoding: 'base64', skipPreflight: true };
    signatures.push((await rpc.call('sendTransaction', base64, config)) as string);
  }
  await rpc.bank.advanceSlot();
}
