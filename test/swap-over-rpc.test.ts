import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Chain, ChainUnavailable } from '../src/chain/chain.ts';
import { computeBlockhashSlots, startTestChain } from '../src/testing/chain/embedded-chain.ts';
import type { EmbeddedChain } from '../src/chain/embedded/network.ts';
import { openRpcChain } from '../src/chain/rpc/rpc-chain.ts';
import { buildGenesis } from '../src/sandbox/genesis/build-genesis.ts';
import { DEFAULT_SEED } from '../src/protocol/genesis/keys.ts';
import { overlayAccounts, readStandIns } from '../src/sandbox/genesis/network-accounts.ts';
import { getProgramAuthority } from '../src/protocol/venue/aggregator-program.ts';
import { LookupTableIndex } from '../src/market/pools/lookup-tables.ts';
import { Pools } from '../src/market/pools/pools.ts';
import { PoolPrices } from '../src/market/prices/pool-prices.ts';
import { joinProgramErrorNames } from '../src/market/program-errors.ts';
import { createFailureDescriber } from '../src/transactions/transaction-failure.ts';
import { PROTOCOLS } from '../src/protocols/index.ts';
import { VENUES } from '../src/protocols/venues.ts';
import type { Address } from '../src/solana/address.ts';
import { compileMessage } from '../src/solana/messages/compile-message.ts';
import { setComputeUnitLimit } from '../src/solana/programs/compute-budget.ts';
import type { Keypair } from '../src/solana/keypair.ts';
import { addSignatures, parseTransaction, signTransaction } from '../src/solana/messages/transaction.ts';
import { buildSwap } from '../src/swaps/build/build.ts';
import { parseBuildRequest } from '../src/products/swap/endpoints/build.ts';
import { toExecuteResponse } from '../src/products/swap/endpoints/execute.ts';
import { toOrderResponse, type OrderResponse } from '../src/products/swap/endpoints/order.ts';
import { orderSwap } from '../src/products/swap/order/order.ts';
import { executeUnrefused } from '../src/testing/genesis-market/swap.ts';
import { parseOrderRequest } from '../src/products/swap/endpoints/order-parameters.ts';
import { composeTestSwap } from '../src/testing/genesis-market/compose.ts';
import type { ComposedSwap } from '../src/products/swap/order/swap-services.ts';
import { TokenLedgers } from '../src/market/aggregator/token-ledgers.ts';
import { TokenAccountMints } from '../src/transactions/token-account-mints.ts';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import { RpcProxy } from './rpc-proxy.ts';
import { LeapingTimers } from '../src/testing/timers.ts';
import { now } from '../src/testing/waits.ts';

let network: EmbeddedChain;
let proxy: RpcProxy;
let chain: Chain;
let timers: LeapingTimers;
let pools: Pools;
let composed: ComposedSwap;
let wallet: Keypair;
let tables: Address[];
beforeAll(setUp);
afterAll(tearDown);

describe('swaps over an outside RPC', () => {
  it('are built, signed, sent and landed', async () => {
    const built = await build();
    const steps = [...built.computeBudget, ...built.setup, built.swap];
    const message = compileMessage({
      feePayer: wallet.address,
      blockhash: built.blockhash.bytes,
      instructions: [
        setComputeUnitLimit(600_000),
        ...steps,
        ...(built.cleanup === null ? [] : [built.cleanup]),
      ],
      lookupTables: built.lookupTables,
    });
    const wire = signTransaction(message, [wallet]);
    expect((await chain.simulate(wire, { verifySignatures: true })).error).toBeNull();
    const signature = await chain.send(wire, { skipPreflight: false });
    const landed = await vi.waitFor(async () => {
      const found = await chain.transaction(signature);
      if (found === null) throw new Error('not confirmed yet');
      return found;
    }, WAIT);
    expect(landed.error).toBeNull();
    expect(landed.postTokenBalances.length).toBeGreaterThan(0);
    expect(landed.calls.length).toBeGreaterThan(0);
    expect(landed).toEqual(await network.transaction(signature));
  });

  it('are ordered and executed, and pay what was quoted', async () => {
    const quoted = await order();
    expect(await execute(quoted)).toMatchObject({
      status: 'Success',
      code: 0,
      totalInputAmount: '1000000000',
      inputAmountResult: '1000000000',
      totalOutputAmount: quoted.outAmount,
      outputAmountResult: quoted.outAmount,
    });
  });

  it('are quoted again when others have swapped', async () => {
    const before = await order();
    await network.send(signed(await order()), { skipPreflight: false });
    await vi.waitFor(async () => {
      expect(Number((await order()).outAmount)).toBeLessThan(Number(before.outAmount));
    }, WAIT);
  });

  it('are refused while the RPC is away, and the same order is executed when it is back', async () => {
    const waiting = await order();
    await proxy.kill();
    timers.leap(STALE_MS);
    await vi.waitFor(() => expect(chain.unhealthy()).toMatch(/has not answered for/), WAIT);
    for (const refused of [order(), build(), execute(waiting)]) {
      await expect(refused).rejects.toThrow(ChainUnavailable);
    }
    await proxy.restore();
    await healthy();
    expect(await execute(waiting)).toMatchObject({ status: 'Success', code: 0 });
    expect(await order()).not.toHaveProperty('errorCode');
  });

  it('land although the RPC goes away while they are under way', async () => {
    const quoted = await order();
    let sent = () => {};
    const sending = new Promise<void>((resolve) => {
      sent = resolve;
    });
    proxy.onCall = (method) => {
      if (method !== 'sendTransaction') return { kind: 'pass' };
      sent();
      return { kind: 'drop' };
    };
    const answer = execute(quoted);
    await sending;
    await proxy.kill();
    proxy.onCall = () => ({ kind: 'pass' });
    await proxy.restore();
    expect(await answer).toMatchObject({ status: 'Success', code: 0 });
  });
});

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const QUERY = { inputMint: SOL, outputMint: USDC, amount: '1000000000' };
const WAIT = { interval: 20 };
const STALE_MS = 30_000;
const SLOT_MS = 200;

