import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { openTestFolder } from '../src/testing/test-folder.ts';
import { removeOthers } from './bundle.mjs';
import { buildPortalWhenStale, fingerprintPortal, removeAbandonedBuilds } from './portal.mjs';

const checkout = fileURLToPath(new URL('..', import.meta.url));
let root: string;

beforeEach(() => {
  root = openTestFolder('portal');
  write('web/src/main.tsx', 'one');
  write('web/src/main.test.ts', 'one');
  write('package-lock.json', '{}');
});

describe('fingerprintPortal', () => {
  it('is the same in another folder with the same sources, whenever they were written', () => {
    const before = fingerprintPortal(root);
    root = openTestFolder('portal');
    write('web/src/main.tsx', 'one');
    write('package-lock.json', '{}');
    expect(fingerprintPortal(root)).toBe(before);
  });

  it.each<[string, string, string, boolean]>([
    ['an edit', 'web/src/main.tsx', 'two', true],
    ['a new file', 'web/src/other.tsx', 'one', true],
    ['other packages', 'package-lock.json', '{ }', true],
    ['other colours', 'src/gateway/docs/assets/tokens.css', 'a {}', true],
    ['a test', 'web/src/main.test.ts', 'two', false],
    ['a source of the server', 'src/cli/main.ts', 'two', false],
  ])('after %s it is another one, or not', (_what, file, text, isOther) => {
    const before = fingerprintPortal(root);
    write(file, text);
    expect(fingerprintPortal(root) !== before).toBe(isOther);
  });
});

describe('buildPortalWhenStale', () => {
  it('builds once, with each file in its compressed forms', async () => {
    await buildPortalWhenStale(checkout, () => {});
    const built = join(checkout, 'dist', 'portal');
    const before = statSync(join(built, 'index.html')).mtimeMs;
    const said: string[] = [];
    expect(await buildPortalWhenStale(checkout, (line) => said.push(line))).toBe(false);
    expect([said, statSync(join(built, 'index.html')).mtimeMs]).toEqual([[], before]);
    const scripts = readdirSync(join(built, 'assets')).filter((name) => name.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(3);
    for (const name of ['index.html', ...scripts.map((script) => join('assets', script))]) {
      const contents = readFileSync(join(built, name));
      expect(brotliDecompressSync(readFileSync(join(built, `${name}.br`))).equals(contents)).toBe(true);
      expect(gunzipSync(readFileSync(join(built, `${name}.gz`))).equals(contents)).toBe(true);
    }
  });

  it('has no script or style in the page itself, which the policy of the page forbids', async () => {
    await buildPortalWhenStale(checkout, () => {});
    const page = readFileSync(join(checkout, 'dist', 'portal', 'index.html'), 'utf8');
    expect(page).not.toMatch(/<style|style=|<script(?![^>]* src="\/(?:portal\/assets|docs)\/)|\bon[a-z]+=/);
  });

  it('leaves nothing of a build that was killed', () => {
    const abandoned = `dist/.portal-${2 ** 22 + 1}-abc/index.html`;
    const running = `dist/.portal-${process.pid}-abc/index.html`;
    for (const file of [abandoned, running, 'dist/portal/index.html']) write(file, 'page');
    removeAbandonedBuilds(join(root, 'dist'));
    expect([abandoned, running].map((file) => existsSync(join(root, file)))).toEqual([false, true]);
    expect(existsSync(join(root, 'dist/portal/index.html'))).toBe(true);
  });

  it('is kept by a bundle of the server, which removes what is not its own', () => {
    write('dist/portal/index.html', 'page');
    write('dist/.portal-abc/index.html', 'page that is being built');
    write('dist/chunk-OLD.js', 'text');
    removeOthers(join(root, 'dist'), new Set());
    expect(existsSync(join(root, 'dist/chunk-OLD.js'))).toBe(false);
    expect(existsSync(join(root, 'dist/portal/index.html'))).toBe(true);
    expect(existsSync(join(root, 'dist/.portal-abc/index.html'))).toBe(true);
  });
});

function write(name: string, text: string): void {
  const file = join(root, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
