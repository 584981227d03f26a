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
  const values = [...graph].map(([path, targets]): [string, ReadonlySet<string>] => [
    path,
    new Set([...targets].filter(([, { isType }]) => !isType).map(([target]) => target)),
  ]);
  return findCycles(new Map(values));
}

/**
 * Returns the cycles of groups of files whose files import each other, directly or over other groups.
 *
 * @param groupOf - Returns the group of a file, such as its folder; null for a file that does not count.
 */
export function findGroupCycles(
  graph: ImportGraph,
  groupOf: (path: string) => string | null,
): readonly string[] {
  const imported = new Map<string, Set<string>>();
  for (const [path, targets] of graph) {
    const group = groupOf(path);
    if (group === null) continue;
    const others = imported.get(group) ?? new Set();
    for (const target of targets.keys()) {
      const other = groupOf(target);
      if (other !== null && other !== group) others.add(other);
    }
    imported.set(group, others);
  }
  return findCycles(imported);
}

function findCycles(imported: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const reached = new Map([...imported.keys()].map((name) => [name, findReached(imported, name)]));
  const cycles = new Set<string>();
  for (const [name, targets] of reached) {
    if (!targets.has(name)) continue;
    const members = [...targets].filter((target) => reached.get(target)?.has(name));
    cycles.add(members.sort().join(' <-> '));
  }
  return [...cycles].sort();
}

/** Returns everything that is imported from `start`, directly or through others. */
function findReached(imported: ReadonlyMap<string, ReadonlySet<string>>, start: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [start];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    for (const target of imported.get(name) ?? []) {
      if (reached.has(target)) continue;
      reached.add(target);
      waiting.push(target);
    }
  }
  return reached;
}
