import { ChainUnavailable } from '../../chain/chain.ts';
import type { Prices } from '../../market/prices/prices.ts';
import { createInitializeOrder } from '../../protocols/jupiter-limit-order/instructions.ts';
import {
  decodeLimitOrderRates,
  LIMIT_ORDER_SIZE,
  type LimitOrderFee,
} from '../../protocols/jupiter-limit-order/layout.ts';
import {
  deriveLimitOrder,
  deriveOrderReserve,
  LIMIT_ORDER_FEE,
  LIMIT_ORDER_PROGRAM,
} from '../../protocols/jupiter-limit-order/program.ts';
import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { readAccounts } from '../../transactions/build/build-transaction.ts';
import type { AccountStates, CreatedAccount } from '../../transactions/build/costs.ts';
import {
  type CraftDependencies,
  type CraftedTransaction,
  craftSigned,
  type WalletPlan,
} from '../../transactions/signed/craft-signed.ts';
import { createInputFunding } from './fund-input.ts';
import { createImpossibleOrder, type ImpossibleOrder } from './impossible-order.ts';
import { findOrderTokenAccount, findPaymentObstacle, type LimitMint, readLimitMint } from './limit-mint.ts';
import { chooseFeeBps, findTermsObjection, type LimitOrderRequest } from './limit-terms.ts';

export interface LimitCraftDependencies extends CraftDependencies {
  readonly prices: Pick<Prices, 'worthInDollars'>;
  /** Returns a random u64, from which the address of a new order is derived. */
  readonly newOrderNumber: () => bigint;
}

/** A transaction that the maker may sign, and the order that it places. */
export type CraftedLimitOrder = CraftedTransaction & { readonly order: Address };

const ORDER_RENT = computeRentExemptMinimum(LIMIT_ORDER_SIZE);

/**
 * Makes the transaction that places an order. The maker deposits, and the payer pays fees and rents. Those of the order and
 * its reserve go to the maker when it is filled or cancelled.
 *
 * The maker's account for the output is created, because a fill pays into it and nobody else pays its rent. There is none for
 * SOL that is to be paid as SOL itself.
 *
 * @throws ChainUnavailable when the network does not answer
 */
export async function craftLimitOrder(
  dependencies: LimitCraftDependencies,
  request: LimitOrderRequest,
): Promise<CraftedLimitOrder | ImpossibleOrder> {
  const { chain, prices, newOrderNumber } = dependencies;
  const { maker, payer, inputMint, outputMint, making, referral } = request;
  const states = await readAccounts(chain, { feePayer: payer, creations: [], spends: [] }, [
    inputMint,
    outputMint,
    LIMIT_ORDER_FEE,
    ...(referral === null ? [] : [referral.account]),
  ]);
  const rates = readRates(states);
  const objection = findTermsObjection(request, {
    now: chain.clock().unixTimestamp,
    rates,
    dollars: prices.worthInDollars(inputMint, making),
  });
  if (objection !== null) return createImpossibleOrder(objection);
  const input = readLimitMint('inputMint', inputMint, states);
  if ('kind' in input) return input;
  const output = readLimitMint('outputMint', outputMint, states);
  if ('kind' in output) return output;
  const uniqueId = newOrderNumber();
  const plan = planOrder(request, { input, output, uniqueId, feeBps: chooseFeeBps(request, rates) });
  const known = new Map([...states, ...(await readAccounts(chain, plan))]);
  const obstacle =
    findReferralObstacle(request, output, states) ?? findObstacle(request, { input, output }, known);
  if (obstacle !== null) return createImpossibleOrder(obstacle);
  const crafted = await craftSigned(dependencies, 'limit-order', plan, known);
  if (crafted.kind !== 'crafted') return createImpossibleOrder(crafted.error);
  return { ...crafted, order: deriveLimitOrder(maker, uniqueId).address };
}

interface OrderMints {
  readonly input: LimitMint;
  readonly output: LimitMint;
}

interface PlannedOrder extends OrderMints {
  readonly uniqueId: bigint;
  readonly feeBps: number | null;
}

