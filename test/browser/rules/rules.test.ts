import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import {
  errorsOf,
  expectNoAxeFindings,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  openStage,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { listedRules, openRules, pickField, rule, saveRules } from '../../stages/feed/rule-page.ts';

describe('rule list and saving', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  const cheap = () => rule('Billiges', { query: { field: 'preis', select: 'is_less_than', value: '1' } });

  it('RUL-01 without rules the screen explains them and offers to create the first', async () => {
    const { page } = await openRules(stage, []);
    await page.getByRole('heading', { name: 'Erstellen Sie Ihre erste Regel' }).waitFor();
    await page.getByText('Eine Regel sagt, für welche Artikel sie gilt').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Neue Regel' }).count()).toBe(1);
    await expectNoAxeFindings(page);
  });

  it('GEN-06 the page holds list and editor without JavaScript', async () => {
    const { page } = await openRules(stage, [cheap(), rule('Zweite')], { javaScript: false });
    await expect.poll(() => listedRules(page)).toEqual(['1\nBilliges', '2\nZweite']);
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Billiges');
    await page.getByRole('link', { name: 'Zweite' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Zweite');
  });

  it('RUL-08 GEN-02 GEN-04 a new rule is paused, has its two parts and an id of its own, and is saved', async () => {
    const { page, stored } = await openRules(stage, []);
    // A double click creates only one rule.
    await page.getByRole('button', { name: 'Neue Regel' }).dblclick();
    await page.waitForURL(/\/regeln\/[A-Za-z0-9]{10}$/);
    await expect.poll(() => page.getByRole('switch', { name: 'Aktiv' }).isChecked()).toBe(false);
    await expect.poll(() => page.getByRole('combobox', { name: 'Bedingung 1: Feld' }).inputValue()).toBe('Alle Felder');
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Bedingung 1: Operator' }).inputValue())
      .toBe('contains');
    await expect.poll(() => page.getByRole('combobox', { name: 'Aktion 1: Feld' }).inputValue()).toBe('Alle Felder');
    await expect.poll(() => page.getByRole('combobox', { name: 'Aktion 1: Art' }).inputValue()).toBe('unset');
    await expect.poll(() => listedRules(page)).toEqual(['1\n...\npausiert']);
    // Another click creates another rule.
    await page.getByRole('button', { name: 'Neue Regel' }).click();
    await expect.poll(() => listedRules(page)).toEqual(['1\n...\npausiert', '2\n...\npausiert']);
    await page.keyboard.press('Control+z');
    await expect.poll(() => listedRules(page)).toHaveLength(1);
    await page.getByRole('textbox', { name: 'Name' }).fill('Erste');
    await saveRules(page);
    const confirmed = performance.now();
    await page.getByText('Gespeichert', { exact: true }).waitFor({ state: 'detached' });
    expect(performance.now() - confirmed).toBeLessThan(3500);
    const [saved] = await stored();
    expect(saved).toMatchObject({
      name: 'Erste',
      active: false,
      querys: [{ field: '@ALL@' }],
      actions: [{ select: 'unset' }],
    });
    expect(saved?.id).toBe(page.url().split('/').at(-1));
    expect(errorsOf(page)).toEqual([]);
  });

  it('RUL-02 GEN-03 a paused rule is marked and stays editable; Save appears only after a change', async () => {
    const { page, stored } = await openRules(stage, [rule('Ruhe', { active: false })]);
    await page.getByText('Diese Regel ist pausiert.').waitFor();
    await expect.poll(() => page.getByText('Wenn', { exact: true }).count()).toBe(1);
    await expect.poll(() => page.getByText('dann', { exact: true }).count()).toBe(1);
    await expect.poll(() => page.getByRole('button', { name: 'sonst' }).isDisabled()).toBe(true);
    await expect.poll(() => page.getByRole('button', { name: 'Speichern' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Beschreibung' }).click();
    await page.getByRole('textbox', { name: 'Beschreibung' }).fill('Nur ein Versuch');
    await saveRules(page);
    await page.getByRole('button', { name: 'Speichern' }).waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject([{ active: false, description: 'Nur ein Versuch' }]);
    await page.getByRole('button', { name: 'Aktivieren' }).click();
    await page.getByText('Diese Regel ist pausiert.').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Speichern' }).waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject([{ active: true }]);
  });

  it('RUL-08 a copy is placed below its source with a new id; deleting selects the first remaining rule', async () => {
    const { page, masterid, stored } = await openRules(stage, [cheap(), rule('Zweite')]);
    await page.getByRole('link', { name: 'Zweite' }).click();
    await page.getByRole('button', { name: 'Regel kopieren' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Zweite (copy)');
    await expect.poll(() => listedRules(page)).toEqual(['1\nBilliges', '2\nZweite', '3\nZweite (copy)']);
    await saveRules(page);
    const ids = (await stored()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);

    await page.getByRole('button', { name: 'Regel löschen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ausgewählte Regel wirklich löschen?' });
    await dialog.getByRole('button', { name: 'Abbrechen' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await stored()).toHaveLength(3);
    await page.getByRole('button', { name: 'Regel löschen' }).click();
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/delete'));
    await dialog.getByRole('button', { name: 'Löschen' }).click();
    expect(new URL((await sent).url()).pathname).toBe(`/api/master_operators/${masterid}/${ids[2]}/delete`);
    await page.waitForURL(`**/regeln/${ids[0]}`);
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Billiges');
    expect((await stored()).map(({ name }) => name)).toEqual(['Billiges', 'Zweite']);

    await page.getByRole('button', { name: 'Neue Regel' }).click();
    await page.getByRole('button', { name: 'Regel löschen' }).click();
    await dialog.getByText('wurde noch nicht gespeichert und verschwindet ganz').waitFor();
    await dialog.getByRole('button', { name: 'Löschen' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await visit(page, `/master/${masterid}/regeln/gibtsnicht`);
    await page.getByText('Die Regel aus der Adresse gibt es hier nicht').waitFor();
    await page.getByRole('link', { name: 'Zweite' }).click();
    await page.getByText('Die Regel aus der Adresse gibt es hier nicht').waitFor({ state: 'detached' });
  });

  it('RUL-08 rules are sorted by dragging more than 5 px, by keyboard and by menu; a single rule has no handle', async () => {
    const { page, stored } = await openRules(stage, [rule('Eins'), rule('Zwei'), rule('Drei')]);
    const handle = (name: string) => page.getByRole('button', { name: new RegExp(`„${name}“ verschieben`) });
    await handle('Eins').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => listedRules(page)).toEqual(['1\nZwei', '2\nEins', '3\nDrei']);
    await handle('Drei').click();
    await page.getByRole('menuitem', { name: 'An den Anfang' }).click();
    await expect.poll(() => listedRules(page)).toEqual(['1\nDrei', '2\nZwei', '3\nEins']);

    const drag = async (distance: number) => {
      const box = await handle('Drei').boundingBox();
      if (box === null) throw new Error('no handle');
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      for (const part of [0.25, 0.5, 0.75, 1]) {
        await page.mouse.move(x, y + distance * part);
        await page.waitForTimeout(60);
      }
      await page.mouse.up();
      await page.waitForTimeout(300);
    };
    await drag(3);
    await expect.poll(() => listedRules(page)).toEqual(['1\nDrei', '2\nZwei', '3\nEins']);
    await page.keyboard.press('Escape');
    await drag(60);
    const dragged = await listedRules(page);
    expect(dragged.findIndex((text) => text.endsWith('Drei'))).toBeGreaterThan(0);
    await saveRules(page);
    expect((await stored()).map(({ name }) => name)).toEqual(dragged.map((text) => text.split('\n')[1]));

    const single = await openRules(stage, [rule('Allein')]);
    await expect.poll(() => single.page.getByRole('button', { name: /verschieben$/ }).count()).toBe(0);
  });

  it('RUL-10 with an empty name nothing is sent; the field says why and has the focus', async () => {
    const { page, stored } = await openRules(stage, [rule('Eins'), rule('Zwei')]);
    let saves = 0;
    page.on('request', (request) => (saves += request.url().endsWith('/save') ? 1 : 0));
    await page.getByRole('textbox', { name: 'Name' }).fill('  ');
    await page.getByRole('link', { name: 'Zwei' }).click();
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    await page.getByText('Bitte geben Sie einen Namen ein.').waitFor();
    const name = page.getByRole('textbox', { name: 'Name' });
    await expect.poll(() => name.inputValue()).toBe('  ');
    await expect.poll(() => name.and(page.locator(':focus')).count()).toBe(1);
    expect(saves).toBe(0);
    expect((await stored())[0]?.name).toBe('Eins');
    await name.fill('Eins neu');
    await page.getByText('Bitte geben Sie einen Namen ein.').waitFor({ state: 'detached' });
    await saveRules(page);
    expect(saves).toBe(1);
    // The request for the focus was followed once: coming back to the rule leaves the focus in the list.
    await page.getByRole('link', { name: 'Zwei' }).click();
    await expect.poll(() => name.inputValue()).toBe('Zwei');
    await page.getByRole('link', { name: 'Eins neu' }).click();
    await expect.poll(() => name.inputValue()).toBe('Eins neu');
    expect(await name.and(page.locator(':focus')).count()).toBe(0);
  });

  it('GEN-05 a save that does not get through is logged and shown, and every edit stays', async () => {
    const { page, stored } = await openRules(stage, [rule('Eins')]);
    await page.getByRole('textbox', { name: 'Name' }).fill('Eins geändert');
    await page.route('**/save', (route) => route.abort());
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    const notice = page.getByRole('alert').filter({ hasText: 'Fehler beim Speichern' });
    await notice.getByText('Der Server ist nicht erreichbar').waitFor();
    expect(errorsOf(page).join()).toContain('Fehler beim Speichern');
    expect(await page.getByText('Gespeichert', { exact: true }).count()).toBe(0);
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Eins geändert');
    await page.unroute('**/save');
    await saveRules(page);
    await expect.poll(() => notice.count()).toBe(0);
    expect((await stored())[0]?.name).toBe('Eins geändert');
  });

  it('leaving with unsaved changes asks first; switching rules does not', async () => {
    const { page } = await openRules(stage, [rule('Eins'), rule('Zwei')]);
    await page.getByRole('textbox', { name: 'Name' }).fill('Eins geändert');
    await page.getByRole('link', { name: 'Zwei' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Zwei');
    await page.getByRole('link', { name: /^Artikel/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Änderungen speichern?' });
    await dialog.getByRole('button', { name: 'Weiter bearbeiten' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => listedRules(page)).toContain('1\nEins geändert');
    await page.getByRole('button', { name: 'Verwerfen' }).click();
    await expect.poll(() => listedRules(page)).toContain('1\nEins');
  });

  it('RUL-13 RUL-14 an export has rules of its own and names those that run before', async () => {
    const { page, masterid } = await openRules(stage, [rule('Vom Katalog')]);
    const { id } = await stage.kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Shop' } });
    await visit(page, `/exports/${id}/regeln`);
    await page.getByText('läuft von oben nach unten').waitFor();
    await expect.poll(() => page.getByText('(1 aktive)').count()).toBe(1);
    await page.getByRole('button', { name: 'Neue Regel' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Nur hier');
    await pickField(page.getByRole('combobox', { name: 'Bedingung 1: Feld' }), 'marke');
    const sent = page.waitForRequest((request) => request.url().endsWith('/save'));
    await saveRules(page);
    expect(new URL((await sent).url()).pathname).toBe(`/api/operators/${id}/save`);
    expect((await stage.kontor.ask(api.rules, { params: { masterid: id } })).map(({ name }) => name)).toEqual([
      'Nur hier',
    ]);
    await page.getByRole('link', { name: 'Master-Regeln des Katalogs' }).click();
    await page.waitForURL(`**/master/${masterid}/regeln/**`);
    await page.getByRole('link', { name: 'Vom Katalog' }).waitFor();
    await expect.poll(() => listedRules(page)).toEqual(['1\nVom Katalog']);
  });

  it('axe finds nothing in the rule screen, its open picker and its dialog, in light and dark', async () => {
    const { page } = await openRules(stage, [cheap(), rule('Ruhe', { active: false })]);
    await expectNoAxeFindingsInBoth(page);
    await page.getByRole('combobox', { name: 'Bedingung 1: Feld' }).click();
    await page.getByRole('option', { name: 'titel' }).waitFor();
    await expectNoAxeFindingsInBoth(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Berechne Regel' }).click();
    await page.getByText('→ nachher').waitFor();
    await expectNoAxeFindingsInBoth(page);
    await page.getByRole('button', { name: 'Regel löschen' }).click();
    await page.getByRole('dialog').waitFor();
    await expectNoAxeFindingsInBoth(page);
  });

  it('fits a window of 320 px', async () => {
    const { page } = await openRules(stage, [cheap(), rule('Zweite')], { width: 320 });
    await page.getByRole('textbox', { name: 'Name' }).fill('Ein recht langer Name für diese Regel');
    await expectNoSidewaysScroll(page);
  });
});
