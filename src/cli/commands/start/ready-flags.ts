import { existsSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { OperatorError } from '../../../common/operator-error.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import type { CommandFlag } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';

const BANNERS = ['text', 'json', 'none'] as const;

/** The form in which a process says that everything answers. */
export type BannerKind = (typeof BANNERS)[number];

/**
 * Returns the flags by which a process says that it is ready.
 * @param content - What the file contains, as the end of "as JSON when everything answers, with ...".
 */
export function createReadyFlags(content: string): readonly CommandFlag[] {
  return [
    {
      name: 'ready-file',
      allowed: 'the path of a file',
      description: `File that is written as JSON when everything answers, with ${content}, and is removed at the end. Default: none.`,
    },
    {
      name: 'banner',
      allowed: `one of ${BANNERS.join(', ')}`,
      description:
        'What is printed when everything answers: a text for a person, the content of --ready-file in one line, or nothing. Default: text.',
    },
  ];
}

export function parseBannerFlag(flags: ReadonlyMap<string, string>): BannerKind {
  const given = flags.get('banner') ?? 'text';
  const banner = BANNERS.find((one) => one === given);
  if (banner !== undefined) return banner;
  throw new UsageError(`flag --banner is ${formatForError(given)}, but must be one of ${BANNERS.join(', ')}`);
}

/** Returns the path of the ready file, and removes the file of an earlier start, which would be mistaken for this one. */
export function parseReadyFile(flags: ReadonlyMap<string, string>, cwd: string): string | null {
  const given = flags.get('ready-file');
  if (given === undefined) return null;
  const path = resolve(cwd, given);
  if (!existsSync(dirname(path))) throw new OperatorError(`ready-file ${path}: its folder does not exist`);
  rmSync(path, { force: true });
  return path;
}
