import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCampaign } from '../../testing/random.ts';
import type { Address } from '../../solana/address.ts';
import { readTokenAccountAmount } from '../../solana/programs/token/account.ts';
import { decodeMint } from '../../solana/programs/token/mint.ts';
import type { Bank } from './ledger/bank.ts';
import { GENESIS } from '../../testing/chain/bank.ts';
import { loadOptions, MINT } from '../../testing/chain/bank-load.ts';
import { openBank } from './bank/open-bank.ts';
import type { TransactionRecord } from '../records/records.ts';

beforeAll(setUp);
afterAll(() => rmSync(workplace, { recursive: true }));

describe('a network whose process is killed', () => {
  it(`loses nothing that was confirmed, ${CAMPAIGN.rounds} times`, async () => {
    const kills = startCampaign(CAMPAIGN);
    const fresh = await openBank(loadOptions(folder));
    const started = fresh.totalLamports('confirmed');
    await fresh.close();
    let reported = 0;
    for (let round = 0; round < kills; round++) {
      const { slot, signatures } = await reportedByKilled(
        MOMENTS[round % MOMENTS.length] ?? { slots: 1, milliseconds: 0 },
      );
      reported += signatures.length;
      const bank = await openBank({ ...loadOptions(folder), historyCapacity: 1_000_000 });
      expect(bank.slot('confirmed'), 'it returns at the last confirmed slot').toBeGreaterThanOrEqual(slot);
      const missing = signatures.filter((signature) => bank.transaction(signature, 'confirmed') === null);
      expect(missing).toEqual([]);
      if (round % 10 === 9 || round === kills - 1) expectWhole(bank, allRecords(bank), started);
      await bank.close();
    }
    expect(reported, 'the processes must have got to work').toBeGreaterThan(kills);
  });
});

const CAMPAIGN = { rounds: 50, short: 16 };
/** When to kill a process: after this many confirmed slots and milliseconds. Some processes do not get that far. */
const MOMENTS = [
  { slots: 0, milliseconds: 90 },
  { slots: 1, milliseconds: 0 },
  { slots: 3, milliseconds: 1 },
  { slots: 11, milliseconds: 3 },
  { slots: 12, milliseconds: 4 },
  { slots: 13, milliseconds: 0 },
  { slots: 20, milliseconds: 7 },
  { slots: 0, milliseconds: 170 },
];

/** In a folder beside the packages, so that the bundle finds LiteSVM. */
const workplace = mkdtempSync(fileURLToPath(new URL('../../../node_modules/.sluice-kill-', import.meta.url)));
const script = join(workplace, 'load.mjs');
const folder = join(workplace, 'network');

async function setUp(): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL('../../testing/chain/bank-load.ts', import.meta.url))],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
}

/** Returns what a process had reported as confirmed when it was killed. */
async function reportedByKilled(
  moment: (typeof MOMENTS)[number],
): Promise<{ slot: bigint; signatures: string[] }> {
  const child = spawn(process.execPath, [script, folder], {
    env: { ...process.env, SLUICE_TEST_LOAD: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  let doomed = false;
  const kill = () => {
    if (!doomed) setTimeout(() => child.kill('SIGKILL'), moment.milliseconds);
    doomed = true;
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.split('\n').length > moment.slots) kill();
  });
  if (moment.slots === 0) kill();
  const signal = await new Promise((resolve) => child.on('close', (_, by) => resolve(by)));
  expect(signal, 'it works until it is killed').toBe('SIGKILL');
  // The last line only counts if it is complete.
  const lines = output.split('\n').slice(0, -1);
  const [slot = '0'] = lines.at(-1)?.split(' ') ?? [];
  const signatures = lines.flatMap((line) => line.split(' ')[1]?.split(',') ?? []);
  return { slot: BigInt(slot), signatures: signatures.filter((signature) => signature !== '') };
}

function expectWhole(bank: Bank, records: readonly TransactionRecord[], started: bigint): void {
  const fees = records.reduce((sum, { fee }) => sum + fee, 0n);
  expect(bank.totalLamports('confirmed'), 'only fees leave').toBe(started - fees);
  const lastBalances = new Map<Address, bigint>();
  for (const { staticAddresses, postBalances } of records) {
    for (const [index, address] of staticAddresses.entries())
      lastBalances.set(address, postBalances[index] ?? 0n);
  }
  for (const [address, lamports] of lastBalances) {
    expect(bank.getAccount(address, 'confirmed')?.lamports ?? 0n, address).toBe(lamports);
  }
  const mint = bank.getAccount(MINT, 'confirmed');
  const holders = [...bank.eachTokenAccount({ by: 'mint', mint: MINT }, 'confirmed').value];
  const held = holders.reduce((sum, { account }) => sum + readTokenAccountAmount(account.data), 0n);
  expect(mint === null ? -1n : decodeMint(mint.data).supply).toBe(held);
}

/** Returns all transactions of the network, oldest first. */
function allRecords(bank: Bank): TransactionRecord[] {
  const payers = GENESIS.map(({ address }) => address);
  const signatures = new Set<string>();
  for (const payer of payers) {
    let before: string | undefined;
    for (;;) {
      const page = bank.signaturesForAddress(payer, {
        commitment: 'confirmed',
        limit: 1_000,
        ...(before === undefined ? {} : { before }),
      });
      for (const { signature } of page) signatures.add(signature);
      if (page.length < 1_000) break;
      before = page.at(-1)?.signature;
    }
  }
  const records = Array.from(signatures, (signature) => bank.transaction(signature, 'confirmed'));
  return records
    .filter((record) => record !== null)
    .sort((left, right) =>
      left.slot === right.slot ? left.index - right.index : Number(left.slot - right.slot),
    );
}
