import { Type } from 'typebox';
import { craftClaim } from '../../../invites/crafting/craft-claim.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { EXAMPLE_WALLET } from '../../example-values.ts';
import { named } from '../../named-schema.ts';
import { readAddressField } from '../../parameters/address-field.ts';
import { EXAMPLE_INVITE_KEY } from './craft-send.ts';
import { TOTAL_FEE_FIELD, toTransactionFields, TRANSACTION_FIELDS } from './crafted-json.ts';
import { addSendErrors, answerSendRefusals, SEND_ERROR_FORM } from './send-errors.ts';
import type { SendServices } from './services.ts';

const ClaimBody = named(
  'CraftClaim',
  Type.Object({
    inviteSigner: Type.String({
      description: 'The public key of the key pair of the invite, which is derived from the code. It signs.',
    }),
    receiver: Type.String({
      description: 'Gets what was sent. It may be a new wallet, and signs only if it pays.',
    }),
    payer: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description:
          'Pays the fees, and the rent of the token account of the receiver if it is missing. It signs. Default: the receiver.',
      }),
    ),
  }),
);

const ClaimJson = named(
  'CraftedClaim',
  Type.Object({
    ...TRANSACTION_FIELDS,
    invitePDA: Type.String({ description: 'The account of the invite.' }),
    sender: Type.String({ description: 'Who has sent it.' }),
    mint: Type.Union([Type.String(), Type.Null()], { description: 'The token; null for SOL.' }),
    amount: Type.String({
      description:
        'Base units that the invite was created with. A transfer fee of the token is taken off on the way.',
    }),
    totalFeeLamports: TOTAL_FEE_FIELD,
  }),
);

export const craftClaimEndpoint = defineEndpoint({
  method: 'POST',
  path: '/send/v1/craft-claim',
  operationId: 'CraftClaim',
  example: { body: { inviteSigner: EXAMPLE_INVITE_KEY, receiver: EXAMPLE_WALLET } },
  summary: 'Claim an invite',
  description:
    'Makes the transaction that pays an invite to a receiver. The key pair of the invite and the payer sign it. The signatures cover ' +
    'the receiver, so nobody who sees the transaction can redirect it. The public service has no such call; there, a mobile ' +
    'application claims.',
  body: ClaimBody,
  responses: addSendErrors(ClaimJson),
  ...SEND_ERROR_FORM,
  handle: ({ transactions }: SendServices, { body }) =>
    answerSendRefusals(async () => {
      const inviteKey = readAddressField(body.inviteSigner, 'inviteSigner');
      const receiver = readAddressField(body.receiver, 'receiver');
      const payer = body.payer == null ? receiver : readAddressField(body.payer, 'payer');
      const crafted = await craftClaim(transactions, { inviteKey, receiver, payer });
      const { invite, sender, mint, amount, totalFeeLamports } = crafted;
      return {
        ...toTransactionFields(crafted),
        invitePDA: invite,
        sender,
        mint,
        amount: String(amount),
        totalFeeLamports: String(totalFeeLamports),
      };
    }),
});
