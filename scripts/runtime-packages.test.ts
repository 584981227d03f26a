import { describe, expect, it } from 'vitest';
import { runtimeFolders } from './runtime-packages.mjs';

describe('runtimeFolders', () => {
  it('lists a package with its dependencies, in the folders in which Node finds them, and no others', () => {
    expect(runtimeFolders(LOCKED, ['app'])).toEqual([
      'node_modules/app',
      'node_modules/app/node_modules/nested',
      'node_modules/peer',
      'node_modules/shared',
    ]);
  });

  it('lists nothing for a package that is not locked', () => {
    expect(runtimeFolders(LOCKED, ['unknown'])).toEqual([]);
  });
});

const LOCKED = {
  '': { dependencies: { app: '1' } },
  'node_modules/app': {
    dependencies: { shared: '1', nested: '1' },
    optionalDependencies: { 'other-platform': '1' },
    peerDependencies: { peer: '1', compiler: '1' },
    peerDependenciesMeta: { compiler: { optional: true } },
  },
  'node_modules/app/node_modules/nested': { dependencies: { shared: '2' } },
  'node_modules/nested': {},
  'node_modules/shared': { dependencies: { app: '1' } },
  'node_modules/peer': {},
  'node_modules/compiler': {},
  'node_modules/test-tool': {},
};
