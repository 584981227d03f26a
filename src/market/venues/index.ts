import type { Venue } from '../venue.ts';
import { meteoraDammV2 } from './meteora-damm-v2/index.ts';
import { raydiumCpmm } from './raydium-cpmm/index.ts';
import { saber } from './saber/index.ts';
import { splStakePool } from './spl-stake-pool/index.ts';
import { whirlpool } from './whirlpool/index.ts';

/** Every venue that routes may lead through: a new one is one folder and one line here. */
export const VENUES: readonly Venue[] = [raydiumCpmm, whirlpool, saber, splStakePool, meteoraDammV2];
