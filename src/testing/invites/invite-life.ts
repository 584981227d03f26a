import fc from 'fast-check';
import type { InviteWorld, WorldInvite } from '../../../programs/invite/tests/world.ts';
import type { InviteEnd, RecordedInvite } from '../../invites/invite.ts';
import { createNewInvite } from '../../protocols/jupiter-send/invite-instructions.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { computeTransferFee } from '../../solana/programs/token/transfer-fee.ts';
import type { HistoryChain } from '../svm/history-chain.ts';

const RICH = 1n << 50n;
const [WALLETS, KEYS] = [3, 3];

const ACTION = fc.record({
  kind: fc.constantFrom('create', 'create', 'claim', 'claim', 'clawback', 'expire'),
  /** Which of the wallets sends or receives, and which of the keys is used. */
  wallet: fc.nat(WALLETS - 1),
  key: fc.nat(KEYS - 1),
  amount: fc.oneof(fc.bigInt(0n, 20n), fc.bigInt(900_000n, 5_000_000n)),
  /** Until the expiry. */
  seconds: fc.oneof(fc.bigInt(0n, 3n), fc.bigInt(1n, 90n), fc.constant((1n << 62n) - 1n)),
});

/** What happens in one transaction, and the seconds that pass before it. */
export const LIFE_STEP = fc.record({
  wait: fc.oneof(fc.constant(0n), fc.bigInt(1n, 3n), fc.bigInt(0n, 40n)),
  actions: fc.array(ACTION, { minLength: 1, maxLength: 3 }),
  /** Whether the record is read after it, or only together with the next one. */
  isRead: fc.boolean(),
});

type Action = typeof ACTION extends fc.Arbitrary<infer T> ? T : never;
export type LifeStep = typeof LIFE_STEP extends fc.Arbitrary<infer T> ? T : never;

/** An invite of the model, which are numbered in the order of their creation. */
interface Modelled {
  readonly invite: RecordedInvite;
  readonly number: number;
}

/** Wallets that send invites to each other with few keys, and a model of what a record has to say of them. */
export class InviteLife {
  readonly #world: InviteWorld;
  readonly #chain: HistoryChain;
  readonly wallets: readonly Address[];
  readonly #invites: readonly WorldInvite[];
  readonly #open = new Map<Address, Modelled>();
  readonly #ended: Modelled[] = [];
  #created = 0;

  constructor(world: InviteWorld, chain: HistoryChain) {
    this.#world = world;
    this.#chain = chain;
    this.wallets = Array.from({ length: WALLETS }, () => world.network.newWallet(RICH));
    for (const wallet of this.wallets) if (world.token !== null) world.give(wallet, world.token, RICH);
    this.#invites = Array.from({ length: KEYS }, () => world.invite(world.terms()));
  }

  get now(): bigint {
    return this.#world.network.svm.getClock().unixTimestamp;
  }

