import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * A step of the gateway.
 * Returns true if the request goes on to the next step; false if this step has answered it, or if nobody waits for an
 * answer any more; a `Wait` if that is decided later.
 */
export type GatewayStep = (request: FastifyRequest, reply: FastifyReply) => boolean | Wait;

/**
 * Waits for the decision of a step. It is called at once.
 * @param proceed - Called once if the request goes on to the next step.
 * @param fail - Called instead if the step failed.
 */
export type Wait = (proceed: () => void, fail: (error: Error) => void) => void;

/** When steps run: once the head of the request was read, or once its body was parsed. */
export type Phase = 'onRequest' | 'preValidation';

type StepDone = (error?: Error) => void;

const stepsOf = new WeakMap<FastifyInstance, Map<Phase, GatewayStep[]>>();

/**
 * Adds a step after those that the server has. All steps of a phase run in one hook of Fastify, because each hook costs a
 * request half a microsecond, whatever it does.
 *
 * @example
 * ```ts
 * import type { FastifyInstance } from 'fastify';
 * import { sendGatewayError } from '../../http/errors.ts';
 * import { addStep } from './step.ts';
 *
 * export function addMaintenance(app: FastifyInstance, isOn: () => boolean): void {
 *   addStep(app, 'onRequest', (_request, reply) => {
 *     if (!isOn()) return true;
 *     sendGatewayError(reply, 503, 'Under maintenance');
 *     return false;
 *   });
 * }
 * ```
 */
export function addStep(app: FastifyInstance, phase: Phase, step: GatewayStep): void {
  const phases = stepsOf.get(app) ?? new Map<Phase, GatewayStep[]>();
  stepsOf.set(app, phases);
  const known = phases.get(phase);
  if (known !== undefined) {
    known.push(step);
    return;
  }
  const steps = [step];
  phases.set(phase, steps);
  const runAll = (request: FastifyRequest, reply: FastifyReply, done: StepDone) =>
    runFrom(0, steps, request, reply, done);
  if (phase === 'onRequest') app.addHook('onRequest', runAll);
  else app.addHook('preValidation', runAll);
}

/** Waits for a decision that comes as a promise. */
export function waitUntil<T>(decided: Promise<T>, passes: (decision: T) => boolean): Wait {
  return (proceed, fail) => {
    decided.then((decision) => {
      if (passes(decision)) proceed();
    }, fail);
  };
}

function runFrom(
  first: number,
  steps: readonly GatewayStep[],
  request: FastifyRequest,
  reply: FastifyReply,
  done: StepDone,
): void {
  for (let index = first; index < steps.length; index++) {
    const passes = steps[index]?.(request, reply) ?? true;
    if (passes === true) continue;
    if (passes !== false) passes(() => resume(index + 1, steps, request, reply, done), done);
    return;
  }
  done();
}

/** Fastify catches what a hook throws only until the hook has returned. */
function resume(
  next: number,
  steps: readonly GatewayStep[],
  request: FastifyRequest,
  reply: FastifyReply,
  done: StepDone,
): void {
  // The request was answered while it waited, because it took too long.
  if (reply.sent) return;
  try {
    runFrom(next, steps, request, reply, done);
  } catch (error) {
    done(error as Error);
  }
}
