import type { Account } from '../../src/chain/accounts.ts';
import type { Chain } from '../../src/chain/chain.ts';
import type { LandedTransaction } from '../../src/chain/landed-transactions.ts';
import { readTokenBalance } from '../../src/protocol/positions/token-balance.ts';
import type { Address } from '../../src/solana/address.ts';
import { decodeTokenAccount, isTokenAccount } from '../../src/solana/programs/token/account.ts';
import { ENDED_STATES } from '../../src/waiting-orders/machine.ts';
import type { OrderTransaction, WaitingOrder } from '../../src/waiting-orders/waiting-order.ts';
import { findOutput, getPayerLoss, getTokenChange } from './landed-changes.ts';
import { checkFills, type ReckonedFill } from './reckoned-fills.ts';
import { holdsRest, isWorth, type ShareRates } from './reckoned-shares.ts';
import type { OrderWishes } from './trading-wallet.ts';

/** An order as the store has it after everything came to rest. */
export interface StoredOrderRecord {
  readonly order: WaitingOrder;
  readonly transactions: readonly OrderTransaction[];
}

export interface ReckoningBounds {
  /** Returns the least atoms of the output that a fill of `input` atoms may have paid, by every price that there ever was. */
  readonly leastOutput: (order: WaitingOrder, fill: OrderTransaction, input: bigint) => bigint;
  /** Returns what its wallet has asked of an order; null if it knows of none. */
  readonly wishes: (order: WaitingOrder) => OrderWishes | null;
  readonly rates: ShareRates;
}

/** What the chain and the store together say about the money in one account of an order. Amounts are atoms. */
interface AccountFlows {
  readonly account: Address;
  /** What its deposit, or the fills of its entry, have paid in. */
  credited: bigint;
  /** What strangers have sent to it. */
  given: bigint;
  sold: bigint;
  withdrawn: bigint;
  readonly balance: bigint;
  /** The balance, unless the account was handed over to the wallet. */
  readonly left: bigint;
}

/** An order, and everything that has happened to its accounts. */
interface OrderAccounts extends StoredOrderRecord {
  readonly input: AccountFlows;
  /** Holds what an `otoco` order has bought; null for others. */
  readonly bought: AccountFlows | null;
  readonly landed: ReadonlyMap<string, LandedTransaction>;
  readonly fills: ReckonedFill[];
  /** Atoms that fills have paid to the wallet. */
  received: bigint;
}

/** The most transactions that are read of an account. */
const MAX_READ = 1_000;

/**
 * Compares what the store says of orders with what the chain has done: every atom that was deposited or bought has to be in an
 * account of its order, with its wallet, or sold for an output that the wallet got; no fill may be unrecorded, made twice, or
 * outside of what its wallet asked for; and nothing may be left under way.
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
    const found = reckonOrder(await readAccounts(chain, record), bounds);
    const { id, state, plan } = record.order;
    differences.push(...found.map((difference) => `order ${id} (${plan.kind}, ${state}): ${difference}`));
  }
  const accounts = records.flatMap(({ order }) => listAccounts(order));
  if (new Set(accounts).size !== accounts.length) differences.push('two orders have the same account');
  return differences;
}

/** The token accounts of the vault that an order has. */
export function listAccounts({ account, plan }: WaitingOrder): readonly Address[] {
  return plan.kind === 'otoco' ? [account, plan.outputAccount] : [account];
}

async function readAccounts(
  chain: Parameters<typeof findOrderDifferences>[0],
  record: StoredOrderRecord,
): Promise<OrderAccounts> {
  const { wallet } = record.order;
  const addresses = listAccounts(record.order);
  const landed = new Map<string, LandedTransaction>();
  for (const address of addresses) {
    for (const { signature } of await chain.signaturesOf(address, { limit: MAX_READ })) {
      const transaction = await chain.transaction(signature);
      if (transaction !== null) landed.set(signature, transaction);
    }
  }
  const updates = await chain.getAccounts(addresses);
  const [input = null, bought = null] = addresses.map((account, index) =>
    startFlows(account, wallet, updates[index]?.account ?? null),
  );
  if (input === null) throw new RangeError('an order has at least one account');
  return { ...record, input, bought, landed, fills: [], received: 0n };
}

function startFlows(account: Address, wallet: Address, held: Account | null): AccountFlows {
  const balance = readTokenBalance(held);
  const left = isOwnedBy(held, wallet) ? 0n : balance;
  return { account, credited: 0n, given: 0n, sold: 0n, withdrawn: 0n, balance, left };
}

function reckonOrder(read: OrderAccounts, bounds: ReckoningBounds): readonly string[] {
  const { order, transactions, landed } = read;
  const flows = [read.input, read.bought].filter((each) => each !== null);
  const differences = transactions.flatMap((transaction) => [
    ...checkOutcome(transaction, landed.get(transaction.signature)),
    ...countTransaction(read, transaction, landed.get(transaction.signature), bounds),
  ]);
  const recorded = new Set(transactions.map(({ signature }) => signature));
  for (const [signature, transaction] of landed) {
    if (recorded.has(signature) || transaction.error !== null) continue;
    for (const each of flows) {
      const change = getTokenChange(transaction, each.account);
      if (change >= 0n) each.given += change;
      else differences.push(`${-change} atoms left ${each.account} in ${signature}, which is not recorded`);
    }
  }
  const wishes = bounds.wishes(order);
  return [
    ...differences,
    ...(wishes === null ? checkUnknown(read) : checkFills(order, read.fills, wishes, bounds.rates)),
    ...flows.flatMap((each) => checkFlows(order, each)),
    ...checkSums(read, bounds.rates),
    ...checkRest(order, transactions),
  ];
}

