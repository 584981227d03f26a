import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PRODUCTS } from '../src/app/products.ts';

/** The pages on the products, whose words in backticks are names of the public interface. */
const PAGES = [
  ...['compatibility', 'errors', 'exact-out', 'fills', 'landing', 'last-look', 'lend', 'migration-v1'],
  ...['portfolio', 'prices', 'swap', 'tokens', 'ultra'],
];

const names = new Set<string>();
for (const { path, aliases, ...endpoint } of PRODUCTS.flatMap(({ endpoints }) => endpoints)) {
  for (const each of [path, ...aliases])
    for (const [, name = ''] of each.matchAll(/[:{](\w+)/g)) names.add(name);
  collectNames(endpoint, names);
}

describe.each(PAGES)('docs/%s.md', (page) => {
  it('names only fields that the schemas of the products have', () => {
    expect(fieldsNamed(text).filter((name) => !names.has(name) && !OTHER_NAMES.has(name))).toEqual([]);
  });

  const text = readFileSync(`docs/${page}.md`, 'utf8');
});

describe('the names of other interfaces', () => {
  const named = PAGES.flatMap((page) => fieldsNamed(readFileSync(`docs/${page}.md`, 'utf8')));

  it('are named by a page, and are no names of the products', () => {
    expect([...OTHER_NAMES].filter((name) => !named.includes(name) || names.has(name))).toEqual([]);
  });
});

describe('fieldsNamed', () => {
  it('finds names with a hump everywhere, and all names of the first column of a table of fields', () => {
    const page = '`feeMint` of `plan` is `a.feeBps`.\n\n| field | what |\n|---|---|\n| `icon` | `link` |\n';
    expect(fieldsNamed(page)).toEqual(['icon', 'feeMint', 'feeBps']);
  });
});

/** What these pages name that is no field, parameter or value of the products. */
const OTHER_NAMES = new Set([
  // Solana's JSON-RPC, which wallets and `/tx/v1` speak.
  ...['getProgramAccounts', 'getSupply', 'maxRetries', 'maxSupportedTransactionVersion', 'minContextSlot'],
  ...['preflightCommitment', 'sendTransaction', 'skipPreflight'],
  // Functions of web3.js.
  'sendAndConfirmTransaction',
  // Parameters and fields of the public service that Sluice does not have.
  ...['ctLikes', 'isWsol', 'priorityLevelWithMaxLamports', 'suggestedPrioritizationFees', 'swqosOnly'],
  // A token's symbol, a function of a platform's fetcher, and methods of the SDK of referrals.
  ...['rareSearch', 'wSOL', 'claimV2', 'claimAllV2'],
]);

/** A name in camel case with a hump, because a word without one may be any word. Addresses are longer. */
const CAMEL_CASE = /^(?=.{1,31}$)[a-z][a-z0-9]*(?:[A-Z][a-zA-Z0-9]*)+$/;
/** `audit.isSus`, `inputs[].mint`, or `stats….holderChange`, whose first part stands for several names. */
const NAME_OR_PATH = /^[a-zA-Z0-9.…[\]]+$/;

/** Collects the names of fields and the values that are one of several, of every schema within a value. */
function collectNames(value: unknown, names: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === 'properties') for (const name of Object.keys(member as object)) names.add(name);
    if (key === 'const' || key === 'enum') for (const each of [member].flat()) names.add(String(each));
    collectNames(member, names);
  }
}

/** Returns the names in backticks that can only be fields: with a hump, or in the first column of a table of fields. */
function fieldsNamed(page: string): readonly string[] {
  const text = page.replace(/^```[\s\S]*?^```/gm, '');
  const inTables = [...text.matchAll(/^\| (?:field|parameter)[^|]*\|.*\n\|[-|]*\n((?:\|.*\n)+)/gm)]
    .flatMap(([, rows = '']) => rows.split('\n').map((row) => row.split('|')[1] ?? ''))
    .flatMap(namesInBackticks);
  return [...inTables, ...namesInBackticks(text).filter((name) => CAMEL_CASE.test(name))];
}

function namesInBackticks(text: string): readonly string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, code = '']) => (NAME_OR_PATH.test(code) ? code.replace(/\w+…/, '').split(/[.[\]]+/) : []))
    .filter((name) => name !== '');
}
