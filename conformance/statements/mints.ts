import * as kit from '@solana/kit';

/** Mints of the embedded network that the statements trade. */
export const SOL = 'So11111111111111111111111111111111111111112';
export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
/** The mint in which orders of prediction markets are settled. */
export const JUPUSD = 'JuprjznTrTSp2UFa3ZBUFgwdAmtZCq4MQCwysN55USD';
export const USDT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB';
export const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
export const JUP = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN';
/** The receipt token of USDC that is lent out. */
export const JL_USDC = '9BEcn9aPEmhSPbPQeFGjidRiEKki46fVQDyPpSQXPA2D';
/** A well-formed address at which there is no account. */
export const UNKNOWN_MINT = '6up1qe8fQkqBGtvxQ32bE2MbsbMN9wHiG6dwKz8TkrRa';
/** Programs that every client knows. */
export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
export const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
export const ATA_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

/** Returns the wallet's associated account of a mint of the token program. */
export async function associatedAccount(owner: string, mint: string): Promise<string> {
  const encoder = kit.getAddressEncoder();
  const seeds = [owner, TOKEN_PROGRAM, mint].map((each) => encoder.encode(kit.address(each)));
  const [account] = await kit.getProgramDerivedAddress({ programAddress: kit.address(ATA_PROGRAM), seeds });
  return account;
}
