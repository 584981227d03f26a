import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bank } from '../../chain/embedded/ledger/bank.ts';
import { openBank } from '../../chain/embedded/bank/open-bank.ts';
import { type RpcServer, startRpcServer } from '../../chain/embedded/rpc/server.ts';
import type { Address } from '../../solana/address.ts';
import { MEMO_PROGRAM, SYSTEM_PROGRAM, SYSVAR_CLOCK, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { createRpcAccountSource } from '../../chain/clone/account-source.ts';
import { cloneFrom, type ClonedAccounts, MAX_CLONES } from '../../chain/clone/clone.ts';
import { dumpAccount } from '../../chain/clone/dump.ts';
import { buildGenesis } from './build-genesis.ts';
import { type LoadRequest, load } from '../../chain/clone/load.ts';
import { overlayAccounts, readStandIns } from './network-accounts.ts';
import { decodeTokenAccount, isTokenAccount } from '../../solana/programs/token/account.ts';

let standIns: ClonedAccounts['programs'];
let first: Bank;
let server: RpcServer;
let folder: string;
beforeAll(setUp);
afterAll(tearDown);

describe('the embedded network as a source', () => {
  it('returns every account and program of the genesis, to the byte', async () => {
    const addresses = [...copied, ...standIns].map(({ address }) => address);
    const { accounts, programs } = await copyAll(addresses, (clones) =>
      load({ ...NOTHING, clones, cloneFrom: new URL(server.httpUrl) }),
    );
    expect(accounts).toEqual(copied);
    expect(programs).toEqual(standIns);
  });

  it('can start another network from what was copied', async () => {
    const source = createRpcAccountSource(new URL(server.httpUrl));
    const everything = [...copied, ...standIns].map(({ address }) => address);
    const faucet = genesis.accounts.slice(0, 1);
    const loaded = await copyAll(everything, (some) => cloneFrom(source, some));
    const second = await openNetwork(loaded, faucet);
    for (const address of everything) {
      expect(second.getAccount(address, 'confirmed'), address).toEqual(
        first.getAccount(address, 'confirmed'),
      );
    }
    await second.close();
  });

  it('writes dumps that load again, to the byte', async () => {
    const source = createRpcAccountSource(new URL(server.httpUrl));
    const addresses = genesis.tokens.map(({ mint }) => mint);
    const [program] = standIns;
    if (program === undefined) throw new Error('no stand-in');
    const accountFiles = await Promise.all(addresses.map((address) => dumpInto(address, 'json')));
    const programs = [{ address: program.address, file: await dumpInto(program.address, 'so') }];
    const loaded = await load({ ...NOTHING, accountFiles, programs });
    const expected = genesis.accounts.filter(({ address }) => addresses.includes(address));
    expect(new Map(loaded.accounts.map(({ address, account }) => [address, account]))).toEqual(
      new Map(expected.map(({ address, account }) => [address, account])),
    );
    expect(loaded.programs).toEqual([program]);

    async function dumpInto(address: Address, extension: string): Promise<string> {
      const file = join(folder, `${address}.${extension}`);
      await writeFile(file, (await dumpAccount(source, address)).contents);
      return file;
    }
  });

  it('returns the programs that every network has, but not the runtime’s own accounts', async () => {
    const source = createRpcAccountSource(new URL(server.httpUrl));
    const { programs } = await cloneFrom(source, [TOKEN_PROGRAM, MEMO_PROGRAM]);
    expect(programs.map(({ address }) => address).sort()).toEqual([MEMO_PROGRAM, TOKEN_PROGRAM].sort());
    await expect(cloneFrom(source, [SYSTEM_PROGRAM])).rejects.toThrow('built into the runtime');
    await expect(cloneFrom(source, [SYSVAR_CLOCK])).rejects.toThrow('is a sysvar');
    const nobody = 'GThUX1Atko4tqhN2NaiTazWSeFWMuiUvfFnyJyUghFMJ' as Address;
    await expect(cloneFrom(source, [nobody])).rejects.toThrow(
      `there is no account ${nobody} at http://127.0.0.1`,
    );
  });

  it('has a faucet for each of its tokens', () => {
    if (wallet === undefined) throw new Error('no demo wallet');
    for (const { mint, symbol } of genesis.tokens) {
      const before = first.getAccount(mint, 'processed');
      const { account, signature } = first.faucet(wallet, mint, 5n);
      expect(first.signatureStatuses([signature], false).value[0]?.error, symbol).toBeNull();
      expect(first.getAccount(account, 'processed')?.owner, symbol).toBe(before?.owner);
    }
  });
});

const genesis = buildGenesis('round trip');
const [wallet] = genesis.keys.demoWallets.map(({ address }) => address);
const NOTHING: LoadRequest = { programs: [], accountFiles: [], clones: [], cloneFrom: null };

/** A network in memory, past the slots in which nothing is confirmed yet. */
async function openNetwork(loaded: ClonedAccounts, accounts = genesis.accounts): Promise<Bank> {
  const bank = await openBank({
    folder: null,
    seed: 'round trip',
    genesis: accounts,
    overlay: overlayAccounts([], loaded),
    faucet: genesis.keys.faucet,
    mintAuthorities: [genesis.keys.mintAuthority],
    slotMs: 400,
    now: () => 1_750_000_000_000,
    production: false,
  });
  for (let slot = 0; slot < 3; slot++) await bank.advanceSlot();
  return bank;
}

/** All accounts but the collector's tokens, thousands of accounts that are like one another. */
const copied = genesis.accounts.filter(
  ({ account }) =>
    !isTokenAccount(account.data) ||
    decodeTokenAccount(account.data).owner !== genesis.keys.collector.address,
);

async function setUp(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'sluice-round-trip-'));
  standIns = await readStandIns(genesis.programs, new URL('../../../programs/dist/', import.meta.url));
  first = await openNetwork({ accounts: [], programs: standIns });
  server = await startRpcServer(first, {
    production: false,
    host: '127.0.0.1',
    httpPort: 0,
    webSocketPort: 0,
    onDefect: (error) => {
      throw error;
    },
    beforeShown: () => {},
  });
}

async function tearDown(): Promise<void> {
  await server?.close();
  await first?.close();
  await rm(folder, { recursive: true });
}

/** Calls `copy` with as many addresses at a time as one start may copy. */
async function copyAll(
  addresses: readonly Address[],
  copy: (some: readonly Address[]) => Promise<ClonedAccounts>,
): Promise<ClonedAccounts> {
  const accounts: ClonedAccounts['accounts'][number][] = [];
  const programs: ClonedAccounts['programs'][number][] = [];
  for (let from = 0; from < addresses.length; from += MAX_CLONES) {
    const loaded = await copy(addresses.slice(from, from + MAX_CLONES));
    accounts.push(...loaded.accounts);
    programs.push(...loaded.programs);
  }
  return { accounts, programs };
}
