import { decompress } from '@bokuweb/zstd-wasm';
import { describe, expect, it } from 'vitest';
import { toAddressBytes, type Address } from '../../../../solana/address.ts';
import { encodeBase58 } from '../../../../solana/encoding/base58.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_CLOCK,
  SYSVAR_OWNER,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../../solana/program-addresses.ts';
import { transferLamports } from '../../../../solana/programs/system.ts';
import {
  ALICE,
  ALICE_FEE_TOKENS,
  ALICE_TOKENS,
  BOB,
  BOB_TOKENS,
  confirm,
  FEE_MINT,
  finalize,
  LOOKUP_TABLE,
  MINT,
  SOL,
  signBase64Transaction,
  startTestRpc,
  createTestKeypair,
} from '../../../../testing/chain/rpc-network.ts';
import { openForAll } from '../../../../testing/opened.ts';

const rpc = openForAll(startTestRpc, 'close');

describe('getAccountInfo', () => {
  it('returns all members, with an exact rent epoch', async () => {
    expect(await rpc.call('getAccountInfo', ALICE.address, { encoding: 'base64' })).toEqual({
      context: {
        slot: Number(rpc.bank.slot('finalized')),
        apiVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      },
      value: {
        data: ['', 'base64'],
        executable: false,
        lamports: Number(100n * SOL),
        owner: SYSTEM_PROGRAM,
        rentEpoch: 2n ** 64n - 1n,
        space: 0,
      },
    });
  });

  it('returns null for an account that does not exist', async () => {
    expect(await rpc.call('getAccountInfo', createTestKeypair('nobody').address)).toMatchObject({
      value: null,
    });
  });

  it('returns the same data in every encoding', async () => {
    const data = rpc.bank.getAccount(MINT, 'processed')?.data ?? new Uint8Array(0);
    const dataAs = async (encoding?: string) =>
      ((await rpc.call('getAccountInfo', MINT, { encoding })) as InContext<UiAccount>).value.data;
    expect(await dataAs()).toBe(encodeBase58(data));
    expect(await dataAs('base58')).toEqual([encodeBase58(data), 'base58']);
    expect(await dataAs('base64')).toEqual([Buffer.from(data).toString('base64'), 'base64']);
    const [zstd, name] = (await dataAs('base64+zstd')) as [string, string];
    expect(name).toBe('base64+zstd');
    expect(decompress(Buffer.from(zstd, 'base64'))).toEqual(new Uint8Array(data));
  });

  it('returns parsed data for known owners, and base64 otherwise', async () => {
    const parsed = async (address: string) =>
      ((await rpc.call('getAccountInfo', address, { encoding: 'jsonParsed' })) as InContext<UiAccount>).value
        .data;
    expect(await parsed(ALICE_TOKENS)).toEqual({
      program: 'spl-token',
      space: 165,
      parsed: {
        type: 'account',
        info: {
          mint: MINT,
          owner: ALICE.address,
          state: 'initialized',
          isNative: false,
          tokenAmount: { amount: '1000000000', decimals: 6, uiAmount: 1000, uiAmountString: '1000' },
        },
      },
    });
    expect(await parsed(FEE_MINT)).toMatchObject({
      program: 'spl-token-2022',
      parsed: { type: 'mint', info: { extensions: [{ extension: 'transferFeeConfig' }] } },
    });
    expect(await parsed(ALICE_FEE_TOKENS)).toMatchObject({
      parsed: { info: { extensions: [{ extension: 'transferFeeAmount', state: { withheldAmount: 0 } }] } },
    });
    expect(await parsed(LOOKUP_TABLE)).toMatchObject({
      program: 'address-lookup-table',
      parsed: { info: { addresses: [MINT, BOB.address] } },
    });
    expect(await parsed(SYSVAR_CLOCK)).toMatchObject({
      program: 'sysvar',
      parsed: { type: 'clock', info: { epoch: 0 } },
    });
    expect(await parsed(ALICE.address)).toEqual(['', 'base64']);
  });

  it('returns the requested data slice', async () => {
    const slice = async (offset: number, length: number) =>
      (
        (await rpc.call('getAccountInfo', ALICE_TOKENS, {
          encoding: 'base64',
          dataSlice: { offset, length },
        })) as InContext<UiAccount>
      ).value;
    const data = Buffer.from(rpc.bank.getAccount(ALICE_TOKENS, 'processed')?.data ?? []);
    expect(await slice(32, 32)).toMatchObject({
      space: 165,
      data: [data.toString('base64', 32, 64), 'base64'],
    });
    expect((await slice(160, 100)).data).toEqual([data.toString('base64', 160), 'base64']);
    expect((await slice(500, 5)).data).toEqual(['', 'base64']);
  });

  it('rejects base58 of more than 128 bytes, but not of a slice', async () => {
    expect(await rpc.refuse('getAccountInfo', ALICE_TOKENS)).toMatchObject({ code: -32600 });
    expect(await rpc.refuse('getAccountInfo', ALICE_TOKENS, { encoding: 'base58' })).toMatchObject({
      code: -32600,
    });
    const dataSlice = { offset: 0, length: 128 };
    await rpc.call('getAccountInfo', ALICE_TOKENS, { encoding: 'base58', dataSlice });
  });

  it.each([
    ['no parameters', []],
    ['an address that is none', ['not base58!']],
    ['an address of 31 bytes', [encodeBase58(new Uint8Array(31).fill(7))]],
    ['a number', [5]],
    ['an unknown encoding', [MINT, { encoding: 'hex' }]],
    ['an unknown commitment', [MINT, { commitment: 'max' }]],
    ['a configuration that is text', [MINT, 'base64']],
    ['a slice without a length', [MINT, { dataSlice: { offset: 0 } }]],
    ['a negative slice', [MINT, { dataSlice: { offset: -1, length: 1 } }]],
    ['a fractional slot', [MINT, { minContextSlot: 1.5 }]],
    ['three parameters', [MINT, {}, {}]],
  ])('refuses %s', async (_, params) => {
    expect(await rpc.refuse('getAccountInfo', ...params)).toMatchObject({ code: -32602 });
  });

  it('rejects a slot that is not reached yet', async () => {
    const slot = rpc.bank.slot('finalized');
    expect(await rpc.refuse('getAccountInfo', MINT, { minContextSlot: slot + 1n })).toMatchObject({
      code: -32016,
      data: { contextSlot: Number(slot) },
    });
    await rpc.call('getAccountInfo', MINT, { minContextSlot: slot, encoding: 'base64' });
  });
});

