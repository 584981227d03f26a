import { subtractSale } from '../../predictions/crafting/order-figures.ts';
import { refuseOrder } from '../../predictions/prediction-refused.ts';
import { decodeTokenAccount } from '../../solana/programs/token/account.ts';
import type { Bps } from '../../solana/units.ts';
import type { ForecastHolding } from '../forecast.ts';
import type { ForecastCraftDependencies } from './forecast-dependencies.ts';
import type { CraftedForecastOrder } from './forecast-order.ts';
import { craftForecastSwap, type ForecastWallet, readForecastWallet } from './forecast-swap.ts';
import { type OwnedHolding, requireOwnHolding } from './owned-holding.ts';
import { requireTradableMarket } from './tradable-market.ts';

/** The least that an order sells: a hundredth of a token. */
const MIN_SOLD = 10_000n;
const MICRO_PER_TOKEN = 1_000_000n;

/** A sale as a request asks for it. */
export interface ForecastSaleRequest extends OwnedHolding {
  /** Millionths of a token; null for all of them. */
  readonly contracts: bigint | null;
  readonly slippageBps: Bps;
}

/**
 * Makes the transaction that sells outcome tokens.
 * @throws PredictionRefused when the wallet has no such tokens, they are too few, or the round trades nothing
 * @throws ChainUnavailable when the network does not answer
 */
export async function craftForecastSale(
  dependencies: ForecastCraftDependencies,
  request: ForecastSaleRequest,
): Promise<CraftedForecastOrder> {
  const { owner, slippageBps } = request;
  const { holding, marketId } = requireOwnHolding(dependencies, request);
  const market = requireTradableMarket(dependencies, marketId);
  const wallet = await readForecastWallet(dependencies, owner, holding.mint);
  const { balance, isSponsors } = readHeldTokens(dependencies, holding, wallet);
  const contracts = request.contracts ?? balance;
  checkContracts(contracts, balance);
  const swap = await craftForecastSwap(
    dependencies,
    { owner, market, isBuy: false, amount: contracts, slippageBps },
    wallet,
    // A position that the sponsor has opened can be left completely, however little it is worth.
    (proceeds) => (isSponsors && contracts === balance ? null : proceeds),
  );
  return {
    kind: 'forecast',
    transaction: swap.transaction,
    sponsor: swap.sponsor,
    owner,
    market,
    position: holding.account,
    requestId: dependencies.newRequestId(),
    isBuy: false,
    contracts,
    cost: 0n,
    maxBuyPrice: null,
    minSellPrice: (swap.threshold * MICRO_PER_TOKEN) / contracts,
    after: subtractSale({ contracts: balance, totalCost: holding.totalCost }, contracts),
    slippageBps,
  };
}

/** Reads what a wallet holds now, and whether the sponsor has paid for the account. */
function readHeldTokens(
  { gasless }: Pick<ForecastCraftDependencies, 'gasless'>,
  { account }: Pick<ForecastHolding, 'account'>,
  { outcomeTokens }: Pick<ForecastWallet, 'outcomeTokens'>,
): { readonly balance: bigint; readonly isSponsors: boolean } {
  if (outcomeTokens.address !== account) {
    const message = `only the associated token account ${outcomeTokens.address} can be sold from here, not ${account}`;
    return refuseOrder('create_order_failed', message, 'positionPubkey');
  }
  if (outcomeTokens.account === null) return { balance: 0n, isSponsors: false };
  const { amount, closeAuthority } = decodeTokenAccount(outcomeTokens.account.data);
  const isSponsors = closeAuthority !== null && gasless?.hasPaidFor({ payer: closeAuthority }) === true;
  return { balance: amount, isSponsors };
}

function checkContracts(contracts: bigint, balance: bigint): void {
  if (contracts < MIN_SOLD) {
    const message = `A sale must have at least 0.01 tokens, which are ${MIN_SOLD} micro-contracts, got ${contracts}`;
    refuseOrder('bisonfi_position_too_small', message, 'contracts');
  }
  if (contracts <= balance) return;
  const message = `the position has ${balance} micro-contracts, and the order sells ${contracts}`;
  refuseOrder('INSUFFICIENT_FUNDS', message, 'contracts');
}
