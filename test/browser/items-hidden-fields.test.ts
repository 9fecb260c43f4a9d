import { afterAll, beforeAll, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { openStage, signIn, type Stage, visit } from '../stages/browser.ts';
import { masterWith } from '../stages/kontor.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

it('ITE-01 ITE-07 among loaded items a search finds what stands in a field that is not shown, as the server does', async () => {
  const rows = Array.from({ length: 60 }, (_, at) => `A-${at};Hammer ${at};${at % 3 === 0 ? 'karmin' : 'blau'}`);
  const masterid = await masterWith(stage.kontor, ['sku;titel;farbe', ...rows].join('\n'), { key: 'sku' });
  const { fields } = await stage.kontor.ask(api.items, { query: { masterid, limit: 1 } });
  const updatedColumns = fields.map(({ id, name }) => ({ id, show: name === 'farbe' ? (0 as const) : (1 as const) }));
  await stage.kontor.ask(api.updateFields, { body: { masterid, updatedColumns } });
  const page = await stage.openPage();
  await signIn(page);
  await visit(page, `/master/${masterid}/artikel`);
  await page.getByRole('button', { name: 'Alle laden' }).click();
  await page.getByRole('button', { name: 'Geladene Artikel verwerfen' }).waitFor();
  const heading = (text: string) => page.getByRole('heading', { level: 1, name: text });
  const searched = page.getByRole('searchbox', { name: 'In allen Feldern suchen' });
  await searched.fill('karmin');
  await heading('20 Datensätze').waitFor();
  // What the loaded items tell is still theirs to say.
  await searched.fill('');
  await heading('60 Datensätze').waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.getByRole('region', { name: 'Datensätze' }).getByRole('button', { name: 'titel', exact: true }).click();
  await page.locator('th[aria-sort="ascending"]').waitFor();
  expect(asked.filter((url) => url.includes('sortierung'))).toEqual([]);
});
