import { once } from 'node:events';
import { WebSocket } from 'ws';
import { parseJson } from '../../chain/json-rpc/json.ts';

export interface Notification {
  readonly method: string;
  readonly params: { readonly subscription: number; readonly result: unknown };
}
interface SubscriptionAnswer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** One connection. Notifications are kept in order until the test reads them. */
export class SubscriptionClient {
  readonly socket: WebSocket;
  readonly #notifications: Notification[] = [];
  readonly #answers = new Map<number, (answer: SubscriptionAnswer) => void>();
  #waiting: (() => void) | null = null;
  /** Different from the ids that tests send themselves. */
  #nextId = 1_000_000_000;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => {
      const message = parseJson(data.toString()) as SubscriptionAnswer & Notification;
      if (message.id !== undefined) this.#answers.get(message.id)?.(message);
      else this.#notifications.push(message);
      this.#waiting?.();
    });
  }

  static async connect(url: string): Promise<SubscriptionClient> {
    const socket = new WebSocket(url);
    const client = new SubscriptionClient(socket);
    await once(socket, 'open');
    return client;
  }

  ask(method: string, ...params: unknown[]): Promise<SubscriptionAnswer> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      this.#answers.set(id, resolve);
      this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  async subscribe(method: string, ...params: unknown[]): Promise<number> {
    const { result, error } = await this.ask(method, ...params);
    if (typeof result !== 'number') throw new Error(`${method}: ${error?.message}`);
    return result;
  }

  /** Returns the next notification. */
  async next(): Promise<Notification> {
    while (this.#notifications.length === 0) {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
    return this.#notifications.shift() as Notification;
  }

  /** Whether no notification is left after all pending messages of the server have arrived. */
  async isQuiet(): Promise<boolean> {
    await this.ask('getVersion');
    return this.#notifications.length === 0;
  }
}