  /** Returns the kinds of what was done, none if the transaction failed. */
  take({ wait, actions }: LifeStep): readonly string[] {
    this.#world.network.setUnixTime(this.now + wait);
    // Instructions that end an invite name the sender that it has after those before them.
    const senders = new Map(this.#invites.map(({ address }) => [address, this.#senderOf(address)]));
    const instructions = actions.map((action) => this.#build(action, senders));
    if (this.#world.send(...instructions).error !== null) return [];
    const signature = this.#chain.landed.at(-1)?.signature ?? '';
    for (const action of actions) this.#apply(action, signature);
    return actions.map(({ kind }) => kind);
  }

  /** Lists what a wallet can take back. */
  listPending(wallet: Address): readonly RecordedInvite[] {
    return [...this.#open.values()]
      .filter(({ invite }) => invite.sender === wallet && invite.expiresAt > this.now)
      .sort((one, other) => other.number - one.number)
      .map(({ invite }) => invite);
  }

  /** Lists what a wallet sent or received and is over. */
  listHistory(wallet: Address): readonly RecordedInvite[] {
    return [...this.#ended, ...this.#listOverdue()]
      .filter(({ invite: { sender, end } }) => sender === wallet || end?.receiver === wallet)
      .sort((one, other) => Number(readMoment(other) - readMoment(one)) || other.number - one.number)
      .map(({ invite }) => invite);
  }

  /** Lists what can be returned, of all wallets, the oldest expiry first. */
  listExpired(): readonly RecordedInvite[] {
    return this.#listOverdue()
      .map(({ invite }) => invite)
      .sort((one, other) => Number(one.expiresAt - other.expiresAt));
  }

  /** Lists the accounts of the program, beside what the model says of each. Null stands for none. */
  compareAccounts(): readonly (readonly [account: unknown, model: unknown])[] {
    return this.#invites.map((invite) => {
      const account = this.#world.read(invite);
      const open = this.#open.get(invite.address)?.invite;
      return [
        account === null ? null : listFacts({ ...account, mint: account.token?.mint ?? null }),
        open === undefined ? null : listFacts(open),
      ];
    });
  }

  #listOverdue(): readonly Modelled[] {
    return [...this.#open.values()].filter(({ invite }) => invite.expiresAt <= this.now);
  }

  #senderOf(address: Address): Address {
    return this.#open.get(address)?.invite.sender ?? (this.wallets[0] as Address);
  }

  #build({ kind, wallet, key, amount, seconds }: Action, senders: Map<Address, Address>): Instruction {
    const world = this.#world;
    const who = this.wallets[wallet] as Address;
    const { address, inviteKey, token } = this.#invites[key] as WorldInvite;
    if (kind === 'create') {
      senders.set(address, who);
      const sent = world.token === null ? null : { ...world.token, source: world.tokens(who, world.token) };
      return createNewInvite({ sender: who, inviteKey, token: sent, amount, expiresAt: this.now + seconds });
    }
    const invite = { sender: senders.get(address) as Address, inviteKey, token };
    if (kind === 'claim') return world.claim(invite, who);
    return kind === 'clawback' ? world.clawback(invite) : world.expire(invite);
  }

  #apply({ kind, wallet, key, amount, seconds }: Action, signature: string): void {
    const { address, inviteKey, token } = this.#invites[key] as WorldInvite;
    const who = this.wallets[wallet] as Address;
    const at = this.now;
    if (kind === 'create') {
      const invite = {
        invite: address,
        inviteKey,
        sender: who,
        mint: token?.mint ?? null,
        amount: amount - this.#feeOf(amount),
        creationSignature: signature,
        createdAt: at,
        expiresAt: at + seconds,
        end: null,
      };
      this.#open.set(address, { invite, number: ++this.#created });
      return;
    }
    const open = this.#open.get(address);
    if (open === undefined) throw new Error(`the program has ended ${address}, which is not open`);
    const kinds = { claim: 'claimed', clawback: 'clawedBack', expire: 'expired' } as const;
    const end: InviteEnd = { kind: kinds[kind], signature, at, receiver: kind === 'claim' ? who : null };
    this.#open.delete(address);
    this.#ended.push({ number: open.number, invite: { ...open.invite, end } });
  }

  #feeOf(amount: bigint): bigint {
    if (this.#world.token?.withholdsFees !== true) return 0n;
    return computeTransferFee({ epoch: 0n, maximumFee: 500_000n, basisPoints: 100 }, amount);
  }
}

function readMoment({ invite: { end, expiresAt } }: Modelled): bigint {
  return end?.at ?? expiresAt;
}

function listFacts({
  sender,
  inviteKey,
  mint,
  amount,
  createdAt,
  expiresAt,
}: Pick<RecordedInvite, 'sender' | 'inviteKey' | 'mint' | 'amount' | 'createdAt' | 'expiresAt'>): object {
  return { sender, inviteKey, mint, amount, createdAt, expiresAt };
}
