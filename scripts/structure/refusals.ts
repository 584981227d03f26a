import { removeComments, type SourceTree } from './source-tree.ts';

const CLASS = /\bclass (\w+)(?:<[^>{]*>)? extends (\w+)/g;
const BUILT_IN_ERROR = /^(?:Aggregate|Range|Syntax|Type)?Error$/;

/** Where a declared result begins that is text or null, whether at once or later; with an arrow in the type of a function. */
const TEXT_OR_NULL =
  /\)(:| =>) (?=(?:Promise<string \| null>|string \| null)(?: \| (?:Promise<string(?: \| null)?>|null))*(?: \{| =>|[;,)\n]))/g;

const LITERAL = /'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;
const THROW = /\bthrow [^;]*;/g;
const VALUE = /\$\{[^}]*\}/g;
const SEVERAL_WORDS = /[a-z]{2}\S* \S/i;

const NAME_OF_REASON = /problem|refusal|obstacle|fault|unhealthy|invalid|reason|complaint/i;

/** Returns the classes that extend `Error`, a built-in error or another class of the list, each with its file. */
export function findErrorClasses(sources: SourceTree): readonly string[] {
  const declared = new Map<string, { readonly extended: string; readonly path: string }>();
  for (const [path, text] of sources) {
    for (const [, name = '', extended = ''] of removeComments(text).matchAll(CLASS)) {
      declared.set(name, { extended, path });
    }
  }
  const isError = (name: string): boolean => {
    const found = declared.get(name);
    return BUILT_IN_ERROR.test(name) || (found !== undefined && isError(found.extended));
  };
  const errors = [...declared].filter(([name]) => isError(name));
  return errors.map(([name, { path }]) => `${name}: ${path}`).sort();
}

interface TextResult {
  readonly name: string;
  readonly path: string;
  /** The code of the function. A declaration in an interface has none. */
  readonly body: string;
}

/**
 * Returns the functions and methods that declare `string | null` or `Promise<string | null>` as their result and give a
 * reason of failure by it, each with its file. A function gives a reason if its name says so, if its code contains a text of
 * several words that it does not throw, if it calls another function that gives one, or if it is declared without code and a
 * method of its name in the same room does.
 */
export function findReasonsAsText(sources: SourceTree): readonly string[] {
  const results = [...sources].flatMap(([path, text]) => findTextResults(path, removeComments(text)));
  const reasons = new Set(
    results.filter(({ name, body }) => NAME_OF_REASON.test(name) || containsSentence(body)),
  );
  for (let before = -1; before < reasons.size; ) {
    before = reasons.size;
    const methods = new Set([...reasons].map(getRoomAndName));
    const names = new Set([...reasons].map(({ name }) => name));
    const called = new RegExp(`(?:this\\.|[^\\w$.#])(?:${[...names].join('|')})\\(`);
    for (const result of results) {
      const { body } = result;
      if (body === '' ? methods.has(getRoomAndName(result)) : called.test(body)) reasons.add(result);
    }
  }
  return [...reasons].map(({ name, path }) => `${name}: ${path}`).sort();
}

function getRoomAndName({ path, name }: TextResult): string {
  return `${path.split('/')[1]} ${name}`;
}

function containsSentence(code: string): boolean {
  const literals = code.replaceAll(THROW, '').match(LITERAL) ?? [];
  return literals.some((literal) => SEVERAL_WORDS.test(literal.replaceAll(VALUE, '…')));
}

function findTextResults(path: string, text: string): readonly TextResult[] {
  return [...text.matchAll(TEXT_OR_NULL)].map(({ index, 1: sign }) => ({
    name: findName(text, index),
    path,
    body: sign === ':' ? findBody(text, index) : '',
  }));
}

/** Returns the name before the parameters that end at `end`: of a function, a method, a constant or a field. */
function findName(text: string, end: number): string {
  let depth = 1;
  let at = end;
  while (depth > 0 && at > 0) {
    at--;
    if (text[at] === ')') depth++;
    else if (text[at] === '(') depth--;
  }
  const before = text.slice(Math.max(0, at - 200), at);
  return /([#\w]+)(?:<[^()]*>)?\??(?:: | = | = async )?$/.exec(before)?.[1] ?? '';
}

/** Returns the code after the result: formatted code closes a block with the indentation of the line that opens it. */
function findBody(text: string, start: number): string {
  const opened = /^[^\n;]*? (?:\{|=>)(?=\s)/.exec(text.slice(start))?.[0];
  if (opened === undefined) return '';
  const from = start + opened.length;
  if (opened.endsWith('=>')) return text.slice(from, text.indexOf(';\n', from) + 1);
  const line = text.slice(0, start).lastIndexOf('\n') + 1;
  const indentation = /^ */.exec(text.slice(line))?.[0] ?? '';
  return text.slice(from, text.indexOf(`\n${indentation}}`, from));
}
