import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BPF_LOADER, MEMO_PROGRAM, SYSVAR_CLOCK, TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import { memo } from '../../../solana/programs/memo.ts';
import { NO_FAULTS } from '../blocks/faults.ts';
import { NetworkRefused, type Bank } from '../ledger/bank.ts';
import {
  ALICE,
  advance,
  BOB,
  collectEvents,
  GENESIS,
  getLamports,
  SOL,
  send,
  signTestTransaction,
  getSignatureStatus,
  TestClock,
  openBankForTests,
  createTestKey,
  createWalletAccount,
} from '../../../testing/chain/bank.ts';
import { SLOTS_PER_EPOCH } from '../blocks/blocks.ts';

describe('warp', () => {
  it('advances by slots, which count for expiry, and moves the clock with them', async () => {
    const bank = await openBankForTests();
    const { blockhash } = bank.latestBlockhash('processed').value;
    const start = bank.blockTime(1n) ?? 0n;
    expect(await bank.admin.warp({ slots: 100 })).toEqual({ slot: 101n, unixTimestamp: start + 40n });
    expect(bank.blockHeight('processed')).toBe(101n);
    expect(bank.isBlockhashValid(blockhash, 'processed').value).toBe(true);
    await bank.admin.warp({ slots: 50 });
    expect(bank.isBlockhashValid(blockhash, 'processed').value).toBe(false);
    expect(bank.blockTime(50n)).toBeNull();
    expect(bank.blockTime(151n)).toBe(start + 60n);
    expect(
      getSignatureStatus(bank, send(bank, signTestTransaction(bank, [ALICE], [pay(1n)])))?.error,
    ).toBeNull();
  });

  it('advances the time alone, by a number of seconds', async () => {
    const clock = new TestClock();
    const bank = await openBankForTests({ now: clock.now });
    const start = bank.blockTime(1n) ?? 0n;
    expect(await bank.admin.warp({ seconds: 86_400 })).toEqual({ slot: 2n, unixTimestamp: start + 86_400n });
    clock.milliseconds += 5_000;
    await bank.advanceSlot();
    expect(clockSysvar(bank)).toEqual([3n, start, 0n, 1n, start + 86_405n]);
    clock.milliseconds -= 3_600_000;
    await bank.advanceSlot();
    expect(bank.blockTime(4n), 'time does not go back').toBe(start + 86_405n);
  });

  it('reaches new epochs', async () => {
    const bank = await openBankForTests();
    const start = bank.blockTime(1n) ?? 0n;
    await bank.admin.warp({ slots: Number(SLOTS_PER_EPOCH) * 2, seconds: 777 });
    expect(clockSysvar(bank)).toEqual([864_001n, start + 777n, 2n, 3n, start + 777n]);
    expect(bank.epochInfo('processed')).toEqual({
      absoluteSlot: 864_001n,
      blockHeight: 864_001n,
      epoch: 2n,
      slotIndex: 1n,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: 0n,
    });
  });

  it('leaves a usable blockhash, however far it advances', async () => {
    const bank = await openBankForTests();
    for (const slots of [1, 2, 3, 149, 150, 151, 1_000_000]) {
      await bank.admin.warp({ slots });
      const signature = send(bank, signTestTransaction(bank, [ALICE], [pay(BigInt(slots))]));
      expect(getSignatureStatus(bank, signature)?.error, `after ${slots} slots`).toBeNull();
    }
    expect(bank.slot('processed')).toBe(1_000_457n);
  });

  it('finalizes all earlier slots', async () => {
    const bank = await openBankForTests();
    const signature = send(bank, signTestTransaction(bank, [ALICE], [pay(1n)]));
    await bank.admin.warp({ slots: 40 });
    expect(getSignatureStatus(bank, signature)?.commitment).toBe('finalized');
  });

  it.each([{ slots: -1 }, { slots: 0.5 }, { slots: 1e9 }, { seconds: -1 }, { seconds: Number.NaN }])(
    'refuses %o',
    async (by) => {
      const bank = await openBankForTests();
      await expect(bank.admin.warp(by)).rejects.toThrow(NetworkRefused);
    },
  );
});

