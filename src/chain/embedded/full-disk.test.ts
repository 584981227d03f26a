import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CAN_FILL_DISK, fillDisk } from '../../testing/full-disk.ts';
import { memo } from '../../solana/programs/memo.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import type { Bank } from './ledger/bank.ts';
import {
  ALICE,
  BOB,
  createBankOptions,
  getLamports,
  SOL,
  send,
  signTestTransaction,
  getSignatureStatus,
} from '../../testing/chain/bank.ts';
import { openBank } from './bank/open-bank.ts';

let folder: string;
let makeRoom = () => {};
beforeEach(setUp);
afterEach(tearDown);

describe.runIf(CAN_FILL_DISK)('a network whose disk is full', () => {
  it('stops with the reason, continues when there is space again, and loses nothing', async () => {
    const bank = await open();
    const first = pay(bank, 1);
    await bank.advanceSlot();
    // The next record is written only partially.
    makeRoom = fillDisk(sizeOf('log') + 100);
    const second = pay(bank, 2);
    await ticking(bank, () => bank.unhealthy()).toMatch(/the network's log cannot be written: EFBIG/);
    const slot = bank.slot('processed');
    tick(bank);
    expect(bank.slot('processed')).toBe(slot);
    const wire = signTestTransaction(bank, [ALICE], [memo('refused')]);
    expect(bank.submit(wire, { preflight: null })).toMatchObject({ kind: 'unavailable' });
    expect(getSignatureStatus(bank, second)?.commitment).toBe('processed');
    makeRoom();
    await ticking(bank, () => bank.unhealthy()).toBeNull();
    const third = pay(bank, 4);
    await bank.advanceSlot();
    expect([first, second, third].map((one) => getSignatureStatus(bank, one)?.commitment)).toEqual(
      Array(3).fill('confirmed'),
    );
    await bank.close();
    const again = await open();
    expect(getLamports(again, BOB.address)).toBe(100n * SOL + 7n);
  });

  it('continues with its log without space for a snapshot, and writes one later', async () => {
    const defects: string[] = [];
    const bank = await open({
      snapshotPolicy: { bytes: 1 << 30, slots: 8 },
      onDefect: (where) => defects.push(where),
    });
    makeRoom = fillDisk(sizeOf('snapshot') - 1_000);
    for (let slot = 0; slot < 9; slot++) {
      pay(bank, 1);
      await bank.advanceSlot();
    }
    await expect.poll(() => defects).toContain("the network's snapshot");
    expect(bank.unhealthy()).toBeNull();
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    // As after a crash, both logs and the old snapshot exist.
    const asCrashed = `${folder}-crashed`;
    makeRoom();
    cpSync(folder, asCrashed, { recursive: true });
    const crashed = await open({ folder: asCrashed });
    expect(getLamports(crashed, BOB.address)).toBe(100n * SOL + 9n);
    await ticking(bank, () => bank.snapshotSlot() !== 0n).toBe(true);
    await expect
      .poll(() => readdirSync(folder).filter((name) => name.startsWith('snapshot-')))
      .toHaveLength(1);
    await bank.close();
    expect(getLamports(await open(), BOB.address)).toBe(100n * SOL + 9n);
  });

  it('can be closed, and keeps what was confirmed', async () => {
    const bank = await open();
    pay(bank, 1);
    await bank.advanceSlot();
    makeRoom = fillDisk(sizeOf('log') + 100);
    const lost = pay(bank, 2);
    await expect(bank.close()).rejects.toThrow(/EFBIG/);
    makeRoom();
    const again = await open();
    expect(getSignatureStatus(again, lost)).toBeNull();
    expect(getLamports(again, BOB.address)).toBe(100n * SOL + 1n);
  });
});

const opened: Bank[] = [];

function setUp(): void {
  folder = mkdtempSync(join(tmpdir(), 'sluice-full-'));
}

async function tearDown(): Promise<void> {
  makeRoom();
  for (const bank of opened.splice(0)) await bank.close().catch(() => undefined);
  for (const path of [folder, `${folder}-crashed`]) rmSync(path, { recursive: true, force: true });
}

async function open(changed: Parameters<typeof createBankOptions>[0] = {}): Promise<Bank> {
  const bank = await openBank(createBankOptions({ folder, ...changed }));
  opened.push(bank);
  return bank;
}

/** Returns the size of the largest file of this kind. */
const sizeOf = (kind: string) =>
  Math.max(
    ...readdirSync(folder)
      .filter((name) => name.startsWith(kind))
      .map((name) => statSync(join(folder, name)).size),
  );
const pay = (bank: Bank, lamports: number) =>
  send(
    bank,
    signTestTransaction(bank, [ALICE], [transferLamports(ALICE.address, BOB.address, BigInt(lamports))]),
  );
/** Ends a slot like the slot timer, without waiting for the disk. */
const tick = (bank: Bank) => void bank.advanceSlot().catch(() => undefined);
const ticking = (bank: Bank, shown: () => unknown) =>
  expect.poll(() => {
    tick(bank);
    return shown();
  });
