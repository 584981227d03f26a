import { Validator } from '@seriousme/openapi-schema-validator';
import { afterEach, describe, expect, it } from 'vitest';
import { closeGateways, gateway } from './sample-for-tests.ts';

afterEach(closeGateways);

describe('documentation', () => {
  it('is a valid OpenAPI 3.1 document of every route', async () => {
    const document = (await (await gateway()).inject('/openapi.json')).json();
    const result = await new Validator().validate(structuredClone(document));
    expect(result).toEqual({ valid: true });
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(Object.keys(document.paths).sort()).toEqual(
      [
        '/breaks',
        '/healthz',
        '/offline',
        '/readyz',
        '/refuses',
        '/sample',
        '/sample/{id}',
        '/wrapped',
      ].sort(),
    );
    expect(document.paths['/sample/{id}'].get.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'limit', in: 'query', required: true, schema: { type: 'integer', minimum: 1, maximum: 5 } },
      { name: 'flag', in: 'query', required: false, schema: { type: 'boolean' } },
    ]);
    expect(document.paths['/sample'].post.requestBody.content['application/json'].schema.required).toEqual([
      'count',
    ]);
    expect(Object.keys(document.paths['/sample'])).toEqual(['post']);
  });

  it('is a page that asks no other host for anything', async () => {
    const app = await gateway({ examples: { limit: '3', id: '"><script>' } });
    expect(await app.inject('/')).toMatchObject({ statusCode: 302, headers: { location: '/docs' } });
    const page = await app.inject('/docs');
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.headers['referrer-policy']).toBe('no-referrer');
    expect(page.body).toContain('/sample/{id}');
    expect(page.body).toContain('value="3"');
    expect(page.body).not.toContain('"><script>');
    const links = [...page.body.matchAll(/(?:src|href)="([^"#]+)"/g)].map((match) => match[1] ?? '');
    expect(links).toEqual(['/docs/docs.css', '/docs/docs.js', '/openapi.json']);
    for (const url of links) expect((await app.inject(url)).statusCode, url).toBe(200);
  });
});
