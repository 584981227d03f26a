import type { CheatRefusal } from '../calls/cheat-guard.ts';
import type { RpcContext } from '../calls/context.ts';
import type { Handler, Handlers } from '../calls/dispatch.ts';
import { accountMethods } from './accounts.ts';
import { blockContentMethods } from './block-contents.ts';
import { blockMethods } from './blocks.ts';
import { clusterMethods } from './cluster.ts';
import { productionMethods } from './production.ts';
import { sendMethods } from './send.ts';
import { simulateMethods } from './simulate.ts';
import { stakeMethods } from './stake.ts';
import { surfnetMethods } from './surfnet/index.ts';
import { tokenMethods } from './tokens.ts';
import { transactionMethods } from './transactions.ts';

/**
 * All methods of the HTTP side. Any other method is answered with -32601. A group of methods is one line here.
 *
 * @param beforeShown - Called before the answer of a method that reads the network, which `sendTransaction` does not.
 * @returns The methods for a request, given why it may not call cheat codes, or null.
 */
export function rpcMethods(
  context: RpcContext,
  beforeShown: () => void,
  production: boolean,
): (cheatRefusal: CheatRefusal | null) => Handlers {
  const reading = [
    ...accountMethods(context),
    ...tokenMethods(context),
    ...blockMethods(context),
    ...blockContentMethods(context),
    ...transactionMethods(context),
    ...simulateMethods(context),
    ...clusterMethods(context),
    ...productionMethods(context),
    ...stakeMethods(context),
  ];
  const shown = (methods: readonly [string, Handler][]) =>
    methods.map(([name, handler]): [string, Handler] => [name, showing(handler, beforeShown)]);
  const always = [...shown(reading), ...sendMethods(context)];
  const withSurfnet = (refusal: CheatRefusal | null): Handlers =>
    new Map([...always, ...shown(surfnetMethods(context, refusal))]);
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
