import { beforeAll, expect, it } from 'vitest';
import type { Address } from '../src/solana/address.ts';
import { createAssociatedToken } from '../src/solana/programs/associated-token.ts';
import type { Keypair } from '../src/solana/keypair.ts';
import { deriveAssociatedTokenAddress } from '../src/solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../src/solana/program-addresses.ts';
import { transferLamports } from '../src/solana/programs/system.ts';
import { ordinaryTokenAccount } from '../src/testing/token-account.ts';
import { closeAccount } from '../src/solana/programs/token/instructions.ts';
import type { OrderResponse } from '../src/products/swap/endpoints/order.ts';
import { TOKEN_ACCOUNT_RENT } from '../src/transactions/build/closings.ts';
import { openTestSwap, type TestSwap } from '../src/testing/genesis-market/swap.ts';
import { startSuite } from '../src/testing/random.ts';
import { yieldToOtherWork } from '../src/testing/waits.ts';

let swap: TestSwap;
let sponsor: Address;
/** Sponsored orders that were given out, by their ids: lamports that they charge for. */
let charged: Map<string, bigint>;
beforeAll(setUp);

it('loses no more to 1,000 takers that do what they like than the fees that it was promised', async () => {
  const { count, seeds } = startSuite(SUITE);
  const draws = seeds.map(randomFrom).flatMap((below) => Array.from({ length: count }, () => below));
  const { chain } = swap.market;
  const land = chain.send.bind(chain);
  let racing: (() => void) | null = null;
  chain.send = (wire) => {
    racing?.();
    return land(wire);
  };
  const ends = { landed: 0, failed: 0, refused: 0 };
  let spentOnSuccess = 0n;
  const start = { lamports: lamportsOf(sponsor), fees: feesHeld() };
  let promised = 0n;
  for (const [number, below] of draws.entries()) {
    await yieldToOtherWork();
    const taker = swap.newWallet(0n);
    const output = [USDT, WRAPPED_SOL_MINT, JUP][below(3)] as Address;
    /** Any move, or as often the one that pays best at this time. */
    const move = (best = below(MOVES.length)) =>
      MOVES[below(2) === 0 ? best : below(MOVES.length)]?.(taker.address, output);
    hold(taker.address, USDC, 1_000_000_000n);
    if (below(2) === 0) move(OPEN);
    const orders: OrderResponse[] = [];
    for (let wanted = 1 + below(2); wanted > 0; wanted--) {
      const order = await ordered(taker, output, below);
      if (order !== null) orders.push(order);
      if (below(3) === 0) move();
    }
    for (let moves = below(2); moves > 0; moves--) move();
    racing = below(2) === 0 ? () => move(CLOSE) : null;
    const before = lamportsOf(sponsor);
    const answers = await Promise.all(orders.map((order) => swap.execute(order, [taker])));
    const executed = orders.map(({ requestId }) => charged.get(requestId) ?? 0n);
    const most = answers.reduce((sum, { status, slot }, index) => {
      if (status === 'Success') return sum + (executed[index] ?? 0n);
      return isOnChain(slot) ? sum + (executed[index] === 0n ? 0n : MAX_FAILURE) : sum;
    }, 0n);
    const cost = before - lamportsOf(sponsor);
    expect(cost, `taker ${number}`).toBeLessThanOrEqual(most);
    promised += executed.reduce((sum, each) => sum + each, 0n);
    expect(start.lamports - lamportsOf(sponsor), `after taker ${number}`).toBeLessThanOrEqual(promised);
    for (const { status, slot } of answers) {
      if (status === 'Success') ends.landed++;
      else if (isOnChain(slot)) ends.failed++;
      else ends.refused++;
    }
    if (answers.length > 0 && answers.every(({ status }) => status === 'Success')) spentOnSuccess += cost;
  }
  // What was paid in fees is worth what the swaps that paid them cost.
  expect(feesHeld() - start.fees).toBeGreaterThanOrEqual(microDollars(spentOnSuccess));
  // The takers did succeed, fail on chain, and have the sponsor refuse.
  expect(ends.landed).toBeGreaterThan(draws.length / 5);
  expect(ends.failed).toBeGreaterThan(draws.length / 50);
  expect(ends.refused).toBeGreaterThan(draws.length / 20);
});

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
const USDT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB' as Address;
const JUP = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN' as Address;
const FEE_MINTS = [USDC, USDT, WRAPPED_SOL_MINT];
const SUITE = { cases: 1_000, short: 100, seed: 20_261_122 };
/** What a sponsored swap that fails on chain costs at most: two signatures and the bound of the priority fee. */
const MAX_FAILURE = 110_000n;

