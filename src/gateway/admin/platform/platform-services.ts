import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import type { KeylessSettings } from '../../../platform/plans/plan-limits.ts';
import type { TrafficLog } from '../../../platform/traffic/log/traffic-log.ts';
import type { RateLimiter } from '../../limits/rate-limiter.ts';

export interface PlatformServices {
  readonly platform: PlatformDependencies;
  /** Counts the requests of an organisation in the last 60 seconds. */
  readonly limiter: RateLimiter;
  /** Counts the credits of an organisation; null: the answers leave credits out. */
  readonly traffic: TrafficLog | null;
  /** The limits of callers without a key. */
  readonly keyless: KeylessSettings;
}
