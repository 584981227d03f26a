import { type Address, toAddressBytes } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { type Extension, ExtensionType } from '../../solana/programs/token/extensions.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import { encodeTransferFeeConfigExtension } from '../../solana/programs/token/transfer-fee.ts';
import type { AccountLedger, LedgerMint } from './account-ledger.ts';
import type { TokenInfo } from '../../solana/known-tokens.ts';

export function tokenProgramOf(token: TokenInfo): Address {
  return token.program === 'token' ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM;
}

export function toLedgerMint(token: TokenInfo): LedgerMint {
  return {
    mint: token.mint,
    tokenProgram: tokenProgramOf(token),
    accountExtensions: (MAINNET_EXTENSIONS[token.symbol]?.account ?? []).map((type) => ({
      type,
      data: new Uint8Array(ACCOUNT_EXTENSION_SIZE[type]),
    })),
  };
}

/**
 * Writes the mint as it is on mainnet, with two differences: its supply is the sum of the ledger's accounts, and
 * `authority` replaces every authority, so that the operator of the network can use them.
 */
export function addMint(ledger: AccountLedger, token: TokenInfo, authority: Address): void {
  const native = token.mint === WRAPPED_SOL_MINT;
  const data = encodeMint({
    mintAuthority: native ? null : authority,
    supply: ledger.supplyOf(token.mint),
    decimals: token.decimals,
    freezeAuthority: token.freezable ? authority : null,
    extensions: MAINNET_EXTENSIONS[token.symbol]?.mint(token, authority) ?? [],
  });
  ledger.addData(token.mint, tokenProgramOf(token), data);
}

type AccountExtension = typeof ExtensionType.TRANSFER_FEE_AMOUNT | typeof ExtensionType.TRANSFER_HOOK_ACCOUNT;

/**
 * The sizes of extensions that are all zero in a new account: a withheld u64, and a flag that is set during a transfer.
 */
const ACCOUNT_EXTENSION_SIZE: Readonly<Record<AccountExtension, number>> = {
  [ExtensionType.TRANSFER_FEE_AMOUNT]: 8,
  [ExtensionType.TRANSFER_HOOK_ACCOUNT]: 1,
};

interface MainnetExtensions {
  /** Returns the extensions in the order in which the mint's account stores them. */
  readonly mint: (token: TokenInfo, authority: Address) => readonly Extension[];
  readonly account: readonly AccountExtension[];
}

const MAINNET_EXTENSIONS: Readonly<Record<string, MainnetExtensions>> = {
  PYUSD: {
    mint: (token, authority) => [
      { type: ExtensionType.MINT_CLOSE_AUTHORITY, data: toAddressBytes(authority) },
      { type: ExtensionType.PERMANENT_DELEGATE, data: toAddressBytes(authority) },
      transferFee(authority, 0, 0n),
      confidentialTransferMint(authority),
      confidentialTransferFeeConfig(authority),
      transferHookWithoutProgram(authority),
      metadataPointer(authority, token.mint),
      tokenMetadata(
        token,
        authority,
        'https://token-metadata.paxos.com/pyusd_metadata/prod/solana/pyusd_metadata.json',
      ),
    ],
    account: [ExtensionType.TRANSFER_FEE_AMOUNT, ExtensionType.TRANSFER_HOOK_ACCOUNT],
  },
  BERN: {
    mint: (_, authority) => [transferFee(authority, 690, 3_906_250_000_000_000_000n)],
    account: [ExtensionType.TRANSFER_FEE_AMOUNT],
  },
};

/** The fee applies from the first epoch on. */
function transferFee(authority: Address, basisPoints: number, maximumFee: bigint): Extension {
  const fee = { epoch: 0n, maximumFee, basisPoints };
  return encodeTransferFeeConfigExtension({
    configAuthority: authority,
    withdrawWithheldAuthority: authority,
    withheldAmount: 0n,
    older: fee,
    newer: fee,
  });
}

/** New accounts need approval, and there is no auditor. */
function confidentialTransferMint(authority: Address): Extension {
  const data = new ByteWriter(65).address(authority).bool(false).zeros(32).finish();
  return { type: ExtensionType.CONFIDENTIAL_TRANSFER_MINT, data };
}

/** PYUSD's own ElGamal key. Only its owner can decrypt what is encrypted to it, here as on mainnet. */
const WITHHELD_FEES_KEY = Buffer.from('HDfmQztzBN2Cc3rkDZuL88SfWw5sSajVMyiz5QaQHFc=', 'base64');

function confidentialTransferFeeConfig(authority: Address): Extension {
  const data = new ByteWriter(129).address(authority).bytes(WITHHELD_FEES_KEY).bool(true).zeros(64).finish();
  return { type: ExtensionType.CONFIDENTIAL_TRANSFER_FEE_CONFIG, data };
}

function transferHookWithoutProgram(authority: Address): Extension {
  return {
    type: ExtensionType.TRANSFER_HOOK,
    data: new ByteWriter(64).address(authority).zeros(32).finish(),
  };
}

function metadataPointer(authority: Address, metadata: Address): Extension {
  const data = new ByteWriter(64).address(authority).address(metadata).finish();
  return { type: ExtensionType.METADATA_POINTER, data };
}

/** The token-metadata interface in Borsh: three texts, each with a u32 length, and no further fields. */
function tokenMetadata(token: TokenInfo, authority: Address, uri: string): Extension {
  const writer = new ByteWriter(256).address(authority).address(token.mint);
  for (const text of [token.name, token.symbol, uri]) {
    const bytes = Buffer.from(text);
    writer.u32(bytes.length).bytes(bytes);
  }
  return { type: ExtensionType.TOKEN_METADATA, data: writer.u32(0).finish() };
}
