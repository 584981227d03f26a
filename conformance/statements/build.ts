import { difference, firstOf, unless } from '../answer.ts';
import type { Statement } from '../statement.ts';
import type { World } from '../world.ts';
import { SOL, UNKNOWN_MINT, USDC } from './mints.ts';

const PATH = '/swap/v2/build';

/** Asks for 0.1 SOL to USDC; `changes` is appended as it stands, so that a parameter can be given in any form. */
function build(world: World, changes = '', outputMint = USDC) {
  const query = `inputMint=${SOL}&outputMint=${outputMint}&amount=100000000&taker=${world.wallet.address}`;
  return world.ask(`${PATH}?${query}${changes}`);
}

/** Returns the labels of the route's venues. */
async function labelsOf(world: World, changes: string): Promise<readonly string[]> {
  const { json } = await build(world, changes);
  return (json?.routePlan ?? []).map((step: { swapInfo: { label: string } }) => step.swapInfo.label);
}

/** Venues that the best route of this pair does not use, so that only a list that is understood leads to them. */
const RESTRICTED = ['Meteora DAMM v2', 'Saber'];

function restrictsTo(form: string, query: string): Statement {
  return {
    id: `build/list-${form}`,
    says: `A list may be given as \`${query}\`.`,
    check: async (world) => {
      const labels = await labelsOf(world, `&${query}`);
      return unless(labels.length > 0 && labels.every((label) => RESTRICTED.includes(label)), labels);
    },
  };
}

export const buildStatements: readonly Statement[] = [
  {
    id: 'build/fields',
    says: 'A build carries every field of the shape.',
    check: async (world) => {
      const { json } = await build(world);
      const missing = [
        ...['inputMint', 'outputMint', 'inAmount', 'outAmount', 'otherAmountThreshold', 'swapMode'],
        ...['slippageBps', 'priceImpactPct', 'routePlan', 'computeBudgetInstructions', 'setupInstructions'],
        ...['swapInstruction', 'cleanupInstruction', 'otherInstructions', 'tipInstruction'],
        ...['addressesByLookupTableAddress', 'blockhashWithMetadata'],
      ].filter((name) => json?.[name] === undefined);
      return unless(missing.length === 0, { missing });
    },
  },
  {
    id: 'build/compute-unit-price-only',
    says: 'computeBudgetInstructions holds SetComputeUnitPrice alone.',
    check: async (world) => {
      const { json } = await build(world);
      const kinds = json?.computeBudgetInstructions.map(
        ({ data }: { data: string }) => Buffer.from(data, 'base64')[0],
      );
      return unless(kinds.length === 1 && kinds[0] === 3, kinds);
    },
  },
  {
    id: 'build/default-slippage',
    says: 'slippageBps is 50 by default.',
    check: async (world) => difference(await build(world), { status: 200, body: { slippageBps: 50 } }),
  },
  restrictsTo('commas', 'dexes=Meteora%20DAMM%20v2,Saber'),
  restrictsTo('repeated', 'dexes=Meteora%20DAMM%20v2&dexes=Saber'),
  restrictsTo('brackets', 'dexes[]=Meteora%20DAMM%20v2&dexes[]=Saber'),
  restrictsTo('encoded-brackets', 'dexes%5B%5D=Meteora%20DAMM%20v2&dexes%5B%5D=Saber'),
  restrictsTo('mixed', 'dexes=Meteora%20DAMM%20v2&dexes[]=Saber'),
  {
    id: 'build/dexes-exclude-each-other',
    says: 'dexes and excludeDexes exclude each other.',
    check: async (world) =>
      difference(await build(world, '&dexes=Whirlpool&excludeDexes=Whirlpool'), { status: 400 }),
  },
  {
    id: 'build/no-route',
    says: 'Without a route, error is `No routes found`.',
    check: async (world) =>
      difference(await build(world, '', UNKNOWN_MINT), { status: 400, body: { error: 'No routes found' } }),
  },
  {
    id: 'build/fee-needs-account',
    says: 'A positive platformFeeBps needs feeAccount.',
    check: async (world) => difference(await build(world, '&platformFeeBps=10'), { status: 400 }),
  },
  {
    id: 'build/bounds',
    says: 'slippageBps is 0 to 10000, maxAccounts 1 to 64, blockhashSlotsToExpiry 1 to 300.',
    check: async (world) => {
      const beyond = [
        ...['slippageBps=10001', 'slippageBps=-1', 'maxAccounts=0', 'maxAccounts=65'],
        ...['blockhashSlotsToExpiry=0', 'blockhashSlotsToExpiry=301', 'mode=slow'],
      ];
      const answers = await Promise.all(beyond.map((each) => build(world, `&${each}`)));
      return firstOf(...answers.map((answer) => difference(answer, { status: 400 })));
    },
  },
];
