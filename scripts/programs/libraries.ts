import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A crate with which programs are linked. */
export interface Library {
  /** The name that Rust code uses. */
  readonly name: string;
  /** Its folder below `programs`. */
  readonly folder: string;
}

/**
 * Lists the crates of the workspace that a crate is linked with, each after those that it depends on.
 *
 * @param programs - The folder of the workspace.
 * @param crate - The folder of the crate below it.
 */
export async function librariesOf(programs: string, crate: string): Promise<readonly Library[]> {
  const folders = new Map(
    section(await readFile(join(programs, 'Cargo.toml'), 'utf8'), 'workspace.dependencies').map((line) => {
      const [, name = '', folder = ''] = /^([\w-]+) = \{ path = "([\w-]+)" \}$/.exec(line) ?? unread(line);
      return [name, folder] as const;
    }),
  );
  const libraries = new Map<string, Library>();
  async function add(folder: string): Promise<void> {
    const manifest = await readFile(join(programs, folder, 'Cargo.toml'), 'utf8');
    for (const line of section(manifest, 'dependencies')) {
      const [, name = ''] = /^([\w-]+)\.workspace = true$/.exec(line) ?? unread(line);
      const dependency = folders.get(name);
      if (dependency === undefined) throw new RangeError(`programs/Cargo.toml does not list ${name}`);
      await add(dependency);
      libraries.set(name, { name: name.replaceAll('-', '_'), folder: dependency });
    }
  }
  await add(crate);
  return [...libraries.values()];
}

/** Returns the lines of a section of a Cargo.toml, without blank lines and comments. */
function section(manifest: string, name: string): string[] {
  const lines = manifest.split('\n');
  const start = lines.indexOf(`[${name}]`);
  if (start < 0) return [];
  const end = lines.findIndex((line, at) => at > start && line.startsWith('['));
  return lines
    .slice(start + 1, end < 0 ? undefined : end)
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function unread(line: string): never {
  throw new RangeError(`"${line}" is no dependency on a crate of this workspace`);
}
