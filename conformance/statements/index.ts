import type { Statement } from '../statement.ts';
import { auditStatements } from './audit.ts';
import { analyticsStatements } from './analytics.ts';
import { buildStatements } from './build.ts';
import { buildDetails } from './build-details.ts';
import { creditsStatements } from './credits.ts';
import { everyEndpoint } from './every-endpoint.ts';
import { everyPath } from './every-path.ts';
import { feeStatements } from './fees.ts';
import { executeStatements } from './execute.ts';
import { firewallStatements } from './firewall.ts';
import { gatewayStatements } from './gateway.ts';
import { keyStatements } from './keys.ts';
import { roleStatements } from './roles.ts';
import { streamingStatements } from './streaming.ts';
import { swapStreamStatements } from './swap-stream.ts';
import { orderStatements } from './order.ts';
import { lendBorrowStatements } from './lend-borrow.ts';
import { lendEarnStatements } from './lend-earn.ts';
import { landingStatements } from './landing.ts';
import { openapiStatements } from './openapi.ts';
import { optionalFieldStatements } from './optional-fields.ts';
import { portfolioStatements } from './portfolio.ts';
import { predictionLifeStatements } from './prediction/order-lives.ts';
import { forecastStatements, forecastTimeStatements } from './prediction/forecasts.ts';
import { predictionSocialStatements } from './prediction/social.ts';
import { predictionMarketStatements } from './prediction/markets.ts';
import { predictionOrderStatements } from './prediction/order-building.ts';
import { predictionReadStatements } from './prediction/market-reads.ts';
import { predictionSettlementStatements, predictionTimeStatements } from './prediction/settlement.ts';
import { predictionTradingStatements } from './prediction/trading.ts';
import { priceStatements } from './price.ts';
import { logStatements } from './log.ts';
import { tokenStatements } from './tokens.ts';
import { triggerSignInStatements } from './trigger/sign-in.ts';
import { triggerStatements } from './trigger/price-orders.ts';
import { depositStatements } from './trigger/deposits.ts';
import { earningStatements } from './trigger/earning.ts';
import { fillStatements } from './trigger/fills.ts';
import { historyStatements } from './trigger/history.ts';
import { priceRefusalStatements } from './trigger/price-refusals.ts';
import { roundTimeStatements } from './trigger/rounds-in-time.ts';
import { roundStatements } from './trigger/rounds.ts';
import { withdrawalStatements } from './trigger/withdrawals.ts';
import { triggerKindStatements } from './trigger/order-kinds.ts';
import { limitOrderStatements } from './limit-orders/orders.ts';
import { limitRefusalStatements } from './limit-orders/refusals.ts';
import { recurringListStatements } from './recurring/lists.ts';
import { recurringOrderStatements } from './recurring/orders.ts';
import { recurringRefusalStatements } from './recurring/refusals.ts';
import { sendCraftStatements } from './send/crafting.ts';
import { sendEndStatements } from './send/ends.ts';
import { sendExpiryStatements } from './send/expiry.ts';
import { sendListStatements } from './send/lists.ts';
import { sendRefusalStatements } from './send/refusals.ts';
import { launchedStatements } from './studio/launched.ts';
import { launchFileStatements } from './studio/files.ts';
import { launchingStatements } from './studio/launching.ts';
import { ultraStatements } from './ultra.ts';
import { v1Statements } from './v1.ts';
import { webhookMakerStatements } from './webhook-makers.ts';

/** Every statement, by area: an area is one file and one line. */
export const STATEMENTS: readonly Statement[] = [
  ...gatewayStatements,
  ...everyEndpoint,
  ...everyPath,
  ...creditsStatements,
  ...keyStatements,
  ...firewallStatements,
  ...roleStatements,
  ...auditStatements,
  ...logStatements,
  ...analyticsStatements,
  ...buildStatements,
  ...buildDetails,
  ...orderStatements,
  ...executeStatements,
  ...v1Statements,
  ...feeStatements,
  ...lendEarnStatements,
  ...lendBorrowStatements,
  ...streamingStatements,
  ...swapStreamStatements,
  ...webhookMakerStatements,
  ...portfolioStatements,
  ...tokenStatements,
  ...predictionMarketStatements,
  ...predictionReadStatements,
  ...predictionTradingStatements,
  ...predictionOrderStatements,
  ...predictionLifeStatements,
  ...predictionSettlementStatements,
  ...predictionSocialStatements,
  ...forecastStatements,
  ...priceStatements,
  ...limitRefusalStatements,
  ...limitOrderStatements,
  ...recurringOrderStatements,
  ...recurringRefusalStatements,
  ...recurringListStatements,
  ...sendCraftStatements,
  ...sendEndStatements,
  ...sendListStatements,
  ...sendRefusalStatements,
  ...launchedStatements,
  ...launchFileStatements,
  ...launchingStatements,
  ...ultraStatements,
  ...triggerSignInStatements,
  ...depositStatements,
  ...triggerStatements,
  ...triggerKindStatements,
  ...priceRefusalStatements,
  ...withdrawalStatements,
  ...historyStatements,
  ...fillStatements,
  ...roundStatements,
  ...earningStatements,
  ...landingStatements,
  ...openapiStatements,
  ...optionalFieldStatements,
  ...roundTimeStatements,
  ...sendExpiryStatements,
  ...predictionTimeStatements,
  ...forecastTimeStatements,
];
