import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import type { TrafficLog } from '../../../platform/traffic/log/traffic-log.ts';

/** What the endpoints of the request log, usage and analytics work with. */
export interface TrafficServices {
  readonly platform: PlatformDependencies;
  readonly log: TrafficLog;
}
