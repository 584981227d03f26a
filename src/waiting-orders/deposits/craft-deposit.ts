import { randomBytes, randomUUID } from 'node:crypto';
import type { Account } from '../../chain/accounts.ts';
import { type Chain, requireAvailable } from '../../chain/chain.ts';
import type { KeyCustody } from '../../custody/custody.ts';
import type { Address } from '../../solana/address.ts';
import { buildTransaction, readAccounts } from '../../transactions/build/build-transaction.ts';
import { describeLackingFunds } from '../../transactions/build/costs.ts';
import type { DescribeFailure } from '../../transactions/transaction-failure.ts';
import { type OrderMint, readOrderMint } from '../landing/order-mint.ts';
import type { OrderFamily } from '../order-plan.ts';
import { createFullRefusal, OrderRefused } from '../order-refused.ts';
import type { OrderCraft } from '../store/order-craft.ts';
import type { WaitingOrderStore } from '../store/order-store.ts';
import { encodeDepositTerms } from './deposit-craft.ts';
import { planDeposit } from './deposit-message.ts';
import { EARNING_REFUSED, type FindEarnMint } from './earn-mint.ts';
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
  readonly findEarnMint: FindEarnMint;
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
  const { wallet, inputMint, outputMint, amount, kind, earnMint } = request;
  const vault = await requireVault(custody, request);
  if (inputMint === outputMint)
    throw new OrderRefused('invalid', 'Input mint and output mint cannot be the same');
  if (earnMint !== null) throw new OrderRefused('invalid', describeEarning(dependencies, request), 'jlMint');
  await requireOpenPlace(orders, limits, wallet, kind === 'recurring' ? 'recurring' : 'price');
  requireAvailable(chain);
  const mints = await readMints(dependencies, request);
  checkWorth(dependencies, request);
  const parties = { wallet, vault, coSigner: await custody.coSigner() };
  const deposited = { ...mints, amount, kind };
  const { account, outputAccount, plan } = planDeposit(parties, deposited, [createSeed(), createSeed()]);
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
      earnMint: null,
    }),
    createdAt,
    deleteAt: createdAt + KEEP_MS,
  };
  await orders.putCraft(craft);
  const { decimals } = mints.input.facts;
  return { requestId, messageBytes, vault, account, outputAccount, mint: inputMint, decimals, amount };
}

function createSeed(): string {
  return randomBytes(SEED_BYTES).toString('hex');
}

/** Says why a deposit cannot earn. */
function describeEarning(
  { findEarnMint }: DepositCraftDependencies,
  { kind, inputMint, earnMint }: DepositRequest,
): string {
  if (kind !== 'recurring') return "jlMint must be omitted when orderType is 'price'";
  const supported = findEarnMint(inputMint);
  return supported === null || supported === earnMint ? EARNING_REFUSED.inputMint : EARNING_REFUSED.jlMint;
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
  { inputMint, outputMint }: DepositRequest,
): Promise<{ readonly input: OrderMint; readonly output: OrderMint }> {
  const [input, output] = await chain.getAccounts([inputMint, outputMint]);
  const check = (mint: Address, account: Account | null, role: MintRole): OrderMint => {
    const name = `${role}Mint ${mint}`;
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
    input: check(inputMint, input?.account ?? null, 'input'),
    output: check(outputMint, output?.account ?? null, 'output'),
  };
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
