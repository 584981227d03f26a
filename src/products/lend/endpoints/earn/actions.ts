import { Type } from 'typebox';
import { named } from '../../../named-schema.ts';
import { requireAvailable } from '../../../../chain/chain.ts';
import { RequestRefused } from '../../../../common/request-refused.ts';
import type { EarnAction } from '../../../../protocols/jupiter-lend/lending/instructions.ts';
import type { Address } from '../../../../solana/address.ts';
import { encodeUnsigned } from '../../../../solana/messages/transaction.ts';
import { EXAMPLE_MINTS, EXAMPLE_WALLET } from '../../../example-values.ts';
import { defineEndpoint } from '../../../endpoint.ts';
import {
  buildEarnTransaction,
  type EarnRequest,
  planEarnInstructions,
} from '../../../../lend/earn/actions.ts';
import type { EarnServices } from '../../earn/earn.ts';
import { address } from '../../../parameters/kinds.ts';
import { defineBody } from '../../../parameters/parameter.ts';
import { amount } from '../lend-kinds.ts';
import { toInstructionForm } from '../forms.ts';
import { LendError, LendInstructionJson } from '../schema.ts';
import type { LendServices } from '../services.ts';

const asset = () => address('Mint of the token that is deposited, not of its receipt token.');
const signer = () => address('The wallet that signs. Its associated token accounts are used.');
const ALL = '`18446744073709551615` stands for all that the signer has.';

const AMOUNT_FIELDS = defineBody({
  asset: asset(),
  signer: signer(),
  amount: amount(`Base units of the token. ${ALL}`),
});
const SHARES_FIELDS = defineBody({
  asset: asset(),
  signer: signer(),
  shares: amount(`Base units of the receipt token. ${ALL}`),
});
const AmountBody = named('EarnAmountRequest', AMOUNT_FIELDS.schema);
const SharesBody = named('EarnSharesRequest', SHARES_FIELDS.schema);

const TransactionResponse = named(
  'TransactionResponse',
  Type.Object({
    transaction: Type.String({ description: 'Base64 of the unsigned transaction, in version 0.' }),
  }),
);
const InstructionsResponse = named(
  'InstructionsResponse',
  Type.Object({
    ...LendInstructionJson.properties,
    instructions: Type.Array(LendInstructionJson, {
      description: 'All instructions in order. The last one is the same as the fields beside.',
    }),
  }),
);

interface Words {
  readonly name: string;
  readonly title: string;
  readonly does: string;
}

const WORDS: Readonly<Record<EarnAction, Words>> = {
  deposit: { name: 'Deposit', title: 'Deposit', does: 'Deposits a token for receipt tokens.' },
  mint: {
    name: 'Mint',
    title: 'Deposit, by receipt tokens',
    does: 'Deposits what a number of receipt tokens is worth, rounded up.',
  },
  withdraw: {
    name: 'Withdraw',
    title: 'Withdraw',
    does: 'Withdraws a token. The receipt tokens that it costs are rounded up.',
  },
  redeem: {
    name: 'Redeem',
    title: 'Withdraw, by receipt tokens',
    does: 'Withdraws what a number of receipt tokens is worth, rounded down.',
  },
};

const deposit = defineActionEndpoints('deposit', AmountBody, parseAmountRequest);
const withdraw = defineActionEndpoints('withdraw', AmountBody, parseAmountRequest);
const mint = defineActionEndpoints('mint', SharesBody, parseSharesRequest);
const redeem = defineActionEndpoints('redeem', SharesBody, parseSharesRequest);

/** The eight endpoints that create transactions and instructions. */
export const earnActions = [...deposit, ...withdraw, ...mint, ...redeem];

type AnyBody = typeof AmountBody | typeof SharesBody;

/** A request whose mint may be that of no market. */
type ParsedEarnRequest = Omit<EarnRequest, 'market' | 'action'> & { readonly asset: Address };

function parseAmountRequest(body: Type.Static<typeof AmountBody>): ParsedEarnRequest {
  const read = AMOUNT_FIELDS.reader(body);
  return { asset: read('asset'), signer: read('signer'), amount: read('amount') };
}

function parseSharesRequest(body: Type.Static<typeof SharesBody>): ParsedEarnRequest {
  const read = SHARES_FIELDS.reader(body);
  return { asset: read('asset'), signer: read('signer'), amount: read('shares') };
}

/** @throws RequestRefused when the asset is deposited for no earn token */
function resolveMarket(
  { markets }: EarnServices,
  action: EarnAction,
  { asset, signer, amount }: ParsedEarnRequest,
): EarnRequest {
  const market = markets.of(asset);
  if (market === null) {
    throw new RequestRefused(`asset ${asset} is no earn token; GET /lend/v1/earn/tokens lists them`);
  }
  const deposited = market.lending.mint;
  if (deposited === asset) return { action, market, signer, amount };
  throw new RequestRefused(
    `asset must be the mint that is deposited, ${deposited}; ${asset} is its receipt token`,
  );
}

/** Returns the endpoint that creates a transaction, and the one that creates its instructions. */
function defineActionEndpoints<Body extends AnyBody>(
  action: EarnAction,
  body: Body,
  parse: (body: Type.Static<Body>) => ParsedEarnRequest,
) {
  const { name, title, does } = WORDS[action];
  const field = body === AmountBody ? 'amount' : 'shares';
  const amounts = { asset: EXAMPLE_MINTS.usdc, signer: EXAMPLE_WALLET, [field]: '1000000' };
  const options = { method: 'POST', body, example: { body: amounts } } as const;
  return [
    defineEndpoint({
      ...options,
      path: `/lend/v1/earn/${action}`,
      operationId: `PostEarn${name}`,
      summary: title,
      description: `${does} What is bound to fail is refused with the reason.`,
      responses: { 200: TransactionResponse, 400: LendError },
      handle: async ({ earn }: LendServices, { body: request }) => {
        const parsed = parse(request);
        // Without the network, whether there is a market is no answer.
        requireAvailable(earn.chain);
        const message = await buildEarnTransaction(earn.chain, resolveMarket(earn, action, parsed));
        return { transaction: Buffer.from(encodeUnsigned(message)).toString('base64') };
      },
    }),
    defineEndpoint({
      ...options,
      path: `/lend/v1/earn/${action}-instructions`,
      operationId: `PostEarn${name}Instructions`,
      summary: `${title}: instructions`,
      description: `${does} The balance of the signer is not checked, because other instructions may come before.`,
      responses: { 200: InstructionsResponse, 400: LendError },
      handle: async ({ earn }: LendServices, { body: request }) => {
        const parsed = resolveMarket(earn, action, parse(request));
        const { main, setup } = await planEarnInstructions(earn.chain, parsed);
        const form = toInstructionForm(main);
        return { ...form, instructions: [...setup.map(toInstructionForm), form] };
      },
    }),
  ];
}
