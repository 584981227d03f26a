import type { Instruction as KitInstruction } from '@solana/kit';
import * as token from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { ByteWriter } from '../../../../../solana/codec/byte-writer.ts';
import { SYSVAR_RENT, TOKEN_PROGRAM } from '../../../../../solana/program-addresses.ts';
import { parseInstruction } from './index.ts';
import { A, B, C, D, E, others, parse, S, signer } from '../../../../../testing/chain/parsed-instructions.ts';

describe('token instructions', () => {
  it('parses initialization of mints and accounts', () => {
    const mint = { mint: A, decimals: 6, mintAuthority: B };
    expect(parsed(token.getInitializeMintInstruction({ ...mint, freezeAuthority: C }))).toEqual({
      type: 'initializeMint',
      info: { mint: A, rentSysvar: SYSVAR_RENT, decimals: 6, mintAuthority: B, freezeAuthority: C },
    });
    expect(parsed(token.getInitializeMint2Instruction(mint))).toEqual({
      type: 'initializeMint2',
      info: { mint: A, decimals: 6, mintAuthority: B, freezeAuthority: undefined },
    });
    const account = { account: A, mint: B, owner: C };
    expect(parsed(token.getInitializeAccountInstruction(account))).toEqual({
      type: 'initializeAccount',
      info: { ...account, rentSysvar: SYSVAR_RENT },
    });
    expect(parsed(token.getInitializeAccount2Instruction(account))).toEqual({
      type: 'initializeAccount2',
      info: { ...account, rentSysvar: SYSVAR_RENT },
    });
    expect(parsed(token.getInitializeAccount3Instruction(account))).toEqual({
      type: 'initializeAccount3',
      info: account,
    });
    expect(parsed(token.getInitializeImmutableOwnerInstruction({ account: A }))).toEqual({
      type: 'initializeImmutableOwner',
      info: { account: A },
    });
    expect(parsed(token.getGetAccountDataSizeInstruction({ mint: A }))).toEqual({
      type: 'getAccountDataSize',
      info: { mint: A },
    });
    const signers = [B, C];
    expect(parsed(token.getInitializeMultisigInstruction({ multisig: A, m: 2, signers }))).toEqual({
      type: 'initializeMultisig',
      info: { multisig: A, rentSysvar: SYSVAR_RENT, signers, m: 2 },
    });
    expect(parsed(token.getInitializeMultisig2Instruction({ multisig: A, m: 1, signers }))).toEqual({
      type: 'initializeMultisig2',
      info: { multisig: A, signers, m: 1 },
    });
  });

  it('parses transfers by an owner or a multisig', () => {
    const transfer = { source: A, destination: B, amount: 2n ** 63n };
    expect(parsed(token.getTransferInstruction({ ...transfer, authority: signer }))).toEqual({
      type: 'transfer',
      info: { source: A, destination: B, authority: S, amount: (2n ** 63n).toString() },
    });
    expect(
      parsed(token.getTransferInstruction({ ...transfer, authority: C, multiSigners: [...others] })),
    ).toEqual({
      type: 'transfer',
      info: {
        source: A,
        destination: B,
        multisigAuthority: C,
        signers: others.map(({ address }) => address),
        amount: (2n ** 63n).toString(),
      },
    });
    const checked = { mint: D, amount: 55n, decimals: 2 };
    expect(
      parsed(
        token.getTransferCheckedInstruction({ source: A, destination: B, authority: signer, ...checked }),
      ),
    ).toEqual({
      type: 'transferChecked',
      info: { source: A, mint: D, destination: B, authority: S, tokenAmount: amount55 },
    });
  });

  it('parses approve, mint, burn, freeze and close', () => {
    const owner = signer;
    const info = (instruction: KitInstruction) => {
      const found = parsed(instruction);
      return typeof found === 'object' ? [found.type, found.info] : found;
    };
    expect(info(token.getApproveInstruction({ source: A, delegate: B, owner, amount: 1n }))).toEqual([
      'approve',
      { source: A, delegate: B, owner: S, amount: '1' },
    ]);
    expect(info(token.getRevokeInstruction({ source: A, owner }))).toEqual([
      'revoke',
      { source: A, owner: S },
    ]);
    expect(
      info(
        token.getApproveCheckedInstruction({
          source: A,
          mint: C,
          delegate: B,
          owner,
          amount: 55n,
          decimals: 2,
        }),
      ),
    ).toEqual(['approveChecked', { source: A, mint: C, delegate: B, owner: S, tokenAmount: amount55 }]);
    expect(info(token.getMintToInstruction({ mint: A, token: B, mintAuthority: owner, amount: 1n }))).toEqual(
      ['mintTo', { mint: A, account: B, mintAuthority: S, amount: '1' }],
    );
    expect(
      info(
        token.getMintToCheckedInstruction({
          mint: A,
          token: B,
          mintAuthority: owner,
          amount: 55n,
          decimals: 2,
        }),
      ),
    ).toEqual(['mintToChecked', { mint: A, account: B, mintAuthority: S, tokenAmount: amount55 }]);
    expect(info(token.getBurnInstruction({ account: A, mint: B, authority: owner, amount: 1n }))).toEqual([
      'burn',
      { account: A, mint: B, authority: S, amount: '1' },
    ]);
    expect(
      info(
        token.getBurnCheckedInstruction({ account: A, mint: B, authority: owner, amount: 55n, decimals: 2 }),
      ),
    ).toEqual(['burnChecked', { account: A, mint: B, authority: S, tokenAmount: amount55 }]);
    expect(info(token.getFreezeAccountInstruction({ account: A, mint: B, owner }))).toEqual([
      'freezeAccount',
      { account: A, mint: B, freezeAuthority: S },
    ]);
    expect(info(token.getThawAccountInstruction({ account: A, mint: B, owner }))).toEqual([
      'thawAccount',
      { account: A, mint: B, freezeAuthority: S },
    ]);
    expect(info(token.getCloseAccountInstruction({ account: A, destination: B, owner }))).toEqual([
      'closeAccount',
      { account: A, destination: B, owner: S },
    ]);
    expect(info(token.getSyncNativeInstruction({ account: A }))).toEqual(['syncNative', { account: A }]);
  });

  it('parses changes of authorities', () => {
    const change = (authorityType: token.AuthorityType, newAuthority: typeof A | null) =>
      parsed(token.getSetAuthorityInstruction({ owned: A, owner: signer, authorityType, newAuthority }));
    expect(change(token.AuthorityType.MintTokens, null)).toEqual({
      type: 'setAuthority',
      info: { mint: A, authority: S, authorityType: 'mintTokens', newAuthority: null },
    });
    expect(change(token.AuthorityType.CloseAccount, B)).toEqual({
      type: 'setAuthority',
      info: { account: A, authority: S, authorityType: 'closeAccount', newAuthority: B },
    });
  });

  it('parses conversions of amounts', () => {
    expect(parsed(token.getAmountToUiAmountInstruction({ mint: A, amount: 5n }))).toEqual({
      type: 'amountToUiAmount',
      info: { mint: A, amount: '5' },
    });
    expect(parsed(token.getUiAmountToAmountInstruction({ mint: A, uiAmount: '0.5' }))).toEqual({
      type: 'uiAmountToAmount',
      info: { mint: A, uiAmount: '0.5' },
    });
  });

  it('parses each instruction of a batch', () => {
    const accounts = [A, B, C, D, E];
    const transfer = bytes().u8(3).u64(7n).finish();
    const data = bytes().u8(255).u8(3).u8(transfer.length).bytes(transfer).u8(1).u8(1).u8(17).finish();
    expect(parseInstruction({ program: TOKEN_PROGRAM, accounts, data })?.parsed).toEqual({
      type: 'batch',
      info: {
        instructions: [
          { type: 'transfer', info: { source: A, destination: B, authority: C, amount: '7' } },
          { type: 'syncNative', info: { account: D } },
        ],
      },
    });
    const nested = bytes().u8(255).u8(0).u8(1).u8(255).finish();
    expect(parseInstruction({ program: TOKEN_PROGRAM, accounts, data: nested })).toBeNull();
  });

  const parsed = (instruction: KitInstruction) => {
    const found = parse(instruction);
    expect(found?.program).toBe('spl-token');
    return found?.parsed;
  };
  const amount55 = { uiAmount: 0.55, decimals: 2, amount: '55', uiAmountString: '0.55' };
});

const bytes = () => new ByteWriter(256);
