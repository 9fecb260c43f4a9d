import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { catalogue, mapped, opened, save, valuesOf } from '../../stages/feed/assignment-page.ts';
import { openStage, type Stage } from '../../stages/browser.ts';
import { openConstruction, picker, row } from '../../stages/feed/construction-page.ts';
import { openRules, rule } from '../../stages/feed/rule-page.ts';

const unchanged = 'Keine ungespeicherten Änderungen';

describe('values with line breaks in fields of one line', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  it('MAP-07 MAP-08 opening a mapping changes none of its values, and an edited one keeps its line break', async () => {
    const { masterid } = await catalogue(stage.kontor);
    const params = { masterid, mappingid: 'Umbrueche1' };
    const data = [mapped('1', 'titel', 'Bohrer\r\nlang', 'B\nL')];
    await stage.kontor.ask(api.saveMapping, { params, body: { name: 'Umbrüche', data, active: true } });
    const page = await opened(stage, `/master/${masterid}/mappings/Umbrueche1`);
    await page.getByText(unchanged).waitFor();
    await expect.poll(() => valuesOf(page)).toEqual(['Bohrer⏎lang']);
    const target = page.getByRole('textbox', { name: 'Zeile 1: Weise Wert zu' });
    await expect.poll(() => target.inputValue()).toBe('B⏎L');
    await target.press('End');
    await target.pressSequentially('!');
    await save(page, 'Mapping speichern');
    const [stored] = await stage.kontor.ask(api.mappings, { params: { id: masterid } });
    expect(stored?.data[0]).toMatchObject({ value: 'Bohrer\r\nlang', target: 'B\nL!' });
  });

  it('RUL-04 RUL-06 opening a rule changes none of its values', async () => {
    const { page } = await openRules(stage, [
      rule('Eins', {
        query: { field: 'titel', select: 'is_equal', value: 'Hammer\nlang' },
        action: { field: 'titel', select: 'set', selecttyp: 'input', value: [{ type: '_string', value: 'H\nL' }] },
      }),
    ]);
    const value = page.getByRole('textbox', { name: 'Bedingung 1: Wert', exact: true });
    await expect.poll(() => value.inputValue()).toBe('Hammer⏎lang');
    await expect.poll(() => page.getByText('Ungespeicherte Änderungen').count()).toBe(0);
    await value.hover();
    await expect.poll(() => value.getAttribute('title')).toBe('⏎ steht für einen Zeilenumbruch');
  });

  it('CON-03 a fixed text keeps its line break, and its picker stays closed', async () => {
    const text = { type: '_string' as const, value: 'eins\nzwei', caption: '' };
    const rows = [row('text', { field: [text] }), row('eigen', { valuetype: 'input', field: [text] })];
    const { page, named } = await openConstruction(stage, { channel: '', rows, search: '?ansicht=tabelle' });
    await expect.poll(() => picker(page, 'Zeile 1').inputValue()).toBe('eins⏎zwei');
    await expect.poll(() => page.getByRole('listbox').getByRole('option').count()).toBe(0);
    const fixed = page.getByRole('textbox', { name: 'Zeile 2: Fester Wert' });
    await fixed.press('End');
    await fixed.pressSequentially('!');
    await picker(page, 'Zeile 1').click();
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    await page.getByText(unchanged).waitFor();
    expect((await named('eigen'))?.field).toEqual([{ ...text, value: 'eins\nzwei!' }]);
    expect((await named('text'))?.field).toEqual([text]);
  });
});
