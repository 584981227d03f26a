import { AGGREGATOR_PROGRAM } from '../../market/aggregator/program.ts';
import { METEORA_DAMM_V2_PROGRAM } from '../../market/venues/meteora-damm-v2/program.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../market/venues/raydium-cpmm/program.ts';
import { WHIRLPOOL_PROGRAM } from '../../market/venues/whirlpool/program.ts';
import { SABER_PROGRAM } from '../../market/venues/saber/program.ts';
import { STAKE_POOL_PROGRAM, STAKEDEX_PROGRAM } from '../../market/venues/spl-stake-pool/program.ts';
import { RFQ_FILL_PROGRAM } from '../../rfq/liquidity/fill-step.ts';
import type { Address } from '../../solana/address.ts';

/** Our own program that stands under a public program's address. */
export interface StandIn {
  /** As in programs/programs.json; its binary is programs/dist/`name`.so. */
  readonly name: string;
  readonly address: Address;
}

/** What the genesis has besides the programs that every Solana network has. */
export const STAND_INS: readonly StandIn[] = [
  { name: 'constant-product', address: RAYDIUM_CPMM_PROGRAM },
  { name: 'aggregator', address: AGGREGATOR_PROGRAM },
  { name: 'rfq-fill', address: RFQ_FILL_PROGRAM },
  { name: 'whirlpool', address: WHIRLPOOL_PROGRAM },
  { name: 'stake-pool', address: STAKE_POOL_PROGRAM },
  { name: 'stakedex', address: STAKEDEX_PROGRAM },
  { name: 'stable-swap', address: SABER_PROGRAM },
  { name: 'meteora-damm-v2', address: METEORA_DAMM_V2_PROGRAM },
];
