import type { FastifyReply, FastifyRequest } from 'fastify';
import { addVary } from '../http/vary.ts';
import type { PortalFile } from './portal-build.ts';

/** Sends a file in a form that the client accepts, or says that the client has it. */
export function sendFile(file: PortalFile, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { encoding, content } = chooseEncodedForm(file, headers['accept-encoding']);
  const etag = `"${file.hash}${encoding === null ? '' : `-${encoding}`}"`;
  addVary(reply, 'accept-encoding').header('etag', etag);
  if (headers['if-none-match'] === etag) return reply.code(304).send();
  if (encoding !== null) reply.header('content-encoding', encoding);
  return reply.type(file.type).send(content);
}

/** The form in which a file is sent. */
interface EncodedForm {
  /** Null: as it is. */
  readonly encoding: 'br' | 'gzip' | null;
  readonly content: Buffer;
}

/**
 * Chooses the form of a file that the client accepts: the smallest one, unless the client weighs another one higher.
 * @param accepted - The header `accept-encoding`. Undefined: the file is sent as it is.
 */
function chooseEncodedForm(file: PortalFile, accepted: string | undefined): EncodedForm {
  const plain: EncodedForm = { encoding: null, content: file.identity };
  if (accepted === undefined) return plain;
  const weights = parseWeights(accepted);
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  let chosen = plain;
  let best = 0;
  for (const encoding of ['br', 'gzip'] as const) {
    const content = file[encoding];
    const weight = weightOf(encoding);
    if (content === null || weight <= best) continue;
    chosen = { encoding, content };
    best = weight;
  }
  return (weights.get('identity') ?? 0) > best ? plain : chosen;
}

/** A header that is longer is not read to its end. No browser sends one. */
const MAX_CODINGS = 16;

function parseWeights(accepted: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of accepted.split(',', MAX_CODINGS)) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const quality = parameters.find((one) => one.startsWith('q='));
    const weight = quality === undefined ? 1 : Number(quality.slice(2));
    weights.set(name, Number.isFinite(weight) ? weight : 0);
  }
  return weights;
}
