import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentStatements } from '../conformance/statements/openapi.ts';
import { openSwapGateway } from '../src/testing/genesis-market/gateway.ts';
import { openTestSwap } from '../src/testing/genesis-market/swap.ts';

let app: FastifyInstance;
let document: unknown;

beforeAll(async () => {
  app = await openSwapGateway(await openTestSwap());
  document = (await app.inject('/openapi.json')).json();
});

afterAll(() => app?.close());

describe('/openapi.json', () => {
  it.each(documentStatements)('$id: $says', ({ checkDocument }) => {
    expect(checkDocument(document)).toBeNull();
  });

  it('is found wrong when a bound, a default or an answer is missing', () => {
    const failing = documentStatements.filter(({ checkDocument }) => checkDocument({ paths: {} }) !== null);
    expect(failing).toHaveLength(documentStatements.length);
  });
});
