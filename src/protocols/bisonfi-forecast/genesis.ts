import type { AccountLedger } from '../../protocol/genesis/account-ledger.ts';
import type { GenesisKeys } from '../../protocol/genesis/keys.ts';
import { toLedgerMint } from '../../protocol/genesis/mints.ts';
import { getGenesisFeed } from '../../protocol/genesis/price-feeds.ts';
import type { ProtocolGenesis } from '../../protocol/genesis/protocol-genesis.ts';
import type { VenueGenesis } from '../../protocol/genesis/venue-genesis.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { encodeForecastConfig, type ForecastSchedule } from './forecast-config.ts';
import { FORECAST_AUTHORITY, FORECAST_CONFIG, FORECAST_PROGRAM } from './forecast-program.ts';

const BTC_FEED = getGenesisFeed('BTC');

/** 1,000 SOL, which pay for the accounts of rounds, and for settling and paying out. */
const OPERATOR_LAMPORTS = 1_000_000_000_000n;

/** 5,000,000 USDC, out of which rounds are funded. */
export const FORECAST_RESERVE_FUNDS = 5_000_000_000_000n;

/** The rounds of the genesis: 5 and 15 minutes on bitcoin, with 5,000 USDC, a cent of spread and a cent for 1,000 tokens. */
export const GENESIS_SCHEDULES: readonly ForecastSchedule[] = [300, 900].map((seconds) => ({
  feed: BTC_FEED.address,
  asset: BTC_FEED.symbol,
  seconds,
  funding: 5_000_000_000n,
  deviation: 5_000,
  halfSpread: 10_000,
  slope: 10_000,
}));

/** Rounds are opened by the operator while the network runs, so the genesis has no pool. Routes over them share these accounts. */
const bisonfiVenueGenesis: VenueGenesis = {
  sharedAccounts: [FORECAST_PROGRAM, BTC_FEED.address],
  addPools: () => [],
  poolAccounts: () => [],
};

/** The schedules of rounds with the reserve, and the operator, which opens and settles them. */
export const bisonfiForecastGenesis: ProtocolGenesis = {
  addAccounts: addForecasts,
  pools: bisonfiVenueGenesis,
};

function addForecasts(ledger: AccountLedger, { forecastOperator }: GenesisKeys): void {
  const operator = forecastOperator.address;
  const config = encodeForecastConfig({ operator, schedules: GENESIS_SCHEDULES });
  ledger.addData(FORECAST_CONFIG, FORECAST_PROGRAM, config);
  const owner = FORECAST_AUTHORITY.address;
  ledger.addAssociatedTokens(toLedgerMint(getGenesisToken('USDC')), {
    owner,
    amount: FORECAST_RESERVE_FUNDS,
  });
  ledger.addWallet(operator, OPERATOR_LAMPORTS);
}
