import type { Metrics, Reading } from '../common/ports/metrics.ts';
import type { Rfq } from './index.ts';
import { ACK_LATENCY_BOUNDS } from './makers/maker.ts';
import { fillRate } from './makers/maker-state.ts';
import type { Maker } from './makers/makers.ts';

const STATUSES = ['prod', 'offline', 'suspended'] as const;

/** What each maker does; the numbers of makers is the operator's choice, so that a label per maker is bounded. */
export function addMakerMetrics(
  metrics: Metrics,
  { makers, homes, books }: Pick<Rfq, 'makers' | 'homes' | 'books'>,
  { now, windowMs }: { readonly now: () => number; readonly windowMs: number },
): void {
  // Of a maker that another instance has, that one tells.
  const shown = () => [...makers.all()].filter(({ record }) => !homes.isElsewhere(record.id));
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
      const { filled, swaps } = fillRate(maker.state.outcomes.filter(({ at }) => at > since));
      return swaps === 0 ? [] : [labelled(maker, {}, filled / swaps)];
    }),
    ['maker'],
  );
  metrics.gauge('sluice_rfq_books', 'Books that are in the market.', () => [...books.all(now())].length);
}
