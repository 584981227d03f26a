import { type Static, Type } from 'typebox';
import { RequestRefused } from '../../../common/request-refused.ts';
import type { CraftedDca } from '../../../program-orders/crafting/dca-create.ts';
import type { ImpossibleOrder } from '../../../program-orders/crafting/impossible-order.ts';
import { named } from '../../named-schema.ts';

export const RecurringTransactionJson = named(
  'RecurringTransaction',
  Type.Object({
    requestId: Type.String({ description: 'For `execute`. It belongs to this transaction alone.' }),
    transaction: Type.String({
      description: 'The unsigned transaction, base64. The user is its only signer.',
    }),
  }),
);
export type RecurringTransactionJson = Static<typeof RecurringTransactionJson>;

/** @throws RequestRefused if there is no transaction */
export function toTransactionJson(crafted: CraftedDca | ImpossibleOrder): RecurringTransactionJson {
  if (crafted.kind === 'impossible') throw new RequestRefused(crafted.error);
  const { requestId, wire } = crafted;
  return { requestId, transaction: Buffer.from(wire).toString('base64') };
}
