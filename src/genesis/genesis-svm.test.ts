import { describe, expect, it } from 'vitest';
import { TestNetwork } from '../../test/svm/network.ts';
import { type Address, address } from '../solana/address.ts';
import { createAssociatedTokenIdempotent } from '../solana/associated-token.ts';
import { associatedTokenAddress } from '../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../solana/programs.ts';
import { transferLamports } from '../solana/system.ts';
import { decodeTokenAccount } from '../solana/token/account.ts';
import { ExtensionType, findExtension } from '../solana/token/extensions.ts';
import { mintTo, syncNative, transferChecked } from '../solana/token/instructions.ts';
import { buildGenesis } from './index.ts';
import { tokenProgramOf } from './mints.ts';
import { TOKENS, type TokenInfo, tokenBySymbol } from './tokens.ts';

const genesis = buildGenesis('genesis in the runtime');
const [ALICE, BOB] = genesis.keys.demoWallets.map((keypair) => keypair.address) as [Address, Address];

/** A network of genesis accounts, past slot 0, in which lookup tables of slot 0 do not serve yet. */
function networkOfGenesis(programs: readonly string[] = []): TestNetwork {
  const network = new TestNetwork(programs);
  for (const { address: at, account } of genesis.accounts) network.setAccount(at, account);
  network.svm.warpToSlot(1n);
  return network;
}

function token(symbol: string): TokenInfo {
  const found = tokenBySymbol(symbol);
  if (found === null) throw new Error(`no token ${symbol}`);
  return found;
}

function accountOf(owner: Address, info: TokenInfo): Address {
  return associatedTokenAddress(owner, info.mint, tokenProgramOf(info));
}

/** Creates the receiver's account and moves the tokens, paid and signed by the sender. */
function pay(network: TestNetwork, info: TokenInfo, from: Address, to: Address, amount: bigint) {
  const tokenProgram = tokenProgramOf(info);
  const { mint, decimals } = info;
  return network.send(
    [
      createAssociatedTokenIdempotent({ payer: from, owner: to, mint, tokenProgram }),
      transferChecked(tokenProgram, {
        source: accountOf(from, info),
        destination: accountOf(to, info),
        authority: from,
        amount,
        mint,
        decimals,
      }),
    ],
    { feePayer: from },
  );
}

describe('genesis in the runtime', () => {
  it('lets the demo wallet send SOL', () => {
    const network = networkOfGenesis();
    const before = network.account(BOB)?.lamports ?? 0n;
    const outcome = network.send([transferLamports(ALICE, BOB, 1_000_000_000n)], { feePayer: ALICE });
    expect(outcome.error).toBeNull();
    expect(network.account(BOB)?.lamports).toBe(before + 1_000_000_000n);
  });

  it.each(TOKENS.filter(({ mint }) => mint !== WRAPPED_SOL_MINT))(
    'lets the demo wallet send $symbol',
    (info) => {
      const network = networkOfGenesis();
      const receiver = address('GThUX1Atko4tqhN2NaiTazWSeFWMuiUvfFnyJyUghFMJ');
      const before = network.tokenBalance(accountOf(ALICE, info));
      expect(pay(network, info, ALICE, receiver, 1000n).error).toBeNull();
      expect(before - network.tokenBalance(accountOf(ALICE, info))).toBe(1000n);
      // 6.9% of BERN is withheld on the way; PYUSD's fee is set to nothing.
      expect(network.tokenBalance(accountOf(receiver, info))).toBe(info.symbol === 'BERN' ? 931n : 1000n);
    },
  );

  it('withholds the transfer fee in the account that receives', () => {
    const network = networkOfGenesis();
    const bern = token('BERN');
    expect(pay(network, bern, ALICE, BOB, 1_000_001n).error).toBeNull();
    const received = decodeTokenAccount(network.account(accountOf(BOB, bern))?.data ?? new Uint8Array());
    const withheld = findExtension(received.extensions, ExtensionType.TRANSFER_FEE_AMOUNT);
    expect(received.amount).toBe(931_000n);
    expect(Buffer.from(withheld ?? []).readBigUInt64LE()).toBe(69_001n);
  });

  it('writes token accounts as the associated-token program would', () => {
    const network = networkOfGenesis();
    const owner = network.newWallet();
    for (const info of TOKENS.filter(({ mint }) => mint !== WRAPPED_SOL_MINT)) {
      const tokenProgram = tokenProgramOf(info);
      const setup = { payer: network.payer, owner, mint: info.mint, tokenProgram };
      expect(network.send([createAssociatedTokenIdempotent(setup)]).error).toBeNull();
      const created = network.account(accountOf(owner, info));
      const written = network.account(accountOf(ALICE, info));
      const blank = decodeTokenAccount(created?.data ?? new Uint8Array());
      const amount = network.tokenBalance(accountOf(ALICE, info));
      expect(decodeTokenAccount(written?.data ?? new Uint8Array()), info.symbol).toEqual({
        ...blank,
        owner: ALICE,
        amount,
      });
      expect(written?.lamports, info.symbol).toBe(created?.lamports);
    }
  });

  it('lets the mint authority mint every token, and SOL be wrapped', () => {
    const network = networkOfGenesis();
    const authority = genesis.keys.mintAuthority.address;
    for (const info of TOKENS.filter(({ mint }) => mint !== WRAPPED_SOL_MINT)) {
      const account = accountOf(ALICE, info);
      const before = network.tokenBalance(account);
      const mint = mintTo(tokenProgramOf(info), { mint: info.mint, account, authority, amount: 5n });
      expect(network.send([mint], { feePayer: authority }).error, info.symbol).toBeNull();
      expect(network.tokenBalance(account)).toBe(before + 5n);
    }
    const wrapped = associatedTokenAddress(ALICE, WRAPPED_SOL_MINT, TOKEN_PROGRAM);
    const setup = { payer: ALICE, owner: ALICE, mint: WRAPPED_SOL_MINT, tokenProgram: TOKEN_PROGRAM };
    const wrap = [
      createAssociatedTokenIdempotent(setup),
      transferLamports(ALICE, wrapped, 7n),
      syncNative(TOKEN_PROGRAM, wrapped),
    ];
    expect(network.send(wrap, { feePayer: ALICE }).error).toBeNull();
    expect(network.tokenBalance(wrapped)).toBe(7n);
  });

  it('resolves accounts through the lookup tables', () => {
    const network = networkOfGenesis();
    const usdc = token('USDC');
    const [table] = genesis.lookupTables;
    if (table === undefined) throw new Error('no lookup table');
    expect(table.addresses).toContain(usdc.mint);
    const move = transferChecked(TOKEN_PROGRAM, {
      source: accountOf(ALICE, usdc),
      destination: accountOf(BOB, usdc),
      authority: ALICE,
      amount: 1n,
      mint: usdc.mint,
      decimals: usdc.decimals,
    });
    const before = network.tokenBalance(accountOf(BOB, usdc));
    const lookupTables = { [table.address]: [...table.addresses] };
    expect(network.send([move], { feePayer: ALICE, lookupTables }).error).toBeNull();
    expect(network.tokenBalance(accountOf(BOB, usdc))).toBe(before + 1n);
    const wrong = { [table.address]: [...table.addresses].reverse() };
    expect(network.send([move], { feePayer: ALICE, lookupTables: wrong }).error).not.toBeNull();
  });
});
