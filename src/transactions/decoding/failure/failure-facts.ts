import type { LandedTransaction } from '../../../chain/landed-transactions.ts';
import type { Address } from '../../../solana/address.ts';
import { SOL_UNIT } from '../form/sol-unit.ts';
import type { DecodedField, DecodedInstruction, DecodedTrace } from '../form/decoded-transaction.ts';
import type { FailureKind } from './failure-kinds.ts';

/** What is read of the transaction itself. */
export type FailedTransaction = Pick<
  LandedTransaction,
  'error' | 'logs' | 'unitsConsumed' | 'accounts' | 'preBalances' | 'postBalances' | 'preTokenBalances'
>;

/** Where a transaction failed. */
export interface FailureScene {
  readonly landed: FailedTransaction;
  readonly instructions: readonly DecodedInstruction[];
  /** The calls of the instruction that failed. */
  readonly calls: readonly DecodedInstruction[];
  readonly instruction: number | null;
  /** The call that failed; null if it was the instruction itself, or is not known. */
  readonly call: number | null;
  /** What the log says from the beginning to the end of what failed. */
  readonly lines: readonly string[];
  readonly at: DecodedTrace | null;
}

const MAX_FACTS = 8;

/**
 * Lists the numbers that a failure is about: what was asked for, and what was there. Each is read from the log, or from the data of
 * the instructions; what is not known is left out.
 */
export function listFailureFacts(scene: FailureScene, kind: FailureKind): readonly DecodedField[] {
  const isAboutAmounts = ABOUT_AMOUNTS.has(kind);
  return [
    ...readLamports(scene.lines),
    ...readCompared(scene.lines),
    ...(kind === 'compute' ? readUnits(scene) : []),
    ...(isAboutAmounts ? [...readLimits(scene), ...readPaid(scene)] : []),
    ...(kind === 'tokens' ? readHeld(scene) : []),
    ...readNamedAccount(scene),
    ...(kind === 'missing-account' ? listMissing(scene) : []),
  ].slice(0, MAX_FACTS);
}

const ABOUT_AMOUNTS: ReadonlySet<FailureKind> = new Set(['slippage', 'liquidity', 'price', 'range']);

/** Lists the accounts of what failed that did not exist, by their roles. */
export function listMissing({
  landed,
  instructions,
  calls,
  instruction,
  call,
}: FailureScene): readonly DecodedField[] {
  const outer = instruction === null ? undefined : instructions[instruction];
  const failing = call === null ? outer : calls[call];
  const missing = (failing?.accounts ?? []).filter(({ address, role }) => {
    const at = landed.accounts.indexOf(address as Address);
    return role !== null && at >= 0 && landed.preBalances[at] === 0n && landed.postBalances[at] === 0n;
  });
  return missing
    .filter(({ address }, index) => missing.findIndex((each) => each.address === address) === index)
    .slice(0, MAX_MISSING)
    .map(({ address, role }) => ({ name: `missing ${role}`, value: address, unit: null }));
}

const MAX_MISSING = 3;

const LAMPORTS = /insufficient lamports (\d{1,20}), need (\d{1,20})/;

function readLamports(lines: readonly string[]): readonly DecodedField[] {
  for (const line of lines) {
    const [, held, needed] = LAMPORTS.exec(line) ?? [];
    if (held !== undefined && needed !== undefined)
      return [
        { name: 'it held', value: held, unit: SOL_UNIT },
        { name: 'it needed', value: needed, unit: SOL_UNIT },
      ];
  }
  return [];
}

const LEFT = /^Program log: Left: (\S{1,80})$/;
const RIGHT = /^Program log: Right: (\S{1,80})$/;

/** Programs that are made with Anchor log the two values that they compared. */
function readCompared(lines: readonly string[]): readonly DecodedField[] {
  return [
    ...lines.flatMap((line) => toFact('it compared', LEFT.exec(line)?.[1])).slice(-1),
    ...lines.flatMap((line) => toFact('with', RIGHT.exec(line)?.[1])).slice(-1),
  ];
}

function toFact(name: string, value: string | undefined): readonly DecodedField[] {
  return value === undefined ? [] : [{ name, value, unit: null }];
}

