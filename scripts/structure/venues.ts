import { posix } from 'node:path';
import { readImportGraph } from './import-graph.ts';
import { isProductionFile, removeComments, type SourceTree } from './source-tree.ts';

/** A venue as its source tells it. */
export interface VenueSource {
  /** The name that clients see, such as `Whirlpool`. */
  readonly label: string;
  /** The folder of the file that exports the venue. */
  readonly folder: string;
  /** `src/protocols/<protocol>` if the venue is part of a protocol, and otherwise the same as `folder`. */
  readonly home: string;
}

const VENUE = /^export const \w+: Venue\b[^=]*= \{[\s\S]*?\blabel: '([^']+)'/m;
const PROTOCOL = /^src\/protocols\/[^/]+(?=\/)/;
/** This script, whose earlier figures name all venues. */
const THIS_SCRIPT = 'scripts/structure/';

/** Finds the venues: the files that export a value of the type `Venue` with a label. */
export function findVenues(sources: SourceTree): readonly VenueSource[] {
  const venues: VenueSource[] = [];
  for (const [path, text] of sources) {
    const label = VENUE.exec(text)?.[1];
    if (label === undefined) continue;
    const folder = posix.dirname(path);
    venues.push({ label, folder, home: PROTOCOL.exec(path)?.[0] ?? folder });
  }
  return venues.sort((one, other) => (one.label < other.label ? -1 : 1));
}

/**
 * Returns the production files outside the home and the crates of a venue that name it. A file names a venue if it imports a
 * file of the venue's folder, or if its path or its code contains the venue's label or the name of its home, in any spelling
 * and as complete words. Paths of imports are not code: who imports the rest of a protocol need not know its venue. The
 * home's name is not looked for if another folder of `src/` has the same one.
 */
export function findSharedFiles(tree: SourceTree, venue: VenueSource): readonly string[] {
  const isOwn = createOwnCheck(tree, venue);
  const name = createNamePattern(getDistinctNames(tree, venue));
  const importers = findImporters(tree, venue);
  const shared: string[] = [];
  for (const [path, text] of tree) {
    if (!isProductionFile(path) || isOwn(path) || path.startsWith(THIS_SCRIPT)) continue;
    if (importers.has(path) || name.test(path) || name.test(getCode(path, text))) shared.push(path);
  }
  return shared;
}

/** Returns the text of a file without comments and without the paths of imports. */
function getCode(path: string, text: string): string {
  if (path.endsWith('.toml')) return text.replaceAll(/^#.*$/gm, '');
  return removeComments(text).replaceAll(/\b(from\s+|import\(?\s*)'\.[^']+'/g, '$1');
}

/** Returns a check for files in the venue's home and in its crates. */
function createOwnCheck(tree: SourceTree, { home }: VenueSource): (path: string) => boolean {
  const owned = [`${home}/`, ...findCrates(tree, home).map((crate) => `programs/${crate}/`)];
  return (path) => owned.some((prefix) => path.startsWith(prefix));
}

/** Returns the crates whose program has its address in the venue's home, and those whose name begins with the home's. */
function findCrates(tree: SourceTree, home: string): readonly string[] {
  const programs: readonly { crate: string; address: string }[] = JSON.parse(
    tree.get('programs/programs.json') ?? '[]',
  );
  const own = [...tree].filter(([path]) => path.startsWith(`${home}/`) && isProductionFile(path));
  const byAddress = programs.filter(({ address }) => own.some(([, text]) => text.includes(`'${address}'`)));
  const crates = [...tree.keys()].flatMap((path) => /^programs\/([^/]+)\//.exec(path)?.[1] ?? []);
  const byName = crates.filter((crate) => `${crate}-`.startsWith(`${posix.basename(home)}-`));
  return [...new Set([...byAddress.map(({ crate }) => crate), ...byName])];
}

function getDistinctNames(tree: SourceTree, { label, home }: VenueSource): readonly string[] {
  const name = posix.basename(home);
  const isElsewhere = (path: string) =>
    path.startsWith('src/') && !path.startsWith(`${home}/`) && posix.dirname(path).split('/').includes(name);
  return [...tree.keys()].some(isElsewhere) ? [label] : [label, name];
}

function findImporters(tree: SourceTree, { folder }: VenueSource): ReadonlySet<string> {
  const isCounted = (path: string) => path.endsWith('.ts') && isProductionFile(path);
  const graph = readImportGraph(new Map([...tree].filter(([path]) => isCounted(path))));
  const isInFolder = (path: string) => path.startsWith(`${folder}/`);
  const importers = [...graph].filter(([, targets]) => [...targets.keys()].some(isInFolder));
  return new Set(importers.map(([path]) => path));
}

/**
 * Returns a pattern for names as they are and in other spellings: of `raydium-cpmm`, also `raydium_cpmm`, `raydiumCpmm`,
 * `RaydiumCpmm` and `RAYDIUM_CPMM`. It finds them in longer identifiers, but not in longer words.
 */
function createNamePattern(names: readonly string[]): RegExp {
  const spellings = names.flatMap((name) => {
    const words = name.toLowerCase().split(/[^a-z0-9]+/);
    const capitals = words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`);
    const camel = `${words[0]}${capitals.slice(1).join('')}`;
    return [
      `(?<![A-Za-z0-9])${words.join('[-_]')}(?![a-z0-9])`,
      `(?<![A-Za-z0-9])${camel}(?![a-z0-9])`,
      `${capitals.join('')}(?![a-z0-9])`,
      `(?<![A-Z0-9])${words.join('_').toUpperCase()}(?![A-Za-z0-9])`,
      `(?<![A-Za-z0-9])${name.replaceAll(/[^\w ]/g, '\\$&')}(?![A-Za-z0-9])`,
    ];
  });
  return new RegExp(spellings.join('|'));
}
