import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refuseOldNode } from '../bin/oldest-node.mjs';
import { dependenciesAreCurrent } from './install.mjs';

describe('refuseOldNode', () => {
  it.each(['20.19.0', '20.20.1', '22.0.0', '24.1.0'])('lets Node %s pass', (version) => {
    expect(() => refuseOldNode(version)).not.toThrow();
  });
  it.each(['20.18.9', '18.20.0', '9.0.0'])('refuses Node %s, and says what is needed', (version) => {
    expect(() => refuseOldNode(version)).toThrow(
      `Sluice needs Node 20.19 or newer, and this is Node ${version}`,
    );
  });
});

describe('dependenciesAreCurrent', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sluice-install-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const dependency = { version: '1.0.0', integrity: 'sha512-a' };

  it('misses everything in a fresh clone', () => {
    checkout({ 'node_modules/a': dependency }, null, 0, 0);
    expect(dependenciesAreCurrent(root)).toBe(false);
  });

  it('trusts an installation younger than the lock file', () => {
    checkout({ 'node_modules/a': dependency }, { 'node_modules/a': dependency }, 10, 5);
    expect(dependenciesAreCurrent(root)).toBe(true);
  });

  it.each([
    ['another version', { 'node_modules/a': { ...dependency, version: '1.0.1' } }],
    ['another content', { 'node_modules/a': { ...dependency, integrity: 'sha512-b' } }],
    ['a package more', { 'node_modules/a': dependency, 'node_modules/b': dependency }],
  ])('sees %s in a younger lock file', (_what, wanted) => {
    checkout(wanted, { 'node_modules/a': dependency }, 5, 10);
    expect(dependenciesAreCurrent(root)).toBe(false);
  });

  it('does not mind a lock file that was only touched, or packages for other platforms', () => {
    const wanted = {
      'node_modules/a': dependency,
      'node_modules/mac-only': { ...dependency, optional: true },
    };
    checkout(wanted, { 'node_modules/a': dependency }, 5, 10);
    expect(dependenciesAreCurrent(root)).toBe(true);
  });

  /** What the lock file names and what npm says it installed, each with its age in seconds. */
  function checkout(wanted: object, installed: object | null, wantedAge: number, installedAge: number): void {
    write('package-lock.json', { packages: { '': { name: 'x' }, ...wanted } }, wantedAge);
    if (installed === null) return;
    mkdirSync(join(root, 'node_modules'));
    write('node_modules/.package-lock.json', { packages: installed }, installedAge);
  }

  function write(name: string, contents: object, age: number): void {
    const file = join(root, name);
    writeFileSync(file, JSON.stringify(contents));
    const time = 1_700_000_000 - age;
    utimesSync(file, time, time);
  }
});

/** Whether `range` includes Node 20.19.0. Only the forms that packages use are supported. */
function takesOldestNode(range: string): boolean {
  return range.split('||').some((alternative) => {
    if (alternative.trim() === '*') return true;
    const [, sign = '', major = '0', minor = '0'] =
      /^\s*([\^~]|>=?)?\s*(\d+)(?:\.(\d+|[x*]))?/.exec(alternative) ?? [];
    const isBelow = Number(major) < 20 || (Number(major) === 20 && !(Number(minor) > 19));
    return isBelow && (sign.startsWith('>') || Number(major) === 20);
  });
}

describe('package-lock.json', () => {
  it('has only packages that support the oldest supported version of Node', () => {
    const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
    const ranges = Object.entries<{ readonly engines?: { readonly node?: string } }>(lock.packages).map(
      ([path, { engines }]) => [path, engines?.node ?? '>=0'] as const,
    );
    expect(ranges.length).toBeGreaterThan(100);
    expect(ranges.filter(([, range]) => !takesOldestNode(range))).toEqual([]);
    expect(['>=22.12.0', '^18 || >=21', '>=20.20'].filter(takesOldestNode)).toEqual([]);
  });

  it('names the package of every platform, without which npm ci refuses it', () => {
    const file = new URL('../package-lock.json', import.meta.url);
    const { packages }: { packages: Record<string, { optionalDependencies?: object }> } = JSON.parse(
      readFileSync(file, 'utf8'),
    );
    const missing = Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !(`${folder}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages),
      ),
    );
    expect(missing).toEqual([]);
  });
});