function readUnits({ at, landed, instructions }: FailureScene): readonly DecodedField[] {
  const limit = instructions
    .find(({ name }) => name === 'setComputeUnitLimit')
    ?.fields.find(({ name }) => name === 'units');
  const whole = [
    { name: 'compute units that the transaction used', value: String(landed.unitsConsumed), unit: null },
    ...toFact('compute units that it was allowed', limit?.value),
  ];
  if (at?.units == null || at.unitsLeft === null) return whole;
  return [
    { name: 'compute units it used', value: String(at.units), unit: null },
    { name: 'compute units that were left for it', value: String(at.unitsLeft), unit: null },
    ...whole,
  ];
}

const LIMITS = /^(min|max)|minimum|maximum|threshold|quoted|^slippage|limit/i;

/** The bounds that the one who sent it had set, of what failed, and of the instruction that led to it. */
function readLimits({ instructions, calls, instruction, call }: FailureScene): readonly DecodedField[] {
  const outer = instruction === null ? undefined : instructions[instruction];
  const failing = call === null ? outer : calls[call];
  const all = [failing, outer].flatMap((each) => each?.fields ?? []);
  const limits = all.filter(
    ({ name, value, unit }) =>
      LIMITS.test(name) && (name.endsWith('_bps') || (unit !== null && value !== '0')),
  );
  return [...new Map(limits.map((field) => [field.name, field])).values()];
}

const TRANSFERS: ReadonlySet<string> = new Set(['transfer', 'transferChecked', 'transferCheckedWithFee']);

/** What the calls before the failure had already paid into the account for the output. */
function readPaid({ instructions, calls, instruction, call }: FailureScene): readonly DecodedField[] {
  const outer = instruction === null ? undefined : instructions[instruction];
  const destination = outer?.accounts.find(
    ({ role }) => role !== null && /destination.*account|destination$/.test(role),
  );
  if (destination === undefined) return [];
  const before = call === null ? calls : calls.slice(0, call);
  const paid = before.flatMap((each) => readTransfer(each, destination.address));
  const unit = paid[0]?.unit;
  if (unit === undefined) return [];
  const sum = paid.reduce((total, { amount }) => total + amount, 0n);
  return [{ name: 'the route paid', value: sum.toString(), unit }];
}

function readTransfer({ name, fields, accounts }: DecodedInstruction, destination: string) {
  if (name === null || !TRANSFERS.has(name)) return [];
  const goesThere = accounts.some((each) => each.role === 'destination' && each.address === destination);
  const amount = fields.find((field) => field.name === 'amount');
  if (!goesThere || amount?.unit == null || !/^\d{1,20}$/.test(amount.value)) return [];
  return [{ amount: BigInt(amount.value), unit: amount.unit }];
}

/** What the account that pays held before the transaction, where a transfer of tokens failed. */
function readHeld({ landed, instructions, calls, instruction, call }: FailureScene): readonly DecodedField[] {
  const outer = instruction === null ? undefined : instructions[instruction];
  const failing = call === null ? outer : calls[call];
  if (failing?.name == null || !TRANSFERS.has(failing.name)) return [];
  const amount = failing.fields.find(({ name }) => name === 'amount');
  const source = failing.accounts.find(({ role }) => role === 'source');
  const held = landed.preTokenBalances.find(({ account }) => account === source?.address);
  if (amount?.unit == null || source === undefined) return [];
  return [
    { name: 'it should have moved', value: amount.value, unit: amount.unit },
    { name: 'the account held before', value: (held?.amount ?? 0n).toString(), unit: amount.unit },
  ];
}

const CAUSED_BY = /AnchorError caused by account: (\w{1,64})\./;

/** The account that an error is about, by its name in the program or by its index in the transaction. */
function readNamedAccount({ landed: { error, accounts }, lines }: FailureScene): readonly DecodedField[] {
  const named = lines.flatMap((line) => toFact('the account', CAUSED_BY.exec(line)?.[1])).slice(0, 1);
  if (typeof error !== 'object' || error === null) return named;
  const [about] = Object.values(error) as readonly unknown[];
  const index =
    typeof about === 'object' && about !== null && 'account_index' in about ? about.account_index : undefined;
  return [...named, ...toFact('the account', typeof index === 'number' ? accounts[index] : undefined)];
}
