import { Type } from 'typebox';

const AddressText = Type.String({ minLength: 32, maxLength: 44, description: 'A Solana address.' });
const U64Text = Type.String({ pattern: '^(0|[1-9][0-9]{0,19})$', description: 'A whole number, as text.' });
const SnapshotName = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,63}$',
  description: 'Lowercase letters, digits and hyphens, at most 64.',
});
const closed = { additionalProperties: false };

export const FaucetBody = Type.Object({ wallet: AddressText, mint: AddressText, amount: U64Text }, closed);
export const FaucetAnswer = Type.Object({ signature: Type.String(), account: AddressText });

export const ClockBody = Type.Object(
  {
    slots: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Empty slots to pass; 0 when absent.' }),
    ),
    seconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 315_360_000, description: 'Of the chain’s clock; 0 when absent.' }),
    ),
  },
  closed,
);
export const ClockAnswer = Type.Object({ slot: U64Text, unixTimestamp: Type.String() });

export const AccountsBody = Type.Object(
  {
    accounts: Type.Array(
      Type.Object(
        {
          address: AddressText,
          account: Type.Union([
            Type.Null({ description: 'Deletes the account.' }),
            Type.Object(
              { lamports: U64Text, owner: AddressText, data: Type.String({ description: 'Base64.' }) },
              closed,
            ),
          ]),
        },
        closed,
      ),
      { minItems: 1, maxItems: 1_000 },
    ),
  },
  closed,
);
export const AccountsAnswer = Type.Object({ slot: U64Text });

export const SnapshotBody = Type.Object({ name: SnapshotName }, closed);
export const SnapshotParams = Type.Object({ name: SnapshotName });
export const SnapshotsAnswer = Type.Object({
  snapshots: Type.Array(Type.Object({ name: Type.String(), slot: U64Text })),
});

export const FaultsJson = Type.Object(
  {
    seed: Type.Integer({ minimum: 0, maximum: 0xffff_ffff, description: 'All chance comes from it.' }),
    drop: Type.Number({ minimum: 0, maximum: 1, description: 'Chance that an attempt to land is lost.' }),
    delaySlots: Type.Integer({
      minimum: 0,
      maximum: 150,
      description: 'Slots before the first attempt to land.',
    }),
    reorderSlots: Type.Integer({ minimum: 0, maximum: 32, description: 'Most further slots, at random.' }),
    congestion: U64Text,
    staleReads: Type.Integer({ minimum: 0, maximum: 32, description: 'Slots that reads lag behind.' }),
  },
  closed,
);
/** A fault that is not named is switched off. */
export const FaultsBody = Type.Partial(FaultsJson);

export type FaultsJson = Type.Static<typeof FaultsJson>;
