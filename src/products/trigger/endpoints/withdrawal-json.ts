import { Type } from 'typebox';
import { named } from '../../named-schema.ts';

export const OrderParams = Type.Object({ id: Type.String({ description: 'The id of the order.' }) });
export const EXAMPLE_ORDER = { id: '0199b2f4-5b6c-7000-8000-000000000000' };

/** Somewhat longer than a transaction may take to land. */
export const LANDING_TIMEOUT_MS = 150_000;

export const WITHDRAWAL_FIELDS = {
  id: Type.String({ description: 'The id of the order.' }),
  transaction: Type.String({
    description:
      'Base64 of a legacy transaction with three signers, none of which has signed. The wallet signs the first place, and changes nothing else.',
  }),
  requestId: Type.String({ description: 'The `cancelRequestId` of the confirmation.' }),
};

export const ConfirmRequest = named(
  'TriggerConfirmCancelRequest',
  Type.Object({
    signedTransaction: Type.String({
      description: 'Base64: the transaction of the withdrawal, signed by the wallet and otherwise unchanged.',
    }),
    cancelRequestId: Type.String({ description: 'The `requestId` of the withdrawal.' }),
  }),
);

export const ConfirmedJson = named(
  'TriggerOrderCancelled',
  Type.Object({
    id: Type.String({ description: 'The id of the order.' }),
    txSignature: Type.String({ description: 'The signature of the withdrawal, which is confirmed.' }),
  }),
);
