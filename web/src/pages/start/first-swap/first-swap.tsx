import './first-swap.css';
import { AddressText } from '../../../parts/address-text.tsx';
import { Button } from '../../../parts/button.tsx';
import { Panel } from '../../../parts/page.tsx';
import { useThrowawayWallet } from '../../../wallet/use-throwaway-wallet.ts';
import { StepItem } from './step-item.tsx';
import { SOL_MINT, USDC_MINT } from '../../../base/mints.ts';
import { SwapResult } from './swap-result.tsx';
import { useFirstSwap } from './use-first-swap.ts';

/** A tenth of a SOL for USDC. */
const FIRST_INTENT = { inputMint: SOL_MINT, outputMint: USDC_MINT, amount: 100_000_000n } as const;

/** The first swap as a button, with each of its steps to look at. */
export function FirstSwap() {
  const { wallet, forget } = useThrowawayWallet();
  const { state, start, repeatFrom, clear } = useFirstSwap();
  const { steps, found, isRunning } = state;
  const running = steps.findIndex(({ progress }) => progress === 'running');
  return (
    <Panel title="Your first swap">
      <p className="first-swap__lead">
        One button swaps 0.1 SOL for USDC on the network inside Sluice. A key made in this browser signs. The
        tokens are worth nothing, so try what you like.
      </p>
      {wallet.kind === 'unavailable' ? (
        <p className="status status--error" role="alert">
          {wallet.reason}
        </p>
      ) : (
        <div className="first-swap__actions">
          <Button
            kind={found.after === null ? 'primary' : 'plain'}
            busy={isRunning}
            onClick={() => start(FIRST_INTENT)}
          >
            Swap 0.1 SOL for USDC{found.after === null ? '' : ' again'}
          </Button>
          {wallet.kind === 'ready' ? (
            <span className="first-swap__wallet">
              Wallet of this browser: <AddressText address={wallet.key.address} />
              <Button
                kind="quiet"
                disabled={isRunning}
                onClick={() => void forget().then(clear)}
                title="Removes the key from this browser. What its wallet holds is lost."
              >
                Forget it
              </Button>
            </span>
          ) : null}
        </div>
      )}
      <p className="visually-hidden" role="status">
        {running < 0 ? '' : `Step ${running + 1} of ${steps.length}`}
      </p>
      <SwapResult state={state} onSwap={start} />
      <ol className="swap-steps" aria-label="The steps of the swap">
        {steps.map((step) => (
          <StepItem key={step.id} step={step} state={state} onRepeat={repeatFrom} />
        ))}
      </ol>
    </Panel>
  );
}
