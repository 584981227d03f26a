import type { Account, Chain, RecentBlockhash } from '../../../chain/chain.ts';
import type { Address } from '../../../solana/address.ts';
import { compileMessage } from '../../../solana/messages/compile-message.ts';
import {
  MAX_COMPUTE_UNITS,
  setComputeUnitLimit,
  setComputeUnitPrice,
} from '../../../solana/programs/compute-budget.ts';
import { isWritable } from '../../../solana/messages/instruction.ts';
import { isTokenProgram, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { rentExemptMinimum } from '../../../solana/rent.ts';
import { isTokenAccount, tokenAccountAmount } from '../../../solana/programs/token/account.ts';
import { associatedAccountSize } from '../../../solana/programs/token/associated-size.ts';
import { decodeMint } from '../../../solana/programs/token/mint.ts';
import { encodeTransaction } from '../../../solana/messages/transaction.ts';
import { bps } from '../../../solana/units.ts';
import type { Assembly } from '../build/assembly.ts';
import type { BuildParts } from '../build/build-parts.ts';
import { computeUnitPrice } from '../../../transactions/compute-unit-price.ts';
import type { BuiltOrder, Costs, Unbuildable } from './engine.ts';
import type { FillTerms } from '../../../rfq/index.ts';
import { SwapRefused, SwapWouldFail } from '../errors.ts';
import type { OrderRequest } from './order-request.ts';
import { priorityFee, sponsoredPriorityFee } from '../../../transactions/priority-fee.ts';
import type { SwapTerms } from '../build/swap-terms.ts';
import { isOpened, withoutCreating } from '../build/token-flow.ts';
import { transactionFailure } from '../../../transactions/transaction-failure.ts';

const LAMPORTS_PER_SIGNATURE = 5_000n;
/** Of recent prices: most of those who compete for the same accounts pay less. */
const PRICE_PERCENTILE = bps(7_500);
/** Codes of `errorCode` for the on-chain router. */
const INSUFFICIENT_FUNDS = 1;
export const INSUFFICIENT_SOL = 2;
export const BELOW_GASLESS_MINIMUM = 3;

/** An account without data, such as a wallet, holds at least this, or nothing. */
const WALLET_MINIMUM = rentExemptMinimum(0);

/** More orders than are alike while one blockhash is the newest. */
const SERIALS = 4_096;

export interface OrderToBuild {
  readonly order: OrderRequest;
  readonly terms: SwapTerms;
  readonly assembly: Assembly;
  /** Null when no maker takes part. */
  readonly coSigner: FillTerms | null;
  /** Whether the service's sponsor pays. */
  readonly isSponsored: boolean;
  /** Counts the transactions that were built. */
  readonly serial: number;
}

/** The wallets and token accounts that a swap touches, as they are now. */
type State = ReadonlyMap<Address, Account | null>;

/**
 * The route as an unsigned transaction, its compute limit measured by simulation and its price taken from what others
 * pay to write the same accounts; or what the wallets lack for it.
 * @throws SwapRefused when the receiver is no wallet, or the programs refuse the swap
 */
export async function buildOrderTransaction(
  parts: BuildParts,
  { order, terms, assembly, coSigner, isSponsored, serial }: OrderToBuild,
): Promise<BuiltOrder | Unbuildable> {
  const { chain } = parts;
  const state = await readState(chain, terms, assembly, order.receiver);
  checkReceiver(order.receiver, state);
  const rents = rentsOf(parts, terms, assembly, state);
  const costs: Costs = {
    payer: terms.payer,
    signatureFee: LAMPORTS_PER_SIGNATURE * BigInt(signersOf(terms, coSigner)),
    prioritizationFee: terms.tipAmount,
    rentFee: rents.spent,
  };
  const lack = lackOf(terms, assembly, state, costs, rents.lent);
  if (lack !== null) return { unbuildable: lack, costs };
  const blockhash = chain.recentBlockhash();
  const compile = (limit: number, price: bigint) =>
    compiled(terms, assembly, { limit, price, blockhash, rents });
  const used = await simulate(chain, compile(MAX_COMPUTE_UNITS, 0n));
  if (typeof used !== 'number') return { unbuildable: used, costs };
  const limit = computeUnitLimit(used, serial);
  const feeOf = isSponsored ? sponsoredPriorityFee : priorityFee;
  const { price, lamports } = feeOf(order.priorityFee, recentPrice(chain, assembly), limit);
  const paid = { ...costs, prioritizationFee: costs.prioritizationFee + lamports };
  const stillLacking = lackOf(terms, assembly, state, paid, rents.lent);
  if (stillLacking !== null) return { unbuildable: stillLacking, costs: paid };
  const messageBytes = compile(limit, price);
  // The network drops what leaves its payer less than a wallet must hold, which the priority fee may make the difference to.
  if (lamports > 0n && lamportsLeft(terms, state, paid, rents.lent) < WALLET_MINIMUM) {
    const again = await simulate(chain, messageBytes);
    if (typeof again !== 'number') return { unbuildable: again, costs: paid };
  }
  return {
    messageBytes,
    lastValidBlockHeight: blockhash.lastValidBlockHeight,
    costs: paid,
    coSigner,
  };
}

function signersOf({ payer, taker }: SwapTerms, coSigner: FillTerms | null): number {
  return new Set([payer, taker, coSigner?.maker ?? taker]).size;
}

/**
 * A fifth more than the simulation used, and so many units that orders which are otherwise alike do not have the same
 * message: the network would land only one of them, and take it for both.
 */
function computeUnitLimit(used: number, serial: number): number {
  return Math.min(MAX_COMPUTE_UNITS - SERIALS, Math.ceil(used * 1.2)) + (serial % SERIALS);
}

async function readState(
  chain: Chain,
  { taker, payer }: SwapTerms,
  { source, creations }: Assembly,
  receiver: Address | null,
): Promise<State> {
  const wallets = receiver === null ? [taker, payer] : [taker, payer, receiver];
  const asked = new Set([...wallets, source, ...creations.map(({ account }) => account)]);
  const found = await chain.getAccounts([...asked]);
  return new Map(found.map(({ address, account }) => [address, account]));
}

function checkReceiver(receiver: Address | null, state: State): void {
  const account = receiver === null ? null : state.get(receiver);
  if (account && isTokenProgram(account.owner)) {
    throw new SwapRefused(`receiver must be a wallet, but ${receiver} is a token account`);
  }
}

interface Rents {
  /** Accounts that the transaction creates. */
  readonly missing: ReadonlySet<Address>;
  /** Accounts that it leaves as they are: where another than the taker pays, it cannot create them. */
  readonly opened: ReadonlySet<Address>;
  /** Lamports that do not come back to who paid them. */
  readonly spent: bigint;
  /** Lamports that come back within the transaction. */
  readonly lent: bigint;
}

/**
 * The rent is that of an account of which nothing is there: lamports at its address may be gone by the time of the
 * swap. An account that is not charged for must not be created at the expense of another than the taker, who could
 * close it meanwhile and keep the rent.
 */
function rentsOf(
  { pools }: BuildParts,
  { payer, taker }: SwapTerms,
  { creations, rentReturns }: Assembly,
  state: State,
): Rents {
  const missing = new Set<Address>();
  const opened = new Set<Address>();
  let [spent, lent] = [0n, 0n];
  for (const { account, mint, rentGoesTo } of creations) {
    if (missing.has(account)) continue;
    if (isOpened(state.get(account))) {
      opened.add(account);
      continue;
    }
    missing.add(account);
    const mintAccount = pools.account(mint);
    if (mintAccount === null) throw new SwapRefused(`the mint ${mint} does not exist`);
    const rent = rentExemptMinimum(associatedAccountSize(mintAccount.owner, decodeMint(mintAccount.data)));
    if (rentGoesTo === payer || rentReturns.has(account)) lent += rent;
    else spent += rent;
  }
  return { missing, opened: payer === taker ? new Set() : opened, spent, lent };
}

/** What the wallets have too little of; null when it is enough. */
function lackOf(
  terms: SwapTerms,
  assembly: Assembly,
  state: State,
  costs: Costs,
  lent: bigint,
): Unbuildable['unbuildable'] | null {
  const { taker, payer, inputMint, amount } = terms;
  const paysSol = inputMint === WRAPPED_SOL_MINT;
  const held = paysSol ? lamportsOf(state, taker) : tokensOf(state, assembly.source);
  if (held < amount) {
    const message = `Insufficient funds: the swap takes ${amount} atoms of ${inputMint}, ${taker} has ${held}`;
    return { code: INSUFFICIENT_FUNDS, message };
  }
  const left = lamportsLeft(terms, state, costs, lent);
  return left >= 0n ? null : insufficientSol(`${payer} needs ${-left} lamports more`);
}

/** What the payer has left when everything is paid that the transaction takes, before anything comes back. */
function lamportsLeft(
  { taker, payer, inputMint, amount }: SwapTerms,
  state: State,
  costs: Costs,
  lent: bigint,
): bigint {
  const gas = costs.signatureFee + costs.prioritizationFee + costs.rentFee + lent;
  const swapped = inputMint === WRAPPED_SOL_MINT && payer === taker ? amount : 0n;
  return lamportsOf(state, payer) - swapped - gas;
}

function insufficientSol(what: string): Unbuildable['unbuildable'] {
  return { code: INSUFFICIENT_SOL, message: `Insufficient SOL for gas: ${what}` };
}

function lamportsOf(state: State, wallet: Address): bigint {
  return state.get(wallet)?.lamports ?? 0n;
}

function tokensOf(state: State, address: Address): bigint {
  const account = state.get(address) ?? null;
  return account !== null && isTokenAccount(account.data) ? tokenAccountAmount(account.data) : 0n;
}

interface Shape {
  readonly limit: number;
  readonly price: bigint;
  readonly blockhash: RecentBlockhash;
  readonly rents: Rents;
}

function compiled(
  terms: SwapTerms,
  { setup, swap, cleanup, tip, tables, rentReturns }: Assembly,
  { limit, price, blockhash, rents: { missing, opened } }: Shape,
): Uint8Array {
  const returns = [...rentReturns].flatMap(([account, giveBack]) => (missing.has(account) ? giveBack : []));
  return compileMessage({
    feePayer: terms.payer,
    blockhash: blockhash.bytes,
    instructions: [
      setComputeUnitLimit(limit),
      setComputeUnitPrice(price),
      ...withoutCreating(setup, opened),
      swap,
      ...(cleanup === null ? [] : [cleanup]),
      ...returns,
      ...(tip === null ? [] : [tip]),
    ],
    lookupTables: tables,
  });
}

/** Compute units that the transaction uses, or why the wallets cannot pay for it after all. */
async function simulate(
  chain: Chain,
  messageBytes: Uint8Array,
): Promise<number | Unbuildable['unbuildable']> {
  const signers: null[] = new Array(signerCount(messageBytes)).fill(null);
  const wire = encodeTransaction(signers, messageBytes);
  const { error, logs, unitsConsumed } = await chain.simulate(wire, { verifySignatures: false });
  if (error === null) return Number(unitsConsumed);
  const { message, program } = transactionFailure(error, logs);
  if (message.startsWith('InsufficientFundsFor')) {
    return insufficientSol('a wallet would be left with less than an account must hold');
  }
  throw new SwapWouldFail(program, message);
}

/** The second byte of a version 0 message counts its signers. */
export function signerCount(messageBytes: Uint8Array): number {
  return messageBytes[1] ?? 0;
}

function recentPrice(chain: Chain, { swap }: Assembly): bigint {
  const writable = swap.accounts.filter(({ role }) => isWritable(role)).map(({ address }) => address);
  return computeUnitPrice(chain.recentPriorityFees(writable), PRICE_PERCENTILE);
}
