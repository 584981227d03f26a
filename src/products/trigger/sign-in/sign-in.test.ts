import { beforeEach, describe, expect, it } from 'vitest';
import type { Party } from '../../../common/party.ts';
import { createKeypairFromSeed, type Keypair, signWith } from '../../../solana/keypair.ts';
import { parseTransaction, signTransaction } from '../../../solana/messages/transaction.ts';
import { openForAll } from '../../../testing/opened.ts';
import { createTestSignIn, TEST_CHALLENGE_TEXT } from '../../../testing/products/trigger-gateway.ts';
import { openTestStore, STORES } from '../../../testing/store/test-store.ts';
import { type ChallengeKind, writeChallengeText } from './challenge-content.ts';
import { MAX_OPEN, MAX_OPEN_OF_CALLER } from './challenges.ts';
import type { SignIn } from './sign-in.ts';
import { signInChallenges } from './sign-in-tables.ts';

describe.each(STORES)('SignIn on %s', (kind) => {
  const test = openForAll(() => openTestStore(kind), 'cleanUp');
  let time: number;
  let signIn: SignIn;
  beforeEach(setUp);

  it('gives a token to the wallet that signed the text, once', async () => {
    const text = await ask(WALLET, 'message');
    expect(
      text.startsWith(
        `Sign this message to authenticate with Jupiter that you are the owner of ${WALLET.address}. `,
      ),
    ).toBe(true);
    expect(text).toMatch(
      / This challenge expires at 2026-09-21T14:18:20\.000Z with the nonce of [0-9a-f]{32}$/,
    );
    const signature = signWith(WALLET, Buffer.from(text));
    const token = await tokenOf(verify(signature));
    expect(await signIn.findWallet(`Bearer ${token}`)).toBe(WALLET.address);
    expect(await signIn.findWallet(`bearer ${token}`)).toBe(WALLET.address);
    expect(await signIn.findWallet(token)).toBeNull();
    expect(await signIn.findWallet([`Bearer ${token}`, `Bearer ${token}`])).toBeNull();
    expect(await verify(signature)).toBe('unknown');
  });

  it('gives a token to the wallet that signed the transaction, whose message may not be changed', async () => {
    const wire = Buffer.from(await ask(WALLET, 'transaction'), 'base64');
    const { message, messageBytes, signatures } = parseTransaction(wire);
    expect(message).toMatchObject({ version: 'legacy', signers: 1, staticAccounts: [WALLET.address, MEMO] });
    expect(signatures).toEqual([Buffer.alloc(64)]);
    const [memo] = message.instructions;
    expect(Buffer.from(memo?.data ?? []).toString()).toMatch(
      /^Sign this message to authenticate with Jupiter that/,
    );
    const changed = Uint8Array.from(messageBytes);
    // Another hex digit than the nonce ends with.
    changed[changed.length - 1] = changed.at(-1) === 0x30 ? 0x31 : 0x30;
    expect(await verify(signatureIn(signTransaction(changed, [WALLET])), { messageBytes: changed })).toBe(
      'forged',
    );
    const signature = signatureIn(signTransaction(messageBytes, [WALLET]));
    expect(await verify(signature)).toBe('unknown');
    expect(await tokenOf(verify(signature, { messageBytes }))).toMatch(/^ey/);
    expect(await verify(signature, { messageBytes })).toBe('unknown');
  });

  it('refuses the signature of another wallet, and of another text', async () => {
    const text = await ask(WALLET, 'message');
    expect(await verify(signWith(OTHER, Buffer.from(text)))).toBe('forged');
    expect(await verify(signWith(WALLET, Buffer.from(`${text} `)))).toBe('forged');
    expect(await verify(new Uint8Array(64))).toBe('forged');
    expect(await verify(signWith(OTHER, Buffer.from(text)), { wallet: OTHER.address })).toBe('unknown');
    expect(await tokenOf(verify(signWith(WALLET, Buffer.from(text))))).toMatch(/^ey/);
  });

  it('refuses a challenge after five minutes, and removes it with the next one', async () => {
    const text = await ask(WALLET, 'message');
    time += 300_000;
    expect(await verify(signWith(WALLET, Buffer.from(text)))).toBe('unknown');
    await ask(OTHER, 'message');
    expect(await rows()).toMatchObject([{ wallet: OTHER.address }]);
  });

  it('accepts a challenge until then, and each of several', async () => {
    const texts = [await ask(WALLET, 'message'), await ask(WALLET, 'message'), await ask(WALLET, 'message')];
    expect(new Set(texts).size).toBe(3);
    time += 299_999;
    for (const text of texts)
      expect(await tokenOf(verify(signWith(WALLET, Buffer.from(text))))).toMatch(/^ey/);
  });

  it('gives one token for one challenge that two instances are shown at once', async () => {
    const text = await ask(WALLET, 'message');
    const signature = signWith(WALLET, Buffer.from(text));
    const instances = [signIn, createTestSignIn(clocked())];
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) => verify(signature, {}, instances[index % 2])),
    );
    expect(results.filter((result) => result !== 'unknown')).toHaveLength(1);
  });

  it('signs a wallet in for which strangers ask for challenges, before and after they began', async () => {
    const before = await ask(WALLET, 'message');
    for (let index = 0; index < 100; index++) {
      await ask(WALLET, 'message', { kind: 'client', id: `10.0.${index}.0` });
      time += 1_500;
    }
    expect((await rows()).length).toBeLessThanOrEqual(MAX_OPEN);
    const after = await ask(WALLET, 'message');
    time += 149_999;
    expect(await tokenOf(verify(signWith(WALLET, Buffer.from(before))))).toMatch(/^ey/);
    time += 140_000;
    expect(await tokenOf(verify(signWith(WALLET, Buffer.from(after))))).toMatch(/^ey/);
  });

  it('bounds the challenges of a wallet that many instances hand out at once', async () => {
    const texts = await Promise.all(Array.from({ length: 120 }, () => ask(WALLET, 'message')));
    expect((await rows()).length).toBeLessThanOrEqual(MAX_OPEN);
    expect(await tokenOf(verify(signWith(WALLET, Buffer.from(texts[119] ?? ''))))).toMatch(/^ey/);
  });

  it('removes the oldest challenges of a caller that asks for too many', async () => {
    await test.store.db.execute(`insert into sign_in_challenges
      (id, wallet, kind, place, content, caller, created_at, expires_at)
      with recursive numbers(i) as (select 0 union all select i + 1 from numbers where i < ${MAX_OPEN_OF_CALLER})
      select 'row ' || i, 'wallet ' || i, 'message', 0, '', 'organisation:acme', ${NOW - 10_000} + i, ${NOW + 1}
      from numbers`);
    await ask(WALLET, 'message', CALLER);
    const left = (await rows()).map(({ id }) => id);
    expect(left).toHaveLength(MAX_OPEN_OF_CALLER);
    expect(['row 0', 'row 1', 'row 2'].map((id) => left.includes(id))).toEqual([false, false, true]);
  });

  async function setUp(): Promise<void> {
    await test.store.db.delete(signInChallenges);
    time = NOW;
    signIn = createTestSignIn(clocked());
  }

  const clocked = () => ({ ...test.store, now: async () => time });
  const rows = () => test.store.db.select().from(signInChallenges);
  const ask = (wallet: Keypair, of: ChallengeKind, caller: Party = CALLER) =>
    signIn.createChallenge(wallet.address, of, caller);

  /** Verifies a signature; it is of a transaction if there is its message. */
  const verify = (
    signature: Uint8Array,
    { wallet = WALLET.address, messageBytes = null as Uint8Array | null } = {},
    instance: SignIn = signIn,
  ) =>
    instance.verify({
      ...{ wallet, signature, messageBytes, lifetimeMs: 60_000 },
      kind: messageBytes === null ? 'message' : 'transaction',
    });
});

