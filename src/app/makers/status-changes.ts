import { listSubjectAudit } from '../../platform/audit/audit-log.ts';
import type { PlatformDependencies } from '../../platform/dependencies.ts';
import type { MakerStatusChange } from '../../rfq/desk/maker-desk.ts';

/**
 * Reads the newest changes of a maker's status from the audit log, newest first.
 * @param since - Unix milliseconds.
 */
export async function readStatusChanges(
  platform: Pick<PlatformDependencies, 'store'>,
  makerId: string,
  since: number,
  most: number,
): Promise<readonly MakerStatusChange[]> {
  const query = { action: 'maker.status', subject: makerId, since };
  return (await listSubjectAudit(platform, query, most)).flatMap(({ at, before, after }) => {
    const [from, to] = [readStatus(before), readStatus(after)];
    const cause = after === null || !('cause' in after) ? '' : String(after.cause);
    return from === null || to === null ? [] : [{ at, from, to, cause }];
  });
}

const STATUSES = ['prod', 'offline', 'suspended'] as const;

function readStatus(side: object | null): MakerStatusChange['from'] | null {
  if (side === null || !('status' in side)) return null;
  return STATUSES.find((status) => status === side.status) ?? null;
}
