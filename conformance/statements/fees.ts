import * as kit from '@solana/kit';
import { getGenesisToken } from '../../src/solana/known-tokens.ts';
import { difference, firstOf, unless } from '../answer.ts';
import { executed, orderOf } from '../maker.ts';
import type { Statement } from '../statement.ts';
import type { World } from '../world.ts';

const mintOf = (symbol: string) => getGenesisToken(symbol).mint;

const SWAP = { inputMint: mintOf('SOL'), outputMint: mintOf('USDC'), amount: '100000000' };

/** What the public service takes of a pair, in basis points, and the token that it is collected in. */
const PAIRS: readonly (readonly [string, string, number, string])[] = [
  ['SOL', 'USDC', 2, 'SOL'],
  ['USDT', 'SOL', 2, 'SOL'],
  ['JitoSOL', 'USDC', 5, 'USDC'],
  ['USDC', 'mSOL', 5, 'USDC'],
  ['JitoSOL', 'mSOL', 0, 'JitoSOL'],
  ['USDC', 'USDT', 0, 'USDC'],
  ['SOL', 'JUP', 0, 'SOL'],
  ['USDC', 'JLP', 0, 'USDC'],
  ['SOL', 'JupSOL', 0, 'SOL'],
  ['JUP', 'SOL', 10, 'SOL'],
  ['SOL', 'BONK', 10, 'SOL'],
  ['BONK', 'USDC', 10, 'USDC'],
  ['cbBTC', 'mSOL', 10, 'mSOL'],
  ['WETH', 'BONK', 10, 'WETH'],
];

function taken([paid, received, rate, collected]: (typeof PAIRS)[number]): Statement {
  return {
    id: `fees/${paid.toLowerCase()}-for-${received.toLowerCase()}`,
    says: `An order of ${paid} for ${received} costs ${rate} basis points, collected in ${collected}.`,
    check: async (world) => {
      const amount = `${10n ** BigInt(getGenesisToken(paid).decimals - 1)}`;
      const order = await orderOf(world, { inputMint: mintOf(paid), outputMint: mintOf(received), amount });
      const { feeBps, feeMint, platformFee } = order;
      const isStated = platformFee?.feeBps === rate && platformFee.feeMint === feeMint;
      return unless(isStated && feeBps === rate && feeMint === mintOf(collected), [feeBps, platformFee]);
    },
  };
}

/** Executes an order and compares what its fee was with what the order said. */
async function keptBy(world: World, query: Readonly<Record<string, string>>): Promise<string | null> {
  const order = await orderOf(world, query);
  const result = await executed(world, order);
  const [spent, received] = [result.totalInputAmount, result.totalOutputAmount].map(Number);
  const fee =
    order.feeMint === order.inputMint
      ? Number(spent) - Number(result.inputAmountResult)
      : Number(result.outputAmountResult) - Number(received);
  return firstOf(
    unless(result.status === 'Success', result),
    unless(`${spent}` === order.inAmount && `${received}` === order.outAmount, [result, order.outAmount]),
    unless(fee > 0 && `${fee}` === order.platformFee.amount, [fee, order.platformFee]),
  );
}

/** Asks for an order with a referral that has no token accounts. */
function referred(world: World, more: Readonly<Record<string, string>>) {
  const query = new URLSearchParams({ ...SWAP, taker: world.wallet.address, ...more });
  return world.ask(`/swap/v2/order?${query}`);
}

function refusesReferral(id: string, says: string, query: Readonly<Record<string, string>>): Statement {
  return {
    id: `fees/referral-${id}`,
    says,
    check: async (world) => difference(await referred(world, query), { status: 400 }),
  };
}

const REFERRAL = '4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS';

/** The statements hold with `house-fees`, as the public service takes them. */
export const feeStatements: readonly Statement[] = [
  ...PAIRS.map(taken),
  {
    id: 'fees/input-amount',
    says: 'platformFee.amount of a fee in the input is the floor of its share of inAmount.',
    check: async (world) => {
      const { platformFee } = await orderOf(world, { ...SWAP, amount: '99999999' });
      return unless(platformFee.amount === '19999', platformFee);
    },
  },
  {
    id: 'fees/executed-in-the-input',
    says: 'A fee in the input is totalInputAmount less inputAmountResult, and what the order said.',
    check: (world) => keptBy(world, SWAP),
  },
  {
    id: 'fees/executed-in-the-output',
    says: 'A fee in the output is outputAmountResult less totalOutputAmount, and what the order said.',
    check: (world) => keptBy(world, { ...SWAP, inputMint: mintOf('BONK'), outputMint: mintOf('USDC') }),
  },
  {
    id: 'fees/both-modes',
    says: 'An order costs the same in manual mode as in ultra mode.',
    check: async (world) => {
      const ultra = await orderOf(world, SWAP);
      const manual = await orderOf(world, { ...SWAP, slippageBps: '50' });
      const seen = [ultra, manual].map(({ mode, feeBps, platformFee }) => [mode, feeBps, platformFee.amount]);
      return unless(`${seen}` === 'ultra,2,20000,manual,2,20000', seen);
    },
  },
  {
    id: 'fees/gasless',
    says: 'feeBps of a sponsored order is the platform fee and the recoup of the gas; platformFee is the first alone.',
    check: async (world) => {
      const taker = await kit.generateKeyPairSigner();
      const gift = { wallet: taker.address, mint: mintOf('USDC'), amount: '100000000' };
      await world.admin('POST', '/admin/v1/network/faucet', gift);
      const pair = { inputMint: mintOf('USDC'), outputMint: mintOf('SOL'), amount: '50000000' };
      const order = await orderOf(world, { ...pair, taker: taker.address });
      const { gasless, feeBps, platformFee, signatureFeePayer } = order;
      const isSponsored = gasless === true && signatureFeePayer !== taker.address;
      if (!isSponsored || platformFee.feeBps !== 2 || feeBps <= 2) return JSON.stringify(order);
      const result = await executed(world, order, taker);
      return unless(result.totalOutputAmount === order.outAmount, [result, order.outAmount]);
    },
  },
  {
    id: 'fees/referral-without-account',
    says: 'A referral without a token account for the fee falls back to the platform fee.',
    check: async (world) => {
      const { json } = await referred(world, { referralAccount: REFERRAL, referralFee: '100' });
      return unless(json.feeBps === 2 && json.platformFee.feeBps === 2 && json.transaction !== '', json);
    },
  },
  refusesReferral('too-small', 'referralFee below 50 is refused.', {
    referralAccount: REFERRAL,
    referralFee: '49',
  }),
  refusesReferral('too-large', 'referralFee above 255 is refused.', {
    referralAccount: REFERRAL,
    referralFee: '256',
  }),
  refusesReferral('alone', 'referralFee needs referralAccount.', { referralFee: '50' }),
  {
    id: 'fees/build-is-free',
    says: 'A build has no swap fee: the route takes the whole amount.',
    check: async (world) => {
      const query = new URLSearchParams({ ...SWAP, taker: world.wallet.address });
      const { json } = await world.ask(`/swap/v2/build?${query}`);
      const first = json.routePlan.filter(
        ({ swapInfo }: { swapInfo: { inputMint: string } }) => swapInfo.inputMint === SWAP.inputMint,
      );
      const spent = first.reduce(
        (sum: number, { swapInfo }: { swapInfo: { inAmount: string } }) => sum + Number(swapInfo.inAmount),
        0,
      );
      return unless(spent === Number(SWAP.amount), spent);
    },
  },
];
