import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import type { OpenApiDocument } from '../gateway/docs/openapi.ts';
import { faultsOf } from './documented.ts';
import type { DocumentedCall, FuzzedRequest } from './fuzzed-requests.ts';
import { assertProperty, type RandomSuite } from './random.ts';

/** Whom random requests are sent to, and what makes them. */
export interface FuzzedGateway {
  readonly app: FastifyInstance;
  /** Written out. */
  readonly document: OpenApiDocument;
  readonly requestFor: (call: DocumentedCall) => fc.Arbitrary<FuzzedRequest>;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The count is that of each operation. */
  readonly suite: RandomSuite;
}

/**
 * Sends random requests to operations, and checks that each answer is as documented, that none is a failure of the server, and
 * that a refusal says why.
 *
 * @returns The operations, such as `get /price/v3`, that answered 200 at least once.
 */
export async function fuzzOperations(
  calls: readonly DocumentedCall[],
  { app, document, requestFor, headers = {}, suite }: FuzzedGateway,
): Promise<readonly string[]> {
  const answered = new Set<string>();
  for (const call of calls) {
    const { method, path } = call;
    const property = fc.asyncProperty(requestFor(call), async ({ url, body }) => {
      const answer = await app.inject({
        method: method.toUpperCase() as 'GET',
        url,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      const { statusCode: status } = answer;
      if (status === 200) answered.add(`${method} ${path}`);
      const said = `${method} ${url.slice(0, 200)} answered ${status}: ${answer.body.slice(0, 300)}`;
      expect(faultsOf(document, { method, path, status, body: answer.json() }), said).toEqual([]);
      expect(status, said).toBeLessThan(500);
      if (status >= 400) expect(answer.body, said).toMatch(/"(error|message)":"[^"]{8,}/);
    });
    await assertProperty(property, suite);
  }
  return [...answered];
}
