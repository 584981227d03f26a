import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import type { SignatureStatus } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import type { Signature } from '../../solana/messages/signature.ts';
import type { CheckedTransaction } from './check-submission.ts';
import { Lander } from './lander.ts';
import { type Landing, toOwnProgress } from './landing.ts';
import type { Party } from '../../common/party.ts';
import type { PlaceLimits } from './places.ts';
import { openForEach } from '../../testing/opened.ts';

let sent: number[];
let height: bigint;
/** The last heights of the blockhashes that the chain knows. */
let expiries: Map<string, bigint>;
let landed: SignatureStatus | null;
let asked: number;
let lander: Lander;
let ended: Landing[];
const timers = openForEach(() => new ManualTimers());
beforeEach(setUp);

describe('Lander', () => {
  it('sends a transaction once, however many callers submit it, and begins no second landing', async () => {
    for (const submitter of [MALLORY, TRENT, ACME, ACME]) {
      expect(lander.submit(numbered(1), submitter, 'request')).toMatchObject({ ok: true });
    }
    expect(sent).toEqual([1]);
    expect(lander.size).toBe(1);
    expect(lander.knows('signature 1', Uint8Array.of(1))).toBe(true);
    expect(lander.knows('signature 1', Uint8Array.of(2))).toBe(false);
  });

  it('lets a caller whose transactions never land hold its own places only, until their blockhash has expired', async () => {
    for (let index = 0; index < 3; index++) lander.submit(numbered(index), MALLORY, 'request');
    expect(lander.submit(numbered(3), MALLORY, 'request')).toEqual({ ok: false, error: 'submitter-is-full' });
    expect(lander.submit(numbered(4), TRENT, 'request')).toMatchObject({ ok: true });
    expect(lander.submit(numbered(5), TRENT, 'request')).toMatchObject({ ok: true });
    expect(lander.submit(numbered(6), TRENT, 'request')).toEqual({ ok: false, error: 'all-full' });
    // Callers without a key leave room for organisations.
    expect(lander.submit(numbered(7), ACME, 'request')).toMatchObject({ ok: true });
    await pass(1_000);
    expect(ended).toEqual([]);
    height += 151n;
    await pass(1_000);
    expect(ended.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 6 }, () => 'expired'));
    expect(lander.submit(numbered(8), MALLORY, 'request')).toMatchObject({ ok: true });
  });

  it('sends again every two seconds, and no more once the blockhash has expired or it has landed', async () => {
    lander.submit(numbered(1), ACME, 'request');
    await pass(4_200);
    expect(sent).toEqual([1, 1, 1]);
    landed = { slot: 7n, commitment: 'confirmed', error: null } as SignatureStatus;
    await pass(10_000);
    expect(sent).toEqual([1, 1, 1]);
    expect(ended).toMatchObject([{ outcome: 'confirmed', slot: 7n, sends: 3 }]);
    expect(lander.submit(numbered(1), ACME, 'request')).toMatchObject({ ok: true });
    expect(sent).toEqual([1, 1, 1]);
  });

  it('sends nothing once the blockhash of the transaction itself has expired, however late it was submitted', async () => {
    expiries.set('blockhash 1', height + 10n);
    lander.submit(numbered(1), ACME, 'request');
    height += 11n;
    await pass(5_000);
    expect(sent).toEqual([1]);
    expect(ended).toMatchObject([{ outcome: 'expired', sends: 1 }]);
  });

  it('goes on sending a durable nonce for as long as a new blockhash lives, and does not call it expired', async () => {
    expiries.set('blockhash 1', height);
    lander.submit({ ...numbered(1), isDurable: true }, ACME, 'request');
    await pass(2_400);
    expect(sent).toEqual([1, 1]);
    height += 151n;
    await pass(1_000);
    expect(ended).toMatchObject([{ outcome: 'unknown' }]);
  });

  it('goes on with an unknown blockhash for as long as one lives on a network where they live longer', async () => {
    lander = open(LIMITS, 1_200);
    lander.submit(numbered(1), ACME, 'request');
    height += 1_200n;
    await pass(2_000);
    expect(sent).toEqual([1, 1]);
    height += 1n;
    await pass(1_000);
    expect(ended).toMatchObject([{ outcome: 'expired', sends: 2 }]);
  });

  it('reports to at most 16 organisations about one transaction, and to each once', async () => {
    for (let index = 0; index < 40; index++) {
      lander.submit(numbered(1), { kind: 'organisation', id: `org ${index % 20}` }, `request ${index}`);
    }
    height += 151n;
    await pass(1_000);
    expect(ended[0]?.submissions.map(({ requestId }) => requestId)).toEqual(
      Array.from({ length: 16 }, (_, index) => `request ${index}`),
    );
  });

  it('tells a submitter what happened since its own submission, and nothing of what happened for others', async () => {
    const start = timers.now();
    lander.submit(numbered(1), ACME, 'request of acme');
    lander.submit(numbered(1), ACME, 'again');
    await pass(1_000);
    lander.submit(numbered(1), organisation('early'), 'request of early');
    await pass(200);
    landed = { slot: 7n, commitment: 'processed', error: null } as SignatureStatus;
    await pass(200);
    lander.submit(numbered(1), organisation('seen'), 'request of seen');
    landed = { slot: 7n, commitment: 'confirmed', error: null } as SignatureStatus;
    await pass(200);
    timers.advance(5_000);
    lander.submit(numbered(1), organisation('late'), 'request of late');
    const [landing] = ended;
    if (landing === undefined) throw new Error('nothing has ended');
    const told = landing.submissions.map((submission) => {
      const { forwardedAt, seenAt, confirmedAt, endedAt, sends } = toOwnProgress(submission, landing);
      const times = [submission.acceptedAt, forwardedAt, seenAt, confirmedAt, endedAt];
      return [...times.map((time) => (time === null ? null : time - start)), sends];
    });
    expect(told).toEqual([
      [0, 0, 1_400, 1_600, 1_600, 1],
      [1_000, null, 1_400, 1_600, 1_600, 0],
      [1_400, null, 1_400, 1_600, 1_600, 0],
      [6_600, null, 6_600, 6_600, 6_600, 0],
    ]);
  });

  it('tells a submitter when and how often a transaction was sent that others had submitted before', async () => {
    const start = timers.now();
    lander.submit(numbered(1), ACME, 'request of acme');
    await pass(1_000);
    lander.submit(numbered(1), organisation('later'), 'request of later');
    await pass(3_400);
    landed = { slot: 7n, commitment: 'confirmed', error: null } as SignatureStatus;
    await pass(200);
    const told = ended.flatMap((landing) => landing.submissions.map((each) => toOwnProgress(each, landing)));
    expect(told.map(({ forwardedAt, sends }) => [Number(forwardedAt) - start, sends])).toEqual([
      [0, 3],
      [2_000, 2],
    ]);
  });

  it('continues what a process left, for each organisation within its places', async () => {
    const unfinished = Array.from({ length: 12 }, (_, index) => ({
      organisationId: index < 10 ? 'acme' : null,
      requestId: `request ${index}`,
      acceptedAt: timers.now() - 5_000,
      transaction: numbered(index),
      lastHeight: height + 20n,
      forwardedAt: timers.now() - 4_000,
      seenAt: null,
      sends: 3,
    }));
    lander.resume([...unfinished, ...unfinished]);
    expect(lander.size).toBe(LIMITS.each.organisation + 2);
    expect(sent).toEqual([]);
    await pass(ROUND_MS);
    expect(sent).toHaveLength(lander.size);
    height += 21n;
    await pass(1_000);
    expect(new Set(ended.map(({ outcome }) => outcome))).toEqual(new Set(['expired']));
    expect(ended[0]).toMatchObject({ sends: 4, forwardedAt: unfinished[0]?.forwardedAt });
  });

  it('continues what callers without a key left, as many as could be under way, and sends them little by little', async () => {
    const most = 250;
    lander = open({ all: most, clients: most, each: { organisation: most, client: 3 } });
    lander.resume(
      Array.from({ length: most }, (_, index) => ({
        organisationId: null,
        requestId: `request ${index}`,
        acceptedAt: timers.now(),
        transaction: numbered(index),
        lastHeight: height + 20n,
        forwardedAt: null,
        seenAt: null,
        sends: 1,
      })),
    );
    expect(lander.size).toBe(most);
    for (const expected of [100, 200, 250, 250]) {
      await pass(ROUND_MS);
      expect(sent).toHaveLength(expected);
    }
  });
});

