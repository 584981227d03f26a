import type { Metrics } from '../../../common/ports/metrics.ts';
import { PLACE_LIMITS } from '../../../transactions/landing/places.ts';
import type { LandingReports } from '../../../transactions/reports/landing-reports.ts';
import type { Landing } from '../../../transactions/landing/landing.ts';
import type { AcceptProblem } from './accept.ts';

/** Bounds in seconds, up to the lifetime of a blockhash on a slow network. */
const BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120];
const MS = 1_000;

/** The reasons of refusals for which there was no place. The others speak of the transaction itself. */
const OF_ROOM: ReadonlySet<string> = new Set<AcceptProblem>(['busy', 'full']);

/**
 * Registers the metrics of transaction landing.
 * @param size - Returns how many transactions are in flight.
 * @returns functions that record what happens to transactions
 */
export function createLandingMetrics(
  metrics: Metrics,
  size: () => number,
  reports: Pick<LandingReports, 'lost' | 'places'>,
) {
  let turnedAway = 0;
  metrics.gauge('sluice_landing_under_way', 'Submitted transactions that have not ended.', size);
  metrics.gauge(
    'sluice_landing_reports_lost',
    'Reports about submitted transactions that were lost since the start, because too many waited for the database.',
    () => reports.lost,
  );
  metrics.queue({
    name: 'landings',
    meaning:
      'Transactions of clients that are being landed: they are sent again until they have landed or cannot any more. Further ones are refused, with 503, and those of one submitter beyond its share with 429.',
    read: () => ({ waiting: size(), limit: PLACE_LIMITS.all, lost: turnedAway }),
  });
  metrics.queue({
    name: 'reports of landings',
    meaning:
      'Reports about landings that wait for the database. When there is no more room, the oldest of them are lost; the transactions land all the same.',
    read: () => ({ ...reports.places, lost: reports.lost }),
  });
  const accepted = metrics
    .counter(
      'sluice_landing_accepted_total',
      'Submissions of transactions that were accepted, repeats included.',
    )
    .bind({});
  const refused = metrics.counter(
    'sluice_landing_refused_total',
    'Submissions of transactions that were refused, by reason.',
    ['reason'],
  );
  const sends = metrics.counter(
    'sluice_landing_sends_total',
    'Transactions sent, by sender and its answer.',
    ['sender', 'answer'],
  );
  const ends = metrics.counter(
    'sluice_landing_ended_total',
    'Submitted transactions that ended, by outcome.',
    ['outcome'],
  );
  const firsts = metrics.counter(
    'sluice_landing_first_seen_total',
    'Landed transactions by the sender whose node was the first to show them in a block.',
    ['sender'],
  );
  const stages = metrics.histogram(
    'sluice_landing_stage_seconds',
    'Time from the acceptance of a transaction until it was forwarded, seen in a block, or confirmed.',
    BUCKETS,
    ['stage'],
  );
  const observe = (stage: string, { acceptedAt }: Landing, at: number | null) => {
    if (at !== null) stages.observe(Math.max(at - acceptedAt, 0) / MS, { stage });
  };
  const ended = new WeakSet<Landing>();
  return {
    onAccepted: accepted,
    onRefused: (reason: string) => {
      if (OF_ROOM.has(reason)) turnedAway++;
      refused.add({ reason });
    },
    onForwarded: (sender: string, answer: string) => sends.add({ sender, answer }),
    /** Records a landing once, when it has ended. */
    onChange: (landing: Landing) => {
      const { outcome, forwardedAt, seenAt, confirmedAt } = landing;
      if (outcome === null || ended.has(landing)) return;
      ended.add(landing);
      ends.add({ outcome });
      if (landing.firstSeenBy !== null) firsts.add({ sender: landing.firstSeenBy });
      observe('forwarded', landing, forwardedAt);
      observe('seen', landing, seenAt);
      observe('confirmed', landing, confirmedAt);
    },
  };
}
