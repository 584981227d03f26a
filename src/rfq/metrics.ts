import type { Metrics, Reading } from '../common/ports/metrics.ts';
import type { LiveBooks } from './books/live-book.ts';
import { ACK_LATENCY_BOUNDS } from './makers/maker.ts';
import { computeFillRate } from './makers/maker-state.ts';
import type { MakerOwners } from './makers/maker-owners.ts';
import type { Maker, Makers } from './makers/makers.ts';

export interface MeasuredMakers {
  readonly makers: Pick<Makers, 'all'>;
  readonly owners: Pick<MakerOwners, 'isElsewhere'>;
  /** The order books of makers at this instance. */
  readonly ownBooks: Pick<LiveBooks, 'all'>;
}

const STATUSES = ['prod', 'offline', 'suspended'] as const;

/** Registers the metrics of makers. The operator decides how many makers there are, so a label per maker is bounded. */
export function addMakerMetrics(
  metrics: Metrics,
  { makers, owners, ownBooks }: MeasuredMakers,
  { now, windowMs }: { readonly now: () => number; readonly windowMs: number },
): void {
  // A maker of another instance is reported by that one.
  const shown = () => [...makers.all()].filter(({ record }) => !owners.isElsewhere(record.id));
  const perMaker = (read: (maker: Maker) => readonly Reading[]) => () => shown().flatMap(read);
  const labelled = (maker: Maker, labels: Readonly<Record<string, string>>, value: number): Reading => ({
    labels: { maker: maker.record.id, ...labels },
    value,
  });
  metrics.gauge(
    'sluice_rfq_maker_status',
    'Status of a maker: 1 for the one that it has.',
    perMaker((maker) =>
      STATUSES.map((status) => labelled(maker, { status }, maker.status === status ? 1 : 0)),
    ),
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
    'Swaps that the maker was offered since it was issued, by how they ended.',
    perMaker((maker) =>
      (['filled', 'missed', 'tampered'] as const).map((outcome) =>
        labelled(maker, { outcome }, maker.statistics[outcome]),
      ),
    ),
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
    'Orders given out since the maker was issued: `considered` while it had a book for them, `won` with its fill.',
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
      const { filled, swaps } = computeFillRate(maker.state.outcomes.filter(({ at }) => at > since));
      return swaps === 0 ? [] : [labelled(maker, {}, filled / swaps)];
    }),
    ['maker'],
  );
  metrics.gauge('sluice_rfq_books', 'Books that are in the market.', () => [...ownBooks.all(now())].length);
}
