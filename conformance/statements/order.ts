import { type Answer, difference, firstOf, unless } from '../answer.ts';
import type { Statement } from '../statement.ts';
import type { World } from '../world.ts';
import { BONK, SOL, UNKNOWN_MINT, USDC } from './mints.ts';
import { decodeTransaction } from './transactions.ts';

const PATH = '/swap/v2/order';
const QUOTES_FAILED = 'Failed to get quotes';

/** Asks for 0.1 SOL to USDC; `changes` is appended as it stands, so that a parameter can be given in any form. */
function order(world: World, changes = '', { outputMint = USDC, path = PATH } = {}): Promise<Answer> {
  const query = `inputMint=${SOL}&outputMint=${outputMint}&amount=100000000&taker=${world.wallet.address}`;
  return world.ask(`${path}?${query}${changes}`);
}

/** An order with each of the queries has the status, and its body these members. */
function answers(
  id: string,
  says: string,
  queries: readonly string[],
  expected: { readonly status: number; readonly body?: Readonly<Record<string, unknown>> },
): Statement {
  return {
    id: `order/${id}`,
    says,
    check: async (world) => {
      const seen = await Promise.all(queries.map((query) => order(world, query)));
      return firstOf(...seen.map((answer) => difference(answer, expected)));
    },
  };
}

const UNQUOTED = { status: 400, body: { error: QUOTES_FAILED } };
const REFUSED = { status: 400 };
const OK = { status: 200 };
const MANUAL = { status: 200, body: { mode: 'manual' } };