describe('commitments', () => {
  it('show a transfer at once, then confirmed, then final', async () => {
    const to = createTestKeypair('commitments').address;
    const balance = async (commitment?: string) =>
      ((await rpc.call('getBalance', to, { commitment })) as InContext<number>).value;
    const transfer = signBase64Transaction(rpc.bank, [ALICE], [transferLamports(ALICE.address, to, SOL)]);
    await rpc.call('sendTransaction', transfer, { encoding: 'base64', preflightCommitment: 'processed' });
    expect(await balance('processed')).toBe(Number(SOL));
    expect([await balance('confirmed'), await balance('finalized'), await balance()]).toEqual([0, 0, 0]);
    await confirm(rpc.bank);
    expect(await balance('confirmed')).toBe(Number(SOL));
    expect([await balance('finalized'), await balance()]).toEqual([0, 0]);
    await finalize(rpc.bank);
    expect([await balance('finalized'), await balance()]).toEqual([Number(SOL), Number(SOL)]);
  });
});

describe('getMultipleAccounts', () => {
  it('returns accounts in the requested order, with null for missing ones', async () => {
    const nobody = createTestKeypair('nobody').address;
    const { value } = (await rpc.call('getMultipleAccounts', [MINT, nobody, ALICE_TOKENS])) as InContext<
      (UiAccount | null)[]
    >;
    expect(value.map((account) => account?.space ?? null)).toEqual([82, null, 165]);
    expect(await rpc.call('getMultipleAccounts', [])).toMatchObject({ value: [] });
  });

  it('accepts at most 100 addresses', async () => {
    const hundred = new Array(100).fill(MINT);
    const { value } = (await rpc.call('getMultipleAccounts', hundred)) as InContext<unknown[]>;
    expect(value).toHaveLength(100);
    expect(await rpc.refuse('getMultipleAccounts', [...hundred, MINT])).toMatchObject({ code: -32602 });
    expect(await rpc.refuse('getMultipleAccounts', [MINT, 'x'])).toMatchObject({ code: -32602 });
  });
});

