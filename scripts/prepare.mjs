import { fileURLToPath } from 'node:url';
import { bundleWhenStale } from './bundle.mjs';
import { ensureDependencies } from './install.mjs';
import { buildPortalWhenStale } from './portal.mjs';

/**
 * Makes a checkout runnable: installs the dependencies of the lock file, bundles the current sources, and builds the portal
 * before a start.
 *
 * @param {readonly string[]} args - The arguments of the command.
 */
export async function prepare(args) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  await ensureDependencies(root);
  await bundleWhenStale(root).catch((error) => {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
    throw new Error(
      `${root}dist was bundled from other sources, and this user may not write there: run ` +
        `\`node ${root}bin/sluice.mjs --version\` once as its owner (${error.message})`,
    );
  });
  if (args[0] === 'start' && !args.includes('--no-portal')) await preparePortal(root);
}

/**
 * Builds the portal if it is stale. Without it everything but its pages works, and they say that it is missing: a failure
 * does not keep the gateway from starting.
 *
 * @param {string} root
 */
async function preparePortal(root) {
  try {
    await buildPortalWhenStale(root, (line) => process.stderr.write(`${line}\n`));
  } catch (error) {
    process.stderr.write(
      `The portal could not be built: ${error instanceof Error ? error.message : error}\n`,
    );
  }
}
