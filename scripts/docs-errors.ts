import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/**
 * Writes the texts of refusals into docs/errors.md, between its markers: the text of each, with `…` where a value
 * stands. A test holds that the page is what this writes.
 */
const root = new URL('../', import.meta.url);
export const PAGE = new URL('docs/errors.md', root);

/** The reader of parameters, which all products share. */
const READER = ['src/products/parameters'];
const ADDRESS_OR_NUMBER = /\brefuse\((?=\s*`\$\{name\} must be (?:an address|a whole number))/g;
/** The patterns of the reader's refusals that a section has in addition. */
const READER_CALLS: ReadonlyMap<string, RegExp> = new Map([
  ['swap', /\brefuse\((?=\s*`\$\{name\} (?!must be (?:an address|one of)))/g],
  ['lend', ADDRESS_OR_NUMBER],
  ['tokens', /\brefuse\((?=\s*`\$\{name\} must be (?:an address|a whole number|one of))/g],
  ['ultra', ADDRESS_OR_NUMBER],
  ['recurring', ADDRESS_OR_NUMBER],
  ['send', ADDRESS_OR_NUMBER],
  ['studio', /\brefuse\((?=\s*`\$\{name\} must be an address)/g],
  ['prediction', ADDRESS_OR_NUMBER],
  ['limit-orders', /\brefuse\((?=\s*`\$\{name\} must be (?:an address|a whole number|one of))/g],
]);

/** The files that hold the texts of a section's typed refusals, one for each case of a switch. */
const TEXT_FILES: ReadonlyMap<string, string> = new Map([
  ['swap', 'src/products/swap/endpoints/refusal-texts.ts'],
]);
const CASES = /\bcase '[\w-]+':\s*return (?=['`])/g;

/** The sections of the page, each with the pattern of calls that create its refusals, and the folders and files to search. */
const SECTIONS: readonly (readonly [marker: string, call: RegExp, places: readonly string[]])[] = [
  [
    'gateway',
    /\bsend(?:GatewayError\(\s*reply,\s*\d+|Unavailable\(\s*reply),|\b(?:message|full|repeated): (?=['`])/g,
    ['src/gateway/http', 'src/gateway/pipeline', 'src/gateway/admin', 'src/gateway/streams'],
  ],
  ['swap', /\b(?:new SwapRefused|createUnquoted)\(/g, ['src/products', 'src/swaps']],
  ['lend', /\bnew (?:RequestRefused|BorrowRefused)\(/g, ['src/products/lend', 'src/lend']],
  [
    'tokens',
    /\bnew RequestRefused\(|\bnew VerificationRefused\(\s*'[A-Z_]+',/g,
    ['src/products/tokens', 'src/tokens'],
  ],
  [
    'ultra',
    /\bnew RequestRefused\(|\b(?:createImpossible|describeUnknownResult)\(|\breturn (?=`)|\? (?=`)|\berror(?: =|:) (?=['`])/g,
    ['src/products/ultra', 'src/transactions/build/costs.ts', 'src/transactions/signed'],
  ],
  [
    'trigger',
    /\bnew OrderRefused\(\s*'[\w ]+',|\b(?:refuseField|refuse)\(\s*'?\w+'?,|\banswerTriggerError\(\d+,/g,
    ['src/products/trigger', 'src/waiting-orders'],
  ],
  [
    'recurring',
    /\bnew RequestRefused\(|\bcreateImpossibleOrder\(|\bPRICE_ORDERS_CLOSED = /g,
    [
      'src/products/recurring',
      'src/program-orders/crafting/dca-cancel.ts',
      'src/program-orders/crafting/dca-create.ts',
      'src/program-orders/crafting/dca-price-bounds.ts',
      'src/program-orders/crafting/dca-terms.ts',
    ],
  ],
  ['send', /\bnew RequestRefused\(/g, ['src/products/send', 'src/invites']],
  [
    'studio',
    /\bnew StudioRefused\(\s*'[\w ]+',|\brefuse(?:StudioField|Field|Curve)\(\s*(?:[\w.']+,)?|\b(?:error|message): (?=['`])/g,
    ['src/products/studio', 'src/studio'],
  ],
  [
    'prediction',
    /\bnew PredictionRefused\(\s*'[\w ]+',|\brefuse(?:Order|Unknown)\(\s*(?:'\w+'|CLAIM_FAILED),|\brefuseParameter\(|\bconst message = |\breturn answerPredictionError\(\d+,/g,
    ['src/products/prediction', 'src/predictions/crafting', 'src/forecasts/crafting'],
  ],
  [
    'limit-orders',
    /\bnew (?:RequestRefused|LimitOrderRefused)\(|\breturn (?=['`])|\s[?:] (?=['`])|\b(?:WHAT|NO_MATCHING_ORDERS) = /g,
    [
      'src/products/trigger/endpoints/v1',
      'src/program-orders/crafting/limit-cancel.ts',
      'src/program-orders/crafting/limit-create.ts',
      'src/program-orders/crafting/limit-terms.ts',
      'src/program-orders/crafting/limit-tokens.ts',
    ],
  ],
  [
    'landing',
    /\bproblem\(\s*'[\w-]+',|\bcreateRpcProblem\(\s*\w+,\s*RpcCode\.[A-Z_]+,|\binvalid\(|\bmessage:\s*(?=['`])|\bNO_TIP = /g,
    ['src/products/landing', 'src/transactions/landing'],
  ],
  ['market-making', /\berror: (?=['`])/g, ['src/products/market-making']],
  [
    'execute',
    /\bcreateExecutionRefusal\(|\bcreateSwapFailure\(|\breason: (?=['`])|\bsuper\((?=`\$\{capacity)/g,
    ['src/products', 'src/swaps', 'src/rfq/fills', 'src/transactions'],
  ],
  ['unavailable', /\bnew (?:(?:Chain)?Unavailable|WorkRefused)\(|\bsuper\(\s*(?='this instance)/g, ['src']],
  ['platform', /\bnew Refused\(\s*'[\w-]+',/g, ['src/platform', 'src/rfq', 'src/gateway', 'src/app']],
  [
    'network',
    /\bnew (?:NetworkRefused\(\s*'request',|RequestInvalid\()/g,
    [
      'src/chain/embedded',
      'src/gateway/admin/makers',
      'src/gateway/admin/token-decisions',
      'src/gateway/admin/network',
    ],
  ],
  [
    'grpc',
    /\bdetails: (?=\s*['`])|\bconst details = |\bend\(\s*'[A-Z_]+',|\bendStreams\([\w.]+, '[A-Z_]+',/g,
    ['src/gateway/grpc', 'src/rfq/streams', 'src/app'],
  ],
  ['rpc', /\bnew RpcError\(|\binvalid(?:Params|Request)\(/g, ['src/chain/embedded', 'src/chain/json-rpc']],
];

/** Returns the page with the current texts between the markers of each section. */
export function withTexts(page: string): string {
  let text = page;
  for (const [marker, call, places] of SECTIONS) {
    const ofReader = READER_CALLS.get(marker);
    const textFile = TEXT_FILES.get(marker);
    const texts = new Set([
      ...textsOf(call, places),
      ...(ofReader ? textsOf(ofReader, READER) : []),
      ...(textFile ? textsOf(CASES, [textFile]) : []),
    ]);
    const list = [...texts].sort((a, b) => a.localeCompare(b, 'en'));
    const block = `<!-- texts: ${marker} -->\n\n\`\`\`text\n${list.join('\n')}\n\`\`\`\n\n<!-- /texts -->`;
    const between = new RegExp(`<!-- texts: ${marker} -->[\\s\\S]*?<!-- /texts -->`);
    text = text.replace(between, () => block);
  }
  return text;
}

function textsOf(call: RegExp, places: readonly string[]): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const file of places.flatMap(filesAt)) {
    if (!file.endsWith('.ts') || /\.test\.ts$|^src\/testing\/|generated/.test(file)) continue;
    const source = withoutDocstrings(readFileSync(new URL(file, root), 'utf8'));
    for (const { index, 0: match } of source.matchAll(call)) {
      const text = literalsFrom(source, index + match.length);
      if (/[a-z]{2}.* /i.test(text)) texts.add(text);
    }
  }
  return texts;
}

/** Returns a file itself, and all files of a folder. */
function filesAt(place: string): readonly string[] {
  if (place.endsWith('.ts')) return [place];
  const names = readdirSync(new URL(place, root), { recursive: true, encoding: 'utf8' });
  return names.map((name) => `${place}/${name}`);
}

/** Removes docstrings, whose examples may contain error texts that the program does not have. */
function withoutDocstrings(source: string): string {
  return source.replaceAll(/^[ \t]*\/\*\*[\s\S]*?\*\//gm, '');
}

/**
 * Returns the texts among the arguments that begin at `start`, or in the assignment of a variable `message` that is
 * passed.
 */
function literalsFrom(source: string, start: number): string {
  const { text, passed } = readText(source, start);
  if (/[a-z]{2}.* /i.test(text) || !/\bmessage\b/.test(passed)) return text;
  const assigned = source.lastIndexOf('const message =', start);
  return assigned < 0 ? text : readText(source, assigned + 'const message ='.length).text;
}

/** Reads up to the end of the argument with a sentence. Literals in nested calls do not belong to the text. */
function readText(source: string, start: number): { readonly text: string; readonly passed: string } {
  let [at, depth, text] = [start, 0, ''];
  for (; at < source.length; at++) {
    const char = source[at] ?? '';
    if (depth < 0 || (depth === 0 && (char === ';' || (char === ',' && text.includes(' '))))) break;
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
    else if ('\'"`'.includes(char)) {
      const literal = readLiteral(source, at);
      if (depth === 0) text += literal.text;
      at = literal.end;
      // Of two alternatives, the first is enough, because the other one also occurs elsewhere.
      if (text.includes(' ') && !/^\s*\+/.test(source.slice(at + 1))) break;
    }
  }
  return { text, passed: source.slice(start, at) };
}

/** Returns the literal whose opening quote is at `start`, with `…` for each value of a template. */
function readLiteral(source: string, start: number): { readonly text: string; readonly end: number } {
  const quote = source[start];
  let [at, text] = [start + 1, ''];
  while (at < source.length && source[at] !== quote) {
    if (source[at] === '\\') at++;
    if (quote === '`' && source.startsWith('${', at)) {
      at = endOfValue(source, at + 2);
      text += '…';
    } else text += source[at++];
  }
  return { text, end: at };
}

/** Returns the index after the brace that closes the value of a template. */
function endOfValue(source: string, start: number): number {
  let depth = 1;
  let at = start;
  for (; depth > 0 && at < source.length; at++) {
    if (source[at] === '{') depth++;
    else if (source[at] === '}') depth--;
    else if ('\'"`'.includes(source[at] ?? '')) at = readLiteral(source, at).end;
  }
  return at;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(PAGE, withTexts(readFileSync(PAGE, 'utf8')));
}
