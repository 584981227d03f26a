import type { Chain, ChainClock } from '../../../chain/chain.ts';
import { routeV2 } from '../../../market/aggregator/route-v2.ts';
import type { Liquidity } from '../../../market/pools/liquidity.ts';
import type { LookupTables } from '../../../market/pools/lookup-tables.ts';
import type { Pools } from '../../../market/pools/pools.ts';
import { priceImpact } from '../../../market/prices/price-impact.ts';
import { findRoutesExactOut } from '../../../market/router/exact-out.ts';
import { type Route, runRoute } from '../../../market/router/index.ts';
import { routeSteps } from '../../../market/router/route-steps.ts';
import type { Address } from '../../../solana/address.ts';
import { measureMessage } from '../../../solana/messages/compile-message.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { MAX_ACCOUNTS, MessageInvalid } from '../../../solana/messages/message-accounts.ts';
import { MAX_TRANSACTION_BYTES, transactionSize } from '../../../solana/messages/transaction.ts';
import { associatedTokenAddress } from '../../../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../../solana/programs/associated-token.ts';
import {
  MAX_COMPUTE_UNITS,
  setComputeUnitLimit,
  setComputeUnitPrice,
} from '../../../solana/programs/compute-budget.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import { associatedAccountSize } from '../../../solana/programs/token/associated-size.ts';
import { closeAccount, syncNative } from '../../../solana/programs/token/instructions.ts';
import { decodeMint } from '../../../solana/programs/token/mint.ts';
import { rentExemptMinimum } from '../../../solana/rent.ts';
import {
  type Closing,
  closingInstructions,
  closingOf,
  withholdsFees,
} from '../../../transactions/build/closings.ts';
import type { TransactionPlan } from '../../../transactions/build/build-transaction.ts';
import { writableAccounts } from '../../../transactions/build/contents.ts';
import type { AccountCreation } from '../../../transactions/build/costs.ts';
import { PRICE, SWAPPED_CURRENCIES, type SwappedCurrency } from './price.ts';

export interface SwappedPaymentDependencies {
  readonly chain: Pick<Chain, 'clock'>;
  readonly pools: Liquidity & Pick<Pools, 'account'>;
  readonly lookupTables: Pick<LookupTables, 'covering'>;
  readonly receiver: Address;
}

/** A swap of another currency to JUP that goes to the receiver. */
export interface SwappedPayment {
  /** Without the serial number of the transaction. */
  readonly plan: Omit<TransactionPlan, 'serial'>;
  /** Atoms that the sender spends: all of them, whatever the price is when the payment lands. */
  readonly inAmount: bigint;
  /** Atoms of JUP that the receiver gets at the present state of the pools. The program pays no less than the price. */
  readonly outAmount: bigint;
}

/** Routes that are tried, in case a pool of the best one refuses. */
const MAX_ROUTES = 4;
const MAX_HOPS = 3;
/** The buffer on the input, for prices that move before the payment lands: 50 basis points of the whole. */
const BUFFER_BPS = 50n;
const WHOLE = 10_000n;
/** A route through pools that are too thin for the amount would cost the sender more than this share of the price. */
const MAX_PRICE_IMPACT = 0.1;

/**
 * Finds swaps that pay the receiver the price of a request, the cheapest first. The program demands the whole price of
 * 1,000 JUP, so a payment fails if the pools pay less when it lands.
 *
 * @returns at most four; none if the pools do not sell that much near their price
 */
export function swappedPayments(
  dependencies: SwappedPaymentDependencies,
  sender: Address,
  currency: SwappedCurrency,
): readonly SwappedPayment[] {
  const { chain, pools } = dependencies;
  const { mint: inputMint } = SWAPPED_CURRENCIES[currency];
  const clock = chain.clock();
  const routes = findRoutesExactOut(pools, {
    inputMint,
    outputMint: PRICE.mint,
    amount: PRICE.amount,
    clock,
    maxHops: MAX_HOPS,
    onlyHubs: false,
  });
  const found: SwappedPayment[] = [];
  for (const cheapest of routes) {
    const route = withBuffer(cheapest, clock);
    if (route === null) continue;
    const payment = paymentBy(dependencies, sender, inputMint, route);
    if (fits(payment.plan)) found.push(payment);
    if (found.length === MAX_ROUTES) break;
  }
  return found;
}

/** @returns null if a pool refuses the larger amount, or the pools are too thin for it */
function withBuffer({ legs, inAmount }: Route, clock: ChainClock): Route | null {
  const buffered = (inAmount * (WHOLE + BUFFER_BPS) + WHOLE - 1n) / WHOLE;
  const route = runRoute(legs, buffered, clock);
  if (route === null || route.outAmount < PRICE.amount) return null;
  return Number(priceImpact(route, clock)) > MAX_PRICE_IMPACT ? null : route;
}

