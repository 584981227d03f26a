import type { CheatRefusal } from '../calls/cheat-guard.ts';
import type { RpcContext } from '../calls/context.ts';
import type { Handler, Handlers } from '../calls/dispatch.ts';
import { createAccountMethods } from './accounts.ts';
import { createBlockContentMethods } from './block-contents.ts';
import { createBlockMethods } from './blocks.ts';
import { createClusterMethods } from './cluster.ts';
import { createProductionMethods } from './production.ts';
import { sendMethods } from './send.ts';
import { createSimulateMethods } from './simulate.ts';
import { createStakeMethods } from './stake.ts';
import { createSurfnetMethods } from './surfnet/index.ts';
import { createTokenMethods } from './tokens.ts';
import { createTransactionMethods } from './transactions.ts';

/**
 * All methods of the HTTP side. Any other method is answered with -32601. A group of methods is one line here.
 *
 * @param beforeShown - Called before the answer of a method that reads the network, which `sendTransaction` does not.
 * @returns The methods for a request, given why it may not call cheat codes, or null.
 */
export function createRpcMethods(
  context: RpcContext,
  beforeShown: () => void,
  production: boolean,
): (cheatRefusal: CheatRefusal | null) => Handlers {
  const reading = [
    ...createAccountMethods(context),
    ...createTokenMethods(context),
    ...createBlockMethods(context),
    ...createBlockContentMethods(context),
    ...createTransactionMethods(context),
    ...createSimulateMethods(context),
    ...createClusterMethods(context),
    ...createProductionMethods(context),
    ...createStakeMethods(context),
  ];
  const shown = (methods: readonly [string, Handler][]) =>
    methods.map(([name, handler]): [string, Handler] => [name, showing(handler, beforeShown)]);
  const always = [...shown(reading), ...sendMethods(context)];
  const withSurfnet = (refusal: CheatRefusal | null): Handlers =>
    new Map([...always, ...shown(createSurfnetMethods(context, refusal))]);
  if (production) {
    const handlers = withSurfnet('production');
    return () => handlers;
  }
  const open = withSurfnet(null);
  const refusing = {
    production: withSurfnet('production'),
    remote: withSurfnet('remote'),
    page: withSurfnet('page'),
    forwarded: withSurfnet('forwarded'),
    host: withSurfnet('host'),
  };
  return (cheatRefusal) => (cheatRefusal === null ? open : refusing[cheatRefusal]);
}

function showing(handler: Handler, beforeShown: () => void): Handler {
  return (params) => {
    const result = handler(params);
    if (!(result instanceof Promise)) {
      beforeShown();
      return result;
    }
    return result.then((later: unknown) => {
      beforeShown();
      return later;
    });
  };
}
