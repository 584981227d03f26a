import { formatExactJson } from '../../base/exact-json.ts';
import { toShellWord } from '../../base/shell-word.ts';
import { type ApiRequest, type FormPart, getRequestTarget } from '../request/api-request.ts';

/** Writes a request as a command of `curl`, for a POSIX shell. */
export function writeCurl(request: ApiRequest): string {
  const { method, origin, headers, body } = request;
  const url = toShellWord(origin + getRequestTarget(request));
  const data = toBodyOptions(body);
  // curl sends GET without data and POST with it; any other method has to be named.
  const isUsual = method === (data.length > 0 ? 'POST' : 'GET');
  const options = [
    ...(request.path.includes('{') || url.includes('[') ? ['--globoff'] : []),
    ...(isUsual ? [] : [`-X ${toShellWord(method)}`]),
    ...headers.map(({ name, value }) => `-H ${toShellWord(toHeaderLine(name, value))}`),
    ...data,
  ];
  if (options.length === 0) return `curl ${url}`;
  return [`curl ${url}`, ...options.map((option) => `  ${option}`)].join(' \\\n');
}

/** curl drops a header without a value, unless a semicolon ends its name. */
function toHeaderLine(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value.replaceAll(/[\r\n]+/g, ' ')}`;
}

function toBodyOptions(body: ApiRequest['body']): readonly string[] {
  if (body === null) return [];
  if (body.kind === 'json') return [`--data-raw ${toShellWord(formatExactJson(body.value, 2))}`];
  if (body.kind === 'file') return [`--data-binary ${toShellWord(`@${body.file?.name ?? 'FILE'}`)}`];
  return body.parts.map(toFormOption);
}

/** Only `--form-string` takes a text that begins with `@` or `<` as it is. */
function toFormOption(part: FormPart): string {
  return part.kind === 'text'
    ? `--form-string ${toShellWord(`${part.name}=${part.text}`)}`
    : `-F ${toShellWord(`${part.name}=@"${(part.file?.name ?? 'FILE').replaceAll(/["\\]/g, '\\$&')}"`)}`;
}
