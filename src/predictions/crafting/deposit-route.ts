import type { Chain } from '../../chain/chain.ts';
import { JUPUSD_MINT } from '../../protocols/jupiter-prediction/prediction-program.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import type { LookupTableContents } from '../../solana/messages/message-accounts.ts';
import { bps } from '../../solana/units.ts';
import { findAccounts, listCleanupInstructions, removeCreations } from '../../swaps/build/around-swap.ts';
import { findBestFit, type RoutingDependencies } from '../../swaps/build/best-fit.ts';
import { createSwapTerms } from '../../swaps/build/swap-terms.ts';
import { SwapRefused } from '../../swaps/refusals.ts';
import { refuseOrder } from '../prediction-refused.ts';

/** How much less than quoted a deposit may become on its way. */
const SLIPPAGE = bps(10);
/** The most instructions that the program of an order calls: two accounts of its own, the order's token account, a transfer. */
const ORDER_CALLS = 12;

export interface DepositRouteDependencies extends RoutingDependencies {
  readonly chain: RoutingDependencies['chain'] & Pick<Chain, 'getAccounts'>;
}

/** A deposit of another token than the one that orders settle in. */
export interface ForeignDeposit {
  readonly owner: Address;
  /** Pays the rent of token accounts. */
  readonly payer: Address;
  readonly mint: Address;
  readonly amount: bigint;
  /** The owner's account that the route pays into. */
  readonly account: Address;
  readonly isAccountOpen: boolean;
  /** The instruction that follows; only its size counts. */
  readonly order: Instruction;
}

/** How a deposit becomes JupUSD within the transaction of an order. */
export interface DepositRoute {
  readonly instructions: readonly Instruction[];
  /** The least JupUSD that arrives, in micro USD. */
  readonly deposit: bigint;
  readonly lookupTables: LookupTableContents | null;
}

/**
 * Finds the route of a deposit to JupUSD.
 * @throws PredictionRefused when there is no route that fits the transaction
 */
export async function findDepositRoute(
  dependencies: DepositRouteDependencies,
  { owner, payer, mint, amount, account, isAccountOpen, order }: ForeignDeposit,
): Promise<DepositRoute> {
  const terms = createSwapTerms({
    inputMint: mint,
    outputMint: JUPUSD_MINT,
    amount,
    taker: owner,
    payer,
    fast: true,
    // The rent of what a sponsor creates is counted in its budget, so nothing has to secure it.
    chargesRent: true,
    alongside: { instructions: [order], calls: ORDER_CALLS },
  });
  const { assembly } = findRoute(dependencies, terms);
  const { setup, swap, closings, threshold, tables } = assembly;
  const isDirect = closings.length === 0;
  const found = isDirect ? null : await findAccounts(dependencies.chain, assembly);
  const existing = found?.existing ?? new Set(isAccountOpen ? [account] : []);
  const missing = found?.missing ?? new Set(isAccountOpen ? [] : [account]);
  const created = payer === owner ? setup : removeCreations(setup, existing);
  return {
    instructions: [...created, swap, ...listCleanupInstructions(assembly, missing)],
    deposit: threshold,
    lookupTables: tables,
  };
}

function findRoute(dependencies: RoutingDependencies, terms: ReturnType<typeof createSwapTerms>) {
  try {
    return findBestFit(dependencies, terms, null, () => SLIPPAGE);
  } catch (error) {
    if (!(error instanceof SwapRefused)) throw error;
    return refuseOrder('create_order_failed', `the deposit cannot become JupUSD: ${error.message}`);
  }
}
