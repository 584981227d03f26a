import { ApiError } from '../../../api/call.ts';
import type { DecodedTransaction } from '../../../api/decoded-transaction.ts';
import type { FaucetGift } from '../../../api/network.ts';
import { toExactJson } from '../../../base/exact-json.ts';
import type { ApiRequest } from '../../../openapi/request/api-request.ts';
import type { WalletBalances } from '../../../wallet/balances.ts';
import type { ThrowawayKey } from '../../../wallet/key-store.ts';
import { checkExecution, checkOrder, type ExecuteAnswer, type OrderAnswer } from './swap-answers.ts';
import { SOL_MINT, type USDC_MINT } from '../../../base/mints.ts';

/** The mint of one of the two tokens. */
export type SwapMint = typeof SOL_MINT | typeof USDC_MINT;

/** A swap of an exact amount. */
export interface SwapIntent {
  readonly inputMint: SwapMint;
  readonly outputMint: SwapMint;
  /** In smallest units. */
  readonly amount: bigint;
}

export const STEP_IDS = ['wallet', 'faucet', 'order', 'decode', 'sign', 'execute', 'balances'] as const;
export type StepId = (typeof STEP_IDS)[number];

/** A request that a step has sent, and its answer; undefined while there is none. */
export interface StepExchange {
  readonly request: ApiRequest;
  readonly answer: unknown;
}

export interface StepState {
  readonly id: StepId;
  /** `skipped`: nothing had to be done. */
  readonly progress: 'waiting' | 'running' | 'done' | 'skipped' | 'failed';
  readonly exchange: StepExchange | null;
  /** Why it failed; null otherwise. */
  readonly error: unknown;
}

/** What the steps have found so far. */
export interface SwapFindings {
  readonly key: ThrowawayKey | null;
  readonly order: OrderAnswer | null;
  readonly decoded: DecodedTransaction | null;
  readonly signed: string | null;
  readonly execution: ExecuteAnswer | null;
  readonly before: WalletBalances | null;
  readonly after: WalletBalances | null;
}

export interface SwapRunState {
  readonly intent: SwapIntent | null;
  readonly steps: readonly StepState[];
  readonly found: SwapFindings;
  readonly isRunning: boolean;
}

/** What a run needs of the browser and of the instance. */
export interface SwapRunServices {
  /** Returns the key of this browser, and makes it if there is none. */
  readonly getKey: () => Promise<ThrowawayKey>;
  readonly sign: (key: ThrowawayKey, transaction: string) => Promise<string>;
  /** Sends a request to the page's own origin. @throws ApiError if it is refused */
  readonly send: (request: ApiRequest) => Promise<unknown>;
  readonly fetchBalances: (address: string) => Promise<WalletBalances>;
  readonly origin: string;
}

/** What a swap may cost beside its amount: fees, and the rent of a token account. */
const SPARE_LAMPORTS = 50_000_000n;

const NOTHING: SwapFindings = {
  key: null,
  order: null,
  decoded: null,
  signed: null,
  execution: null,
  before: null,
  after: null,
};

const BEGINNING: SwapRunState = {
  intent: null,
  steps: STEP_IDS.map(toWaitingStep),
  found: NOTHING,
  isRunning: false,
};

/**
 * A swap step by step, each of which can be looked at, and repeated when it failed. It is no part of a component, so that it
 * goes on, and is still there, when the reader looks at another page.
 */
export class SwapRun {
  #services: SwapRunServices | null = null;
  #state: SwapRunState = BEGINNING;
  readonly #listeners = new Set<() => void>();

  readonly getState = (): SwapRunState => this.#state;

  /** Calls back at every change, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Runs all steps. Resolves when the last one is done, or one has failed; a second start meanwhile does nothing. */
  async start(intent: SwapIntent, services: SwapRunServices): Promise<void> {
    if (this.#state.isRunning) return;
    this.#services = services;
    this.#change({ ...BEGINNING, intent });
    await this.#runFrom('wallet');
  }

  /** Runs the steps again from one of them. */
  async repeatFrom(id: StepId): Promise<void> {
    if (this.#state.isRunning) return;
    // Reading is the one step without which the others have gone on. An order is not executed twice.
    if (id === 'decode' && this.#state.found.execution !== null) {
      this.#changeStep(id, toWaitingStep(id));
      await this.#runStep(id);
      return;
    }
    const first = STEP_IDS.indexOf(id);
    this.#change({
      steps: this.#state.steps.map((step, index) => (index < first ? step : toWaitingStep(step.id))),
    });
    await this.#runFrom(id);
  }

