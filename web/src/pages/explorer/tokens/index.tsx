import { ExplorerFrame } from '../frame/explorer-frame.tsx';

/** The tokens that the gateway knows. */
export function TokensPage() {
  return (
    <ExplorerFrame title="Tokens" lead="The tokens that this gateway knows.">
      {null}
    </ExplorerFrame>
  );
}
