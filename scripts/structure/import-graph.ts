import { posix } from 'node:path';
import { removeComments, type SourceTree } from './source-tree.ts';

/** For each file, the files that it imports. `isType` is true if only types are imported. */
export type ImportGraph = ReadonlyMap<string, ReadonlyMap<string, { readonly isType: boolean }>>;

const STATEMENT = /^(?:import|export)\s+(type\s+)?([^'";]*?\bfrom\s+)?'(\.[^']+)'/gm;
const CALL = /(typeof\s+)?\bimport\(\s*'(\.[^']+)'\s*\)(\.[A-Z])?/g;

/** Reads the imports and re-exports between the files of a tree. Imports of other files and of packages are left out. */
export function readImportGraph(sources: SourceTree): ImportGraph {
  const graph = new Map<string, ReadonlyMap<string, { isType: boolean }>>();
  for (const [path, text] of sources) {
    const imported = new Map<string, { isType: boolean }>();
    for (const { specifier, isType } of findImports(removeComments(text))) {
      const target = posix.join(posix.dirname(path), specifier);
      if (!sources.has(target) || target === path) continue;
      imported.set(target, { isType: isType && (imported.get(target)?.isType ?? true) });
    }
    graph.set(path, imported);
  }
  return graph;
}

interface FoundImport {
  readonly specifier: string;
  readonly isType: boolean;
}

function findImports(text: string): readonly FoundImport[] {
  const statements = [...text.matchAll(STATEMENT)].map(([, type, names = '', specifier = '']) => ({
    specifier,
    isType: type !== undefined || importsOnlyTypes(names),
  }));
  const calls = [...text.matchAll(CALL)].map(([, typeOf, specifier = '', member]) => ({
    specifier,
    isType: typeOf !== undefined || member !== undefined,
  }));
  return [...statements, ...calls];
}

/** Whether each name in the braces has the word `type` before it: `{ type Route, type Step } from`. */
function importsOnlyTypes(names: string): boolean {
  const braces = /^\{([^}]*)\}\s*from\s+$/.exec(names);
  if (braces === null) return false;
  const listed = (braces[1] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return listed.length > 0 && listed.every((name) => name.startsWith('type '));
}
