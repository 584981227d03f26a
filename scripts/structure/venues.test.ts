import { describe, expect, it } from 'vitest';
import type { SourceTree } from './source-tree.ts';
import { findSharedFiles, findVenues, type VenueSource } from './venues.ts';

describe('findVenues', () => {
  it.each<[string, VenueSource]>([
    [
      'src/market/venues/raydium-cpmm/index.ts',
      {
        label: 'Raydium CP',
        folder: 'src/market/venues/raydium-cpmm',
        home: 'src/market/venues/raydium-cpmm',
      },
    ],
    [
      'src/protocols/raydium-cpmm/venue/index.ts',
      {
        label: 'Raydium CP',
        folder: 'src/protocols/raydium-cpmm/venue',
        home: 'src/protocols/raydium-cpmm',
      },
    ],
  ])('finds the venue of %s', (path, venue) => {
    expect(findVenues(new Map([[path, RAYDIUM]]))).toEqual([venue]);
  });
});

describe('findSharedFiles', () => {
  it.each([
    'const x = raydiumCpmm;',
    'const x = RAYDIUM_CPMM_ERRORS;',
    'decodeRaydiumCpmm();',
    'mod raydium_cpmm;',
    "excludes('Raydium CP');",
    'Swap.raydiumCp;',
  ])('counts a file with %j', (text) => {
    expect(findShared({ 'src/shared.ts': text })).toEqual(['src/shared.ts']);
  });

  it.each(['const x = raydiumCpmms;', '// raydiumCpmm', '/** raydiumCpmm */', 'raydium.cpmm'])(
    'does not count a file with %j',
    (text) => {
      expect(findShared({ 'src/shared.ts': text })).toEqual([]);
    },
  );

  it('counts a file whose path names the venue', () => {
    expect(findShared({ 'programs/aggregator/src/raydium_cpmm.rs': '' })).toHaveLength(1);
  });

  it('leaves out the folder, the crates, this script, tests, documents and generated files', () => {
    const files = [
      'programs/cp-swap/src/lib.rs',
      'programs/raydium-cpmm-base/src/lib.rs',
      'src/shared.test.ts',
      'src/pool-for-tests.ts',
      'src/testing/pool.ts',
      'test/market.ts',
      'programs/aggregator/tests/steps.ts',
      'docs/venues.ts',
      'programs/Cargo.lock',
      'scripts/structure/baseline.ts',
    ];
    const program = { name: 'cp-swap', crate: 'cp-swap', address: ADDRESS };
    const shared = findShared({
      'programs/programs.json': JSON.stringify([program]),
      ...Object.fromEntries(files.map((file) => [file, 'raydium_cpmm'])),
    });
    expect(shared).toEqual([]);
  });

  it('counts who imports the venue, but not who imports the rest of its protocol', () => {
    const tree: SourceTree = new Map([
      [
        'src/protocols/lend/venue/index.ts',
        "export const lend: Venue<Pool> = {\n  label: 'Lend Market',\n};",
      ],
      ['src/protocols/lend/shares.ts', ''],
      ['src/products/earn.ts', "import { shares } from '../protocols/lend/shares.ts';"],
      ['src/market/registry.ts', "import { lend as first } from '../protocols/lend/venue/index.ts';"],
    ]);
    const [venue] = findVenues(tree);
    expect(venue && findSharedFiles(new Map([...tree, ['src/lend/x.ts', '']]), venue)).toEqual([
      'src/market/registry.ts',
    ]);
  });
});

const ADDRESS = 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C';
const RAYDIUM = "export const raydiumCpmm: Venue<RaydiumPool> = {\n  label: 'Raydium CP',\n};\n";

/** Returns the shared files of the only venue among those that are given and its own. */
function findShared(files: Record<string, string>): readonly string[] {
  const tree: SourceTree = new Map(
    Object.entries({
      'src/protocols/raydium-cpmm/index.ts': RAYDIUM,
      'src/protocols/raydium-cpmm/program.ts': `export const RAYDIUM_CPMM_PROGRAM = '${ADDRESS}';`,
      ...files,
    }),
  );
  const [venue] = findVenues(tree);
  if (venue === undefined) throw new Error('there is no venue');
  return findSharedFiles(tree, venue);
}
