import { openLogDatabase } from '../../store/log-database.ts';
import { TrafficLog, type TrafficLogOptions } from './traffic-log.ts';

export interface Traffic {
  readonly log: TrafficLog;
  /** Writes what waits, and closes the database. */
  readonly close: () => Promise<void>;
}

/**
 * The request log with what is counted of it, in PostgreSQL at `url` or a file of its own in the folder.
 * @throws OperatorError when it cannot be opened
 */
export async function openTraffic(
  place: { readonly url: string | null; readonly folder: string },
  options: Omit<TrafficLogOptions, 'database'>,
): Promise<Traffic> {
  const database = await openLogDatabase(place);
  try {
    const log = await TrafficLog.open({ ...options, database });
    return {
      log,
      close: async () => {
        await log.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
