import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { EmbeddedChain } from '../src/chain/embedded/network.ts';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import { TokenLedgers } from '../src/market/aggregator/token-ledgers.ts';
import type { PoolHandle } from '../src/market/pools/liquidity.ts';
import { LookupTableIndex } from '../src/market/pools/lookup-tables.ts';
import { Pools } from '../src/market/pools/pools.ts';
import { PoolPrices } from '../src/market/prices/pool-prices.ts';
import { joinProgramErrorNames } from '../src/market/program-errors.ts';
import { toExecuteResponse } from '../src/products/swap/endpoints/execute.ts';
import { parseOrderRequest } from '../src/products/swap/endpoints/order-parameters.ts';
import { type OrderResponse, toOrderResponse } from '../src/products/swap/endpoints/order.ts';
import { orderSwap } from '../src/products/swap/order/order.ts';
import type { ComposedSwap } from '../src/products/swap/order/swap-services.ts';
import { DEFAULT_SEED } from '../src/protocol/genesis/keys.ts';
import { getProgramAuthority } from '../src/protocol/venue/aggregator-program.ts';
import { meteoraDammV2 } from '../src/protocols/meteora-damm-v2/venue.ts';
import { type DbcPoolKeys, deriveDbcPoolKeys } from '../src/protocols/meteora-dbc/program/addresses.ts';
import type { DbcConfigParameters } from '../src/protocols/meteora-dbc/program/config-parameters.ts';
import {
  createDbcConfig,
  initializeDbcPool,
} from '../src/protocols/meteora-dbc/program/instructions-launch.ts';
import { migrateDbcToDammV2 } from '../src/protocols/meteora-dbc/program/instructions-migration.ts';
import { DBC_MIGRATION_CONFIGS } from '../src/protocols/meteora-dbc/program/program.ts';
import { meteoraDbc } from '../src/protocols/meteora-dbc/venue.ts';
import { PROTOCOLS } from '../src/protocols/index.ts';
import { VENUES } from '../src/protocols/venues.ts';
import { buildGenesis } from '../src/sandbox/genesis/build-genesis.ts';
import { overlayAccounts, readStandIns } from '../src/sandbox/genesis/network-accounts.ts';
import type { Address } from '../src/solana/address.ts';
import { createKeypairFromSeed, type Keypair } from '../src/solana/keypair.ts';
import { compileMessage } from '../src/solana/messages/compile-message.ts';
import type { Instruction } from '../src/solana/messages/instruction.ts';
import {
  addSignatures,
  getTransactionSignature,
  parseTransaction,
  signTransaction,
} from '../src/solana/messages/transaction.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../src/solana/program-addresses.ts';
import { setComputeUnitLimit } from '../src/solana/programs/compute-budget.ts';
import { U64_MAX } from '../src/solana/units.ts';
import { startTestChain } from '../src/testing/chain/embedded-chain.ts';
import { composeTestSwap } from '../src/testing/genesis-market/compose.ts';
import { executeUnrefused } from '../src/testing/genesis-market/swap.ts';
import { createDbcTestParameters } from '../src/testing/protocols/meteora-dbc.ts';
import { now } from '../src/testing/waits.ts';
import { submitAndConfirm } from '../src/transactions/submit/submit-and-confirm.ts';
import { TokenAccountMints } from '../src/transactions/token-account-mints.ts';
import { createFailureDescriber } from '../src/transactions/transaction-failure.ts';

let chain: EmbeddedChain;
let pools: Pools;
let composed: ComposedSwap;
let wallet: Keypair;
beforeAll(setUp);
afterAll(() => {
  pools?.close();
  return chain?.close();
});

describe('a token that is launched while Sluice runs', () => {
  it('is swapped from its launch to its migration and beyond, always as quoted', async () => {
    const keys = await launch(1);
    await swapAsQuoted(WRAPPED_SOL_MINT, keys.baseMint, 1_000_000_000n, meteoraDbc.label);
    const bought = await swapAsQuoted(WRAPPED_SOL_MINT, keys.baseMint, 500_000_000n, meteoraDbc.label);
    await swapAsQuoted(keys.baseMint, WRAPPED_SOL_MINT, bought, meteoraDbc.label);
    await swapAsQuoted(
      WRAPPED_SOL_MINT,
      keys.baseMint,
      findLargestPurchase(find(keys.pool)),
      meteoraDbc.label,
    );
    await vi.waitFor(() => expect(pools.find(keys.pool)).toBeNull());
    await expect(order(WRAPPED_SOL_MINT, keys.baseMint, 1_000_000n)).rejects.toThrow();
    await migrate(keys);
    await vi.waitFor(() => expect(pools.between(keys.baseMint, WRAPPED_SOL_MINT)).toHaveLength(1));
    expect(pools.find(keys.pool)).toBeNull();
    const more = await swapAsQuoted(WRAPPED_SOL_MINT, keys.baseMint, 100_000_000n, meteoraDammV2.label);
    await swapAsQuoted(keys.baseMint, WRAPPED_SOL_MINT, more, meteoraDammV2.label);
  });

  it('is swapped while a rate limiter makes large purchases dear', async () => {
    const parameters = createDbcTestParameters();
    const baseFee = {
      ...parameters.poolFees.baseFee,
      baseFeeMode: 2,
      firstFactor: 100,
      secondFactor: 100_000n,
      thirdFactor: 10_000_000n,
    };
    const keys = await launch(2, { poolFees: { ...parameters.poolFees, baseFee } });
    await swapAsQuoted(WRAPPED_SOL_MINT, keys.baseMint, 5_000_000n, meteoraDbc.label);
    const bought = await swapAsQuoted(WRAPPED_SOL_MINT, keys.baseMint, 300_000_000n, meteoraDbc.label);
    await swapAsQuoted(keys.baseMint, WRAPPED_SOL_MINT, bought, meteoraDbc.label);
  });
});

