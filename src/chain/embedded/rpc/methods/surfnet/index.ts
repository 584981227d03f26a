import { ErrorCode } from '../../../../json-rpc/error-codes.ts';
import { NetworkRefused } from '../../../ledger/bank.ts';
import { CHEAT_REFUSALS, type CheatRefusal } from '../../calls/cheat-guard.ts';
import type { RpcContext } from '../../calls/context.ts';
import type { Handler } from '../../calls/dispatch.ts';
import { invalidParams, nodeUnhealthy, RpcError } from '../../../../json-rpc/rpc-errors.ts';
import { pauseClock, resumeClock, timeTravel } from './clock.ts';
import { setAccount } from './set-account.ts';
import { setTokenAccount } from './set-token-account.ts';

/** Surfpool's other cheat codes, each with what to use instead. */
const NOT_SUPPORTED: Readonly<Record<string, string>> = {
  surfnet_cloneProgramAccount: 'load the program with the setting program',
  surfnet_exportSnapshot: 'read accounts with getAccountInfo, or save a named snapshot at the admin port',
  surfnet_getActiveIdl: 'IDLs are not kept',
  surfnet_getLocalSignatures: 'use getSignaturesForAddress',
  surfnet_getProfileResultsByTag: 'use simulateTransaction',
  surfnet_getStreamedAccounts:
    'accounts of other networks are only copied at the start, with the setting clone',
  surfnet_getSurfnetInfo: 'use getHealth and getVersion',
  surfnet_getTransactionProfile: 'use getTransaction',
  surfnet_profileTransaction: 'use simulateTransaction',
  surfnet_registerIdl: 'IDLs are not kept',
  surfnet_registerScenario: 'move prices at the admin port',
  surfnet_resetAccount: 'restore a named snapshot at the admin port',
  surfnet_resetNetwork: '`sluice reset` does that',
  surfnet_setProgramAuthority: 'load the program with the setting program; it has no upgrade authority',
  surfnet_setSupply: 'the supply is always the sum of the accounts',
  surfnet_streamAccount: 'accounts of other networks are only copied at the start, with the setting clone',
  surfnet_writeProgram: 'load the program with the setting program',
};

/**
 * The cheat codes, with the names and parameters of Surfpool.
 *
 * @param refusal - Why all of them are refused; null when they are not.
 */
export function createSurfnetMethods(context: RpcContext, refusal: CheatRefusal | null): [string, Handler][] {
  const supported: [string, Handler][] = [
    ['surfnet_setAccount', (params) => setAccount(context, params)],
    ['surfnet_setTokenAccount', (params) => setTokenAccount(context, params)],
    ['surfnet_timeTravel', (params) => timeTravel(context, params)],
    ['surfnet_pauseClock', (params) => pauseClock(context, params)],
    ['surfnet_resumeClock', (params) => resumeClock(context, params)],
  ];
  const missing = Object.entries(NOT_SUPPORTED).map(([name, instead]): [string, Handler] => [
    name,
    unavailable(`${name} is not supported: ${instead}`),
  ]);
  return [
    ...supported.map(([name, handler]): [string, Handler] => [
      name,
      refusal === null
        ? cheating(context, handler)
        : unavailable(`${name} is refused: ${CHEAT_REFUSALS[refusal]}`),
    ]),
    ...missing,
  ];
}

/** Refuses while the network does not work, so that calls cannot outrun the disk. */
function cheating({ bank }: RpcContext, handler: Handler): Handler {
  return (params) => {
    const reason = bank.unhealthy();
    if (reason !== null) throw nodeUnhealthy(reason);
    try {
      return handler(params);
    } catch (error) {
      if (error instanceof NetworkRefused && error.kind === 'request') throw invalidParams(error.message);
      throw error;
    }
  };
}

function unavailable(message: string): Handler {
  return () => {
    throw new RpcError(ErrorCode.METHOD_NOT_FOUND, message);
  };
}
