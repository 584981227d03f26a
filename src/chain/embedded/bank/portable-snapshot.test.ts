import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { BPF_LOADER, SYSTEM_PROGRAM, SYSVAR_RENT, TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import { createGenesisChain } from '../blocks/blocks.ts';
import type { NetworkState } from '../blocks/snapshot-codec.ts';
import { NetworkRefused } from '../ledger/bank.ts';
import type { AccountEntry } from '../records/account-codec.ts';
import { FileKind, encodeFileHeader, encodeFrameHeader } from '../storage/log-frames.ts';
import { formatSnapshot } from '../storage/snapshot-file.ts';
import {
  ALICE,
  BOB,
  getLamports,
  SOL,
  send,
  signTestTransaction,
  getSignatureStatus,
  openBankForTests,
  createTestKey,
  createWalletAccount,
} from '../../../testing/chain/bank.ts';
import { openTestFolder } from '../../../testing/test-folder.ts';

let folder: string;
beforeEach(setUp);

describe('an exported snapshot', () => {
  it('gives another network its accounts, and slots that are not before those of its accounts', async () => {
    const one = await openBankForTests();
    send(one, signTestTransaction(one, [ALICE], [pay(SOL)]));
    one.requestAirdrop(CARL, 7n * SOL);
    await one.admin.warp({ slots: 5_000 });
    await one.admin.saveSnapshot('mine');
    const [{ slot } = { slot: 0n }] = one.admin.snapshots();
    const bytes = await one.admin.exportSnapshot('mine');
    await one.close();

    const other = await openBankForTests({ folder });
    await other.admin.importSnapshot('theirs', bytes);
    expect(other.admin.snapshots()).toEqual([{ name: 'theirs', slot }]);
    expect([other.slot('processed'), other.getAccount(CARL, 'processed')]).toEqual([1n, null]);
    await other.admin.restoreSnapshot('theirs');
    expect([getLamports(other, BOB.address), getLamports(other, CARL)]).toEqual([101n * SOL, 7n * SOL]);
    expect(other.slot('processed')).toBeGreaterThan(slot);
    // Not closed: the state is durable once the promise has resolved.
    const second = await openBankForTests({ folder });
    expect(getLamports(second, CARL)).toBe(7n * SOL);
    expect(second.slot('processed')).toBeGreaterThan(slot);
    expect(
      getSignatureStatus(second, send(second, signTestTransaction(second, [ALICE], [pay(SOL)])))?.error,
    ).toBeNull();
    expect(await second.admin.exportSnapshot('theirs')).toEqual(bytes);
    await second.close();
    await other.close().catch(() => {});
  });

  it('is refused when it is cut short or changed anywhere, and nothing is saved', async () => {
    const bank = await openBankForTests({ folder });
    await bank.admin.saveSnapshot('mine');
    const bytes = await bank.admin.exportSnapshot('mine');
    const plain = gunzipSync(bytes);
    const step = Math.max(1, Math.floor(plain.length / 60));
    for (let at = 0; at < plain.length; at += step) {
      const damaged = Buffer.from(plain);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      for (const hostile of [gzipSync(damaged), gzipSync(plain.subarray(0, at))]) {
        await expect(bank.admin.importSnapshot('bad', hostile), `byte ${at}`).rejects.toThrow(NetworkRefused);
      }
    }
    for (const hostile of [new Uint8Array(0), bytes.subarray(0, -1), Buffer.from('{}'), gzipSync('PK')]) {
      await expect(bank.admin.importSnapshot('bad', hostile)).rejects.toThrow(/the snapshot is/);
    }
    await expect(bank.admin.importSnapshot('../bad', bytes)).rejects.toThrow(/a snapshot's name has/);
    await expect(bank.admin.exportSnapshot('never')).rejects.toThrow(/no snapshot "never"/);
    expect(readdirSync(join(folder, 'snapshots'))).toEqual(['mine.dat']);
    await bank.close();
  });

  it.each<[string, Uint8Array, RegExp]>([
    ['of a network with another seed', packed({ genesisSeed: 'other' }), /seed "other", but this one has/],
    ['with transactions', packed({ transactions: [new Uint8Array(9)] }), /is no named snapshot/],
    ['with a clock a thousand years away', packed({ clockOffset: 1n << 45n }), /hundred years/],
    [
      'with a native program replaced',
      withAccounts([SYSTEM_PROGRAM, createWalletAccount(1n)]),
      /native program/,
    ],
    ['with a native program deleted', withAccounts([SYSTEM_PROGRAM, null]), /native program/],
    ['with a sysvar replaced', withAccounts([SYSVAR_RENT, createWalletAccount(1n)]), /replaces the sysvar/],
    ['with an account of no lamports', withAccounts([CARL, createWalletAccount(0n)]), /no lamports/],
    ['with a program that is no program', withAccounts([CARL, program(new Uint8Array(9))]), /cannot be used/],
    ['of 65 MiB of zeros', gzipSync(new Uint8Array(65 << 20)), /more than 67108864 bytes/],
    ['of 13 MiB', new Uint8Array(13 << 20), /has 13631488 bytes, but can have 12582912/],
  ])('%s is refused, and the network goes on', async (_what, bytes, reason) => {
    const bank = await openBankForTests();
    await expect(bank.admin.importSnapshot('bad', bytes)).rejects.toThrow(reason);
    expect(bank.admin.snapshots()).toEqual([]);
    expect(bank.getAccount(TOKEN_PROGRAM, 'processed')?.executable).toBe(true);
    expect(
      getSignatureStatus(bank, send(bank, signTestTransaction(bank, [ALICE], [pay(1n)])))?.error,
    ).toBeNull();
    await bank.close();
  });

  it('is refused soon, however many headers claim that the rest of it is a record', async () => {
    const bank = await openBankForTests();
    const megabytes = 16 << 20;
    const header = encodeFrameHeader([new Uint8Array(megabytes / 2)]);
    // The first one is damaged, so that whole records are looked for after it.
    const headers = Buffer.alloc(megabytes, header).fill(0, 0, header.length);
    const hostile = gzipSync(Buffer.concat([encodeFileHeader(FileKind.SNAPSHOT, 1n), headers]));
    await expect(bank.admin.importSnapshot('bad', hostile)).rejects.toThrow(/byte 28 begins no whole part/);
    await bank.close();
  });

  it('is refused with more accounts than the bound, before they are decoded', async () => {
    const bank = await openBankForTests();
    const accounts = Array.from({ length: 200_001 }, (): AccountEntry => [CARL, null]);
    await expect(bank.admin.importSnapshot('bad', packed({ accounts }))).rejects.toThrow(
      /more than 200000 accounts/,
    );
    await bank.close();
  });

  it('cannot be made or taken in with production', async () => {
    const bank = await openBankForTests({ production: true });
    await expect(bank.admin.importSnapshot('a', packed({}))).rejects.toThrow(/production/);
    await expect(bank.admin.exportSnapshot('a')).rejects.toThrow(/production/);
    await bank.close();
  });
});

const CARL = createTestKey(60).address;
const pay = (lamports: bigint) => transferLamports(ALICE.address, BOB.address, lamports);

const STATE: NetworkState = {
  genesisSeed: 'test',
  chain: createGenesisChain('test', 1_700_000_000n),
  slotHistory: new Uint8Array(1_000),
  clockOffset: 0n,
  accounts: [],
  statuses: [],
  transactions: [],
};
const packed = (changed: Partial<NetworkState>) => gzipSync(formatSnapshot(1n, { ...STATE, ...changed }));
const withAccounts = (...accounts: readonly AccountEntry[]) => packed({ accounts });
const program = (data: Uint8Array) => ({
  ...createWalletAccount(SOL),
  owner: BPF_LOADER,
  executable: true,
  data,
});

function setUp(): void {
  folder = openTestFolder('portable');
}