const SLOT_MS = 100;
const UNITS = 1_000_000;

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
  pools = await Pools.open(chain, VENUES);
  const build = {
    chain,
    pools,
    prices: new PoolPrices(pools),
    lookupTables: await LookupTableIndex.open(
      chain,
      genesis.lookupTables.map(({ address }) => address),
    ),
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

/** Creates a configuration and a pool, and waits until the pool is listed. */
async function launch(number: number, changes: Partial<DbcConfigParameters> = {}): Promise<DbcPoolKeys> {
  const [config, mint] = [keypair(number, 1), keypair(number, 2)];
  const keys = deriveDbcPoolKeys({
    config: config.address,
    baseMint: mint.address,
    quoteMint: WRAPPED_SOL_MINT,
    tokenBaseProgram: TOKEN_PROGRAM,
    tokenQuoteProgram: TOKEN_PROGRAM,
  });
  const parties = {
    config: config.address,
    feeClaimer: wallet.address,
    leftoverReceiver: wallet.address,
    quoteMint: WRAPPED_SOL_MINT,
    payer: wallet.address,
  };
  await send([createDbcConfig(parties, createDbcTestParameters(changes))], [config]);
  const names = { name: 'Launch', symbol: 'LAUNCH', uri: 'https://tokens.example/launch.json' };
  await send([initializeDbcPool(keys, { creator: wallet.address, payer: wallet.address }, names)], [mint]);
  await vi.waitFor(() => expect(pools.find(keys.pool)).not.toBeNull());
  return keys;
}

async function migrate(keys: DbcPoolKeys): Promise<void> {
  const position = keypair(1, 3);
  const parties = {
    payer: wallet.address,
    dammConfig: DBC_MIGRATION_CONFIGS[2] as Address,
    firstPositionMint: position.address,
    secondPositionMint: null,
  };
  await send([migrateDbcToDammV2(keys, parties)], [position]);
}

function keypair(number: number, kind: number): Keypair {
  return createKeypairFromSeed(new Uint8Array(32).fill(16 * number + kind));
}

async function send(instructions: readonly Instruction[], signers: readonly Keypair[]): Promise<void> {
  const { bytes, lastValidBlockHeight } = chain.recentBlockhash();
  const message = compileMessage({
    feePayer: wallet.address,
    blockhash: bytes,
    instructions: [setComputeUnitLimit(UNITS), ...instructions],
  });
  const wire = signTransaction(message, [wallet, ...signers]);
  const signature = getTransactionSignature(parseTransaction(wire));
  const outcome = await submitAndConfirm(chain, SYSTEM_TIMERS, { wire, signature, lastValidBlockHeight });
  expect(outcome).toMatchObject({ kind: 'landed', status: { error: null } });
}

function find(pool: Address): PoolHandle {
  const handle = pools.find(pool);
  if (handle === null) throw new Error(`there is no pool ${pool}`);
  return handle;
}

/** Returns the largest purchase that the curve takes, which completes it. */
function findLargestPurchase({ venue, pool }: PoolHandle): bigint {
  let [taken, refused] = [0n, U64_MAX];
  while (refused - taken > 1n) {
    const middle = (taken + refused) / 2n;
    if (venue.quoteExactIn(pool, WRAPPED_SOL_MINT, middle, chain.clock()) === null) refused = middle;
    else taken = middle;
  }
  return taken;
}

async function order(inputMint: Address, outputMint: Address, amount: bigint): Promise<OrderResponse> {
  const query = { taker: wallet.address, inputMint, outputMint, amount: amount.toString() };
  return toOrderResponse(
    composed.prices,
    await orderSwap(composed, parseOrderRequest(query, []), {
      requestId: composed.newRequestId(),
      caller: { kind: 'organisation', id: 'test' },
    }),
  );
}

/** Orders and executes a swap over one venue. Returns what it paid. */
async function swapAsQuoted(
  inputMint: Address,
  outputMint: Address,
  amount: bigint,
  label: string,
): Promise<bigint> {
  const quoted = await order(inputMint, outputMint, amount);
  expect(quoted.routePlan.map(({ swapInfo }) => swapInfo.label)).toEqual([label]);
  const unsigned = parseTransaction(Buffer.from(quoted.transaction ?? '', 'base64'));
  const signedTransaction = Buffer.from(addSignatures(unsigned, [wallet])).toString('base64');
  const { requestId } = quoted;
  const result = toExecuteResponse(await executeUnrefused(composed, { signedTransaction, requestId }));
  expect(result).toMatchObject({
    status: 'Success',
    totalInputAmount: amount.toString(),
    totalOutputAmount: quoted.outAmount,
  });
  return BigInt(quoted.outAmount);
}
