import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { addMember } from '../../stages/add-member.ts';
import { openStage, signIn, type Stage, visit } from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';

const password = 'lampe-wolke-trecker';

describe('the security log', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
    const masterid = await masterWith(stage.kontor, 'sku;titel\nA-1;Hammer\n');
    await stage.kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Export' } });
  }, 120_000);
  afterAll(() => stage.close());

  it.each(['editor', 'viewer', 'warehouse'] as const)(
    'has no refusals of a member (%s) who only follows links',
    async (role) => {
      const email = `${role}@beispiel.de`;
      await addMember(stage.kontor, { name: 'Jo Ahrens', email, password, role });
      const page = await stage.openPage();
      await signIn(page, { email, password });
      await visit(page, '/');
      const links = await page.locator('a[href^="/"]').all();
      const hrefs = await Promise.all(links.map((link) => link.getAttribute('href')));
      const paths = [...new Set(hrefs)].filter((href) => href !== null);
      expect(paths.length).toBeGreaterThan(2);
      // The server requests what a page shows.
      for (const path of paths) expect((await page.request.get(path)).ok()).toBe(true);
      const { events } = await stage.kontor.ask(api.securityLog, { query: { kind: 'access', limit: 200 } });
      expect(events.filter(({ actor }) => actor.includes(email)).map(({ what }) => what)).toEqual([]);
    },
  );
});
