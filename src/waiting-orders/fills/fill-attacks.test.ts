import { describe, expect, it } from 'vitest';
import type { Address } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { parseMessage } from '../../solana/messages/message.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import { decodeTokenAccount, encodeTokenAccount } from '../../solana/programs/token/account.ts';
import { type Extension, ExtensionType } from '../../solana/programs/token/extensions.ts';
import { Authority, closeAccount, setAuthority, transfer } from '../../solana/programs/token/instructions.ts';
import { decodeMint, encodeMint } from '../../solana/programs/token/mint.ts';
import { encodeTransferFeeConfigExtension } from '../../solana/programs/token/transfer-fee.ts';
import { bps } from '../../solana/units.ts';
import { deriveTemporaryAccount } from '../../swaps/build/token-flow.ts';
import { type DepositedOrder, FillMarket } from '../../testing/waiting-orders/fills.ts';
import type { PlannedFill } from './fill-plan.ts';
import { readLandedFill } from './landed-fill.ts';
import { checkFill } from '../../custody/checks/fill.ts';
import { toFillToSign } from './sign-fill.ts';

const [USDC, JUP, BONK] = [mintOf('USDC'), mintOf('JUP'), mintOf('BONK')];
const [PYUSD, BERN] = [mintOf('PYUSD'), mintOf('BERN')];
const SALE = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: 1_000_000_000n };
const RENT = 2_039_280n;
const ANY = { referenceIn: 1, referenceOut: 1e9 };
const fills = await FillMarket.open();

describe('the issuer of a token, between plan and landing,', () => {
  it.each(['raises the transfer fee', 'lets a program decide about transfers'])(
    'who %s does not make the wallet get less than the threshold',
    async (what) => {
      const deposited = fills.deposit({ inputMint: USDC, outputMint: PYUSD, amount: 1_000_000_000n });
      fills.openAta(deposited.sale.wallet, PYUSD);
      const fill = await fills.planFill(deposited.sale);
      const mint = fills.read(PYUSD);
      alterMint(PYUSD, what === 'raises the transfer fee' ? RAISED_FEE : HOOKED);
      await expectFailed(deposited, fill);
      const references = fills.references(deposited.sale);
      fills.market.chain.publish([PYUSD]);
      expect(await fills.plan(deposited.sale, references)).toMatchObject({ kind: 'waits' });
      fills.market.network.setAccount(PYUSD, mint);
      fills.market.chain.publish([PYUSD]);
    },
  );

  it('who freezes the wallet’s account has the fill fail, and the order wait', async () => {
    const deposited = fills.deposit(SALE);
    const { sale } = deposited;
    const output = fills.openAta(sale.wallet, USDC);
    const fill = await fills.planFill(sale);
    fills.setTokens(output, { owner: sale.wallet, mint: USDC, amount: 0n }, 'frozen');
    await expectFailed(deposited, fill);
    expect(await fills.plan(sale)).toMatchObject({ kind: 'waits', reason: 'refused' });
  });

  it('whose transfers leave fees in the order’s account does not keep it from being closed', async () => {
    const deposited = fills.deposit({
      inputMint: BERN,
      outputMint: WRAPPED_SOL_MINT,
      amount: 1_000_000_000n,
    });
    withhold(deposited.sale.account, 69_000n);
    const fill = await fills.planFill(deposited.sale, ANY);
    expect((await fills.land(deposited, fill)).error).toBeNull();
    expect(fills.lamports(deposited.sale.account)).toBe(0n);
  });
});

