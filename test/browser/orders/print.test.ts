import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Person } from '#shared/orders/persons.ts';
import { openStage, signIn, type Stage, visit } from '../../stages/browser.ts';
import { orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';
import { pdfTexts } from '../../stages/orders/pdf-text.ts';

const person = (name: string) =>
  Person.parse({ name, lines: ['Lange Kanaristraße 12'], postalCode: '10115', city: 'Berlin', country: 'DE' });
const lines = (count: number, first = 0) =>
  Array.from({ length: count }, (_, n) => ({
    sku: `ART-${String(first + n).padStart(4, '0')}`,
    title: `Akku-Bohrschrauber mit Koffer und zwei Akkus, Ausführung ${n}`,
    ordered: 1 + (n % 3),
  }));

describe('printed orders', () => {
  let stage: Stage;
  let page: Page;
  let channel: string;
  beforeAll(async () => {
    stage = await openStage();
    channel = await orderChannel(stage.kontor, 'Laden');
    await takeOrders(stage.kontor, channel, [
      { orderid: 'KURZ-1', shipInHours: 5, persons: { delivery: person('Kanari Eins') }, lines: lines(2) },
      { orderid: 'LANG-2', shipInHours: 6, persons: { delivery: person('Kanari Zwei') }, lines: lines(70) },
      { orderid: 'KURZ-3', shipInHours: 7, persons: { delivery: person('Kanari Drei') }, lines: lines(1) },
      ...Array.from({ length: 12 }, (_, n) => ({
        orderid: `MEHR-${10 + n}`,
        shipInHours: 8 + n,
        persons: { delivery: person(`Kanari ${n}`) },
        lines: lines(5, n * 3),
      })),
    ]);
    page = await stage.openPage();
    await signIn(page);
  }, 180_000);
  afterAll(() => stage.close());

  const printed = async () => pdfTexts(await page.pdf({ format: 'A4', preferCSSPageSize: true }));
  const count = (text: string, word: string) => text.split('\n').filter((line) => line.trim() === word).length;

  it('a slip per order on its own paper, with its address; a long table repeats its head on every page', async () => {
    await visit(page, '/bestellungen/druck/lieferscheine');
    await page.getByText('Kanari Eins').waitFor();
    const pages = await printed();
    const sheets = (name: string) => pages.filter((text) => text.includes(name));
    for (const name of ['Kanari Eins', 'Kanari Zwei', 'Kanari Drei', 'Kanari 11'])
      expect([name, sheets(name).length]).toEqual([name, 1]);
    // 15 slips, of which one needs three sheets.
    expect(pages).toHaveLength(17);
    for (const text of pages) {
      expect(count(text, 'Menge')).toBe(1);
      // A table head is never alone at the end of a sheet.
      expect(text.slice(text.indexOf('Menge'))).toMatch(/ART-\d{4}/);
    }
    const [, second = '', third = '', fourth = ''] = pages;
    expect(second).toContain('LANG-2');
    // Continuation sheets name their order.
    for (const text of [third, fourth]) expect(text).toContain('LANG-2');
    // Each slip is numbered by itself.
    expect(pages.slice(0, 5).map((text) => /^Seite \n\d+/m.exec(text)?.[0])).toEqual(
      [1, 1, 2, 3, 1].map((number) => `Seite \n${number}`),
    );
    expect(fourth.replaceAll('\n', '')).toContain('70\u00a0Positionen, 139\u00a0Stück');
  });

  it('a slip of 300 lines printed alone says on each sheet which of how many it is', async () => {
    await takeOrders(stage.kontor, channel, [{ orderid: 'RIESIG-4', shipInHours: 5, lines: lines(300) }]);
    await visit(page, `/bestellungen/druck/lieferscheine?b=${channel}/RIESIG-4`);
    await page.getByText('Keine Anschrift gespeichert').waitFor();
    const pages = await printed();
    expect(pages.length).toBeGreaterThan(8);
    expect(pages.map((text) => /^Seite \n.*\n.*\n.*/m.exec(text)?.[0].replaceAll('\n', ''))).toEqual(
      pages.map((_, n) => `Seite ${n + 1} von ${pages.length}`),
    );
    for (const text of pages) expect(text).toContain('RIESIG-4');
  });

  it('endless numbers and names are wrapped, and push neither pieces nor a neighbour off the paper', async () => {
    const endless = (of: string) => of.repeat(200).slice(0, 190);
    const orderid = endless('Nr');
    const delivery = Person.parse({
      name: `Kanari ${endless('ß')}`,
      lines: [`Kanariweg ${endless('Weg')}`],
      city: endless('Ort').slice(0, 90),
    });
    const line = { sku: endless('SKU'), title: '<b>Säge</b> 🪚 mit Koffer', ordered: 7 };
    await takeOrders(stage.kontor, channel, [{ orderid, persons: { delivery }, lines: [line] }]);
    const search = new URLSearchParams({ b: `${channel}/${orderid}` });
    for (const path of ['lieferscheine', 'pickliste']) {
      await visit(page, `/bestellungen/druck/${path}?${search.toString()}`);
      await page.getByText('<b>Säge</b> 🪚 mit Koffer').first().waitFor();
      if (path === 'lieferscheine') await page.getByText('Kanari ßß').waitFor();
      await page.emulateMedia({ media: 'print' });
      await page.setViewportSize({ width: 680, height: 900 });
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      const pieces = await page.getByText('7', { exact: true }).last().boundingBox();
      await page.emulateMedia({ media: 'screen' });
      await page.setViewportSize({ width: 1280, height: 720 });
      expect([path, wide]).toEqual([path, 680]);
      expect((pieces?.x ?? 9999) + (pieces?.width ?? 0)).toBeLessThanOrEqual(680);
    }
  });

  it('the pick list keeps an order together and repeats the head of its table', async () => {
    await visit(page, '/bestellungen/druck/pickliste');
    await page.getByRole('table', { name: 'Je Artikel' }).waitFor();
    const pages = await printed();
    const [first = '', second = ''] = pages;
    expect(count(first, 'Menge')).toBe(1);
    expect(count(second, 'Menge')).toBe(1);
    for (let n = 0; n < 12; n++) {
      // An order is not split: all its articles are on the sheet with its heading.
      const at = pages.filter((text) => text.split('\n').some((line) => line.trim() === `MEHR-${10 + n}`));
      expect([n, at.length]).toEqual([n, 1]);
      for (const { sku } of lines(5, n * 3)) expect(at[0]).toContain(sku);
    }
    expect(pages.at(-1)).toMatch(/ART-\d{4}/);
  });
});
