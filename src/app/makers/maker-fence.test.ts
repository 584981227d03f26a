import { beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import { NO_METRICS } from '../../common/ports/metrics.ts';
import { recordMarketChange } from '../../platform/audit/audit.ts';
import { makers } from '../../rfq/records/maker-tables.ts';
import { openTestPlatform } from '../../testing/platform/test-platform.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { openRfq } from '../../rfq/index.ts';
import type { Ack } from '../../rfq/books/quotes.ts';
import { DEFAULT_BREAKER } from '../../rfq/makers/maker-state.ts';
import {
  MemoryAccounts,
  makerRecord,
  snapshot,
  SOL_TOKEN,
  USDC,
  USDC_TOKEN,
} from '../../testing/rfq/test-rfq.ts';
import { STORES } from '../../testing/store/test-store.ts';
import { keepFills } from '../../rfq/records/recorded-fills.ts';
import { keepMakerStates } from '../../rfq/records/recorded-makers.ts';
import { stopwatch } from '../../testing/waits.ts';
import { openForEach } from '../../testing/opened.ts';

describe.each(STORES)(
  'an instance that resumes after another became the owner of its maker, on %s',
  (kind) => {
    const platform = openForEach(() => openTestPlatform(1_790_000_000_000, kind), 'cleanUp');
    const timers = openForEach(() => new ManualTimers());
    const chain = openForEach(() => new MemoryAccounts());
    beforeEach(setUp);

    it('overwrites nothing of the new owner, and releases the maker', async () => {
      const older = await connected();
      expect(await older.quote(100n)).toEqual({ note: null });
      const newer = await connected();
      expect(await newer.quote(5_000n)).toEqual({ note: null });
      const before = await stored();
      expect(before?.lastSequence).toBeGreaterThanOrEqual(5_000n);

      // Beyond the range that was reserved with 100, so it has to be written down first.
      expect(await older.quote(3_000n)).toMatchObject({ refusal: 'sequence' });
      await expect.poll(() => older.ends).toEqual(['ABORTED', 'ABORTED']);
      expect(await stored()).toEqual(before);
      expect(older.rfq.makers.owned(ID)).toBeNull();

      expect(await newer.quote(5_001n)).toEqual({ note: null });
      expect(newer.ends).toEqual([]);
      await older.rfq.close();
      await newer.rfq.close();
      // What the older one had counted and not written yet is lost, as when it is killed.
      expect(await stored()).toMatchObject({ lastSequence: 5_001n, statistics: { accepted: 2 } });
      expect(defects).toEqual([]);
    });

    it('writes no lower sequence number when it ends, and counts a swap only once it owns the maker again', async () => {
      const older = await connected();
      await older.quote(100n);
      const newer = await connected();
      await newer.quote(5_000n);
      await newer.rfq.scoring.missed(ID, 'swap-1');
      const told = older.rfq.scoring.missed(ID, 'swap-2');
      await expect.poll(() => older.ends).toEqual(['ABORTED', 'ABORTED']);
      timers.advance(1_000);
      await told;
      const after = await stored();
      expect(after).toMatchObject({ statistics: { missed: 2 } });
      expect(after?.lastSequence).toBeGreaterThanOrEqual(5_000n);
      await older.rfq.close();
      expect((await stored())?.lastSequence).toBeGreaterThanOrEqual(5_000n);
    });

    const defects: unknown[] = [];

    async function setUp(): Promise<void> {
      chain.mint(WRAPPED_SOL_MINT, SOL_TOKEN.decimals);
      chain.mint(USDC, USDC_TOKEN.decimals);
      defects.length = 0;
      const { id, address } = makerRecord(chain);
      const row = { id, name: null, address, pairs: null, enabled: 1, hash: 'h', createdAt: 0 };
      await platform.store.db.insert(makers).values(row);
    }

    /** An instance that the maker has both streams to; nothing tells it of the other one. */
    async function connected() {
      const rfq = await openRfq({
        chain,
        timers,
        deadlines: timers,
        store: keepMakerStates(platform.store, recordMarketChange),
        records: keepFills(
          platform.store,
          () => timers.now(),
          (error) => {
            throw error;
          },
        ),
        unhealthy: async () => null,
        breaker: DEFAULT_BREAKER,
        peers: null,
        metrics: NO_METRICS,
        stopwatch,
        onDefect: (_, error) => defects.push(error),
      });
      rfq.setRecords([makerRecord(chain)]);
      const ends: string[] = [];
      const acks: Ack[] = [];
      const pipe = { ...PIPE, end: (code: string) => ends.push(code) };
      rfq.swapStreams.open(ID, pipe);
      const quotes = rfq.quoteStreams.open(ID, { ...pipe, send: (ack) => acks.push(ack) });
      await expect.poll(() => rfq.makers.get(ID)?.status).toBe('prod');
      const quote = async (sequence: bigint): Promise<Ack | undefined> => {
        const before = acks.length;
        quotes.received(snapshot(timers.now(), { sequence }), 0);
        await expect.poll(() => acks.length).toBe(before + 1);
        return acks.at(-1);
      };
      return { rfq, ends, quote };
    }

    const stored = () => keepMakerStates(platform.store, recordMarketChange).read(ID);
  },
);

const ID = 'maker-1';
const PIPE = { send: () => undefined, pause: () => undefined, resume: () => undefined, unread: () => 0 };
