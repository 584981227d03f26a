import type { Account } from '../../src/chain/accounts.ts';
import type { Chain } from '../../src/chain/chain.ts';
import type { LandedTransaction } from '../../src/chain/landed-transactions.ts';
import { readTokenBalance } from '../../src/protocol/positions/token-balance.ts';
import type { Address } from '../../src/solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../src/solana/program-addresses.ts';
import { decodeTokenAccount, isTokenAccount } from '../../src/solana/programs/token/account.ts';
import { ENDED_STATES } from '../../src/waiting-orders/machine.ts';
import type { OrderTransaction, WaitingOrder } from '../../src/waiting-orders/waiting-order.ts';

/** An order as the store has it after everything came to rest. */
export interface StoredOrderRecord {
  readonly order: WaitingOrder;
  readonly transactions: readonly OrderTransaction[];
}

export interface ReckoningBounds {
  /** Returns the least atoms of the output that a fill of `input` atoms may have paid, by every price that there ever was. */
  readonly leastOutput: (order: WaitingOrder, input: bigint) => bigint;
}

/** What the chain and the store together say about the money of an order. Amounts are atoms. */
interface OrderFlows {
  deposited: bigint;
  /** What strangers have sent to the order's account. */
  given: bigint;
  sold: bigint;
  bought: bigint;
  withdrawn: bigint;
  balance: bigint;
  /** The balance, unless the account was handed over to the wallet. */
  left: bigint;
}

/** The most transactions that are read of an order's account. */
const MAX_READ = 1_000;

/**
 * Compares what the store says of orders with what the chain has done: every atom that was deposited has to be in the account of
 * its order, with its wallet, or sold for an output that the wallet got; no fill may be unrecorded, made twice, or outside of the
 * bounds of its order; and nothing may be left under way.
 *
 * @returns a sentence for each difference
 */
export async function findOrderDifferences(
  chain: Pick<Chain, 'getAccounts' | 'signaturesOf' | 'transaction'>,
  records: readonly StoredOrderRecord[],
  bounds: ReckoningBounds,
): Promise<readonly string[]> {
  const differences: string[] = [];
  for (const record of records) {
    const found = await reckonOrder(chain, record, bounds);
    differences.push(
      ...found.map((difference) => `order ${record.order.id} (${record.order.state}): ${difference}`),
    );
  }
  const accounts = records.map(({ order }) => order.account);
  if (new Set(accounts).size !== accounts.length) differences.push('two orders have the same account');
  return differences;
}

async function reckonOrder(
  chain: Parameters<typeof findOrderDifferences>[0],
  { order, transactions }: StoredOrderRecord,
  bounds: ReckoningBounds,
): Promise<readonly string[]> {
  const landed = new Map<string, LandedTransaction>();
  for (const { signature } of await chain.signaturesOf(order.account, { limit: MAX_READ })) {
    const transaction = await chain.transaction(signature);
    if (transaction !== null) landed.set(signature, transaction);
  }
  const [update] = await chain.getAccounts([order.account]);
  const account = update?.account ?? null;
  const flows: OrderFlows = {
    deposited: 0n,
    given: 0n,
    sold: 0n,
    bought: 0n,
    withdrawn: 0n,
    balance: readTokenBalance(account),
    left: isOwnedBy(account, order.wallet) ? 0n : readTokenBalance(account),
  };
  const differences = transactions.flatMap((transaction) => [
    ...checkOutcome(transaction, landed.get(transaction.signature)),
    ...countTransaction(flows, order, transaction, landed.get(transaction.signature), bounds),
  ]);
  const recorded = new Set(transactions.map(({ signature }) => signature));
  for (const [signature, transaction] of landed) {
    if (recorded.has(signature) || transaction.error !== null) continue;
    const change = getTokenChange(transaction, order.account);
    if (change >= 0n) flows.given += change;
    else differences.push(`${-change} atoms left its account in ${signature}, which is not recorded`);
  }
  return [...differences, ...checkFlows(flows, order), ...checkRest(order, transactions)];
}

function checkOutcome(
  { kind, number, outcome }: OrderTransaction,
  landed: LandedTransaction | undefined,
): readonly string[] {
  const onChain = landed === undefined ? 'expired' : landed.error === null ? 'success' : 'failed';
  return outcome === onChain
    ? []
    : [`${kind} ${number} is ${outcome} in the store and ${onChain} on the chain`];
}

