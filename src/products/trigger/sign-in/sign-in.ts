import type { Party } from '../../../common/party.ts';
import type { Address } from '../../../solana/address.ts';
import { verifySignatureInPool } from '../../../solana/messages/signature.ts';
import { encodeUnsigned } from '../../../solana/messages/transaction.ts';
import { type ChallengeKind, compileChallengeMessage, writeChallengeText } from './challenge-content.ts';
import type { OpenChallenge, SignInChallenges } from './challenges.ts';
import type { SignInToken, WalletTokens } from './tokens.ts';

/** How long a wallet stays signed in. */
export const TOKEN_MS = 24 * 60 * 60_000;
/** The same for clients that want a short-lived token. */
export const ACCESS_TOKEN_MS = 15 * 60_000;

/** A signed challenge. */
export interface SignedChallenge {
  readonly wallet: Address;
  readonly kind: ChallengeKind;
  /** 64 bytes. */
  readonly signature: Uint8Array;
  /** The message of the signed transaction; null for the kind `message`, whose text clients do not send back. */
  readonly messageBytes: Uint8Array | null;
  /** How long the token is to be accepted. */
  readonly lifetimeMs: number;
}

/**
 * How a sign-in ended. `unknown`: the wallet has no open challenge, or another request has used it. `forged`: the signature is
 * not the wallet's for any of its challenges, or the transaction was changed.
 */
export type SignInResult = SignInToken | 'unknown' | 'forged';

export interface SignInDependencies {
  readonly challenges: SignInChallenges;
  readonly tokens: WalletTokens;
  /** The text of a challenge, with `<wallet>`, `<time>` and `<nonce>` where they are filled in. */
  readonly challengeText: string;
}

/** Signs wallets in: a wallet proves with its signature that it is the owner, and gets a token. */
export class SignIn {
  readonly #options: SignInDependencies;

  constructor(options: SignInDependencies) {
    this.#options = options;
  }

  /** Returns what the wallet has to sign: a text, or a transaction in base64. */
  async createChallenge(wallet: Address, kind: ChallengeKind, caller: Party): Promise<string> {
    const { challenges, challengeText } = this.#options;
    const content = await challenges.handOut(wallet, kind, caller, (nonce, expiresAt) => {
      const text = writeChallengeText(challengeText, wallet, expiresAt, nonce);
      return kind === 'message' ? text : toBase64(compileChallengeMessage(wallet, text));
    });
    return kind === 'message' ? content : toBase64(encodeUnsigned(Buffer.from(content, 'base64')));
  }

  /** Issues a token to the wallet that signed one of its challenges, which is used up by that. */
  async verify(signed: SignedChallenge): Promise<SignInResult> {
    const { challenges, tokens } = this.#options;
    const { wallet, kind, lifetimeMs } = signed;
    const open = await challenges.list(wallet, kind);
    if (open.length === 0) return 'unknown';
    const challenge = await findSignedChallenge(open, signed);
    if (challenge === null) return 'forged';
    if (!(await challenges.use(challenge.id))) return 'unknown';
    return tokens.issue(wallet, lifetimeMs);
  }

  /**
   * Returns the wallet whose token the header `authorization` carries; null without a valid one.
   * @param header - As it was received.
   */
  async findWallet(header: string | readonly string[] | undefined): Promise<Address | null> {
    const token = typeof header === 'string' ? BEARER.exec(header)?.[1] : undefined;
    return token === undefined ? null : this.#options.tokens.check(token);
  }
}

const BEARER = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** Finds the challenge that was signed. At most one signature is checked for each, outside the main thread. */
async function findSignedChallenge(
  open: readonly OpenChallenge[],
  { wallet, signature, messageBytes }: SignedChallenge,
): Promise<OpenChallenge | null> {
  const returned = messageBytes === null ? null : toBase64(messageBytes);
  for (const challenge of open) {
    if (returned !== null && challenge.content !== returned) continue;
    const bytes = messageBytes ?? Buffer.from(challenge.content);
    if (await verifySignatureInPool(wallet, bytes, signature)) return challenge;
  }
  return null;
}

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
