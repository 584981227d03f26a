import { eventsOf, HOLDING, RouteWorld } from '../../../programs/aggregator/tests/route-world.ts';
import { AGGREGATOR_PROGRAM } from '../../../src/protocol/venue/aggregator-program.ts';
import * as v1 from '../../../src/market/aggregator/route-v1.ts';
import * as v2 from '../../../src/market/aggregator/route-v2.ts';
import { createTokenLedger, setTokenLedger } from '../../../src/market/aggregator/token-accounts.ts';
import type { Address } from '../../../src/solana/address.ts';
import { type AccountMeta, type Instruction, AccountRole } from '../../../src/solana/messages/instruction.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import type { TestOutcome } from '../../../src/testing/svm/network.ts';
import type { AccountName, Form, Mutation, RouteCase, StepCase } from './route-cases.ts';

/** A world in which route cases are carried out. Two of them, with another aggregator each, name all things alike. */
export class CaseWorld {
  readonly world: RouteWorld;
  readonly ledger: Address;
  readonly #second: Address;

  constructor(aggregator?: Uint8Array) {
    this.world = new RouteWorld(aggregator);
    this.ledger = this.world.network.newAddress();
    this.#second = this.world.newTokenAccount(this.world.mints.b, this.world.user, HOLDING);
    this.world.send(createTokenLedger(this.ledger, this.world.user));
  }

  /** Puts all balances back and builds the case's instruction. */
  prepare(each: RouteCase): Instruction {
    this.#reset();
    if (each.form.includes('ledger')) {
      const { users, mints, user } = this.world;
      this.world.setTokenAccount(users.a, mints.a, user, 10_000n);
      this.world.send(setTokenLedger(this.ledger, users.a));
      this.world.setTokenAccount(users.a, mints.a, user, 10_000n + each.arrived);
    }
    return this.#mutate(this.#build(each), each.mutation);
  }

  run(instruction: Instruction): TestOutcome {
    return this.world.send(instruction);
  }

  /** Runs without keeping any change. */
  simulate(instruction: Instruction): TestOutcome {
    const accounts = instruction.accounts.map(readonlyProgram);
    return this.world.network.simulate([{ ...instruction, accounts }], { feePayer: this.world.user });
  }

  /** What instructions other than routes need: a set ledger, and something to claim. */
  fund(): void {
    const { world } = this;
    this.#reset();
    world.send(setTokenLedger(this.ledger, world.users.a));
    world.setTokenAccount(world.users.a, world.mints.a, world.user, HOLDING + 600_000n);
    const empty = { owner: SYSTEM_PROGRAM, data: new Uint8Array(0), executable: false, rentEpoch: 0n };
    world.network.setAccount(world.authority, { lamports: 500_000_000n, ...empty });
  }

  #reset(): void {
    const { world } = this;
    for (const token of ['a', 'b', 'c'] as const) {
      world.setTokenAccount(world.users[token], world.mints[token], world.user, HOLDING);
      world.setTokenAccount(world.programs[token], world.mints[token], world.authority, 1000n);
      world.setTokenAccount(world.strangers[token], world.mints[token], world.stranger, 0n);
    }
    world.setTokenAccount(this.#second, world.mints.b, world.user, HOLDING);
  }

