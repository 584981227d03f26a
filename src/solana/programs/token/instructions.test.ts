import { createNoopSigner, type Instruction as KitInstruction } from '@solana/kit';
import * as client from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { toAddress } from '../../address.ts';
import { createAssociatedToken, createAssociatedTokenIdempotent } from '../associated-token.ts';
import type { Instruction } from '../../messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../pda.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../program-addresses.ts';
import { U64_MAX } from '../../units.ts';
import * as token from './instructions.ts';

describe('token instructions', () => {
  for (const programAddress of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
    const config = { programAddress };
    const supply = { mint, account, authority, amount };
    const transfer = { source: account, destination: other, authority, amount };
    const pairs: Record<string, [Instruction, KitInstruction]> = {
      initializeMint: [
        token.initializeMint(programAddress, {
          mint,
          decimals: 9,
          mintAuthority: authority,
          freezeAuthority: delegate,
        }),
        client.getInitializeMint2Instruction(
          { mint, decimals: 9, mintAuthority: authority, freezeAuthority: delegate },
          config,
        ),
      ],
      'initializeMint without freeze authority': [
        token.initializeMint(programAddress, {
          mint,
          decimals: 0,
          mintAuthority: authority,
          freezeAuthority: null,
        }),
        client.getInitializeMint2Instruction({ mint, decimals: 0, mintAuthority: authority }, config),
      ],
      initializeAccount: [
        token.initializeAccount(programAddress, { account, mint, owner: authority }),
        client.getInitializeAccount3Instruction({ account, mint, owner: authority }, config),
      ],
      initializeImmutableOwner: [
        token.initializeImmutableOwner(programAddress, account),
        client.getInitializeImmutableOwnerInstruction({ account }, config),
      ],
      transfer: [
        token.transfer(programAddress, transfer),
        client.getTransferInstruction({ ...transfer, authority: signer }, config),
      ],
      transferChecked: [
        token.transferChecked(programAddress, { ...transfer, mint, decimals: 7 }),
        client.getTransferCheckedInstruction({ ...transfer, mint, decimals: 7, authority: signer }, config),
      ],
      approve: [
        token.approve(programAddress, { account, delegate, owner: authority, amount }),
        client.getApproveInstruction({ source: account, delegate, owner: signer, amount }, config),
      ],
      revoke: [
        token.revoke(programAddress, account, authority),
        client.getRevokeInstruction({ source: account, owner: signer }, config),
      ],
      mintTo: [
        token.mintTo(programAddress, supply),
        client.getMintToInstruction({ mint, token: account, mintAuthority: signer, amount }, config),
      ],
      burn: [
        token.burn(programAddress, supply),
        client.getBurnInstruction({ mint, account, authority: signer, amount }, config),
      ],
      closeAccount: [
        token.closeAccount(programAddress, { account, destination: other, authority }),
        client.getCloseAccountInstruction({ account, destination: other, owner: signer }, config),
      ],
      unwrapLamports: [
        token.unwrapLamports(programAddress, { account, destination: other, owner: authority }),
        client.getUnwrapLamportsInstruction(
          { source: account, destination: other, authority: signer, amount: null },
          config,
        ),
      ],
      freezeAccount: [
        token.freezeAccount(programAddress, { account, mint, freezeAuthority: authority }),
        client.getFreezeAccountInstruction({ account, mint, owner: signer }, config),
      ],
      thawAccount: [
        token.thawAccount(programAddress, { account, mint, freezeAuthority: authority }),
        client.getThawAccountInstruction({ account, mint, owner: signer }, config),
      ],
      setAuthority: [
        token.setAuthority(programAddress, {
          of: account,
          authority: token.Authority.CLOSE_ACCOUNT,
          current: authority,
          next: delegate,
        }),
        client.getSetAuthorityInstruction(
          {
            owned: account,
            owner: signer,
            authorityType: client.AuthorityType.CloseAccount,
            newAuthority: delegate,
          },
          config,
        ),
      ],
      'setAuthority to nobody': [
        token.setAuthority(programAddress, {
          of: mint,
          authority: token.Authority.MINT_TOKENS,
          current: authority,
          next: null,
        }),
        client.getSetAuthorityInstruction(
          { owned: mint, owner: signer, authorityType: client.AuthorityType.MintTokens, newAuthority: null },
          config,
        ),
      ],
    };
    for (const [name, [ours, theirs]] of Object.entries(pairs)) {
      it(`${name} equals the token client's, for ${programAddress}`, () => {
        expect(plain(ours)).toEqual(plain(theirs));
      });
    }
  }

  it("syncNative equals the token client's, without the optional rent sysvar", () => {
    const theirs = plain(client.getSyncNativeInstruction({ account }));
    expect(plain(token.syncNative(TOKEN_PROGRAM, account))).toEqual({
      ...theirs,
      accounts: theirs.accounts.slice(0, 1),
    });
  });

  it('throws for an amount that does not fit in a u64', () => {
    const tooMuch = { source: account, destination: other, authority, amount: U64_MAX + 1n };
    expect(() => token.transfer(TOKEN_PROGRAM, tooMuch)).toThrow(RangeError);
  });
});

describe('associated token instructions', () => {
  it('equal those of the token client', () => {
    expect(plain(createAssociatedToken(setup))).toEqual(
      plain(client.getCreateAssociatedTokenInstruction(theirs)),
    );
    expect(plain(createAssociatedTokenIdempotent(setup))).toEqual(
      plain(client.getCreateAssociatedTokenIdempotentInstruction(theirs)),
    );
  });

  const setup = { payer: authority, owner: other, mint, tokenProgram: TOKEN_2022_PROGRAM };
  const theirs = {
    payer: signer,
    ata: deriveAssociatedTokenAddress(other, mint, TOKEN_2022_PROGRAM),
    owner: other,
    mint,
    systemProgram: SYSTEM_PROGRAM,
    tokenProgram: TOKEN_2022_PROGRAM,
  };
});

const named = (fill: number) => toAddress(new Uint8Array(32).fill(fill));
const [mint, account, other, authority, delegate] = [named(1), named(2), named(3), named(4), named(5)];
const signer = createNoopSigner(authority);
const amount = U64_MAX - 5n;

/** Keeps only what reaches a message: the token clients also attach signers to the accounts. */
function plain(instruction: KitInstruction | Instruction) {
  return {
    programAddress: instruction.programAddress,
    accounts: (instruction.accounts ?? []).map(({ address, role }) => ({ address, role })),
    data: [...(instruction.data ?? [])],
  };
}
