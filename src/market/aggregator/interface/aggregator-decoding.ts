import {
  describeInterface,
  type PresentedField,
  type PresentedPart,
  type ProgramInstructions,
} from '../../../protocol/instructions/program-instructions.ts';
import { type ArgumentValue, ArgumentVariant } from '../../../protocol/instructions/read-arguments.ts';
import { findStepProgram } from '../../../protocol/venue/aggregator-step.ts';
import { maximum } from '../../../solana/units.ts';
import { AGGREGATOR_INTERFACE } from './interface.ts';

const INPUT = ['source_mint', 'user_source_token_account', 'source_token_account'];
const OUTPUT = ['destination_mint', 'user_destination_token_account', 'destination_token_account'];

/** The aggregator's instructions, with one field for each step of a route. */
export const AGGREGATOR_PROGRAM_INSTRUCTIONS: ProgramInstructions = {
  ...describeInterface(AGGREGATOR_INTERFACE, 'Jupiter aggregator', {
    in_amount: INPUT,
    quoted_in_amount: INPUT,
    out_amount: OUTPUT,
    quoted_out_amount: OUTPUT,
  }),
  present: (name, value, findLabel) => {
    if (name === 'swap_events' && isList(value)) return value.flatMap(presentSwap);
    if (name !== 'route_plan' || !isList(value)) return null;
    const steps = value.flatMap((step) => readStep(step) ?? []);
    const last = steps.reduce((most, { output }) => maximum(output, most), 0n);
    return steps.map(({ kind, share, input, output }, index) => {
      const program = findStepProgram(kind);
      const venue = (program === null ? null : findLabel(program)) ?? kind;
      const [from, to] = [input, output].map((token) => nameToken(token, last)) as [
        PresentedPart,
        PresentedPart,
      ];
      return { name: `step_${index + 1}`, value: [`${venue}: ${share} % of `, from, ' to ', to] };
    });
  },
};

/** Presents an event of a step as what it took and what it paid. */
function presentSwap(event: ArgumentValue, index: number): readonly PresentedField[] {
  if (typeof event !== 'object' || event === null || isList(event) || event instanceof ArgumentVariant)
    return [];
  const { input_mint: from, input_amount: taken, output_mint: to, output_amount: paid } = event;
  if (typeof from !== 'string' || typeof to !== 'string') return [];
  if (typeof taken !== 'bigint' || typeof paid !== 'bigint') return [];
  const value = [{ amount: taken, mint: from }, ' to ', { amount: paid, mint: to }];
  return [{ name: `swap_${index + 1}`, value }];
}

interface RouteStepFields {
  readonly kind: string;
  /** Percent of what arrived at the input. */
  readonly share: string;
  readonly input: bigint;
  readonly output: bigint;
}

/** Token 0 is what the route takes, and the last one is what it pays. The others have no name of their own in the plan. */
function nameToken(token: bigint, last: bigint): PresentedPart {
  if (token === 0n) return { tokenOf: INPUT };
  return token === last ? { tokenOf: OUTPUT } : `intermediate token ${token}`;
}

function isList(value: ArgumentValue): value is readonly ArgumentValue[] {
  return Array.isArray(value);
}

function readStep(step: ArgumentValue): RouteStepFields | null {
  if (typeof step !== 'object' || step === null || isList(step) || step instanceof ArgumentVariant)
    return null;
  const { swap, percent, bps, input_index: input, output_index: output } = step;
  if (!(swap instanceof ArgumentVariant) || typeof input !== 'bigint' || typeof output !== 'bigint')
    return null;
  const share = typeof bps === 'bigint' ? formatBps(bps) : String(percent);
  return { kind: swap.variant, share, input, output };
}

function formatBps(bps: bigint): string {
  const fraction = (bps % 100n).toString().padStart(2, '0').replace(/0+$/, '');
  return fraction === '' ? String(bps / 100n) : `${bps / 100n}.${fraction}`;
}
