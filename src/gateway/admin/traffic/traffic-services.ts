import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import type { TrafficLog } from '../../../platform/traffic/log/traffic-log.ts';

export interface TrafficServices {
  readonly platform: PlatformDependencies;
  readonly log: TrafficLog;
}
