import type { Chain } from '../../chain/chain.ts';
import type { Pools } from '../../market/pools/pools.ts';
import type { Metrics } from '../../common/ports/metrics.ts';
import type { KeyCache } from '../../platform/callers/key-cache.ts';
import { type Part, stateOf } from '../health/health.ts';

export interface Watched {
  readonly parts: readonly Part[];
  readonly chain: Pick<Chain, 'slot' | 'blockHeight' | 'recentBlockhash'>;
  readonly pools: Pick<Pools, 'size' | 'unusable'>;
  readonly keys: Pick<KeyCache, 'size' | 'refreshedAt'>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** What can be told of the parts by looking at them. */
export function addInstanceMetrics(metrics: Metrics, { parts, chain, pools, keys, now }: Watched): void {
  metrics.gauge(
    'sluice_part_up',
    'Whether a part answers: 1, or 0.',
    () =>
      Promise.all(
        parts.map(async (part) => reading('part', part.name, (await stateOf(part)) === 'ok' ? 1 : 0)),
      ),
    ['part'],
  );
  metrics.gauge(
    'sluice_chain_slot',
    'Slot of the network as this instance knows it.',
    () => COMMITMENTS.map((commitment) => reading('commitment', commitment, Number(chain.slot(commitment)))),
    ['commitment'],
  );
  metrics.gauge(
    'sluice_chain_blockhash_age_seconds',
    'Time since this instance last learned of a blockhash: how far it is behind the network.',
    () => secondsSince(chain.recentBlockhash().fetchedAt, now()),
  );
  metrics.gauge(
    'sluice_pools',
    'Pools that are known, by whether routes may use them.',
    () => {
      const unusable = [...pools.unusable()].length;
      return [reading('state', 'usable', pools.size - unusable), reading('state', 'unusable', unusable)];
    },
    ['state'],
  );
  metrics.gauge('sluice_keys', 'API keys in memory.', () => keys.size);
  metrics.gauge(
    'sluice_keys_age_seconds',
    'Time since the keys in memory were last compared with the database.',
    () => secondsSince(keys.refreshedAt, now()),
  );
}

const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;

function reading(label: string, name: string, value: number) {
  return { labels: { [label]: name }, value };
}

function secondsSince(then: number, now: number): number {
  return Math.max(now - then, 0) / 1_000;
}
