import { useMutation } from '@tanstack/react-query';
import { useInstance } from '../../../api/instance.ts';
import { requestFaucet } from '../../../api/network.ts';
import { Button } from '../../../parts/button.tsx';
import { ErrorNote } from '../../../parts/status.tsx';

/** Says what the taker lacks, and fills its wallet where the network can. */
export function TakerLacks({
  taker,
  reason,
  onFilled,
}: {
  readonly taker: string;
  readonly reason: string;
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
      <p className="no-quote__reason">{reason}</p>
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
