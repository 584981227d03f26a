import { AGGREGATOR_PROGRAM } from '../../../protocol/venue/aggregator-program.ts';
import type { SponsorPolicy } from '../../../transactions/sponsor/exposure.ts';

/** Which swaps the sponsor signs and pays for. */
export const SPONSORED_SWAPS: SponsorPolicy = {
  programs: new Set([AGGREGATOR_PROGRAM]),
  calls: { min: 1, max: 1 },
  noun: 'swap',
  plural: 'swaps',
  paysBack: true,
};
