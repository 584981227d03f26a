import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { RUNTIME_VERSION } from './version.ts';

it('RUNTIME_VERSION is the version of the runtime in the installed LiteSVM', () => {
  const installed = dirname(createRequire(import.meta.url).resolve('litesvm/package.json'));
  const binaries = readdirSync(dirname(installed))
    .filter((name) => name.startsWith('litesvm-'))
    .flatMap((name) => {
      const folder = join(dirname(installed), name);
      return readdirSync(folder)
        .filter((file) => file.endsWith('.node'))
        .map((file) => join(folder, file));
    });
  expect(binaries.length).toBeGreaterThan(0);
  for (const binary of binaries) {
    expect(readFileSync(binary).includes(`solana-program-runtime-${RUNTIME_VERSION}/`)).toBe(true);
  }
});
