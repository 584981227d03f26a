import type { Address } from '../../solana/address.ts';

/** What a deposit has to do. Its wallet pays, and signs for itself. */
export interface DepositToSign {
  readonly kind: 'deposit';
  /** The request id under which it was crafted. */
  readonly subject: string;
  readonly messageBytes: Uint8Array;
  readonly wallet: Address;
  /** The token account of the vault that the deposit creates and pays into. */
  readonly account: Address;
  readonly mint: Address;
  readonly amount: bigint;
  readonly outputMint: Address;
  /** The second token account of the vault that the deposit creates, for the output; null if it creates none. */
  readonly outputAccount: Address | null;
  /** The mint of the shares of lending that the account holds in place of the tokens; absent if it holds the tokens. */
  readonly earnMint?: Address | undefined;
}

/** What a fill has to do: the vault signs nothing else. */
export interface FillToSign {
  readonly kind: 'fill';
  /** The id of the order. */
  readonly subject: string;
  readonly messageBytes: Uint8Array;
  readonly wallet: Address;
  readonly account: Address;
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** The token account of the vault that is paid into; null for the wallet. */
  readonly outputAccount: Address | null;
  /** Atoms of the input that it sells. */
  readonly amount: bigint;
  /** The least atoms of the output that must be paid. */
  readonly floor: bigint;
  /** The operator's wallet that pays for the transaction. */
  readonly payer: Address;
  /** The operator's fee, and the token account that gets it; absent when there is none. */
  readonly platformFee?: { readonly bps: number; readonly account: Address } | undefined;
}

/** A token account of the vault that is given back. */
export interface WithdrawnTokens {
  readonly account: Address;
  readonly mint: Address;
  /** The token that the account's shares are redeemed for; absent if it holds no shares of lending. */
  readonly lentMint?: Address | undefined;
}

/** What a withdrawal has to do: everything in the accounts goes to the wallet, which pays and signs for itself. */
export interface WithdrawalToSign {
  readonly kind: 'withdrawal';
  /** The id of the order. */
  readonly subject: string;
  readonly messageBytes: Uint8Array;
  readonly wallet: Address;
  /** The accounts of the order. One that is closed already may be left out. */
  readonly accounts: readonly WithdrawnTokens[];
}

export type MessageToSign = DepositToSign | FillToSign | WithdrawalToSign;

/** The keys that Sluice signs with. */
export interface SigningAddresses {
  readonly vault: Address;
  readonly coSigner: Address;
}

/** The message was not signed, because it does something else than it should. */
export class SigningRefused extends Error {
  override readonly name = 'SigningRefused';
}
