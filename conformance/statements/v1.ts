import { type Answer, difference, firstOf, unless } from '../answer.ts';
import type { Statement } from '../statement.ts';
import type { World } from '../world.ts';
import { SOL, UNKNOWN_MINT, USDC } from './mints.ts';

const LARGEST = '18446744073709551615';

/** Asks for 0.1 SOL to USDC; `changes` is appended as it stands, so that a parameter can be given in any form. */
function quote(
  world: World,
  changes = '',
  { inputMint = SOL, outputMint = USDC, amount = '100000000' } = {},
) {
  const query = `inputMint=${inputMint}&outputMint=${outputMint}&amount=${amount}`;
  return world.ask(`/swap/v1/quote?${query}${changes}`);
}

/** Takes a quote of 0.1 SOL and has it made into a transaction, or into instructions. */
async function swap(
  world: World,
  fields: Readonly<Record<string, unknown>> = {},
  { path = '/swap/v1/swap', changes = '' } = {},
): Promise<Answer> {
  const { json: quoteResponse } = await quote(world, changes);
  const body = { userPublicKey: world.wallet.address, quoteResponse, ...fields };
  return world.ask(path, { method: 'POST', body });
}

const INSTRUCTIONS = { path: '/swap/v1/swap-instructions' };

function missingFields(answer: Answer, names: readonly string[]): string | null {
  const missing = names.filter((name) => answer.json?.[name] === undefined);
  return difference(answer, { status: 200 }) ?? unless(missing.length === 0, { missing });
}

async function labelsOf(world: World, changes: string): Promise<readonly string[]> {
  const { json } = await quote(world, changes);
  return (json?.routePlan ?? []).map((step: { swapInfo: { label: string } }) => step.swapInfo.label);
}

const RESTRICTED = ['Meteora DAMM v2', 'Saber'];

function restrictsTo(form: string, query: string): Statement {
  return {
    id: `v1/list-${form}`,
    says: `A list may be given as \`${query}\`.`,
    check: async (world) => {
      const labels = await labelsOf(world, `&${query}`);
      return unless(labels.length > 0 && labels.every((label) => RESTRICTED.includes(label)), labels);
    },
  };
}

/** A quote with `query` is refused with the status 400 and `errorCode`. */
function quoteRefusal(id: string, says: string, query: string, errorCode?: string): Statement {
  const body = errorCode === undefined ? {} : { errorCode };
  return {
    id: `v1/${id}`,
    says,
    check: async (world) => difference(await quote(world, query), { status: 400, body }),
  };
}

/** A request of both second calls is accepted, or refused with `errorCode`. */
function swapAnswer(
  id: string,
  says: string,
  fields: Readonly<Record<string, unknown>>,
  expected: { readonly status: number; readonly errorCode?: string } = { status: 200 },
): Statement {
  const { status, errorCode } = expected;
  const body = errorCode === undefined ? {} : { errorCode };
  return {
    id: `v1/${id}`,
    says,
    check: async (world) =>
      firstOf(
        difference(await swap(world, fields), { status, body }),
        difference(await swap(world, fields, INSTRUCTIONS), { status, body }),
      ),
  };
}

const level = (maxLamports: unknown) => ({
  priorityLevelWithMaxLamports: { priorityLevel: 'veryHigh', maxLamports },
});

/** Replaces the first step of a quote's plan. */
async function withStep(world: World, change: (step: Record<string, unknown>) => object): Promise<Answer> {
  const { json } = await quote(world);
  const quoteResponse = { ...json, routePlan: json.routePlan.map(change) };
  const body = { userPublicKey: world.wallet.address, quoteResponse };
  return world.ask('/swap/v1/swap', { method: 'POST', body });
}

