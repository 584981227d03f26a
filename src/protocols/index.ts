import type { Protocol } from '../protocol/protocol.ts';
import { bisonfiForecastProtocol } from './bisonfi-forecast/index.ts';
import { jitoProtocol } from './jito/index.ts';
import { jupiterAirdropsProtocol } from './jupiter-airdrops/index.ts';
import { jupiterDcaProtocol } from './jupiter-dca/index.ts';
import { jupiterExchangeProtocol } from './jupiter-exchange/index.ts';
import { jupiterGovernanceProtocol } from './jupiter-governance/index.ts';
import { jupiterLendProtocol } from './jupiter-lend/index.ts';
import { jupiterLimitOrderProtocol } from './jupiter-limit-order/index.ts';
import { jupiterLoansProtocol } from './jupiter-loans/index.ts';
import { jupiterLockProtocol } from './jupiter-lock/index.ts';
import { jupiterOrdersProtocol } from './jupiter-orders/index.ts';
import { jupiterPerpetualsProtocol } from './jupiter-perpetuals/index.ts';
import { jupiterPredictionProtocol } from './jupiter-prediction/index.ts';
import { jupiterReferralProtocol } from './jupiter-referral/index.ts';
import { jupiterSendProtocol } from './jupiter-send/index.ts';
import { lighthouseProtocol } from './lighthouse/index.ts';
import { meteoraDammV2Protocol } from './meteora-damm-v2/index.ts';
import { meteoraDbcProtocol } from './meteora-dbc/index.ts';
import { mplToolboxProtocol } from './mpl-toolbox/index.ts';
import { nativeStakeProtocol } from './native-stake/index.ts';
import { orderEngineProtocol } from './order-engine/index.ts';
import { priceFeedProtocol } from './price-feed/index.ts';
import { raydiumCpmmProtocol } from './raydium-cpmm/index.ts';
import { rfqFillProtocol } from './rfq-fill/index.ts';
import { saberProtocol } from './saber/index.ts';
import { splStakePoolProtocol } from './spl-stake-pool/index.ts';
import { squadsSmartAccountProtocol } from './squads-smart-account/index.ts';
import { tokenMetadataProtocol } from './token-metadata/index.ts';
import { walletProtocol } from './wallet/index.ts';
import { whirlpoolProtocol } from './whirlpool/index.ts';

/**
 * Every protocol that Sluice knows. A new one is one folder and one line here. Append it: the genesis, the reports of
 * portfolios and the list of platforms are in this order. A protocol may import those that stand before it.
 */
export const PROTOCOLS: readonly Protocol[] = [
  walletProtocol,
  nativeStakeProtocol,
  jupiterExchangeProtocol,
  jupiterGovernanceProtocol,
  jupiterLockProtocol,
  jupiterDcaProtocol,
  jupiterLimitOrderProtocol,
  jupiterOrdersProtocol,
  jupiterPerpetualsProtocol,
  jupiterLoansProtocol,
  jupiterAirdropsProtocol,
  jitoProtocol,
  raydiumCpmmProtocol,
  whirlpoolProtocol,
  meteoraDammV2Protocol,
  saberProtocol,
  splStakePoolProtocol,
  rfqFillProtocol,
  orderEngineProtocol,
  lighthouseProtocol,
  tokenMetadataProtocol,
  priceFeedProtocol,
  jupiterLendProtocol,
  mplToolboxProtocol,
  jupiterReferralProtocol,
  squadsSmartAccountProtocol,
  jupiterSendProtocol,
  meteoraDbcProtocol,
  jupiterPredictionProtocol,
  bisonfiForecastProtocol,
];