describe('writeChallengeText', () => {
  it.each([
    [
      'Sign this message to authenticate with Jupiter Trigger Order API: <nonce>',
      'Sign this message to authenticate with Jupiter Trigger Order API: abc',
    ],
    ['<time> <nonce> <wallet>', `1970-01-01T00:00:00.000Z abc ${'1'.repeat(32)}`],
  ])('fills in %j', (template, text) => {
    expect(writeChallengeText(template, '1'.repeat(32) as Keypair['address'], 0, 'abc')).toBe(text);
  });

  it('leaves values alone that look like places', () => {
    expect(writeChallengeText('<nonce> <wallet>', WALLET.address, 0, '<wallet>$&')).toBe(
      `<wallet>$& ${WALLET.address}`,
    );
    expect(TEST_CHALLENGE_TEXT).toContain('<nonce>');
  });
});

const NOW = Date.parse('2026-09-21T14:13:20.000Z');
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const CALLER: Party = { kind: 'organisation', id: 'acme' };
const WALLET = createKeypairFromSeed(new Uint8Array(32).fill(1));
const OTHER = createKeypairFromSeed(new Uint8Array(32).fill(2));

const signatureIn = (wire: Uint8Array) => parseTransaction(wire).signatures[0] ?? new Uint8Array();

async function tokenOf(verifying: ReturnType<SignIn['verify']>): Promise<string> {
  const result = await verifying;
  return typeof result === 'string' ? result : result.token;
}
