import { Type } from 'typebox';
import { craftClawback } from '../../../invites/crafting/craft-clawback.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { EXAMPLE_WALLET } from '../../example-values.ts';
import { named } from '../../named-schema.ts';
import { readAddressField } from '../../parameters/address-field.ts';
import { toTransactionFields, TRANSACTION_FIELDS } from './crafted-json.ts';
import { addSendErrors, answerSendRefusals, SEND_ERROR_FORM } from './send-errors.ts';
import type { SendServices } from './services.ts';

/** The invite of the key in the other examples. */
const EXAMPLE_INVITE = '3EUpNgcWUv1y9diYXQYrF79fa1JZKG6o2o6vtcEzdmGh';

const ClawbackBody = named(
  'CraftClawback',
  Type.Object({
    invitePDA: Type.String({
      description: 'The account of the invite, as the lists have it in `invite_pda`.',
    }),
    sender: Type.String({ description: 'The wallet that has sent it. It signs and pays.' }),
  }),
);

export const craftClawbackEndpoint = defineEndpoint({
  method: 'POST',
  path: '/send/v1/craft-clawback',
  operationId: 'CraftClawback',
  example: { body: { invitePDA: EXAMPLE_INVITE, sender: EXAMPLE_WALLET } },
  summary: 'Take an invite back',
  description:
    'Makes the transaction that returns to the sender what nobody has claimed, with all rents. Only the sender signs it.',
  body: ClawbackBody,
  responses: addSendErrors(named('CraftedClawback', Type.Object(TRANSACTION_FIELDS))),
  ...SEND_ERROR_FORM,
  handle: ({ transactions }: SendServices, { body }) =>
    answerSendRefusals(async () => {
      const invite = readAddressField(body.invitePDA, 'invitePDA');
      const sender = readAddressField(body.sender, 'sender');
      return toTransactionFields(await craftClawback(transactions, { invite, sender }));
    }),
});