function planOrder(
  { maker, payer, making, taking, expiredAt, slippageBps, referral, wrapsSol, unitPrice }: LimitOrderRequest,
  { input, output, uniqueId, feeBps }: PlannedOrder,
): WalletPlan {
  const order = deriveLimitOrder(maker, uniqueId).address;
  const funding = createInputFunding({
    wallet: maker,
    payer,
    mint: input.mint,
    tokenProgram: input.tokenProgram,
    amount: making,
    wrapsSol,
  });
  const isInSol = isPaidInSol(output, wrapsSol);
  const receiver = deriveAssociatedTokenAddress(maker, output.mint, output.tokenProgram);
  const initialize = createInitializeOrder({
    payer,
    maker,
    input,
    output,
    referral: referral?.account ?? null,
    uniqueId,
    making,
    taking,
    expiredAt,
    feeBps,
    // Without one, the arguments are those of the older interface, which recorded transactions have.
    slippageBps: slippageBps === 0 ? null : slippageBps,
  });
  const create = createAssociatedTokenIdempotent(
    { payer, owner: maker, mint: output.mint, tokenProgram: output.tokenProgram },
    receiver,
  );
  return {
    feePayer: payer,
    instructions: (rents) => [
      ...(isInSol ? [] : [create]),
      ...funding.before(rents),
      initialize,
      ...funding.after(rents),
    ],
    creations: [
      ...(isInSol ? [] : [createAccount(receiver, () => output.accountRent)]),
      ...funding.creations,
      createAccount(order, () => ORDER_RENT),
      createAccount(deriveOrderReserve(order, input.mint, input.tokenProgram), () => input.accountRent),
    ],
    spends: funding.spends,
    competesFor: [funding.account],
    asked: unitPrice === null ? null : { kind: 'unitPrice', microLamports: unitPrice },
  };
}

function createAccount(account: Address, rent: () => bigint): CreatedAccount {
  return { account, rent, isReturned: false };
}

function isPaidInSol({ mint }: LimitMint, wrapsSol: boolean): boolean {
  return mint === WRAPPED_SOL_MINT && wrapsSol;
}

/** Fees that cannot be paid would keep the order from being filled. */
function findReferralObstacle(
  { referral }: LimitOrderRequest,
  output: LimitMint,
  states: AccountStates,
): string | null {
  if (referral === null) return null;
  const tokens = findOrderTokenAccount(referral.account, output, states);
  if (tokens === null) {
    return `feeAccount must be a token account of outputMint ${output.mint}, got ${referral.account}`;
  }
  const obstacle = findPaymentObstacle(tokens);
  return obstacle === null
    ? null
    : `feeAccount ${referral.account} ${obstacle}, so that no fee could be paid to it`;
}

/** Finds what would keep the order from being opened, or from being filled. */
function findObstacle(
  { maker, wrapsSol }: LimitOrderRequest,
  { input, output }: OrderMints,
  states: AccountStates,
): string | null {
  if (input.opensFrozen) return `inputMint ${input.mint} opens accounts frozen, so no order can hold it`;
  if (isPaidInSol(output, wrapsSol)) return null;
  const account = deriveAssociatedTokenAddress(maker, output.mint, output.tokenProgram);
  const tokens = findOrderTokenAccount(account, output, states);
  if (tokens === null) {
    return output.opensFrozen
      ? `outputMint ${output.mint} opens accounts frozen, so the order could not be paid to a new account of ${maker}`
      : null;
  }
  if (tokens.owner !== maker) {
    return `the associated account ${account} of maker ${maker} for outputMint has been given to ${tokens.owner}`;
  }
  const obstacle = findPaymentObstacle(tokens);
  return obstacle === null
    ? null
    : `the account ${account} of maker ${maker} for outputMint ${obstacle}, so that the order could not be filled`;
}

/** @throws ChainUnavailable when the network has no such program, or its rates cannot be read */
function readRates(states: AccountStates): Pick<LimitOrderFee, 'normalFeeBps' | 'stableFeeBps'> {
  const account = states.get(LIMIT_ORDER_FEE) ?? null;
  if (account?.owner !== LIMIT_ORDER_PROGRAM) {
    throw new ChainUnavailable(
      `the network has no program of limit orders: ${LIMIT_ORDER_FEE} holds no rates of ${LIMIT_ORDER_PROGRAM}`,
      'refused',
    );
  }
  try {
    return decodeLimitOrderRates(account.data);
  } catch (error) {
    if (error instanceof LayoutInvalid) throw new ChainUnavailable(error.message, 'refused');
    throw error;
  }
}
