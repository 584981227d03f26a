import { type Static, Type } from 'typebox';
import { encodeUnsigned } from '../../../solana/messages/transaction.ts';
import type { DepositKind } from '../../../waiting-orders/deposits/order-request.ts';
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
      description: 'Whether the order waits for a price, or is filled in rounds.',
    }),
    orderSubType: Type.Optional(
      Type.Union([Type.Enum(['single', 'oco', 'otoco']), Type.Null()], {
        description: 'Required for price orders, and omitted for DCA orders.',
      }),
    ),
    jlMint: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description:
          'For DCA orders that earn while they wait: the earn token of the input, by `GET /lend/v1/earn/tokens`.',
      }),
    ),
  }),
);

const CraftedJson = named(
  'TriggerDeposit',
  Type.Object({
    transaction: Type.String({
      description:
        'Base64 of a legacy transaction with three signers, or two if the deposit earns. None has signed. The wallet signs the first place, and changes nothing else.',
    }),
    requestId: Type.String({ description: 'The `depositRequestId` of one order. It is used once.' }),
    receiverAddress: Type.String({ description: 'The vault.' }),
    mint: Type.String(),
    amount: Type.String(),
    tokenDecimals: Type.Integer(),
    inputTokenAccount: Type.Optional(
      Type.String({
        description:
          'The account of the vault that the deposit opens for this order alone; absent if the deposit earns.',
      }),
    ),
    jlTokenAccount: Type.Optional(
      Type.String({ description: 'Of a deposit that earns: the same, which holds the shares of `jlMint`.' }),
    ),
    outputTokenAccount: Type.Optional(
      Type.String({ description: 'Of an `otoco` order: the second one, which holds what the order buys.' }),
    ),
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
    const crafted = await deposits.craft({
      wallet,
      userAddress: readAddressField(body.userAddress, 'userAddress'),
      inputMint: readAddressField(body.inputMint, 'inputMint'),
      outputMint: readAddressField(body.outputMint, 'outputMint'),
      amount: readAmountField(body.amount, 'amount'),
      kind: readKind(body),
      earnMint: body.jlMint == null ? null : readAddressField(body.jlMint, 'jlMint'),
    });
    const { requestId, messageBytes, vault, account, outputAccount, earnMint, mint, decimals, amount } =
      crafted;
    return {
      transaction: toBase64(encodeUnsigned(messageBytes)),
      requestId,
      receiverAddress: vault,
      mint,
      amount: String(amount),
      tokenDecimals: decimals,
      ...(earnMint === null ? { inputTokenAccount: account } : { jlTokenAccount: account }),
      ...(outputAccount === null ? {} : { outputTokenAccount: outputAccount }),
    };
  },
});

/** @throws OrderRefused when there is no such order */
function readKind({ orderType, orderSubType = null }: Static<typeof CraftRequest>): DepositKind {
  const refuse = (message: string) => new OrderRefused('invalid', message, 'orderSubType');
  if (orderType === 'dca') {
    if (orderSubType === null) return 'recurring';
    throw refuse("orderSubType must be omitted when orderType is 'dca'");
  }
  if (orderSubType !== null) return orderSubType;
  throw refuse("orderSubType is required when orderType is 'price': 'single', 'oco' or 'otoco'");
}