async function setUp(): Promise<void> {
  // Whatever the budgets would keep out is let in: the promise holds without them.
  const budget = { refusal: async () => null, spend: async () => null, giveBack: () => {} };
  const feeMints = new Set(FEE_MINTS);
  swap = await openTestSwap({
    sponsor: ({ genesis }) => ({ keypair: genesis.keys.sponsor, budget, leastDollars: 10, feeMints }),
  });
  sponsor = swap.market.genesis.keys.sponsor.address;
  swap.market.chain.fees.push({ slot: 1n, microLamports: 150_000n });
  charged = new Map();
}

/** Numbers that look random, the same in every run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const lamportsOf = (wallet: Address) => swap.market.network.account(wallet)?.lamports ?? 0n;
const accountOf = (owner: Address, mint: Address) => deriveAssociatedTokenAddress(owner, mint, TOKEN_PROGRAM);

function hold(owner: Address, mint: Address, amount: bigint): void {
  const data = ordinaryTokenAccount({ mint, owner, amount });
  const account = { lamports: TOKEN_ACCOUNT_RENT, owner: TOKEN_PROGRAM, data };
  swap.market.network.setAccount(accountOf(owner, mint), { ...account, executable: false, rentEpoch: 0n });
}

type Move = (taker: Address, output: Address) => void;

const OPEN = 0;
const CLOSE = 1;

/** What a taker may do to its accounts at any time; what the programs refuse changes nothing. */
const MOVES: readonly Move[] = [
  (taker, output) => {
    const opening = { payer: swap.market.network.payer, owner: taker, mint: output };
    swap.market.network.send([createAssociatedToken({ ...opening, tokenProgram: TOKEN_PROGRAM })]);
  },
  (taker, output) => {
    const account = accountOf(taker, output);
    const destination = swap.wallet.address;
    swap.market.network.send([closeAccount(TOKEN_PROGRAM, { account, destination, authority: taker })]);
  },
  (taker, output) => {
    const { payer } = swap.market.network;
    swap.market.network.send([transferLamports(payer, accountOf(taker, output), 890_880n)]);
  },
  (taker) => {
    swap.market.network.send([transferLamports(swap.market.network.payer, taker, 3_000_000n)]);
  },
  (taker) => hold(taker, USDC, 0n),
  (taker) => hold(taker, USDC, 1_000_000_000n),
];

/** Value of lamports or of fees in micro-dollars, at the pools' price. */
function microDollars(lamports: bigint): bigint {
  const [market] = swap.market.pools.between(WRAPPED_SOL_MINT, USDC);
  const quote = market?.venue.quoteExactIn(
    market.pool,
    WRAPPED_SOL_MINT,
    1_000_000_000n,
    swap.composed.chain.clock(),
  );
  return (lamports * (quote?.outAmount ?? 0n)) / 1_000_000_000n;
}

/** Micro-dollars of what the sponsor's accounts of fees hold. */
function feesHeld(): bigint {
  const held = (mint: Address) => swap.market.network.tokenBalance(accountOf(sponsor, mint));
  return held(USDC) + held(USDT) + microDollars(held(WRAPPED_SOL_MINT));
}

async function ordered(taker: Keypair, outputMint: Address, below: (n: number) => number) {
  const amount = String(10_000_000 + below(490_000_000));
  const query = { inputMint: USDC, outputMint, amount, taker: taker.address };
  const options = [
    {},
    { slippageBps: String(below(10_001)) },
    { payer: sponsor },
    { broadcastFeeType: 'maxCap' },
  ];
  const order = await swap.order({ ...query, ...options[below(options.length)] }).catch(() => null);
  if (order === null || !order.transaction) return null;
  const stored = await swap.composed.orders.get(order.requestId);
  if (stored?.sponsorship !== undefined) charged.set(order.requestId, stored.sponsorship.chargedLamports);
  return order;
}

/** Whether a failed swap is in a block: the slot of what never landed is "0". */
function isOnChain(slot: string | undefined): boolean {
  return slot !== undefined && slot !== '0';
}
