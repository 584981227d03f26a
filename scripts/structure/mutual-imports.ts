import { posix } from 'node:path';
import type { ImportGraph } from './import-graph.ts';

/** Returns the pairs of folders that import each other, as `src/a <-> src/b`. A file's folder is the one that holds it. */
export function findFolderPairs(graph: ImportGraph): readonly string[] {
  const imported = new Map<string, Set<string>>();
  for (const [path, targets] of graph) {
    const folder = posix.dirname(path);
    const others = imported.get(folder) ?? new Set();
    for (const target of targets.keys()) others.add(posix.dirname(target));
    imported.set(folder, others);
  }
  const pairs: string[] = [];
  for (const [folder, others] of imported) {
    for (const other of others) {
      if (folder < other && imported.get(other)?.has(folder)) pairs.push(`${folder} <-> ${other}`);
    }
  }
  return pairs.sort();
}

/**
 * Returns the cycles of files that import values from each other. Files that can all be reached from each other are one
 * cycle, however many ways there are among them.
 */
export function findValueCycles(graph: ImportGraph): readonly string[] {
  const reached = new Map([...graph.keys()].map((path) => [path, findReached(graph, path)]));
  const cycles = new Set<string>();
  for (const [path, targets] of reached) {
    if (!targets.has(path)) continue;
    const members = [...targets].filter((target) => reached.get(target)?.has(path));
    cycles.add(members.sort().join(' <-> '));
  }
  return [...cycles].sort();
}

/** Returns the files that a file imports values from, directly or through others. */
function findReached(graph: ImportGraph, start: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [start];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const [target, { isType }] of graph.get(path) ?? []) {
      if (isType || reached.has(target)) continue;
      reached.add(target);
      waiting.push(target);
    }
  }
  return reached;
}