const fields: readonly Statement[] = [
  {
    id: 'order/fields',
    says: 'An order carries every field of the shape.',
    check: async (world) => {
      const answer = await order(world);
      const missing = [
        ...['mode', 'inputMint', 'outputMint', 'inAmount', 'outAmount', 'inUsdValue', 'outUsdValue'],
        ...[
          'priceImpact',
          'priceImpactPct',
          'swapUsdValue',
          'otherAmountThreshold',
          'swapMode',
          'slippageBps',
        ],
        ...['routePlan', 'feeMint', 'feeBps', 'platformFee', 'signatureFeeLamports', 'signatureFeePayer'],
        ...['prioritizationFeeLamports', 'prioritizationFeePayer', 'rentFeeLamports', 'rentFeePayer'],
        ...['swapType', 'router', 'transaction', 'lastValidBlockHeight', 'gasless', 'requestId', 'totalTime'],
        'taker',
      ].filter((name) => answer.json?.[name] === undefined);
      return difference(answer, OK) ?? unless(missing.length === 0, { missing });
    },
  },
  {
    id: 'order/encodings',
    says: 'Amounts and block heights are decimal texts, fees in lamports are numbers, requestId is a UUID.',
    check: async (world) => {
      const { json } = await order(world);
      const texts = [json.inAmount, json.outAmount, json.otherAmountThreshold, json.lastValidBlockHeight];
      const numbers = [json.signatureFeeLamports, json.prioritizationFeeLamports, json.rentFeeLamports];
      const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(json.requestId);
      return unless(texts.every((text) => /^\d+$/.test(text)) && numbers.every(Number.isInteger) && isUuid, {
        texts,
        numbers,
        requestId: json.requestId,
      });
    },
  },
  {
    id: 'order/price-impact',
    says: 'priceImpactPct is outUsdValue / inUsdValue - 1 as a text, and priceImpact 100 times that.',
    check: async (world) => {
      const queries = ['', '&amount=100000000000', '&slippageBps=10'].map((query) =>
        world.ask(`${PATH}?inputMint=${SOL}&outputMint=${USDC}${query || '&amount=1000000'}`),
      );
      const seen = await Promise.all(queries);
      return firstOf(
        ...seen
          .filter(({ status }) => status === 200)
          .map(({ json }) => {
            const { priceImpact, priceImpactPct, inUsdValue, outUsdValue, swapUsdValue } = json;
            const ratio = outUsdValue / inUsdValue - 1;
            const holds =
              Math.abs(Number(priceImpactPct) - ratio) < 1e-12 && typeof priceImpactPct === 'string';
            const isPoints = Math.abs(priceImpact - 100 * ratio) < 1e-9;
            return unless(holds && isPoints && swapUsdValue === inUsdValue, json);
          }),
      );
    },
  },
  {
    id: 'order/threshold',
    says: 'otherAmountThreshold is outAmount x (10000 - slippageBps) / 10000, rounded up.',
    check: async (world) => {
      const seen = await Promise.all(
        ['', '&slippageBps=0', '&slippageBps=77'].map((query) => order(world, query)),
      );
      return firstOf(
        ...seen.map(({ json }) => {
          const kept = BigInt(json.outAmount) * BigInt(10_000 - json.slippageBps);
          return unless((kept + 9_999n) / 10_000n === BigInt(json.otherAmountThreshold), json);
        }),
      );
    },
  },
  {
    id: 'order/without-taker',
    says: 'Without taker, transaction, taker and the payers are null.',
    check: async (world) =>
      difference(await world.ask(`${PATH}?inputMint=${SOL}&outputMint=${USDC}&amount=100000000`), {
        status: 200,
        body: {
          transaction: null,
          taker: null,
          gasless: false,
          signatureFeePayer: null,
          prioritizationFeePayer: null,
          rentFeePayer: null,
        },
      }),
  },
  {
    id: 'order/transaction',
    says: 'The transaction has version 0, no signature, at most 1232 bytes and 64 accounts, and a compute budget.',
    check: async (world) => {
      const { json } = await order(world);
      const { transaction, units, microLamports, ...sizes } = decodeTransaction(json.transaction);
      const isUnsigned = Object.values(transaction.signatures).every((signature) => signature === null);
      const isBounded = sizes.bytes <= 1_232 && sizes.accounts <= 64 && sizes.version === 0;
      const isBudgeted = units !== null && microLamports !== null && units < 1_400_000n;
      return unless(isUnsigned && isBounded && isBudgeted && sizes.feePayer === json.taker, sizes);
    },
  },
  {
    id: 'order/priority-fee-formula',
    says: 'prioritizationFeeLamports is the unit limit times the unit price / 1000000, rounded down, plus the tip.',
    check: async (world) => {
      const queries = [
        ['', 0n],
        ['&priorityFeeLamports=54321', 0n],
        ['&priorityFeeLamports=1', 0n],
        ['&jitoTipLamports=123456', 123_456n],
      ] as const;
      for (const [query, tip] of queries) {
        const { json } = await order(world, query);
        const { units, microLamports } = decodeTransaction(json.transaction);
        const fee = ((units ?? 0n) * (microLamports ?? 0n)) / 1_000_000n + tip;
        if (fee !== BigInt(json.prioritizationFeeLamports)) {
          return unless(false, { query, units, microLamports, stated: json.prioritizationFeeLamports });
        }
      }
      return null;
    },
  },
  {
    id: 'order/priority-fee-given',
    says: 'priorityFeeLamports is what is paid, or with maxCap the most that is.',
    check: async (world) => {
      const exact = (await order(world, '&priorityFeeLamports=54321')).json.prioritizationFeeLamports;
      const capped = (await order(world, '&priorityFeeLamports=54321&broadcastFeeType=maxCap')).json;
      return unless(exact >= 54_320 && exact <= 54_321 && capped.prioritizationFeeLamports <= 54_321, [
        exact,
        capped.prioritizationFeeLamports,
      ]);
    },
  },
  {
    id: 'order/payer',
    says: 'Another payer pays and signs too, the swap is gasless for the taker, and the router is metis.',
    check: async (world) => {
      const payer = (await world.newWallet()).address;
      const answer = await order(world, `&payer=${payer}`);
      const body = {
        mode: 'manual',
        router: 'metis',
        gasless: true,
        signatureFeeLamports: 10_000,
        signatureFeePayer: payer,
        prioritizationFeePayer: payer,
        rentFeePayer: payer,
      };
      const differs = difference(answer, { status: 200, body });
      if (differs !== null) return differs;
      const { signers, feePayer } = decodeTransaction(answer.json.transaction);
      return unless(signers === 2 && feePayer === payer, { signers, feePayer });
    },
  },
  {
    id: 'order/payer-is-taker',
    says: 'A payer that is the taker counts as not given.',
    check: async (world) =>
      difference(await order(world, `&payer=${world.wallet.address}`), {
        status: 200,
        body: { gasless: false, signatureFeePayer: world.wallet.address, signatureFeeLamports: 5_000 },
      }),
  },
  {
    id: 'order/payer-without-router',
    says: 'Another payer with excludeRouters=metis leaves nothing: 400 Failed to get quotes.',
    check: async (world) => {
      const payer = (await world.newWallet()).address;
      return difference(await order(world, `&payer=${payer}&excludeRouters=metis`), UNQUOTED);
    },
  },
  {
    id: 'order/receiver',
    says: 'receiver is another wallet than taker.',
    check: async (world) =>
      firstOf(
        difference(await order(world, `&receiver=${(await world.newWallet()).address}`), MANUAL),
        difference(await order(world, `&receiver=${world.wallet.address}`), REFUSED),
      ),
  },
  {
    id: 'order/unknown-mint',
    says: 'Without a route: 400 Failed to get quotes, with requestId, and why in details.',
    check: async (world) => {
      const answer = await order(world, '', { outputMint: UNKNOWN_MINT });
      const { requestId, details } = answer.json ?? {};
      return difference(answer, UNQUOTED) ?? unless(/-/.test(requestId) && / /.test(details), answer.text);
    },
  },
  {
    id: 'order/insufficient-funds',
    says: 'A taker without the input token: 200, transaction "", errorCode 1, `Insufficient funds`.',
    check: async (world) => {
      const taker = (await world.newWallet()).address;
      const query = `inputMint=${BONK}&outputMint=${USDC}&amount=1000000000&taker=${taker}`;
      const error = 'Insufficient funds';
      const body = { transaction: '', errorCode: 1, errorMessage: error, error };
      return difference(await world.ask(`${PATH}?${query}`), { status: 200, body });
    },
  },
  {
    id: 'order/top-up',
    says: 'Too little SOL for gas: 200, transaction "", errorCode 2, `Top up <amount> SOL for gas`.',
    check: async (world) => {
      const payer = (await world.newWallet(0n)).address;
      const answer = await order(world, `&payer=${payer}`);
      const { error, errorMessage } = answer.json ?? {};
      const body = { transaction: '', errorCode: 2 };
      const isText = /^Top up \d+(\.\d+)? SOL for gas$/.test(error) && error === errorMessage;
      return difference(answer, { status: 200, body }) ?? unless(isText, answer.json.error);
    },
  },
  {
    id: 'order/ultra',
    says: '/ultra/v1/order answers the same.',
    check: async (world) =>
      difference(await order(world, '', { path: '/ultra/v1/order' }), {
        status: 200,
        body: { mode: 'ultra', router: 'metis', swapType: 'aggregator' },
      }),
  },
];

