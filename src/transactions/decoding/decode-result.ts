import type { LandedTokenBalance, LandedTransaction } from '../../chain/landed-transactions.ts';
import type { Address } from '../../solana/address.ts';
import type { DescribeFailure } from '../transaction-failure.ts';
import type { AccountFacts } from './account-facts.ts';
import type { InstructionDecoder } from './decode-instruction.ts';
import { SOL_UNIT } from './form/sol-unit.ts';
import type { DecodedBalance, DecodedInstruction, DecodedResult } from './form/decoded-transaction.ts';
import { describeLandedFailure } from './failure/landed-failure.ts';
import { readLoggedEvents, readReturnData } from './failure/logged-data.ts';
import { readLogTrace } from './failure/log-trace.ts';
import type { InstructionReader } from './read-instruction.ts';

/** What the effects of a landed transaction are decoded with. */
interface ResultContext {
  readonly decoder: InstructionDecoder;
  readonly facts: AccountFacts;
  readonly labels: ReadonlyMap<Address, string>;
  readonly describeFailure: DescribeFailure;
  readonly reader: InstructionReader;
  /** As of `DecoderSources`. */
  readonly hasFaults: boolean;
  /** Those of the message. */
  readonly instructions: readonly DecodedInstruction[];
}

/** Decodes what a landed transaction did. */
export function decodeResult(landed: LandedTransaction, context: ResultContext): DecodedResult {
  const { decoder, describeFailure, reader, instructions, hasFaults } = context;
  const findLabel = (program: string) => reader.findLabel(program as Address);
  const groups = new Map<number, ReturnType<InstructionDecoder>[]>();
  for (const { instruction, depth, call } of landed.calls) {
    const group = groups.get(instruction) ?? [];
    group.push(decoder(call, depth));
    groups.set(instruction, group);
  }
  const described = landed.error === null ? null : describeFailure(landed.error, landed.logs);
  const trace = readLogTrace(landed.logs, landed.instructions, landed.calls);
  return {
    slot: Number(landed.slot),
    blockTime: landed.blockTime === null ? null : Number(landed.blockTime),
    error: landed.error === null ? null : formatError(landed.error),
    errorText: described?.message ?? null,
    failure:
      described === null
        ? null
        : describeLandedFailure({
            landed,
            described,
            instructions,
            inner: groups,
            trace,
            findLabel,
            hasFaults,
          }),
    feeLamports: landed.fee.toString(),
    unitsConsumed: Number(landed.unitsConsumed),
    logs: landed.logs,
    inner: [...groups].map(([index, instructions]) => ({ index, instructions })),
    balances: [...listNativeChanges(landed, context), ...listTokenChanges(landed, context)],
    trace,
    events: readLoggedEvents(landed.logs, trace, reader.readEvent),
    returned: readReturnData(landed.logs, findLabel),
  };
}

function formatError(error: unknown): string {
  return typeof error === 'string' ? error : JSON.stringify(error);
}

function listNativeChanges(
  { accounts, preBalances, postBalances }: LandedTransaction,
  { labels }: ResultContext,
): readonly DecodedBalance[] {
  return accounts.flatMap((account, index) => {
    const [before = 0n, after = 0n] = [preBalances[index], postBalances[index]];
    if (before === after) return [];
    return [
      {
        account,
        owner: account,
        label: labels.get(account) ?? null,
        mint: SOL_UNIT.mint,
        symbol: SOL_UNIT.symbol,
        decimals: SOL_UNIT.decimals,
        native: true,
        before: before.toString(),
        after: after.toString(),
      },
    ];
  });
}

function listTokenChanges(
  { preTokenBalances, postTokenBalances }: LandedTransaction,
  { facts, labels }: ResultContext,
): readonly DecodedBalance[] {
  const after = new Map(postTokenBalances.map((each) => [each.account, each]));
  const before = new Map(preTokenBalances.map((each) => [each.account, each]));
  const all = [...new Map([...before, ...after]).values()];
  return all.flatMap(({ account, mint, owner }: LandedTokenBalance) => {
    const amounts = { before: before.get(account)?.amount ?? 0n, after: after.get(account)?.amount ?? 0n };
    if (amounts.before === amounts.after) return [];
    const unit = facts.mints.get(mint);
    return [
      {
        account,
        owner,
        label: labels.get(account) ?? null,
        mint,
        symbol: unit?.symbol ?? null,
        decimals: unit?.decimals ?? 0,
        native: false,
        before: amounts.before.toString(),
        after: amounts.after.toString(),
      },
    ];
  });
}
