import { Type } from 'typebox';
import { craftSend } from '../../../invites/crafting/craft-send.ts';
import { formatUnixSecond } from '../../../invites/unix-second.ts';
import type { Address } from '../../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { EXAMPLE_MINTS, EXAMPLE_WALLET } from '../../example-values.ts';
import { named } from '../../named-schema.ts';
import { readAddressField } from '../../parameters/address-field.ts';
import { readWholeField, wholeField } from '../../parameters/whole-field.ts';
import { TOTAL_FEE_FIELD, toTransactionFields, TRANSACTION_FIELDS } from './crafted-json.ts';
import { addSendErrors, answerSendRefusals, SEND_ERROR_FORM } from './send-errors.ts';
import type { SendServices } from './services.ts';

/** The key of the code `3mJr7AoUXx2W`, which nobody should use. */
export const EXAMPLE_INVITE_KEY = 'EeQyWsZ9kCxZ4oiBTvWNMDmXWKkhfQveARTEF2r8keM6';

const SendBody = named(
  'CraftSend',
  Type.Object({
    inviteSigner: Type.String({
      description:
        'The public key of the key pair of the invite, whose seed is SHA-256 of `invite:` and the code. The code and the private key stay with the client.',
    }),
    sender: Type.String({ description: 'The wallet that sends and pays. It signs.' }),
    amount: wholeField('Base units that are sent.'),
    mint: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        default: WRAPPED_SOL_MINT,
        description: 'The token that is sent. SOL itself is sent without one, and for wrapped SOL.',
      }),
    ),
  }),
);

const SendJson = named(
  'CraftedSend',
  Type.Object({
    ...TRANSACTION_FIELDS,
    expiry: Type.String({ description: 'Until when the invite can be claimed. ISO 8601.' }),
    totalFeeLamports: TOTAL_FEE_FIELD,
  }),
);

export const craftSendEndpoint = defineEndpoint({
  method: 'POST',
  path: '/send/v1/craft-send',
  operationId: 'CraftSend',
  example: {
    body: {
      inviteSigner: EXAMPLE_INVITE_KEY,
      sender: EXAMPLE_WALLET,
      amount: '1000000',
      mint: EXAMPLE_MINTS.usdc,
    },
  },
  summary: 'Send with a code',
  description:
    'Makes the transaction that puts SOL or tokens into an invite. The sender and the key pair of the invite both sign it, and it ' +
    'is landed like any transaction. Anybody who has the code can claim what was sent. What nobody has claimed until the invite ' +
    'expires goes back to the sender.',
  exactIntegers: true,
  body: SendBody,
  responses: addSendErrors(SendJson),
  ...SEND_ERROR_FORM,
  handle: ({ transactions, lifetimeSeconds }: SendServices, { body }) =>
    answerSendRefusals(async () => {
      const request = {
        inviteKey: readAddressField(body.inviteSigner, 'inviteSigner'),
        sender: readAddressField(body.sender, 'sender'),
        mint: readMint(body.mint ?? null),
        amount: readWholeField(body.amount, 'amount', { least: 1n }),
      };
      const crafted = await craftSend(transactions, request, lifetimeSeconds);
      return {
        ...toTransactionFields(crafted),
        expiry: formatUnixSecond(crafted.expiresAt),
        totalFeeLamports: String(crafted.totalFeeLamports),
      };
    }),
});

/** Returns null for SOL. */
function readMint(given: string | null): Address | null {
  const mint = given === null ? WRAPPED_SOL_MINT : readAddressField(given, 'mint');
  return mint === WRAPPED_SOL_MINT ? null : mint;
}