/** A wallet that was told that its deposit failed does not know the order. */
function checkUnknown({ order: { state }, input, fills }: OrderAccounts): readonly string[] {
  const isNothing = state === 'deposit_failed' && input.credited === 0n && fills.length === 0;
  return isNothing ? [] : ['no wallet has asked for it'];
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
  read: OrderAccounts,
  transaction: OrderTransaction,
  landed: LandedTransaction | undefined,
  bounds: ReckoningBounds,
): readonly string[] {
  if (landed === undefined || landed.error !== null) return [];
  const { input, bought } = read;
  const { kind, inputAmount } = transaction;
  const change = getTokenChange(landed, input.account);
  const other = bought === null ? 0n : getTokenChange(landed, bought.account);
  switch (kind) {
    case 'deposit':
      input.credited += change;
      return isWorth(read.order, change, inputAmount, bounds.rates) && other === 0n
        ? []
        : [`its deposit paid ${change} and ${other} atoms, and not ${inputAmount}`];
    case 'withdrawal':
      input.withdrawn -= change;
      if (bought !== null) bought.withdrawn -= other;
      return change <= 0n && other <= 0n && change + other < 0n
        ? []
        : ['its withdrawal took nothing out of its accounts'];
    case 'fill':
      return countFill(read, transaction, landed, bounds);
  }
}

function countFill(
  read: OrderAccounts,
  transaction: OrderTransaction,
  landed: LandedTransaction,
  bounds: ReckoningBounds,
): readonly string[] {
  const { order, input, bought } = read;
  const { number, leg } = transaction;
  const said = transaction.outputAmount ?? 0n;
  const isExit = bought !== null && leg !== 'entry';
  const from = isExit ? bought : input;
  const sold = -getTokenChange(landed, from.account);
  const held = from.credited - from.sold - from.withdrawn;
  from.sold += sold;
  read.fills.push({ transaction, landed, sold, held });
  const paid = countPayment(read, landed, { isExit, said });
  const least = bounds.leastOutput(order, transaction, sold);
  const loss = getPayerLoss(landed);
  return [
    ...(paid === null ? [`fill ${number} did not pay ${said} atoms where it should`] : []),
    ...(isExit && getTokenChange(landed, input.account) !== 0n
      ? [`fill ${number} of ${leg} also changed the account of the entry`]
      : []),
    ...(paid !== null && paid < least
      ? [`fill ${number} paid ${paid} atoms, and at least ${least} were due`]
      : []),
    ...(loss > 0n ? [`fill ${number} cost its payer ${loss} lamports more than the fee`] : []),
  ];
}

/** Adds what a fill paid. Returns it if it is what the store says; otherwise null. */
function countPayment(
  read: OrderAccounts,
  landed: LandedTransaction,
  { isExit, said }: { readonly isExit: boolean; readonly said: bigint },
): bigint | null {
  const { order, input, bought } = read;
  const { wallet, inputMint, outputMint } = order;
  if (bought !== null && !isExit) {
    const paid = getTokenChange(landed, bought.account);
    bought.credited += paid;
    return paid === said ? paid : null;
  }
  const party =
    bought === null
      ? { wallet, account: input.account, outputMint }
      : { wallet, account: bought.account, outputMint: inputMint };
  const paid = findOutput(landed, party, said);
  read.received += paid ?? 0n;
  return paid;
}

/** What was paid into an account has gone somewhere, or is still there. */
function checkFlows({ state }: WaitingOrder, flows: AccountFlows): readonly string[] {
  const { credited, given, sold, withdrawn, balance, left } = flows;
  const isEnded = (ENDED_STATES as readonly string[]).includes(state);
  const text = JSON.stringify(flows, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  return [
    ...(credited + given === sold + withdrawn + balance ? [] : [`its atoms do not add up: ${text}`]),
    ...(isEnded && left > 0n ? [`it has ended, and ${left} atoms are in ${flows.account}`] : []),
    ...(state === 'fill_success' && withdrawn > 0n ? ['it was filled and withdrawn'] : []),
  ];
}

/** What the store counts is what the chain has. */
function checkSums({ order, input, bought, received }: OrderAccounts, rates: ShareRates): readonly string[] {
  const { state } = order;
  const isEnded = (ENDED_STATES as readonly string[]).includes(state);
  const withdrawn = input.withdrawn + (bought?.withdrawn ?? 0n);
  // What strangers sent is sold first or last: only the sum is known.
  const isKept = (flows: AccountFlows, said: bigint) => isEnded || holdsRest(order, flows, said, rates);
  return [
    ...compare('received', order.received, received),
    ...compare('bought', order.bought, bought?.credited ?? 0n),
    ...(isKept(input, order.remaining)
      ? []
      : [`${order.remaining} atoms remain by the store, and ${input.balance} on the chain`]),
    ...(bought === null || isKept(bought, order.unsold)
      ? []
      : [`${order.unsold} bought atoms remain by the store, and ${bought.balance} on the chain`]),
    ...(state === 'fill_success' && (order.remaining > 0n || order.unsold > 0n)
      ? [`it was filled, and ${order.remaining} and ${order.unsold} atoms remain by the store`]
      : []),
    ...(state === 'cancelled' && withdrawn === 0n ? ['it was cancelled and not withdrawn'] : []),
    ...(state === 'deposit_failed' && input.credited > 0n ? ['its deposit failed and landed'] : []),
  ];
}

function compare(what: string, said: bigint, found: bigint): readonly string[] {
  return said === found ? [] : [`it has ${what} ${said} atoms by the store, and ${found} on the chain`];
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
