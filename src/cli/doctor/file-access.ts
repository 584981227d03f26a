import { accessSync, type Stats } from 'node:fs';

const OTHERS = 0o077;

/** Whether other users of this machine may use a file or folder. Windows does not tell. */
export function isOpenToOthers({ mode }: Pick<Stats, 'mode'>): boolean {
  return (mode & OTHERS) !== 0 && process.platform !== 'win32';
}

/**
 * Whether the user who runs this command may not use a file or folder in one of the given ways.
 *
 * @param ways - As for `accessSync`, such as `constants.R_OK`.
 */
export function isDenied(path: string, ways: number): boolean {
  try {
    accessSync(path, ways);
    return false;
  } catch {
    return true;
  }
}
