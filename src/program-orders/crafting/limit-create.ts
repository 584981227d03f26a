import { ChainUnavailable, decodeFromChain } from '../../chain/chain.ts';
import { createInitializeOrder, type OrderToken } from '../../protocols/jupiter-limit-order/instructions.ts';
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
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { computeAssociatedAccountSize } from '../../solana/programs/token/associated-size.ts';
import { decodeMint } from '../../solana/programs/token/mint.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { readAccounts } from '../../transactions/build/build-transaction.ts';
import type { AccountStates, CreatedAccount } from '../../transactions/build/costs.ts';
import {
  type CraftedTransaction,
  craftSigned,
  type WalletPlan,
} from '../../transactions/signed/craft-signed.ts';
import type { OrderCraftDependencies } from './craft-dependencies.ts';
import { createInputFunding } from './fund-input.ts';
import { createImpossibleOrder, type ImpossibleOrder } from './impossible-order.ts';
import { chooseFeeBps, findTermsObjection, type LimitOrderRequest } from './limit-terms.ts';
import { findFeeAccountObjection, findOrderToken, findReceiverObjection } from './limit-tokens.ts';

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
  dependencies: OrderCraftDependencies,
  request: LimitOrderRequest,
): Promise<CraftedLimitOrder | ImpossibleOrder> {
  const { chain, prices, newOrderNumber } = dependencies;
  const { maker, payer, inputMint, outputMint, making, referral } = request;
  const plain = { feePayer: payer, creations: [], spends: [] };
  const states = await readAccounts(chain, plain, [
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
  const input = findOrderToken('inputMint', inputMint, states);
  if (typeof input === 'string') return createImpossibleOrder(input);
  const output = findOrderToken('outputMint', outputMint, states);
  if (typeof output === 'string') return createImpossibleOrder(output);
  const refused = referral === null ? null : findFeeAccountObjection(referral.account, output, states);
  if (refused !== null) return createImpossibleOrder(refused);
  const uniqueId = newOrderNumber();
  const plan = planOrder(request, { input, output, uniqueId, feeBps: chooseFeeBps(request, rates) }, states);
  const known = new Map([...states, ...(await readAccounts(chain, plan))]);
  const unpayable = isPaidInSol(request) ? null : findReceiverObjection(maker, output, known);
  if (unpayable !== null) return createImpossibleOrder(unpayable);
  const crafted = await craftSigned(dependencies, 'limit-order', plan, known);
  if (crafted.kind !== 'crafted') return createImpossibleOrder(crafted.error);
  return { ...crafted, order: deriveLimitOrder(maker, uniqueId).address };
}

interface PlannedOrder {
  readonly input: OrderToken;
  readonly output: OrderToken;
  readonly uniqueId: bigint;
  readonly feeBps: number | null;
}

function isPaidInSol({ outputMint, wrapsSol }: LimitOrderRequest): boolean {
  return outputMint === WRAPPED_SOL_MINT && wrapsSol;
}

function planOrder(
  request: LimitOrderRequest,
  { input, output, uniqueId, feeBps }: PlannedOrder,
  states: AccountStates,
): WalletPlan {
  const { maker, payer, making, taking, expiredAt, slippageBps, referral, wrapsSol, unitPrice } = request;
  const order = deriveLimitOrder(maker, uniqueId).address;
  const funding = createInputFunding({
    wallet: maker,
    payer,
    ...input,
    amount: making,
    wrapsSol,
  });
  const opensReceiver = !isPaidInSol(request);
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
      ...(opensReceiver ? [create] : []),
      ...funding.before(rents),
      initialize,
      ...funding.after(rents),
    ],
    creations: [
      ...(opensReceiver ? [createAccount(receiver, () => computeTokenRent(output, states))] : []),
      ...funding.creations,
      createAccount(order, () => ORDER_RENT),
      createAccount(deriveOrderReserve(order, input.mint, input.tokenProgram), () =>
        computeTokenRent(input, states),
      ),
    ],
    spends: funding.spends,
    competesFor: [funding.account],
    asked: unitPrice === null ? null : { kind: 'unitPrice', microLamports: unitPrice },
  };
}

function createAccount(account: Address, rent: () => bigint): CreatedAccount {
  return { account, rent, isReturned: false };
}

function computeTokenRent({ mint, tokenProgram }: OrderToken, states: AccountStates): bigint {
  const account = states.get(mint);
  if (account == null) throw new RangeError(`the mint ${mint} was not read`);
  return computeRentExemptMinimum(computeAssociatedAccountSize(tokenProgram, decodeMint(account.data)));
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
  return decodeFromChain(LIMIT_ORDER_FEE, () => decodeLimitOrderRates(account.data));
}
