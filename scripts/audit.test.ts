import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { verdictOf } from './audit.mjs';

describe('the check for known vulnerabilities', () => {
  it('fails for a dependency that has one, and names it', () => {
    const report = {
      vulnerabilities: { leftpad: { severity: 'low' }, rightpad: { severity: 'critical' } },
      metadata: { vulnerabilities: { low: 1, critical: 1, total: 2 } },
    };
    expect(verdictOf(JSON.stringify(report))).toEqual({
      kind: 'vulnerable',
      message: 'Known vulnerabilities in leftpad (low), rightpad (critical); see npm audit.',
    });
  });

  it('passes without any', () => {
    const report = { vulnerabilities: {}, metadata: { vulnerabilities: { total: 0 } } };
    expect(verdictOf(JSON.stringify(report)).kind).toBe('clean');
  });

  it.each([
    '',
    'not json',
    'null',
    '{}',
    '{"metadata":{}}',
    '{"message":"405 Method Not Allowed - POST https://registry.example/bulk","statusCode":405}',
    '{"error":{"summary":"","detail":""}}',
  ])('says that nothing was checked when the registry answers %j, and not which registry', (output) => {
    const { kind, message } = verdictOf(output);
    expect(kind).toBe('unknown');
    expect(message).toMatch(/^NOT CHECKED: /);
    expect(message).not.toContain('registry.example');
  });
});

describe('the check against a registry', () => {
  it('fails for a package that is installed in a version with a vulnerability, and names it', async () => {
    const advisory = { id: 1, url: 'https://advisory.example/1', title: 'bad', severity: 'critical' };
    const { code, out, asked } = await checkWith(200, {
      fastify: [{ ...advisory, vulnerable_versions: '>=5' }],
    });
    expect(asked.fastify).toEqual([expect.stringMatching(/^5\./)]);
    expect(Object.keys(asked).length).toBeGreaterThan(50);
    expect(out).toMatch(/^Known vulnerabilities in .*\bfastify \(critical\)/);
    expect(code).toBe(1);
  });

  it('passes when the registry knows of none, or of other versions only', async () => {
    const advisory = { id: 1, url: 'https://advisory.example/1', title: 'bad', severity: 'critical' };
    const { code, out } = await checkWith(200, { fastify: [{ ...advisory, vulnerable_versions: '<5' }] });
    expect({ code, out }).toEqual({ code: 0, out: 'No dependency has a known vulnerability.\n' });
  });

  it('reports that nothing was checked when the registry has no advisories, and fails with --required', async () => {
    for (const [flags, expected] of [[[], 0] as const, [['--required'], 1] as const]) {
      const { code, out } = await checkWith(405, { message: 'Method Not Allowed' }, ...flags);
      expect(out).toMatch(/^NOT CHECKED: /);
      expect(code).toBe(expected);
    }
  });

  /** Runs the check as CI does, with a registry that gives this answer to requests for advisories. */
  async function checkWith(status: number, advisories: object, ...flags: string[]) {
    let asked: Record<string, string[]> = {};
    const registry = createServer(async (request, response) => {
      const isQuestion = request.method === 'POST' && request.url?.endsWith('/advisories/bulk') === true;
      if (isQuestion) asked = JSON.parse(gunzipSync(await buffer(request)).toString());
      response.writeHead(isQuestion ? status : 404, { 'content-type': 'application/json' });
      response.end(isQuestion ? JSON.stringify(advisories) : '{}');
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    const { port } = registry.address() as AddressInfo;
    const settings = {
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_fetch_retries: '0',
      npm_config_update_notifier: 'false',
    };
    const script = fileURLToPath(new URL('audit.mjs', import.meta.url));
    const ended = await new Promise<{ code: number; out: string }>((resolve) => {
      const env = { ...process.env, ...settings };
      const child = execFile(process.execPath, [script, ...flags], { env }, (_error, out) =>
        resolve({ code: child.exitCode ?? -1, out }),
      );
    });
    registry.close();
    return { ...ended, asked };
  }
});

it('every package of the lock file has a hash, except some that are for other platforms', () => {
  interface Entry {
    readonly integrity?: string;
    readonly link?: boolean;
    readonly optional?: boolean;
    readonly os?: readonly string[];
  }
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
  const installed = Object.entries<Entry>(lock.packages).filter(
    ([path, { link }]) => path.startsWith('node_modules/') && link !== true,
  );
  expect(installed.length).toBeGreaterThan(100);
  for (const [path, { integrity, optional, os }] of installed) {
    if (optional === true && os !== undefined && integrity === undefined) continue;
    expect(integrity, path).toMatch(/^sha512-/);
  }
});
