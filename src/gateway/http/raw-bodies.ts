import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { MultipartBodyForm, RawBodyForm, UploadedFile } from '../../products/raw-body.ts';
import { compileValidatorLazily } from './lazy-schemas.ts';
import { parseMultipart } from './multipart.ts';

const MULTIPART = 'multipart/form-data';

/**
 * Makes a server read all bodies in a form that is not JSON.
 * @param app - A server of its own, within the one that reads JSON.
 * @param noteBytes - Called with the length of each body.
 */
export function readRawBodies(
  app: FastifyInstance,
  form: RawBodyForm,
  noteBytes: (request: FastifyRequest, bytes: number) => void,
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    form.kind === 'multipart' ? MULTIPART : '*',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      noteBytes(request, bytes.length);
      return form.kind === 'multipart' ? readForm(request, bytes, form) : readFile(request, bytes);
    },
  );
  // The schema of such a body is for the documentation alone.
  app.setValidatorCompiler((route) =>
    route.httpPart === 'body' ? () => true : compileValidatorLazily(route as never),
  );
}

/** Returns the media types that the documentation names for a body. */
export function getBodyTypes(form: RawBodyForm): readonly string[] {
  return form.kind === 'multipart' ? [MULTIPART] : form.contentTypes;
}

/** Returns what stands for a body that is not there. */
export function createEmptyBody(form: RawBodyForm): unknown {
  if (form.kind === 'multipart') return { fields: new Map(), files: new Map() };
  return { contentType: '', bytes: Buffer.alloc(0) };
}

function readForm({ headers }: FastifyRequest, bytes: Buffer, { maxFieldBytes }: MultipartBodyForm) {
  return parseMultipart(headers['content-type'] ?? '', bytes, maxFieldBytes);
}

function readFile({ headers }: FastifyRequest, bytes: Buffer): UploadedFile {
  const [contentType = ''] = (headers['content-type'] ?? '').split(';');
  return { contentType: contentType.trim().toLowerCase(), bytes };
}