function paymentBy(
  dependencies: SwappedPaymentDependencies,
  sender: Address,
  inputMint: Address,
  route: Route,
): SwappedPayment {
  const accounts = accountsOf(dependencies, sender, inputMint, route);
  const { source, opened, passed } = accounts;
  const swap = swapOf(sender, inputMint, route, accounts);
  const isSol = inputMint === WRAPPED_SOL_MINT;
  const before = isSol ? wrapping(sender, source, route.inAmount) : [];
  const unwrap = { account: source.address, destination: sender, authority: sender };
  const after = isSol ? [closeAccount(TOKEN_PROGRAM, unwrap)] : [];
  const instructions = [...before, ...opened.map(({ create }) => create), swap, ...after];
  const creations = opened.map(({ creation }) => creation);
  const closings = passed.map((each) => closingOfPassed(dependencies, sender, each));
  if (isSol) creations.push({ ...source.creation, isReturned: true });
  return {
    plan: {
      feePayer: sender,
      instructions: ({ missing }) => [
        ...instructions,
        ...closingInstructions(closings, (account) => missing.has(account)),
      ],
      lookupTables: dependencies.lookupTables.covering(swap),
      creations,
      spends: [{ wallet: sender, amount: route.inAmount, tokenAccount: isSol ? null : source.address }],
      tip: 0n,
      priority: { asked: null, competesFor: writableAccounts(swap), isSponsored: false },
    },
    inAmount: route.inAmount,
    outAmount: route.outAmount,
  };
}

function closingOfPassed(
  { pools }: Pick<SwappedPaymentDependencies, 'pools'>,
  sender: Address,
  { address: account, mint, tokenProgram }: TokenAccountOf,
): Closing {
  const emptied = { account, mint, tokenProgram, withholdsFees: withholdsFees(pools.account(mint)) };
  return closingOf({ taker: sender, payer: sender }, emptied);
}

/** The token accounts that a route moves tokens through. */
interface RouteAccounts {
  readonly source: TokenAccountOf;
  readonly destination: TokenAccountOf;
  /** Those of the sender between source and destination. The payment closes those that it opens. */
  readonly passed: readonly TokenAccountOf[];
  /** Those that the payment opens unless they exist: all but the source. */
  readonly opened: readonly TokenAccountOf[];
}

function accountsOf(
  { pools, receiver }: SwappedPaymentDependencies,
  sender: Address,
  inputMint: Address,
  { legs }: Route,
): RouteAccounts {
  const between = new Set(legs.map((leg) => leg.inputMint).filter((mint) => mint !== inputMint));
  const destination = tokenAccountOf(pools, sender, receiver, PRICE.mint);
  const passed = [...between].map((mint) => {
    const through = tokenAccountOf(pools, sender, sender, mint);
    return { ...through, creation: { ...through.creation, isReturned: true } };
  });
  return {
    source: tokenAccountOf(pools, sender, sender, inputMint),
    destination,
    passed,
    opened: [...passed, destination],
  };
}

function swapOf(
  sender: Address,
  inputMint: Address,
  route: Route,
  { source, destination, opened }: RouteAccounts,
): Instruction {
  const addresses = new Map([source, ...opened].map(({ mint, address }) => [mint, address]));
  return routeV2(
    {
      inAmount: route.inAmount,
      // The price itself, without slippage: what the route pays above it stays with the receiver.
      quotedOutAmount: PRICE.amount,
      slippageBps: 0,
      steps: routeSteps(route, sender, addresses),
    },
    {
      userTransferAuthority: sender,
      userSourceTokenAccount: source.address,
      userDestinationTokenAccount: destination.address,
      sourceMint: inputMint,
      destinationMint: PRICE.mint,
      sourceTokenProgram: source.tokenProgram,
      destinationTokenProgram: destination.tokenProgram,
    },
  );
}

function wrapping(sender: Address, { address, create }: TokenAccountOf, lamports: bigint): Instruction[] {
  return [create, transferLamports(sender, address, lamports), syncNative(TOKEN_PROGRAM, address)];
}

interface TokenAccountOf {
  readonly mint: Address;
  readonly address: Address;
  readonly tokenProgram: Address;
  /** Creates the account, at the sender's cost, unless it exists. */
  readonly create: Instruction;
  readonly creation: AccountCreation;
}

/** The associated token account of an owner. */
function tokenAccountOf(
  pools: Pick<Pools, 'account'>,
  payer: Address,
  owner: Address,
  mint: Address,
): TokenAccountOf {
  const account = pools.account(mint);
  if (account === null) throw new Error(`the mint ${mint} of a route is not known`);
  const tokenProgram = account.owner;
  const tokenAccount = associatedTokenAddress(owner, mint, tokenProgram);
  const rent = () => rentExemptMinimum(associatedAccountSize(tokenProgram, decodeMint(account.data)));
  return {
    mint,
    address: tokenAccount,
    tokenProgram,
    create: createAssociatedTokenIdempotent({ payer, owner, mint, tokenProgram }, tokenAccount),
    creation: { account: tokenAccount, rent, isReturned: false },
  };
}

const BUDGET = [setComputeUnitLimit(MAX_COMPUTE_UNITS), setComputeUnitPrice(0n)];

/** Whether one transaction can hold a payment, whichever accounts it opens. */
function fits({ feePayer, instructions, lookupTables, creations }: SwappedPayment['plan']): boolean {
  const missing = new Set(creations.map(({ account }) => account));
  const rents = { missing, existing: new Set<Address>(), spent: 0n, lent: 0n, paidBy: null };
  const message = { feePayer, instructions: [...BUDGET, ...instructions(rents)], lookupTables };
  try {
    const { bytes, signers, accounts } = measureMessage(message);
    return accounts <= MAX_ACCOUNTS && transactionSize(bytes, signers) <= MAX_TRANSACTION_BYTES;
  } catch (error) {
    // The route names too many accounts, or the sender is a program.
    if (error instanceof MessageInvalid) return false;
    throw error;
  }
}
