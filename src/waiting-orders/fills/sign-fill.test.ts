import { describe, expect, it } from 'vitest';
import { checkFill } from '../../custody/checks/fill.ts';
import { SigningRefused } from '../../custody/custody.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { type CompiledInstruction, parseMessage } from '../../solana/messages/message.ts';
import { isFullySigned, parseTransaction } from '../../solana/messages/transaction.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { FillMarket, TestCustody } from '../../testing/waiting-orders/fills.ts';
import { planSampleFills } from '../../testing/waiting-orders/sample-fills.ts';
import { signFill, toFillToSign } from './sign-fill.ts';

const [USDC, JUP] = [getGenesisToken('USDC').mint, getGenesisToken('JUP').mint];
const FOR_SOL = { inputMint: USDC, outputMint: WRAPPED_SOL_MINT, amount: 20_000_000n };
const fills = await FillMarket.open();
const { gasWallet } = fills;

describe('signFill', () => {
  it('signs fills over every venue, whole and in part, which custody accepts, with both keys', async () => {
    const samples = await planSampleFills(fills);
    for (const { sale, vault, fill } of samples) {
      checkFill(toFillToSign(gasWallet, sale, fill), sale.vault);
      const custody = new TestCustody(vault);
      const { wire, lastValidBlockHeight } = await signFill({ custody, gasWallet }, sale, fill);
      expect(isFullySigned(parseTransaction(wire))).toBe(true);
      expect(lastValidBlockHeight).toBe(fill.lastValidBlockHeight);
      expect(custody.asked).toEqual([toFillToSign(gasWallet, sale, fill)]);
    }
    const names = samples.map(({ name }) => name).join();
    for (const kind of ['new account', 'existing account', 'part', 'fee']) expect(names).toContain(kind);
  });

  it('does not ask for the vault’s signature if the gas wallet would pay more than is planned', async () => {
    const { sale, vault } = fills.deposit({ inputMint: JUP, outputMint: USDC, amount: 100_000_000n });
    const fill = await fills.planFill(sale);
    const custody = new TestCustody(vault);
    for (const [changed, reason] of [
      [{ lamports: fill.lamports - 1n }, /the fee of the fill is 10000 lamports, and 9999 are planned/],
      [{ rentReturned: fill.rentPaid - 1n }, /costs the gas wallet 10001 lamports, and 10000 are planned/],
    ] as const) {
      const signing = signFill({ custody, gasWallet }, sale, { ...fill, ...changed });
      await expect(signing).rejects.toThrow(reason);
    }
    expect(custody.asked).toEqual([]);
  });

  it('does not count rent as returned that goes to another account than the gas wallet', async () => {
    const { sale, vault } = fills.deposit({ inputMint: JUP, outputMint: USDC, amount: 100_000_000n });
    const fill = await fills.planFill(sale);
    const signers = { custody: new TestCustody(vault), gasWallet };
    const elsewhere = { ...sale, account: fills.newKey(0n).address };
    await expect(signFill(signers, elsewhere, fill)).rejects.toThrow(/costs the gas wallet 2049280 lamports/);
  });

  it('does not count what the account for SOL is lent as returned, unless it is closed to the gas wallet', async () => {
    const { sale, vault } = fills.deposit(FOR_SOL);
    const fill = await fills.planFill(sale);
    const custody = new TestCustody(vault);
    const { staticAccounts, instructions } = parseMessage(fill.messageBytes);
    const { programIndex, accounts } = instructions.at(-1) as CompiledInstruction;
    const closing = [programIndex, accounts.length, ...accounts, 1, 9];
    const messageBytes = Uint8Array.from(fill.messageBytes);
    const at = Buffer.from(messageBytes).indexOf(Buffer.from(closing));
    messageBytes[at + 3] = staticAccounts.indexOf(sale.wallet);
    const signing = signFill({ custody, gasWallet }, sale, { ...fill, messageBytes });
    await expect(signing).rejects.toThrow(/costs the gas wallet 2049280 lamports, and 10000 are planned/);
    expect(custody.asked).toEqual([]);
  });

  it('signs nothing for another vault, or with another payer', async () => {
    const { sale, vault } = fills.deposit(FOR_SOL);
    const fill = await fills.planFill(sale);
    const custody = new TestCustody(vault);
    const other = fills.newKey(1_000_000_000n);
    await expect(signFill({ custody, gasWallet: other }, sale, fill)).rejects.toThrow(SigningRefused);
    const stranger = { ...sale, vault: other.address };
    await expect(signFill({ custody, gasWallet }, stranger, fill)).rejects.toThrow(SigningRefused);
    await expect(signFill({ custody: { sign: async () => [] }, gasWallet }, sale, fill)).rejects.toThrow(
      `the key of the vault ${sale.vault} did not sign`,
    );
  });

  it('gives the gas wallet the rent of wrapped SOL back and no SOL, also if more lies in the account than is sold', async () => {
    const deposited = fills.deposit({
      inputMint: WRAPPED_SOL_MINT,
      outputMint: USDC,
      amount: 1_000_000_000n,
    });
    const { sale } = deposited;
    const fill = await fills.planFill(sale);
    checkFill(toFillToSign(gasWallet, sale, fill), sale.vault);
    const more = { owner: sale.vault, mint: WRAPPED_SOL_MINT, amount: 1_500_000_000n };
    fills.setTokens(sale.account, more);
    const before = fills.lamports(gasWallet.address);
    expect((await fills.land(deposited, fill)).error).toBeNull();
    expect(before - fills.lamports(gasWallet.address)).toBe(fill.lamports);
    expect(fills.lamports(sale.vault)).toBe(500_000_000n);
  });
});
