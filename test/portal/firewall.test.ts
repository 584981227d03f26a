import { beforeEach, describe, expect, it } from 'vitest';
import { hasBrowser, usePortal } from './portal-browser.ts';

describe.runIf(hasBrowser)('the firewall of the portal (skipped without Chromium)', () => {
  const portal = usePortal();
  beforeEach(setUp);

  it('shows what a rule would have stopped while it is built, and stops the next request once it is switched on', async () => {
    const page = await portal.visitSignedIn(firewall);
    await page.getByText('The team has no rules', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'New rule' }).click();
    const preview = page.getByTestId('preview');
    await preview.getByText('Give the path condition a value.', { exact: false }).waitFor();
    await page.getByLabel('Beginning of the path').fill('/price');
    await page.keyboard.press('Enter');
    await preview.getByText('Of 5 requests, it would have stopped 3 that passed.').waitFor();
    await preview.getByText('It stops requests from your own address 127.0.0.1: 3 of 5.').waitFor();
    await page.getByLabel('Or', { exact: true }).fill('/tokens');
    await page.keyboard.press('Enter');
    await preview.getByText('It stops every request of the team', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Remove /tokens' }).click();
    expect(await page.getByTestId('sentence').textContent()).toBe(
      'A request whose path begins with /price is answered with 403.',
    );
    await page.getByLabel('Name').fill('no prices');
    await page.getByRole('button', { name: 'Save switched off' }).click();
    const rule = page.getByRole('listitem', { name: 'no prices' });
    await rule.getByText('switched off').waitFor();
    expect(await send('/price/v3')).toBe(200);
    await rule.getByRole('button', { name: 'Switch no prices on' }).click();
    await rule.getByText('Matches 4 of the 6 requests', { exact: false }).waitFor();
    expect(await send('/price/v3')).toBe(403);
    expect(await send('/tokens/v2/search')).toBe(200);
    await page.goto(`${portal.adminUrl}/organisations/${organisation}/log?rule=no%20prices`);
    await page.locator('.log-line', { hasText: '403' }).click();
    await page
      .getByRole('region', { name: 'The request' })
      .getByRole('link', { name: 'no prices' })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Change no prices' }).waitFor();
  });

  it('opens no rule for changes that has something the page does not know', async () => {
    const rule = {
      name: 'of tomorrow',
      enabled: true,
      expression: 'moon is full',
      groups: [[{ type: 'moon', values: ['full'] }]],
      action: { type: 'deny' },
      createdAt: 0,
    };
    const page = await portal.visit('about:blank');
    await page.route('**/teams/web/rules', (route) => route.fulfill({ json: { rules: [rule] } }));
    await page.goto(`${portal.adminUrl}${firewall}?edit=of%20tomorrow`);
    await portal.signIn(page);
    await page
      .getByText('of tomorrow has something that this page does not know', { exact: false })
      .waitFor();
    const change = page.getByRole('button', { name: 'Change of tomorrow' });
    await expect.poll(() => change.isDisabled()).toBe(true);
  });

  it('says what the log cannot tell, what is wrong with an address, and what saved rules do with a request', async () => {
    await addRule();
    const page = await portal.visitSignedIn(`${firewall}?edit=%20new`);
    const preview = page.getByTestId('preview');
    const kind = page.getByLabel('Condition', { exact: true });
    await kind.selectOption('ip');
    await page.getByLabel('Address or network').fill('203.0.113.7/24');
    await page.getByText('This network begins with 203.0.113.0/24.').waitFor();
    await page.getByLabel('Address or network').fill('198.51.100.0/24');
    await page.keyboard.press('Enter');
    await preview.getByText('No request of this time matches it.', { exact: false }).waitFor();
    await kind.selectOption('header');
    await page.getByLabel('Name of the header').fill('x-app');
    await page.getByLabel('Value', { exact: true }).fill('ios');
    await page.keyboard.press('Enter');
    await preview.getByText('cannot be judged: this rule looks at a header', { exact: false }).waitFor();
    await page.getByText('The rule as a command and as JSON').click();
    await page.getByText("--when 'header.x-app=ios' --then deny --enabled false", { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Path', { exact: true }).fill('/price/v3?ids=x');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page
      .getByTestId('trial')
      .getByText('The rule “no prices” decides: Deny.', { exact: false })
      .waitFor();
  });

  it('changes a rule in its place, and deletes it when asked', async () => {
    await addRule();
    const page = await portal.visitSignedIn(firewall);
    const rule = page.getByRole('listitem', { name: 'no prices' });
    await rule.getByRole('button', { name: 'Change no prices' }).click();
    await page.getByLabel('Limit the rate', { exact: false }).check();
    await page.getByRole('textbox', { name: 'Requests' }).fill('1');
    await page.getByLabel('Unit').selectOption('m');
    await page.getByTestId('preview').getByText('that passed.', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Save and switch on' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Switch it on' }).click();
    await rule.getByText('beyond 1 in any 60 minutes of each address', { exact: false }).waitFor();
    expect([await send('/price/v3'), await send('/price/v3')]).toEqual([200, 429]);
    await rule.getByRole('button', { name: 'Delete no prices' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click();
    await page.getByText('The team has no rules', { exact: false }).waitFor();
    expect(await send('/price/v3')).toBe(200);
  });

  /** Gives each test an organisation of its own, with five requests and no rules. */
  async function setUp(): Promise<void> {
    const { instance } = portal;
    organisation = `guarded-${++count}`;
    firewall = `/organisations/${organisation}/firewall`;
    await instance.admin('POST', 'organisations', { slug: organisation, plan: 'developer' });
    await instance.admin('POST', `organisations/${organisation}/teams`, { slug: 'web' });
    ({ key } = await instance.admin('POST', `organisations/${organisation}/teams/web/keys`, { name: 'app' }));
    for (let index = 0; index < 3; index++) await send('/price/v3');
    for (let index = 0; index < 2; index++) await send('/tokens/v2/search');
  }

  /** Adds a rule that denies prices, as another operator would. */
  async function addRule(): Promise<void> {
    await portal.instance.admin('POST', `organisations/${organisation}/teams/web/rules`, {
      name: 'no prices',
      groups: [[{ type: 'path', values: ['/price'] }]],
      action: { type: 'deny' },
    });
  }

  /** Sends a request with the key of the team. Returns the status. */
  async function send(path: string): Promise<number> {
    const query = path.startsWith('/price') ? `ids=${SOL}` : 'query=SOL';
    const answer = await fetch(`${portal.instance.restUrl}${path}?${query}`, {
      headers: { 'x-api-key': key },
    });
    await answer.arrayBuffer();
    return answer.status;
  }
});

const SOL = 'So11111111111111111111111111111111111111112';
let count = 0;
let organisation = '';
let firewall = '';
let key = '';
