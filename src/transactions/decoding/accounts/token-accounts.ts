import {
  type ParsedExtension,
  parseExtensions,
} from '../../../chain/embedded/rpc/parsed/accounts/token-extensions.ts';
import { parseTokenData } from '../../../chain/embedded/rpc/parsed/accounts/token.ts';
import { type AccountType, OWN_ADDRESS } from '../../../protocol/accounts/program-accounts.ts';
import { SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import { decodeTokenAccount, isTokenAccount } from '../../../solana/programs/token/account.ts';
import { type Extension, MULTISIG_SIZE } from '../../../solana/programs/token/extensions.ts';
import { decodeMint, isMint } from '../../../solana/programs/token/mint.ts';

/** Fields of extensions. Their texts are written by whoever made the token. */
const EXTENSION_FIELDS = {
  name: 'text',
  symbol: 'text',
  uri: 'text',
  additionalMetadata: 'text',
  transferFeeBasisPoints: { outOf: 10_000 },
  newMultiplierEffectiveTimestamp: 'time',
  initializationTimestamp: 'time',
  lastUpdateTimestamp: 'time',
} as const;

/** The accounts of both token programs. */
export const TOKEN_ACCOUNTS: readonly AccountType[] = [
  {
    name: 'Token account',
    summary: 'It holds tokens of one mint for its owner.',
    read: (data) => {
      if (!isTokenAccount(data)) return null;
      const { extensions, delegatedAmount, ...account } = decodeTokenAccount(data);
      return {
        ...account,
        delegatedAmount: account.delegate === null ? undefined : delegatedAmount,
        ...toExtensionField(extensions),
      };
    },
    fields: {
      ...EXTENSION_FIELDS,
      amount: { amountOf: 'mint' },
      delegatedAmount: { amountOf: 'mint' },
      withheldAmount: { amountOf: 'mint' },
      nativeReserve: 'lamports',
    },
  },
  {
    name: 'Multisig',
    summary: 'Several keys that together are the owner of token accounts, or the authority of mints.',
    read: (data) => {
      if (data.length !== MULTISIG_SIZE) return null;
      const { info } = parseTokenData(data, { address: SYSTEM_PROGRAM, mint: null });
      return typeof info === 'object' ? info : null;
    },
  },
  {
    name: 'Mint',
    summary: 'A token: how much of it there is, and who may make more or freeze it.',
    read: (data) => {
      if (!isMint(data)) return null;
      const { extensions, ...mint } = decodeMint(data);
      return { ...mint, ...toExtensionField(extensions) };
    },
    fields: {
      ...EXTENSION_FIELDS,
      supply: { amountOf: OWN_ADDRESS },
      maximumFee: { amountOf: OWN_ADDRESS },
      withheldAmount: { amountOf: OWN_ADDRESS },
    },
  },
];

function toExtensionField(extensions: readonly Extension[]): { readonly extensions?: object } {
  const parsed: readonly ParsedExtension[] | undefined = parseExtensions(extensions);
  if (parsed === undefined) return {};
  return { extensions: Object.fromEntries(parsed.map(({ extension, state }) => [extension, state ?? true])) };
}
