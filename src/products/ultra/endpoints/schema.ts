import { type Static, Type } from 'typebox';
import { named, RefusalJson } from '../../named-schema.ts';
import { address } from '../../parameters/kinds.ts';
import { defineQuery } from '../../parameters/parameter.ts';

export const UltraError = RefusalJson;

export const WALLET_PATH = defineQuery({ address: address('The wallet.') });

const UiAmount = {
  amount: Type.String({ description: 'Base units.' }),
  uiAmount: Type.Number({ description: 'As wallets display it; rounded to what a number can hold.' }),
  uiAmountString: Type.String({ description: 'The same, with all digits.' }),
};

export const NativeHoldingsJson = named('NativeHoldings', Type.Object(UiAmount));
export type NativeHoldingsJson = Static<typeof NativeHoldingsJson>;

export const TokenAccountJson = named(
  'TokenAccount',
  Type.Object({
    account: Type.String(),
    ...UiAmount,
    isFrozen: Type.Boolean(),
    isAssociatedTokenAccount: Type.Boolean(),
    decimals: Type.Integer(),
    programId: Type.String(),
    lamports: Type.String({
      description: 'What the account holds as its rent; for wrapped SOL, with the balance.',
    }),
    reclaimableLamports: Type.Optional(
      Type.String({
        description: 'What `reclaim/craft` would give back. Absent if the account is not closed by it.',
      }),
    ),
  }),
);
export type TokenAccountJson = Static<typeof TokenAccountJson>;

export const HoldingsJson = named(
  'Holdings',
  Type.Object({
    ...UiAmount,
    tokens: Type.Record(Type.String(), Type.Array(TokenAccountJson), {
      description: 'The token accounts of the wallet by mint, empty ones included.',
    }),
    omittedAccounts: Type.Optional(
      Type.Integer({ description: 'How many token accounts are left out. Absent if none are.' }),
    ),
  }),
);
export type HoldingsJson = Static<typeof HoldingsJson>;

export const BalancesJson = Type.Record(
  Type.String(),
  Type.Object({
    amount: Type.String({ description: 'Base units, over all accounts of the token.' }),
    uiAmount: Type.Number(),
    slot: Type.Integer({ description: 'The slot of the state that was read.' }),
    isFrozen: Type.Boolean({ description: 'Whether an account of the token is frozen.' }),
  }),
  { description: 'By mint; lamports under `SOL`.' },
);
export type BalancesJson = Static<typeof BalancesJson>;

export const RoutersJson = Type.Array(
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    icon: Type.String({ description: 'A `data:` URI.' }),
  }),
);
