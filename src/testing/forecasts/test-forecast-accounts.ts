import type { AccountUpdate } from '../../chain/accounts.ts';
import {
  encodeForecastRound,
  type ForecastRoundAccount,
} from '../../protocols/bisonfi-forecast/forecast-accounts.ts';
import {
  deriveForecastRound,
  deriveOutcomeMint,
  FORECAST_PROGRAM,
} from '../../protocols/bisonfi-forecast/forecast-program.ts';
import { type Address, toAddress } from '../../solana/address.ts';

/** A feed of tests, and another one. */
export const [TEST_FEED, OTHER_FEED] = [21, 22].map((byte) => toAddress(new Uint8Array(32).fill(byte))) as [
  Address,
  Address,
];

/** Creates an account of the forecast program as a chain reports it. */
export function createForecastUpdate(address: Address, data: Uint8Array | null, slot: bigint): AccountUpdate {
  const account = { lamports: 1n, owner: FORECAST_PROGRAM, executable: false, rentEpoch: 0n };
  return { address, slot, account: data === null ? null : { ...account, data } };
}

/** Creates the account of a round of five minutes, with its address. */
export function createTestRound(changed: Partial<ForecastRoundAccount> = {}) {
  const feed = changed.feed ?? TEST_FEED;
  const seconds = changed.seconds ?? 300;
  const openTime = changed.openTime ?? 1_800_000_000n;
  const { address, bump } = deriveForecastRound({ feed, seconds, openTime });
  const round: ForecastRoundAccount = {
    operator: TEST_FEED,
    feed,
    asset: 'BTC',
    seconds,
    openTime,
    closeTime: openTime + BigInt(seconds),
    openPrice: 10_850_000_000_000n,
    exponent: -8,
    closePrice: 0n,
    status: 'open',
    settledAt: 0n,
    upOutstanding: 0n,
    downOutstanding: 0n,
    deviation: 5_000,
    halfSpread: 10_000,
    slope: 10_000,
    funding: 5_000_000_000n,
    volume: 0n,
    bump,
    upMint: deriveOutcomeMint(address, 'up').address,
    downMint: deriveOutcomeMint(address, 'down').address,
    ...changed,
  };
  return { address, round, data: encodeForecastRound(round) };
}
