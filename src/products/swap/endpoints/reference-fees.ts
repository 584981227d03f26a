import { type Static, Type } from 'typebox';
import { computePriorityFee, computeUnitPrice } from '../../../transactions/build/priority-fee.ts';
import { MAX_COMPUTE_UNITS } from '../../../solana/programs/compute-budget.ts';
import type { Bps } from '../../../solana/units.ts';
import type { Chain } from '../../../chain/chain.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { named } from '../../named-schema.ts';
import type { SwapServices } from '../order/swap-services.ts';
import { DEFAULT_PRICE_PERCENTILE, PRICE_LEVELS } from './swap-parameters.ts';

const price = () => Type.Number({ description: 'Micro-lamports per compute unit.' });

const PriceLevels = named(
  'ReferenceFeeLevels',
  Type.Object({ m: price(), h: price(), vh: price() }, { description: 'Medium, high and very high.' }),
);

const ReferenceFees = named(
  'ReferenceFees',
  Type.Object({
    claim: price(),
    jup: PriceLevels,
    jup2: PriceLevels,
    loAndDCA: price(),
    referral: price(),
    perps: PriceLevels,
  }),
);
type ReferenceFees = Static<typeof ReferenceFees>;

/** The public clients ask another host for it, before they build a transaction themselves. */
export const referenceFees = defineEndpoint({
  method: 'GET',
  path: '/_cache/reference-fees',
  operationId: 'GetReferenceFees',
  summary: 'Prices of compute units',
  description:
    'What recent transactions paid for a compute unit, by which public clients choose a priority fee: the 25th, 50th and ' +
    '75th percentile of all slots as `m`, `h` and `vh`, and the 50th where there is one number. 0 when nobody paid.',
  responses: { 200: ReferenceFees },
  handle: ({ swap }: SwapServices) => computeReferenceFees(swap.chain),
});

/**
 * The network has one market of compute units, so all purposes have the same prices. Clients pay them unseen, and a small
 * transaction can pay any price, so they are bounded for the largest transaction.
 */
function computeReferenceFees(chain: Pick<Chain, 'recentPriorityFees'>): ReferenceFees {
  const samples = chain.recentPriorityFees([]);
  const priceAt = (percentile: Bps) =>
    Number(computePriorityFee(null, computeUnitPrice(samples, percentile), MAX_COMPUTE_UNITS).price);
  const [m = 0, h = 0, vh = 0] = [...PRICE_LEVELS.values()].map(priceAt);
  const levels = { m, h, vh };
  const usual = priceAt(DEFAULT_PRICE_PERCENTILE);
  return { claim: usual, jup: levels, jup2: levels, loAndDCA: usual, referral: usual, perps: levels };
}
