import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Account } from '../chain/accounts.ts';
import { isPoolData } from '../protocols/raydium-cpmm/program/layout.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../protocols/raydium-cpmm/program/program.ts';
import { buildGenesis } from '../sandbox/genesis/build-genesis.ts';
import { overlayAccounts, readStandIns } from '../sandbox/genesis/network-accounts.ts';
import type { Address } from '../solana/address.ts';
import { createKeypairFromSeed } from '../solana/keypair.ts';
import { getGenesisToken } from '../solana/known-tokens.ts';
import { SYSTEM_PROGRAM } from '../solana/program-addresses.ts';
import { SMART_ACCOUNT_PROGRAM } from '../solana/programs/smart-account/program.ts';
import { TOKEN_METADATA_PROGRAM } from '../solana/programs/token-metadata/program.ts';
import { assertProperty } from '../testing/random.ts';
import type { ShownField } from '../transactions/decoding/accounts/shown-account.ts';
import { createAppAccountDecoder } from './account-decoder.ts';

describe('createAppAccountDecoder', () => {
  it('decodes every account that the embedded network has at its genesis', async () => {
    const unknown = new Set<string>();
    const seen = new Set<string>();
    for (const [address, { owner, data }] of accounts) {
      const type = `${owner} ${Buffer.from(data.subarray(0, 8)).toString('hex')} ${data.length}`;
      if (seen.has(type) && owner !== SYSTEM_PROGRAM) continue;
      seen.add(type);
      const shown = await decoder.decode(address);
      if (shown.kind === null || shown.program === null) unknown.add(`${owner} ${address} ${shown.kind}`);
    }
    expect([...unknown]).toEqual([]);
  });

  it('shows the amounts of a pool in units of its tokens, and labels what it names', async () => {
    const shown = await decoder.decode(RAYDIUM_POOL);
    expect(shown).toMatchObject({ exists: true, kind: 'Liquidity pool', program: 'Raydium CPMM', slot: '7' });
    expect(findField(shown.fields, 'protocolFees')?.children).toEqual([
      expect.objectContaining({ kind: 'amount', value: '0', symbol: expect.any(String) }),
      expect.objectContaining({ kind: 'amount', value: '0', symbol: expect.any(String) }),
    ]);
    expect(findField(shown.fields, 'lpSupply')).toMatchObject({ kind: 'amount', decimals: 9 });
    expect(findField(shown.fields, 'config')).toMatchObject({ kind: 'address', label: 'Fee configuration' });
    expect(shown.related.length).toBeGreaterThan(5);
  });

  it('shows a token with its supply, its metadata and its extensions', async () => {
    const usdc = await decoder.decode(USDC);
    expect(usdc).toMatchObject({ kind: 'Mint', label: 'USDC mint', links: { token: true, pool: false } });
    expect(findField(usdc.fields, 'supply')).toMatchObject({ kind: 'amount', symbol: 'USDC', decimals: 6 });
    const named = [...accounts].find(([, { owner }]) => owner === TOKEN_METADATA_PROGRAM);
    const metadata = await decoder.decode(named?.[0] ?? USDC);
    expect(metadata).toMatchObject({ kind: 'Token metadata' });
    const mint = findField(metadata.fields, 'mint')?.value as Address;
    expect((await decoder.decode(mint)).related).toContainEqual({
      role: 'metadata',
      label: 'Token metadata',
      address: metadata.address,
    });
  });

  it('shows the authority of a program, and the names of its instructions', async () => {
    const shown = await decoder.decode(RAYDIUM_CPMM_PROGRAM);
    expect(shown).toMatchObject({ executable: true, kind: 'Program', program: 'Raydium CPMM' });
    expect(findField(shown.fields, 'authority')).toMatchObject({ value: 'none' });
    expect(shown.summary).toBe('A program. Nobody can replace its code.');
    expect(shown.instructions).toContain('swap_base_input');
  });

  it('says what may be at an address without an account', async () => {
    const key = createKeypairFromSeed(new Uint8Array(32).fill(9)).address;
    expect(await decoder.decode(key)).toMatchObject({ exists: false, kind: null, data: null, fields: [] });
  });

  it('bounds what it shows, and throws for no data that a program could hold', async () => {
    const samples = listSamples();
    const hostile = fc.record({
      sample: fc.constantFrom(...samples),
      length: fc.integer({ min: 0, max: 2_000 }),
      kept: fc.integer({ min: 0, max: 400 }),
      noise: fc.uint8Array({ minLength: 64, maxLength: 64 }),
    });
    await assertProperty(
      fc.asyncProperty(hostile, async ({ sample, length, kept, noise }) => {
        const data = Uint8Array.from({ length }, (_, at) =>
          at < kept ? (sample.data[at] ?? 0) : (noise[at % noise.length] ?? 0),
        );
        const shown = await decodeData(sample.owner, data);
        expect(countFields(shown.fields)).toBeLessThan(1_000);
        expect(JSON.stringify(shown).length).toBeLessThan(400_000);
      }),
      { cases: 20_000, short: 300, seed: 45 },
    );
  });

  it('makes one attempt at each read, because a person waits for the page', async () => {
    const asked: unknown[] = [];
    const once = createAppAccountDecoder({
      chain: {
        getAccounts: async (addresses, _commitment, attempts) => {
          asked.push(attempts);
          return addresses.map((address) => ({ address, slot: 7n, account: accounts.get(address) ?? null }));
        },
      },
      pools: { find: () => null },
    });
    await once.decode(RAYDIUM_POOL);
    expect(asked.length).toBeGreaterThan(1);
    expect(new Set(asked)).toEqual(new Set(['once']));
  });

  it('shows a list of any length within the bounds', async () => {
    const signers = 3_000;
    const tag = Buffer.from('dfb3a3beb1e043ad', 'hex');
    const data = Buffer.concat([tag, Buffer.alloc(84 + 33 * signers)]);
    data.writeUInt32LE(signers, SIGNERS_AT);
    for (let at = 0; at < signers; at += 1) data.writeUInt32LE(at, SIGNERS_AT + 4 + 33 * at);
    const shown = await decodeData(SMART_ACCOUNT_PROGRAM, data);
    expect(shown.kind).toBe('Smart account');
    expect(countFields(shown.fields)).toBeLessThan(1_000);
  });
});

