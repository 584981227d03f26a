import fastify, { type FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildLazySerializers, compileValidatorLazily } from './lazy-schemas.ts';

let app: FastifyInstance;
beforeEach(() => {
  app = fastify({ schemaController: { compilersFactory: { buildSerializer: buildLazySerializers } } });
  app.setValidatorCompiler(compileValidatorLazily);
});
afterEach(() => app.close());

describe('a route whose schemas are compiled lazily', () => {
  it('validates and serialises its first request like every later one', async () => {
    const schema = {
      querystring: Type.Object({ limit: Type.Integer({ minimum: 1 }) }),
      response: { 200: Type.Object({ limit: Type.Integer() }), 400: Type.Object({ message: Type.String() }) },
    };
    app.get('/', { schema }, async ({ query }) => ({ limit: (query as { limit: number }).limit, hidden: 1 }));
    for (let request = 0; request < 3; request++) {
      expect((await app.inject('/?limit=5')).body).toBe('{"limit":5}');
      const refused = await app.inject('/?limit=0');
      expect([refused.statusCode, Object.keys(refused.json())]).toEqual([400, ['message']]);
    }
  });

  it('fails alone when a schema of it cannot be compiled', async () => {
    const answer = async () => ({ ok: true });
    app.get('/wrong', { schema: { response: { 200: UNUSABLE } } }, answer);
    app.get('/right', { schema: { response: { 200: Type.Object({ ok: Type.Boolean() }) } } }, answer);
    expect((await app.inject('/wrong')).statusCode).toBe(500);
    expect((await app.inject('/right')).body).toBe('{"ok":true}');
  });
});

/** A schema without a meaning, which no compiler accepts. */
const UNUSABLE = { $ref: 'nowhere#' };
