import { describe, expect, it } from 'vitest';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_2022_PROGRAM } from '../../solana/program-addresses.ts';
import { decodeTokenAccount, readTokenAccountAmount } from '../../solana/programs/token/account.ts';
import { transferChecked } from '../../solana/programs/token/instructions.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import { encodeTransferFeeConfigExtension } from '../../solana/programs/token/transfer-fee.ts';
import type { Bank } from './ledger/bank.ts';
import {
  ALICE,
  BOB,
  GENESIS,
  send,
  signTestTransaction,
  getSignatureStatus,
  openBankForTests,
  createTestKey,
  createTokenProgramAccount,
} from '../../testing/chain/bank.ts';
import { SLOTS_PER_EPOCH } from './blocks/blocks.ts';

describe('Token-2022 in the runtime', () => {
  it('withholds transfer fees by epoch, up to their maximum', async () => {
    const bank = await openBankForTests({ genesis: [...GENESIS, mintWithFee()], mintAuthorities: [ISSUER] });
    bank.faucet(ALICE.address, MINT, 10_000_000n);
    const create = createAssociatedTokenIdempotent({
      payer: ALICE.address,
      owner: BOB.address,
      mint: MINT,
      tokenProgram: TOKEN_2022_PROGRAM,
    });
    send(bank, signTestTransaction(bank, [ALICE], [create]));
    transfer(bank, 10_001n);
    expect(amountOf(bank, BOB)).toBe(10_001n - 101n);
    const account = decodeTokenAccount(bank.getAccount(ata(BOB), 'processed')?.data ?? new Uint8Array(0));
    expect(account.extensions.some(({ data }) => data[0] === 101)).toBe(true);
    transfer(bank, 1_000_000n);
    expect(amountOf(bank, BOB)).toBe(9_900n + 995_000n);
    await bank.admin.warp({ slots: Number(SLOTS_PER_EPOCH) * 2 });
    transfer(bank, 10_000n);
    expect(amountOf(bank, BOB)).toBe(9_900n + 995_000n + 9_700n);
    await bank.advanceSlot();
    const found = bank.signaturesForAddress(ata(BOB), { commitment: 'confirmed', limit: 1 })[0];
    const record = bank.transaction(found?.signature ?? '', 'confirmed');
    const ofBob = ({ owner }: { readonly owner: string }) => owner === BOB.address;
    expect(record?.preTokenBalances.find(ofBob)?.amount).toBe(1_004_900n);
    expect(record?.postTokenBalances.find(ofBob)?.amount).toBe(1_014_600n);
  });
});

const ISSUER = createTestKey(140);
const MINT = createTestKey(141).address;
const ata = (owner: typeof ALICE) => deriveAssociatedTokenAddress(owner.address, MINT, TOKEN_2022_PROGRAM);

/** A mint that withholds 1% of transfers, and 3% from epoch 2 on, but at most 5,000 atoms. */
function mintWithFee() {
  const fee = (epoch: bigint, basisPoints: number) => ({ epoch, maximumFee: 5_000n, basisPoints });
  const extension = encodeTransferFeeConfigExtension({
    configAuthority: ISSUER.address,
    withdrawWithheldAuthority: ISSUER.address,
    withheldAmount: 0n,
    older: fee(0n, 100),
    newer: fee(2n, 300),
  });
  const data = encodeMint({
    mintAuthority: ISSUER.address,
    supply: 0n,
    decimals: 3,
    freezeAuthority: null,
    extensions: [extension],
  });
  return { address: MINT, account: { ...createTokenProgramAccount(data), owner: TOKEN_2022_PROGRAM } };
}

function transfer(bank: Bank, amount: bigint): void {
  const checked = {
    source: ata(ALICE),
    destination: ata(BOB),
    authority: ALICE.address,
    amount,
    mint: MINT,
    decimals: 3,
  };
  const signature = send(
    bank,
    signTestTransaction(bank, [ALICE], [transferChecked(TOKEN_2022_PROGRAM, checked)]),
  );
  expect(getSignatureStatus(bank, signature)?.error).toBeNull();
}

const amountOf = (bank: Bank, owner: typeof ALICE) =>
  readTokenAccountAmount(bank.getAccount(ata(owner), 'processed')?.data ?? new Uint8Array(0));
