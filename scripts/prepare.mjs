import { fileURLToPath } from 'node:url';
import { bundleWhenStale } from './bundle.mjs';
import { ensureDependencies } from './install.mjs';

/** Makes a checkout runnable: installs the dependencies of the lock file, and bundles the current sources. */
export async function prepare() {
  const root = fileURLToPath(new URL('..', import.meta.url));
  await ensureDependencies(root);
  await bundleWhenStale(root).catch((error) => {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
    throw new Error(
      `${root}dist was bundled from other sources, and this user may not write there: run ` +
        `\`node ${root}bin/sluice.mjs --version\` once as its owner (${error.message})`,
    );
  });
}
