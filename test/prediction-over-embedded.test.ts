import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { EmbeddedChain } from '../src/chain/embedded/network.ts';
import { NO_METRICS } from '../src/common/ports/metrics.ts';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import { joinProgramErrorNames } from '../src/market/program-errors.ts';
import { createGiftBudget } from '../src/predictions/keeper/sending/gift-budget.ts';
import { PredictionAccountFollower } from '../src/predictions/following/prediction-account-follower.ts';
import {
  openPredictionKeeper,
  type OpenedPredictionKeeper,
} from '../src/predictions/opening/open-prediction-keeper.ts';
import type { PredictionMarket } from '../src/predictions/prediction.ts';
import { DEFAULT_SEED } from '../src/protocol/genesis/keys.ts';
import { PROTOCOLS } from '../src/protocols/index.ts';
import { decodePredictionOrder } from '../src/protocols/jupiter-prediction/prediction-accounts.ts';
import { createNewPredictionOrder } from '../src/protocols/jupiter-prediction/instructions/prediction-order-instructions.ts';
import { derivePredictionOrder } from '../src/protocols/jupiter-prediction/prediction-program.ts';
import { buildGenesis, type Genesis } from '../src/sandbox/genesis/build-genesis.ts';
import { overlayAccounts, readStandIns } from '../src/sandbox/genesis/network-accounts.ts';
import { compileMessage } from '../src/solana/messages/compile-message.ts';
import { signTransaction } from '../src/solana/messages/transaction.ts';
import { startTestChain } from '../src/testing/chain/embedded-chain.ts';
import { HeldEvents } from '../src/testing/predictions/held-events.ts';
import { createTestEvent } from '../src/testing/predictions/test-events.ts';
import { openTestStore, type TestStore } from '../src/testing/store/test-store.ts';
import { createFailureDescriber } from '../src/transactions/transaction-failure.ts';
import { GasWallet } from '../src/waiting-orders/fills/gas-wallet.ts';

// The keeper over the embedded network, whose slots are long enough that a busy machine does not miss one.

const SLOT_MS = 1_500;
const ORDERS = 3;

let chain: EmbeddedChain;
let genesis: Genesis;
let store: TestStore;
let accounts: PredictionAccountFollower;
let keeper: OpenedPredictionKeeper;
let wallet: GasWallet;
let market: PredictionMarket;
beforeAll(setUp);
afterAll(async () => {
  await keeper?.drain();
  await keeper?.close();
  await accounts?.close();
  wallet?.close();
  await chain?.close();
  await store?.cleanUp();
});

describe('an order of a prediction market on the embedded network', () => {
  it('is filled within one slot of its landing, and closed', async () => {
    for (let number = 1; number <= ORDERS; number++) {
      const slots = await placeAndFollow(number);
      expect(slots.filled - slots.landed).toBeLessThanOrEqual(1n);
    }
  });
});

/** Has an order land. Returns the slots in which it landed and was filled, once it is closed. */
async function placeAndFollow(number: number): Promise<{ readonly landed: bigint; readonly filled: bigint }> {
  const [owner] = genesis.keys.demoWallets;
  if (owner === undefined) throw new Error('the genesis has no demo wallet');
  const { predictionAuthority: authority } = genesis.keys;
  const externalOrderId = String(number).padStart(32, '0');
  const { address } = derivePredictionOrder(owner.address, externalOrderId);
  let landed: bigint | null = null;
  let filled: bigint | null = null;
  let noteClosed = () => {};
  const closed = new Promise<void>((resolve) => {
    noteClosed = resolve;
  });
  const stop = chain.watchAccounts([address], (updates) => {
    for (const { account, slot } of updates) {
      const order = account === null ? null : decodePredictionOrder(account.data);
      if (order === null) {
        if (landed !== null) noteClosed();
      } else {
        landed ??= slot;
        if (order.filledContracts > 0n) filled ??= slot;
      }
    }
  });
  const { bytes } = chain.recentBlockhash();
  const create = createNewPredictionOrder(
    { owner: owner.address, payer: owner.address, authority: authority.address },
    {
      externalOrderId,
      marketIdHash: market.marketIdHash,
      isYes: true,
      isBuy: true,
      contracts: 10_000_000n,
      limitPrice: 900_000n,
      depositAmount: 10_000_000n,
      isLimit: false,
      integrator: null,
    },
  );
  const message = compileMessage({ feePayer: owner.address, blockhash: bytes, instructions: [create] });
  await chain.send(signTransaction(message, [owner, authority]), { skipPreflight: false });
  await closed;
  stop();
  if (landed === null || filled === null) throw new Error('the order was not filled');
  return { landed, filled };
}

async function setUp(): Promise<void> {
  genesis = buildGenesis(DEFAULT_SEED);
  const programs = await readStandIns(genesis.programs, new URL('../programs/dist/', import.meta.url));
  chain = await startTestChain({
    seed: DEFAULT_SEED,
    genesis: () => genesis.accounts,
    overlay: overlayAccounts(programs, { accounts: [], programs: [] }),
    faucet: genesis.keys.faucet,
    slotMs: SLOT_MS,
  });
  store = await openTestStore('sqlite');
  const events = new HeldEvents();
  const now = Number(chain.clock().unixTimestamp);
  const event = createTestEvent(1, { closeAt: now + 86_400 }, now);
  events.put(event);
  const [first] = event.markets;
  if (first === undefined) throw new Error('the event has no market');
  market = first;
  const outage = { onFailure: fail, onAnswer: () => undefined };
  const onDefect = (_: string, error: unknown) => fail(error);
  accounts = await PredictionAccountFollower.open({ chain, timers: SYSTEM_TIMERS, outage, onDefect });
  const limits = { perWallet: 1_000_000_000n, inAll: 10_000_000_000n };
  wallet = await GasWallet.open(genesis.keys.predictionKeeper, { limits, store: store.store, chain });
  keeper = await openPredictionKeeper({
    chain,
    store: store.store,
    describeFailure: createFailureDescriber(joinProgramErrorNames(PROTOCOLS)),
    events,
    accounts,
    unread: () => accounts.unhealthy(),
    wallet,
    giftBudget: createGiftBudget(wallet.keypair.address, limits, store.store),
    cosigner: genesis.keys.predictionCosigner,
    leases: null,
    timers: SYSTEM_TIMERS,
    metrics: NO_METRICS,
    orderLifetimeSeconds: 86_400n,
    outage,
    onDefect,
  });
  await vi.waitFor(() => expect(keeper.exchange.getBook(market.marketId)).not.toBeNull());
}

function fail(error: unknown): never {
  throw error;
}
