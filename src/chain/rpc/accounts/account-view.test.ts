import { describe, expect, it } from 'vitest';
import { address, toAddress, toAddressBytes } from '../../../solana/address.ts';
import { encodeBase58 } from '../../../solana/encoding/base58.ts';
import { RpcAccountView } from './account-view.ts';

describe('RpcAccountView.findAccounts', () => {
  it.each([
    [
      'the length, where there is one',
      { offset: 8, dataSize: 48, startsWith: createTag() },
      [{ dataSize: 48 }],
    ],
    [
      'the beginning, where the length may be any',
      { offset: 8, startsWith: createTag() },
      [{ memcmp: { offset: 0, bytes: encodeBase58(createTag()) } }],
    ],
  ])('searches for many addresses by %s', async (_, field, filters) => {
    const { view, asked } = openView([record(0, 48), record(1, 60), record(9, 60), record(1, 20)]);
    const found = await view.findAccounts(PROGRAM, field, wanted(5));
    expect(asked).toEqual([filters]);
    const lengths = found.map(({ account }) => account?.data.length);
    expect(lengths).toEqual(filters.some((each) => 'dataSize' in each) ? [48] : [48, 60]);
  });

  it('searches for a few addresses one by one', async () => {
    const { view, asked } = openView([]);
    await view.findAccounts(PROGRAM, { offset: 8 }, wanted(2));
    expect(asked).toEqual(
      wanted(2).map((each) => [{ memcmp: { offset: 8, bytes: encodeBase58(toAddressBytes(each)) } }]),
    );
  });
});

const PROGRAM = address('CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C');
/** What the accounts begin with. */
function createTag(): Uint8Array {
  return Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
}

const wanted = (count: number) =>
  Array.from({ length: count }, (_, at) => toAddress(new Uint8Array(32).fill(at)));

/** An account of the program that begins with the tag and holds the address of a number. */
function record(number: number, length: number) {
  const data = new Uint8Array(Math.max(length, 40));
  data.set(createTag());
  data.fill(number, 8, 40);
  return {
    pubkey: toAddress(new Uint8Array(32).fill(100 + length)),
    account: {
      lamports: '5',
      owner: PROGRAM,
      executable: false,
      rentEpoch: '0',
      space: String(length),
      data: [Buffer.from(data.subarray(0, length)).toString('base64'), 'base64'],
    },
  };
}

/** A view over an RPC that answers every search with the same accounts. */
function openView(found: readonly object[]) {
  const asked: unknown[] = [];
  const view = new RpcAccountView({
    client: {
      call: async (_method, params, read) => {
        asked.push((params[1] as { readonly filters: unknown }).filters);
        return read({ context: { slot: '7' }, value: found });
      },
    },
    maxCalls: 64,
    commitment: 'confirmed',
    slot: 0n,
    requirePlausible: () => undefined,
    programAccounts: null,
    candidates: () => null,
  });
  return { view, asked };
}
