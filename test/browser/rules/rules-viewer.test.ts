import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { addMember } from '../../stages/add-member.ts';
import { errorsOf, expectNoAxeFindings, openStage, signIn, type Stage, visit } from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';
import { catalogue, listedRules, rule, ruleList } from '../../stages/feed/rule-page.ts';

const reader = { name: 'Leser', email: 'leser@beispiel.de', password: 'nur-lesen-darf-er' };

describe('the rules for a viewer', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
    await addMember(stage.kontor, { ...reader, role: 'viewer' });
  }, 180_000);
  afterAll(() => stage.close());

  const rules = () => [
    rule('Bosch', {
      query: { field: 'marke', select: 'is_equal', value: 'BOSCH' },
      action: { field: 'titel', select: 'append', value: [{ type: '_string', value: ' (Profi)' }] },
    }),
    rule('Pausiert', { active: false, query: { field: 'titel', value: 'x' } }),
  ];
  const open = async () => {
    const masterid = await masterWith(stage.kontor, catalogue, { key: 'sku' });
    await stage.kontor.ask(api.saveMasterRules, { params: { masterid }, body: rules() });
    const page = await stage.openPage();
    await signIn(page, reader);
    await visit(page, `/master/${masterid}/regeln`);
    return { page, masterid };
  };

  it('RUL-02 a viewer sees list, sentence, effect and statistics, with links to explanations', async () => {
    const { page } = await open();
    await expect.poll(() => listedRules(page)).toHaveLength(2);
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Bosch');
    await page.getByRole('group', { name: 'Bedingung 1', exact: true }).getByText('2 von 4 Artikeln').waitFor();
    const effect = page.getByRole('region', { name: 'Wirkung', exact: true });
    await effect.getByText('kommen an').first().waitFor();
    await page.getByRole('button', { name: 'Berechne Regel' }).click();
    await page.getByText('vorher 4 → nachher 4').waitFor();
    await expect.poll(() => page.getByRole('region', { name: 'Betroffene Artikel' }).getByRole('row').count()).toBe(3);
    await expectNoAxeFindings(page);
    await ruleList(page)
      .getByRole('link', { name: /Pausiert/ })
      .click();
    await page.getByText('Diese Regel ist pausiert.').waitFor();
    await ruleList(page).getByRole('link', { name: /Bosch/ }).click();
    await effect.getByRole('link', { name: 'A-1', exact: true }).click();
    await page.waitForURL(/\/artikel\/A-1\/erklaerung/);
    expect(errorsOf(page)).toEqual([]);
  });

  it('RUL-02 a viewer edits nothing: every field is disabled, nothing is moved, added, deleted or saved', async () => {
    const { page, masterid } = await open();
    const editor = page.getByRole('region', { name: 'Regel bearbeiten' });
    await editor.getByText('von 4 Artikeln').waitFor();
    const fields = await editor.locator('input:not([type=hidden]), select, textarea').all();
    expect(fields.length).toBeGreaterThan(6);
    // Viewers can only read, but axe does not check disabled fields.
    const look = `(() => {
      const field = getComputedStyle(document.querySelector('main input:disabled'));
      return [field.opacity, field.color];
    })()`;
    expect(await page.evaluate(look)).toEqual(['1', 'rgb(85, 88, 95)']);
    for (const field of fields) await expect.poll(() => field.isDisabled()).toBe(true);
    // Only the description can be opened, to be read.
    const buttons = await editor.getByRole('button', { disabled: false }).all();
    expect(buttons).toEqual([]);
    for (const name of [/verschieben/, /kopieren/, /entfernen/, /löschen/, /hinzufügen/, 'Neue Regel', 'Aktivieren']) {
      await expect.poll(() => page.getByRole('button', { name, disabled: false }).count()).toBe(0);
    }
    await expect.poll(() => page.getByRole('button', { name: /verschieben/ }).count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Speichern', exact: true }).count()).toBe(0);
    await page.keyboard.press('Control+z');
    await expect.poll(() => page.getByRole('button', { name: 'Speichern', exact: true }).count()).toBe(0);
    const refused = await page.request.post(`/api/master_operators/${masterid}/save`, {
      data: [],
      headers: { 'x-kontor': '1' },
    });
    expect(refused.status()).toBe(403);
  });
});
