import type { GenericAsset, Prediction } from '../../protocol/positions/element.ts';
import type { PositionFetcher, WalletReader, WalletToken } from '../../protocol/positions/fetcher.ts';
import type {
  PredictionEvent,
  PredictionEvents,
  PredictionExchange,
  PredictionMarket,
} from '../../predictions/prediction.ts';
import { toForecastEventId, toForecastMarketId } from '../events/forecast-ids.ts';
import type { ForecastHolding, ForecastHoldings, ForecastRounds } from '../forecast.ts';

/** The platform of the positions, in the list of platforms of the portfolio. */
const PLATFORM = 'jupiter-pm';

const MICRO_PER_TOKEN = 1_000_000n;
const HALF_DOLLAR = 500_000n;
const MICRO_PER_DOLLAR = 1_000_000;

/** What the positions of a wallet are read from. */
export interface ForecastPositionSource {
  readonly rounds: Pick<ForecastRounds, 'findByMint'>;
  readonly holdings: Pick<ForecastHoldings, 'find'>;
  readonly events: Pick<PredictionEvents, 'findEvent' | 'findMarket'>;
  readonly exchange: Pick<PredictionExchange, 'getPrices'>;
}

/**
 * Creates the fetcher of the outcome tokens of a wallet: sides of rounds that the chain has. They are claimed, so that a wallet
 * shows them as positions alone and not as tokens.
 *
 * A position is worth what its tokens bring now. Between the close and the result it has no value. Then it is worth what it
 * will be paid; one that has lost is not shown.
 */
export function createForecastPositions(source: ForecastPositionSource): PositionFetcher {
  return {
    id: `${PLATFORM}-forecasts`,
    platformId: PLATFORM,
    claims: async (wallet) => {
      const mints = (await wallet.tokens()).map(({ mint }) => mint);
      return new Set(mints.filter((mint) => source.rounds.findByMint(mint) !== null));
    },
    fetch: async (wallet) => {
      const assets = await readPositions(wallet, source);
      return { elements: assets.length === 0 ? [] : [{ type: 'multiple', label: 'Deposit', assets }] };
    },
  };
}

async function readPositions(
  wallet: WalletReader,
  source: ForecastPositionSource,
): Promise<readonly GenericAsset[]> {
  const assets: GenericAsset[] = [];
  for (const token of await wallet.heldTokens()) {
    const found = source.rounds.findByMint(token.mint);
    if (found === null) continue;
    const event = source.events.findEvent(toForecastEventId(found.round.address));
    const market = source.events.findMarket(toForecastMarketId(found.round.address, found.side));
    if (event === null || market === null || market.result === 'no') continue;
    assets.push(toPositionAsset(token, { event, market }, source));
  }
  return assets;
}

/** A side of a round as events describe it. */
interface DescribedSide {
  readonly event: PredictionEvent;
  readonly market: PredictionMarket;
}

function toPositionAsset(
  { address, amount }: WalletToken,
  { event, market }: DescribedSide,
  { holdings, exchange }: ForecastPositionSource,
): GenericAsset {
  const price = findPrice(market, exchange);
  const value = price === null ? null : (amount * price) / MICRO_PER_TOKEN;
  return {
    type: 'generic',
    name: `${event.title}: ${market.title}`,
    ref: address,
    link: `https://jup.ag/prediction/${event.eventId}`,
    amount: toUnits(amount),
    ...(price === null ? {} : { price: toUnits(price) }),
    value: value === null ? null : toUnits(value),
    attributes: { prediction: toPrediction({ event, market }, holdings.find(address), value) },
  };
}

/** Returns what one token brings or will be paid, in micro USD; null while nobody can know. */
function findPrice(
  { status, result, marketId }: PredictionMarket,
  exchange: Pick<PredictionExchange, 'getPrices'>,
): bigint | null {
  if (result === 'yes') return MICRO_PER_TOKEN;
  if (status === 'cancelled') return HALF_DOLLAR;
  return status === 'open' ? (exchange.getPrices(marketId)?.sellYes ?? null) : null;
}

/** Numbers that are not known are absent. There are no fees, so both kinds of profit are the same. */
function toPrediction(
  { event, market }: DescribedSide,
  holding: ForecastHolding | null,
  value: bigint | null,
): Prediction {
  const pnl = value === null || holding === null ? null : value - holding.totalCost;
  const percent = pnl === null || holding === null ? null : toPercent(pnl, holding.totalCost);
  return {
    market: {
      marketTitle: market.title,
      eventTitle: event.title,
      closeTime: market.closeAt * 1_000,
      ...(market.resolvedAt === null ? {} : { resolveAt: market.resolvedAt * 1_000 }),
    },
    sideName: market.title,
    feesPaidValue: 0,
    ...(pnl === null ? {} : { pnlValue: toUnits(pnl), pnlAfterFeesValue: toUnits(pnl) }),
    ...(percent === null ? {} : { pnlPercent: percent, pnlAfterFeesPercent: percent }),
    ...(holding === null ? {} : { createdAt: holding.openedAt * 1_000 }),
  };
}

/** Returns hundredths of a percent at most, cut off; 0 of nothing. */
function toPercent(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 10_000n) / whole) / 100;
}

/** Returns tokens of millionths, or dollars of micro USD. */
function toUnits(millionths: bigint): number {
  return Number(millionths) / MICRO_PER_DOLLAR;
}
