import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { InstanceInfo } from '../../api/instance.ts';
import { useDocsUrl } from '../../api/instance.ts';
import { formatExactJson, toExactJson } from '../../base/exact-json.ts';
import { writeCurl } from '../../openapi/snippets/curl.ts';
import { Button } from '../../parts/button.tsx';
import { Code } from '../../parts/code.tsx';
import { Panel } from '../../parts/page.tsx';
import { ErrorNote } from '../../parts/status.tsx';
import { checkQuote } from './first-swap/swap-answers.ts';
import { SOL_MINT, USDC_MINT } from '../../base/mints.ts';
import { toOrderRequest } from './first-swap/swap-run.ts';
import { formatSwapAmount, toRoutesSearch } from './first-swap/tokens.ts';
import { sendRequest } from './first-swap/use-first-swap.ts';

const AMOUNT = '100000000';

/** What can be done where no tokens are given away: a quote, and what a swap would need. */
export function FirstQuote({ instance }: { readonly instance: InstanceInfo }) {
  const docs = useDocsUrl();
  const query = { inputMint: SOL_MINT, outputMint: USDC_MINT, amount: AMOUNT };
  const request = toOrderRequest(window.location.origin, query);
  const quote = useMutation({ mutationFn: async () => checkQuote(await sendRequest(request)) });
  return (
    <Panel title="Your first quote">
      <p className="first-swap__lead">
        {instance.network.kind === 'rpc'
          ? 'This instance works on an outside network. It has no faucet, so a swap needs a wallet of yours with real tokens, which signs in your own code.'
          : 'This instance runs in production, where nothing is given away. A swap needs a wallet of yours with tokens, which signs in your own code.'}{' '}
        A quote costs nothing. <a href={`${docs}/quickstart/integrator`}>The quick start</a> shows the swap; a
        sandbox for it is <code>sluice start</code> without <code>--rpc-url</code> and{' '}
        <code>--production</code>.
      </p>
      <div className="first-swap__actions">
        <Button kind="primary" busy={quote.isPending} onClick={() => quote.mutate()}>
          Quote 0.1 SOL in USDC
        </Button>
        <Link
          className="button button--plain"
          to="/routes"
          search={toRoutesSearch(SOL_MINT, USDC_MINT, BigInt(AMOUNT))}
        >
          See the route
        </Link>
        <Link className="button button--plain" to="/playground">
          Open the playground
        </Link>
      </div>
      {quote.error === null ? null : <ErrorNote error={quote.error} />}
      {quote.data === undefined ? null : (
        <p className="swap-result__headline" role="status">
          {formatSwapAmount(SOL_MINT, AMOUNT)} is worth {formatSwapAmount(USDC_MINT, quote.data.outAmount)}
        </p>
      )}
      <Code text={writeCurl(request)} language="bash" label="the request as curl" />
      {quote.data === undefined ? null : (
        <Code
          text={formatExactJson(toExactJson(quote.data), 2)}
          language="json"
          label="the answer"
          maxLines={20}
        />
      )}
    </Panel>
  );
}
