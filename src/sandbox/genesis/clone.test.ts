import { describe, expect, it } from 'vitest';
import type { Account } from '../../chain/accounts.ts';
import { type Address, toAddressBytes } from '../../solana/address.ts';
import {
  BPF_LOADER,
  BPF_LOADER_DEPRECATED,
  BPF_LOADER_UPGRADEABLE,
  NATIVE_LOADER,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  TOKEN_PROGRAM,
} from '../../solana/program-addresses.ts';
import type { AccountSource } from '../../chain/clone/account-source.ts';
import { parseAccountFile } from '../../chain/records/account-json.ts';
import { cloneFrom, MAX_CLONES } from '../../chain/clone/clone.ts';
import { dumpAccount } from '../../chain/clone/dump.ts';
import { deriveGenesisKeys } from '../../protocol/genesis/keys.ts';
import { checkProgramBinary } from '../../chain/clone/program-binary.ts';

describe('cloneFrom', () => {
  it('copies accounts once, and programs of both loaders as their code', async () => {
    const loaded = await cloneFrom(sourceOf(accounts), [PLAIN, PROGRAM, OLD_PROGRAM, PLAIN]);
    expect(loaded.accounts).toEqual([{ address: PLAIN, account: plain }]);
    expect(new Map(loaded.programs.map((program) => [program.address, program.elf]))).toEqual(
      new Map([
        [PROGRAM, elf()],
        [OLD_PROGRAM, elf()],
      ]),
    );
  });

  it.each([
    ['an absent account', null, 'there is no account'],
    ['a built-in program', account(NATIVE_LOADER, new Uint8Array(), true), 'built into the runtime'],
    ['a sysvar', account(SYSVAR_OWNER, new Uint8Array()), 'is a sysvar'],
    ['the code of a program', programDataAccount(elf()), 'holds the code of a program'],
    ['a program of an old loader', account(BPF_LOADER_DEPRECATED, elf(), true), 'is a program of the loader'],
    [
      'a program account cut short',
      account(BPF_LOADER_UPGRADEABLE, new Uint8Array(35), true),
      'name no programdata',
    ],
    [
      'a program account of another kind',
      account(BPF_LOADER_UPGRADEABLE, elf(), true),
      'name no programdata',
    ],
    ['a program whose code is gone', programAccount(OLD_PROGRAM), 'is no programdata account'],
    ['a program whose code belongs to another', programAccount(PLAIN), 'is no programdata account'],
    [
      'a program that is no ELF',
      account(BPF_LOADER, new Uint8Array(100), true),
      'does not begin as an ELF file',
    ],
  ])('refuses %s', async (_, found, message) => {
    const source = sourceOf(
      new Map([[PLAIN, plain], ...(found === null ? [] : [[PROGRAM, found] as const])]),
    );
    await expect(cloneFrom(source, [PROGRAM])).rejects.toThrow(message);
  });

  it('refuses to copy more than a bound', async () => {
    const many = new Array<Address>(MAX_CLONES + 1).fill(SYSTEM_PROGRAM);
    await expect(cloneFrom(sourceOf(accounts), many)).rejects.toThrow('at most 1000');
  });
});

describe('dumpAccount', () => {
  it('writes an account in the form that can be loaded again', async () => {
    const { kind, contents } = await dumpAccount(sourceOf(accounts), PLAIN);
    expect(kind).toBe('account');
    expect(parseAccountFile(Buffer.from(contents).toString(), 'dump')).toEqual({
      address: PLAIN,
      account: plain,
    });
  });

  it.each([PROGRAM, OLD_PROGRAM])('writes the code of a program of either loader', async (program) => {
    const dump = await dumpAccount(sourceOf(accounts), program);
    expect(dump).toEqual({ kind: 'program', contents: elf() });
  });

  it('refuses what is not there, or has no code', async () => {
    await expect(dumpAccount(sourceOf(new Map()), PLAIN)).rejects.toThrow(
      `no account ${PLAIN} at http://source`,
    );
    const builtIn = sourceOf(new Map([[PLAIN, account(NATIVE_LOADER, new Uint8Array(4), true)]]));
    await expect(dumpAccount(builtIn, PLAIN)).rejects.toThrow('built into the runtime');
    const closed = sourceOf(new Map([[PROGRAM, programAccount(PROGRAM_DATA)]]));
    await expect(dumpAccount(closed, PROGRAM)).rejects.toThrow('is no programdata account');
  });
});

describe('checkProgramBinary', () => {
  const broken = (at: number, value: number) => {
    const bytes = elf();
    bytes[at] = value;
    return bytes;
  };

  it('lets a BPF shared object of either machine pass', () => {
    expect(() => checkProgramBinary(elf(), 'x.so')).not.toThrow();
    const machine = elf();
    machine.set([247, 0], 18);
    expect(() => checkProgramBinary(machine, 'x.so')).not.toThrow();
  });

  it.each([
    ['an empty file', new Uint8Array(), 'x.so is no Solana program: 0 bytes are too few'],
    ['text', new Uint8Array(Buffer.from('#!/bin/sh\n'.repeat(10))), 'does not begin as an ELF file'],
    ['a 32-bit ELF', broken(4, 1), 'not 64-bit little-endian'],
    ['a big-endian ELF', broken(5, 2), 'not 64-bit little-endian'],
    ['an ELF object file', broken(16, 1), "the ELF's type is 1, not 3"],
    [
      'an ELF for x86-64',
      new Uint8Array([...elf().subarray(0, 18), 62, 0, ...elf().subarray(20)]),
      'machine 62',
    ],
    ['a file beyond the largest account', new Uint8Array(10 * 1024 * 1024), 'at most 10485715 are allowed'],
  ])('refuses %s', (_, bytes, message) => {
    expect(() => checkProgramBinary(bytes, 'x.so')).toThrow(message);
  });
});

const names = deriveGenesisKeys('clone test').demoWallets.map(({ address }) => address);
const [PLAIN, PROGRAM, PROGRAM_DATA, OLD_PROGRAM] = names as [Address, Address, Address, Address];

function elf(): Uint8Array {
  const header = Buffer.alloc(200);
  header.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  header.writeUInt16LE(3, 16);
  header.writeUInt16LE(263, 18);
  return new Uint8Array(header);
}

function account(owner: Address, data: Uint8Array, executable = false): Account {
  return { lamports: 5n, owner, data, executable, rentEpoch: 0n };
}

function programAccount(programData: Address): Account {
  const data = Buffer.alloc(36);
  data.writeUInt32LE(2);
  data.set(toAddressBytes(programData), 4);
  return account(BPF_LOADER_UPGRADEABLE, new Uint8Array(data), true);
}

function programDataAccount(code: Uint8Array): Account {
  const data = Buffer.alloc(45 + code.length);
  data.writeUInt32LE(3);
  data.set(code, 45);
  return account(BPF_LOADER_UPGRADEABLE, new Uint8Array(data));
}

function sourceOf(accounts: ReadonlyMap<Address, Account>): AccountSource {
  return {
    origin: 'http://source',
    read: async (addresses) => addresses.map((address) => accounts.get(address) ?? null),
  };
}

const plain = account(TOKEN_PROGRAM, new Uint8Array([1, 2]));
const accounts = new Map([
  [PLAIN, plain],
  [PROGRAM, programAccount(PROGRAM_DATA)],
  [PROGRAM_DATA, programDataAccount(elf())],
  [OLD_PROGRAM, account(BPF_LOADER, elf(), true)],
]);
