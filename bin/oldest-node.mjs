const OLDEST_NODE = [20, 19];

/**
 * @param {string} version of Node, such as `20.19.0`
 * @throws {Error} when it is older than what the project supports
 */
export function refuseOldNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new Error(
    `Sluice needs Node ${OLDEST_NODE.join('.')} or newer, and this is Node ${version}. ` +
      'Install a current release from https://nodejs.org and try again.',
  );
}
