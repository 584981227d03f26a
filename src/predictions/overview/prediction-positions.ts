import type { Element, GenericAsset, Prediction, TokenAsset } from '../../protocol/positions/element.ts';
import type { PositionFetcher, WalletReader } from '../../protocol/positions/fetcher.ts';
import { readTokenBalance } from '../../protocol/positions/token-balance.ts';
import {
  derivePredictionOrderAta,
  JUPUSD_MINT,
} from '../../protocols/jupiter-prediction/prediction-program.ts';
import { MICRO_PER_CONTRACT } from '../../exchange/exchange.ts';
import type { PredictionPositionLists, ValuedPosition } from '../lists/prediction-lists.ts';
import type { OpenPredictionPosition, PredictionAccounts } from '../prediction.ts';

/** The platform of the positions, in the list of platforms of the portfolio. */
const PLATFORM = 'jupiter-pm';

const MICRO_PER_DOLLAR = 1_000_000;

/** What the positions of a wallet are read from. */
export interface PredictionPositionSource {
  readonly accounts: Pick<PredictionAccounts, 'positionsOf' | 'ordersOf'>;
  readonly lists: PredictionPositionLists;
}

/**
 * Creates the fetcher of what a wallet has on the prediction markets that this instance offers: its positions, and what its
 * orders hold.
 *
 * A position is worth its contracts at the mark price while they are traded, then its payout if its side has won. A
 * position that has lost or was paid is worth nothing, and is not shown.
 */
export function createPredictionPositions(source: PredictionPositionSource): PositionFetcher {
  return {
    id: `${PLATFORM}-positions`,
    platformId: PLATFORM,
    fetch: async (wallet) => {
      const [positions, orders] = await Promise.all([
        readPositions(wallet, source),
        readOrders(wallet, source),
      ]);
      const elements: Element[] = [];
      if (positions.length > 0) elements.push({ type: 'multiple', label: 'Deposit', assets: positions });
      if (orders.length > 0)
        elements.push({ type: 'multiple', label: 'Deposit', name: 'Orders', assets: orders });
      return { elements };
    },
  };
}

async function readPositions(
  wallet: WalletReader,
  { accounts, lists }: PredictionPositionSource,
): Promise<readonly GenericAsset[]> {
  const positions = accounts.positionsOf(wallet.owner).filter(isHeld);
  const found = await wallet.accounts(positions.map(({ address }) => address));
  return positions.flatMap((position, index) => {
    const valued = found[index] == null ? null : lists.valuePosition(position);
    return valued === null || hasLost(valued) ? [] : [toPositionAsset(valued)];
  });
}

/** What an order holds is read from its account: the deposit of a purchase until it is spent or returned, or proceeds. */
async function readOrders(
  wallet: WalletReader,
  { accounts }: PredictionPositionSource,
): Promise<readonly TokenAsset[]> {
  const orders = accounts.ordersOf(wallet.owner);
  const found = await wallet.accounts(orders.map(({ address }) => derivePredictionOrderAta(address)));
  return orders.flatMap(({ address: ref }, index) => {
    const amount = readTokenBalance(found[index] ?? null);
    return amount === 0n ? [] : [{ type: 'token', mint: JUPUSD_MINT, amount, ref } as const];
  });
}

function isHeld({ contracts, isClaimed }: OpenPredictionPosition): boolean {
  return contracts > 0n && !isClaimed;
}

function hasLost({ position, market }: ValuedPosition): boolean {
  return market.result !== null && market.result !== toSide(position);
}

function toSide({ isYes }: OpenPredictionPosition): 'yes' | 'no' {
  return isYes ? 'yes' : 'no';
}

function toPositionAsset(valued: ValuedPosition): GenericAsset {
  const { position, event, market, payout, isClaimable } = valued;
  const won = market.result === toSide(position);
  const value = won ? payout : valued.value;
  const price = won ? MICRO_PER_CONTRACT : valued.markPrice;
  return {
    type: 'generic',
    name: `${event.title}: ${market.title}`,
    ...(event.imageUrl === null ? {} : { imageUri: event.imageUrl }),
    ref: position.address,
    link: `https://jup.ag/prediction/${event.eventId}`,
    amount: Number(position.contracts) / Number(MICRO_PER_CONTRACT),
    ...(price === null ? {} : { price: toDollars(price) }),
    value: value === null ? null : toDollars(value),
    attributes: {
      ...(isClaimable ? { isClaimable } : {}),
      prediction: toPrediction(valued),
    },
  };
}

/** Numbers that are not known are absent. */
function toPrediction({ position, event, market, ...figures }: ValuedPosition): Prediction {
  const { pnl, pnlPercent, pnlAfterFees, pnlAfterFeesPercent } = figures;
  return {
    market: {
      marketTitle: market.title,
      eventTitle: event.title,
      closeTime: market.closeAt * 1_000,
      ...(market.resolvedAt === null ? {} : { resolveAt: market.resolvedAt * 1_000 }),
    },
    sideName: position.isYes ? 'Yes' : 'No',
    feesPaidValue: toDollars(position.feesPaid),
    ...(pnl === null ? {} : { pnlValue: toDollars(pnl) }),
    ...(pnlPercent === null ? {} : { pnlPercent }),
    ...(pnlAfterFees === null ? {} : { pnlAfterFeesValue: toDollars(pnlAfterFees) }),
    ...(pnlAfterFeesPercent === null ? {} : { pnlAfterFeesPercent }),
    createdAt: Number(position.openedAt) * 1_000,
  };
}

function toDollars(micro: bigint): number {
  return Number(micro) / MICRO_PER_DOLLAR;
}
