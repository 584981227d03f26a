import { removeComments, type SourceTree } from './source-tree.ts';

/** Formatted code indents everything inside a block, so a declaration at the beginning of a line is a module's own. */
const TYPE = /^(export )?(?:declare )?(?:abstract )?(?:const )?(?:interface|type|class|enum) (\w+)/gm;
const FUNCTION = /\bfunction\*?\s+([a-z]\w*Of)\b/g;
const EXPORTED_FUNCTION = /^export (?:async )?function\*?\s+(\w+)/gm;

/**
 * Returns the names of types that more than one file declares, each with its files: `Answer: src/a.ts, src/b.ts`.
 *
 * @param which - Whether types count that their file does not export.
 */
export function findRepeatedTypes(sources: SourceTree, which: 'exported' | 'all'): readonly string[] {
  const files = new Map<string, Set<string>>();
  for (const [path, text] of sources) {
    for (const [, exported, name = ''] of removeComments(text).matchAll(TYPE)) {
      if (which === 'exported' && exported === undefined) continue;
      files.set(name, (files.get(name) ?? new Set()).add(path));
    }
  }
  const repeated = [...files].filter(([, paths]) => paths.size > 1);
  return repeated.map(([name, paths]) => `${name}: ${[...paths].join(', ')}`).sort();
}

/** Returns the distinct names of declared functions that end with `Of`, exported or not. */
export function findOfFunctions(sources: SourceTree): readonly string[] {
  const names = new Set<string>();
  for (const text of sources.values()) {
    for (const [, name = ''] of removeComments(text).matchAll(FUNCTION)) names.add(name);
  }
  return [...names].sort();
}

/** Returns the distinct names of the functions that files export by the word `function`. */
export function findExportedFunctions(sources: SourceTree): readonly string[] {
  const names = new Set<string>();
  for (const text of sources.values()) {
    for (const [, name = ''] of removeComments(text).matchAll(EXPORTED_FUNCTION)) names.add(name);
  }
  return [...names].sort();
}