async function setUp(): Promise<void> {
  const genesis = buildGenesis(DEFAULT_SEED);
  const standIns = await readStandIns(genesis.programs, new URL('../programs/dist/', import.meta.url));
  network = await startTestChain({
    seed: DEFAULT_SEED,
    genesis: () => genesis.accounts,
    overlay: overlayAccounts(standIns, { accounts: [], programs: [] }),
    faucet: genesis.keys.faucet,
    slotMs: SLOT_MS,
  });
  proxy = await RpcProxy.start(network);
  timers = new LeapingTimers();
  chain = await openRpcChain({
    url: new URL(proxy.rpcUrl),
    wsUrl: new URL(proxy.wsUrl),
    pollMs: 50,
    staleMs: STALE_MS,
    sweepMs: 60_000,
    maxSubscriptions: 1_000,
    blockhashSlots: computeBlockhashSlots(SLOT_MS),
    callsPerSecond: 10_000,
    transactionsPerSecond: 0,
    programAccounts: null,
    timers,
    random: Math.random,
    onNotice: () => {},
  });
  tables = genesis.lookupTables.map(({ address }) => address);
  pools = await Pools.open(chain, VENUES);
  composed = composeTestSwap(
    {
      chain,
      pools,
      prices: new PoolPrices(pools),
      lookupTables: await LookupTableIndex.open(chain, tables),
      tokenAccountMints: new TokenAccountMints(chain),
      tokenLedgers: new TokenLedgers(chain, now),
      variancePerSlot: () => 0,
      noteSlippage: () => {},
      describeFailure: createFailureDescriber(joinProgramErrorNames(PROTOCOLS)),
      pickTipAccount: () => getProgramAuthority(0),
    },
    {
      venueLabels: {},
      timers: SYSTEM_TIMERS,
      newRequestId: randomUUID,
      onDefect: (where, error) => {
        throw new Error(`${where}: ${String(error)}`);
      },
    },
  );
  const [first] = genesis.keys.demoWallets;
  if (first === undefined) throw new Error('the genesis has no demo wallet');
  wallet = first;
  await healthy();
}

async function tearDown(): Promise<void> {
  pools?.close();
  await chain?.close();
  await proxy?.close();
  await network?.close();
}

const healthy = () => vi.waitFor(() => expect(chain.unhealthy()).toBeNull(), WAIT);

async function order(): Promise<OrderResponse> {
  const request = parseOrderRequest({ taker: wallet.address, ...QUERY }, []);
  return toOrderResponse(
    composed.prices,
    await orderSwap(composed, request, {
      requestId: composed.newRequestId(),
      caller: { kind: 'organisation', id: 'test' },
    }),
  );
}

const build = () => buildSwap(composed, parseBuildRequest({ taker: wallet.address, ...QUERY }, []));

function signed({ transaction }: OrderResponse): Uint8Array {
  return addSignatures(parseTransaction(Buffer.from(transaction ?? '', 'base64')), [wallet]);
}

async function execute(given: OrderResponse) {
  const signedTransaction = Buffer.from(signed(given)).toString('base64');
  return toExecuteResponse(
    await executeUnrefused(composed, { signedTransaction, requestId: given.requestId }),
  );
}
