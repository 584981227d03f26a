import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../src/testing/random.ts';
import { buildGenesis } from '../src/sandbox/genesis/build-genesis.ts';
import { Unavailable } from '../src/common/unavailable.ts';
import type { AddressedAccount } from '../src/chain/records/records.ts';
import { LayoutInvalid } from '../src/solana/codec/byte-reader.ts';
import { SYSVAR_CLOCK } from '../src/solana/program-addresses.ts';
import type { Fetched, PositionFetcher } from '../src/protocol/positions/fetcher.ts';
import { TestView } from '../src/testing/protocols/wallet-view.ts';
import { openWalletReader } from '../src/protocol/positions/wallet-reader.ts';
import { POSITION_FETCHERS } from '../src/protocols/fetchers.ts';

const genesis = buildGenesis('hostile accounts');
const owner = genesis.keys.demoWallets[0]?.address;
if (owner === undefined) throw new Error('the genesis has no demo wallet');

describe('the fetchers', () => {
  it('meet accounts that are cut, overwritten or gone without a defect, and without negative amounts', async () => {
    const read = await accountsRead();
    expect(read.length).toBeGreaterThan(60);
    const anyChange = fc.tuple(fc.nat(read.length - 1), spoil);
    await assertProperty(
      fc.asyncProperty(fc.array(anyChange, { minLength: 1, maxLength: 6 }), async (changes) => {
        const view = new TestView(read);
        for (const [index, how] of changes) {
          const target = read[index];
          if (target === undefined) continue;
          if (how.kind === 'gone') view.accounts.delete(target.address);
          else
            view.accounts.set(target.address, { ...target.account, data: spoiled(target.account.data, how) });
        }
        for (const fetcher of FETCHERS) {
          const fetched = await outcomeOf(fetcher, view);
          const text = JSON.stringify(fetched?.elements ?? [], (_, value) =>
            typeof value === 'bigint' ? `${value}n` : value,
          );
          expect(text).not.toMatch(/"(amount|remainingInput|heldOutput|withdrawnOutput)":"-/);
        }
      }),
      { cases: 60, seed: 15 },
    );
  });
});

const FETCHERS = POSITION_FETCHERS;

/** The accounts that the fetchers read of the demo wallet. */
async function accountsRead(): Promise<readonly AddressedAccount[]> {
  const view = new TestView(genesis.accounts);
  const seen = new Set<AddressedAccount['address']>();
  const noted = {
    slots: () => view.slots(),
    maxCalls: null,
    maxAccounts: null,
    indexes: () => view.indexes(),
    getAccounts: async (addresses: readonly AddressedAccount['address'][]) => {
      for (const address of addresses) seen.add(address);
      return view.getAccounts(addresses);
    },
    getProgramAccounts: async (...args: Parameters<TestView['getProgramAccounts']>) =>
      note(await view.getProgramAccounts(...args)),
    findAccounts: async (...args: Parameters<TestView['findAccounts']>) =>
      note(await view.findAccounts(...args)),
    getAssociatedAccounts: (...args: Parameters<TestView['getAssociatedAccounts']>) =>
      view.getAssociatedAccounts(...args),
    tokenAccounts: async function* (...args: Parameters<TestView['tokenAccounts']>) {
      for await (const piece of view.tokenAccounts(...args)) yield note(piece);
    },
  };
  function note<Update extends { readonly address: AddressedAccount['address'] }>(
    updates: readonly Update[],
  ) {
    for (const { address } of updates) seen.add(address);
    return updates;
  }
  const wallet = openWalletReader(
    noted,
    owner as AddressedAccount['address'],
    FETCHERS,
    () => {},
    SYSTEM_TIMERS,
  );
  await Promise.all(FETCHERS.map((fetcher) => fetcher.fetch(wallet)));
  return genesis.accounts.filter(({ address }) => seen.has(address) && address !== SYSVAR_CLOCK);
}

const spoil = fc.oneof(
  fc.record({ kind: fc.constant('cut' as const), part: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({
    kind: fc.constant('bytes' as const),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 48 }),
  }),
  fc.record({ kind: fc.constant('gone' as const) }),
);

function spoiled(data: Uint8Array, how: { kind: string; part?: number; bytes?: Uint8Array }): Uint8Array {
  const at = Math.floor((how.part ?? 0) * data.length);
  if (how.kind === 'cut') return data.slice(0, at);
  const changed = data.slice();
  for (const [index, byte] of (how.bytes ?? []).entries())
    if (at + index < changed.length) changed[at + index] = byte;
  return changed;
}

/** What a fetcher may do: find something, or fail in a way that its report can name. */
async function outcomeOf(fetcher: PositionFetcher, view: TestView): Promise<Fetched | null> {
  const onClaimFailed = (_: string, error: unknown) => {
    if (!(error instanceof LayoutInvalid || error instanceof Unavailable)) throw error;
  };
  const address = owner as AddressedAccount['address'];
  const wallet = openWalletReader(view, address, FETCHERS, onClaimFailed, SYSTEM_TIMERS);
  try {
    return await fetcher.fetch(wallet);
  } catch (error) {
    if (error instanceof LayoutInvalid || error instanceof Unavailable) return null;
    throw error;
  }
}
