import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { executeUnrefused, openTestSwap, type TestSwap } from '../src/testing/genesis-market/swap.ts';
import { replaced } from '../src/testing/replaced.ts';
import { type Chain, ChainUnavailable, SendRejected, type Simulation } from '../src/chain/chain.ts';
import { Unavailable } from '../src/common/unavailable.ts';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import type { Address } from '../src/solana/address.ts';
import type { Keypair } from '../src/solana/keypair.ts';
import { deriveAssociatedTokenAddress } from '../src/solana/pda.ts';
import { TOKEN_PROGRAM } from '../src/solana/program-addresses.ts';
import { ordinaryTokenAccount } from '../src/testing/token-account.ts';
import { createSharedExecutionStore } from '../src/store/shared/execution-store.ts';
import type { Valkey } from '../src/store/shared/valkey.ts';
import { endLease, openTestValkey, TEST_VALKEY_URL } from '../src/testing/store/test-valkey.ts';
import { executeSwap } from '../src/products/swap/execution/execute.ts';
import { toExecuteResponse } from '../src/products/swap/endpoints/execute.ts';
import type { ExecutionResult } from '../src/swaps/orders/execution-result.ts';
import { readResult, writeResult } from '../src/swaps/orders/stored-result.ts';
import type { OrderResponse } from '../src/products/swap/endpoints/order.ts';
import { SHARED_ORDERS, type StoredOrder } from '../src/swaps/orders/stored-order.ts';
import { SharedPreparedStore } from '../src/transactions/prepared/shared-prepared-store.ts';
import type { ComposedSwap } from '../src/products/swap/order/swap-services.ts';
import { TOKEN_ACCOUNT_RENT } from '../src/transactions/build/closings.ts';

let swap: TestSwap;
let taker: Keypair;
/** How often the budget was spent. */
let spent: number;
/** How often the budget had something given back. */
let givenBack: number;
beforeEach(setUp);

describe('a sponsored swap whose result was not recorded', () => {
  it('is found when it is asked for again, and is not paid for twice', async () => {
    const order = await newOrder();
    const silence = silenceAfterSend();
    expect(await swap.execute(order, [taker])).toMatchObject({ status: 'Failed', code: -1001 });
    silence.end();
    expect(await swap.execute(order, [taker])).toMatchObject(made(order));
    expectOnce();
  });

  it('is neither refused nor paid for again while only a node answers that does not have it yet', async () => {
    const order = await newOrder();
    const { chain } = swap.market;
    const silence = silenceAfterSend();
    expect(await swap.execute(order, [taker])).toMatchObject({ code: -1001 });
    silence.end();
    // The node that is asked next has neither the transaction nor its blockhash.
    const statuses = chain.signatureStatuses.bind(chain);
    let unknown = 2;
    chain.signatureStatuses = (asked) =>
      unknown-- > 0 ? Promise.resolve(asked.map(() => null)) : statuses(asked);
    chain.simulate = async () => ({
      slot: 1n,
      feePayer: null,
      error: 'BlockhashNotFound',
      logs: [],
      unitsConsumed: 0n,
      returnData: null,
      accounts: [],
    });
    expect(await swap.execute(order, [taker])).toMatchObject(made(order));
    expectOnce();
  });

  it('is asked for again when the network does not say whether it was made', async () => {
    const order = await newOrder();
    swap.market.chain.signatureStatuses = () => Promise.reject(new ChainUnavailable('silence'));
    await expect(swap.execute(order, [taker])).rejects.toThrow(ChainUnavailable);
    expect(spent).toBe(0);
    expect(swap.market.chain.sent).toBe(0);
  });

  /** From the next sending on, the chain says nothing, though it takes the transaction. */
  function silenceAfterSend(): { readonly end: () => void } {
    const { chain } = swap.market;
    const send = chain.send.bind(chain);
    let isSilent = false;
    const statuses = chain.signatureStatuses.bind(chain);
    chain.signatureStatuses = (signatures) =>
      isSilent ? Promise.reject(new ChainUnavailable('silence')) : statuses(signatures);
    chain.send = async (wire) => {
      const signature = await send(wire);
      isSilent = true;
      return signature;
    };
    return {
      end: () => {
        isSilent = false;
      },
    };
  }
});

describe('a sponsored order that is no longer stored', () => {
  it('is found on the chain by the sponsor’s signature, which is disclosed in no other case', async () => {
    const order = await newOrder();
    const request = { signedTransaction: swap.sign(order, [taker]), requestId: 'forgotten' };
    expect(await executeSwap(swap.composed, request)).toMatchObject(UNKNOWN_ORDER);
    const { signature, slot } = await swap.execute(order, [taker]);
    expect(toExecuteResponse(await executeUnrefused(swap.composed, request))).toEqual({
      status: 'Success',
      code: 0,
      signature,
      slot,
    });
    expectOnce();
    const unsigned = { signedTransaction: order.transaction ?? '', requestId: 'forgotten' };
    expect(await executeSwap(swap.composed, unsigned)).toMatchObject(UNKNOWN_ORDER);
  });
});