describe('setAccounts', () => {
  it('writes and deletes accounts, and publishes the changes', async () => {
    const bank = await openBankForTests();
    const events = collectEvents(bank);
    const slot = bank.admin.setAccounts([
      { address: CARL, account: createWalletAccount(7n * SOL) },
      { address: BOB.address, account: null },
    ]);
    expect([slot, getLamports(bank, CARL), bank.getAccount(BOB.address, 'processed')]).toEqual([
      1n,
      7n * SOL,
      null,
    ]);
    expect(events).toEqual([
      {
        kind: 'accounts',
        slot: 1n,
        changes: [
          { address: CARL, slot: 1n, account: createWalletAccount(7n * SOL) },
          { address: BOB.address, slot: 1n, account: null },
        ],
      },
    ]);
    expect(bank.getAccount(CARL, 'confirmed')).toBeNull();
    await bank.advanceSlot();
    expect(bank.getAccount(CARL, 'confirmed')?.lamports).toBe(7n * SOL);
  });

  it('replaces and removes programs without leaving the old one behind', async () => {
    const bank = await openBankForTests();
    const program = bank.getAccount(MEMO_PROGRAM, 'processed');
    if (program === null) throw new Error('the memo program is missing');
    const call = { ...memo('hello'), programAddress: CARL };
    bank.admin.setAccounts([{ address: CARL, account: program }]);
    const first = send(bank, signTestTransaction(bank, [ALICE], [call]));
    expect(getSignatureStatus(bank, first)?.error).toBeNull();
    bank.admin.setAccounts([{ address: CARL, account: null }]);
    await bank.advanceSlot();
    const second = send(bank, signTestTransaction(bank, [ALICE], [call]));
    expect(getSignatureStatus(bank, second)?.error).toBe('ProgramAccountNotFound');
    bank.admin.setAccounts([{ address: CARL, account: program }]);
    await bank.advanceSlot();
    expect(
      getSignatureStatus(bank, send(bank, signTestTransaction(bank, [ALICE], [call])))?.error,
    ).toBeNull();
  });

  it('writes nothing when it refuses one account', async () => {
    const bank = await openBankForTests();
    const broken = {
      ...createWalletAccount(SOL),
      owner: BPF_LOADER,
      executable: true,
      data: new Uint8Array(100),
    };
    const before = bank.totalLamports('processed');
    expect(() =>
      bank.admin.setAccounts([
        { address: CARL, account: createWalletAccount(SOL) },
        { address: createTestKey(61).address, account: broken },
      ]),
    ).toThrow(/nothing was written/);
    expect(bank.totalLamports('processed')).toBe(before);
    expect(bank.getAccount(CARL, 'processed')).toBeNull();
    expect(
      getSignatureStatus(bank, send(bank, signTestTransaction(bank, [ALICE], [pay(1n)])))?.error,
    ).toBeNull();
  });

  it('refuses sysvars and impossible balances', async () => {
    const bank = await openBankForTests();
    const write = (address: typeof CARL, lamports: bigint) =>
      bank.admin.setAccounts([{ address, account: createWalletAccount(lamports) }]);
    expect(() => write(SYSVAR_CLOCK, SOL)).toThrow(
      /is a sysvar, which only the runtime writes; to move the clock, call POST \/admin\/v1\/network\/clock$/,
    );
    expect(() => write(CARL, 0n)).toThrow(/must have from 1 to 18446744073709551615 lamports, got 0/);
    expect(() => write(CARL, 1n << 64n)).toThrow(NetworkRefused);
  });
});

describe('a reset', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-reset-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('gives back the accounts and the clock of a new network, also after a crash, and goes on', async () => {
    const clock = new TestClock();
    const options = { now: clock.now, overlay: [{ address: BOB.address, account: createWalletAccount(7n) }] };
    const bank = await openBankForTests({ ...options, folder });
    await bank.admin.saveSnapshot('mine');
    const sent = send(bank, signTestTransaction(bank, [ALICE], [pay(SOL)]));
    bank.requestAirdrop(CARL, SOL);
    bank.admin.setFaults({ ...NO_FAULTS, drop: 1 });
    bank.admin.faultNext({ effect: 'drop', count: 5, wallet: null, program: null, slots: 1, code: 1 });
    await bank.admin.warp({ seconds: 500_000 });
    const slot = bank.slot('processed');
    await bank.admin.reset(GENESIS);
    expect(bank.slot('processed')).toBe(slot + 1n);
    expect(clockSysvar(bank)[4]).toBe(BigInt(Math.floor(clock.now() / 1_000)));
    expect([getLamports(bank, BOB.address), bank.getAccount(CARL, 'processed')]).toEqual([7n, null]);
    expect(getSignatureStatus(bank, sent)?.error).toBeNull();
    expect([bank.admin.faults(), bank.admin.nextFaults().waiting]).toEqual([NO_FAULTS, []]);
    expect(bank.admin.snapshots()).toMatchObject([{ name: 'mine' }]);
    // Not closed: the state is durable once the promise has resolved.
    const second = await openBankForTests({ ...options, folder });
    expect([getLamports(second, BOB.address), second.getAccount(CARL, 'processed')]).toEqual([7n, null]);
    expect(
      getSignatureStatus(second, send(second, signTestTransaction(second, [ALICE], [pay(SOL)])))?.error,
    ).toBeNull();
    expect(getLamports(second, BOB.address)).toBe(7n + SOL);
    await second.close();
    await bank.close().catch(() => {});
  });

  it('is refused in production', async () => {
    const bank = await openBankForTests({ production: true });
    await expect(bank.admin.reset([])).rejects.toThrow(NetworkRefused);
    await bank.close();
  });
});

