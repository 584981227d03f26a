import { describe, expect, it } from 'vitest';
import { checkFill } from '../../custody/checks/fill.ts';
import { createTokenAccount } from '../../market/aggregator/token-accounts.ts';
import type { Address } from '../../solana/address.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { type Instruction, writable } from '../../solana/messages/instruction.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import { closeAccount, unwrapLamports } from '../../solana/programs/token/instructions.ts';
import { deriveTemporaryAccount } from '../../swaps/build/token-flow.ts';
import { type DepositedOrder, FillMarket } from '../../testing/waiting-orders/fills.ts';
import type { OrderSale } from '../order-sale.ts';
import type { PlannedFill } from './fill-plan.ts';
import { readLandedFill } from './landed-fill.ts';
import { toFillToSign } from './sign-fill.ts';

const [USDC, JUP] = [getGenesisToken('USDC').mint, getGenesisToken('JUP').mint];
const FOR_SOL = { inputMint: JUP, outputMint: WRAPPED_SOL_MINT, amount: 1_000_000_000n };
const ROUND = { leg: 'round', exactly: 100_000_000n } as const;
const RENT = 2_039_280n;
const ANY = { referenceIn: 1_000, referenceOut: 1e12 };
const fills = await FillMarket.open();
const stranger = fills.market.network.payer;

describe('a fill that pays SOL', () => {
  it('gives the account to the wallet after two failures, so that dust in it does not keep it from being filled', async () => {
    const deposited = fills.deposit(FOR_SOL, { failures: 2 });
    const { sale } = deposited;
    const fill = await fills.planFill(sale);
    payDust(sale);
    const landed = await land(deposited, fill);
    expect(landed).toMatchObject({ input: FOR_SOL.amount, output: fill.quotedOut });
    expect(fills.lamports(sale.wallet)).toBe(fill.quotedOut);
    expect(fills.leftWith(sale.vault, landed.transaction)).toEqual([]);
    expect(fills.tokens(sale.account)).toBe(1n);
  });

  it('sells a part if the whole misses the floor, without rent', async () => {
    const deposited = fills.deposit({ ...FOR_SOL, amount: fills.amountWorth(JUP, 20_000) });
    const { sale } = deposited;
    const fill = await fills.planFill(sale, fills.missed(sale, await fills.planFill(sale, ANY)));
    expect(fill).toMatchObject({ isWhole: false, rentPaid: 0n, rentReturned: 0n });
    const { inputAmount: input, quotedOut: output } = fill;
    expect(await land(deposited, fill)).toMatchObject({ input, output, isWhole: false });
    expect(fills.lamports(sale.wallet)).toBe(output);
  });

  it('is not kept from landing by a stranger, who cannot open the account that it comes through', async () => {
    const deposited = fills.deposit(FOR_SOL);
    const { sale } = deposited;
    const { account, bump } = deriveTemporaryAccount(sale.vault);
    const fill = await fills.planFill(sale);
    const create = { tokenAccount: account, bump, user: sale.vault, tokenProgram: TOKEN_PROGRAM };
    const opening = createTokenAccount({ ...create, mint: WRAPPED_SOL_MINT });
    const unsigned = opening.accounts.map((meta) =>
      meta.address === sale.vault ? writable(sale.vault) : meta,
    );
    run(transferLamports(stranger, account, RENT + 5n));
    expectRefused({ ...opening, accounts: unsigned });
    expect(await land(deposited, fill)).toMatchObject({ output: fill.quotedOut, isWhole: true });
    // What the stranger has sent is the wallet's, with the rent of the order's account, and no part of the fill.
    expect(fills.lamports(sale.wallet)).toBe(fill.quotedOut + RENT + 5n + RENT);
  });

  it('leaves the wrapped SOL of the wallet and its account as they are', async () => {
    const deposited = fills.deposit(FOR_SOL);
    const { sale } = deposited;
    const own = fills.openAta(sale.wallet, WRAPPED_SOL_MINT);
    const fill = await fills.planFill(sale);
    expect(await land(deposited, fill)).toMatchObject({ output: fill.quotedOut });
    expect([fills.tokens(own), fills.lamports(own)]).toEqual([0n, RENT]);
    expect(fills.lamports(sale.wallet)).toBe(fill.quotedOut + RENT);
  });

  it('unwraps all and leaves the rent, which nobody but the owner of the account can do', () => {
    const amount = 1_000_000_000n;
    const { sale } = fills.deposit({ inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount });
    const { account, wallet: destination, vault } = sale;
    expectRefused(unwrapLamports(TOKEN_PROGRAM, { account, destination, owner: stranger }));
    run(unwrapLamports(TOKEN_PROGRAM, { account, destination, owner: vault }));
    expect([fills.lamports(account), fills.lamports(destination)]).toEqual([RENT, amount]);
  });
});

