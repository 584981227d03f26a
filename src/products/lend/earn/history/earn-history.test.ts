import { beforeEach, describe, expect, it } from 'vitest';
import { writeTokenAccount } from '../../../../../programs/raydium-cpmm/tests/fixture.ts';
import { LendingWorld } from '../../../../../programs/lending/tests/world.ts';
import { replaced } from '../../../../testing/replaced.ts';
import { SvmChain } from '../../../../testing/svm/chain.ts';
import { type Chain, ChainUnavailable } from '../../../../chain/chain.ts';
import { getCurrentWorker, runAs } from '../../../../common/party.ts';
import { SYSTEM_TIMERS } from '../../../../common/ports/timers.ts';
import {
  type EarnAction,
  createEarnInstruction,
} from '../../../../protocols/jupiter-lend/lending/instructions.ts';
import { toAtoms } from '../../../../protocols/jupiter-lend/lending-base/amounts.ts';
import { Pools } from '../../../../market/pools/pools.ts';
import { PoolPrices } from '../../../../market/prices/pool-prices.ts';
import { compileMessage } from '../../../../solana/messages/compile-message.ts';
import { signTransaction } from '../../../../solana/messages/transaction.ts';
import type { Address } from '../../../../solana/address.ts';
import { SYSTEM_PROGRAM } from '../../../../solana/program-addresses.ts';
import { createKeypairFromSeed } from '../../../../solana/keypair.ts';
import { deriveAssociatedTokenAddress } from '../../../../solana/pda.ts';
import { openTestStore, STORES } from '../../../../testing/store/test-store.ts';
import type { Store } from '../../../../store/index.ts';
import { earnHistories } from './earn-tables.ts';
import type { EarnServices } from '../earn.ts';
import { EarnMarkets } from '../../../../lend/earn/markets/earn-markets.ts';
import { type Earnings, findEarnings } from '../earnings.ts';
import { EarnHistory } from './earn-history.ts';
import { HistoryStore, MAX_ACCOUNTS_OF_FOLLOWER } from './history-store.ts';
import { openForEach } from '../../../../testing/opened.ts';

