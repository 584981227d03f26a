import { formatExactJson, toExactJson } from '../../base/exact-json.ts';
import type { ApiRequest, FormPart, NamedText } from '../request/api-request.ts';
import { quoteSourceText, TYPESCRIPT, writeLiteral } from './source-text.ts';

/**
 * Writes a request as a TypeScript module that needs `fetch` alone.
 * @param isStream - Whether the answer goes on, so that its pieces are printed as they come.
 */
export function writeTypeScript(request: ApiRequest, isStream = false): string {
  const { origin, path, query, method, headers, body } = request;
  const lines = [...writeImports(body), `const url = new URL(${quote(path)}, ${quote(origin)});`];
  if (query.length > 0) lines.push(`url.search = new URLSearchParams(${writeRecord(query)}).toString();`);
  lines.push(...writeForm(body));
  const options = [
    ...(method === 'GET' ? [] : [`method: ${quote(method)},`]),
    ...(headers.length === 0 ? [] : [`headers: ${writeRecord(headers, '  ')},`]),
    ...(body === null ? [] : [`body: ${writeBody(body)},`]),
  ];
  const given = options.length === 0 ? '' : `, {\n${options.map((option) => `  ${option}`).join('\n')}\n}`;
  lines.push(
    '',
    `const response = await fetch(url${given});`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the text of a program.
    'if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);',
    ...(isStream
      ? [
          'const pieces = response.body?.pipeThrough(new TextDecoderStream()) ?? [];',
          'for await (const piece of pieces) process.stdout.write(piece);',
        ]
      : ['console.log(await response.json());']),
  );
  return lines.join('\n');
}

function quote(text: string): string {
  return quoteSourceText(text, TYPESCRIPT.quote);
}

/** A name that would set the prototype of an object stands in a list of pairs. */
function writeRecord(values: readonly NamedText[], margin = ''): string {
  const members = new Map(values.map(({ name, value }) => [name, value]));
  const pairs = values.map(({ name, value }) => [name, value]);
  const literal = members.size === values.length ? writeLiteral(members, TYPESCRIPT, margin) : null;
  return literal ?? writeLiteral(toExactJson(pairs), TYPESCRIPT, margin) ?? '{}';
}

function writeImports(body: ApiRequest['body']): readonly string[] {
  const hasFile =
    body?.kind === 'file' || (body?.kind === 'form' && body.parts.some(({ kind }) => kind === 'upload'));
  return hasFile ? ["import { openAsBlob } from 'node:fs';", ''] : [];
}

function writeForm(body: ApiRequest['body']): readonly string[] {
  if (body?.kind !== 'form') return [];
  return ['', 'const form = new FormData();', ...body.parts.map(writePart)];
}

function writePart(part: FormPart): string {
  if (part.kind === 'text') return `form.append(${quote(part.name)}, ${quote(part.text)});`;
  const name = quote(part.file?.name ?? 'FILE');
  return `form.append(${quote(part.name)}, await openAsBlob(${name}), ${name});`;
}

function writeBody(body: NonNullable<ApiRequest['body']>): string {
  if (body.kind === 'form') return 'form';
  if (body.kind === 'file') return `await openAsBlob(${quote(body.file?.name ?? 'FILE')})`;
  const literal = writeLiteral(body.value, TYPESCRIPT, '  ');
  // As a text, numbers that a double would round stay as they are.
  return literal === null ? quote(formatExactJson(body.value)) : `JSON.stringify(${literal})`;
}
