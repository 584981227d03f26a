import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCountryDatabase } from './country.ts';
import { countryDatabase } from './country-database-for-tests.ts';
import { parseIp } from './ip-address.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-countries-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function open(bytes: Buffer) {
  const file = join(folder, 'countries.mmdb');
  writeFileSync(file, bytes);
  const find = openCountryDatabase(file);
  return (address: string) => find(parseIp(address) ?? []);
}

describe('the country of an address', () => {
  it('is the one of its network', () => {
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

  it('is not known where a record has none', () => {
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
  ])('cannot be told from a file that %s', (_, file) => {
    expect(() => openCountryDatabase(file())).toThrow(
      /^country-database .* cannot be read as a MaxMind database: /,
    );
  });
});
