import { openTestMarket, type GenesisTestMarket } from '../genesis-market/open.ts';
import { LeapingTimers } from '../timers.ts';
import { TOKENS } from '../../solana/known-tokens.ts';
import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { parseTransaction, signTransaction } from '../../solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { readTokenAccountAmount } from '../../solana/programs/token/account.ts';
import { openTestStore, type STORES, type TestStore } from '../store/test-store.ts';
import { Tokens } from '../../tokens/tokens.ts';
import { VerificationRequests } from '../../tokens/verification/requests.ts';
import { NO_TOKEN_LAUNCHES } from '../test-tokens.ts';
import { StoredTokenDecisions } from '../../tokens/verification/stored-decisions.ts';
import type { ExpressDependencies, ExpressRequest } from '../../products/tokens/verification/execute.ts';
import {
  type CraftedPayment,
  craftPayment,
  type PaymentDependencies,
} from '../../products/tokens/verification/payment.ts';
import { type Currency, PRICE } from '../../products/tokens/verification/price.ts';
import { parseSubmission } from '../../products/tokens/endpoints/submission.ts';

export const SEAL_KEY = new Uint8Array(32).fill(9);
export const TEXTS = { twitterHandle: '@cat', description: 'It is a cat.\nReally.' };

export type ExpressPayment = Pick<ExpressRequest, 'requestId' | 'transaction' | 'sender' | 'claim'>;
export type Crafted = Extract<CraftedPayment, { readonly kind: 'crafted' }>;

/** Express verification over the genesis market, which has a list of known tokens with JUP alone. */
export class ExpressWorld {
  readonly market: GenesisTestMarket;
  readonly opened: TestStore;
  readonly tokens: Tokens;
  readonly decisions: StoredTokenDecisions;
  readonly requests: VerificationRequests;
  /** The first demo wallet. */
  readonly sender: Keypair;
  readonly receiver: Address;
  readonly services: ExpressDependencies & PaymentDependencies;
  readonly timers: LeapingTimers;

  private constructor(
    parts: Pick<ExpressWorld, 'market' | 'opened' | 'tokens' | 'decisions' | 'requests' | 'timers'>,
  ) {
    this.market = parts.market;
    this.opened = parts.opened;
    this.tokens = parts.tokens;
    this.decisions = parts.decisions;
    this.requests = parts.requests;
    this.timers = parts.timers;
    const { chain, pools, lookupTables, genesis, describeFailure, network } = this.market;
    this.sender = genesis.keys.demoWallets[0] as Keypair;
    this.receiver = network.newWallet(1_000_000_000n);
    let serial = 0;
    this.services = {
      chain,
      pools,
      lookupTables,
      timers: this.timers,
      describeFailure,
      tokens: this.tokens,
      decisions: this.decisions,
      requests: this.requests,
      receiver: this.receiver,
      sealKey: SEAL_KEY,
      nextSerial: () => serial++,
    };
  }

  static async open(
    kind: (typeof STORES)[number],
    programs: 'with programs' | 'without programs',
  ): Promise<ExpressWorld> {
    const market = await openTestMarket(programs);
    const opened = await openTestStore(kind);
    const timers = new LeapingTimers();
    const { chain, pools } = market;
    const onDefect = (error: unknown) => {
      throw error;
    };
    const network = chain.genesisHash;
    const decisions = await StoredTokenDecisions.open({ store: opened.store, network, onDefect });
    const tokens = await Tokens.open({
      chain,
      pools,
      decisions,
      timers,
      maxTokens: 1_000,
      holderIndex: null,
      launches: NO_TOKEN_LAUNCHES,
      onDefect,
      listed: TOKENS.filter(({ symbol }) => symbol === 'JUP'),
      marketData: { price: () => null, stats: () => null, mints: () => [], poolSeenAt: () => null },
    });
    const requests = new VerificationRequests(opened.store, network);
    return new ExpressWorld({ market, opened, tokens, decisions, requests, timers });
  }

  async close(): Promise<void> {
    this.tokens.close();
    this.decisions.close();
    this.market.pools.close();
    await this.opened.cleanUp();
  }

  async craft(currency: Currency = 'JUP', wallet: Keypair = this.sender): Promise<Crafted> {
    const crafted = await craftPayment(this.services, wallet.address, currency);
    if (crafted.kind !== 'crafted') throw new Error(crafted.error);
    return crafted;
  }

  /** A payment that the wallet has signed, with what clients say about it. */
  async payment(currency: Currency = 'JUP', wallet: Keypair = this.sender): Promise<ExpressPayment> {
    return createSignedPayment(wallet, await this.craft(currency, wallet));
  }

  /** How much an owner has in its associated account. */
  held(owner: Address, mint: Address = PRICE.mint): bigint {
    const account = this.market.network.account(deriveAssociatedTokenAddress(owner, mint, TOKEN_PROGRAM));
    return account === null ? 0n : readTokenAccountAmount(account.data);
  }
}

export function createSignedPayment(
  wallet: Keypair,
  { wire, requestId, currency, inAmount, outAmount }: Crafted,
): ExpressPayment {
  const { messageBytes } = parseTransaction(wire);
  return {
    requestId,
    transaction: Buffer.from(signTransaction(messageBytes, [wallet])).toString('base64'),
    sender: wallet.address,
    claim: {
      currency,
      inAmount: currency === 'JUP' ? null : String(inAmount),
      outAmount: currency === 'JUP' ? null : String(outAmount),
    },
  };
}

/** The part of a request that says what it is about. */
export function createExpressSubject(
  mint: Address,
  metadata?: Readonly<Record<string, string>>,
): Pick<ExpressRequest, 'mint' | 'submission'> {
  const tokenMetadata = metadata === undefined ? undefined : { tokenId: mint, ...metadata };
  return { mint, submission: parseSubmission({ tokenId: mint, ...TEXTS, tokenMetadata }) };
}
