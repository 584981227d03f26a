import type { PredictionControls } from '../../gateway/admin/predictions/prediction-endpoints.ts';
import type { PlatformDependencies } from '../../platform/dependencies.ts';
import { EventDirectory } from '../../predictions/events/event-directory.ts';
import { createPredictionAdmin } from '../../predictions/events/prediction-admin.ts';
import { EventRecords } from '../../predictions/store/event-records.ts';
import { ManualTimers } from '../timers.ts';

/** Opens what an administrator works with, on the store of a platform, without a keeper. */
export async function openPredictionControls(
  platform: PlatformDependencies,
  now: number,
): Promise<PredictionControls> {
  const records = new EventRecords(platform.store, 'test network');
  const outage = { onFailure: () => {}, onAnswer: () => {} };
  const events = await EventDirectory.open({ records, timers: new ManualTimers(), outage });
  const admin = createPredictionAdmin({
    records,
    directory: events,
    network: 'test network',
    now: () => BigInt(now),
    operations: null,
    onDelay: () => {},
  });
  return { platform, events, admin, now: () => now };
}