  #build(each: RouteCase): Instruction {
    const { form } = each;
    const shared = form.startsWith('shared');
    const steps = each.steps.map((step) => ({
      step: this.#step(step),
      bps: step.share,
      percent: Math.min(Math.ceil(step.share / 100), 255),
      inputIndex: step.inputIndex,
      outputIndex: step.outputIndex,
    }));
    const { inAmount, quotedOutAmount, slippageBps } = each;
    const terms = {
      inAmount,
      quotedOutAmount,
      slippageBps,
      steps,
      platformFee: { bps: each.feeBps, account: this.find(each.feeAccount) },
      positiveSlippage: { bps: each.positiveBps, account: this.find(each.positiveAccount) },
      platformFeeBps: Math.min(each.feeBps, 255),
      ...(each.feeAccount === 'none' ? {} : { platformFeeAccount: this.find(each.feeAccount) }),
    };
    const passOn = each.passOnTo === 'none' ? {} : { destinationTokenAccount: this.find(each.passOnTo) };
    const accounts = this.world.accounts(shared ? {} : passOn);
    const sharedAccounts = this.world.sharedAccounts(shared ? passOn : {});
    const build: Record<Form, () => Instruction> = {
      'route v2': () => v2.routeV2(terms, accounts),
      'shared v2': () => v2.sharedAccountsRouteV2(terms, sharedAccounts),
      'route v1': () => v1.route(terms, accounts),
      'shared v1': () => v1.sharedAccountsRoute(terms, sharedAccounts),
      'ledger v1': () => v1.routeWithTokenLedger(terms, accounts, this.ledger),
      'shared ledger v1': () => v1.sharedAccountsRouteWithTokenLedger(terms, sharedAccounts, this.ledger),
    };
    return build[form]();
  }

  #step(step: StepCase) {
    const { most, numerator, denominator, behaviour } = step;
    const authority = step.from.startsWith('program') ? this.world.authority : this.world.user;
    const extra = { idle: { idle: true }, fail: { failure: 777n }, swap: {} } as const;
    return this.world.step(this.find(step.from), this.find(step.to), {
      most,
      numerator,
      denominator,
      authority,
      ...extra[behaviour],
    });
  }

  find(name: AccountName): Address {
    const { world } = this;
    if (name === 'none') return AGGREGATOR_PROGRAM;
    if (name === 'stranger') return world.stranger;
    if (name === 'second b') return this.#second;
    const [who, token] = name.split(' ') as ['user' | 'program' | 'stranger', 'a' | 'b' | 'c'];
    return { user: world.users, program: world.programs, stranger: world.strangers }[who][token];
  }

  #mutate(instruction: Instruction, mutation: Mutation): Instruction {
    // A transaction cannot write the program that it calls: the absent accounts stay read-only in any place.
    const accounts = instruction.accounts.map(readonlyProgram);
    const data = Uint8Array.from(instruction.data);
    const change = (at: number, meta: (old: AccountMeta) => AccountMeta) =>
      accounts.map((old, index) => (index === at ? readonlyProgram(meta(old)) : old));
    switch (mutation.kind) {
      case 'none':
        return { ...instruction, accounts };
      case 'account': {
        const address = this.find(mutation.by);
        return { ...instruction, accounts: change(mutation.at, ({ role }) => ({ address, role })) };
      }
      case 'read-only':
        return {
          ...instruction,
          accounts: change(mutation.at, ({ address }) => ({ address, role: AccountRole.READONLY })),
        };
      case 'not signing':
        return {
          ...instruction,
          accounts: change(mutation.at, ({ address }) => ({ address, role: AccountRole.WRITABLE })),
        };
      case 'fewer accounts':
        return { ...instruction, accounts: accounts.slice(0, mutation.count) };
      case 'less data':
        return {
          ...instruction,
          accounts,
          data: data.subarray(0, Math.max(8, data.length - mutation.count)),
        };
      case 'byte':
        if (mutation.at + 8 < data.length) data[mutation.at + 8] = mutation.value;
        return { ...instruction, accounts, data };
    }
  }
}

function readonlyProgram(meta: AccountMeta): AccountMeta {
  return meta.address === AGGREGATOR_PROGRAM ? { ...meta, role: AccountRole.READONLY } : meta;
}

/** What the two did differently: error, return data, any call with its accounts and data, or what a venue noted. */
export function outcomeDifference(ours: TestOutcome, theirs: TestOutcome): string | null {
  if (JSON.stringify(ours.error) !== JSON.stringify(theirs.error)) {
    return `error ${JSON.stringify(ours.error)}, public ${JSON.stringify(theirs.error)}`;
  }
  const [said, meant] = [callsOf(ours), callsOf(theirs)];
  const at = said.findIndex((line, index) => line !== meant[index]);
  if (at >= 0) return `call ${said[at]}, public ${meant[at]}`;
  if (said.length < meant.length) return `no call, public ${meant[said.length]}`;
  const hex = (outcome: TestOutcome) => Buffer.from(outcome.returnData).toString('hex');
  return hex(ours) === hex(theirs) ? null : `returned ${hex(ours)}, public ${hex(theirs)}`;
}

/** The first account of the instruction that the two left in another state. */
export function accountDifference(
  instruction: Instruction,
  [ours, theirs]: readonly [CaseWorld, CaseWorld],
): string | null {
  const different = instruction.accounts.find(({ address }) => {
    return JSON.stringify(accountAt(ours, address)) !== JSON.stringify(accountAt(theirs, address));
  });
  return different === undefined ? null : `account ${different.address}`;
}

function callsOf(outcome: TestOutcome): string[] {
  const calls = outcome.inner.flat().map(({ program, accounts, data, stackHeight }) => {
    return [stackHeight, program, ...accounts, Buffer.from(data).toString('hex')].join(' ');
  });
  // The venue of the tests writes down the rights that its accounts came with.
  return [...calls, ...outcome.logs.filter((line) => line.startsWith('Program data: '))];
}

function accountAt({ world }: CaseWorld, address: Address) {
  if (address === AGGREGATOR_PROGRAM) return null;
  const account = world.network.account(address);
  return account === null
    ? null
    : [account.owner, `${account.lamports}`, Buffer.from(account.data).toString('hex')];
}

/** How many swaps the events tell of: 0 for a route that did not get that far. */
export function swapsTold(outcome: TestOutcome): number {
  return eventsOf(outcome).reduce((sum, event) => {
    return sum + (event.kind === 'swaps' ? event.swaps.length : event.kind === 'swap' ? 1 : 0);
  }, 0);
}
