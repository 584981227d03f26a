import { beforeEach, describe, expect, it } from 'vitest';
import type { Address } from '../../solana/address.ts';
import type { Store } from '../../store/index.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { numbered } from '../../testing/test-tokens.ts';
import { RequestRefused } from '../../common/request-refused.ts';
import { parseDetails } from './details.ts';
import { VerificationRequests } from './requests.ts';
import { StoredTokenDecisions } from './stored-decisions.ts';
import { openForEach } from '../../testing/opened.ts';

describe.each(STORES)('verification on %s', (kind) => {
  let store: Store;
  let requests: VerificationRequests;
  const opened = openForEach(() => openTestStore(kind), 'cleanUp');
  beforeEach(setUp);

  it('a payment makes one request, and a sender has one that is being sent', async () => {
    expect(await begin('a')).toBe('begun');
    expect(await begin('a', { sender: OTHER })).toBe('not its turn');
    expect(await begin('b')).toBe('not its turn');
    expect(await begin('b', { sender: OTHER })).toBe('begun');
    await requests.settle('a', true);
    await requests.decide(store.db, 'a', false);
    expect(await begin('c')).toBe('begun');
    await requests.settle('c', false);
    expect(await begin('d')).toBe('begun');
  });

  it('of many payments of a sender that begin at once, one wins', async () => {
    const begun = await Promise.all(Array.from({ length: 8 }, (_, at) => begin(`s${at}`)));
    expect(begun.filter((beginning) => beginning === 'begun')).toHaveLength(1);
  });

  it('a payment that has expired, or has landed before, keeps its sender from no other', async () => {
    expect(await begin('a')).toBe('begun');
    expect(await begin('b', {}, { isPaid: false, finalizedHeight: 150n })).toBe('not its turn');
    expect(await begin('b', {}, { isPaid: true, finalizedHeight: 150n })).toBe('begun');
    expect(await begin('c', {}, { isPaid: false, finalizedHeight: 151n })).toBe('begun');
    expect(await requests.find('a')).toMatchObject({ state: 'paying' });
    await requests.settle('a', true);
    expect(await begin('d')).toBe('not its turn');
  });

  it('a mint is reserved from when its payment was seen to succeed until it is decided about', async () => {
    await begin('a', { metadata: false });
    expect(await requests.openFor(MINT)).toEqual(NONE);
    await requests.reserve('a');
    expect(await requests.openFor(MINT)).toEqual({ verification: true, metadata: false });
    expect(await requests.openFor(SENDER)).toEqual(NONE);
    expect(await begin('b', { sender: OTHER })).toBe('taken');
    expect(await requests.find('b')).toBeNull();
    expect(await begin('b', { verification: false, sender: OTHER })).toBe('begun');
    await requests.settle('b', true);
    expect(await requests.openFor(MINT)).toEqual({ verification: true, metadata: true });
    await requests.settle('a', false);
    await requests.reserve('a');
    expect(await requests.openFor(MINT)).toEqual({ verification: false, metadata: true });
  });

  it('two payments for a mint that were sent at the same time make two requests, of which each keeps it', async () => {
    await begin('a');
    await begin('b', { sender: OTHER });
    await Promise.all(['a', 'b'].map((signature) => requests.settle(signature, true)));
    expect((await requests.list('pending')).map(({ signature }) => signature).sort()).toEqual(['a', 'b']);
    await requests.decide(store.db, 'a', false);
    expect(await requests.openFor(MINT)).toEqual({ verification: true, metadata: true });
    await requests.decide(store.db, 'b', true);
    expect(await requests.openFor(MINT)).toEqual(NONE);
  });

  it('a payment that did not land frees the mint, and its signature stays used', async () => {
    await begin('a');
    await requests.reserve('a');
    await requests.settle('a', false);
    await requests.settle('a', true);
    expect(await requests.find('a')).toMatchObject({ state: 'failed', wantsVerification: true });
    expect(await requests.openFor(MINT)).toEqual(NONE);
    expect(await begin('a')).toBe('not its turn');
    expect(await begin('b')).toBe('begun');
  });

  it('is decided once, after the payment landed', async () => {
    await begin('a');
    await requests.reserve('a');
    expect(await requests.decide(store.db, 'a', true)).toBeNull();
    await requests.settle('a', true);
    expect((await requests.list('pending')).map(({ signature }) => signature)).toEqual(['a']);
    expect(await requests.decide(store.db, 'a', true)).toMatchObject({ state: 'approved', mint: MINT });
    expect(await requests.decide(store.db, 'a', false)).toBeNull();
    for (const landed of [true, false]) await requests.settle('a', landed);
    await requests.reserve('a');
    expect(await requests.openFor(MINT)).toEqual(NONE);
    expect(await requests.find('a')).toMatchObject({ state: 'approved' });
  });

  it('says which payments are not settled', async () => {
    await begin('a');
    expect(await requests.unsettled(60_000)).toEqual([]);
    await requests.reserve('a');
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

  function setUp(): void {
    store = opened.store;
    requests = new VerificationRequests(store, NETWORK);
  }

  const begin = (signature: string, changes: Changes = {}, payment = UNSENT) =>
    requests.begin(request(signature, changes), payment);
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
    expect(() => parseDetails({ [name]: text })).toThrow(RequestRefused);
    expect(() => parseDetails({ [name]: text })).toThrow(message);
  });
});

const [MINT, SENDER, OTHER] = [numbered(1), numbered(2), numbered(3)];
const NETWORK = 'network';
const fail = (error: unknown) => {
  throw error;
};

interface Changes {
  readonly verification?: boolean;
  readonly metadata?: boolean;
  readonly sender?: Address;
}

const UNSENT = { isPaid: false, finalizedHeight: 0n };
const NONE = { verification: false, metadata: false };

function request(signature: string, changes: Changes = {}) {
  const { verification = true, metadata = true, sender = SENDER } = changes;
  const submission = { twitterHandle: 'cat', senderTwitterHandle: '', description: 'A cat', notes: {} };
  return {
    signature,
    mint: MINT,
    sender,
    currency: 'JUP',
    amount: 1_000_000_000n,
    submission: { ...submission, details: metadata ? { name: 'The cat' } : null },
    wantsVerification: verification,
    lastValidBlockHeight: 150n,
  };
}
