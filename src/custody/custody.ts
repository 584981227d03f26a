import type { Address } from '../solana/address.ts';
import type { MessageToSign } from './checks/message-to-sign.ts';

export {
  type DepositToSign,
  type FillToSign,
  type MessageToSign,
  SigningRefused,
  type WithdrawalToSign,
} from './checks/message-to-sign.ts';

/** A signature of a key that Sluice keeps. */
export interface CustodySignature {
  readonly address: Address;
  /** 64 bytes. */
  readonly signature: Uint8Array;
}

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
