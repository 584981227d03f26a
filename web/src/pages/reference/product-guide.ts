import type { ApiOperation } from '../../openapi/model/api-model.ts';

/** The pages of the documentation about the groups of the API. */
const GUIDES: ReadonlyMap<string, string> = new Map([
  ['swap', 'swap'],
  ['lend', 'lend'],
  ['trigger', 'trigger'],
  ['recurring', 'program-orders'],
  ['send', 'send'],
  ['studio', 'studio'],
  ['prediction', 'prediction'],
  ['portfolio', 'portfolio'],
  ['price', 'prices'],
  ['tokens', 'tokens'],
  ['ultra', 'ultra'],
  ['landing', 'landing'],
  ['market-making', 'makers'],
]);
/** Parts of paths that have a page of their own. */
const GUIDES_OF_PATHS: readonly (readonly [part: string, guide: string])[] = [
  ['/trigger/v1/', 'program-orders'],
  ['/trigger/v2/orders/dca', 'dca'],
  ['/trigger/v2/orders/history/dca', 'dca'],
  ['/ultra/v1/', 'ultra'],
];

/** Returns the page of the documentation that explains what an operation belongs to, or null where there is none. */
export function findProductGuide({ group, path }: Pick<ApiOperation, 'group' | 'path'>): string | null {
  const ofPath = GUIDES_OF_PATHS.find(([part]) => path.startsWith(part));
  return ofPath?.[1] ?? GUIDES.get(group) ?? null;
}
