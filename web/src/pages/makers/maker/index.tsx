import { Link, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useInstance } from '../../../api/instance.ts';
import { shortenName } from '../../../base/format-text.ts';
import { AdminGate } from '../../../parts/admin-gate.tsx';
import { Page } from '../../../parts/page.tsx';
import { createOperatorSource } from '../source/maker-source.ts';
import { MakerView } from '../view/maker-view.tsx';

const MAX_ID = 64;

/** One maker, for the operator. */
export function MakerPage() {
  const { maker = '' } = useParams({ strict: false });
  const { data: instance } = useInstance();
  const source = useMemo(() => createOperatorSource(maker), [maker]);
  return (
    <Page
      wide
      title={`Maker ${shortenName(maker, MAX_ID)}`}
      lead={<Link to="/makers">{instance?.port === 'rest' ? 'Your own page' : 'All makers'}</Link>}
    >
      <AdminGate what="The pages of all makers">
        <MakerView key={maker} source={source} />
      </AdminGate>
    </Page>
  );
}
