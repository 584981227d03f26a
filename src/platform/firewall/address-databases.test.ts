import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCountryDatabase, openNetworkDatabase } from './address-databases.ts';
import { countryDatabase, networkDatabase } from '../../testing/platform/country-database.ts';
import { parseIp } from './ip-address.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-countries-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('openCountryDatabase', () => {
  it('finds the country of the network that an address lies in', () => {
    const countryOf = open(
      countryDatabase({ '203.0.0.0/17': 'CH', '198.51.100.0/24': 'US', '2001:db8:0:0:0:0:0:0/32': 'DE' }),
    );
    expect(countryOf('203.0.113.7')).toBe('CH');
    expect(countryOf('::ffff:203.0.113.7')).toBe('CH');
    expect(countryOf('203.0.128.0')).toBeNull();
    expect(countryOf('198.51.100.255')).toBe('US');
    expect(countryOf('2001:db8:1::1')).toBe('DE');
    expect(countryOf('2001:db9::1')).toBeNull();
  });

  it('returns null where the record has no country', () => {
    expect(open(countryDatabase({ '203.0.0.0/17': 'Switzerland' }))('203.0.113.7')).toBeNull();
  });

  it.each([
    ['is not there', () => join(folder, 'nowhere.mmdb')],
    [
      'is of another format',
      () => {
        const file = join(folder, 'text.mmdb');
        writeFileSync(file, 'country,network\n'.repeat(100));
        return file;
      },
    ],
  ])('refuses a file that %s', (_, file) => {
    expect(() => openCountryDatabase(file())).toThrow(
      /^country-database .* cannot be read as a MaxMind database: /,
    );
  });
});

describe('openNetworkDatabase', () => {
  it('finds the autonomous system of the network that an address lies in', () => {
    const file = join(folder, 'networks.mmdb');
    writeFileSync(file, networkDatabase({ '203.0.0.0/17': 'AS64500', '2001:db8:0:0:0:0:0:0/32': 'none' }));
    const find = openNetworkDatabase(file);
    expect(find(parseIp('203.0.113.7') ?? [])).toBe(64_500);
    expect(find(parseIp('203.0.128.0') ?? [])).toBeNull();
    expect(find(parseIp('2001:db8::1') ?? [])).toBeNull();
  });

  it('refuses a file that does not exist', () => {
    expect(() => openNetworkDatabase(join(folder, 'nowhere.mmdb'))).toThrow(
      /^network-database .* cannot be read as a MaxMind database: /,
    );
  });
});

function open(bytes: Buffer) {
  const file = join(folder, 'countries.mmdb');
  writeFileSync(file, bytes);
  const find = openCountryDatabase(file);
  return (address: string) => find(parseIp(address) ?? []);
}
