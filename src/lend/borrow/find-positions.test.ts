import { afterEach, describe, expect, it } from 'vitest';
import { writeTokenAccount } from '../../../programs/raydium-cpmm/tests/fixture.ts';
import { VAULT_ID, VaultWorld } from '../../../programs/vaults/tests/world.ts';
import { SvmChain } from '../../testing/svm/chain.ts';
import { yieldToOtherWork } from '../../testing/waits.ts';
import type { AccountView } from '../../chain/accounts.ts';
import { splitIntoPieces, createUnaccountedWork } from '../../common/work/work.ts';
import { type Chain, ChainUnavailable } from '../../chain/chain.ts';
import {
  CALLS_PER_VIEW,
  computeMaxCallsOfView,
  RpcAccountView,
} from '../../chain/rpc/accounts/account-view.ts';
import type { RpcClient } from '../../chain/rpc/client/rpc-client.ts';
import { VAULTS_PROGRAM } from '../../protocols/jupiter-lend/lending-base/programs.ts';
import {
  deriveVaultPositionAddress,
  deriveVaultPositionMintAddress,
} from '../../protocols/jupiter-lend/vaults/state/addresses.ts';
import { POSITION } from '../../protocols/jupiter-lend/vaults/state/layouts.ts';
import { NO_TICK } from '../../protocols/jupiter-lend/vaults/state/limits.ts';
import type { Address } from '../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { Pools } from '../../market/pools/pools.ts';
import { PoolPrices } from '../../market/prices/pool-prices.ts';
import { BorrowAccounts } from './borrow-accounts.ts';
import type { BorrowServices } from './borrow.ts';
import { findPositions, MAX_POSITIONS, MAX_TOKEN_ACCOUNTS } from './find-positions.ts';
import { type MarketName, VaultMarkets } from './markets.ts';
import { openForEach } from '../../testing/opened.ts';

let chain: SvmChain;
let services: BorrowServices;
let pools: Pools;
const world = openForEach(() => new VaultWorld());
afterEach(tearDown);

describe('findPositions', () => {
  it('lists a wallet with too many positions in pages, each position once, the newest first', async () => {
    const victim = world.user();
    const own = world.open(victim);
    spam(victim, own + 1, SPAM);
    await open();
    await expect(positionsOf(services, 'main', [victim], null)).rejects.toThrow(
      `the wallets hold ${SPAM + 1} positions in the market main, and an answer lists at most ${MAX_POSITIONS}`,
    );
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => positionsOf(services, 'main', [victim], page)),
    );
    expect(pages.map(({ length }) => length)).toEqual([MAX_POSITIONS, MAX_POSITIONS, 4, 0]);
    const ids = pages.flat().map(({ view }) => view.position.nftId);
    expect(ids).toEqual(Array.from({ length: SPAM + 1 }, (_, at) => own + SPAM - at));
    expect(ids.at(-1)).toBe(own);
  });

  it('counts the positions of all wallets of a request together', async () => {
    const wallets = [world.user(), world.user()];
    for (const [at, wallet] of wallets.entries()) spam(wallet, 1 + at * 400, 400);
    await open();
    const [one = world.admin] = wallets;
    expect(await positionsOf(services, 'main', [one], null)).toHaveLength(400);
    await expect(positionsOf(services, 'main', wallets, null)).rejects.toThrow('hold 800 positions');
    expect(await positionsOf(services, 'main', wallets, 1)).toHaveLength(MAX_POSITIONS);
    expect(await positionsOf(services, 'main', wallets, 2)).toHaveLength(800 - MAX_POSITIONS);
  });

  it('is the error of an RPC whose accounts cannot be decoded or are missing, and leaves out no position', async () => {
    const owner = world.user();
    spam(owner, 1, 1);
    const at = deriveVaultPositionAddress(VAULT_ID, 1).address;
    const data = world.network.account(at)?.data ?? new Uint8Array(0);
    const token = deriveAssociatedTokenAddress(
      owner,
      deriveVaultPositionMintAddress(VAULT_ID, 1).address,
      TOKEN_PROGRAM,
    );
    const tokenData = world.network.account(token)?.data.slice() ?? new Uint8Array(0);
    tokenData[TOKEN_STATE_AT] = 7;
    const owing = { ...POSITION.decode(data), isSupplyOnly: false, tick: 3, tickId: 1 };
    const faults: readonly (readonly [Address, Address, Uint8Array, string])[] = [
      [at, VAULTS_PROGRAM, Buffer.concat([data, new Uint8Array(8)]), `cannot be decoded: ${at}`],
      [at, VAULTS_PROGRAM, data.subarray(0, -1), `cannot be decoded: ${at}`],
      [at, VAULTS_PROGRAM, POSITION.encode(owing), 'on which position 1 of vault 1 depends is missing'],
      [token, TOKEN_PROGRAM, tokenData, `cannot be decoded: ${token}`],
    ];
    await open();
    expect(await positionsOf(services, 'main', [owner], null)).toHaveLength(1);
    for (const [address, program, faulty, reason] of faults) {
      const sound = world.network.account(address)?.data ?? new Uint8Array(0);
      world.network.setData(address, program, faulty);
      await reopen();
      const failed = await positionsOf(services, 'main', [owner], null).catch((error: unknown) => error);
      expect(failed, reason).toBeInstanceOf(ChainUnavailable);
      expect((failed as Error).message).toContain(reason);
      world.network.setData(address, program, sound);
    }
    await reopen();
    expect(await positionsOf(services, 'main', [owner], null)).toHaveLength(1);
  });

  it('refuses wallets with more token accounts than it searches', async () => {
    await open();
    const wallets = Array.from({ length: 50 }, () => world.network.newAddress());
    const few = crowded(MAX_TOKEN_ACCOUNTS / 50);
    expect(await positionsOf(few, 'main', wallets, null)).toEqual([]);
    const many = crowded(MAX_TOKEN_ACCOUNTS / 50 + 1);
    await expect(positionsOf(many, 'main', wallets, 1)).rejects.toThrow(
      `more than ${MAX_TOKEN_ACCOUNTS} token accounts`,
    );
  });

  it('reads as many wallets as a request may name over an outside RPC, and refuses more than its pace allows before the first call', async () => {
    await open();
    const wallets = Array.from({ length: 50 }, () => world.user());
    const fast = overRpc(400);
    expect(await positionsOf(fast.services, 'main', wallets, null)).toEqual([]);
    expect(fast.made.calls).toBe(100);
    const slow = overRpc(5);
    await expect(positionsOf(slow.services, 'main', wallets, null)).rejects.toThrow(
      '50 wallets take 100 calls to the RPC, and the operator allows 20 for one request: name at most 10 wallets',
    );
    expect(slow.made.calls).toBe(0);
    expect(await positionsOf(slow.services, 'main', wallets.slice(0, 10), null)).toEqual([]);
    // Two of them begin at once, and as many wait, before a caller is refused.
    expect(slow.made).toMatchObject({ calls: 20, atOnce: 2 });
  });
});

