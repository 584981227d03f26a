import { keepDemoMaker, keepLiquidatorWallet, keepWebhookMakerWallet } from '../data-folder/demo-files.ts';
import { type Actor, makeChangesAs } from '../platform/audit/audit.ts';
import { createApiKey } from '../platform/credentials/api-key.ts';
import { openDemoMaker } from '../sandbox/processes/demo-maker.ts';
import { openDemoWebhookMaker } from '../sandbox/processes/demo-webhook-maker.ts';
import { openLiquidator } from '../sandbox/processes/liquidator.ts';
import type { LowerRooms } from './lower-rooms.ts';
import type { StartContext } from './state/start-context.ts';

export interface DemoTraderOptions {
  /** The URL that makers connect to. */
  readonly grpcUrl: string;
  readonly restUrl: string;
  /** Reads the makers from the database, so that a new one can connect. */
  readonly refresh: () => Promise<void>;
}

/**
 * Starts the demo makers and the liquidator, which are programs of `examples/`, as far as settings ask for them. None runs in
 * production or over an outside RPC, where operators choose their own.
 */
export async function openDemoTraders(
  { config, logger, toClose }: StartContext,
  { state, network: { place, wallets }, market: { pools } }: LowerRooms,
  { grpcUrl, restUrl, refresh }: DemoTraderOptions,
): Promise<void> {
  if (place.kind !== 'embedded' || wallets === null || config.production) return;
  const { rpcUrl, wsUrl } = place;
  const { folder, platform, demoKey } = state;
  const host = {
    folder,
    logError: (details: object, message: string) => logger.error(details, message),
    toClose,
  };
  const changesAs = (actor: Actor) => makeChangesAs(platform, actor);
  // Where makers connect over TLS, the demo maker could not check the certificate.
  if (config.makers.demo && config.makers.tls === null) {
    const { demoMaker } = wallets;
    const kept = keepDemoMaker(folder, demoMaker, () => createApiKey(config.keyPrefix));
    await openDemoMaker(host, {
      wallet: demoMaker.address,
      walletFile: kept.walletFile,
      key: kept.key,
      grpcUrl,
      registry: platform,
      makeChangesAs: changesAs,
      refresh,
      pools,
    });
  }
  if (config.makers.demo) {
    const { webhookMaker } = wallets;
    openDemoWebhookMaker(host, {
      wallet: webhookMaker.address,
      walletFile: keepWebhookMakerWallet(folder, webhookMaker),
      rpcUrl,
      registry: platform,
      makeChangesAs: changesAs,
      refresh,
      pools,
    });
  }
  if (config.liquidator) {
    const walletFile = keepLiquidatorWallet(folder, wallets.liquidator);
    openLiquidator(host, { walletFile, restUrl, apiKey: demoKey?.key ?? null, rpcUrl, wsUrl });
  }
}
