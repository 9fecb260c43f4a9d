import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { openStage, type Stage } from '../../stages/browser.ts';
import { opened } from '../../stages/feed/assignment-page.ts';

describe('a catalogue without items', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  it('CAT-01 ATT-06 before the first import the screens lead to it, and show no error', async () => {
    const { kontor } = stage;
    const { masterid } = await kontor.ask(api.createMaster, { body: { name: 'Neu' } });
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Laden' } });
    for (const screen of ['kategorien', 'marken', 'attribute']) {
      const page = await opened(stage, `/exports/${id}/${screen}`);
      const link = page.getByRole('main').getByRole('link', { name: 'Zum Import' });
      await expect.poll(() => link.getAttribute('href')).toBe(`/master/${masterid}/import`);
      expect(await page.getByRole('alert').count()).toBe(0);
    }
  });
});
