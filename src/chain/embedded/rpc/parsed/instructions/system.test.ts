import type { Instruction as KitInstruction } from '@solana/kit';
import * as system from '@solana-program/system';
import { describe, expect, it } from 'vitest';
import { ByteWriter } from '../../../../../solana/codec/byte-writer.ts';
import {
  SYSTEM_PROGRAM,
  SYSVAR_RECENT_BLOCKHASHES,
  SYSVAR_RENT,
} from '../../../../../solana/program-addresses.ts';
import { parseInstruction } from './index.ts';
import { A, B, C, D, others, parse, S, signer } from '../../../../../testing/chain/parsed-instructions.ts';

describe('System instructions', () => {
  it('parses creation and transfers', () => {
    const space = 165n;
    expect(
      parsed(
        system.getCreateAccountInstruction({
          payer: signer,
          newAccount: others[0],
          lamports: 2n ** 63n,
          space,
          programAddress: C,
        }),
      ),
    ).toEqual({
      type: 'createAccount',
      info: { source: S, newAccount: others[0].address, lamports: 2n ** 63n, space, owner: C },
    });
    expect(parsed(system.getTransferSolInstruction({ source: signer, destination: B, amount: 55n }))).toEqual(
      { type: 'transfer', info: { source: S, destination: B, lamports: 55n } },
    );
    expect(parsed(system.getAssignInstruction({ account: signer, programAddress: C }))).toEqual({
      type: 'assign',
      info: { account: S, owner: C },
    });
    expect(parsed(system.getAllocateInstruction({ newAccount: signer, space: 9n }))).toEqual({
      type: 'allocate',
      info: { account: S, space: 9n },
    });
  });

  it('parses instructions with seeds', () => {
    const seeded = { seed: 'sëed', programAddress: C };
    expect(
      parsed(
        system.getCreateAccountWithSeedInstruction({
          payer: signer,
          newAccount: A,
          base: S,
          amount: 1n,
          space: 2n,
          ...seeded,
        }),
      ),
    ).toEqual({
      type: 'createAccountWithSeed',
      info: { source: S, newAccount: A, base: S, seed: 'sëed', lamports: 1n, space: 2n, owner: C },
    });
    expect(
      parsed(
        system.getTransferSolWithSeedInstruction({
          source: A,
          baseAccount: signer,
          destination: B,
          amount: 3n,
          fromSeed: 'x',
          fromOwner: C,
        }),
      ),
    ).toEqual({
      type: 'transferWithSeed',
      info: { source: A, sourceBase: S, destination: B, lamports: 3n, sourceSeed: 'x', sourceOwner: C },
    });
    expect(
      parsed(
        system.getAllocateWithSeedInstruction({
          newAccount: A,
          baseAccount: signer,
          base: S,
          space: 7n,
          ...seeded,
        }),
      ),
    ).toEqual({
      type: 'allocateWithSeed',
      info: { account: A, base: S, seed: 'sëed', space: 7n, owner: C },
    });
    expect(
      parsed(
        system.getAssignWithSeedInstruction({
          account: A,
          baseAccount: signer,
          base: S,
          ...seeded,
        }),
      ),
    ).toEqual({ type: 'assignWithSeed', info: { account: A, base: S, seed: 'sëed', owner: C } });
  });

  it('parses instructions of nonces', () => {
    const nonce = { nonceAccount: A, nonceAuthority: signer };
    expect(parsed(system.getAdvanceNonceAccountInstruction(nonce))).toEqual({
      type: 'advanceNonce',
      info: { nonceAccount: A, recentBlockhashesSysvar: SYSVAR_RECENT_BLOCKHASHES, nonceAuthority: S },
    });
    expect(
      parsed(
        system.getWithdrawNonceAccountInstruction({ ...nonce, recipientAccount: B, withdrawAmount: 5n }),
      ),
    ).toEqual({
      type: 'withdrawFromNonce',
      info: {
        nonceAccount: A,
        destination: B,
        recentBlockhashesSysvar: SYSVAR_RECENT_BLOCKHASHES,
        rentSysvar: SYSVAR_RENT,
        nonceAuthority: S,
        lamports: 5n,
      },
    });
    expect(
      parsed(system.getInitializeNonceAccountInstruction({ nonceAccount: A, nonceAuthority: B })),
    ).toMatchObject({ type: 'initializeNonce', info: { nonceAccount: A, nonceAuthority: B } });
    expect(parsed(system.getAuthorizeNonceAccountInstruction({ ...nonce, newNonceAuthority: D }))).toEqual({
      type: 'authorizeNonce',
      info: { nonceAccount: A, nonceAuthority: S, newAuthorized: D },
    });
    expect(parsed(system.getUpgradeNonceAccountInstruction({ nonceAccount: A }))).toEqual({
      type: 'upgradeNonce',
      info: { nonceAccount: A },
    });
  });

  it('are not parsed when truncated, with too few accounts, or of an unknown kind', () => {
    const whole = { program: SYSTEM_PROGRAM, accounts: [A, B], data: bytes().u32(2).u64(1n).finish() };
    expect(parseInstruction(whole)).not.toBeNull();
    expect(parseInstruction({ ...whole, accounts: [A] })).toBeNull();
    expect(parseInstruction({ ...whole, data: whole.data.subarray(0, 11) })).toBeNull();
    expect(parseInstruction({ ...whole, data: bytes().u32(99).finish() })).toBeNull();
    expect(parseInstruction({ ...whole, data: new Uint8Array() })).toBeNull();
  });

  const parsed = (instruction: KitInstruction) => {
    const found = parse(instruction);
    expect(found?.program).toBe('system');
    return found?.parsed;
  };
});

const bytes = () => new ByteWriter(256);
