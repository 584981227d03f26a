import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  BPF_LOADER,
  MEMO_PROGRAM,
  SYSVAR_CLOCK,
  SYSVAR_RECENT_BLOCKHASHES,
  SYSVAR_SLOT_HASHES,
  SYSVAR_SLOT_HISTORY,
} from '../../solana/program-addresses.ts';
import { sha256 } from '../../solana/encoding/sha256.ts';
import { memo } from '../../solana/programs/memo.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import type { EmbeddedBank } from './bank/embedded-bank.ts';
import {
  ALICE,
  advance,
  BOB,
  createBankOptions,
  GENESIS,
  getLamports,
  SOL,
  send,
  signTestTransaction,
  getSignatureStatus,
  TestClock,
  createTestKey,
  createWalletAccount,
} from '../../testing/chain/bank.ts';
import { openBank } from './bank/open-bank.ts';
import { openTestFolder } from '../../testing/test-folder.ts';

let folder: string;
beforeEach(setUp);
afterEach(tearDown);

describe('a restarted network', () => {
  it.each([
    ['from its log', undefined],
    ['from snapshots and a log', { bytes: 1 << 30, slots: 7 }],
  ])('is the same %s', async (_, snapshotPolicy) => {
    const clock = new TestClock();
    const policy = snapshotPolicy === undefined ? {} : { snapshotPolicy };
    const bank = await open({ now: clock.now, ...policy });
    const signatures: string[] = [];
    for (let slot = 0; slot < 40; slot++) {
      for (let i = 0; i < 3; i++)
        signatures.push(send(bank, signTestTransaction(bank, [ALICE], [pay(slot * 3 + i + 1), memo('m')])));
      clock.milliseconds += 400;
      await bank.advanceSlot();
    }
    await bank.admin.warp({ slots: 5, seconds: 100 });
    bank.admin.setAccounts([{ address: createTestKey(90).address, account: createWalletAccount(SOL) }]);
    await bank.advanceSlot();
    const before = visible(bank, signatures);
    await vi.waitFor(() => {
      const files = readdirSync(folder).filter(
        (name) => name.startsWith('log') || name.startsWith('snapshot-'),
      );
      expect(files, 'the snapshot under way is whole').toHaveLength(2);
    });
    // The bank is not closed, as after a crash.
    const again = await open({ now: clock.now });
    expect(visible(again, signatures)).toEqual(before);
    expect(again.slot('processed')).toBe(bank.slot('processed'));
    expect(again.slot('finalized')).toBe(bank.slot('confirmed'));
    expect(getSignatureStatus(again, signatures[0] ?? '')?.commitment).toBe('finalized');
  });

  it('remembers included transactions, and accepts blockhashes that are still valid', async () => {
    const bank = await open();
    const done = signTestTransaction(bank, [ALICE], [pay(1)]);
    const open1 = signTestTransaction(bank, [ALICE], [pay(2)]);
    send(bank, done);
    await advance(bank, 5);
    await bank.close();
    const again = await open();
    const total = again.totalLamports('processed');
    send(again, done);
    expect(again.totalLamports('processed')).toBe(total);
    expect(getSignatureStatus(again, send(again, open1))?.error).toBeNull();
    await advance(again, 150);
    send(again, done);
    expect(again.transactionCount('processed')).toBe(2n);
  });

  it('loses only what was processed but not confirmed when the process ends', async () => {
    const bank = await open();
    const kept = send(bank, signTestTransaction(bank, [ALICE], [pay(5)]));
    await bank.advanceSlot();
    const lost = send(bank, signTestTransaction(bank, [ALICE], [pay(7)]));
    const again = await open();
    expect([getSignatureStatus(again, kept)?.error, getSignatureStatus(again, lost)]).toEqual([null, null]);
    expect(getLamports(again, BOB.address)).toBe(100n * SOL + 5n);
  });

  it('keeps the open slot when it is closed properly', async () => {
    const bank = await open();
    send(bank, signTestTransaction(bank, [ALICE], [pay(7)]));
    await bank.close();
    expect(() => bank.requestAirdrop(BOB.address, 1n)).toThrow(/is shut down/);
    await expect(bank.advanceSlot()).rejects.toThrow(/is shut down/);
    expect(bank.submit(new Uint8Array(200), { preflight: null }).kind).toBe('malformed');
    const again = await open();
    expect(getLamports(again, BOB.address)).toBe(100n * SOL + 7n);
  });

  it('writes the overlay at every start, finalized at once', async () => {
    const program = (await open({ folder: null })).getAccount(MEMO_PROGRAM, 'processed');
    if (program === null) throw new Error('the memo program is missing');
    const address = createTestKey(91).address;
    const bank = await open({ overlay: [{ address, account: program }] });
    expect(bank.getAccount(address, 'finalized')?.owner).toBe(BPF_LOADER);
    const call = { ...memo('x'), programAddress: address };
    expect(
      getSignatureStatus(bank, send(bank, signTestTransaction(bank, [ALICE], [call])))?.error,
    ).toBeNull();
    await bank.close();
    const without = await open();
    expect(without.getAccount(address, 'finalized')?.executable).toBe(true);
    await without.close();
    const changed = await open({ overlay: [{ address, account: createWalletAccount(SOL) }] });
    expect(changed.getAccount(address, 'finalized')?.lamports).toBe(SOL);
    expect(
      getSignatureStatus(changed, send(changed, signTestTransaction(changed, [ALICE], [call])))?.error,
    ).toBe('InvalidProgramForExecution');
  });

  it('does not execute a transaction again when blockhashes live longer than before', async () => {
    const bank = await open();
    const paid = signTestTransaction(bank, [ALICE], [pay(7)]);
    send(bank, paid);
    await advance(bank, 200);
    await bank.close();
    const again = await open({ blockhashSlots: 1_200 });
    const before = getLamports(again, BOB.address);
    const outcome = again.submit(paid, { preflight: 'processed' });
    expect(outcome.kind === 'preflight-failed' && outcome.simulation.error).toBe('AlreadyProcessed');
    send(again, paid);
    expect(getLamports(again, BOB.address)).toBe(before);
  });

  it('reports what is wrong with the seed or an account', async () => {
    const bank = await open();
    await bank.close();
    await expect(open({ seed: 'other' })).rejects.toThrow(
      /begun with the seed "test", but the seed is now "other"/,
    );
    const broken = {
      ...createWalletAccount(SOL),
      owner: BPF_LOADER,
      executable: true,
      data: new Uint8Array(99),
    };
    await expect(
      open({ overlay: [{ address: createTestKey(92).address, account: broken }] }),
    ).rejects.toThrow(/the network's accounts cannot be loaded/);
  });
});

const opened: EmbeddedBank[] = [];

function setUp(): void {
  folder = openTestFolder('recovery');
}

async function tearDown(): Promise<void> {
  for (const bank of opened.splice(0)) await bank.close().catch(() => {});
}

async function open(changed: Parameters<typeof createBankOptions>[0] = {}): Promise<EmbeddedBank> {
  const bank = await openBank(createBankOptions({ folder, ...changed }));
  opened.push(bank);
  return bank;
}

const pay = (lamports: number) => transferLamports(ALICE.address, BOB.address, BigInt(lamports));

/** Returns everything that a client can see of the confirmed state. */
function visible(bank: EmbeddedBank, signatures: readonly string[]) {
  const slot = bank.slot('confirmed');
  return {
    slot,
    height: bank.blockHeight('confirmed'),
    blockhash: bank.latestBlockhash('confirmed'),
    lamports: bank.totalLamports('confirmed'),
    transactions: bank.transactionCount('confirmed'),
    records: signatures.map((signature) => bank.transaction(signature, 'confirmed')),
    history: bank
      .signaturesForAddress(ALICE.address, { commitment: 'confirmed', limit: 1_000 })
      .map(({ signature }) => signature),
    accounts: bank.programAccounts(GENESIS[0]?.account.owner ?? ALICE.address, 'confirmed').value,
    times: [slot - 2n, slot - 1n, slot].map((at) => bank.blockTime(at)),
    sysvars: [SYSVAR_CLOCK, SYSVAR_SLOT_HASHES, SYSVAR_RECENT_BLOCKHASHES, SYSVAR_SLOT_HISTORY].map(
      (address) =>
        Buffer.from(sha256(bank.getAccount(address, 'confirmed')?.data ?? new Uint8Array(0))).toString('hex'),
    ),
  };
}
