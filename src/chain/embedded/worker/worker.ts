import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type ListenOptions, toListenError } from '../../../common/listen-error.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { SendRejected } from '../../chain.ts';
import { type Bank, NetworkRefused } from '../ledger/bank.ts';
import {
  createNetworkReads,
  findBlockhashAfterLeap,
  getPushedBlockhash,
  readNetworkStatus,
  listUsableBlockhashes,
} from './bank-service.ts';
import { openBank } from '../bank/open-bank.ts';
import { createNetworkControls } from './network-controls.ts';
import type { ErrorMessage, FromWorker, NetworkRequest, WorkerData } from './protocol.ts';
import { CallFaults } from '../rpc/calls/call-faults.ts';
import { type RpcServer, startRpcServer } from '../rpc/server.ts';
import { driveSlots, MONOTONIC_TIMERS } from '../slots/slot-timer.ts';
import { TransactionWatches } from './transaction-watches.ts';
import { Watches } from './watches.ts';

/** The calls that the main thread can make. Each is answered with its result or an error. */
export type NetworkCalls = ReturnType<typeof createNetworkReads> &
  ReturnType<typeof createNetworkControls> & { readonly close: () => Promise<void> };

/** How long changes of watched accounts wait for further ones, to be sent together. */
const BATCH_MS = 5;

/** Sends a message to the main thread. The buffers that are transferred are no longer usable here. */
type PostMessage = (message: FromWorker, transferred?: readonly ArrayBuffer[]) => void;

/** Runs the network in this thread: the bank, its clock, the JSON-RPC servers, and the main thread's calls. */
async function run(port: MessagePort, data: WorkerData): Promise<void> {
  const post: PostMessage = (message, transferred = []) => port.postMessage(message, transferred);
  const onDefect = (where: string, error: unknown) =>
    post({ kind: 'defect', where, message: describe(error) });
  const bank = await openBank({ ...data, now: Date.now, onDefect });
  const watches = new Watches();
  const transactions = new TransactionWatches();
  const pushing = pushChanges(bank, watches, transactions, post);
  const callFaults = new CallFaults(Date.now);
  const rpc = await startRpc(bank, data, { post, pushing, callFaults });
  // While the clock is paused, this thread still reports to the main thread that it is alive.
  const endSlot = async () => {
    if (!bank.admin.isClockPaused) return bank.advanceSlot();
    post({ kind: 'status', status: readNetworkStatus(bank), prices: null });
  };
  const stopSlots = driveSlots({ advanceSlot: endSlot }, data.slotMs, MONOTONIC_TIMERS);
  const close = async () => {
    stopSlots();
    await rpc.close();
    await bank.close();
    pushing.stop();
  };
  const controls = createNetworkControls(bank, callFaults);
  const reads = createNetworkReads(bank, watches, transactions);
  serveCalls(port, pushing, post, { ...reads, ...controls, close });
  post({
    kind: 'ready',
    genesisHash: bank.genesisHash,
    rpcUrl: rpc.httpUrl,
    wsUrl: rpc.webSocketUrl,
    status: readNetworkStatus(bank),
    controls: Object.keys(controls),
    blockhashes: listUsableBlockhashes(bank),
  });
}

interface RpcParts {
  readonly post: PostMessage;
  readonly pushing: WatchPusher;
  readonly callFaults: CallFaults;
}

async function startRpc(
  bank: Bank,
  data: WorkerData,
  { post, pushing, callFaults }: RpcParts,
): Promise<RpcServer> {
  try {
    return await startRpcServer(bank, {
      host: data.host,
      httpPort: data.rpcPort,
      webSocketPort: data.wsPort,
      production: data.production,
      onDefect: (error, method) => post({ kind: 'defect', where: method, message: describe(error) }),
      beforeShown: pushing.flush,
      faults: callFaults,
    });
  } catch (error) {
    await bank.close();
    const told = toListenError(error, triedToListen(error, data));
    throw told instanceof OperatorError
      ? told
      : new OperatorError(`the network's Solana RPC cannot be served: ${describe(error)}`);
  }
}

