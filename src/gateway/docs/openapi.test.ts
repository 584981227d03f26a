import { Validator } from '@seriousme/openapi-schema-validator';
import { afterEach, describe, expect, it } from 'vitest';
import type { OpenApiDocument } from './openapi.ts';
import { closeGateways, createSampleGateway } from '../../testing/gateway/sample-gateway.ts';

afterEach(closeGateways);

describe('documentation', () => {
  it('is a valid OpenAPI 3.1 document of every route', async () => {
    const document = (await (await createSampleGateway()).inject('/openapi.json')).json();
    const result = await new Validator().validate(structuredClone(document));
    expect(result).toEqual({ valid: true });
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(Object.keys(document.paths).sort()).toEqual(
      [
        '/breaks',
        '/breaks-in-its-form',
        '/health',
        '/healthz',
        '/offline',
        '/readyz',
        '/refuses',
        '/sample',
        '/sample/{id}',
        '/status',
        '/undecodable',
        '/wrapped',
      ].sort(),
    );
    expect(document.paths['/sample/{id}'].get.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'limit', in: 'query', required: true, schema: { type: 'integer', minimum: 1, maximum: 5 } },
      { name: 'flag', in: 'query', required: false, schema: { type: 'boolean' } },
    ]);
    expect(document.paths['/sample'].post.requestBody.content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/PostSampleRequest',
    });
    expect(document.components.schemas.PostSampleRequest.required).toEqual(['count']);
    expect(Object.keys(document.paths['/sample'])).toEqual(['post']);
  });

  it('names each operation once, and lists the statuses with which the pipeline refuses', async () => {
    const document: OpenApiDocument = (await (await createSampleGateway()).inject('/openapi.json')).json();
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('GetSampleId');
    const { responses } = document.paths['/sample/{id}']?.get ?? {};
    expect(Object.keys(responses ?? {})).toEqual(expect.arrayContaining(['401', '403', '429', '503']));
    expect(responses?.['429']).toEqual({
      description: 'Too many requests for the plan in 60 seconds.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/GatewayError' } } },
    });
    expect(document.components.schemas.GatewayError).toMatchObject({ required: ['code', 'message'] });
    expect(document.paths['/sample/{id}']?.get).toMatchObject({ 'x-bucket': 'main', 'x-credits': 1 });
    expect(document.paths['/healthz']?.get).not.toHaveProperty('x-bucket');
    // Whatever the endpoint is, the gateway may refuse the head or the body of a request.
    expect(Object.keys(responses ?? {})).toEqual(expect.arrayContaining(['408', '431', '500']));
    const statuses = Object.keys(document.paths['/sample']?.post?.responses ?? {});
    expect(statuses).toEqual(expect.arrayContaining(['400', '413', '415']));
    expect(Object.keys(document.paths['/healthz']?.get?.responses ?? {})).not.toContain('429');
  });

  it('is a page that requests nothing from other hosts', async () => {
    const app = await createSampleGateway({
      examples: { values: { limit: '3', flag: '"><script>' }, wallet: null },
    });
    expect(await app.inject('/')).toMatchObject({ statusCode: 302, headers: { location: '/docs' } });
    const page = await app.inject('/docs/api');
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.headers['referrer-policy']).toBe('no-referrer');
    expect(page.body).toContain('/sample/{id}');
    expect(page.body).toContain('value="3"');
    expect(page.body).not.toContain('"><script>');
    const links = [...page.body.matchAll(/(?:src|href)="([^"#]+)"/g)].map((match) => match[1] ?? '');
    for (const own of ['/docs/docs.css', '/docs/docs.js', '/docs/api.md', '/openapi.json', '/docs'])
      expect(links).toContain(own);
    for (const url of links) expect((await app.inject(url)).statusCode, url).toBe(200);
  });
});