describe('a sale of an exact amount', () => {
  it('sells that, whatever else lies in the account, which stays open', async () => {
    for (const outputMint of [USDC, WRAPPED_SOL_MINT]) {
      const deposited = fills.deposit({ ...FOR_SOL, outputMint }, { ...ROUND, failures: 5 });
      const { sale } = deposited;
      if (outputMint === USDC) fills.openAta(sale.wallet, USDC);
      payDust(sale);
      const fill = await fills.planFill(sale);
      payDust(sale, 2n);
      const output = fill.quotedOut;
      expect(await land(deposited, fill)).toMatchObject({ input: ROUND.exactly, output, isWhole: false });
      expect(fills.received(sale)).toBe(output);
      expect(fills.tokens(sale.account)).toBe(FOR_SOL.amount - ROUND.exactly + 2n);
    }
  });

  it('waits for a wallet without an account for the output, since no rent would come back', async () => {
    const { sale } = fills.deposit({ ...FOR_SOL, outputMint: USDC }, ROUND);
    const detail = expect.stringMatching(
      /needs 2039280 lamports of rent, and the fill returns 0: the wallet has to create it$/,
    );
    expect(await fills.plan(sale)).toEqual({ kind: 'waits', reason: 'refused', detail });
  });

  it('costs the fee of one fill if the wallet closes that account before it lands, and then waits', async () => {
    const deposited = fills.deposit({ ...FOR_SOL, outputMint: USDC }, ROUND);
    const { sale } = deposited;
    const account = fills.openAta(sale.wallet, USDC);
    const fill = await fills.planFill(sale);
    run(closeAccount(TOKEN_PROGRAM, { account, destination: sale.wallet, authority: sale.wallet }));
    expect(await land(deposited, fill)).toMatchObject({ kind: 'failed' });
    expect(await fills.plan(sale)).toMatchObject({ kind: 'waits', reason: 'refused' });
  });

  it('waits if less is left, and is not made in parts', async () => {
    const { sale } = fills.deposit(FOR_SOL, { ...ROUND, exactly: FOR_SOL.amount + 1n });
    const detail = `the order's account ${sale.account} holds 1000000000 atoms, not 1000000001`;
    expect(await fills.plan(sale)).toEqual({ kind: 'waits', reason: 'refused', detail });
    const amount = fills.amountWorth(JUP, 20_000);
    const large = fills.deposit({ ...FOR_SOL, amount }, { ...ROUND, exactly: amount - 1n }).sale;
    const missed = fills.missed(large, await fills.planFill(large, ANY));
    expect(await fills.plan(large, missed)).toMatchObject({ kind: 'waits', reason: 'price' });
  });
});

