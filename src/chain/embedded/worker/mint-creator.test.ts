import { describe, expect, it } from 'vitest';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../../solana/programs/associated-token.ts';
import { createAccount, transferLamports } from '../../../solana/programs/system.ts';
import { initializeMint, mintTo } from '../../../solana/programs/token/instructions.ts';
import { computeRentExemptMinimum } from '../../../solana/rent.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import {
  advance,
  ALICE,
  BOB,
  send,
  signTestTransaction,
  openBankForTests,
  createTestKey,
} from '../../../testing/chain/bank.ts';
import type { Bank } from '../ledger/bank.ts';
import { findMintCreator } from './mint-creator.ts';
import { countTokenHolders } from './token-holders.ts';
import { openForEach } from '../../../testing/opened.ts';

const bank = openForEach(openBankForTests);

describe('findMintCreator', () => {
  it('returns the wallet that paid for the transaction which initialised the mint, once it is confirmed', async () => {
    await land(creation(ALICE), [ALICE, MINT]);
    expect(findMintCreator(bank, MINT.address)).toBe(ALICE.address);
    await land([transferLamports(BOB.address, MINT.address, 5n)], [BOB]);
    expect(findMintCreator(bank, MINT.address)).toBe(ALICE.address);
  });

  it('does not take for the creator who named the address before, or failed to create the mint', async () => {
    const lamports = computeRentExemptMinimum(0);
    await land([transferLamports(BOB.address, MINT.address, lamports)], [BOB]);
    expect(findMintCreator(bank, MINT.address)).toBeNull();
    // An account that holds lamports cannot be created.
    await land(creation(BOB), [BOB, MINT]);
    expect(findMintCreator(bank, MINT.address)).toBeNull();
  });

  it('does not know the creator of a mint whose transaction is not kept', () => {
    expect(findMintCreator(bank, ALICE.address)).toBeNull();
    expect(findMintCreator(bank, createTestKey(61).address)).toBeNull();
  });

  it('gives up on an address with thousands of transactions', () => {
    let pages = 0;
    const signaturesForAddress = () => {
      pages++;
      return Array.from({ length: 1_000 }, (_, at) => ({ signature: `${pages}/${at}` }));
    };
    const busy = { signaturesForAddress, transaction: () => null } as unknown as Bank;
    expect(findMintCreator(busy, MINT.address)).toBeNull();
    expect(pages).toBe(5);
  });
});

describe('countTokenHolders', () => {
  it('tells what one owner has, beside the largest', async () => {
    await land(creation(ALICE), [ALICE, MINT]);
    const instructions = [ALICE, BOB].flatMap(({ address: owner }, at) => {
      const setup = { payer: ALICE.address, owner, mint: MINT.address, tokenProgram: TOKEN_PROGRAM };
      const account = deriveAssociatedTokenAddress(owner, MINT.address, TOKEN_PROGRAM);
      const amount = at === 0 ? 30n : 70n;
      return [
        createAssociatedTokenIdempotent(setup, account),
        mintTo(TOKEN_PROGRAM, { mint: MINT.address, account, authority: ALICE.address, amount }),
      ];
    });
    await land(instructions, [ALICE]);
    const largest = [70n, 30n];
    expect(await countTokenHolders(bank, MINT.address, ALICE.address)).toEqual({
      owners: 2,
      largest,
      ofOwner: 30n,
    });
    expect(await countTokenHolders(bank, MINT.address, createTestKey(62).address)).toMatchObject({
      ofOwner: 0n,
    });
    expect(await countTokenHolders(bank, MINT.address, null)).toEqual({ owners: 2, largest, ofOwner: null });
  });
});

const MINT = createTestKey(60);
/** Bytes of a mint without extensions. */
const MINT_SIZE = 82;

const creation = (payer: typeof ALICE): Instruction[] => [
  createAccount({
    payer: payer.address,
    account: MINT.address,
    lamports: computeRentExemptMinimum(MINT_SIZE),
    space: BigInt(MINT_SIZE),
    owner: TOKEN_PROGRAM,
  }),
  initializeMint(TOKEN_PROGRAM, {
    mint: MINT.address,
    decimals: 6,
    mintAuthority: payer.address,
    freezeAuthority: null,
  }),
];

/** Sends a transaction, and waits until it is confirmed. */
async function land(instructions: readonly Instruction[], signers: readonly Keypair[]): Promise<void> {
  send(bank, signTestTransaction(bank, signers, instructions));
  await advance(bank, 3);
}
