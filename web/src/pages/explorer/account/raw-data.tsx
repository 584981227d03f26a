import '../../../parts/disclosure.css';
import { useState } from 'react';
import { decodeBase64 } from '../../../base/base64.ts';
import { formatWhole } from '../../../base/format-amount.ts';
import { Code } from '../../../parts/code.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { formatHexLines } from './hex-lines.ts';

/** The first bytes of an account, in hexadecimal. */
export function RawData({ data, bytes }: { readonly data: string; readonly bytes: number }) {
  const [isOpen, setOpen] = useState(false);
  const head = decodeBase64(data);
  if (head === null) return null;
  return (
    <details className="disclosure" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {head.length < bytes
          ? `The first ${formatWhole(head.length)} of ${formatWhole(bytes)} bytes`
          : `All ${formatWhole(bytes)} bytes`}
      </summary>
      {isOpen ? (
        <div className="disclosure__content">
          <Code text={formatHexLines(head)} language="text" label="the data in hexadecimal" maxLines={20} />
          <CopyButton text={data} shown="Copy as base64" label="Copy the data as base64" />
        </div>
      ) : null}
    </details>
  );
}
