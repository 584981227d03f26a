import { readFileSync } from 'node:fs';
import { type AsnResponse, type CountryResponse, Reader, type Response } from 'mmdb-lib';
import { OperatorError } from '../../common/operator-error.ts';
import { formatIp, type IpAddress } from './ip-address.ts';

/** Finds the ISO 3166 code of an address's country; null when it is unknown. */
export type FindCountry = (address: IpAddress) => string | null;
/** Finds the number of an address's autonomous system; null when it is unknown. */
export type FindAsn = (address: IpAddress) => number | null;

/**
 * How many records a database of countries keeps parsed. Databases with regions and cities have more distinct
 * records; when the cache is full, all of them are dropped.
 */
const MAX_CACHED = 10_000;

/** Databases write the country as `country.iso_code`, or as `country_code` or `country` itself. */
type CountryRecord = Partial<Omit<CountryResponse, 'country'>> & {
  readonly country?: { readonly iso_code?: unknown } | string;
  readonly country_code?: unknown;
};

/** Databases write the number as `autonomous_system_number`, or as `asn`: `AS64500`. */
type AsnRecord = Partial<AsnResponse> & { readonly asn?: unknown };

/**
 * Reads a MaxMind file of countries into memory.
 * @throws OperatorError when the file cannot be read or has another format
 */
export function openCountryDatabase(path: string): FindCountry {
  const find = openDatabase<CountryResponse>('country-database', path);
  return (address) => readCountryCode(find(address));
}

/**
 * Reads a MaxMind file of autonomous systems into memory.
 * @throws OperatorError when the file cannot be read or has another format
 */
export function openNetworkDatabase(path: string): FindAsn {
  const find = openDatabase<AsnResponse>('network-database', path);
  return (address) => parseAsn(find(address));
}

/** @param setting - Name of the setting, for the error. */
function openDatabase<T extends Response>(setting: string, path: string): (address: IpAddress) => T | null {
  const reader = readDatabase<T>(setting, path);
  return (address) => {
    try {
      return reader.get(formatIp(address));
    } catch {
      // The record is damaged, or the database has no IPv6 addresses.
      return null;
    }
  };
}

function readDatabase<T extends Response>(setting: string, path: string): Reader<T> {
  try {
    return new Reader<T>(readFileSync(path), { cache: boundedCache() });
  } catch (error) {
    throw new OperatorError(
      `${setting} ${path} cannot be read as a MaxMind database: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function parseAsn(record: AsnRecord | null): number | null {
  const { autonomous_system_number, asn } = record ?? {};
  const text = String(autonomous_system_number ?? asn ?? '');
  const [, digits] = /^(?:AS)?(\d{1,10})$/.exec(text) ?? [];
  return digits === undefined ? null : Number(digits);
}

function readCountryCode(record: CountryRecord | null): string | null {
  const { country, country_code } = record ?? {};
  const code = typeof country === 'object' ? country.iso_code : (country_code ?? country);
  return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : null;
}

function boundedCache() {
  const cached = new Map<string | number, unknown>();
  return {
    get: (key: string | number) => cached.get(key),
    set: (key: string | number, value: unknown) => {
      if (cached.size >= MAX_CACHED) cached.clear();
      return cached.set(key, value);
    },
  };
}
