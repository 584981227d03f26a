import { type Address, address } from '../../solana/address.ts';
import type { DepositKind } from './order-request.ts';

/** What a deposit that was handed out does. It is stored with the message until the wallet sends it back. */
export interface DepositTerms {
  readonly vault: Address;
  /** The token account of the vault that the deposit creates and pays into. */
  readonly account: Address;
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Atoms of the input. */
  readonly amount: bigint;
  readonly kind: DepositKind;
  /** The second account of the vault, which holds what an `otoco` order buys; null for others. */
  readonly outputAccount: Address | null;
  /** The mint of the shares in which the deposit earns; null if it does not. */
  readonly earnMint: Address | null;
}

export function encodeDepositTerms(terms: DepositTerms): string {
  return JSON.stringify({ ...terms, amount: String(terms.amount) });
}

/** @throws TypeError when it was not written by `encodeDepositTerms` */
export function decodeDepositTerms(json: string): DepositTerms {
  const { vault, account, inputMint, outputMint, amount, kind, outputAccount, earnMint } = JSON.parse(json);
  return {
    vault: address(vault),
    account: address(account),
    inputMint: address(inputMint),
    outputMint: address(outputMint),
    amount: BigInt(amount),
    // A deposit that an earlier version has crafted was for a single price.
    kind: kind ?? 'single',
    outputAccount: outputAccount == null ? null : address(outputAccount),
    earnMint: earnMint == null ? null : address(earnMint),
  };
}
