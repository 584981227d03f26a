import { describe, expect, it } from 'vitest';
import {
  deriveTokenAccountAddress,
  GenesisNetwork,
  getTokenBySymbol,
} from '../../testing/svm/genesis-network.ts';
import { address } from '../../solana/address.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import { decodeTokenAccount } from '../../solana/programs/token/account.ts';
import { ExtensionType, findExtension } from '../../solana/programs/token/extensions.ts';
import { transferChecked } from '../../solana/programs/token/instructions.ts';
import { tokenProgramOf } from '../../protocol/genesis/mints.ts';
import { TOKENS } from '../../solana/known-tokens.ts';

describe('genesis in the runtime', () => {
  it('lets the demo wallet send SOL', () => {
    const on = new GenesisNetwork();
    const before = on.network.account(on.bob)?.lamports ?? 0n;
    expect(on.send([transferLamports(on.alice, on.bob, 1_000_000_000n)], on.alice).error).toBeNull();
    expect(on.network.account(on.bob)?.lamports).toBe(before + 1_000_000_000n);
  });

  it.each(MINTED)('lets the demo wallet send $symbol', (info) => {
    const on = new GenesisNetwork();
    const receiver = address('GThUX1Atko4tqhN2NaiTazWSeFWMuiUvfFnyJyUghFMJ');
    const before = on.balance(on.alice, info);
    expect(on.pay(info, on.alice, receiver, 1000n).error).toBeNull();
    expect(before - on.balance(on.alice, info)).toBe(1000n);
    // 6.9% of BERN is withheld on the way; PYUSD's fee is set to nothing.
    expect(on.balance(receiver, info)).toBe(info.symbol === 'BERN' ? 931n : 1000n);
  });

  it('withholds the transfer fee in the account that receives', () => {
    const on = new GenesisNetwork();
    const bern = getTokenBySymbol('BERN');
    expect(on.pay(bern, on.alice, on.bob, 1_000_001n).error).toBeNull();
    const received = decodeTokenAccount(
      on.network.account(deriveTokenAccountAddress(on.bob, bern))?.data ?? new Uint8Array(),
    );
    const withheld = findExtension(received.extensions, ExtensionType.TRANSFER_FEE_AMOUNT);
    expect(received.amount).toBe(931_000n);
    expect(Buffer.from(withheld ?? []).readBigUInt64LE()).toBe(69_001n);
  });

  it('writes token accounts as the associated-token program would', () => {
    const { network, alice } = new GenesisNetwork();
    const owner = network.newWallet();
    for (const info of MINTED) {
      const setup = { payer: network.payer, owner, mint: info.mint, tokenProgram: tokenProgramOf(info) };
      expect(network.send([createAssociatedTokenIdempotent(setup)]).error).toBeNull();
      const created = network.account(deriveTokenAccountAddress(owner, info));
      const written = network.account(deriveTokenAccountAddress(alice, info));
      const blank = decodeTokenAccount(created?.data ?? new Uint8Array());
      const amount = network.tokenBalance(deriveTokenAccountAddress(alice, info));
      const found = decodeTokenAccount(written?.data ?? new Uint8Array());
      expect(found, info.symbol).toEqual({ ...blank, owner: alice, amount });
      expect(written?.lamports, info.symbol).toBe(created?.lamports);
    }
  });

  it('lets the mint authority mint every token, and SOL be wrapped', () => {
    const on = new GenesisNetwork();
    for (const info of MINTED) {
      const before = on.balance(on.alice, info);
      on.fund(on.alice, info, 5n);
      expect(on.balance(on.alice, info), info.symbol).toBe(before + 5n);
    }
    on.fund(on.alice, getTokenBySymbol('SOL'), 7n);
    expect(on.balance(on.alice, getTokenBySymbol('SOL'))).toBe(7n);
  });

  it('resolves accounts through the lookup tables', () => {
    const on = new GenesisNetwork();
    const usdc = getTokenBySymbol('USDC');
    const [table] = on.genesis.lookupTables;
    if (table === undefined) throw new Error('no lookup table');
    expect(table.addresses).toContain(usdc.mint);
    const move = transferChecked(TOKEN_PROGRAM, {
      source: deriveTokenAccountAddress(on.alice, usdc),
      destination: deriveTokenAccountAddress(on.bob, usdc),
      authority: on.alice,
      amount: 1n,
      mint: usdc.mint,
      decimals: usdc.decimals,
    });
    const before = on.balance(on.bob, usdc);
    const sendVia = (addresses: readonly (typeof table.address)[]) =>
      on.network.send([move], { feePayer: on.alice, lookupTables: { [table.address]: [...addresses] } });
    expect(sendVia(table.addresses).error).toBeNull();
    expect(on.balance(on.bob, usdc)).toBe(before + 1n);
    expect(sendVia([...table.addresses].reverse()).error).not.toBeNull();
  });
});

const MINTED = TOKENS.filter(({ mint }) => mint !== WRAPPED_SOL_MINT);
