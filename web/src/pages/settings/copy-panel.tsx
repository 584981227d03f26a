import { useMemo } from 'react';
import { Code } from '../../parts/code.tsx';
import { Disclosure } from '../../parts/disclosure.tsx';
import { Panel } from '../../parts/page.tsx';
import { copySettings } from './setting-copies.ts';
import type { SettingView } from './setting-shape.ts';

/** What was given, to give it to another instance. Secrets are left out. */
export function CopyPanel({ settings }: { readonly settings: readonly SettingView[] }) {
  const { file, flags, secrets } = useMemo(() => copySettings(settings), [settings]);
  return (
    <Panel title="Copy what was given">
      <p>
        Every setting that is not left at its default, wherever it comes from.{' '}
        {secrets.length === 0
          ? 'No secret was given.'
          : `Secrets are left out; give these yourself: ${secrets.join(', ')}.`}
      </p>
      <Disclosure summary="As a configuration file">
        <Code text={file} language="json" label="the settings as a configuration file" maxLines={20} />
      </Disclosure>
      <Disclosure summary="As flags">
        <Code text={flags} language="bash" label="the settings as flags" maxLines={20} />
      </Disclosure>
    </Panel>
  );
}
