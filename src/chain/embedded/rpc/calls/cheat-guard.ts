import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Why a request may not call the methods `surfnet_*`. */
export type CheatRefusal = 'production' | 'remote' | 'page' | 'forwarded' | 'host';

/** The error messages. */
export const CHEAT_REFUSALS: Readonly<Record<CheatRefusal, string>> = {
  production: 'this network runs with production',
  remote: 'it is only served to programs on this machine, over loopback',
  page: 'it is not served to web pages: the request has an Origin or a Sec-Fetch-Site header',
  forwarded: 'it is not served through proxies: the request has a header of one',
  host: 'the Host of the request must be an IP address or localhost',
};

/** Headers that browsers set themselves and that pages cannot remove. Node's `fetch` sends `Sec-Fetch-Mode` too. */
const OF_BROWSERS = ['origin', 'sec-fetch-site'] as const;
const OF_PROXIES = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const;

/**
 * Decides whether a request may call cheat codes, which change any account without a signature. The RPC answers web pages of
 * any origin, so a page that a developer visits must not have this power. A page whose host name was rebound to this
 * machine names that host in the request.
 *
 * Returns why it may not, or null.
 */
export function refuseCheating({ headers, socket }: IncomingMessage): CheatRefusal | null {
  if (!isLoopback(socket.remoteAddress)) return 'remote';
  if (OF_BROWSERS.some((name) => headers[name] !== undefined)) return 'page';
  if (OF_PROXIES.some((name) => headers[name] !== undefined)) return 'forwarded';
  return isOwnHost(headers.host) ? null : 'host';
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && (address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address));
}

/** Whether the host name resolves to this machine without a name server. */
function isOwnHost(host: string | undefined): boolean {
  const name = host?.replace(/:\d{1,5}$/, '').toLowerCase() ?? '';
  return name === 'localhost' || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}
