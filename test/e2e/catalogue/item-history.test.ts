import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { importFile, masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { takeOrders } from '../../stages/orders/order-samples.ts';

describe('the history of an item', () => {
  let kontor: TestKontor;
  let masterid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, 'sku;titel;preis\nA-1;Hammer;3\nA-2;Zange;4\n', { key: 'sku' });
    const save = (bytes: string) => importFile(kontor, masterid, { name: 'neu.csv', bytes }, { key: 'sku' });
    await kontor.ask(api.saveImportDifference, { params: { masterid }, body: { action_on_difference: 'no_action' } });
    // The columns change places: fields are matched by name. A-2 does not change.
    await save('sku;preis;titel;__proto__\nA-1;5;Hammer;x\nA-2;4;Zange;\n');
    await save('sku;preis;titel\nA-2;4;Zange\n');
    await save('sku;preis;titel\nA-1;5;Hammer\nA-2;4;Zange\n');
  });
  afterAll(() => kontor.close());

  const history = (id: string) => kontor.ask(api.itemHistory, { params: { id }, query: { masterid } });

  it('lists from the stored snapshots which import changed which values, when it was removed and came back', async () => {
    const { entries, states, more } = await history('A-1');
    expect([states, more]).toEqual([4, false]);
    expect(entries.map(({ snapshot, what }) => [snapshot, what])).toEqual([
      [4, 'new'],
      [3, 'gone'],
      [2, 'changed'],
      [1, 'first'],
    ]);
    expect(entries[2]?.changes).toEqual([
      { field: 'preis', before: '3', after: '5' },
      { field: '__proto__', before: '', after: 'x' },
    ]);
    expect((await history('A-2')).entries.map(({ what }) => what)).toEqual(['first']);
  });

  it('an item that is in no snapshot is answered with 404', async () => {
    const answer = await kontor.raw(`/api/items/data/id/X-9/history?masterid=${masterid}`);
    expect([answer.status, await answer.text()]).toEqual([
      404,
      expect.stringContaining('Diesen Artikel gibt es nicht'),
    ]);
  });

  it('its orders are the order lines that stock counts for it, whatever SKU they have', async () => {
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Laden' } });
    await takeOrders(kontor, id, [
      { orderid: 'B-1', lines: [{ sku: 'A-1' }] },
      { orderid: 'B-2', lines: [{ sku: 'ANDERS' }] },
      { orderid: 'A-1', lines: [{ sku: 'A-2' }] },
    ]);
    await kontor.database.system((trx) =>
      trx.updateTable('order_lines').set({ master: masterid, item: 'A-1' }).where('sku', '=', 'ANDERS').execute(),
    );
    const { rows } = await kontor.ask(api.orders, { query: { filter: 'alle', masterid, item: 'A-1' } });
    expect(rows.map(({ orderid }) => orderid).toSorted()).toEqual(['B-1', 'B-2']);
  });
});
