import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, sampleCases } from '../../../../src/testing/random.ts';
import { formatExactJson, parseExactJson, toExactJson } from '../../base/exact-json.ts';
import { type ApiRequest, getRequestTarget } from '../request/api-request.ts';
import { writeCurl } from './curl.ts';
import { writePython } from './python.ts';
import { toShellWord } from '../../base/shell-word.ts';
import { writeTypeScript } from './typescript.ts';

describe('toShellWord', () => {
  it('gives a shell exactly the text, with quotes, line breaks, expansions and substitutions in it', () => {
    const texts = sampleCases(TEXT, { cases: 500, seed: 7 }).filter((text) => !text.includes('\0'));
    expect(runShell(`printf '%s\\0' ${texts.map(toShellWord).join(' ')}`)).toEqual(texts);
  });
});

describe('writeCurl', () => {
  it('is a command whose words are the request', () => {
    const requests = sampleCases(REQUEST, { cases: 200, seed: 7 });
    const script = requests.map((each) => `printf '%s\\0' ${writeCurl(each)} END`).join('\n');
    const words = runShell(script);
    for (const request of requests) {
      const own = words.splice(0, words.indexOf('END') + 1);
      expect(own[1]).toBe(request.origin + getRequestTarget(request));
      const values = (option: string) => own.filter((_, index) => own[index - 1] === option);
      const headers = request.headers.map(({ name, value }) =>
        value === '' ? `${name};` : `${name}: ${value}`,
      );
      expect(values('-H')).toEqual(headers);
      expect(values('--data-raw')).toEqual(bodiesOf(request).map((text) => pretty(text)));
      expect(values('-X')[0] ?? (bodiesOf(request).length > 0 ? 'POST' : 'GET')).toBe(request.method);
    }
  });

  it('reads as a developer would write it', () => {
    expect(writeCurl(EXAMPLE)).toBe(
      [
        'curl http://127.0.0.1:8787/swap/v2/execute \\',
        "  -H 'x-api-key: jup_1' \\",
        "  -H 'content-type: application/json' \\",
        "  --data-raw '{\n  \"requestId\": \"it'\\''s\"\n}'",
      ].join('\n'),
    );
    expect(writeCurl({ ...EXAMPLE, method: 'GET', headers: [], body: null })).toBe(
      'curl http://127.0.0.1:8787/swap/v2/execute',
    );
    expect(writeCurl({ ...EXAMPLE, headers: [], body: { kind: 'form', parts: [] } })).toBe(
      'curl http://127.0.0.1:8787/swap/v2/execute \\\n  -X POST',
    );
  });
});

describe('writeTypeScript', () => {
  it('is a program that sends the request', () => {
    assertProperty(
      fc.property(REQUEST, (request) => {
        const sent = runScript(writeTypeScript(request));
        expect(sent.url).toBe(sentUrl(request));
        expect(sent.method).toBe(request.method);
        expect(sent.headers).toEqual(
          Object.fromEntries(request.headers.map((each) => [each.name, each.value])),
        );
        expect(sent.body === undefined ? [] : [pretty(sent.body)]).toEqual(bodiesOf(request).map(pretty));
      }),
      { cases: 300, seed: 4403 },
    );
  });

  it('sends integers that a double would round as they are', () => {
    const reading = parseExactJson('{"amount":18446744073709551615}');
    if (!reading.ok) throw new Error(reading.error.message);
    const text = writeTypeScript({ ...EXAMPLE, body: { kind: 'json', value: reading.value } });
    expect(text).toContain(`body: '{"amount":18446744073709551615}'`);
  });
});

describe('writePython', () => {
  it('is a program that sends the request', () => {
    const requests = sampleCases(REQUEST, { cases: 150, seed: 7 });
    const programs = requests.map((request) => writePython(request));
    const output = execFileSync('python3', ['-c', PYTHON_SENDER], {
      input: JSON.stringify(programs),
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    const sent: { url: string; method: string; headers: Record<string, string>; body: string | null }[] =
      JSON.parse(output);
    requests.forEach((request, index) => {
      const { url, method, headers, body = null } = sent[index] ?? {};
      expect(new URL(url ?? '').searchParams).toEqual(new URL(sentUrl(request)).searchParams);
      expect(method).toBe(request.method);
      expect(lowerCase(headers ?? {})).toEqual(
        Object.fromEntries(request.headers.map((each) => [each.name, each.value])),
      );
      const expected = bodiesOf(request).map((text) => JSON.parse(text));
      expect(body === null ? [] : [JSON.parse(body)]).toEqual(expected);
    });
  });
});

const TEXT = fc.oneof(
  fc.string({
    unit: fc.constantFrom(...`'"\\\`$(){}[]!#&;|<>*?~=%@^ \n\r\t-abc\u2028\u{1F600}é`),
    maxLength: 20,
  }),
  fc.constantFrom('$(touch /tmp/x)', '`id`', "'; id; '", '--help', '$HOME', '!!', '\\u0041', '\\\n'),
  fc.string({ unit: 'binary', maxLength: 8 }).filter((text) => !/[\0\p{Surrogate}]/u.test(text)),
);
/** Header values cannot hold line breaks. */
const HEADER = TEXT.map((text) => text.replaceAll(/[^\x20-\x7e]/g, '').trim()).filter((text) => text !== '');
const JSON_VALUE = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    TEXT,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(TEXT, fc.constant('__proto__')), tie('value'), { maxKeys: 3 }),
  ),
})).value;
const NAME = fc.stringMatching(/^[a-z][a-zA-Z]{0,6}$/);

