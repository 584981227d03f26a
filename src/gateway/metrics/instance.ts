import { type Chain, COMMITMENTS } from '../../chain/chain.ts';
import type { Pools } from '../../market/pools/pools.ts';
import type { Metrics } from '../../common/ports/metrics.ts';
import type { ReadinessCheck } from '../../products/product.ts';
import type { KeyCache } from '../../platform/callers/key-cache.ts';
import { runReadinessCheck } from '../health/health.ts';

/** What the gauges of an instance read. */
export interface InstanceMetricsSources {
  readonly readiness: readonly ReadinessCheck[];
  readonly chain: Pick<Chain, 'slot' | 'blockHeight' | 'recentBlockhash' | 'clock' | 'reported'>;
  readonly pools: Pick<Pools, 'size' | 'unusable'>;
  readonly keys: Pick<KeyCache, 'size' | 'refreshedAt'>;
  /** The running versions, such as `0.1.0` and `24.11.0`. */
  readonly versions: { readonly sluice: string; readonly node: string };
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Adds the gauges of an instance: its versions, its readiness checks, the chain, the pools and the keys in memory. */
export function addInstanceMetrics(
  metrics: Metrics,
  { readiness, chain, pools, keys, versions, now }: InstanceMetricsSources,
): void {
  metrics.gauge(
    'sluice_build_info',
    'Always 1. The labels are the versions of Sluice and of Node.',
    () => [{ labels: { version: versions.sluice, node: versions.node }, value: 1 }],
    ['version', 'node'],
  );
  metrics.gauge(
    'sluice_part_up',
    'Whether a part is healthy: 1 or 0.',
    () =>
      Promise.all(
        readiness.map(async (check) =>
          createReading('part', check.name, (await runReadinessCheck(check)) === 'ok' ? 1 : 0),
        ),
      ),
    ['part'],
  );
  metrics.gauge(
    'sluice_chain_slot',
    'The latest slot that this instance knows, by commitment.',
    () =>
      COMMITMENTS.map((commitment) =>
        createReading('commitment', commitment, Number(chain.slot(commitment))),
      ),
    ['commitment'],
  );
  metrics.gauge(
    'sluice_chain_blockhash_age_seconds',
    'Time since this instance last received a blockhash.',
    () => computeSecondsSince(chain.recentBlockhash().fetchedAt, now()),
  );
  metrics.gauge(
    'sluice_trades_behind_seconds',
    'Time since the end of the last time of which all trades are known, by where trades come from, if there is such a time.',
    () => {
      const known = chain.reported?.lastPassedOn() ?? null;
      if (known === null) return [];
      return [createReading('source', 'rpc', Number(chain.clock().unixTimestamp) - known.to)];
    },
    // Without a label, it would be 0 while it has no value.
    ['source'],
  );
  metrics.gauge(
    'sluice_pools',
    'Known pools, by whether routes may use them.',
    () => {
      const unusable = [...pools.unusable()].length;
      return [
        createReading('state', 'usable', pools.size - unusable),
        createReading('state', 'unusable', unusable),
      ];
    },
    ['state'],
  );
  metrics.gauge('sluice_keys', 'API keys in memory.', () => keys.size);
  metrics.gauge(
    'sluice_keys_age_seconds',
    'Time since the keys in memory were last compared with the database.',
    () => computeSecondsSince(keys.refreshedAt, now()),
  );
}

function createReading(label: string, name: string, value: number) {
  return { labels: { [label]: name }, value };
}

function computeSecondsSince(then: number, now: number): number {
  return Math.max(now - then, 0) / 1_000;
}
