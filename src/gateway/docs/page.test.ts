import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { ADMIN_SECURITY, type OpenApiDocument } from './openapi.ts';
import { renderDocsPage } from './page.ts';

const KEY = { ApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } } as const;

it.each([
  ['the key of the REST interface', KEY, { 'x-api-key': 'secret' }, 'x-api-key: ...'],
  ["the operator's credential", ADMIN_SECURITY.schemes, { authorization: 'Bearer secret' }, 'Bearer ...'],
])('the page sends %s in the header that its document asks for', async (_, schemes, header, label) => {
  const page = renderDocsPage(documentOf(schemes), null);
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

const SCRIPT = readFileSync(new URL('./assets/docs.js', import.meta.url), 'utf8');

const documentOf = (securitySchemes: OpenApiDocument['components']['securitySchemes']): OpenApiDocument => ({
  openapi: '3.1.1',
  info: { title: 'Sluice', version: '0', description: '' },
  tags: [],
  components: { securitySchemes, schemas: {} },
  paths: {
    '/faults/{name}': {
      put: {
        operationId: 'putFault',
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
  const fields = fieldsOf(page);
  const [top, ...inForm] = fields;
  if (top?.name !== 'credential') throw new Error('the page has no field for the credential');
  top.value = credential;
  for (const field of inForm) field.value = field.name === 'body' ? '{"drop":1}' : 'a b';
  const output = { textContent: '' };
  let submit: ((event: object) => void) | undefined;
  const [, method = '', path = ''] = /<form data-method="(\w+)" data-path="([^"]+)">/.exec(page) ?? [];
  const form = {
    dataset: { method, path },
    addEventListener: (_: string, listener: (event: object) => void) => {
      submit = listener;
    },
    querySelector: () => output,
    querySelectorAll: () => inForm,
  };
  runInNewContext(SCRIPT, {
    document: { querySelectorAll: () => [form], querySelector: () => top, getElementById: () => null },
    location: { hash: '' },
    HTMLDetailsElement: class {},
    URLSearchParams,
    fetch: async (...request: unknown[]) => {
      sent.push(...request);
      return { status: 200, headers: new Headers(), text: async () => '{}' };
    },
  });
  submit?.({ preventDefault: () => {} });
  await expect.poll(() => output.textContent).toContain('200');
  return JSON.parse(JSON.stringify(sent));
}
