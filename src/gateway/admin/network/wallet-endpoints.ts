import { Type } from 'typebox';
import { formatForError } from '../../../common/format-for-error.ts';
import { change } from '../../../platform/audit/audit.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import { TransactionInvalid } from '../../../solana/messages/transaction-invalid.ts';
import {
  addSignatures,
  getTransactionSignature,
  MAX_TRANSACTION_BYTES,
  parseTransaction,
} from '../../../solana/messages/transaction.ts';
import { RequestInvalid } from '../../http/validation.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { parseBase64Field } from './fields.ts';

/** A wallet of the genesis that the operator may sign with. */
export interface SandboxWallet {
  readonly name: string;
  readonly keypair: Keypair;
}

/** The wallets of the embedded network, for its operator on this machine. */
export interface SandboxWalletServices {
  readonly platform: PlatformDependencies;
  /** Null if the admin interface can be reached from other machines. */
  readonly wallets: readonly SandboxWallet[] | null;
}

const WALLETS = '/admin/v1/network/wallets';
const closed = { additionalProperties: false };

const SandboxWalletsAnswer = Type.Object({
  wallets: Type.Array(
    Type.Object({
      name: Type.String({ description: 'The name by which it is asked to sign.' }),
      address: Type.String({ description: 'Its address.' }),
    }),
  ),
});

const SandboxWalletParams = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 40, description: 'The name of a wallet of the list.' }),
});

const SignBody = Type.Object(
  {
    transaction: Type.String({
      minLength: 1,
      maxLength: Math.ceil(MAX_TRANSACTION_BYTES / 3) * 4,
      description: 'A transaction in base64, of which the wallet is a signer.',
    }),
  },
  closed,
);

const SignAnswer = Type.Object({
  transaction: Type.String({
    description: 'The transaction in base64 with the signature of the wallet, beside those that it had.',
  }),
  signature: Type.String({ description: 'The signature of the wallet.' }),
});

const listWallets = defineAdminEndpoint({
  method: 'GET',
  path: WALLETS,
  summary: 'The wallets of the embedded network that can sign here',
  responses: { 200: SandboxWalletsAnswer },
  handle: async ({ wallets }: SandboxWalletServices) => ({
    wallets: requireLoopback(wallets).map(({ name, keypair }) => ({ name, address: keypair.address })),
  }),
});

const signWithWallet = defineAdminEndpoint({
  method: 'POST',
  path: `${WALLETS}/:name/sign`,
  // It writes an entry of its own, with the signature.
  audited: null,
  summary: 'Sign a transaction with a wallet of the embedded network',
  description:
    'Nothing is sent. The wallet has to be a signer of the transaction. Each signature has an entry in the audit log.',
  params: SandboxWalletParams,
  body: SignBody,
  responses: { 200: SignAnswer },
  handle: async ({ platform, wallets }: SandboxWalletServices, { params, body, actor }) => {
    const { name, keypair } = findWallet(requireLoopback(wallets), params.name);
    const signed = sign(keypair, parseBase64Field('transaction', body.transaction));
    return change(platform, actor, async () => ({
      action: 'sandbox_wallet.signed',
      subject: name,
      before: null,
      after: { address: keypair.address, signature: signed.signature },
      result: signed,
    }));
  },
});

/** What the operator of the embedded network signs with its wallets, for tests. */
export const WALLET_ENDPOINTS = [listWallets, signWithWallet];

function requireLoopback(wallets: SandboxWalletServices['wallets']): readonly SandboxWallet[] {
  if (wallets !== null) return wallets;
  throw new RequestInvalid(
    'the wallets sign only while the admin interface listens on loopback alone; see admin-host',
    403,
  );
}

function findWallet(wallets: readonly SandboxWallet[], name: string): SandboxWallet {
  const found = wallets.find((wallet) => wallet.name === name);
  if (found !== undefined) return found;
  const names = wallets.map((wallet) => wallet.name).join(', ');
  throw new RequestInvalid(`there is no wallet ${formatForError(name)}; the wallets are ${names}`, 404);
}

function sign(
  keypair: Keypair,
  wire: Uint8Array,
): { readonly transaction: string; readonly signature: string } {
  try {
    const transaction = parseTransaction(wire);
    const place = transaction.message.staticAccounts
      .slice(0, transaction.message.signers)
      .indexOf(keypair.address);
    const signed = addSignatures(transaction, [keypair]);
    const { signatures } = parseTransaction(signed);
    const own = signatures[place] ?? new Uint8Array();
    return {
      transaction: Buffer.from(signed).toString('base64'),
      signature: getTransactionSignature({ ...transaction, signatures: [own] }),
    };
  } catch (error) {
    if (error instanceof TransactionInvalid) throw new RequestInvalid(`transaction: ${error.message}`);
    throw error;
  }
}
