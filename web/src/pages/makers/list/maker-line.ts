import { formatCounted } from '../../../base/count-words.ts';
import { formatUtcTime } from '../../../base/format-time.ts';
import type { OperatorMakerLine, OperatorMakerView } from '../source/maker-shapes.ts';

/** Returns when a maker was last there, by what is known of it. */
export function describeSeen(line: OperatorMakerLine, view: OperatorMakerView | null): string {
  if (line.connected === true) return 'connected';
  if (line.connected === null) return 'its instance does not answer';
  const answered = line.webhook?.calls.lastAnswerAt ?? null;
  if (answered !== null) return `answered ${formatUtcTime(answered)}`;
  const left = view?.changes.find(({ from, to }) => from === 'prod' && to !== 'prod');
  if (left !== undefined) return `left ${formatUtcTime(left.at)}`;
  return line.webhook === null ? 'never connected' : 'not asked yet';
}

/** Returns how the circuit breaker of a maker stands, in a few words. */
export function describeBreaker(view: OperatorMakerView | null): string {
  const streams = view?.breaker ?? null;
  const breaker = view?.connected === true ? streams : (view?.webhookBreaker ?? streams);
  if (breaker === null) return '';
  const { state, suspendedUntil, missesLeft } = breaker;
  if (state === 'off') return 'off';
  if (state === 'suspended')
    return suspendedUntil === null ? 'suspended' : `suspended until ${formatUtcTime(suspendedUntil)}`;
  return missesLeft === null ? 'closed' : `closed, ${formatCounted(missesLeft, 'miss', 'misses')} left`;
}
