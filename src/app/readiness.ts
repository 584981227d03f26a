import type { Config } from '../config/config.ts';
import type { Pools } from '../market/pools/pools.ts';
import type { ReadinessCheck } from '../products/product.ts';
import type { OpenedNetwork } from './state/network.ts';
import type { AppState } from './state/state.ts';

/** Returns what `/readyz` checks; an optional part is shown, and does not make the instance unready. */
export function listReadinessChecks(
  config: Config,
  { store, valkey }: AppState,
  network: OpenedNetwork,
  pools: Pools,
): ReadinessCheck[] {
  const readiness: ReadinessCheck[] = [
    { name: 'database', unhealthy: store.unhealthy },
    ...network.readiness,
    { name: 'market', unhealthy: () => pools.unhealthy() },
  ];
  if (valkey === null) return readiness;
  const part: ReadinessCheck = { name: 'valkey', unhealthy: valkey.unhealthy };
  return [...readiness, config.limits === 'fail-open' ? { ...part, optional: true } : part];
}
