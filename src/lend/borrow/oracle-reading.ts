import type { Account } from '../../chain/accounts.ts';
import type { ChainClock } from '../../chain/chain.ts';
import type { OracleAccount } from '../../protocols/jupiter-lend/oracle/layouts.ts';
import { type OracleError, computeOracleRate } from '../../protocols/jupiter-lend/oracle/rate.ts';
import type { OracleRates } from '../../protocols/jupiter-lend/vaults/model/safety.ts';
import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import { decodePriceFeed } from '../../solana/programs/price-feed/feed.ts';

/** The current reading of an oracle, or the errors with which its program refuses to answer. */
export interface OracleReading {
  /** Null unless the program would return both rates, which it does for every operation. */
  readonly rates: OracleRates | null;
  /** Null where the program would refuse. */
  readonly operate: bigint | null;
  readonly liquidate: bigint | null;
  readonly error: OracleError | null;
  /** Unix seconds at which the oldest of its feeds was published; null if it reads none. */
  readonly publishTime: bigint | null;
}

/** Computes both rates of an oracle from the accounts of its sources. */
export function readOracle(
  { sources }: OracleAccount,
  read: (address: Address) => Account | null,
  clock: ChainClock,
): OracleReading {
  const dataOf = (source: Address): Uint8Array | null => read(source)?.data ?? null;
  const time = toOracleClock(clock);
  const operate = computeOracleRate(sources, dataOf, time, 'operate');
  const liquidate = computeOracleRate(sources, dataOf, time, 'liquidate');
  const refused = operate.ok ? liquidate : operate;
  const times = sources.flatMap(({ source, sourceType }) =>
    sourceType === 'pyth' ? (findPublishTime(dataOf(source)) ?? []) : [],
  );
  return {
    rates: operate.ok && liquidate.ok ? { operate: operate.rate, liquidate: liquidate.rate } : null,
    operate: operate.ok ? operate.rate : null,
    liquidate: liquidate.ok ? liquidate.rate : null,
    error: refused.ok ? null : refused.error,
    publishTime: times.reduce<bigint | null>(
      (oldest, time) => (oldest === null || time < oldest ? time : oldest),
      null,
    ),
  };
}

/** The chain does not report when the epoch began, so stake pools count as refreshed during the whole epoch. */
function toOracleClock({ unixTimestamp, epoch }: ChainClock) {
  return { unixTimestamp, epoch, epochStartTimestamp: unixTimestamp };
}

function findPublishTime(data: Uint8Array | null): bigint | null {
  try {
    return data === null ? null : decodePriceFeed(data).publishTime;
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}