  /** Shows the beginning again. */
  readonly clear = (): void => {
    if (!this.#state.isRunning) this.#change(BEGINNING);
  };

  async #runFrom(id: StepId): Promise<void> {
    this.#change({ isRunning: true });
    try {
      for (const next of STEP_IDS.slice(STEP_IDS.indexOf(id))) {
        if (!(await this.#runStep(next))) return;
      }
    } finally {
      this.#change({ isRunning: false });
    }
  }

  /** Returns whether the steps after it can be taken. */
  async #runStep(id: StepId): Promise<boolean> {
    this.#changeStep(id, { progress: 'running' });
    try {
      const isNeeded = await this.#steps[id]();
      this.#changeStep(id, { progress: isNeeded ? 'done' : 'skipped' });
      return true;
    } catch (error) {
      this.#changeStep(id, { progress: 'failed', error });
      // A transaction that cannot be read out can be signed all the same.
      return id === 'decode';
    }
  }

  /** Each returns whether there was something to do. */
  readonly #steps: Readonly<Record<StepId, () => Promise<boolean>>> = {
    wallet: async () => {
      this.#find({ key: await this.#ready.getKey() });
      return true;
    },
    faucet: async () => {
      const { address } = this.#key;
      const hasEnough = holdsEnough(await this.#ready.fetchBalances(address), this.#intent);
      if (!hasEnough) {
        await this.#send<FaucetGift>('faucet', this.#toPost('/portal/data/faucet', { address }));
      }
      this.#find({ before: await this.#ready.fetchBalances(address) });
      return !hasEnough;
    },
    order: async () => {
      const { inputMint, outputMint, amount } = this.#intent;
      const query = { inputMint, outputMint, amount: amount.toString(), taker: this.#key.address };
      const order = checkOrder(await this.#send('order', toOrderRequest(this.#ready.origin, query)));
      this.#find({ order });
      return true;
    },
    decode: async () => {
      const { transaction } = this.#order;
      const request = this.#toPost('/portal/data/decode', { transaction: transaction ?? '' });
      this.#find({ decoded: await this.#send<DecodedTransaction>('decode', request) });
      return true;
    },
    sign: async () => {
      this.#find({ signed: await this.#ready.sign(this.#key, this.#order.transaction ?? '') });
      return true;
    },
    execute: async () => {
      const body = { signedTransaction: this.#state.found.signed ?? '', requestId: this.#order.requestId };
      const execution = checkExecution(await this.#send('execute', this.#toPost('/swap/v2/execute', body)));
      if (execution.status !== 'Success')
        throw new Error(`The swap failed: ${execution.error ?? `code ${execution.code}`}.`);
      this.#find({ execution });
      return true;
    },
    balances: async () => {
      this.#find({ after: await this.#ready.fetchBalances(this.#key.address) });
      return true;
    },
  };

  #toPost(path: string, body: Readonly<Record<string, string>>): ApiRequest {
    return {
      method: 'POST',
      origin: this.#ready.origin,
      path,
      query: [],
      headers: [{ name: 'content-type', value: 'application/json' }],
      body: { kind: 'json', value: toExactJson(body) },
    };
  }

  /** Sends a request, which is shown at the step with its answer or its refusal. */
  async #send<Answer>(id: StepId, request: ApiRequest): Promise<Answer> {
    this.#changeStep(id, { exchange: { request, answer: undefined } });
    try {
      const answer = await this.#ready.send(request);
      this.#changeStep(id, { exchange: { request, answer } });
      return answer as Answer;
    } catch (error) {
      if (error instanceof ApiError) this.#changeStep(id, { exchange: { request, answer: error.body } });
      throw error;
    }
  }

  get #ready(): SwapRunServices {
    return require(this.#services);
  }

  get #intent(): SwapIntent {
    return require(this.#state.intent);
  }

  get #key(): ThrowawayKey {
    return require(this.#state.found.key);
  }

  get #order(): OrderAnswer {
    return require(this.#state.found.order);
  }

  #find(found: Partial<SwapFindings>): void {
    this.#change({ found: { ...this.#state.found, ...found } });
  }

  #changeStep(id: StepId, change: Partial<StepState>): void {
    this.#change({
      steps: this.#state.steps.map((step) => (step.id === id ? { ...step, ...change } : step)),
    });
  }

  #change(change: Partial<SwapRunState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** Returns the request for an order with a query. */
export function toOrderRequest(origin: string, query: Readonly<Record<string, string>>): ApiRequest {
  return {
    method: 'GET',
    origin,
    path: '/swap/v2/order',
    query: Object.entries(query).map(([name, value]) => ({ name, value })),
    headers: [],
    body: null,
  };
}

/** Returns from which step a run can go on after a step has failed. */
export function findStepToRepeat(failed: StepId, error: unknown): StepId {
  // Whether an execution that was not answered went through is unknown: the same request finds out. A refused one needs a
  // new order, because each order is executed once.
  return failed === 'execute' && !(error instanceof TypeError) ? 'order' : failed;
}

function toWaitingStep(id: StepId): StepState {
  return { id, progress: 'waiting', exchange: null, error: null };
}

function holdsEnough({ lamports, tokens }: WalletBalances, { inputMint, amount }: SwapIntent): boolean {
  if (inputMint === SOL_MINT) return lamports >= amount + SPARE_LAMPORTS;
  return lamports >= SPARE_LAMPORTS && (tokens.get(inputMint) ?? 0n) >= amount;
}

function require<Value>(value: Value | null): Value {
  if (value === null) throw new Error('The step before this one has not been done.');
  return value;
}
