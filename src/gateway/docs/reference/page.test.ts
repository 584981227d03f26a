import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { ADMIN_SECURITY, BEARER_SECURITY, type OpenApiDocument, type Operation } from '../openapi.ts';
import { renderDocsPage } from './page.ts';

const HEADER = { hasPortal: false, isAdmin: true };
const KEY = { ApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } } as const;

it.each([
  ['the key of the REST interface', KEY, { 'x-api-key': 'secret' }, 'x-api-key: ...'],
  ["the operator's credential", ADMIN_SECURITY.schemes, { authorization: 'Bearer secret' }, 'Bearer ...'],
])('the page sends %s in the header that its document asks for', async (_, schemes, header, label) => {
  const page = renderDocsPage(documentOf(schemes), HEADER);
  expect(page).toContain(label);
  expect(await send(page, 'secret')).toEqual([
    '/faults/a%20b',
    { method: 'PUT', headers: { 'content-type': 'application/json', ...header }, body: '{"drop":1}' },
  ]);
  expect(await send(page, '')).toMatchObject([
    '/faults/a%20b',
    { headers: { 'content-type': 'application/json' } },
  ]);
});

it('the page has a field for the token of an operation that needs one', async () => {
  const document = documentOf(KEY);
  const [path = '', methods] = Object.entries(document.paths)[0] ?? [];
  const put = { ...methods?.put, security: [...BEARER_SECURITY] } as Operation;
  const page = renderDocsPage({ ...document, paths: { [path]: { put } } }, HEADER);
  expect(page).toContain('<input name="authorization" data-in="header"');
  expect(await send(page, '')).toMatchObject(['/faults/a%20b', { headers: { authorization: 'a b' } }]);
  expect(renderDocsPage(document, HEADER)).not.toContain('authorization');
});

it('the page shows what stands in backticks as code, and escapes it', () => {
  const page = renderDocsPage(documentOf(KEY), HEADER);
  expect(page).toContain('<p>Sets <code>&lt;drop&gt;</code> &amp; more</p>');
});

it('the page shows the events of a stream as they arrive, at most 200,000 characters, and stops it', async () => {
  const { readable, writable } = new TransformStream<Uint8Array>();
  const writer = writable.getWriter();
  const { output, stop, dispatch } = openForm(
    renderDocsPage(documentOf(KEY), HEADER),
    '',
    async (_, options) => {
      options.signal?.addEventListener('abort', () => writer.abort(new Error('aborted')));
      return new Response(readable, { headers: { 'content-type': 'text/event-stream' } });
    },
  );
  const arrive = (text: string) => void writer.write(new TextEncoder().encode(text));
  expect(stop.hidden).toBe(true);
  dispatch('submit');
  await expect.poll(() => output.textContent).toContain('the stream is open');
  expect(stop.hidden).toBe(false);
  arrive('event: prices\ndata: {"a":1}\n\n');
  await expect.poll(() => output.textContent).toContain('data: {"a":1}');
  for (let event = 0; event < 30; event += 1) arrive(`data: ${event}${'-'.repeat(10_000)}\n\n`);
  await expect.poll(() => output.textContent).toContain('data: 29-');
  expect(output.textContent).not.toContain('data: {"a":1}');
  expect(output.textContent.length).toBeLessThan(201_000);
  dispatch('reset');
  await expect.poll(() => output.textContent).toMatch(/stopped$/);
  expect(output.textContent).toContain('data: 29-');
  expect(stop.hidden).toBe(true);
});

const SCRIPT = readFileSync(new URL('../assets/docs.js', import.meta.url), 'utf8');

const documentOf = (securitySchemes: OpenApiDocument['components']['securitySchemes']): OpenApiDocument => ({
  openapi: '3.1.1',
  info: { title: 'Sluice', version: '0', description: '' },
  tags: [],
  components: { securitySchemes, schemas: {} },
  paths: {
    '/faults/{name}': {
      put: {
        operationId: 'putFault',
        description: 'Sets `<drop>` & more',
        tags: ['network'],
        parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
        requestBody: { required: true, content: {} },
        responses: {},
      },
    },
  },
});

interface Field {
  readonly name: string;
  value: string;
  readonly dataset: Record<string, string>;
}

/** The fields of the page, as the script sees them. */
function fieldsOf(page: string): Field[] {
  return [...page.matchAll(/<(?:input|textarea) ([^>]*)>/g)].map(([, text = '']) => {
    const pairs = [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]);
    const attributes: Record<string, string> = Object.fromEntries(pairs);
    const data = Object.entries(attributes).filter(([name]) => name.startsWith('data-'));
    return {
      name: attributes.name ?? attributes.id ?? '',
      value: attributes.value ?? '',
      dataset: Object.fromEntries(data.map(([name, value]) => [name.slice('data-'.length), value])),
    };
  });
}

/** Types a credential into the page and sends its form. @returns what the script sends */
async function send(page: string, credential: string): Promise<unknown[]> {
  const sent: unknown[] = [];
  const { output, dispatch } = openForm(page, credential, async (url, { signal: _, ...options }) => {
    sent.push(url, options);
    return new Response('{}');
  });
  dispatch('submit');
  await expect.poll(() => output.textContent).toContain('200');
  return JSON.parse(JSON.stringify(sent));
}

/** Opens the page with its script, and fills the fields. */
function openForm(
  page: string,
  credential: string,
  answer: (url: string, options: RequestInit) => Promise<Response>,
) {
  const [top, ...inForm] = fieldsOf(page);
  if (top?.name !== 'credential') throw new Error('the page has no field for the credential');
  top.value = credential;
  for (const field of inForm) field.value = field.name === 'body' ? '{"drop":1}' : 'a b';
  const output = { textContent: '' };
  const stop = { hidden: page.includes('<button type="reset" hidden>') };
  const listeners = new Map<string, (event: object) => void>();
  const [, method = '', path = ''] = /<form data-method="(\w+)" data-path="([^"]+)">/.exec(page) ?? [];
  const form = {
    dataset: { method, path },
    addEventListener: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
    querySelector: (selector: string) => (selector === 'output' ? output : stop),
    querySelectorAll: () => inForm,
  };
  runInNewContext(SCRIPT, {
    document: { querySelectorAll: () => [form], querySelector: () => top, getElementById: () => null },
    location: { hash: '' },
    HTMLDetailsElement: class {},
    URLSearchParams,
    AbortController,
    TextDecoder,
    addEventListener: () => {},
    fetch: answer,
  });
  return { output, stop, dispatch: (name: string) => listeners.get(name)?.({ preventDefault: () => {} }) };
}
