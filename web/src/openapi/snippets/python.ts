import { formatExactJson, toExactJson } from '../../base/exact-json.ts';
import type { ApiRequest, FormPart, NamedText } from '../request/api-request.ts';
import { PYTHON, quoteSourceText, writeLiteral } from './source-text.ts';

/**
 * Writes a request as a program for Python 3.9 that needs the standard library alone.
 * @param isStream - Whether the answer goes on, so that its lines are printed as they come.
 */
export function writePython(request: ApiRequest, isStream = false): string {
  const { origin, path, query, method, headers, body } = request;
  const modules = [
    ...(!isStream || body?.kind === 'json' ? ['json'] : []),
    ...(body?.kind === 'form' ? ['uuid'] : []),
    'urllib.error',
    ...(query.length > 0 ? ['urllib.parse'] : []),
    'urllib.request',
  ];
  const all = [...headers, ...(body?.kind === 'form' ? [FORM_TYPE] : [])];
  const options = [
    query.length > 0 ? `${quote(`${origin}${path}?`)} + query` : quote(origin + path),
    ...(method === (body === null ? 'GET' : 'POST') ? [] : [`method=${quote(method)}`]),
    ...(all.length === 0 ? [] : [`headers=${writeDictionary(all)}`]),
    ...(body === null ? [] : [`data=${writeBody(body)}`]),
  ];
  const lines = [
    ...modules.map((name) => `import ${name}`),
    '',
    ...(query.length > 0 ? [`query = urllib.parse.urlencode(${writeLiteralOf(query)})`] : []),
    ...writeForm(body),
    ...(options.length === 1
      ? [`request = urllib.request.Request(${options[0]})`]
      : ['request = urllib.request.Request(', ...options.map((option) => `    ${option},`), ')']),
    'try:',
    '    with urllib.request.urlopen(request) as response:',
    ...(isStream
      ? ['        for line in response:', '            print(line.decode(), end="")']
      : ['        print(json.load(response))']),
    'except urllib.error.HTTPError as error:',
    '    print(error.code, error.read().decode())',
  ];
  return lines.join('\n');
}

/** The header of a form. Its value is an expression of the program. */
const FORM_TYPE: NamedText = { name: 'content-type', value: 'multipart/form-data; boundary=' };

function quote(text: string): string {
  return quoteSourceText(text, PYTHON.quote);
}

function writeLiteralOf(values: readonly NamedText[]): string {
  const members = new Map(values.map(({ name, value }) => [name, value]));
  const pairs = toExactJson(values.map(({ name, value }) => [name, value]));
  const literal = members.size === values.length ? writeLiteral(members, PYTHON) : null;
  return literal ?? writeLiteral(pairs, PYTHON) ?? '{}';
}

function writeDictionary(values: readonly NamedText[]): string {
  const members = values.map((each) => {
    const text = quote(each.value) + (each === FORM_TYPE ? ' + boundary' : '');
    return `        ${quote(each.name)}: ${text},`;
  });
  return ['{', ...members, '    }'].join('\n');
}

function writeBody(body: NonNullable<ApiRequest['body']>): string {
  if (body.kind === 'form') return 'form';
  if (body.kind === 'file') return `open(${quote(body.file?.name ?? 'FILE')}, "rb").read()`;
  const literal = writeLiteral(body.value, PYTHON, '    ');
  return literal === null
    ? `${quote(formatExactJson(body.value))}.encode()`
    : `json.dumps(${literal}).encode()`;
}

/** The standard library has nothing that writes such a form. */
function writeForm(body: ApiRequest['body']): readonly string[] {
  if (body?.kind !== 'form') return [];
  return [
    'boundary = uuid.uuid4().hex',
    'parts = [',
    ...body.parts.map((part) => `    ${writePart(part)},`),
    ']',
    'form = b"".join(',
    '    f\'--{boundary}\\r\\ncontent-disposition: form-data; {head}\\r\\n\\r\\n\'.encode() + content + b"\\r\\n"',
    '    for head, content in parts',
    ') + f"--{boundary}--\\r\\n".encode()',
  ];
}

function writePart(part: FormPart): string {
  const head = `name="${part.name}"`;
  if (part.kind === 'text') return `(${quote(head)}, ${quote(part.text)}.encode())`;
  const name = part.file?.name ?? 'FILE';
  const type = part.file?.type || 'application/octet-stream';
  const full = `${head}; filename="${name.replaceAll('"', '%22')}"\r\ncontent-type: ${type}`;
  return `(${quote(full)}, open(${quote(name)}, "rb").read())`;
}