describe.each(STORES)('the history of earn tokens on %s', (kind) => {
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');
  const world = openForEach(() => new EarningsWorld(), 'close');
  beforeEach(setUp);

  it('claims nothing about the time before, and counts what accrues from then on', async () => {
    const services = await world.open(tested.store, true);
    const first = await world.earned(services);
    expect(first).toMatchObject({ earnings: 0n, deposited: 0n, withdrawn: 0n });
    expect(first.assetsAtStart).toBe(first.assets);
    world.grow();
    const grown = await world.earned(services);
    expect(grown.earnings).toBe(grown.assets - first.assets);
    expect(grown.earnings).toBeGreaterThan(0n);
    await world.act('deposit', 2_000_000n);
    await world.act('withdraw', 7_000_000n);
    const moved = await world.earned(services);
    expect(moved).toMatchObject({ deposited: 2_000_000n, withdrawn: 7_000_000n });
    expect(grown.earnings - moved.earnings).toBeLessThanOrEqual(4n);
    expect(moved.earnings).toBeLessThanOrEqual(grown.earnings);
  });

  it('catches up with what happened while no instance ran', async () => {
    const before = await world.open(tested.store, true);
    const { startedAt } = await world.earned(before);
    await world.close();
    await world.act('deposit', 3_000_000n);
    const after = await world.open(await tested.reopen(), true);
    expect(await world.earned(after)).toMatchObject({ deposited: 3_000_000n, startedAt });
  });

  it('counts each movement once when several instances follow the same network', async () => {
    const [one, other] = [await world.open(tested.store, true), await world.open(tested.store, true)];
    await world.act('deposit', 3_000_000n);
    await world.act('redeem', 1_000_000n);
    const [seen, alsoSeen] = await Promise.all([world.earned(one), world.earned(other)]);
    expect(seen).toEqual(alsoSeen);
    expect(seen.deposited).toBe(3_000_000n);
  });

  it('follows single accounts from the first request on, and keeps nothing about wallets without one', async () => {
    const services = await world.open(tested.store, false);
    const stranger = world.network.newWallet();
    expect(await world.earned(services, stranger)).toMatchObject({ earnings: 0n, startedAt: null });
    const account = deriveAssociatedTokenAddress(stranger, world.receipt.mint, world.receipt.tokenProgram);
    expect(await services.movements.find(account)).toBeNull();
    await world.earned(services);
    await world.act('deposit', 5_000_000n);
    expect(await world.earned(services)).toMatchObject({ deposited: 5_000_000n });
  });

  it('refuses to follow more accounts than an organisation may have followed', async () => {
    const services = await world.open(tested.store, false);
    const slots = { cursor: null, cursorSlot: 0, startSlot: 0, knownSlot: 0 };
    const row = { network: world.chain.genesisHash, startedAt: 5, startPrice: '1', ...slots };
    const rows = Array.from({ length: MAX_ACCOUNTS_OF_FOLLOWER }, (_, index) => ({
      ...row,
      address: `account ${index}`,
      follower: 'organisation:acme',
      askedAt: SYSTEM_TIMERS.now(),
    }));
    await tested.store.db.insert(earnHistories).values(rows);
    const ask = (id: string) => runAs({ kind: 'organisation', id }, () => world.earned(services));
    await expect(ask('acme')).rejects.toThrow(
      /^1000 accounts of receipt tokens are followed for you already/,
    );
    expect(await ask('other')).toMatchObject({ deposited: 0n });
    // What is followed already is answered to everybody.
    expect(await ask('acme')).toMatchObject({ deposited: 0n });
  });

  it('counts shares that left by a transfer as missing since the start', async () => {
    const services = await world.open(tested.store, true);
    const first = await world.earned(services);
    const account = deriveAssociatedTokenAddress(
      world.depositor.address,
      world.receipt.mint,
      world.receipt.tokenProgram,
    );
    const found = world.network.account(account);
    const data = Buffer.from(found?.data ?? []);
    data.writeBigUInt64LE(first.shares - 1_000_000n, 64);
    if (found !== null) world.network.setAccount(account, { ...found, data: new Uint8Array(data) });
    const left = await world.earned(services);
    expect(left.earnings).toBe(0n);
    expect(left.assetsAtStart).toBe(toAtoms(left.shares, world.price()));
  });

  it('begins again when the network was founded again with the same genesis', async () => {
    await world.earned(await world.open(tested.store, true));
    await world.close();
    const store = new HistoryStore(tested.store, world.chain.genesisHash);
    const transaction = { signature: 'of the network before', slot: 1_000_000n, movements: [] };
    await store.record(world.lending, [transaction]);
    const services = await world.open(tested.store, true);
    expect((await store.find(world.lending))?.cursorSlot).toBeLessThan(1_000_000n);
    expect(await world.earned(services)).toMatchObject({ earnings: 0n, deposited: 0n });
  });

  it('keeps what it knows while a node is behind what another one listed', async () => {
    const before = await world.open(tested.store, false);
    const { startedAt } = await world.earned(before);
    world.chain.pass(200n);
    await world.act('deposit', 3_000_000n);
    await world.earned(before);
    // The same accounts and history, from a node that has not seen the last slots.
    const behind = replaced<Chain>(world.chain, { slot: (commitment) => world.chain.slot(commitment) - 50n });
    const after = await world.open(tested.store, false, behind);
    expect(await world.earned(after)).toMatchObject({ deposited: 3_000_000n, startedAt });
    const sick = replaced<Chain>(behind, { unhealthy: () => 'the RPC lags' });
    await expect(world.earned(await world.open(tested.store, false, sick))).rejects.toThrow('lags');
    expect(await world.earned(before)).toMatchObject({ deposited: 3_000_000n, startedAt });
  });

  it('waits for a transaction that is listed before the node has it', async () => {
    let late = true;
    const slow = replaced<Chain>(world.chain, {
      transaction: (signature) => (late ? Promise.resolve(null) : world.chain.transaction(signature)),
    });
    const services = await world.open(tested.store, false, slow);
    await world.earned(services);
    await world.act('deposit', 3_000_000n);
    await expect(world.earned(services)).rejects.toThrow('does not have it yet');
    late = false;
    expect(await world.earned(services)).toMatchObject({ deposited: 3_000_000n });
  });

  it('is not unknown to one caller because another, who asks for it too, has used up its calls', async () => {
    let refused = 0;
    const paced = replaced<Chain>(world.chain, {
      signaturesOf: (...asked) => {
        if (getCurrentWorker() === 'own') return world.chain.signaturesOf(...asked);
        refused++;
        return Promise.reject(new ChainUnavailable('too many calls'));
      },
    });
    const services = await world.open(tested.store, false, paced);
    await world.earned(services);
    await world.act('deposit', 5_000_000n);
    const ofStranger = () => runAs({ kind: 'client', id: 'stranger' }, () => world.earned(services));
    const strangers = Promise.allSettled([ofStranger(), ofStranger()]);
    expect(await Promise.all([world.earned(services), world.earned(services)])).toMatchObject([
      { deposited: 5_000_000n },
      { deposited: 5_000_000n },
    ]);
    await strangers;
    expect(refused).toBeGreaterThan(0);
  });

  it('begins again, rather than to claim what is wrong, when the network has lost transactions', async () => {
    let lost = false;
    const forgetful = replaced<Chain>(world.chain, {
      transaction: (signature) => (lost ? Promise.resolve(null) : world.chain.transaction(signature)),
    });
    const services = await world.open(tested.store, true, forgetful);
    await world.act('deposit', 3_000_000n);
    const before = await world.earned(services);
    lost = true;
    await world.act('deposit', 4_000_000n);
    world.chain.pass(2_000n);
    world.grow();
    const after = await world.earned(services);
    expect(after).toMatchObject({ earnings: 0n, deposited: 0n });
    expect(after.assetsAtStart).toBe(after.assets);
    expect(after.startedAt ?? 0).toBeGreaterThan(before.startedAt ?? 0);
    lost = false;
    await world.act('withdraw', 1_000_000n);
    expect(await world.earned(services)).toMatchObject({ deposited: 0n, withdrawn: 1_000_000n });
  });

  it('begins again when its own network dropped transactions before they were read', async () => {
    const services = await world.open(tested.store, true);
    await world.act('deposit', 3_000_000n);
    const before = await world.earned(services);
    expect(before.deposited).toBe(3_000_000n);
    // What was dropped was all read.
    world.historyFrom = world.chain.slot('confirmed') + 1n;
    expect(await world.earned(services)).toMatchObject({ deposited: 3_000_000n });
    await world.act('deposit', 4_000_000n);
    world.historyFrom = world.chain.slot('confirmed') + 1n;
    world.grow();
    const after = await world.earned(services);
    expect(after).toMatchObject({ earnings: 0n, deposited: 0n });
    expect(after.assetsAtStart).toBe(after.assets);
    expect(after.startedAt ?? 0).toBeGreaterThan(before.startedAt ?? 0);
    await world.act('withdraw', 1_000_000n);
    expect(await world.earned(services)).toMatchObject({ deposited: 0n, withdrawn: 1_000_000n });
  });

  it('notices after a crash that its own network dropped transactions that nobody had read', async () => {
    const services = await world.open(tested.store, true);
    await world.act('deposit', 3_000_000n);
    const before = await world.earned(services);
    world.crash();
    await world.act('deposit', 4_000_000n);
    world.historyFrom = world.chain.slot('confirmed') + 1n;
    world.grow();
    const after = await world.earned(await world.open(await tested.reopen(), true));
    expect(after).toMatchObject({ earnings: 0n, deposited: 0n });
    expect(after.assetsAtStart).toBe(after.assets);
    expect(after.startedAt ?? 0).toBeGreaterThan(before.startedAt ?? 0);
  });

  it('keeps what it knows after a restart, however much else the network dropped before', async () => {
    const services = await world.open(tested.store, true);
    await world.act('deposit', 3_000_000n);
    const { startedAt } = await world.earned(services);
    world.chain.pass(500n);
    await world.earned(services);
    world.historyFrom = world.chain.slot('confirmed');
    await world.close();
    await world.act('deposit', 4_000_000n);
    const after = await world.earned(await world.open(await tested.reopen(), true));
    expect(after).toMatchObject({ deposited: 7_000_000n, startedAt });
  });

  it('begins again when there were more transactions than it reads', async () => {
    const services = await world.open(tested.store, false, flooded(world));
    await world.earned(services);
    await world.act('deposit', 3_000_000n);
    expect(await world.earned(services)).toMatchObject({ earnings: 0n, deposited: 0n });
  });

  it('still knows a wallet that has closed its account', async () => {
    const services = await world.open(tested.store, false);
    const { startedAt } = await world.earned(services);
    await world.act('withdraw', 5_000_000n);
    const { mint, tokenProgram } = world.receipt;
    const account = deriveAssociatedTokenAddress(world.depositor.address, mint, tokenProgram);
    const empty = { lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array(0), executable: false };
    world.network.setAccount(account, { ...empty, rentEpoch: 0n });
    const closed = await world.earned(services);
    expect(closed).toMatchObject({ startedAt, withdrawn: 5_000_000n });
  });

  async function setUp(): Promise<void> {
    await world.act('deposit', 40_000_000n);
    world.liquidity.operate(world.liquidity.protocol(), 0n, 9_000_000n);
    world.grow();
    await world.act('deposit', 1_000n);
  }
});

