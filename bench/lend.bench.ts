import { randomBytes } from 'node:crypto';
import { Connection, PublicKey } from '@solana/web3.js';
import { buildGenesis, GENESIS_TIME } from '../src/sandbox/genesis/build-genesis.ts';
import { overlayAccounts, readStandIns } from '../src/sandbox/genesis/network-accounts.ts';
import { startTestChain } from '../src/testing/chain/embedded-chain.ts';
import type { EmbeddedChain } from '../src/chain/embedded/network.ts';
import type { AddressedAccount } from '../src/chain/records/records.ts';
import { AccountLedger } from '../src/protocol/genesis/account-ledger.ts';
import { DEFAULT_SEED, deriveGenesisKeys } from '../src/protocol/genesis/keys.ts';
import { getGenesisToken } from '../src/solana/known-tokens.ts';
import { LendingBook } from '../src/protocols/jupiter-lend/genesis/book.ts';
import { addLending } from '../src/protocols/jupiter-lend/genesis/genesis.ts';
import { setUpEarn } from '../src/protocols/jupiter-lend/genesis/setup.ts';
import { VAULTS_PROGRAM } from '../src/protocols/jupiter-lend/lending-base/programs.ts';
import { PLANNED_VAULTS } from '../src/protocols/jupiter-lend/vaults/genesis/plan.ts';
import { setUpVaults } from '../src/protocols/jupiter-lend/vaults/genesis/setup.ts';
import { VaultBook } from '../src/protocols/jupiter-lend/vaults/genesis/vault-book.ts';
import { addVaults } from '../src/protocols/jupiter-lend/vaults/genesis/write-vaults.ts';
import { POSITION } from '../src/protocols/jupiter-lend/vaults/state/layouts.ts';
import { NO_TICK } from '../src/protocols/jupiter-lend/vaults/state/limits.ts';
import { Pools } from '../src/market/pools/pools.ts';
import { computeStakePoolApr } from '../src/protocols/spl-stake-pool/stake-pool-yields.ts';
import { PoolPrices } from '../src/market/prices/pool-prices.ts';
import { VENUES } from '../src/protocols/venues.ts';
import { BorrowAccounts } from '../src/lend/borrow/borrow-accounts.ts';
import { VaultMarkets } from '../src/lend/borrow/markets.ts';
import { openEarn } from '../src/products/lend/earn/earn.ts';
import { lend } from '../src/products/lend/index.ts';
import { type Address, toAddress } from '../src/solana/address.ts';
import { TOKEN_PROGRAM } from '../src/solana/program-addresses.ts';
import {
  decodePriceFeed,
  encodePriceFeed,
  PRICE_FEED_LENGTH,
  PRICE_FEED_PROGRAM,
} from '../src/solana/programs/price-feed/feed.ts';
import { openTestStore } from '../src/testing/store/test-store.ts';
import { latencyRow, quantileOf } from './latency.ts';
import { HttpLoad } from './http-load.ts';
import { openKeyedGateway } from './keyed-gateway.ts';
import type { Row } from './row.ts';

export const title = 'Lend';

const VAULTS = 80;
const POSITIONS = 100_000;
/** The positions of the wallet that is requested. */
const OWN_POSITIONS = 10;
const REQUESTS = 1_500;
const WARM_UP = 300;
const SDK_OPERATIONS = 20;

/** Lending over HTTP, on an embedded network with 80 vaults and 100,000 positions. */
export async function run(): Promise<readonly Row[]> {
  const keys = deriveGenesisKeys(DEFAULT_SEED);
  const owner = keys.demoWallets[3]?.address ?? keys.lender.address;
  const wallet = keys.demoWallets[0]?.address ?? owner;
  const chain = await startNetwork(owner);
  const failed = (where: string, error: unknown): never => {
    throw new Error(`${where}: ${String(error)}`);
  };
  const pools = await Pools.open(chain, VENUES);
  const accounts = await BorrowAccounts.open(chain, failed);
  const prices = new PoolPrices(pools);
  const stakingAprOf = (mint: Address) => computeStakePoolApr(pools, mint);
  const borrow = { chain, prices, stakingAprOf, accounts, markets: new VaultMarkets([]) };
  const { store, cleanUp } = await openTestStore('sqlite');
  const earn = await openEarn({
    chain,
    prices,
    stakingAprOf,
    store,
    ownHistoryFrom: () => chain.historyFrom(),
    onDefect: failed,
  });
  const server = await serve({ borrow, earn: earn.services });
  try {
    return [
      ...(await borrowRows(server, chain.rpcUrl, { owner, wallet })),
      ...(await earnRows(server, wallet)),
    ];
  } finally {
    await server.close();
    await earn.close();
    accounts.close();
    pools.close();
    await chain.close();
    await cleanUp();
  }
}

