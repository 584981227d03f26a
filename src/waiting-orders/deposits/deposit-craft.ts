import { type Address, address } from '../../solana/address.ts';

/** What a deposit that was handed out does. It is stored with the message until the wallet sends it back. */
export interface DepositTerms {
  readonly vault: Address;
  /** The token account of the vault that the deposit creates and pays into. */
  readonly account: Address;
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Atoms of the input. */
  readonly amount: bigint;
}

export function encodeDepositTerms(terms: DepositTerms): string {
  return JSON.stringify({ ...terms, amount: String(terms.amount) });
}

/** @throws TypeError when it was not written by `encodeDepositTerms` */
export function decodeDepositTerms(json: string): DepositTerms {
  const { vault, account, inputMint, outputMint, amount } = JSON.parse(json);
  return {
    vault: address(vault),
    account: address(account),
    inputMint: address(inputMint),
    outputMint: address(outputMint),
    amount: BigInt(amount),
  };
}
