import type { Address } from '../solana/address.ts';

/** A signature of a key that Sluice keeps. */
export interface CustodySignature {
  readonly address: Address;
  /** 64 bytes. */
  readonly signature: Uint8Array;
}

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
  /** Atoms of the input that it sells. */
  readonly amount: bigint;
  /** The least atoms of the output that the wallet must get. */
  readonly floor: bigint;
  /** The operator's wallet that pays for the transaction. */
  readonly payer: Address;
}

/** What a withdrawal has to do: everything in the account goes to the wallet, which pays and signs for itself. */
export interface WithdrawalToSign {
  readonly kind: 'withdrawal';
  /** The id of the order. */
  readonly subject: string;
  readonly messageBytes: Uint8Array;
  readonly wallet: Address;
  readonly account: Address;
  readonly mint: Address;
}

export type MessageToSign = DepositToSign | FillToSign | WithdrawalToSign;

/** Keeps the keys of vaults, and signs with them what it has checked. No other part of Sluice sees a key. */
export interface KeyCustody {
  /** Returns the address of the wallet's vault; null if it has none. */
  findVault(wallet: Address): Promise<Address | null>;
  /** Creates the vault of a wallet, unless it has one. */
  createVault(wallet: Address): Promise<{ readonly vault: Address; readonly isNew: boolean }>;
  /** Returns the address of the service's own key, which signs deposits and withdrawals too, so that only Sluice lands them. */
  coSigner(): Promise<Address>;
  /**
   * Checks the message against what it has to do, records the signature, and signs with the vault of the wallet, and with the
   * co-signer where the message names it. Resolves to one signature for each of our keys that the message names as signer.
   * @throws SigningRefused when the message does anything else
   * @throws Unavailable when the keys cannot be read, or the signature cannot be recorded
   */
  sign(request: MessageToSign): Promise<readonly CustodySignature[]>;
}

/** The message was not signed, because it does something else than it should. */
export class SigningRefused extends Error {
  override readonly name = 'SigningRefused';
}
