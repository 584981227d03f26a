import { formatForError } from '../../common/format-for-error.ts';
import { estimateVenueFee } from '../../exchange/venue-fee.ts';
import { PRICE_STEP } from '../../exchange/exchange.ts';
import {
  derivePredictionTokens,
  JUPUSD_MINT,
} from '../../protocols/jupiter-prediction/prediction-program.ts';
import type { Address } from '../../solana/address.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { isTokenAccount, readTokenAccountAmount } from '../../solana/programs/token/account.ts';
import type { PredictionMarket } from '../prediction.ts';
import type { PredictionCraftDependencies } from './craft-dependencies.ts';
import { findDepositRoute } from './deposit-route.ts';
import { requireOpenMarket } from './open-market.ts';
import { addPurchase, type CraftedOrder, type NewOrderAccounts } from './order-figures.ts';
import {
  computeOrderRent,
  createOrderInstruction,
  deriveNewOrder,
  listTokenCreations,
  type PredictionOrderRequest,
  type OrderWallet,
} from './order-instruction.ts';
import { computePurchasedContracts, MAX_PRICE, MIN_DEPOSIT, MIN_PRICE } from './order-size.ts';
import {
  makePaidOrder,
  type OrderPayer,
  PLAIN_UNITS,
  ROUTED_UNITS,
  signOrderTransaction,
} from './paying/order-transaction.ts';
import { refuseOrder } from '../prediction-refused.ts';

const USDC = getGenesisToken('USDC').mint;

/** A purchase as a request asks for it. Amounts are micro USD. */
export interface PurchaseRequest {
  readonly owner: Address;
  readonly marketId: string;
  readonly isYes: boolean;
  /** Base units of `depositMint`. */
  readonly depositAmount: bigint;
  /** USDC or JupUSD. */
  readonly depositMint: Address;
  /** The highest price of an order that waits for it; null for one that takes what is offered now. */
  readonly maxPrice: bigint | null;
}

/**
 * Makes the transaction of a purchase.
 * @throws PredictionRefused when the market takes no such order, nobody offers, or the wallet has too little
 * @throws ChainUnavailable when the network does not answer
 */
export async function craftPurchase(
  dependencies: PredictionCraftDependencies,
  request: PurchaseRequest,
): Promise<CraftedOrder> {
  const market = requireOpenMarket(dependencies, request.marketId);
  checkPurchase(request);
  const { owner, depositMint, isYes } = request;
  const wallet = await readPurchaser(dependencies, request);
  const accounts = deriveNewOrder(dependencies.newOrderId(), owner, {
    marketIdHash: market.marketIdHash,
    isYes,
  });
  const position = dependencies.accounts.findPosition(accounts.position);
  const isRouted = depositMint !== JUPUSD_MINT;
  const units = isRouted ? ROUTED_UNITS : PLAIN_UNITS;
  const cost = { signatures: 2, units, ...computeOrderRent(wallet, position !== null) };
  const payable = {
    owner,
    walletLamports: wallet.lamports,
    cost,
    worth: request.depositAmount,
    order: accounts.order,
  };
  return makePaidOrder(dependencies, payable, async (payer) => {
    const { instructions, lookupTables, terms } = await composePurchase(dependencies, {
      request,
      market,
      wallet,
      payer,
      accounts,
    });
    const contents = { owner, payer, authority: dependencies.authority, instructions, lookupTables, units };
    const { contracts, limitPrice, deposit } = terms;
    return {
      kind: 'order',
      ...accounts,
      transaction: signOrderTransaction(dependencies, contents),
      owner,
      market,
      isYes,
      isBuy: true,
      contracts,
      maxBuyPrice: limitPrice,
      minSellPrice: null,
      cost: deposit,
      after: addPurchase(position, contracts, limitPrice),
      venueFee: estimateVenueFee(market.feeBps, contracts, limitPrice),
      slippageBps: 0n,
      maxSlippageBps: null,
    };
  });
}

