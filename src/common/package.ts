import { existsSync, readFileSync } from 'node:fs';

/** The package's folder, with a slash at the end. It is the same from `src/` and from the bundles in `dist/`. */
export const packageRoot = nearestPackage(new URL('.', import.meta.url));

function nearestPackage(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  if (parent.href === folder.href) throw new Error(`there is no package.json above ${import.meta.url}`);
  return nearestPackage(parent);
}

/** Returns the version in package.json. */
export function packageVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('package.json', packageRoot), 'utf8'),
  );
  return version;
}