/** Adds a recorded transaction that succeeded to the flows. */
function countTransaction(
  flows: OrderFlows,
  order: WaitingOrder,
  { kind, number, inputAmount, outputAmount, triggeredPrice, createdAt }: OrderTransaction,
  landed: LandedTransaction | undefined,
  bounds: ReckoningBounds,
): readonly string[] {
  if (landed === undefined || landed.error !== null) return [];
  const change = getTokenChange(landed, order.account);
  if (kind === 'deposit') {
    flows.deposited += change;
    return change === inputAmount ? [] : [`its deposit paid ${change} atoms and not ${inputAmount}`];
  }
  if (kind === 'withdrawal') {
    flows.withdrawn -= change;
    return change < 0n ? [] : ['its withdrawal took nothing out of its account'];
  }
  const bought = findOutput(landed, order, outputAmount ?? 0n);
  flows.sold -= change;
  flows.bought += bought ?? 0n;
  const least = bounds.leastOutput(order, -change);
  return [
    ...(bought === null ? [`fill ${number} did not pay ${outputAmount} atoms to its wallet`] : []),
    ...(bought !== null && bought < least
      ? [`fill ${number} paid ${bought} atoms, and at least ${least} were due`]
      : []),
    ...(isReached(order, triggeredPrice) ? [] : [`fill ${number} was triggered at ${triggeredPrice}`]),
    ...(createdAt < order.expiresAt ? [] : [`fill ${number} was made after the order had expired`]),
  ];
}

function checkFlows(flows: OrderFlows, order: WaitingOrder): readonly string[] {
  const { deposited, given, sold, bought, withdrawn, balance, left } = flows;
  const isEnded = (ENDED_STATES as readonly string[]).includes(order.state);
  const text = JSON.stringify(flows, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  return [
    ...(deposited + given === sold + withdrawn + balance ? [] : [`its atoms do not add up: ${text}`]),
    ...(bought === order.received
      ? []
      : [`it has received ${order.received} atoms by the store, and ${bought} on the chain`]),
    ...(isEnded && left > 0n ? [`it has ended, and ${left} atoms are in its account`] : []),
    // What strangers sent is sold first or last: only the sum is known.
    ...(isEnded || (balance >= order.remaining && balance <= order.remaining + given)
      ? []
      : [`${order.remaining} atoms remain by the store, and ${balance} on the chain`]),
    ...(order.state === 'fill_success' && withdrawn > 0n ? ['it was filled and withdrawn'] : []),
    ...(order.state === 'cancelled' && withdrawn === 0n ? ['it was cancelled and not withdrawn'] : []),
    ...(order.state === 'deposit_failed' && deposited > 0n ? ['its deposit failed and landed'] : []),
  ];
}

/** Whether a token account was handed over to the wallet. What is in it is the wallet's then. */
function isOwnedBy(account: Account | null, wallet: Address): boolean {
  return (
    account !== null && isTokenAccount(account.data) && decodeTokenAccount(account.data).owner === wallet
  );
}

/** Nothing may be under way any more. */
function checkRest(order: WaitingOrder, transactions: readonly OrderTransaction[]): readonly string[] {
  const pending = transactions.filter(({ outcome }) => outcome === 'pending').length;
  const isUnderWay = ['depositing', 'executing', 'withdrawing'].includes(order.state);
  return [
    ...(isUnderWay ? ['it is still under way'] : []),
    ...(pending > 0 ? [`${pending} of its transactions are pending`] : []),
    ...(transactions.length === order.transactions ? [] : ['a number of its transactions is missing']),
  ];
}

function isReached({ condition, triggerPrice }: WaitingOrder, price: number | null): boolean {
  if (price === null) return false;
  return condition === 'above' ? price >= triggerPrice : price <= triggerPrice;
}

function getTokenChange(
  { preTokenBalances, postTokenBalances }: LandedTransaction,
  account: Address,
): bigint {
  const amountIn = (balances: LandedTransaction['preTokenBalances']) =>
    balances.find((balance) => balance.account === account)?.amount ?? 0n;
  return amountIn(postTokenBalances) - amountIn(preTokenBalances);
}

/**
 * Returns what a fill paid to the wallet, if it is what the store says; otherwise null. SOL arrives as lamports, with or without
 * the rent of the order's account.
 */
function findOutput(
  landed: LandedTransaction,
  { wallet, account, outputMint }: WaitingOrder,
  said: bigint,
): bigint | null {
  if (outputMint !== WRAPPED_SOL_MINT) return sumOwned(landed, wallet, outputMint) === said ? said : null;
  const paid = getLamportChange(landed, wallet);
  const rent = -getLamportChange(landed, account);
  return paid === said || paid === said + rent ? said : null;
}

/** Returns by how much the token accounts of a wallet grew together. */
function sumOwned(
  { preTokenBalances, postTokenBalances }: LandedTransaction,
  wallet: Address,
  of: Address,
): bigint {
  const sum = (balances: LandedTransaction['preTokenBalances']) =>
    balances
      .filter(({ owner, mint }) => owner === wallet && mint === of)
      .reduce((total, { amount }) => total + amount, 0n);
  return sum(postTokenBalances) - sum(preTokenBalances);
}

function getLamportChange({ accounts, preBalances, postBalances }: LandedTransaction, of: Address): bigint {
  const at = accounts.indexOf(of);
  return (postBalances[at] ?? 0n) - (preBalances[at] ?? 0n);
}
