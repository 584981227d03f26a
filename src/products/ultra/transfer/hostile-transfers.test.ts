import { beforeEach, describe, expect, it } from 'vitest';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import { type Address, address, toAddressBytes } from '../../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { readTokenAccountAmount } from '../../../solana/programs/token/account.ts';
import { type Extension, ExtensionType } from '../../../solana/programs/token/extensions.ts';
import { decodeMint, encodeMint } from '../../../solana/programs/token/mint.ts';
import { encodeTransferFeeConfigExtension } from '../../../solana/programs/token/transfer-fee.ts';
import type { CraftedTransaction } from '../../../transactions/signed/craft-signed.ts';
import { executeSigned } from '../../../transactions/signed/execute-signed.ts';
import { createNumberedAddress, TestWallets } from '../../../testing/products/signing-wallets.ts';
import { type CraftedTransfer, craftNativeTransfer } from './native-transfer.ts';
import { craftTokenTransfer, type TokenTransfer } from './token-transfer.ts';
import { openForEach } from '../../../testing/opened.ts';

let sender: Address;
const wallets = openForEach(() => TestWallets.open(), 'close');
beforeEach(setUp);

describe('a hostile receiver', () => {
  it('cannot make the sender pay for an account that it closes after the transfer was made', async () => {
    const destination = wallets.give(RECEIVER, USDC);
    const crafted = await made(craft({}));
    expect(crafted.rentLamports).toBe(0n);
    const found = wallets.market.network.account(destination);
    if (found === null) throw new Error('there is no such account');
    const closed = { ...found, data: new Uint8Array(0), lamports: 0n };
    wallets.market.network.setAccount(destination, closed);
    const before = [wallets.lamports(sender), held(destination)];
    // It is the transfer that fails, not the creation for want of compute units.
    const result = await execute(crafted);
    expect(result).toMatchObject({
      kind: 'failed',
      slot: null,
      error: expect.stringContaining('InvalidAccountData'),
    });
    expect([wallets.lamports(sender), held(destination)]).toEqual(before);
    expect(wallets.market.chain.sent).toBe(0);
    // A new transfer states the rent.
    const again = await made(craft({}));
    expect(again.rentLamports).toBe(2_039_280n);
    expect(await execute(again)).toMatchObject({ kind: 'landed' });
  });

  it('may open the account itself, for which the sender then does not pay', async () => {
    const crafted = await made(craft({}));
    const before = wallets.lamports(sender);
    wallets.give(RECEIVER, USDC);
    expect(await execute(crafted)).toMatchObject({ kind: 'landed' });
    expect(before - wallets.lamports(sender)).toBe(crafted.costLamports - crafted.rentLamports);
  });

  it('that demands a memo gets nothing, and the refusal says why', async () => {
    const transfer = token2022([]);
    const extensions = [extension(ExtensionType.MEMO_TRANSFER, ON)];
    wallets.give(RECEIVER, transfer.mint, { extensions }, { program: TOKEN_2022_PROGRAM });
    expect(await craft(transfer)).toMatchObject({
      kind: 'impossible',
      error: expect.stringMatching(/memo/i),
    });
  });

  it('cannot be the incinerator', async () => {
    const receiver = address('1nc1nerator11111111111111111111111111111111');
    const refused = { kind: 'impossible', error: expect.stringContaining('burns what it receives') };
    expect(await craft({ receiver })).toMatchObject(refused);
    const native = { sender, receiver, amount: 5_000_000n };
    expect(await craftNativeTransfer(wallets.dependencies, native)).toMatchObject(refused);
  });
});

describe('a hostile token', () => {
  it('cannot raise its fee between the statement of what arrives and the transfer', async () => {
    const withheld = extension(ExtensionType.TRANSFER_FEE_AMOUNT, new Uint8Array(8));
    const transfer = token2022([feeConfig(100)], [withheld]);
    const crafted = await made(craft(transfer));
    expect(crafted.received).toBe(990n);
    changeMint(transfer.mint, [feeConfig(9_000)]);
    expect(await execute(crafted)).toMatchObject({ kind: 'failed', slot: null });
    expect(held(transfer.source)).toBe(10_000n);
    const again = await made(craft(transfer));
    expect(again.received).toBe(100n);
    expect(await execute(again)).toMatchObject({ kind: 'landed' });
    expect(held(deriveAssociatedTokenAddress(RECEIVER, transfer.mint, TOKEN_2022_PROGRAM))).toBe(100n);
  });

  it('that freezes new accounts is not sent to a receiver without one', async () => {
    const frozen = extension(ExtensionType.DEFAULT_ACCOUNT_STATE, Uint8Array.of(2));
    const transfer = token2022([frozen]);
    expect(await craft(transfer)).toMatchObject({ kind: 'impossible' });
  });

  it('with a hook that names no program is sent like any other', async () => {
    const hook = extension(ExtensionType.TRANSFER_HOOK, new Uint8Array(64));
    const account = extension(ExtensionType.TRANSFER_HOOK_ACCOUNT, Uint8Array.of(0));
    const transfer = token2022([hook], [account]);
    expect(await execute(await made(craft(transfer)))).toMatchObject({ kind: 'landed' });
    // A hook that is added afterwards needs accounts that the transfer does not name.
    const crafted = await made(craft(transfer));
    changeMint(transfer.mint, [extension(ExtensionType.TRANSFER_HOOK, new Uint8Array(64).fill(7))]);
    expect(await execute(crafted)).toMatchObject({ kind: 'failed', slot: null });
    expect(held(transfer.source)).toBe(9_000n);
  });

  it('whose permanent delegate empties the account costs the sender nothing more', async () => {
    const delegate = extension(ExtensionType.PERMANENT_DELEGATE, toAddressBytes(createNumberedAddress(66)));
    const transfer = token2022([delegate]);
    const crafted = await made(craft(transfer));
    const account = wallets.market.network.account(transfer.source);
    if (account === null) throw new Error('there is no such account');
    wallets.change(transfer.source, { amount: 0n });
    const before = wallets.lamports(sender);
    expect(await execute(crafted)).toMatchObject({ kind: 'failed', slot: null });
    expect(wallets.lamports(sender)).toBe(before);
  });

  function feeConfig(basisPoints: number): Extension {
    const fee = { epoch: 0n, maximumFee: 1_000_000n, basisPoints };
    const authorities = { configAuthority: null, withdrawWithheldAuthority: null, withheldAmount: 0n };
    return encodeTransferFeeConfigExtension({ ...authorities, older: fee, newer: fee });
  }

  function changeMint(mint: Address, extensions: readonly Extension[]): void {
    const account = wallets.market.network.account(mint);
    if (account === null) throw new Error(`there is no mint ${mint}`);
    const data = encodeMint({ ...decodeMint(account.data), extensions: [...extensions] });
    wallets.market.network.setAccount(mint, { ...account, data });
  }
});

