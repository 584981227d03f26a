import { createTokenIfMissing, mplToolbox } from '@metaplex-foundation/mpl-toolbox';
import { publicKey } from '@metaplex-foundation/umi';
import { describe, expect, it } from 'vitest';
import { type Address, toAddressBytes } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { decodeTokenAccount } from '../../../src/solana/programs/token/account.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { createBuildingUmi, toInstructions } from '../../token-metadata/tests/umi.ts';

describe('CreateTokenIfMissing', () => {
  it('creates the associated account, and accepts one that exists', () => {
    const { mint, owner, associated } = start();
    expect(ensure({ mint, owner })).toBeNull();
    const made = network.account(associated);
    expect(decodeTokenAccount(made?.data ?? NONE)).toMatchObject({ mint, owner, amount: 0n });
    expect(ensure({ mint, owner })).toBeNull();
    expect(network.account(associated)).toEqual(made);
  });

  it('accepts another account of the owner, and does not create one at another address', () => {
    const { mint, owner } = start();
    const missing = network.newAddress();
    expect(ensure({ mint, owner, token: missing })).toMatchObject({ custom: 7 });
    const other = writeToken(start(), (data) => data);
    expect(ensure({ mint: other.mint, owner: other.owner, token: other.token })).toBeNull();
    expect(network.account(other.associated)).toBeNull();
  });

  it('refuses an account of another mint or owner, of another program, and one that is no token account', () => {
    const { token, mint, owner, associated } = writeToken(start(), (data) => data);
    const other = start();
    expect(ensure({ mint: other.mint, owner, token })).toMatchObject({ custom: 5 });
    expect(ensure({ mint, owner: other.owner, token })).toMatchObject({ custom: 6 });
    expect(ensure({ mint, owner, token, ata: other.associated })).toMatchObject({ custom: 3 });
    network.setData(token, SYSTEM_PROGRAM, network.account(token)?.data ?? NONE);
    expect(ensure({ mint, owner, token })).toMatchObject({ custom: 4 });
    const tagged = writeToken(other, (data) => data.fill(2, 72, 73));
    expect(ensure(tagged)).toMatchObject({ kind: 'InvalidAccountData' });
    const empty = writeToken(other, (data) => data.fill(0, 108, 109));
    expect(ensure(empty)).toMatchObject({ kind: 'UninitializedAccount' });
    const longer = writeToken(other, (data) => Buffer.concat([data, Buffer.alloc(1)]));
    expect(ensure(longer)).toMatchObject({ kind: 'InvalidAccountData' });
    expect(network.account(associated)).toBeNull();
  });

  it('refuses other programs, and data of any other length', () => {
    const { mint, owner } = start();
    const program = publicKey(TOKEN_2022_PROGRAM);
    expect(ensure({ mint, owner }, { systemProgram: program })).toMatchObject({ custom: 0 });
    expect(ensure({ mint, owner }, { tokenProgram: program })).toMatchObject({ custom: 1 });
    expect(ensure({ mint, owner }, { ataProgram: program })).toMatchObject({ custom: 2 });
    const [instruction] = build({ mint, owner });
    for (const data of [NONE, Uint8Array.of(1), Uint8Array.of(0, 0)]) {
      expect(network.send([{ ...instruction, data }]).error?.kind).toBe('BorshIoError');
    }
  });
});

interface Asked {
  readonly mint: Address;
  readonly owner: Address;
  readonly token?: Address;
  readonly ata?: Address;
}

const NONE = new Uint8Array(0);
const network = new TestNetwork(['token-extras']);
const umi = createBuildingUmi(network.newWallet(1_000_000_000_000n)).use(mplToolbox());

/** Writes a mint, and returns an owner without an account. */
function start() {
  const [mint, owner] = [network.newAddress(), network.newWallet()];
  const fields = { mintAuthority: owner, supply: 0n, decimals: 0, freezeAuthority: null, extensions: [] };
  network.setData(mint, TOKEN_PROGRAM, encodeMint(fields));
  return { mint, owner, associated: deriveAssociatedTokenAddress(owner, mint, TOKEN_PROGRAM) };
}

/** Writes a token account at an address of its own, changed by `change`. */
function writeToken(of: ReturnType<typeof start>, change: (data: Buffer) => Buffer) {
  const token = network.newAddress();
  const template = start();
  ensure(template);
  const data = Buffer.from(network.account(template.associated)?.data ?? NONE);
  data.set(toAddressBytes(of.mint), 0);
  data.set(toAddressBytes(of.owner), 32);
  network.setData(token, TOKEN_PROGRAM, change(data));
  return { ...of, token };
}

function build({ mint, owner, token, ata }: Asked, programs: object = {}): readonly [Instruction] {
  const builder = createTokenIfMissing(umi, {
    mint: publicKey(mint),
    owner: publicKey(owner),
    ...(token === undefined ? {} : { token: publicKey(token) }),
    ata: publicKey(ata ?? deriveAssociatedTokenAddress(owner, mint, TOKEN_PROGRAM)),
    ...programs,
  });
  return toInstructions(builder) as readonly [Instruction];
}

function ensure(asked: Asked, programs: object = {}) {
  return network.send(build(asked, programs)).error;
}
