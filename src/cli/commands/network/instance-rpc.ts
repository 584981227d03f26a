import type { Config } from '../../../config/config.ts';
import type { LoadedSettings } from '../../../config/load.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { NetworkAnswer } from '../../../gateway/admin/network/network-schema.ts';
import { adminUrl, callAdmin } from '../../admin-client/admin-call.ts';
import { asAnswer } from '../../admin-client/platform-answers.ts';

/**
 * Asks the instance at the admin port for the URL of its Solana RPC. Commands that change a network use this RPC, so that
 * they cannot reach the network of another instance, which has another credential.
 *
 * @param who - The subject of error messages.
 * @throws OperatorError when the instance has no network of its own, or `rpc-port` was given and belongs to another
 *   instance.
 */
export async function rpcOfInstance(config: Config, { sources }: LoadedSettings, who: string): Promise<URL> {
  const answer = asAnswer(NetworkAnswer, await callAdmin(config, { method: 'GET', path: 'network' }, who));
  const rpc = new URL(answer.rpcUrl);
  if (sources['rpc-port'] !== 'default' && config.rpcPort !== Number(rpc.port)) {
    throw new OperatorError(
      `rpc-port from ${sources['rpc-port']} is ${config.rpcPort}, but the instance at ${adminUrl(config, '').origin} has its Solana RPC at ${rpc.origin}; leave out rpc-port, or give the admin-port and the data-dir of the other instance`,
    );
  }
  return rpc;
}
