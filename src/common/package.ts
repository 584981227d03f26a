import { readFileSync } from 'node:fs';

/** The package's folder, with a slash at the end. This file and the bundles in `dist/` both stand one folder below it. */
export const packageRoot = new URL('../..', import.meta.url);

/** As in package.json. */
export function packageVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('package.json', packageRoot), 'utf8'),
  );
  return version;
}
