import { writeSync } from 'node:fs';
import { transferLamports } from '../../solana/programs/system.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { transfer } from '../../solana/programs/token/instructions.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import type { Bank } from '../../chain/embedded/ledger/bank.ts';
import type { BankOptions } from '../../chain/embedded/bank/bank-options.ts';
import {
  ALICE,
  BOB,
  createBankOptions,
  GENESIS,
  send,
  signTestTransaction,
  createTestKey,
  createTokenProgramAccount,
} from './bank.ts';
import { driveSlots, MONOTONIC_TIMERS } from '../../chain/embedded/slots/slot-timer.ts';
import { openBank } from '../../chain/embedded/bank/open-bank.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';

const ISSUER = createTestKey(80);
export const MINT = createTestKey(81).address;

/** A network with a token that writes snapshots so often that a process is likely to end during one. */
export function loadOptions(folder: string): BankOptions {
  const data = encodeMint({
    mintAuthority: ISSUER.address,
    supply: 0n,
    decimals: 0,
    freezeAuthority: null,
    extensions: [],
  });
  return createBankOptions({
    folder,
    genesis: [...GENESIS, { address: MINT, account: createTokenProgramAccount(data) }],
    mintAuthorities: [ISSUER],
    snapshotPolicy: { bytes: 150_000, slots: 12 },
    now: SYSTEM_TIMERS.now,
  });
}

/**
 * The process that the test kills. It moves lamports and tokens as fast as possible, and prints a line with the slot and
 * the signatures of each confirmed slot.
 */
async function run(folder: string): Promise<void> {
  const bank = await openBank(loadOptions(folder));
  bank.subscribe((event) => {
    if (event.kind !== 'commitment' || event.commitment !== 'confirmed') return;
    const signatures = event.transactions.map(({ signature }) => signature);
    writeSync(1, `${event.slot} ${signatures.join(',')}\n`);
  });
  driveSlots(bank, 5, MONOTONIC_TIMERS);
  for (let round = 0; ; round++) {
    // A network whose disk does not keep up refuses transactions, and its clients wait.
    if (bank.unhealthy() === null) work(bank, round);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function work(bank: Bank, round: number): void {
  bank.faucet(ALICE.address, MINT, 5n);
  bank.faucet(BOB.address, MINT, 3n);
  const [from, to] = round % 2 === 0 ? [ALICE, BOB] : [BOB, ALICE];
  const account = (owner: typeof from) => deriveAssociatedTokenAddress(owner.address, MINT, TOKEN_PROGRAM);
  const amount = BigInt((round % 1_000) + 1);
  const tokens = { source: account(from), destination: account(to), authority: from.address, amount: 1n };
  send(
    bank,
    signTestTransaction(
      bank,
      [from],
      [transferLamports(from.address, to.address, amount), transfer(TOKEN_PROGRAM, tokens)],
    ),
  );
}

const [, , folder] = process.argv;
if (process.env.SLUICE_TEST_LOAD === '1' && folder !== undefined) await run(folder);
