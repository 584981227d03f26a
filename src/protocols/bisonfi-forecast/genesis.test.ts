import { describe, expect, it } from 'vitest';
import { AccountLedger } from '../../protocol/genesis/account-ledger.ts';
import { DEFAULT_SEED, deriveGenesisKeys } from '../../protocol/genesis/keys.ts';
import { derivePriceFeedAddress } from '../../solana/programs/price-feed/feed.ts';
import { decodeTokenAccount } from '../../solana/programs/token/account.ts';
import { decodeForecastConfig } from './forecast-config.ts';
import {
  FORECAST_AUTHORITY,
  FORECAST_CONFIG,
  FORECAST_PROGRAM,
  FORECAST_RESERVE,
  FORECAST_USDC,
} from './forecast-program.ts';
import { bisonfiForecastGenesis, FORECAST_RESERVE_FUNDS } from './genesis.ts';

describe('the forecasts of the genesis', () => {
  it('have rounds of 5 and 15 minutes on the feed of bitcoin, which the operator opens', () => {
    const account = accounts.get(FORECAST_CONFIG);
    expect(account?.owner).toBe(FORECAST_PROGRAM);
    const config = decodeForecastConfig(account?.data ?? new Uint8Array());
    expect(config?.operator).toBe(keys.forecastOperator.address);
    expect(config?.schedules.map(({ seconds }) => seconds)).toEqual([300, 900]);
    for (const schedule of config?.schedules ?? []) {
      expect(schedule).toMatchObject({
        feed: derivePriceFeedAddress(BTC_USD),
        asset: 'BTC',
        funding: 5_000_000_000n,
        deviation: 5_000,
        halfSpread: 10_000,
        slope: 10_000,
      });
    }
  });

  it('have a reserve that the program owns, and an operator with SOL', () => {
    const tokens = decodeTokenAccount(accounts.get(FORECAST_RESERVE)?.data ?? new Uint8Array());
    expect(tokens).toMatchObject({
      mint: FORECAST_USDC,
      owner: FORECAST_AUTHORITY.address,
      amount: FORECAST_RESERVE_FUNDS,
    });
    expect(accounts.get(keys.forecastOperator.address)?.lamports).toBe(1_000_000_000_000n);
  });
});

const BTC_USD = Buffer.from('e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43', 'hex');
const keys = deriveGenesisKeys(DEFAULT_SEED);
const ledger = new AccountLedger();
bisonfiForecastGenesis.addAccounts?.(ledger, keys, 0n);
const accounts = new Map(ledger.accounts().map(({ address, account }) => [address, account]));
