import type { Venue } from '../protocol/venue/venue.ts';
import { lending } from './jupiter-lend/venue/index.ts';
import { meteoraDammV2 } from './meteora-damm-v2/index.ts';
import { raydiumCpmm } from './raydium-cpmm/index.ts';
import { saber } from './saber/index.ts';
import { splStakePool } from './spl-stake-pool/index.ts';
import { whirlpool } from './whirlpool/index.ts';

/**
 * Every venue that routes may use. A new venue is one folder and one line here. Append it: the genesis is written in
 * this order.
 */
export const VENUES: readonly Venue[] = [raydiumCpmm, whirlpool, meteoraDammV2, saber, splStakePool, lending];
