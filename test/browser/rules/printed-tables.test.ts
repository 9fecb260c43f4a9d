import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { catalogue, mapped, opened } from '../../stages/feed/assignment-page.ts';
import { field, openConstruction, previewed, row } from '../../stages/feed/construction-page.ts';
import { errorsOf, expectNoSidewaysScroll, openStage, type Stage } from '../../stages/browser.ts';

/** CSS pixels: as narrow as A4 for what is laid out by columns, and as wide as A4 between the margins. */
const widths = { portrait: 720, landscape: 1032 };

describe('printed tables of an export', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  /** Returns elements whose content overflows: what scrolls or is shortened on the screen is lost on paper. */
  const cutOff = (page: Page): Promise<string[]> =>
    page.evaluate(
      `[...document.querySelectorAll('main *')]
        .filter((one) => /auto|scroll|hidden/.test(getComputedStyle(one).overflow) && one.clientHeight > 1)
        .filter((one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)
        .map((one) => one.tagName + ' ' + one.className)`,
    );
  const print = async (page: Page, name: string, width: number) => {
    const pdf = await page.pdf({ format: 'A4', landscape: width === widths.landscape });
    const folder = process.env['KONTOR_PRINTED'];
    if (folder !== undefined) writeFileSync(`${folder}/${name}-${width}.pdf`, pdf);
    await page.setViewportSize({ width, height: 1000 });
    await page.emulateMedia({ media: 'print' });
    return { sheets: pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0 };
  };

  it('Feldaufbau: names, sources and priorities of freely named fields are on paper, too', async () => {
    const rows = [
      row('name', { exportfield: 'name', field: field('titel'), mp_state: 'Required' }),
      row('versand', {
        exportfield: 'versand',
        valuetype: 'input',
        field: [{ type: '_string', value: '4,90 EUR', caption: '' }],
      }),
      row('beides', { exportfield: 'beides', valuetype: 'combine', field: [...field('marke'), ...field('titel')] }),
    ];
    const { page } = await openConstruction(stage, { channel: 'frei', rows, search: '?ansicht=tabelle' });
    await page
      .getByRole('textbox', { name: /Feldbezeichnung im Export/ })
      .first()
      .waitFor();
    await previewed(page);
    await print(page, 'construction', widths.portrait);
    const printed = page.getByRole('row');
    for (const words of [
      ['name', 'Feld titel', 'Pflicht'],
      ['versand', '„4,90 EUR“'],
      ['beides', 'Feld marke + Feld titel'],
    ])
      for (const word of words)
        await printed
          .filter({ hasText: words[1] ?? '' })
          .getByText(word, { exact: true })
          .waitFor();
    await expectNoSidewaysScroll(page);
    expect(errorsOf(page)).toEqual([]);
  });

  it.each(Object.entries(widths))('Marken: nothing of the table is cut off on %s paper', async (name, width) => {
    const { id } = await catalogue(stage.kontor);
    const body = Array.from({ length: 200 }, (_, n) =>
      mapped(`m${n}`, 'marke', `Marke ${n} mit einem langen Namen, der auf Papier umbricht`, `Ziel ${n}`),
    );
    await stage.kontor.ask(api.saveBrands, { params: { id }, body });
    const page = await opened(stage, `/exports/${id}/marken`);
    await page.getByRole('textbox', { name: 'Zeile 1: Wert' }).waitFor();
    await page.getByText(/von 200 Zeilen/).waitFor({ state: 'detached' });
    // Two hundred rows of at least 32 pixels; a sheet has fewer than 1000, or 700.
    expect((await print(page, `brands-${name}`, width)).sheets).toBeGreaterThanOrEqual(8);
    for (const n of [0, 199]) {
      const words = page.getByRole('row', { name: `Marke ${n} mit` });
      await words.waitFor();
      const [line, last] = await Promise.all([words.boundingBox(), words.getByText(`Ziel ${n}`).boundingBox()]);
      expect((line?.x ?? 0) + (line?.width ?? width)).toBeLessThanOrEqual(width);
      expect((last?.x ?? 0) + (last?.width ?? width)).toBeLessThanOrEqual(width);
    }
    expect(await page.getByRole('row').count()).toBe(201);
    expect(await cutOff(page)).toEqual([]);
    await expectNoSidewaysScroll(page);
    expect(errorsOf(page)).toEqual([]);
  });
});