type Server = Awaited<ReturnType<typeof serve>>;

async function borrowRows(
  server: Server,
  rpcUrl: string,
  { owner, wallet }: { readonly owner: Address; readonly wallet: Address },
): Promise<readonly Row[]> {
  const at = (path: string) => `/lend/v1/borrow/${path}`;
  const vaults = await measured(
    server,
    () => ({ target: at('vaults') }),
    (body) => JSON.parse(body).length === VAULTS,
  );
  const positions = await measured(
    server,
    () => ({ target: at(`positions?users=${owner}`) }),
    (body) => JSON.parse(body).length === OWN_POSITIONS,
  );
  const operation = { signer: wallet, vaultId: 1, positionId: 2, colAmount: '0' };
  const operate = await measured(
    server,
    (index) => ({ target: at('operate'), body: { ...operation, debtAmount: String(1_000_000 + index) } }),
    (body) => JSON.parse(body).nftId === 2,
  );
  const bySdk = await sdkOperations(rpcUrl, wallet);
  const ratio = quantileOf(bySdk, 0.5) / quantileOf(operate, 0.5);
  return [
    latencyRow(`\`vaults\` of ${VAULTS} vaults`, vaults, 1, 4),
    medianRow(`\`positions\` of ${OWN_POSITIONS} among ${POSITIONS.toLocaleString('en')}`, positions, 3),
    latencyRow('`operate`', operate, 4, 12),
    {
      what: '`operate`, against the public SDK over the same RPC',
      measured: `${ratio.toFixed(0)} times as fast`,
      against: `${quantileOf(bySdk, 0.5).toFixed(1)} ms`,
      atLeast: '20 times',
      ok: ratio >= 20,
    },
  ];
}

/** Measures the earn endpoints, for which no figure is demanded. */
async function earnRows(server: Server, wallet: Address): Promise<readonly Row[]> {
  const at = (path: string) => `/lend/v1/earn/${path}`;
  const isList = (body: string) => Array.isArray(JSON.parse(body));
  const tokens = await measured(server, () => ({ target: at('tokens') }), isList);
  const positions = await measured(server, () => ({ target: at(`positions?users=${wallet}`) }), isList);
  const asset = getGenesisToken('USDC').mint;
  const deposit = await measured(
    server,
    (index) => ({ target: at('deposit'), body: { asset, signer: wallet, amount: String(1_000 + index) } }),
    (body) => typeof JSON.parse(body).transaction === 'string',
  );
  return [
    plainRow('earn `tokens`', tokens),
    plainRow('earn `positions` of a wallet', positions),
    plainRow('earn `deposit`', deposit),
  ];
}

function plainRow(what: string, times: readonly number[]): Row {
  const [p50, p99] = [quantileOf(times, 0.5), quantileOf(times, 0.99)];
  return { what: `${what}: p50 / p99`, measured: `${p50.toFixed(2)} ms / ${p99.toFixed(2)} ms` };
}

function medianRow(what: string, times: readonly number[], most: number): Row {
  const median = quantileOf(times, 0.5);
  const measured = `${median.toFixed(2)} ms`;
  return { what: `${what}: p50`, measured, atLeast: `at most ${most} ms`, ok: median <= most };
}

/** A request: a GET, or a POST with a body. */
interface Asked {
  readonly target: string;
  readonly body?: object;
}

/** Returns the milliseconds of each request after the warm-up, ascending. */
async function measured(
  server: Server,
  ask: (index: number) => Asked,
  isRight: (body: string) => boolean,
): Promise<readonly number[]> {
  const first = await server.request(ask(0));
  if (!isRight(first)) throw new Error(`unexpected answer: ${first.slice(0, 300)}`);
  await server.load(Array.from({ length: WARM_UP }, (_, index) => ask(index)));
  return server.load(Array.from({ length: REQUESTS }, (_, index) => ask(WARM_UP + index)));
}

async function sdkOperations(rpcUrl: string, wallet: Address): Promise<number[]> {
  const sdk = await import('@jup-ag/lend/borrow' as string);
  const { default: BN } = await import('bn.js' as string);
  const connection = new Connection(rpcUrl, 'processed');
  const times: number[] = [];
  for (let at = 0; at < SDK_OPERATIONS; at++) {
    const from = performance.now();
    await sdk.getOperateIx({
      vaultId: 1,
      positionId: 2,
      colAmount: new BN(0),
      debtAmount: new BN(1_000_000 + at),
      connection,
      signer: new PublicKey(wallet),
    });
    times.push(performance.now() - from);
  }
  return times.sort((one, other) => one - other);
}