const MALLORY: Party = { kind: 'client', id: '10.0.0.1' };
const TRENT: Party = { kind: 'client', id: '10.0.0.2' };
const ACME: Party = { kind: 'organisation', id: 'acme' };
const organisation = (id: string): Party => ({ kind: 'organisation', id });
const LIMITS = { all: 10, clients: 5, each: { organisation: 8, client: 3 } };
/** The lander looks again after so many milliseconds. */
const ROUND_MS = 200;

function setUp(): void {
  [sent, ended] = [[], []];
  [height, landed, asked] = [100n, null, 0];
  expiries = new Map();
  lander = open(LIMITS);
}

function open(limits: PlaceLimits, blockhashSlots = 150): Lander {
  return new Lander({
    chain: {
      blockHeight: () => height,
      lastValidHeightOf: (blockhash) => expiries.get(blockhash) ?? null,
      signatureStatuses: async (signatures) => {
        asked++;
        return signatures.map(() => landed);
      },
    },
    senders: [
      {
        name: 'node',
        chain: {
          send: async ([first = 0]) => {
            sent.push(first);
            return '';
          },
          signatureStatuses: async () => [],
        },
      },
    ],
    blockhashSlots,
    timers,
    limits,
    onChange: (landing) => {
      if (landing.outcome !== null && !ended.includes(landing)) ended.push(landing);
    },
    onDefect: (error) => {
      throw error;
    },
  });
}

const numbered = (index: number): CheckedTransaction => ({
  wire: Uint8Array.of(index),
  signature: `signature ${index}` as Signature,
  blockhash: `blockhash ${index}` as Address,
  isDurable: false,
});

/** Lets rounds pass until the time is over. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0 && lander.size > 0; left -= ROUND_MS) {
    await vi.waitFor(() => expect(timers.waiting).toBe(1));
    const before = asked;
    timers.advance(ROUND_MS);
    await vi.waitFor(() => expect(asked).toBe(before + 1));
    await vi.waitFor(() => expect(timers.waiting).toBe(lander.size > 0 ? 1 : 0));
  }
}
