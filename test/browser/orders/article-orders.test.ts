import { expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { errorsOf, expectNoAxeFindings, openStage, signIn, visit } from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';
import { takeOrders } from '../../stages/orders/order-samples.ts';

it('an item links to its own orders, not to those of a longer number, and one click removes the filter', async () => {
  const stage = await openStage();
  try {
    const { kontor } = stage;
    const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer\nA-11;Zange', { key: 'sku' });
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Laden' } });
    await takeOrders(kontor, id, [
      { orderid: 'O-1', lines: [{ sku: 'A-1' }] },
      { orderid: 'O-2', lines: [{ sku: 'A-11' }] },
      { orderid: 'O-3', lines: [{ sku: 'A-11' }, { sku: 'A-1' }] },
    ]);
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, `/master/${masterid}/artikel/A-1`);
    await page.getByRole('link', { name: 'Alle Bestellungen' }).click();
    const listed = async () => (await page.getByRole('row').getByRole('link').allInnerTexts()).toSorted();
    await expect.poll(listed).toEqual(expect.arrayContaining(['O-1', 'O-3']));
    expect(await listed()).not.toContain('O-2');
    await expectNoAxeFindings(page);
    await page.getByRole('button', { name: 'Nur Artikel A-1: aufheben' }).click();
    await expect.poll(listed).toEqual(expect.arrayContaining(['O-1', 'O-2', 'O-3']));
    expect(new URL(page.url()).searchParams.has('artikel')).toBe(false);
    expect(errorsOf(page)).toEqual([]);
  } finally {
    await stage.close();
  }
});
