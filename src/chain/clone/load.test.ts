import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AddressedAccount } from '../records/records.ts';
import {
  BPF_LOADER,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  TOKEN_PROGRAM,
} from '../../solana/program-addresses.ts';
import { formatAccountFile } from '../records/account-json.ts';
import { type LoadRequest, load } from './load.ts';

let folder = '';
beforeAll(setUp);
afterAll(() => rm(folder, { recursive: true }));

describe('load', () => {
  it('reads account files and program files', async () => {
    const programs = [{ address: MEMO_PROGRAM, file: file('program.so') }];
    const loaded = await load({ ...NOTHING, programs, accountFiles: [file('account.json')] });
    expect(loaded.accounts).toEqual([addressed]);
    expect(loaded.programs).toEqual([
      { address: MEMO_PROGRAM, elf: new Uint8Array(await readFile(STAND_IN)) },
    ]);
  });

  it('throws for an address that is listed twice', async () => {
    const programs = [{ address: TOKEN_PROGRAM, file: file('program.so') }];
    const request = { ...NOTHING, programs, accountFiles: [file('account.json')] };
    await expect(load(request)).rejects.toThrow(`${TOKEN_PROGRAM} is to be loaded twice`);
  });

  it.each([
    ['absent.json', 'absent.json cannot be read: ENOENT'],
    ['program.json', `load its code with --program ${TOKEN_PROGRAM}=FILE.so`],
    ['program.so', 'program.so is not JSON'],
    ['sysvar.json', `${TOKEN_PROGRAM} is a sysvar`],
    ['.', 'is not a file'],
  ])('refuses the account file %s', async (name, message) => {
    await expect(load({ ...NOTHING, accountFiles: [file(name)] })).rejects.toThrow(message);
  });

  it.each([
    ['account.json', 'does not begin as an ELF file'],
    ['half.so', `the program for ${MEMO_PROGRAM} does not load: Failed to add program`],
    ['huge.so', 'has 11534336 bytes; at most 10485715 are read'],
  ])('refuses the program file %s', async (name, message) => {
    const programs = [{ address: MEMO_PROGRAM, file: file(name) }];
    await expect(load({ ...NOTHING, programs })).rejects.toThrow(message);
  });

  it('throws without a source to copy from', async () => {
    await expect(load({ ...NOTHING, clones: [TOKEN_PROGRAM] })).rejects.toThrow('clone needs clone-from');
  });
});

const NOTHING: LoadRequest = { programs: [], accountFiles: [], clones: [], cloneFrom: null };
const addressed: AddressedAccount = {
  address: TOKEN_PROGRAM,
  account: {
    lamports: 1n,
    owner: SYSTEM_PROGRAM,
    data: new Uint8Array([9]),
    executable: false,
    rentEpoch: 0n,
  },
};

const STAND_IN = new URL('../../../programs/dist/rfq-fill.so', import.meta.url);

const file = (name: string) => join(folder, name);

async function setUp(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'sluice-load-'));
  await writeFile(file('account.json'), formatAccountFile(addressed));
  await writeFile(
    file('program.json'),
    formatAccountFile({
      ...addressed,
      account: { ...addressed.account, owner: BPF_LOADER, executable: true },
    }),
  );
  await writeFile(
    file('sysvar.json'),
    formatAccountFile({ ...addressed, account: { ...addressed.account, owner: SYSVAR_OWNER } }),
  );
  const elf = await readFile(STAND_IN);
  await writeFile(file('program.so'), elf);
  await writeFile(file('half.so'), elf.subarray(0, elf.length / 2));
  await writeFile(file('huge.so'), '');
  await truncate(file('huge.so'), 11 * 1024 * 1024);
}
