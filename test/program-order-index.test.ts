import { expect, it } from 'vitest';
import type { EmbeddedChain } from '../src/chain/embedded/network.ts';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import { openProgramOrders, type ProgramOrders } from '../src/program-orders/opening/open-program-orders.ts';
import { createCloseDca, createOpenDca } from '../src/protocols/jupiter-dca/dca-instructions.ts';
import { decodeDcaOrder } from '../src/protocols/jupiter-dca/dca-order.ts';
import { DCA_PROGRAM, deriveDcaOrderAddress } from '../src/protocols/jupiter-dca/dca-program.ts';
import {
  createCancelOrder,
  createInitializeOrder,
} from '../src/protocols/jupiter-limit-order/instructions.ts';
import { decodeLimitOrder } from '../src/protocols/jupiter-limit-order/layout.ts';
import { deriveLimitOrder, LIMIT_ORDER_PROGRAM } from '../src/protocols/jupiter-limit-order/program.ts';
import { buildGenesis } from '../src/sandbox/genesis/build-genesis.ts';
import { overlayAccounts, readStandIns } from '../src/sandbox/genesis/network-accounts.ts';
import type { Address } from '../src/solana/address.ts';
import type { Keypair } from '../src/solana/keypair.ts';
import { getGenesisToken } from '../src/solana/known-tokens.ts';
import { compileMessage } from '../src/solana/messages/compile-message.ts';
import type { Instruction } from '../src/solana/messages/instruction.ts';
import { signTransaction } from '../src/solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../src/solana/pda.ts';
import { TOKEN_PROGRAM } from '../src/solana/program-addresses.ts';
import { startTestChain } from '../src/testing/chain/embedded-chain.ts';
import { openForAll } from '../src/testing/opened.ts';
import { askOrders } from '../src/testing/program-orders/followed-orders.ts';
import { openTestStore } from '../src/testing/store/test-store.ts';

const tested = openForAll(() => openTestStore('sqlite'), 'cleanUp');
const network = openForAll(openNetwork, 'close');

it('an index of orders knows what a wallet did on the embedded network, also before it began', async () => {
  const { chain, wallet, send, usdc, sol } = network;
  const terms = { payer: wallet, maker: wallet, input: usdc, output: sol, uniqueId: 77n };
  const amounts = { making: 5_000_000n, taking: 30_000_000n };
  const none = { referral: null, expiredAt: null, feeBps: null, slippageBps: null };
  const placed = await send(createInitializeOrder({ ...terms, ...amounts, ...none }));
  const { address } = deriveLimitOrder(wallet, 77n);
  const orders = openIndex();
  orders.start();
  const ofUsdc = { inputMint: usdc.mint, perPage: 50 };
  const open = await orders.lists.listLimitOrders(...askOrders(wallet, true, ofUsdc));
  const account = decodeLimitOrder(await network.read(address, LIMIT_ORDER_PROGRAM));
  expect(open.orders.find((order) => order.address === address)).toMatchObject({
    openSignature: placed,
    remainingMaking: 5_000_000n,
    createdAt: account.createdAt,
  });
  const own = deriveAssociatedTokenAddress(wallet, usdc.mint, TOKEN_PROGRAM);
  const named = {
    ...account,
    address,
    inputTokenProgram: TOKEN_PROGRAM,
    outputTokenProgram: TOKEN_PROGRAM,
  };
  const cancelled = await send(createCancelOrder(named, wallet, own));
  expect(await orders.lists.listLimitOrders(...askOrders(wallet, false))).toMatchObject({
    total: 1,
    orders: [{ address, openSignature: placed, closeSignature: cancelled, state: 'cancelled' }],
  });
  // An order that nobody has seen being opened, because the network began with it, is listed from the chain alone.
  expect(open.orders.filter((order) => order.address !== address)).toMatchObject([
    { openSignature: null, trades: [] },
  ]);
  await orders.close();
  expect(chain.unhealthy()).toBeNull();
});

it('an index of orders goes on where the one before has ended', async () => {
  const { wallet, send, usdc, sol } = network;
  const seeds = { user: wallet, inputMint: usdc.mint, outputMint: sol.mint, idx: 9n };
  const opening = { ...seeds, inAmount: 6_000_000n, inAmountPerCycle: 2_000_000n, cycleFrequency: 3_600n };
  const before = openIndex();
  const opened = await send(createOpenDca({ ...opening, minOutAmount: 5n }));
  const { address } = deriveDcaOrderAddress(seeds);
  const list = await before.lists.listDcaOrders(...askOrders(wallet, true, { perPage: 50 }));
  expect(list.orders.find((order) => order.address === address)).toMatchObject({
    openSignature: opened,
    minOutAmount: 5n,
  });
  await before.close();
  const order = { address, ...decodeDcaOrder(await network.read(address, DCA_PROGRAM)) };
  const closed = await send(createCloseDca(order));
  const after = openIndex();
  expect((await after.lists.listDcaOrders(...askOrders(wallet, false))).orders).toMatchObject([
    { address, openSignature: opened, closeSignature: closed, inWithdrawn: 6_000_000n, userClosed: true },
  ]);
  await after.close();
});

function openIndex(): ProgramOrders {
  return openProgramOrders({
    chain: network.chain,
    store: tested.store,
    follows: true,
    isOwnNetwork: true,
    historyDays: 0,
    timers: SYSTEM_TIMERS,
    createOutageLog: () => ({ onFailure: throwIt, onAnswer: () => undefined }),
    onDefect: (_, error) => throwIt(error),
  });
}

function throwIt(error: unknown): never {
  throw error;
}

/** The network of the sandbox with the programs of orders, and a demo wallet. */
async function openNetwork() {
  const genesis = buildGenesis('index of orders', 1_800_000_000n);
  const wanted: readonly Address[] = [LIMIT_ORDER_PROGRAM, DCA_PROGRAM];
  const programs = genesis.programs.filter(({ address }) => wanted.includes(address));
  const standIns = await readStandIns(programs, new URL('../programs/dist/', import.meta.url));
  const chain = await startTestChain({
    seed: 'index of orders',
    genesis: () => genesis.accounts,
    overlay: overlayAccounts(standIns, { accounts: [], programs: [] }),
    faucet: genesis.keys.faucet,
    mintAuthorities: [genesis.keys.mintAuthority],
  });
  const [keypair] = genesis.keys.demoWallets;
  if (keypair === undefined) throw new Error('the genesis has no demo wallet');
  const toToken = (symbol: string) => ({ mint: getGenesisToken(symbol).mint, tokenProgram: TOKEN_PROGRAM });
  return {
    chain,
    wallet: keypair.address,
    usdc: toToken('USDC'),
    sol: toToken('SOL'),
    send: (instruction: Instruction) => landConfirmed(chain, keypair, instruction),
    read: async (address: Address, program: Address) => {
      const [update] = await chain.getAccounts([address], 'confirmed');
      if (update?.account?.owner !== program) throw new Error(`${address} is no order`);
      return update.account.data;
    },
    close: () => chain.close(),
  };
}

async function landConfirmed(
  chain: EmbeddedChain,
  wallet: Keypair,
  instruction: Instruction,
): Promise<string> {
  const { bytes: blockhash } = chain.recentBlockhash();
  const message = compileMessage({ feePayer: wallet.address, blockhash, instructions: [instruction] });
  const signature = await chain.send(signTransaction(message, [wallet]), { skipPreflight: false });
  const getStatus = async () => (await chain.signatureStatuses([signature]))[0];
  await expect.poll(getStatus).toMatchObject({ commitment: expect.stringMatching(/confirmed|finalized/) });
  return signature;
}
