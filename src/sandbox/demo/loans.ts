import { toLedgerMint } from '../../protocol/genesis/mints.ts';
import { deriveLoanAddress, encodeLoan } from '../../protocols/jupiter-loans/layout.ts';
import { CUSTODIES, PERPETUALS_PROGRAM } from '../../protocols/jupiter-perpetuals/layout.ts';
import { PERPETUALS_AUTHORITY } from '../../protocols/jupiter-perpetuals/pool-layout.ts';
import { parseDecimalAmount } from '../../solana/codec/decimal-amount.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { type DemoContext, deriveDemoAddress } from './demo-context.ts';

const DAY = 86_400n;

/** The loans of the USDC custody: 200,000 USDC, and 2% of interest. */
export const LOANS = {
  interestIndex: 1_020_000_000n,
  hourlyRate: 0n,
  debt: 204_000_000_000_000_000_000n,
  interest: 4_000_000_000_000_000_000n,
} as const;

/** Adds the owner's loan of 2,000 USDC against 1,000 JLP, and one of 198,000 USDC. Both have grown by 2%. */
export function addLoans({ ledger, owner, foundedAt }: DemoContext): void {
  const { USDC } = CUSTODIES;
  const [jlp, usdc] = [getGenesisToken('JLP'), getGenesisToken('USDC')];
  const loans = [
    { wallet: owner, borrowed: '2000', pledged: '1000', held: 'loan collateral' },
    {
      wallet: deriveDemoAddress('jlp borrower'),
      borrowed: '198000',
      pledged: '60000',
      held: 'other loan collateral',
    },
  ];
  for (const { wallet, borrowed, pledged, held } of loans) {
    const collateral = parseDecimalAmount(pledged, jlp.decimals);
    const loan = encodeLoan(
      {
        owner: wallet,
        custody: USDC,
        borrowed: parseDecimalAmount(borrowed, usdc.decimals) * 1_000n,
        indexSnapshot: 1_000_000_000n,
        collateral,
      },
      foundedAt - 30n * DAY,
    );
    ledger.addData(deriveLoanAddress(wallet, USDC), PERPETUALS_PROGRAM, loan);
    const tokens = { owner: PERPETUALS_AUTHORITY.address, amount: collateral };
    ledger.addTokens(deriveDemoAddress(held), toLedgerMint(jlp), tokens);
  }
}