describe('an unusual account of the sender', () => {
  it('sends with a CPI guard, with a delegate and with another close authority', async () => {
    const guarded = token2022([], [extension(ExtensionType.CPI_GUARD, ON)]);
    expect(await execute(await made(craft(guarded)))).toMatchObject({ kind: 'landed' });
    expect(held(guarded.source)).toBe(9_000n);
    const changes = {
      amount: 5_000n,
      closeAuthority: createNumberedAddress(7),
      delegate: createNumberedAddress(8),
      delegatedAmount: 1n,
    };
    const source = wallets.give(sender, USDC, changes, { address: createNumberedAddress(9) });
    expect(await execute(await made(craft({ source })))).toMatchObject({ kind: 'landed' });
    expect(held(source)).toBe(4_000n);
  });

  it('sends wrapped SOL as a token, to the lamport', async () => {
    const native = { amount: 5_000n, nativeReserve: 2_039_280n };
    const source = wallets.give(sender, WRAPPED_SOL_MINT, native, { extraLamports: 5_000n });
    const crafted = await made(craft({ mint: WRAPPED_SOL_MINT, source, decimals: 9 }));
    expect(await execute(crafted)).toMatchObject({ kind: 'landed' });
    const destination = deriveAssociatedTokenAddress(RECEIVER, WRAPPED_SOL_MINT, TOKEN_PROGRAM);
    expect([held(source), held(destination)]).toEqual([4_000n, 1_000n]);
    expect(wallets.lamports(destination)).toBe(2_039_280n + 1_000n);
  });
});

describe('two instances', () => {
  it('land one transfer once, whichever is asked, and two requests that are alike as two', async () => {
    let serial = 2_000;
    const other = { ...wallets.dependencies, nextSerial: () => serial++ };
    const native = { sender, receiver: RECEIVER, amount: 2_000_000n };
    const crafted = await made(craftNativeTransfer(wallets.dependencies, native));
    const both = await Promise.all([execute(crafted), execute(crafted, other)]);
    expect(both.map(({ kind }) => kind)).toEqual(['landed', 'landed']);
    expect(both[0]).toEqual(both[1]);
    expect(wallets.lamports(RECEIVER)).toBe(2_000_000n);
    const alike = await made(craftNativeTransfer(other, native));
    expect(await execute(alike)).toMatchObject({ kind: 'landed' });
    expect(await execute(crafted, other)).toEqual(both[0]);
    expect(wallets.lamports(RECEIVER)).toBe(4_000_000n);
  });
});

const USDC = getGenesisToken('USDC').mint;
const RECEIVER = createNumberedAddress(1);
const ON = Uint8Array.of(1);

function setUp(): void {
  sender = wallets.wallet.address;
}

const held = (account: Address) => {
  const found = wallets.market.network.account(account);
  return found === null || found.data.length === 0 ? 0n : readTokenAccountAmount(found.data);
};
const craft = (transfer: Partial<TokenTransfer>) =>
  craftTokenTransfer(wallets.dependencies, {
    sender,
    source: deriveAssociatedTokenAddress(sender, USDC, TOKEN_PROGRAM),
    receiver: RECEIVER,
    receiverAccount: null,
    mint: USDC,
    decimals: 6,
    tokenProgram: TOKEN_PROGRAM,
    amount: 1_000n,
    ...transfer,
  });
const execute = (crafted: CraftedTransaction, dependencies = wallets.dependencies) =>
  executeSigned(dependencies, 'transfer', wallets.sign(crafted));

async function made<More>(crafting: Promise<CraftedTransfer<More>>): Promise<CraftedTransaction & More> {
  const crafted = await crafting;
  if (crafted.kind !== 'crafted') throw new Error(crafted.error);
  return crafted;
}

/** A mint of Token-2022 with extensions, 10,000 atoms of it for the sender, and a transfer of 1,000. */
function token2022(
  mintExtensions: readonly Extension[],
  accountExtensions: readonly Extension[] = [],
): Partial<TokenTransfer> & { readonly mint: Address; readonly source: Address } {
  const mint = wallets.newMint({ extensions: [...mintExtensions] }, TOKEN_2022_PROGRAM);
  const held = { amount: 10_000n, extensions: [...accountExtensions] };
  const source = wallets.give(sender, mint, held, { program: TOKEN_2022_PROGRAM });
  return { mint, source, tokenProgram: TOKEN_2022_PROGRAM };
}

const extension = (type: number, data: Uint8Array = new Uint8Array(0)): Extension => ({ type, data });
