import { useMutation } from '@tanstack/react-query';
import { useInstance } from '../../../api/instance.ts';
import { requestFaucet } from '../../../api/network.ts';
import { Button } from '../../../parts/button.tsx';
import { ErrorNote } from '../../../parts/status.tsx';
import { nameMints } from '../quote/explain-refusal.ts';
import type { RouteAnswer } from '../quote/route-answer.ts';
import type { KnownTokens } from '../../../api/known-tokens.ts';

/** Says what the taker lacks, and fills its wallet where the network can. */
export function TakerLacks({
  answer,
  taker,
  reason,
  tokens,
  onFilled,
}: {
  readonly answer: RouteAnswer;
  readonly taker: string;
  readonly reason: string;
  readonly tokens: KnownTokens;
  readonly onFilled: () => void;
}) {
  const { data: instance } = useInstance();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => requestFaucet(taker),
    onSuccess: onFilled,
  });
  const hasFaucet = instance?.network.kind === 'embedded' && !instance.production;
  return (
    <div className="no-quote" role="status">
      <h2 className="no-quote__title">A price, but no transaction</h2>
      <p className="no-quote__reason" title={reason}>
        {nameMints(reason, [answer.inputMint, answer.outputMint], tokens)}
      </p>
      <p>The route below is what the taker would get with enough in its wallet.</p>
      {hasFaucet ? (
        <div className="no-quote__buttons">
          <Button onClick={() => mutate()} busy={isPending}>
            Give it 10 SOL and 1 000 USDC
          </Button>
        </div>
      ) : null}
      {error === null ? null : <ErrorNote error={error} />}
    </div>
  );
}