describe('a pool owner who moves the price between plan and landing', () => {
  it('costs the gas wallet the fee of the fill, and the wallet nothing', async () => {
    const deposited = fills.deposit(SALE, { slippageBps: bps(1) });
    fills.openAta(deposited.sale.wallet, USDC);
    const fill = await fills.planFill(deposited.sale);
    await sellAhead(1_000_000);
    await expectFailed(deposited, fill);
  });

  it('gets no more out of a sandwich than lies between the quote and the floor', async () => {
    const pair = { inputMint: BERN, outputMint: WRAPPED_SOL_MINT };
    const outcomes = new Set<string>();
    for (let times = 1n; times < 10n ** 9n && !outcomes.has('failed'); times *= 10n) {
      const deposited = fills.deposit({ ...pair, amount: 100_000_000n }, { slippageBps: bps(10_000) });
      const { sale } = deposited;
      const fill = await fills.planFill(sale, fills.missed(sale, await fills.planFill(sale, ANY)));
      expect(fill.floor).toBeGreaterThan((fill.quotedOut * 3n) / 4n);
      const ahead = fills.deposit({ ...pair, amount: 100_000_000n * times });
      expect((await fills.land(ahead, await fills.planFill(ahead.sale, ANY))).error).toBeNull();
      const outcome = readLandedFill(sale, await fills.land(deposited, fill));
      outcomes.add(outcome.kind);
      if (outcome.kind === 'filled') expect(outcome.output).toBeGreaterThanOrEqual(fill.floor);
    }
    expect(outcomes).toEqual(new Set(['filled', 'failed']));
  });
});

describe('a pool owner who takes a price back before every fill lands', () => {
  it('is avoided after three failures, if another route reaches the floor', async () => {
    const { sale } = fills.deposit({ ...SALE, amount: 10_000_000n });
    const quotes: bigint[] = [];
    for (const failures of [0, 1, 2, 3, 0]) {
      const fill = await fills.planFill({ ...sale, failures });
      quotes.push(fill.quotedOut);
    }
    const [best = 0n] = quotes;
    expect(quotes.filter((quote) => quote === best)).toHaveLength(4);
    expect(quotes[3]).toBeLessThan(best);
    // Without those pools, this one is not filled at all.
    const only = fills.deposit({ inputMint: BERN, outputMint: WRAPPED_SOL_MINT, amount: 100_000_000n });
    for (const failures of [0, 3, 4]) {
      expect(await fills.plan({ ...only.sale, failures }, ANY)).toMatchObject({ kind: 'fill' });
    }
  });
});

describe('the owner of the wallet', () => {
  it('who closes its account for the output has the fill fail, and no rent is paid for a new one', async () => {
    const deposited = fills.deposit(SALE);
    const { wallet } = deposited.sale;
    const account = fills.openAta(wallet, USDC);
    const fill = await fills.planFill(deposited.sale);
    run(closeAccount(TOKEN_PROGRAM, { account, destination: wallet, authority: wallet }));
    await expectFailed(deposited, fill);
    expect(await fills.planFill(deposited.sale)).toMatchObject({ created: { account } });
  });

  it('who closes it and opens it again is paid as planned', async () => {
    const deposited = fills.deposit(SALE);
    const { wallet } = deposited.sale;
    const account = fills.openAta(wallet, USDC);
    const fill = await fills.planFill(deposited.sale);
    run(closeAccount(TOKEN_PROGRAM, { account, destination: wallet, authority: wallet }));
    fills.openAta(wallet, USDC);
    expect((await fills.land(deposited, fill)).error).toBeNull();
    expect(fills.received(deposited.sale)).toBe(fill.quotedOut);
  });

  it('who gives it to somebody else has been paid all the same, and later fills wait', async () => {
    const deposited = fills.deposit(SALE);
    const { wallet } = deposited.sale;
    const of = fills.openAta(wallet, USDC);
    const fill = await fills.planFill(deposited.sale);
    const [next, authority] = [fills.newKey(0n).address, Authority.ACCOUNT_OWNER];
    run(setAuthority(TOKEN_PROGRAM, { of, authority, current: wallet, next }));
    expect(readLandedFill(deposited.sale, await fills.land(deposited, fill))).toMatchObject({
      output: fill.quotedOut,
    });
    const another = fills.deposit(SALE, { wallet });
    expect(await fills.plan(another.sale)).toMatchObject({ kind: 'waits', reason: 'refused' });
  });

  it.each([
    ['tokens', USDC],
    ['SOL', WRAPPED_SOL_MINT],
  ])(
    'who opens orders for %s without end, and closes its account each time, gets no rent',
    async (_, outputMint) => {
      const wallet = fills.newKey(0n).address;
      const before = fills.lamports(fills.gasWallet.address);
      let fees = 0n;
      for (let round = 0; round < 4; round++) {
        const inputMint = outputMint === USDC ? JUP : USDC;
        const deposited = fills.deposit({ inputMint, outputMint, amount: 100_000_000n }, { wallet });
        const fill = await fills.planFill(deposited.sale);
        expect((await fills.land(deposited, fill)).error).toBeNull();
        fees += fill.lamports;
        if (outputMint === USDC) emptyAndClose(wallet);
      }
      expect(before - fills.lamports(fills.gasWallet.address)).toBe(fees);
    },
  );
});

