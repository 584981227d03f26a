import type { AccountUpdate } from '../../chain/accounts.ts';
import { mapInTurns, sortInTurns, type Work } from '../../common/work/work.ts';
import {
  createCancelOrder,
  type PlacedLimitOrder,
} from '../../protocols/jupiter-limit-order/instructions.ts';
import {
  decodeLimitOrder,
  LIMIT_ORDER_MAKER_AT,
  type LimitOrder,
} from '../../protocols/jupiter-limit-order/layout.ts';
import { LIMIT_ORDER_PROGRAM } from '../../protocols/jupiter-limit-order/program.ts';
import { type Address, toAddressBytes } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { readAccounts } from '../../transactions/build/build-transaction.ts';
import type { AccountStates } from '../../transactions/build/costs.ts';
import {
  type CraftDependencies,
  type CraftedTransaction,
  type Crafting,
  craftSigned,
  type WalletPlan,
} from '../../transactions/signed/craft-signed.ts';
import { MAX_SEALED_MESSAGES, sealMessages } from '../../transactions/signed/seal.ts';
import { createImpossibleOrder, type ImpossibleOrder } from './impossible-order.ts';
import { findTokensAt } from './limit-tokens.ts';

/** Orders that one transaction cancels. */
const CANCELS_PER_TRANSACTION = 5;
/** Orders that one request cancels. */
export const MAX_CANCELLED = CANCELS_PER_TRANSACTION * MAX_SEALED_MESSAGES;

/** What a maker wants to cancel. */
export interface LimitCancellation {
  readonly maker: Address;
  /** Null for all open orders of the maker, up to `MAX_CANCELLED`, the oldest first. */
  readonly orders: readonly Address[] | null;
  /** Micro-lamports for a compute unit; null leaves it to the service. */
  readonly unitPrice: bigint | null;
}

/** Transactions that the maker may sign, with one request id for all of them. */
export interface CraftedCancellations {
  readonly kind: 'crafted';
  readonly requestId: string;
  readonly transactions: readonly CraftedTransaction[];
}

/** None of the addresses is that of an open order of the maker. */
export interface NoMatchingOrders {
  readonly kind: 'none';
  readonly error: string;
}

export const NO_MATCHING_ORDERS = 'no matching orders found';

/**
 * Makes the transactions that cancel orders: the maker gets what is left of the input, and all rent. SOL are paid as SOL
 * itself, unless the maker has an account of wrapped SOL. Addresses that are not those of open orders of the maker are left
 * out, because an order may have been filled since the client looked. Of all orders of a maker, those that cannot be
 * cancelled now are left out too.
 *
 * @throws ChainUnavailable when the network does not answer
 */
export async function craftLimitCancellations(
  dependencies: CraftDependencies,
  { maker, orders, unitPrice }: LimitCancellation,
  work: Work,
): Promise<CraftedCancellations | NoMatchingOrders | ImpossibleOrder> {
  const { chain, sealKey } = dependencies;
  const found =
    orders === null
      ? await fetchMakersOrders(dependencies, maker, work)
      : await readOrders(await chain.getAccounts([...new Set(orders)].slice(0, MAX_CANCELLED)), work);
  const own = found.filter((order) => order.maker === maker);
  if (own.length === 0) return { kind: 'none', error: describeMissing(orders) };
  const receivers = own.map((order) => deriveReceiver(order));
  const states = await readAccounts(chain, { feePayer: maker, creations: [], spends: [] }, receivers);
  const craft = (some: readonly CancellableOrder[]) =>
    craftSigned(dependencies, 'limit-order', planCancellation({ maker, unitPrice }, some, states), states);
  const transactions: CraftedTransaction[] = [];
  let refusal: string | null = null;
  for (let at = 0; at < own.length; at += CANCELS_PER_TRANSACTION) {
    const some = own.slice(at, at + CANCELS_PER_TRANSACTION);
    let crafted = await craft(some);
    if (crafted.kind === 'refused' && orders === null) {
      refusal = crafted.error;
      const possible = await findCancellable(some, craft);
      if (possible.length === 0) continue;
      crafted = await craft(possible);
    }
    if (crafted.kind !== 'crafted') return createImpossibleOrder(crafted.error);
    transactions.push(crafted);
  }
  if (transactions.length === 0 && refusal !== null) return createImpossibleOrder(refusal);
  return { kind: 'crafted', requestId: sealMessages(sealKey, 'limit-order', transactions), transactions };
}

