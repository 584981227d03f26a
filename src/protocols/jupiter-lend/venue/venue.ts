import { LENDING } from '../lending/layouts.ts';
import { LENDING_PROGRAM } from '../lending-base/programs.ts';
import type { Address } from '../../../solana/address.ts';
import { readonly } from '../../../solana/messages/instruction.ts';
import { Swap } from '../../../protocol/venue/aggregator-step.ts';
import type { RouteStep, SwapParties, Venue } from '../../../protocol/venue/venue.ts';
import { estimate } from './estimate.ts';
import { listDepositAccounts, type LendingAddresses, listRedeemAccounts } from './instructions.ts';
import { decodePoolState, listLendingDependencies, isPool, type LendingPool } from './pool.ts';
import { quoteExactIn, quoteExactOut } from './quote.ts';

/** Receipt tokens of the lending program, such as jlUSDC: deposits give them, and redemptions take them back. */
export const lending: Venue<LendingPool> = {
  label: 'Jupiter Lend',
  program: LENDING_PROGRAM,
  isPool,
  poolFilter: LENDING.filter,
  dependencies: (_address, account) => listLendingDependencies(account),
  decode: decodePoolState,
  quoteExactIn,
  quoteExactOut,
  estimate,
  vaults: ({ vault, receiptMint }) => [vault, receiptMint],
  isIssuer: true,
  issuesReceipts: true,
  // A deposit runs the most: it announces the tokens, moves and registers them, and mints.
  calls: () => 5,
  routeStep,
};

/** The aggregator calls `deposit` and `redeem`. */
function routeStep(pool: LendingAddresses, inputMint: Address, user: SwapParties): RouteStep {
  const deposits = inputMint === pool.mint;
  const accountsOf = deposits ? listDepositAccounts : listRedeemAccounts;
  return {
    swap: deposits ? Swap.jupiterLendDeposit : Swap.jupiterLendRedeem,
    accounts: [readonly(LENDING_PROGRAM), ...accountsOf(pool, user)],
  };
}
