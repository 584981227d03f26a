import type { Config } from '../../../config/config.ts';
import { reachable } from '../../../gateway/http/listen.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import type { CommandFlag } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';

/** The flag of commands that call a Solana RPC. */
export const RPC_FLAG: CommandFlag = {
  name: 'rpc',
  allowed: 'an http or https URL',
  description:
    'Solana RPC to call. Default: rpc-url, or the embedded network of a running instance at rpc-port.',
};

/** The settings that determine where the embedded network's RPC is. */
export const RPC_PLACE = ['rpc-port', 'host'] as const;

/**
 * Returns the URL of the flag, or of the settings.
 *
 * @throws UsageError when the flag is not a URL.
 */
export function rpcUrl(flags: ReadonlyMap<string, string>, { host, rpcPort, outside }: Config): URL {
  const given = flags.get(RPC_FLAG.name);
  if (given === undefined && outside !== null) return outside.url;
  if (given === undefined) return new URL(`http://${reachable(host)}:${rpcPort}`);
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new UsageError(`flag --rpc is ${formatForError(given)}, but must be ${RPC_FLAG.allowed}`);
}