describe('a stranger', () => {
  it('who pays dust into the order’s account has one fill fail, and the next sells the dust too', async () => {
    const deposited = fills.deposit({ ...SALE, inputMint: JUP });
    const { account, vault } = deposited.sale;
    const fill = await fills.planFill(deposited.sale);
    fills.setTokens(account, { owner: vault, mint: JUP, amount: SALE.amount + 1n });
    await expectFailed(deposited, fill);
    const next = await fills.planFill(deposited.sale);
    expect(next).toMatchObject({ inputAmount: SALE.amount + 1n, held: SALE.amount + 1n, isWhole: true });
    expect((await fills.land(deposited, next)).error).toBeNull();
  });

  it('who pays dust into it before every fill has two fills fail, and the third gives the account to the wallet', async () => {
    const deposited = fills.deposit({ ...SALE, inputMint: JUP }, { failures: 2 });
    const { sale } = deposited;
    fills.openAta(sale.wallet, USDC);
    const fill = await fills.planFill(sale);
    fills.setTokens(sale.account, { owner: sale.vault, mint: JUP, amount: SALE.amount + 1n });
    const landed = await fills.land(deposited, fill);
    expect(readLandedFill(sale, landed)).toMatchObject({ kind: 'filled', input: SALE.amount });
    expect(fills.received(sale)).toBe(fill.quotedOut);
    expect(fills.leftWith(sale.vault, landed)).toEqual([]);
    expect(fills.leftWith(sale.wallet, landed)).toContain(sale.account);
    expect(fills.tokens(sale.account)).toBe(1n);
  });

  it('cannot have the gas wallet pay rent that it does not get back, however often a fill failed', async () => {
    const deposited = fills.deposit({ ...SALE, inputMint: JUP }, { failures: 9 });
    const before = fills.lamports(fills.gasWallet.address);
    const fill = await fills.planFill(deposited.sale);
    expect(readLandedFill(deposited.sale, await fills.land(deposited, fill))).toMatchObject({
      isWhole: true,
    });
    expect(before - fills.lamports(fills.gasWallet.address)).toBe(fill.lamports);
  });

  it('who sends lamports to an account of wrapped SOL has one fill fail at most, and the next sells them too', async () => {
    const deposited = fills.deposit(SALE);
    const { sale } = deposited;
    const fill = await fills.planFill(sale);
    run(transferLamports(fills.market.network.payer, sale.account, 1n));
    await expectFailed(deposited, fill);
    const next = await fills.planFill(sale);
    expect(next).toMatchObject({ inputAmount: SALE.amount + 1n, rentPaid: RENT, rentReturned: RENT });
    expect(next.held).toBe(SALE.amount);
    checkFill(toFillToSign(fills.gasWallet, sale, next), sale.vault);
    const before = fills.lamports(fills.gasWallet.address);
    expect((await fills.land(deposited, next)).error).toBeNull();
    expect(before - fills.lamports(fills.gasWallet.address)).toBe(next.lamports);
    expect([fills.lamports(sale.account), fills.lamports(sale.vault)]).toEqual([0n, 0n]);
  });

  it('who sends lamports to the account that SOL comes through gives them to the wallet', async () => {
    const deposited = fills.deposit({ inputMint: USDC, outputMint: WRAPPED_SOL_MINT, amount: 20_000_000n });
    const { sale } = deposited;
    const fill = await fills.planFill(sale);
    run(transferLamports(fills.market.network.payer, deriveTemporaryAccount(sale.vault).account, 3_000_000n));
    const landed = await fills.land(deposited, fill);
    expect(landed.error).toBeNull();
    expect(fills.received(sale)).toBe(fill.quotedOut + 3_000_000n);
    expect(readLandedFill(sale, landed)).toMatchObject({ output: fill.quotedOut });
  });

  it('who opens the vault’s account between two steps, with dust in it, has one fill fail', async () => {
    const deposited = fills.deposit({ inputMint: JUP, outputMint: BONK, amount: 1_000_000_000n });
    const { sale } = deposited;
    const fill = await fills.planFill(sale, ANY);
    const named = parseMessage(fill.messageBytes).staticAccounts;
    const isBetween = (each: Address) =>
      each !== WRAPPED_SOL_MINT && named.includes(fills.ata(sale.vault, each));
    const mint = fills.mints().find(isBetween) ?? WRAPPED_SOL_MINT;
    expect(mint).not.toBe(WRAPPED_SOL_MINT);
    const account = fills.openAta(sale.vault, mint);
    fills.setTokens(account, { owner: sale.vault, mint, amount: 5n });
    await expectFailed(deposited, fill);
    const next = await fills.planFill(sale, ANY);
    expect((await fills.land(deposited, next)).error).toBeNull();
    expect(fills.received(sale)).toBe(next.quotedOut);
    expect(fills.tokens(account)).toBe(5n);
  });
});

