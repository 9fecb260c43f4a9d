import type { Page } from 'playwright-core';
import { api } from '#shared/http/api.ts';
import type { RepricerRule } from '#shared/repricer/schema.ts';
import { type PageOptions, openPage, type Stage } from '../browser.ts';
import { masterWith } from '../kontor.ts';
import { undercutting } from './offer-message.ts';

export const rule = (id: string, name: string, part: Partial<RepricerRule> = {}): RepricerRule => ({
  ...undercutting(id, name, ['von', 'bis', 'normal']),
  ...part,
});

/** Opens the repricer manager of a new catalogue with these rules. */
export async function openManager(stage: Stage, rules: RepricerRule[], options: PageOptions = {}) {
  const { kontor } = stage;
  const masterid = await masterWith(kontor, 'sku;von;bis;normal;titel\nA-1;10,00;20,00;15,00;Hammer', { key: 'sku' });
  const params = { masterid };
  for (const body of rules) await kontor.ask(api.saveRepricerRule, { params: { masterid, ruleid: body.id }, body });
  const page = await openPage(stage, `/repricer/${masterid}`, options);
  const stored = async () => {
    const map = await kontor.ask(api.repricerRules, { params });
    return (await kontor.ask(api.repricerState, { params })).order.flatMap((id) => map[id] ?? []);
  };
  return { page, masterid, params, stored };
}

export const nameField = (page: Page) => page.getByRole('textbox', { name: 'Name' });
export const saveRule = (page: Page) => page.getByRole('button', { name: 'Regel speichern', exact: true }).click();
export const saved = (page: Page) => page.getByRole('status').getByText('Daten erfolgreich gespeichert!').last();
