import type { Chain } from '../../chain/chain.ts';
import type { OutageLog } from '../../common/outage-log.ts';
import { type Timers, waitWithin } from '../../common/ports/timers.ts';
import { decodeForecastConfig } from '../../protocols/bisonfi-forecast/forecast-config.ts';
import { FORECAST_CONFIG, FORECAST_PROGRAM } from '../../protocols/bisonfi-forecast/forecast-program.ts';
import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import { ForecastKeeper, type ForecastKeeperOptions } from '../keeper/forecast-keeper.ts';
import { ForecastRoundFollower } from '../rounds/forecast-round-follower.ts';

export interface ForecastsOptions {
  readonly chain: Chain;
  /** The feed whose rounds are followed. Null follows those of all feeds. */
  readonly feed: Address | null;
  /** What the keeper needs besides. Null if this process opens and pays no rounds. */
  readonly keeper: Omit<ForecastKeeperOptions, 'chain' | 'rounds' | 'timers' | 'onDefect'> | null;
  readonly timers: Timers;
  /** Called when rounds cannot be read, and when they are again. */
  readonly outage: OutageLog;
  readonly onDefect: (where: string, error: unknown) => void;
}

/** The rounds of forecasts, and the keeper that works on them. */
export interface OpenedForecasts {
  readonly rounds: ForecastRoundFollower;
  /** Returns why rounds are not followed, opened, settled or paid now; null when they are. */
  readonly unhealthy: () => string | null;
  /** The keeper begins nothing more. Resolves when nothing is on its way. */
  readonly drain: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** How long the start waits for the first turn of the keeper. */
const MAX_FIRST_TURN_MS = 5_000;

/** Begins to follow the rounds, and to work on them if this process does. */
export async function openForecasts(options: ForecastsOptions): Promise<OpenedForecasts> {
  const { chain, feed, timers, outage, onDefect } = options;
  const rounds = await ForecastRoundFollower.open({ chain, feed, timers, outage, onDefect });
  const keeper =
    options.keeper === null
      ? null
      : new ForecastKeeper({ ...options.keeper, chain, rounds, timers, onDefect });
  if (keeper !== null) await waitWithin(keeper.start(), MAX_FIRST_TURN_MS, timers);
  return {
    rounds,
    unhealthy: () => rounds.unhealthy() ?? keeper?.unhealthy() ?? null,
    drain: async () => keeper?.drain(),
    close: async () => {
      await keeper?.close();
      await rounds.close();
    },
  };
}

/** The terms by which a network has forecasts that an instance can serve. */
export interface ForecastTerms {
  /** The key that the settings must name. Null accepts any. */
  readonly operator: Address | null;
  /** The feed on which there must be rounds. Null accepts any. */
  readonly feed: Address | null;
}

/**
 * Returns why an instance cannot serve the forecasts of a network; null if it can. A network that was founded before it had forecasts
 * has no settings of their program.
 *
 * @throws ChainUnavailable when the network does not answer
 */
export async function findForecastProblem(
  chain: Pick<Chain, 'getAccounts'>,
  { operator, feed }: ForecastTerms,
): Promise<string | null> {
  const [update] = await chain.getAccounts([FORECAST_CONFIG]);
  const config = readConfig(update?.account ?? null);
  if (config === null) return `it has no settings of the forecast program at ${FORECAST_CONFIG}`;
  if (operator !== null && config.operator !== operator) return 'its forecasts have another operator';
  if (feed !== null && config.schedules.every((schedule) => schedule.feed !== feed))
    return `it has no forecasts on the feed ${feed}`;
  return null;
}

function readConfig(account: { readonly owner: Address; readonly data: Uint8Array } | null) {
  if (account?.owner !== FORECAST_PROGRAM) return null;
  try {
    return decodeForecastConfig(account.data);
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}
