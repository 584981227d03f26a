import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createRpcAccountSource } from '../../../chain/clone/account-source.ts';
import { dumpAccount } from '../../../chain/clone/dump.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { parseAddress } from '../../../solana/address.ts';
import type { Config } from '../../../config/config.ts';
import { toReachableHost } from '../../../gateway/http/listen.ts';
import type { Command, CommandFlag } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';
import { awaitInstance } from '../../admin-client/running-instance.ts';

const RPC_FLAG: CommandFlag = {
  name: 'rpc',
  allowed: 'an http or https URL',
  description:
    'Solana RPC to call. Default: rpc-url, or the embedded network of a running instance at rpc-port.',
};

/** The settings that determine where the embedded network's RPC is. */
const RPC_PLACE = ['rpc-port', 'host'] as const;

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
    const asked = dumpAccount(createRpcAccountSource(rpcUrl(flags, config)), address);
    const isOurs = config.outside === null && !flags.has(RPC_FLAG.name);
    const { kind, contents } = await (isOurs ? awaitInstance(asked, RPC_PLACE) : asked);
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

/**
 * Returns the URL of the flag, or of the settings.
 *
 * @throws UsageError when the flag is not a URL.
 */
function rpcUrl(flags: ReadonlyMap<string, string>, { host, rpcPort, outside }: Config): URL {
  const given = flags.get(RPC_FLAG.name);
  if (given === undefined && outside !== null) return outside.url;
  if (given === undefined) return new URL(`http://${toReachableHost(host)}:${rpcPort}`);
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new UsageError(`flag --rpc is ${formatForError(given)}, but must be ${RPC_FLAG.allowed}`);
}