/** Earnings over a lending in the SVM; an instance can be ended and another one opened. */
class EarningsWorld extends LendingWorld {
  readonly chain = new SvmChain(this.network);
  /** From which slot on the network keeps all transactions. */
  historyFrom = 0n;
  readonly #opened: { close(): Promise<void> | void }[] = [];
  /** Signs its transactions itself. */
  readonly depositor = createKeypairFromSeed(new Uint8Array(32).fill(7));
  #sent = 0;

  constructor() {
    super();
    const { address: owner } = this.depositor;
    const wallet = this.network.account(this.user);
    if (wallet !== null) this.network.setAccount(owner, wallet);
    for (const [token, amount] of [
      [this.token, 1_000_000_000_000n],
      [this.receipt, 0n],
    ] as const) {
      const account = deriveAssociatedTokenAddress(owner, token.mint, token.tokenProgram);
      writeTokenAccount(this.network, account, owner, token, amount);
    }
  }

  async open(store: Store, followsEverybody: boolean, chain: Chain = this.chain): Promise<EarnServices> {
    const markets = await EarnMarkets.open(chain, (_, error) => {
      throw error;
    });
    const movements = new HistoryStore(store, chain.genesisHash);
    const history = new EarnHistory({
      chain,
      store: movements,
      markets,
      ownHistoryFrom: followsEverybody ? async () => this.historyFrom : null,
      timers: { now: SYSTEM_TIMERS.now, after: () => () => undefined },
      onDefect: (_, error) => {
        throw error;
      },
    });
    await history.start();
    const pools = await Pools.open(chain, []);
    this.#opened.push({ close: () => markets.close() }, history, pools);
    return { chain, prices: new PoolPrices(pools), stakingAprOf: () => null, markets, history, movements };
  }

