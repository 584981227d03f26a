import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestSwap, type TestSwap } from './genesis-market/swap.ts';
import { ChainUnavailable } from '../src/chain/chain.ts';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import type { Address } from '../src/solana/address.ts';
import type { Keypair } from '../src/solana/keypair.ts';
import { associatedTokenAddress } from '../src/solana/pda.ts';
import { TOKEN_PROGRAM } from '../src/solana/program-addresses.ts';
import { encodeTokenAccount } from '../src/solana/programs/token/account.ts';
import { sharedRuns } from '../src/store/shared/runs.ts';
import type { Valkey } from '../src/store/shared/valkey.ts';
import { openTestValkey, TEST_VALKEY_URL } from '../src/store/shared/valkey-for-tests.ts';
import { executeSwap } from '../src/products/swap/execution/execute.ts';
import type { ExecuteResponse } from '../src/products/swap/execution/execute-schema.ts';
import type { OrderResponse } from '../src/products/swap/endpoints/order-schema.ts';
import { SHARED_ORDERS, type StoredOrder } from '../src/products/swap/execution/stored-order.ts';
import { SharedStore } from '../src/transactions/prepared/shared-store.ts';
import type { SwapParts } from '../src/products/swap/order/swap-parts.ts';
import { TOKEN_ACCOUNT_RENT } from '../src/products/swap/build/token-flow.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
const USDT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB' as Address;
const HELD = 1_000_000_000n;

let swap: TestSwap;
let taker: Keypair;
/** How often the budget was spent. */
let spent: number;

beforeEach(async () => {
  spent = 0;
  const budget = {
    refusal: async () => null,
    spend: async () => {
      spent++;
      return null;
    },
    giveBack: () => {},
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
});

function hold(mint: Address, amount: bigint): void {
  const data = encodeTokenAccount({
    mint,
    owner: taker.address,
    amount,
    delegate: null,
    state: 'initialized',
    nativeReserve: null,
    delegatedAmount: 0n,
    closeAuthority: null,
    extensions: [],
  });
  swap.market.network.setAccount(associatedTokenAddress(taker.address, mint, TOKEN_PROGRAM), {
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

describe('a sponsored swap whose end was not told', () => {
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
});

describe('a sponsored order that nobody remembers', () => {
  it('is found on the chain by the signature that the sponsor gave, which is told in no other case', async () => {
    const order = await newOrder();
    const request = { signedTransaction: swap.sign(order, [taker]), requestId: 'forgotten' };
    await expect(executeSwap(swap.parts, request)).rejects.toThrow(/^there is no order "forgotten": /);
    const { signature, slot } = await swap.execute(order, [taker]);
    expect(await executeSwap(swap.parts, request)).toEqual({ status: 'Success', code: 0, signature, slot });
    expectOnce();
    const unsigned = { signedTransaction: order.transaction ?? '', requestId: 'forgotten' };
    await expect(executeSwap(swap.parts, unsigned)).rejects.toThrow(/^there is no order "forgotten": /);
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
  const opened: Valkey[] = [];

  beforeEach(async () => {
    ({ valkey, namespace } = await openTestValkey());
    opened.push(valkey);
  });
  afterEach(() => {
    for (const each of opened.splice(0)) each.close();
  });

  /** An instance whose leases run out at once, so that another one takes over. */
  async function openInstance(name: string): Promise<SwapParts> {
    const { valkey: own } = await openTestValkey(TEST_VALKEY_URL ?? '', namespace);
    opened.push(own);
    const orders = new SharedStore<StoredOrder, ExecuteResponse>({
      what: 'swaps',
      answers: { write: JSON.stringify, read: JSON.parse },
      runs: sharedRuns(own, { ...SHARED_ORDERS, leaseMs: 50 }),
      capacity: 10,
      timers: SYSTEM_TIMERS,
      newHolder: () => `${name} ${Math.random()}`,
      onDefect: (error) => {
        throw error;
      },
    });
    return { ...swap.parts, orders };
  }

  const execute = (at: SwapParts, order: OrderResponse) =>
    executeSwap(at, { signedTransaction: swap.sign(order, [taker]), requestId: order.requestId });

  it.each([
    ['after it has landed', true],
    ['before it was sent', false],
  ])('that another one was killed over %s, finds or lands it, at one price', async (_when, isSent) => {
    const [one, other] = [await openInstance('one'), await openInstance('other')];
    const order = await newOrder();
    const stored = await swap.parts.orders.get(order.requestId);
    if (stored === null) throw new Error('there is no order');
    await one.orders.put(stored);
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
    const answer = await execute(other, order);
    expect(answer).toMatchObject(made(order));
    expectOnce();
    expect(await execute(other, order)).toEqual(answer);
  });

  it('and others that ask at the same time land it once, and give one answer', async () => {
    const instances = await Promise.all(['one', 'two', 'three'].map(openInstance));
    const order = await newOrder();
    const stored = await swap.parts.orders.get(order.requestId);
    if (stored === null) throw new Error('there is no order');
    await instances[0]?.orders.put(stored);
    const asked = [...instances, ...instances].map((at) => execute(at, order));
    const answers = await Promise.all(asked);
    expect(answers[0]).toMatchObject(made(order));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expectOnce();
  });
});
