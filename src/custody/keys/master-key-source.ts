import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { OperatorError } from '../../common/operator-error.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { MASTER_KEY_BYTES, MasterKey } from './master-key.ts';

/** Where a master key comes from: itself, a file, or a program that prints it. */
export type MasterKeySource =
  | { readonly text: string }
  | { readonly file: string }
  | { readonly command: readonly string[] };

/** No form of a key is nearly as long. */
const MAX_TEXT_BYTES = 1_024;
const MAX_COMMAND_MS = 30_000;
const MAX_REASON = 200;

/**
 * Reads a master key.
 *
 * @param setting - The name of the setting of the key itself, for messages. None of them contains anything of the key.
 * @throws OperatorError when there is no key, or it does not have 32 bytes
 */
export async function readMasterKey(source: MasterKeySource, setting: string): Promise<MasterKey> {
  if ('text' in source) return parseMasterKey(source.text, setting);
  if ('file' in source) {
    return parseMasterKey(readKeyFile(source.file, `${setting}-file`), `the file ${source.file}`);
  }
  const from = `${setting}-command`;
  return parseMasterKey(await runKeyCommand(source.command, from), `the output of ${from}`);
}

const HEX = /^[0-9a-fA-F]{64}$/;
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/** @param from - What the text is, for messages. */
export function parseMasterKey(text: string, from: string): MasterKey {
  const trimmed = text.trim();
  const bytes = HEX.test(trimmed)
    ? Buffer.from(trimmed, 'hex')
    : BASE64.test(trimmed)
      ? Buffer.from(trimmed, 'base64')
      : null;
  if (bytes?.length === MASTER_KEY_BYTES) return new MasterKey(bytes);
  throw new OperatorError(
    `${from} has ${trimmed.length} characters, but a master key is 32 bytes as 64 hexadecimal digits or in base64; make one with: openssl rand -hex 32`,
  );
}

function readKeyFile(path: string, setting: string): string {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined || !status.isFile() || status.size > MAX_TEXT_BYTES) {
    throw new OperatorError(
      `${setting} is ${path}, but there is no file of at most ${MAX_TEXT_BYTES} bytes with a master key`,
    );
  }
  return readFileSync(path, 'utf8');
}

/** Runs the program without a shell, so that nothing in its arguments is expanded. */
function runKeyCommand([program = '', ...words]: readonly string[], setting: string): Promise<string> {
  const limits = {
    timeout: MAX_COMMAND_MS,
    maxBuffer: MAX_TEXT_BYTES,
    killSignal: 'SIGKILL',
    shell: false,
  } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(program, words, limits, (error, printed, complaint) => {
      if (error === null) resolve(printed);
      else reject(new OperatorError(`${setting}: ${program} ${describeEnd(error, complaint)}`));
    });
    child.stdin?.end();
  });
}

/** Says how a program ended, without anything that it printed as its result. */
function describeEnd(error: Error & { code?: unknown; killed?: boolean }, complaint: string): string {
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
    return `printed more than ${MAX_TEXT_BYTES} bytes, which are no master key`;
  }
  if (error.killed === true) return `did not print a master key within ${MAX_COMMAND_MS / 1_000} seconds`;
  if (typeof error.code === 'string') return `cannot be run: ${error.code}`;
  const reason = complaint.trim().slice(0, MAX_REASON);
  return `ended with ${String(error.code)}${reason === '' ? '' : `: ${formatForError(reason)}`}`;
}