describe('a transaction that the network calls processed already', () => {
  it('is asked for, not refused', async () => {
    const order = await newOrder();
    const { chain } = swap.market;
    chain.simulate = async () => {
      // Somebody else has sent it just now.
      return {
        slot: 1n,
        feePayer: null,
        error: 'AlreadyProcessed',
        logs: [],
        unitsConsumed: 0n,
        returnData: null,
        accounts: [],
      };
    };
    expect(await swap.execute(order, [taker])).toMatchObject(made(order));
    expect(swap.holding(taker.address, USDC)).toBe(HELD - 250_000_000n);
  });
});

describe.runIf(TEST_VALKEY_URL !== null)('an instance that takes over a sponsored swap', () => {
  let valkey: Valkey;
  let namespace: string;
  beforeEach(async () => {
    ({ valkey, namespace } = await openTestValkey());
    opened.push(valkey);
  });
  afterEach(() => {
    for (const each of opened.splice(0)) each.close();
  });

  it.each([
    ['after it has landed', true],
    ['before it was sent', false],
  ])('that another one was killed over %s, finds or lands it, at one price', async (_when, isSent) => {
    const [one, other] = [await openInstance('one'), await openInstance('other')];
    const order = await newOrder();
    await share(one, order);
    const { chain } = swap.market;
    let sending = () => {};
    const killed = new Promise<void>((resolve) => {
      sending = resolve;
    });
    const send = chain.send.bind(chain);
    chain.send = async (wire) => {
      if (isSent) await send(wire);
      sending();
      return new Promise<never>(() => {});
    };
    void execute(one, order);
    await killed;
    chain.send = send;
    await expire(order);
    const answer = await execute(other, order);
    expect(answer).toMatchObject(made(order));
    expectOnce();
    expect(await execute(other, order)).toEqual(answer);
  });

  it('that a killed one has sent does not call it refused by the word of a node that lags behind', async () => {
    const [one, other] = [await openInstance('one'), await openInstance('other')];
    const order = await newOrder();
    await share(one, order);
    const { chain } = swap.market;
    const send = chain.send.bind(chain);
    const statuses = chain.signatureStatuses.bind(chain);
    let refusals = 0;
    const killed = new Promise<void>((resolve) => {
      chain.send = async (wire) => {
        await send(wire);
        resolve();
        return new Promise<never>(() => {});
      };
    });
    void execute(one, order);
    await killed;
    await expire(order);
    // The node has neither the transaction nor its blockhash.
    chain.send = () => {
      refusals++;
      return Promise.reject(new SendRejected('Blockhash not found', 'BlockhashNotFound'));
    };
    chain.signatureStatuses = (asked) =>
      refusals < 4 ? Promise.resolve(asked.map(() => null)) : statuses(asked);
    expect(await execute(other, order)).toMatchObject(made(order));
    expectOnce();
  });

  /** The instance with a chain whose simulations go through `change`. */
  function withSimulations(
    instance: ComposedSwap,
    change: (simulation: Simulation) => Promise<Simulation>,
  ): ComposedSwap {
    const { chain } = instance;
    const simulate: Chain['simulate'] = async (...args) => change(await chain.simulate(...args));
    return { ...instance, chain: replaced(chain, { simulate }) };
  }

  /** The instance, stopped as soon as it has simulated a transaction. */
  function stopAfterSimulation(instance: ComposedSwap) {
    let resume = () => {};
    const resumed = new Promise<void>((resolve) => {
      resume = resolve;
    });
    let stop = () => {};
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    const stopping = withSimulations(instance, async (simulation) => {
      stop();
      await resumed;
      return simulation;
    });
    return { instance: stopping, stopped, resume };
  }

  it.each(['the sponsor', 'a payer'])(
    'that %s pays for refuses it, and the stopped instance does not land it behind its back',
    async (who) => {
      const wallet = swap.newWallet(1_000_000_000n);
      const isSponsored = who === 'the sponsor';
      const signers = isSponsored ? [taker] : [taker, wallet];
      const wanted = { inputMint: USDC, outputMint: USDT, amount: '250000000', taker: taker.address };
      const newOrder = () => swap.order(isSponsored ? wanted : { ...wanted, payer: wallet.address });
      const { instance: one, stopped, resume } = stopAfterSimulation(await openInstance('one'));
      const other = await openInstance('other');
      const order = await newOrder();
      await share(one, order);
      const first = execute(one, order, signers);
      first.catch(() => {});
      await stopped;
      await expire(order);
      // At the other instance the order looks dearer by now.
      const refusing = withSimulations(other, async (simulation) => ({
        ...simulation,
        feePayer: { before: 2_000_000_000n, after: 0n },
      }));
      expect(await execute(refusing, order, signers)).toMatchObject({ status: 'Failed', code: -1002 });
      // So the client takes a new one.
      const next = await newOrder();
      await share(other, next);
      expect(await execute(other, next, signers)).toMatchObject(made(next));
      resume();
      await expect(first).rejects.toThrow(Unavailable);
      expect(swap.holding(taker.address, USDC)).toBe(HELD - 250_000_000n);
      expect(spent).toBe(isSponsored ? 2 : 0);
      expect(givenBack).toBe(isSponsored ? 2 : 0);
      // The stopped instance does not hold up the taker's further swaps.
      const last = await newOrder();
      await share(one, last);
      expect(await execute(one, last, signers)).toMatchObject(made(last));
    },
  );

  it('and others that ask at the same time land it once, and give one answer', async () => {
    const instances = await Promise.all(['one', 'two', 'three'].map(openInstance));
    const order = await newOrder();
    for (const at of instances) await share(at, order);
    const asked = [...instances, ...instances].map((at) => execute(at, order));
    const answers = await Promise.all(asked);
    expect(answers[0]).toMatchObject(made(order));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expectOnce();
  });

  const opened: Valkey[] = [];

  async function openInstance(name: string): Promise<ComposedSwap> {
    const { valkey: own } = await openTestValkey(TEST_VALKEY_URL ?? '', namespace);
    opened.push(own);
    const orders = new SharedPreparedStore<StoredOrder, ExecutionResult>({
      what: 'swaps',
      answers: { write: writeResult, read: readResult },
      executions: createSharedExecutionStore(own, SHARED_ORDERS),
      capacity: 10,
      height: () => swap.composed.chain.blockHeight('confirmed'),
      timers: SYSTEM_TIMERS,
      newHolder: () => `${name} ${Math.random()}`,
      onDefect: (error) => {
        throw error;
      },
    });
    return { ...swap.composed, orders };
  }

  const expire = ({ requestId }: OrderResponse) => endLease(valkey, `${SHARED_ORDERS.kind}:${requestId}`);

  /** Stores the order where all instances find it. */
  async function share(at: ComposedSwap, { requestId }: OrderResponse): Promise<void> {
    const stored = await swap.composed.orders.get(requestId);
    if (stored === null) throw new Error('there is no order');
    await at.orders.put(stored);
  }

  const execute = async (at: ComposedSwap, order: OrderResponse, signers = [taker]) => {
    const signedTransaction = swap.sign(order, signers);
    return toExecuteResponse(await executeUnrefused(at, { signedTransaction, requestId: order.requestId }));
  };
});

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
const USDT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB' as Address;
const HELD = 1_000_000_000n;
const UNKNOWN_ORDER = { kind: 'refused', reason: expect.stringMatching(/^there is no order "forgotten": /) };

