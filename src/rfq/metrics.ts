import type { Metrics, Reading } from '../common/ports/metrics.ts';
import type { LiveBooks } from './books/live-book.ts';
import { ACK_LATENCY_BOUNDS } from './makers/maker.ts';
import { computeFillRate, type MakerStatus } from './makers/maker-state.ts';
import type { MakerOwners } from './makers/maker-owners.ts';
import type { Maker, Makers } from './makers/makers.ts';
import type { WebhookView, Webhooks } from './webhooks/webhooks.ts';

export interface MeasuredMakers {
  readonly makers: Pick<Makers, 'all'>;
  readonly owners: Pick<MakerOwners, 'isElsewhere'>;
  /** The order books of makers at this instance. */
  readonly ownBooks: Pick<LiveBooks, 'all'>;
  /** The makers that are asked by webhook; absent if there are none. */
  readonly webhooks?: Pick<Webhooks, 'all'>;
}

/** A maker with its webhook; null if it has none. */
interface MeasuredMaker extends Maker {
  readonly webhook: WebhookView | null;
}

const STATUSES = ['prod', 'suspended', 'offline'] as const;

/**
 * Registers the metrics of makers of both kinds. The operator decides how many makers there are, so a label per maker is
 * bounded.
 */
export function addMakerMetrics(
  metrics: Pick<Metrics, 'gauge'>,
  { makers, owners, ownBooks, webhooks }: MeasuredMakers,
  { now, windowMs }: { readonly now: () => number; readonly windowMs: number },
): void {
  // A maker of another instance is reported by that one.
  const shown = () => {
    const byId = new Map((webhooks?.all() ?? []).map((webhook) => [webhook.record.makerId, webhook]));
    const here = [...makers.all()].filter(({ record }) => !owners.isElsewhere(record.id));
    return here.map((maker): MeasuredMaker => ({ ...maker, webhook: byId.get(maker.record.id) ?? null }));
  };
  const perMaker = (read: (maker: MeasuredMaker) => readonly Reading[]) => () => shown().flatMap(read);
  const labelled = (
    maker: MeasuredMaker,
    labels: Readonly<Record<string, string>>,
    value: number,
  ): Reading => ({
    labels: { maker: maker.record.id, ...labels },
    value,
  });
  metrics.gauge(
    'sluice_rfq_maker_status',
    'Status of a maker: 1 for the one that it has. Of a maker with streams and a webhook, the better one.',
    perMaker((maker) => {
      const best = findBestStatus(maker);
      return STATUSES.map((status) => labelled(maker, { status }, best === status ? 1 : 0));
    }),
    ['maker', 'status'],
  );
  metrics.gauge(
    'sluice_rfq_snapshots',
    'Snapshots since the maker was issued, by outcome: accepted, or the condition that refused them.',
    perMaker((maker) => [
      labelled(maker, { outcome: 'accepted' }, maker.statistics.accepted),
      ...Object.entries(maker.statistics.rejected).map(([outcome, count]) =>
        labelled(maker, { outcome }, count),
      ),
    ]),
    ['maker', 'outcome'],
  );
  metrics.gauge(
    'sluice_rfq_swaps',
    'Swaps that the maker was offered or sent since it was issued, by how they ended.',
    perMaker((maker) => {
      const { filled, missed, excused } = maker.webhook?.state ?? { filled: 0, missed: 0, excused: 0 };
      const { statistics } = maker;
      return [
        labelled(maker, { outcome: 'filled' }, statistics.filled + filled),
        labelled(maker, { outcome: 'missed' }, statistics.missed + missed),
        labelled(maker, { outcome: 'tampered' }, statistics.tampered),
        labelled(maker, { outcome: 'excused' }, excused),
      ];
    }),
    ['maker', 'outcome'],
  );
  metrics.gauge(
    'sluice_rfq_acks',
    'Acks since the maker was issued, by the most milliseconds that they took from the receipt of the snapshot.',
    perMaker((maker) =>
      maker.statistics.ackLatency.map((count, index) =>
        labelled(maker, { within_ms: String(ACK_LATENCY_BOUNDS[index] ?? 'longer') }, count),
      ),
    ),
    ['maker', 'within_ms'],
  );
  metrics.gauge(
    'sluice_rfq_orders',
    'Orders given out since the maker was issued: `considered` with its book or quote, `won` with its fill.',
    perMaker((maker) =>
      (['considered', 'won'] as const).map((outcome) =>
        labelled(maker, { outcome }, maker.statistics[outcome]),
      ),
    ),
    ['maker', 'outcome'],
  );
  metrics.gauge(
    'sluice_rfq_volume_micro_dollars',
    'Millionths of a US dollar that landed fills moved since the maker was issued.',
    perMaker((maker) => [labelled(maker, {}, Number(maker.statistics.volume.microDollars))]),
    ['maker'],
  );
  metrics.gauge(
    'sluice_rfq_fill_rate',
    'Share of offered swaps that were filled, from 0 to 1, over the window of the circuit breaker.',
    perMaker((maker) => {
      const since = now() - windowMs;
      const outcomes = [...maker.state.outcomes, ...(maker.webhook?.state.outcomes ?? [])];
      const { filled, swaps } = computeFillRate(outcomes.filter(({ at }) => at > since));
      return swaps === 0 ? [] : [labelled(maker, {}, filled / swaps)];
    }),
    ['maker'],
  );
  metrics.gauge('sluice_rfq_books', 'Books that are in the market.', () => [...ownBooks.all(now())].length);
}

/** Declares the streams of makers to this instance for the operator's overview. */
export function addMakerStreams(
  metrics: Pick<Metrics, 'streams'>,
  {
    quoteStreams,
    swapConnections,
  }: {
    readonly quoteStreams: { readonly size: number };
    readonly swapConnections: { readonly size: number };
  },
): void {
  metrics.streams({
    name: 'quote streams of makers',
    meaning:
      'Makers that send their books to this instance, one stream each. Without it, a maker has no book and gets no swaps.',
    read: () => ({ open: quoteStreams.size, limit: null }),
  });
  metrics.streams({
    name: 'swap streams of makers',
    meaning:
      'Makers that sign swaps over this instance, one stream each. Without it, a maker gets no swaps, even if it quotes.',
    read: () => ({ open: swapConnections.size, limit: null }),
  });
}

/** A maker that only has a webhook has no stream, so that its streams are always offline. */
function findBestStatus({ status, webhook }: MeasuredMaker): MakerStatus {
  const all = webhook === null ? [status] : [status, webhook.status];
  return STATUSES.find((each) => all.includes(each)) ?? status;
}
