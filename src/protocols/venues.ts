import type { Venue } from '../protocol/venue/venue.ts';
import { lending } from './jupiter-lend/venue/venue.ts';
import { meteoraDammV2 } from './meteora-damm-v2/venue.ts';
import { raydiumCpmm } from './raydium-cpmm/venue.ts';
import { saber } from './saber/venue.ts';
import { splStakePool } from './spl-stake-pool/venue.ts';
import { whirlpool } from './whirlpool/venue.ts';

/**
 * Every venue that routes may use. A new venue is one folder and one line here. Append it: the genesis is written in
 * this order.
 */
export const VENUES: readonly Venue[] = [raydiumCpmm, whirlpool, meteoraDammV2, saber, splStakePool, lending];
