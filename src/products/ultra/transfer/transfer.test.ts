import { beforeEach, describe, expect, it, vi } from 'vitest';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import type { Address } from '../../../solana/address.ts';
import { createKeypairFromSeed } from '../../../solana/keypair.ts';
import { parseTransaction } from '../../../solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { SYSVAR_CLOCK, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { readTokenAccountAmount } from '../../../solana/programs/token/account.ts';
import { ExtensionType } from '../../../solana/programs/token/extensions.ts';
import { encodeTransferFeeConfigExtension } from '../../../solana/programs/token/transfer-fee.ts';
import { computeRentExemptMinimum } from '../../../solana/rent.ts';
import type { CraftedTransaction } from '../../../transactions/signed/craft-signed.ts';
import { executeSigned, SignedCode } from '../../../transactions/signed/execute-signed.ts';
import { sealMessage } from '../../../transactions/signed/seal.ts';
import { createNumberedAddress, TestWallets } from '../../../testing/products/signing-wallets.ts';
import { type CraftedTransfer, craftNativeTransfer } from './native-transfer.ts';
import { craftTokenTransfer, type TokenTransfer } from './token-transfer.ts';
import { openForEach } from '../../../testing/opened.ts';

let sender: Address;
let source: Address;
const wallets = openForEach(() => TestWallets.open(), 'close');
beforeEach(setUp);

describe('craftNativeTransfer', () => {
  it('moves exactly the amount, and costs the sender exactly what it states', async () => {
    const receiver = createNumberedAddress(1);
    const before = wallets.lamports(sender);
    const crafted = await made(sol(receiver, 5_000_000n));
    const result = await execute(crafted);
    expect(result).toMatchObject({ kind: 'landed' });
    expect(wallets.lamports(receiver)).toBe(5_000_000n);
    expect(before - wallets.lamports(sender)).toBe(5_000_000n + crafted.costLamports);
    expect(crafted.rentLamports).toBe(0n);
    // The same request again is the same transfer.
    expect(await execute(crafted)).toEqual(result);
    expect(wallets.lamports(receiver)).toBe(5_000_000n);
  });

  it('makes two transfers of two requests that are alike', async () => {
    const receiver = createNumberedAddress(1);
    const [one, other] = [await made(sol(receiver, 1_000_000n)), await made(sol(receiver, 1_000_000n))];
    expect(one.requestId).not.toBe(other.requestId);
    expect(await execute(one)).toMatchObject({ kind: 'landed' });
    expect(await execute(other)).toMatchObject({ kind: 'landed' });
    expect(wallets.lamports(receiver)).toBe(2_000_000n);
  });

  it('refuses receivers that nobody can sign for, and itself', async () => {
    for (const [receiver, text] of [
      [sender, 'must differ from senderAddress'],
      [USDC, 'is a mint or a token account'],
      [source, 'is a mint or a token account'],
      [TOKEN_PROGRAM, 'is a program'],
      [SYSVAR_CLOCK, 'is an account of the network itself'],
    ] as const) {
      expect(await sol(receiver, 5_000_000n), receiver).toMatchObject({
        kind: 'impossible',
        error: expect.stringContaining(text),
      });
    }
  });

  it('refuses what the sender does not have, and what would leave an account with too little', async () => {
    const all = wallets.lamports(sender);
    expect(await sol(createNumberedAddress(1), all + 1n)).toMatchObject({ kind: 'impossible' });
    expect(await sol(createNumberedAddress(1), all)).toMatchObject({
      kind: 'impossible',
      error: expect.stringContaining('Insufficient SOL'),
    });
    expect(await sol(createNumberedAddress(1), computeRentExemptMinimum(0) - 1n)).toMatchObject({
      kind: 'impossible',
      error: expect.stringContaining('fewer lamports than an account must hold'),
    });
    expect(await sol(createNumberedAddress(1), computeRentExemptMinimum(0))).toMatchObject({
      kind: 'crafted',
    });
  });
});