async function setUp(): Promise<void> {
  spent = 0;
  givenBack = 0;
  const budget = {
    refusal: async () => null,
    spend: async () => {
      spent++;
      return null;
    },
    giveBack: () => {
      givenBack++;
    },
  };
  swap = await openTestSwap({
    sponsor: ({ genesis }) => ({
      keypair: genesis.keys.sponsor,
      budget,
      leastDollars: 10,
      feeMints: new Set([USDC]),
    }),
  });
  taker = swap.newWallet(0n);
  hold(USDC, HELD);
}

function hold(mint: Address, amount: bigint): void {
  const data = ordinaryTokenAccount({ mint, owner: taker.address, amount });
  swap.market.network.setAccount(deriveAssociatedTokenAddress(taker.address, mint, TOKEN_PROGRAM), {
    lamports: TOKEN_ACCOUNT_RENT,
    owner: TOKEN_PROGRAM,
    data,
    executable: false,
    rentEpoch: 0n,
  });
}

async function newOrder(): Promise<OrderResponse> {
  const wanted = { inputMint: USDC, outputMint: USDT, amount: '250000000', taker: taker.address };
  const order = await swap.order(wanted);
  expect(order).toMatchObject({ gasless: true });
  return order;
}

const made = (order: OrderResponse) => ({
  status: 'Success',
  code: 0,
  totalOutputAmount: order.outAmount,
});

/** The swap was made once, and paid for once. */
function expectOnce(): void {
  expect(swap.holding(taker.address, USDC)).toBe(HELD - 250_000_000n);
  expect(spent).toBe(1);
}
