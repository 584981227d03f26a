import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import { Swap } from '../../protocol/venue/aggregator-step.ts';
import type { RouteStep, SwapParties, Venue } from '../../protocol/venue/venue.ts';
import type { Address } from '../../solana/address.ts';
import { readonly } from '../../solana/messages/instruction.ts';
import { getCurrentPoint } from '../meteora-damm-v2/program/activation.ts';
import { estimate } from './estimate.ts';
import { isLimiting } from './fees.ts';
import {
  advance,
  decodePoolState,
  isPool,
  listDbcDependencies,
  listDbcFurtherDependencies,
  type MeteoraDbcPool,
} from './pool.ts';
import { listDbcSwapAccounts } from './program/instructions-swap.ts';
import { DBC_POOL_FILTER } from './program/layout-pool.ts';
import { DbcActivationType, METEORA_DBC_PROGRAM } from './program/program.ts';
import { quoteExactIn, quoteExactOut } from './quote.ts';

/**
 * Launches on Meteora's bonding curves, from the slot of their creation until their curve is complete. Then the DAMM v2 pool that a
 * launch migrates to takes over.
 */
export const meteoraDbc: Venue<MeteoraDbcPool> = {
  label: 'Dynamic Bonding Curve',
  program: METEORA_DBC_PROGRAM,
  isPool,
  poolFilter: DBC_POOL_FILTER,
  dependencies: (_address, account) => listDbcDependencies(account),
  furtherDependencies: listDbcFurtherDependencies,
  decode: decodePoolState,
  advance,
  quoteExactIn,
  quoteExactOut,
  estimate,
  vaults: ({ vaults }) => vaults,
  reserves: ({ reserves }) => ({ amounts: reserves, shares: 0n, feesLeave: true }),
  openedAt: ({ terms, activationPoint }) =>
    terms.activationType === DbcActivationType.TIMESTAMP ? activationPoint : null,
  // It records the swap by calling itself: in two forms, and a third time if the swap completes the curve.
  calls: () => 6,
  // Sales are never limited.
  isOncePerTransaction: (pool, inputMint, clock) =>
    inputMint === pool.mints[1] && isLimiting(pool, getCurrentPoint(pool.terms.activationType, clock)),
  routeStep,
};

/**
 * The aggregator's step `MeteoraDynamicBondingCurveSwap`. It calls `swap`. Where purchases may be limited, the other form passes on
 * the instructions sysvar, in which the program looks for other swaps of the pool.
 */
function routeStep(
  { address, config, mints, vaults, tokenPrograms, terms }: MeteoraDbcPool,
  inputMint: Address,
  { authority, source, destination }: SwapParties,
): RouteStep {
  const showsInstructions = terms.limiter !== null && inputMint === mints[1];
  const accounts = listDbcSwapAccounts(
    {
      config,
      pool: address,
      baseMint: mints[0],
      quoteMint: mints[1],
      baseVault: vaults[0],
      quoteVault: vaults[1],
      tokenBaseProgram: tokenPrograms[0],
      tokenQuoteProgram: tokenPrograms[1],
    },
    readonly(authority),
    { inputTokenAccount: source, outputTokenAccount: destination, showsInstructions },
  );
  return {
    swap: showsInstructions
      ? Swap.meteoraDynamicBondingCurveSwapWithRemainingAccounts
      : Swap.meteoraDynamicBondingCurveSwap,
    accounts: [
      readonly(METEORA_DBC_PROGRAM),
      ...accounts,
      // Ends the list of accounts that are passed on.
      ...(showsInstructions ? [readonly(AGGREGATOR_PROGRAM)] : []),
    ],
  };
}
