import { describe, expect, it } from 'vitest';
import { transferLamports } from '../../../solana/programs/system.ts';
import {
  BOB,
  FAUCET,
  getLamports,
  SOL,
  openBankForTests,
  createTestKey,
} from '../../../testing/chain/bank.ts';

describe('EpochKeeper', () => {
  it('lands its transactions once, in the first slot of each epoch', async () => {
    const bank = await openBankForTests({ epochInstructions: GIFT });
    await bank.advanceSlot();
    expect(getLamports(bank, CARL)).toBe(0n);
    await bank.admin.warp({ slots: EPOCH });
    expect(getLamports(bank, CARL)).toBe(SOL);
    await bank.advanceSlot();
    expect(getLamports(bank, CARL)).toBe(SOL);
    await bank.admin.warp({ slots: EPOCH });
    expect(getLamports(bank, CARL)).toBe(2n * SOL);
    await bank.close();
  });

  it('sends them again after accounts of an earlier epoch were restored', async () => {
    const bank = await openBankForTests({ epochInstructions: GIFT });
    await bank.admin.saveSnapshot('early');
    await bank.admin.warp({ slots: EPOCH });
    await bank.admin.restoreSnapshot('early');
    expect(getLamports(bank, CARL)).toBe(SOL);
    await bank.close();
  });

  it('sends the others when one fails', async () => {
    const stolen = transferLamports(BOB.address, CARL, SOL);
    const unsigned = { ...stolen, accounts: stolen.accounts.map((each) => ({ ...each, role: 1 as const })) };
    const bank = await openBankForTests({ epochInstructions: [unsigned, ...GIFT] });
    await bank.admin.warp({ slots: EPOCH });
    expect(getLamports(bank, CARL)).toBe(SOL);
    await bank.close();
  });
});

const EPOCH = 432_000;
const CARL = createTestKey(44).address;
const GIFT = [transferLamports(FAUCET.address, CARL, SOL)];
