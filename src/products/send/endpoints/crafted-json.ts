import { Type } from 'typebox';
import type { InviteTransaction } from '../../../invites/crafting/invite-transaction.ts';

/** The fields of every answer with a transaction. */
export const TRANSACTION_FIELDS = {
  tx: Type.String({
    description: 'The unsigned transaction, base64. Its signers sign it as it is, and land it themselves.',
  }),
  transaction: Type.String({ description: 'The same text, for clients that read it under this name.' }),
};

/** The field of an answer that says what a transaction costs. */
export const TOTAL_FEE_FIELD = Type.String({
  description:
    'Lamports that the payer pays in addition to what is sent: the fees of the network, and the rents of new accounts.',
});

/** Returns the fields of every answer with a transaction. */
export function toTransactionFields({ wire }: InviteTransaction) {
  const tx = Buffer.from(wire).toString('base64');
  return { tx, transaction: tx };
}
