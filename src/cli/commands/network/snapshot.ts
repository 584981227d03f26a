import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { writeDurably } from '../../../common/files/durable-file.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { renderTable } from '../../../config/render.ts';
import { MAX_PACKED_BYTES } from '../../../chain/embedded/storage/snapshot-file.ts';
import { SnapshotContent, SnapshotsAnswer } from '../../../gateway/admin/network/network-schema.ts';
import { type AdminAddress, ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import { checkAnswer } from '../../admin-client/platform-answers.ts';
import type { Command } from '../../command-line/command.ts';

const settings = ADMIN_SETTINGS;
const WHO = 'the network';
/** The maximum length of an answer with a snapshot in base64. */
const MAX_CONTENT_BYTES = 2 * MAX_PACKED_BYTES;

/** The commands for named snapshots of the embedded network, and for exporting and importing them. */
export const SNAPSHOT_COMMANDS: readonly Command[] = [
  snapshotCommand('list', 'List the named snapshots of the embedded network.', [], () => ({
    method: 'GET',
    path: 'network/snapshots',
  })),
  snapshotCommand('save', 'Save the state of the embedded network under a name.', ['name'], (name) => ({
    method: 'POST',
    path: 'network/snapshots',
    body: { name },
  })),
  snapshotCommand('restore', 'Restore a named state of the embedded network.', ['name'], (name) => ({
    method: 'POST',
    path: `network/snapshots/${encodeURIComponent(name)}/restore`,
  })),
  snapshotCommand('delete', 'Delete a named snapshot of the embedded network.', ['name'], (name) => ({
    method: 'DELETE',
    path: `network/snapshots/${encodeURIComponent(name)}`,
  })),
  {
    name: 'snapshot export',
    summary: 'Write a named snapshot to a file, for another instance with the same seed.',
    words: ['name', 'file'],
    settings,
    run: async ({ config, words: [name = '', file = ''], cwd, write }) => {
      const path = resolve(cwd, file);
      if (existsSync(path)) throw new OperatorError(`${path} exists already; choose another name`);
      const call = { method: 'GET' as const, path: contentPath(name), maxBytes: MAX_CONTENT_BYTES };
      const { content } = checkAnswer(SnapshotContent, await callAdmin(config, call, WHO));
      const bytes = Buffer.from(content, 'base64');
      await writeDurably(path, [bytes], 0o600).catch((error: unknown) => {
        throw new OperatorError(`${path} cannot be written: ${describeSnapshotError(error)}`);
      });
      write(`wrote ${path} (${bytes.length} bytes)\n`);
      return 0;
    },
  },
  {
    name: 'snapshot import',
    summary: 'Save a snapshot from a file under a name. It is checked, but not restored.',
    words: ['name', 'file'],
    settings,
    run: async ({ config, words: [name = '', file = ''], cwd, write }) => {
      const content = (await readBounded(resolve(cwd, file))).toString('base64');
      write(await renderSnapshots(config, { method: 'PUT', path: contentPath(name), body: { content } }));
      return 0;
    },
  },
];

function contentPath(name: string): string {
  return `network/snapshots/${encodeURIComponent(name)}/content`;
}

async function readBounded(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size <= MAX_PACKED_BYTES) return await readFile(path);
    throw new OperatorError(`it has ${size} bytes, but a snapshot has at most ${MAX_PACKED_BYTES}`);
  } catch (error) {
    throw new OperatorError(`${path} cannot be read: ${describeSnapshotError(error)}`);
  }
}

function describeSnapshotError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function snapshotCommand(
  verb: string,
  summary: string,
  words: readonly string[],
  callOf: (name: string) => Parameters<typeof callAdmin>[1],
): Command {
  return {
    name: `snapshot ${verb}`,
    summary,
    words,
    settings,
    run: async ({ config, words: [name = ''], write }) => {
      write(await renderSnapshots(config, callOf(name)));
      return 0;
    },
  };
}

async function renderSnapshots(config: AdminAddress, call: Parameters<typeof callAdmin>[1]): Promise<string> {
  const { snapshots } = checkAnswer(SnapshotsAnswer, await callAdmin(config, call, WHO));
  return renderTable([['snapshot', 'slot'], ...snapshots.map(({ name, slot }) => [name, slot])]);
}
