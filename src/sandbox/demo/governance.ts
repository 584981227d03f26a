import { toLedgerMint } from '../../protocol/genesis/mints.ts';
import {
  deriveGovernor,
  deriveVoteEscrowAddress,
  encodeGovernor,
  encodeLocker,
  encodePartialUnstake,
  encodeVoteEscrow,
  GOVERN_PROGRAM,
  JUP_GOVERNANCE_BASE,
  JUP_LOCKER,
  VOTER_PROGRAM,
} from '../../protocols/jupiter-governance/layout.ts';
import { type Address, address, toAddressBytes } from '../../solana/address.ts';
import { parseDecimalAmount } from '../../solana/codec/decimal-amount.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { deriveAssociatedTokenAddress, findProgramAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { type DemoContext, deriveDemoAddress } from './demo-context.ts';

const DAY = 86_400n;
/** The public program of the wallet that carries out what voters have decided. */
const SMART_WALLET_PROGRAM = address('smaK3fwkA7ubbxEhsimp1iqPTzfS4MBsNL77QLABZP6');

/**
 * Adds the locker of JUP with its governor, and in it the owner's stake: 1,500 JUP that stay locked, and 250 JUP that can be
 * withdrawn after three weeks, in two parts, one of them with a memo.
 */
export function addGovernanceStake({ ledger, owner, foundedAt }: DemoContext): void {
  const jup = getGenesisToken('JUP');
  const atoms = (amount: string) => parseDecimalAmount(amount, jup.decimals);
  const amount = atoms('1500');
  const parts = [
    { name: 'partial unstake', amount: atoms('200'), memo: '' },
    { name: 'partial unstake with a memo', amount: atoms('50'), memo: 'for the next lock' },
  ];
  const unstaking = parts.reduce((sum, part) => sum + part.amount, 0n);
  const escrow = deriveVoteEscrowAddress(JUP_LOCKER, owner);
  const stake = {
    locker: JUP_LOCKER,
    owner,
    tokens: deriveAssociatedTokenAddress(escrow, jup.mint, TOKEN_PROGRAM),
    amount,
    startedAt: foundedAt - 90n * DAY,
    endsAt: foundedAt + 30n * DAY,
    isMaxLock: true,
    unstaking,
  };
  ledger.addData(escrow, VOTER_PROGRAM, encodeVoteEscrow(stake));
  ledger.addAssociatedTokens(toLedgerMint(jup), { owner: escrow, amount: amount + unstaking });
  for (const part of parts) {
    const data = encodePartialUnstake(
      { escrow, amount: part.amount, expiration: foundedAt + 21n * DAY },
      part.memo,
    );
    ledger.addData(deriveDemoAddress(part.name), VOTER_PROGRAM, data);
  }
  addLocker(ledger, { mint: jup.mint, lockedSupply: amount + unstaking, activationVotes: atoms('100') });
}

function addLocker(
  ledger: DemoContext['ledger'],
  terms: { readonly mint: Address; readonly lockedSupply: bigint; readonly activationVotes: bigint },
): void {
  const base = JUP_GOVERNANCE_BASE;
  const governor = deriveGovernor(base).address;
  const locker = encodeLocker({
    ...terms,
    base,
    escrows: 1n,
    governor,
    multiplier: 1,
    minDuration: DAY,
    maxDuration: 30n * DAY,
  });
  ledger.addData(JUP_LOCKER, VOTER_PROGRAM, locker);
  const seeds = [Buffer.from('SmartWallet'), toAddressBytes(base)];
  const data = encodeGovernor(base, {
    locker: JUP_LOCKER,
    smartWallet: findProgramAddress(SMART_WALLET_PROGRAM, seeds).address,
    quorumVotes: terms.activationVotes,
    seconds: { delay: 0n, voting: 4n * DAY, timelock: 0n },
  });
  ledger.addData(governor, GOVERN_PROGRAM, data);
}
