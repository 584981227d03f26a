import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../store/index.ts';
import { openTestStore, STORES, type TestStore } from '../../store/store-for-tests.ts';
import { numbered } from '../tokens-for-tests.ts';
import { DetailInvalid, parseDetails } from './details.ts';
import { VerificationRequests } from './requests.ts';
import { StoredTokenDecisions } from './stored-decisions.ts';

const [MINT, SENDER] = [numbered(1), numbered(2)];
const NETWORK = 'network';
const fail = (error: unknown) => {
  throw error;
};

function request(signature: string, changes: { verification?: boolean; metadata?: boolean } = {}) {
  const { verification = true, metadata = true } = changes;
  const submission = { twitterHandle: 'cat', senderTwitterHandle: '', description: 'A cat', notes: {} };
  return {
    signature,
    mint: MINT,
    sender: SENDER,
    currency: 'JUP',
    amount: 1_000_000_000n,
    submission: { ...submission, details: metadata ? { name: 'The cat' } : null },
    wantsVerification: verification,
    lastValidBlockHeight: 150n,
  };
}

describe.each(STORES)('verification on %s', (kind) => {
  let opened: TestStore;
  let store: Store;
  let requests: VerificationRequests;
  beforeEach(async () => {
    opened = await openTestStore(kind);
    store = opened.store;
    requests = new VerificationRequests(store, NETWORK);
  });
  afterEach(() => opened.cleanUp());

  it('a payment makes one request, and a mint has one open request of each kind', async () => {
    expect(await requests.begin(request('a', { metadata: false }))).toBe(true);
    expect(await requests.begin(request('a', { metadata: false }))).toBe(false);
    expect(await requests.begin(request('b'))).toBe(false);
    expect(await requests.openFor(MINT)).toEqual({ verification: true, metadata: false });
    expect(await requests.begin(request('c', { verification: false }))).toBe(true);
    expect(await requests.openFor(MINT)).toEqual({ verification: true, metadata: true });
    expect(await requests.openFor(SENDER)).toEqual({ verification: false, metadata: false });
  });

  it('of many that begin at once, one wins', async () => {
    const begun = await Promise.all(Array.from({ length: 8 }, (_, at) => requests.begin(request(`s${at}`))));
    expect(begun.filter((won) => won)).toHaveLength(1);
  });

  it('a payment that did not land frees the mint, and its signature stays used', async () => {
    await requests.begin(request('a'));
    await requests.settle('a', false);
    await requests.settle('a', true);
    expect(await requests.find('a')).toMatchObject({ state: 'failed', wantsVerification: true });
    expect(await requests.openFor(MINT)).toEqual({ verification: false, metadata: false });
    expect(await requests.begin(request('a'))).toBe(false);
    expect(await requests.begin(request('b'))).toBe(true);
  });

  it('is decided once, after the payment landed', async () => {
    await requests.begin(request('a'));
    expect(await requests.decide(store.db, 'a', true)).toBeNull();
    await requests.settle('a', true);
    expect((await requests.list('pending')).map(({ signature }) => signature)).toEqual(['a']);
    expect(await requests.decide(store.db, 'a', true)).toMatchObject({ state: 'approved', mint: MINT });
    expect(await requests.decide(store.db, 'a', false)).toBeNull();
    expect(await requests.openFor(MINT)).toEqual({ verification: false, metadata: false });
  });

  it('says which payments are not settled', async () => {
    await requests.begin(request('a'));
    expect(await requests.unsettled(60_000)).toEqual([]);
    expect(await requests.unsettled(-1_000)).toMatchObject([{ signature: 'a', state: 'paying' }]);
  });

  it('decisions reach other instances, and those about another network do not', async () => {
    const [one, other] = await Promise.all(
      [0, 1].map(() => StoredTokenDecisions.open({ store, network: NETWORK, onDefect: fail })),
    );
    const elsewhere = await StoredTokenDecisions.open({ store, network: 'other', onDefect: fail });
    const heard: string[] = [];
    other?.onChange((mint) => heard.push(mint));
    await one?.write(store.db, MINT, () => ({ level: 'verified', tags: ['lst'], details: { name: 'Cat' } }));
    for (const each of [one, other, elsewhere]) await each?.refresh();
    expect(other?.of(MINT)).toEqual({ level: 'verified', tags: ['lst'], details: { name: 'Cat' } });
    expect(elsewhere.of(MINT)).toBeNull();
    await other?.refresh();
    expect(heard).toEqual([MINT]);
    await one?.write(store.db, MINT, () => null);
    await other?.refresh();
    expect([...(other?.mints() ?? [])]).toEqual([]);
    expect(heard).toEqual([MINT, MINT]);
    for (const each of [one, other, elsewhere]) each?.close();
  });
});

describe('parseDetails', () => {
  it('keeps what was given, with links in their parsed form', () => {
    const website = "https://example.org/a b?q=<script>'x'";
    expect(
      parseDetails({ name: ' Cat ', symbol: '', website, twitter: null, circulatingSupply: '12.5' }),
    ).toEqual({
      name: 'Cat',
      website: 'https://example.org/a%20b?q=%3Cscript%3E%27x%27',
      circulatingSupply: 12.5,
    });
  });

  it.each([
    ['website', 'javascript:alert(1)', 'website must be a link that begins with https://'],
    ['website', 'http://example.org', 'website must be a link that begins with https://'],
    ['icon', 'data:image/svg+xml,<svg/>', 'icon must be a link that begins with https://'],
    ['telegram', 'https://user:secret@example.org', 'has no user name'],
    ['discord', `https://example.org/${'x'.repeat(300)}`, 'discord must have at most 256 characters'],
    ['twitter', `https://example.org/${'é'.repeat(100)}`, 'twitter must have at most 256 characters'],
    ['name', 'x'.repeat(65), 'name must have at most 64 characters, got 65'],
    ['name', 'USD\u202eC', 'name must not hold characters that are not shown'],
    ['symbol', 'US\u200bDC', 'symbol must not hold characters that are not shown'],
    ['circulatingSupply', '1e9', 'circulatingSupply must be a number of whole tokens in digits'],
    ['circulatingSupply', '99999999999999999999', 'circulatingSupply must be a number of whole tokens'],
  ] as const)('refuses %s %j', (name, text, message) => {
    expect(() => parseDetails({ [name]: text })).toThrow(DetailInvalid);
    expect(() => parseDetails({ [name]: text })).toThrow(message);
  });
});
