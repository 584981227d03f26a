import type { RecordedInvite } from '../invite.ts';
import { formatUnixSecond } from '../unix-second.ts';

const ENDS = {
  claimed: 'was claimed',
  clawedBack: 'was taken back',
  expired: 'was returned after its expiry',
};

/**
 * Describes why an invite is not open, as the end of a sentence.
 *
 * @param last - What the record has of the address; null if it has nothing.
 */
export function describeEndedInvite(last: RecordedInvite | null): string {
  const end = last?.end ?? null;
  if (end === null) return 'is not an open invite';
  const by = end.receiver === null ? '' : ` by ${end.receiver}`;
  return `is not an open invite: it ${ENDS[end.kind]}${by} at ${formatUnixSecond(end.at)}`;
}