  async close(): Promise<void> {
    for (const each of this.#opened.splice(0)) await each.close();
  }

  /** Ends all instances as a crash does: nothing is finished or written down. */
  crash(): void {
    this.#opened.splice(0);
  }

  /** Lands a deposit or a withdrawal by the chain port, so that it is in its history. */
  async act(action: EarnAction, amount: bigint): Promise<void> {
    const { mint, tokenProgram } = this.token;
    const signer = this.depositor.address;
    // Makes the transaction another one.
    const blockhash = new Uint8Array(32).fill(++this.#sent);
    const instructions = [createEarnInstruction(action, { signer, mint, tokenProgram }, amount)];
    const message = compileMessage({ feePayer: signer, blockhash, instructions });
    const sent = await this.chain.send(signTransaction(message, [this.depositor]));
    const landed = await this.chain.transaction(sent);
    expect(landed?.error).toBeNull();
    this.chain.publish([
      this.lending,
      this.receipt.mint,
      this.state().liquidity.reserve.vault,
      ...this.positions(),
    ]);
  }

  positions(): readonly Address[] {
    const { tokenReservesLiquidity, supplyPositionOnLiquidity } = this.state().lending;
    return [tokenReservesLiquidity, supplyPositionOnLiquidity];
  }

  async earned(services: EarnServices, owner = this.depositor.address): Promise<Earnings> {
    const market = services.markets.of(this.receipt.mint);
    if (market === null) throw new Error('no market');
    const [found] = await findEarnings(services, owner, new Set([market]));
    if (found === undefined) throw new Error('no earnings');
    return found;
  }

  /** Interest of a borrower accrues. */
  grow(): void {
    this.liquidity.pass(5_000_000n);
  }
}

/** A chain on which somebody named every account in more transactions than are read at once. */
function flooded(world: EarningsWorld): Chain {
  const { chain } = world;
  return replaced<Chain>(chain, {
    signaturesOf: async (address, range) => {
      if (range.limit === 1) return chain.signaturesOf(address, range);
      const slot = chain.slot('confirmed');
      return Array.from({ length: range.limit }, (_, at) => ({ signature: `spam ${at}`, slot }));
    },
  });
}