const quotes: readonly Statement[] = [
  {
    id: 'v1/quote-fields',
    says: 'A quote carries every field of the shape.',
    check: async (world) =>
      missingFields(await quote(world), [
        ...['inputMint', 'inAmount', 'outputMint', 'outAmount', 'otherAmountThreshold', 'swapMode'],
        ...['slippageBps', 'platformFee', 'priceImpactPct', 'routePlan', 'contextSlot', 'timeTaken'],
      ]),
  },
  {
    id: 'v1/quote-defaults',
    says: 'The defaults are ExactIn, 50 basis points and V1.',
    check: async (world) =>
      difference(await quote(world), {
        status: 200,
        body: { swapMode: 'ExactIn', slippageBps: 50, instructionVersion: 'V1' },
      }),
  },
  {
    id: 'v1/platform-fee-null',
    says: 'platformFee is null without a fee, and otherwise has amount and feeBps.',
    check: async (world) => {
      const { json } = await quote(world, '&platformFeeBps=20');
      const { platformFee, outAmount } = json;
      const amount = (BigInt(outAmount) + BigInt(platformFee.amount)) * 20n;
      return firstOf(
        difference(await quote(world), { body: { platformFee: null } }),
        unless(platformFee.feeBps === 20 && amount / 10_000n === BigInt(platformFee.amount), platformFee),
      );
    },
  },
  {
    id: 'v1/threshold',
    says: 'otherAmountThreshold is ceil(outAmount x (10000 - slippageBps) / 10000).',
    check: async (world) => {
      const { json } = await quote(world, '&slippageBps=123');
      const least = (BigInt(json.outAmount) * 9_877n + 9_999n) / 10_000n;
      return unless(`${least}` === json.otherAmountThreshold, json.otherAmountThreshold);
    },
  },
  {
    id: 'v1/exact-out',
    says: 'With ExactOut, amount is the output, and otherAmountThreshold is ceil(inAmount x (10000 + slippageBps) / 10000).',
    check: async (world) => {
      const answer = await quote(world, '&swapMode=ExactOut&slippageBps=100', { amount: '5000000' });
      const { inAmount, otherAmountThreshold: most } = answer.json ?? {};
      return firstOf(
        difference(answer, { status: 200, body: { outAmount: '5000000', swapMode: 'ExactOut' } }),
        unless(BigInt(most) === (BigInt(inAmount) * 10_100n + 9_999n) / 10_000n, { inAmount, most }),
      );
    },
  },
  {
    id: 'v1/time-taken',
    says: 'timeTaken is in seconds, and contextSlot is a number.',
    check: async (world) => {
      const { json } = await quote(world);
      const holds = json.timeTaken >= 0 && json.timeTaken < 1 && Number.isInteger(json.contextSlot);
      return unless(holds, { timeTaken: json.timeTaken, contextSlot: json.contextSlot });
    },
  },
  {
    id: 'v1/direct-routes',
    says: 'onlyDirectRoutes restricts a quote to one pool.',
    check: async (world) => {
      const { json } = await quote(world, '&onlyDirectRoutes=true');
      return unless(json?.routePlan?.length === 1, json);
    },
  },
  restrictsTo('commas', 'dexes=Meteora%20DAMM%20v2,Saber'),
  restrictsTo('repeated', 'dexes=Meteora%20DAMM%20v2&dexes=Saber'),
  restrictsTo('brackets', 'dexes[]=Meteora%20DAMM%20v2&dexes[]=Saber'),
  restrictsTo('encoded-brackets', 'dexes%5B%5D=Meteora%20DAMM%20v2&dexes%5B%5D=Saber'),
  restrictsTo('mixed', 'dexes=Meteora%20DAMM%20v2&dexes[]=Saber'),
  {
    id: 'v1/unknown-parameter',
    says: 'Unknown query parameters are ignored.',
    check: async (world) => difference(await quote(world, '&onlyLegacy=1'), { status: 200 }),
  },
  {
    id: 'v1/no-route',
    says: 'Without a route, error is `Could not find any route`, with its code.',
    check: async (world) =>
      difference(await quote(world, '', { amount: '1' }), {
        status: 400,
        body: { error: 'Could not find any route', errorCode: 'COULD_NOT_FIND_ANY_ROUTE' },
      }),
  },
  {
    id: 'v1/not-tradable',
    says: 'A mint that nothing trades is TOKEN_NOT_TRADABLE.',
    check: async (world) =>
      difference(await quote(world, '', { outputMint: UNKNOWN_MINT }), {
        status: 400,
        body: { errorCode: 'TOKEN_NOT_TRADABLE' },
      }),
  },
  {
    id: 'v1/circular',
    says: 'A token swapped for itself is CIRCULAR_ARBITRAGE_IS_DISABLED.',
    check: async (world) =>
      difference(await quote(world, '', { outputMint: SOL }), {
        status: 400,
        body: { errorCode: 'CIRCULAR_ARBITRAGE_IS_DISABLED' },
      }),
  },
  quoteRefusal(
    'slippage-bound',
    'slippageBps above 10000 is CANNOT_COMPUTE_OTHER_AMOUNT_THRESHOLD.',
    '&slippageBps=10001',
    'CANNOT_COMPUTE_OTHER_AMOUNT_THRESHOLD',
  ),
  quoteRefusal('negative-slippage', 'A negative slippageBps is refused.', '&slippageBps=-1'),
  quoteRefusal('swap-mode', 'swapMode is ExactIn or ExactOut.', '&swapMode=Exact'),
  quoteRefusal('instruction-version', 'instructionVersion is V1 or V2.', '&instructionVersion=V3'),
  quoteRefusal('fee-bound', 'platformFeeBps of V1 is one byte.', '&platformFeeBps=256'),
];

