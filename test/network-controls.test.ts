import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { getProductionSources, readSourceTree, removeComments } from '../scripts/structure/source-tree.ts';

describe('a control of the embedded network', () => {
  it.each(CONTROLS)(
    '%s is a method of the bank and an endpoint, and stands nowhere on the way',
    (control) => {
      const named = new RegExp(`\\b${control}\\b`);
      const files = sources.filter(([, text]) => named.test(removeComments(text))).map(([path]) => path);
      expect(files.sort()).toEqual([
        'src/chain/embedded/bank/bank-admin.ts',
        expect.stringMatching(/^src\/gateway\/admin\/network\/\w+-endpoints\.ts$/),
      ]);
    },
  );

  const sources = [...getProductionSources(readSourceTree(fileURLToPath(new URL('..', import.meta.url))))];
});

/** Controls whose names mean nothing else in src. */
const CONTROLS = [
  'saveSnapshot',
  'restoreSnapshot',
  'deleteSnapshot',
  'exportSnapshot',
  'importSnapshot',
  'faultNext',
  'clearNextFaults',
  'walkPrice',
];
