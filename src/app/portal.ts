import { fileURLToPath } from 'node:url';
import { packageRoot } from '../common/package.ts';
import type { Chain } from '../chain/chain.ts';
import type { Config } from '../config/config.ts';
import { isLoopbackHost } from '../config/settings/kinds/loopback.ts';
import type { PortalOptions } from '../gateway/portal/portal.ts';
import type { PortalPools } from '../gateway/portal/pools/portal-pools.ts';
import { createPortalReader, hasPortalBuild } from '../gateway/portal/portal-build.ts';
import type { PortalUrls } from '../gateway/portal/portal-instance.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import { createAppAccountDecoder } from './account-decoder.ts';
import type { PortalOutside } from '../gateway/portal/network/outside-rpc.ts';
import { createPortalNetwork } from './portal-network.ts';
import { createPortalSlots } from './portal-slots.ts';
import { createAppDecoder, type DecodedMarket } from './transaction-decoder.ts';
import { findDemoWallet, type OpenedNetwork } from './state/network.ts';

/** Where `npm run build` puts the built pages. */
const BUILD = new URL('dist/portal/', packageRoot);

/** Whether the pages of the portal are there to be served. */
export function hasBuiltPortal(): boolean {
  return hasPortalBuild(fileURLToPath(BUILD));
}

/**
 * Returns what the portal is made of; null if it is turned off.
 * @param market - What the decoder of transactions reads from.
 * @param pools - What pages about pools read. Null if the portal is turned off.
 * @param getUrls - Returns null until the ports listen.
 */
export function createPortal(
  { portal, production, host, trustedProxies, keylessLocalLimit, outside }: Config,
  { place, embedded }: Pick<OpenedNetwork, 'place' | 'embedded'>,
  market: DecodedMarket & { readonly chain: Chain },
  pools: PortalPools | null,
  getUrls: () => PortalUrls | null,
): PortalOptions | null {
  if (!portal || pools === null) return null;
  return {
    readBuild: createPortalReader(fileURLToPath(BUILD)),
    // Behind a proxy on this machine, requests name the proxy's host.
    isLoopbackOnly: isLoopbackHost(host) && trustedProxies.length === 0,
    decoder: createAppDecoder(market, embedded !== null && !production),
    pools,
    accounts: createAppAccountDecoder(market),
    network: embedded === null || production ? null : createPortalNetwork(embedded, SYSTEM_TIMERS),
    outside: createPortalOutside(market.chain, outside, production),
    slots: createPortalSlots(market.chain, embedded),
    facts: {
      production,
      requiresKey: keylessLocalLimit === 0,
      network: embedded === null ? { kind: 'rpc' } : { kind: 'embedded', genesis: embedded.genesisHash },
      demoWallet: production ? null : findDemoWallet(place),
      getUrls,
    },
  };
}

/** Returns an outside RPC as the pages use it; null on the embedded network. */
function createPortalOutside(
  { callRaw }: Pick<Chain, 'callRaw'>,
  outside: Config['outside'],
  production: boolean,
): PortalOutside | null {
  if (callRaw === undefined || outside === null) return null;
  return { call: callRaw, callsPerMinute: outside.portalCalls, production, now: SYSTEM_TIMERS.now };
}
