import type { AccountLedger } from '../../protocol/genesis/account-ledger.ts';
import type { Address } from '../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import { deriveDemoAddress } from './demo-context.ts';

/** The number of the collector's token accounts. Their mints are not traded. */
export const COLLECTED_ACCOUNTS = 2_000;
export const COLLECTED_MINTS = 100;
const LAMPORTS = 1_000_000_000n;

/** Writes a wallet that has received thousands of unwanted tokens. */
export function addCollector(ledger: AccountLedger, owner: Address): void {
  ledger.addWallet(owner, LAMPORTS);
  const perMint = COLLECTED_ACCOUNTS / COLLECTED_MINTS;
  for (let index = 0; index < COLLECTED_MINTS; index++) {
    const mint = deriveDemoAddress(`collected mint ${index}`);
    const token = { mint, tokenProgram: TOKEN_PROGRAM, accountExtensions: [] };
    for (let account = 0; account < perMint; account++) {
      const amount = BigInt(1 + index * perMint + account) * 1_000_000n;
      ledger.addTokens(deriveDemoAddress(`collected ${index}/${account}`, owner), token, { owner, amount });
    }
    const supply = ledger.supplyOf(mint);
    const data = encodeMint({
      mintAuthority: null,
      supply,
      decimals: 6,
      freezeAuthority: null,
      extensions: [],
    });
    ledger.addData(mint, TOKEN_PROGRAM, data);
  }
}