describe('craftTokenTransfer', () => {
  it('opens an account for a receiver that has none, at the cost that it states', async () => {
    const receiver = createNumberedAddress(1);
    const destination = deriveAssociatedTokenAddress(receiver, USDC, TOKEN_PROGRAM);
    const [lamports, before] = [wallets.lamports(sender), held(source)];
    const crafted = await made(tokens(ofUsdc(receiver)));
    expect(crafted).toMatchObject({ received: 1_500_000n, rentLamports: 2_039_280n });
    expect(await execute(crafted)).toMatchObject({ kind: 'landed' });
    expect([held(destination), before - held(source)]).toEqual([1_500_000n, 1_500_000n]);
    expect(lamports - wallets.lamports(sender)).toBe(crafted.costLamports);
    const again = await made(tokens(ofUsdc(receiver)));
    expect(again.rentLamports).toBe(0n);
  });

  it('states what arrives after the fee of the token', async () => {
    const fee = { epoch: 0n, maximumFee: 1_000_000n, basisPoints: 250 };
    const authorities = { configAuthority: null, withdrawWithheldAuthority: null, withheldAmount: 0n };
    const config = encodeTransferFeeConfigExtension({ ...authorities, older: fee, newer: fee });
    const mint = wallets.newMint({ extensions: [config] }, TOKEN_2022_PROGRAM);
    const withheld = [{ type: ExtensionType.TRANSFER_FEE_AMOUNT, data: new Uint8Array(8) }];
    const from = wallets.give(
      sender,
      mint,
      { amount: 10_001n, extensions: withheld },
      { program: TOKEN_2022_PROGRAM },
    );
    const receiver = createNumberedAddress(1);
    const transfer = { mint, source: from, tokenProgram: TOKEN_2022_PROGRAM, amount: 10_001n };
    const crafted = await made(tokens(ofUsdc(receiver, transfer)));
    expect(crafted.received).toBe(10_001n - 251n);
    expect(await execute(crafted)).toMatchObject({ kind: 'landed' });
    expect(held(deriveAssociatedTokenAddress(receiver, mint, TOKEN_2022_PROGRAM))).toBe(crafted.received);
  });

  it('checks everything that the client says about accounts', async () => {
    const [receiver, stranger] = [createNumberedAddress(1), createNumberedAddress(2)];
    const theirs = wallets.give(stranger, USDC, { amount: 5_000_000n });
    const delegated = wallets.give(
      stranger,
      USDC,
      { amount: 5_000_000n, delegate: sender, delegatedAmount: 5_000_000n },
      { address: createNumberedAddress(3) },
    );
    const other = wallets.give(
      sender,
      getGenesisToken('BONK').mint,
      {},
      { address: createNumberedAddress(4) },
    );
    const frozen = wallets.give(
      sender,
      USDC,
      { amount: 5n, state: 'frozen' },
      { address: createNumberedAddress(5) },
    );
    const soulBound = wallets.newMint(
      { extensions: [{ type: ExtensionType.NON_TRANSFERABLE, data: new Uint8Array(0) }] },
      TOKEN_2022_PROGRAM,
    );
    const hook = new Uint8Array(64).fill(7);
    const hooked = wallets.newMint(
      { extensions: [{ type: ExtensionType.TRANSFER_HOOK, data: hook }] },
      TOKEN_2022_PROGRAM,
    );
    const token2022 = { tokenProgram: TOKEN_2022_PROGRAM };
    for (const [changes, text] of [
      [{ source: theirs }, 'belongs to'],
      [{ source: delegated }, 'belongs to'],
      [{ source: other }, 'is not an account of the token'],
      [{ source: createNumberedAddress(9) }, 'is not an account of the token'],
      [{ source: frozen }, 'is frozen'],
      [{ tokenProgram: TOKEN_2022_PROGRAM }, 'tokenProgramId must be'],
      [{ decimals: 9 }, 'tokenDecimals must be 6'],
      [{ mint: createNumberedAddress(9) }, 'is not a token'],
      [{ mint: soulBound, ...token2022 }, 'cannot transfer it'],
      [{ mint: hooked, ...token2022 }, 'calls a program at each transfer'],
      [{ receiver: USDC }, 'is a mint or a token account'],
      [{ receiver: theirs }, 'is a mint or a token account'],
      [{ receiver: sender }, 'are in the account'],
      [{ receiverAccount: theirs }, `belongs to ${stranger}, not to receiverAddress`],
      [{ receiverAccount: createNumberedAddress(9) }, 'is not an account of the token'],
      [{ receiverAccount: other }, 'is not an account of the token'],
      [{ amount: held(source) + 1n }, 'Insufficient funds'],
    ] as const) {
      const crafted = await tokens(ofUsdc(receiver, changes));
      expect(crafted, text).toMatchObject({ kind: 'impossible', error: expect.stringContaining(text) });
    }
    const explicit = ofUsdc(stranger, { receiverAccount: theirs });
    expect(await execute(await made(tokens(explicit)))).toMatchObject({ kind: 'landed' });
    expect(held(theirs)).toBe(6_500_000n);
  });

  it('sends nothing to an associated account that its owner has given away', async () => {
    const [receiver, thief] = [createNumberedAddress(1), createNumberedAddress(2)];
    const destination = wallets.give(receiver, USDC);
    const crafted = await made(tokens(ofUsdc(receiver)));
    wallets.change(destination, { owner: thief });
    const before = [held(source), wallets.lamports(sender)];
    expect(await execute(crafted)).toMatchObject({ kind: 'failed', slot: null });
    expect([held(source), wallets.lamports(sender)]).toEqual(before);
    expect(await tokens(ofUsdc(receiver))).toMatchObject({
      kind: 'impossible',
      error: expect.stringContaining(`has been given to ${thief}`),
    });
  });
});

