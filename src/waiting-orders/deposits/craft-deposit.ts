import { randomBytes, randomUUID } from 'node:crypto';
import type { Account } from '../../chain/accounts.ts';
import { type Chain, ChainUnavailable, requireAvailable } from '../../chain/chain.ts';
import type { KeyCustody } from '../../custody/custody.ts';
import type { Address } from '../../solana/address.ts';
import { buildTransaction, readAccounts } from '../../transactions/build/build-transaction.ts';
import { describeLackingFunds } from '../../transactions/build/costs.ts';
import type { DescribeFailure } from '../../transactions/transaction-failure.ts';
import { planEarnDeposit } from '../earning/earn-deposit.ts';
import type { EarnProgram } from '../earning/earn-program.ts';
import { type OrderMint, readOrderMint } from '../landing/order-mint.ts';
import type { OrderFamily } from '../order-plan.ts';
import { createFullRefusal, OrderRefused } from '../order-refused.ts';
import type { OrderCraft } from '../store/order-craft.ts';
import type { WaitingOrderStore } from '../store/order-store.ts';
import { encodeDepositTerms } from './deposit-craft.ts';
import {
  type DepositedTokens,
  type DepositParties,
  planDeposit,
  type PlannedDeposit,
} from './deposit-message.ts';
import { requireEarnMint } from './earn-checks.ts';
import { findMintObjection, type MintRole } from './mint-objection.ts';
import { requireOwnWallet } from './order-checks.ts';
import type { DepositKind } from './order-request.ts';

/** A deposit, as a client asks for it. */
export interface DepositRequest {
  /** The wallet that has signed in. */
  readonly wallet: Address;
  /** The wallet that the request names. */
  readonly userAddress: Address;
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Atoms of the input, at least 1. */
  readonly amount: bigint;
  readonly kind: DepositKind;
  /** The mint of the shares in which the deposit is to earn; null if it is not. */
  readonly earnMint: Address | null;
}

export interface DepositCraftDependencies {
  readonly chain: Chain;
  readonly describeFailure: DescribeFailure;
  readonly custody: Pick<KeyCustody, 'findVault' | 'coSigner'>;
  readonly orders: Pick<WaitingOrderStore, 'now' | 'openCount' | 'putCraft'>;
  /** Returns the US dollars that an amount is worth, for decisions about money; null without a price for that. */
  readonly worthInDollars: (mint: Address, atoms: bigint) => number | null;
  /** Whether a mint has a price that triggers and floors can rely on. */
  readonly hasPrice: (mint: Address) => boolean;
  readonly earn: EarnProgram;
  readonly limits: OrderLimits;
}

export interface OrderLimits {
  /** Orders over prices that one wallet may have waiting at once. */
  readonly maxOpen: number;
  /** Mints that the operator allows whatever their issuer can do. */
  readonly allowedMints: ReadonlySet<Address>;
}

/** A deposit that the wallet may sign. */
export interface CraftedDeposit {
  readonly requestId: string;
  readonly messageBytes: Uint8Array;
  readonly vault: Address;
  /** The token account of the vault that the deposit creates and pays into. */
  readonly account: Address;
  /** The second one, which holds what an `otoco` order buys; null for others. */
  readonly outputAccount: Address | null;
  /** The mint of the shares that the account holds, with which the deposit earns; null if it holds the input. */
  readonly earnMint: Address | null;
  readonly mint: Address;
  readonly decimals: number;
  readonly amount: bigint;
}

/** US dollars that an order must be worth. */
const MINIMUM_DOLLARS = 10;
/** Recurring orders that a wallet may have at once. */
const MAX_RECURRING = 10;
/** Longer than a blockhash lives, so that a deposit that comes too late is told that it expired. */
const KEEP_MS = 30 * 60_000;
const SEED_BYTES = 16;

/**
 * Builds the transaction that pays the input of an order into the wallet's vault, and stores it under a new id.
 *
 * @throws OrderRefused with a sentence for the client
 * @throws ChainUnavailable when the network does not answer
 */
export async function craftDeposit(
  dependencies: DepositCraftDependencies,
  request: DepositRequest,
): Promise<CraftedDeposit> {
  const { chain, custody, orders, limits } = dependencies;
  const { wallet, inputMint, outputMint, amount, kind } = request;
  const vault = await requireVault(custody, request);
  if (inputMint === outputMint)
    throw new OrderRefused('invalid', 'Input mint and output mint cannot be the same');
  const earnMint = findEarning(dependencies, request);
  await requireOpenPlace(orders, limits, wallet, kind === 'recurring' ? 'recurring' : 'price');
  requireAvailable(chain);
  const mints = await readMints(dependencies, request, earnMint);
  checkWorth(dependencies, request);
  const parties = { wallet, vault, coSigner: await custody.coSigner() };
  const { account, outputAccount, plan } = planFor(dependencies, parties, { ...mints, amount, kind });
  const build = await buildTransaction(dependencies, plan, await readAccounts(chain, plan));
  if (build.kind === 'lacking') throw new OrderRefused('invalid', describeLackingFunds(build.lack));
  if (build.kind === 'refused') {
    throw new OrderRefused('invalid', `The deposit would fail: ${build.failure.message}`);
  }
  const { messageBytes, lastValidBlockHeight } = build;
  const requestId = randomUUID();
  const createdAt = await orders.now();
  const craft: OrderCraft = {
    requestId,
    kind: 'deposit',
    wallet,
    orderId: null,
    messageBytes,
    lastValidBlockHeight,
    terms: encodeDepositTerms({
      vault,
      account,
      inputMint,
      outputMint,
      amount,
      kind,
      outputAccount,
      earnMint,
    }),
    createdAt,
    deleteAt: createdAt + KEEP_MS,
  };
  await orders.putCraft(craft);
  const { decimals } = mints.input.facts;
  const accounts = { vault, account, outputAccount, earnMint };
  return { requestId, messageBytes, ...accounts, mint: inputMint, decimals, amount };
}

