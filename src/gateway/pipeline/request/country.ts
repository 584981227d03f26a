import type { FastifyRequest } from 'fastify';
import type { FindAsn, FindCountry } from '../../../platform/firewall/address-databases.ts';
import { type IpAddress, parseForwardedIp } from '../../../platform/firewall/ip-address.ts';
import { createProxyCheck } from '../../http/trusted-proxies.ts';

/**
 * Returns the country from which a request comes: an ISO 3166 code, or null if it is unknown.
 * @param ip - The client's address, which a connection that was closed no longer has.
 */
export type CountryOf = (request: Pick<FastifyRequest, 'raw' | 'headers'>, ip: string) => string | null;

/** Returns the number of the autonomous system that an address belongs to, or null if it is unknown. */
export type AsnOf = (ip: string) => number | null;

/** Addresses whose answers are remembered. All are forgotten when it is full. */
const MAX_REMEMBERED = 10_000;

export interface CountrySources {
  /** The lower-case name of the header in which a trusted proxy states the country; null: there is none. */
  readonly header: string | null;
  /** Finds the country of an address; null: there is no database. */
  readonly database: FindCountry | null;
  readonly trustedProxies: readonly string[];
}

/**
 * Creates a function that finds the country of a request: by the header of a trusted proxy, otherwise by the database.
 * The header is ignored if it does not come from a trusted proxy.
 */
export function createCountryFinder({ header, database, trustedProxies }: CountrySources): CountryOf {
  const isTrusted = createProxyCheck(trustedProxies);
  const statedByProxy = (request: Parameters<CountryOf>[0]) => {
    const value = header === null ? undefined : request.headers[header];
    if (typeof value !== 'string') return null;
    return isTrusted(request.raw.socket.remoteAddress) && /^[A-Z]{2}$/.test(value) ? value : null;
  };
  const lookUp = createAddressLookup(database);
  return (request, ip) => statedByProxy(request) ?? lookUp(ip);
}

/** Creates a function that finds the autonomous system of an address. @param database null: none is known */
export function createAsnFinder(database: FindAsn | null): AsnOf {
  return createAddressLookup(database);
}

/** Returns a function that looks addresses up, and remembers the answers for many of them. */
function createAddressLookup<T>(
  database: ((address: IpAddress) => T | null) | null,
): (ip: string) => T | null {
  if (database === null) return () => null;
  const remembered = new Map<string, T | null>();
  return (ip) => {
    const known = remembered.get(ip);
    if (known !== undefined) return known;
    const address = parseForwardedIp(ip);
    const found = address === null ? null : database(address);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(ip, found);
    return found;
  };
}
