import { createAccountWithRent, mplToolbox, transferAllSol } from '@metaplex-foundation/mpl-toolbox';
import { publicKey } from '@metaplex-foundation/umi';
import { describe, expect, it } from 'vitest';
import { address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { createBuildingUmi, toInstructions, toSigner } from '../../token-metadata/tests/umi.ts';

describe('CreateAccountWithRent', () => {
  it('creates an account with exactly the rent of its space', () => {
    const account = network.newAddress();
    expect(create(account, 82)).toBeNull();
    const rent = network.svm.minimumBalanceForRentExemption(82n);
    const made = network.account(account);
    expect(made).toMatchObject({ owner: TOKEN_PROGRAM, lamports: rent });
    expect(made?.data).toEqual(new Uint8Array(82));
    expect(create(network.newAddress(), 0)).toBeNull();
  });

  it('refuses an address in use, a space beyond what an account can have, and one that does not sign', () => {
    expect(create(network.newWallet(1n), 82)).toMatchObject({ custom: 0 });
    for (const space of [10_485_761n, 2n ** 32n, 2n ** 64n - 1n]) {
      expect(create(network.newAddress(), space)).toMatchObject({ custom: 3 });
    }
    const [instruction] = toInstructions(createAccountWithRent(umi, accountOf(network.newAddress(), 82))) as [
      Instruction,
    ];
    const unsigned = instruction.accounts.map((each, at) =>
      at === 1 ? { ...each, role: 1 as const } : each,
    );
    expect(network.send([{ ...instruction, accounts: unsigned }]).error?.kind).toBe('PrivilegeEscalation');
  });

  it('refuses another system program, and data of any other length', () => {
    const builder = createAccountWithRent(umi, {
      ...accountOf(network.newAddress(), 82),
      systemProgram: publicKey(TOKEN_PROGRAM),
    });
    expect(network.send(toInstructions(builder)).error).toMatchObject({ custom: 0 });
    const [{ data, ...rest }] = toInstructions(
      createAccountWithRent(umi, accountOf(network.newAddress(), 82)),
    ) as [Instruction];
    for (const wrong of [data.slice(0, -1), Uint8Array.of(...data, 0), Uint8Array.of(2), new Uint8Array(0)]) {
      expect(network.send([{ ...rest, data: wrong }]).error?.kind).toBe('BorshIoError');
    }
    expect(network.send([{ ...rest, data, accounts: rest.accounts.slice(0, 2) }]).error?.kind).toBe(
      'NotEnoughAccountKeys',
    );
  });
});

describe('TransferAllSol', () => {
  it('leaves nothing behind, and refuses an account of another program', () => {
    const [source, destination] = [network.newWallet(5_000_000n), network.newAddress()];
    const all = { source: toSigner(source), destination: publicKey(destination) };
    expect(network.send(toInstructions(transferAllSol(umi, all))).error).toBeNull();
    expect(network.account(source)).toBeNull();
    expect(network.account(destination)?.lamports).toBe(5_000_000n);
    const owned = network.newAddress();
    network.setData(owned, TOKEN_PROGRAM, new Uint8Array(1));
    const theirs = { source: toSigner(owned), destination: publicKey(destination) };
    expect(network.send(toInstructions(transferAllSol(umi, theirs))).error).toMatchObject({ custom: 1 });
  });
});

const network = new TestNetwork(['system-extras']);
const umi = createBuildingUmi(network.newWallet(1_000_000_000_000n)).use(mplToolbox());

function accountOf(account: string, space: number | bigint) {
  return { newAccount: toSigner(address(account)), space, programId: publicKey(TOKEN_PROGRAM) };
}

function create(account: string, space: number | bigint) {
  return network.send(toInstructions(createAccountWithRent(umi, accountOf(account, space)))).error;
}