function planCancellation(
  { maker, unitPrice }: Pick<LimitCancellation, 'maker' | 'unitPrice'>,
  orders: readonly CancellableOrder[],
  states: AccountStates,
): WalletPlan {
  return {
    feePayer: maker,
    // What the rent of an account is, the simulation finds out: the order's own rents come back in the same transaction.
    creations: [],
    spends: [],
    instructions: () => orders.flatMap((order) => createCancellation(order, states)),
    competesFor: orders.map(({ address }) => address),
    asked: unitPrice === null ? null : { kind: 'unitPrice', microLamports: unitPrice },
  };
}

/** Finds those of some orders that can be cancelled now. One whose token is frozen or paused must not keep the others. */
async function findCancellable(
  orders: readonly CancellableOrder[],
  craft: (some: readonly CancellableOrder[]) => Promise<Crafting>,
): Promise<readonly CancellableOrder[]> {
  const possible: CancellableOrder[] = [];
  for (const order of orders) {
    if ((await craft([order])).kind !== 'refused') possible.push(order);
  }
  return possible;
}

type CancellableOrder = PlacedLimitOrder & Pick<LimitOrder, 'createdAt'>;

async function fetchMakersOrders(
  { chain }: CraftDependencies,
  maker: Address,
  work: Work,
): Promise<readonly CancellableOrder[]> {
  const filter = { memcmp: { offset: LIMIT_ORDER_MAKER_AT, bytes: toAddressBytes(maker) } };
  const found = await chain.getProgramAccounts(LIMIT_ORDER_PROGRAM, 'confirmed', filter);
  const sorted = await sortInTurns(work, await readOrders(found, work), (one, other) =>
    Number(one.createdAt - other.createdAt),
  );
  return sorted.slice(0, MAX_CANCELLED);
}

/** Leaves out what is no order. */
async function readOrders(
  updates: readonly AccountUpdate[],
  work: Work,
): Promise<readonly CancellableOrder[]> {
  return (await mapInTurns(work, updates, readOrder)).flat();
}

function readOrder({ address, account }: AccountUpdate): readonly CancellableOrder[] {
  if (account?.owner !== LIMIT_ORDER_PROGRAM) return [];
  try {
    return [{ ...decodeLimitOrder(account.data), address }];
  } catch (error) {
    if (error instanceof LayoutInvalid) return [];
    throw error;
  }
}

function describeMissing(orders: readonly Address[] | null): string {
  if (orders === null) return 'the maker has no open order';
  const [only = '', ...others] = orders;
  return others.length === 0
    ? `${only} is not an open order of the maker`
    : `none of ${orders.length} addresses is that of an open order of the maker`;
}

function deriveReceiver({ maker, inputMint, inputTokenProgram }: PlacedLimitOrder): Address {
  return deriveAssociatedTokenAddress(maker, inputMint, inputTokenProgram);
}

function createCancellation(order: CancellableOrder, states: AccountStates): readonly Instruction[] {
  const { maker, inputMint: mint, inputTokenProgram: tokenProgram } = order;
  const receiver = deriveReceiver(order);
  if (mint === WRAPPED_SOL_MINT) {
    const isTheirs = findTokensAt(receiver, { mint, tokenProgram }, states)?.owner === maker;
    return [createCancelOrder(order, maker, isTheirs ? receiver : null)];
  }
  const create = createAssociatedTokenIdempotent(
    { payer: maker, owner: maker, mint, tokenProgram },
    receiver,
  );
  return [create, createCancelOrder(order, maker, receiver)];
}