const FEE = { epoch: 0n, maximumFee: 1n << 60n, basisPoints: 2_000 };
const RAISED_FEE = encodeTransferFeeConfigExtension({
  configAuthority: null,
  withdrawWithheldAuthority: null,
  withheldAmount: 0n,
  older: FEE,
  newer: FEE,
});
/** No authority, and a program that does not exist. */
const HOOKED: Extension = { type: ExtensionType.TRANSFER_HOOK, data: new Uint8Array(64).fill(7, 32) };

function mintOf(symbol: string): Address {
  return getGenesisToken(symbol).mint;
}

/** Lands a fill that must fail: the gas wallet pays its fee, and nothing else moves. */
async function expectFailed(deposited: DepositedOrder, fill: PlannedFill): Promise<void> {
  const { sale } = deposited;
  const gas = fills.lamports(fills.gasWallet.address);
  const held = fills.tokens(sale.account);
  const landed = await fills.land(deposited, fill);
  expect(readLandedFill(sale, landed)).toEqual({
    kind: 'failed',
    error: landed.error,
    lamports: fill.lamports,
  });
  expect(gas - fills.lamports(fills.gasWallet.address)).toBe(fill.lamports);
  expect(fills.tokens(sale.account)).toBe(held);
}

/** Sells SOL for USDC just before a fill does. */
async function sellAhead(dollars: number): Promise<void> {
  const amount = fills.amountWorth(WRAPPED_SOL_MINT, dollars);
  const ahead = fills.deposit({ ...SALE, amount });
  const landed = await fills.land(ahead, await fills.planFill(ahead.sale, ANY));
  expect(landed.error).toBeNull();
}

function run(...instructions: readonly Instruction[]): void {
  expect(fills.market.network.send(instructions).error).toBeNull();
}

function emptyAndClose(wallet: Address): void {
  const account = fills.ata(wallet, USDC);
  const elsewhere = fills.openAta(fills.newKey(0n).address, USDC);
  run(
    transfer(TOKEN_PROGRAM, {
      source: account,
      destination: elsewhere,
      authority: wallet,
      amount: fills.tokens(account),
    }),
    closeAccount(TOKEN_PROGRAM, { account, destination: wallet, authority: wallet }),
  );
}

function alterMint(address: Address, extension: Extension): void {
  const found = fills.read(address);
  const mint = decodeMint(found.data);
  const extensions = mint.extensions.map((each) => (each.type === extension.type ? extension : each));
  fills.market.network.setAccount(address, { ...found, data: encodeMint({ ...mint, extensions }) });
}

/** Writes withheld fees into a token account of Token-2022. */
function withhold(account: Address, amount: bigint): void {
  const found = fills.read(account);
  expect(found.owner).toBe(TOKEN_2022_PROGRAM);
  const decoded = decodeTokenAccount(found.data);
  const extensions = decoded.extensions.map((each) =>
    each.type === ExtensionType.TRANSFER_FEE_AMOUNT
      ? { ...each, data: new ByteWriter(8).u64(amount).finish() }
      : each,
  );
  fills.market.network.setAccount(account, {
    ...found,
    data: encodeTokenAccount({ ...decoded, extensions }),
  });
}
