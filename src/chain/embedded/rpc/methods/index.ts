import type { RpcContext } from '../context.ts';
import type { Handlers } from '../dispatch.ts';
import { accountMethods } from './accounts.ts';
import { blockContentMethods } from './block-contents.ts';
import { blockMethods } from './blocks.ts';
import { clusterMethods } from './cluster.ts';
import { productionMethods } from './production.ts';
import { sendMethods } from './send.ts';
import { simulateMethods } from './simulate.ts';
import { stakeMethods } from './stake.ts';
import { tokenMethods } from './tokens.ts';
import { transactionMethods } from './transactions.ts';

/** Every method of the HTTP side. What is not here answers -32601. */
export function rpcMethods(context: RpcContext): Handlers {
  return new Map([
    ...accountMethods(context),
    ...tokenMethods(context),
    ...blockMethods(context),
    ...blockContentMethods(context),
    ...transactionMethods(context),
    ...sendMethods(context),
    ...simulateMethods(context),
    ...clusterMethods(context),
    ...productionMethods(context),
    ...stakeMethods(context),
  ]);
}