/** Where the settings of a smart account have the number of signers, if there is no archival authority. */
const SIGNERS_AT = 88;
const USDC = getGenesisToken('USDC').mint;

const network = buildGenesis('sluice');
const standIns = await readStandIns(network.programs, new URL('../../programs/dist/', import.meta.url));
const accounts = new Map<Address, Account>(
  [...network.accounts, ...overlayAccounts(standIns, { accounts: [], programs: [] })].map(
    ({ address, account }) => [address, account],
  ),
);

const RAYDIUM_POOL = findRaydiumPool();
const decoder = openDecoder(accounts);

function openDecoder(held: ReadonlyMap<Address, Account>) {
  return createAppAccountDecoder({
    chain: {
      getAccounts: async (addresses) =>
        addresses.map((address) => ({ address, slot: 7n, account: held.get(address) ?? null })),
    },
    pools: { find: () => null },
  });
}

function findRaydiumPool(): Address {
  for (const [address, { owner, data }] of accounts) {
    if (owner === RAYDIUM_CPMM_PROGRAM && isPoolData(data)) return address;
  }
  throw new Error('no pool');
}

/** One account of each type that the network has. */
function listSamples(): readonly Account[] {
  const samples = new Map<string, Account>();
  for (const account of accounts.values()) {
    samples.set(`${account.owner} ${Buffer.from(account.data.subarray(0, 8)).toString('hex')}`, account);
  }
  return [...samples.values()];
}

function decodeData(owner: Address, data: Uint8Array) {
  const account = { owner, data, lamports: 1n, executable: false, rentEpoch: 0n };
  return openDecoder(new Map([[USDC, account]])).decode(USDC);
}

function findField(fields: readonly ShownField[], name: string): ShownField | undefined {
  return fields.find((field) => field.name === name);
}

function countFields(fields: readonly ShownField[]): number {
  return fields.reduce((sum, { children = [] }) => sum + 1 + countFields(children), 0);
}