function checkPurchase({ depositMint, depositAmount, maxPrice }: PurchaseRequest): void {
  if (depositMint !== USDC && depositMint !== JUPUSD_MINT) {
    const message = `depositMint must be USDC (${USDC}) or JupUSD (${JUPUSD_MINT}), got ${formatForError(depositMint)}`;
    refuseOrder('create_order_failed', message, 'depositMint');
  }
  if (depositAmount < MIN_DEPOSIT) refuseOrder('create_order_failed', 'Minimum order is $5', 'depositAmount');
  if (maxPrice !== null) requirePrice(maxPrice, 'maxBuyPriceUsd');
}

/** @throws PredictionRefused for a price that no order can name */
export function requirePrice(price: bigint, field: string): void {
  if (price >= MIN_PRICE && price <= MAX_PRICE && price % PRICE_STEP === 0n) return;
  const message = `${field} must be a multiple of ${PRICE_STEP} from ${MIN_PRICE} to ${MAX_PRICE}, got ${price}`;
  refuseOrder('create_order_failed', message, field);
}

/** Reads the wallet, and refuses one that has less than the deposit. */
async function readPurchaser(
  { chain }: PredictionCraftDependencies,
  { owner, depositMint, depositAmount }: PurchaseRequest,
): Promise<OrderWallet> {
  const tokens = derivePredictionTokens(owner);
  const source =
    depositMint === JUPUSD_MINT ? tokens : deriveAssociatedTokenAddress(owner, depositMint, TOKEN_PROGRAM);
  const [wallet, account, paying] = await chain.getAccounts([owner, tokens, source]);
  const funds = paying?.account ?? null;
  const held = funds !== null && isTokenAccount(funds.data) ? readTokenAccountAmount(funds.data) : 0n;
  if (held < depositAmount) {
    const message = `Insufficient funds: the order takes ${depositAmount} base units of ${depositMint}, and ${owner} has ${held}`;
    refuseOrder('INSUFFICIENT_FUNDS', message, 'depositAmount');
  }
  return {
    owner,
    lamports: wallet?.account?.lamports ?? 0n,
    tokens,
    isTokensOpen: account?.account?.owner === TOKEN_PROGRAM,
  };
}

interface PurchaseParts {
  readonly request: PurchaseRequest;
  readonly market: PredictionMarket;
  readonly wallet: OrderWallet;
  readonly payer: OrderPayer;
  readonly accounts: NewOrderAccounts;
}

/** Creates the instructions of a purchase, with what it asks for after its deposit has become JupUSD. */
async function composePurchase(dependencies: PredictionCraftDependencies, parts: PurchaseParts) {
  const { request, wallet, payer, accounts } = parts;
  const { owner, depositMint, depositAmount } = request;
  const parties = { owner, payer: payer.address, externalOrderId: accounts.externalOrderId };
  const orderOf = (terms: PredictionOrderRequest) => createOrderInstruction(dependencies, parties, terms);
  if (depositMint === JUPUSD_MINT) {
    const terms = createPurchaseTerms(dependencies, parts, depositAmount);
    const instructions = [...listTokenCreations(wallet, payer.address), orderOf(terms)];
    return { instructions, lookupTables: null, terms };
  }
  const { instructions, deposit, lookupTables } = await findDepositRoute(dependencies, {
    owner,
    payer: payer.address,
    mint: depositMint,
    amount: depositAmount,
    account: wallet.tokens,
    isAccountOpen: wallet.isTokensOpen,
    order: orderOf(createPurchaseTerms(dependencies, parts, depositAmount)),
  });
  const terms = createPurchaseTerms(dependencies, parts, deposit);
  return { instructions: [...instructions, orderOf(terms)], lookupTables, terms };
}

/** An order without a price names the worst price that its deposit would pay now. */
function createPurchaseTerms(
  { exchange }: PredictionCraftDependencies,
  { request: { marketId, isYes, maxPrice }, market }: Pick<PurchaseParts, 'request' | 'market'>,
  deposit: bigint,
): PredictionOrderRequest {
  const limitPrice =
    maxPrice ?? exchange.estimateBuy(marketId, isYes, { amount: deposit, maxPrice: MAX_PRICE }).worstPrice;
  if (limitPrice === null) {
    return refuseOrder('no_shares_available', 'No shares available at this price', 'marketId');
  }
  return {
    marketIdHash: market.marketIdHash,
    isYes,
    isBuy: true,
    contracts: computePurchasedContracts(deposit, limitPrice),
    limitPrice,
    deposit,
    isLimit: maxPrice !== null,
  };
}
