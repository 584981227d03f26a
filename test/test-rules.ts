import { SourceMap } from 'node:module';
import { transformSync } from 'esbuild';
import { parseAst } from 'vite';

/** A place where a test file does what the rules of CONTRIBUTING forbid. */
export interface Breach {
  readonly line: number;
  /** The forbidden name, or what is forbidden in a few words. */
  readonly what: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

type IsReading = (node: Node) => boolean;

const MODULES: ReadonlySet<unknown> = new Set(['timers/promises', 'node:timers/promises']);
/** Members that read the machine's clock. */
const MEMBERS: ReadonlySet<unknown> = new Set(['Date.now', 'performance.now']);
/** What reads the machine's clock and may be called, unless durations are computed from it. */
const READINGS: ReadonlySet<unknown> = new Set(['now', 'stopwatch']);
/** Sleeps. It may be passed on to what is tested, but not called. */
const SLEEP = 'SYSTEM_TIMERS.after';
const WAITS: ReadonlySet<unknown> = new Set(['vi.waitFor', 'vi.waitUntil']);
const COMPARISONS: ReadonlySet<unknown> = new Set(['<', '<=', '>', '>=']);
const BLOCKS: ReadonlySet<unknown> = new Set([
  ...['it', 'test', 'describe'],
  ...['beforeAll', 'beforeEach', 'afterAll', 'afterEach'],
]);
const BLOCK_MODIFIERS: ReadonlySet<unknown> = new Set([
  ...['each', 'for', 'only', 'skip', 'runIf', 'skipIf', 'fails', 'todo', 'concurrent', 'sequential'],
]);

/**
 * Finds what a test file may not contain: names that read or await the machine's clock, deadlines of its own, numbers that
 * durations are compared with, fixed ports, instances that are started without a reason, and random options of which none is
 * taken.
 *
 * @param text - The file, in TypeScript.
 */
export function findBreaches(text: string): Breach[] {
  const { code, map } = transformSync(text, {
    loader: 'ts',
    sourcemap: 'external',
    target: 'esnext',
    // Otherwise an import whose names are not used would be left out.
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  const sources = new SourceMap(JSON.parse(map));
  const starts = lineStartsOf(code);
  const program = parseAst(code) as unknown as Node;
  const isReading = readingsOf(program);
  const breaches: Breach[] = [];
  visit(program, null, (node, parent) => {
    for (const what of breachesOf(node, parent, isReading)) {
      const line = starts.findLastIndex((start) => start <= node.start);
      const entry = sources.findEntry(line, node.start - (starts[line] ?? 0));
      breaches.push({ line: ('originalLine' in entry ? entry.originalLine : line) + 1, what });
    }
  });
  return breaches;
}

/** Returns whether a call reads the machine's clock: by the functions that the file imports from `src/testing/waits.ts`. */
function readingsOf(program: Node): IsReading {
  const imported = new Set<unknown>(['SYSTEM_TIMERS.now']);
  for (const { type, source, specifiers } of program.body as Node[]) {
    if (type !== 'ImportDeclaration' || !String(literalOf(source)).endsWith('/waits.ts')) continue;
    for (const { local } of specifiers as Node[])
      if (READINGS.has(nameOf(local))) imported.add(nameOf(local));
  }
  return (node) => node.type === 'CallExpression' && imported.has(nameOf(node.callee));
}

function breachesOf(node: Node, parent: Node | null, isReading: IsReading): string[] {
  switch (node.type) {
    case 'Identifier':
      return node.name === 'setTimeout' && isReference(node, parent) ? ['setTimeout'] : [];
    case 'ImportSpecifier':
      return nameOf(node.imported) === 'setTimeout' ? ['setTimeout'] : [];
    case 'MemberExpression': {
      const name = nameOf(node);
      if (name === 'globalThis.setTimeout') return ['setTimeout'];
      return MEMBERS.has(name) ? [String(name)] : [];
    }
    case 'ImportDeclaration':
    case 'ImportExpression':
      return MODULES.has(literalOf(node.source)) ? ['timers/promises'] : [];
    case 'Property':
      return parent?.type === 'ObjectExpression' ? breachesOfProperty(node) : [];
    case 'BinaryExpression':
      return COMPARISONS.has(node.operator) && containsDuration(node, isReading)
        ? ['a compared duration']
        : [];
    case 'NewExpression':
      return isStartedInstance(node) ? ['an instance without a reason'] : [];
    case 'CallExpression':
      return breachesOfCall(node, isReading);
    default:
      return [];
  }
}

function breachesOfProperty(property: Node): string[] {
  const key = keyOf(property);
  if (key === 'timeout') return ['timeout'];
  // `fc.option` makes one value of so many null. Of one, that is every value.
  return key === 'freq' && literalOf(property.value) === 1 ? ['an option that is never taken'] : [];
}

function breachesOfCall(call: Node, isReading: IsReading): string[] {
  const callee = nameOf(call.callee);
  const parameters = call.arguments as Node[];
  if (callee === SLEEP) return [SLEEP];
  if (callee === 'expect') {
    return parameters.some((each) => containsDuration(each, isReading)) ? ['a compared duration'] : [];
  }
  if (typeof callee === 'string' && callee.endsWith('.listen')) {
    return parameters.some(isFixedPort) ? ['a fixed port'] : [];
  }
  if (WAITS.has(callee)) {
    const [, options] = parameters;
    return options === undefined || options.type === 'ObjectExpression' || options.type === 'Identifier'
      ? []
      : ['a deadline'];
  }
  const callback = parameters.findIndex(isFunction);
  return isBlock(call.callee) && callback >= 0 && callback < parameters.length - 1 ? ['a deadline'] : [];
}

/** Whether this is `it`, `describe.each(...)`, `it.runIf(...)` and the like. */
function isBlock(callee: unknown): boolean {
  const { type, object, property, callee: inner } = callee as Node;
  if (type === 'Identifier') return BLOCKS.has(nameOf(callee));
  if (type === 'MemberExpression') return BLOCK_MODIFIERS.has(nameOf(property)) && isBlock(object);
  return type === 'CallExpression' && isBlock(inner);
}

function isFunction({ type }: Node): boolean {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression';
}

/** Whether this is `new Instance(['start', ...])`. `startOwnInstance` does the same, and wants to know why. */
function isStartedInstance({ callee, arguments: parameters }: Node): boolean {
  const [words] = parameters as Node[];
  if (nameOf(callee) !== 'Instance' || words?.type !== 'ArrayExpression') return false;
  const [command] = words.elements as (Node | null)[];
  return command !== null && command !== undefined && literalOf(command) === 'start';
}

/** Whether a listener gets this port, as an argument or in its options. */
function isFixedPort(parameter: Node): boolean {
  if (parameter.type === 'Literal') return typeof parameter.value === 'number' && parameter.value !== 0;
  if (parameter.type !== 'ObjectExpression') return false;
  return (parameter.properties as Node[]).some(
    (property) =>
      property.type === 'Property' && keyOf(property) === 'port' && isFixedPort(property.value as Node),
  );
}

/** Whether the expression subtracts times of the machine's clock. */
function containsDuration(expression: Node, isReading: IsReading): boolean {
  return contains(
    expression,
    (node) => node.type === 'BinaryExpression' && node.operator === '-' && contains(node, isReading),
  );
}

function contains(expression: Node, isWanted: (node: Node) => boolean): boolean {
  let found = false;
  visit(expression, null, (node) => {
    found ||= isWanted(node);
  });
  return found;
}

/** Whether the identifier is a value that is used, and not the name of a member or of a property. */
function isReference(node: Node, parent: Node | null): boolean {
  if (parent === null || parent.type === 'ImportSpecifier') return false;
  if (parent.type === 'MemberExpression') return parent.object === node || parent.computed === true;
  if (parent.type === 'MethodDefinition' || parent.type === 'PropertyDefinition') return parent.key !== node;
  return parent.type !== 'Property' || parent.value === node;
}

/** Returns `a` or `a.b`; undefined for other expressions. */
function nameOf(node: unknown): string | undefined {
  const { type, name, object, property, computed } = node as Node;
  if (type === 'Identifier') return String(name);
  if (type !== 'MemberExpression' || computed === true) return undefined;
  return `${nameOf(object) ?? ''}.${nameOf(property) ?? ''}`;
}

function keyOf({ key, computed }: Node): unknown {
  return computed === true ? undefined : (nameOf(key) ?? literalOf(key));
}

function literalOf(node: unknown): unknown {
  return (node as Node).value;
}

/** Calls `see` with each node below this one, itself included, and with its parent. */
function visit(node: Node, parent: Node | null, see: (node: Node, parent: Node | null) => void): void {
  see(node, parent);
  for (const field of Object.values(node)) {
    for (const child of Array.isArray(field) ? field : [field]) {
      if (isNode(child)) visit(child, node, see);
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function lineStartsOf(code: string): number[] {
  return [0, ...Array.from(code.matchAll(/\n/g), ({ index }) => index + 1)];
}
