import { type Static, Type } from 'typebox';
import { encodeUnsigned } from '../../../solana/messages/transaction.ts';
import { OrderRefused } from '../../../waiting-orders/order-refused.ts';
import { EXAMPLE_MINTS, EXAMPLE_WALLET } from '../../example-values.ts';
import { named } from '../../named-schema.ts';
import { defineWalletEndpoint } from './trigger-endpoint.ts';
import { TriggerError } from './trigger-errors.ts';
import { readAddressField, readAmountField, toBase64 } from './trigger-fields.ts';

const CraftRequest = named(
  'TriggerDepositRequest',
  Type.Object({
    inputMint: Type.String({
      description: 'The token that the order sells. SOL is wrapped by the transaction.',
    }),
    outputMint: Type.String({ description: 'The token that it buys.' }),
    userAddress: Type.String({ description: 'The wallet that signed in.' }),
    amount: Type.String({ description: 'Base units of the input. The order must be worth 10 US dollars.' }),
    orderType: Type.Enum(['price', 'dca'], {
      description: '`dca` is refused: this server does not take DCA orders.',
    }),
    orderSubType: Type.Optional(
      Type.Union([Type.Enum(['single', 'oco', 'otoco']), Type.Null()], {
        description: 'Required for price orders. Only `single` is taken.',
      }),
    ),
    jlMint: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'For DCA orders only, so it is refused.' }),
    ),
  }),
);

const CraftedJson = named(
  'TriggerDeposit',
  Type.Object({
    transaction: Type.String({
      description:
        'Base64 of a legacy transaction with three signers, none of which has signed. The wallet signs the first place, and changes nothing else.',
    }),
    requestId: Type.String({ description: 'The `depositRequestId` of one order. It is used once.' }),
    receiverAddress: Type.String({ description: 'The vault.' }),
    mint: Type.String(),
    amount: Type.String(),
    tokenDecimals: Type.Integer(),
    inputTokenAccount: Type.String({
      description: 'The account of the vault that the deposit opens for this order alone.',
    }),
  }),
);

export const craftDeposit = defineWalletEndpoint({
  method: 'POST',
  path: '/trigger/v2/deposit/craft',
  operationId: 'CraftTriggerDeposit',
  example: {
    body: {
      inputMint: EXAMPLE_MINTS.usdc,
      outputMint: EXAMPLE_MINTS.sol,
      userAddress: EXAMPLE_WALLET,
      amount: '20000000',
      orderType: 'price',
      orderSubType: 'single',
    },
  },
  summary: 'The deposit of an order',
  description:
    'Builds the transaction that moves the input of an order into the vault. The wallet signs it, and creating the order lands it. ' +
    'Tokens with a transfer fee, a transfer hook or a permanent delegate are refused unless the operator allows them.',
  body: CraftRequest,
  responses: { 200: CraftedJson, 400: TriggerError, 403: TriggerError },
  handle: async ({ deposits }, { body }, wallet) => {
    requireSingle(body);
    const { requestId, messageBytes, vault, account, mint, decimals, amount } = await deposits.craft({
      wallet,
      userAddress: readAddressField(body.userAddress, 'userAddress'),
      inputMint: readAddressField(body.inputMint, 'inputMint'),
      outputMint: readAddressField(body.outputMint, 'outputMint'),
      amount: readAmountField(body.amount, 'amount'),
      kind: 'single',
      earnMint: null,
    });
    return {
      transaction: toBase64(encodeUnsigned(messageBytes)),
      requestId,
      receiverAddress: vault,
      mint,
      amount: String(amount),
      tokenDecimals: decimals,
      inputTokenAccount: account,
    };
  },
});

/** @throws OrderRefused when the deposit is for orders that this server does not take */
function requireSingle({ orderType, orderSubType = null, jlMint = null }: Static<typeof CraftRequest>): void {
  const refuse = (field: string, message: string) => new OrderRefused('invalid', message, field);
  if (orderType === 'dca') {
    if (orderSubType !== null) {
      throw refuse('orderSubType', "orderSubType must be omitted when orderType is 'dca'");
    }
    throw refuse('orderType', "DCA orders are not supported by this server; orderType must be 'price'");
  }
  if (orderSubType === null) {
    throw refuse('orderSubType', "orderSubType is required when orderType is 'price': 'single'");
  }
  if (orderSubType !== 'single') {
    throw refuse(
      'orderSubType',
      `'${orderSubType}' orders are not supported by this server; orderSubType must be 'single'`,
    );
  }
  if (jlMint !== null) throw refuse('jlMint', "jlMint must be omitted when orderType is 'price'");
}
