import type { FastifyRequest } from 'fastify';
import type { FindCountry } from '../../platform/firewall/country.ts';
import { parseForwardedIp } from '../../platform/firewall/ip-address.ts';
import { trustIn } from '../http/trusted-proxies.ts';

/** Where a request comes from: an ISO 3166 code, or null when it is not known. */
export type CountryOf = (request: Pick<FastifyRequest, 'raw' | 'headers' | 'ip'>) => string | null;

export interface CountrySources {
  /** The header in which a proxy tells the country, in lower case; null: none does. */
  readonly header: string | null;
  /** Null: there is none. */
  readonly database: FindCountry | null;
  readonly trustedProxies: readonly string[];
}

/** A trusted proxy's word goes before the database's; the same header from anybody else is not looked at. */
export function countryFinder({ header, database, trustedProxies }: CountrySources): CountryOf {
  const isTrusted = trustIn(trustedProxies);
  const told = (request: Parameters<CountryOf>[0]) => {
    const value = header === null ? undefined : request.headers[header];
    if (typeof value !== 'string') return null;
    return isTrusted(request.raw.socket.remoteAddress) && /^[A-Z]{2}$/.test(value) ? value : null;
  };
  return (request) => {
    const fromProxy = told(request);
    if (fromProxy !== null || database === null) return fromProxy;
    // A connection that is gone by now has no address.
    const address = parseForwardedIp(request.ip ?? '');
    return address === null ? null : database(address);
  };
}
