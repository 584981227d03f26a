import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import type { Address } from '../../solana/address.ts';
import { ChainUnavailable, SendRejected, type SignatureStatus } from '../../chain/chain.ts';
import type { Signature } from '../../solana/messages/signature.ts';
import { Lander } from './lander.ts';
import type { Landing } from './landing.ts';
import type { Sender } from './sender.ts';
import { openForEach } from '../../testing/opened.ts';

/** What the chain itself says of the transaction, and how often it was asked. */
let truth: SignatureStatus | null;
let asked: number;
let changes: Landing[];
const timers = openForEach(() => new ManualTimers());
beforeEach(setUp);

describe('several senders', () => {
  it('are not waited for once one has taken the transaction', async () => {
    const landing = open([sender('hangs', { send: never, signatureStatuses: never }), sender('takes')]);
    await vi.waitFor(() => expect(landing.forwardedAt).not.toBeNull());
    expect(changes.at(-1)).toBe(landing);
    truth = status(7n, 'confirmed');
    await round();
    expect(landing).toMatchObject({ outcome: 'confirmed', slot: 7n, sends: 2 });
  });

  it('reject a transaction only if all of them do: not for one that lies, nor for one that is away', async () => {
    const lies = () => Promise.reject(new SendRejected('no', 'SanitizeFailure'));
    const away = () => Promise.reject(new ChainUnavailable('away'));
    const landing = open([sender('lies', { send: lies }), sender('away', { send: away })]);
    await round();
    expect(landing.outcome).toBeNull();
    const refused = open([sender('one', { send: lies }), sender('two', { send: lies })]);
    await vi.waitFor(() => expect(refused.outcome).toBe('rejected'));
  });

  it('are told apart by which of them shows the transaction first in the block that it is in', async () => {
    let isSlowReady = false;
    const landing = open([
      sender('slow', { signatureStatuses: async () => [isSlowReady ? truth : null] }),
      sender('fast'),
      // Says at once that everything has landed, and cannot know the slot.
      sender('lies', { signatureStatuses: async () => [status(1n)] }),
      sender('away', { signatureStatuses: () => Promise.reject(new ChainUnavailable('away')) }),
    ]);
    await round();
    truth = status(7n);
    await round();
    isSlowReady = true;
    await round();
    truth = status(7n, 'confirmed');
    await round();
    expect(landing).toMatchObject({ outcome: 'confirmed', firstSeenBy: 'fast' });
  });

  it('are not asked what they show if there is only one', async () => {
    const signatureStatuses = vi.fn(async () => [truth]);
    const landing = open([sender('only', { signatureStatuses })]);
    truth = status(7n, 'confirmed');
    await round();
    expect(landing).toMatchObject({ outcome: 'confirmed', firstSeenBy: null });
    expect(signatureStatuses).not.toHaveBeenCalled();
  });
});

const ROUND_MS = 200;
const TRANSACTION = {
  wire: Uint8Array.of(1),
  signature: 'signature' as Signature,
  blockhash: 'blockhash' as Address,
  isDurable: false,
};

function setUp(): void {
  [truth, asked, changes] = [null, 0, []];
}

const status = (slot: bigint, commitment: SignatureStatus['commitment'] = 'processed') =>
  ({ slot, commitment, error: null }) as SignatureStatus;

/** A sender whose node takes everything and shows what the chain shows, unless something else is given. */
function sender(name: string, chain: Partial<Sender['chain']> = {}): Sender {
  return {
    name,
    chain: { send: async () => '', signatureStatuses: async () => [truth], ...chain },
  };
}

function open(senders: readonly Sender[]): Landing {
  const lander = new Lander({
    chain: {
      blockHeight: () => 100n,
      lastValidHeightOf: () => null,
      signatureStatuses: async () => {
        asked++;
        return [truth];
      },
    },
    senders,
    blockhashSlots: 150,
    timers,
    onChange: (landing) => changes.push(landing),
    onDefect: (error) => {
      throw error;
    },
  });
  const submitted = lander.submit(TRANSACTION, { kind: 'organisation', id: 'acme' }, 'request');
  if (!submitted.ok) throw new Error(submitted.error);
  return submitted.landing;
}

/** Lets one round pass, with everything that was asked in it. */
async function round(): Promise<void> {
  await vi.waitFor(() => expect(timers.waiting).toBe(1));
  const before = asked;
  timers.advance(ROUND_MS);
  await vi.waitFor(() => expect(asked).toBe(before + 1));
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const never = () => new Promise<never>(() => {});
