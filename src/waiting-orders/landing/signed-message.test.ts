import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTestKey } from '../../testing/chain/bank.ts';
import { assertProperty } from '../../testing/random.ts';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { signWith } from '../../solana/keypair.ts';
import type { Address } from '../../solana/address.ts';
import { encodeTransaction, encodeUnsigned, signTransaction } from '../../solana/messages/transaction.ts';
import { memo } from '../../solana/programs/memo.ts';
import { joinSignatures, readWalletSignature } from './signed-message.ts';

describe('readWalletSignature', () => {
  it('returns the signature of the wallet, whatever stands in the places of the others', () => {
    assertProperty(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 64 }), (other) => {
        const wire = encodeTransaction([walletSignature, other, null], crafted);
        expect(read(wire)).toEqual(walletSignature);
      }),
      { cases: 100, seed: 36 },
    );
  });

  it.each<[string, Uint8Array, string]>([
    ['another signer', write({ signers: [VAULT.address] }), 'Transaction signers modified'],
    ['another payer', write({ payer: STRANGER.address }), 'Transaction signers modified'],
    ['an instruction of another program', write({ added: [GUARD] }), 'Transaction accounts modified'],
    ['another text', write({ text: 'another' }), 'Transaction instructions modified'],
    ['another instruction', write({ added: [memo('order', SIGNERS)] }), 'Transaction instructions modified'],
    ['another blockhash', write({ blockhash: 4 }), 'Transaction blockhash modified'],
    ['another version', write({ version: 0 }), 'Transaction instructions modified'],
  ])('refuses a message with %s', (_, message, change) => {
    expect(() => read(encodeUnsigned(message))).toThrow(`Invalid deposit transaction: ${change}`);
  });

  it('refuses any change of any byte', () => {
    const wire = signTransaction(crafted, [WALLET]);
    assertProperty(
      fc.property(fc.nat(wire.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Uint8Array.from(wire);
        changed[at] = (changed[at] ?? 0) ^ change;
        const isOtherSignature = at > 64 && at <= 192;
        if (isOtherSignature) expect(read(changed)).toEqual(walletSignature);
        else expect(() => read(changed)).toThrow(/^Invalid (deposit transaction: |transaction format: )/);
      }),
      { cases: 1_000, seed: 37 },
    );
  });

  it('refuses a transaction without the signature of the wallet, or with one of another key', () => {
    expect(() => read(encodeUnsigned(crafted))).toThrow(
      `Invalid deposit transaction: it lacks the signature of ${WALLET.address}`,
    );
    const forged = encodeTransaction([signWith(STRANGER, crafted), null, null], crafted);
    expect(() => read(forged)).toThrow(`Invalid deposit transaction: Invalid signature of ${WALLET.address}`);
  });

  it.each(['', '?', 'AAAA', 'not base64', Buffer.alloc(2_000).toString('base64')])(
    'refuses %s as no transaction',
    (text) => {
      expect(() => readWalletSignature(text, CRAFT, 'withdrawal')).toThrow(/^Invalid transaction format: /);
    },
  );
});

describe('joinSignatures', () => {
  it('puts each signature where its signer stands', () => {
    const [, vault, coSigner] = [WALLET, VAULT, CO_SIGNER].map((key) => ({
      address: key.address,
      signature: signWith(key, crafted),
    }));
    const all = [coSigner, vault].flatMap((each) => (each === undefined ? [] : [each]));
    expect(joinSignatures(crafted, walletSignature, all)).toEqual(
      signTransaction(crafted, [WALLET, VAULT, CO_SIGNER]),
    );
    expect(() => joinSignatures(crafted, walletSignature, all.slice(1))).toThrow('did not sign');
  });
});

const WALLET = createTestKey(1);
const VAULT = createTestKey(2);
const CO_SIGNER = createTestKey(3);
const STRANGER = createTestKey(4);
const SIGNERS = [VAULT.address, CO_SIGNER.address];
const GUARD: Instruction = { programAddress: STRANGER.address, accounts: [], data: Uint8Array.of(1) };

interface Written {
  readonly payer?: Address;
  readonly signers?: readonly Address[];
  readonly added?: readonly Instruction[];
  readonly text?: string;
  readonly blockhash?: number;
  readonly version?: 'legacy' | 0;
}

/** Returns a message in the form of a deposit, with changes. */
function write({
  payer = WALLET.address,
  signers = SIGNERS,
  added = [],
  text = 'order',
  blockhash = 3,
  version = 'legacy',
}: Written): Uint8Array {
  return compileMessage({
    feePayer: payer,
    blockhash: new Uint8Array(32).fill(blockhash),
    instructions: [memo(text, signers), ...added],
    version,
  });
}

const crafted = write({});
const walletSignature = signWith(WALLET, crafted);
const CRAFT = { messageBytes: crafted, wallet: WALLET.address };

function read(wire: Uint8Array): Uint8Array {
  return readWalletSignature(Buffer.from(wire).toString('base64'), CRAFT, 'deposit');
}
