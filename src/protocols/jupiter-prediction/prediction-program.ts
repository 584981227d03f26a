import { type Address, address, toAddressBytes } from '../../solana/address.ts';
import { deriveAssociatedTokenAddress, findProgramAddress, type ProgramAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';

/** The public program of prediction markets. */
export const PREDICTION_PROGRAM = address('3ZZuTbwC6aJbvteyVxXUS7gtFYdf7AuXeitx6VyvjvUp');

/** The mint in which orders are settled. It has 6 decimals and belongs to the classic token program. */
export const JUPUSD_MINT = address('JuprjznTrTSp2UFa3ZBUFgwdAmtZCq4MQCwysN55USD');

/** The vault of that mint. It signs for the tokens that pay for sales and for winning contracts. */
export const PREDICTION_VAULT: ProgramAddress = findProgramAddress(PREDICTION_PROGRAM, [
  Buffer.from('vault'),
  toAddressBytes(JUPUSD_MINT),
]);

/** The token account of the vault. */
export const PREDICTION_VAULT_TOKEN_ACCOUNT = derivePredictionTokens(PREDICTION_VAULT.address);

/** Derives an owner's associated token account of the settlement mint. */
export function derivePredictionTokens(owner: Address): Address {
  return deriveAssociatedTokenAddress(owner, JUPUSD_MINT, TOKEN_PROGRAM);
}

/** Derives the address of a wallet's position on one side of a market. */
export function derivePredictionPosition(
  marketIdHash: string,
  owner: Address,
  isYes: boolean,
): ProgramAddress {
  return findProgramAddress(PREDICTION_PROGRAM, [
    Buffer.from('position'),
    Buffer.from(marketIdHash),
    toAddressBytes(owner),
    Uint8Array.of(isYes ? 1 : 0),
  ]);
}

/** Derives the address of an order. */
export function derivePredictionOrder(owner: Address, externalOrderId: string): ProgramAddress {
  return findProgramAddress(PREDICTION_PROGRAM, [
    Buffer.from('order'),
    toAddressBytes(owner),
    Buffer.from(externalOrderId),
  ]);
}

/** Derives the token account that holds an order's deposit, or what its sale has brought. */
export function derivePredictionOrderAta(order: Address): Address {
  return derivePredictionTokens(order);
}

/** Derives the address of a market's result, which exists from the moment when it is posted. */
export function derivePredictionResult(marketIdHash: string): ProgramAddress {
  return findProgramAddress(PREDICTION_PROGRAM, [Buffer.from('market_result'), Buffer.from(marketIdHash)]);
}

/** Derives the address by which answers of the API name a market. No account stands there. */
export function derivePredictionMarket(marketIdHash: string): ProgramAddress {
  return findProgramAddress(PREDICTION_PROGRAM, [Buffer.from('market'), Buffer.from(marketIdHash)]);
}
