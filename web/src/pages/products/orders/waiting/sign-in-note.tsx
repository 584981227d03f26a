import { useMutation } from '@tanstack/react-query';
import { keepCredential } from '../../../../api/credentials.ts';
import { Button } from '../../../../parts/button.tsx';
import { ErrorNote } from '../../../../parts/status.tsx';
import { requestToken } from '../../../../wallet/sign-in.ts';
import { useThrowawayWallet } from '../../../../wallet/use-throwaway-wallet.ts';
import { WALLET_TOKEN } from './use-signed-query.ts';

/** Offers to sign in with the wallet of this browser, whose orders are then listed. */
export function SignInNote({
  wasSignedIn,
  onSignedIn,
}: {
  /** Whether a token was refused. */
  readonly wasSignedIn: boolean;
  /** Called with the wallet that has signed in. */
  readonly onSignedIn: (address: string) => void;
}) {
  const { wallet, create } = useThrowawayWallet();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const key = wallet.kind === 'ready' ? wallet.key : await create();
      return { address: key.address, token: await requestToken(key) };
    },
    onSuccess: ({ address, token }) => {
      keepCredential(WALLET_TOKEN, token);
      onSignedIn(address);
    },
  });
  return (
    <div className="status status--empty">
      <p>
        {wasSignedIn ? 'The sign-in has ended. ' : ''}
        These orders are shown to their wallet alone. It signs a sentence, and nothing is sent to the network.
      </p>
      {wallet.kind === 'unavailable' ? (
        <p>{wallet.reason}</p>
      ) : (
        <Button busy={isPending} onClick={() => mutate()}>
          Sign in with the wallet of this browser
        </Button>
      )}
      {error === null ? null : <ErrorNote error={error} />}
    </div>
  );
}
