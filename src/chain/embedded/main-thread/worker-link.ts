import { Worker } from 'node:worker_threads';
import { OperatorError } from '../../../common/operator-error.ts';
import { createWorkerArguments } from '../../../common/worker-entry.ts';
import { ChainUnavailable, SendRejected } from '../../chain.ts';
import { NetworkRefused } from '../ledger/bank.ts';
import type { ErrorMessage, FromWorker, WorkerData } from '../worker/protocol.ts';
import type { createNetworkControls } from '../worker/network-controls.ts';
import type { NetworkCalls } from '../worker/worker.ts';

/** The maximum number of calls that wait for an answer. */
const MAX_CALLS = 10_000;
const CALL_TIMEOUT_MS = 30_000;
const FILES = { from: import.meta.url, source: '../worker/worker.ts', bundled: './worker.js' };

type WorkerReady = Extract<FromWorker, { kind: 'ready' }>;
type PushedMessage = Exclude<FromWorker, { kind: 'ready' | 'refused' | 'result' | 'error' }>;

interface PendingCall {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timeout: NodeJS.Timeout;
}

/** The methods of `T` as the main thread calls them. */
type Remote<T> = {
  [M in keyof T]: T[M] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

/** The controls of the network as the main thread calls them. */
export type RemoteControls = Remote<ReturnType<typeof createNetworkControls>>;

/** The main thread's side of the connection to the network's thread. */
export class WorkerLink {
  readonly #worker: Worker;
  readonly #calls = new Map<number, PendingCall>();
  #nextId = 0;
  /** Why the thread has ended, or null. */
  #ended: string | null = null;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /**
   * Starts the thread and waits until the network runs. `onPushed` is called with each message after that.
   *
   * @throws OperatorError when the data, the accounts or the ports cannot be used.
   */
  static async start(
    data: WorkerData,
    onPushed: (message: PushedMessage) => void,
  ): Promise<{ link: WorkerLink; ready: WorkerReady }> {
    const worker = new Worker(...createWorkerArguments(FILES, data));
    const link = new WorkerLink(worker);
    const ready = await new Promise<WorkerReady>((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'ready') resolve(message);
        else if (message.kind === 'refused') reject(toWorkerError(message.error));
        else if (message.kind === 'result' || message.kind === 'error') link.#answer(message);
        else onPushed(message);
      });
      const end = (reason: string) => {
        link.#end(reason);
        reject(new ChainUnavailable(reason));
      };
      worker.on('error', (error) => end(`the network's thread failed: ${error.message}`));
      worker.on('exit', (code) => end(`the network's thread ended with code ${code}`));
    });
    return { link, ready };
  }

  /** Why the thread has ended. Null while it runs. */
  get ended(): string | null {
    return this.#ended;
  }

  /** Makes a call. Rejects with the error of the call, or with `ChainUnavailable` when the thread does not answer. */
  call<M extends keyof NetworkCalls>(
    method: M,
    ...args: Parameters<NetworkCalls[M]>
  ): Promise<Awaited<ReturnType<NetworkCalls[M]>>> {
    return this.#send(method, args) as Promise<Awaited<ReturnType<NetworkCalls[M]>>>;
  }

  #send(method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#ended !== null) return Promise.reject(new ChainUnavailable(this.#ended));
    if (this.#calls.size >= MAX_CALLS) {
      return Promise.reject(
        new ChainUnavailable(`${MAX_CALLS} calls to the network wait for an answer already`),
      );
    }
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const timeout = setTimeout(() => this.#timeOut(id, method), CALL_TIMEOUT_MS);
      this.#calls.set(id, { resolve, reject, timeout });
      this.#worker.postMessage({ id, method, args });
    });
  }

  /** Returns a function for each control that the thread has named, which calls it there. */
  createControls({ controls }: WorkerReady): RemoteControls {
    return Object.fromEntries(
      controls.map((name) => [name, (...args: unknown[]) => this.#send(name, args)]),
    ) as unknown as RemoteControls;
  }

  /** Lets the network write its last data, and waits for the end of the thread. */
  async close(): Promise<void> {
    if (this.#ended !== null) return;
    const exited = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()));
    try {
      await this.call('close');
    } finally {
      await exited;
    }
  }

  #answer(message: Extract<FromWorker, { kind: 'result' | 'error' }>): void {
    const call = this.#take(message.id);
    if (call === null) return;
    if (message.kind === 'result') call.resolve(message.result);
    else call.reject(toWorkerError(message.error));
  }

  #timeOut(id: number, method: string): void {
    this.#take(id)?.reject(
      new ChainUnavailable(`the network did not answer ${method} within ${CALL_TIMEOUT_MS / 1000} seconds`),
    );
  }

  #take(id: number): PendingCall | null {
    const call = this.#calls.get(id);
    if (call === undefined) return null;
    this.#calls.delete(id);
    clearTimeout(call.timeout);
    return call;
  }

  #end(reason: string): void {
    this.#ended ??= reason;
    for (const id of [...this.#calls.keys()]) this.#take(id)?.reject(new ChainUnavailable(reason));
  }
}

function toWorkerError({ name, message, operator, refusal, transactionError, logs }: ErrorMessage): Error {
  if (operator) return new OperatorError(message);
  if (name === 'SendRejected') return new SendRejected(message, transactionError, logs);
  if (refusal === 'request') return new NetworkRefused('request', message);
  if (refusal === 'gone') return new ChainUnavailable(message);
  return new Error(`${name} in the network's thread: ${message}`);
}
