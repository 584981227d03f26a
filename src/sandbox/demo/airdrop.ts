import { toLedgerMint } from '../../protocol/genesis/mints.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { parseDecimalAmount } from '../../solana/codec/decimal-amount.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import {
  deriveClaimStatusAddress,
  deriveDistributor,
  type Distributor,
  DISTRIBUTOR_PROGRAM,
  encodeClaimStatus,
  encodeDistributor,
} from '../../protocols/jupiter-airdrops/layout.ts';
import { type DemoContext, deriveDemoAddress } from './demo-context.ts';

const DAY = 86_400n;

/** Adds an airdrop of 1,200 JUP that unlock over a year, half of which has passed. 300 of them were claimed. */
export function addAirdrop({ ledger, owner, foundedAt }: DemoContext): void {
  const jup = getGenesisToken('JUP');
  const [lockedAmount, lockedAmountWithdrawn] = ['1200', '300'].map((each) =>
    parseDecimalAmount(each, jup.decimals),
  ) as [bigint, bigint];
  const [base, admin] = [deriveDemoAddress('airdrop base'), deriveDemoAddress('airdrop admin')];
  const distributor = deriveDistributor(base, jup.mint).address;
  const startsAt = foundedAt - 180n * DAY;
  const terms: Distributor = {
    mint: jup.mint,
    tokenVault: deriveAssociatedTokenAddress(distributor, jup.mint, TOKEN_PROGRAM),
    maxTotalClaim: lockedAmount,
    totalAmountClaimed: lockedAmountWithdrawn,
    startsAt,
    endsAt: foundedAt + 180n * DAY,
    activationPoint: startsAt,
    activationType: 'timestamp',
    isClawedBack: false,
  };
  const clawbackReceiver = deriveAssociatedTokenAddress(admin, jup.mint, TOKEN_PROGRAM);
  const only = { claimant: owner, unlocked: 0n, locked: lockedAmount };
  const data = encodeDistributor(terms, { base, admin, clawbackReceiver, only });
  ledger.addData(distributor, DISTRIBUTOR_PROGRAM, data);
  ledger.addAssociatedTokens(toLedgerMint(jup), { owner: admin, amount: 0n });
  ledger.addAssociatedTokens(toLedgerMint(jup), {
    owner: distributor,
    amount: lockedAmount - lockedAmountWithdrawn,
  });
  const claimed = {
    distributor,
    claimant: owner,
    lockedAmount,
    lockedAmountWithdrawn,
    unlockedAmount: 0n,
    bonusAmount: 0n,
  };
  const claim = deriveClaimStatusAddress(owner, distributor);
  ledger.addData(claim, DISTRIBUTOR_PROGRAM, encodeClaimStatus(claimed, admin));
}
