import type { ApiModel, ApiOperation } from './api-model.ts';

/** An operation, and the values that a path and its query give it, by the names of its parameters. */
export interface FoundOperation {
  readonly operation: ApiOperation;
  /** As the address of the playground takes them: a list is joined with commas. */
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Finds the operation that a path belongs to. A path without holes is preferred to one with them.
 *
 * @param method - In capital letters.
 * @param path - With its query.
 * @returns null if the document has no such operation
 */
export function findOperation(model: ApiModel, method: string, path: string): FoundOperation | null {
  // A path that begins with two slashes would name another host, were it not written out. Some are none at all.
  const url = `http://localhost${path}`;
  if (!path.startsWith('/') || !URL.canParse(url)) return null;
  const { pathname, searchParams } = new URL(url);
  const candidates = [...model.operations.values()]
    .filter((operation) => operation.method === method)
    .sort((one, other) => countHoles(one.path) - countHoles(other.path));
  for (const operation of candidates) {
    const held = matchPath(operation.path, pathname);
    if (held === null) continue;
    const query = [...new Set(searchParams.keys())].map((name): [string, string] => [
      name,
      searchParams.getAll(name).join(','),
    ]);
    return { operation, values: Object.fromEntries([...held, ...query]) };
  }
  return null;
}

function matchPath(template: string, pathname: string): readonly [string, string][] | null {
  const [parts, given] = [template.split('/'), pathname.split('/')];
  if (parts.length !== given.length) return null;
  const held: [string, string][] = [];
  for (const [index, part] of parts.entries()) {
    const text = given[index] ?? '';
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name === undefined ? part !== text : text === '') return null;
    if (name !== undefined) held.push([name, decodePart(text)]);
  }
  return held;
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function countHoles(template: string): number {
  return template.split('{').length - 1;
}
