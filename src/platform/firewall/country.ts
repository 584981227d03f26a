import { readFileSync } from 'node:fs';
import { type CountryResponse, Reader } from 'mmdb-lib';
import { OperatorError } from '../../common/operator-error.ts';
import { formatIp, type IpAddress } from './ip-address.ts';

/** ISO 3166 code, or null when it is not known. */
export type FindCountry = (address: IpAddress) => string | null;

/** Records of a database of countries; those with regions and cities have more, and are forgotten all at once. */
const MAX_CACHED = 10_000;

/** Databases write the country as `country.iso_code`, or as `country_code` or `country` itself. */
type CountryRecord = Partial<Omit<CountryResponse, 'country'>> & {
  readonly country?: { readonly iso_code?: unknown } | string;
  readonly country_code?: unknown;
};

/**
 * Reads a file of the MaxMind format into memory.
 * @throws OperatorError when it cannot be read or is of another format
 */
export function openCountryDatabase(path: string): FindCountry {
  const reader = readDatabase(path);
  return (address) => {
    try {
      return codeOf(reader.get(formatIp(address)));
    } catch {
      // A damaged record, or a database that has no IPv6 addresses.
      return null;
    }
  };
}

function readDatabase(path: string): Reader<CountryResponse> {
  try {
    return new Reader<CountryResponse>(readFileSync(path), { cache: boundedCache() });
  } catch (error) {
    throw new OperatorError(
      `country-database ${path} cannot be read as a MaxMind database: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function codeOf(record: CountryRecord | null): string | null {
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