/** The offset of the state in a token account. */
const TOKEN_STATE_AT = 108;
const SPAM = 2 * MAX_POSITIONS + 3;

async function open(): Promise<void> {
  chain = new SvmChain(world.network);
  pools = await Pools.open(chain, []);
  const accounts = await BorrowAccounts.open(chain, (_, error) => {
    throw error;
  });
  services = {
    chain,
    prices: new PoolPrices(pools),
    stakingAprOf: () => null,
    accounts,
    markets: new VaultMarkets([]),
  };
}

async function reopen(): Promise<void> {
  services.accounts.close();
  pools.close();
  await open();
}

function tearDown(): void {
  services.accounts.close();
  pools.close();
}

/** Writes positions with some collateral, as a stranger can create them and send their tokens to the victim. */
function spam(victim: Address, firstId: number, count: number): void {
  for (let nftId = firstId; nftId < firstId + count; nftId++) {
    const mint = deriveVaultPositionMintAddress(VAULT_ID, nftId).address;
    const position = {
      vaultId: VAULT_ID,
      nftId,
      positionMint: mint,
      isSupplyOnly: true,
      tick: NO_TICK,
      tickId: 0,
      supplyAmount: 1_000_000n,
      dustDebtAmount: 0n,
    };
    world.network.setData(
      deriveVaultPositionAddress(VAULT_ID, nftId).address,
      VAULTS_PROGRAM,
      POSITION.encode(position),
    );
    const token = { mint, tokenProgram: TOKEN_PROGRAM, decimals: 0 };
    writeTokenAccount(
      world.network,
      deriveAssociatedTokenAddress(victim, mint, TOKEN_PROGRAM),
      victim,
      { ...world.supply, ...token },
      1n,
    );
  }
}

const positionsOf = (
  of: BorrowServices,
  market: MarketName,
  owners: readonly Address[],
  page: number | null,
) => findPositions(of, market, owners, page, createUnaccountedWork());

/** Answers every wallet with so many token accounts that hold no position. */
function crowded(count: number): BorrowServices {
  const update = { address: world.feed, slot: 1n, account: world.network.account(world.feed) };
  const openView = (): AccountView => ({
    ...chain.openView(),
    tokenAccounts: async function* () {
      yield* splitIntoPieces(Array.from({ length: count }, () => update));
    },
  });
  return { ...services, chain: Object.assign(new SvmChain(world.network), { openView }) };
}

/** A view over an outside RPC on which nobody has a token account. It counts its calls, and the most at once. */
function overRpc(callsPerSecond: number) {
  const made = { calls: 0, atOnce: 0, running: 0 };
  const client: Pick<RpcClient, 'call'> = {
    call: async (_method, _params, read) => {
      made.calls++;
      made.atOnce = Math.max(made.atOnce, ++made.running);
      await yieldToOtherWork();
      made.running--;
      return read({ context: { slot: '100' }, value: [] });
    },
  };
  const openView: Chain['openView'] = (commitment = 'confirmed', calls = CALLS_PER_VIEW) =>
    new RpcAccountView({
      client,
      maxCalls: computeMaxCallsOfView(calls, callsPerSecond),
      commitment,
      slot: 0n,
      requirePlausible: () => undefined,
      programAccounts: null,
      candidates: () => null,
    });
  return {
    made,
    services: { ...services, chain: Object.assign(new SvmChain(world.network), { openView }) },
  };
}