describe('getProgramAccounts', () => {
  it('lists what the program owns, sorted by address', async () => {
    const expected = [MINT, ALICE_TOKENS, BOB_TOKENS];
    const found = addresses(await accounts({}));
    expect(found).toEqual(expect.arrayContaining(expected));
    const ours = found.filter((address) => expected.includes(address as typeof MINT));
    const byBytes = (left: string, right: string) => Buffer.compare(bytesOf(left), bytesOf(right));
    expect(ours).toEqual(expected.toSorted(byBytes));
    expect(new Set(addresses(await accounts({ sortResults: false })))).toEqual(new Set(found));
  });

  it('applies filters', async () => {
    const owner = { memcmp: { offset: 32, bytes: ALICE.address } };
    expect(addresses(await accounts({ filters: [{ dataSize: 165 }, owner] }))).toEqual([ALICE_TOKENS]);
    const mint = { memcmp: { offset: 0, encoding: 'base64', bytes: bytesOf(MINT).toString('base64') } };
    expect(new Set(addresses(await accounts({ filters: ['tokenAccountState', mint] })))).toEqual(
      new Set([ALICE_TOKENS, BOB_TOKENS]),
    );
    expect(await accounts({ filters: [{ dataSize: 7 }] })).toEqual([]);
  });

  it('returns slices and the context on request', async () => {
    const filters = [{ memcmp: { offset: 32, bytes: BOB.address } }];
    const dataSlice = { offset: 64, length: 8 };
    expect(
      await rpc.call('getProgramAccounts', TOKEN_PROGRAM, {
        encoding: 'base64',
        filters,
        dataSlice,
        withContext: true,
      }),
    ).toMatchObject({
      context: { slot: Number(rpc.bank.slot('finalized')) },
      value: [{ pubkey: BOB_TOKENS, account: { data: ['QEtMAAAAAAA=', 'base64'] } }],
    });
  });

  it('returns parsed accounts of token programs and of others', async () => {
    const parsed = (await rpc.call('getProgramAccounts', TOKEN_2022_PROGRAM, {
      encoding: 'jsonParsed',
    })) as Keyed[];
    expect(addresses(parsed)).toEqual(expect.arrayContaining([FEE_MINT, ALICE_FEE_TOKENS]));
    for (const { account } of parsed) expect(account.data).toMatchObject({ program: 'spl-token-2022' });
    const tables = await rpc.call('getProgramAccounts', ADDRESS_LOOKUP_TABLE_PROGRAM, {
      encoding: 'jsonParsed',
    });
    expect(tables).toMatchObject([
      { pubkey: LOOKUP_TABLE, account: { data: { program: 'address-lookup-table' } } },
    ]);
  });

  it('rejects base58 of long data, and invalid filters', async () => {
    expect(await rpc.refuse('getProgramAccounts', TOKEN_PROGRAM)).toMatchObject({ code: -32600 });
    const many = new Array(5).fill({ dataSize: 1 });
    expect(await rpc.refuse('getProgramAccounts', TOKEN_PROGRAM, { filters: many })).toMatchObject({
      code: -32602,
    });
    expect(await rpc.refuse('getProgramAccounts', SYSVAR_OWNER, { filters: {} })).toMatchObject({
      code: -32602,
    });
  });

  interface Keyed {
    readonly pubkey: string;
    readonly account: UiAccount;
  }
  const accounts = async (config: object) =>
    (await rpc.call('getProgramAccounts', TOKEN_PROGRAM, { encoding: 'base64', ...config })) as Keyed[];
  const addresses = (keyed: readonly Keyed[]) => keyed.map(({ pubkey }) => pubkey);
});

describe('getMinimumBalanceForRentExemption', () => {
  it('accepts sizes that an account can have', async () => {
    expect(await rpc.call('getMinimumBalanceForRentExemption', 0)).toBe(890_880);
    expect(await rpc.call('getMinimumBalanceForRentExemption', 165, { commitment: 'processed' })).toBe(
      2_039_280,
    );
    expect(await rpc.refuse('getMinimumBalanceForRentExemption', 10 * 1024 * 1024 + 1)).toMatchObject({
      code: -32600,
    });
    expect(await rpc.refuse('getMinimumBalanceForRentExemption', -1)).toMatchObject({ code: -32602 });
    expect(await rpc.refuse('getMinimumBalanceForRentExemption', 2n ** 64n)).toMatchObject({ code: -32602 });
  });
});

const bytesOf = (address: string) => Buffer.from(toAddressBytes(address as Address));

/** A value in a context, and the form of an account. */
interface InContext<T> {
  readonly context: { readonly slot: number; readonly apiVersion: string };
  readonly value: T;
}
interface UiAccount {
  readonly data: unknown;
  readonly lamports: number;
  readonly owner: string;
  readonly space: number;
}
