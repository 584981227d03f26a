import { readFileSync } from 'node:fs';
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

it('every package of the lock file has a hash, but for some that are for other platforms', () => {
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
