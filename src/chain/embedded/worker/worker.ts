import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type ListenOptions, listenError } from '../../../common/listen-error.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { SendRejected } from '../../chain.ts';
import type { Bank } from '../ledger/bank.ts';
import { bankCalls, latestBlockhash, networkStatus, usableBlockhashes } from './bank-service.ts';
import { openBank } from '../bank/open-bank.ts';
import type { ErrorMessage, FromWorker, Request, WorkerData } from './protocol.ts';
import { type RpcServer, startRpcServer } from '../rpc/server.ts';
import { driveSlots, SYSTEM_TIMER } from '../slots/slot-timer.ts';
import { Watches } from './watches.ts';

/** How long changes of watched accounts wait for others to go with them. */
const BATCH_MS = 5;

/** Runs the network in this thread: the bank, its clock, the JSON-RPC servers, and the main thread's calls. */
async function run(port: MessagePort, data: WorkerData): Promise<void> {
  const post = (message: FromWorker) => port.postMessage(message);
  const onDefect = (where: string, error: unknown) =>
    post({ kind: 'defect', where, message: describe(error) });
  const bank = await openBank({ ...data, now: Date.now, onDefect });
  const rpc = await startRpc(bank, data, post);
  const watches = new Watches();
  const stopPushing = pushChanges(bank, watches, post);
  const stopSlots = driveSlots(bank, data.slotMs, SYSTEM_TIMER);
  const close = async () => {
    stopSlots();
    await rpc.close();
    await bank.close();
    stopPushing();
  };
  serveCalls(port, post, { ...bankCalls(bank, watches), close });
  post({
    kind: 'ready',
    genesisHash: bank.genesisHash,
    rpcUrl: rpc.httpUrl,
    wsUrl: rpc.webSocketUrl,
    status: networkStatus(bank),
    blockhashes: usableBlockhashes(bank),
  });
}

async function startRpc(
  bank: Bank,
  data: WorkerData,
  post: (message: FromWorker) => void,
): Promise<RpcServer> {
  try {
    return await startRpcServer(bank, {
      host: data.host,
      httpPort: data.rpcPort,
      webSocketPort: data.wsPort,
      onDefect: (error, method) => post({ kind: 'defect', where: method, message: describe(error) }),
    });
  } catch (error) {
    await bank.close();
    const told = listenError(error, triedToListen(error, data));
    throw told instanceof OperatorError
      ? told
      : new OperatorError(`the network's Solana RPC cannot be served: ${describe(error)}`);
  }
}

/** Node's error names the port that could not be had. */
function triedToListen(error: unknown, { host, rpcPort, wsPort }: WorkerData): ListenOptions {
  const port = error instanceof Error && 'port' in error ? error.port : undefined;
  return port === wsPort
    ? { host, port: wsPort, setting: 'ws-port' }
    : { host, port: rpcPort, setting: 'rpc-port' };
}

/** Tells the main thread of every slot and, in batches, of every change of what it watches. */
function pushChanges(bank: Bank, watches: Watches, post: (message: FromWorker) => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    for (const batch of watches.take()) post(batch);
  };
  const stop = bank.subscribe((event) => {
    if (event.kind === 'transaction' || event.kind === 'accounts') {
      if (watches.add(event.changes)) timer ??= setTimeout(flush, BATCH_MS);
    } else if (event.kind === 'slot') {
      flush();
      post({ kind: 'status', status: networkStatus(bank), prices: bank.slotPrices(event.parent) });
    } else if (event.kind === 'commitment' && event.commitment === 'confirmed') {
      post({ kind: 'blockhash', blockhash: latestBlockhash(bank), status: networkStatus(bank) });
    }
  });
  return () => {
    stop();
    flush();
  };
}

function serveCalls(
  port: MessagePort,
  post: (message: FromWorker) => void,
  // The main thread's side of the protocol types its arguments; both sides are of one program.
  calls: Record<Request['method'], (...args: never[]) => unknown>,
): void {
  port.on('message', async ({ id, method, args }: Request) => {
    try {
      const result = await calls[method](...(args as never[]));
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
