import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTestFolder } from '../../testing/test-folder.ts';
import { MasterKey } from './master-key.ts';
import { type MasterKeySource, readMasterKey } from './master-key-source.ts';

describe('readMasterKey', () => {
  it('reads the same key from a text, a file and a program, in hexadecimal or base64', async () => {
    const path = join(openTestFolder('custody'), 'key');
    const { id } = new MasterKey(Buffer.from(KEY));
    for (const text of [KEY.toString('hex'), KEY.toString('base64'), KEY.toString('base64url')]) {
      writeFileSync(path, `${text}\n`);
      const command = [process.execPath, '-e', 'console.log(process.argv[1])', text];
      for (const source of [{ text }, { file: path }, { command }]) {
        expect((await readMasterKey(source, 'custody-key')).id).toBe(id);
      }
    }
  });

  it.each<[string, MasterKeySource, string]>([
    ['a short text', { text: SHORT }, 'custody-key has 63 characters, but a master key is 32 bytes'],
    ['no file', { file: '/nowhere/key' }, 'custody-key-file is /nowhere/key, but there is no file'],
    ['a folder', { file: '/' }, 'custody-key-file is /, but there is no file'],
    ['no program', { command: ['/nowhere/program'] }, '/nowhere/program cannot be run: ENOENT'],
    [
      'a program that prints something else',
      print(SHORT),
      'the output of custody-key-command has 63 characters',
    ],
    ['a program that prints too much', print('x'.repeat(2_000)), 'printed more than 1024 bytes'],
    ['a program that fails', run('console.error("no rights"); process.exit(3)'), 'ended with 3: "no rights"'],
    ['an argument for a shell', { command: [process.execPath, '-p', '"$(id)"'] }, 'has 5 characters'],
  ])('refuses %s, and shows nothing of a key', async (_, source, reason) => {
    const error = await readMasterKey(source, 'custody-key').catch((refusal: Error) => refusal);
    expect(String(error)).toContain(reason);
    expect(String(error)).not.toContain(SHORT);
  });
});

const KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - 7 * index));
const SHORT = 'a1'.repeat(32).slice(1);

function run(script: string): MasterKeySource {
  return { command: [process.execPath, '-e', script] };
}

function print(text: string): MasterKeySource {
  return run(`process.stdout.write(${JSON.stringify(text)})`);
}
