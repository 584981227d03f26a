import { expect, vi } from 'vitest';
import { NO_METRICS } from '../../common/ports/metrics.ts';
import { SYSTEM_TIMERS, type Timers } from '../../common/ports/timers.ts';
import { Webhooks } from '../../rfq/index.ts';
import { createMakerMeters } from '../../rfq/makers/maker-meters.ts';
import { WEBHOOK_CONDUCT } from '../../rfq/webhooks/conduct.ts';
import { createKeypairFromSeed, type Keypair } from '../../solana/keypair.ts';
import { sha256 } from '../../solana/encoding/sha256.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import { ManualTimers } from '../timers.ts';
import { PATIENCE_MS } from '../waits.ts';
import { MemoryWebhookRecords, MemoryWebhookStore, TestWebhook } from '../rfq/webhook-maker.ts';
import { fundMaker, SOL, USDC } from './makers.ts';
import { openTestMarket, type GenesisTestMarket } from './open.ts';
import { openTestSwap, type TestSwap, type TestSwapOptions } from './swap.ts';

/** USDC atoms for a million lamports: $400 for a SOL, far more than the pools pay. */
const GOOD_RATE = 400_000n;
export const HELD = 1_000_000_000_000n;

/** Far longer than a maker here takes; a test of one that hangs sets less. */
const QUOTE_MS = 30_000;

/** A swap product with webhook makers on real sockets. */
export interface TestWebhookSwap {
  readonly swap: TestSwap;
  readonly market: GenesisTestMarket;
  readonly webhooks: Webhooks;
  readonly store: MemoryWebhookStore;
  readonly records: MemoryWebhookRecords;
  readonly makers: readonly TestWebhook[];
  /** A clock of suspensions, which only the test moves. */
  readonly clock: ManualTimers;
  close(): Promise<void>;
}

export interface WebhookSwapOptions {
  /** Default one maker. */
  readonly count?: number;
  readonly quoteMs?: number;
  /** Measures the time of makers to quote. Default: that of the system. */
  readonly after?: Timers['after'];
  readonly apiKey?: string;
  readonly house?: TestSwapOptions['house'];
  /** Measures executions. Default: those of the system. */
  readonly timers?: Timers;
}

export async function openWebhookSwap(options: WebhookSwapOptions = {}): Promise<TestWebhookSwap> {
  const { count = 1, quoteMs = QUOTE_MS, apiKey = null, after = SYSTEM_TIMERS.after } = options;
  const market = await openTestMarket();
  const { chain, network } = market;
  const store = new MemoryWebhookStore();
  const records = new MemoryWebhookRecords();
  const clock = new ManualTimers();
  const makers: TestWebhook[] = [];
  for (let index = 0; index < count; index++) {
    const keypair = createWebhookKey(index);
    const lamports = 10_000_000_000n;
    const wallet = { lamports, owner: SYSTEM_PROGRAM, data: new Uint8Array(0), executable: false };
    network.setAccount(keypair.address, { ...wallet, rentEpoch: 0n });
    for (const token of [SOL, USDC]) fundMaker(market, keypair, token, HELD);
    const tokens = [SOL.mint, USDC.mint];
    const maker = await TestWebhook.open({ keypair, tokens, rate: GOOD_RATE, chain });
    makers.push(maker);
    const makerId = `maker-${index}`;
    store.add({ makerId, address: keypair.address, url: maker.url, apiKey, pairs: null, enabled: true });
  }
  const webhooks = new Webhooks({
    store,
    timers: { now: () => clock.now(), after },
    policy: WEBHOOK_CONDUCT,
    quoteMs,
    allowsPrivate: true,
    metrics: NO_METRICS,
    meters: createMakerMeters(NO_METRICS),
    onDefect: (where, error) => {
      throw new Error(where, { cause: error });
    },
  });
  await webhooks.refresh();
  await vi.waitFor(() => expect(webhooks.all().every(({ mints }) => mints !== null)).toBe(true));
  const swap = await openTestSwap({
    market,
    // Makers answer over real sockets, which a clock that skips would not wait for.
    timers: options.timers ?? SYSTEM_TIMERS,
    webhooks: { makers: webhooks, records },
    ...(options.house === undefined ? {} : { house: options.house }),
  });
  // A slow machine must not decide who wins: only the makers' own time does.
  Object.assign(swap.composed, { quoteDeadlineMs: PATIENCE_MS });
  const close = async () => {
    await webhooks.close();
    await Promise.all(makers.map((maker) => maker.close()));
  };
  return { swap, market, webhooks, store, records, makers, clock, close };
}

function createWebhookKey(index: number): Keypair {
  return createKeypairFromSeed(sha256(Buffer.from(`webhook maker ${index}`)));
}

/** Two webhook makers. The second, an honest one, pays a little less, and wins when the first fails. */
export async function openWebhookRivals(): Promise<TestWebhookSwap> {
  const opened = await openWebhookSwap({ count: 2 });
  const [first, second] = opened.makers as [TestWebhook, TestWebhook];
  second.rate = first.rate - 1_000n;
  return opened;
}

/** Moves the clock to the last seconds of a fill, and waits until it was judged whether the swap could still be made. */
export async function judgeFill({ market: { network, chain } }: TestWebhookSwap): Promise<void> {
  const looks = vi.spyOn(chain, 'signaturesOf');
  network.setUnixTime(chain.clock().unixTimestamp + 54n);
  // The first may have begun before, the second is followed by the judgement, and the third comes after it.
  await vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThanOrEqual(3));
  looks.mockRestore();
}

/** Lets the fill expire, and everything that could be on the chain be final. */
export function expireFill({ market: { network, chain } }: TestWebhookSwap): void {
  network.setUnixTime(chain.clock().unixTimestamp + 56n);
  chain.pass(1n);
}
