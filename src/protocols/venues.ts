import type { Venue } from '../protocol/venue/venue.ts';
import { PROTOCOLS } from './index.ts';

/** Every venue that routes may use, in the order of the protocols. */
export const VENUES: readonly Venue[] = PROTOCOLS.flatMap(({ venue }) => venue ?? []);