const parameters: readonly Statement[] = [
  answers('mode-ultra', 'mode is ultra without optional parameters.', [''], {
    status: 200,
    body: { mode: 'ultra', swapMode: 'ExactIn' },
  }),
  answers(
    'mode-manual',
    'mode is manual with one.',
    ['&slippageBps=50', '&priorityFeeLamports=1000', '&jitoTipLamports=1000', '&excludeRouters=jupiterz'],
    MANUAL,
  ),
  answers(
    'nothing-left',
    'excludeRouters=metis,jupiterz leaves nothing, in every form of a list.',
    [
      ...['&excludeRouters=jupiterz,metis', '&excludeRouters=iris,jupiterz'],
      ...['&excludeRouters=jupiterz&excludeRouters=metis', '&excludeRouters[]=metis,jupiterz'],
      ...[
        '&excludeRouters%5B%5D=metis,jupiterz',
        '&excludeRouters=okx,jupiterz&excludeRouters[]=dflow,metis',
      ],
    ],
    UNQUOTED,
  ),
  answers(
    'router-names',
    'Every name of a router may be excluded.',
    ['&excludeRouters=jupiterz', '&excludeRouters=dflow,okx'],
    OK,
  ),
  answers('unknown-router', 'Another name is refused.', ['&excludeRouters=nobody'], REFUSED),
  answers(
    'excluded-dexes',
    'excludeDexes and dexes take labels, in every form of a list.',
    [
      '&excludeDexes=Whirlpool',
      '&excludeDexes=Whirlpool&excludeDexes=Saber',
      '&dexes[]=Whirlpool&dexes=Raydium%20CP',
    ],
    MANUAL,
  ),
  answers('unknown-parameters', 'Unknown parameters are ignored.', ['&closeAuthority=x&foo[]=1&foo=2'], {
    status: 200,
    body: { mode: 'ultra' },
  }),
  answers(
    'exact-out',
    'ExactOut is quoted by makers of jupiterz only: without one, the order is refused.',
    ['&swapMode=ExactOut&excludeRouters=jupiterz'],
    REFUSED,
  ),
  answers(
    'priority-fee-bounds',
    'priorityFeeLamports is above 0.',
    ['&priorityFeeLamports=0', '&priorityFeeLamports=-1', '&priorityFeeLamports=1.5'],
    REFUSED,
  ),
  answers(
    'priority-fee-unbounded',
    'priorityFeeLamports has no upper bound of its own.',
    ['&priorityFeeLamports=10000000001'],
    OK,
  ),
  answers(
    'tip-bounds',
    'jitoTipLamports is at least 1000.',
    ['&jitoTipLamports=999', '&jitoTipLamports=-1'],
    REFUSED,
  ),
  answers(
    'slippage-bounds',
    'slippageBps is 0 to 10000.',
    ['&slippageBps=10001', '&slippageBps=-1'],
    REFUSED,
  ),
  answers(
    'slippage-included',
    'The bounds of slippageBps are included.',
    ['&slippageBps=0', '&slippageBps=10000'],
    OK,
  ),
  answers(
    'fee-type-alone',
    'broadcastFeeType without a fee has no effect.',
    ['&broadcastFeeType=maxCap'],
    OK,
  ),
  answers('fee-type', 'broadcastFeeType is maxCap or exactFee.', ['&broadcastFeeType=all'], REFUSED),
  answers(
    'referral-bounds',
    'referralFee is 50 to 255.',
    [`&referralAccount=${UNKNOWN_MINT}&referralFee=49`, `&referralAccount=${UNKNOWN_MINT}&referralFee=256`],
    REFUSED,
  ),
  answers(
    'referral-pair',
    'referralFee and referralAccount are given together.',
    ['&referralFee=50', `&referralAccount=${UNKNOWN_MINT}`],
    REFUSED,
  ),
  answers(
    'referral-without-account',
    'A referral without a token account: the order comes, without that fee.',
    [`&referralAccount=${UNKNOWN_MINT}&referralFee=50`],
    { status: 200, body: { mode: 'manual', referralAccount: UNKNOWN_MINT } },
  ),
];

export const orderStatements: readonly Statement[] = [...fields, ...parameters];
