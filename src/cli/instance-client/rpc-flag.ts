import type { Config } from '../../config/config.ts';
import { toReachableHost } from '../../gateway/http/listen.ts';
import { awaitInstance } from '../admin-client/running-instance.ts';
import type { CommandFlag } from '../command-line/command.ts';
import { HTTP_URL, parseUrlFlag } from '../command-line/http-url.ts';

export const RPC_FLAG: CommandFlag = {
  name: 'rpc',
  allowed: HTTP_URL,
  description:
    'Solana RPC to call. Default: rpc-url, or the embedded network of a running instance at rpc-port.',
};

/** The settings that determine where the embedded network's RPC is. */
const RPC_PLACE = ['rpc-port', 'host'] as const;

/** A Solana RPC that a command calls. */
export interface ChosenRpc {
  readonly url: URL;
  /** Whether it is that of an embedded network, because neither the flag nor the settings name another one. */
  readonly isEmbedded: boolean;
}

/**
 * Returns the RPC of the flag, or of the settings.
 *
 * @throws UsageError when the flag is not a URL.
 */
export function chooseRpc(
  flags: ReadonlyMap<string, string>,
  { host, rpcPort, outside }: Pick<Config, 'host' | 'rpcPort' | 'outside'>,
): ChosenRpc {
  const given = flags.get(RPC_FLAG.name);
  if (given === undefined && outside !== null) return { url: outside.url, isEmbedded: false };
  if (given === undefined) {
    return { url: new URL(`http://${toReachableHost(host)}:${rpcPort}`), isEmbedded: true };
  }
  return { url: parseUrlFlag(RPC_FLAG, given), isEmbedded: false };
}

/**
 * Awaits a call of the RPC. If that of an embedded network cannot be reached, the error says how to start or find an instance.
 *
 * @throws OperatorError instead of `Unreachable`.
 */
export function awaitRpc<T>(asked: Promise<T>, { isEmbedded }: ChosenRpc): Promise<T> {
  return isEmbedded ? awaitInstance(asked, RPC_PLACE) : asked;
}