describe('executeSigned', () => {
  it('lands nothing but what was handed out, signed by the sender, for its purpose', async () => {
    const crafted = await made(sol(createNumberedAddress(1), 5_000_000n));
    const dearer = await made(sol(createNumberedAddress(2), 6_000_000n));
    const signed = wallets.sign(crafted);
    const stranger = createKeypairFromSeed(new Uint8Array(32).fill(3));
    const { messageBytes } = parseTransaction(crafted.wire);
    const { lastValidBlockHeight } = crafted;
    const forReclaim = sealMessage(wallets.dependencies.sealKey, 'reclaim', {
      messageBytes,
      lastValidBlockHeight,
    });
    const otherKey = sealMessage(new Uint8Array(32), 'transfer', { messageBytes, lastValidBlockHeight });
    const unsigned = Buffer.from(crafted.wire).toString('base64');
    const forged = Buffer.from(signed.signedTransaction, 'base64');
    forged[5] = (forged[5] ?? 0) ^ 1;
    expect(() => wallets.sign(crafted, stranger)).toThrow();
    for (const [changes, code] of [
      [{ requestId: '' }, SignedCode.MISSING_ORDER],
      [{ requestId: `${signed.requestId}A` }, SignedCode.MISSING_ORDER],
      [{ requestId: dearer.requestId }, SignedCode.MISSING_ORDER],
      [{ requestId: forReclaim }, SignedCode.MISSING_ORDER],
      [{ requestId: otherKey }, SignedCode.MISSING_ORDER],
      [{ signedTransaction: wallets.sign(dearer).signedTransaction }, SignedCode.MISSING_ORDER],
      [{ signedTransaction: unsigned }, SignedCode.NOT_FULLY_SIGNED],
      [{ signedTransaction: forged.toString('base64') }, SignedCode.NOT_FULLY_SIGNED],
      [{ signedTransaction: '' }, SignedCode.INVALID_SIGNED_TRANSACTION],
      [{ signedTransaction: 'nonsense' }, SignedCode.INVALID_SIGNED_TRANSACTION],
    ] as const) {
      const result = await executeSigned(wallets.dependencies, 'transfer', { ...signed, ...changes });
      expect(result).toMatchObject({ kind: 'refused', code });
    }
    expect(wallets.market.chain.sent).toBe(0);
    const longer = Buffer.concat([Buffer.from(signed.signedTransaction, 'base64'), new Uint8Array(6)]);
    const followed = { ...signed, signedTransaction: longer.toString('base64') };
    const result = await executeSigned(wallets.dependencies, 'transfer', followed);
    expect(result).toMatchObject({ kind: 'landed' });
  });

  it('sends no transfer that would fail, so that it costs nothing', async () => {
    const crafted = await made(tokens(ofUsdc(createNumberedAddress(1))));
    wallets.change(source, { amount: 1_499_999n });
    const before = wallets.lamports(sender);
    expect(await execute(crafted)).toMatchObject({ kind: 'failed', code: 1, slot: null });
    expect([wallets.market.chain.sent, wallets.lamports(sender)]).toEqual([0, before]);
  });

  it('tells a transfer that was lost from one that landed, also when its blockhash has expired', async () => {
    const [lost, landed] = [
      await made(sol(createNumberedAddress(1), 5_000_000n)),
      await made(sol(createNumberedAddress(2), 5_000_000n)),
    ];
    const { chain } = wallets.market;
    const result = await execute(landed);
    chain.losing = Number.POSITIVE_INFINITY;
    const executing = execute(lost);
    await vi.waitUntil(() => chain.sent === 2);
    chain.pass(151n);
    expect(await executing).toMatchObject({ kind: 'failed', code: SignedCode.FAILED_TO_LAND });
    expect(await execute(landed)).toEqual(result);
    expect(wallets.lamports(createNumberedAddress(1))).toBe(0n);
    expect(wallets.lamports(createNumberedAddress(2))).toBe(5_000_000n);
  });
});

const USDC = getGenesisToken('USDC').mint;

function setUp(): void {
  sender = wallets.wallet.address;
  source = deriveAssociatedTokenAddress(sender, USDC, TOKEN_PROGRAM);
}

const held = (account: Address) => {
  const found = wallets.market.network.account(account);
  return found === null ? 0n : readTokenAccountAmount(found.data);
};
const ofUsdc = (receiver: Address, changes: Partial<TokenTransfer> = {}): TokenTransfer => ({
  sender,
  source,
  receiver,
  receiverAccount: null,
  mint: USDC,
  decimals: 6,
  tokenProgram: TOKEN_PROGRAM,
  amount: 1_500_000n,
  ...changes,
});
const sol = (receiver: Address, amount: bigint) =>
  craftNativeTransfer(wallets.dependencies, { sender, receiver, amount });
const tokens = (transfer: TokenTransfer) => craftTokenTransfer(wallets.dependencies, transfer);
const execute = (crafted: CraftedTransaction) =>
  executeSigned(wallets.dependencies, 'transfer', wallets.sign(crafted));

async function made<More>(crafting: Promise<CraftedTransfer<More>>): Promise<CraftedTransaction & More> {
  const crafted = await crafting;
  if (crafted.kind !== 'crafted') throw new Error(crafted.error);
  return crafted;
}