const REQUEST: fc.Arbitrary<ApiRequest> = fc
  .record({
    hasBody: fc.boolean(),
    method: fc.constantFrom('GET', 'POST', 'DELETE', 'PATCH'),
    segment: TEXT,
    query: fc.uniqueArray(fc.record({ name: NAME, value: TEXT }), {
      selector: ({ name }) => name,
      maxLength: 3,
    }),
    key: HEADER,
    value: JSON_VALUE,
  })
  .map(({ hasBody, method, segment, query, key, value }) => ({
    method: hasBody && method === 'GET' ? 'PUT' : method,
    origin: 'http://127.0.0.1:8787',
    path: `/a/${encodeURIComponent(`x${segment}`).replaceAll("'", '%27')}`,
    query,
    headers: [
      { name: 'x-api-key', value: key },
      ...(hasBody ? [{ name: 'content-type', value: 'application/json' }] : []),
    ],
    body: hasBody ? { kind: 'json', value: toExactJson(value) } : null,
  }));

const EXAMPLE: ApiRequest = {
  method: 'POST',
  origin: 'http://127.0.0.1:8787',
  path: '/swap/v2/execute',
  query: [],
  headers: [
    { name: 'x-api-key', value: 'jup_1' },
    { name: 'content-type', value: 'application/json' },
  ],
  body: { kind: 'json', value: toExactJson({ requestId: "it's" }) },
};

function bodiesOf({ body }: ApiRequest): readonly string[] {
  return body?.kind === 'json' ? [formatExactJson(body.value)] : [];
}

/** Writes JSON in one notation, so that only its values are compared. */
function pretty(text: string): string {
  const reading = parseExactJson(text);
  return reading.ok ? formatExactJson(reading.value, 2) : text;
}

/** The URL with the query as the browser encodes it. */
function sentUrl({ origin, path, query }: ApiRequest): string {
  const url = new URL(path, origin);
  if (query.length > 0)
    url.search = new URLSearchParams(query.map((each) => [each.name, each.value])).toString();
  return url.href;
}

function lowerCase(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Returns the words, each with a NUL behind it, that a script prints. */
function runShell(script: string): string[] {
  const printed = execFileSync('sh', ['-s'], { input: script, encoding: 'utf8', maxBuffer: 1 << 26 });
  return printed.split('\0').slice(0, -1);
}

interface SentRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Runs a program, which has no types, with a `fetch` that keeps the request. */
function runScript(program: string): SentRequest {
  let sent: SentRequest | undefined;
  const fetch = (url: URL, options: Partial<SentRequest> = {}) => {
    const { method = 'GET', headers = {}, body } = options;
    sent = { url: url.href, method, headers: { ...headers }, ...(body === undefined ? {} : { body }) };
    return { ok: true, json: () => null };
  };
  const console = { log: () => undefined };
  runInNewContext(`(async () => {${program}\n})()`, { fetch, console, URL, URLSearchParams });
  if (sent === undefined) throw new Error(`the program sends nothing: ${program}`);
  return sent;
}

/** Runs programs with an `urlopen` that keeps the request. */
const PYTHON_SENDER = `
import io, json, sys, urllib.request
sent = []
def keep(request):
    body = request.data.decode() if request.data is not None else None
    sent.append({"url": request.full_url, "method": request.get_method(), "headers": dict(request.header_items()), "body": body})
    return io.BytesIO(b"null")
urllib.request.urlopen = keep
out, sys.stdout = sys.stdout, io.StringIO()
for program in json.load(sys.stdin):
    exec(program, {})
out.write(json.dumps(sent))
`;
