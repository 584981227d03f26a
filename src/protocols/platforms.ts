import type { PositionFetcher } from '../protocol/positions/fetcher.ts';
import { jupiterAirdrops } from './jupiter-airdrops/fetcher.ts';
import { jupiterGovernance } from './jupiter-governance/fetcher.ts';
import { jupiterLoans } from './jupiter-loans/fetcher.ts';
import { jupiterLock } from './jupiter-lock/fetcher.ts';
import { jupiterDcaOrders } from './jupiter-orders/dca.ts';
import { jupiterLimitOrders } from './jupiter-orders/limit.ts';
import { jupiterLimitOrdersV1 } from './jupiter-orders/limit-v1.ts';
import { jupiterValueAverageOrders } from './jupiter-orders/value-average.ts';
import { jupiterPerpetuals } from './jupiter-perpetuals/fetcher.ts';
import { nativeStake } from './native-stake/fetcher.ts';
import { walletNative } from './wallet/native.ts';
import { walletNfts } from './wallet/nfts.ts';
import { walletTokens } from './wallet/tokens.ts';

/**
 * The fetchers of platforms that are neither a venue nor a product of Sluice. Each is one folder and one line here.
 * Reports are in this order.
 */
export const PLATFORM_FETCHERS: readonly PositionFetcher[] = [
  walletTokens,
  walletNative,
  walletNfts,
  nativeStake,
  jupiterGovernance,
  jupiterLock,
  jupiterLimitOrders,
  jupiterLimitOrdersV1,
  jupiterDcaOrders,
  jupiterValueAverageOrders,
  jupiterPerpetuals,
  jupiterLoans,
  jupiterAirdrops,
];
