import { Type } from 'typebox';
import { Next, page, Time } from '../platform/platform-schema.ts';

export const VaultListQuery = Type.Object({ ...page }, { additionalProperties: false });

export const VaultLine = Type.Object({
  wallet: Type.String({ description: 'The wallet that the vault belongs to.' }),
  vault: Type.String({ description: 'The address whose key Sluice keeps for it.' }),
  orders: Type.Integer({ description: 'Its orders that may have money in their accounts.' }),
  createdAt: Time,
});

export const VaultsAnswer = Type.Object({ vaults: Type.Array(VaultLine), next: Next });

export const RotationAnswer = Type.Object({
  masterId: Type.String({
    description: 'Names the master key that the keys are put under. It tells nothing of the key.',
  }),
  rotated: Type.Integer({ description: 'Keys that this call has put under it.' }),
  left: Type.Integer({ description: 'Keys that are under another one. Call again until it is 0.' }),
});