describe('a fill into an account of the vault', () => {
  it.each([
    ['tokens', WRAPPED_SOL_MINT, USDC],
    ['SOL', USDC, WRAPPED_SOL_MINT],
  ])('keeps %s there to the atom, for a sale that pays the wallet', async (_, inputMint, outputMint) => {
    const { deposited, outputAccount } = depositEntry(inputMint, outputMint);
    const { sale } = deposited;
    // What a stranger has sent is sold with what is bought.
    fills.setTokens(outputAccount, { owner: sale.vault, mint: outputMint, amount: 3n });
    const fill = await fills.planFill(sale);
    expect(fill).toMatchObject({ rentPaid: 0n, created: null });
    expect(await land(deposited, fill)).toMatchObject({ output: fill.quotedOut, isWhole: true });
    expect(fills.tokens(outputAccount)).toBe(fill.quotedOut + 3n);
    expect(fills.lamports(sale.wallet)).toBe(RENT);
    const exit: OrderSale = {
      ...sale,
      leg: 'stop_loss',
      account: outputAccount,
      inputMint: outputMint,
      outputMint: inputMint,
      remaining: fill.quotedOut,
      outputAccount: null,
    };
    const sold = await fills.planFill(exit);
    const landed = await land({ ...deposited, sale: exit }, sold);
    const [input, output] = [fill.quotedOut + 3n, sold.quotedOut];
    expect(landed).toMatchObject({ input, output, isWhole: true });
    expect(fills.leftWith(sale.vault, landed.transaction)).toEqual([]);
  });

  it('gives the account that is sold from to the wallet after two failures, and what is bought stays', async () => {
    const { deposited, outputAccount } = depositEntry(JUP, USDC, { failures: 2 });
    const { sale } = deposited;
    const fill = await fills.planFill(sale);
    payDust(sale);
    const landed = await land(deposited, fill);
    expect(landed).toMatchObject({ input: sale.remaining, output: fill.quotedOut });
    expect(fills.tokens(outputAccount)).toBe(fill.quotedOut);
    expect(fills.leftWith(sale.wallet, landed.transaction)).toEqual([sale.account]);
  });

  it('waits unless that account is the vault’s, of the output, and another one than is sold from', async () => {
    const { deposited, outputAccount } = depositEntry(WRAPPED_SOL_MINT, USDC);
    const { sale } = deposited;
    const why = async (changed: Partial<OrderSale> = {}) => {
      const plan = await fills.plan({ ...sale, ...changed });
      return plan.kind === 'waits' ? `${plan.reason}: ${plan.detail}` : plan.kind;
    };
    const held = { owner: sale.vault, mint: USDC, amount: 0n };
    expect(await why()).toBe('fill');
    expect(await why({ outputAccount: fills.newKey(0n).address })).toMatch(/^refused: .* does not exist$/);
    expect(await why({ outputAccount: sale.account })).toMatch(/^refused: .* is the one that is sold from$/);
    fills.setTokens(outputAccount, { ...held, owner: sale.wallet });
    expect(await why()).toContain(`belongs to ${sale.wallet}, not to ${sale.vault}`);
    fills.setTokens(outputAccount, { ...held, mint: JUP });
    expect(await why()).toContain(`holds ${JUP}`);
    fills.setTokens(outputAccount, held, 'frozen');
    expect(await why()).toContain('is frozen');
  });

  it('fails, and takes nothing, if that account is given back before it lands', async () => {
    const { deposited, outputAccount: account } = depositEntry(WRAPPED_SOL_MINT, USDC);
    const { sale } = deposited;
    const fill = await fills.planFill(sale);
    run(closeAccount(TOKEN_PROGRAM, { account, destination: sale.wallet, authority: sale.vault }));
    expect(await land(deposited, fill)).toMatchObject({ kind: 'failed' });
    expect(fills.tokens(sale.account)).toBe(sale.remaining);
  });
});

/** An order that buys into a second account of its vault. */
function depositEntry(inputMint: Address, outputMint: Address, terms: Partial<OrderSale> = {}) {
  const pair = { inputMint, outputMint, amount: 1_000_000_000n };
  const deposited = fills.depositEntry(pair, { leg: 'entry', ...terms });
  const outputAccount = deposited.sale.outputAccount as Address;
  fills.setTokens(outputAccount, { owner: deposited.sale.vault, mint: outputMint, amount: 0n });
  return { deposited, outputAccount };
}

/** Lands a fill that custody accepts, and returns what it moved and what it took from the gas wallet. */
async function land(deposited: DepositedOrder, fill: PlannedFill) {
  const { sale } = deposited;
  checkFill(toFillToSign(fills.gasWallet, sale, fill), sale.vault);
  const gas = fills.lamports(fills.gasWallet.address);
  const transaction = await fills.land(deposited, fill);
  const cost = gas - fills.lamports(fills.gasWallet.address);
  const read = readLandedFill(sale, transaction);
  expect([read.lamports, cost]).toEqual([fill.lamports, fill.lamports]);
  return { ...read, transaction };
}

/** Leaves more in the order's account than was deposited. */
function payDust({ account, vault, inputMint, remaining }: OrderSale, amount = 1n): void {
  fills.setTokens(account, { owner: vault, mint: inputMint, amount: remaining + amount });
}

function run(...instructions: readonly Instruction[]): void {
  expect(fills.market.network.send(instructions).error).toBeNull();
}

function expectRefused(instruction: Instruction): void {
  expect(fills.market.network.send([instruction]).error).not.toBeNull();
}
