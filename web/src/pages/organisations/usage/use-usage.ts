import { readUsageAnswer } from '../../../api/organisations/organisation-shapes.ts';
import { useOrganisationPart } from '../../../api/organisations/use-organisations.ts';
import { useMinuteClock } from '../../../parts/use-minute-clock.ts';
import type { UsageChoice } from './usage-range.ts';

const HOUR_MS = 3_600_000;
const READ_MS = 15_000;

/** Reads the usage that the address asks for, and the time that it begins and ends. */
export function useUsage(organisation: string, { rangeMs, by, team }: UsageChoice) {
  // Counts are kept by the hour, so a range that begins in the same hour is the same.
  const until = (Math.floor(useMinuteClock() / HOUR_MS) + 1) * HOUR_MS;
  const since = until - rangeMs;
  const query = new URLSearchParams({ by, since: String(since), ...(team === '' ? {} : { team }) });
  const read = useOrganisationPart(
    organisation,
    'usage',
    'the usage',
    readUsageAnswer,
    `/usage?${query}`,
    READ_MS,
  );
  return { ...read, since, until: until - 1 };
}