describe.each(['in memory', 'on disk'])('a named snapshot %s', (where) => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-admin-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('restores accounts and clock while slots and history continue', async () => {
    const bank = await open();
    send(bank, signTestTransaction(bank, [ALICE], [pay(SOL)]));
    await bank.admin.warp({ seconds: 100 });
    const time = bank.blockTime(bank.slot('processed'));
    await bank.admin.saveSnapshot('before');
    const after = send(bank, signTestTransaction(bank, [ALICE], [pay(2n * SOL)]));
    bank.requestAirdrop(CARL, SOL);
    await bank.admin.warp({ seconds: 5_000, slots: 10 });
    const slot = bank.slot('processed');
    const events = collectEvents(bank);
    await bank.admin.restoreSnapshot('before');
    expect(getLamports(bank, BOB.address)).toBe(101n * SOL);
    expect(bank.getAccount(CARL, 'processed')).toBeNull();
    expect(bank.slot('processed')).toBe(slot + 1n);
    expect(bank.blockTime(slot + 1n)).toBe(time);
    expect(clockSysvar(bank)[4]).toBe(time);
    expect(getSignatureStatus(bank, after)?.error).toBeNull();
    const told = events.find(({ kind }) => kind === 'accounts');
    const addresses = told?.kind === 'accounts' ? told.changes.map(({ address }) => address) : [];
    expect(addresses).toEqual(expect.arrayContaining([ALICE.address, BOB.address, CARL]));
    expect(
      getSignatureStatus(bank, send(bank, signTestTransaction(bank, [ALICE], [pay(3n * SOL)])))?.error,
    ).toBeNull();
    expect(getLamports(bank, BOB.address)).toBe(104n * SOL);
  });

  it('is listed, replaced and deleted', async () => {
    const bank = await open();
    await bank.admin.saveSnapshot('one');
    await advance(bank, 3);
    await bank.admin.saveSnapshot('two');
    await bank.admin.saveSnapshot('one');
    const names = [...bank.admin.snapshots()].sort((left, right) => (left.name < right.name ? -1 : 1));
    expect(names).toEqual([
      { name: 'one', slot: 6n },
      { name: 'two', slot: 5n },
    ]);
    await bank.admin.deleteSnapshot('one');
    await expect(bank.admin.restoreSnapshot('one')).rejects.toThrow(/no snapshot "one"; there are: two/);
    await expect(bank.admin.deleteSnapshot('one')).rejects.toThrow(NetworkRefused);
    await expect(bank.admin.saveSnapshot('../evil')).rejects.toThrow(/a snapshot's name has 1 to 64/);
  });

  it('survives the process on disk, and so does the restored state', async () => {
    if (where === 'in memory') return;
    const bank = await open();
    await bank.admin.saveSnapshot('kept');
    send(bank, signTestTransaction(bank, [ALICE], [pay(SOL)]));
    await bank.close();
    const second = await open();
    expect(getLamports(second, BOB.address)).toBe(101n * SOL);
    await second.admin.restoreSnapshot('kept');
    expect(getLamports(second, BOB.address)).toBe(100n * SOL);
    // The bank is not closed, because the restored state is durable already.
    const third = await open();
    expect(getLamports(third, BOB.address)).toBe(100n * SOL);
    await third.close();
    await second.close().catch(() => {});
  });

  const open = (clock = new TestClock()) =>
    openBankForTests({ folder: where === 'on disk' ? folder : null, now: clock.now });
});

describe('in production', () => {
  it('every operation is refused', async () => {
    const bank = await openBankForTests({ production: true });
    const { admin } = bank;
    await expect(admin.warp({ slots: 1 })).rejects.toThrow(NetworkRefused);
    await expect(admin.saveSnapshot('a')).rejects.toThrow(NetworkRefused);
    await expect(admin.restoreSnapshot('a')).rejects.toThrow(NetworkRefused);
    await expect(admin.deleteSnapshot('a')).rejects.toThrow(NetworkRefused);
    expect(() => admin.setAccounts([])).toThrow(NetworkRefused);
    expect(() => admin.snapshots()).toThrow(NetworkRefused);
    expect(() => admin.faults()).toThrow(NetworkRefused);
    expect(bank.slot('processed')).toBe(1n);
    expect(bank.getAccount(TOKEN_PROGRAM, 'processed')?.executable).toBe(true);
  });
});

const CARL = createTestKey(60).address;
const pay = (lamports: bigint) => transferLamports(ALICE.address, BOB.address, lamports);

/** Slot, epoch start, epoch, leader epoch and time of the Clock sysvar. */
function clockSysvar(bank: Bank): bigint[] {
  const data = bank.getAccount(SYSVAR_CLOCK, 'processed')?.data ?? new Uint8Array(0);
  const view = new DataView(data.buffer, data.byteOffset);
  return [0, 8, 16, 24, 32].map((at) => view.getBigInt64(at, true));
}
