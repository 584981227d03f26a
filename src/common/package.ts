import { existsSync, readFileSync } from 'node:fs';

/** The package's folder, with a slash at the end. It is the same from `src/` and from the bundles in `dist/`. */
export const packageRoot = findNearestPackage(new URL('.', import.meta.url));

function findNearestPackage(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  if (parent.href === folder.href) throw new Error(`there is no package.json above ${import.meta.url}`);
  return findNearestPackage(parent);
}

/** Returns the version in package.json. */
export function readPackageVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('package.json', packageRoot), 'utf8'),
  );
  return version;
}
