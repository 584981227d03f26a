import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { NO_FAULTS } from '../src/chain/embedded/blocks/faults.ts';
import { computeBlockhashSlots, startTestChain } from '../src/testing/chain/embedded-chain.ts';
import type { EmbeddedChain } from '../src/chain/embedded/network.ts';
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
import type { Keypair } from '../src/solana/keypair.ts';
import { addSignatures, parseTransaction } from '../src/solana/messages/transaction.ts';
import type { ExecutionResult } from '../src/swaps/orders/execution-result.ts';
import { type ExecuteResponse, toExecuteResponse } from '../src/products/swap/endpoints/execute.ts';
import { toOrderResponse, type OrderResponse } from '../src/products/swap/endpoints/order.ts';
import { orderSwap } from '../src/products/swap/order/order.ts';
import { executeUnrefused } from '../src/testing/genesis-market/swap.ts';
import { parseOrderRequest } from '../src/products/swap/endpoints/order-parameters.ts';
import type { Query } from '../src/products/parameters/parameter.ts';
import { composeTestSwap } from '../src/testing/genesis-market/compose.ts';
import type { ComposedSwap } from '../src/products/swap/order/swap-services.ts';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import { TokenLedgers } from '../src/market/aggregator/token-ledgers.ts';
import { TokenAccountMints } from '../src/transactions/token-account-mints.ts';
import { now } from '../src/testing/waits.ts';

let chain: EmbeddedChain;
let composed: ComposedSwap;
let wallet: Keypair;
beforeAll(setUp);
afterEach(() => chain.setFaults(NO_FAULTS));
afterAll(() => chain?.close());

describe('order and execute over the embedded network', () => {
  it('swap what was quoted, and cost what was said', async () => {
    const before = await lamports();
    const quoted = await order();
    expect(await execute(quoted)).toMatchObject({
      status: 'Success',
      code: 0,
      totalInputAmount: '1000000000',
      inputAmountResult: '1000000000',
      totalOutputAmount: quoted.outAmount,
      outputAmountResult: quoted.outAmount,
    });
    expect(before - (await lamports())).toBe(
      1_000_000_000n + BigInt(quoted.signatureFeeLamports + quoted.prioritizationFeeLamports),
    );
  });

  it('land through a network that loses, delays and lags', async () => {
    await chain.setFaults({ ...NO_FAULTS, drop: 0.6, delaySlots: 10, reorderSlots: 10, staleReads: 5 });
    expect(await execute(await order())).toMatchObject({ status: 'Success', code: 0 });
  });

  it('pay the fee of congestion that was set just before', async () => {
    const price = 25_000n;
    await chain.setFaults({ ...NO_FAULTS, congestion: price });
    const quoted = await order();
    expect(quoted.prioritizationFeeLamports).toBeGreaterThan(0);
    expect(await execute(quoted)).toMatchObject({ status: 'Success', code: 0 });
  });

  it('report that a swap did not land when its blockhash has expired and it has not', async () => {
    const before = await lamports();
    await chain.setFaults({ ...NO_FAULTS, drop: 1 });
    const lost = await order();
    const send = vi.spyOn(chain, 'send');
    const running = resultOf(lost);
    await vi.waitFor(() => expect(send).toHaveBeenCalled());
    await chain.warp({ slots: computeBlockhashSlots(SLOT_MS) + 50 });
    const result = await running;
    expect(toExecuteResponse(result)).toMatchObject({
      status: 'Failed',
      code: -1000,
      signature: expect.any(String),
    });
    await chain.setFaults(NO_FAULTS);
    expect(await resultOf(lost)).toBe(result);
    expect(await lamports()).toBe(before);
  });

  it('report a swap that fails on chain by the name of its error', async () => {
    const tight = await order({ ...QUERY, slippageBps: '0' });
    expect(await execute(await order({ ...QUERY, amount: '50000000000' }))).toMatchObject({ code: 0 });
    expect(await execute(tight)).toMatchObject({
      status: 'Failed',
      code: 6001,
      error: expect.stringMatching(/^SlippageToleranceExceeded/),
      slot: expect.stringMatching(/^\d+$/),
      totalOutputAmount: '0',
    });
  });
});

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const QUERY = { inputMint: SOL, outputMint: USDC, amount: '1000000000' };
const SLOT_MS = 100;

async function setUp(): Promise<void> {
  const genesis = buildGenesis(DEFAULT_SEED);
  const standIns = await readStandIns(genesis.programs, new URL('../programs/dist/', import.meta.url));
  chain = await startTestChain({
    seed: DEFAULT_SEED,
    genesis: () => genesis.accounts,
    overlay: overlayAccounts(standIns, { accounts: [], programs: [] }),
    faucet: genesis.keys.faucet,
    slotMs: SLOT_MS,
  });
  const tables = genesis.lookupTables.map(({ address }) => address);
  const pools = await Pools.open(chain, VENUES);
  const build = {
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
  };
  composed = composeTestSwap(build, {
    venueLabels: {},
    timers: SYSTEM_TIMERS,
    newRequestId: randomUUID,
    onDefect: (where, error) => {
      throw new Error(`${where}: ${String(error)}`);
    },
  });
  const [first] = genesis.keys.demoWallets;
  if (first === undefined) throw new Error('the genesis has no demo wallet');
  wallet = first;
}

async function order(query: Query = QUERY): Promise<OrderResponse> {
  const request = parseOrderRequest({ taker: wallet.address, ...query }, []);
  return toOrderResponse(
    composed.prices,
    await orderSwap(composed, request, {
      requestId: composed.newRequestId(),
      caller: { kind: 'organisation', id: 'test' },
    }),
  );
}

async function execute(given: OrderResponse): Promise<ExecuteResponse> {
  return toExecuteResponse(await resultOf(given));
}

function resultOf({ transaction, requestId }: OrderResponse): Promise<ExecutionResult> {
  const unsigned = parseTransaction(Buffer.from(transaction ?? '', 'base64'));
  const signedTransaction = Buffer.from(addSignatures(unsigned, [wallet])).toString('base64');
  return executeUnrefused(composed, { signedTransaction, requestId });
}

async function lamports(): Promise<bigint> {
  const [found] = await chain.getAccounts([wallet.address]);
  return found?.account?.lamports ?? 0n;
}