/** Plans the deposit of the input, or one that lends it out for the shares. */
function planFor(
  { earn }: DepositCraftDependencies,
  parties: DepositParties,
  deposited: DepositedTokens & { readonly shares: OrderMint | null },
): PlannedDeposit {
  const { shares } = deposited;
  if (shares === null) return planDeposit(parties, deposited, createSeed());
  const { wallet, vault } = parties;
  const { input, output, amount } = deposited;
  return {
    ...planEarnDeposit(earn, { wallet, vault, input, output, shares, amount }, createSeed()),
    outputAccount: null,
  };
}

function createSeed(): string {
  return randomBytes(SEED_BYTES).toString('hex');
}

/** Returns the mint of the shares that a deposit is to earn with; null if it is not to. */
function findEarning({ earn }: DepositCraftDependencies, request: DepositRequest): Address | null {
  if (request.earnMint === null) return null;
  if (request.kind !== 'recurring') {
    throw new OrderRefused('invalid', "jlMint must be omitted when orderType is 'price'", 'jlMint');
  }
  return requireEarnMint(earn, request, 'jlMint');
}

async function requireVault(
  custody: DepositCraftDependencies['custody'],
  { wallet, userAddress }: DepositRequest,
): Promise<Address> {
  const vault = await custody.findVault(wallet);
  if (vault === null) {
    throw new OrderRefused('not the owner', `Forbidden: ${wallet} has no vault; register one first`);
  }
  if (userAddress === vault)
    throw new OrderRefused('invalid', 'userAddress must be the wallet, and not its vault');
  requireOwnWallet(wallet, userAddress);
  return vault;
}

/** @throws OrderRefused when the wallet has as many orders as it may have */
export async function requireOpenPlace(
  orders: Pick<WaitingOrderStore, 'openCount'>,
  limits: OrderLimits,
  wallet: Address,
  family: OrderFamily,
): Promise<void> {
  const most = getMostOpen(limits, family);
  if ((await orders.openCount(wallet, family)) >= most) throw createFullRefusal(family, most);
}

/** Returns how many orders of a family a wallet may have that have not ended. */
export function getMostOpen({ maxOpen }: OrderLimits, family: OrderFamily): number {
  return family === 'recurring' ? MAX_RECURRING : maxOpen;
}

async function readMints(
  { chain, limits, hasPrice }: DepositCraftDependencies,
  { inputMint, outputMint, kind }: DepositRequest,
  earnMint: Address | null,
): Promise<{ readonly input: OrderMint; readonly output: OrderMint; readonly shares: OrderMint | null }> {
  const asked = [inputMint, outputMint, ...(earnMint === null ? [] : [earnMint])];
  const [input, output, earned] = await chain.getAccounts(asked);
  const shares = earnMint === null ? null : readOrderMint(earnMint, earned?.account ?? null);
  if (earnMint !== null && shares === null) {
    throw new ChainUnavailable(`the network does not show the mint ${earnMint} of the shares`);
  }
  const check = (field: string, { mint, account, role }: AskedMint): OrderMint => {
    const name = `${field} ${mint}`;
    const read = readOrderMint(mint, account);
    if (read === null) throw new OrderRefused('invalid', `${name} is no mint of this network`);
    const objection = limits.allowedMints.has(mint) ? null : findMintObjection(read.facts, role);
    if (objection !== null) {
      throw new OrderRefused('invalid', `${name} ${objection}, and is not on the whitelist of the operator`);
    }
    if (hasPrice(mint)) return read;
    throw new OrderRefused('invalid', `${name} is not traded: it has no price that can be relied on now`);
  };
  return {
    input: check('inputMint', { mint: inputMint, account: input?.account ?? null, role: 'held' }),
    output: check('outputMint', {
      mint: outputMint,
      account: output?.account ?? null,
      // What an entry buys waits in the vault until an exit sells it.
      role: kind === 'otoco' ? 'held' : 'paid',
    }),
    shares,
  };
}

interface AskedMint {
  readonly mint: Address;
  readonly account: Account | null;
  readonly role: MintRole;
}

/** A value just below the minimum must not be shown as the minimum, so it is rounded down. */
function checkWorth(
  { worthInDollars }: DepositCraftDependencies,
  { inputMint, amount }: DepositRequest,
): void {
  const dollars = worthInDollars(inputMint, amount);
  if (dollars === null) {
    throw new OrderRefused(
      'invalid',
      `inputMint ${inputMint} is not traded: no pool is deep enough to value it`,
    );
  }
  if (dollars >= MINIMUM_DOLLARS) return;
  const shown = (Math.floor(dollars * 100) / 100).toFixed(2);
  throw new OrderRefused(
    'invalid',
    `Order must be at least ${MINIMUM_DOLLARS} USD (current value: ${shown} USD)`,
  );
}
