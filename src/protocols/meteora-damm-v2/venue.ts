import type { Address } from '../../solana/address.ts';
import { readonly } from '../../solana/messages/instruction.ts';
import { Swap } from '../../protocol/venue/aggregator-step.ts';
import type { RouteStep, SwapParties, Venue } from '../../protocol/venue/venue.ts';
import { estimate } from './estimate.ts';
import { listDammSwapAccounts, type DammSwapPool } from './instructions.ts';
import { ActivationType, POOL_FILTER } from './program/layout.ts';
import {
  advance,
  decodePoolState,
  isPool,
  listDammDependencies,
  listDammFurtherDependencies,
  type MeteoraDammV2Pool,
} from './pool.ts';
import { METEORA_DAMM_V2_PROGRAM } from './program/program.ts';
import { quoteExactIn, quoteExactOut } from './quote.ts';

/** Meteora's DAMM v2 pools, for both token programs. A pool is not quoted while a rate limiter is active. */
export const meteoraDammV2: Venue<MeteoraDammV2Pool> = {
  label: 'Meteora DAMM v2',
  program: METEORA_DAMM_V2_PROGRAM,
  isPool,
  poolFilter: POOL_FILTER,
  dependencies: (_address, account) => listDammDependencies(account),
  furtherDependencies: listDammFurtherDependencies,
  decode: decodePoolState,
  advance,
  quoteExactIn,
  quoteExactOut,
  estimate,
  vaults: ({ vaults }) => vaults,
  reserves: ({ amounts, liquidity, transferFees: [one, other] }) =>
    one === null && other === null ? { amounts, shares: liquidity, feesLeave: true } : null,
  // A slot says nothing of the time.
  openedAt: ({ activationType, activationPoint }) =>
    activationType === ActivationType.TIMESTAMP ? activationPoint : null,
  // It records the swap by calling itself.
  calls: () => 4,
  routeStep,
};

/** The aggregator's step `MeteoraDammV2`: it calls `swap` with the 14 accounts behind the program. */
function routeStep(pool: DammSwapPool, _inputMint: Address, user: SwapParties): RouteStep {
  return {
    swap: Swap.meteoraDammV2,
    accounts: [
      readonly(METEORA_DAMM_V2_PROGRAM),
      ...listDammSwapAccounts(pool, readonly(user.authority), user, null),
    ],
  };
}
