import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createRpcAccountSource } from '../../../chain/clone/account-source.ts';
import { dumpAccount } from '../../../chain/clone/dump.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { parseAddress } from '../../../solana/address.ts';
import type { Command } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';
import { awaitRpc, chooseRpc, RPC_FLAG } from '../../instance-client/rpc-flag.ts';

export const dumpCommand: Command = {
  name: 'dump',
  summary: "Write an account, or a program's code, to a file that --account or --program can load.",
  words: ['address'],
  settings: ['host', 'rpc-port', 'data-dir'],
  flags: [
    RPC_FLAG,
    {
      name: 'output',
      short: 'o',
      allowed: 'the path of a file',
      description:
        'File to write, which is replaced if it exists. Default: ADDRESS.json, or ADDRESS.so for a program.',
    },
  ],
  run: async ({ config, words, flags, cwd, write }) => {
    const [text = ''] = words;
    const address = parseAddress(text);
    if (address === null) {
      throw new UsageError(`the address is ${formatForError(text)}, but must be base58 of 32 bytes`);
    }
    const rpc = chooseRpc(flags, config);
    const { kind, contents } = await awaitRpc(dumpAccount(createRpcAccountSource(rpc.url), address), rpc);
    const extension = kind === 'program' ? 'so' : 'json';
    const file = resolve(cwd, flags.get('output') ?? `${address}.${extension}`);
    try {
      await writeFile(file, contents);
    } catch (error) {
      throw new OperatorError(
        `${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    write(`wrote the ${kind} ${address} to ${file} (${contents.length} bytes)\n`);
    return 0;
  },
};
