import { describe, expect, it } from 'vitest';
import { ManualTimers } from '../../../testing/timers.ts';
import type { PositionFetcher } from '../../../protocol/positions/fetcher.ts';
import { TestView } from '../../../testing/protocols/wallet-view.ts';
import { type Address, toAddressBytes, toAddress } from '../../../solana/address.ts';
import { evaluate, type EvaluationDependencies } from './evaluate.ts';

describe('evaluate, of a fetcher with a rare search', () => {
  it('leaves it out where it takes a search, and reports how to ask for it', async () => {
    const opened = view(false);
    const { outcomes, elements } = await ask(opened, null);
    expect(opened.searched).toEqual([]);
    expect(elements).toEqual([]);
    expect(outcomes.map(({ fetcher, isLeftOut }) => [fetcher.id, isLeftOut])).toEqual([
      ['test-rare', true],
      ['other-common', undefined],
    ]);
    expect(outcomes[0]?.error).toContain('platforms=test');
  });

  it.each([
    ['an index finds them', true, null, false],
    ['the request names its platform', false, ['test'], false],
    ['the operator wants such searches', false, null, true],
  ])('runs it where %s', async (_, isIndexed, platforms, searchesRare) => {
    const opened = view(isIndexed);
    const { outcomes, elements } = await ask(opened, platforms, searchesRare);
    expect(opened.searched).toEqual([PROGRAM]);
    expect(elements.map(({ value }) => value)).toEqual([5]);
    expect(outcomes.map(({ error }) => error)).toEqual(outcomes.map(() => null));
  });

  it('does not run it for other platforms, and gives no report of it', async () => {
    const opened = view(false);
    const { outcomes } = await ask(opened, ['other']);
    expect(opened.searched).toEqual([]);
    expect(outcomes.map(({ fetcher }) => fetcher.id)).toEqual(['other-common']);
  });
});

const [OWNER, PROGRAM] = [1, 2].map((byte) => toAddress(new Uint8Array(32).fill(byte))) as [Address, Address];
const FIELD = { offset: 0, dataSize: 32 };

const rare: PositionFetcher = {
  id: 'test-rare',
  platformId: 'test',
  rareSearch: { program: PROGRAM, field: FIELD },
  fetch: async (wallet) => {
    const found = await wallet.findAccounts(PROGRAM, FIELD, [wallet.owner]);
    const assets = found.map(({ address }) => ({ type: 'generic', address, value: 5 }) as const);
    return { elements: [{ type: 'multiple', label: 'Airdrop', assets }] };
  },
};
const common: PositionFetcher = {
  id: 'other-common',
  platformId: 'other',
  fetch: async () => ({ elements: [] }),
};

const dependencies: EvaluationDependencies = {
  timers: new ManualTimers(),
  deadlineMs: 1_000,
  onDefect: (_, error) => {
    throw error;
  },
  dollarsPerAtom: () => null,
  collectionOf: () => null,
  yieldsOf: () => [],
  listed: () => null,
};

function view(isIndexed: boolean): TestView {
  const opened = new TestView();
  opened.indexes = () => isIndexed;
  opened.set(toAddress(new Uint8Array(32).fill(3)), PROGRAM, toAddressBytes(OWNER));
  return opened;
}

function ask(opened: TestView, platforms: readonly string[] | null, searchesRare = false) {
  const request = {
    owner: OWNER,
    fetchers: [rare, common],
    platforms: platforms === null ? null : new Set(platforms),
    hideSpam: false,
  };
  return evaluate(opened, request, { ...dependencies, searchesRare });
}