const swaps: readonly Statement[] = [
  {
    id: 'v1/swap-fields',
    says: 'A swap carries every field of the shape and those that the public service adds.',
    check: async (world) =>
      missingFields(await swap(world), [
        ...['swapTransaction', 'lastValidBlockHeight', 'prioritizationFeeLamports', 'computeUnitLimit'],
        ...['prioritizationType', 'dynamicSlippageReport', 'simulationError'],
      ]),
  },
  {
    id: 'v1/swap-instructions-fields',
    says: 'swap-instructions carries every field, and tokenLedgerInstruction is null unless asked for.',
    check: async (world) => {
      const answer = await swap(world, {}, INSTRUCTIONS);
      return (
        missingFields(answer, [
          ...['otherInstructions', 'computeBudgetInstructions', 'setupInstructions', 'swapInstruction'],
          ...['addressLookupTableAddresses', 'prioritizationType', 'dynamicSlippageReport'],
          'cleanupInstruction',
        ]) ?? difference(answer, { body: { tokenLedgerInstruction: null } })
      );
    },
  },
  {
    id: 'v1/compute-limit',
    says: 'The compute limit is 1,400,000, and less when it is measured.',
    check: async (world) => {
      const { json } = await swap(world, { dynamicComputeUnitLimit: true });
      return (
        difference(await swap(world), { status: 200, body: { computeUnitLimit: 1_400_000 } }) ??
        unless(json.computeUnitLimit < 1_400_000 && json.simulationError === null, json)
      );
    },
  },
  {
    id: 'v1/prioritization-type',
    says: 'prioritizationType.computeBudget has the price that is paid and the estimate, and floor(limit x price / 1e6) is the fee.',
    check: async (world) => {
      const { json } = await swap(world, {
        computeUnitPriceMicroLamports: 25_715,
        dynamicComputeUnitLimit: true,
      });
      const { microLamports, estimatedMicroLamports } = json.prioritizationType?.computeBudget ?? {};
      const fee = Math.floor((json.computeUnitLimit * 25_715) / 1e6);
      const holds = microLamports === 25_715 && Number.isInteger(estimatedMicroLamports);
      return unless(holds && json.prioritizationFeeLamports === fee, { ...json, swapTransaction: '' });
    },
  },
  {
    id: 'v1/tip',
    says: 'A tip stands in otherInstructions, in place of a priority fee.',
    check: async (world) => {
      const { json } = await swap(
        world,
        { prioritizationFeeLamports: { jitoTipLamports: 1_000 } },
        INSTRUCTIONS,
      );
      const kinds = json.computeBudgetInstructions.map(
        ({ data }: { data: string }) => Buffer.from(data, 'base64')[0],
      );
      const holds = json.otherInstructions.length === 1 && kinds.length === 1 && kinds[0] === 2;
      return unless(holds, { kinds, otherInstructions: json.otherInstructions });
    },
  },
  {
    id: 'v1/dynamic-slippage',
    says: 'dynamicSlippageReport is null, and has the slippage when it is estimated.',
    check: async (world) => {
      const { json } = await swap(world, { dynamicSlippage: true });
      return (
        difference(await swap(world), { status: 200, body: { dynamicSlippageReport: null } }) ??
        unless(Number.isInteger(json.dynamicSlippageReport?.slippageBps), json.dynamicSlippageReport)
      );
    },
  },
  {
    id: 'v1/default-preflight',
    says: 'A node accepts the transaction by a simulation at its default commitment, `finalized`.',
    check: async (world) => {
      const { json } = await swap(world);
      const { value } = await world.rpc
        .simulateTransaction(json.swapTransaction, { encoding: 'base64', commitment: 'finalized' })
        .send();
      return unless(value.err === null, value.err);
    },
  },
  {
    id: 'v1/blockhash-lifetime',
    says: 'blockhashSlotsToExpiry says for how many slots the transaction is valid.',
    check: async (world) => {
      await world.admin('POST', '/admin/v1/network/clock', { slots: 100 });
      const { json } = await swap(world, { blockhashSlotsToExpiry: 60 });
      const height = Number(await world.rpc.getBlockHeight({ commitment: 'processed' }).send());
      const left = json.lastValidBlockHeight - height;
      return unless(left <= 60 && left > 30, { left });
    },
  },
  swapAnswer(
    'price-and-fee',
    'A price together with a fee is INVALID_COMPUTE_UNIT_PRICE_AND_PRIORITIZATION_FEE.',
    { computeUnitPriceMicroLamports: 1, prioritizationFeeLamports: 1 },
    { status: 400, errorCode: 'INVALID_COMPUTE_UNIT_PRICE_AND_PRIORITIZATION_FEE' },
  ),
  swapAnswer('max-lamports', 'maxLamports is any number of 64 bits.', {
    prioritizationFeeLamports: level(Number(LARGEST)),
  }),
  swapAnswer('unit-price-bound', 'computeUnitPriceMicroLamports is any number of 64 bits.', {
    computeUnitPriceMicroLamports: Number(LARGEST),
  }),
  swapAnswer('tip-bound', 'jitoTipLamports may exceed 10 SOL.', {
    prioritizationFeeLamports: { jitoTipLamports: 10_000_000_001 },
  }),
  swapAnswer('nulls', 'Null stands for an absent field.', {
    payer: null,
    feeAccount: null,
    prioritizationFeeLamports: null,
    dynamicSlippage: null,
    useTokenLedger: null,
  }),
  swapAnswer('unknown-fields', 'Unknown fields of the body are ignored.', { onlyLegacy: 1 }),
  swapAnswer('automatic-fee', 'prioritizationFeeLamports may be "auto".', {
    prioritizationFeeLamports: 'auto',
  }),
  {
    id: 'v1/market-not-found',
    says: 'A pool that does not exist is MARKET_NOT_FOUND.',
    check: async (world) =>
      difference(
        await withStep(world, (step) => ({
          ...step,
          swapInfo: { ...(step.swapInfo as object), ammKey: UNKNOWN_MINT },
        })),
        { status: 400, body: { errorCode: 'MARKET_NOT_FOUND' } },
      ),
  },
  {
    id: 'v1/plan-not-whole',
    says: 'A plan that leaves some of the input is ROUTE_PLAN_DOES_NOT_CONSUME_ALL_THE_AMOUNT.',
    check: async (world) =>
      difference(await withStep(world, (step) => ({ ...step, percent: 1, bps: 100 })), {
        status: 400,
        body: { errorCode: 'ROUTE_PLAN_DOES_NOT_CONSUME_ALL_THE_AMOUNT' },
      }),
  },
  {
    id: 'v1/token-ledger',
    says: 'With useTokenLedger, tokenLedgerInstruction notes the balance, and the swap spends what arrives.',
    check: async (world) => {
      const { json } = await swap(world, { useTokenLedger: true }, INSTRUCTIONS);
      const kind = (each: { data: string } | null) =>
        each === null ? null : Buffer.from(each.data, 'base64').subarray(0, 8).toString('hex');
      const kinds = [kind(json.tokenLedgerInstruction), kind(json.swapInstruction)];
      return unless(kinds[0] === 'e455b9704e4f4d02' && kinds[1] === '96564774a75d0e68', kinds);
    },
  },
  {
    id: 'v1/token-ledger-not-supported',
    says: 'useTokenLedger with a quote of V2 is NOT_SUPPORTED.',
    check: async (world) =>
      difference(
        await swap(world, { useTokenLedger: true }, { ...INSTRUCTIONS, changes: '&instructionVersion=V2' }),
        { status: 400, body: { errorCode: 'NOT_SUPPORTED' } },
      ),
  },
  {
    id: 'v1/labels',
    says: 'program-id-to-label gives labels by programs, at /swap/v1 and /swap/v2.',
    check: async (world) => {
      const [v1, v2] = await Promise.all(
        ['v1', 'v2'].map((version) => world.ask(`/swap/${version}/program-id-to-label`)),
      );
      const labels = Object.values(v1?.json ?? {});
      return unless(labels.includes('Whirlpool') && v1?.text === v2?.text, v1?.text);
    },
  },
];

export const v1Statements: readonly Statement[] = [...quotes, ...swaps];