/** Returns the server whose port could not be opened, which Node's error names. */
function triedToListen(error: unknown, { host, rpcPort, wsPort }: WorkerData): ListenOptions {
  const port = error instanceof Error && 'port' in error ? error.port : undefined;
  return port === wsPort
    ? { host, port: wsPort, setting: 'ws-port' }
    : { host, port: rpcPort, setting: 'rpc-port' };
}

/** Sends the main thread what it watches. */
interface WatchPusher {
  /** Sends the changes that wait for further ones. */
  readonly flush: () => void;
  readonly stop: () => void;
}

/**
 * Sends every slot to the main thread, and the changes of watched accounts in batches, each before the transactions that
 * made them. A batch is sent before a client can see any of its changes: a client that learns of a transaction over
 * JSON-RPC, and then calls a product, finds its effects there.
 */
function pushChanges(
  bank: Bank,
  watches: Watches,
  transactions: TransactionWatches,
  post: PostMessage,
): WatchPusher {
  let timer: NodeJS.Timeout | null = null;
  const flush = () => {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    // One message, because each costs the thread that executes transactions some of its time.
    const encoded = transactions.take();
    post({ kind: 'changes', batches: watches.take(), encoded }, encoded === null ? [] : [encoded.buffer]);
  };
  const stop = bank.subscribe((event) => {
    if (event.kind === 'transaction' || event.kind === 'accounts') {
      const added = event.kind === 'transaction' && transactions.add(event.record, event.encoded);
      if (watches.add(event.changes) || added) timer ??= setTimeout(flush, BATCH_MS);
    } else if (event.kind === 'slot') {
      flush();
      post({ kind: 'status', status: readNetworkStatus(bank), prices: bank.slotPrices(event.parent) });
      // After a leap, the confirmed one has expired, and a newer one is confirmed only later.
      const blockhash = findBlockhashAfterLeap(bank);
      if (blockhash !== null) post({ kind: 'blockhash', blockhash, status: readNetworkStatus(bank) });
    } else if (event.kind === 'commitment' && event.commitment === 'confirmed') {
      post({ kind: 'blockhash', blockhash: getPushedBlockhash(bank), status: readNetworkStatus(bank) });
    }
  });
  return {
    flush,
    stop: () => {
      stop();
      flush();
    },
  };
}

/**
 * Answers the main thread's calls. Changes that an answer may contain are sent before it, so that a caller never finds an
 * older state of a watched account after the answer.
 */
function serveCalls(
  port: MessagePort,
  { flush }: WatchPusher,
  post: PostMessage,
  // The main thread's side of the protocol checks the types of its arguments; both sides are one program.
  calls: { readonly [M in keyof NetworkCalls]: (...args: never[]) => unknown },
): void {
  port.on('message', async ({ id, method, args }: NetworkRequest) => {
    try {
      const result = await calls[method as keyof NetworkCalls](...(args as never[]));
      flush();
      post({ kind: 'result', id, result });
    } catch (error) {
      post({ kind: 'error', id, error: errorMessage(error) });
    }
    if (method === 'close') port.close();
  });
}

function errorMessage(error: unknown): ErrorMessage {
  const rejected = error instanceof SendRejected ? error : null;
  return {
    name: error instanceof Error ? error.name : 'Error',
    message: describe(error),
    operator: error instanceof OperatorError,
    refusal: error instanceof NetworkRefused ? error.kind : null,
    transactionError: (rejected?.transactionError ?? null) as ErrorMessage['transactionError'],
    logs: rejected?.logs ?? [],
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  run(port, workerData as WorkerData).catch((error) => {
    const refused: FromWorker = { kind: 'refused', error: errorMessage(error) };
    port.postMessage(refused);
    port.close();
  });
}
