import { beforeEach, describe, expect, it } from 'vitest';
import { STORES } from '../testing/store/test-store.ts';
import { type AuditEntry, listAudit } from './audit/audit-log.ts';
import { createRule, listRules } from './firewall/rules.ts';
import { unwrap } from '../testing/platform/unwrap.ts';
import { openTestPlatform } from '../testing/platform/test-platform.ts';
import { refusedAs } from '../testing/platform/refused.ts';
import { changeKey, createKey, listKeys } from './accounts/keys.ts';
import { openForEach } from '../testing/opened.ts';

describe.each(STORES)('the name of a key on %s', (kind) => {
  let key: string;
  const platform = openForEach(() => openTestPlatform(NOW, kind), 'cleanUp');
  beforeEach(setUp);

  it('can be changed, while the key keeps working', async () => {
    const renamed = unwrap(await changeKey(platform, BY, CI, { name: 'cd' }));
    expect(renamed).toMatchObject({ name: 'cd', products: ['swap'] });
    expect(platform.keys.find(key, NOW)).toMatchObject({ name: 'cd', products: ['swap'] });
    expect(unwrap(await listKeys(platform, TEAM)).map(({ name }) => name)).toEqual(['cd', 'demo']);
    expect(await entries('api_key.renamed')).toEqual([
      { action: 'api_key.renamed', subject: 'demo/demo/ci', before: { name: 'ci' }, after: { name: 'cd' } },
    ]);
    expect(await entries('api_key.permissions_changed')).toEqual([]);
  });

  it('can be changed together with the terms, with an audit entry each', async () => {
    unwrap(await changeKey(platform, BY, CI, { name: 'cd', products: null }));
    expect(await entries('api_key.renamed')).toHaveLength(1);
    expect(await entries('api_key.permissions_changed')).toMatchObject([
      { subject: 'demo/demo/cd', before: { products: 'swap' }, after: { products: null } },
    ]);
  });

  it('must be valid and unique in the team', async () => {
    expect(await changeKey(platform, BY, CI, { name: 'demo' })).toEqual(
      refusedAs('already-exists', 'demo/demo has a key "demo" already'),
    );
    expect(await changeKey(platform, BY, CI, { name: '' })).toEqual(refusedAs('invalid-value'));
    unwrap(await changeKey(platform, BY, CI, { name: 'ci' }));
    expect(await entries('api_key.renamed')).toEqual([]);
  });

  it('changes in the firewall rules that name the key, too', async () => {
    const groups = [[{ type: 'key', values: ['demo', 'ci'] }], [{ type: 'method', values: ['GET'] }]];
    unwrap(await createRule(platform, BY, { ...TEAM, rule: 'no' }, { groups, action: { type: 'deny' } }));
    unwrap(await changeKey(platform, BY, CI, { name: 'cd' }));
    const [rule] = unwrap(await listRules(platform, TEAM));
    expect(rule?.groups[0]).toMatchObject([{ type: 'key', values: ['demo', 'cd'] }]);
    expect(platform.keys.find(key, NOW)?.rules?.rules).toHaveLength(1);
    expect(await entries('api_key.renamed')).toMatchObject([{ after: { name: 'cd', rules: ['no'] } }]);
  });

  it('is listed with the first and last characters of the key', async () => {
    const listed = unwrap(await listKeys(platform, TEAM)).find(({ name }) => name === 'ci');
    expect(listed?.excerpt).toBe(`${key.slice(0, 8)}...${key.slice(-4)}`);
  });

  async function setUp(): Promise<void> {
    ({ key } = unwrap(await createKey(platform, BY, CI, { products: ['swap'] })));
  }

  const entries = async (
    action: string,
  ): Promise<Pick<AuditEntry, 'action' | 'subject' | 'before' | 'after'>[]> =>
    unwrap(await listAudit(platform, { action })).items.map(({ subject, before, after }) => ({
      action,
      subject,
      before,
      after,
    }));
});

const NOW = 1_790_000_000_000;
const BY = { who: 'operator', from: '127.0.0.1' };
const TEAM = { organisation: 'demo', team: 'demo' };
const CI = { ...TEAM, key: 'ci' };