async function startNetwork(owner: Address): Promise<EmbeddedChain> {
  const genesis = buildGenesis(DEFAULT_SEED);
  const standIns = await readStandIns(genesis.programs, new URL('../programs/dist/', import.meta.url));
  const byAddress = new Map<Address, AddressedAccount>();
  const fresh = genesis.accounts.map(withFreshPrice);
  for (const each of [...fresh, ...moreVaults(), ...morePositions(owner)]) {
    byAddress.set(each.address, each);
  }
  return startTestChain({
    seed: DEFAULT_SEED,
    genesis: () => [...byAddress.values()],
    overlay: overlayAccounts(standIns, { accounts: [], programs: [] }),
    faucet: genesis.keys.faucet,
    slotMs: 400,
  });
}

/** No process updates the feeds here, so they are given the current time. */
function withFreshPrice({ address, account }: AddressedAccount): AddressedAccount {
  if (account.owner !== PRICE_FEED_PROGRAM || account.data.length !== PRICE_FEED_LENGTH) {
    return { address, account };
  }
  const publishTime = BigInt(Math.floor(Date.now() / 1_000));
  const data = encodePriceFeed({ ...decodePriceFeed(account.data), publishTime });
  return { address, account: { ...account, data } };
}

/** The lending accounts of the genesis with more vaults over the same pairs. */
function moreVaults(): readonly AddressedAccount[] {
  const keys = deriveGenesisKeys(DEFAULT_SEED);
  const ledger = new AccountLedger();
  const lending = new LendingBook();
  setUpEarn(lending, keys, GENESIS_TIME);
  const plans = Array.from({ length: VAULTS }, (_, at) => PLANNED_VAULTS[at % PLANNED_VAULTS.length]);
  const vaults = new VaultBook(lending, keys.lendingAuthority.address);
  setUpVaults(
    vaults,
    lending,
    keys,
    GENESIS_TIME,
    plans.flatMap((plan) => plan ?? []),
  );
  addLending(ledger, keys, lending);
  addVaults(ledger, keys.lendingAuthority.address, vaults.vaults());
  return ledger.accounts();
}

/** Positions of other wallets, and ten of the wallet that is requested. Readers do not depend on their addresses. */
function morePositions(owner: Address): readonly AddressedAccount[] {
  const ledger = new AccountLedger();
  const any = () => toAddress(randomBytes(32));
  const program = any();
  for (let at = 0; at < POSITIONS; at++) {
    const positionMint = any();
    const data = POSITION.encode({
      vaultId: 1 + (at % VAULTS),
      nftId: 1_000 + at,
      positionMint,
      isSupplyOnly: true,
      tick: NO_TICK,
      tickId: 0,
      supplyAmount: 10n ** 9n,
      dustDebtAmount: 0n,
    });
    ledger.addData(any(), VAULTS_PROGRAM, data);
    const mint = { mint: positionMint, tokenProgram: TOKEN_PROGRAM, accountExtensions: [] };
    ledger.addTokens(any(), mint, { owner: at < OWN_POSITIONS ? owner : program, amount: 1n });
  }
  return ledger.accounts();
}

async function serve(services: Parameters<typeof lend.run>[0]['services']) {
  const gateway = await openKeyedGateway([lend.run({ services })]);
  const { key, url, port } = gateway;
  const load = new HttpLoad();
  return {
    request: async ({ target, body }: Asked): Promise<string> => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const options =
        body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
      return await (await fetch(`${url}${target}`, options)).text();
    },
    /** Sends the requests one after another from another process, whose time does not count. */
    load: async (asked: readonly Asked[]): Promise<readonly number[]> => {
      const requests = asked.map((each) => wholeRequest(each, key));
      return (await load.send({ port, connections: 1, requests, success: ' 200 ' })).latencies;
    },
    close: async () => {
      load.close();
      await gateway.close();
    },
  };
}

function wholeRequest({ target, body }: Asked, key: string): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const head = [
    `${body === undefined ? 'GET' : 'POST'} ${target} HTTP/1.1`,
    'host: bench',
    `x-api-key: ${key}`,
    ...(body === undefined
      ? []
      : ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`]),
  ];
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}
